"""The row: its tiles in order, and which tiles are neighbours."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from itertools import combinations, pairwise

from physics.row.pose import Point, Pose, full_turn
from physics.row.tile import State, Tile

SAME_PLACE_MM = 8.0
"""Distance within which a tile counts as still in its place in the row; more than measurement
error and a light touch."""
ACROSS = 0.2
"""Cosine of the angle between heading and row below which a tile stands across the row. Such a tile
keeps the sense that its heading had before."""
Distances = Sequence[Sequence[float]]
LEAST_GAIN = 1e-9
"""A line is shorter than another by more than this; what is less is rounding."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Standing tiles in row order; every heading points down the chain, first to last."""

    tiles: tuple[Tile, ...]

    @property
    def values(self) -> tuple[int | None, ...]:
        """The values from left to right."""
        return tuple(tile.value for tile in self.tiles)

    @property
    def gaps_mm(self) -> tuple[float, ...]:
        """The clear distance between each two neighbours, one fewer than tiles."""
        return tuple(a.footprint.distance_mm(b.footprint) for a, b in pairwise(self.tiles))

    def reversed(self) -> "Chain":
        """Return the same row as seen from its other end, headings turned with it."""
        return Chain(tuple(replace(t, pose=t.pose.turned()) for t in reversed(self.tiles)))


def whole_mm(gap_mm: float) -> int:
    """Round a gap as every screen shows it: from the tenth that journals keep, halves up."""
    return math.floor(round(gap_mm, 1) + 0.5)


class RowSide(StrEnum):
    """Where in the row a tile stands."""

    LEFT = "left"
    RIGHT = "right"
    BETWEEN = "between"


@dataclass(frozen=True, slots=True)
class RowPlace:
    """A tile's place in the row.

    Attributes:
        index: counted from the left end, 0 first.
        side: at an end or between two others; a tile that stands alone is at the left.
        between: the tiles before and after it, None at an end.
    """

    index: int
    side: RowSide
    between: tuple[Tile, Tile] | None = None


def place(chain: Chain, tile: Tile) -> RowPlace:
    """Say where in the row a tile stands.

    Raises:
        ValueError: the tile is not in the row.
    """
    at = next((i for i, t in enumerate(chain.tiles) if is_same(t, tile)), None)
    if at is None:
        raise ValueError(f"tile {tile.value} is not in the row {chain.values}")
    if at == 0:
        return RowPlace(at, RowSide.LEFT)
    if at == len(chain.tiles) - 1:
        return RowPlace(at, RowSide.RIGHT)
    return RowPlace(at, RowSide.BETWEEN, (chain.tiles[at - 1], chain.tiles[at + 1]))


def is_same(one: Tile, other: Tile) -> bool:
    """Say whether two tiles can be the same one, seen at the same place."""
    if None not in (one.value, other.value) and one.value != other.value:
        return False
    return _distance_mm(one, other) <= SAME_PLACE_MM


def order(tiles: Sequence[Tile], previous: Chain | None = None) -> Chain:
    """Put standing tiles into row order and turn their headings down the row.

    A row seen before keeps its order and its direction: tiles that have not moved keep their place
    in the order, and each new or moved tile goes where it lengthens the row least. A new row is the
    shortest line through its tiles, from the end with the lower x.

    Args:
        tiles: in any order; fallen ones are left out.
        previous: the row as it was before.

    >>> from physics.row.pose import Pose
    >>> from physics.row.tile import Orientation
    >>> xs = {6: 40.0, 2: 20.0, 9: 60.0}
    >>> order([Tile(v, Pose(x, 0, 3.1), Orientation.VERTICAL) for v, x in xs.items()]).values
    (2, 6, 9)
    """
    standing = [tile for tile in tiles if tile.state is State.STANDING]
    known = _known(standing, previous) if previous else []
    if len(known) < 2:
        return Chain(
            _headed(_left_to_right(_shortest(standing)), previous.tiles if previous else ())
        )
    line, rest = known, [tile for tile in standing if not any(tile is k for k in known)]
    while rest:
        _, at, tile = min(
            ((*_cheapest_place(line, tile), tile) for tile in rest), key=lambda found: found[0]
        )
        line.insert(at, tile)
        rest = [other for other in rest if other is not tile]
    return Chain(_headed(line, previous.tiles if previous else ()))


def link_mm(one: Tile, other: Tile) -> float:
    """Say how far apart two tiles are as neighbours in a row.

    The distance lies between the clear gap and the distance of the centres, and is longer for tiles
    side by side, because a row runs across the broad faces.
    """
    centres = _distance_mm(one, other)
    if centres == 0.0:
        return 0.0
    away = ((other.pose.x_mm - one.pose.x_mm), (other.pose.y_mm - one.pose.y_mm))
    beside = sum(
        1.0 - ((away[0] * t.pose.normal[0] + away[1] * t.pose.normal[1]) / centres) ** 2
        for t in (one, other)
    )
    gap = one.footprint.distance_mm(other.footprint)
    return (gap + centres) / 2 * (1.0 + beside / 4)


def links_mm(tiles: Sequence[Tile]) -> list[list[float]]:
    """Say how far apart each two tiles are as neighbours, by their places in the sequence."""
    apart = [[0.0] * len(tiles) for _ in tiles]
    for (i, one), (k, other) in combinations(enumerate(tiles), 2):
        apart[i][k] = apart[k][i] = link_mm(one, other)
    return apart


def _known(standing: Sequence[Tile], previous: Chain) -> list[Tile]:
    left = list(standing)
    known = []
    for old in previous.tiles:
        same = [tile for tile in left if is_same(old, tile)]
        if same:
            best = min(same, key=lambda t: (t.value != old.value, _distance_mm(t, old)))
            left = [tile for tile in left if tile is not best]
            known.append(best)
    return known


def _cheapest_place(line: Sequence[Tile], tile: Tile) -> tuple[float, int]:
    to = [link_mm(tile, other) for other in line]
    places = [(to[0], 0), (to[-1], len(line))]
    for i, (a, b) in enumerate(pairwise(line)):
        places.append((to[i] + to[i + 1] - link_mm(a, b), i + 1))
    return min(places)


def _shortest(tiles: Sequence[Tile]) -> list[Tile]:
    return [tiles[i] for i in shortest_line(links_mm(tiles))]


def _left_to_right(line: list[Tile]) -> list[Tile]:
    if not line:
        return line
    first, last = line[0].pose, line[-1].pose
    return line if (first.x_mm, first.y_mm) <= (last.x_mm, last.y_mm) else line[::-1]


def _headed(line: Sequence[Tile], before: Sequence[Tile]) -> tuple[Tile, ...]:
    headed = []
    for i, tile in enumerate(line):
        down = _direction(line[max(i - 1, 0)].pose, tile.pose, line[min(i + 1, len(line) - 1)].pose)
        known = next((old for old in before if is_same(old, tile)), None)
        across = abs(_along(tile.pose, down)) < ACROSS * math.hypot(*down)
        if across and known is not None:
            down = known.pose.normal
        pose = replace(tile.pose, heading_rad=full_turn(tile.pose.heading_rad))
        headed.append(replace(tile, pose=pose if _along(pose, down) >= 0 else pose.turned()))
    return tuple(headed)


def _along(pose: Pose, way: Point) -> float:
    return pose.normal[0] * way[0] + pose.normal[1] * way[1]


def _direction(before: Pose, here: Pose, after: Pose) -> Point:
    """Direction of the row at a tile: the mean of the directions to it and from it."""
    if before == here == after:
        return (1.0, 0.0)
    x = y = 0.0
    for start, end in ((before, here), (here, after)):
        dx, dy = end.x_mm - start.x_mm, end.y_mm - start.y_mm
        far = math.hypot(dx, dy) or 1.0
        x, y = x + dx / far, y + dy / far
    return (x, y)


def _distance_mm(one: Tile, other: Tile) -> float:
    return math.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm)


def length(line: Sequence[int], distances: Distances) -> float:
    """Add up the distances along a line of points."""
    return sum(distances[a][b] for a, b in pairwise(line))


def shortest_line(distances: Distances) -> list[int]:
    """Find a short open line through all points.

    Greedy from every point, then improved by exchange: for a dozen points nearly always the best.

    >>> shortest_line([[0, 5, 1], [5, 0, 4], [1, 4, 0]])
    [0, 2, 1]
    """
    starts = range(len(distances))
    lines = [_improved(_greedy(start, distances), distances) for start in starts]
    return min(lines, key=lambda line: length(line, distances), default=[])


class Way(Enum):
    """How a stretch of a line is changed: reversed, or one end of it moved to the other."""

    TURNED = "turned"
    DOWN = "down"
    UP = "up"


def _greedy(start: int, distances: Distances) -> list[int]:
    line, left = [start], set(range(len(distances))) - {start}
    while left:
        line.append(min(left, key=lambda i: (distances[line[-1]][i], i)))
        left.remove(line[-1])
    return line


def _improved(line: list[int], distances: Distances) -> list[int]:
    """Reverse and move stretches of the line as long as that shortens it."""
    while len(line) > 2:
        longer, change = 0.0, None
        for by, one in _changes(line, distances):
            if by < longer - LEAST_GAIN:
                longer, change = by, one
        if change is None:
            break
        line = _changed(line, *change)
    return line


def _changed(line: list[int], way: Way, i: int, j: int) -> list[int]:
    """Reverse the stretch from i to j, or move one of its ends to the other."""
    stretch = line[i : j + 1]
    if way is Way.TURNED:
        stretch.reverse()
    else:
        stretch = stretch[1:] + stretch[:1] if way is Way.DOWN else stretch[-1:] + stretch[:-1]
    return [*line[:i], *stretch, *line[j + 1 :]]


def _changes(line: list[int], distances: Distances) -> Iterator[tuple[float, tuple[Way, int, int]]]:
    """Say by how much each change makes the line longer: only links at its ends are others."""
    nowhere = len(distances)  # beyond either end: no link goes there
    far = [*([*row, 0.0] for row in distances), [0.0] * (nowhere + 1)]
    at = [*line, nowhere]
    for i in range(len(line) - 1):
        one, before, after = at[i], at[i - 1], at[i + 1]
        for j in range(i + 1, len(line)):
            other, last, beyond = at[j], at[j - 1], at[j + 1]
            cut = far[before][one] + far[other][beyond]
            yield far[before][other] + far[one][beyond] - cut, (Way.TURNED, i, j)
            cut -= far[one][other]
            down = far[before][after] + far[one][beyond] - far[one][after]
            yield down - cut, (Way.DOWN, i, j)
            up = far[before][other] + far[last][beyond] - far[last][other]
            yield up - cut, (Way.UP, i, j)
