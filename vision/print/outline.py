"""Printed markers as outlines: the edge between black and white cells of a square marker."""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from vision.arrays import Bools
from vision.print.paper import Ink, Outline, Point

Cell = tuple[int, int]


@lru_cache
def marker_cells(dictionary: str, marker: int) -> Bools:
    """Give the cells of a marker, its border included; True is black.

    Args:
        dictionary: OpenCV's name of it.
        marker: id in it.

    Returns:
        Shape (side, side), first row at the top.
    """
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    side = words.markerSize + 2
    drawn = cv2.aruco.generateImageMarker(words, marker, side, borderBits=1)
    return np.asarray(np.asarray(drawn) == 0, np.bool_)


def trace(cells: Bools) -> tuple[Outline, ...]:
    """Walk round all black cells, so that neighbours are one shape without a seam.

    Args:
        cells: True is black, shape (rows, columns), first row at the top.

    Returns:
        Closed outlines in cells, x right, y down; filled by the even-odd rule they are the black.

    >>> trace(np.array([[True, True]]))
    (((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)),)
    """
    padded = np.pad(cells, 1)
    # Steps along cell sides with black on the right hand.
    steps: dict[Cell, list[Cell]] = {}
    for row, column in np.argwhere(padded).tolist():
        x, y = column - 1, row - 1
        for step_row, step_column, start, end in (
            (row - 1, column, (x, y), (x + 1, y)),
            (row, column + 1, (x + 1, y), (x + 1, y + 1)),
            (row + 1, column, (x + 1, y + 1), (x, y + 1)),
            (row, column - 1, (x, y + 1), (x, y)),
        ):
            if not padded[step_row, step_column]:
                steps.setdefault(start, []).append(end)
    outlines = []
    while steps:
        start = min(steps, key=lambda place: (place[1], place[0]))
        walk, here = [start], _take(steps, start)
        while here != start:
            walk.append(here)
            here = _take(steps, here)
        outlines.append(_corners(walk))
    return tuple(outlines)


def _take(steps: dict[Cell, list[Cell]], here: Cell) -> Cell:
    ends = steps[here]
    end = ends.pop()
    if not ends:
        del steps[here]
    return end


def _corners(walk: Sequence[Cell]) -> Outline:
    """Leave out the places where a walk goes straight on."""
    turns = []
    for before, here, after in zip((walk[-1], *walk[:-1]), walk, (*walk[1:], walk[0]), strict=True):
        if (here[0] - before[0], here[1] - before[1]) != (after[0] - here[0], after[1] - here[1]):
            turns.append((float(here[0]), float(here[1])))
    return tuple(turns)


def draw_marker(dictionary: str, marker: int, corners_mm: Sequence[Point]) -> Ink:
    """Draw a marker.

    Args:
        dictionary: OpenCV's name of its dictionary.
        marker: id in it.
        corners_mm: places on the sheet of its top left, top right, bottom right and bottom left.
    """
    cells = marker_cells(dictionary, marker)
    side = cells.shape[0]
    (x0, y0), (x1, y1), _, (x3, y3) = corners_mm
    return Ink(
        tuple(
            tuple(
                (
                    x0 + (x1 - x0) * across / side + (x3 - x0) * down / side,
                    y0 + (y1 - y0) * across / side + (y3 - y0) * down / side,
                )
                for across, down in outline
            )
            for outline in trace(cells)
        )
    )
