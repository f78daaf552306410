"""What the camera says, in the words of the table: readings, rows, strokes and verdicts. Pure."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from physics.row.chain import SAME_PLACE_MM, Chain
from physics.row.row_rules import ViolationKind
from physics.row.tile import STANDARD, State, Tile
from rig.row.manual_row import named
from rig.row.physical import Duty, Stage
from rig.row.push_events import FELL, STOOD, Seen, Standing
from rig.row.row_diff import Difference, Kind, moved_tiles, reordered
from rig.row.row_live import Notice, Reading
from rig.row.written_row import chain_of, from_end, standing
from vision.look.matching import on_the_spot
from vision.look.observe import Observation
from vision.look.track import Change, Sight

LEAST_SLID = 2
STIFF_MM = 1.5
"""A row of so many tiles that has kept its shape to this much and stands elsewhere has not been
moved tile by tile."""


def read(sight: Sight, duty: Duty, before: Reading | None = None, unseen: bool = False) -> Reading:
    """Say what of a sight is new to whoever stands a tile.

    Args:
        sight: what is known of the table now.
        duty: what is looked for, and the row as it was last confirmed.
        before: what was said last; a row that differs is so until it is seen to be right.
        unseen: nobody has watched the row for a while, so that what is down or gone is no accident
            that the camera saw.
    """
    row, chain = duty.values, sight.chain
    if sight.hand_in_view or not sight.still:
        if before is not None and before.state == "differs":
            return before
        return Reading("hand" if sight.hand_in_view else "looking")
    if not duty.tiles:
        return Reading("looking")
    tile = sight.new_tile or _taken(sight, duty)
    otherwise = differing(sight, duty, before, unseen, tile)
    if otherwise is not None:
        return otherwise
    if tile is None:
        return _steadied(_without_tile(sight, duty), before)
    if chain is None or tile not in chain.tiles:
        return Reading("unsure", tile)
    faults = tuple(
        (v.kind.value, named(v.tiles))
        for v in sight.violations
        if not v.unsure and tile in v.tiles and not duty.allows(v.kind)
    )
    others = tuple(v for v in chain.values if v != tile.value)
    if others != tuple(v for v in row if v != tile.value):
        faults += (("order", tuple(v for v in others if v is not None)),)
    position = chain.tiles.index(tile)
    if duty.from_row and 0 < position < len(chain.tiles) - 1:
        faults += (("middle", named((tile,))),)
    state = "wrong" if faults else "proposal" if tile.value in duty.choosable else "unsure"
    return Reading(state, tile, position, chain.tiles, faults, notices=_notices(sight, duty, tile))


def differing(
    sight: Sight, duty: Duty, before: Reading | None, whole: bool, placed: Tile | None = None
) -> Reading | None:
    """Say how the row differs from what was written down; None if it does not.

    Args:
        sight: what is known of the table now, seen still and without a hand.
        duty: what is looked for, and the row as it was last confirmed.
        before: what was said last.
        whole: tiles that are down, gone or too many count as well. Otherwise these have been
            noticed as they happened, and have states of their own.
        placed: the tile that is being placed now.
    """
    chain = sight.chain
    if chain is None or not duty.tiles:
        return None
    apart = sight.change in (Change.DOWN, Change.EXCHANGED, Change.SEVERAL, Change.GONE)
    if apart and not whole and duty.stage is Stage.PLACING:
        return None
    said = [one.value for one in before.differs] if before and before.state == "differs" else []
    of_row = [t for t in chain.tiles if t.value in duty.values and t is not placed]
    row = chain_of(duty.tiles, of_row[0].spec if of_row else STANDARD).tiles
    row = tuple(tile for tile in row if placed is None or tile.value != placed.value)
    order = [value for value in duty.values if placed is None or value != placed.value]
    moved = moved_tiles(row, of_row, said)
    changed = reordered(row, of_row, order)
    known = {one.value for one in changed}
    missing = _missing(sight, row) if whole and not is_carried(sight, duty) else ()
    if sight.change in (Change.NEW, Change.SEVERAL) and duty.stage is Stage.PLACING:
        missing = tuple(one for one in missing if one.kind is not Kind.EXTRA)  # one of them is due
    found = (*missing, *changed, *(one for one in moved if one.value not in known))
    if not found:
        return None
    return _steadied(Reading("differs", row=tuple(of_row), differs=found), before)


def _missing(sight: Sight, row: Sequence[Tile]) -> tuple[Difference, ...]:
    """The tiles of the row that are down or gone, and those that are not of it."""
    where = {tile.value: tile for tile in row}
    down = {tile.value: tile for tile in sight.knocked}
    gone = [t.value for t in (*sight.accident, *sight.gone) if t.value not in down]
    return (
        *(Difference(Kind.DOWN, value, was=where.get(value), now=t) for value, t in down.items()),
        *(Difference(Kind.GONE, value, was=where.get(value)) for value in dict.fromkeys(gone)),
        *(Difference(Kind.EXTRA, tile.value, now=tile) for tile in sight.added),
    )


def _steadied(told: Reading, before: Reading | None) -> Reading:
    """What was said last, where the same tiles differ alike as far as can be measured."""
    if before is None or not told.differs or told.state != before.state:
        return told
    if [(d.kind, d.value) for d in told.differs] != [(d.kind, d.value) for d in before.differs]:
        return told
    now = [d.now for d in told.differs if d.now] + list(told.row)
    was = [d.now for d in before.differs if d.now] + list(before.row)
    return before if len(now) == len(was) and all(map(on_the_spot, now, was)) else told


def _without_tile(sight: Sight, duty: Duty) -> Reading:
    """Say what has changed where no tile can be placed by it."""
    came, gone = _values(sight.added), _values(sight.gone)
    spec = sight.tiles[0].spec if sight.tiles else STANDARD
    marks = _missing(sight, chain_of(duty.tiles, spec).tiles)
    match sight.change:
        case Change.DOWN if not is_carried(sight, duty):
            down = _values(sight.accident or sight.knocked)
            return Reading("down", gone=down, differs=marks)
        case Change.SEVERAL:
            return Reading("several", came=came, differs=marks)
        case Change.EXCHANGED:
            return Reading("exchanged", came=came, gone=gone, differs=marks)
        case Change.GONE if not is_carried(sight, duty):
            return Reading("gone", gone=gone, differs=marks)
        case _:
            return Reading("waiting", notices=_notices(sight, duty))


def is_carried(sight: Sight, duty: Duty) -> bool:
    """Whether the one tile that is gone may be in a hand, on its way to an end of the row."""
    gone = [tile.value for tile in (sight.accident or sight.gone)]
    return (
        duty.stage is Stage.PLACING
        and duty.from_row
        and not sight.knocked
        and len(gone) == 1
        and gone[0] in duty.choosable
    )


def _taken(sight: Sight, duty: Duty) -> Tile | None:
    """The tile of the row that somebody took to another place, where a turn is to do that.

    As long as the row keeps its order nobody has taken anything: a tile of it was touched.
    """
    if not duty.from_row or sight.chain is None or sight.chain.values == duty.values:
        return None
    places = {tile.value: (tile.x_mm, tile.y_mm) for tile in duty.tiles}

    def way_mm(tile: Tile) -> float:
        return math.dist(places[tile.value or 0], (tile.pose.x_mm, tile.pose.y_mm))

    middle = [t for t in sight.moved if t.value in duty.choosable and t.value in places]
    farthest = max(middle, key=way_mm, default=None)
    # What was only touched in passing has not been taken anywhere.
    return farthest if farthest is not None and way_mm(farthest) > SAME_PLACE_MM else None


def _notices(sight: Sight, duty: Duty, placed: Tile | None = None) -> tuple[Notice, ...]:
    """Say what else has changed, which people may want to put right and need not."""
    moved = () if has_slid(sight, duty.tiles) else sight.moved
    shifted = named([tile for tile in moved if tile is not placed])
    flat = [tile for v in sight.violations if v.kind is ViolationKind.FLAT for tile in v.tiles]
    found = {"shifted": shifted, "lying": named(flat)}
    seen = {"shifted": bool(shifted), "lying": bool(flat) and not sight.knocked}
    return tuple((kind, found[kind]) for kind in found if seen[kind])


def has_slid(sight: Sight, row: Sequence[Standing]) -> bool:
    """Whether the whole row seems to have moved alike: then it was the mat that moved.

    Args:
        sight: what is known of the table now.
        row: as it was last confirmed.
    """
    now = {tile.value: (tile.pose.x_mm, tile.pose.y_mm) for tile in sight.moved}
    was = [(tile.value, (tile.x_mm, tile.y_mm)) for tile in row]
    if len(was) < LEAST_SLID or any(value not in now for value, _ in was):
        return False
    return all(
        abs(math.dist(a, b) - math.dist(now[one], now[other])) <= STIFF_MM
        for (one, a), (other, b) in combinations(was, 2)
    )


def _values(tiles: Sequence[Tile]) -> tuple[int | None, ...]:
    """The values of tiles, each once; None for each whose value nobody can read."""
    named = dict.fromkeys(tile.value for tile in tiles if tile.value is not None)
    return (*named, *(None for tile in tiles if tile.value is None))


def seen_from_end(sight: Sight, duty: Duty) -> Chain | None:
    """The row as it stands, from the end that is pushed; None where that is not what counts."""
    chain, end = sight.chain, duty.end
    if chain is None or end is None or chain.values != duty.values:
        return None
    return from_end(chain, end)


def what_was_seen(chain: Chain, observed: Observation, picture: int) -> Seen:
    """Put an observation into the words of the journal.

    Args:
        chain: the row from the pushed end, as it stood before.
        observed: what the camera made of it.
        picture: the number that its picture is kept under.
    """
    outcome = observed.outcome
    values = [tile.value or 0 for tile in chain.tiles]
    first = outcome.first_standing
    died = first if first and outcome.fallen[first - 1] else None
    times = sorted(
        (
            (time_s, value)
            for value, time_s in zip(values, outcome.arrival_s, strict=False)
            if time_s is not None
        ),
        key=lambda one: one[0],  # tiles of one moment stay in the order of the row
    )
    return Seen(
        outcome=FELL if outcome.all_fell else STOOD,
        fallen=tuple(v for v, down in zip(values, outcome.fallen, strict=True) if down),
        up=tuple(v for v, down in zip(values, outcome.fallen, strict=True) if not down),
        order=tuple((value, round(time_s * 1000)) for time_s, value in times),
        between=None if died is None else (values[died - 1], values[died]),
        gap_mm=None if died is None else round(chain.gaps_mm[died - 1], 1),
        sure=observed.sure,
        picture=picture,
        lying=tuple(
            replace(standing(tile, tile.value or 0), state=State.FALLEN.value)
            for tile in observed.lying
            if tile is not None
        ),
    )
