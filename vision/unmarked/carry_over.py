"""Unmarked tiles that stand where they stood, though the picture over them has changed.

A shadow falls on a tile, a hand passes, the next tile hides a part of it: then it need not be
searched for. Its box is laid where it stood, and if the edges are there too, it stands there.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from physics.row.pose import Pose, half_turn
from physics.row.tile import Tile
from vision.arrays import Image
from vision.geometry.boxes import Bodies, body_of, stances
from vision.geometry.view import View
from vision.unmarked.background import Foreground
from vision.unmarked.edge_fit import around, find_edges, fit_together
from vision.unmarked.residual import shares_of, unexplained

ROUNDS = ((2.0, 8), (2.0, 10))
"""How far in px to look for edges, and at how many points of each."""
LEAST_EDGE, LEAST_POINTS = 0.8, 20
"""How well its edges must show, those that others hide left out, and at how many points at least.
Of tiles that fell they show to 0.73 at most where they stood, of those that stand to 0.85 at least,
on tables that thresholds are set on."""
LEAST_SHARE, LEAST_SEEN = 0.4, 0.5
"""What share of what is seen of it must be worth explaining, and how much of it must be seen."""
MOVED_MM, TURNED_RAD = 1.0, math.radians(3)
"""A tile that seems to have moved by more is searched for."""
MARGIN_PX = 12


def stand_again(
    image: Image,
    foreground: Foreground,
    view: View,
    known: Sequence[Tile],
    before: Sequence[Tile],
) -> tuple[Tile, ...]:
    """Say which unmarked tiles still stand where they stood.

    Args:
        image: the frame, BGR.
        foreground: where it differs from the empty table.
        view: the camera.
        known: tiles found by their marks, or kept from before.
        before: tiles that stood there and are not among those.

    Returns:
        Those that clearly stand there, where they are seen now.
    """
    free = [tile for tile in before if not any(_meet(tile, one) for one in known)]
    if not free:
        return ()
    ways = stances(free[0].spec)
    which = np.array([_way(tile) for tile in free], dtype=np.intp)
    poses = [tile.pose for tile in free]
    places = np.array([(p.x_mm, p.y_mm, p.heading_rad, 0.0) for p in poses])
    bodies = Bodies(ways, which, places)
    rest = unexplained(foreground).without([body_of(tile) for tile in known], view)
    rois = [around(corners, view, image, MARGIN_PX) for corners in bodies.corners()]
    edges = find_edges(image, foreground, rest.faces, rois, view)
    moved, fits = fit_together(edges, bodies, view, rest.obstacles, places, ROUNDS)
    shares, seen = shares_of(rest, moved.corners(), view)
    there = (shares >= LEAST_SHARE) & (seen >= LEAST_SEEN)
    off = moved.places - places
    there &= (np.hypot(off[:, 0], off[:, 1]) < MOVED_MM) & (np.abs(off[:, 2]) < TURNED_RAD)
    return tuple(
        replace(tile, pose=Pose(float(x), float(y), half_turn(float(heading))))
        for tile, (x, y, heading, _), fit, one in zip(free, moved.places, fits, there, strict=True)
        if one and len(fit.edge) >= LEAST_POINTS and fit.edge.mean() >= LEAST_EDGE
    )


def _way(tile: Tile) -> int:
    """Say in which of the ways of `stances` a tile stands."""
    ways = [way.orientation for way in stances(tile.spec)]
    return ways.index(tile.orientation)


def _meet(tile: Tile, other: Tile) -> bool:
    return tile.footprint.overlaps(other.footprint)
