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

from physics.pose import Footprint, Pose, half_turn
from physics.tile import State, Tile, TileSet
from vision.background import SHRINK, Foreground
from vision.bodies import FACES, Bodies, Lean, body_of, faces_seen, leaning, stances
from vision.calibration import Mat, project
from vision.edges import BodyFit, Edges, Roi, find_edges, fit_bodies
from vision.faces import Face, ground_under, upper_faces
from vision.fit import View

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
LEAST_DEPTH_MM = 1.5
"""How large a blob is at least, and how far its middle is from its rim; tiles found misfit less."""
BROAD_MM = 10.0
"""The middle of a broad face is farther from its rim than this; that of a narrow one is not."""
TILE_MM2 = 500.0
"""About what one tile covers in the image; tells how many to look for."""
GUESSES = (4, 4)
FIRST = (2, 2)
"""Guesses for each way to stand, and those tried first: so many, and so many more a tile."""
MARGIN_MM = 30.0
SURE_QUALITY = 0.7
LEAST_FACE = 0.22
DARK_FACE = 0.36
"""How well the sides of an upper face must show for a closer look."""
LEAST_QUALITY = 0.36
DARK_QUALITY = 0.5
"""How good a box must be at least; more is asked where there may be but a shadow."""
WORTHY, LEANING_WORTHY = 0.3, 0.6
"""What share of a guess must be worth explaining, and of one that is to be tipped."""
LEAST_SHARE = 0.15
LEAST_SHOWN = 0.4
"""What share of a body must be worth explaining, and what share of it must be in sight."""
LEANS_RAD = (-0.35, 0.35)
"""From where leans are tried."""
LEANING_QUALITY = (0.6, 0.5)
LEAN_FACTOR = 0.95
LEANING_APART_MM = 10.0
"""How good a body that leans must be at least; how much is taken off for being harder to
believe; and how far it is at least from any other tile."""
DRAWN_PX = 3
"""How wide the edges of a tile are taken for its own, in pixels of the foreground."""
RIM_MM = {State.STANDING: 2.0, State.FALLEN: 4.0}
FLOOR_MM = 0.5
FLOOR_RAD = math.radians(1.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Rest:
    """What the known tiles leave unexplained, at the size of the foreground.

    Attributes:
        worth: 0..255, how much there is to explain.
        hidden: 255 where a known tile is seen.
        faces: 255 where the upper face of one is seen.
        obstacles: corners of the known tiles.
    """

    worth: Gray
    hidden: Gray
    faces: Gray
    obstacles: tuple[Floats, ...]

    def without(self, bodies: Sequence[Floats], view: View) -> "_Rest":
        """Return what is left when more tiles are known."""
        hidden, faces = self.hidden.copy(), self.faces.copy()
        for corners in bodies:
            pixels = project(corners, view.pose, view.intrinsics) / SHRINK
            for mask, part in ((hidden, pixels), (faces, pixels[4:])):
                hull = cv2.convexHull(np.round(part).astype(np.int32))
                cv2.fillPoly(mask, [hull], (255,))
                cv2.polylines(mask, [hull], True, (255,), 2)
        worth = np.asarray(cv2.subtract(self.worth, hidden), dtype=np.uint8)
        return _Rest(worth, hidden, faces, (*self.obstacles, *bodies))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where something is to explain.

    Attributes:
        roi: its bounds in full-size pixels.
        tiles: about how many tiles it may be.
        broad: whether it is so broad that a tile may lie or lean there.
    """

    roi: Roi
    tiles: int
    broad: bool


def find_unmarked(
    image: Image,
    foreground: Foreground,
    view: View,
    mat: Mat,
    tile_set: TileSet,
    known: Sequence[Tile],
    where: Gray | None = None,
) -> tuple[Tile, ...]:
    """Find tiles that carry no mark the camera can read.

    Args:
        image: the frame, BGR.
        foreground: where it differs from the empty table.
        view: where the camera is.
        mat: the work area.
        tile_set: the size of the tiles.
        known: tiles already found by their marks, or before.
        where: 255 where to look, at the size of the foreground; None for everywhere.
    """
    rest = _rest(foreground).without([body_of(tile) for tile in known], view)
    finder = _Finder(image, foreground, view, mat, tile_set, where)
    found, rest = finder.find(rest, foreground.strict, known, LEAST_FACE, LEAST_QUALITY)
    dark = _crisp(foreground, rest)
    more, _ = finder.find(rest, dark, (*known, *found), DARK_FACE, DARK_QUALITY)
    return (*found, *more)


@dataclass(frozen=True, slots=True, eq=False)
class _Finder:
    """Looks for tiles in one frame."""

    image: Image
    foreground: Foreground
    view: View
    mat: Mat
    tile_set: TileSet
    where: Gray | None

    def find(
        self, rest: _Rest, seeds: Gray, known: Sequence[Tile], least_face: float, least: float
    ) -> tuple[list[Tile], _Rest]:
        """Find tiles where there are seeds: first the clear ones, then those they hide in part."""
        if self.where is not None:
            seeds = np.asarray(cv2.min(seeds, self.where), dtype=np.uint8)
        places = _places(seeds, rest, self.view, self.mat)
        if not places:
            return [], rest
        margin = int(MARGIN_MM * self.view.scale_px_mm())
        rows, columns = self.image.shape[:2]
        wide = [_grown(place.roi, margin, columns, rows) for place in places]
        edges = find_edges(self.image, self.foreground, rest.faces, wide)
        boxes = [way.box for way in stances(self.tile_set.spec)]
        first, every, broad = [], [], []
        for place in places:
            ground = ground_under(place.roi, edges, rest.worth, self.view)
            most = GUESSES[0] + GUESSES[1] * place.tiles
            faces = upper_faces(ground, boxes, most, least_face)
            first += faces[: FIRST[0] + FIRST[1] * place.tiles]
            every += faces
            broad += faces if place.broad else []
        found: list[Tile] = []

        def take(quality: float, guesses: list[tuple[int, Face]], leans: bool = False) -> None:
            nonlocal rest
            fits = self._fits(edges, guesses, rest, leans)
            bodies, tiles_found = self._choose(fits, rest, (*known, *found), max(quality, least))
            found.extend(tiles_found)
            rest = rest.without(bodies, self.view)

        take(SURE_QUALITY, first)
        for quality in LEANING_QUALITY if broad else ():
            take(quality, broad, leans=True)
        take(least, every)
        return found, rest

    def _fits(
        self, edges: Edges, guesses: Sequence[tuple[int, Face]], rest: _Rest, leans: bool
    ) -> list[BodyFit]:
        """Fit bodies to the guesses that would explain something, leaning ones too or not."""
        ways = (*stances(self.tile_set.spec), *leaning(self.tile_set.spec))
        starts = Bodies(
            ways,
            np.array([n for n, _ in guesses], dtype=np.intp),
            np.array([(f.x_mm, f.y_mm, f.heading_rad, 0.0) for _, f in guesses]).reshape(-1, 4),
        )
        shares, _ = _shares(rest, starts.corners(), self.view)
        if leans:
            likely = starts.pick(shares >= LEANING_WORTHY).tipped(LEANS_RAD)
            starts = starts.pick(shares >= WORTHY).joined(likely)
        else:
            starts = starts.pick(shares >= WORTHY)
        fits = fit_bodies(edges, starts, self.view, rest.obstacles)
        return [fit for fit in fits if _inside(fit.place, self.mat)]

    def _choose(
        self, fits: Sequence[BodyFit], rest: _Rest, known: Sequence[Tile], least: float
    ) -> tuple[list[Floats], list[Tile]]:
        """Take the best bodies one after the other while they explain something."""
        view = self.view
        drawn = np.zeros_like(rest.worth)
        for corners in rest.obstacles:
            _draw(drawn, corners, view)
        bodies: list[Floats] = []
        taken: list[Tile] = []
        left = [(fit, _tile(fit, self.tile_set)) for fit in fits]
        left = [one for one in left if _clear(*one, known)]
        while left:
            shares, seen = _shares(rest, np.stack([fit.corners for fit, _ in left]), view)
            worthy = shares > LEAST_SHARE
            left = [one for one, keep in zip(left, worthy, strict=True) if keep]
            if not left:
                break
            quality = np.array([fit.edge_outside(drawn, SHRINK) for fit, _ in left])
            quality *= (0.3 + 0.7 * shares[worthy]) * (0.55 + 0.45 * seen[worthy])
            quality *= [LEAN_FACTOR if fit.stance.lean is not Lean.NOT else 1 for fit, _ in left]
            best = int(np.argmax(quality))
            if quality[best] < least:
                break
            fit, tile = left[best]
            bodies.append(fit.corners)
            taken.append(tile)
            rest = rest.without([fit.corners], view)
            _draw(drawn, fit.corners, view)
            left = [one for one in left if _clear(*one, [tile])]
        return bodies, taken


def _crisp(foreground: Foreground, rest: _Rest) -> Gray:
    """The dark places whose outline is crisp: tiles may be there, and not only shadows."""
    dark = np.asarray(cv2.subtract(foreground.deep, rest.hidden), dtype=np.uint8)
    kept = np.zeros_like(dark)
    if not dark.any():
        return kept
    gray = cv2.cvtColor(foreground.now, cv2.COLOR_BGR2GRAY)
    steep = np.asarray(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((3, 3), dtype=np.uint8)))
    away = cv2.dilate(rest.hidden, np.ones((7, 7), dtype=np.uint8)) == 0
    contours, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        columns, rows = np.asarray(contour).reshape(-1, 2).T
        free = away[rows, columns]
        if np.count_nonzero(free) < LEAST_OUTLINE:
            continue
        level = float(np.median(gray[rows, columns]))
        if np.mean(steep[rows, columns][free] > CRISP * max(level, 25.0)) > LEAST_CRISP:
            cv2.drawContours(kept, [contour], 0, (255,), cv2.FILLED)
    return np.asarray(cv2.bitwise_and(kept, dark), dtype=np.uint8)


def _rest(foreground: Foreground) -> _Rest:
    worth = cv2.max(foreground.strict, cv2.convertScaleAbs(foreground.loose, alpha=SHADOW_WORTH))
    nothing = np.zeros_like(foreground.strict)
    return _Rest(np.asarray(worth, dtype=np.uint8), nothing, nothing, ())


def _places(seeds: Gray, rest: _Rest, view: View, mat: Mat) -> list[_Place]:
    """Find where to look."""
    corners = np.array([(x, y, 0.0) for x in mat.area_x_mm for y in mat.area_y_mm])
    hull = cv2.convexHull(project(corners, view.pose, view.intrinsics).astype(np.float32) / SHRINK)
    inside = np.zeros_like(rest.worth)
    cv2.fillConvexPoly(inside, hull.astype(np.int32), (255,))
    seeds = np.asarray(cv2.bitwise_and(cv2.subtract(seeds, rest.hidden), inside), np.uint8)
    if not seeds.any():
        return []
    grown = cv2.dilate(seeds, np.ones((9, 9), dtype=np.uint8))
    mm2 = (view.scale_px_mm() / SHRINK) ** 2
    contours, _ = cv2.findContours(grown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    places = []
    for contour in contours:
        x, y, width, height = cv2.boundingRect(contour)
        shape = np.zeros((height, width), dtype=np.uint8)
        cv2.drawContours(shape, [contour], 0, (255,), cv2.FILLED, offset=(-x, -y))
        shape = np.asarray(
            cv2.bitwise_and(shape, seeds[y : y + height, x : x + width]), dtype=np.uint8
        )
        own = cv2.countNonZero(shape)
        padded = cv2.copyMakeBorder(shape, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
        depth = float(np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, 3)).max())
        depth_mm = depth / math.sqrt(mm2)
        if own > LEAST_BLOB_MM2 * mm2 and depth_mm > LEAST_DEPTH_MM:
            roi = (x * SHRINK, y * SHRINK, (x + width) * SHRINK, (y + height) * SHRINK)
            places.append(_Place(roi, math.ceil(own / mm2 / TILE_MM2), depth_mm > BROAD_MM))
    return places


def _grown(roi: Roi, margin: int, columns: int, rows: int) -> Roi:
    left, top = (max(0, side - margin) // SHRINK * SHRINK for side in roi[:2])
    right, bottom = min(columns, roi[2] + margin), min(rows, roi[3] + margin)
    return left, top, right // SHRINK * SHRINK, bottom // SHRINK * SHRINK


def _inside(place: Floats, mat: Mat) -> bool:
    across = mat.area_x_mm[0] <= place[0] <= mat.area_x_mm[1]
    return bool(across and mat.area_y_mm[0] <= place[1] <= mat.area_y_mm[1])


def _draw(mask: Gray, corners: Floats, view: View) -> None:
    """Mark where the edges of a body show."""
    pixels = np.round(project(corners, view.pose, view.intrinsics) / SHRINK).astype(int)
    facing = faces_seen(corners[None], view)[0]
    for n, shown in enumerate(facing):
        if shown:
            cv2.polylines(mask, [pixels[list(FACES[n])].astype(np.int32)], True, (255,), DRAWN_PX)


def _clear(fit: BodyFit, tile: Tile, others: Sequence[Tile]) -> bool:
    """Say whether a tile can be beside others; one that leans may lie over another."""
    core, reach = _core(tile), 1.2 * tile.spec.length_mm
    near = [
        other
        for other in others
        if abs(other.pose.x_mm - tile.pose.x_mm) < reach
        and abs(other.pose.y_mm - tile.pose.y_mm) < reach
    ]
    if fit.stance.lean is Lean.NOT:
        return not any(core.overlaps(other.footprint) for other in near)
    here = (tile.pose.x_mm, tile.pose.y_mm)
    return all(
        math.dist(here, (other.pose.x_mm, other.pose.y_mm)) > LEANING_APART_MM for other in near
    )


def _core(tile: Tile) -> Footprint:
    """The footprint without a rim as wide as two fits together may err."""
    ground, rim = tile.footprint, RIM_MM[tile.state]
    return Footprint(ground.pose, ground.depth_mm - rim, ground.width_mm - rim)


def _tile(fit: BodyFit, tile_set: TileSet) -> Tile:
    x, y, heading, _ = (float(v) for v in fit.place)
    how = fit.stance.orientation
    return Tile(
        None,
        Pose(x, y, half_turn(heading)),
        how,
        State.FALLEN if how is None else State.STANDING,
        sigma_mm=math.hypot(FLOOR_MM, fit.miss_mm),
        sigma_rad=math.hypot(FLOOR_RAD, fit.miss_mm / tile_set.spec.width_mm),
        spec=tile_set.spec,
    )


def _shares(rest: _Rest, corners: Floats, view: View) -> tuple[Floats, Floats]:
    """Say what is under the silhouettes of bodies.

    Returns:
        The mean worth there, parts behind known tiles aside, shape (n,); and how much of each is
        not behind known tiles, shape (n,).
    """
    pixels = project(corners.reshape(-1, 3), view.pose, view.intrinsics) / SHRINK
    shares, seen = np.zeros(len(corners)), np.zeros(len(corners))
    rows, columns = rest.worth.shape
    for n, points in enumerate(np.round(pixels).astype(np.int32).reshape(-1, 8, 2)):
        left, top = np.maximum(points.min(axis=0), 0).tolist()
        right, bottom = np.minimum(points.max(axis=0) + 1, (columns, rows)).tolist()
        if right <= left or bottom <= top:
            continue
        shape = np.zeros((bottom - top, right - left), dtype=np.uint8)
        cv2.fillConvexPoly(shape, cv2.convexHull(points - (left, top)), (255,))
        free = cv2.subtract(shape, rest.hidden[top:bottom, left:right])
        seen[n] = cv2.countNonZero(free) / max(1, cv2.countNonZero(shape))
        if seen[n] >= LEAST_SHOWN:
            shares[n] = cv2.mean(rest.worth[top:bottom, left:right], free)[0] / 255
    return shares, seen
