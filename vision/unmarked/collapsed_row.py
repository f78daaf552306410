"""Rows that fell onto themselves, like shingles: laid down in mind, then fitted to the image.

Of such a row most tiles show but a strip, and tiles of one colour hardly an outline. Yet where they
stood is known, and how a tile falls: it tips about its front lower edge until it meets something,
the last one the table, each other one the tile ahead of it. So a row that is no longer there is
laid down in the way that the image explains best, which is down the row or up, or up before some
tile and down from there. All its tiles are moved together until their edges lie on those of the
image, each hidden where others are in front of it; those that slipped farther are looked for near
by. A row that was knocked about in another way is left to `silhouette.py`.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from physics.row.chain import order
from physics.row.tile import Orientation, State, Tile, apart_mm
from vision.arrays import Floats, Image
from vision.geometry.boxes import Bodies, body_of, leaning, stances
from vision.geometry.view import View
from vision.unmarked.background import Foreground
from vision.unmarked.edge_fit import BodyFit, Edges, around, find_edges, fit_bodies, fit_together
from vision.unmarked.residual import Rest, shares_of

STILL_MM = 10.0
"""A tile that stands no farther than this from where one stood is that one."""
STEPS = np.linspace(-1.0, 1.0, 9)
SURFACE = np.array([p for p in itertools.product(STEPS, repeat=3) if max(map(abs, p)) == 1.0])
"""Points all over a box, as shares of its half sides."""
MOST_REST = math.radians(75)
"""A tile that leans more steeply than this is not tried as one that fell."""
ALONG, ACROSS = 3, 4
"""Which of all ways to stand, lie and lean those are that lean."""
MARGIN_PX = 16
"""How far round the bodies edges are looked for."""
ROUGH = ((8.0, 6), (6.0, 6), (4.0, 6))
FINE = ((3.0, 8), (2.0, 8), (2.0, 10))
"""How far in px to look for edges, and at how many points of each: in either way the row may have
fallen, and in the better one."""
ENOUGH = 0.4
"""What share of a tile must be worth explaining; less is for one that is like the table."""
LEAST_THERE = 0.1
"""What share of a row must be worth explaining for a closer look."""
LIKELY_ROW, LEAST_ROW, CLEAR_ROW = 0.55, 0.67, 0.74
"""How good a row must be to be fitted finely, to be taken for want of better, and to be clear."""
DOUBT, POOR = 2, 0.5
"""So many tiles as poor as this are added to those of a row: few count for less than many."""
LEAST_BOTH = 1.2
"""How good a tile must be at least, its row's goodness added."""
POOR_TILE, GAIN = 0.55, 0.15
"""A tile less good than this is looked for near by, and must be better by so much there."""
LEAST_POINTS = 20
"""A body with fewer points in sight than this is believed in proportion."""
SLIPS = np.array(
    [
        (along, across, turn, 0.0)
        for along in (-8.0, -4.0, 0.0, 4.0)
        for across in (-5.0, 0.0, 5.0)
        for turn in (-0.2, 0.0, 0.2)
    ]
)
"""Where: along and across its heading in mm, turn and lean in rad."""
SLIP_MM, TWIST_RAD = 12.0, math.radians(25)
"""How far from where it was laid a tile may be found, and how far turned."""


def fallen_rows(
    image: Image,
    foreground: Foreground,
    rest: Rest,
    view: View,
    stood: Sequence[Tile],
    known: Sequence[Tile],
) -> tuple[list[BodyFit], list[BodyFit]]:
    """Find tiles that stood in a row and fell along it.

    Args:
        image: the frame, BGR.
        foreground: where it differs from the empty table.
        rest: what the known tiles leave unexplained.
        view: the camera.
        stood: tiles that stood there before.
        known: tiles that are known to stand or lie there now.

    Returns:
        Those of rows that clearly fell so; and those of others, to be believed only if as many
        tiles cannot be found in another way.
    """
    clear: list[BodyFit] = []
    doubtful: list[BodyFit] = []
    for run in _gone(stood, known):
        ways = _laid(run, known)
        if max(_there(way, rest, view) for way in ways) < LEAST_THERE:
            continue
        rois = [around(way.corners().reshape(-1, 3), view, image, MARGIN_PX) for way in ways]
        heap = _Heap(find_edges(image, foreground, rest.faces, rois, view), rest, view)
        (down, _, down_good), (up, _, up_good) = (heap.fit(w, w.places, ROUGH) for w in ways)
        gains = np.concatenate([[0.0], np.cumsum(up_good - down_good)])
        first = np.arange(len(run)) < int(gains.argmax())
        if _whole(np.where(first, up_good, down_good)) < LIKELY_ROW:
            continue
        laid = ways[0].but(ways[1], first)
        bodies, fits, good = heap.fit(down.but(up, first), laid.places, FINE)
        if (good < POOR_TILE).any():
            nearby = heap.slipped(bodies, laid, good)
            _, fits, good = heap.fit(nearby, nearby.places, FINE)
        whole = _whole(good)
        if whole >= LEAST_ROW:
            found = clear if whole >= CLEAR_ROW else doubtful
            found += [
                fit
                for fit, place, one in zip(fits, laid.places, good, strict=True)
                if one + whole >= LEAST_BOTH and _stayed(fit.place, place)
            ]
    return clear, doubtful


@dataclass(frozen=True, slots=True, eq=False)
class _Heap:
    """Fits bodies that are all there to what there is to explain in one frame."""

    edges: Edges
    rest: Rest
    view: View

    def fit(
        self, starts: Bodies, likely: Floats, rounds: Sequence[tuple[float, int]]
    ) -> tuple[Bodies, list[BodyFit], Floats]:
        """Fit bodies together, see `fit_together`; and say how good each is."""
        hidden_by = self.rest.obstacles
        moved, fits = fit_together(self.edges, starts, self.view, hidden_by, likely, rounds)
        shares, _ = shares_of(self.rest, moved.corners(), self.view)
        good = np.array([_edge(fit) for fit in fits])
        return moved, fits, good * (0.6 + 0.4 * np.minimum(shares / ENOUGH, 1.0))

    def slipped(self, bodies: Bodies, laid: Bodies, good: Floats) -> Bodies:
        """Look near by for bodies that are poor where they are, the best of them first."""
        corners, places = bodies.corners(), bodies.places.copy()
        sure = good >= POOR_TILE
        for n in np.argsort(-good):
            if sure[n]:
                continue
            starts = laid.pick(np.arange(len(good)) == n).shifted(SLIPS)
            others = [*self.rest.obstacles, *corners[sure]]
            fits = fit_bodies(self.edges, starts, self.view, others)
            best = max(fits, key=_edge, default=None)
            if best is not None and _edge(best) > good[n] + GAIN:
                places[n], corners[n], sure[n] = best.place, best.corners, True
        return Bodies(bodies.ways, bodies.which, places)


def _there(bodies: Bodies, rest: Rest, view: View) -> float:
    """How much of bodies there is to explain."""
    return float(shares_of(rest, bodies.corners(), view)[0].mean())


def _edge(fit: BodyFit) -> float:
    """How well the edges of a body show; few points count for less than many."""
    return float(fit.edge.sum()) / max(len(fit.edge), LEAST_POINTS)


def _whole(good: Floats) -> float:
    """How good a row is."""
    return float(good.sum() + DOUBT * POOR) / (len(good) + DOUBT)


def _stayed(place: Floats, laid: Floats) -> bool:
    """Say whether a body is still about where it was laid."""
    apart = math.hypot(place[0] - laid[0], place[1] - laid[1])
    return apart <= SLIP_MM and abs(place[2] - laid[2]) <= TWIST_RAD


def remember(stood: Sequence[Tile], tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """Say what stood on the table, for the next look.

    What has vanished is remembered as long as something lies there: it may have fallen, and not
    be at rest.

    Args:
        stood: what stood there before.
        tiles: what a look without a hand shows.
    """
    up = tuple(tile for tile in tiles if tile.state is State.STANDING)
    if len(up) == len(tiles):
        return up
    values = {tile.value for tile in up} - {None}
    return up + tuple(t for t in stood if t.value not in values and not stands(t, up))


def stands(tile: Tile, up: Sequence[Tile]) -> bool:
    """Say whether a tile stands where one stood."""
    return any(apart_mm(tile, other) <= STILL_MM for other in up)


def _gone(stood: Sequence[Tile], known: Sequence[Tile]) -> list[list[Tile]]:
    """Return the parts of a row that no longer stand, each in order, headings down the row."""
    up = [tile for tile in known if tile.state is State.STANDING]
    if all(stands(tile, up) for tile in stood):
        return []
    seen = {tile.value for tile in known} - {None}
    runs: list[list[Tile]] = [[]]
    for tile in order(stood).tiles:
        if stands(tile, up):
            runs.append([])
        elif tile.value not in seen and tile.orientation is not None:
            runs[-1].append(tile)
    return [run for run in runs if run]


def _laid(run: Sequence[Tile], known: Sequence[Tile]) -> tuple[Bodies, Bodies]:
    """Lay a row down its headings, and up."""
    back = [replace(tile, pose=tile.pose.turned()) for tile in reversed(run)]
    down, up = lay_down(run, known), lay_down(back, known)
    return down, Bodies(up.ways, up.which[::-1], up.places[::-1])


def lay_down(row: Sequence[Tile], known: Sequence[Tile]) -> Bodies:
    """Lay a row down its headings, each tile onto the ones ahead of it.

    Args:
        row: standing tiles in order, headings down the row.
        known: other tiles that it may fall onto.

    Returns:
        Where each would lie, in the same order.
    """
    spec = row[0].spec
    ways = (*stances(spec), *leaning(spec))
    bodies = [body_of(tile) for tile in known]
    which, places = [], []
    for tile in reversed(row):
        way, place = tipped(tile, rest_lean(tile, bodies))
        bodies.append(ways[way].corners(place[None])[0])
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


def rest_lean(tile: Tile, bodies: Sequence[Floats]) -> float:
    """Say at which lean, in rad, a tile that tips forwards meets other bodies.

    Its broad face sweeps all that is ahead of its lower edge and no farther than it is high; the
    first point that it meets is the one that it would see highest above the table.

    Args:
        tile: its heading says which way is ahead.
        bodies: corners of each, shape (8, 3).

    Returns:
        0 where nothing is in its way.
    """
    if not bodies:
        return 0.0
    corners = np.stack(bodies)
    sides = corners[:, [0, 1, 4]] - corners[:, [3, 0, 0]]
    points = (corners.mean(axis=1)[:, None] + SURFACE @ sides / 2).reshape(-1, 3)
    c, s = tile.pose.normal
    off = points[:, :2] - np.array([tile.pose.x_mm, tile.pose.y_mm])
    ahead = off @ np.array([c, s]) - tile.spec.thickness_mm / 2
    aside = off @ np.array([-s, c])
    met = (ahead > 0) & (np.hypot(ahead, points[:, 2]) < tile.height_mm)
    met &= np.abs(aside) < tile.footprint.width_mm / 2
    lean = np.arctan2(points[met, 2], ahead[met]).max(initial=0.0)
    return min(float(lean), MOST_REST)
