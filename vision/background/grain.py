"""The grain of the table, and where it can still be seen.

Light and shadows leave the pattern of a cloth or the grain of wood as they are, only brighter or
darker. A sleeve hides them, even one that is as bright as the table and of its colour.

So a stripe of sun is told from a hand, though it has crisp edges as a hand has and crosses the edge
of the picture like an arm. Plain parts of the table count as sunlit where the light has changed as
much as in those with grain.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Gray
from vision.background.background import SHRINK, Foreground
from vision.geometry.camera_pose import View
from vision.tuning.tuning import TUNING, Tuning
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
        for light in (_log(planes, tuning) for planes in (foreground.soft, foreground.empty))
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


def table_in_sun(
    foreground: Foreground, where: Gray, view: View, tuning: Tuning = TUNING
) -> Gray | None:
    """Say which parts of a mask are the table itself in other light.

    Args:
        foreground: where the frame differs from the empty table.
        where: 255 in the parts to be judged, at the size of the foreground.
        view: the camera.
        tuning: see `Tuning`.

    Returns:
        255 in those parts; None if there is none.
    """
    scale = view.scale_px_mm() / SHRINK
    kept = grain(foreground, scale, tuning=tuning.grain).kept
    side = 2 * round(tuning.sunlight.bare_mm * scale) + 1
    bare = cv2.dilate(kept, np.ones((side, side), dtype=np.uint8))
    light = np.zeros_like(where)
    count, labels = cv2.connectedComponents(where)
    for n in range(1, count):
        part = np.asarray(labels) == n
        grainy = part & (kept > 0)
        if np.count_nonzero(grainy) < tuning.sunlight.kept_share * np.count_nonzero(part):
            continue
        odd = part & (np.asarray(bare) == 0) & ~_lit_as(grainy, foreground, scale, tuning)
        rest = np.asarray(odd * 255, dtype=np.uint8)
        depth_px = cv2.distanceTransform(rest, cv2.DIST_L2, cv2.DIST_MASK_3)
        if float(np.max(depth_px)) < tuning.sunlight.hand_radius_mm * scale:
            light[part] = 255
    return light if light.any() else None


def _lit_as(there: Bools, foreground: Foreground, scale: float, tuning: Tuning) -> Bools:
    """Find where the light has changed as much as it mostly has in given places, in each colour.

    Between the flowers of a cloth there is no grain to be seen, but the same sun.
    """
    window = (round(tuning.sunlight.light_mm * scale) | 1,) * 2
    same = np.ones(there.shape, dtype=bool)
    for now, empty in zip(foreground.soft, foreground.empty, strict=True):
        gain = cv2.blur(_log((now,), tuning.grain) - _log((empty,), tuning.grain), window)
        same &= np.abs(gain - np.median(gain[there])) < tuning.sunlight.same_light
    return same


def _log(planes: Sequence[Gray], tuning: GrainTuning) -> NDArray[np.float32]:
    """The logarithm of the brightness: light that is so many times stronger adds a constant."""
    bright = np.mean(planes, axis=0, dtype=np.float32)
    return np.asarray(np.log(bright + tuning.floor_levels), dtype=np.float32)
