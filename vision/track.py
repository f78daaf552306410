"""What looks mean over time: which tile is which, what is new, what moved or fell.

A tracker knows the accepted row. It waits until several looks in a row agree, and only then says
what differs from that row; while a hand is in view it holds what it said last.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from physics.chain import SAME_PLACE_MM, Chain, RowRules, Violation, check, is_same, order
from physics.pose import half_turn
from physics.tile import State, Tile
from vision.sight import Look

STILL_MM = 1.5
STILL_RAD = math.radians(3.0)
"""Two looks agree about a tile if it is no farther away than this."""
ROUGH_MM = 10.0
"""The same for tiles of which only the outline is seen."""
MOVED_MM = 2.0
MOVED_RAD = math.radians(4.0)
"""A tile of the row farther than this from its place was moved."""
SIGMAS = 4.0
FALL_REACH = 1.6
"""How far a tile can come to lie from where it stood, in tile lengths."""
FALL_ACROSS_MM = 12.0
FALL_TURN_RAD = math.radians(20.0)
"""How far sideways and how much turned a tile may come to lie; more than a clean fall does."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What is known of the table at a moment.

    Attributes:
        time_s: when, on the camera's clock.
        tiles: all tiles as last agreed on, fallen ones with the value they must have.
        hand_in_view: somebody reaches in; everything else is as it was before.
        still: enough looks agree; what is said here may be acted on.
        new_tile: the one standing tile that is not in the accepted row, if there is just one and
            none is missing; where it stands, heading down the row.
        gone: tiles of the row that are not to be seen any more.
        moved: tiles of the row that stand elsewhere, as they stand now.
        knocked: tiles of the row that are down.
        chain: the standing tiles in order, None as long as nothing was agreed on.
        violations: how they break the row rules.
    """

    time_s: float
    tiles: tuple[Tile, ...] = ()
    hand_in_view: bool = False
    still: bool = False
    new_tile: Tile | None = None
    gone: tuple[Tile, ...] = ()
    moved: tuple[Tile, ...] = ()
    knocked: tuple[Tile, ...] = ()
    chain: Chain | None = None
    violations: tuple[Violation, ...] = ()


class Tracker:
    """Follows the tiles of one table from look to look.

    Args:
        rules: the row rules.
        looks: how many looks must agree before anything is said.
    """

    def __init__(self, rules: RowRules | None = None, looks: int = 2) -> None:
        self._rules = rules or RowRules()
        self._looks = looks
        self._row = Chain(())
        self._aside: tuple[Tile, ...] = ()
        self._agreed: tuple[Tile, ...] | None = None
        self._doubted: tuple[Tile, ...] | None = None
        self._count = 0
        self._last = Sight(0.0)

    def reset(self, row: Chain | None = None) -> None:
        """Forget everything: a new round begins, or one goes on whose accepted row is known."""
        self._row = row or Chain(())
        self._agreed = self._doubted = None
        self._count = 0
        self._last = Sight(self._last.time_s)

    def settle(self) -> None:
        """Accept the row as it stands: its placer has confirmed it."""
        if self._last.chain is not None:
            self._row = self._last.chain
            self._aside = tuple(
                tile
                for tile in self._last.tiles
                if tile.value is None and not any(is_same(tile, t) for t in self._row.tiles)
            )

    def see(self, look: Look, time_s: float) -> Sight:
        """Take in one more look.

        Args:
            look: what the newest frame shows.
            time_s: when it was taken.
        """
        if look.hand_in_view:
            self._doubted, self._count = None, 0
            self._last = replace(self._last, time_s=time_s, hand_in_view=True, still=False)
            return self._last
        tiles = recall(look.tiles, self._agreed if self._agreed is not None else self._row.tiles)
        if self._agrees(tiles):
            self._agreed, self._doubted = tiles, None
            self._last = self._judge(tiles, time_s)
        else:
            self._last = replace(self._last, time_s=time_s, hand_in_view=False, still=False)
        return self._last

    def _agrees(self, tiles: tuple[Tile, ...]) -> bool:
        """Say whether enough looks showed these tiles; one that strays is not minded."""
        if self._agreed is not None and _alike(tiles, self._agreed):
            self._count = self._looks
        elif self._doubted is not None and _alike(tiles, self._doubted):
            self._count += 1
        else:
            self._count = 1
        self._doubted = tiles
        return self._count >= self._looks

    def _judge(self, tiles: tuple[Tile, ...], time_s: float) -> Sight:
        """Compare what stands and lies there with the accepted row."""
        row = self._row
        seen = {tile.value for tile in tiles if tile.state is State.STANDING}
        places = match(row.tiles, _standing(tiles))
        missing = [tile for i, tile in enumerate(row.tiles) if i not in places]
        tiles, knocked = _name_fallen(_laid_down(tiles, missing), missing)
        minded = _of_row(
            [tile for tile in tiles if not self._was_aside(tile)],
            row,
            self._rules.reach_mm,
            explained=bool(seen - {None, *row.values}),
        )
        standing = _standing(minded)
        places = match(row.tiles, standing)
        moved = [(i, n) for i, n in places.items() if _has_moved(row.tiles[i], standing[n])]
        chain = order(standing, row)
        down = {tile.value for tile in knocked}
        gone = tuple(tile for tile in missing if tile.value is None or tile.value not in down)
        added = [tile for n, tile in enumerate(standing) if n not in places.values()]
        new = added[0] if len(added) == 1 and not missing else None
        lying = [tile for tile in minded if tile.state is State.FALLEN]
        return Sight(
            time_s=time_s,
            tiles=tiles,
            still=True,
            new_tile=_in_chain(chain, new) if new else None,
            gone=gone,
            moved=tuple(_in_chain(chain, standing[n]) for _, n in sorted(moved)),
            knocked=knocked,
            chain=chain,
            violations=check(chain, self._rules, lying, self._last.violations),
        )

    def _was_aside(self, tile: Tile) -> bool:
        """Say whether a nameless thing was there already, outside the row, when it was settled."""
        return tile.value is None and any(
            _apart_mm(tile, other) <= ROUGH_MM for other in self._aside
        )


def recall(tiles: Sequence[Tile], before: Sequence[Tile]) -> tuple[Tile, ...]:
    """Mend what a look misread by what was known before.

    A value seen twice is kept where it was before, or where it is seen best, and taken from the
    other tile. A tile that nobody could read, where a known one stood that is not seen elsewhere,
    is that one.
    """
    known: dict[int | None, Tile] = {
        t.value: t for t in before if t.value is not None and t.state is State.STANDING
    }
    mended: list[Tile] = []
    for tile in tiles:
        rivals = [t for t in tiles if t.value == tile.value and t.value is not None]
        if len(rivals) > 1 and tile is not _best(rivals, known.get(tile.value)):
            tile = replace(tile, value=None)
        mended.append(tile)
    seen = {tile.value for tile in mended}
    for i, tile in enumerate(mended):
        if tile.value is None and tile.state is State.STANDING:
            here = [t for v, t in known.items() if v not in seen and _apart_mm(t, tile) <= ROUGH_MM]
            if here:
                same = min(here, key=lambda t: _apart_mm(t, tile))
                mended[i] = replace(tile, value=same.value)
                seen.add(same.value)
    return tuple(mended)


def match(known: Sequence[Tile], seen: Sequence[Tile]) -> dict[int, int]:
    """Find known tiles again: by value first, then by place.

    Returns:
        Index in `known` to index in `seen`.
    """
    values = {tile.value: n for n, tile in enumerate(seen) if tile.value is not None}
    found = {i: values[t.value] for i, t in enumerate(known) if t.value in values}
    near = sorted(
        (_apart_mm(old, new), i, n)
        for i, old in enumerate(known)
        for n, new in enumerate(seen)
        if None in (old.value, new.value)
    )
    for apart_mm, i, n in near:
        if apart_mm <= SAME_PLACE_MM and i not in found and n not in found.values():
            found[i] = n
    return found


def _best(rivals: Sequence[Tile], before: Tile | None) -> Tile:
    if before is not None:
        return min(rivals, key=lambda t: (t.state is not State.STANDING, _apart_mm(t, before)))
    return min(rivals, key=lambda t: (t.state is not State.STANDING, t.sigma_mm))


def _alike(one: Sequence[Tile], other: Sequence[Tile]) -> bool:
    """Say whether two looks show the same tiles at the same places."""
    left = list(other)
    for tile in one:
        same = next((t for t in left if _is_still(tile, t)), None)
        if same is None:
            return False
        left.remove(same)
    return not left


def _is_still(one: Tile, other: Tile) -> bool:
    if one.value != other.value or one.state is not other.state:
        return False
    if one.value is None or one.state is State.FALLEN:
        return _apart_mm(one, other) <= ROUGH_MM
    slack = SIGMAS * max(one.sigma_mm, other.sigma_mm)
    turn = SIGMAS * max(one.sigma_rad, other.sigma_rad)
    return (
        one.orientation is other.orientation
        and _apart_mm(one, other) <= STILL_MM + slack
        and _turned_rad(one, other) <= STILL_RAD + turn
    )


def _has_moved(known: Tile, seen: Tile) -> bool:
    slack = SIGMAS * math.hypot(known.sigma_mm, seen.sigma_mm)
    turn = SIGMAS * math.hypot(known.sigma_rad, seen.sigma_rad)
    return (
        known.orientation is not seen.orientation
        or _apart_mm(known, seen) > MOVED_MM + slack
        or _turned_rad(known, seen) > MOVED_RAD + turn
    )


def _standing(tiles: Sequence[Tile]) -> list[Tile]:
    return [tile for tile in tiles if tile.state is State.STANDING]


def _of_row(tiles: Sequence[Tile], row: Chain, reach_mm: float, explained: bool) -> Sequence[Tile]:
    """Leave out nameless things that have nothing to do with the row.

    They stand there while a newcomer with a name explains what changed, or they are far from a
    row of which every tile has a name: shadows, tiles laid aside.
    """
    if not row.tiles:
        return tiles
    named = None not in row.values

    def counts(tile: Tile) -> bool:
        if tile.value is not None or any(is_same(tile, known) for known in row.tiles):
            return True
        if explained and tile.state is State.STANDING:
            return False
        gap_mm = min(tile.footprint.distance_mm(known.footprint) for known in row.tiles)
        return not named or gap_mm <= reach_mm

    return [tile for tile in tiles if counts(tile)]


def _laid_down(tiles: tuple[Tile, ...], missing: Sequence[Tile]) -> tuple[Tile, ...]:
    """Take unreadable things near marked tiles that vanished for those tiles, leaning or lying.

    A tile that leans on others looks much like one that stands, but for its mark.
    """
    marked = [tile for tile in missing if tile.value is not None]
    return tuple(
        replace(tile, state=State.FALLEN)
        if tile.value is None
        and any(_apart_mm(tile, old) <= FALL_REACH * old.spec.length_mm for old in marked)
        else tile
        for tile in tiles
    )


def _name_fallen(
    tiles: tuple[Tile, ...], missing: Sequence[Tile]
) -> tuple[tuple[Tile, ...], tuple[Tile, ...]]:
    """Give lying tiles the values of those that vanished nearby.

    Returns:
        All tiles, those named that can be no other; and those that stood in the row before, each
        with the likeliest name, for whoever has to ask people about it.
    """
    named = list(tiles)
    at = [n for n, tile in enumerate(tiles) if tile.state is State.FALLEN]
    lying = [tiles[n] for n in at]
    fits = {(n, i) for n, t in enumerate(lying) for i, o in enumerate(missing) if _fell_so(o, t)}
    knocked = []
    for n, i in _pair(lying, missing):
        old = missing[i]
        likely = replace(lying[n], value=old.value, orientation=old.orientation)
        knocked.append(likely)
        rivals = {(a, b) for a, b in fits if a == n or b == i}
        if lying[n].value is not None or rivals == {(n, i)}:
            named[at[n]] = likely
    return tuple(named), tuple(knocked)


def _fell_so(old: Tile, lying: Tile) -> bool:
    """Say whether a tile that fell straight over, and perhaps slid, would lie like this."""
    along, across = old.pose.to_local((lying.pose.x_mm, lying.pose.y_mm))
    edge_rad = old.pose.heading_rad + (math.pi / 2 if old.height_mm < old.spec.length_mm else 0.0)
    return (
        abs(along) <= FALL_REACH * old.spec.length_mm
        and abs(across) <= FALL_ACROSS_MM
        and abs(half_turn(lying.pose.heading_rad - edge_rad)) <= FALL_TURN_RAD
    )


def _pair(lying: Sequence[Tile], missing: Sequence[Tile]) -> list[tuple[int, int]]:
    """Pair lying tiles with vanished ones so that all together have fallen the least far."""
    size = max(len(lying), len(missing))
    cost = [[0.0] * size for _ in range(size)]
    for n, tile in enumerate(lying):
        for i, old in enumerate(missing):
            reach_mm = FALL_REACH * old.spec.length_mm
            other = None not in (tile.value, old.value) and tile.value != old.value
            apart_mm = reach_mm if other else min(_apart_mm(tile, old), reach_mm)
            cost[n][i] = apart_mm**2 - reach_mm**2
    pairs = list(range(size))
    swapped = True
    while swapped:
        swapped = False
        for a, b in combinations(range(size), 2):
            now = cost[a][pairs[a]] + cost[b][pairs[b]]
            if cost[a][pairs[b]] + cost[b][pairs[a]] < now - 1e-9:
                pairs[a], pairs[b] = pairs[b], pairs[a]
                swapped = True
    return [(n, i) for n, i in enumerate(pairs) if cost[n][i] < 0]


def _in_chain(chain: Chain, tile: Tile) -> Tile:
    """The same tile as the chain has it, heading down the row."""
    at = (tile.pose.x_mm, tile.pose.y_mm)
    return next(t for t in chain.tiles if (t.pose.x_mm, t.pose.y_mm) == at)


def _apart_mm(one: Tile, other: Tile) -> float:
    return math.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm)


def _turned_rad(one: Tile, other: Tile) -> float:
    return abs(half_turn(one.pose.heading_rad - other.pose.heading_rad))
