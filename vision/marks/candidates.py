"""Outlines in the image that may be marks: pixels in, pixels out.

A mark is a black body in a white rim, so wherever it lies there is a closed edge of strong local
contrast round it. The grey image is thresholded at the middle between the darkest and the lightest
neighbour. Where a shadow or a bright table breaks that edge, the body is still darker than the
paper on both sides of it: what is narrow is closed, and all that was far darker before is cut out.
Every contour of about the right size becomes a candidate.
"""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Floats, Gray
from vision.tuning.marks import CandidateTuning
from vision.tuning.tuning import TUNING


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

    def within(self, where: Gray) -> "Detections":
        """Return those whose middle lies where a mask is not 0, at the image's size or smaller."""
        rows, columns = where.shape
        middles = self.outlines_px.mean(axis=1) * (columns / self.gray.shape[1])
        across, down = middles.astype(np.intp).T
        inside = where[np.clip(down, 0, rows - 1), np.clip(across, 0, columns - 1)] > 0
        return Detections(self.gray, self.outlines_px[inside])


def detect(
    gray: Gray,
    region: Region,
    changed: Gray | None = None,
    tuning: CandidateTuning = TUNING.candidates,
) -> Detections:
    """Find the outlines of possible marks.

    Args:
        gray: the whole image, shape (rows, columns).
        region: where to look and for what size.
        changed: 255 where the image differs from the empty table, so many times smaller as it
            is; nothing is looked for elsewhere. None to look everywhere.
        tuning: see `CandidateTuning`.
    """
    part = gray[region.top : region.bottom, region.left : region.right]
    if not part.size:
        return Detections(gray, np.zeros((0, 4, 2)))
    noise = _noise(part, tuning)
    found: list[Floats] = []
    for spot in [region] if changed is None else _spots(region, changed, gray.shape[1], tuning):
        part = gray[spot.top : spot.bottom, spot.left : spot.right]
        if region.zoom != 1.0:
            zoom = region.zoom
            large = cv2.resize(part, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
            part = np.asarray(large, dtype=np.uint8)
        corner = np.array([spot.left, spot.top])
        rectangles = [
            box for mask in _masks(part, noise, tuning) for box in _rectangles(mask, region, tuning)
        ]
        found += [(box + 0.5) / region.zoom - 0.5 + corner for box in rectangles]
    if not found:
        return Detections(gray, np.zeros((0, 4, 2)))
    return Detections(gray, _without_repeats(np.stack(found)))


def _noise(part: Gray, tuning: CandidateTuning) -> float:
    """Measure the usual contrast in a window, on some bands of the image one below the other."""
    last = part.shape[0] - 1
    firsts = np.arange(0, part.shape[0], max(tuning.band_px, part.shape[0] // tuning.bands))
    bands = part[np.minimum(firsts[:, None] + np.arange(tuning.band_px), last)]
    # The range in windows round the middle row of each band, first down and then across.
    side = tuning.window_px
    rows = bands[:, (tuning.band_px - side + 1) // 2 :][:, :side]
    across = np.ones((1, side), dtype=np.uint8)
    low, high = cv2.erode(rows.min(axis=1), across), cv2.dilate(rows.max(axis=1), across)
    return float(np.median(np.asarray(cv2.subtract(high, low))[:, ::8]))


def _spots(region: Region, changed: Gray, columns: int, tuning: CandidateTuning) -> list[Region]:
    """Parts of the region round everything that has changed; they do not overlap much."""
    shrink = columns / changed.shape[1]
    top, left = int(region.top / shrink), int(region.left / shrink)
    bottom, right = math.ceil(region.bottom / shrink), math.ceil(region.right / shrink)
    near = np.ones((tuning.near_px,) * 2, dtype=np.uint8)
    mask = cv2.dilate(changed[top:bottom, left:right], near)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    spots = []
    for contour in contours:
        x, y, across, down = cv2.boundingRect(contour)
        scale = shrink * region.zoom
        if max(across, down) * scale < region.least_px:
            continue
        if cv2.contourArea(contour) * scale**2 < tuning.least_area_share * region.least_px**2:
            continue
        low = (int((left + x) * shrink) - 2, int((top + y) * shrink) - 2)
        high = ((left + x + across) * shrink + 2, (top + y + down) * shrink + 2)
        spots.append(
            replace(
                region,
                left=max(region.left, low[0]),
                top=max(region.top, low[1]),
                right=min(region.right, math.ceil(high[0])),
                bottom=min(region.bottom, math.ceil(high[1])),
            )
        )
    return spots


def _masks(part: Gray, noise: float, tuning: CandidateTuning) -> list[Gray]:
    """Cut the image where it changes most, and where it is dark between paper on both sides."""
    window = np.ones((tuning.window_px,) * 2, dtype=np.uint8)
    low, high = cv2.erode(part, window), cv2.dilate(part, window)
    contrast = tuning.least_contrast_levels
    least = min(max(contrast, tuning.noise_factor * noise), tuning.most_noisy_factor * contrast)
    edge = cv2.inRange(cv2.subtract(high, low), least, 255)
    middle = cv2.addWeighted(low, 0.5, high, 0.5, 0)
    bright = cv2.bitwise_and(cv2.compare(part, middle, cv2.CMP_GT), edge)
    masks = [bright, cv2.bitwise_and(cv2.bitwise_not(bright), edge)]
    window = np.ones((tuning.closed_px,) * 2, dtype=np.uint8)
    paper = cv2.morphologyEx(part, cv2.MORPH_CLOSE, window)
    for share in tuning.ink_shares:
        # In the deepest shadows grain is no mark.
        most = cv2.convertScaleAbs(paper, alpha=share, beta=(share - 1) * tuning.dark_levels)
        masks.append(cv2.compare(part, most, cv2.CMP_LT))
    return [np.asarray(mask, dtype=np.uint8) for mask in masks]


def _rectangles(mask: Gray, region: Region, tuning: CandidateTuning) -> list[Floats]:
    found = []
    least, most = region.least_px * tuning.least_extent_share, region.most_px
    if cv2.countNonZero(cv2.absdiff(mask[:, 1:], mask[:, :-1])) > tuning.busy_share * mask.size:
        mask = _without_specks(mask, least, tuning)
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:  # of tens of thousands nearly all are specks
        if len(contour) < 4:
            continue
        _, _, across, down = cv2.boundingRect(contour)
        if (across < least and down < least) or across > most or down > most:
            continue
        box = cv2.minAreaRect(contour)
        short, long = sorted(box[1])
        wide = tuning.narrowest_px <= short <= region.widest_px
        if wide and region.least_px <= long <= region.most_px:
            found.append(np.asarray(cv2.boxPoints(box), dtype=np.float64))
    return found


def _without_specks(mask: Gray, least_px: float, tuning: CandidateTuning) -> Gray:
    """Leave out spots and holes whose outlines are shorter than `least_px` both ways.

    A hole's outline runs one pixel outside it; a hole at the edge of the image has none, and stays.
    """
    rows, columns = mask.shape
    for holes, neighbours in zip((False, True), tuning.neighbours, strict=True):
        part = cv2.bitwise_not(mask) if holes else mask
        _, labels, stats, _ = cv2.connectedComponentsWithStats(part, connectivity=neighbours)
        x, y, wide, high, _ = np.asarray(stats).T
        small = np.maximum(wide, high) + 2 * holes < least_px
        if holes:
            small &= (x > 0) & (y > 0) & (x + wide < columns) & (y + high < rows)
        small[0] = False
        specks = np.take(np.where(small, 255, 0).astype(np.uint8), np.asarray(labels, np.int32))
        mask = np.asarray(cv2.bitwise_xor(mask, specks), dtype=np.uint8)
    return mask


def _without_repeats(corners: Floats) -> Floats:
    """Keep one of several rectangles that agree to a pixel."""
    keys = np.round(np.concatenate([corners.mean(axis=1), np.ptp(corners, axis=1)], axis=1))
    _, first = np.unique(keys, axis=0, return_index=True)
    return corners[np.sort(first)]
