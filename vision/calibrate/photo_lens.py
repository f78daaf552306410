"""The lens of a phone from one photo of the mat: nobody calibrates a phone to play a game.

A flat thing seen straight from above says nothing about the focal length, for a longer lens from
farther away shows the same. The more a photo leans, the better it tells. How far the tops of tiles
would be misplaced for what is left unknown is reckoned from all corners of markers, and a photo
that leaves too much is refused.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.calibrate.mat_survey import sighting, strip_middles
from vision.errors import VisionError
from vision.geometry.bundle import Bundle, SheetPoints, adjust
from vision.geometry.camera_pose import (
    NOWHERE,
    TILE_TOP_MM,
    check_view,
    fit_pose,
    telling_cause,
)
from vision.geometry.lens import Intrinsics, centred
from vision.geometry.markers import as_gray
from vision.geometry.mat import LEAST_MARKERS, Mat, find_markers
from vision.tuning.calibration import PhotoLensTuning
from vision.tuning.tuning import TUNING, Tuning


class NoPhotoLens(VisionError):
    """The photo does not say what its lens is."""


class NoLensFits(NoPhotoLens):
    """No lens shows the mat as the photo does: it is not flat, or the photo is blurred."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoLens:
    """The lens of one photo, with how well it is known.

    Attributes:
        intrinsics: the lens, for the photo's size.
        focal_sigma_share: standard deviation of the focal length, as a share of it.
        top_sigma_mm: how uncertain lens and camera together make the place of a tile's top, one
            sigma, in the worst corner of the work area.
        error_px: root mean square distance between corners of markers seen and expected, in px of
            the size that was measured in.
    """

    intrinsics: Intrinsics
    focal_sigma_share: float
    top_sigma_mm: float
    error_px: float


def lens_of_photo(
    image: Image, mat: Mat, focal_px: float | None = None, tuning: Tuning = TUNING
) -> PhotoLens:
    """Find the lens of a photo from the mat that it shows.

    Args:
        image: BGR, shape (rows, columns, 3), upright or sideways.
        mat: where the markers lie.
        focal_px: what the photo's file says of the focal length, px; None if it says nothing.
        tuning: see `Tuning`.

    Raises:
        NoMat: too few markers are seen, or all on one side.
        NoPhotoLens: no lens fits the photo (`NoLensFits`), or it leaves too much unknown.
    """
    limits = tuning.photo_lens
    rows, columns = image.shape[:2]
    small = _no_longer(image, limits.most_px)
    size = (small.shape[1], small.shape[0])
    gray = as_gray(small)
    view = find_markers(gray, mat, tuning=tuning)
    with telling_cause(gray, mat, tuning):
        check_view(view, mat)
    given = None if focal_px is None else focal_px * size[0] / columns
    lens = centred(given or limits.common_focal_share * max(size), size)
    seen = _placed(sighting(view, mat, lens, NOWHERE))
    prior = limits.lens_prior if given is None else (limits.given_focal, *limits.lens_prior[1:])
    bundle = adjust(
        [seen], strip_middles(mat), free_lens=True, tuning=replace(tuning.bundle, lens_prior=prior)
    )
    share = max(size) / limits.most_px
    if bundle.error_px > limits.worst_error_px * share or bundle.poses[0].markers < LEAST_MARKERS:
        raise NoLensFits(
            f"no lens fits the photo: the mat's markers lie {bundle.error_px:.1f} px off; lay the "
            "mat flat as in its instructions, hold the phone still, and take the photo again"
        )
    covariance = _covariance(
        seen, bundle, prior, max(limits.corner_px * share, bundle.error_px), limits
    )
    top_sigma_mm = _top_sigma_mm(covariance, bundle, mat)
    focal = float(bundle.intrinsics[0].matrix[0, 0])
    if top_sigma_mm > limits.worst_top_mm:
        raise NoPhotoLens(
            f"the photo does not tell its lens: tops of tiles could lie {top_sigma_mm:.1f} mm from "
            "where they seem; step back so that the whole mat is in the photo, and hold the phone "
            "at a slant, about 30 degrees"
        )
    return PhotoLens(
        bundle.intrinsics[0].at_size(columns, rows),
        float(np.sqrt(covariance[6, 6])) / focal,
        top_sigma_mm,
        bundle.error_px,
    )


def _no_longer(image: Image, most_px: int) -> Image:
    longer = max(image.shape[:2])
    if longer <= most_px:
        return image
    size = (
        max(1, round(image.shape[1] * most_px / longer)),
        max(1, round(image.shape[0] * most_px / longer)),
    )
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _placed(seen: SheetPoints) -> SheetPoints:
    """A first idea of where the camera is."""
    flat = np.column_stack([seen.points_mm, np.zeros(len(seen.points_mm))])
    return replace(seen, pose=fit_pose(flat, seen.pixels, seen.intrinsics))


def _slopes(points_mm: Floats, bundle: Bundle) -> Floats:
    """How pixels move with the pose (6) and the lens (9), shape (2 n, 15)."""
    pose, lens = bundle.poses[0], bundle.intrinsics[0]
    turn = np.asarray(cv2.Rodrigues(pose.rotation)[0])
    by_all = cv2.projectPoints(points_mm, turn, pose.translation_mm, lens.matrix, lens.dist)[1]
    return np.asarray(by_all, np.float64)[:, :15]


def _covariance(
    seen: SheetPoints,
    bundle: Bundle,
    prior: tuple[float, ...],
    sigma_px: float,
    limits: PhotoLensTuning,
) -> Floats:
    """Covariance of pose and lens, shape (15, 15)."""
    kept = bundle.kept[0]
    flat = np.column_stack([seen.points_mm[kept], np.zeros(int(kept.sum()))])
    focal, width = seen.intrinsics.matrix[0, 0], seen.intrinsics.width
    shares = np.array([focal, focal, width, width, *np.ones(5)])
    by_lens = np.diag(1 / (shares * np.maximum(prior, limits.held)))
    by_lens[1, 0] = -by_lens[1, 1]  # what is known of fy is how it differs from fx
    known = np.hstack([np.zeros((9, 6)), by_lens])
    rows = np.concatenate([_slopes(flat, bundle) / sigma_px, known])
    size = np.linalg.norm(rows, axis=0)
    inverse = np.linalg.pinv((rows / size).T @ (rows / size), hermitian=True)
    return np.asarray(inverse / np.outer(size, size))


def _top_sigma_mm(covariance: Floats, bundle: Bundle, mat: Mat) -> float:
    pose = bundle.poses[0]
    tops = np.array([(x, y, TILE_TOP_MM) for x in mat.area_x_mm for y in mat.area_y_mm])
    slopes = _slopes(tops, bundle)
    spread = np.einsum("ij,jk,ik->i", slopes, covariance, slopes).reshape(-1, 2).sum(axis=1)
    depth = tops @ pose.rotation[2] + pose.translation_mm[2]
    mm_per_px = depth / bundle.intrinsics[0].matrix[0, 0]
    return float((np.sqrt(np.maximum(spread, 0.0)) * np.abs(mm_per_px)).max())
