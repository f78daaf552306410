"""Upper faces from above: first guesses of tiles that no mark gives away.

Seen from straight above, in the plane it lies in, the upper face of a tile is a rectangle of known
size. So the view is turned step by step, and the contrast along the four sides is added up. One
view of the table serves all heights: a level plane higher up looks the same, only larger and
farther from the point under the camera.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.row.pose import half_turn
from vision.arrays import Floats, Floats32, Gray
from vision.background.background import SHRINK
from vision.geometry.boxes import Box
from vision.geometry.camera_pose import View, to_plane
from vision.geometry.image_sampling import sample
from vision.tuning.tuning import TUNING
from vision.tuning.unmarked import TopFaceTuning
from vision.unmarked.edge_fit import Edges

ROW = np.ones((1, 3), dtype=np.uint8)
NONE = np.zeros((0, 4))


@lru_cache(maxsize=4)
def _turns(tuning: TopFaceTuning) -> Floats:
    """The turns in which the table is looked at, of a quarter turn, in rad."""
    return np.asarray(np.radians(np.arange(0.0, 90.0, tuning.turn_step_deg)))


@dataclass(frozen=True, slots=True)
class Face:
    """A first guess: where, and how well the four sides show."""

    x_mm: float
    y_mm: float
    heading_rad: float
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """A part of the image as if all of it lay on the table, seen from above.

    Attributes:
        middle_mm: table place of the middle of the view.
        eye_mm: where the camera is.
        slope: along table x and y as a share of a full edge, shape (rows, columns, 2).
        worth: how much there is to explain, 0..255.
        tuning: see `TopFaceTuning`.
    """

    middle_mm: tuple[float, float]
    eye_mm: tuple[float, float, float]
    slope: Floats32
    worth: Gray
    tuning: TopFaceTuning = TUNING.top_faces

    def share(self, z_mm: float) -> float:
        """Millimetres at a height for one on the table, as the camera sees them."""
        return 1.0 - z_mm / self.eye_mm[2]

    def turned(self, turn: float) -> "Turned":
        """Return the view turned so."""
        rows, columns = self.worth.shape
        c, s = math.cos(turn), math.sin(turn)
        wide = math.ceil(columns * abs(c) + rows * abs(s)) | 1
        high = math.ceil(columns * abs(s) + rows * abs(c)) | 1
        middle_x, middle_y = (columns - 1) / 2, (rows - 1) / 2
        right, down = wide // 2, high // 2
        warp = np.array(
            [[c, -s, middle_x - right * c + down * s], [s, c, middle_y - right * s - down * c]]
        )
        x, y = self.slope[..., 0], self.slope[..., 1]
        layers = [cv2.convertScaleAbs(x * c + y * s, alpha=255)]
        layers += [cv2.convertScaleAbs(y * c - x * s, alpha=255), self.worth]
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        drawn = cv2.split(cv2.warpAffine(cv2.merge(layers), warp, (wide, high), flags=flags))
        ahead, aside = cv2.dilate(drawn[0], ROW), cv2.dilate(drawn[1], ROW.T)
        seen = [np.asarray(layer, dtype=np.uint8) for layer in (ahead, aside, drawn[2])]
        return Turned(self, turn, seen[0], seen[1], seen[2], tuning=self.tuning)

    def turns(self) -> list[float]:
        """Return the turns in which sides of tiles may lie, of a quarter turn."""
        x, y = self.slope[..., 0], self.slope[..., 1]
        steep = np.hypot(x, y)
        steep[self.worth == 0] = 0.0
        rows, columns = np.nonzero(steep > self.tuning.steep_share)
        angle = np.degrees(np.arctan2(y[rows, columns], x[rows, columns]))
        turns = _turns(self.tuning)
        bins = np.round(angle / self.tuning.turn_step_deg).astype(int) % len(turns)
        often = np.bincount(bins, weights=steep[rows, columns], minlength=len(turns))
        beside = np.maximum(np.roll(often, 1), np.roll(often, -1))
        often = np.maximum(often, beside * self.tuning.neighbour_share)
        least = self.tuning.least_turn_share * often.max()
        return [float(t) for t, n in zip(turns, often, strict=True) if n > least]


@dataclass(frozen=True, slots=True, eq=False)
class Turned:
    """The view turned: slopes along its columns and its rows, and what there is to explain."""

    ground: Ground
    turn: float
    ahead: Gray
    aside: Gray
    worth: Gray
    tuning: TopFaceTuning = TUNING.top_faces

    def faces(self, box: Box, least: float) -> list[Floats]:
        """Find upper faces of a box that lie along or across this view.

        Returns:
            x and y in mm, heading in rad and score of each, shape (n, 4): one array of those along,
            one of those across, where there are any.
        """
        found = []
        round_it = np.ones((self.tuning.peak_cells,) * 2, dtype=np.uint8)
        for across in (False, True):
            sides = self._sides(box, across)
            if sides is None:
                continue
            corner, score = sides
            peaks = cv2.inRange(score, round(255 * least), 255)
            if not cv2.countNonZero(peaks):
                continue
            peaks = cv2.min(peaks, cv2.compare(score, cv2.dilate(score, round_it), cv2.CMP_GE))
            heading = half_turn(self.turn + (math.pi / 2 if across else 0.0))
            columns, rows = np.asarray(cv2.findNonZero(peaks), dtype=np.intp).reshape(-1, 2).T
            faces = np.empty((len(rows), 4))
            faces[:, 0], faces[:, 1] = self._places(
                rows + corner[0], columns + corner[1], box.height_mm
            )
            faces[:, 2], faces[:, 3] = heading, score[rows, columns] / 255
            found.append(faces)
        return found

    def _places(
        self, row: NDArray[np.intp], column: NDArray[np.intp], z_mm: float
    ) -> tuple[Floats, Floats]:
        """Return the table places of what is seen in cells, if it is at a height."""
        rows, columns = self.worth.shape
        cell_mm = self.tuning.cell_mm
        u, v = (column - columns // 2) * cell_mm, (row - rows // 2) * cell_mm
        c, s = math.cos(self.turn), math.sin(self.turn)
        x, y = self.ground.middle_mm
        x, y = x + u * c - v * s, y + u * s + v * c
        share, (eye_x, eye_y, _) = self.ground.share(z_mm), self.ground.eye_mm
        return eye_x + share * (x - eye_x), eye_y + share * (y - eye_y)

    def _sides(self, box: Box, across: bool) -> tuple[tuple[int, int], Gray] | None:
        """Mean edge along the sides of an upper face centred in each cell.

        Returns:
            Row and column of the first cell, and a share of 255 for each; None if none is good.
        """
        cell = self.tuning.cell_mm * self.ground.share(box.height_mm)
        wide, high = max(2, round(box.depth_mm / cell)), max(2, round(box.width_mm / cell))
        long = high / (wide + high)
        if across:
            wide, high = high, wide
        right, down = (wide + 1) // 2, (high + 1) // 2
        rows, columns = self.worth.shape
        if rows <= 2 * down or columns <= 2 * right:
            return None

        def along() -> tuple[Gray, Gray]:
            seen = np.asarray(cv2.blur(self.ahead, (1, high)), np.uint8)[down : rows - down]
            return seen[:, 2 * right :], seen[:, : columns - 2 * right]

        def beside() -> tuple[Gray, Gray]:
            seen = np.asarray(cv2.blur(self.aside, (wide, 1)), np.uint8)
            seen = seen[:, right : columns - right]
            return seen[2 * down :], seen[: rows - 2 * down]

        # Mostly there is nothing, which the two broad sides tell by themselves.
        broad = beside() if across else along()
        good = cv2.inRange(cv2.min(*broad), self.tuning.least_side_share * 255, 255)
        if not cv2.countNonZero(good):
            return None
        inner = np.s_[down : rows - down, right : columns - right]
        worth = cv2.blur(self.worth, (wide, high))[inner]
        good = cv2.min(good, cv2.inRange(worth, self.tuning.least_worth_share * 255, 255))
        if not cv2.countNonZero(good):
            return None
        narrow = along() if across else beside()
        one, two = (cv2.addWeighted(a, 0.5, b, 0.5, 0) for a, b in (broad, narrow))
        sides = cv2.addWeighted(one, long, two, 1 - long, 0)
        share = self.tuning.worth_share
        weight = cv2.convertScaleAbs(worth, alpha=share, beta=(1 - share) * 255)
        score = cv2.multiply(sides, weight, scale=1 / 255)
        return (down, right), np.asarray(cv2.min(score, good), dtype=np.uint8)


def ground_under(
    roi: tuple[int, int, int, int],
    edges: Edges,
    worth: Gray,
    view: View,
    least_mm: float,
    tuning: TopFaceTuning = TUNING.top_faces,
) -> Ground:
    """Look at a part of the image from above.

    Args:
        roi: left, top, right and bottom in px; `edges` reach farther.
        edges: the slopes there.
        worth: how much there is to explain, at the size of the foreground.
        view: the camera.
        least_mm: how wide the part is at least: of a tile in shadow often but a spot stands out,
            and an upper face is found only if all of it is in view.
        tuning: see `TopFaceTuning`.
    """
    left, top, right, bottom = roi
    corners = np.array([(x, y) for x in (left, right) for y in (top, bottom)], dtype=np.float64)
    table = to_plane(corners, 0.0, view.pose, view.intrinsics)
    low, high = table.min(axis=0), table.max(axis=0)
    middle = (low + high) / 2
    size = np.maximum(high - low + 2 * tuning.margin_mm, least_mm)
    columns, rows = (int(v) for v in np.ceil(size / tuning.cell_mm).astype(int) | 1)
    x = middle[0] + (np.arange(columns) - columns // 2) * tuning.cell_mm
    y = middle[1] + (np.arange(rows) - rows // 2) * tuning.cell_mm
    pixels = view.project(np.stack([*np.meshgrid(x, y), np.zeros((rows, columns))], axis=-1))
    scale = view.scale_px_mm() * tuning.cell_mm
    across = (pixels[rows // 2, -1] - pixels[rows // 2, 0]) / (columns - 1) / scale
    away = (pixels[-1, columns // 2] - pixels[0, columns // 2]) / (rows - 1) / scale
    local = edges.local(pixels)
    read = sample(edges.slope, local)
    free = (sample(edges.hidden, local) <= 127)[..., None]
    slope = (read @ np.stack([across, away], axis=1)) * free
    eye = view.pose.centre_mm
    return Ground(
        (float(middle[0]), float(middle[1])),
        (float(eye[0]), float(eye[1]), float(eye[2])),
        slope.astype(np.float32),
        sample(worth, (pixels + 0.5) / SHRINK - 0.5).astype(np.uint8),
        tuning=tuning,
    )


def upper_faces(
    ground: Ground,
    boxes: Sequence[Box],
    most: int,
    least: float,
    tuning: TopFaceTuning = TUNING.top_faces,
) -> list[tuple[int, Face]]:
    """Find places where the upper faces of boxes may be, best first.

    Args:
        ground: the view from above.
        boxes: their sizes.
        most: how many to return of each.
        least: score from which on a place is worth a look.
        tuning: see `TopFaceTuning`.

    Returns:
        Which box, and where.
    """
    views = [ground.turned(turn) for turn in ground.turns()]
    found = [
        np.concatenate([NONE, *(faces for view in views for faces in view.faces(box, least))])
        for box in boxes
    ]
    kept = [(n, face) for n, faces in enumerate(found) for face in _apart(faces, most, tuning)]
    return sorted(kept, key=lambda one: -one[1].score)


def _apart(faces: Floats, most: int, tuning: TopFaceTuning) -> list[Face]:
    """Return the best of what `Turned.faces` found, without those that are like a better one."""
    best_first = faces[np.argsort(-faces[:, 3], kind="stable")]
    kept = unlike(best_first, tuning.apart_mm, tuning.apart_rad, most)
    return [Face(*face) for face in kept]


def unlike(
    places: Floats, apart_mm: float, apart_rad: float, most: int | None = None, earlier: int = 0
) -> list[list[float]]:
    """Leave out places that are like an earlier one; half a turn makes no difference.

    Args:
        places: x and y in mm, heading in rad, and what else belongs to them, shape (n, k).
        apart_mm: places nearer to each other than this ...
        apart_rad: ... and turned more alike are one.
        most: how many to return; None for all.
        earlier: so many of the first are not returned, and only keep others away.
    """
    # One row each for x, y, and the cosine and sine of twice the heading (half a turn makes no
    # difference): NumPy is quicker along many places.
    x_mm, y_mm, heading_rad = places[:, :3].T
    left = np.stack([x_mm, y_mm, np.cos(2 * heading_rad), np.sin(2 * heading_rad)])
    numbers = np.arange(len(places))
    kept: list[list[float]] = []
    while numbers.size and len(kept) != most:
        if numbers[0] >= earlier:
            kept.append(places[numbers[0]].tolist())
        x, y, c, s = left[:, 0]
        apart = (left[0] - x) ** 2 + (left[1] - y) ** 2 >= apart_mm**2
        other = apart | (left[2] * c + left[3] * s <= math.cos(2 * apart_rad))
        other[0] = False
        left, numbers = left[:, other], numbers[other]
    return kept
