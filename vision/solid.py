"""Tiles as boxes in front of the camera: what of them can be seen, and where."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.pose import Pose
from physics.tile import Orientation, State, Tile, TileSpec
from vision.calibration import project
from vision.fit import View

Floats = NDArray[np.float64]
Gray = NDArray[np.uint8]

GRAZE_MM = 0.5
"""What a ray only grazes by less than this is in sight."""
FACES = ((4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
"""Corners of the upper face and of the four sides, in the order of `Box.corners`."""


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
    flat = tile.state is State.FALLEN or tile.orientation is None
    box = box_of(tile.spec, None if flat else tile.orientation)
    points = project(box.corners(tile.pose), view.pose, view.intrinsics)
    return np.asarray(cv2.convexHull(np.round(points).astype(np.int32)), dtype=np.int32)


def behind(points_mm: Floats, box: Box, pose: Pose, view: View) -> NDArray[np.bool_]:
    """Say which points a box hides from the camera.

    Args:
        points_mm: table points, shape (n, 3).
        box: the size of what may hide them.
        pose: where it stands.
        view: the camera.
    """
    c, s = pose.normal
    turn = np.array([(c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0)])
    middle = np.array([pose.x_mm, pose.y_mm, box.height_mm / 2])
    half = np.array([box.depth_mm, box.width_mm, box.height_mm]) / 2 - GRAZE_MM
    start = turn @ (view.pose.centre_mm - middle)
    way = (points_mm - middle) @ turn.T - start
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    one, two = (-half - start) / way, (half - start) / way
    enters, leaves = np.minimum(one, two).max(axis=1), np.maximum(one, two).min(axis=1)
    return np.asarray((enters < leaves) & (enters < 1.0) & (leaves > 0.0))


def visible_edges(box: Box, pose: Pose, view: View) -> Floats:
    """Return the edges of all faces that look at the camera, in table mm.

    Returns:
        Ends of each edge, shape (n, 2, 3); every edge once.
    """
    corners = box.corners(pose)
    rays = corners - view.pose.centre_mm
    edges: set[tuple[int, int]] = set()
    for face, normal in zip(FACES, _normals(pose), strict=True):
        if float(normal @ rays[face[0]]) < 0:
            for i, j in zip(face, (*face[1:], face[0]), strict=True):
                edges.add((min(i, j), max(i, j)))
    ends: Floats = corners[np.array(sorted(edges))]
    return ends


def _normals(pose: Pose) -> Floats:
    """Outward directions of `FACES`."""
    c, s = pose.normal
    return np.array([(0, 0, 1), (c, s, 0), (-s, c, 0), (-c, -s, 0), (s, -c, 0)])
