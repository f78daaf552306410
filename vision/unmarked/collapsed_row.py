"""Find rows that fell onto themselves, like shingles: lay them down in mind, then fit them.

Of most tiles in such a row only a strip shows, and between tiles of one colour hardly an edge. But
it is known where they stood and how a tile falls. It tips about its front lower edge until it meets
the tile ahead of it; the last one meets the table.

So a row that no longer stands is laid down in every way that it may have fallen: down the row, up
the row, or, if that suits the image far better, both ways from some tile. If the row looks about as
good laid one way as the other, the tiles were knocked about, and are left to `search.py`. Then all
tiles are moved together until their edges lie on those of the image, hidden edges left out. Where
a row looks about as good standing, it has not fallen: perhaps the picture is shaken, and its marks
cannot be read.

At its ends a row slides: the feet of the first tiles slip back, for nothing holds them from behind,
and the last tile is thrown ahead. So each end is also tried as if it had slid, and that fit is kept
unless the other is clearly better. A tile that slipped in another way is looked for near by.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from physics.row.chain import order
from physics.row.tile import Orientation, State, Tile, apart_mm
from vision.arrays import Bools, Floats
from vision.geometry.boxes import Bodies, body_of, leaning, stances, standing
from vision.geometry.camera_pose import View
from vision.tuning.tuning import TUNING, Tuning
from vision.tuning.unmarked import CollapsedRowTuning, ResidualTuning
from vision.unmarked.edge_fit import (
    BodyFit,
    Edges,
    Slopes,
    around,
    find_edges,
    fit_bodies,
    fit_together,
)
from vision.unmarked.residual import Unexplained, shares_of

ALONG, ACROSS = 3, 4
"""Which of all ways to stand, lie and lean those are that lean."""


def fallen_rows(
    slopes: Slopes,
    rest: Unexplained,
    view: View,
    stood: Sequence[Tile],
    known: Sequence[Tile],
    tuning: Tuning = TUNING,
) -> list[BodyFit]:
    """Find tiles that stood in a row and fell along it.

    Args:
        slopes: of the frame.
        rest: what the known tiles leave unexplained.
        view: the camera.
        stood: tiles that stood there before.
        known: tiles that are known to stand or lie there now.
        tuning: see `Tuning`.

    Returns:
        These tiles, to be believed only if as many cannot be found in another way.
    """
    numbers = tuning.collapsed_row
    found: list[BodyFit] = []
    for run in _gone_runs(stood, known, tuning=numbers):
        ways = _laid(run, known, tuning=numbers)
        there = max(_there(way, rest, view, tuning.residual) for way in ways)
        if there < numbers.least_there_share:
            continue
        corners = np.stack([way.corners().reshape(-1, 3) for way in ways])
        rois = around(corners, view, slopes.image, numbers.margin_px)
        edges = find_edges(slopes, rest.faces, rois, view, tuning=tuning.edge_fit)
        heap = _Heap(edges, rest, view, tuning=tuning)
        (down, _, down_good), (up, _, up_good) = (
            heap.fit(w, w.places, numbers.rough_rounds) for w in ways
        )
        fell_up = which_way(up_good - down_good, tuning=numbers)
        if fell_up is None:
            continue
        if _whole(np.where(fell_up, up_good, down_good), tuning=numbers) < numbers.likely_row:
            continue
        fits, good = heap.settle(run, fell_up, ways[0].but(ways[1], fell_up), down.but(up, fell_up))
        whole = _whole(good, tuning=numbers)
        if whole >= numbers.least_row and whole >= heap.still_up(run) + numbers.fell_gain:
            found += [replace(fit, rival_mm=numbers.rival_mm) for fit in fits]
    return found


def which_way(gains: Floats, tuning: CollapsedRowTuning = TUNING.collapsed_row) -> Bools | None:
    """Say which tiles of a row fell up the row: all, none, or the first so many.

    Args:
        gains: how much better each looks laid up the row than down, in order, shape (n,).
        tuning: see `CollapsedRowTuning`.

    Returns:
        For each tile whether it fell up, shape (n,); None if the way chosen is not clearly better
        than the other, see `least_gain`.
    """
    sums = np.concatenate([[0.0], np.cumsum(gains)])
    sums[1:-1] -= tuning.both_ways_loss
    up = np.arange(len(gains)) < int(sums.argmax())
    return up if np.where(up, gains, -gains).mean() >= tuning.least_gain else None


def _from_push(up: Bools) -> list[NDArray[np.intp]]:
    """The tiles that fell down a row, and those that fell up, each from the one pushed first."""
    parts = (np.flatnonzero(~up), np.flatnonzero(up)[::-1])
    return [part for part in parts if len(part)]


def _slid(row: Sequence[Tile], laid: Bodies, up: Bools, tuning: CollapsedRowTuning) -> Bodies:
    """Return tiles as they lie if both ends of the row slid."""
    ahead_mm = np.zeros(len(row))
    for part in _from_push(up):
        shares = tuning.slide_back_share ** np.arange(len(part))
        ahead_mm[part] = -tuning.slide_back_mm * shares
        ahead_mm[part[-1]] += tuning.slide_ahead_mm
    ways = np.array([tile.pose.normal for tile in row]) * np.where(up, -1, 1)[:, None]
    places = laid.places.copy()
    places[:, :2] += ahead_mm[:, None] * ways
    return replace(laid, places=places)


def _slid_ends(up: Bools, gains: Floats, tuning: CollapsedRowTuning) -> Bools:
    """Say which tiles lie where `_slid` says.

    In each part of the row the pushed end (all tiles but the last) and the last tile are judged
    apart: the pushed end by its first `slide_tiles` tiles, in a short part also by the last one.

    Args:
        up: see `which_way`.
        gains: how much better each looks there, shape (n,).
        tuning: see `CollapsedRowTuning`.
    """
    slid = np.zeros(len(up), dtype=bool)
    for part in _from_push(up):
        near = part[: tuning.slide_tiles]
        slid[part[:-1]] = gains[near].mean() > -tuning.slide_likely
        slid[part[-1]] = gains[part[-1]] > -tuning.slide_likely
    return slid


@dataclass(frozen=True, slots=True, eq=False)
class _Heap:
    """Fits bodies that are all there to what there is to explain in one frame."""

    edges: Edges
    rest: Unexplained
    view: View
    tuning: Tuning

    def fit(
        self, starts: Bodies, likely: Floats, rounds: Sequence[tuple[float, int]]
    ) -> tuple[Bodies, list[BodyFit], Floats]:
        """Fit bodies together, see `fit_together`; and say how good each is."""
        numbers, hidden_by = self.tuning.collapsed_row, self.rest.obstacles
        moved, fits = fit_together(
            self.edges, starts, self.view, hidden_by, likely, rounds, tuning=self.tuning.edge_fit
        )
        shares, _ = shares_of(self.rest, moved.corners(), self.view, tuning=self.tuning.residual)
        good = np.array([_edge(fit, tuning=numbers) for fit in fits])
        worth = np.minimum(shares / numbers.enough_share, 1.0)
        return moved, fits, good * (numbers.bare_share + (1 - numbers.bare_share) * worth)

    def fit_anew(self, laid: Bodies) -> tuple[Bodies, list[BodyFit], Floats]:
        """Fit bodies that were not fitted before, first roughly: see `fit`."""
        numbers = self.tuning.collapsed_row
        return self.fit(laid, laid.places, (*numbers.rough_rounds, *numbers.fine_rounds))

    def still_up(self, row: Sequence[Tile]) -> float:
        """Say how good a row looks if all of it still stands where it stood."""
        _, _, good = self.fit_anew(standing(row))
        return _whole(good, tuning=self.tuning.collapsed_row)

    def settle(
        self, row: Sequence[Tile], up: Bools, laid: Bodies, starts: Bodies
    ) -> tuple[list[BodyFit], Floats]:
        """Fit the tiles of a row finely, also with ends that slid.

        Args:
            row: the tiles as they stood.
            up: which of them fell up the row.
            laid: how they lie if they did not slide.
            starts: where their fits begin.

        Returns:
            The fits that were kept, and how good each is.
        """
        numbers = self.tuning.collapsed_row
        bodies, _, good = fine = self.fit(starts, laid.places, numbers.fine_rounds)
        best = self.with_slipped(laid, fine)
        slid = _slid(row, laid, up, tuning=numbers)
        there, _, good_there = self.fit_anew(slid)
        ends = _slid_ends(up, good_there - good, tuning=numbers)
        if not ends.any():
            return best
        slid = laid.but(slid, ends)
        fine = self.fit(bodies.but(there, ends), slid.places, numbers.fine_rounds)
        other = self.with_slipped(slid, fine)
        return other if other[1].mean() > best[1].mean() - numbers.slide_likely else best

    def with_slipped(
        self, laid: Bodies, fine: tuple[Bodies, list[BodyFit], Floats]
    ) -> tuple[list[BodyFit], Floats]:
        """Return the fits of a row and how good they are, after looking near by for poor ones."""
        bodies, fits, good = fine
        if (good < self.tuning.collapsed_row.poor_tile).any():
            nearby = self.slipped(bodies, laid, good)
            _, fits, good = self.fit(nearby, nearby.places, self.tuning.collapsed_row.fine_rounds)
        return fits, good

    def slipped(self, bodies: Bodies, laid: Bodies, good: Floats) -> Bodies:
        """Look near by for bodies that are poor where they are, the best of them first."""
        numbers, corners, places = self.tuning.collapsed_row, bodies.corners(), bodies.places.copy()
        sure = good >= numbers.poor_tile
        for n in np.argsort(-good):
            if sure[n]:
                continue
            starts = laid.pick(np.arange(len(good)) == n).shifted(_slips(tuning=numbers))
            others = [*self.rest.obstacles, *corners[sure]]
            fits = fit_bodies(self.edges, starts, self.view, others, tuning=self.tuning.edge_fit)
            best = max(fits, key=lambda fit: _edge(fit, tuning=numbers), default=None)
            if best is not None and _edge(best, tuning=numbers) > good[n] + numbers.gain:
                places[n], corners[n], sure[n] = best.place, best.corners, True
        return Bodies(bodies.ways, bodies.which, places)


@lru_cache(maxsize=4)
def _slips(tuning: CollapsedRowTuning) -> Floats:
    """Where a tile is looked for near by: see `Bodies.shifted`."""
    ways = itertools.product(tuning.slips_along_mm, tuning.slips_across_mm, tuning.slips_turn_rad)
    return np.array([(along, across, turn, 0.0) for along, across, turn in ways])


def _there(bodies: Bodies, rest: Unexplained, view: View, tuning: ResidualTuning) -> float:
    """How much of bodies there is to explain."""
    return float(shares_of(rest, bodies.corners(), view, tuning=tuning)[0].mean())


def _edge(fit: BodyFit, tuning: CollapsedRowTuning) -> float:
    """How well the edges of a body show; few points count for less than many."""
    return float(fit.edge.sum()) / max(len(fit.edge), tuning.least_points)


def _whole(good: Floats, tuning: CollapsedRowTuning) -> float:
    """How good a row is."""
    return float(good.sum() + tuning.doubt_tiles * tuning.poor) / (len(good) + tuning.doubt_tiles)


def remember(
    stood: Sequence[Tile], tiles: Sequence[Tile], tuning: CollapsedRowTuning = TUNING.collapsed_row
) -> tuple[Tile, ...]:
    """Say what stood on the table, for the next look.

    What has vanished is remembered as long as something lies there: it may have fallen, and not
    be at rest.

    Args:
        stood: what stood there before.
        tiles: what a look without a hand shows.
        tuning: see `CollapsedRowTuning`.
    """
    up = tuple(tile for tile in tiles if tile.state is State.STANDING)
    if len(up) == len(tiles):
        return up
    values = {tile.value for tile in up} - {None}
    return up + tuple(
        t for t in stood if t.value not in values and not stands(t, up, tuning=tuning)
    )


def stands(
    tile: Tile, up: Sequence[Tile], tuning: CollapsedRowTuning = TUNING.collapsed_row
) -> bool:
    """Say whether a tile stands where one stood."""
    return any(apart_mm(tile, other) <= tuning.still_mm for other in up)


def gone(
    stood: Sequence[Tile], tiles: Sequence[Tile], tuning: CollapsedRowTuning = TUNING.collapsed_row
) -> list[Tile]:
    """Return those of the tiles that stood in whose place none of these stands."""
    up = [tile for tile in tiles if tile.state is State.STANDING]
    return [tile for tile in stood if not stands(tile, up, tuning=tuning)]


def _gone_runs(
    stood: Sequence[Tile], known: Sequence[Tile], tuning: CollapsedRowTuning
) -> list[list[Tile]]:
    """Return the parts of a row that no longer stand, each in order, headings down the row."""
    if not gone(stood, known, tuning=tuning):
        return []
    up = [tile for tile in known if tile.state is State.STANDING]
    seen = {tile.value for tile in known} - {None}
    runs: list[list[Tile]] = [[]]
    for tile in order(stood).tiles:
        if stands(tile, up, tuning=tuning):
            runs.append([])
        elif tile.value not in seen and tile.orientation is not None:
            runs[-1].append(tile)
    return [run for run in runs if run]


def _laid(
    run: Sequence[Tile], known: Sequence[Tile], tuning: CollapsedRowTuning
) -> tuple[Bodies, Bodies]:
    """Lay a row down its headings, and up."""
    back = [replace(tile, pose=tile.pose.turned()) for tile in reversed(run)]
    down, up = lay_down(run, known, tuning=tuning), lay_down(back, known, tuning=tuning)
    return down, Bodies(up.ways, up.which[::-1], up.places[::-1])


def lay_down(
    row: Sequence[Tile], known: Sequence[Tile], tuning: CollapsedRowTuning = TUNING.collapsed_row
) -> Bodies:
    """Lay a row down its headings, each tile onto the ones ahead of it.

    Args:
        row: standing tiles in order, headings down the row.
        known: other tiles that it may fall onto.
        tuning: see `CollapsedRowTuning`.

    Returns:
        Where each would lie, in the same order.
    """
    spec = row[0].spec
    ways = (*stances(spec), *leaning(spec))
    bodies = [body_of(tile) for tile in known]
    which, places = [], []
    for tile in reversed(row):
        way, place = tipped(tile, rest_lean(tile, bodies, tuning=tuning))
        bodies.append(Bodies(ways, np.array([way]), place[None]).corners()[0])
        which.append(way)
        places.append(place)
    return Bodies(ways, np.array(which[::-1], dtype=np.intp), np.array(places[::-1]))


def tipped(tile: Tile, lean_rad: float) -> tuple[int, Floats]:
    """Tip a standing tile about its front lower edge.

    Args:
        tile: its heading says which way is ahead.
        lean_rad: how far from lying flat it comes to rest.

    Returns:
        Which of all ways to stand, lie and lean, and x and y of its middle in mm, its heading and
        its lean in rad.
    """
    upright = tile.orientation is Orientation.VERTICAL
    thick, high = tile.spec.thickness_mm, tile.height_mm
    ahead = (thick + high * math.cos(lean_rad) - thick * math.sin(lean_rad)) / 2
    x, y = tile.pose.to_table(ahead, 0.0)
    heading = tile.pose.heading_rad - (0.0 if upright else math.pi / 2)
    return (ALONG if upright else ACROSS), np.array([x, y, heading, lean_rad])


@lru_cache
def _surface(count: int) -> Floats:
    """Points all over a box, as shares of its half sides, shape (n, 3)."""
    steps = np.linspace(-1.0, 1.0, count)
    every = itertools.product(steps, repeat=3)
    return np.array([point for point in every if max(map(abs, point)) == 1.0])


def rest_lean(
    tile: Tile, bodies: Sequence[Floats], tuning: CollapsedRowTuning = TUNING.collapsed_row
) -> float:
    """Say at which lean, in rad, a tile that tips forwards meets other bodies.

    Its broad face sweeps all that is ahead of its lower edge and no farther than it is high; the
    first point that it meets is the one that it would see highest above the table.

    Args:
        tile: its heading says which way is ahead.
        bodies: corners of each, shape (8, 3).
        tuning: see `CollapsedRowTuning`.

    Returns:
        0 where nothing is in its way.
    """
    if not bodies:
        return 0.0
    corners = np.stack(bodies)
    sides = corners[:, [0, 1, 4]] - corners[:, [3, 0, 0]]
    off_middle = _surface(tuning.surface_points) @ sides / 2
    points = (corners.mean(axis=1)[:, None] + off_middle).reshape(-1, 3)
    c, s = tile.pose.normal
    off = points[:, :2] - np.array([tile.pose.x_mm, tile.pose.y_mm])
    ahead = off @ np.array([c, s]) - tile.spec.thickness_mm / 2
    aside = off @ np.array([-s, c])
    met = (ahead > 0) & (np.hypot(ahead, points[:, 2]) < tile.height_mm)
    met &= np.abs(aside) < tile.footprint.width_mm / 2
    lean = np.arctan2(points[met, 2], ahead[met]).max(initial=0.0)
    return min(float(lean), tuning.most_rest_rad)
