"""The grain of the table, and where it can still be seen: whatever lies over it covers it.

Light and shadows leave the pattern of a cloth or the grain of wood as they are, only brighter or
darker. A sleeve hides them, even one that is as bright as the table and of its colour.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Gray
from vision.background.background import Foreground
from vision.tuning.tuning import TUNING
from vision.tuning.unmarked import GrainTuning


@dataclass(frozen=True, slots=True, eq=False)
class Grain:
    """Where the grain of the empty table can be seen in a frame; a plain table tells nothing.

    Attributes:
        kept: 255 where it is there as it was.
        hidden: 255 where it was, and something else is now.
    """

    kept: Gray
    hidden: Gray


def grain(foreground: Foreground, scale: float, tuning: GrainTuning = TUNING.grain) -> Grain:
    """Find where the grain of the frame is that of the empty table, and where it is not.

    Args:
        foreground: the frame and the empty table.
        scale: px for each mm.
        tuning: see `GrainTuning`.
    """
    side = (round(tuning.grain_mm * scale) | 1,) * 2
    now, empty = (
        light - cv2.blur(light, side)
        for light in (log_light(planes, tuning) for planes in (foreground.soft, foreground.empty))
    )
    window = (round(tuning.window_mm * scale) | 1,) * 2
    both, one, other = (
        cv2.blur(product, window) for product in (now * empty, now * now, empty * empty)
    )
    there = other > tuning.least_grain**2
    usual = np.sqrt(one * other)
    kept = there & (both > tuning.least_alike * usual)
    hidden = there & (both <= tuning.hidden_alike * usual)
    return Grain(np.asarray(kept * 255, dtype=np.uint8), np.asarray(hidden * 255, dtype=np.uint8))


def log_light(planes: Sequence[Gray], tuning: GrainTuning = TUNING.grain) -> NDArray[np.float32]:
    """The logarithm of the brightness: light that is so many times stronger adds a constant."""
    bright = np.mean(planes, axis=0, dtype=np.float32)
    return np.asarray(np.log(bright + tuning.floor_levels), dtype=np.float32)
