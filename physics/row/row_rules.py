"""Checks a row against the row rules: gaps too wide, branches, loops, overlaps, fallen tiles.

A finding near a limit has hysteresis, so that it does not flicker with measurement noise.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from physics.row.chain import Chain, Distances, is_same, length, links_mm
from physics.row.pose import Footprint
from physics.row.tile import Tile

HOLD_SIGMAS = 4.0
"""Hysteresis of a finding, in sigmas of the two tiles' places."""


class ViolationKind(StrEnum):
    """How a chain can break the row rules."""

    TOO_FAR = "too_far"
    """One tile stands farther from its neighbour than any tile can reach."""
    APART = "apart"
    """The row is in two parts that cannot reach each other."""
    BRANCH = "branch"
    """Tiles stand beside the row, not in it; the tile they branch off is named first."""
    LOOP = "loop"
    """An end of the row runs back into the row; the end is named first."""
    FLAT = "flat"
    """A tile lies on the table."""
    OVERLAPPING = "overlapping"
    """Two tiles are seen in the same place."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which the row breaks the rules.

    Attributes:
        kind: which rule.
        tiles: the tiles it is about.
        unsure: too close to the limit to say; a person should look.
    """

    kind: ViolationKind
    tiles: tuple[Tile, ...]
    unsure: bool = False

    @property
    def values(self) -> tuple[int | None, ...]:
        """The values of the tiles it is about."""
        return tuple(tile.value for tile in self.tiles)


@dataclass(frozen=True, slots=True)
class RowRules:
    """The limits within which tiles count as a row.

    Attributes:
        reach_mm: the clear gap up to which two neighbours belong together.
        detour_mm: how much longer the row may be than the shortest tree through its tiles.
        closing_mm: the clear distance that the ends of the row need ahead of them.
        overlap_mm: how far two footprints may appear to overlap, on top of what their own
            uncertainty explains.
        margin_mm: half the width of the doubtful band around the first three limits; for the
            overlap it is half the limit.
    """

    reach_mm: float = 75.0
    detour_mm: float = 15.0
    closing_mm: float = 32.0
    overlap_mm: float = 1.2
    margin_mm: float = 5.0


def check(
    chain: Chain,
    rules: RowRules | None = None,
    lying: Sequence[Tile] = (),
    before: Sequence[Violation] = (),
) -> tuple[Violation, ...]:
    """Find where a row breaks the rules.

    Args:
        chain: the row in order.
        rules: the limits; None for the usual ones.
        lying: tiles that lie on the table.
        before: what was found last time; a finding near a limit stays until the row is clearly
            on the other side.
    """
    rules = rules or RowRules()
    found = [
        *_apart(chain, rules),
        *_branches(chain, rules),
        *_loops(chain, rules),
        *_overlaps(chain, rules),
    ]
    judged: dict[Violation, None] = {}
    for one in found:
        said = _said(one, before)
        violation = _judged(_named(one, said, chain), said)
        if violation is not None:
            judged[violation] = None
    flat = [Violation(ViolationKind.FLAT, (tile,)) for tile in lying]
    return (*judged, *flat)


@dataclass(frozen=True, slots=True)
class _Finding:
    """How far a row is beyond one limit, or within it.

    Attributes:
        kind: whose limit.
        tiles: the tiles it is about.
        excess_mm: how far beyond the limit it is, negative if within.
        margin_mm: half the width of the doubtful band.
        hold_mm: how far below the band an earlier finding still stays.
    """

    kind: ViolationKind
    tiles: tuple[Tile, ...]
    excess_mm: float
    margin_mm: float
    hold_mm: float


def _said(found: _Finding, before: Sequence[Violation]) -> Violation | None:
    """The same finding from last time, if there was one.

    The first tile of a branch or a loop may change with measurement noise, if two tiles are about
    equally near.
    """
    alike = [v for v in before if v.kind is found.kind]
    values = tuple(tile.value for tile in found.tiles)
    for violation in alike:
        if violation.values == values:
            return violation
    for violation in alike:
        shared = _shared(violation.tiles, found.tiles)
        if found.kind is ViolationKind.BRANCH and shared:
            return violation
        if found.kind is ViolationKind.LOOP and _shared(violation.tiles[:1], found.tiles[:1]):
            return violation
    return None


def _shared(some: Sequence[Tile], others: Sequence[Tile]) -> bool:
    return any(is_same(one, other) for one in some for other in others)


def _named(found: _Finding, said: Violation | None, chain: Chain) -> _Finding:
    """The same finding by the names it had before, as long as those tiles stand there."""
    if said is None:
        return found
    now = [next((t for t in chain.tiles if is_same(t, old)), None) for old in said.tiles]
    tiles = tuple(tile for tile in now if tile is not None)
    return replace(found, tiles=tiles) if len(tiles) == len(now) else found


def _judged(found: _Finding, said: Violation | None) -> Violation | None:
    doubtful = -found.margin_mm - (found.hold_mm if said else 0.0)
    certain = -found.margin_mm if said and not said.unsure else found.margin_mm
    if found.excess_mm <= doubtful:
        return None
    return Violation(found.kind, found.tiles, unsure=found.excess_mm <= certain)


def _apart(chain: Chain, rules: RowRules) -> list[_Finding]:
    found = []
    for i, gap in enumerate(chain.gaps_mm):
        alone = i == 0 or i == len(chain.tiles) - 2
        kind = ViolationKind.TOO_FAR if alone else ViolationKind.APART
        excess = gap - rules.reach_mm
        found.append(_finding(kind, chain.tiles[i : i + 2], excess, rules.margin_mm))
    return found


def _branches(chain: Chain, rules: RowRules) -> list[_Finding]:
    tiles = chain.tiles
    cost = links_mm(tiles)
    links = shortest_tree(cost)
    excess = length(range(len(tiles)), cost) - sum(cost[a][b] for a, b in links) - rules.detour_mm
    found = []
    for fork in range(len(tiles)):
        arms = [arm_of(links, fork, b if a == fork else a) for a, b in links if fork in (a, b)]
        if len(arms) > 2:
            arm = min(arms, key=lambda arm: (len(arm), -max(arm)))
            branch = (tiles[fork], *(tiles[i] for i in sorted(arm)))
            found.append(_finding(ViolationKind.BRANCH, branch, excess, rules.margin_mm))
    return found


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


def _loops(chain: Chain, rules: RowRules) -> list[_Finding]:
    found: list[_Finding] = []
    for row in (chain.tiles, chain.reversed().tiles):
        if len(row) > 3:
            end = row[-1]
            met = max(row[:-3], key=lambda tile: _closing_mm(end, tile, rules))
            excess = _closing_mm(end, met, rules)
            found.append(_finding(ViolationKind.LOOP, (end, met), excess, rules.margin_mm))
    return found


def _closing_mm(end: Tile, other: Tile, rules: RowRules) -> float:
    """How far a tile reaches into the clear distance that the end of a row needs ahead of it.

    Ahead is within 45 degrees of where the end faces, and nearer than the closing distance.
    """
    along, across = end.pose.to_local((other.pose.x_mm, other.pose.y_mm))
    gap = end.footprint.distance_mm(other.footprint)
    return min(rules.closing_mm - gap, along - abs(across))


def _overlaps(chain: Chain, rules: RowRules) -> list[_Finding]:
    found: list[_Finding] = []
    for a, b in combinations(chain.tiles, 2):
        sigma_mm = math.hypot(_edge_sigma_mm(a), _edge_sigma_mm(b))
        excess = overlap_mm(a.footprint, b.footprint) - rules.overlap_mm - 2.0 * sigma_mm
        found.append(
            _finding(ViolationKind.OVERLAPPING, (a, b), excess, rules.overlap_mm / 2, sigma_mm)
        )
    return found


def _finding(
    kind: ViolationKind,
    tiles: tuple[Tile, ...],
    excess_mm: float,
    margin_mm: float,
    sigma_mm: float = 0.0,
) -> _Finding:
    hold_mm = max(margin_mm / 2, HOLD_SIGMAS * sigma_mm)
    return _Finding(kind, tiles, excess_mm, margin_mm, hold_mm)


def _edge_sigma_mm(tile: Tile) -> float:
    """Standard deviation of the place of a footprint's ends."""
    return math.hypot(tile.sigma_mm, tile.sigma_rad * tile.footprint.width_mm / 2)


def overlap_mm(one: Footprint, other: Footprint) -> float:
    """Say how far one footprint must be moved to be free of the other; 0 or less if it is."""
    depths = []
    for a, b in ((one, other), (other, one)):
        local = a.local_corners(b)
        for axis, half in ((0, a.depth_mm / 2), (1, a.width_mm / 2)):
            places = [point[axis] for point in local]
            depths += [half - min(places), half + max(places)]
    return min(depths)
