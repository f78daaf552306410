"""Rows of a shape: straight, bent, wound, to and fro, in waves, or as people stand them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from random import Random

from physics.errors import ChainError
from physics.fall.limits import require_row
from physics.row.chain import Chain
from physics.row.pose import Pose, full_turn
from physics.row.tile import STANDARD, Orientation, Tile, TileSpec
from physics.rows.scenario import Scenario

_LEG = 4
"""Tiles of a zigzag that stand in one direction."""
_WAVE = 10
"""Tiles of one wave, there and back."""
_PLAYER_GAP = 0.25
"""How far people's gaps differ from what they mean, one sigma as a share, as in the rows of
`domino-rig pushes`."""
_PLAYER_ACROSS_MM = 1.5
_PLAYER_LYING = 0.3
"""The share of tiles that people stand on the long edge."""
_TRIES = 1000


class Shape(StrEnum):
    """What a row looks like from above, and what its `turn_rad` means."""

    LINE = "line"
    """Straight; nothing turns."""
    ARC = "arc"
    """Each tile is turned so far against the one before."""
    SPIRAL = "spiral"
    """The first tiles are turned so far, the later the less."""
    ZIGZAG = "zigzag"
    """Straight legs of four tiles; each is turned so far against the one before, to and fro."""
    WAVE = "wave"
    """Headings swing so far to each side, once in ten tiles."""
    PLAYER = "player"
    """As people stand them: gaps, places and headings differ; this is the sigma of a turn."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A row to be made.

    Attributes:
        shape: what it looks like.
        count: how many tiles.
        gap_mm: clear table between two faces, about the middle of the row.
        turn_rad: see `Shape`.
        orientation: how its tiles stand; a player's stand as they come.
        spec: their size.
        offset_mm: how far every other tile stands to the left of where it would.
    """

    shape: Shape
    count: int = 11
    gap_mm: float = 14.0
    turn_rad: float = math.radians(6.0)
    orientation: Orientation = Orientation.VERTICAL
    spec: TileSpec = STANDARD
    offset_mm: float = 0.0


def generated(wanted: Wanted, chance: Random, name: str = "") -> Scenario:
    """Make a row; it begins at 0, 0 and goes to the right.

    Args:
        wanted: what it is like.
        chance: the only source of chance; a player's rows alone use it.
        name: its id.

    Raises:
        ChainError: its tiles would overlap, or it winds into itself.
    """
    if wanted.shape is not Shape.PLAYER:
        return _checked(_standing(wanted, _HEADINGS[wanted.shape](wanted)), wanted, name)
    for _ in range(_TRIES):
        try:
            return _checked(_by_hand(wanted, chance), wanted, name)
        except ChainError as error:
            refused = error
    raise refused


def _checked(tiles: Sequence[Tile], wanted: Wanted, name: str) -> Scenario:
    chain = Chain(tuple(_aside(t, wanted.offset_mm) if i % 2 else t for i, t in enumerate(tiles)))
    require_row(chain)
    return Scenario(name, chain)


def _aside(tile: Tile, offset_mm: float) -> Tile:
    x, y = tile.pose.to_table(0.0, offset_mm)
    return replace(tile, pose=Pose(x, y, tile.pose.heading_rad))


def _standing(wanted: Wanted, headings: Sequence[float]) -> list[Tile]:
    """Tiles with these headings, each so far from the one before that the gap is as wanted."""
    step_mm = wanted.spec.thickness_mm + wanted.gap_mm
    x, y, places = 0.0, 0.0, [(0.0, 0.0)]
    for a, b in pairwise(headings):
        way = (a + b) / 2
        x, y = x + step_mm * math.cos(way), y + step_mm * math.sin(way)
        places.append((x, y))
    return [
        Tile(i, Pose(x, y, full_turn(heading)), wanted.orientation, spec=wanted.spec)
        for i, ((x, y), heading) in enumerate(zip(places, headings, strict=True), 1)
    ]


def _arc(wanted: Wanted) -> list[float]:
    return [i * wanted.turn_rad for i in range(wanted.count)]


def _spiral(wanted: Wanted) -> list[float]:
    last = max(wanted.count - 1, 1)
    return [wanted.turn_rad * (i - i * (i - 1) / (2 * last)) for i in range(wanted.count)]


def _zigzag(wanted: Wanted) -> list[float]:
    return [wanted.turn_rad * (i // _LEG % 2) for i in range(wanted.count)]


def _wave(wanted: Wanted) -> list[float]:
    return [wanted.turn_rad * math.sin(math.tau * i / _WAVE) for i in range(wanted.count)]


_HEADINGS: dict[Shape, Callable[[Wanted], list[float]]] = {
    Shape.LINE: lambda wanted: [0.0] * wanted.count,
    Shape.ARC: _arc,
    Shape.SPIRAL: _spiral,
    Shape.ZIGZAG: _zigzag,
    Shape.WAVE: _wave,
}


def _by_hand(wanted: Wanted, chance: Random) -> list[Tile]:
    tiles: list[Tile] = []
    pose = Pose(0.0, 0.0, 0.0)
    for i in range(1, wanted.count + 1):
        lies = chance.random() < _PLAYER_LYING
        orientation = Orientation.HORIZONTAL if lies else Orientation.VERTICAL
        tiles.append(Tile(i, pose, orientation, spec=wanted.spec))
        gap_mm = max(0.5, wanted.gap_mm * chance.gauss(1.0, _PLAYER_GAP))
        along_mm = wanted.spec.thickness_mm + gap_mm
        x, y = pose.to_table(along_mm, chance.gauss(0.0, _PLAYER_ACROSS_MM))
        pose = Pose(x, y, full_turn(pose.heading_rad + chance.gauss(0.0, wanted.turn_rad)))
    return tiles
