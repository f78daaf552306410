"""One fall of a row, seen from the side: the only file that imports pymunk.

The row is unfolded onto a line: boxes of their true heights at the clear distances that the plan
geometry gives. What happens out of that plane comes in as properties of the boxes: a turned joint
raises the load behind it, an off-centre hit the inertia of the struck tile. The run is in units of
the standard tile, so that rows of any scale fall alike.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import pymunk

from physics.chain import Chain
from physics.joint import Bools, Copies, Joints, Reals, copies_of, joints_of
from physics.outcome import Outcome
from physics.push import Friction, Push

GRAVITY_MM_S2: Final = 9810.0
STANDARD_MM: Final = 48.0
FALLEN_RAD: Final = math.radians(30.0)
ARRIVED_RAD: Final = math.radians(5.0)
_SURE_RAD: Final = math.radians(45.0)
_SLOP_MM: Final = 0.02
_PUSHER_FRICTION: Final = 0.2
STEP_S: Final = 0.003
_FINE_STEP_S: Final = 0.001
_LOOK_STEPS: Final = 2
_MOST_S: Final = 4.0
_MOST_A_TILE_S: Final = 0.1
_CREEP_MM_S: Final = 5.0
_REST_RAD_S: Final = 0.05
_SETTLING_RAD_S: Final = 1.0
_STIRRED_RAD: Final = 0.003
_QUIET: Final = 2
_AHEAD: Final = 4
_BEHIND: Final = 5
_TURNS: Final = 2.0
_FLOOR: Final = 1
_TIP: Final = 2


@dataclass(frozen=True, slots=True)
class Corrections:
    """How the plan geometry changes the boxes of the side view.

    Attributes:
        gap_power: the gap is divided by cos(turn) to this power.
        gear_corner: where a corner meets the face, the load is divided by cos(turn) to this power.
        gear_edge: the same where an edge of the falling tile meets the next face.
        yaw: weight of the struck tile's yielding in yaw.
        yaw_tilt: the struck tile is itself again past so many of its balance angles,
        yaw_time: or this long after it was reached, in units of sqrt(height / g).
    """

    gap_power: float = 0.3
    gear_corner: float = 1.8
    gear_edge: float = 0.3
    yaw: float = 3.0
    yaw_tilt: float = 1.6
    yaw_time: float = 2.1


USUAL: Final = Corrections()


@dataclass(frozen=True, slots=True)
class Fall:
    """How one run ended.

    Attributes:
        outcome: what fell, and when each tile began to.
        tilt_rad: last tilt of every tile, 0 upright to pi/2 flat, positive down the chain.
        stalled: the joint that the fall did not get across, counted from 0; -1 for the push
            itself; None if all fell.
        why: what happened there, in a few words; empty if all fell.
    """

    outcome: Outcome
    tilt_rad: tuple[float, ...]
    stalled: int | None
    why: str


@dataclass(frozen=True, slots=True)
class SideView:
    """Copies of a row unfolded onto a line; lengths in mm.

    Attributes:
        height_mm, thickness_mm: of each tile, shape (copies, tiles).
        gap_mm: between neighbours, shape (copies, tiles - 1).
        linked: whether neighbours meet at all, shape (copies, tiles - 1).
        skipping: whether tiles two places apart can meet, shape (copies, tiles - 2).
        load: factor on the mass of the tile after each joint, shape (copies, tiles - 1).
        yaw: factor on the inertia of the tile after each joint, shape (copies, tiles - 1).
    """

    height_mm: Reals
    thickness_mm: Reals
    gap_mm: Reals
    linked: Bools
    skipping: Bools
    load: Reals
    yaw: Reals


def side_view(
    copies: Copies, near: Joints, far: Joints, corrections: Corrections = USUAL
) -> SideView:
    """Unfold copies of a row.

    Args:
        copies: the poses.
        near: joints between neighbours.
        far: joints between tiles two places apart.
        corrections: how strongly each thing out of the plane counts.
    """
    h, w, t = copies.height_mm, copies.face_mm, copies.thickness_mm
    cos = np.clip(np.cos(near.turn_rad), 0.15, 1.0)
    linked = ~near.missed & (near.gap_mm < h[..., :-1])
    aside = np.clip(near.ahead_mm - (t[..., :-1] + t[..., 1:]) / 2, 0.0, None)
    gap = np.where(near.missed, aside, np.clip(near.gap_mm, 0.0, None)) / cos**corrections.gap_power
    gear = np.where(near.by_corner, corrections.gear_corner, corrections.gear_edge)
    edge = np.clip(np.abs(near.turn_rad) / math.radians(6.0), 0.0, 1.0)
    struck = near.struck_middle_mm + edge * (near.struck_mm - near.struck_middle_mm)
    c_yaw = corrections.yaw * 12.0 * struck**2 / (w[..., 1:] ** 2 + t[..., 1:] ** 2)
    c_tip = 3.0 * h[..., :-1] ** 2 / (h[..., :-1] ** 2 + t[..., :-1] ** 2)
    return SideView(
        height_mm=np.broadcast_to(h, copies.x_mm.shape),
        thickness_mm=np.broadcast_to(t, copies.x_mm.shape),
        gap_mm=gap,
        linked=linked,
        skipping=~far.missed & (far.gap_mm < h[..., : max(h.shape[-1] - 2, 0)]),
        load=cos**-gear,
        yaw=1.0 + np.where(near.missed, 0.0, c_yaw) / c_tip,
    )


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
            to_rest: go on until all is at rest, not only until it is clear what falls, and keep
                every tile in play.
        """
        height, thickness = view.height_mm[copy], view.thickness_mm[copy]
        n = len(height)
        self.scale = float(height.max()) / STANDARD_MM
        self.step_s, self.to_rest, self.corrections = step_s, to_rest, corrections
        self.push = push
        self.rub = math.sqrt(friction.tile_tile)
        self.height = (height / self.scale).tolist()
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
        self.space = pymunk.Space()
        self.space.gravity = (0.0, -GRAVITY_MM_S2)
        self.space.iterations = 10
        self.space.collision_slop = _SLOP_MM
        self._add_floor(friction.tile_table)
        self.tip = self._add_pusher()
        self.time_s = 0.0
        self.arrival: list[float | None] = [None] * n
        self.tilt, self.peak = [0.0] * n, [0.0] * n
        self.crossing = [0.0] * n
        self.balance = [math.atan2(t, h) for t, h in zip(self.thickness, self.height, strict=True)]
        self._live: dict[int, pymunk.Body] = {}
        self._shapes: list[pymunk.Poly] = []
        self._reached: dict[int, float] = {}
        self._count = n
        self._admit(n if to_rest else _AHEAD)

    def _add_floor(self, tile_table: float) -> None:
        end = self.middle[-1] + 500
        corners = [(-500.0, -100.0), (end, -100.0), (end, 0.0), (-500.0, 0.0)]
        floor = pymunk.Poly(self.space.static_body, corners)
        floor.friction = tile_table / self.rub
        floor.filter = pymunk.ShapeFilter(categories=_FLOOR)
        self.space.add(floor)

    def _add_pusher(self) -> pymunk.Body:
        radius = self.push.tip_radius_mm / self.scale
        body = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
        body.position = (-radius, self.push.height_frac * self.height[0])
        shape = pymunk.Circle(body, radius)
        shape.friction = _PUSHER_FRICTION / self.rub
        shape.filter = pymunk.ShapeFilter(categories=_TIP, mask=_bit(0))
        self.space.add(body, shape)
        return body

    def _admit(self, end: int) -> None:
        """Bring the tiles before this one into play."""
        for i in range(len(self._shapes), min(end, self._count)):
            h, t, m = self.height[i], self.thickness[i], self.mass[i]
            edge = m * (h * h + t * t) / 3
            body = pymunk.Body(m, edge / 4 + (self.yaw[i] - 1.0) * edge)
            body.position = (self.middle[i], h / 2)
            x, y = t / 2, h / 2
            shape = pymunk.Poly(body, [(-x, -y), (x, -y), (x, y), (-x, y)])
            shape.friction = self.rub
            shape.filter = pymunk.ShapeFilter(categories=_bit(i), mask=self._meets(i))
            self.space.add(body, shape)
            self._live[i] = body
            self._shapes.append(shape)

    def _dismiss(self, i: int) -> None:
        """Take a tile out that lies far behind the front."""
        self.space.remove(self._live.pop(i), self._shapes[i])

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

        A push that creeps is as good as a slow one, and one that goes on and on as a long one.
        """
        speed = max(self.push.speed_mm_s / math.sqrt(self.scale), _CREEP_MM_S)
        out_s = min(self.push.stroke_mm / self.scale, 2 * self.height[0]) / speed
        most_s = _MOST_S + out_s + _MOST_A_TILE_S * self._count
        self.tip.velocity = (speed, 0.0)
        back = False
        step, look_s = self.space.step, self.step_s * _LOOK_STEPS
        while self.time_s < most_s:
            for _ in range(_LOOK_STEPS):
                step(self.step_s)
            self.time_s += look_s
            if not back and self.time_s >= out_s:
                self.tip.velocity, back = (-speed, 0.0), True
            moving = self._look(look_s)
            if not self.to_rest and min(self.tilt) > _SURE_RAD:
                return
            if not moving and self.time_s > out_s * (2.0 if self.tilt[0] < _SURE_RAD else 1.0):
                return

    def _look(self, look_s: float) -> bool:
        """Note where the tiles are; say whether anything still moves."""
        front, last, unstirred = 0, -1, 0
        rest, settling = _REST_RAD_S, _REST_RAD_S if self.to_rest else _SETTLING_RAD_S
        tilts = self.tilt
        for i, body in self._live.items():
            tilt, turning = -body.angle, -body.angular_velocity
            before, tilts[i] = tilts[i], tilt
            if tilt > _STIRRED_RAD:
                front = i
                self._note(i, body, before, turning, look_s)
            elif tilt > -_STIRRED_RAD and not self.to_rest:
                unstirred += 1
            if abs(turning) > (rest if tilt < _SURE_RAD else settling):
                last = i
            if unstirred == _QUIET:
                break
        if not self.to_rest:
            if front + _AHEAD > len(self._shapes):
                self._admit(front + _AHEAD)
            oldest = next(iter(self._live))
            if oldest < front - _BEHIND and tilts[oldest] > _SURE_RAD:
                self._dismiss(oldest)
        return last >= (0 if self.to_rest else max(0, front - _BEHIND + 1))

    def _note(
        self, i: int, body: pymunk.Body, before: float, turning: float, look_s: float
    ) -> None:
        """Note how far a tile has come, and when."""
        tilt = self.tilt[i]
        if tilt > self.peak[i]:
            self.peak[i] = tilt
        if self.arrival[i] is None and tilt > ARRIVED_RAD:
            share = min((tilt - ARRIVED_RAD) / max(tilt - before, 1e-9), 1.0)
            self.arrival[i] = self.time_s - share * look_s
        if not self.crossing[i] and tilt > self.balance[i]:
            self.crossing[i] = turning
        if self.yaw[i] > 1.0:
            self._release(i, body)

    def _release(self, i: int, body: pymunk.Body) -> None:
        """Give a struck tile its own inertia back once the hit is over."""
        since = self._reached.setdefault(i, self.time_s)
        long_s = self.corrections.yaw_time * math.sqrt(self.height[i] / GRAVITY_MM_S2)
        if (
            self.tilt[i] > self.corrections.yaw_tilt * self.balance[i]
            or self.time_s - since > long_s
        ):
            body.moment = self.mass[i] * (self.height[i] ** 2 + self.thickness[i] ** 2) / 12
            self.yaw[i] = 1.0

    @property
    def fallen(self) -> tuple[bool, ...]:
        """Which tiles no longer stand."""
        return tuple(abs(tilt) > FALLEN_RAD for tilt in self.tilt)

    def result(self) -> Fall:
        """Put what happened into words and units of the row."""
        seconds = math.sqrt(self.scale)
        standoff_s = self.push.standoff_mm / self.push.speed_mm_s
        arrival = tuple(None if t is None else t * seconds + standoff_s for t in self.arrival)
        fallen = self.fallen
        outcome = Outcome(fallen, arrival)
        first = outcome.first_standing
        stalled = None if first is None else first - 1
        tilt = tuple(max(-math.pi / 2, min(math.pi / 2, t)) for t in self.tilt)
        return Fall(outcome, tilt, stalled, "" if stalled is None else self._why(stalled))

    def _why(self, joint: int) -> str:
        if joint < 0:
            return "the push was too short or too light"
        if not self.linked[joint]:
            return "out of reach" if self.gap[joint] >= self.height[joint] else "missed"
        after = joint + 1
        if self.arrival[after] is None and self.peak[after] < _STIRRED_RAD:
            return "never touched"
        if self.tilt[joint] < _SURE_RAD and self.arrival[after] is not None:
            return "jammed while leaning"
        if after in self._live:
            way = abs(self._live[after].position.x - self.middle[after])
            if way > self.thickness[after] / 2 and self.peak[after] < self.balance[after]:
                return "slid away"
        return "turned instead of tipped" if self.turnable[after] else "struck too weakly"


def _bit(i: int) -> int:
    return 4 << (i % 28)
