"""Follow the camera from frame to frame by the edges of the mat's markers.

The corners of a marker are where its picture is least certain, because blur rounds them. Its sides
are long and straight, so each tells to a few hundredths of a pixel how far the picture has moved
across it. Where a strip lies along the rows of pixels, however, the sides of all its markers fall
between two rows in the same way and share one error. Edges between the cells of a marker fall
everywhere, so half of the points are laid on those.

The search starts from where the camera was, or from where the corners put it. White paper makes all
markers look smaller by the same amount; that is solved for too.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Gray
from vision.geometry.camera_pose import LEAST_SIDES, CameraPose, View, project
from vision.geometry.image_sampling import sample
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import LEAST_MARKERS, Mat
from vision.tuning.calibration import PoseFollowTuning
from vision.tuning.tuning import TUNING

STIFF = 1e-9 * np.eye(7)
"""Holds what no edge says anything about; blur may leave only sides that lie one way."""


def with_askew(
    pose: CameraPose, intrinsics: Intrinsics, tuning: PoseFollowTuning = TUNING.pose_follow
) -> CameraPose:
    """Add to a pose's sigma what a mat that lies otherwise than in its file does to all frames.

    More frames do not average it out. It moves all that stands on the table nearly alike, so gaps
    between neighbours are known better than that.
    """
    left_out_px = tuning.askew_left_out * min(pose.error_px, tuning.most_px)
    askew_px = max(left_out_px, tuning.askew * pose.error_px)
    sigma_mm = math.hypot(pose.sigma_mm, _mm(askew_px, pose, intrinsics))
    return replace(pose, sigma_mm=sigma_mm)


def _mm(length_px: float, pose: CameraPose, intrinsics: Intrinsics) -> float:
    """Take a length in the image to the table."""
    return float(length_px * abs(pose.centre_mm[2]) / intrinsics.matrix[0, 0])


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Points on the sides of markers, and the ways that lead out of them.

    Attributes:
        ids: of the markers.
        points_mm: shape (markers, points, 3).
        outwards: unit directions on the table, same shape.
    """

    ids: tuple[int, ...]
    points_mm: Floats
    outwards: Floats

    @classmethod
    def of(
        cls,
        mat: Mat,
        view: View,
        inside: bool = False,
        tuning: PoseFollowTuning = TUNING.pose_follow,
    ) -> "Sides":
        """Lay points on the sides of all markers that are wholly in the image.

        Args:
            mat: where they lie.
            view: the camera.
            inside: whether half of the points lie between cells of the markers.
            tuning: see `PoseFollowTuning`.
        """
        ids = sorted(mat.corners_mm)
        corners = np.stack([mat.corners_mm[i] for i in ids])
        table = np.concatenate([corners, np.zeros((*corners.shape[:2], 1))], axis=2)
        seen = view.project(table)
        last = np.array([view.intrinsics.width, view.intrinsics.height]) - 1
        rim = tuning.rim_px
        whole = ((seen > rim) & (seen < last - rim)).all(axis=(1, 2))
        ids = [ids[n] for n in np.flatnonzero(whole)]
        first, right, _, below = table[whole].transpose(1, 0, 2)
        frame = np.stack([right - first, below - first], axis=1)
        spots, ways = _spots(mat.dictionary, tuple(ids), inside, tuning)
        outwards = ways @ (frame / np.linalg.norm(frame, axis=2, keepdims=True))
        return cls(tuple(ids), first[:, None] + spots @ frame, outwards)


@lru_cache(maxsize=64)
def _spots(
    dictionary: str, ids: tuple[int, ...], inside: bool, tuning: PoseFollowTuning
) -> tuple[Floats, Floats]:
    """Say where on markers black and white meet, and which way leads from black to white.

    Returns:
        Shares of the side to the right and downwards, and unit directions; both of shape
        (markers, points, 2).
    """
    shares = np.linspace(*tuning.side_shares, tuning.side_points)
    shares = shares[::2] + (shares[1] - shares[0]) / 2 if inside else shares
    zero = np.zeros_like(shares)
    sides = [
        np.stack([shares, zero, zero, zero - 1], axis=1),
        np.stack([zero + 1, shares, zero + 1, zero], axis=1),
        np.stack([1 - shares, zero + 1, zero, zero + 1], axis=1),
        np.stack([zero, 1 - shares, zero - 1, zero], axis=1),
    ]
    across = 2 * tuning.inner_points if inside else 0
    every = np.empty((len(ids), len(sides) * len(shares) + across, 4))
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary)) if inside else None
    for spots, marker in zip(every, ids, strict=True):
        parts = list(sides)
        if words is not None:
            white = np.asarray(words.generateImageMarker(marker, words.markerSize + 2)) > 127
            beside, below = (_between_cells(one, tuning) for one in (white, white.T))
            parts += [beside, below[:, [1, 0, 3, 2]]]
        spots[:] = np.concatenate(parts)
    return every[..., :2], every[..., 2:]


def _between_cells(white: NDArray[np.bool_], tuning: PoseFollowTuning) -> Floats:
    """Lay points evenly on the edges between cells that lie beside each other, see `_spots`."""
    rows, columns = np.nonzero(white[:, 1:] != white[:, :-1])
    count, cells = tuning.inner_points, len(white)
    along = (np.arange(count) + 0.5) * len(rows) / count
    each = along.astype(int)
    down = (rows[each] + (1 - tuning.inner_share) / 2 + tuning.inner_share * (along - each)) / cells
    way = np.where(white[rows, columns + 1], 1.0, -1.0)[each]
    return np.stack([(columns[each] + 1) / cells, down, way, np.zeros(count)], axis=1)


def follow(
    gray: Gray, before: View, mat: Mat, tuning: PoseFollowTuning = TUNING.pose_follow
) -> CameraPose | None:
    """Find the camera again from where it was, or was said to be.

    Args:
        gray: the image.
        before: the camera to begin with; the image has its size.
        mat: where the markers lie.
        tuning: see `PoseFollowTuning`.

    Returns:
        Where it is, or None if it has moved too far or too much of the mat is hidden.
    """
    sides = Sides.of(mat, before, inside=True, tuning=tuning)
    if len(sides.ids) < LEAST_MARKERS:
        return None
    return _near(gray, sides, before, mat, tuning) or _far(gray, sides, before, mat, tuning)


def _near(
    gray: Gray, sides: Sides, before: View, mat: Mat, tuning: PoseFollowTuning
) -> CameraPose | None:
    """Find a camera that has hardly moved, in one round."""
    last = _step(gray, sides, before, tuning.reaches_px[-1], tuning)
    if last is None or last.moved_px >= tuning.still_px:
        return None
    return last.judged(sides, mat, before.intrinsics, tuning=tuning)


def _far(
    gray: Gray, sides: Sides, before: View, mat: Mat, tuning: PoseFollowTuning
) -> CameraPose | None:
    """Find a camera that has moved as far as edges are looked for."""
    last = _step(gray, sides, before, tuning.reaches_px[0], tuning)
    for reach in tuning.reaches_px[1:]:
        if last is None:
            return None
        last = _step(gray, sides, View(last.pose, before.intrinsics), reach, tuning)
    return last.judged(sides, mat, before.intrinsics, tuning=tuning) if last is not None else None


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """What one round says.

    Attributes:
        pose: where the camera is then.
        moved_px: how far the markers have moved in the image, at most.
        good: which edges were used, shape (n,).
        miss_px: how far each is from where the pose has it, shape (n,).
    """

    pose: CameraPose
    moved_px: float
    good: NDArray[np.bool_]
    miss_px: Floats

    def judged(
        self,
        sides: Sides,
        mat: Mat,
        lens: Intrinsics,
        tuning: PoseFollowTuning = TUNING.pose_follow,
    ) -> CameraPose | None:
        """Return the pose and how good it is; None if too little speaks for it."""
        kept = self.good.reshape(len(sides.ids), -1).mean(axis=1) >= tuning.least_points_share
        names = [i for i, keep in zip(sides.ids, kept, strict=True) if keep]
        if len(names) < max(LEAST_MARKERS, tuning.least_kept_share * len(sides.ids)):
            return None
        error = float(np.sqrt(np.mean(self.miss_px[self.good] ** 2)))
        if error > tuning.most_px or len({mat.side(i) for i in names}) < LEAST_SIDES:
            return None
        sigma_mm = _mm(error, self.pose, lens) / math.sqrt(len(names))
        return replace(self.pose, error_px=error, markers=len(names), sigma_mm=sigma_mm)


def _step(
    gray: Gray, sides: Sides, before: View, reach_px: float, tuning: PoseFollowTuning
) -> _Step | None:
    """Move the camera so that the markers' sides lie on the edges within reach."""
    pose = before.pose
    points, ways = (each.reshape(-1, 3) for each in (sides.points_mm, sides.outwards))
    pixels, out, moves = in_view(points, ways, before)
    offsets, steep = edges_beside(gray, pixels, out, reach_px, tuning=tuning)
    usual = tuning.least_steep_share * float(np.median(steep))
    good = steep > max(usual, tuning.least_slope_levels_px)
    if not good.any():
        return None
    design = np.column_stack([moves, np.ones(len(moves))])
    size = np.linalg.norm(design, axis=0)
    design /= size
    centre = float(np.median(offsets[good]))
    good &= np.abs(offsets - centre) < reach_px - tuning.step_px
    least = 4 * LEAST_MARKERS * tuning.side_points * tuning.least_points_share
    for _ in range(2):
        if np.count_nonzero(good) < least:
            return None
        kept = design[good]
        answer = np.linalg.solve(kept.T @ kept + STIFF, kept.T @ offsets[good])
        miss = np.abs(offsets - design @ answer)
        usual = float(np.median(miss[good]))
        good &= miss < max(tuning.outlier_factor * usual, tuning.outlier_floor_px)
    answer /= size
    turn = cv2.Rodrigues(pose.rotation)[0]
    rotation = np.asarray(cv2.Rodrigues(turn.ravel() + answer[:3])[0], dtype=np.float64)
    now = CameraPose(rotation, pose.translation_mm.ravel() + answer[3:6], 0.0, 0)
    return _Step(now, float(np.abs(moves @ answer[:6]).max()), good, miss)


def in_view(points_mm: Floats, outwards: Floats, view: View) -> tuple[Floats, Floats, Floats]:
    """Say where points of the markers' sides are seen, and how a move of the camera shifts them.

    Args:
        points_mm: in table mm, shape (n, 3).
        outwards: the way out of the marker at each of them, shape (n, 3).
        view: the camera.

    Returns:
        Pixels, shape (n, 2); the way outwards in the image, of length 1, shape (n, 2); and how far
        each turn and shift of the camera moves each point outwards, shape (n, 6).
    """
    lens, pose = view.intrinsics, view.pose
    turn = np.asarray(cv2.Rodrigues(pose.rotation)[0], dtype=np.float64)
    seen, slopes = cv2.projectPoints(points_mm, turn, pose.translation_mm, lens.matrix, lens.dist)
    pixels = np.asarray(seen, dtype=np.float64).reshape(-1, 2)
    out = project(points_mm + outwards, pose, lens) - pixels
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    moves = (slopes.reshape(-1, 2, slopes.shape[-1])[..., :6] * out[..., None]).sum(axis=1)
    return pixels, out, moves


def edges_beside(
    gray: Gray,
    pixels: Floats,
    out: Floats,
    reach_px: float,
    tuning: PoseFollowTuning = TUNING.pose_follow,
) -> tuple[Floats, Floats]:
    """Find how far outwards of each point black turns into white, and how steeply.

    Args:
        gray: the image.
        pixels: shape (n, 2).
        out: unit directions, shape (n, 2).
        reach_px: how far to look.
        tuning: see `PoseFollowTuning`.

    Returns:
        Pixels, and grey levels per pixel; both shape (n,).
    """
    steps = np.arange(-reach_px - tuning.step_px / 2, reach_px + tuning.step_px, tuning.step_px)
    read = sample(gray, pixels[:, None] + steps[:, None] * out[:, None])
    slope = np.diff(read, axis=1) / tuning.step_px
    slope[:, 1:-1] = (slope[:, :-2] + 2 * slope[:, 1:-1] + slope[:, 2:]) / 4
    middles = (steps[1:] + steps[:-1]) / 2
    best = slope[:, 1:-1].argmax(axis=1) + 1
    each = np.arange(len(pixels))
    left, top, right = (slope[each, best + n] for n in (-1, 0, 1))
    bend = np.maximum(2 * top - left - right, 1e-6)
    between = np.clip(0.5 * (right - left) / bend, -0.5, 0.5)
    return middles[best] + between * tuning.step_px, top
