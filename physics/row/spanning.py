"""Shortest lines and trees through a handful of points, given their distances."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

Distances = Sequence[Sequence[float]]


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
        best = min(_changed(line), key=lambda other: length(other, distances))
        if length(best, distances) >= length(line, distances) - 1e-9:
            break
        line = best
    return line


def _changed(line: list[int]) -> Iterator[list[int]]:
    for i in range(len(line)):
        for j in range(i + 1, len(line)):
            yield [*line[:i], *line[i : j + 1][::-1], *line[j + 1 :]]
            yield [*line[:i], *line[i + 1 : j + 1], line[i], *line[j + 1 :]]
            yield [*line[:i], line[j], *line[i:j], *line[j + 1 :]]
