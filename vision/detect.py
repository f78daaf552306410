"""Outlines in the image that may be marks: pixels in, pixels out.

A mark is a black body in a white rim, so wherever it lies there is a closed edge of strong local
contrast round it. The grey image is thresholded at the middle between the darkest and the lightest
neighbour, in two window sizes, and every contour of about the right size becomes a candidate.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Gray = NDArray[np.uint8]

WINDOWS_PX = ((7, 30), (11, 22))
"""Side of the window and the least contrast in it that counts as an edge."""
NOISE_FACTOR = 2.0
"""How far above the usual contrast of the table an edge must stand out."""
DARK_LEVELS = (0.3, 0.55)
"""Shares of the brightest level, for scenes where the local contrast is low."""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """The part of the image worth looking at, and how large a mark may be there.

    Attributes:
        left: first column.
        top: first row.
        right: column after the last.
        bottom: row after the last.
        least_px: shortest length of a mark's outline.
        most_px: longest.
        widest_px: greatest width of an outline.
        zoom: how much to enlarge it first, so that walls and windows are as wide as the threshold
            windows are made for.
    """

    left: int
    top: int
    right: int
    bottom: int
    least_px: float
    most_px: float
    widest_px: float
    zoom: float


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """What one image may show, in pixels.

    Attributes:
        gray: the image they were seen in.
        outlines_px: rectangles round the candidates, shape (n, 4, 2), in the order of OpenCV's
            `boxPoints`.
    """

    gray: Gray
    outlines_px: Floats


def detect(gray: Gray, region: Region) -> Detections:
    """Find the outlines of possible marks.

    Args:
        gray: the whole image, shape (rows, columns).
        region: where to look and for what size.
    """
    part = gray[region.top : region.bottom, region.left : region.right]
    rectangles: list[Floats] = []
    if part.size:
        if region.zoom != 1.0:
            part = np.asarray(
                cv2.resize(
                    part, None, fx=region.zoom, fy=region.zoom, interpolation=cv2.INTER_CUBIC
                ),
                dtype=np.uint8,
            )
        for mask in _masks(part):
            rectangles.extend(_rectangles(mask, region))
    if not rectangles:
        return Detections(gray, np.zeros((0, 4, 2)))
    corners = (np.stack(rectangles) + 0.5) / region.zoom - 0.5 + np.array([region.left, region.top])
    return Detections(gray, _without_repeats(corners))


def _masks(part: Gray) -> list[Gray]:
    masks = []
    for side, contrast in WINDOWS_PX:
        window = np.ones((side, side), dtype=np.uint8)
        low, high = cv2.erode(part, window), cv2.dilate(part, window)
        range_ = cv2.subtract(high, low)
        noise = float(np.median(np.asarray(range_)[::8, ::8]))
        edge = cv2.inRange(range_, min(max(contrast, NOISE_FACTOR * noise), 2.5 * contrast), 255)
        middle = cv2.addWeighted(low, 0.5, high, 0.5, 0)
        bright = cv2.bitwise_and(cv2.compare(part, middle, cv2.CMP_GT), edge)
        masks += [bright, cv2.bitwise_and(cv2.bitwise_not(bright), edge)]
    brightest = float(np.percentile(part[::8, ::8], 99.5))
    calm = cv2.medianBlur(part, 3)
    masks += [cv2.inRange(calm, level * brightest, 255) for level in DARK_LEVELS]
    return [np.asarray(mask, dtype=np.uint8) for mask in masks]


def _rectangles(mask: Gray, region: Region) -> list[Floats]:
    found = []
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        if len(contour) < 4:
            continue
        _, _, across, down = cv2.boundingRect(contour)
        if not region.least_px * 0.7 <= max(across, down) <= region.most_px:
            continue
        box = cv2.minAreaRect(contour)
        short, long = sorted(box[1])
        if region.least_px <= long <= region.most_px and 3 <= short <= region.widest_px:
            found.append(np.asarray(cv2.boxPoints(box), dtype=np.float64))
    return found


def _without_repeats(corners: Floats) -> Floats:
    """Keep one of several rectangles that agree to a pixel."""
    keys = np.round(np.concatenate([corners.mean(axis=1), np.ptp(corners, axis=1)], axis=1))
    _, first = np.unique(keys, axis=0, return_index=True)
    return corners[np.sort(first)]
