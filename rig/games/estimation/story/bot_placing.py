"""Where a seat without a person could stand its next tile.

Places are tried at random, tame ones first, and taken as soon as one fits: inside the work area,
clear of all other tiles, with the row still a row and some way left for it to go on.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from physics.row.chain import Chain, order
from physics.row.pose import Pose, full_turn
from physics.row.row_rules import check
from physics.row.tile import Orientation, Tile

MARGIN_MM = 45.0
"""How far from the edge of the work area a bot keeps the middle of its tiles."""

CLEAR_MM = 5.0
"""How near to a neighbour it dares to reach."""

_ASIDE_MM = 12.0
_LOOK_MM = 55.0
_TRIES = 400
_PATIENT = 120
_USUAL_AREA_MM = (600.0, 420.0)
_LOOKS_RAD = tuple(math.radians(angle) for angle in (0.0, -35.0, 35.0, -65.0, 65.0))


@dataclass(frozen=True, slots=True)
class _Joint:
    """How one tile is to stand to the one before it.

    Attributes:
        gap: clear distance, as a share of the lower tile's height.
        bend_rad: change of heading.
        offset: sideways, as a share of the new tile's face.
    """

    gap: float
    bend_rad: float = 0.0
    offset: float = 0.0


def choose_place(
    row: Chain,
    values: Sequence[int],
    rng: np.random.Generator,
    risk: float,
    moving: bool = False,
    area_mm: tuple[float, float] = _USUAL_AREA_MM,
) -> Tile | None:
    """Choose a tile and where to stand it.

    Args:
        row: the standing row, left to right.
        values: the tiles there are to choose from; with `moving`, middle tiles of the row.
        rng: chance.
        risk: how often, 0..1, to try a place that may break the fall.
        moving: the tile is taken out of the row and stands at an end afterwards.
        area_mm: extent of the work area to the right and away from the player.

    Returns:
        The tile where it is to stand, or None if no place was found.
    """
    spec = row.tiles[0].spec
    for attempt in range(_TRIES):
        value = int(values[int(rng.integers(len(values)))])
        base = _without(row, value) if moving else row
        orientation = Orientation.VERTICAL if rng.random() < 0.7 else Orientation.HORIZONTAL
        tile = Tile(value, Pose(0.0, 0.0, 0.0), orientation, spec=spec)
        patient = attempt < _PATIENT
        if moving and patient and check(base):
            continue
        between = not moving and rng.random() < 0.12
        if between:
            tile = _between(base, tile, rng)
        else:
            right = bool(rng.random() < 0.5)
            joint = _draw_joint(rng, risk if patient else 0.0, attempt)
            tile = _at_end(base if right else base.reversed(), tile, joint)
            if patient and not _goes_on(base, tile, area_mm):
                continue
        if _inside(tile.pose, area_mm) and _fits(base, tile, between):
            return tile
    return None


def _draw_joint(rng: np.random.Generator, risk: float, attempt: int) -> _Joint:
    """Draw a joint: mostly tame, now and then bold, ever more bent the longer nothing fits."""
    bend_rad = float(rng.normal(0.0, math.radians(9.0 + 0.3 * attempt)))
    gap = float(rng.uniform(0.25, 0.6))
    if rng.random() >= risk:
        return _Joint(gap, bend_rad)
    kind = int(rng.integers(3))
    side = 1.0 if rng.random() < 0.5 else -1.0
    if kind == 0:
        return _Joint(float(rng.uniform(0.75, 1.0)), bend_rad)
    if kind == 1:
        return _Joint(gap, side * math.radians(float(rng.uniform(30.0, 60.0))))
    return _Joint(gap, bend_rad, side * float(rng.uniform(0.4, 0.8)))


def _at_end(line: Chain, tile: Tile, joint: _Joint) -> Tile:
    """Continue the line at its last tile."""
    end = line.tiles[-1]
    heading_rad = end.pose.heading_rad + joint.bend_rad
    lower_mm = min(end.height_mm, tile.height_mm)
    swing_mm = 0.5 * tile.footprint.width_mm * abs(math.sin(joint.bend_rad))
    ahead_mm = tile.spec.thickness_mm + joint.gap * lower_mm + swing_mm
    way = Pose(end.pose.x_mm, end.pose.y_mm, end.pose.heading_rad + joint.bend_rad / 2)
    x, y = way.to_table(ahead_mm, joint.offset * tile.footprint.width_mm)
    return replace(tile, pose=Pose(x, y, full_turn(heading_rad)))


def _between(row: Chain, tile: Tile, rng: np.random.Generator) -> Tile:
    """Stand in the middle of one of the gaps; the row of one tile has none, so at its place."""
    at = int(rng.integers(max(1, len(row.tiles) - 1)))
    one, other = row.tiles[at].pose, row.tiles[min(at + 1, len(row.tiles) - 1)].pose
    turn = full_turn(other.heading_rad - one.heading_rad)
    heading_rad = one.heading_rad + turn / 2 + float(rng.normal(0.0, math.radians(4.0)))
    middle = Pose((one.x_mm + other.x_mm) / 2, (one.y_mm + other.y_mm) / 2, full_turn(heading_rad))
    return replace(tile, pose=middle)


def _fits(base: Chain, tile: Tile, between: bool) -> bool:
    """Say whether a tile can stand there, at an end or between two, and the row stays a row."""
    ways = sorted(tile.footprint.distance_mm(other.footprint) for other in base.tiles)
    if ways[0] < CLEAR_MM or any(way < _ASIDE_MM for way in ways[2 if between else 1 :]):
        return False
    row = order((*base.tiles, tile), base)
    if between is (tile.value in (row.values[0], row.values[-1])):
        return False
    before = {(v.kind, v.values) for v in check(base)}
    return all((v.kind, v.values) in before for v in check(row))


def _goes_on(base: Chain, tile: Tile, area_mm: tuple[float, float]) -> bool:
    """Say whether the row could be continued beyond this tile, straight on or in a curve."""
    return any(
        _inside(ahead, area_mm)
        and all(
            math.hypot(ahead.x_mm - other.pose.x_mm, ahead.y_mm - other.pose.y_mm) > 0.8 * _LOOK_MM
            for other in base.tiles
        )
        for ahead in _ahead(tile)
    )


def _ahead(tile: Tile) -> Iterator[Pose]:
    for turn in _LOOKS_RAD:
        way = replace(tile.pose, heading_rad=tile.pose.heading_rad + turn)
        x, y = way.to_table(_LOOK_MM, 0.0)
        yield replace(way, x_mm=x, y_mm=y)


def _inside(pose: Pose, area_mm: tuple[float, float]) -> bool:
    return all(
        MARGIN_MM <= at <= size - MARGIN_MM
        for at, size in zip((pose.x_mm, pose.y_mm), area_mm, strict=True)
    )


def with_tile(row: Chain, tile: Tile) -> Chain:
    """The row as it would be with this tile, or with this tile moved there."""
    base = _without(row, tile.value or 0)
    return order((*base.tiles, tile), base)


def _without(row: Chain, value: int) -> Chain:
    return Chain(tuple(tile for tile in row.tiles if tile.value != value))
