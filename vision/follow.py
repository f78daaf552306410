"""The camera from one frame to the next: as long as it stays, its markers need not be searched."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import CameraPose, Mat, MatView, NoMat, project, solve_pose
from vision.fit import View, sample

Floats = NDArray[np.float64]
Gray = NDArray[np.uint8]

CELLS = 6
"""Cells of a marker's side, its border included."""
WINDOW = 0.36
"""Half side of the window in which a corner is looked for, in cells."""
MOST_PX = 1.5
"""A camera whose markers lie farther than this from where they were has moved."""
WORSE_PX = 0.25
"""The markers may fit their new pose by this much worse than the one before."""
LEAST_KEPT = 0.5
"""Share of the markers that must still be seen for their pose to be believed."""
STEPS = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
INSIDE, OUTSIDE = 0.85, 1.12
"""Where a marker is surely black, and its paper surely white, as shares of its half side."""


def follow(gray: Gray, before: View, mat: Mat) -> CameraPose | None:
    """Find the camera again from where it was in the frame before.

    Args:
        gray: the new image.
        before: the camera as it was; the image has its size.
        mat: where the markers lie.

    Returns:
        Where it is, or None if it has moved too far or too much of the mat is hidden.
    """
    ids = sorted(mat.corners_mm)
    plane = np.stack([mat.corners_mm[i] for i in ids])
    expected = _seen(plane, before)
    limits = np.array([before.intrinsics.width, before.intrinsics.height]) - 8
    inside = np.asarray(((expected > 8) & (expected < limits)).all(axis=(1, 2)))
    ids = [i for i, shown in zip(ids, inside, strict=True) if shown]
    if not ids:
        return None
    plane, expected = plane[inside], expected[inside]
    side_px = float(np.median(np.linalg.norm(np.diff(expected, axis=1), axis=2)))
    half = max(2, round(WINDOW * side_px / CELLS))
    corners = cv2.cornerSubPix(
        gray, expected.reshape(-1, 1, 2).astype(np.float32), (half, half), (-1, -1), STEPS
    )
    found = np.asarray(corners, dtype=np.float64).reshape(-1, 4, 2)
    apart = np.linalg.norm(found - expected, axis=2).max(axis=1)
    seen = _in_sight(gray, plane, before)
    kept = seen & (apart < 2 * MOST_PX)
    if int(kept.sum()) < LEAST_KEPT * len(ids) or float(np.median(apart[seen])) > MOST_PX:
        return None
    names = tuple(i for i, keep in zip(ids, kept, strict=True) if keep)
    try:
        pose = solve_pose(MatView(names, found[kept]), before.intrinsics, mat)
    except NoMat:
        return None
    return pose if pose.error_px < before.pose.error_px + WORSE_PX else None


def _seen(plane: Floats, view: View) -> Floats:
    table = np.concatenate([plane, np.zeros((*plane.shape[:-1], 1))], axis=-1)
    pixels = project(table.reshape(-1, 3), view.pose, view.intrinsics)
    return pixels.reshape(*plane.shape[:-1], 2)


def _in_sight(gray: Gray, plane: Floats, view: View) -> NDArray[np.bool_]:
    """Say which markers still have a dark border in white paper."""
    middle = plane.mean(axis=1, keepdims=True)
    sides = (plane + np.roll(plane, -1, axis=1)) / 2 - middle
    spokes = np.concatenate([plane - middle, sides], axis=1)
    dark, light = (
        sample(gray, _seen(middle + share * spokes, view)) for share in (INSIDE, OUTSIDE)
    )
    step = light - dark
    usual = float(np.median(step))
    return np.asarray((step > usual / 3).mean(axis=1) > 0.8)
