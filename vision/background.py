"""What the empty table looks like, and where a frame differs from it."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import Mat, project
from vision.fit import View

Image = NDArray[np.uint8]
Gray = NDArray[np.uint8]
Floats32 = NDArray[np.float32]

SHRINK = 2
"""Differences are looked for at half size: less noise, a quarter of the work."""
LEAST_STEP = 7.0
NOISE_STEPS = 4.0
"""A pixel differs if it does so by this many grey levels, and by this many deviations."""
SHADOW_DEPTH = 0.45
SHADOW_TINT = 0.10
"""A shadow keeps more than this share of the light, alike in all colours to this much."""
HAND_RADIUS_MM = 30.0
"""A disc of this radius fits into a hand or an arm, but between fallen tiles only by chance."""
REACHING_RADIUS_MM = 18.0
"""The same for something that reaches in across the mat, where tiles never are."""
UPDATE = 0.05
"""Share of a new frame that goes into the background."""


@dataclass(frozen=True, slots=True, eq=False)
class Foreground:
    """Where a frame differs from the empty table, at half size.

    Attributes:
        loose: 255 where anything is different, shadows included.
        strict: 255 where the difference cannot be a shadow.
        gain: brightness of the frame over that of the background, per colour.
    """

    loose: Gray
    strict: Gray
    gain: Floats32


class Background:
    """The empty table as one camera sees it from one place."""

    def __init__(self, image: Image) -> None:
        self._mean = shrink(image)

    def compare(self, image: Image) -> Foreground:
        """Find where an image of the same size differs."""
        now = shrink(image)
        gain = np.median((now[::6, ::6] + 4) / (self._mean[::6, ::6] + 4), axis=(0, 1))
        gain = gain.astype(np.float32)
        now = np.asarray(cv2.GaussianBlur(now, (3, 3), 0), dtype=np.float32)
        empty = np.asarray(cv2.GaussianBlur(self._mean * gain, (3, 3), 0), dtype=np.float32)
        difference = np.abs(now - empty).max(axis=2)
        noise = 1.48 * float(np.median(difference[::4, ::4]))
        loose = difference > max(LEAST_STEP, NOISE_STEPS * noise)
        strict = loose.copy()
        rows, columns = np.nonzero(loose)
        share = (now[rows, columns] + 3) / (empty[rows, columns] + 3)
        middle = np.median(share, axis=1)
        tint = np.ptp(share, axis=1)
        strict[rows, columns] = ~((middle < 1) & (middle > SHADOW_DEPTH) & (tint < SHADOW_TINT))
        return Foreground(_clean(loose), _clean(strict), gain)

    def update(self, image: Image, foreground: Foreground) -> None:
        """Follow slow changes of light where nothing stands."""
        window = np.ones((9, 9), dtype=np.uint8)
        free = cv2.dilate(foreground.loose, window) == 0
        self._mean[free] += UPDATE * (shrink(image) - self._mean)[free]


def hand_in(foreground: Foreground, view: View, mat: Mat) -> bool:
    """Say whether a hand is over the table: something larger than any tile, or reaching in.

    Args:
        foreground: where the frame differs from the empty table.
        view: where the camera is.
        mat: what lies round the work area.
    """
    scale = view.scale_px_mm() / SHRINK
    whole = cv2.morphologyEx(foreground.strict, cv2.MORPH_CLOSE, np.ones((5, 5), dtype=np.uint8))
    depth = np.asarray(cv2.distanceTransform(whole, cv2.DIST_L2, 3)) / scale
    if float(depth.max()) > HAND_RADIUS_MM:
        return True
    if float(depth.max()) < REACHING_RADIUS_MM:
        return False
    _, labels = cv2.connectedComponents(whole)
    wide = np.unique(np.asarray(labels)[depth > REACHING_RADIUS_MM])
    outside = np.ones(whole.shape, dtype=np.uint8)
    cv2.fillConvexPoly(outside, _mat_hull(view, mat), (0,))
    return bool(np.isin(np.asarray(labels)[outside > 0], wide).any())


def _mat_hull(view: View, mat: Mat) -> NDArray[np.int32]:
    corners = np.concatenate(list(mat.corners_mm.values()))
    low, high = corners.min(axis=0) - 5, corners.max(axis=0) + 5
    ring = np.array([(x, y, 0.0) for x in (low[0], high[0]) for y in (low[1], high[1])])
    points = project(ring, view.pose, view.intrinsics).astype(np.float32) / SHRINK
    return np.asarray(cv2.convexHull(points), dtype=np.int32)


def shrink(image: Image) -> Floats32:
    """Return the image at half size, as floats."""
    size = (image.shape[1] // SHRINK, image.shape[0] // SHRINK)
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32)


def _clean(mask: NDArray[np.bool_]) -> Gray:
    full = mask.astype(np.uint8) * 255
    return np.asarray(cv2.morphologyEx(full, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
