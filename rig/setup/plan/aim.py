"""At most three hints on camera and light, from one picture.

The first is about the mat, the second about the light, the third about where the camera hangs.
"""

from decimal import Decimal

from rig.setup.plan.facts import Mark, Picture, Point

LEAST_ROOM = 0.03
"""Least distance of the work area from the picture's border, as a share of the picture's height."""
LEAST_SEEN = 0.8
"""Share of the mat's markers below which something lies on it, or it leaves the picture."""
WORST_MM_PER_PX = 0.75
FAR_MM_PER_PX = 0.6
STEEPEST_DEG = 35.0
DIM, STRONG, UNEVEN = 110.0, 252.0, 1.6
"""Lightness of paper, 0..255, in a dim and in a too bright picture; most ratio of its two sides."""
GLARE = 0.004
SOFT_PX = 1.6
_LEAVES = {"near": "lower", "far": "higher", "left": "left", "right": "right"}


def advice(picture: Picture) -> tuple[Point, ...]:
    """Judge a picture, and say what to change: three points, each of which may be fine.

    If the mat is not found there is only one point: what is in the way.
    """
    if picture.error_px is None:
        return (Point(Mark.TODO, f"aim.{picture.trouble or 'hidden'}", {"seen": picture.markers}),)
    return (_mat(picture), _light(picture), _place(picture))


def _mat(picture: Picture) -> Point:
    of = {
        "seen": picture.markers,
        "of": picture.expected,
        "error": Decimal(f"{picture.error_px or 0.0:.1f}"),
    }
    if picture.blur_px > SOFT_PX:
        return Point(Mark.TODO, "aim.soft", {"blur": Decimal(f"{picture.blur_px:.1f}")})
    inside = min(picture.room.values(), default=1.0) >= LEAST_ROOM
    if inside and picture.markers < LEAST_SEEN * picture.expected:
        return Point(Mark.TODO, "aim.partly", of)
    return Point(Mark.FINE, "aim.mat", of)


def _light(picture: Picture) -> Point:
    darkest, lightest = picture.paper
    if picture.glare > GLARE:
        return Point(Mark.TODO, "aim.mirror", {"share": Decimal(f"{100 * picture.glare:.1f}")})
    if lightest > STRONG:
        return Point(Mark.TODO, "aim.strong", {})
    if lightest > UNEVEN * max(darkest, 1.0):
        return Point(Mark.TODO, "aim.uneven", {})
    if darkest < DIM:
        return Point(Mark.TODO, "aim.dim", {})
    return Point(Mark.FINE, "aim.light", {})


def _place(picture: Picture) -> Point:
    side = min(picture.room, key=lambda name: picture.room[name], default="near")
    if picture.room.get(side, 1.0) < LEAST_ROOM:
        crowded = [s for s in ("near", "far", "left", "right") if picture.room[s] < LEAST_ROOM]
        opposite = {"near", "far"} <= set(crowded) or {"left", "right"} <= set(crowded)
        return Point(Mark.TODO, "aim.close" if opposite else f"aim.{_LEAVES[side]}", {})
    if picture.lean_deg > STEEPEST_DEG:
        return Point(Mark.TODO, "aim.lean", {"degrees": round(picture.lean_deg)})
    if picture.mm_per_px > FAR_MM_PER_PX:
        mark = Mark.FAILED if picture.mm_per_px > WORST_MM_PER_PX else Mark.TODO
        return Point(mark, "aim.far", {"mm": Decimal(f"{picture.mm_per_px:.2f}")})
    return Point(Mark.FINE, "aim.place", {})
