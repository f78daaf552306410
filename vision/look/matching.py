"""Which tile is which from look to look: by value, by place, and by where fallen ones came from."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations

from physics.row.chain import SAME_PLACE_MM
from physics.row.pose import half_turn
from physics.row.tile import State, Tile, apart_mm, turned_rad
from vision.tuning.look import MatchingTuning
from vision.tuning.tuning import TUNING

Reread = tuple[int, int]
"""The value a tile had, and the one that is read of it now."""


def recall(
    tiles: Sequence[Tile],
    before: Sequence[Tile],
    believed: Collection[Reread] | None = (),
    tuning: MatchingTuning = TUNING.matching,
) -> tuple[Tile, ...]:
    """Mend what a look misread by what was known before.

    A value seen twice is kept where it was before, or where it is seen best, and taken from the
    other tile. A tile that nobody could read, where a known one stood that is not seen elsewhere,
    is that one; so is one that is read as another on the very spot of a known one.

    Args:
        tiles: what one look shows.
        before: what was known.
        believed: misreadings that have lasted too long to be any; None believes all.
        tuning: see `MatchingTuning`.
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
    if believed is not None:
        wrong = dict(misread(mended, before, tuning=tuning))
        for old, new in wrong.items():
            if (old, new) not in believed:
                n = next(n for n, tile in enumerate(mended) if tile.value == new)
                mended[n] = replace(mended[n], value=old)
    seen = {tile.value for tile in mended}
    for i, tile in enumerate(mended):
        if tile.value is None and tile.state is State.STANDING:
            here = [
                t
                for v, t in known.items()
                if v not in seen and apart_mm(t, tile) <= tuning.rough_mm
            ]
            if here:
                same = min(here, key=lambda t: apart_mm(t, tile))
                mended[i] = replace(tile, value=same.value)
                seen.add(same.value)
    return tuple(mended)


def misread(
    tiles: Sequence[Tile], before: Sequence[Tile], tuning: MatchingTuning = TUNING.matching
) -> tuple[Reread, ...]:
    """Find tiles that stand on the very spot of a known one and have another value."""
    seen = {tile.value for tile in tiles}
    found = []
    for old in before:
        if old.value is None or old.value in seen or old.state is not State.STANDING:
            continue
        for tile in tiles:
            if tile.value is not None and on_the_spot(old, tile, tuning=tuning):
                found.append((old.value, tile.value))
                break
    return tuple(found)


def on_the_spot(one: Tile, other: Tile, tuning: MatchingTuning = TUNING.matching) -> bool:
    """Say whether two tiles stand exactly alike, as far as they are measured."""
    return (
        one.state is other.state
        and one.orientation is other.orientation
        and apart_mm(one, other)
        <= tuning.spot_mm + tuning.sigmas * max(one.sigma_mm, other.sigma_mm)
        and turned_rad(one, other)
        <= tuning.spot_rad + tuning.sigmas * max(one.sigma_rad, other.sigma_rad)
    )


def match(known: Sequence[Tile], seen: Sequence[Tile]) -> dict[int, int]:
    """Find known tiles again: by value first, then by place.

    Returns:
        Index in `known` to index in `seen`.
    """
    values = {tile.value: n for n, tile in enumerate(seen) if tile.value is not None}
    found = {i: values[t.value] for i, t in enumerate(known) if t.value in values}
    near = sorted(
        (apart_mm(old, new), i, n)
        for i, old in enumerate(known)
        for n, new in enumerate(seen)
        if None in (old.value, new.value)
    )
    for apart, i, n in near:
        if apart <= SAME_PLACE_MM and i not in found and n not in found.values():
            found[i] = n
    return found


def lay_down(
    tiles: tuple[Tile, ...], missing: Sequence[Tile], tuning: MatchingTuning = TUNING.matching
) -> tuple[Tile, ...]:
    """Take unreadable things near marked tiles that vanished for those tiles, leaning or lying.

    A tile that leans on others looks much like one that stands, but for its mark.
    """
    marked = [tile for tile in missing if tile.value is not None]
    return tuple(
        replace(tile, state=State.FALLEN)
        if tile.value is None and any(within_fall(old, tile, tuning=tuning) for old in marked)
        else tile
        for tile in tiles
    )


def within_fall(old: Tile, lying: Tile, tuning: MatchingTuning = TUNING.matching) -> bool:
    """Say whether something lies near enough to where a tile stood to be that tile."""
    return apart_mm(lying, old) <= tuning.fall_reach_lengths * old.spec.length_mm


def name_fallen(
    tiles: tuple[Tile, ...], missing: Sequence[Tile], tuning: MatchingTuning = TUNING.matching
) -> tuple[tuple[Tile, ...], tuple[Tile, ...]]:
    """Give lying tiles the values of those that vanished nearby.

    Returns:
        All tiles, those named that can be no other; and those that stood in the row before, each
        with the likeliest name, for whoever has to ask people about it.
    """
    named = list(tiles)
    at = [n for n, tile in enumerate(tiles) if tile.state is State.FALLEN]
    lying = [tiles[n] for n in at]
    fits = {
        (n, i) for n, t in enumerate(lying) for i, o in enumerate(missing) if _fell_so(o, t, tuning)
    }
    knocked = []
    for n, i in _pair(lying, missing, tuning):
        old = missing[i]
        likely = replace(lying[n], value=old.value, orientation=old.orientation)
        knocked.append(likely)
        rivals = {(a, b) for a, b in fits if a == n or b == i}
        if lying[n].value is not None or rivals == {(n, i)}:
            named[at[n]] = likely
    return tuple(named), tuple(knocked)


def _fell_so(old: Tile, lying: Tile, tuning: MatchingTuning) -> bool:
    """Say whether a tile that fell straight over, and perhaps slid, would lie like this."""
    along, across = old.pose.to_local((lying.pose.x_mm, lying.pose.y_mm))
    edge_rad = old.pose.heading_rad + (math.pi / 2 if old.height_mm < old.spec.length_mm else 0.0)
    return (
        abs(along) <= tuning.fall_reach_lengths * old.spec.length_mm
        and abs(across) <= tuning.fall_across_mm
        and abs(half_turn(lying.pose.heading_rad - edge_rad)) <= tuning.fall_turn_rad
    )


def _pair(
    lying: Sequence[Tile], missing: Sequence[Tile], tuning: MatchingTuning
) -> list[tuple[int, int]]:
    """Pair lying tiles with vanished ones so that all together have fallen the least far."""
    size = max(len(lying), len(missing))
    cost = [[0.0] * size for _ in range(size)]
    for n, tile in enumerate(lying):
        for i, old in enumerate(missing):
            reach_mm = tuning.fall_reach_lengths * old.spec.length_mm
            other = None not in (tile.value, old.value) and tile.value != old.value
            apart = reach_mm if other else min(apart_mm(tile, old), reach_mm)
            cost[n][i] = apart**2 - reach_mm**2
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


def _best(rivals: Sequence[Tile], before: Tile | None) -> Tile:
    if before is not None:
        return min(rivals, key=lambda t: (t.state is not State.STANDING, apart_mm(t, before)))
    return min(rivals, key=lambda t: (t.state is not State.STANDING, t.sigma_mm))
