"""Tiles as boxes: how large they are as they stand, lie or lean, and how they show in the image.

Many are worked on at a time, as bodies: their corners, their edges, and how both move with them. A
body is a box that stands or lies, and that may lean: a tile that fell onto another rests on its
lower end or side. Whatever takes bodies works on arrays whose first axis counts them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile, TileSpec
from vision.arrays import Bools, Floats
from vision.geometry.camera_pose import View

SIGNS = np.array(
    [(a, b, up) for up in (-1, 1) for a, b in ((1, -1), (1, 1), (-1, 1), (-1, -1))], dtype=float
)
FACES = ((4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (3, 2, 1, 0))
"""Corners of each face, counter-clockwise seen from outside; the first looks up."""
EDGES = sorted(
    {(min(i, j), max(i, j)) for f in FACES for i, j in zip(f, (*f[1:], f[0]), strict=True)}
)
BESIDE = np.array([[n for n, f in enumerate(FACES) if i in f and j in f] for i, j in EDGES])
"""The two faces that meet in each edge."""
ENDS = np.array(EDGES)
SIDES = np.array([[0, 1, 4], [3, 0, 0]])
"""Two corners each of edges along depth, width and height."""
OUTWARDS = [2, 0, 1, 3, 4, 5]
"""Where the way out of each face comes among those of depth, width and height, and the opposite."""
TIP = np.array([0.0, 0.0, 0.0, 0.01])
"""By how much bodies are tipped up to see how their corners move, in rad."""
SHORT_PX = 2.0
"""Edges that look shorter than this say nothing."""
GRAZE_MM = 0.5
"""What a ray only grazes by less than this is in sight."""


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


class Lean(Enum):
    """How a lying tile may be tipped up."""

    NOT = "not"
    ALONG = "along"
    """One of its short edges is up."""
    ACROSS = "across"
    """One of its long edges is up."""


@dataclass(frozen=True, slots=True)
class Stance:
    """A way in which a tile can be on the table.

    Attributes:
        box: its extent along and across its heading, and upwards, before it leans.
        orientation: how it stands; None for one that lies or leans.
        lean: how it may lean.
    """

    box: Box
    orientation: Orientation | None
    lean: Lean = Lean.NOT

    def tipped(self, leans: Floats) -> Floats:
        """Return the corners of bodies that lean, are not turned and have their middle at 0, 0.

        Args:
            leans: in rad, shape (n, 1).
        """
        half = np.array([self.box.depth_mm, self.box.width_mm, self.box.height_mm]) / 2
        local = np.broadcast_to(SIGNS * half, (len(leans), 8, 3)).copy()
        axis = 0 if self.lean is Lean.ALONG else 1
        c, s = np.cos(leans), np.sin(leans)
        side, up = SIGNS[:, axis] * half[axis], SIGNS[:, 2] * half[2]
        local[..., axis] = side * c - up * s
        local[..., 2] = side * s + up * c + half[axis] * np.abs(s) + half[2] * c
        return local


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Some bodies, each in a way of its own.

    Attributes:
        ways: how they can stand, lie or lean.
        which: the way of each, shape (n,).
        places: x and y of the middle in mm, heading and lean in rad, shape (n, 4).
    """

    ways: Sequence[Stance]
    which: NDArray[np.intp]
    places: Floats

    def __len__(self) -> int:
        return len(self.which)

    def pick(self, chosen: Bools | NDArray[np.intp]) -> "Bodies":
        """Return some of them."""
        return Bodies(self.ways, self.which[chosen], self.places[chosen])

    def tipped(self, leans_rad: Sequence[float]) -> "Bodies":
        """Return those that lie, tipped in all ways in which they could lean."""
        lying = [w.orientation is None and w.lean is Lean.NOT for w in self.ways]
        flat = self.places[np.array(lying)[self.which]]
        starts = [
            (np.full(len(flat), n, dtype=np.intp), flat + np.array([0.0, 0.0, 0.0, lean]))
            for n, way in enumerate(self.ways)
            if way.lean is not Lean.NOT
            for lean in leans_rad
        ]
        return Bodies(self.ways, *(np.concatenate(part) for part in zip(*starts, strict=True)))

    def shifted(self, offsets: Floats) -> "Bodies":
        """Return each of them moved in several ways.

        Args:
            offsets: along and across the heading in mm, turn and lean in rad, shape (k, 4).
        """
        c, s = np.cos(self.places[:, 2, None]), np.sin(self.places[:, 2, None])
        moves = np.broadcast_to(offsets, (len(self), *offsets.shape)).copy()
        moves[..., 0] = offsets[:, 0] * c - offsets[:, 1] * s
        moves[..., 1] = offsets[:, 0] * s + offsets[:, 1] * c
        places = (self.places[:, None] + moves).reshape(-1, 4)
        return Bodies(self.ways, np.repeat(self.which, len(offsets)), places)

    def but(self, others: "Bodies", chosen: Bools) -> "Bodies":
        """Return these, with chosen ones of as many others in their place."""
        which = np.where(chosen, others.which, self.which)
        return Bodies(self.ways, which, np.where(chosen[:, None], others.places, self.places))

    def joined(self, others: "Bodies") -> "Bodies":
        """Return these and others."""
        which = np.concatenate([self.which, others.which])
        return Bodies(self.ways, which, np.concatenate([self.places, others.places]))

    def corners(self) -> Floats:
        """Return their corners, shape (n, 8, 3)."""
        sides = np.array([(w.box.depth_mm, w.box.width_mm, w.box.height_mm) for w in self.ways])
        half = sides[self.which, None] / 2
        local = SIGNS * half
        local[..., 2] += half[..., 2]
        if self.places[:, 3].any():
            for n, way in enumerate(self.ways):
                own = self.which == n
                if way.lean is not Lean.NOT and own.any():
                    local[own] = way.tipped(self.places[own, 3, None])
        x, y, heading = self.places.T[:3, :, None]
        c, s = np.cos(heading), np.sin(heading)
        corners = local.copy()
        corners[..., 0] = x + local[..., 0] * c - local[..., 1] * s
        corners[..., 1] = y + local[..., 0] * s + local[..., 1] * c
        return corners


def stances(spec: TileSpec) -> tuple[Stance, ...]:
    """Return how a tile can stand or lie: upright, on its long edge, flat."""
    ways = (Orientation.VERTICAL, Orientation.HORIZONTAL, None)
    return tuple(Stance(box_of(spec, way), way) for way in ways)


def leaning(spec: TileSpec) -> tuple[Stance, ...]:
    """Return how a tile can lean on another one."""
    return tuple(Stance(box_of(spec, None), None, way) for way in (Lean.ALONG, Lean.ACROSS))


def standing(tiles: Sequence[Tile]) -> Bodies:
    """Return tiles of one size as they stand; one at least."""
    ways = stances(tiles[0].spec)
    how = [way.orientation for way in ways]
    which = np.array([how.index(tile.orientation) for tile in tiles], dtype=np.intp)
    poses = [tile.pose for tile in tiles]
    places = np.array([(p.x_mm, p.y_mm, p.heading_rad, 0.0) for p in poses])
    return Bodies(ways, which, places)


def body_of(tile: Tile) -> Floats:
    """Return the corners of a tile that stands or lies flat, shape (8, 3)."""
    flat = tile.state is State.FALLEN or tile.orientation is None
    return box_of(tile.spec, None if flat else tile.orientation).corners(tile.pose)


def _middle(corners: Floats) -> Floats:
    """The middle of boxes: half-way between two opposite corners, shape (..., 3)."""
    return np.asarray((corners[..., 0, :] + corners[..., 6, :]) / 2)


def _sides(corners: Floats) -> Floats:
    """How boxes extend along their depth, width and height, shape (..., 3, 3)."""
    return np.asarray(corners.take(SIDES[0], axis=-2) - corners.take(SIDES[1], axis=-2))


def behind(points_mm: Floats, corners: Floats, view: View) -> Bools:
    """Say which points a body hides from the camera, or each of several bodies of its own points.

    Args:
        points_mm: table points, shape (..., n, 3).
        corners: of the body, shape (..., 8, 3).
        view: the camera.

    Returns:
        Shape (..., n).
    """
    sides = _sides(corners)
    lengths = np.sqrt((sides**2).sum(axis=-1))
    turn = sides / lengths[..., None]
    camera = view.pose.centre_mm
    eye = turn @ (camera - _middle(corners))[..., None]
    way = turn @ (points_mm - camera).swapaxes(-1, -2)
    way[np.abs(way) < 1e-9] = 1e-9
    # Shares of the way from the camera to a point: to the middle of each pair of planes, and
    # from there to either of them.
    middle = -eye / way
    half = (lengths / 2 - GRAZE_MM)[..., None] / np.abs(way)
    enters, leaves = (middle - half).max(axis=-2), (middle + half).min(axis=-2)
    return np.asarray((enters < leaves) & (enters < 1.0) & (leaves > 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """Points along the visible edges of bodies, so many on each edge.

    Attributes:
        shares: how far along its edge each of the points on one lies, shape (points,).
        ends: the two corners of each edge, shape (n, edges, 2).
        points_mm: in table mm, shape (n, m, 3).
        pixels: where they show, shape (n, m, 2).
        normals: unit directions across the edges in the image, shape (n, m, 2).
        shown: whether the edge is one that can be seen, shape (n, m).
    """

    shares: Floats
    ends: NDArray[np.intp]
    points_mm: Floats
    pixels: Floats
    normals: Floats
    shown: Bools


def outline(corners: Floats, view: View, points: int) -> Outline:
    """Lay points along the visible edges of bodies.

    Args:
        corners: shape (n, 8, 3).
        view: the camera.
        points: how many on each edge.
    """
    count = len(corners)
    seen = view.project(corners)
    along = seen.take(ENDS[:, 1], axis=1) - seen.take(ENDS[:, 0], axis=1)
    length = np.hypot(along[..., 0], along[..., 1])
    facing = faces_seen(corners, view)
    shown = facing.take(BESIDE[:, 0], axis=1) | facing.take(BESIDE[:, 1], axis=1)
    shown &= length > SHORT_PX
    most = max(1, int(shown.sum(axis=1).max()))
    first = np.argsort(~shown, axis=1, kind="stable")[:, :most]
    each = np.arange(count)[:, None]
    ends = ENDS[first]
    along = along[each, first] / np.maximum(length[each, first], 1e-9)[..., None]
    normals = np.empty((count, most, points, 2))
    normals[..., 0] = -along[..., 1, None]
    normals[..., 1] = along[..., 0, None]
    shares = (np.arange(points) + 0.5) / points
    table = _between(corners, ends, shares)
    pixels = view.project(table)
    return Outline(
        shares,
        ends,
        table,
        pixels,
        normals.reshape(count, -1, 2),
        shown[each, first].repeat(points, axis=1),
    )


def _between(values: Floats, ends: NDArray[np.intp], shares: Floats) -> Floats:
    """Go from one end of edges to the other.

    Args:
        values: of the eight corners, shape (n, 8, k).
        ends: shape (n, edges, 2).
        shares: how far to go, shape (points,).

    Returns:
        Shape (n, edges * points, k).
    """
    each = np.arange(len(values))[:, None]
    first, last = values[each, ends[..., 0]], values[each, ends[..., 1]]
    steps = first[:, :, None] + shares[:, None] * (last - first)[:, :, None]
    return np.asarray(steps.reshape(len(values), -1, values.shape[-1]))


def faces_seen(corners: Floats, view: View) -> Bools:
    """Say which faces look at the camera, in the order of `FACES`, shape (n, 6)."""
    # A face looks at the camera that is beyond its plane.
    sides = _sides(corners)
    eye = view.pose.centre_mm - _middle(corners)
    along = (sides @ eye[..., None])[..., 0]
    half = (sides**2).sum(axis=2) / 2
    beyond = np.concatenate([along > half, along < -half], axis=1)
    return beyond.take(OUTWARDS, axis=1)


def slopes(drawn: Outline, bodies: Bodies, view: View) -> Floats:
    """Say how far points shift along their normals for one unit of each unknown.

    Args:
        drawn: the points.
        bodies: on whose edges they are.
        view: the camera; the lens's distortion is left out here.

    Returns:
        Pixels per mm of x and y and per rad of heading and lean, shape (n, m, 4).
    """
    rotation, matrix = view.pose.rotation, view.intrinsics.matrix
    ahead = drawn.points_mm @ rotation.T + view.pose.translation_mm
    pull = np.empty_like(ahead)
    far = 1.0 / ahead[..., 2]
    pull[..., 0] = drawn.normals[..., 0] * (matrix[0, 0] * far)
    pull[..., 1] = drawn.normals[..., 1] * (matrix[1, 1] * far)
    pull[..., 2] = -(pull[..., 0] * ahead[..., 0] + pull[..., 1] * ahead[..., 1]) * far
    pull = pull @ rotation
    shifts = np.zeros((*ahead.shape[:2], 4))
    shifts[..., :2] = pull[..., :2]
    off = drawn.points_mm[..., :2] - bodies.places[:, None, :2]
    shifts[..., 2] = pull[..., 1] * off[..., 0] - pull[..., 0] * off[..., 1]
    tips = np.array([way.lean is not Lean.NOT for way in bodies.ways])[bodies.which]
    if tips.any():
        own = bodies.pick(tips)
        moves = (Bodies(own.ways, own.which, own.places + TIP).corners() - own.corners()) / TIP[3]
        table = _between(moves, drawn.ends[tips], drawn.shares)
        shifts[tips, :, 3] = (pull[tips] * table).sum(axis=2)
    return shifts


def outline_px(tile: Tile, view: View) -> NDArray[np.int32]:
    """Return the corners of a tile's silhouette in the image, shape (n, 1, 2)."""
    return outlines_px([tile], view)[0]


def outlines_px(tiles: Sequence[Tile], view: View) -> list[NDArray[np.int32]]:
    """Return the corners of the silhouettes of tiles in the image, each of shape (n, 1, 2)."""
    corners = [body_of(tile) for tile in tiles]
    if not corners:
        return []
    points = np.round(view.project(np.stack(corners))).astype(np.int32)
    return [np.asarray(cv2.convexHull(one), dtype=np.int32) for one in points]
