"""One look at the table: a frame in, the camera, the tiles and a hand out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.tile import Tile, TileSet
from vision.background import Background, Foreground, hand_in, shrink
from vision.calibration import (
    CameraPose,
    Intrinsics,
    Mat,
    find_markers,
    find_pose,
    project,
)
from vision.camera import Frame
from vision.detect import Detections, detect
from vision.fit import View
from vision.follow import follow
from vision.intrinsics import guess_intrinsics
from vision.locate import locate, region
from vision.marks import Marks, load_marks
from vision.plain import emptied, odd_places
from vision.recent import News, Recent
from vision.sides import name_fallen
from vision.silhouette import find_unmarked

Gray = NDArray[np.uint8]

THUMB_SHRINK = 4
THUMB_LEVELS = 6
"""A frame is the same if, at half size and shrunk so much, no pixel differs by more levels."""
MOVED_PX = 2.0
"""A camera that shifts the picture by more than this needs a new background."""

SAME_MM = 1.5
"""A mark read again no farther away than this is that of the same tile, unmoved."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame shows.

    Attributes:
        camera: where the camera is.
        tiles: standing and fallen tiles, as far as they can be told.
        hand_in_view: whether something larger than a tile is over the table.
    """

    camera: CameraPose
    tiles: tuple[Tile, ...]
    hand_in_view: bool


class Eye:
    """Looks at one table with one camera; keeps what the empty table looks like."""

    def __init__(
        self,
        intrinsics: Intrinsics,
        mat: Mat,
        tile_set: TileSet | None = None,
        marks: Marks | None = None,
    ) -> None:
        self.intrinsics = intrinsics
        self.mat = mat
        self.tile_set = tile_set or TileSet()
        self.marks = marks or load_marks()
        self._empty: tuple[Background, View] | None = None
        self._view: View | None = None
        self._recent: Recent | None = None
        self._last: tuple[NDArray[np.uint8], Look] | None = None

    def look(self, frame: Frame) -> Look:
        """Find the camera, the tiles and a hand in a frame.

        A frame that shows nothing new is not looked at again: what the last one showed still
        holds.

        Raises:
            NoMat: the mat cannot be seen well enough to say where anything is.
            BadCamera: the frame has another shape than the camera file says.
        """
        small = shrink(frame.image)
        thumb = _thumb(small)
        if self._last is not None and _unchanged(thumb, self._last[0]):
            return self._last[1]
        look = self._look_closely(frame, small)
        self._last = (thumb, look)
        return look

    def _look_closely(self, frame: Frame, small: NDArray[np.uint8]) -> Look:
        rows, columns = frame.image.shape[:2]
        intrinsics = self.intrinsics.at_size(columns, rows)
        gray = _gray(frame)
        view = View(self._find_camera(gray, intrinsics), intrinsics)
        self._view = view
        foreground = self._compare(small, view)
        if foreground is None:
            marked = self._read(gray, view, None, self._before())
            odd, hand = odd_places(frame.image, view, self.mat)
            if hand:
                return Look(view.pose, marked, hand_in_view=True)
            self._empty = Background(emptied(frame.image, odd, view, self.mat, marked)), view
            self._recent = None
            foreground = self._empty[0].compare(small)
            return self._finish(frame.image, gray, view, foreground, marked, None)
        news = self._recent.news(foreground, self.mat) if self._recent is not None else None
        if news is not None:
            hints = [tile for tile in self._before() if tile not in news.kept]
            changed = np.asarray(cv2.min(foreground.loose, news.where), dtype=np.uint8)
            fresh = self._read(gray, view, changed, hints)
            fresh = tuple(tile for tile in fresh if not _again(tile, news.kept))
            if not _contradict(fresh, news.kept):
                marked = tuple(tile for tile in news.kept if tile.value is not None)
                return self._finish(frame.image, gray, view, foreground, (*marked, *fresh), news)
        marked = self._read(gray, view, foreground.loose, self._before())
        return self._finish(frame.image, gray, view, foreground, marked, None)

    def _before(self) -> tuple[Tile, ...]:
        return self._last[1].tiles if self._last is not None else ()

    def _read(
        self, gray: Gray, view: View, changed: Gray | None, hints: Sequence[Tile]
    ) -> tuple[Tile, ...]:
        """Read the marks where something has changed, or everywhere."""
        where = region(view, self.mat, self.marks, self.tile_set)
        return self._locate(detect(gray, where, changed), view, hints)

    def _finish(
        self,
        image: NDArray[np.uint8],
        gray: Gray,
        view: View,
        foreground: Foreground,
        marked: tuple[Tile, ...],
        news: News | None,
    ) -> Look:
        """Look for a hand, and for what no mark explains.

        Args:
            image: the frame.
            gray: the same, grey.
            view: where the camera is.
            foreground: where the frame differs from the empty table.
            marked: tiles known by their marks.
            news: what has changed since the last clear look; None to look everywhere.
        """
        if hand_in(foreground, view, self.mat):
            return Look(view.pose, _by_value(marked), hand_in_view=True)
        kept = () if news is None else tuple(t for t in news.kept if t.value is None)
        where = None if news is None else news.where
        known = (*marked, *kept)
        others = find_unmarked(image, foreground, view, self.mat, self.tile_set, known, where)
        # A mark may be too blurred to have an outline, and yet be read once its tile is found.
        unread = Detections(gray, np.zeros((0, 4, 2)))
        values = {tile.value for tile in marked}
        late = [t for t in self._locate(unread, view, others) if t.value not in values]
        others = tuple(
            o for o in others if not any(o.footprint.overlaps(t.footprint) for t in late)
        )
        told = {tile.value for tile in (*marked, *late)}
        others = name_fallen(gray, view, others, self.marks, set(self.tile_set.values) - told)
        if self._empty is not None:
            self._empty[0].update(foreground)
        tiles = (*_by_value((*marked, *late)), *kept, *others)
        self._recent = Recent(foreground, tiles, view)
        return Look(view.pose, tiles, hand_in_view=False)

    def _find_camera(self, gray: NDArray[np.uint8], intrinsics: Intrinsics) -> CameraPose:
        """Find the camera, first where it was, and sharpen its pose."""
        before = self._view
        if before is not None and before.intrinsics.width == intrinsics.width:
            pose = follow(gray, before, self.mat)
            if pose is not None:
                return pose
        rough = find_pose(gray, intrinsics, self.mat)
        return follow(gray, View(rough, intrinsics), self.mat) or rough

    def _locate(self, found: Detections, view: View, hints: Sequence[Tile]) -> tuple[Tile, ...]:
        return locate(found, view, self.mat, self.marks, self.tile_set, hints)

    def _compare(self, small: NDArray[np.uint8], view: View) -> Foreground | None:
        """Compare with the empty table; None if nobody knows how that looks from here."""
        if self._empty is None:
            return None
        background, before = self._empty
        if before.intrinsics.width != view.intrinsics.width:
            return None
        corners = np.array([(x, y, 0.0) for x in self.mat.area_x_mm for y in self.mat.area_y_mm])
        now = project(corners, view.pose, view.intrinsics)
        then = project(corners, before.pose, before.intrinsics)
        if float(np.abs(now - then).max()) > MOVED_PX:
            return None
        return background.compare(small)


def _by_value(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    return tuple(sorted(tiles, key=lambda tile: tile.value or 0))


def _again(tile: Tile, kept: Sequence[Tile]) -> bool:
    """Say whether a tile is one of those that were there before."""
    return any(
        tile.value == k.value
        and math.dist((tile.pose.x_mm, tile.pose.y_mm), (k.pose.x_mm, k.pose.y_mm)) < SAME_MM
        for k in kept
    )


def _contradict(fresh: Sequence[Tile], kept: Sequence[Tile]) -> bool:
    """Say whether a tile just read cannot be beside those that were there before."""
    return any(
        one.value == other.value or one.footprint.overlaps(other.footprint)
        for one in fresh
        for other in kept
    )


def guess_lens(frames: Sequence[Frame], mat: Mat) -> Intrinsics:
    """Guess the lens from what frames of one size show of the mat; see `guess_intrinsics`.

    Raises:
        NoMat: no frame shows enough of the mat.
    """
    rows, columns = frames[0].image.shape[:2]
    views = [find_markers(_gray(frame), mat) for frame in frames]
    return guess_intrinsics(views, mat, (columns, rows))


def _gray(frame: Frame) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _thumb(small: NDArray[np.uint8]) -> NDArray[np.uint8]:
    rows, columns = small.shape[:2]
    size = (max(1, columns // THUMB_SHRINK), max(1, rows // THUMB_SHRINK))
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _unchanged(one: NDArray[np.uint8], two: NDArray[np.uint8]) -> bool:
    if one.shape != two.shape:
        return False
    return float(cv2.norm(one, two, cv2.NORM_INF)) <= THUMB_LEVELS
