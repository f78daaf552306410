"""Several views of flat sheets at once: the lens, the cameras and the sheets that fit them all.

A sheet is a piece of paper with points of known place on it: a strip of the mat or a board. All
sheets lie in one plane. What is not known, such as where the strips lie, is found together with the
cameras from all views by least squares (bundle adjustment).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Numbers
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics
from vision.tuning.geometry import LEAST_SQUARES, BundleTuning
from vision.tuning.tuning import TUNING

Model = Callable[[Floats], tuple[Floats, Floats]]
"""Takes the unknowns, shape (n,); gives residuals, shape (m,), and their Jacobian, (m, n)."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Where a fit ended.

    Attributes:
        values: the unknowns, shape (n,).
        jacobian: of the residuals there, shape (m, n).
    """

    values: Floats
    jacobian: Floats

    def covariance(self, sigma: float) -> Floats:
        """Return the covariance of the unknowns, shape (n, n).

        Args:
            sigma: standard deviation of one residual.
        """
        normal = self.jacobian.T @ self.jacobian
        # Unknowns differ by many powers of ten; as shares of their own curvature they do not.
        curved = np.diag(normal)
        size = np.sqrt(np.where(curved > 0, curved, 1.0))
        sizes = np.outer(size, size)
        inverse = np.linalg.inv(normal / sizes + LEAST_SQUARES.ridge * np.eye(len(size)))
        return np.asarray(inverse / sizes * sigma**2)


def least_squares(model: Model, start: Floats) -> Fit:
    """Find the unknowns whose squared residuals add up to least, near a start.

    Each unknown is damped by its own curvature (Marquardt 1963), so units do not matter.

    Args:
        model: residuals and Jacobian of given unknowns.
        start: shape (n,).

    >>> line = lambda p: (p[0] * np.arange(3.0) - [1.0, 3.0, 5.0] + p[1], np.array(
    ...     [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]))
    >>> least_squares(line, np.zeros(2)).values.round(6)
    array([2., 1.])
    """
    values = np.asarray(start, dtype=np.float64)
    residuals, jacobian = model(values)
    damping = LEAST_SQUARES.damping
    for _ in range(LEAST_SQUARES.steps):
        normal = jacobian.T @ jacobian
        slope = jacobian.T @ residuals
        scale = np.diag(np.maximum(np.diag(normal), 1e-12))
        cost = float(residuals @ residuals)
        while damping < LEAST_SQUARES.most_damping:
            step = -np.linalg.solve(normal + damping * scale, slope)
            left, bent = model(values + step)
            new_cost = float(left @ left)
            if np.isfinite(new_cost) and new_cost <= cost:
                break
            damping *= LEAST_SQUARES.harder
        else:
            break
        values, residuals, jacobian = values + step, left, bent
        damping = max(damping / LEAST_SQUARES.easier, LEAST_SQUARES.least_damping)
        if cost - new_cost <= LEAST_SQUARES.least_gain * cost:
            break
    return Fit(values, jacobian)


@dataclass(frozen=True, slots=True, eq=False)
class SheetPoints:
    """The points of sheets that one image shows.

    Attributes:
        points_mm: nominal place of each point in the plane, shape (n, 2).
        sheets: number of the sheet that each lies on, shape (n,).
        spots: number of the marker, or of any other small piece of paper, that each is part of,
            shape (n,); a spot may lie a little above the plane.
        pixels: where the image shows it, shape (n, 2).
        inwards: for the corners of a black square the way to its middle, in the plane; zero where
            white paper cannot make the point seem elsewhere. Shape (n, 2).
        intrinsics: the lens, or the first idea of it.
        pose: the camera, or the first idea of it.
    """

    points_mm: Floats
    sheets: Numbers
    spots: Numbers
    pixels: Floats
    inwards: Floats
    intrinsics: Intrinsics
    pose: CameraPose


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """What fits all views.

    Attributes:
        intrinsics: the lens of each view.
        poses: the camera of each view, with the root mean square of its misses.
        moves: how far each sheet lies from its nominal place: x, y (mm, of its middle) and the
            angle (rad, counter-clockwise), shape (sheets, 3).
        moves_covariance: of the same in this order, shape (3 * sheets, 3 * sheets). It holds the
            common motion of all sheets, which no view can tell.
        heights_mm: how far each spot lies above the plane, shape (spots,); empty if all lie in it.
        lens_sigma: standard deviations of fx, fy, cx, cy, k1, k2, p1, p2, k3; zeros if given.
        misses_px: by how much each point of each view misses, one array of shape (n, 2) a view.
        kept: which points were used, one array of shape (n,) a view.
        error_px: root mean square miss of the points used.
    """

    intrinsics: tuple[Intrinsics, ...]
    poses: tuple[CameraPose, ...]
    moves: Floats
    moves_covariance: Floats
    heights_mm: Floats
    lens_sigma: Floats
    misses_px: tuple[Floats, ...]
    kept: tuple[NDArray[np.bool_], ...]
    error_px: float


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """Where in the list of unknowns everything is."""

    sightings: Sequence[SheetPoints]
    middles: Floats
    free_lens: bool
    free_sheets: bool
    spots: int
    tuning: BundleTuning

    @property
    def lens_count(self) -> int:
        return len(self.tuning.lens_prior) if self.free_lens else 0

    @property
    def sheet_count(self) -> int:
        return len(self.tuning.sheet_prior_mm_rad) * len(self.middles) if self.free_sheets else 0

    def start(self) -> Floats:
        parts = [np.zeros(self.lens_count + self.sheet_count + self.spots)]
        if self.free_lens:
            parts[0][:9] = _lens_values(self.sightings[0].intrinsics)
        for seen in self.sightings:
            turn = np.asarray(cv2.Rodrigues(seen.pose.rotation)[0]).ravel()
            parts.append(np.concatenate([turn, seen.pose.translation_mm, [0.0]]))
        return np.concatenate(parts)

    def camera(self, view: int) -> slice:
        first = self.lens_count + self.sheet_count + self.spots + 7 * view
        return slice(first, first + 7)

    def lens(self, values: Floats, view: int) -> Intrinsics:
        given = self.sightings[view].intrinsics
        if not self.free_lens:
            return given
        fx, fy, cx, cy = values[:4]
        matrix = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
        return Intrinsics(matrix, values[4:9].copy(), given.width, given.height)

    def moves(self, values: Floats) -> Floats:
        if not self.free_sheets:
            return np.zeros((len(self.middles), 3))
        return values[self.lens_count : self.lens_count + self.sheet_count].reshape(-1, 3)

    def heights(self, values: Floats) -> Floats:
        first = self.lens_count + self.sheet_count
        return values[first : first + self.spots]

    def view(self, values: Floats, view: int) -> tuple[Floats, Floats]:
        """Misses of one view, shape (n, 2), and their Jacobian, shape (n, 2, unknowns)."""
        seen = self.sightings[view]
        camera = values[self.camera(view)]
        moves = self.moves(values)
        laid = lay(seen.points_mm, seen.sheets, self.middles, moves)
        turned = laid - self.middles[seen.sheets] - moves[seen.sheets, :2]
        up = self.heights(values)[seen.spots] if self.spots else np.zeros(len(laid))
        places = np.column_stack([laid, up])
        lens = self.lens(values, view)
        expected, slopes = cv2.projectPoints(
            places, camera[:3], camera[3:6], lens.matrix, lens.dist
        )
        slopes = np.asarray(slopes, np.float64).reshape(-1, 2, 15)
        rotation = np.asarray(cv2.Rodrigues(camera[:3])[0])
        by_place = slopes[:, :, 3:6] @ rotation
        inwards = (by_place[:, :, :2] @ seen.inwards[:, :, None])[:, :, 0]
        length = np.linalg.norm(inwards, axis=1, keepdims=True)
        inwards = np.divide(inwards, length, out=np.zeros_like(inwards), where=length > 0)
        missing = expected.reshape(-1, 2) + camera[6] * inwards - seen.pixels
        jacobian = np.zeros((len(places), 2, len(values)))
        jacobian[:, :, self.camera(view)] = np.concatenate(
            [slopes[:, :, :6], inwards[:, :, None]], axis=2
        )
        if self.free_lens:
            jacobian[:, :, :9] = slopes[:, :, 6:15]
        rows = np.arange(len(places))
        if self.free_sheets:
            around = np.stack([-turned[:, 1], turned[:, 0]], axis=1)
            by_angle = (by_place[:, :, :2] @ around[:, :, None])[:, :, 0]
            first = self.lens_count + 3 * seen.sheets
            jacobian[rows, :, first] = by_place[:, :, 0]
            jacobian[rows, :, first + 1] = by_place[:, :, 1]
            jacobian[rows, :, first + 2] = by_angle
        if self.spots:
            jacobian[rows, :, self.lens_count + self.sheet_count + seen.spots] = by_place[:, :, 2]
        return missing, jacobian

    def prior(self, values: Floats) -> tuple[Floats, Floats]:
        """What was known beforehand, as residuals in px that stand beside those of the points."""
        rows, lines = [], []
        if self.free_lens:
            start = _lens_values(self.sightings[0].intrinsics)
            width = self.sightings[0].intrinsics.width
            f = start[0]
            matrix = np.zeros((9, len(values)))
            matrix[0, 0] = 1 / (f * self.tuning.lens_prior[0])
            matrix[1, :2] = np.array([1.0, -1.0]) / (f * self.tuning.lens_prior[1])
            matrix[2, 2] = matrix[3, 3] = 1 / (width * self.tuning.lens_prior[2])
            for i in range(4, self.lens_count):
                matrix[i, i] = 1 / (self.tuning.lens_prior[i] or 1e-9)
            away = np.zeros(len(values))
            away[:9] = values[:9] - start
            # The aspect is held to square pixels, whatever the start.
            away[:2] = values[:2] - f
            rows.append(matrix @ away)
            lines.append(matrix)
        if self.free_sheets:
            first, count = self.lens_count, self.sheet_count
            matrix = np.zeros((count, len(values)))
            known = 1 / np.array(self.tuning.sheet_prior_mm_rad)
            matrix[np.arange(count), first + np.arange(count)] = np.tile(known, len(self.middles))
            rows.append(matrix @ values)
            lines.append(matrix)
        if self.spots:
            first = self.lens_count + self.sheet_count
            matrix = np.zeros((self.spots, len(values)))
            each = np.arange(self.spots)
            matrix[each, first + each] = 1 / self.tuning.height_prior_mm
            rows.append(matrix @ values)
            lines.append(matrix)
        if not rows:
            return np.zeros(0), np.zeros((0, len(values)))
        worth_px = self.tuning.corner_px
        return np.concatenate(rows) * worth_px, np.concatenate(lines) * worth_px


def lay(points_mm: Floats, sheets: Numbers, middles_mm: Floats, moves: Floats) -> Floats:
    """Take nominal places on sheets to where the sheets lie.

    Args:
        points_mm: nominal places, shape (n, 2).
        sheets: number of the sheet that each lies on, shape (n,).
        middles_mm: nominal middle of each sheet, shape (sheets, 2).
        moves: x and y in mm and the angle in rad of each sheet, shape (sheets, 3).
    """
    move, middle = moves[sheets], middles_mm[sheets]
    c, s = np.cos(move[:, 2]), np.sin(move[:, 2])
    x, y = (points_mm - middle).T
    turned = np.stack([c * x - s * y, s * x + c * y], axis=1)
    return np.asarray(middle + turned + move[:, :2])


def adjust(
    sightings: Sequence[SheetPoints],
    middles_mm: Floats,
    free_lens: bool = False,
    free_sheets: bool = False,
    spots: int = 0,
    tuning: BundleTuning = TUNING.bundle,
) -> Bundle:
    """Find what fits all views best; points that nothing fits are left out.

    Args:
        sightings: what each view shows. If the lens is to be found, it is one for all of them.
        middles_mm: nominal middle of each sheet, shape (sheets, 2).
        free_lens: find the lens too.
        free_sheets: find where the sheets lie too.
        spots: how many spots may lie above the plane; 0 if the paper is flat.
        tuning: see `BundleTuning`.
    """
    problem = _Problem(sightings, middles_mm, free_lens, free_sheets, spots, tuning=tuning)
    values = problem.start()
    kept = [np.ones(len(seen.pixels), dtype=bool) for seen in sightings]
    for last in (False, False, True):
        fit = _fit(problem, values, kept)
        values = fit.values
        misses = [problem.view(values, i)[0] for i in range(len(sightings))]
        lengths = [np.linalg.norm(miss, axis=1) for miss in misses]
        if last:
            break
        usual = float(np.median(np.concatenate(lengths)))
        near = [
            length <= max(tuning.outlier_px, tuning.outlier_factor * usual) for length in lengths
        ]
        if all(np.array_equal(now, before) for now, before in zip(near, kept, strict=True)):
            break
        kept = near
    squares = np.concatenate([le[k] ** 2 for le, k in zip(lengths, kept, strict=True)])
    error_px = float(np.sqrt(squares.mean()))
    # Each corner gives two residuals, and the unknowns take some of them up.
    free = max(1, 2 * len(squares) - len(values))
    covariance = fit.covariance(float(np.sqrt(squares.sum() / free)))
    sheets = slice(problem.lens_count, problem.lens_count + problem.sheet_count)
    views = range(len(sightings))
    return Bundle(
        intrinsics=tuple(problem.lens(values, i) for i in views),
        poses=tuple(_pose(problem, values, i, lengths[i][kept[i]]) for i in views),
        moves=problem.moves(values).copy(),
        moves_covariance=covariance[sheets, sheets],
        heights_mm=problem.heights(values).copy(),
        lens_sigma=np.sqrt(np.diag(covariance)[:9]) if free_lens else np.zeros(9),
        misses_px=tuple(misses),
        kept=tuple(kept),
        error_px=error_px,
    )


def _fit(problem: _Problem, start: Floats, kept: Sequence[NDArray[np.bool_]]) -> Fit:
    def model(values: Floats) -> tuple[Floats, Floats]:
        prior, slope = problem.prior(values)
        residuals, jacobians = [prior], [slope]
        for i, keep in enumerate(kept):
            missing, jacobian = problem.view(values, i)
            residuals.append(missing[keep].ravel())
            jacobians.append(jacobian[keep].reshape(-1, len(values)))
        return np.concatenate(residuals), np.concatenate(jacobians)

    return least_squares(model, start)


def _pose(problem: _Problem, values: Floats, view: int, lengths: Floats) -> CameraPose:
    camera = values[problem.camera(view)]
    rotation = np.asarray(cv2.Rodrigues(camera[:3])[0], dtype=np.float64)
    error = float(np.sqrt(np.mean(lengths**2))) if len(lengths) else float("inf")
    markers = len(lengths) // 4
    return replace(
        problem.sightings[view].pose,
        rotation=rotation,
        translation_mm=camera[3:6].copy(),
        error_px=error,
        markers=markers,
    )


def _lens_values(lens: Intrinsics) -> Floats:
    (fx, _, cx), (_, fy, cy) = lens.matrix[:2]
    return np.array([fx, fy, cx, cy, *lens.dist])
