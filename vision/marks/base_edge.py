"""Find where the broad wall of a standing tile ends above the table: its base edge.

No sticker is on a broad wall, so the one that looks at the camera ends in a plain edge on the
table. Across this edge brightness is a step between two slopes, because shadows lie on the table
and light fades down the wall. The edge is looked for in several pieces. They tell where the tile
stands across its broad face and how it is turned; how much they differ tells how sure that is.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from physics.row.tile import Tile
from vision.arrays import Bools, Floats, Image
from vision.geometry.boxes import behind
from vision.geometry.camera_pose import View
from vision.geometry.edge_profile import edges_in, likeliest_blur, rest_of, steps_across
from vision.geometry.image_sampling import sample
from vision.tuning.tuning import TUNING, Tuning


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
    image: Image,
    view: View,
    tiles: Sequence[Tile],
    bodies: Sequence[Floats],
    tuning: Tuning = TUNING,
) -> list[Foot | None]:
    """Say how standing tiles must be moved for the lower edges of their broad walls to fit.

    Args:
        image: grey or BGR; an edge may show in its colour alone.
        view: the camera.
        tiles: standing tiles, each known to its sigmas.
        bodies: corners of all tiles that may hide an edge, each shape (8, 3); the tiles themselves
            may be among them.
        tuning: see `Tuning`.

    Returns:
        One for each tile, None where its edge cannot be seen well.
    """
    rims = [_rim(image, view, tile, bodies, tuning) for tile in tiles]
    shares = [
        rim.rest[rim.good].min(axis=2) / rim.size[rim.good, None] for rim in rims if rim is not None
    ]
    if not shares:
        return [None] * len(tiles)
    # One camera has one blur: the one that suits all edges of the frame.
    blur = likeliest_blur(np.concatenate(shares), tuning=tuning.edge_profile)
    return [
        None if rim is None else _foot(rim, blur, tile, tuning)
        for rim, tile in zip(rims, tiles, strict=True)
    ]


def _rim(
    image: Image, view: View, tile: Tile, bodies: Sequence[Floats], tuning: Tuning
) -> _Rim | None:
    numbers = tuning.base_edge
    assert tile.orientation is not None
    heading = tile.pose.heading_rad
    ahead = np.array([math.cos(heading), math.sin(heading), 0.0])
    left = np.array([-ahead[1], ahead[0], 0.0])
    middle = np.array([tile.pose.x_mm, tile.pose.y_mm, numbers.bevel_mm])
    far = float((view.pose.centre_mm - middle) @ ahead)
    depth = tile.spec.thickness_mm / 2
    if abs(far) <= depth:
        return None
    out = math.copysign(1.0, far) * ahead
    middle = middle + depth * out
    up = np.array([0.0, 0.0, tile.height_mm - 2 * numbers.bevel_mm])
    seen = view.project(np.stack([middle, middle + up, middle + left, middle + out]))
    wall, along, move = seen[1:] - seen[0]
    across = np.array([along[1], -along[0]]) / float(np.hypot(*along))
    across *= math.copysign(1.0, float(move @ across))
    px_per_mm = float(move @ across)
    room = -float(wall @ across) - numbers.room_px
    half = next((half for half in tuning.edge_profile.halves_px if half <= room), None)
    if half is None:
        return None
    offsets, steps = steps_across(half, tuning=tuning.edge_profile)
    reach = tile.spec.face_mm(tile.orientation) / 2 - numbers.end_mm
    shape = numbers.pieces, numbers.points
    places = ((np.arange(math.prod(shape)) + 0.5) / math.prod(shape) * 2 - 1) * reach
    points = middle + places[:, None] * left
    spots = view.project(points)[:, None] + offsets[:, None] * across
    rows, columns = image.shape[:2]
    if spots.min() < 1 or spots[..., 0].max() > columns - 2 or spots[..., 1].max() > rows - 2:
        return None
    ends = points.reshape(*shape, 3)[:, [0, -1]]
    beyond = ends + (half + numbers.room_px) / px_per_mm * out
    good = np.ones(numbers.pieces, dtype=bool)
    others = [
        body for body in bodies if np.linalg.norm(body.mean(axis=0)[:2] - middle[:2]) >= 1.0 + depth
    ]
    if others:
        edge = np.concatenate([ends, beyond]).reshape(1, -1, 3)
        hidden = behind(edge, np.stack(others), view)
        good &= ~hidden.reshape(-1, 2, numbers.pieces, 2).any(axis=(0, 1, 3))
    if np.count_nonzero(good) < numbers.least_pieces:
        return None
    colours = sample(image, spots).reshape(*shape, len(offsets), -1).mean(axis=1)
    apart = colours[:, -3:].mean(axis=1) - colours[:, :3].mean(axis=1)
    way = np.median(apart[good], axis=0)
    way /= float(np.linalg.norm(way)) or 1.0
    levels = colours @ way
    good &= np.abs(apart @ way) > numbers.least_step_levels * math.sqrt(len(way) / 3)
    if np.count_nonzero(good) < numbers.least_pieces:
        return None
    size = ((levels - levels.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return _Rim(
        math.copysign(1.0, far),
        places.reshape(shape).mean(axis=1),
        rest_of(levels, steps),
        np.maximum(size, 1e-9),
        len(offsets),
        good,
        px_per_mm,
        math.hypot(numbers.foot_mm, numbers.bevel_sigma_mm * far / float(view.pose.centre_mm[2])),
    )


def _foot(rim: _Rim, blur: int, tile: Tile, tuning: Tuning) -> Foot | None:
    """Where the pieces of an edge lie, and how well they agree with each other and the tile."""
    numbers = tuning.base_edge
    edges_px, sigma_px, within = edges_in(
        rim.rest[:, blur], rim.offsets, tuning=tuning.edge_profile
    )
    good = rim.good & within
    if np.count_nonzero(good) < numbers.least_pieces:
        return None
    out_mm, spread_mm = edges_px / rim.px_per_mm, sigma_px / rim.px_per_mm
    moves, sigmas = out_mm[good], np.hypot(numbers.piece_mm, spread_mm[good])
    # A wall ahead that stands farther out at its left end is turned clockwise.
    matrix = rim.side * np.stack([np.ones(len(moves)), -rim.places_mm[good]], axis=1)
    known = np.diag([tile.sigma_mm**-2, tile.sigma_rad**-2])
    solution = np.zeros(2)
    for _ in range(numbers.rounds):
        miss = (moves - matrix @ solution) / sigmas
        weighted = matrix / ((1 + (miss / numbers.limit_sigmas) ** 2) * sigmas**2)[:, None]
        square = weighted.T @ matrix
        solution = np.linalg.solve(square + known, weighted.T @ moves)
    ahead, turn = np.linalg.solve(square, weighted.T @ moves).tolist()
    spread = np.sqrt(np.diag(np.linalg.inv(square)))
    return Foot(ahead, math.hypot(rim.sigma_mm, float(spread[0])), turn, float(spread[1]))
