"""Bodies on edges: how steep the image is, where a body's edges would show, and the best fit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.background import SHRINK, Foreground
from vision.bodies import Bodies, Outline, Stance, behind, near, outline, slopes
from vision.fit import View

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
Gray = NDArray[np.uint8]
Image = NDArray[np.uint8]
Roi = tuple[int, int, int, int]

FULL_EDGE = (7.0, 3.0)
"""Slope, in grey levels per pixel, that counts as a full edge: most and least."""
FULL_LEVEL = 100.0
"""From this brightness of the table on the most is asked, less in the dark in proportion."""
TABLE_SHARE = 1.5
"""The table's own slope counts this much against that of the image."""
POINTS = (5, 5, 8, 10)
"""Points on each edge of a body, round by round."""
ROUND_POINTS = 12
REACHES_PX = (6.0, 3.0, 2.0, 2.0)
"""How far to look for an edge from where it is expected, round by round."""
HOPELESS = 0.4
NEAR_MM = 100.0
RUN_AWAY_MM = 8.0
LEAST_FREE = 0.4
"""Share of its edges that known tiles may at most leave in sight."""
SAME_MM = 1.0
SAME_RAD = math.radians(5)
"""Two fits that have come so near to each other will end in the same place."""
LEAST_OWN = 0.2
"""Share of its edges in sight that may at least be its own alone."""
DOUBT, POOR_EDGE = 15, 0.3
"""So many points of an edge as poor as this are added to those seen."""
STIFF = np.diag([1e-3, 1e-3, 1e-1, 3e-1])
"""What holds x, y, heading and lean where no edge says anything."""
MOST_LEAN = math.radians(75)


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """The steepest slope at each pixel of a part of the image, as a share of a full edge.

    Attributes:
        left: first column of the part.
        top: first row of the part.
        slope: to the right and downwards, shape (rows, columns, 2).
        hidden: 255 where the upper face of a known tile is.
    """

    left: int
    top: int
    slope: Floats32
    hidden: Gray

    def local(self, points_px: Floats) -> Floats:
        """Take pixels of the image to the part."""
        return np.asarray(points_px - np.array([self.left, self.top]))

    def across(self, points_px: Floats, normals: Floats) -> Floats:
        """Read the slope at points (n, m, 2) along directions (n, 2); shape (n, m), at most 1."""
        x = (points_px[..., 0] - self.left).astype(np.float32)
        y = (points_px[..., 1] - self.top).astype(np.float32)
        read = cv2.remap(self.slope, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        both = np.asarray(read).reshape(*x.shape, 2)
        across = both[..., 0] * normals[:, None, 0] + both[..., 1] * normals[:, None, 1]
        return np.minimum(np.abs(across), 1.0)


def find_edges(image: Image, foreground: Foreground, hidden: Gray, rois: Sequence[Roi]) -> Edges:
    """Find the slopes of parts of the image that the empty table does not have.

    Args:
        image: the frame, BGR.
        foreground: what the empty table looks like there.
        hidden: 255 where the upper faces of known tiles are, at the size of the foreground.
        rois: left, top, right and bottom of each part in full-size pixels, even numbers.
    """
    left, top = (min(roi[n] for roi in rois) for n in (0, 1))
    right, bottom = (max(roi[n] for roi in rois) for n in (2, 3))
    slope = np.zeros((bottom - top, right - left, 2), dtype=np.float32)
    for roi in rois:
        part = slope[roi[1] - top : roi[3] - top, roi[0] - left : roi[2] - left]
        part[:] = _slopes(image, foreground, roi)
    small = hidden[top // SHRINK : bottom // SHRINK, left // SHRINK : right // SHRINK]
    size = (right - left, bottom - top)
    covered = cv2.resize(small, size, interpolation=cv2.INTER_NEAREST)
    return Edges(left, top, slope, np.asarray(covered, dtype=np.uint8))


def _slopes(image: Image, foreground: Foreground, roi: Roi) -> Floats32:
    left, top, right, bottom = roi
    part = image[top:bottom, left:right]
    soft = np.asarray(cv2.GaussianBlur(part, (0, 0), 1.0))
    level = float(np.median(part[::8, ::8]))
    full = min(max(FULL_EDGE[0] * level / FULL_LEVEL, FULL_EDGE[1]), FULL_EDGE[0])
    across, down = (
        [np.asarray(one, dtype=np.int16) for one in cv2.split(cv2.Sobel(soft, cv2.CV_16S, *way))]
        for way in ((1, 0), (0, 1))
    )
    x, y = across[0], down[0]
    steepest = np.abs(x) + np.abs(y)
    for colour in (1, 2):
        steep = np.abs(across[colour]) + np.abs(down[colour])
        steeper = cv2.compare(steep, steepest, cv2.CMP_GT)
        cv2.copyTo(across[colour], steeper, x)
        cv2.copyTo(down[colour], steeper, y)
        steepest = np.maximum(steep, steepest)
    slope = cv2.merge((x, y)).astype(np.float32)
    small = (slice(top // SHRINK, bottom // SHRINK), slice(left // SHRINK, right // SHRINK))
    size = (part.shape[1], part.shape[0])
    table = cv2.resize(foreground.slope[small], size)
    own = np.asarray(cv2.magnitude(slope[..., 0], slope[..., 1]), dtype=np.float32)
    keep = np.maximum(1 - (8 * TABLE_SHARE) * table / (own + 0.01), 0)
    slope *= (keep / np.float32(8 * full))[..., None]
    return slope


@dataclass(frozen=True, slots=True, eq=False)
class BodyFit:
    """A body that may be there.

    Attributes:
        stance: how it stands, lies or leans.
        place: x and y of its middle in mm, heading and lean in rad.
        corners: in table mm, shape (8, 3).
        pixels: places along its visible edges, shape (n, 2).
        edge: how well the image shows an edge at each of them, 0..1, shape (n,).
        miss_mm: root mean square distance between its edges and those of the image.
    """

    stance: Stance
    place: Floats
    corners: Floats
    pixels: Floats
    edge: Floats
    miss_mm: float

    def edge_outside(self, mask: Gray, shrink: int) -> float:
        """Mean edge where a mask, so many times smaller than the image, is 0; 0 if hardly there.

        The fewer points there are, the less is believed of them.
        """
        columns, rows = (self.pixels / shrink).astype(int).T
        height, width = mask.shape
        free = mask[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)] == 0
        count = np.count_nonzero(free)
        if count < LEAST_OWN * len(free):
            return 0.0
        return float(self.edge[free].sum() + DOUBT * POOR_EDGE) / (count + DOUBT)


def fit_bodies(
    edges: Edges, starts: Bodies, view: View, obstacles: Sequence[Floats] = ()
) -> list[BodyFit]:
    """Move bodies until their visible edges lie on those of the image, each by itself.

    Args:
        edges: of the part of the image they are in.
        starts: first guesses, good to about 3 mm and 5 degrees.
        view: the camera.
        obstacles: corners of known tiles that may hide parts of them, each shape (8, 3).

    Returns:
        The fits, without those that ran away or found too few edges.
    """
    now, begun = starts, starts.places
    last = len(REACHES_PX) - 1
    for turn, (reach, points) in enumerate(zip(REACHES_PX, POINTS, strict=True)):
        if not len(now):
            return []
        corners = now.corners()
        drawn = outline(corners, view, points)
        free = drawn.shown & ~_hidden(drawn, near(corners, obstacles, NEAR_MM), view)
        offsets = np.arange(-reach, reach + 0.25, 0.5 if reach < 3 else 1.0)
        read = _read(edges, drawn, offsets)
        strength = read * (1 - 0.25 * (offsets / reach) ** 2)
        best = strength.argmax(axis=2)
        weight = np.take_along_axis(strength, best[..., None], axis=2)[..., 0] * free
        shifts = slopes(drawn, now.steps(corners), view)
        weighted = (shifts * weight[..., None]).transpose(0, 2, 1)
        pull = (weighted @ offsets[best][..., None]) * (ROUND_POINTS / points)
        square = (weighted @ shifts) * (ROUND_POINTS / points) + STIFF
        step = np.linalg.solve(square, pull)
        places = now.places + step[..., 0]
        apart = np.hypot(*(places - begun)[:, :2].T)
        good = (weight.sum(axis=1) >= HOPELESS * free.sum(axis=1)) & (apart < RUN_AWAY_MM)
        good &= free.sum(axis=1) >= LEAST_FREE * drawn.shown.sum(axis=1)
        good &= np.abs(places[:, 3]) < MOST_LEAN
        now = Bodies(now.ways, now.which, places)
        if turn < last:
            good &= _first_of_its_kind(now)
            now, begun = now.pick(good), begun[good]
    miss = offsets[best] - (shifts @ step)[..., 0]
    miss_px = np.sqrt((weight * miss**2).sum(axis=1) / (weight.sum(axis=1) + 1e-6))
    shown = read[:, :, np.abs(offsets) <= 1.0].max(axis=2)
    scale, settled = view.scale_px_mm(), now.corners()
    return [
        BodyFit(
            now.ways[now.which[n]],
            now.places[n],
            settled[n],
            drawn.pixels[n, free[n]],
            shown[n, free[n]],
            float(miss_px[n]) / scale,
        )
        for n in np.flatnonzero(good)
    ]


def _first_of_its_kind(bodies: Bodies) -> Bools:
    """Say which bodies no earlier one of their way has come near to."""
    places = bodies.places
    apart = np.hypot(*(places[:, None, :2] - places[:, :2]).transpose(2, 0, 1))
    turned = np.abs(np.sin(places[:, None, 2] - places[:, 2]))
    alike = (apart < SAME_MM) & (turned < SAME_RAD)
    alike &= bodies.which[:, None] == bodies.which
    return np.asarray(~np.tril(alike, -1).any(axis=1))


def _hidden(drawn: Outline, obstacles: Sequence[Floats], view: View) -> Bools:
    """Say which points known tiles hide."""
    points = drawn.points_mm.reshape(-1, 3)
    hidden = np.zeros(len(points), dtype=bool)
    for other in obstacles:
        hidden |= behind(points, other, view)
    return hidden.reshape(drawn.shown.shape)


def _read(edges: Edges, drawn: Outline, offsets_px: Floats) -> Floats:
    """Read the edge at so many pixels across each point, shape (n, m, offsets)."""
    normals = drawn.normals.reshape(-1, 2)
    steps = offsets_px[None, :, None] * normals[:, None, :]
    read = edges.across(drawn.pixels.reshape(-1, 1, 2) + steps, normals)
    return read.reshape(*drawn.shown.shape, len(offsets_px))
