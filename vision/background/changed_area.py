"""Keep what the last clear look showed, and find which part of the table has changed since.

Little of a table changes from one look to the next: a hand reaches in, the light changes, a tile is
placed. Tiles over which the picture is the same as before need not be looked for again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from physics.row.tile import Tile
from vision.arrays import NEIGHBOURS, Gray, Ints
from vision.background.background import SHRINK, Foreground, differences, lit
from vision.geometry.boxes import outlines_px
from vision.geometry.camera_pose import TILE_TOP_MM, View
from vision.geometry.mat import Mat
from vision.tuning.tuning import TUNING, Tuning
from vision.tuning.unmarked import ChangedAreaTuning

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels of the foreground."""

EVEN = 4
"""A part of a picture begins at such a row and column, so that nothing in it is rounded anew."""


@dataclass(frozen=True, slots=True, eq=False)
class News:
    """What has changed since a look, at the size of the foreground.

    Attributes:
        kept: tiles that stand there as before.
        where: 255 on the work area where something has changed, and round it; not over the tiles
            that stand there as before.
        broad: the part of it where as much has changed as a new mark changes, and round that.
    """

    kept: tuple[Tile, ...]
    where: Gray
    broad: Gray


@dataclass(frozen=True, slots=True, eq=False)
class Recent:
    """A look without a hand.

    Attributes:
        foreground: what the table looked like.
        tiles: what was found on it.
        view: where the camera was.
        sharpness: of the mat's markers, see `vision.geometry.edge_profile.sharpness`.
    """

    foreground: Foreground
    tiles: Sequence[Tile]
    view: View
    sharpness: float

    def news(self, foreground: Foreground, mat: Mat, tuning: Tuning = TUNING) -> News | None:
        """Say what is new in a later frame; None if too much is to tell.

        Args:
            foreground: how the later frame differs from the same empty table.
            mat: the work area.
            tuning: see `Tuning`.
        """
        before = self.foreground
        light = foreground.gain / before.gain
        changed = np.asarray(
            cv2.morphologyEx(
                differences(foreground.soft, lit(before.soft, light), tuning=tuning.background),
                cv2.MORPH_OPEN,
                NEIGHBOURS,
            ),
            dtype=np.uint8,
        )
        area = np.zeros_like(changed)
        cv2.fillConvexPoly(area, self._area(mat), (255,))
        changed = np.minimum(changed, area)
        if cv2.countNonZero(changed) > tuning.changed_area.most_news_share * cv2.countNonZero(area):
            return None
        where = np.minimum(np.asarray(cv2.dilate(changed, _round(tuning.changed_area))), area)
        hulls = [hull // SHRINK for hull in outlines_px(self.tiles, self.view)]
        calm = [_calm(changed, hull, tuning.changed_area) for hull in hulls]
        for hull, one in zip(hulls, calm, strict=True):
            if one:
                cv2.fillConvexPoly(where, hull, (0,))
        for hull, one in zip(hulls, calm, strict=True):
            if not one:
                cv2.fillConvexPoly(where, hull, (255,))
                cv2.fillConvexPoly(changed, hull, (255,))
        kept = tuple(tile for tile, one in zip(self.tiles, calm, strict=True) if one)
        return News(kept, where, np.minimum(where, _broad(changed, self.view, tuning.changed_area)))

    def _area(self, mat: Mat) -> Ints:
        """Where things on the work area show, up to the height of a tile."""
        edge = [(x, y, z) for x in mat.area_x_mm for y in mat.area_y_mm for z in (0, TILE_TOP_MM)]
        pixels = np.round(self.view.project(np.array(edge)) / SHRINK).astype(np.int32)
        return np.asarray(cv2.convexHull(pixels), dtype=np.int32)


def _broad(changed: Gray, view: View, tuning: ChangedAreaTuning) -> Gray:
    """Where a change is as broad as a mark, and round it; the rims of what has blurred are not."""
    broad = np.zeros_like(changed)
    box = box_round(changed, 2 * tuning.round_px)
    if box is not None:
        here = np.s_[box[1] : box[3], box[0] : box[2]]
        side = max(len(NEIGHBOURS), round(tuning.broad_mm * view.scale_px_mm() / SHRINK))
        whole = cv2.morphologyEx(changed[here], cv2.MORPH_CLOSE, NEIGHBOURS)
        core = cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((side, side), dtype=np.uint8))
        broad[here] = cv2.dilate(core, _round(tuning), iterations=2)
    return broad


def _round(tuning: ChangedAreaTuning) -> Gray:
    """The window by which a change is grown."""
    return np.ones((tuning.round_px, tuning.round_px), dtype=np.uint8)


def _calm(changed: Gray, hull: Ints, tuning: ChangedAreaTuning) -> bool:
    """Say whether hardly anything has changed within an outline."""
    left, top, wide, high = cv2.boundingRect(hull)
    left, top = max(0, left), max(0, top)
    part = changed[top : top + high, left : left + wide]
    shape = np.zeros(part.shape, dtype=np.uint8)
    cv2.fillConvexPoly(shape, hull - np.array([left, top], dtype=np.int32), (255,))
    return cv2.countNonZero(cv2.min(part, shape)) <= tuning.touched_share * cv2.countNonZero(shape)


def box_round(mask: Gray, margin: int) -> Box | None:
    """Return the bounds of all that is not 0, with a margin; None if there is nothing."""
    left, top, wide, high = cv2.boundingRect(mask)
    if not wide:
        return None
    rows, columns = mask.shape
    return (
        max(0, left - margin) // EVEN * EVEN,
        max(0, top - margin) // EVEN * EVEN,
        min(columns, left + wide + margin),
        min(rows, top + high + margin),
    )


def in_sight(tiles: Sequence[Tile], view: View) -> list[Tile]:
    """Return the tiles of which any may show in the pictures of a camera."""
    lens = view.intrinsics
    seen = []
    for tile, hull in zip(tiles, outlines_px(tiles, view), strict=True):
        left, top, wide, high = cv2.boundingRect(hull)
        if left < lens.width and top < lens.height and left + wide > 0 and top + high > 0:
            seen.append(tile)
    return seen
