"""The pretend table behind the virtual camera and the virtual pusher.

It knows where every tile truly stands, which is never quite where its placer wanted it, and tells
nobody: the camera looks at `scene()`, the pusher calls `fall()`, and hands call the rest. What
falls is the world's to say; the table shows it in time.
"""

import math
import threading
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from physics.row.chain import Chain, order
from physics.row.pose import Point, Pose
from physics.row.push import Push
from physics.row.tile import Orientation, Tile, TileSet
from rig.clock import Clock
from rig.errors import RigError
from rig.virtual.world import World
from vision.render.scene import Scene, Solid

AREA_X_MM = (0.0, 600.0)
AREA_Y_MM = (0.0, 420.0)
MIDDLE = (300.0, 210.0)
FIRST = 6
"""The tile that a round begins with."""

HAIR_MM = 0.3
"""Tiles set down nearer to each other than this have touched."""

_HAND_LOOKS = 2
_UPRIGHT_RAD = math.radians(0.2)
_SEEN_RAD = math.radians(5.0)
_TIP_S = 0.30
_TIP_POWER = 2.2


class NotPlaced(RigError):
    """Hands cannot do this on the virtual table; it is as it was."""

    def __init__(self, message: str, reason: str = "no_such_tile") -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Placing:
    """How far hands miss: one standard deviation."""

    xy_mm: float = 0.4
    heading_rad: float = math.radians(0.6)


@dataclass(frozen=True, slots=True)
class _Body:
    """One tile of the table.

    Attributes:
        tile: where it stands, or stood before it fell; then its heading is the way it fell.
        tilt_rad: how far it is tipped at rest.
        fallen: it is down.
        begins_s: when it begins to tip, on the clock's `monotonic_s`.
    """

    tile: Tile
    tilt_rad: float = 0.0
    fallen: bool = False
    begins_s: float = -math.inf

    def tilt_at(self, time_s: float) -> float:
        """How far it is tipped at a moment: slowly at first, then ever faster."""
        share = min(1.0, max(0.0, (time_s - self.begins_s) / _TIP_S))
        return self.tilt_rad * float(share**_TIP_POWER)


class VirtualTable:
    """All tiles of a game on a table that is not there; safe from any thread.

    Args:
        world: what falls.
        clock: when it falls.
        rng: the hidden chance of hands.
        tiles: the tiles there are.
        table: what the table is made of, as `Scene` names it.
        placing: how far hands miss.
    """

    def __init__(
        self,
        world: World,
        clock: Clock,
        rng: np.random.Generator,
        tiles: TileSet | None = None,
        table: str = "wood",
        placing: Placing | None = None,
    ) -> None:
        self._world = world
        self._clock = clock
        self._rng = rng
        self._set = tiles or TileSet()
        self._look = table
        self._placing = placing or Placing()
        self._lock = threading.RLock()
        self._bodies: dict[int, _Body] = {}
        self._row = Chain(())
        self._held: int | None = None
        self._from: _Body | None = None
        self._hand: Point | None = None
        self._hand_looks = 0
        self._pusher: Pose | None = None
        self.clear()

    def clear(self) -> None:
        """Take all tiles back and stand the first one in the middle."""
        with self._lock:
            self._bodies = {}
            self._row = Chain(())
            self._held, self._from = None, None
            self._hand_looks = 0
            self._pusher = None
            self._set_down(FIRST, Pose(*MIDDLE, 0.0), Orientation.VERTICAL)

    def draft(self) -> "VirtualTable":
        """Give a table that is like this one now, on which something may be tried.

        It has the same world, chance and lock: what hands miss there they have missed.
        """
        with self._lock:
            draft = copy(self)
            draft._bodies = dict(self._bodies)
            return draft

    def become(self, draft: "VirtualTable") -> None:
        """Be as a draft of this table has become."""
        with self._lock:
            self._bodies, self._row = dict(draft._bodies), draft._row
            self._held, self._from = draft._held, draft._from
            self._hand, self._hand_looks = draft._hand, draft._hand_looks
            self._pusher = draft._pusher

    @property
    def held(self) -> int | None:
        """The tile that was stood or moved last, until `settle`; None if there is none."""
        with self._lock:
            return self._held

    def stand(
        self, value: int, x_mm: float, y_mm: float, heading_rad: float, orientation: Orientation
    ) -> tuple[int, ...]:
        """Stand a tile on the table, about there.

        Args:
            value: one that is not on the table.
            x_mm: where its middle shall be.
            y_mm: the same.
            heading_rad: where its broad face shall look.
            orientation: on which edge.

        Returns:
            The tiles that it knocked over; then it is not on the table itself.

        Raises:
            NotPlaced: nothing has changed.
        """
        with self._lock:
            if value not in self._set.values:
                raise NotPlaced(f"There is no tile {value}.")
            if value in self._bodies:
                raise NotPlaced(f"Tile {value} is already on the table: move it instead.")
            knocked = self._put(value, Pose(x_mm, y_mm, heading_rad), orientation)
            self._held, self._from = value, None
            return knocked

    def move(
        self, value: int, x_mm: float, y_mm: float, heading_rad: float, orientation: Orientation
    ) -> tuple[int, ...]:
        """Take a standing tile, or the one stood last, and stand it somewhere else.

        The rest is as for `stand`.
        """
        with self._lock:
            before = self._liftable(value)
            self._lift(value)
            try:
                knocked = self._put(value, Pose(x_mm, y_mm, heading_rad), orientation)
            except NotPlaced:
                self._put_down(value, before)
                raise
            if self._held != value:
                self._held, self._from = value, before
            return knocked

    @property
    def pusher(self) -> Pose | None:
        """Where the tag of the pusher is, heading along the push; None while it is put away."""
        with self._lock:
            return self._pusher

    def stand_pusher(self, place: Pose) -> None:
        """Put the pusher about there; a round that is dealt puts it away again."""
        with self._lock:
            self._pusher = self._missed(place)
            self._reach_in(place)

    def take_back(self, value: int) -> None:
        """Undo what was done with the tile since `settle`, even if it has fallen.

        It goes off the table, or back to where it stood before somebody moved it.

        Raises:
            NotPlaced: it does not stand on the table.
        """
        with self._lock:
            body = self._liftable(value)
            self._lift(value)
            self._reach_in(body.tile.pose)
            if self._held == value and self._from is not None:
                self._put_down(value, self._from)
            self._held, self._from = None, None

    def settle(self) -> None:
        """Let everything stand as it stands: the last tile is confirmed."""
        with self._lock:
            self._held, self._from = None, None

    def shove(
        self, value: int, along_mm: float, across_mm: float = 0.0, turn_rad: float = 0.0
    ) -> None:
        """Shift a standing tile in passing, by its own heading; nobody takes it in hand.

        Raises:
            NotPlaced: another stands there, or it does not stand; nothing has changed.
        """
        with self._lock:
            body = self._standing(value)
            pose = body.tile.pose
            x_mm, y_mm = pose.to_table(along_mm, across_mm)
            tile = replace(body.tile, pose=Pose(x_mm, y_mm, pose.heading_rad + turn_rad))
            _require_inside(tile)
            others = [each.tile for other, each in self._bodies.items() if other != value]
            if any(tile.footprint.overlaps(other.footprint) for other in others):
                raise NotPlaced(
                    f"Tile {value} cannot be shoved there: another tile is in the way.",
                    "in_the_way",
                )
            self._reach_in(pose)
            self._put_down(value, _Body(tile))

    def knock(self, value: int) -> tuple[int, ...]:
        """Knock a standing tile over by accident; give all that fell."""
        with self._lock:
            self._standing(value)
            return self._topple(value, onward=bool(self._rng.integers(2)))

    def stand_up(self) -> None:
        """Stand everything up again where it stood before the accident."""
        with self._lock:
            for value, body in self._bodies.items():
                if body.fallen or body.tilt_rad:
                    self._bodies[value] = _Body(body.tile)
            if self._held is not None and self._held not in self._bodies and self._from is not None:
                self._bodies[self._held] = self._from
            self._held, self._from = None, None
            self._reorder()

    def fall(self, push: Push, first: int) -> tuple[int, ...]:
        """Push a tile, usually one end of the row, towards where most of the row stands.

        Args:
            push: how; the tip touches the tile now, and the row falls from now on.
            first: the tile that is touched.

        Returns:
            The tiles that will have fallen.

        Raises:
            NotPlaced: that tile does not stand on the table.
        """
        with self._lock:
            self._standing(first)
            onward = 2 * self._row.values.index(first) < len(self._row.tiles)
            return self._topple(first, onward, push)

    def scene(self) -> Scene:
        """Give what a camera above the table sees now.

        A hand that has just been on the table is still there for the next looks.
        """
        with self._lock:
            now_s = self._clock.monotonic_s()
            solids = tuple(
                Solid(body.tile, body.tilt_at(now_s)) for _, body in sorted(self._bodies.items())
            )
            hand = self._hand if self._hand_looks > 0 else None
            self._hand_looks = max(0, self._hand_looks - 1)
            return Scene(solids, hand, self._look, pusher=self._pusher)

    def truth(self) -> tuple[Tile, ...]:
        """Give the true places of the standing tiles in row order: for tests alone."""
        with self._lock:
            return self._row.tiles

    def at_rest(self) -> bool:
        """Whether nothing is falling any more."""
        with self._lock:
            now_s = self._clock.monotonic_s()
            return all(b.tilt_at(now_s) == b.tilt_rad for b in self._bodies.values())

    def state(self) -> dict[str, Any]:
        """Give all that the table is at rest, ready for JSON, so that it can be kept."""
        with self._lock:
            row = [value for value in self._row.values if value is not None]
            lying = sorted(set(self._bodies) - set(row))
            return {
                "row": [_plain(value, self._bodies[value]) for value in row],
                "lying": [_plain(value, self._bodies[value]) for value in lying],
                "held": self._held,
                "from": _plain(self._held or 0, self._from) if self._from else None,
            }

    def load(self, state: Mapping[str, Any]) -> None:
        """Make the table what `state` told."""
        with self._lock:
            row = dict(self._body(one) for one in state["row"])
            self._bodies = row | dict(self._body(one) for one in state["lying"])
            self._row = Chain(tuple(body.tile for body in row.values()))
            self._held = state["held"]
            self._from = self._body(state["from"])[1] if state["from"] else None
            self._hand_looks = 0

    def _put(self, value: int, pose: Pose, orientation: Orientation) -> tuple[int, ...]:
        wanted = Tile(value, pose, orientation, spec=self._set.spec)
        _require_inside(wanted)
        lying = sorted(v for v, body in self._bodies.items() if body.fallen)
        if lying:
            raise NotPlaced(
                f"Tile {lying[0]} lies on the table: stand it up before placing more.", "lying_tile"
            )
        self._reach_in(pose)
        meant = self._missed(pose)
        tile = replace(wanted, pose=meant)
        touched = [
            other
            for other, body in self._bodies.items()
            if tile.footprint.distance_mm(body.tile.footprint) <= HAIR_MM
        ]
        if not touched:
            self._put_down(value, _Body(tile))
        return tuple(fallen for other in touched for fallen in self._knock_away(other, meant))

    def _set_down(self, value: int, pose: Pose, orientation: Orientation) -> None:
        tile = Tile(value, self._missed(pose), orientation, spec=self._set.spec)
        self._put_down(value, _Body(tile))

    def _knock_away(self, value: int, hand: Pose) -> tuple[int, ...]:
        """Let a tile fall away from the hand that touched it, if it still stands."""
        touched = next((tile for tile in self._row.tiles if tile.value == value), None)
        if touched is None:
            return ()
        along, _ = touched.pose.to_local((hand.x_mm, hand.y_mm))
        return self._topple(value, onward=along < 0)

    def _topple(self, value: int, onward: bool, push: Push | None = None) -> tuple[int, ...]:
        """Push a tile of the row over, down the row or up it."""
        row = self._row if onward else self._row.reversed()
        at = row.values.index(value)
        chain = Chain(row.tiles[at:])
        push = push or Push()
        fall = self._world.fall(chain, push)
        start_s = self._clock.monotonic_s() - push.touch_s
        times = [t for t in fall.outcome.arrival_s if t is not None]
        late_s = max(times, default=0.0)
        fallen = []
        for i, tile in enumerate(chain.tiles):
            if tile.value is None or abs(fall.tilt_rad[i]) < _UPRIGHT_RAD:
                continue
            arrival_s = fall.outcome.arrival_s[i]
            seen_s = late_s if arrival_s is None else arrival_s
            tilt = fall.tilt_rad[i]
            self._bodies[tile.value] = _Body(
                tile if tilt > 0 else replace(tile, pose=tile.pose.turned()),
                abs(tilt),
                fall.outcome.fallen[i],
                start_s + seen_s - _TIP_S * (_SEEN_RAD / abs(tilt)) ** (1 / _TIP_POWER),
            )
            if fall.outcome.fallen[i]:
                fallen.append(tile.value)
        self._reorder()
        return tuple(fallen)

    def _reorder(self) -> None:
        standing = [body.tile for body in self._bodies.values() if not body.fallen]
        self._row = order(standing, self._row)

    def _standing(self, value: int) -> _Body:
        body = self._bodies.get(value)
        if body is None:
            raise NotPlaced(f"Tile {value} is not on the table.")
        if body.fallen:
            raise NotPlaced(f"Tile {value} lies on the table: stand it up first.", "lying_tile")
        return body

    def _liftable(self, value: int) -> _Body:
        """A tile that may be taken up: one that fell all by itself is just stood up again."""
        held = self._bodies.get(value) if value == self._held else None
        return held or self._standing(value)

    def _lift(self, value: int) -> None:
        del self._bodies[value]
        self._reorder()

    def _put_down(self, value: int, body: _Body) -> None:
        self._bodies[value] = body
        self._reorder()

    def _reach_in(self, pose: Pose) -> None:
        self._hand = (pose.x_mm, pose.y_mm)
        self._hand_looks = _HAND_LOOKS

    def _missed(self, pose: Pose) -> Pose:
        """Where a hand really puts what it wants to put there."""
        dx, dy, turn = (float(n) for n in self._rng.standard_normal(3))
        return Pose(
            pose.x_mm + self._placing.xy_mm * dx,
            pose.y_mm + self._placing.xy_mm * dy,
            pose.heading_rad + self._placing.heading_rad * turn,
        )

    def _body(self, one: Mapping[str, Any]) -> tuple[int, _Body]:
        pose = Pose(one["x_mm"], one["y_mm"], math.radians(one["heading_deg"]))
        tile = Tile(one["value"], pose, Orientation(one["orientation"]), spec=self._set.spec)
        return one["value"], _Body(tile, math.radians(one["tilt_deg"]), one["fallen"])


def _plain(value: int, body: _Body) -> dict[str, Any]:
    pose, orientation = body.tile.pose, body.tile.orientation
    return {
        "value": value,
        "x_mm": pose.x_mm,
        "y_mm": pose.y_mm,
        "heading_deg": math.degrees(pose.heading_rad),
        "orientation": orientation.value if orientation else None,
        "tilt_deg": math.degrees(body.tilt_rad),
        "fallen": body.fallen,
    }


def _require_inside(tile: Tile) -> None:
    numbers = (tile.pose.x_mm, tile.pose.y_mm, tile.pose.heading_rad)
    if not all(math.isfinite(number) for number in numbers):
        raise NotPlaced(f"Tile {tile.value} needs a place on the table in millimetres.")
    for x, y in tile.footprint.corners:
        if not (AREA_X_MM[0] <= x <= AREA_X_MM[1] and AREA_Y_MM[0] <= y <= AREA_Y_MM[1]):
            raise NotPlaced(
                f"Tile {tile.value} would stand outside the work area of "
                f"{AREA_X_MM[1]:.0f} x {AREA_Y_MM[1]:.0f} mm: put it further in.",
                "outside",
            )
