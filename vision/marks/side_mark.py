"""Use the mark on the narrow wall of a standing tile: it tells where the wall is.

A sticker on the upper edge is off by as much as the hand that placed it. The sticker on the narrow
wall is off too, but only within the plane of the wall: up, down or sideways. Seen from far above,
up and down hardly moves it in the image. So it tells where the wall stands, along the long edge of
the foot of the tile, two to three times as well as the mark on top.

Seen at some 25 degrees, the long mark on the wall of a tile that stands vertical looks as long as
the short one on top, and carries the same word: it could be taken for the mark of a tile that is
not there.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from physics.row.tile import Orientation, Tile, TileSpec
from vision.arrays import Floats, Gray
from vision.geometry.camera_pose import View, to_plane
from vision.geometry.image_sampling import inside, sample
from vision.marks.mark_fit import Drawing, MarkPose, drawing_of
from vision.marks.sticker import MarkSet, Sticker
from vision.tuning.marks import SideMarkTuning
from vision.tuning.tuning import TUNING, Tuning


@dataclass(frozen=True, slots=True)
class Shift:
    """How far a tile must be moved one way.

    Attributes:
        mm: how far.
        sigma_mm: how uncertain that is.
    """

    mm: float
    sigma_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class _Wall:
    """A narrow wall that looks at the camera.

    Attributes:
        middle_mm: of its mark, shape (3,).
        across: level unit direction along the wall, shape (3,).
        outwards: level unit direction out of it, shape (3,).
    """

    middle_mm: Floats
    across: Floats
    outwards: Floats

    def to_table(self, up_mm: Floats, across_mm: Floats) -> Floats:
        """Take points of the mark, upwards and across it, to the table frame, shape (n, 3)."""
        points = self.middle_mm + across_mm[..., None] * self.across
        points[..., 2] += up_mm
        return points


def along_foot(
    gray: Gray, view: View, tile: Tile, marks: MarkSet, hand_mm: float, tuning: Tuning = TUNING
) -> Shift | None:
    """Say how far a tile must be moved to its left for the mark on its narrow wall to fit.

    Args:
        gray: the image.
        view: the camera.
        tile: a standing tile whose value is known, good to about half a millimetre.
        marks: the words and geometry of the marks.
        hand_mm: how well stickers are placed by hand, one sigma.
        tuning: see `Tuning`.

    Returns:
        How far to its left, seen along its heading; None if the wall cannot be seen or read.
    """
    numbers = tuning.side_mark
    if tile.value is None or tile.orientation is None:
        return None
    wall = _wall(tile, view, tuning=numbers)
    if wall is None:
        return None
    ahead = np.stack([[0.0, 0.0, 1.0], wall.across, wall.outwards])
    seen = view.project(np.vstack([wall.middle_mm, wall.middle_mm + ahead]))
    up, across, out = seen[1:] - seen[0]
    # What a mark that lies too high on its wall is taken for: a wall that stands farther out.
    outwards, sideways = np.linalg.solve(np.stack([out, across], axis=1), up)
    area = abs(float(up[0] * across[1] - up[1] * across[0]))
    thin = area / float(np.hypot(*across)), area / float(np.hypot(*up))
    least = max(numbers.least_slant_share * thin[1], numbers.least_px_mm)
    if thin[0] < least or abs(sideways) > 1.0:
        return None
    sticker = _on_wall(tile.orientation, marks)
    word = _way_up(gray, view, wall, marks.words[tile.value], sticker, tuning=numbers)
    if word is None:
        return None
    along, beside = tuning.mark_fit.blurs_px
    blur_mm = round(along / thin[0], 1), round(beside / thin[1], 1)
    drawing = drawing_of(word, sticker, blur_mm, uneven=True, tuning=tuning.mark_fit)
    rise = _climb(gray, view, wall, drawing, tuning=numbers)
    if rise is None:
        return None
    left = math.copysign(1.0, float(wall.outwards @ _left(tile)))
    sigma_mm = abs(float(outwards)) * math.hypot(rise.sigma_mm, hand_mm)
    return Shift(left * float(outwards) * rise.mm, math.hypot(sigma_mm, numbers.wall_mm))


def tops_above(
    place: MarkPose,
    sticker: Sticker,
    view: View,
    marks: MarkSet,
    spec: TileSpec,
    paper_mm: float,
    tuning: SideMarkTuning = TUNING.side_mark,
) -> Iterator[tuple[Orientation, list[MarkPose]]]:
    """Say where the mark on top lies if what was taken for one is the mark on a narrow wall.

    Args:
        place: of what was taken for a mark on top.
        sticker: the geometry it was taken for.
        view: the camera.
        marks: the geometry of the marks.
        spec: the size of the tiles.
        paper_mm: how far a mark lies above its tile.
        tuning: see `SideMarkTuning`.

    Yields:
        How the tile would stand, and first guesses of where the mark on top of it lies, for each of
        the ways in which the wall may be turned. Nothing if the mark cannot be on a wall.
    """
    half_mm = sticker.sticker_mm[0] / 2
    ends = view.project(place.to_table(np.array([-half_mm, half_mm]), np.zeros(2)))
    for orientation in Orientation:
        height_mm = spec.height_mm(orientation)
        length_mm = _on_wall(orientation, marks).sticker_mm[0]
        lows, highs = (
            to_plane(ends, z_mm, view.pose, view.intrinsics)
            for z_mm in ((height_mm - length_mm) / 2, (height_mm + length_mm) / 2)
        )
        for foot, head in zip(lows, highs[::-1], strict=True):
            if math.dist(foot, head) > tuning.plumb_mm:
                continue
            wall = (foot + head) / 2
            right, up = (view.pose.centre_mm[:2] - wall).tolist()
            ways = [math.atan2(up, right) + turn for turn in tuning.wall_turns_rad]
            into_mm = spec.face_mm(orientation) / 2
            yield (
                orientation,
                [
                    MarkPose(
                        float(wall[0]) - into_mm * math.cos(way),
                        float(wall[1]) - into_mm * math.sin(way),
                        way,
                        height_mm + paper_mm,
                    )
                    for way in ways
                ],
            )


def wall_likeness(
    gray: Gray, view: View, tile: Tile, marks: MarkSet, tuning: SideMarkTuning = TUNING.side_mark
) -> float:
    """Say how much like its word the mark on the narrow wall of a tile looks.

    Args:
        gray: the image.
        view: the camera.
        tile: a standing tile whose value is known.
        marks: the words and geometry of the marks.
        tuning: see `SideMarkTuning`.

    Returns:
        A correlation, -1..1; -1 where the wall cannot be seen.
    """
    wall = _wall(tile, view, tuning=tuning)
    if wall is None or tile.value is None or tile.orientation is None:
        return -1.0
    sticker = _on_wall(tile.orientation, marks)
    return max(_likeness(gray, view, wall, marks.words[tile.value], sticker, tuning))


def _on_wall(orientation: Orientation, marks: MarkSet) -> Sticker:
    """The mark on the narrow walls of a tile that stands so."""
    return marks.long if orientation is Orientation.VERTICAL else marks.short


def _left(tile: Tile) -> Floats:
    heading = tile.pose.heading_rad
    return np.array([-math.sin(heading), math.cos(heading), 0.0])


def _wall(tile: Tile, view: View, tuning: SideMarkTuning) -> _Wall | None:
    """The narrow wall that looks at the camera; None if both look away."""
    assert tile.orientation is not None
    left, ahead = _left(tile), np.array([_left(tile)[1], -_left(tile)[0], 0.0])
    far = tile.spec.face_mm(tile.orientation) / 2 + tuning.paper_mm
    middle = np.array([tile.pose.x_mm, tile.pose.y_mm, tile.height_mm / 2])
    side = float((view.pose.centre_mm - middle) @ left)
    if abs(side) <= far:
        return None
    outwards = math.copysign(1.0, side) * left
    return _Wall(middle + far * outwards, ahead, outwards)


def _way_up(
    gray: Gray, view: View, wall: _Wall, word: str, sticker: Sticker, tuning: SideMarkTuning
) -> str | None:
    """The word as it reads upwards; None if the cells do not look like it."""
    upwards, downwards = _likeness(gray, view, wall, word, sticker, tuning)
    if max(upwards, downwards) < tuning.first_score:
        return None
    return word if upwards > downwards else word[::-1]


def _likeness(
    gray: Gray, view: View, wall: _Wall, word: str, sticker: Sticker, tuning: SideMarkTuning
) -> tuple[float, float]:
    """How much like a word the cells on a wall look, upwards and downwards, -1..1 each.

    It is -1 where they are not in the picture.
    """
    up = np.repeat(sticker.cell_centres_mm, 3)
    across = np.tile([-0.5, 0.0, 0.5], len(word))
    points = view.project(wall.to_table(up, across))
    if not inside(points, gray, tuning.rim_px):
        return -1.0, -1.0
    cells = sample(gray, points).reshape(len(word), 3).mean(axis=1)
    bits = np.array([float(cell) for cell in word])
    cells, bits = cells - cells.mean(), bits - bits.mean()
    size = float(np.linalg.norm(cells) * np.linalg.norm(bits)) or 1.0
    return float(bits @ cells) / size, float(bits[::-1] @ cells) / size


def _climb(
    gray: Gray, view: View, wall: _Wall, drawing: Drawing, tuning: SideMarkTuning
) -> Shift | None:
    """How far up its wall the mark seems to lie; None if it is not there."""
    up = across = 0.0
    for _ in range(tuning.rounds):
        points = view.project(wall.to_table(drawing.along_mm + up, drawing.across_mm + across))
        if not inside(points, gray, tuning.rim_px):
            return None
        seen = sample(gray, points, cv2.INTER_CUBIC)
        solution = drawing.solver @ seen
        gain = float(solution[0])
        if gain <= 1.0:
            return None
        step = -solution[1:3] / gain
        up, across = up + float(step[0]), across + float(step[1])
        if max(abs(up), abs(across)) > tuning.farthest_mm:
            return None
        if max(abs(step)) < tuning.settled_mm:
            break
    rest = seen - drawing.matrix @ solution
    left = float(rest @ rest)
    if 1.0 - left / (float(seen.var()) * len(seen) or 1.0) < tuning.least_score**2:
        return None
    noise = math.sqrt(left / (len(rest) - drawing.matrix.shape[1]))
    return Shift(up, noise / gain * float(drawing.spread[1]))
