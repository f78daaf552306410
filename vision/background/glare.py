"""Tell a lamp that is mirrored in a glossy table from a hand, by how soft its rim is.

A mirrored lamp has no edge: its brightness takes some centimetres to rise and to fall. The outline
of a hand or a sleeve is crossed within millimetres. So whatever differs from the table is cut up
along its steep places. A part whose rim is mostly steep is a thing; any other part is light.
"""

import cv2
import numpy as np

from vision.arrays import NEIGHBOURS, Gray, Image
from vision.tuning.tuning import TUNING
from vision.tuning.unmarked import GlareTuning

SAME = 128
"""What stands for no change where changes are kept as whole numbers, at half their size."""


def soft_parts(
    change: Image, where: Gray, within: Gray, cell_mm: float, tuning: GlareTuning = TUNING.glare
) -> Gray | None:
    """Tell which parts of a mask are soft light.

    Args:
        change: half of how far each colour is from the table without the light, in grey levels,
            shape (rows, columns, 3), in cells; `SAME` for not at all.
        where: 255 where it differs, shape (rows, columns).
        within: 255 where an outline counts, and not where the picture or the work area ends.
        cell_mm: side of a cell.
        tuning: see `GlareTuning`.

    Returns:
        255 in those parts that are light; None if there is none.
    """
    if not where.any():
        return None
    steps = cv2.subtract(cv2.dilate(change, NEIGHBOURS), cv2.erode(change, NEIGHBOURS))
    far = _most(np.asarray(cv2.absdiff(change, np.full_like(change, SAME)), dtype=np.uint8))
    contrast = float(np.percentile(far[where > 0], tuning.contrast_percent))
    if contrast < tuning.least_contrast_levels:
        return None
    least = max(tuning.steep_share * contrast, tuning.least_steep_levels)
    steep = np.asarray(cv2.inRange(_most(np.asarray(steps, dtype=np.uint8)), least, 255))
    cut = np.asarray(cv2.bitwise_and(where, cv2.bitwise_not(steep)), dtype=np.uint8)
    depth_mm = np.asarray(cv2.distanceTransform(cut, cv2.DIST_L2, cv2.DIST_MASK_3)) * cell_mm
    labels = np.asarray(cv2.connectedComponents(cut)[1])
    inner = cv2.erode(within, NEIGHBOURS)
    light = np.zeros_like(where)
    for label in np.unique(labels[depth_mm > tuning.wide_mm]):
        part = np.asarray((labels == label) * 255, dtype=np.uint8)
        outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        whole = cv2.drawContours(np.zeros_like(part), outlines, -1, (255,), cv2.FILLED)
        ring = np.asarray(cv2.min(cv2.subtract(cv2.dilate(whole, NEIGHBOURS), whole), inner)) > 0
        if ring.any() and np.mean(steep[ring] > 0) < tuning.most_steep_share:
            light = np.maximum(light, part)
    return light if light.any() else None


def _most(colours: Image) -> Gray:
    """The largest of the colours of each pixel, of all three at once far quicker than of each."""
    blue, green, red = cv2.split(colours)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)
