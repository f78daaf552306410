"""Survey of the mat: where its strips really lie, found from several pictures of the empty table.

The strips of the mat are taped down by hand and lie a millimetre off. Each is one piece of paper on
which the printer put its markers exactly, so a strip can only be shifted and turned as a whole.

Nobody can say where the table itself begins. The frame of a surveyed mat is therefore the one in
which all its markers together lie as near as they can to where the mat's file has them; its scale
is that of the print.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Floats
from vision.errors import VisionError
from vision.geometry.bundle import Bundle, SheetPoints, adjust
from vision.geometry.camera_pose import CameraPose, NoMat, approximate_pose
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import Mat, MatView
from vision.tuning.calibration import MatSurveyTuning
from vision.tuning.geometry import PoseTuning
from vision.tuning.tuning import TUNING, Tuning

FLAT_MM = 1.0
"""A strip that lifts by more should be pressed down."""


class NoSurvey(VisionError):
    """The pictures do not say where the strips lie; the mat is as it was."""


@dataclass(frozen=True, slots=True)
class StripFound:
    """Where one strip lies.

    Attributes:
        ids: its markers.
        right_mm: how far its middle lies right of its nominal place (table x).
        away_mm: how far away from the player (table y).
        turn_rad: by how much it is turned, counter-clockwise.
        sigma_mm: standard deviation of the place of its worst corner.
        lift_mm: how much higher its highest marker lies than its lowest: it is bent or not flat.
        pictures: how many pictures show it.
    """

    ids: tuple[int, ...]
    right_mm: float
    away_mm: float
    turn_rad: float
    sigma_mm: float
    lift_mm: float
    pictures: int

    @property
    def flat(self) -> bool:
        """Whether it lies on the table as it should."""
        return self.lift_mm < FLAT_MM


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What the pictures say of the mat.

    Attributes:
        mat: the mat as it lies.
        strips: where each strip lies, against the nominal mat.
        poses: from where each picture was taken.
        error_px: root mean square distance between the corners seen and expected.
        corners: how many corners of markers it rests on.
    """

    mat: Mat
    strips: tuple[StripFound, ...]
    poses: tuple[CameraPose, ...]
    error_px: float
    corners: int


def survey(
    views: Sequence[MatView],
    lenses: Sequence[Intrinsics],
    mat: Mat,
    ruler_mm: float = TUNING.mat_survey.ruler_mm,
    tuning: Tuning = TUNING,
) -> Survey:
    """Find where the strips of a mat lie.

    Args:
        views: the markers in each picture; best from all sides of the table, the camera leaning.
        lenses: the lens of each picture.
        mat: the mat as it is printed and should lie.
        ruler_mm: what the printed 100 mm ruler measures; printers shrink pages.
        tuning: see `Tuning`.

    Raises:
        NoSurvey: there are too few pictures, they are all taken from one place, a strip is not to
            be seen in them, lies where it does not belong, or nothing fits the pictures.
    """
    least = tuning.mat_survey.least_views
    if len(views) < least:
        raise NoSurvey(
            f"{_count(len(views), 'picture')} of the mat, at least {least} are needed: take "
            "one from each side of the table, the camera leaning by about 20 degrees",
            "few_pictures",
            count=len(views),
            least=least,
        )
    printed = _scaled(mat, ruler_mm / tuning.mat_survey.ruler_mm)
    _check_seen(views, printed, tuning.mat_survey)
    poses = [
        _first_pose(n, *both, printed, tuning.pose)
        for n, both in enumerate(zip(views, lenses, strict=True))
    ]
    _check_apart(poses, tuning.mat_survey)
    sightings = [
        sighting(view, printed, lens, pose)
        for view, lens, pose in zip(views, lenses, poses, strict=True)
    ]
    bundle = _fitted(sightings, printed, tuning)
    return _survey_of(bundle, views, printed, tuning.mat_survey)


def _fitted(sightings: Sequence[SheetPoints], mat: Mat, tuning: Tuning) -> Bundle:
    """Take the paper to be flat unless the pictures clearly say that it is not."""
    middles, markers = strip_middles(mat), len(mat.corners_mm)
    flat = adjust(sightings, middles, free_sheets=True, tuning=tuning.bundle)
    bent = adjust(sightings, middles, free_sheets=True, spots=markers, tuning=tuning.bundle)
    if bent.error_px < tuning.mat_survey.bent_share * flat.error_px:
        return bent
    return replace(flat, heights_mm=np.zeros(markers))


def sighting(view: MatView, mat: Mat, lens: Intrinsics, pose: CameraPose) -> SheetPoints:
    """Make a view of the mat one of several that are fitted together; strips are its sheets."""
    strips = {marker: n for n, strip in enumerate(mat.strips) for marker in strip}
    order = {marker: n for n, marker in enumerate(sorted(mat.corners_mm))}
    rows = [n for n, marker in enumerate(view.ids) if marker in strips]
    ids = [view.ids[n] for n in rows]
    corners = np.array([mat.corners_mm[marker] for marker in ids]).reshape(-1, 4, 2)
    return SheetPoints(
        points_mm=corners.reshape(-1, 2),
        sheets=np.repeat(np.array([strips[marker] for marker in ids], np.int64), 4),
        spots=np.repeat(np.array([order[marker] for marker in ids], np.int64), 4),
        pixels=view.corners_px[rows].reshape(-1, 2),
        inwards=(corners.mean(axis=1, keepdims=True) - corners).reshape(-1, 2),
        intrinsics=lens,
        pose=pose,
    )


def strip_middles(mat: Mat) -> Floats:
    """Return the middle of each strip's markers, shape (strips, 2)."""
    return np.array([_corners(mat, strip).mean(axis=0) for strip in mat.strips]).reshape(-1, 2)


def moved(mat: Mat, moves: Floats) -> Mat:
    """Shift and turn the strips of a mat.

    Args:
        mat: as it lies now.
        moves: for each strip x and y in mm and the angle in rad, counter-clockwise about its
            middle, shape (strips, 3).
    """
    corners = dict(mat.corners_mm)
    for strip, middle, (x, y, angle) in zip(mat.strips, strip_middles(mat), moves, strict=True):
        for marker in strip:
            corners[marker] = _turned(mat.corners_mm[marker] - middle, angle) + middle + (x, y)
    return replace(mat, corners_mm=corners)


def settled(mat: Mat, nominal: Mat) -> Mat:
    """Shift and turn a mat as a whole so that its markers lie as near as can be to nominal ones.

    The best rigid motion between two sets of points (Kabsch 1976), in the plane.
    """
    ids = [marker for strip in mat.strips for marker in strip]
    here, there = _corners(mat, ids), _corners(nominal, ids)
    a, b = here - here.mean(axis=0), there - there.mean(axis=0)
    angle = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    corners: dict[int, Floats] = {
        marker: _turned(place - here.mean(axis=0), angle) + there.mean(axis=0)
        for marker, place in mat.corners_mm.items()
    }
    return replace(mat, corners_mm=corners)


def _survey_of(
    bundle: Bundle, views: Sequence[MatView], mat: Mat, tuning: MatSurveyTuning
) -> Survey:
    if bundle.error_px > tuning.worst_error_px:
        raise NoSurvey(
            f"the markers lie {bundle.error_px:.1f} px from where any flat strips would put them: "
            "the camera file does not belong to this camera, the pictures are blurred, or the "
            "paper is not flat",
            "no_fit",
            error_px=bundle.error_px,
        )
    lying = replace(settled(moved(mat, bundle.moves), mat), surveyed=True)
    sigmas = _sigmas(bundle.moves_covariance, mat)
    heights = dict(zip(sorted(mat.corners_mm), bundle.heights_mm, strict=True))
    middles = strip_middles(mat)
    strips = []
    for n, strip in enumerate(mat.strips):
        right, away = strip_middles(lying)[n] - middles[n]
        found = StripFound(
            strip,
            float(right),
            float(away),
            _angle(lying, strip) - _angle(mat, strip),
            sigmas[n],
            float(np.ptp([heights[marker] for marker in strip])),
            sum(any(marker in view.ids for marker in strip) for view in views),
        )
        _check_place(found, tuning)
        strips.append(found)
    return Survey(
        lying, tuple(strips), bundle.poses, bundle.error_px, int(sum(k.sum() for k in bundle.kept))
    )


def _sigmas(covariance: Floats, mat: Mat) -> list[float]:
    """How uncertain the worst corner of each strip is, the motion of the whole mat left out."""
    rows, whole, owner = [], [], []
    centre = strip_middles(mat).mean(axis=0)
    for n, (strip, middle) in enumerate(zip(mat.strips, strip_middles(mat), strict=True)):
        for corner in _corners(mat, strip):
            for axis, other, sign in ((0, 1, -1.0), (1, 0, 1.0)):
                row = np.zeros(3 * len(mat.strips))
                row[3 * n + axis] = 1.0
                row[3 * n + 2] = sign * (corner - middle)[other]
                rows.append(row)
                common = np.zeros(3)
                common[axis], common[2] = 1.0, sign * (corner - centre)[other]
                whole.append(common)
            owner.append(n)
    basis = np.linalg.qr(np.array(whole))[0]
    shift = np.array(rows)
    shift = shift - basis @ (basis.T @ shift)
    spread = np.einsum("ij,jk,ik->i", shift, covariance, shift).reshape(-1, 2).sum(axis=1)
    of = np.array(owner)
    return [float(np.sqrt(spread[of == n].max())) for n in range(len(mat.strips))]


def _check_seen(views: Sequence[MatView], mat: Mat, tuning: MatSurveyTuning) -> None:
    for strip in mat.strips:
        count = sum(any(marker in view.ids for marker in strip) for view in views)
        if count < tuning.least_seen:
            raise NoSurvey(
                f"the strip with markers {_ids(strip)} is in {_count(count, 'picture')}, at least "
                f"{tuning.least_seen} are needed: take more pictures with the whole mat in view",
                "strip_unseen",
                first=min(strip),
                last=max(strip),
                count=count,
                least=tuning.least_seen,
            )


def _check_apart(poses: Sequence[CameraPose], tuning: MatSurveyTuning) -> None:
    axes = np.array([pose.rotation[2] for pose in poses])
    widest = float(np.arccos(np.clip(axes @ axes.T, -1, 1)).max())
    if widest < tuning.least_apart_rad:
        raise NoSurvey(
            f"all pictures are taken in the same direction (they differ by {_degrees(widest)}): "
            "take one from each side of the table, the camera leaning by about 20 degrees",
            "alike",
            degrees=math.degrees(widest),
        )


def _check_place(strip: StripFound, tuning: MatSurveyTuning) -> None:
    off_mm = math.hypot(strip.right_mm, strip.away_mm)
    if off_mm > tuning.farthest_mm or abs(strip.turn_rad) > tuning.farthest_rad:
        raise NoSurvey(
            f"the strip with markers {_ids(strip.ids)} lies {off_mm:.0f} mm and "
            f"{_degrees(abs(strip.turn_rad))} from its place: lay it as on the printed plan and "
            "take the pictures again",
            "strip_astray",
            first=min(strip.ids),
            last=max(strip.ids),
            off_mm=off_mm,
            degrees=abs(math.degrees(strip.turn_rad)),
        )
    if strip.sigma_mm > tuning.worst_sigma_mm:
        raise NoSurvey(
            f"the strip with markers {_ids(strip.ids)} is only known to {strip.sigma_mm:.2f} mm: "
            "take more or sharper pictures, nearer to the mat",
            "strip_unsure",
            first=min(strip.ids),
            last=max(strip.ids),
            sigma_mm=strip.sigma_mm,
        )


def _first_pose(
    number: int, view: MatView, lens: Intrinsics, mat: Mat, tuning: PoseTuning
) -> CameraPose:
    try:
        return approximate_pose(view, lens, mat, tuning=tuning)
    except NoMat as fault:
        raise NoSurvey(f"picture {number + 1}: {fault}", "unplaced", picture=number + 1) from fault


def _scaled(mat: Mat, scale: float) -> Mat:
    """Return a mat whose strips are printed larger or smaller, each about its own middle."""
    if scale == 1.0:
        return mat
    corners: dict[int, Floats] = dict(mat.corners_mm)
    for strip, middle in zip(mat.strips, strip_middles(mat), strict=True):
        for marker in strip:
            corners[marker] = middle + (mat.corners_mm[marker] - middle) * scale
    return replace(mat, corners_mm=corners)


def _corners(mat: Mat, markers: Sequence[int]) -> Floats:
    return np.concatenate([mat.corners_mm[marker] for marker in markers])


def _angle(mat: Mat, strip: Sequence[int]) -> float:
    """Direction in which the upper edges of a strip's markers point."""
    edges = sum(mat.corners_mm[marker][1] - mat.corners_mm[marker][0] for marker in strip)
    return math.atan2(*reversed(np.asarray(edges).tolist()))


def _turned(points: Floats, angle_rad: float) -> Floats:
    c, s = math.cos(angle_rad), math.sin(angle_rad)
    return np.asarray(points @ np.array([[c, s], [-s, c]]))


def _ids(strip: Sequence[int]) -> str:
    return f"{min(strip)} to {max(strip)}"


def _degrees(angle_rad: float) -> str:
    return f"{math.degrees(angle_rad):.1f} degrees"


def _count(number: int, what: str) -> str:
    words: Mapping[int, str] = {0: f"no {what}", 1: f"only 1 {what}"}
    return words.get(number, f"only {number} {what}s")
