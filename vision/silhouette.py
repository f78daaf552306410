"""Tiles that no mark gives away: unmarked ones and fallen ones, found by their shape.

Where the frame differs from the empty table and no marked tile explains it, boxes are tried in all
three ways a tile can stand or lie: first their upper faces, seen from above, then a fit of the
whole box to the edges in the image. The best are taken one after the other as long as each
explains something that is there.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.pose import Footprint, Pose
from physics.tile import Orientation, State, Tile, TileSet
from vision.background import SHRINK, Foreground, shrink
from vision.calibration import Mat, project
from vision.edges import BoxFit, Obstacle, find_edges, fit_box
from vision.faces import Face, plane_over, upper_faces
from vision.fit import View
from vision.solid import Box, box_of, visible_edges

Floats = NDArray[np.float64]
Gray = NDArray[np.uint8]
Image = NDArray[np.uint8]

SHADOW_WORTH = 0.4
"""How much a place is worth explaining that may be a shadow; 1 for one that cannot be."""
CRISP = 0.3
LEAST_CRISP = 0.25
"""How steep an outline must be, as a share of its brightness, and along how much of it."""
LEAST_OUTLINE = 12
LEAST_BLOB_MM2 = 60.0
TILE_MM2 = 500.0
"""About what one tile covers in the image; tells how many to look for."""
GUESSES = (4, 4)
"""Guesses for each way to stand: so many, and so many more a tile."""
MARGIN_MM = 30.0
SURE_EDGE = 0.8
SURE_SHARE = 0.9
LEAST_FACE = 0.22
DARK_FACE = 0.36
"""How well the sides of an upper face must show for a closer look."""
LEAST_QUALITY = 0.36
DARK_QUALITY = 0.5
"""How good a box must be at least; more is asked where there may be but a shadow."""
LEAST_SHARE = 0.15
DRAWN_PX = 3
"""How wide the edges of a tile are taken for its own, in pixels of the foreground."""
RIM_MM = {State.STANDING: 2.0, State.FALLEN: 4.0}
FLOOR_MM = 0.5
FLOOR_RAD = math.radians(1.0)

Roi = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Rest:
    """What the marked tiles leave unexplained, at the size of the foreground.

    Attributes:
        worth: 0..255, how much there is to explain.
        hidden: 255 where a marked tile is seen.
        faces: 255 where the upper face of one is seen.
        obstacles: the marked tiles as boxes.
    """

    worth: Gray
    hidden: Gray
    faces: Gray
    obstacles: tuple[Obstacle, ...]


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
    rest = _rest(foreground, view, known)
    fits = _search(image, foreground, rest, foreground.strict, LEAST_FACE, view, mat, tile_set)
    found = _choose(fits, rest, view, tile_set, known, LEAST_QUALITY)
    rest = _rest(foreground, view, (*known, *found))
    dark = _crisp(image, foreground, rest)
    fits = _search(image, foreground, rest, dark, DARK_FACE, view, mat, tile_set)
    found += _choose(fits, rest, view, tile_set, (*known, *found), DARK_QUALITY)
    return tuple(found)


def _crisp(image: Image, foreground: Foreground, rest: _Rest) -> Gray:
    """The dark places whose outline is crisp: tiles may be there, and not only shadows."""
    dark = np.asarray(cv2.subtract(foreground.deep, rest.hidden), dtype=np.uint8)
    gray = cv2.cvtColor(shrink(image), cv2.COLOR_BGR2GRAY)
    steep = np.asarray(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((3, 3), dtype=np.uint8)))
    away = cv2.dilate(rest.hidden, np.ones((7, 7), dtype=np.uint8)) == 0
    kept = np.zeros_like(dark)
    contours, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        columns, rows = np.asarray(contour).reshape(-1, 2).T
        free = away[rows, columns]
        level = float(np.median(gray[rows, columns]))
        if np.count_nonzero(free) < LEAST_OUTLINE:
            continue
        if np.mean(steep[rows, columns][free] > CRISP * max(level, 25.0)) > LEAST_CRISP:
            cv2.drawContours(kept, [contour], 0, (255,), cv2.FILLED)
    return np.asarray(cv2.bitwise_and(kept, dark), dtype=np.uint8)


def _search(
    image: Image,
    foreground: Foreground,
    rest: _Rest,
    seeds: Gray,
    least: float,
    view: View,
    mat: Mat,
    tile_set: TileSet,
) -> list[BoxFit]:
    """Fit boxes wherever something is to explain."""
    fits: list[BoxFit] = []
    for roi, tiles in _places(seeds, rest, view, mat):
        fits.extend(_search_place(image, foreground, rest, roi, tiles, least, view, tile_set))
    return [fit for fit in fits if _inside(fit.pose, mat)]


def _search_place(
    image: Image,
    foreground: Foreground,
    rest: _Rest,
    roi: Roi,
    tiles: int,
    least: float,
    view: View,
    tile_set: TileSet,
) -> list[BoxFit]:
    """Fit boxes wherever an upper face may be, until nothing is left to explain."""
    margin = int(MARGIN_MM * view.scale_px_mm())
    rows, columns = image.shape[:2]
    edges = find_edges(image, foreground, rest.faces, _grown(roi, margin, columns, rows))
    guesses: list[tuple[Face, Orientation | None, Box]] = []
    for orientation in (Orientation.VERTICAL, Orientation.HORIZONTAL, None):
        box = box_of(tile_set.spec, orientation)
        plane = plane_over(roi, box.height_mm, edges, rest.worth, view)
        faces = upper_faces(plane, box, GUESSES[0] + GUESSES[1] * tiles, least)
        guesses += [(face, orientation, box) for face in faces]
    worth = rest.worth.copy()
    fits: list[BoxFit] = []
    for face, orientation, box in sorted(guesses, key=lambda guess: -guess[0].score):
        if _share(worth, rest, box, face.pose, view) < LEAST_SHARE:
            continue
        fit = fit_box(edges, box, orientation, face.pose, view, rest.obstacles)
        if fit is None:
            continue
        fits.append(fit)
        if fit.edge.mean() > SURE_EDGE and _share(worth, rest, box, fit.pose, view) > SURE_SHARE:
            cv2.fillConvexPoly(worth, _hull(box, fit.pose, view), (0,))
    return fits


def _rest(foreground: Foreground, view: View, known: Sequence[Tile]) -> _Rest:
    hidden, faces = np.zeros_like(foreground.strict), np.zeros_like(foreground.strict)
    obstacles = []
    for tile in known:
        box = box_of(tile.spec, tile.orientation)
        obstacles.append((box, tile.pose))
        corners = project(box.corners(tile.pose), view.pose, view.intrinsics) / SHRINK
        for mask, part in ((hidden, corners), (faces, corners[4:])):
            hull = cv2.convexHull(np.round(part).astype(np.int32))
            cv2.fillPoly(mask, [hull], (255,))
            cv2.polylines(mask, [hull], True, (255,), 2)
    worth = cv2.max(foreground.strict, cv2.convertScaleAbs(foreground.loose, alpha=SHADOW_WORTH))
    left = np.asarray(cv2.subtract(worth, hidden), dtype=np.uint8)
    return _Rest(left, hidden, faces, tuple(obstacles))


def _places(seeds: Gray, rest: _Rest, view: View, mat: Mat) -> list[tuple[Roi, int]]:
    """Where to look, in full-size pixels, and for about how many tiles."""
    corners = np.array([(x, y, 0.0) for x in mat.area_x_mm for y in mat.area_y_mm])
    hull = cv2.convexHull(project(corners, view.pose, view.intrinsics).astype(np.float32) / SHRINK)
    inside = np.zeros_like(rest.worth)
    cv2.fillConvexPoly(inside, hull.astype(np.int32), (255,))
    seeds = np.asarray(cv2.bitwise_and(cv2.subtract(seeds, rest.hidden), inside), np.uint8)
    grown = cv2.dilate(seeds, np.ones((9, 9), dtype=np.uint8))
    mm2 = (view.scale_px_mm() / SHRINK) ** 2
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown)
    places = []
    for n in range(1, count):
        x, y, width, height, _ = (int(v) for v in stats[n])
        part = seeds[y : y + height, x : x + width]
        own = np.count_nonzero(part[labels[y : y + height, x : x + width] == n])
        if own > LEAST_BLOB_MM2 * mm2:
            roi = (x * SHRINK, y * SHRINK, (x + width) * SHRINK, (y + height) * SHRINK)
            places.append((roi, math.ceil(own / mm2 / TILE_MM2)))
    return places


def _grown(roi: Roi, margin: int, columns: int, rows: int) -> Roi:
    left, top = (max(0, side - margin) // SHRINK * SHRINK for side in roi[:2])
    right, bottom = min(columns, roi[2] + margin), min(rows, roi[3] + margin)
    return left, top, right // SHRINK * SHRINK, bottom // SHRINK * SHRINK


def _inside(pose: Pose, mat: Mat) -> bool:
    across = mat.area_x_mm[0] <= pose.x_mm <= mat.area_x_mm[1]
    return across and mat.area_y_mm[0] <= pose.y_mm <= mat.area_y_mm[1]


def _choose(
    fits: Sequence[BoxFit],
    rest: _Rest,
    view: View,
    tile_set: TileSet,
    known: Sequence[Tile],
    least: float,
) -> list[Tile]:
    """Take the best boxes one after the other while they explain something."""
    worth, drawn = rest.worth.copy(), np.zeros_like(rest.worth)
    for box, pose in rest.obstacles:
        _draw(drawn, box, pose, view)
    taken: list[Tile] = []
    left = [fit for fit in fits if _clear(fit, known, tile_set)]
    while left:
        boxes = [box_of(tile_set.spec, fit.orientation) for fit in left]
        shares = [_share(worth, rest, b, f.pose, view) for b, f in zip(boxes, left, strict=True)]
        quality = [
            fit.edge_outside(drawn, SHRINK) * (0.3 + 0.7 * share)
            for fit, share in zip(left, shares, strict=True)
        ]
        best = int(np.argmax(quality))
        if quality[best] < least:
            break
        taken.append(_tile(left[best], tile_set))
        cv2.fillConvexPoly(worth, _hull(boxes[best], left[best].pose, view), (0,))
        _draw(drawn, boxes[best], left[best].pose, view)
        left = [
            fit
            for fit, share in zip(left, shares, strict=True)
            if share > LEAST_SHARE and _clear(fit, taken[-1:], tile_set)
        ]
    return taken


def _draw(mask: Gray, box: Box, pose: Pose, view: View) -> None:
    """Mark where the edges of a box show."""
    ends = visible_edges(box, pose, view)
    pixels = project(ends.reshape(-1, 3), view.pose, view.intrinsics) / SHRINK
    for a, b in np.round(pixels).astype(int).reshape(-1, 2, 2).tolist():
        cv2.line(mask, a, b, (255,), DRAWN_PX)


def _clear(fit: BoxFit, others: Sequence[Tile], tile_set: TileSet) -> bool:
    core = _core(_tile(fit, tile_set))
    return not any(core.overlaps(other.footprint) for other in others)


def _core(tile: Tile) -> Footprint:
    """The footprint without a rim as wide as two fits together may err."""
    ground, rim = tile.footprint, RIM_MM[tile.state]
    return Footprint(ground.pose, ground.depth_mm - rim, ground.width_mm - rim)


def _tile(fit: BoxFit, tile_set: TileSet) -> Tile:
    return Tile(
        None,
        fit.pose,
        fit.orientation,
        State.FALLEN if fit.orientation is None else State.STANDING,
        sigma_mm=math.hypot(FLOOR_MM, fit.miss_mm),
        sigma_rad=math.hypot(FLOOR_RAD, fit.miss_mm / tile_set.spec.width_mm),
        spec=tile_set.spec,
    )


def _hull(box: Box, pose: Pose, view: View) -> NDArray[np.int32]:
    corners = project(box.corners(pose), view.pose, view.intrinsics) / SHRINK
    return np.asarray(cv2.convexHull(np.round(corners).astype(np.int32)), dtype=np.int32)


def _share(worth: Gray, rest: _Rest, box: Box, pose: Pose, view: View) -> float:
    """Mean worth under a box's silhouette, parts behind known tiles aside."""
    hull = _hull(box, pose, view)
    x, y, width, height = cv2.boundingRect(hull)
    x, y = max(0, x), max(0, y)
    shape = np.zeros(worth[y : y + height, x : x + width].shape, dtype=np.uint8)
    cv2.fillConvexPoly(shape, hull - np.array([x, y], dtype=np.int32), (255,))
    free = cv2.bitwise_and(shape, cv2.bitwise_not(rest.hidden[y : y + height, x : x + width]))
    if np.count_nonzero(free) < 0.4 * np.count_nonzero(shape):
        return 0.0
    return cv2.mean(worth[y : y + height, x : x + width], free)[0] / 255
