"""Upper faces from above: first guesses of boxes that no mark gives away.

Seen from straight above, in the plane it lies in, the upper face of a tile is a rectangle of known
size. So the view is turned step by step, and the contrast along the four sides is added up.
"""

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.pose import Pose, half_turn
from vision.background import SHRINK
from vision.calibration import project, to_plane
from vision.edges import Edges
from vision.fit import View, sample
from vision.solid import Box

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Gray = NDArray[np.uint8]

TURN_STEP_DEG = 7.5
LEAST_SIDE = 0.2
LEAST_WORTH = 0.15
ROW = np.ones((1, 3), dtype=np.uint8)
PEAK = np.ones((7, 7), dtype=np.uint8)
MARGIN_MM = 4.0
APART_MM = 4.0
APART_RAD = math.radians(20)


@dataclass(frozen=True, slots=True)
class Face:
    """A first guess: where, and how well the four sides show."""

    pose: Pose
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """A part of the image as if all of it lay at one height, seen from above, one cell a mm.

    Attributes:
        middle_mm: table place of the middle of the view.
        x: slope along table x as a share of a full edge, shape (rows, columns).
        y: slope along table y.
        worth: how much there is to explain, 0..255.
    """

    middle_mm: tuple[float, float]
    x: Floats32
    y: Floats32
    worth: Gray

    def turned_size(self, turn: float) -> tuple[int, int]:
        """Rows and columns of the view turned so; both odd."""
        rows, columns = self.x.shape
        c, s = abs(math.cos(turn)), abs(math.sin(turn))
        return math.ceil(columns * s + rows * c) | 1, math.ceil(columns * c + rows * s) | 1

    def place(self, turn: float, row: int, column: int) -> tuple[float, float]:
        """Return the table place of a cell of the view turned so."""
        rows, columns = self.turned_size(turn)
        u, v = column - columns // 2, row - rows // 2
        c, s = math.cos(turn), math.sin(turn)
        x, y = self.middle_mm
        return x + u * c - v * s, y + u * s + v * c

    def sides(self, turn: float, box: Box) -> Floats32:
        """Mean edge along the sides of an upper face centred at each place of the turned view."""
        c, s = math.cos(turn), math.sin(turn)
        (rows, columns), (high, wide) = self.x.shape, self.turned_size(turn)
        middle_x, middle_y = (columns - 1) / 2, (rows - 1) / 2
        right, down = wide // 2, high // 2
        warp = np.array(
            [[c, -s, middle_x - right * c + down * s], [s, c, middle_y - right * s - down * c]]
        )
        ahead = _turned(cv2.convertScaleAbs(self.x * c + self.y * s, alpha=255), warp, wide, high)
        aside = _turned(cv2.convertScaleAbs(self.y * c - self.x * s, alpha=255), warp, wide, high)
        depth, width = (max(2, round(side)) for side in (box.depth_mm, box.width_mm))
        ahead = cv2.blur(cv2.dilate(ahead, ROW), (1, width))
        aside = cv2.blur(cv2.dilate(aside, ROW.T), (depth, 1))
        front, rear = _at(ahead, round(depth / 2), 0), _at(ahead, -round(depth / 2), 0)
        far, near = _at(aside, 0, round(width / 2)), _at(aside, 0, -round(width / 2))
        worth = cv2.blur(_turned(self.worth, warp, wide, high), (depth, width))
        long, short = (side / (width + depth) / 255 for side in (width, depth))
        faces = cv2.addWeighted(front, long / 2, rear, long / 2, 0, dtype=cv2.CV_32F)
        ends = cv2.addWeighted(far, short / 2, near, short / 2, 0, dtype=cv2.CV_32F)
        weight = cv2.addWeighted(worth, 0.6 / 255, worth, 0.0, 0.4, dtype=cv2.CV_32F)
        score = np.asarray(cv2.multiply(cv2.add(faces, ends), weight), dtype=np.float32)
        score[np.asarray(cv2.min(front, rear)) < LEAST_SIDE * 255] = 0.0
        score[np.asarray(worth) < LEAST_WORTH * 255] = 0.0
        return score


def _turned(values: NDArray[Any], warp: Floats, columns: int, rows: int) -> NDArray[Any]:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(values, warp, (columns, rows), flags=flags))


def _at(values: NDArray[Any], right: int, down: int) -> NDArray[Any]:
    """Shift a view so that each cell holds what lies so many cells further on."""
    rows, columns = values.shape
    padded = cv2.copyMakeBorder(
        values, abs(down), abs(down), abs(right), abs(right), cv2.BORDER_CONSTANT, value=(0,)
    )
    top, left = abs(down) + down, abs(right) + right
    return np.asarray(padded)[top : top + rows, left : left + columns]


def plane_over(
    roi: tuple[int, int, int, int], z_mm: float, edges: Edges, worth: Gray, view: View
) -> Plane:
    """Look at a part of the image from above.

    Args:
        roi: left, top, right and bottom in pixels.
        z_mm: height of the plane.
        edges: slopes of the image there and a margin round it.
        worth: how much there is to explain, 0..255, at the size of the foreground.
        view: the camera.
    """
    x0, y0, x1, y1 = roi
    ends = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64)
    plane = to_plane(ends, z_mm, view.pose, view.intrinsics)
    low, high = plane.min(axis=0) - MARGIN_MM, plane.max(axis=0) + MARGIN_MM
    middle = (low + high) / 2
    columns, rows = (math.ceil(side) | 1 for side in high - low)
    x, y = np.meshgrid(
        middle[0] + np.arange(columns) - columns // 2, middle[1] + np.arange(rows) - rows // 2
    )
    table = np.stack([x.ravel(), y.ravel(), np.full(x.size, z_mm)], axis=1)
    pixels = project(table, view.pose, view.intrinsics).reshape(rows, columns, 2)
    scale = view.scale_px_mm(z_mm)
    right = (pixels[rows // 2, -1] - pixels[rows // 2, 0]) / (columns - 1) / scale
    away = (pixels[-1, columns // 2] - pixels[0, columns // 2]) / (rows - 1) / scale
    local = edges.local(pixels)
    gx, gy = sample(edges.x, local), sample(edges.y, local)
    free = sample(edges.hidden, local) <= 127
    return Plane(
        (float(middle[0]), float(middle[1])),
        ((gx * right[0] + gy * right[1]) * free).astype(np.float32),
        ((gx * away[0] + gy * away[1]) * free).astype(np.float32),
        sample(worth, (pixels + 0.5) / SHRINK - 0.5).astype(np.uint8),
    )


def upper_faces(plane: Plane, box: Box, most: int, least: float) -> list[Face]:
    """Find places where the upper face of a box may be, best first.

    Args:
        plane: the view from above at the height of the box.
        box: its size.
        most: how many to return.
        least: score from which on a place is worth a look.
    """
    found: list[Face] = []
    for turn in np.radians(np.arange(0.0, 180.0, TURN_STEP_DEG)):
        score = plane.sides(float(turn), box)
        peaks = (score >= cv2.dilate(score, PEAK)) & (score > least)
        for row, column in zip(*np.nonzero(peaks), strict=True):
            x, y = plane.place(float(turn), int(row), int(column))
            found.append(Face(Pose(x, y, half_turn(float(turn))), float(score[row, column])))
    kept: list[Face] = []
    for face in sorted(found, key=lambda f: -f.score):
        if not any(_alike(face.pose, k.pose) for k in kept):
            kept.append(face)
        if len(kept) == most:
            break
    return kept


def _alike(one: Pose, two: Pose) -> bool:
    near = math.hypot(one.x_mm - two.x_mm, one.y_mm - two.y_mm) < APART_MM
    return near and abs(half_turn(one.heading_rad - two.heading_rad)) < APART_RAD
