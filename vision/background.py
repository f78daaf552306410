"""What the empty table looks like, and where a frame differs from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import Mat, project
from vision.fit import View

Image = NDArray[np.uint8]
Gray = NDArray[np.uint8]

SHRINK = 2
"""Differences are looked for at half size: less noise, a quarter of the work."""
BLUR_PX = 1.2
CROSS = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
LEAST_STEP = 7.0
NOISE_STEPS = 4.0
"""A pixel differs if it does so by this many grey levels, and by this many deviations."""
SHADOW_DEPTH = 0.45
DEEP_SHADOW = 0.65
SHADOW_TINT = 0.10
"""A shadow keeps more than this share of the light, alike in all colours to this much."""
TINT_PX = 5
"""Tints are averaged over a square of this side."""
TINT_STEPS = 2.5
"""A tint stands out from noise by this many times its usual size."""
SHADE_FLOOR = 3
"""Added to both images before they are divided, in grey levels, so that black divides too."""
WHOLE = 128
"""What stands for an unchanged brightness where shares are kept as whole numbers."""
HAND_RADIUS_MM = 30.0
"""A disc of this radius fits into a hand or an arm, but between fallen tiles only by chance."""
REACHING_RADIUS_MM = 18.0
"""The same for something that reaches in across the mat, where tiles never are."""
UPDATE, UPDATE_EVERY = 0.1, 3
"""Share of a new frame that goes into the background, at every so many looks."""


@dataclass(frozen=True, slots=True, eq=False)
class Foreground:
    """Where a frame differs from the empty table, at half size.

    Attributes:
        loose: 255 where anything is different, shadows included.
        strict: 255 where the difference cannot be a shadow.
        deep: 255 where a shadow would be so dark that it may well be a black tile.
        slope: how steep the empty table is there itself, in grey levels per full-size pixel.
        now: the frame itself, BGR.
        soft: the same without its noise.
        gain: how bright each colour is beside the empty table, shape (3,).
    """

    loose: Gray
    strict: Gray
    deep: Gray
    slope: Gray
    now: Image
    soft: Image
    gain: NDArray[np.float64]


class Background:
    """The empty table as one camera sees it from one place."""

    def __init__(self, empty: Image) -> None:
        """Take an image of the empty table, already at half size."""
        self._mean = empty.astype(np.float32)
        self._calls = -1
        self._settle()

    def compare(self, now: Image) -> Foreground:
        """Find where an image differs, at half size too."""
        soft = _soft(now)
        gain = np.median((now[::6, ::6] + 4.0) / (self._sparse + 4.0), axis=(0, 1))
        empty = lit(self._empty, gain)
        loose, strict, deep = _without_shadows(differences(soft, empty), soft, empty)
        return Foreground(loose, strict, deep, self._slope, now, soft, gain)

    def update(self, foreground: Foreground) -> None:
        """Follow slow changes of light where nothing stands, at every few calls."""
        self._calls += 1
        if self._calls % UPDATE_EVERY:
            return
        busy = cv2.dilate(foreground.loose, np.ones((9, 9), dtype=np.uint8))
        cv2.accumulateWeighted(foreground.now, self._mean, UPDATE, cv2.bitwise_not(busy))
        self._settle()

    def _settle(self) -> None:
        """Work out what every comparison needs of the empty table."""
        empty = np.asarray(cv2.convertScaleAbs(self._mean), dtype=np.uint8)
        self._sparse = empty[::6, ::6].copy()
        self._empty = _soft(empty)
        self._slope = _slope(self._empty)


def lit(image: Image, gain: NDArray[np.float64]) -> Image:
    """Return an image as it would be in another light, stronger by `gain` in each colour."""
    levels = np.clip(np.arange(256)[:, None] * gain + 0.5, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image, levels.reshape(256, 1, 3)), dtype=np.uint8)


def differences(one: Image, two: Image) -> Gray:
    """Say where two images differ by more than noise: 255 there."""
    blue, green, red = cv2.split(cv2.absdiff(one, two))
    difference = np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)
    noise = 1.48 * float(np.median(difference[::4, ::4]))
    step = max(LEAST_STEP, NOISE_STEPS * noise)
    return np.asarray(cv2.inRange(difference, step, 255), dtype=np.uint8)


def _soft(image: NDArray[Any]) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), BLUR_PX), dtype=np.uint8)


def _without_shadows(loose: Gray, now: Image, empty: Image) -> tuple[Gray, Gray, Gray]:
    """Tell what shadows cannot be; the masks of `Foreground`."""
    lit, full = (cv2.convertScaleAbs(one, beta=SHADE_FLOOR) for one in (now, empty))
    blue, green, red = cv2.split(cv2.divide(lit, full, scale=WHOLE))
    low, high = cv2.min(blue, green), cv2.max(blue, green)
    middle = cv2.max(low, cv2.min(high, red))
    tint = cv2.subtract(cv2.max(high, red), cv2.min(low, red))
    shadow = cv2.inRange(middle, WHOLE * SHADOW_DEPTH, WHOLE - 1)
    shadow = cv2.bitwise_and(shadow, cv2.inRange(tint, 0, WHOLE * SHADOW_TINT))
    tinted = _tinted((blue, green, red))
    masks = [np.asarray(cv2.max(loose, tinted), dtype=np.uint8)]
    for sure, side in (
        (shadow, 2),
        (cv2.min(shadow, cv2.inRange(middle, WHOLE * DEEP_SHADOW, 255)), 5),
    ):
        window = np.ones((side, side), dtype=np.uint8)
        mask = cv2.morphologyEx(cv2.subtract(loose, sure), cv2.MORPH_OPEN, window)
        masks.append(np.asarray(cv2.max(mask, tinted), dtype=np.uint8))
    return masks[0], masks[1], masks[2]


def _tinted(shares: Sequence[NDArray[Any]]) -> Gray:
    """Where the colour is not the table's, however bright it is.

    A black tile on a dark table may be as bright as the table, yet hardly ever of its colour. Much
    of one pixel counts no more than a little, so that outlines stay where they are.

    Args:
        shares: what the frame has of each colour of the empty table, `WHOLE` for all of it.
    """
    most = int(2 * WHOLE * SHADOW_TINT)
    tint = np.zeros(shares[0].shape, dtype=np.uint8)
    for n, share in enumerate(shares):
        apart = cv2.addWeighted(share, 1.0, shares[n - 1], -1.0, WHOLE)
        apart = np.clip(apart, WHOLE - most, WHOLE + most)
        calm = cv2.blur(apart, (TINT_PX, TINT_PX))
        tint = np.maximum(tint, cv2.convertScaleAbs(calm.astype(np.int16), beta=-WHOLE))
    noise = 1.48 * float(np.median(tint[::4, ::4]))
    least = max(WHOLE * SHADOW_TINT, TINT_STEPS * noise)
    return np.asarray(cv2.inRange(tint, least, 255), dtype=np.uint8)


def _slope(empty: Image) -> Gray:
    """How steep the empty table is itself, in grey levels per full-size pixel."""
    gray = cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY)
    return np.asarray(
        cv2.convertScaleAbs(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, CROSS), alpha=0.25), np.uint8
    )


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


def shrink(image: Image) -> Image:
    """Return the image at half size."""
    size = (image.shape[1] // SHRINK, image.shape[0] // SHRINK)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
