"""The lens of a camera, from several pictures of something flat that is known.

That is the printed board, held up to the camera in different tilts, or the mat itself, seen by the
camera from different sides. Strips of the mat may lie askew: where they lie is found as well.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Floats, Gray
from vision.calibrate.mat_survey import sighting, strip_middles
from vision.errors import VisionError
from vision.geometry.bundle import Bundle, SheetPoints, adjust, lay
from vision.geometry.camera_pose import NOWHERE, NoMat, fit_pose
from vision.geometry.charuco import CharucoBoard
from vision.geometry.diagnosis import HIDDEN, cause_of, softness_px
from vision.geometry.lens import Intrinsics, centred
from vision.geometry.mat import LEAST_MARKERS, Mat, MatView, find_markers
from vision.tuning.calibration import LensFitTuning
from vision.tuning.geometry import DiagnosisTuning
from vision.tuning.tuning import TUNING, Tuning


class NoLens(VisionError):
    """The pictures do not say what the lens is; nothing was changed."""


@dataclass(frozen=True, slots=True, eq=False)
class LensPicture:
    """What one picture shows of the flat thing.

    Attributes:
        name: what to call it in messages.
        size: width and height in px.
        points: its points; the lens and the pose in it are not used.
    """

    name: str
    size: tuple[int, int]
    points: SheetPoints


@dataclass(frozen=True, slots=True, eq=False)
class LensFit:
    """A lens with how well it is known.

    Attributes:
        intrinsics: the lens.
        sigma: standard deviations of fx, fy, cx, cy (px), k1, k2, p1, p2, k3.
        error_px: root mean square distance between points seen and expected.
        held_out_px: the same for pictures that had no part in the lens: up to five groups are left
            out in turn, and only from where they were taken is found for them.
        pictures: how many pictures it rests on.
        points: how many points.
        widest_rad: the largest angle between the directions of two pictures.
        cover: share of the picture that the points span.
    """

    intrinsics: Intrinsics
    sigma: Floats
    error_px: float
    held_out_px: float
    pictures: int
    points: int
    widest_rad: float
    cover: float

    @property
    def advice(self) -> str:
        """What would make the next calibration better; empty if it is good."""
        if self.cover < TUNING.lens_fit.good_cover_share:
            return (
                f"the points span {100 * self.cover:.0f} % of the picture: add pictures with the "
                "board or the mat near the picture's corners"
            )
        if self.widest_rad < TUNING.lens_fit.good_apart_rad:
            return (
                f"the pictures differ by {math.degrees(self.widest_rad):.0f} degrees only: tilt "
                "more, about 25 degrees to each side"
            )
        return ""


def see_board(gray: Gray, board: CharucoBoard, name: str, tuning: Tuning = TUNING) -> LensPicture:
    """Find the corners of the calibration board in a picture.

    Raises:
        NoLens: too few are seen, or the picture is blurred.
    """
    _check_sharp(gray, name, tuning.diagnosis)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board.opencv()).detectBoard(gray)
    count = 0 if ids is None else len(ids)
    if count < tuning.lens_fit.least_board_corners:
        cause = cause_of(gray, board.dictionary, range(100), tuning=tuning)
        hint = "show all of it, and nearer" if cause is HIDDEN else cause.words
        raise NoLens(
            f"{name}: shows {count} of the board's {board.corner_count} corners, at least "
            f"{tuning.lens_fit.least_board_corners} are needed: {hint}",
            "few_corners",
            seen=count,
            of=board.corner_count,
            least=tuning.lens_fit.least_board_corners,
        )
    places = np.asarray(board.opencv().getChessboardCorners(), np.float64)
    points = places[np.asarray(ids).ravel(), :2]
    return LensPicture(
        name,
        (gray.shape[1], gray.shape[0]),
        SheetPoints(
            points_mm=points,
            sheets=np.zeros(count, np.int64),
            spots=np.zeros(count, np.int64),
            pixels=np.asarray(corners, np.float64).reshape(-1, 2),
            inwards=np.zeros((count, 2)),
            intrinsics=_usual_lens((gray.shape[1], gray.shape[0]), tuning.lens_fit),
            pose=NOWHERE,
        ),
    )


def see_mat(gray: Gray, mat: Mat, name: str, tuning: Tuning = TUNING) -> LensPicture:
    """Find the markers of the mat in a picture.

    Raises:
        NoLens: too few are seen, or the picture is blurred.
    """
    _check_sharp(gray, name, tuning.diagnosis)
    view = find_markers(gray, mat, tuning=tuning)
    least = tuning.lens_fit.least_mat_markers
    if len(view.ids) < least:
        cause = cause_of(gray, mat.dictionary, mat.corners_mm, tuning=tuning)
        raise NoLens(
            f"{name}: shows {len(view.ids)} markers of the mat, at least {least} "
            f"are needed: {cause.words}",
            "few_markers",
            seen=len(view.ids),
            least=least,
        )
    size = (gray.shape[1], gray.shape[0])
    return LensPicture(name, size, sighting(view, mat, _usual_lens(size, tuning.lens_fit), NOWHERE))


def find_lens(
    pictures: Sequence[LensPicture], mat: Mat | None = None, tuning: Tuning = TUNING
) -> LensFit:
    """Find the lens that fits all pictures.

    Args:
        pictures: by one camera in one mode, from `see_board` or all from `see_mat`.
        mat: the mat, if that is what they show; None for the board.
        tuning: see `Tuning`.

    Raises:
        NoLens: there are too few pictures, they differ in size, they are too much alike, what they
            show covers too little of the picture, or no lens fits them.
    """
    _check_count(pictures, tuning.lens_fit)
    middles = np.zeros((1, 2)) if mat is None else strip_middles(mat)
    started = _started(pictures, tuning.lens_fit)
    widest = _check_tilts(started, "board" if mat is None else "camera", tuning.lens_fit)
    cover = _cover(pictures)
    least = tuning.lens_fit.least_cover_share
    if cover < least:
        percent, needed = (f"{100 * share:.0f}" for share in (cover, least))
        raise NoLens(
            f"the points span {percent} % of the picture, at least {needed} "
            "% are needed: go nearer, and show them in the picture's corners too",
            "cover",
            percent=percent,
            least=needed,
        )
    bundle = adjust(
        started, middles, free_lens=True, free_sheets=mat is not None, tuning=tuning.bundle
    )
    _check_fit(pictures, bundle, tuning.lens_fit)
    fitted = [
        replace(seen, intrinsics=bundle.intrinsics[0], pose=pose)
        for seen, pose in zip(started, bundle.poses, strict=True)
    ]
    return LensFit(
        intrinsics=bundle.intrinsics[0],
        sigma=bundle.lens_sigma,
        error_px=bundle.error_px,
        held_out_px=_held_out(fitted, middles, mat is not None, tuning),
        pictures=len(pictures),
        points=int(sum(kept.sum() for kept in bundle.kept)),
        widest_rad=widest,
        cover=cover,
    )


def _usual_lens(size: tuple[int, int], tuning: LensFitTuning) -> Intrinsics:
    return centred(tuning.common_focal_share * max(size), size)


def guess_intrinsics(
    views: Sequence[MatView],
    mat: Mat,
    size: tuple[int, int],
    tuning: LensFitTuning = TUNING.lens_fit,
) -> Intrinsics:
    """Estimate the focal length from what frames show of the mat.

    The lens is taken to be free of distortion and centred. One view from straight above says
    little about the focal length; then that of a common webcam is as good a guess as any.

    Args:
        views: the mat in some frames of one camera.
        mat: where its markers lie.
        size: width and height of the frames in px.
        tuning: see `LensFitTuning`.

    Raises:
        NoMat: no frame shows enough of the mat.
    """
    usable = [view for view in views if len(view.ids) >= LEAST_MARKERS]
    if not usable:
        raise NoMat(
            "no frame shows the mat well enough to guess the camera from it: give a camera file, "
            "or move the camera so that the whole mat is in view"
        )
    places = [np.concatenate([mat.corners_mm[i] for i in view.ids]) for view in usable]
    return _rough_lens(places, [view.corners_px.reshape(-1, 2) for view in usable], size, tuning)


def _rough_lens(
    points_mm: Sequence[Floats],
    pixels: Sequence[Floats],
    size: tuple[int, int],
    tuning: LensFitTuning,
) -> Intrinsics:
    """The lens free of distortion and centred that fits flat points best, or the usual one."""
    lens = _usual_lens(size, tuning)
    flat = [np.column_stack([p, np.zeros(len(p))]).astype(np.float32) for p in points_mm]
    seen = [p.astype(np.float32) for p in pixels]
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_PRINCIPAL_POINT
    flags |= cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST
    flags |= cv2.CALIB_FIX_K1 | cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3
    found = cv2.calibrateCamera(flat, seen, size, lens.matrix.copy(), np.zeros(5), flags=flags)
    focal = float(np.asarray(found[1])[0, 0])
    least, most = tuning.focal_range_share
    return centred(focal, size) if least < focal / max(size) < most else lens


def _started(pictures: Sequence[LensPicture], tuning: LensFitTuning) -> list[SheetPoints]:
    """A first idea of the lens, free of distortion and centred, and of every pose."""
    lens = _rough_lens(
        [p.points.points_mm for p in pictures],
        [p.points.pixels for p in pictures],
        pictures[0].size,
        tuning,
    )
    started = []
    for picture in pictures:
        places = picture.points.points_mm
        flat = np.column_stack([places, np.zeros(len(places))])
        pose = fit_pose(flat, picture.points.pixels, lens)
        started.append(replace(picture.points, intrinsics=lens, pose=pose))
    return started


def _held_out(
    fitted: Sequence[SheetPoints], middles: Floats, free_sheets: bool, tuning: Tuning
) -> float:
    """How well a lens explains pictures that it does not rest on, root mean square in px."""
    squares = []
    folds = min(len(fitted), tuning.lens_fit.folds)
    for fold in range(folds):
        rest = [seen for n, seen in enumerate(fitted) if n % folds != fold]
        bundle = adjust(
            rest, middles, free_lens=True, free_sheets=free_sheets, tuning=tuning.bundle
        )
        for left_out in fitted[fold::folds]:
            laid = lay(left_out.points_mm, left_out.sheets, middles, bundle.moves)
            seen = replace(left_out, points_mm=laid, intrinsics=bundle.intrinsics[0])
            alone = adjust([seen], middles, tuning=tuning.bundle)
            squares.append((alone.misses_px[0][alone.kept[0]] ** 2).sum(axis=1))
    return float(np.sqrt(np.concatenate(squares).mean()))


def _check_sharp(gray: Gray, name: str, tuning: DiagnosisTuning) -> None:
    blur = softness_px(gray, tuning=tuning)
    if blur > tuning.blur_px * max(gray.shape) / tuning.blur_at_px:
        raise NoLens(
            f"{name}: is blurred by {blur:.1f} px: hold camera and board still, set the focus, and "
            "take it again",
            "blurred",
            blur_px=blur,
        )


def _check_count(pictures: Sequence[LensPicture], tuning: LensFitTuning) -> None:
    count, least = len(pictures), tuning.least_views
    if count < least:
        raise NoLens(
            f"only {count} usable picture{'' if count == 1 else 's'}, at least {least} are "
            "needed, better 12: take more, each tilted to another side",
            "few_pictures",
            count=count,
            least=least,
        )
    first = pictures[0]
    for other in pictures[1:]:
        if other.size != first.size:
            raise NoLens(
                f"{other.name} has {_size(other.size)} px and {first.name} has {_size(first.size)}"
                ": a lens belongs to one picture size; take all pictures in the same mode",
                "sizes",
                size=_size(first.size),
                other=_size(other.size),
            )


def _check_tilts(started: Sequence[SheetPoints], what: str, tuning: LensFitTuning) -> float:
    normals = np.array([seen.pose.rotation[:, 2] for seen in started])
    widest = float(np.arccos(np.clip(normals @ normals.T, -1.0, 1.0)).max())
    if widest >= tuning.least_apart_rad:
        return widest
    straight = bool((np.abs(normals[:, 2]) > math.cos(tuning.straight_rad)).all())
    how = "look straight down" if straight else "look from the same direction"
    raise NoLens(
        f"all views {how} (they differ by {math.degrees(widest):.0f} degrees): tilt the {what} by "
        "about 30 degrees, each time to another side",
        "straight" if straight else "alike",
        degrees=math.degrees(widest),
    )


def _check_fit(pictures: Sequence[LensPicture], bundle: Bundle, tuning: LensFitTuning) -> None:
    worst = int(np.argmax([pose.error_px for pose in bundle.poses]))
    if bundle.error_px > tuning.worst_error_px:
        raise NoLens(
            f"no lens fits the pictures (the points lie {bundle.error_px:.1f} px off, most in "
            f"{pictures[worst].name}): keep the paper flat, zoom and focus as they are, and take "
            "the pictures again",
            "no_fit",
            error_px=bundle.error_px,
            picture=worst + 1,
        )
    share = float(bundle.lens_sigma[0] / bundle.intrinsics[0].matrix[0, 0])
    if share > tuning.worst_focal_sigma_share:
        percent = f"{100 * share:.1f}"
        raise NoLens(
            f"the focal length is only known to {percent} %, the views are too much alike: "
            "tilt more, about 30 degrees, each time to another side",
            "focal",
            percent=float(percent),
        )


def _cover(pictures: Sequence[LensPicture]) -> float:
    width, height = pictures[0].size
    points = np.concatenate([p.points.pixels for p in pictures]).astype(np.float32)
    return float(cv2.contourArea(cv2.convexHull(points))) / (width * height)


def _size(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]}"
