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
from vision.bodies import Bodies, Lean, body_of, leaning, stances
from vision.calibration import Mat, project
from vision.edges import BodyFit, Roi, find_edges, fit_bodies
from vision.faces import Face, ground_under, upper_faces
from vision.fit import View
from vision.leftover import Rest, crisp, draw_edges, places_in, shares_of, unexplained

Floats = NDArray[np.float64]
Gray = NDArray[np.uint8]
Image = NDArray[np.uint8]

GUESSES = (4, 4)
FIRST = (2, 2)
"""Guesses for each way to stand, and those tried first: so many, and so many more a tile."""
MARGIN_MM = 30.0
SURE_QUALITY = 0.7
LEAST_FACE = 0.22
DARK_FACE = 0.36
"""How well the sides of an upper face must show for a closer look."""
LEAST_QUALITY = 0.39
DARK_QUALITY = 0.45
"""How good a box must be at least; more is asked where there may be but a shadow."""
WORTHY, LEANING_WORTHY = 0.3, 0.6
"""What share of a guess must be worth explaining, and of one that is to be tipped."""
LEAST_SHARE = 0.15
"""What share of a body must be worth explaining while others are taken before it."""
PITCHES_MM = (18.0, 27.0, 36.0)
BENDS_RAD = (-0.2, 0.0, 0.2)
"""How far apart tiles lie that fell onto each other, and how much a row bends between them."""
LEANS_RAD = (-0.35, 0.35)
"""From where leans are tried."""
LEANING_QUALITY = (0.6, 0.5)
LEAN_FACTOR = 0.95
LEANING_APART_MM = 10.0
"""How good a body that leans must be at least; how much is taken off for being harder to
believe; and how far it is at least from any other tile."""
MEET_PX = 8.0
"""Tiles farther apart than this in the image do not change each other's outlines."""
RIM_MM = {State.STANDING: 2.0, State.FALLEN: 4.0}
FLOOR_MM = 0.5
FLOOR_RAD = math.radians(1.0)


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
    rest = unexplained(foreground).without([body_of(tile) for tile in known], view)
    finder = _Finder(image, foreground, view, mat, tile_set, where)
    found, rest = finder.find(rest, foreground.strict, known, LEAST_FACE, LEAST_QUALITY)
    dark = crisp(foreground, rest)
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
        self, rest: Rest, seeds: Gray, known: Sequence[Tile], least_face: float, least: float
    ) -> tuple[list[Tile], Rest]:
        """Find tiles where there are seeds: first the clear ones, then those they hide in part."""
        if self.where is not None:
            seeds = np.asarray(cv2.min(seeds, self.where), dtype=np.uint8)
        places = places_in(seeds, rest, self.view, self.mat)
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

        def take(quality: float, guesses: Bodies, tipped: Sequence[float] = ()) -> Bodies:
            nonlocal rest
            shares, _ = shares_of(rest, guesses.corners(), self.view)
            starts = guesses = guesses.pick(shares >= WORTHY)
            if tipped:
                likely = shares[shares >= WORTHY] >= LEANING_WORTHY
                starts = guesses.joined(guesses.pick(likely).tipped(tipped))
            fits = fit_bodies(edges, starts, self.view, rest.obstacles)
            fits = [fit for fit in fits if _inside(fit.place, self.mat)]
            bodies, tiles = self._choose(fits, rest, (*known, *found), max(quality, least))
            found.extend(tiles)
            rest = rest.without(bodies, self.view)
            return guesses

        take(SURE_QUALITY, self._guesses(first))
        left = self._guesses(broad)
        for quality in LEANING_QUALITY if broad else ():
            left = take(quality, left, LEANS_RAD)
        fresh = [tile for tile in found if tile.state is State.FALLEN] if broad else []
        while fresh:
            before = len(found)
            take(LEANING_QUALITY[-1], self._guesses(_beside(fresh)), LEANS_RAD)
            fresh = found[before:]
        take(least, self._guesses(every))
        return found, rest

    def _guesses(self, faces: Sequence[tuple[int, Face]]) -> Bodies:
        return Bodies(
            (*stances(self.tile_set.spec), *leaning(self.tile_set.spec)),
            np.array([n for n, _ in faces], dtype=np.intp),
            np.array([(f.x_mm, f.y_mm, f.heading_rad, 0.0) for _, f in faces]).reshape(-1, 4),
        )

    def _choose(
        self, fits: Sequence[BodyFit], rest: Rest, known: Sequence[Tile], least: float
    ) -> tuple[list[Floats], list[Tile]]:
        """Take the best bodies one after the other while they explain something."""
        view = self.view
        drawn = np.zeros_like(rest.worth)
        for corners in rest.obstacles:
            draw_edges(drawn, corners, view)
        bodies: list[Floats] = []
        taken: list[Tile] = []
        left = [_Choice(fit, _tile(fit, self.tile_set), view) for fit in fits]
        left = [one for one in left if _clear(one.fit, one.tile, known)]
        stale = left
        while True:
            if stale:
                corners = np.stack([one.fit.corners for one in stale])
                for one, share, seen in zip(stale, *shares_of(rest, corners, view), strict=True):
                    one.weigh(float(share), float(seen), drawn)
            best = max(left, key=lambda one: one.quality, default=None)
            if best is None or best.quality < least:
                return bodies, taken
            bodies.append(best.fit.corners)
            taken.append(best.tile)
            rest = rest.without([best.fit.corners], view)
            draw_edges(drawn, best.fit.corners, view)
            left = [one for one in left if _clear(one.fit, one.tile, [best.tile])]
            left = [one for one in left if one is not best and one.share > LEAST_SHARE]
            stale = [one for one in left if one.meets(best)]


class _Choice:
    """A body that may be taken for a tile, and how good it is at the moment."""

    def __init__(self, fit: BodyFit, tile: Tile, view: View) -> None:
        self.fit = fit
        self.tile = tile
        self.share = 0.0
        self.quality = 0.0
        pixels = project(fit.corners, view.pose, view.intrinsics)
        self._low, self._high = pixels.min(axis=0), pixels.max(axis=0)

    def weigh(self, share: float, seen: float, drawn: Gray) -> None:
        """Say how good it is, by what it would explain, how much is seen of it, and its edges."""
        self.share = share
        self.quality = 0.0
        if share > LEAST_SHARE:
            edge = self.fit.edge_outside(drawn, SHRINK)
            self.quality = edge * (0.3 + 0.7 * share) * (0.55 + 0.45 * seen)
            self.quality *= 1.0 if self.fit.stance.lean is Lean.NOT else LEAN_FACTOR

    def meets(self, other: "_Choice") -> bool:
        """Say whether the two may touch in the image."""
        apart = (self._low > other._high + MEET_PX) | (other._low > self._high + MEET_PX)
        return not apart.any()


def _grown(roi: Roi, margin: int, columns: int, rows: int) -> Roi:
    left, top = (max(0, side - margin) // SHRINK * SHRINK for side in roi[:2])
    right, bottom = min(columns, roi[2] + margin), min(rows, roi[3] + margin)
    return left, top, right // SHRINK * SHRINK, bottom // SHRINK * SHRINK


def _inside(place: Floats, mat: Mat) -> bool:
    across = mat.area_x_mm[0] <= place[0] <= mat.area_x_mm[1]
    return bool(across and mat.area_y_mm[0] <= place[1] <= mat.area_y_mm[1])


def _beside(fallen: Sequence[Tile]) -> list[tuple[int, Face]]:
    """Guess where the next tiles of a row lie of which some are found: under them or on them."""
    lying = len(stances(fallen[0].spec)) - 1
    guesses = []
    for tile in fallen:
        x, y, heading = tile.pose.x_mm, tile.pose.y_mm, tile.pose.heading_rad
        for step in (*PITCHES_MM, *(-pitch for pitch in PITCHES_MM)):
            for turn in BENDS_RAD:
                c, s = math.cos(heading + turn / 2), math.sin(heading + turn / 2)
                guesses.append((lying, Face(x + step * c, y + step * s, heading + turn, 1.0)))
    return guesses


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
