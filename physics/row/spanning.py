"""Shortest lines and trees through a handful of points, given their distances."""

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import pairwise

Distances = Sequence[Sequence[float]]
LEAST_GAIN = 1e-9
"""A line is shorter than another by more than this; what is less is rounding."""


class Way(Enum):
    """How a stretch of a line is changed: reversed, or one end of it moved to the other."""

    TURNED = "turned"
    DOWN = "down"
    UP = "up"


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


def shortest_tree(distances: Distances) -> list[tuple[int, int]]:
    """Find the shortest set of links that joins all points.

    >>> shortest_tree([[0, 5, 1], [5, 0, 4], [1, 4, 0]])
    [(0, 2), (2, 1)]
    """
    links: list[tuple[int, int]] = []
    near = {i: (distances[0][i], 0) for i in range(1, len(distances))}
    while near:
        new = min(near, key=lambda i: near[i])
        links.append((near.pop(new)[1], new))
        near = {i: min(link, (distances[new][i], new)) for i, link in near.items()}
    return links


def arm_of(links: Sequence[tuple[int, int]], fork: int, first: int) -> set[int]:
    """Collect all points of a tree that are connected to the fork through `first`.

    >>> sorted(arm_of([(0, 1), (1, 2), (1, 3)], fork=0, first=1))
    [1, 2, 3]
    """
    arm, edge = {first}, [first]
    while edge:
        at = edge.pop()
        beyond = {b if a == at else a for a, b in links if at in (a, b)} - arm - {fork}
        arm |= beyond
        edge += beyond
    return arm


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
