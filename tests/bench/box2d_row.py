"""The side view of a row in Box2D: the same boxes, gaps and masks as in `physics/fall/simulate.py`.

Set up as a user of Box2D would. Lengths are in centimetres and gravity fits, because its tolerances
suit bodies of 0.1 to 10 units; a box is drawn smaller by the skin that Box2D keeps around polygons,
so that its outer size is exact; 8 velocity and 3 position iterations a step, as its manual says; no
continuous collision, which at these steps changes no label and costs a fifth of the pace; tiles
sleep until they are touched, and a run ends when it is clear what falls.
"""

import math
from typing import TYPE_CHECKING

import Box2D

from physics.fall.side_view import GRAVITY_MM_S2, USUAL, SideView, side_view
from physics.fall.simulate import FALLEN_RAD, STANDARD_MM
from physics.row.push import Friction, Push

if TYPE_CHECKING:
    from tests.bench.bench_engines import Sample

MM = 0.1
FLOOR, TIP = 1, 2
SURE_RAD = math.radians(45.0)
STIRRED_RAD = 0.003
MOVING_RAD_S, SETTLING_RAD_S = 0.05, 0.5
LOOK_S = 0.004
MOST_S = 5.0


def in_box2d(sample: "Sample", step_s: float) -> bool:
    """Let the first copy of a sample fall."""
    trials = sample.trials
    push, friction = sample.scenario.push, sample.scenario.friction
    view = side_view(trials.copies, trials.near, trials.far)
    return Box2DRow(view, 0, push, friction).all_fall(step_s)


class Box2DRow:
    """One copy of an unfolded row, in units of the standard tile; its push is at one speed."""

    def __init__(self, view: SideView, copy: int, push: Push, friction: Friction) -> None:
        self.push = push
        self.scale = float(view.height_mm[copy].max()) / STANDARD_MM
        self.height = (view.height_mm[copy] / self.scale).tolist()
        self.thickness = (view.thickness_mm[copy] / self.scale).tolist()
        self.gap = (view.gap_mm[copy] / self.scale).tolist()
        self.linked, self.skipping = view.linked[copy].tolist(), view.skipping[copy].tolist()
        self.yaw = [1.0, *view.yaw[copy].tolist()]
        self.mass = [1.0]
        for load in view.load[copy].tolist():
            self.mass.append(self.mass[-1] * load)
        self.world = Box2D.b2World(
            gravity=(0.0, -GRAVITY_MM_S2 * MM), doSleep=True, continuousPhysics=False
        )
        # Box2D takes the square root of the product of two frictions.
        floor = self.world.CreateStaticBody(position=(0.0, 0.0))
        floor.CreateEdgeFixture(
            vertices=[(-50.0, 0.0), (500.0, 0.0)],
            friction=friction.tile_table**2 / friction.tile_tile,
            categoryBits=FLOOR,
        )
        radius = push.tip_radius_mm / self.scale * MM
        self.tip = self.world.CreateKinematicBody(
            position=(-radius, push.height_frac * self.height[0] * MM)
        )
        self.tip.CreateCircleFixture(
            radius=radius, friction=0.04 / friction.tile_tile, categoryBits=TIP, maskBits=4
        )
        self.tiles = [self._add_tile(i, friction.tile_tile) for i in range(len(self.height))]

    def _add_tile(self, i: int, rub: float) -> "Box2D.b2Body":
        h, t = self.height[i] * MM, self.thickness[i] * MM
        before = sum(self.thickness[:i]) + sum(self.gap[:i])
        skin = Box2D.b2_polygonRadius
        body = self.world.CreateDynamicBody(position=(before * MM + t / 2, h / 2), awake=False)
        body.CreatePolygonFixture(
            box=(t / 2 - skin, h / 2 - skin),
            density=1.0,
            friction=rub,
            categoryBits=4 << i,
            maskBits=self._meets(i),
        )
        self._weigh(body, i, self.yaw[i])
        return body

    def _weigh(self, body: "Box2D.b2Body", i: int, yaw: float) -> None:
        """Set mass and inertia; an off-centre hit raises the inertia about the edge."""
        edge = self.mass[i] * ((self.height[i] * MM) ** 2 + (self.thickness[i] * MM) ** 2) / 3
        body.massData = Box2D.b2MassData(
            mass=self.mass[i], center=(0.0, 0.0), I=edge / 4 + (yaw - 1.0) * edge
        )

    def _meets(self, i: int) -> int:
        last = len(self.height) - 1
        mask = FLOOR | (TIP if i == 0 else 0)
        if i > 0 and self.linked[i - 1]:
            mask |= 4 << (i - 1)
        if i < last and self.linked[i]:
            mask |= 4 << (i + 1)
        if i > 1 and self.skipping[i - 2]:
            mask |= 4 << (i - 2)
        if i < last - 1 and self.skipping[i]:
            mask |= 4 << (i + 2)
        return mask

    def all_fall(self, step_s: float) -> bool:
        """Let the row fall; say whether all tiles fell."""
        speed = self.push.speed_mm_s / math.sqrt(self.scale)
        out_s = self.push.stroke_mm / self.scale / speed
        looks = max(1, round(LOOK_S / step_s))
        time_s, reached = 0.0, dict[int, float]()
        self.tip.linearVelocity = (speed * MM, 0.0)
        while time_s < MOST_S + out_s:
            for _ in range(looks):
                self.world.Step(step_s, 8, 3)
            time_s += looks * step_s
            if out_s <= time_s < out_s + looks * step_s:
                self.tip.linearVelocity = (-speed * MM, 0.0)
            tilts = [-tile.angle for tile in self.tiles]
            if min(tilts) > FALLEN_RAD:
                return True
            self._release(tilts, time_s, reached)
            if not self._moving(tilts) and time_s > out_s * (2.0 if tilts[0] < SURE_RAD else 1.0):
                break
        return all(abs(tile.angle) > FALLEN_RAD for tile in self.tiles)

    def _moving(self, tilts: list[float]) -> bool:
        """Say whether anything moves that may still topple a tile."""
        front = max((i for i, tilt in enumerate(tilts) if tilt > STIRRED_RAD), default=0)
        for i, (tile, tilt) in enumerate(zip(self.tiles, tilts, strict=True)):
            settling = tilt > SURE_RAD and i < front
            if abs(tile.angularVelocity) > (SETTLING_RAD_S if settling else MOVING_RAD_S):
                return True
        return False

    def _release(self, tilts: list[float], time_s: float, reached: dict[int, float]) -> None:
        """Give struck tiles their own inertia back once the hit is over, as `fall.py` does."""
        for i, tilt in enumerate(tilts):
            if self.yaw[i] > 1.0 and tilt > STIRRED_RAD:
                since = reached.setdefault(i, time_s)
                long_s = USUAL.yaw_time * math.sqrt(self.height[i] / GRAVITY_MM_S2)
                balance = math.atan2(self.thickness[i], self.height[i])
                if tilt > USUAL.yaw_tilt * balance or time_s - since > long_s:
                    self._weigh(self.tiles[i], i, 1.0)
                    self.yaw[i] = 1.0
