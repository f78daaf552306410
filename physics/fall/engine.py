"""pymunk's engine without pymunk's objects: a flat world of boxes, at the pace of its C functions.

A trial takes some 250 steps of 4 microseconds. pymunk's own `Space`, `Body` and `Shape` look after
what anybody may add or remove at any moment; that costs a trial as much again as its steps, and
nothing here needs it. Forces, order of calls and numbers are those of the objects. The functions
are private to pymunk 7; all calls of them are in this file.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from pymunk import batch
from pymunk._chipmunk_cffi import ffi, lib

Body = Any
"""A body of the engine; only a `BoxWorld` knows what to do with it."""
_READ: Final = (batch.BodyFields.ANGLE | batch.BodyFields.ANGULAR_VELOCITY).value
_STRAIGHT: Final = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_GROUP: Final = 0


class BoxWorld:
    """Boxes on a floor under gravity, and tips that nothing can stop; mm, s and radians.

    Who meets whom is said by bits: two shapes meet if each one's `meets` has the other's `bit`.

    Attributes:
        step: advance by so many seconds.
    """

    def __init__(self, gravity_mm_s2: float, iterations: int, slop_mm: float, bias: float) -> None:
        """Make an empty world.

        Args:
            gravity_mm_s2: downwards.
            iterations: of the solver in each step.
            slop_mm: overlap that is left alone.
            bias: share of any other overlap that is left after a second.
        """
        bodies: list[Body] = []
        shapes: list[Any] = []
        self._bodies, self._shapes = bodies, shapes
        space = self._space = ffi.gc(lib.cpSpaceNew(), partial(_free, bodies, shapes))
        lib.cpSpaceSetGravity(space, (0.0, -gravity_mm_s2))
        lib.cpSpaceSetIterations(space, iterations)
        lib.cpSpaceSetCollisionSlop(space, slop_mm)
        lib.cpSpaceSetCollisionBias(space, bias)
        self.step = partial(lib.cpSpaceStep, space)
        self._floats = ffi.gc(lib.pmFloatArrayNew(0), lib.pmFloatArrayFree)
        self._seen = ffi.new("pmBatchedData *")
        self._seen.fields = _READ
        self._seen.floatArray = self._floats

    def add_floor(self, corners: Sequence[tuple[float, float]], friction: float, bit: int) -> None:
        """Add what never moves, counter-clockwise round its corners; it meets everything."""
        fixed = lib.cpSpaceGetStaticBody(self._space)
        self._add_shape(_polygon(fixed, corners), friction, bit, 0xFFFFFFFF)

    def add_tip(
        self, x_mm: float, y_mm: float, radius_mm: float, friction: float, bit: int, meets: int
    ) -> Body:
        """Add a ball that goes its way whatever it meets."""
        body = lib.cpBodyNewKinematic()
        self._add_body(body, x_mm, y_mm)
        ball = lib.cpCircleShapeNew(body, radius_mm, (0.0, 0.0))
        self._add_shape(ball, friction, bit, meets)
        return body

    def add_box(
        self,
        x_mm: float,
        width_mm: float,
        height_mm: float,
        mass: float,
        moment: float,
        friction: float,
        bit: int,
        meets: int,
    ) -> Body:
        """Stand a box on the floor, its middle at x."""
        body = lib.cpBodyNew(mass, moment)
        self._add_body(body, x_mm, height_mm / 2)
        x, y = width_mm / 2, height_mm / 2
        box = _polygon(body, [(-x, -y), (x, -y), (x, y), (-x, y)])
        self._add_shape(box, friction, bit, meets)
        return body

    def remove(self, index: int) -> None:
        """Take out the box that was added so many boxes after the first.

        The last body takes its place in `turns()`.
        """
        lib.cpSpaceRemoveBody(self._space, self._bodies[index + 1])
        lib.cpSpaceRemoveShape(self._space, self._shapes[index + 2])

    def turns(self) -> list[float]:
        """Return angle and angular velocity of every body in turn, the tip's first."""
        self._floats.num = 0
        lib.cpSpaceEachBody(self._space, _read, self._seen)
        turns: list[float] = ffi.unpack(self._floats.arr, self._floats.num)
        return turns

    def _add_body(self, body: Body, x_mm: float, y_mm: float) -> None:
        self._bodies.append(body)
        lib.cpBodySetPosition(body, (x_mm, y_mm))
        lib.cpSpaceAddBody(self._space, body)

    def _add_shape(self, shape: Any, friction: float, bit: int, meets: int) -> None:
        self._shapes.append(shape)
        lib.cpShapeSetFriction(shape, friction)
        lib.cpShapeSetFilter(shape, (_GROUP, bit, meets))
        lib.cpSpaceAddShape(self._space, shape)


def place_mm(body: Body) -> tuple[float, float]:
    """Return where the middle of a body is."""
    at = lib.cpBodyGetPosition(body)
    return at.x, at.y


def turned_rad(body: Body) -> float:
    """Return how far a body is turned, counter-clockwise."""
    angle: float = lib.cpBodyGetAngle(body)
    return angle


def spin_rad_s(body: Body) -> float:
    """Return how fast a body turns, counter-clockwise."""
    spin: float = lib.cpBodyGetAngularVelocity(body)
    return spin


def set_speed(body: Body, speed_mm_s: float) -> None:
    """Let a body go along the floor at this speed."""
    lib.cpBodySetVelocity(body, (speed_mm_s, 0.0))


def set_moment(body: Body, moment: float) -> None:
    """Give a body another moment of inertia."""
    lib.cpBodySetMoment(body, moment)


_read: Final = ffi.addressof(lib, "pmSpaceBodyGetIteratorFuncBatched")


def _polygon(body: Body, corners: Sequence[tuple[float, float]]) -> Any:
    return lib.cpPolyShapeNew(body, len(corners), corners, _STRAIGHT, 0.0)


def _free(bodies: Sequence[Body], shapes: Sequence[Any], space: Any) -> None:
    lib.cpSpaceFree(space)
    for shape in shapes:
        lib.cpShapeFree(shape)
    for body in bodies:
        lib.cpBodyFree(body)
