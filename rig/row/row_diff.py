"""Whether the row still stands as it was written down, and how it differs if not. Pure.

A tile that was touched a little stays where it is, as at any table; what counts is a tile that
stands at another place, looks another way, stands on another edge, or is not there. A row that has
slid as a whole, with its mat or under a camera that was moved, stands as it stood: the tiles are
compared after that motion.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from physics.row.chain import SAME_PLACE_MM
from physics.row.pose import Point, Pose, full_turn, half_turn
from physics.row.tile import Tile

SAME_TURN_RAD = math.radians(15.0)
"""A tile of the row that is turned by no more than this, or stands no farther from its place than
`SAME_PLACE_MM`, was touched and not moved; four sigmas of both measurements come on top."""
SIGMAS = 4.0
BACK = 0.7
"""A tile that was said to differ is back once it is nearer than this share of the bound."""
STIFF_MM = 1.5
STIFF_RAD = math.radians(3.0)
"""Tiles that have kept their places to each other to this much have moved with what is under
them."""
LEAST_SLID = 2
SLID_RAD = math.radians(30.0)
"""A motion that turns the row further counts only if every tile has gone along: two tiles that were
changed over have kept their places to each other, too."""


class Kind(StrEnum):
    """What is otherwise with a tile, the gravest first."""

    DOWN = "down"
    """It lies."""
    GONE = "gone"
    """It is nowhere to be seen."""
    EXTRA = "extra"
    """It is not of the row, and stands there."""
    ORDER = "order"
    """It stands between other tiles than before."""
    EDGE = "edge"
    """It stands on its other edge."""
    SHIFTED = "shifted"
    """It stands elsewhere."""
    TURNED = "turned"
    """It stands there and looks another way."""
    BROKEN = "broken"
    """It stands against the rules of the row."""


LASTING = frozenset({Kind.EDGE, Kind.SHIFTED, Kind.TURNED})
"""What may be right as it is now: the rules know the order of the row and nothing of its places."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One tile that is not as it was written down.

    Attributes:
        kind: what is otherwise; where several things are, the gravest.
        value: the tile; None where nobody can read it.
        by_mm: how far from its place it stands.
        by_rad: how much it is turned, counter-clockwise.
        was: where it belongs now, moved along with a row that has slid; None for one too many.
        now: where it is; None if that is not known.
    """

    kind: Kind
    value: int | None
    by_mm: float = 0.0
    by_rad: float = 0.0
    was: Tile | None = None
    now: Tile | None = None


@dataclass(frozen=True, slots=True)
class Motion:
    """How a whole row has moved: turned about the table's origin, then shifted."""

    turn_rad: float = 0.0
    x_mm: float = 0.0
    y_mm: float = 0.0

    def of(self, pose: Pose) -> Pose:
        """Where something stands after it."""
        c, s = math.cos(self.turn_rad), math.sin(self.turn_rad)
        x_mm = c * pose.x_mm - s * pose.y_mm + self.x_mm
        y_mm = s * pose.x_mm + c * pose.y_mm + self.y_mm
        return Pose(x_mm, y_mm, full_turn(pose.heading_rad + self.turn_rad))


STILL = Motion()
Pair = tuple[Tile, Tile]
"""A tile as it was written down, and as it is seen now."""


def moved_tiles(
    row: Sequence[Tile], seen: Sequence[Tile], said: Collection[int | None] = ()
) -> tuple[Difference, ...]:
    """Compare the places of tiles with those that were written down.

    Args:
        row: the row as it was written down, from left to right. Tiles without a sigma were entered
            by hand: nobody knows exactly where they stood, and they are not compared.
        seen: the tiles that stand now, in order; others than those of the row are passed over.
        said: values that were said to differ last time. Such a tile has to come nearer before it
            is back, so that a trembling measurement does not flicker.
    """
    pairs = [pair for pair in paired(row, seen) if pair[0].sigma_mm > 0.0]
    if len(pairs) < LEAST_SLID:
        return ()  # a tile has a place only beside another one
    motion = motion_of(pairs)
    found = []
    for was, now in pairs:
        was = replace(was, pose=motion.of(was.pose))
        one = _compared(was, now, BACK if was.value in said else 1.0)
        if one is not None:
            found.append(one)
    return tuple(found)


def reordered(
    row: Sequence[Tile], seen: Sequence[Tile], order: Sequence[int | None]
) -> tuple[Difference, ...]:
    """Find the tiles that stand in another order than that of the game.

    Args:
        row: as it was written down.
        seen: the tiles that stand now, in order.
        order: the values of the row by the rules, from left to right.
    """
    now = {tile.value: tile for tile in seen if tile.value in order}
    was = {tile.value: tile for tile in row}
    should = [value for value in order if value in now]
    return tuple(
        Difference(Kind.ORDER, due, _far_mm(was.get(due), now[due]), 0.0, was.get(due), now[due])
        for due, there in zip(should, now, strict=True)
        if due != there
    )


def paired(row: Sequence[Tile], seen: Sequence[Tile]) -> list[Pair]:
    """Put tiles of the row beside themselves as they are seen now, where both are known."""
    now: Mapping[int | None, Tile] = {t.value: t for t in seen if t.value is not None}
    return [(was, now[was.value]) for was in row if was.value in now]


def motion_of(pairs: Sequence[Pair]) -> Motion:
    """Say how the row has moved as a whole; `STILL` if it has not.

    It has if more than half of its tiles, and more than have stayed where they were, have kept
    their places to each other. A single tile has nobody to have kept its place to.
    """
    stayed = len(_followers(STILL, pairs))
    if stayed == len(pairs):
        return STILL
    best, most = STILL, max(len(pairs) // 2, LEAST_SLID - 1, stayed)
    for one, other in combinations(pairs, 2):
        motion = _fitted([one, other])
        followers = _followers(motion, pairs)
        if abs(motion.turn_rad) > SLID_RAD and len(followers) < len(pairs):
            continue
        if len(followers) > most:
            best, most = _fitted(followers), len(followers)
    return best


def _followers(motion: Motion, pairs: Sequence[Pair]) -> list[Pair]:
    """The tiles that have moved like this."""
    return [
        (was, now)
        for was, now in pairs
        if was.orientation is now.orientation
        and _apart_mm(motion.of(was.pose), now.pose) <= STIFF_MM + SIGMAS * _sigma_mm(was, now)
        and abs(_turned_rad(motion.of(was.pose), now.pose))
        <= STIFF_RAD + SIGMAS * _sigma_rad(was, now)
    ]


def _fitted(pairs: Sequence[Pair]) -> Motion:
    """The motion that takes tiles to where they are now with the least squares of what is left."""
    count = len(pairs)
    (ax, ay), (bx, by) = _middle([was for was, _ in pairs]), _middle([now for _, now in pairs])
    along = across = 0.0
    for was, now in pairs:
        ux, uy = was.pose.x_mm - ax, was.pose.y_mm - ay
        vx, vy = now.pose.x_mm - bx, now.pose.y_mm - by
        along += ux * vx + uy * vy
        across += ux * vy - uy * vx
    turn_rad = math.atan2(across, along) if count > 1 else 0.0
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    return Motion(turn_rad, bx - (c * ax - s * ay), by - (s * ax + c * ay))


def _middle(tiles: Sequence[Tile]) -> Point:
    count = len(tiles)
    return (sum(t.pose.x_mm for t in tiles) / count, sum(t.pose.y_mm for t in tiles) / count)


def _compared(was: Tile, now: Tile, share: float) -> Difference | None:
    by_mm, by_rad = _apart_mm(was.pose, now.pose), _turned_rad(was.pose, now.pose)
    far = by_mm > share * (SAME_PLACE_MM + SIGMAS * _sigma_mm(was, now))
    turned = abs(by_rad) > share * (SAME_TURN_RAD + SIGMAS * _sigma_rad(was, now))
    if was.orientation is not now.orientation:
        return Difference(Kind.EDGE, was.value, by_mm, by_rad, was, now)
    if far or turned:
        kind = Kind.SHIFTED if far else Kind.TURNED
        return Difference(kind, was.value, by_mm, by_rad, was, now)
    return None


def _far_mm(was: Tile | None, now: Tile) -> float:
    return 0.0 if was is None else _apart_mm(was.pose, now.pose)


def _apart_mm(one: Pose, other: Pose) -> float:
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def _turned_rad(one: Pose, other: Pose) -> float:
    """How much a tile has turned; its two faces look alike."""
    return half_turn(other.heading_rad - one.heading_rad)


def _sigma_mm(one: Tile, other: Tile) -> float:
    return math.hypot(one.sigma_mm, other.sigma_mm)


def _sigma_rad(one: Tile, other: Tile) -> float:
    return math.hypot(one.sigma_rad, other.sigma_rad)
