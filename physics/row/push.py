"""The push that topples the first tile, and the frictions it meets."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

PEAK: Final = 1.875
"""Fastest speed of a minimum-jerk motion, in units of its mean speed."""


class Path(StrEnum):
    """How the tip moves over time.

    `STEADY` is a finger: one speed out and, at once, back. `SMOOTH` is the arm of the pusher: the
    minimum-jerk curve out, from rest to rest, a stop, and the same curve back.
    """

    STEADY = "steady"
    SMOOTH = "smooth"


@dataclass(frozen=True, slots=True)
class Push:
    """A round tip that moves along the first tile's heading and back.

    Attributes:
        height_frac: height of the tip as a share of the first tile's height.
        speed_mm_s: its speed, out and back; on a smooth path the fastest, in the middle.
        stroke_mm: how far it goes past first touch before it withdraws.
        standoff_mm: how far from the face it starts.
        tip_radius_mm: radius of the tip.
        path: how it moves over time.
        hold_s: how long it stays out; on a steady path it turns at once.
    """

    height_frac: float = 0.85
    speed_mm_s: float = 45.0
    stroke_mm: float = 12.0
    standoff_mm: float = 2.0
    tip_radius_mm: float = 5.0
    path: Path = Path.STEADY
    hold_s: float = 0.15

    @property
    def out_s(self) -> float:
        """Seconds from the start of the motion to its farthest point."""
        stretch = PEAK if self.path is Path.SMOOTH else 1.0
        return stretch * (self.standoff_mm + self.stroke_mm) / self.speed_mm_s

    @property
    def back_s(self) -> float:
        """Seconds from the start of the motion to the start of the way back."""
        return self.out_s + (self.hold_s if self.path is Path.SMOOTH else 0.0)

    @property
    def touch_s(self) -> float:
        """Seconds from the start of the motion to first touch."""
        whole_mm = self.standoff_mm + self.stroke_mm
        share = self.standoff_mm / whole_mm if whole_mm > 0.0 else 0.0
        return self.out_s * (smooth_share(share) if self.path is Path.SMOOTH else share)

    def tip_mm(self, time_s: float) -> float:
        """Return how far past first touch the tip is, negative before it.

        Args:
            time_s: since the start of the motion.

        >>> push = Push(path=Path.SMOOTH)
        >>> [round(push.tip_mm(t), 3) for t in (0.0, push.touch_s, push.out_s, push.back_s, 9.0)]
        [-2.0, 0.0, 12.0, 12.0, -2.0]
        """
        whole_mm, out_s = self.standoff_mm + self.stroke_mm, self.out_s
        if out_s <= 0.0:
            return -self.standoff_mm
        share = time_s / out_s if time_s < self.back_s else 1.0 - (time_s - self.back_s) / out_s
        share = smooth(share) if self.path is Path.SMOOTH else min(max(share, 0.0), 1.0)
        return whole_mm * share - self.standoff_mm


def smooth(share: float) -> float:
    """Return the share of a minimum-jerk motion done after a share of its time, both 0 to 1.

    The curve of least jerk from rest to rest (Flash and Hogan 1985).

    >>> smooth(0.5)
    0.5
    """
    x = min(1.0, max(0.0, share))
    return x * x * x * (10.0 + x * (6.0 * x - 15.0))


def smooth_speed(share: float) -> float:
    """Return the speed of a minimum-jerk motion after a share of its time, over its peak speed.

    >>> smooth_speed(0.5)
    1.0
    """
    return 30.0 * (share * (1.0 - share)) ** 2 / PEAK


@lru_cache(maxsize=64)
def smooth_share(way: float) -> float:
    """Return the share of its time after which a share of a minimum-jerk motion is done."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if smooth(middle) < way else (low, middle)
    return high


@dataclass(frozen=True, slots=True)
class Friction:
    """Coulomb coefficients between two tiles and between tile and table."""

    tile_tile: float = 0.27
    tile_table: float = 0.50
