"""One fall of a row, seen from the side, in pymunk's engine.

The boxes of `side_view.py` fall without rebound and with Coulomb friction. Lengths are scaled to
the standard tile, so that rows of any scale fall alike. Trials simulate only the tiles near the
front. A tile whose hit was noticed late is moved clear at once, which makes up for the delay.
"""

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np

from physics.fall.engine import (
    Body,
    BoxWorld,
    place_mm,
    set_moment,
    set_speed,
    spin_rad_s,
)
from physics.fall.joint import copies_of, joints_of
from physics.fall.side_view import GRAVITY_MM_S2, USUAL, Corrections, SideView, side_view
from physics.row.chain import Chain
from physics.row.outcome import Outcome
from physics.row.push import Friction, Path, Push

STANDARD_MM: Final = 48.0
FALLEN_RAD: Final = math.radians(30.0)
ARRIVED_RAD: Final = math.radians(5.0)
_SURE_RAD: Final = math.radians(45.0)
_PUSHER_FRICTION: Final = 0.2
STEP_S: Final = 0.004
_FINE_STEP_S: Final = 0.001
_LOOK_STEPS: Final = 2
# Overlap that stays, and the share of it that is left after a second. With the gentle share of the
# engine's default the struck tile lags behind by the way that the other one came too far.
_SLOP_MM: Final = 0.02
_LEFT_OVER: Final = 1e-100
_MOST_S: Final = 4.0
_MOST_A_TILE_S: Final = 0.1
_CREEP_MM_S: Final = 5.0
_REST_RAD_S: Final = 0.05
_SETTLING_RAD_S: Final = 0.5
_QUIET_S: Final = 0.05
_STIRRED_RAD: Final = 0.003
_LEANS_RAD: Final = math.radians(2.0)
_LIES_RAD: Final = math.radians(75.0)
_TOUCHED_RAD: Final = 0.003
# Tiles in play: the next one, those close behind it up to so many, and so many behind the front.
_CLOSE_MM: Final = 8.0
_AHEAD: Final = 4
_BEHIND: Final = 4
_TURNS: Final = 2.0
_FLOOR: Final = 1
_TIP: Final = 2
_ITERATIONS: Final = 10


class Why(StrEnum):
    """What stopped a fall, in words for people."""

    MISSED = "missed"
    OUT_OF_REACH = "out of reach"
    NOT_TOUCHED = "slid back before it touched the next tile"
    JAMMED = "jammed while leaning"
    SLID = "slid away instead of tipping"
    TURNED = "turned instead of tipped"
    WEAK = "struck too weakly"
    PUSH_SLID = "the push slid the first tile along"
    PUSH_SHORT = "the push was too short, the first tile came back"


@dataclass(frozen=True, slots=True)
class Fall:
    """How one run ended.

    Attributes:
        outcome: what fell, and when each tile began to.
        tilt_rad: last tilt of every tile, 0 upright to pi/2 flat, positive down the chain.
        stalled: the joint that the fall did not get across, counted from 0; -1 for the push
            itself; None if all fell.
        why: what happened there, one of the words of `Why`; empty if all fell.
    """

    outcome: Outcome
    tilt_rad: tuple[float, ...]
    stalled: int | None
    why: str


def simulate(
    chain: Chain,
    push: Push,
    friction: Friction,
    *,
    corrections: Corrections = USUAL,
    step_s: float = _FINE_STEP_S,
) -> Fall:
    """Let one row fall, as it stands, until everything is at rest.

    Args:
        chain: the row; its first tile is pushed.
        push: how.
        friction: between tiles and with the table.
        corrections: of the side view.
        step_s: time step for the standard tile; other sizes use one in proportion.
    """
    copies = copies_of(chain)
    near, far = joints_of(copies), joints_of(copies, skip=2)
    view = side_view(copies, near, far, corrections)
    run = Run(view, 0, push, friction, corrections=corrections, step_s=step_s, to_rest=True)
    run.go()
    return run.result()


class Run:
    """One run of one copy of an unfolded row."""

    def __init__(
        self,
        view: SideView,
        copy: int,
        push: Push,
        friction: Friction,
        *,
        corrections: Corrections = USUAL,
        step_s: float = STEP_S,
        to_rest: bool = False,
    ) -> None:
        """Set the first tiles up.

        Args:
            view: the unfolded row.
            copy: which of its copies.
            push: how the first tile is pushed.
            friction: between tiles and with the table.
            corrections: of the side view.
            step_s: time step in units of the standard tile.
            to_rest: simulate every tile until all are at rest, not only until it is clear what
                falls.
        """
        height, thickness = view.height_mm[copy], view.thickness_mm[copy]
        n = len(height)
        self.scale = float(height.max()) / STANDARD_MM
        self.step_s, self.to_rest, self.corrections = step_s, to_rest, corrections
        self.touch_s = push.touch_s
        self.rub = math.sqrt(friction.tile_tile)
        self.height = (height / self.scale).tolist()
        seconds = math.sqrt(self.scale)
        self.push = replace(
            push,
            speed_mm_s=max(push.speed_mm_s / seconds, _CREEP_MM_S),
            stroke_mm=min(push.stroke_mm / self.scale, 2 * self.height[0]),
            standoff_mm=push.standoff_mm / self.scale,
            tip_radius_mm=push.tip_radius_mm / self.scale,
            hold_s=push.hold_s / seconds,
        )
        self.thickness = (thickness / self.scale).tolist()
        self.linked: list[bool] = view.linked[copy].tolist()
        self.skipping: list[bool] = view.skipping[copy].tolist()
        self.yaw: list[float] = [1.0, *view.yaw[copy].tolist()]
        self.turnable = [factor > _TURNS for factor in self.yaw]
        self.mass: list[float] = np.cumprod([1.0, *view.load[copy]]).tolist()
        gaps = view.gap_mm[copy] / self.scale
        self.gap: list[float] = gaps.tolist()
        self.middle: list[float] = (
            np.cumsum([0.0, *(gaps + thickness[:-1] / self.scale)]) + thickness / self.scale / 2
        ).tolist()
        self.world = BoxWorld(GRAVITY_MM_S2, _ITERATIONS, _SLOP_MM, _LEFT_OVER)
        self._add_floor(friction.tile_table)
        self.tip = self._add_pusher()
        self.time_s = 0.0
        self.arrival: list[float | None] = [None] * n
        self.tilt, self.peak = [0.0] * n, [0.0] * n
        self.crossing = [0.0] * n
        self.balance = [math.atan2(t, h) for t, h in zip(self.thickness, self.height, strict=True)]
        self._free_rad = [corrections.yaw_tilt * angle for angle in self.balance]
        self._free_s = [
            corrections.yaw_time * math.sqrt(height / GRAVITY_MM_S2) for height in self.height
        ]
        self._live: dict[int, Body] = {}
        self._reached: dict[int, float] = {}
        self._count = n
        # Tiles in the order in which the engine keeps their bodies, after that of the tip.
        self._order: list[int] = []
        self._front, self._oldest, self._newest = -1, 0, -1
        cut = (
            i + 1 for i in range(n - 1) if not self.linked[i] and not (i and self.skipping[i - 1])
        )
        self._end = next(cut, n)
        self._noted = [False] * n
        self._admit_ahead()

    def _add_floor(self, tile_table: float) -> None:
        end = self.middle[-1] + 500
        corners = [(-500.0, -100.0), (end, -100.0), (end, 0.0), (-500.0, 0.0)]
        self.world.add_floor(corners, tile_table / self.rub, _FLOOR)

    def _add_pusher(self) -> Body:
        radius, height = self.push.tip_radius_mm, self.push.height_frac * self.height[0]
        rub = _PUSHER_FRICTION / self.rub
        return self.world.add_tip(-radius, height, radius, rub, _TIP, _bit(0))

    def _admit_ahead(self) -> None:
        """Bring the next tile into play, and those close behind it."""
        if self.to_rest:
            self._admit(self._count)
            return
        end, most = self._front + 2, min(self._front + _AHEAD, self._end)
        while end < most and self.gap[end - 1] < _CLOSE_MM:
            end += 1
        if end > self._newest + 1:
            self._admit(end)

    def _admit(self, end: int) -> None:
        """Bring the tiles before this one into play."""
        for i in range(self._newest + 1, min(end, self._count if self.to_rest else self._end)):
            h, t, m = self.height[i], self.thickness[i], self.mass[i]
            edge = m * (h * h + t * t) / 3
            moment = edge / 4 + (self.yaw[i] - 1.0) * edge
            self._live[i] = self.world.add_box(
                self.middle[i], t, h, m, moment, self.rub, _bit(i), self._meets(i)
            )
            self._order.append(i)
            self._newest = i

    def _dismiss(self) -> None:
        """Take the first tile out, which lies far behind the front.

        The engine fills the place of a body that leaves with its last one.
        """
        i, last = self._oldest, self._order.pop()
        self.world.remove(i)
        del self._live[i]
        if last != i:
            self._order[self._order.index(i)] = last
        self._oldest += 1

    def _meets(self, i: int) -> int:
        mask = _FLOOR | (_TIP if i == 0 else 0)
        if i > 0 and self.linked[i - 1]:
            mask |= _bit(i - 1)
        if i < self._count - 1 and self.linked[i]:
            mask |= _bit(i + 1)
        if i > 1 and self.skipping[i - 2]:
            mask |= _bit(i - 2)
        if i < self._count - 2 and self.skipping[i]:
            mask |= _bit(i + 2)
        return mask

    def go(self) -> None:
        """Run until nothing more can fall.

        A creeping push counts as a slow one, and an endless push as a long one.
        """
        turn_s, end_s = self._push_times()
        most_s = _MOST_S + end_s + _MOST_A_TILE_S * self._count
        set_speed(self.tip, self.push.speed_mm_s)
        step, step_s, count = self.world.step, self.step_s, 0
        least_s, quiet_s = (_QUIET_S if self.to_rest else 0.0), 0.0
        due_s = turn_s if self.push.path is Path.STEADY else 0.0
        while self.time_s < most_s:
            for _ in range(_LOOK_STEPS):
                if (count + 1) * step_s > due_s:
                    due_s = self._move_tip(count * step_s, turn_s, end_s)
                step(step_s)
                count += 1
            self.time_s = count * step_s
            moving = self._look(_LOOK_STEPS * step_s)
            last_down = self.tilt[self._end - 1] > FALLEN_RAD
            if last_down and not self.to_rest and min(self.tilt[: self._end]) > FALLEN_RAD:
                return
            quiet_s = 0.0 if moving else quiet_s + _LOOK_STEPS * step_s
            over = self.time_s > (end_s if self.tilt[0] < _SURE_RAD else turn_s)
            if over and quiet_s > least_s:
                return

    def _push_times(self) -> tuple[float, float]:
        """Return when the tip turns back and when it is back, both since first touch."""
        push = self.push
        return push.back_s - push.touch_s, push.back_s + push.out_s - push.touch_s

    def _move_tip(self, since_s: float, turn_s: float, end_s: float) -> float:
        """Give the tip the speed that takes it along its path during the step to come.

        Returns:
            The time up to which the tip can keep that speed.
        """
        push, until_s = self.push, since_s + self.step_s
        way = push.tip_mm(push.touch_s + until_s) - push.tip_mm(push.touch_s + since_s)
        set_speed(self.tip, way / self.step_s)
        if since_s > end_s:
            return math.inf
        return end_s if push.path is Path.STEADY and since_s >= turn_s else until_s

    def _look(self, look_s: float) -> bool:
        """Record where the tiles are; say whether anything still moves."""
        seen = self.world.turns()
        front, moving, tilts, noted = self._front, False, self.tilt, self._noted
        for i, angle, spin in zip(self._order, seen[2::2], seen[3::2], strict=False):
            tilt, before = -angle, tilts[i]
            tilts[i] = tilt
            if tilt > _STIRRED_RAD and not noted[i]:
                if i > front:
                    front = i
                self._note(i, tilt, before, -spin, look_s)
            if not moving and not -_REST_RAD_S < spin < _REST_RAD_S:
                settling = tilt > _SURE_RAD and i < front and not self.to_rest
                moving = not settling or abs(spin) > _SETTLING_RAD_S
        if front != self._front:
            self._front = front
            self._admit_ahead()
        if not self.to_rest and self._oldest < front - _BEHIND and self._lies(self._oldest):
            self._dismiss()
        return moving

    def _lies(self, i: int) -> bool:
        """Say whether a tile is down and hardly moves."""
        return self.tilt[i] > _SURE_RAD and abs(spin_rad_s(self._live[i])) < _SETTLING_RAD_S

    def _note(self, i: int, tilt: float, before: float, turning: float, look_s: float) -> None:
        """Record how far a tile has tipped, and when."""
        if tilt > self.peak[i]:
            self.peak[i] = tilt
        if self.arrival[i] is None and tilt > ARRIVED_RAD:
            share = min((tilt - ARRIVED_RAD) / max(tilt - before, 1e-9), 1.0)
            self.arrival[i] = self.time_s - share * look_s
        if not self.crossing[i] and tilt > self.balance[i]:
            self.crossing[i] = turning
        if self.yaw[i] > 1.0:
            self._release(i)
        elif tilt > _SURE_RAD and tilt > 2 * self.balance[i]:
            self._noted[i] = True

    def _release(self, i: int) -> None:
        """Give a struck tile its own inertia back once the hit is over."""
        since = self._reached.setdefault(i, self.time_s)
        if self.tilt[i] > self._free_rad[i] or self.time_s - since > self._free_s[i]:
            square = self.height[i] ** 2 + self.thickness[i] ** 2
            set_moment(self._live[i], self.mass[i] * square / 12)
            self.yaw[i] = 1.0

    @property
    def fallen(self) -> tuple[bool, ...]:
        """Which tiles no longer stand."""
        return tuple(abs(tilt) > FALLEN_RAD for tilt in self.tilt)

    @property
    def moved_mm(self) -> tuple[float, ...]:
        """How far each middle is down the chain from where it stood, for the standard tile.

        Tiles not yet simulated count as not moved.
        """
        places = {i: place_mm(body)[0] for i, body in self._live.items()}
        return tuple(places.get(i, middle) - middle for i, middle in enumerate(self.middle))

    def result(self) -> Fall:
        """Give the result in the row's own units."""
        fallen = self.fallen
        stalled = next((i - 1 for i, down in enumerate(fallen) if not down), None)
        return Fall(
            Outcome(fallen, self.arrival_s),
            tuple(max(-math.pi / 2, min(math.pi / 2, tilt)) for tilt in self.tilt),
            stalled,
            "" if stalled is None else self._why(stalled),
        )

    def _why(self, joint: int) -> Why:
        """What happened at the joint that stalled, -1 for the push."""
        after = joint + 1
        moved = self.moved_mm[after] > self.thickness[after] / 4
        if joint < 0:
            if self.tilt[0] > _LEANS_RAD:
                return Why.JAMMED
            return Why.PUSH_SLID if moved else Why.PUSH_SHORT
        if not self.linked[joint]:
            far = self.gap[joint] >= self.height[joint]
            return Why.OUT_OF_REACH if far else Why.MISSED
        leaning = self.tilt[joint] < _LIES_RAD
        if self.peak[after] < _TOUCHED_RAD and not moved and not leaning:
            return Why.NOT_TOUCHED
        if self.turnable[after]:
            return Why.TURNED
        if leaning:
            return Why.JAMMED
        return Why.SLID if moved else Why.WEAK

    @property
    def arrival_s(self) -> tuple[float | None, ...]:
        """When each tile began to topple, from the start of the push; None if it never did."""
        seconds = math.sqrt(self.scale)
        return tuple(None if t is None else t * seconds + self.touch_s for t in self.arrival)


def _bit(i: int) -> int:
    return 4 << (i % 28)
