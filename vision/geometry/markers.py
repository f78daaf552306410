"""Square markers of one dictionary in a grey image, with corners exact to hundredths of a pixel.

OpenCV finds and names them; a line is then fitted to each side, and the corners are where these
meet.
"""

from collections.abc import Callable
from functools import lru_cache, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Floats, Gray
from vision.tuning.geometry import CornerTuning, MarkerTuning
from vision.tuning.tuning import TUNING, Tuning

Levels = Callable[[Floats], Floats]
"""Brightness at offsets (px, outwards) from places along each side."""


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


def refine_corners(gray: Gray, corners_px: Floats, tuning: CornerTuning = TUNING.corners) -> Floats:
    """Move the corners of black squares on white paper to where their sides meet.

    The edge is the middle of the rise of brightness, outwards; a line is fitted to each side
    without the places that something covers. A side has many more pixels than the neighbourhood of
    a corner, so this is several times as exact.

    Args:
        gray: shape (rows, columns).
        corners_px: about where the corners are, in order round each square, shape (n, 4, 2).
        tuning: see `CornerTuning`.

    Returns:
        The same corners, shape (n, 4, 2).
    """
    if len(corners_px) == 0:
        return corners_px
    start, end = corners_px, np.roll(corners_px, -1, axis=1)
    along = end - start
    length = np.linalg.norm(along, axis=2)
    outwards = np.stack([along[..., 1], -along[..., 0]], axis=-1) / length[..., None]
    from_middle = (start + end) / 2 - corners_px.mean(axis=1, keepdims=True)
    outwards *= np.sign((from_middle * outwards).sum(axis=-1, keepdims=True))

    reach = np.clip(tuning.reach_share * length, *tuning.reach_px)
    share = np.linspace(
        tuning.clear_of_corners_share, 1 - tuning.clear_of_corners_share, tuning.places
    )
    levels = partial(_levels, gray, start, along, outwards, share, tuning)
    lower, upper, sure = _lines(*_steepest(levels, reach, tuning), share, tuning)
    for _ in range(tuning.rounds):
        near = lower[..., None] * (1 - share) + upper[..., None] * share
        lower, upper, sure = _lines(*_centred(levels, reach / 2, near, tuning), share, tuning)
    first = start + outwards * lower[..., None]
    second = end + outwards * upper[..., None]
    met = _crossings(np.roll(first, 1, axis=1), np.roll(second, 1, axis=1), first, second)
    trusted = sure.sum(axis=-1) >= tuning.places // 2
    trusted &= np.roll(trusted, 1, axis=1)
    trusted &= np.linalg.norm(met - corners_px, axis=2) < tuning.farthest_px
    return np.where(trusted[..., None], met, corners_px)


def _steepest(levels: Levels, reach: Floats, tuning: CornerTuning) -> tuple[Floats, Bools]:
    """Where along the way outwards it gets lighter most (px), and whether it does at all."""
    steps = np.linspace(-1.0, 1.0, tuning.steps + 1)
    offsets = np.broadcast_to(
        reach[..., None, None] * steps, (*reach.shape, tuning.places, len(steps))
    )
    rise = np.diff(levels(offsets), axis=-1)
    best = np.argmax(rise, axis=-1)
    edge = ((steps[1:] + steps[:-1]) / 2)[best] * reach[..., None]
    return edge, np.maximum(rise, 0.0).sum(axis=-1) > tuning.least_contrast_levels


def _centred(
    levels: Levels, half: Floats, near: Floats, tuning: CornerTuning
) -> tuple[Floats, Bools]:
    """The middle of the rise of brightness round where the edge is thought to be.

    The window does not follow the noise of the single place, so noise does not pull.
    """
    steps = np.linspace(-1.0, 1.0, tuning.steps + 1)
    seen = levels(near[..., None] + half[..., None, None] * steps)
    rise = np.diff(seen, axis=-1)
    whole = seen[..., -1] - seen[..., 0]
    between = (steps[1:] + steps[:-1]) / 2
    sure = whole > tuning.least_contrast_levels
    shift = (rise @ between) / np.where(sure, whole, 1.0)
    # What the window cuts off of a wide edge makes the shift look smaller than it is.
    cut_off = (rise[..., 0] + rise[..., -1]).sum(axis=-1) * tuning.steps / 2
    share_seen = 1.0 - cut_off / np.maximum(whole.sum(axis=-1), 1.0)
    shift /= np.clip(share_seen, tuning.least_seen_share, 1.0)[..., None]
    sure &= np.abs(shift) < 1.0
    return near + np.where(sure, shift, 0.0) * half[..., None], sure


def _levels(
    gray: Gray,
    start: Floats,
    along: Floats,
    outwards: Floats,
    share: Floats,
    tuning: CornerTuning,
    offsets: Floats,
) -> Floats:
    """See `Levels`."""
    places = start[:, :, None, :] + along[:, :, None, :] * share[:, None]
    points = places[:, :, :, None, :] + outwards[:, :, None, None, :] * offsets[..., None]
    flat = points.astype(np.float32).reshape(-1, offsets.shape[-1] * tuning.places, 2)
    seen = cv2.remap(gray, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR)
    return np.asarray(seen, np.float64).reshape(offsets.shape)


def _lines(
    edge: Floats, sure: Bools, share: Floats, tuning: CornerTuning
) -> tuple[Floats, Floats, Bools]:
    """Fit a line to the edge along each side.

    Returns:
        How far outwards it lies at both ends, in px, and which places it rests on.
    """
    place = share - 0.5
    usual = np.median(edge, axis=-1, keepdims=True)
    used = sure & (np.abs(edge - usual) < tuning.skew_px)
    for _ in range(tuning.line_rounds):
        weight = used.astype(np.float64)
        total = weight.sum(axis=-1)
        by_place = (weight * place).sum(axis=-1)
        by_square = (weight * place**2).sum(axis=-1)
        value, tilted = (weight * edge).sum(axis=-1), (weight * edge * place).sum(axis=-1)
        size = np.maximum(total * by_square - by_place**2, 1e-9)
        middle = (by_square * value - by_place * tilted) / size
        slope = (total * tilted - by_place * value) / size
        miss = np.abs(edge - middle[..., None] - slope[..., None] * place)
        usual = tuning.outlier_factor * np.median(miss, axis=-1, keepdims=True)
        used = sure & (miss < usual + tuning.outlier_floor_px)
    return middle - slope / 2, middle + slope / 2, used


def _crossings(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Where the lines through a and b, and through c and d, meet; all of shape (n, 4, 2)."""
    one, other, between = b - a, d - c, c - a
    spread = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    spread = np.where(np.abs(spread) < 1e-9, np.inf, spread)
    share = (between[..., 0] * other[..., 1] - between[..., 1] * other[..., 0]) / spread
    return np.asarray(a + one * share[..., None])
