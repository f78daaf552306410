"""Fitting a mark's drawing to the image, to a fraction of a pixel."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.pose import full_turn
from vision.calibration import CameraPose, Intrinsics, project
from vision.marks import Sticker

Floats = NDArray[np.float64]
Gray = NDArray[np.uint8]

STEP_MM = 0.5
BLUR_PX = 0.9
ROUNDS = 6


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Where the camera is and what its lens does: all that turns px into mm."""

    pose: CameraPose
    intrinsics: Intrinsics

    def scale_px_mm(self, z_mm: float = 0.0) -> float:
        """How many pixels a millimetre has, at a height over the table and mid-image."""
        axis = self.pose.rotation[2]
        centre = self.pose.centre_mm
        reach = (z_mm - centre[2]) / axis[2]
        return float(self.intrinsics.matrix[0, 0] / reach)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mark lies on a level plane.

    Attributes:
        x_mm: table x of its centre.
        y_mm: table y of its centre.
        axis_rad: direction from cell 0 to cell 8.
        z_mm: height of the plane.
    """

    x_mm: float
    y_mm: float
    axis_rad: float
    z_mm: float

    def to_table(self, along_mm: Floats, across_mm: Floats) -> Floats:
        """Take points of the mark to the table frame, shape (n, 3)."""
        c, s = math.cos(self.axis_rad), math.sin(self.axis_rad)
        return np.stack(
            [
                self.x_mm + along_mm * c - across_mm * s,
                self.y_mm + along_mm * s + across_mm * c,
                np.full(along_mm.shape, self.z_mm),
            ],
            axis=-1,
        )


@dataclass(frozen=True, slots=True)
class MarkFit:
    """A mark found in the image.

    Attributes:
        place: where it lies.
        score: correlation of drawing and image, -1..1.
        contrast: brightness of paper over ink, in grey levels.
        stretch: length and width as the image shows them, over those printed.
        sigma_mm: standard deviation of the place from the fit alone.
        sigma_rad: that of the direction.
    """

    place: Place
    score: float
    contrast: float
    stretch: tuple[float, float]
    sigma_mm: float
    sigma_rad: float


def sample(values: NDArray[Any], points_px: Floats) -> Floats:
    """Read an image between its pixels.

    Args:
        values: shape (rows, columns) or (rows, columns, channels).
        points_px: shape (n, 2) or (m, n, 2), n below 32767.

    Returns:
        Shape (n,) or (m, n), and the channels if there are any.
    """
    rows = points_px.astype(np.float32).reshape(-1, *points_px.shape[-2:])
    x, y = np.ascontiguousarray(rows[..., 0]), np.ascontiguousarray(rows[..., 1])
    read = cv2.remap(values, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(read, dtype=np.float64).reshape(*points_px.shape[:-1], *values.shape[2:])


def cells(gray: Gray, view: View, places: Sequence[Place], sticker: Sticker) -> Floats:
    """Read the brightness of the nine cells of marks, each over the middle of its window.

    Args:
        gray: the image.
        view: the camera.
        places: where the marks may lie.
        sticker: their geometry.

    Returns:
        Shape (places, 9).
    """
    centres = np.array(sticker.cell_centres_mm)
    offsets = np.array([-0.25, 0.0, 0.25]) * sticker.cell_mm
    along = np.repeat((centres[:, None] + offsets).ravel(), 3)
    across = np.tile([-0.5, 0.0, 0.5], along.size // 3)
    if not places:
        return np.zeros((0, 9))
    table = np.concatenate([place.to_table(along, across) for place in places])
    points = project(table, view.pose, view.intrinsics).reshape(len(places), -1, 2)
    means: Floats = sample(gray, points).reshape(len(places), 9, -1).mean(axis=2)
    return means


def fit_mark(gray: Gray, view: View, start: Place, word: str, sticker: Sticker) -> MarkFit | None:
    """Move a mark's drawing until it lies best on the image.

    Args:
        gray: the image.
        view: the camera.
        start: first guess, good to about a millimetre.
        word: the cells to draw.
        sticker: their geometry.

    Returns:
        The fit, or None if it ran away or left the image.
    """
    drawing = _drawing(word, sticker, round(BLUR_PX / view.scale_px_mm(start.z_mm), 2))
    place = start
    for _ in range(ROUNDS):
        points = project(
            place.to_table(drawing.along_mm, drawing.across_mm), view.pose, view.intrinsics
        )
        if not _inside(points, gray):
            return None
        seen = sample(gray, points)
        solution = drawing.solver @ seen
        gain = float(solution[0])
        if gain <= 1.0:
            return None
        along, across, turn = (float(v) for v in -solution[1:4] / gain)
        if math.hypot(along, across) > 3.0 or abs(turn) > 0.3:
            return None
        c, s = math.cos(place.axis_rad), math.sin(place.axis_rad)
        place = Place(
            place.x_mm + along * c - across * s,
            place.y_mm + along * s + across * c,
            full_turn(place.axis_rad + turn),
            place.z_mm,
        )
        if math.hypot(place.x_mm - start.x_mm, place.y_mm - start.y_mm) > 4.0:
            return None
        if math.hypot(along, across) < 0.02 and abs(turn) < 0.001:
            break
    rest = seen - drawing.matrix @ solution
    noise = float(np.sqrt(rest @ rest / (len(rest) - 7)))
    score = math.sqrt(max(0.0, 1.0 - float(rest @ rest) / (float(seen.var()) * len(seen) or 1.0)))
    spread: list[float] = (noise / gain * drawing.spread).tolist()
    return MarkFit(
        place,
        score,
        gain,
        (1.0 + float(-solution[4] / gain), 1.0 + float(-solution[5] / gain)),
        max(spread[1], spread[2]),
        spread[3],
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Drawing:
    """A blurred mark on a grid, and the linear step that moves it towards an image."""

    along_mm: Floats
    across_mm: Floats
    matrix: Floats
    solver: Floats
    spread: Floats


@lru_cache(maxsize=256)
def _drawing(word: str, sticker: Sticker, blur_mm: float) -> _Drawing:
    fine = 0.1
    length, width = sticker.sticker_mm
    reach = 2.0
    columns = round((length + 2 * reach) / fine) | 1
    rows = round((width + 2 * reach) / fine) | 1
    u = (np.arange(columns) - columns // 2) * fine
    v = (np.arange(rows) - rows // 2) * fine
    grid_u, grid_v = np.meshgrid(u, v)
    sharp = sticker.paint(word, grid_u, grid_v)
    paint = np.asarray(cv2.GaussianBlur(sharp, (0, 0), blur_mm / fine), dtype=np.float64)
    slope_v, slope_u = (np.asarray(np.gradient(paint, fine, axis=axis)) for axis in (0, 1))
    step = round(STEP_MM / fine)
    half_u = int((length / 2 - 0.2) / STEP_MM) * step
    half_v = int((width / 2 - 0.2) / STEP_MM) * step
    pick = np.ix_(
        np.arange(rows // 2 - half_v, rows // 2 + half_v + 1, step),
        np.arange(columns // 2 - half_u, columns // 2 + half_u + 1, step),
    )
    along, across = grid_u[pick].ravel(), grid_v[pick].ravel()
    ink, du, dv = paint[pick].ravel(), slope_u[pick].ravel(), slope_v[pick].ravel()
    matrix = np.stack(
        [ink, du, dv, along * dv - across * du, along * du, across * dv, np.ones(len(ink))], axis=1
    )
    square = np.linalg.inv(matrix.T @ matrix)
    return _Drawing(along, across, matrix, square @ matrix.T, np.sqrt(np.diag(square)))


def _inside(points: Floats, gray: Gray) -> bool:
    rows, columns = gray.shape
    low, high = points.min(axis=0), points.max(axis=0)
    return bool(low[0] >= 0 and low[1] >= 0 and high[0] < columns - 1 and high[1] < rows - 1)
