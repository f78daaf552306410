"""Boxes on edges: how steep the image is, where a box's edges would show, and the best fit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.pose import Pose, half_turn
from physics.tile import Orientation
from vision.background import SHRINK, Foreground
from vision.calibration import project
from vision.fit import View, sample
from vision.solid import Box, behind, visible_edges

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Gray = NDArray[np.uint8]
Image = NDArray[np.uint8]
Obstacle = tuple[Box, Pose]

FULL_EDGE = (10.0, 4.0)
"""Slope, in grey levels per pixel, that counts as a full edge: most and least."""
FULL_LEVEL = 100.0
"""From this brightness of the table on the most is asked, less in the dark in proportion."""
TABLE_SHARE = 1.5
"""The table's own slope counts this much against that of the image."""
POINTS_PER_EDGE = 12
REACHES_PX = (6.0, 3.0, 2.0, 2.0)
"""How far to look for an edge from where it is expected, round by round."""
HOPELESS = 0.4
NEAR_MM = 100.0
RUN_AWAY_MM = 8.0
LEAST_FREE = 0.4
"""Share of its edges that known tiles may at most leave in sight."""


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """The steepest slope at each pixel of a part of the image, as a share of a full edge.

    Attributes:
        left: first column of the part.
        top: first row of the part.
        x: slope to the right.
        y: slope downwards.
        hidden: 255 where the upper face of a known tile is.
    """

    left: int
    top: int
    x: Floats32
    y: Floats32
    hidden: Gray

    def local(self, points_px: Floats) -> Floats:
        """Take pixels of the image to the part."""
        return np.asarray(points_px - np.array([self.left, self.top]))

    def across(self, points_px: Floats, normals: Floats) -> Floats:
        """Read the slope at points (n, m, 2) along directions (n, 2); shape (n, m), at most 1."""
        local = self.local(points_px)
        slope = sample(self.x, local) * normals[:, None, 0]
        slope += sample(self.y, local) * normals[:, None, 1]
        return np.minimum(np.abs(slope), 1.0)


def find_edges(
    image: Image, foreground: Foreground, hidden: Gray, roi: tuple[int, int, int, int]
) -> Edges:
    """Find the slopes of a part of the image that the empty table does not have.

    Args:
        image: the frame, BGR.
        foreground: what the empty table looks like there.
        hidden: 255 where the upper faces of known tiles are, at the size of the foreground.
        roi: left, top, right and bottom in full-size pixels, even numbers.
    """
    left, top, right, bottom = roi
    part = image[top:bottom, left:right]
    soft = np.asarray(cv2.GaussianBlur(part, (0, 0), 1.0))
    level = float(np.median(part[::8, ::8]))
    full = min(max(FULL_EDGE[0] * level / FULL_LEVEL, FULL_EDGE[1]), FULL_EDGE[0])
    slopes = [
        np.asarray(cv2.Sobel(soft, cv2.CV_32F, *way, scale=1 / (8 * full)), dtype=np.float32)
        for way in ((1, 0), (0, 1))
    ]
    x, y = slopes[0][..., 0].copy(), slopes[1][..., 0].copy()
    steep = np.hypot(x, y)
    for colour in (1, 2):
        other = np.hypot(slopes[0][..., colour], slopes[1][..., colour])
        steeper = other > steep
        x[steeper], y[steeper] = slopes[0][steeper, colour], slopes[1][steeper, colour]
        steep = np.maximum(steep, other)
    small = (slice(top // SHRINK, bottom // SHRINK), slice(left // SHRINK, right // SHRINK))
    size = (part.shape[1], part.shape[0])
    table = cv2.resize(foreground.slope[small], size).astype(np.float32) / full
    keep = np.clip(1 - TABLE_SHARE * table / (steep + 1e-3), 0, 1).astype(np.float32)
    covered = cv2.resize(hidden[small], size, interpolation=cv2.INTER_NEAREST)
    return Edges(left, top, x * keep, y * keep, np.asarray(covered, dtype=np.uint8))


@dataclass(frozen=True, slots=True, eq=False)
class BoxFit:
    """A box that may be there.

    Attributes:
        orientation: how a tile would stand, None for lying flat.
        pose: where; for a lying one the heading is its long edge.
        pixels: places along its visible edges, shape (n, 2).
        edge: how well the image shows an edge at each of them, 0..1, shape (n,).
        miss_mm: root mean square distance between its edges and those of the image.
    """

    orientation: Orientation | None
    pose: Pose
    pixels: Floats
    edge: Floats
    miss_mm: float

    def edge_outside(self, mask: Gray, shrink: int) -> float:
        """Mean edge where a mask, so many times smaller than the image, is 0; 0 if hardly there."""
        columns, rows = (self.pixels / shrink).astype(int).T
        height, width = mask.shape
        free = mask[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)] == 0
        if np.count_nonzero(free) < LEAST_FREE * len(free):
            return 0.0
        return float(self.edge[free].mean())


def fit_box(
    edges: Edges,
    box: Box,
    orientation: Orientation | None,
    start: Pose,
    view: View,
    obstacles: Sequence[Obstacle] = (),
) -> BoxFit | None:
    """Move a box until its visible edges lie on those of the image.

    Args:
        edges: of the part of the image it is in.
        box: its size.
        orientation: how a tile of that size stands, only to be passed on.
        start: first guess, good to about 3 mm and 5 degrees.
        view: the camera.
        obstacles: known tiles that may hide parts of it.

    Returns:
        The fit, or None if it ran away or too few edges are there.
    """
    pose = start
    near = [
        (b, p)
        for b, p in obstacles
        if math.dist((p.x_mm, p.y_mm), (start.x_mm, start.y_mm)) < NEAR_MM
    ]
    for reach in REACHES_PX:
        ends = edge_points(box, pose, view, near)
        offsets = np.arange(-reach, reach + 0.25, 0.5 if reach < 3 else 1.0)
        read = ends.read(edges, offsets)
        strength = read * (1 - 0.25 * (offsets / reach) ** 2)
        best = strength.argmax(axis=1)
        weight = strength[np.arange(len(strength)), best] * ends.free
        if ends.free.mean() < LEAST_FREE or weight.sum() < HOPELESS * ends.free.sum():
            return None
        weighted = ends.slopes * weight[:, None]
        square = weighted.T @ ends.slopes + np.diag([1e-3, 1e-3, 1e-1])
        step = np.linalg.solve(square, weighted.T @ offsets[best])
        dx, dy, turn = (float(s) for s in step)
        pose = Pose(pose.x_mm + dx, pose.y_mm + dy, half_turn(pose.heading_rad + turn))
        if math.hypot(pose.x_mm - start.x_mm, pose.y_mm - start.y_mm) > RUN_AWAY_MM:
            return None
    miss = offsets[best] - ends.slopes @ step
    miss_px = math.sqrt(float(weight @ miss**2) / (float(weight.sum()) + 1e-6))
    shown = read[:, np.abs(offsets) <= 1.0].max(axis=1)[ends.free]
    miss_mm = miss_px / view.scale_px_mm()
    return BoxFit(orientation, pose, ends.pixels[ends.free], shown, miss_mm)


@dataclass(frozen=True, slots=True, eq=False)
class EdgePoints:
    """Places along the visible edges of a box.

    Attributes:
        pixels: where they show, shape (n, 2).
        normals: unit directions across the edges in the image, shape (n, 2).
        slopes: shift along the normal for a step of one mm in x, one mm in y and one radian of
            heading, shape (n, 3).
        free: whether nothing known hides them, shape (n,).
    """

    pixels: Floats
    normals: Floats
    slopes: Floats
    free: NDArray[np.bool_]

    def read(self, edges: Edges, offsets_px: Floats) -> Floats:
        """Read the edge at so many pixels across each place, shape (n, offsets)."""
        steps = offsets_px[None, :, None] * self.normals[:, None, :]
        return edges.across(self.pixels[:, None, :] + steps, self.normals)


def edge_points(box: Box, pose: Pose, view: View, obstacles: Sequence[Obstacle] = ()) -> EdgePoints:
    """Lay points along the visible edges of a box and say how they move with it."""
    ends = visible_edges(box, pose, view)
    shares = (np.arange(POINTS_PER_EDGE) + 0.5) / POINTS_PER_EDGE
    table = ends[:, None, 0] + shares[None, :, None] * (ends[:, 1] - ends[:, 0])[:, None]
    table = table.reshape(-1, 3)
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1, keepdims=True)
    way = np.repeat((ends[:, 1] - ends[:, 0]) / lengths, POINTS_PER_EDGE, axis=0)
    around = np.zeros_like(table)
    around[:, 0], around[:, 1] = 0.01 * (pose.y_mm - table[:, 1]), 0.01 * (table[:, 0] - pose.x_mm)
    steps = [np.zeros(3), way, np.array([0.5, 0.0, 0.0]), np.array([0.0, 0.5, 0.0]), around]
    moved = np.concatenate([table + step for step in steps])
    pixels = project(moved, view.pose, view.intrinsics).reshape(5, -1, 2)
    along, by_x, by_y, turned = pixels[1:] - pixels[0]
    length = np.hypot(along[:, 0], along[:, 1])
    normals = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(length, 1e-9)[:, None]
    shifts = np.stack([by_x * 2, by_y * 2, turned * 100], axis=2)
    slopes = np.einsum("nk,nkm->nm", normals, shifts)
    free = np.ones(len(table), dtype=bool)
    for other, where in obstacles:
        free &= ~behind(table, other, where, view)
    seen = length > 0.15
    return EdgePoints(pixels[0][seen], normals[seen], slopes[seen], free[seen])
