"""The printed mat: where its markers lie, and which of them an image shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2

from vision.arrays import Floats, Gray
from vision.errors import VisionError
from vision.files import numbers, read_json
from vision.geometry.markers import detect_markers
from vision.tuning.tuning import TUNING, Tuning

SHIPPED_MAT = Path(__file__).with_name("mat.json")
LEAST_MARKERS = 4


class BadMat(VisionError):
    """A mat file cannot be used; nothing was read from it."""

    expected = "a mat file, which domino-rig calibrate survey makes"


@dataclass(frozen=True, slots=True, eq=False)
class Mat:
    """The printed frame of markers round the work area.

    Attributes:
        dictionary: OpenCV's name of the marker dictionary.
        corners_mm: table place of the four corners of each marker, as printed from top left
            clockwise, shape (4, 2).
        strips: ids of the markers that share one strip of paper.
        area_x_mm: the work area, left and right.
        area_y_mm: the work area, near and far.
        surveyed: whether the corners are where they really lie, not where they should.
    """

    dictionary: str
    corners_mm: Mapping[int, Floats]
    strips: tuple[tuple[int, ...], ...]
    area_x_mm: tuple[float, float]
    area_y_mm: tuple[float, float]
    surveyed: bool = False

    def side(self, marker: int) -> str:
        """Say on which side of the work area a marker lies."""
        x, y = self.corners_mm[marker].mean(axis=0)
        beyond = {
            "left": self.area_x_mm[0] - x,
            "right": x - self.area_x_mm[1],
            "near": self.area_y_mm[0] - y,
            "far": y - self.area_y_mm[1],
        }
        return max(beyond, key=lambda name: float(beyond[name]))


def load_mat(path: Path | None = None) -> Mat:
    """Read the geometry of the mat.

    Args:
        path: a file like the shipped `mat.json`; None for that one.

    Raises:
        BadMat: the file cannot be read or a field is not what it should be.
    """
    path = path or SHIPPED_MAT
    data = read_json(path, BadMat)
    markers = data.get("markers")
    if not isinstance(markers, dict) or len(markers) < LEAST_MARKERS:
        raise BadMat(f"{path}: field markers must name at least {LEAST_MARKERS} markers by id")
    if not all(str(key).isdecimal() for key in markers):
        raise BadMat(f"{path}: every key of markers must be a marker id, a whole number")
    corners = {int(key): numbers(markers, key, path, shape=(4, 2), error=BadMat) for key in markers}
    area = data.get("work_area")
    if not isinstance(area, dict):
        raise BadMat(f"{path}: field work_area must give x and y, each [from, to] in mm")
    x = numbers(area, "x", path, (2,), BadMat)
    y = numbers(area, "y", path, (2,), BadMat)
    dictionary = data.get("dictionary")
    if not isinstance(dictionary, str) or not hasattr(cv2.aruco, dictionary):
        raise BadMat(f"{path}: field dictionary must be a marker dictionary such as DICT_4X4_50")
    try:
        strips = tuple(tuple(int(i) for i in sheet["ids"]) for sheet in data.get("sheets", []))
    except (KeyError, TypeError, ValueError) as error:
        raise BadMat(f"{path}: every entry of sheets must list the ids on it") from error
    areas = (float(x[0]), float(x[1])), (float(y[0]), float(y[1]))
    return Mat(dictionary, corners, strips, *areas, surveyed="surveyed" in data)


@dataclass(frozen=True, slots=True, eq=False)
class MatView:
    """The markers of a mat as one image shows them.

    Attributes:
        ids: which markers.
        corners_px: their corners, shape (n, 4, 2).
    """

    ids: tuple[int, ...]
    corners_px: Floats


def find_markers(gray: Gray, mat: Mat, tuning: Tuning = TUNING) -> MatView:
    """Find the markers of the mat in a grey image; unknown ids are dropped.

    Args:
        gray: shape (rows, columns).
        mat: which markers to expect.
        tuning: see `Tuning`.
    """
    ids, corners = detect_markers(gray, mat.dictionary, tuning=tuning)
    known = [n for n, marker in enumerate(ids) if marker in mat.corners_mm]
    return MatView(tuple(ids[n] for n in known), corners[known])
