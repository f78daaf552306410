"""Tiles that no mark gives away: unmarked ones and fallen ones, found by their edges.

Where the frame differs from the empty table, three level planes are looked at from above: those of
the upper faces of a vertical, a horizontal and a lying tile. In such a view an upper face is a
rectangle of known size, so turning the view step by step and adding up the contrast along the four
sides finds it, whatever its colour. The best are then fitted as boxes to all edges that the camera
can see, and taken one after the other as long as they explain something that is there.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.pose import Pose, half_turn
from physics.tile import Orientation, State, Tile, TileSet
from vision.background import SHRINK, Foreground
from vision.calibration import Mat, project, to_plane
from vision.fit import View, sample
from vision.solid import Box, box_of, outline_px, visible_edges

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Gray = NDArray[np.uint8]
Image = NDArray[np.uint8]

TURN_STEP_DEG = 7.5
EDGE_STEPS = 10.0
"""Contrast, in grey levels per pixel, that counts as a full edge."""
LEAST_PEAK = 0.40
LEAST_SIDE = 0.25
LEAST_FACE_COVER = 0.75
PEAK = np.ones((7, 7), dtype=np.uint8)
LEAST_EDGE = 0.55
LEAST_COVER = 0.85
LEAST_STRICT = 0.45
MARGIN_MM = 30.0
LEAST_BLOB_MM2 = 60.0
CANDIDATES = 10
FLOOR_MM = 0.5
FLOOR_RAD = math.radians(1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """The steepest slope at each pixel of a part of the image, in grey levels per pixel."""

    left: int
    top: int
    x: Floats32
    y: Floats32

    def across(self, points_px: Floats, normals: Floats) -> Floats:
        """Read the slope along given directions, as a share of a full edge."""
        local = points_px - np.array([self.left, self.top])
        slope = sample(self.x, local) * normals[:, 0] + sample(self.y, local) * normals[:, 1]
        return np.minimum(np.abs(slope) / EDGE_STEPS, 1.0)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A box that may be there.

    Attributes:
        orientation: how it would stand, None for lying flat.
        pose: where; for a lying one the heading is its long edge.
        edge: share of its visible edges that the image shows.
        cover: share of its silhouette that differs from the empty table.
        miss_mm: root mean square distance between its edges and those of the image.
    """

    orientation: Orientation | None
    pose: Pose
    edge: float
    cover: float
    miss_mm: float

    def tile(self, tile_set: TileSet) -> Tile:
        """Return it as a tile that nobody could read."""
        state = State.FALLEN if self.orientation is None else State.STANDING
        return Tile(
            None,
            self.pose,
            self.orientation,
            state,
            sigma_mm=math.hypot(FLOOR_MM, self.miss_mm),
            sigma_rad=math.hypot(FLOOR_RAD, self.miss_mm / tile_set.spec.width_mm),
            spec=tile_set.spec,
        )


def find_unmarked(
    image: Image,
    foreground: Foreground,
    view: View,
    mat: Mat,
    tile_set: TileSet,
    known: Sequence[Tile],
) -> tuple[Tile, ...]:
    """Find tiles that carry no mark the camera can read.

    Args:
        image: the frame, BGR.
        foreground: where it differs from the empty table.
        view: where the camera is.
        mat: the work area.
        tile_set: the size of the tiles.
        known: tiles already found by their marks.
    """
    left = _unexplained(foreground, view, known)
    found: list[Tile] = []
    for box in _rois(left, view, mat):
        found.extend(_search(image, foreground, left, box, view, mat, tile_set, known))
    return tuple(found)


def _unexplained(foreground: Foreground, view: View, known: Sequence[Tile]) -> Gray:
    rest = foreground.strict.copy()
    for tile in known:
        outline = np.asarray(outline_px(tile, view) / SHRINK, dtype=np.int32)
        cv2.fillPoly(rest, [outline], (0,))
        cv2.polylines(rest, [outline], True, (0,), 3)
    return rest


def _rois(left: Gray, view: View, mat: Mat) -> list[tuple[int, int, int, int]]:
    """Full-size boxes (left, top, right, bottom) round what is left to explain."""
    corners = np.array([(x, y, 0.0) for x in mat.area_x_mm for y in mat.area_y_mm])
    hull = cv2.convexHull(project(corners, view.pose, view.intrinsics).astype(np.float32) / SHRINK)
    inside = np.zeros_like(left)
    cv2.fillConvexPoly(inside, hull.astype(np.int32), (255,))
    grown = cv2.dilate(cv2.bitwise_and(left, inside), np.ones((9, 9), dtype=np.uint8))
    scale = view.scale_px_mm() / SHRINK
    least = LEAST_BLOB_MM2 * scale**2
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown)
    rois = []
    for n in range(1, count):
        x, y, width, height, _ = (int(v) for v in stats[n])
        part = left[y : y + height, x : x + width]
        if np.count_nonzero(part[labels[y : y + height, x : x + width] == n]) < least:
            continue
        rois.append((x * SHRINK, y * SHRINK, (x + width) * SHRINK, (y + height) * SHRINK))
    return rois


def _search(
    image: Image,
    foreground: Foreground,
    left: Gray,
    roi: tuple[int, int, int, int],
    view: View,
    mat: Mat,
    tile_set: TileSet,
    known: Sequence[Tile],
) -> list[Tile]:
    margin = int(MARGIN_MM * view.scale_px_mm())
    edges = _edges(image, roi, margin)
    candidates: list[Candidate] = []
    for orientation in (Orientation.VERTICAL, Orientation.HORIZONTAL, None):
        box = box_of(tile_set.spec, orientation)
        for pose in _upper_faces(edges, foreground, roi, box, view):
            candidate = _fit_box(edges, foreground, box, orientation, pose, view)
            if candidate is not None and _inside(candidate.pose, mat):
                candidates.append(candidate)
    return _choose(candidates, left, foreground, view, tile_set, known)


def _inside(pose: Pose, mat: Mat) -> bool:
    across = mat.area_x_mm[0] <= pose.x_mm <= mat.area_x_mm[1]
    return across and mat.area_y_mm[0] <= pose.y_mm <= mat.area_y_mm[1]


def _edges(image: Image, roi: tuple[int, int, int, int], margin: int) -> Edges:
    x0, y0 = max(0, roi[0] - margin), max(0, roi[1] - margin)
    part = image[y0 : roi[3] + margin, x0 : roi[2] + margin].astype(np.float32)
    part = np.asarray(cv2.GaussianBlur(part, (0, 0), 1.0), dtype=np.float32)
    dx = np.asarray(cv2.Sobel(part, cv2.CV_32F, 1, 0, scale=1 / 8), dtype=np.float32)
    dy = np.asarray(cv2.Sobel(part, cv2.CV_32F, 0, 1, scale=1 / 8), dtype=np.float32)
    steepest = (dx**2 + dy**2).argmax(axis=2)[..., None]
    x = np.take_along_axis(dx, steepest, axis=2)[..., 0]
    y = np.take_along_axis(dy, steepest, axis=2)[..., 0]
    return Edges(x0, y0, x, y)


def _upper_faces(
    edges: Edges,
    foreground: Foreground,
    roi: tuple[int, int, int, int],
    box: Box,
    view: View,
) -> list[Pose]:
    """First guesses: where the four sides of an upper face show in the plane it lies in."""
    plane = _Plane.over(roi, box.height_mm, edges, foreground, view)
    found: list[tuple[float, Pose]] = []
    for turn in np.radians(np.arange(0.0, 180.0, TURN_STEP_DEG)):
        score = plane.sides(float(turn), box)
        peaks = (score >= cv2.dilate(score, PEAK)) & (score > LEAST_PEAK)
        for row, column in zip(*np.nonzero(peaks), strict=True):
            x, y = plane.place(float(turn), int(row), int(column))
            found.append((float(score[row, column]), Pose(x, y, half_turn(float(turn)))))
    return _spread_out(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Plane:
    """A part of the image seen from above, as if all of it lay at one height.

    Attributes:
        middle_mm: table place of the middle of the view, shape (2,).
        size: rows and columns of the turned view, one mm each.
        x: slope along table x, as a share of a full edge; shape (size, size).
        y: slope along table y.
        cover: 255 where the image differs from the empty table.
    """

    middle_mm: Floats
    size: int
    x: Floats32
    y: Floats32
    cover: Gray

    @staticmethod
    def over(
        roi: tuple[int, int, int, int],
        z_mm: float,
        edges: Edges,
        foreground: Foreground,
        view: View,
    ) -> "_Plane":
        x0, y0, x1, y1 = roi
        ends = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64)
        plane = to_plane(ends, z_mm, view.pose, view.intrinsics)
        low, high = plane.min(axis=0) - 4.0, plane.max(axis=0) + 4.0
        middle = (low + high) / 2
        size = int(np.ceil(np.linalg.norm(high - low))) | 1
        steps = np.arange(size) - size // 2
        x, y = np.meshgrid(middle[0] + steps, middle[1] + steps)
        table = np.stack([x.ravel(), y.ravel(), np.full(x.size, z_mm)], axis=1)
        pixels = project(table, view.pose, view.intrinsics).reshape(size, size, 2)
        half = size // 2
        across = (pixels[half, -1] - pixels[half, 0]) / (size - 1)
        away = (pixels[-1, half] - pixels[0, half]) / (size - 1)
        local = pixels - (edges.left, edges.top)
        gx, gy = sample(edges.x, local), sample(edges.y, local)
        full = EDGE_STEPS * view.scale_px_mm(z_mm)
        return _Plane(
            middle,
            size,
            ((gx * across[0] + gy * across[1]) / full).astype(np.float32),
            ((gx * away[0] + gy * away[1]) / full).astype(np.float32),
            sample(foreground.loose, (pixels + 0.5) / SHRINK - 0.5).astype(np.uint8),
        )

    def place(self, turn: float, row: int, column: int) -> tuple[float, float]:
        """Return the table place of a cell of the view turned so."""
        u, v = column - self.size // 2, row - self.size // 2
        c, s = math.cos(turn), math.sin(turn)
        x, y = (float(side) for side in self.middle_mm)
        return x + u * c - v * s, y + u * s + v * c

    def sides(self, turn: float, box: Box) -> Floats32:
        """Mean edge along the sides of an upper face centred at each place of the turned view."""
        c, s = math.cos(turn), math.sin(turn)
        half = self.size // 2
        warp = np.array([[c, -s, half - half * (c - s)], [s, c, half - half * (s + c)]])
        one = self._turned(np.minimum(np.abs(self.x * c + self.y * s), 1.0), warp)
        two = self._turned(np.minimum(np.abs(self.y * c - self.x * s), 1.0), warp)
        depth, width = (max(2, round(side)) for side in (box.depth_mm, box.width_mm))
        one = cv2.blur(cv2.dilate(one, np.ones((1, 3), dtype=np.uint8)), (1, width))
        two = cv2.blur(cv2.dilate(two, np.ones((3, 1), dtype=np.uint8)), (depth, 1))
        front, rear = np.roll(one, -round(depth / 2), 1), np.roll(one, round(depth / 2), 1)
        left, right = np.roll(two, -round(width / 2), 0), np.roll(two, round(width / 2), 0)
        score = (front + rear) * width + (left + right) * depth
        score /= 2 * (width + depth)
        covered = self._turned(self.cover, warp)
        score[cv2.blur(covered, (depth, width)) < LEAST_FACE_COVER * 255] = 0.0
        score[np.minimum(front, rear) < LEAST_SIDE] = 0.0
        return np.asarray(score, dtype=np.float32)

    def _turned(self, values: NDArray[Any], warp: Floats) -> NDArray[Any]:
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(values, warp, (self.size, self.size), flags=flags))


def _spread_out(found: list[tuple[float, Pose]]) -> list[Pose]:
    kept: list[Pose] = []
    for _, pose in sorted(found, key=lambda pair: -pair[0]):
        if all(
            math.hypot(pose.x_mm - k.x_mm, pose.y_mm - k.y_mm) > 4
            or abs(half_turn(pose.heading_rad - k.heading_rad)) > math.radians(20)
            for k in kept
        ):
            kept.append(pose)
        if len(kept) == CANDIDATES:
            break
    return kept


def _fit_box(
    edges: Edges,
    foreground: Foreground,
    box: Box,
    orientation: Orientation | None,
    pose: Pose,
    view: View,
) -> Candidate | None:
    """Move a box until its visible edges lie on those of the image."""
    start = pose
    scale = view.scale_px_mm()
    for reach in (5.0, 3.5, 2.5, 2.0, 2.0):
        points, normals, slopes = _edge_points(box, pose, view)
        offsets = np.arange(-reach, reach + 0.25, 0.5)
        places = points[:, None, :] + offsets[None, :, None] * normals[:, None, :]
        many = np.repeat(normals, len(offsets), axis=0)
        strength = edges.across(places.reshape(-1, 2), many).reshape(len(points), -1)
        strength = strength * (1 - 0.25 * (offsets / reach) ** 2)
        best = strength.argmax(axis=1)
        weight = strength[np.arange(len(points)), best]
        wanted = offsets[best]
        weighted = slopes * weight[:, None]
        square = weighted.T @ slopes + np.diag([1e-3, 1e-3, 1e-1])
        dx, dy, turn = np.linalg.solve(square, weighted.T @ wanted)
        pose = Pose(pose.x_mm + dx, pose.y_mm + dy, half_turn(pose.heading_rad + turn))
        if math.hypot(pose.x_mm - start.x_mm, pose.y_mm - start.y_mm) > 8.0:
            return None
    points, normals, _ = _edge_points(box, pose, view)
    offsets = np.array([-1.0, 0.0, 1.0])
    places = points[:, None, :] + offsets[None, :, None] * normals[:, None, :]
    many = np.repeat(normals, 3, axis=0)
    strength = edges.across(places.reshape(-1, 2), many).reshape(len(points), 3).max(axis=1)
    miss = wanted - slopes @ np.array([dx, dy, turn])
    miss_px = math.sqrt(float(weight @ miss**2) / (float(weight.sum()) + 1e-6))
    cover = _cover(foreground.loose, box, pose, view)
    return Candidate(orientation, pose, float(strength.mean()), cover, miss_px / scale)


def _edge_points(box: Box, pose: Pose, view: View) -> tuple[Floats, Floats, Floats]:
    """Places along the visible edges, the directions across them, and how these move.

    Returns:
        Pixels (n, 2), unit normals (n, 2), and the shift along the normal for a step of one mm in
        x, one mm in y and one radian of heading (n, 3).
    """
    ends = visible_edges(box, pose, view)
    shares = (np.arange(12) + 0.5) / 12
    table = ends[:, None, 0] + shares[None, :, None] * (ends[:, 1] - ends[:, 0])[:, None]
    table = table.reshape(-1, 3)
    way = np.repeat(ends[:, 1] - ends[:, 0], len(shares), axis=0)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    around = np.stack([pose.y_mm - table[:, 1], table[:, 0] - pose.x_mm], axis=1) * 0.01
    half_x, half_y = np.array([0.5, 0.0, 0.0]), np.array([0.0, 0.5, 0.0])
    moves = [table, table + way, table + half_x, table + half_y]
    moves.append(table + np.column_stack([around, np.zeros(len(table))]))
    pixels = project(np.concatenate(moves), view.pose, view.intrinsics).reshape(5, -1, 2)
    along = pixels[1] - pixels[0]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    normals = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(length, 1e-9)
    steps = np.stack([(pixels[2] - pixels[0]) * 2, (pixels[3] - pixels[0]) * 2], axis=2)
    turn = (pixels[4] - pixels[0]) * 100
    slopes = np.einsum("nk,nkm->nm", normals, np.concatenate([steps, turn[:, :, None]], axis=2))
    seen = length[:, 0] > 0.15
    return pixels[0][seen], normals[seen], slopes[seen]


def _hull(box: Box, pose: Pose, view: View) -> NDArray[np.int32]:
    corners = project(box.corners(pose), view.pose, view.intrinsics) / SHRINK
    return np.asarray(cv2.convexHull(np.round(corners).astype(np.int32)), dtype=np.int32)


def _cover(mask: Gray, box: Box, pose: Pose, view: View) -> float:
    hull = _hull(box, pose, view)
    x, y, width, height = cv2.boundingRect(hull)
    shape = np.zeros((height, width), dtype=np.uint8)
    cv2.fillConvexPoly(shape, hull - np.array([x, y], dtype=np.int32), (255,))
    part = mask[max(0, y) : y + height, max(0, x) : x + width]
    shape = shape[max(0, -y) :, max(0, -x) :][: part.shape[0], : part.shape[1]]
    whole = np.count_nonzero(shape)
    return np.count_nonzero(cv2.bitwise_and(shape, part)) / whole if whole else 0.0


def _choose(
    candidates: list[Candidate],
    left: Gray,
    foreground: Foreground,
    view: View,
    tile_set: TileSet,
    known: Sequence[Tile],
) -> list[Tile]:
    """Take the best boxes one after the other while they explain something."""
    taken: list[Tile] = []
    open_mask = left.copy()
    good = [c for c in candidates if c.edge > LEAST_EDGE and c.cover > LEAST_COVER]
    for candidate in sorted(good, key=lambda c: -c.edge * c.cover):
        tile = candidate.tile(tile_set)
        box = box_of(tile_set.spec, candidate.orientation)
        if _cover(open_mask, box, candidate.pose, view) < LEAST_STRICT:
            continue
        footprint = tile.footprint
        if any(footprint.overlaps(other.footprint) for other in (*known, *taken)):
            continue
        taken.append(tile)
        cv2.fillConvexPoly(open_mask, _hull(box, candidate.pose, view), (0,))
    return taken
