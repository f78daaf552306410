"""What the last clear look showed, and which part of the table is news since then.

Most of a table does not change from one look to the next: a hand reaches in, the light changes, a
tile is placed. Tiles over which the picture is the same as it was need not be looked for again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.tile import Tile
from vision.background import SHRINK, Foreground, differences, lit
from vision.calibration import Mat, project
from vision.fit import View
from vision.solid import outline_px

Gray = NDArray[np.uint8]

MOST_NEWS = 0.3
"""When more of the table than this has changed, everything is looked at again."""
TOUCHED = 0.03
"""A tile over which more than this share of the picture has changed is looked for again."""
SPECK = np.ones((3, 3), dtype=np.uint8)
ROUND = np.ones((13, 13), dtype=np.uint8)
"""How far round a change things are looked at again, in pixels of the foreground."""


@dataclass(frozen=True, slots=True, eq=False)
class News:
    """What has changed since a look, at the size of the foreground.

    Attributes:
        kept: tiles that stand there as before.
        where: 255 where something has changed, and round it.
    """

    kept: tuple[Tile, ...]
    where: Gray


@dataclass(frozen=True, slots=True, eq=False)
class Recent:
    """A look without a hand.

    Attributes:
        foreground: what the table looked like.
        tiles: what was found on it.
        view: where the camera was.
    """

    foreground: Foreground
    tiles: Sequence[Tile]
    view: View

    def news(self, foreground: Foreground, mat: Mat) -> News | None:
        """Say what is new in a later frame; None if too much is to tell.

        Args:
            foreground: how the later frame differs from the same empty table.
            mat: the work area.
        """
        before = self.foreground
        light = foreground.gain / before.gain
        changed = np.asarray(
            cv2.morphologyEx(
                differences(foreground.soft, lit(before.soft, light)), cv2.MORPH_OPEN, SPECK
            ),
            dtype=np.uint8,
        )
        area = np.zeros_like(foreground.loose)
        edge = np.array([(x, y, 0.0) for x in mat.area_x_mm for y in mat.area_y_mm])
        pixels = project(edge, self.view.pose, self.view.intrinsics) / SHRINK
        cv2.fillConvexPoly(area, cv2.convexHull(np.round(pixels).astype(np.int32)), (255,))
        if cv2.countNonZero(cv2.min(changed, area)) > MOST_NEWS * cv2.countNonZero(area):
            return None
        where = np.asarray(cv2.dilate(changed, ROUND), dtype=np.uint8)
        kept = []
        for tile in self.tiles:
            hull = outline_px(tile, self.view) // SHRINK
            left, top, wide, high = cv2.boundingRect(hull)
            left, top = max(0, left), max(0, top)
            part = changed[top : top + high, left : left + wide]
            shape = np.zeros(part.shape, dtype=np.uint8)
            cv2.fillConvexPoly(shape, hull - np.array([left, top], dtype=np.int32), (255,))
            touched = cv2.countNonZero(cv2.min(part, shape))
            if touched <= TOUCHED * cv2.countNonZero(shape):
                kept.append(tile)
            else:
                cv2.fillConvexPoly(where, hull, (255,))
        return News(tuple(kept), where)
