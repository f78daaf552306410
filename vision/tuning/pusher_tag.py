"""How the pusher is found in the picture."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GuidanceTuning:
    """When the pusher is in its place.

    Set by hand; not studied.
    """

    near_mm: float = 2.0
    """The pusher is in place when its tip is so near in both directions, mm ..."""
    near_rad: float = math.radians(4.0)
    """... and so straight, rad ..."""
    touch_mm: float = 0.5
    """... and farther than this from the first tile, mm."""
    wrong_way_rad: float = math.radians(120.0)
    """One that is turned by more than this points away from the row, rad."""


@dataclass(frozen=True, slots=True)
class TagTuning:
    """When a marker is believed to be the pusher's tag.

    Set by hand; not studied. How well the tag is placed is measured by
    `tests/bench/bench_survey.py`.
    """

    size_tolerance_share: float = 0.06
    """By what share the tag may look larger or smaller than it is printed."""
    worst_miss_mm: float = 1.0
    """How far its corners may lie from those of a square, root mean square, mm."""
    near_sides: float = 1.4
    """How far round where it was the tag is looked for first, in sides of its paper."""
    least_px: int = 24
    """A part of a picture with fewer rows or columns shows no tag."""


@dataclass(frozen=True, slots=True)
class PusherBodyTuning:
    """What the pusher hides in the picture.

    Lengths are those of the printed parts in `firmware/hardware`; another pusher needs its own.
    """

    margin_mm: float = 4.0
    """How much larger a part may be printed, or stand askew under its tag, mm."""
    cover_mm: float = 6.0
    """By how much the housing is wider than the paper of the tag upon it, on every side, mm."""
    servo_mm: tuple[float, float, float, float, float] = (-29.0, 60.0, -72.0, -13.0, 36.0)
    """The servo beside the housing, mm: from and to forward, from and to the left, and height."""
    arm_mm: tuple[float, float, float, float, float] = (10.0, 44.0, -45.0, 6.0, 27.0)
    """The arm, in the same order."""
    fill_shrink: int = 8
    """How many times smaller the picture is in which the pusher is painted over ..."""
    fill_px: float = 3
    """... and from how far round each of its pixels, px of it."""
    wide_mm: float = 14.0
    """A disc of this radius does not fit into a standing tile, but into the pusher's lid, mm."""
    every_looks: int = 4
    """While something so wide stays, and is no pusher, every so many looks search for one."""


GUIDANCE = GuidanceTuning()
