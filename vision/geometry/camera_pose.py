"""Where the camera is: its pose over the mat, and what that makes of points and pixels."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.row.tile import STANDARD
from vision.arrays import Floats, Gray
from vision.errors import VisionError
from vision.geometry.diagnosis import HIDDEN, Trouble, cause_of
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import LEAST_MARKERS, Mat, MatView, find_markers
from vision.tuning.geometry import PoseTuning
from vision.tuning.tuning import TUNING, Tuning

LEAST_SIDES = 2
TILE_TOP_MM = STANDARD.length_mm
FEW_POINTS = 64
"""OpenCV is the quicker one to project so few points, numpy more of them."""
BETTER_CAUSES = {
    Trouble.HIDDEN: frozenset(Trouble) - {Trouble.HIDDEN},
    Trouble.CONTRADICTION: {Trouble.MIRRORED, Trouble.UNKNOWN_MARKERS, Trouble.BLURRED},
}
"""What in a picture explains a fault better than the markers alone."""


class NoMat(VisionError):
    """The mat is not in the image, or not enough of it to say where the camera is.

    Attributes:
        trouble: why, for those who keep it as a state.
    """

    def __init__(self, message: str, trouble: Trouble = Trouble.HIDDEN) -> None:
        super().__init__(message)
        self.trouble = trouble


@dataclass(frozen=True, slots=True, eq=False)
class CameraPose:
    """Where the camera is: X_camera = rotation X_table + translation.

    Attributes:
        rotation: shape (3, 3).
        translation_mm: shape (3,).
        error_px: root mean square distance between marker corners seen and expected.
        markers: how many markers it rests on.
        sigma_mm: how uncertain it makes the place of a tile's top, in the worst corner of the work
            area.
    """

    rotation: Floats
    translation_mm: Floats
    error_px: float = 0.0
    markers: int = 0
    sigma_mm: float = 0.0

    @property
    def centre_mm(self) -> Floats:
        """The camera's own place in table coordinates, shape (3,)."""
        return -self.rotation.T @ self.translation_mm


NOWHERE = CameraPose(np.eye(3), np.array([0.0, 0.0, 1.0]))
"""Stands where a pose is not known yet."""


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

    def project(self, points_mm: Floats) -> Floats:
        """Map table points, shape (..., 3), into the image: pixels, shape (..., 2)."""
        pixels = project(points_mm.reshape(-1, 3), self.pose, self.intrinsics)
        return pixels.reshape(*points_mm.shape[:-1], 2)

    def part(self, left: int, top: int, right: int, bottom: int) -> "View":
        """Return the view of a camera whose pictures are only a part of those of this one, px."""
        matrix = self.intrinsics.matrix.copy()
        matrix[:2, 2] -= (left, top)
        lens = Intrinsics(matrix, self.intrinsics.dist, right - left, bottom - top)
        return View(self.pose, lens)


def project(points_mm: Floats, pose: CameraPose, intrinsics: Intrinsics) -> Floats:
    """Map table points into the image.

    Args:
        points_mm: shape (n, 3).
        pose: where the camera is.
        intrinsics: its lens.

    Returns:
        Pixels, shape (n, 2).
    """
    (fx, _, cx), (_, fy, cy) = intrinsics.matrix[:2].tolist()
    if 0 < len(points_mm) <= FEW_POINTS:
        few, _ = cv2.projectPoints(
            np.ascontiguousarray(points_mm, dtype=np.float64),
            pose.rotation,
            pose.translation_mm,
            intrinsics.matrix,
            intrinsics.dist,
        )
        return np.asarray(few, dtype=np.float64).reshape(-1, 2)
    # In place: a look projects thousands of points a hundred times over.
    x, y, depth = seen = pose.rotation @ points_mm.T
    seen += pose.translation_mm.reshape(3, 1)
    x /= depth
    y /= depth
    k1, k2, p1, p2, k3 = intrinsics.dist.tolist()
    xx, yy, xy = x * x, y * y, x * y
    r2 = xx + yy
    radial = r2 * k3
    radial += k2
    radial *= r2
    radial += k1
    radial *= r2
    radial += 1.0
    x *= radial
    x += (2 * p1) * xy
    xx += xx
    xx += r2
    xx *= p2
    x += xx
    y *= radial
    yy += yy
    yy += r2
    yy *= p1
    y += yy
    xy *= 2 * p2
    y += xy
    pixels = np.empty((len(points_mm), 2))
    columns, rows = pixels.T
    np.multiply(x, fx, out=columns)
    columns += cx
    np.multiply(y, fy, out=rows)
    rows += cy
    return pixels


def to_plane(points_px: Floats, z_mm: float, pose: CameraPose, intrinsics: Intrinsics) -> Floats:
    """Map pixels to the level plane at a height above the table.

    Args:
        points_px: shape (n, 2).
        z_mm: height of the plane.
        pose: where the camera is.
        intrinsics: its lens.

    Returns:
        Table x and y in mm, shape (n, 2).
    """
    if len(points_px) == 0:
        return np.zeros((0, 2))
    flat = cv2.undistortPoints(
        points_px.reshape(-1, 1, 2).astype(np.float64), intrinsics.matrix, intrinsics.dist
    ).reshape(-1, 2)
    rays = np.column_stack([flat, np.ones(len(flat))]) @ pose.rotation
    centre = pose.centre_mm
    reach = (z_mm - centre[2]) / rays[:, 2]
    result: Floats = centre[:2] + rays[:, :2] * reach[:, None]
    return result


def find_pose(gray: Gray, intrinsics: Intrinsics, mat: Mat, tuning: Tuning = TUNING) -> CameraPose:
    """Find the camera from the mat in a grey image.

    Args:
        gray: shape (rows, columns).
        intrinsics: the lens, for this image size.
        mat: where the markers lie on the table.
        tuning: see `Tuning`.

    Raises:
        NoMat: too few markers are seen, they lie all on one side, or they contradict the lens; it
            says what is wrong with the picture and what to do.
    """
    view = find_markers(gray, mat, tuning=tuning)
    with telling_cause(gray, mat, tuning):
        return solve_pose(view, intrinsics, mat, tuning=tuning.pose)


@contextmanager
def telling_cause(gray: Gray, mat: Mat, tuning: Tuning = TUNING) -> Iterator[None]:
    """Have a NoMat raised in here say what is wrong with the picture, where that explains it.

    Args:
        gray: the picture, shape (rows, columns).
        mat: where the markers lie on the table.
        tuning: see `Tuning`.
    """
    try:
        yield
    except NoMat as fault:
        cause = cause_of(gray, mat.dictionary, mat.corners_mm, tuning=tuning)
        if cause.trouble not in BETTER_CAUSES[fault.trouble]:
            raise
        facts = str(fault).partition(":")[0]
        raise NoMat(f"{facts}: {cause.words}", cause.trouble) from fault


def solve_pose(
    view: MatView, intrinsics: Intrinsics, mat: Mat, tuning: PoseTuning = TUNING.pose
) -> CameraPose:
    """Find the camera from markers already found; see `find_pose`."""
    pose, share = _robust_pose(view, intrinsics, mat, tuning)
    worst_px = tuning.worst_surveyed_px if mat.surveyed else tuning.worst_error_px
    worst_px *= max(1.0, intrinsics.width / tuning.error_at_px)
    if pose.error_px > worst_px or share < tuning.least_kept_share:
        raise NoMat(
            f"the mat's markers lie {pose.error_px:.1f} px from where they should be: the camera "
            "file does not belong to this camera, or the mat is not laid as in its file",
            Trouble.CONTRADICTION,
        )
    if pose.sigma_mm > tuning.worst_sigma_mm:
        raise NoMat(
            f"the {pose.markers} markers seen on the {_sides(view, mat)} side say only to "
            f"{pose.sigma_mm:.0f} mm where things are: {HIDDEN.words}"
        )
    return pose


def approximate_pose(
    view: MatView, intrinsics: Intrinsics, mat: Mat, tuning: PoseTuning = TUNING.pose
) -> CameraPose:
    """Find about where the camera is though the mat may lie otherwise than in its file.

    Raises:
        NoMat: too few markers are seen, or they lie all on one side.
    """
    return _robust_pose(view, intrinsics, mat, tuning)[0]


def _robust_pose(
    view: MatView, intrinsics: Intrinsics, mat: Mat, tuning: PoseTuning
) -> tuple[CameraPose, float]:
    """Fit the camera without outliers; also the share of the corners it rests on."""
    check_view(view, mat)
    plane = np.stack([mat.corners_mm[i] for i in view.ids])
    table = np.concatenate([plane, np.zeros((*plane.shape[:2], 1))], axis=2).reshape(-1, 3)
    image = view.corners_px.reshape(-1, 2)
    keep = np.ones(len(table), dtype=bool)
    for last in (False, False, True):
        pose = fit_pose(table[keep], image[keep], intrinsics)
        expected = project(table, pose, intrinsics)
        image = _without_bloom(view.corners_px, expected.reshape(-1, 4, 2), keep).reshape(-1, 2)
        miss = np.linalg.norm(expected - image, axis=1)
        if not last:
            usual = tuning.outlier_factor * float(np.median(miss))
            better = miss <= max(tuning.outlier_floor_px, usual)
            keep = better if better.sum() >= 4 * LEAST_MARKERS else keep
    error = float(np.sqrt(np.mean(miss[keep] ** 2)))
    markers = int(keep.reshape(-1, 4).any(axis=1).sum())
    sigma_mm = _spread_mm(table[keep], max(error, tuning.corner_px), pose, intrinsics, mat)
    found = CameraPose(pose.rotation, pose.translation_mm, error, markers, sigma_mm)
    return found, float(keep.mean())


def _spread_mm(
    table: Floats, sigma_px: float, pose: CameraPose, intrinsics: Intrinsics, mat: Mat
) -> float:
    """How uncertain a pose makes the corners of the work area, as high as tiles are, in mm."""
    turn = np.asarray(cv2.Rodrigues(pose.rotation)[0])

    def slopes(points: Floats) -> Floats:
        lens = (intrinsics.matrix, intrinsics.dist)
        by_all = cv2.projectPoints(points, turn, pose.translation_mm, *lens)[1]
        return np.asarray(by_all, np.float64)[:, :6]

    seen = slopes(table)
    size = np.linalg.norm(seen, axis=0)
    covariance = np.linalg.pinv((seen / size).T @ (seen / size), hermitian=True)
    top = [(x, y, TILE_TOP_MM) for x in mat.area_x_mm for y in mat.area_y_mm]
    corners = slopes(np.array(top)) / size
    spread = np.einsum("ij,jk,ik->i", corners, covariance, corners).reshape(-1, 2).sum(axis=1)
    depth = np.array(top) @ pose.rotation[2] + pose.translation_mm[2]
    mm_per_px = depth / intrinsics.matrix[0, 0]
    return float(sigma_px * np.sqrt(np.maximum(spread, 0.0).max()) * np.abs(mm_per_px).max())


def _without_bloom(seen: Floats, expected: Floats, keep: NDArray[np.bool_]) -> Floats:
    """Move corners outwards by as much as white paper makes all black markers look smaller."""
    outwards = expected - expected.mean(axis=1, keepdims=True)
    outwards /= np.linalg.norm(outwards, axis=2, keepdims=True)
    shift = ((seen - expected) * outwards).sum(axis=2)
    bloom = float(np.median(shift.ravel()[keep]))
    return np.asarray(seen - bloom * outwards)


def check_view(view: MatView, mat: Mat) -> None:
    """Refuse a view of the mat that cannot give a pose.

    Raises:
        NoMat: too few markers, or all on one side.
    """
    sides = {mat.side(i) for i in view.ids}
    if len(view.ids) >= LEAST_MARKERS and len(sides) >= LEAST_SIDES:
        return
    seen = f"{len(view.ids)} markers" if len(view.ids) != 1 else "1 marker"
    where = f" on the {_sides(view, mat)} side" if sides else ""
    raise NoMat(
        f"only {seen} of the mat seen{where}, at least {LEAST_MARKERS} on {LEAST_SIDES} sides "
        f"are needed: {HIDDEN.words}"
    )


def _sides(view: MatView, mat: Mat) -> str:
    return " and ".join(sorted({mat.side(i) for i in view.ids}))


def fit_pose(points_mm: Floats, pixels: Floats, intrinsics: Intrinsics) -> CameraPose:
    """Find the camera from known points, all of which are believed.

    Args:
        points_mm: on the table, shape (n, 3).
        pixels: where they are seen, shape (n, 2).
        intrinsics: the lens.

    Raises:
        NoMat: they give no pose.
    """
    lens = (intrinsics.matrix, intrinsics.dist)
    try:
        found, turn, shift = cv2.solvePnP(points_mm, pixels, *lens, flags=cv2.SOLVEPNP_ITERATIVE)
    except cv2.error:  # by this lens none of them can be seen
        found = False
    if not found:
        raise NoMat("the markers seen give no camera pose: show the whole mat to the camera")
    turn, shift = cv2.solvePnPRefineLM(points_mm, pixels, *lens, turn, shift)
    rotation = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)
    return CameraPose(rotation, np.asarray(shift, dtype=np.float64).ravel())
