"""Images read between their pixels, and where that can be done."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Gray

MOST_ROWS = 30000
"""OpenCV reads fewer than 32767 rows at once."""
NO_MAP: Any = None
"""Stands in for the second map of `remap`, as the first holds both coordinates; OpenCV allows it,
its types do not."""


def sample(values: NDArray[Any], points_px: Floats, way: int = cv2.INTER_LINEAR) -> Floats:
    """Read an image between its pixels.

    Args:
        values: shape (rows, columns) or (rows, columns, channels).
        points_px: shape (n, 2) or (m, n, 2), n below 32767, m as many as there are.
        way: OpenCV's name of how to go from pixel to pixel.

    Returns:
        Shape (n,) or (m, n), and the channels if there are any.
    """
    where = points_px.astype(np.float32, order="C").reshape(-1, *points_px.shape[-2:])
    read = [
        cv2.remap(
            values, where[first : first + MOST_ROWS], NO_MAP, way, borderMode=cv2.BORDER_REPLICATE
        )
        for first in range(0, max(1, len(where)), MOST_ROWS)
    ]
    whole = read[0] if len(read) == 1 else np.concatenate(read)
    return whole.astype(np.float64).reshape(*points_px.shape[:-1], *values.shape[2:])


def inside(points: Floats, gray: Gray, room_px: float = 0.0) -> bool:
    """Whether points lie in an image, so far from its rim, where brightness can be read."""
    rows, columns = gray.shape
    least, right, lower = room_px, columns - 1 - room_px, rows - 1 - room_px
    both = np.ascontiguousarray(points.T)  # for steps along many points are quicker
    x, y = both.max(axis=1).tolist()
    return bool(both.min() >= least and x < right and y < lower)
