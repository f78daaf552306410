"""Square markers of one dictionary in a grey image."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Gray
from vision.geometry.corners import refine_corners
from vision.tuning.geometry import MarkerTuning
from vision.tuning.tuning import TUNING, Tuning


def as_gray(image: NDArray[np.uint8]) -> Gray:
    """Return the brightness of a BGR image, shape (rows, columns)."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def detect_markers(
    gray: Gray, dictionary: str, tuning: Tuning = TUNING
) -> tuple[tuple[int, ...], Floats]:
    """Find the markers of a dictionary; those that are seen twice are left out.

    Args:
        gray: shape (rows, columns).
        dictionary: OpenCV's name of it.
        tuning: see `Tuning`.

    Returns:
        Their ids, and their corners as printed from top left clockwise, shape (n, 4, 2).
    """
    found, ids, _ = _detector(dictionary, tuning.markers).detectMarkers(gray)
    if ids is None or len(found) == 0:
        return (), np.zeros((0, 4, 2))
    names = [int(i) for i in np.asarray(ids).ravel()]
    corners = np.asarray(found, dtype=np.float64).reshape(-1, 4, 2)
    once = [n for n, name in enumerate(names) if names.count(name) == 1]
    return tuple(names[n] for n in once), refine_corners(gray, corners[once], tuning=tuning.corners)


@lru_cache(maxsize=4)
def _detector(dictionary: str, tuning: MarkerTuning) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerPerimeterRate = tuning.least_perimeter_share
    least, most, step = tuning.windows_px
    parameters.adaptiveThreshWinSizeMin = least
    parameters.adaptiveThreshWinSizeMax = most
    parameters.adaptiveThreshWinSizeStep = step
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    return cv2.aruco.ArucoDetector(words, parameters)
