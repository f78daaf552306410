"""Names fallen tiles by the marks on their narrow sides, where the camera sees them aslant.

A tile that lies shows the marks on one or two of its sides, foreshortened to a few pixels. A name
is given only where the cells are clear, every good way of laying them on the side gives the same
word, and no other side says another: a fallen tile without a name is better than a wrong one.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from physics.row.tile import State, Tile
from vision.arrays import Floats, Gray
from vision.geometry.boxes import FACES, body_of, faces_seen
from vision.geometry.camera_pose import View
from vision.geometry.image_sampling import sample
from vision.marks.sticker import CELLS, MarkSet, Sticker
from vision.tuning.marks import FallenValueTuning
from vision.tuning.tuning import TUNING


def name_fallen(
    gray: Gray,
    view: View,
    tiles: Sequence[Tile],
    marks: MarkSet,
    free: Collection[int | None],
    tuning: FallenValueTuning = TUNING.fallen_values,
) -> tuple[Tile, ...]:
    """Give lying tiles the values that their sides show.

    Args:
        gray: the image.
        view: the camera.
        tiles: unread tiles, lying or not.
        marks: the words and geometry of the marks.
        free: values that no other tile has.
        tuning: see `FallenValueTuning`.

    Returns:
        The same tiles in the same order; a value that two of them would have is given to neither.
    """
    values = [
        read_sides(gray, view, tile, marks, tuning=tuning) if tile.state is State.FALLEN else None
        for tile in tiles
    ]
    return tuple(
        replace(tile, value=value) if value in free and values.count(value) == 1 else tile
        for tile, value in zip(tiles, values, strict=True)
    )


def read_sides(
    gray: Gray,
    view: View,
    tile: Tile,
    marks: MarkSet,
    tuning: FallenValueTuning = TUNING.fallen_values,
) -> int | None:
    """Read the marks on the sides of a tile that lies flat; None if they are not clear."""
    corners = body_of(tile)
    seen = faces_seen(corners[None], view)[0]
    told = set()
    for face, shown in zip(FACES[1:5], seen[1:5], strict=True):
        if shown:
            told |= _read_side(gray, view, corners[list(face)], marks, tuning)
    return told.pop() if len(told) == 1 else None


def _read_side(
    gray: Gray, view: View, quad: Floats, marks: MarkSet, tuning: FallenValueTuning
) -> set[int]:
    """Read one side; its lower corners come first.

    Returns:
        What it says: nothing, a value, or several if it is not clear which.
    """
    along, up = quad[1] - quad[0], quad[3] - quad[0]
    length, height = float(np.linalg.norm(along)), float(np.linalg.norm(up))
    along, up = along / length, up / height
    middle = quad.mean(axis=0)
    ray = view.pose.centre_mm - middle
    least = math.sin(tuning.least_slant_rad) * float(np.linalg.norm(ray))
    if float(np.cross(along, up) @ ray) < least:
        return set()
    sticker = min((marks.short, marks.long), key=lambda one: abs(one.edge_mm - length))
    samples = _brightness(gray, view, middle, along, up, sticker, tuning)
    samples = samples[samples[:, 2:-2].std(axis=1) > tuning.least_contrast_levels]
    told = []
    for one, reading in zip(samples, marks.read(samples[:, 2:-2]), strict=True):
        if reading.margin > tuning.least_margin:
            word = marks.words[reading.value]
            told.append((_likeness(one, word[::-1] if reading.backwards else word), reading.value))
    best = max(told, default=(0.0, 0))[0]
    if best < tuning.least_score:
        return set()
    return {value for score, value in told if score > best - tuning.nearly_score}


def _likeness(samples: Floats, word: str) -> float:
    """Correlate the brightness along a side with a word between black walls and white paper."""
    drawn = np.array([float(c) for c in f"10{word}01"])
    return float(np.corrcoef(samples, drawn)[0, 1])


def _shifts(tuning: FallenValueTuning) -> list[Floats]:
    """Where along a side, and up, its mark is looked for, in mm from its place."""
    both = zip(tuning.shifts_mm, tuning.steps_mm, strict=True)
    return [np.arange(-far, far + 0.1, step) for far, step in both]


def _brightness(
    gray: Gray,
    view: View,
    middle: Floats,
    along: Floats,
    up: Floats,
    sticker: Sticker,
    tuning: FallenValueTuning,
) -> Floats:
    """Brightness along a side for every shift of the mark.

    Returns:
        Paper, wall, nine cells, wall and paper, shape (shifts, 13).
    """
    cells = np.array(sticker.cell_centres_mm)
    wall = (sticker.body_mm[0] - sticker.end_wall_mm) / 2
    rim = (sticker.sticker_mm[0] + sticker.body_mm[0]) / 4
    centres = np.array([-rim, -wall, *cells, wall, rim])
    ends = [tuning.paper_read_mm, tuning.wall_read_mm]
    widths = np.array([*ends, *[sticker.cell_mm / 2] * CELLS, *ends[::-1]])
    u = np.repeat((centres[:, None] + widths[:, None] * np.array([-0.5, 0.0, 0.5])).ravel(), 3)
    v = np.tile(tuning.read_mm, len(u) // len(tuning.read_mm))
    shift_u, shift_v = (grid.ravel() for grid in np.meshgrid(*_shifts(tuning)))
    table = middle + (u + shift_u[:, None])[..., None] * along
    table += (v + shift_v[:, None])[..., None] * up
    read = sample(gray, view.project(table))
    return np.asarray(read.reshape(len(shift_u), len(centres), -1).mean(axis=2))
