"""Corners of printed black squares, exact to hundredths of a pixel: where fitted sides meet."""

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Gray = NDArray[np.uint8]

PLACES = 16
"""On how many places along a side its edge is looked for."""
CLEAR_OF_CORNERS = 0.15
"""Share of a side at each end where blur mixes it with the next one."""
STEPS = 16
REACH_SHARE = 0.1
REACH_PX = (1.5, 4.0)
"""How far to both sides the edge is looked for: a share of the side, within these px."""
LEAST_CONTRAST = 20.0
"""Grey levels by which paper must be lighter than ink."""
FARTHEST_PX = 3.0
"""A corner that would move farther stays as it was found."""


def refine_corners(gray: Gray, corners_px: Floats) -> Floats:
    """Move the corners of black squares on white paper to where their sides meet.

    The edge is where it gets lighter most, outwards, weighed over the whole blur; a line is fitted
    to each side without the places that something covers. A side has many more pixels than the
    neighbourhood of a corner, so this is several times as exact.

    Args:
        gray: shape (rows, columns).
        corners_px: about where the corners are, in order round each square, shape (n, 4, 2).

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

    reach = np.clip(REACH_SHARE * length, *REACH_PX)
    share = np.linspace(CLEAR_OF_CORNERS, 1 - CLEAR_OF_CORNERS, PLACES)
    edge, sure = _edges(gray, start, along, outwards, reach, share)
    lower, upper = _lines(edge, sure, share)
    first = start + outwards * lower[..., None]
    second = end + outwards * upper[..., None]
    met = _crossings(np.roll(first, 1, axis=1), np.roll(second, 1, axis=1), first, second)
    trusted = sure.sum(axis=-1) >= PLACES // 2
    trusted &= np.roll(trusted, 1, axis=1)
    trusted &= np.linalg.norm(met - corners_px, axis=2) < FARTHEST_PX
    return np.where(trusted[..., None], met, corners_px)


def _edges(
    gray: Gray, start: Floats, along: Floats, outwards: Floats, reach: Floats, share: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """How far outwards the edge lies at each place of each side (px), and whether there is one."""
    steps = np.linspace(-1.0, 1.0, STEPS + 1)
    places = start[:, :, None, :] + along[:, :, None, :] * share[:, None]
    way = (outwards * reach[..., None])[:, :, None, None, :] * steps[:, None]
    points = (places[:, :, :, None, :] + way).astype(np.float32)
    flat = points.reshape(-1, PLACES * len(steps), 2)
    seen = cv2.remap(gray, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR)
    levels = np.asarray(seen, np.float64).reshape(*points.shape[:-1])
    rise = np.maximum(np.diff(levels, axis=-1), 0.0)
    between = (steps[1:] + steps[:-1]) / 2
    steepest = between[np.argmax(rise, axis=-1)]
    rise *= np.abs(between - steepest[..., None]) <= 0.5
    whole = rise.sum(axis=-1)
    edge = (rise * between).sum(axis=-1) / np.maximum(whole, 1e-9) * reach[..., None]
    return edge, whole > LEAST_CONTRAST


def _lines(edge: Floats, sure: NDArray[np.bool_], share: Floats) -> tuple[Floats, Floats]:
    """Fit a line to the edge along each side; how far outwards it lies at both ends, in px."""
    weight = sure.astype(np.float64)
    place = share - 0.5
    for _ in range(3):
        total = weight.sum(axis=-1)
        by_place = (weight * place).sum(axis=-1)
        by_square = (weight * place**2).sum(axis=-1)
        value, tilted = (weight * edge).sum(axis=-1), (weight * edge * place).sum(axis=-1)
        size = np.maximum(total * by_square - by_place**2, 1e-9)
        middle = (by_square * value - by_place * tilted) / size
        slope = (total * tilted - by_place * value) / size
        miss = np.abs(edge - middle[..., None] - slope[..., None] * place)
        usual = np.median(miss, axis=-1, keepdims=True) + 0.02
        weight = (sure & (miss < 3.0 * usual)).astype(np.float64)
    return middle - slope / 2, middle + slope / 2


def _crossings(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Where the lines through a and b, and through c and d, meet; all of shape (n, 4, 2)."""
    one, other, between = b - a, d - c, c - a
    spread = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    spread = np.where(np.abs(spread) < 1e-9, np.inf, spread)
    share = (between[..., 0] * other[..., 1] - between[..., 1] * other[..., 0]) / spread
    return np.asarray(a + one * share[..., None])
