"""The pusher's printed tag: its geometry, and where the pusher's tip is from it.

The tag lies level on top of the pusher, its upper edge towards the row::

             push
              ^  forward_mm
              |
              o  tip at rest          left_mm  <--+--> negative
              |
        +-----------+
        |  upper    |
        |   edge    |     the tag, seen from above;
        |     +     |     its centre is the origin
        |           |
        +-----------+
"""

import math
from dataclasses import dataclass

import numpy as np

from physics.row.pose import Pose
from vision.arrays import Floats, Gray
from vision.errors import VisionError
from vision.geometry.camera_pose import CameraPose, project, to_plane
from vision.geometry.diagnosis import HIDDEN, cause_of
from vision.geometry.lens import Intrinsics
from vision.geometry.markers import detect_markers
from vision.tuning.pusher_tag import TagTuning
from vision.tuning.tuning import TUNING, Tuning


class NoTag(VisionError):
    """The pusher's tag cannot be seen, or is not what it should be."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A square marker on the pusher.

    Attributes:
        dictionary: OpenCV's name of the marker dictionary; the mat has another one.
        marker: id in it; the calibration board, of the same dictionary, does not use it.
        side_mm: side of the black square.
        paper_mm: side of the white paper, the tag in its middle.
        height_mm: height of the tag above the table.
        tip_forward_mm: from the tag's centre to the foremost point of the tip at rest, along the
            push.
        tip_left_mm: the same, to the left of the push.
    """

    dictionary: str = "DICT_5X5_100"
    marker: int = 90
    side_mm: float = 35.0
    paper_mm: float = 45.0
    height_mm: float = 70.0
    tip_forward_mm: float = 40.0
    tip_left_mm: float = 0.0


TAG = Tag()


@dataclass(frozen=True, slots=True)
class TagSeen:
    """Where a picture shows the tag.

    Attributes:
        pose: its middle on the table, heading from its lower to its upper edge: along the push.
        miss_mm: root mean square distance between its corners seen and expected.
    """

    pose: Pose
    miss_mm: float


def find_tag(
    gray: Gray, camera: CameraPose, intrinsics: Intrinsics, tag: Tag = TAG, tuning: Tuning = TUNING
) -> TagSeen:
    """Find the pusher's tag in a grey image.

    Args:
        gray: shape (rows, columns).
        camera: where the camera is.
        intrinsics: its lens, for this image size.
        tag: what to look for.
        tuning: see `Tuning`.

    Raises:
        NoTag: it is not in view, or not as large, as flat or as high as it should be.
    """
    corners = _corners(gray, tag, tuning)
    if corners is None:
        cause = cause_of(gray, tag.dictionary, (tag.marker,), tuning=tuning)
        hint = "put the pusher beside the row, nothing over its tag"
        raise NoTag(f"the pusher's tag is not in view: {hint if cause is HIDDEN else cause.words}")
    seen, size = _fit(corners, camera, intrinsics, tag)
    if not _as_printed(seen, size, tuning.tag):
        raise NoTag(
            f"the pusher's tag looks {size * tag.side_mm:.1f} mm wide instead of {tag.side_mm:.0f}"
            f": print it at 100 % and lay it flat, {tag.height_mm:.0f} mm above the table"
        )
    return seen


def glimpse_tag(
    gray: Gray,
    camera: CameraPose,
    intrinsics: Intrinsics,
    tag: Tag = TAG,
    near: TagSeen | None = None,
    tuning: Tuning = TUNING,
) -> TagSeen | None:
    """Find the tag quickly and without a word on why it may not be there.

    Args:
        gray: shape (rows, columns).
        camera: where the camera is.
        intrinsics: its lens, for this image size.
        tag: what to look for.
        near: where to look only, and round it; None for everywhere.
        tuning: see `Tuning`.
    """
    left = top = 0
    if near is not None:
        reach = tuning.tag.near_sides * tag.paper_mm
        square = ((-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach))
        around = [(*near.pose.to_table(*corner), tag.height_mm) for corner in square]
        seen = project(np.array(around), camera, intrinsics)
        left, top = (max(0, int(side)) for side in seen.min(axis=0))
        right, low = (max(0, math.ceil(side)) for side in seen.max(axis=0))
        gray = np.ascontiguousarray(gray[top:low, left:right])
    corners = _corners(gray, tag, tuning) if min(gray.shape) > tuning.tag.least_px else None
    if corners is None:
        return None
    found, size = _fit(corners + np.array((left, top)), camera, intrinsics, tag)
    return found if _as_printed(found, size, tuning.tag) else None


def _corners(gray: Gray, tag: Tag, tuning: Tuning) -> Floats | None:
    """The corners of the tag as printed from top left clockwise, shape (4, 2)."""
    ids, corners = detect_markers(gray, tag.dictionary, tuning=tuning)
    return np.asarray(corners[ids.index(tag.marker)]) if tag.marker in ids else None


def _fit(
    corners: Floats, camera: CameraPose, intrinsics: Intrinsics, tag: Tag
) -> tuple[TagSeen, float]:
    """Lay the tag on its plane; also how large it looks beside how it is printed."""
    seen = to_plane(corners, tag.height_mm, camera, intrinsics)
    half = tag.side_mm / 2
    printed = np.array([(-half, half), (half, half), (half, -half), (-half, -half)])
    middle = seen.mean(axis=0)
    away = seen - middle
    # The best rigid motion from the printed square to the one seen; y of the print is forward.
    cross = float((printed[:, 0] * away[:, 1] - printed[:, 1] * away[:, 0]).sum())
    angle = math.atan2(cross, float((printed * away).sum()))
    c, s = math.cos(angle), math.sin(angle)
    turned = printed @ np.array([[c, s], [-s, c]])
    size = float(np.sqrt((away**2).sum() / (printed**2).sum()))
    miss = float(np.sqrt(((away - size * turned) ** 2).sum(axis=1).mean()))
    heading = math.remainder(angle + math.pi / 2, math.tau)  # of the print's y axis
    return TagSeen(Pose(float(middle[0]), float(middle[1]), heading), miss), size


def _as_printed(seen: TagSeen, size: float, tuning: TagTuning) -> bool:
    return abs(size - 1) <= tuning.size_tolerance_share and seen.miss_mm <= tuning.worst_miss_mm
