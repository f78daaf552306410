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
LEAST_SCORE = 0.22
LEAST_SIDE = 0.2
LEAST_WORTH = 0.15
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
        size: rows and columns; odd.
        x: slope along table x as a share of a full edge, shape (size, size).
        y: slope along table y.
        worth: how much there is to explain, 0..1.
    """

    middle_mm: tuple[float, float]
    size: int
    x: Floats32
    y: Floats32
    worth: Floats32

    def place(self, turn: float, row: int, column: int) -> tuple[float, float]:
        """Return the table place of a cell of the view turned so."""
        u, v = column - self.size // 2, row - self.size // 2
        c, s = math.cos(turn), math.sin(turn)
        x, y = self.middle_mm
        return x + u * c - v * s, y + u * s + v * c

    def sides(self, turn: float, box: Box) -> Floats32:
        """Mean edge along the sides of an upper face centred at each place of the turned view."""
        c, s = math.cos(turn), math.sin(turn)
        half = self.size // 2
        warp = np.array([[c, -s, half - half * (c - s)], [s, c, half - half * (s + c)]])
        ahead = self._turned(np.minimum(np.abs(self.x * c + self.y * s), 1.0), warp)
        aside = self._turned(np.minimum(np.abs(self.y * c - self.x * s), 1.0), warp)
        depth, width = (max(2, round(side)) for side in (box.depth_mm, box.width_mm))
        ahead = cv2.blur(cv2.dilate(ahead, np.ones((1, 3), dtype=np.uint8)), (1, width))
        aside = cv2.blur(cv2.dilate(aside, np.ones((3, 1), dtype=np.uint8)), (depth, 1))
        front, rear = np.roll(ahead, -round(depth / 2), 1), np.roll(ahead, round(depth / 2), 1)
        left, right = np.roll(aside, -round(width / 2), 0), np.roll(aside, round(width / 2), 0)
        score = (front + rear) * width + (left + right) * depth
        score /= 2 * (width + depth)
        worth = cv2.blur(self._turned(self.worth, warp), (depth, width))
        score *= 0.4 + 0.6 * np.asarray(worth)
        score[(np.asarray(worth) < LEAST_WORTH) | (np.minimum(front, rear) < LEAST_SIDE)] = 0.0
        return np.asarray(score, dtype=np.float32)

    def _turned(self, values: NDArray[Any], warp: Floats) -> NDArray[Any]:
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(values, warp, (self.size, self.size), flags=flags))


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
    size = int(np.ceil(np.linalg.norm(high - low))) | 1
    steps = np.arange(size) - size // 2
    x, y = np.meshgrid(middle[0] + steps, middle[1] + steps)
    table = np.stack([x.ravel(), y.ravel(), np.full(x.size, z_mm)], axis=1)
    pixels = project(table, view.pose, view.intrinsics).reshape(size, size, 2)
    half, scale = size // 2, view.scale_px_mm(z_mm)
    right = (pixels[half, -1] - pixels[half, 0]) / (size - 1) / scale
    away = (pixels[-1, half] - pixels[0, half]) / (size - 1) / scale
    local = edges.local(pixels)
    gx, gy = sample(edges.x, local), sample(edges.y, local)
    free = sample(edges.hidden, local) <= 127
    return Plane(
        (float(middle[0]), float(middle[1])),
        size,
        ((gx * right[0] + gy * right[1]) * free).astype(np.float32),
        ((gx * away[0] + gy * away[1]) * free).astype(np.float32),
        (sample(worth, (pixels + 0.5) / SHRINK - 0.5) / 255).astype(np.float32),
    )


def upper_faces(plane: Plane, box: Box, most: int) -> list[Face]:
    """Find places where the upper face of a box may be, best first.

    Args:
        plane: the view from above at the height of the box.
        box: its size.
        most: how many to return.
    """
    found: list[Face] = []
    for turn in np.radians(np.arange(0.0, 180.0, TURN_STEP_DEG)):
        score = plane.sides(float(turn), box)
        peaks = (score >= cv2.dilate(score, PEAK)) & (score > LEAST_SCORE)
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
