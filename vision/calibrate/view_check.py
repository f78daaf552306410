"""What a picture says against its camera file, and how much of the table it does not show."""

import math
from collections.abc import Iterator

import numpy as np

from vision.arrays import Gray
from vision.geometry.camera_pose import CameraPose, NoMat, approximate_pose, project
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import Mat, MatView, find_markers
from vision.tuning.tuning import TUNING, Tuning


def doubts(
    gray: Gray,
    pose: CameraPose,
    lens: Intrinsics,
    mat: Mat,
    believed: bool = False,
    tuning: Tuning = TUNING,
) -> tuple[str, ...]:
    """Say in sentences what cannot be relied on in a picture.

    Args:
        gray: the picture, shape (rows, columns).
        pose: where its camera was found to be.
        lens: of the camera, for this size.
        mat: what lies on the table.
        believed: the lens is not doubted.
        tuning: see `Tuning`.
    """
    view = find_markers(gray, mat, tuning=tuning)
    found = list(_hidden(view, pose, lens, mat, tuning))
    off = None if believed else focal_off_share(view, lens, mat, tuning=tuning)
    if off is not None:
        found.append(
            f"the focal length of the camera file is about {abs(off):.0%} too "
            f"{'long' if off > 0 else 'short'} for this picture, or the mat's strips lie askew: "
            "calibrate the lens with its focus as it is now, then survey the strips"
        )
    return tuple(found)


def focal_off_share(
    view: MatView, lens: Intrinsics, mat: Mat, tuning: Tuning = TUNING
) -> float | None:
    """Say by how much the focal length of a lens is wrong, where a picture of the mat tells.

    With the wrong focal length the markers miss the more the farther they are from the middle of
    the picture; a focal length with which they miss much less is the better one. Seen straight from
    above all fit alike, and none is doubted.

    Args:
        view: the markers as the picture shows them.
        lens: that is doubted.
        mat: where the markers lie.
        tuning: see `Tuning`.

    Returns:
        As a share of the true focal length, positive where the given one is too long; None where
        the picture says nothing against it.
    """
    numbers = tuning.view_check
    tried = np.exp(np.linspace(-1.0, 1.0, numbers.tries) * math.log(1 + numbers.widest_share))
    try:
        missed = [
            approximate_pose(view, _scaled(lens, by), mat, tuning=tuning.pose).error_px
            for by in tried
        ]
        given = approximate_pose(view, lens, mat, tuning=tuning.pose).error_px
    except NoMat:
        return None
    best = int(np.argmin(missed))
    off = 1 / float(tried[best]) - 1
    if abs(off) < numbers.least_share or given < numbers.least_ratio * missed[best]:
        return None
    return off


def _scaled(lens: Intrinsics, by: float) -> Intrinsics:
    matrix = lens.matrix * np.array([[by, by, 1.0], [by, by, 1.0], [1.0, 1.0, 1.0]])
    return Intrinsics(matrix, lens.dist, lens.width, lens.height)


def _hidden(
    view: MatView, pose: CameraPose, lens: Intrinsics, mat: Mat, tuning: Tuning
) -> Iterator[str]:
    """What of the table is not in the picture, or behind something."""
    ends, points = (mat.area_x_mm, mat.area_y_mm), tuning.view_check.area_points
    across, along = np.meshgrid(*(np.linspace(*each, points) for each in ends))
    area = np.column_stack([across.ravel(), along.ravel(), np.zeros(across.size)])
    x, y = project(area, pose, lens).T
    cut_off = float(((x < 0) | (y < 0) | (x > lens.width - 1) | (y > lens.height - 1)).mean())
    if cut_off > tuning.view_check.cut_off_share:
        yield (
            f"{cut_off:.0%} of the table inside the mat is outside the picture: aim the camera so "
            "that the whole mat is in it"
        )
    sides = {mat.side(marker) for marker in mat.corners_mm}
    for side in sorted(sides - {mat.side(marker) for marker in view.ids}):
        yield (
            f"nothing of the mat's {side} side can be read: what stands there may be hidden, take "
            "away what covers it"
        )
