"""Where a standing tile's broad wall ends above the table: an edge that no sticker touches.

Marks are on the narrow sides only, so the broad wall that looks at the camera ends in a plain edge
on the table. Across it brightness is a step between two slopes, for shadows lie on the table and
light fades down the wall. The edge is looked for in several pieces; they say where the tile stands
across its broad face, how it is turned, and by how they differ, how well.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from physics.row.tile import Tile
from vision.arrays import Bools, Floats, Image
from vision.geometry.boxes import behind, near
from vision.geometry.edge_profile import HALVES_PX, MOST_REST, STEPS, edges_in, rest_of
from vision.geometry.pose import project
from vision.geometry.view import View, sample

BEVEL_MM, BEVEL_SIGMA_MM = 0.4, 0.2
"""By how much the edges of a tile are rounded off: so high above the table its wall ends."""
NEAR_MM = 100.0
"""Bodies farther away than this hide nothing."""
PIECES, POINTS = 8, 6
"""In how many pieces an edge is looked for, and at how many points each."""
END_MM = 1.2
"""Left out at either end of the edge."""
ROOM_PX = 1.5
"""Brightness is read as far from the edge as so much more of the wall shows."""
LEAST_STEP = 24.0
"""Levels between wall and table, at least, all three colours together."""
LEAST_PIECES = 3
PIECE_MM = 0.15
"""How well one piece tells where the edge is at best."""
LIMIT = 2.0
"""Pieces that are off by more of their sigmas than this count ever less."""
ROUNDS = 8
FOOT_MM = 0.06
"""How well such an edge is known at best: shadows lie beneath all of it, one sigma."""


@dataclass(frozen=True, slots=True)
class Foot:
    """How a tile must be moved for its lower edge to fit.

    Attributes:
        ahead_mm: how far along its heading.
        sigma_mm: how uncertain that is.
        turn_rad: how far it must be turned, counter-clockwise.
        sigma_rad: how uncertain that is.
    """

    ahead_mm: float
    sigma_mm: float
    turn_rad: float
    sigma_rad: float


@dataclass(frozen=True, slots=True, eq=False)
class _Rim:
    """The lower edge of a broad wall that looks at the camera.

    Attributes:
        side: 1 if it lies ahead of the tile's middle, -1 if behind it.
        places_mm: of its pieces, to the left of its middle, shape (pieces,).
        rest: what is left of the brightness of each piece, squared and added up, by blur and by
            where the edge may be; shape (pieces, blurs, edges).
        size: how much there was of each before, shape (pieces,).
        offsets: at how many places across each brightness was read.
        good: whether a piece can be used at all, shape (pieces,).
        px_per_mm: how far the edge moves in the image if the wall moves outwards.
        sigma_mm: how well such an edge tells where the wall is at best.
    """

    side: float
    places_mm: Floats
    rest: Floats
    size: Floats
    offsets: int
    good: Bools
    px_per_mm: float
    sigma_mm: float


def feet(
    image: Image, view: View, tiles: Sequence[Tile], bodies: Sequence[Floats]
) -> list[Foot | None]:
    """Say how standing tiles must be moved for the lower edges of their broad walls to fit.

    Args:
        image: grey or BGR; an edge may show in its colour alone.
        view: the camera.
        tiles: standing tiles, each known to its sigmas.
        bodies: corners of all tiles that may hide an edge, each shape (8, 3); the tiles themselves
            may be among them.

    Returns:
        One for each tile, None where its edge cannot be seen well.
    """
    rims = [_rim(image, view, tile, bodies) for tile in tiles]
    shares = [
        rim.rest[rim.good].min(axis=2) / rim.size[rim.good, None] for rim in rims if rim is not None
    ]
    if not shares:
        return [None] * len(tiles)
    # One camera has one blur: the one that suits all edges of the frame.
    blur = int(np.minimum(np.concatenate(shares), MOST_REST**2).sum(axis=0).argmin())
    return [
        None if rim is None else _foot(rim, blur, tile)
        for rim, tile in zip(rims, tiles, strict=True)
    ]


def _rim(image: Image, view: View, tile: Tile, bodies: Sequence[Floats]) -> _Rim | None:
    assert tile.orientation is not None
    heading = tile.pose.heading_rad
    ahead = np.array([math.cos(heading), math.sin(heading), 0.0])
    left = np.array([-ahead[1], ahead[0], 0.0])
    middle = np.array([tile.pose.x_mm, tile.pose.y_mm, BEVEL_MM])
    far = float((view.pose.centre_mm - middle) @ ahead)
    depth = tile.spec.thickness_mm / 2
    if abs(far) <= depth:
        return None
    out = math.copysign(1.0, far) * ahead
    middle = middle + depth * out
    up = np.array([0.0, 0.0, tile.height_mm - 2 * BEVEL_MM])
    corner = np.stack([middle, middle + up, middle + left, middle + out])
    seen = project(corner, view.pose, view.intrinsics)
    wall, along, move = seen[1:] - seen[0]
    across = np.array([along[1], -along[0]]) / float(np.hypot(*along))
    across *= math.copysign(1.0, float(move @ across))
    px_per_mm = float(move @ across)
    room = -float(wall @ across) - ROOM_PX
    half = next((half for half in HALVES_PX if half <= room), None)
    if half is None:
        return None
    offsets, steps = STEPS[half]
    reach = tile.spec.face_mm(tile.orientation) / 2 - END_MM
    places = ((np.arange(PIECES * POINTS) + 0.5) / (PIECES * POINTS) * 2 - 1) * reach
    points = middle + places[:, None] * left
    spots = project(points, view.pose, view.intrinsics)[:, None] + offsets[:, None] * across
    rows, columns = image.shape[:2]
    if spots.min() < 1 or spots[..., 0].max() > columns - 2 or spots[..., 1].max() > rows - 2:
        return None
    ends = points.reshape(PIECES, POINTS, 3)[:, [0, -1]]
    beyond = ends + (half + ROOM_PX) / px_per_mm * out
    good = np.ones(PIECES, dtype=bool)
    others = [
        body
        for body in near(middle[None, None], bodies, NEAR_MM)
        if np.linalg.norm(body.mean(axis=0)[:2] - middle[:2]) >= 1.0 + depth
    ]
    if others:
        edge = np.concatenate([ends, beyond]).reshape(1, -1, 3)
        hidden = behind(edge, np.stack(others), view)
        good &= ~hidden.reshape(-1, 2, PIECES, 2).any(axis=(0, 1, 3))
    if np.count_nonzero(good) < LEAST_PIECES:
        return None
    colours = sample(image, spots).reshape(PIECES, POINTS, len(offsets), -1).mean(axis=1)
    apart = colours[:, -3:].mean(axis=1) - colours[:, :3].mean(axis=1)
    way = np.median(apart[good], axis=0)
    way /= float(np.linalg.norm(way)) or 1.0
    levels = colours @ way
    good &= np.abs(apart @ way) > LEAST_STEP * math.sqrt(len(way) / 3)
    if np.count_nonzero(good) < LEAST_PIECES:
        return None
    size = ((levels - levels.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return _Rim(
        math.copysign(1.0, far),
        places.reshape(PIECES, POINTS).mean(axis=1),
        rest_of(levels, steps),
        np.maximum(size, 1e-9),
        len(offsets),
        good,
        px_per_mm,
        math.hypot(FOOT_MM, BEVEL_SIGMA_MM * far / float(view.pose.centre_mm[2])),
    )


def _foot(rim: _Rim, blur: int, tile: Tile) -> Foot | None:
    """Where the pieces of an edge lie, and how well they agree with each other and the tile."""
    edges_px, sigma_px, within = edges_in(rim.rest[:, blur], rim.offsets)
    good = rim.good & within
    if np.count_nonzero(good) < LEAST_PIECES:
        return None
    out_mm, spread_mm = edges_px / rim.px_per_mm, sigma_px / rim.px_per_mm
    moves, sigmas = out_mm[good], np.hypot(PIECE_MM, spread_mm[good])
    # A wall ahead that stands farther out at its left end is turned clockwise.
    matrix = rim.side * np.stack([np.ones(len(moves)), -rim.places_mm[good]], axis=1)
    known = np.diag([tile.sigma_mm**-2, tile.sigma_rad**-2])
    solution = np.zeros(2)
    for _ in range(ROUNDS):
        miss = (moves - matrix @ solution) / sigmas
        weighted = matrix / ((1 + (miss / LIMIT) ** 2) * sigmas**2)[:, None]
        square = weighted.T @ matrix
        solution = np.linalg.solve(square + known, weighted.T @ moves)
    ahead, turn = np.linalg.solve(square, weighted.T @ moves).tolist()
    spread = np.sqrt(np.diag(np.linalg.inv(square)))
    return Foot(ahead, math.hypot(rim.sigma_mm, float(spread[0])), turn, float(spread[1]))
