"""Tell a stripe of sun from a hand, by the pattern of the table that can still be seen in it.

Sun that comes in, or goes, has crisp edges like a hand's and crosses the edge of the picture like
an arm. But whatever grain the table has is still there, only brighter or darker, whereas a hand
covers it; and where the table has no grain, the light has changed as much as where it has.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Gray
from vision.background.background import SHRINK, Foreground
from vision.geometry.camera_pose import View
from vision.tuning.tuning import TUNING
from vision.tuning.unmarked import SunlightTuning


def table_in_sun(
    foreground: Foreground, where: Gray, view: View, tuning: SunlightTuning = TUNING.sunlight
) -> Gray | None:
    """Say which parts of a mask are the table itself in other light.

    Args:
        foreground: where the frame differs from the empty table.
        where: 255 in the parts to be judged, at the size of the foreground.
        view: the camera.
        tuning: see `SunlightTuning`.

    Returns:
        255 in those parts; None if there is none.
    """
    scale = view.scale_px_mm() / SHRINK
    kept = _kept_grain(foreground, scale, tuning)
    side = 2 * round(tuning.bare_mm * scale) + 1
    bare = cv2.dilate(kept, np.ones((side, side), dtype=np.uint8))
    light = np.zeros_like(where)
    count, labels = cv2.connectedComponents(where)
    for n in range(1, count):
        part = np.asarray(labels) == n
        grainy = part & (kept > 0)
        if np.count_nonzero(grainy) < tuning.kept_share * np.count_nonzero(part):
            continue
        odd = part & (np.asarray(bare) == 0) & ~_lit_as(grainy, foreground, scale, tuning)
        rest = np.asarray(odd * 255, dtype=np.uint8)
        depth_px = cv2.distanceTransform(rest, cv2.DIST_L2, cv2.DIST_MASK_3)
        if float(np.max(depth_px)) < tuning.hand_radius_mm * scale:
            light[part] = 255
    return light if light.any() else None


def _kept_grain(foreground: Foreground, scale: float, tuning: SunlightTuning) -> Gray:
    """Find where the grain of the frame is that of the empty table: 255 there."""
    side = (round(tuning.grain_mm * scale) | 1,) * 2
    now, empty = (
        light - cv2.blur(light, side)
        for light in (_log(planes, tuning) for planes in (foreground.soft, foreground.empty))
    )
    window = (round(tuning.window_mm * scale) | 1,) * 2
    both, one, other = (
        cv2.blur(product, window) for product in (now * empty, now * now, empty * empty)
    )
    least = tuning.least_grain**2
    alike = (other > least) & (both > tuning.least_alike * np.sqrt(one * other))
    return np.asarray(alike * 255, dtype=np.uint8)


def _lit_as(there: Bools, foreground: Foreground, scale: float, tuning: SunlightTuning) -> Bools:
    """Find where the light has changed as much as it mostly has in given places, in each colour.

    Between the flowers of a cloth there is no grain to be seen, but the same sun.
    """
    window = (round(tuning.light_mm * scale) | 1,) * 2
    same = np.ones(there.shape, dtype=bool)
    for now, empty in zip(foreground.soft, foreground.empty, strict=True):
        gain = cv2.blur(_log((now,), tuning) - _log((empty,), tuning), window)
        same &= np.abs(gain - np.median(gain[there])) < tuning.same_light
    return same


def _log(planes: Sequence[Gray], tuning: SunlightTuning) -> NDArray[np.float32]:
    """The logarithm of the brightness: light that is so many times stronger adds a constant."""
    bright = np.mean(planes, axis=0, dtype=np.float32)
    return np.asarray(np.log(bright + tuning.floor_levels), dtype=np.float32)
