"""Tell a stripe of sun from a hand, by the pattern of the table that can still be seen in it.

Sun that comes in, or goes, has crisp edges like a hand's and crosses the edge of the picture like
an arm. But whatever grain the table has is still there, only brighter or darker, whereas a hand
covers it; and where the table has no grain, the light has changed as much as where it has.
"""

import cv2
import numpy as np

from vision.arrays import Bools, Gray
from vision.background.background import SHRINK, Foreground
from vision.background.grain import grain, log_light
from vision.geometry.camera_pose import View
from vision.tuning.tuning import TUNING, Tuning


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
        gain = cv2.blur(log_light((now,), tuning.grain) - log_light((empty,), tuning.grain), window)
        same &= np.abs(gain - np.median(gain[there])) < tuning.sunlight.same_light
    return same
