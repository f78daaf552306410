"""Keep unmarked tiles that stand where they stood, though the picture over them has changed.

A shadow falls on a tile, a hand passes, or the next tile hides a part of it. Such a tile need not
be searched for: its box is laid where it stood, and if the edges are there, the tile is too.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from physics.row.pose import Pose, half_turn
from physics.row.tile import Tile
from vision.arrays import Image
from vision.background.background import Foreground
from vision.geometry.boxes import body_of, standing
from vision.geometry.camera_pose import View
from vision.tuning.tuning import TUNING, Tuning
from vision.unmarked.edge_fit import Slopes, around, find_edges, fit_together
from vision.unmarked.residual import shares_of, unexplained


def stand_again(
    image: Image,
    foreground: Foreground,
    view: View,
    known: Sequence[Tile],
    before: Sequence[Tile],
    tuning: Tuning = TUNING,
) -> tuple[Tile, ...]:
    """Say which unmarked tiles still stand where they stood.

    Args:
        image: the frame, BGR.
        foreground: where it differs from the empty table.
        view: the camera.
        known: tiles found by their marks, or kept from before.
        before: tiles that stood there and are not among those.
        tuning: see `Tuning`.

    Returns:
        Those that clearly stand there, where they are seen now.
    """
    numbers = tuning.carry_over
    taken = [tile.footprint for tile in known]
    free = [tile for tile in before if not any(map(tile.footprint.overlaps, taken))]
    if not free:
        return ()
    bodies = standing(free)
    rest = unexplained(foreground, tuning=tuning).without([body_of(tile) for tile in known], view)
    rois = around(bodies.corners(), view, image, numbers.margin_px)
    slopes = Slopes(image, foreground, tuning=tuning.edge_fit)
    edges = find_edges(slopes, rest.faces, rois, view, tuning=tuning.edge_fit)
    moved, fits = fit_together(
        edges, bodies, view, rest.obstacles, bodies.places, numbers.rounds, tuning=tuning.edge_fit
    )
    shares, seen = shares_of(rest, moved.corners(), view, tuning=tuning.residual)
    there = (shares >= numbers.least_share) & (seen >= numbers.least_seen_share)
    off = moved.places - bodies.places
    there &= np.hypot(off[:, 0], off[:, 1]) < numbers.moved_mm
    there &= np.abs(off[:, 2]) < numbers.turned_rad
    return tuple(
        replace(tile, pose=Pose(float(x), float(y), half_turn(float(heading))))
        for tile, (x, y, heading, _), fit, one in zip(free, moved.places, fits, there, strict=True)
        if one
        and len(fit.edge) >= numbers.least_points
        and fit.edge.mean() >= numbers.least_edge_share
    )
