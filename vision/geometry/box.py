"""Tiles as boxes: how large they are as they stand or lie, and where they show."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile, TileSpec
from vision.arrays import Floats
from vision.geometry.camera_pose import project
from vision.geometry.camera_view import View


@dataclass(frozen=True, slots=True)
class Box:
    """How a tile can stand or lie: its extent along and across its heading, and upwards.

    A lying tile has its heading along its long edge.
    """

    depth_mm: float
    width_mm: float
    height_mm: float

    def corners(self, pose: Pose) -> Floats:
        """Return the lower four corners, counter-clockwise, then the upper four; shape (8, 3)."""
        d, w = self.depth_mm / 2, self.width_mm / 2
        ring = [pose.to_table(a, b) for a, b in ((d, -w), (d, w), (-d, w), (-d, -w))]
        return np.array([(x, y, z) for z in (0.0, self.height_mm) for x, y in ring])


def box_of(spec: TileSpec, orientation: Orientation | None) -> Box:
    """Return the box of a tile that stands so; None for one that lies flat."""
    if orientation is None:
        return Box(spec.length_mm, spec.width_mm, spec.thickness_mm)
    return Box(spec.thickness_mm, spec.face_mm(orientation), spec.height_mm(orientation))


def outline_px(tile: Tile, view: View) -> NDArray[np.int32]:
    """Return the corners of a tile's silhouette in the image, shape (n, 1, 2)."""
    return outlines_px([tile], view)[0]


def outlines_px(tiles: Sequence[Tile], view: View) -> list[NDArray[np.int32]]:
    """Return the corners of the silhouettes of tiles in the image, each of shape (n, 1, 2)."""
    corners = [_box(tile).corners(tile.pose) for tile in tiles]
    if not corners:
        return []
    points = np.round(project(np.concatenate(corners), view.pose, view.intrinsics))
    each = points.astype(np.int32).reshape(-1, 8, 2)
    return [np.asarray(cv2.convexHull(one), dtype=np.int32) for one in each]


def _box(tile: Tile) -> Box:
    flat = tile.state is State.FALLEN or tile.orientation is None
    return box_of(tile.spec, None if flat else tile.orientation)
