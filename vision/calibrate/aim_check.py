"""What a picture shows for setting the camera up: the mat, the light, and how it is aimed."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Gray, Image
from vision.calibrate.lens_fit import guess_intrinsics
from vision.capture.camera import jpeg
from vision.geometry.camera_pose import CameraPose, NoMat, approximate_pose, project, solve_pose
from vision.geometry.diagnosis import cause_of, softness_px
from vision.geometry.lens import Intrinsics
from vision.geometry.markers import as_gray
from vision.geometry.mat import Mat, MatView, find_markers
from vision.tuning.calibration import AimCheckTuning
from vision.tuning.tuning import TUNING, Tuning

_LINE, _INK, _MARK = (250, 252, 255), (150, 70, 25), (90, 205, 255)


@dataclass(frozen=True, slots=True, eq=False)
class Aimed:
    """How the camera looks at the mat.

    Attributes:
        markers: markers of the mat that are seen.
        error_px: by how much their corners miss; None where the mat is not found.
        trouble: what is in the way then, as `Trouble` names it.
        paper: lightness of the mat's paper on its darkest and on its lightest side, 0..255.
        glare: share of the work area that is blinded by a lamp.
        room: for each side how far the middle of the work area's outline is from the picture's
            border, as a share of the picture's height; for the tightest side all of it. Negative
            where it leaves the picture.
        lean_rad: how far the camera's axis leans from straight down.
        mm_per_px: size of a pixel in the middle of the work area.
        blur_px: softness of the sharpest edges for a picture 1920 px wide.
        pose: where the camera is, None where the mat is not found.
        lens: the lens that this rests on: the camera's own, or a guess.
    """

    markers: int
    error_px: float | None
    trouble: str
    paper: tuple[float, float]
    glare: float
    room: dict[str, float]
    lean_rad: float
    mm_per_px: float
    blur_px: float
    pose: CameraPose | None = None
    lens: Intrinsics | None = None


def aim(
    image: Image, mat: Mat, lens: Intrinsics | None = None, tuning: Tuning = TUNING
) -> tuple[Aimed, MatView]:
    """Look at a picture with the eyes of whoever sets the camera up.

    Args:
        image: BGR.
        mat: what lies on the table.
        lens: the camera's lens; None if it is not known yet, then it is guessed.
        tuning: see `Tuning`.
    """
    gray = as_gray(image)
    rows, columns = gray.shape
    view = find_markers(gray, mat, tuning=tuning)
    blur = softness_px(gray, tuning=tuning.diagnosis) * tuning.diagnosis.blur_at_px / columns
    try:
        known = lens.at_size(columns, rows) if lens else None
        known = known or guess_intrinsics([view], mat, (columns, rows), tuning=tuning.lens_fit)
        # Strips that nobody has surveyed lie askew: that is no contradiction.
        believed = lens is not None and mat.surveyed
        pose = (
            solve_pose(view, known, mat, tuning=tuning.pose)
            if believed
            else approximate_pose(view, known, mat, tuning=tuning.pose)
        )
    except NoMat as fault:
        cause = cause_of(gray, mat.dictionary, mat.corners_mm, tuning=tuning).trouble.value
        name = cause if cause != "hidden" else fault.trouble.value
        trouble = name.replace(" ", "_")
        found = Aimed(len(view.ids), None, trouble, (0.0, 0.0), 0.0, {}, 0.0, 0.0, blur)
        return found, view
    outline = _outline(mat, pose, known, tuning.aim_check)
    aimed = Aimed(
        markers=len(view.ids),
        error_px=pose.error_px,
        trouble="",
        paper=_paper(gray, view, mat, tuning.aim_check),
        glare=_glare(gray, outline, tuning.aim_check),
        room=_room(outline, (columns, rows), tuning.aim_check),
        lean_rad=math.acos(min(1.0, abs(float(pose.rotation[2, 2])))),
        mm_per_px=_mm_per_px(mat, pose, known, tuning.aim_check),
        blur_px=blur,
        pose=pose,
        lens=known,
    )
    return aimed, view


def shown(
    image: Image, aimed: Aimed, view: MatView, mat: Mat, tuning: AimCheckTuning = TUNING.aim_check
) -> bytes:
    """Draw what was found into a smaller copy of the picture, as JPEG.

    The markers are framed and the work area's outline is dashed, so that people see that it
    fits.
    """
    rows, columns = image.shape[:2]
    scale = min(1.0, tuning.shown_px / columns)
    size = (round(columns * scale), round(rows * scale))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    for corners in view.corners_px:
        ring = np.round(corners * scale).astype(np.int32)
        cv2.polylines(small, [ring], isClosed=True, color=_MARK, thickness=2, lineType=cv2.LINE_AA)
    if aimed.pose is not None and aimed.lens is not None:
        sides = _outline(mat, aimed.pose, aimed.lens, tuning)
        for side in sides.values():
            _dashed(small, side * scale, tuning)
    return jpeg(small, tuning.jpeg_quality)


def _outline(
    mat: Mat, pose: CameraPose, lens: Intrinsics, tuning: AimCheckTuning
) -> dict[str, Floats]:
    """The four sides of the work area in the picture, each shape (n, 2)."""
    (left, right), (near, far) = mat.area_x_mm, mat.area_y_mm
    along = np.linspace(0.0, 1.0, tuning.side_points)
    ends = {
        "near": ((left, near), (right, near)),
        "right": ((right, near), (right, far)),
        "far": ((right, far), (left, far)),
        "left": ((left, far), (left, near)),
    }
    sides = {}
    for name, (start, end) in ends.items():
        line = np.outer(1 - along, start) + np.outer(along, end)
        sides[name] = project(np.column_stack([line, np.zeros_like(along)]), pose, lens)
    return sides


def _room(
    outline: dict[str, Floats], size: tuple[int, int], tuning: AimCheckTuning
) -> dict[str, float]:
    """How much room there is at each side; the corner nearest to the border counts to one alone."""
    width, height = size
    whole, room = [], {}
    for name, side in outline.items():
        x, y = side.T
        free = np.minimum(np.minimum(x, width - 1 - x), np.minimum(y, height - 1 - y)) / height
        room[name] = float(free[tuning.corner_points : -tuning.corner_points].min())
        whole.append(float(free.min()))
    tightest = min(room, key=lambda name: room[name])
    return room | {tightest: min(whole)}


def _paper(gray: Gray, view: MatView, mat: Mat, tuning: AimCheckTuning) -> tuple[float, float]:
    """How light the paper round the markers is, on the darkest side and on the lightest."""
    sides: dict[str, list[float]] = {}
    for marker, corners in zip(view.ids, view.corners_px, strict=True):
        low, high = corners.min(axis=0), corners.max(axis=0)
        edge = tuning.round_share * (high - low)
        (left, top), (right, bottom) = (low - edge).astype(int), (high + edge).astype(int)
        part = gray[max(top, 0) : bottom + 1, max(left, 0) : right + 1]
        if part.size:
            light = float(np.percentile(part, tuning.paper_percent))
            sides.setdefault(mat.side(marker), []).append(light)
    means = [float(np.mean(lights)) for lights in sides.values()]
    return (min(means), max(means)) if means else (0.0, 0.0)


def _glare(gray: Gray, outline: dict[str, Floats], tuning: AimCheckTuning) -> float:
    inside = np.zeros(gray.shape, np.uint8)
    ring = np.concatenate([outline[name] for name in ("near", "right", "far", "left")])
    cv2.fillPoly(inside, [np.round(ring).astype(np.int32)], 255)
    area = gray[inside > 0]
    return float((area >= tuning.mirrored_level).mean()) if area.size else 0.0


def _mm_per_px(mat: Mat, pose: CameraPose, lens: Intrinsics, tuning: AimCheckTuning) -> float:
    middle = (sum(mat.area_x_mm) / 2, sum(mat.area_y_mm) / 2)
    points = np.array([(*middle, 0.0), (middle[0] + tuning.scale_mm, middle[1], 0.0)])
    here, there = project(points, pose, lens)
    return tuning.scale_mm / max(float(np.linalg.norm(there - here)), 1e-6)


def _dashed(image: Image, line: Floats, tuning: AimCheckTuning) -> None:
    """Draw every other piece of a line, light on dark so that it is seen on any table."""
    points = np.round(line).astype(np.int32)
    for n in range(0, len(points) - 1, 2):
        ends = tuple(map(int, points[n])), tuple(map(int, points[n + 1]))
        for colour, wide_px in zip((_INK, _LINE), tuning.dash_px, strict=True):
            cv2.line(image, *ends, colour, wide_px, cv2.LINE_AA)
