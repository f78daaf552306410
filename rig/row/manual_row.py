"""Rows over which no camera hangs: the placer says on the phone where the tile stands.

What is dragged on the view from above counts as a camera's reading would. A photo by hand measures
the whole row, and takes the place of what fingers have shown.
"""

from collections.abc import Sequence

from physics.row.chain import Chain, order
from physics.row.row_rules import RowRules, ViolationKind, check
from physics.row.tile import State, Tile
from rig.errors import NotPossible
from rig.row.physical import Duty
from rig.row.push_events import Standing
from rig.row.row_live import Reading
from rig.row.row_table import RowRead
from rig.row.written_row import chain_of

MIDDLE_MM = (300.0, 210.0)
"""Where the first tile of a round is drawn."""
PITCH_MM = 30.0


def first_row(values: Sequence[int]) -> RowRead:
    """The row of a round that nobody has read yet, drawn in the middle: in a fresh one, the 6."""
    x_mm, y_mm = MIDDLE_MM
    tiles = tuple(
        Standing(value, "vertical", x_mm + PITCH_MM * i, y_mm, 0.0)
        for i, value in enumerate(values)
    )
    return RowRead(tiles)


def entered(duty: Duty, tile: Tile) -> Reading:
    """Take the placer's word for where a tile stands.

    Args:
        duty: the row as it was last confirmed.
        tile: where it is shown.
    """
    before = chain_of([t for t in duty.tiles if t.value != tile.value], tile.spec)
    chain = order([*before.tiles, tile], before)
    at = chain.values.index(tile.value) if tile.value in chain.values else None
    if at is None:
        return Reading("unsure", tile)
    tile = chain.tiles[at]
    faults: tuple[tuple[str, tuple[int, ...]], ...] = tuple(
        (fault.kind.value, tuple(v for v in fault.values if v is not None))
        for fault in check(chain)
        if fault.kind is ViolationKind.OVERLAPPING and tile in fault.tiles
    )
    others = tuple(v for v in chain.values if v != tile.value)
    if others != tuple(v for v in duty.values if v != tile.value):
        faults += (("order", tuple(v for v in others if v is not None)),)
    return Reading("wrong" if faults else "proposal", tile, at, chain.tiles, faults)


def photographed(duty: Duty, tiles: Sequence[Tile], rules: RowRules) -> Reading:
    """Read the placer's tile off a photo.

    Args:
        duty: the row as it was last confirmed; where it stood is not believed, only its order.
        tiles: what the photo shows.
        rules: the limits of a row.

    Raises:
        NotPossible: the photo does not show the row with one tile more, or with one moved.
    """
    stands = [tile for tile in tiles if tile.state is State.STANDING]
    row = _row(duty, stands)
    tile = _moved(duty, row) if duty.from_row else _came(duty, stands)
    others = tuple(each for each in row if each.value != tile.value)
    chain = order([*others, tile], Chain(others))
    place = (tile.pose.x_mm, tile.pose.y_mm)
    at = [(each.pose.x_mm, each.pose.y_mm) for each in chain.tiles].index(place)
    tile = chain.tiles[at]
    if tile.value not in duty.choosable:
        return Reading("unsure", tile, at, chain.tiles)
    faults = tuple(
        (fault.kind.value, named(fault.tiles))
        for fault in check(chain, rules)
        if tile in fault.tiles and not fault.unsure and not duty.allows(fault.kind)
    )
    if duty.from_row and 0 < at < len(chain.tiles) - 1:
        faults += (("middle", named((tile,))),)
    state = "wrong" if faults else "proposal"
    return Reading(state, tile, at, chain.tiles, faults)


def _row(duty: Duty, stands: Sequence[Tile]) -> tuple[Tile, ...]:
    """The tiles of the row where they stand now, in its order."""
    seen = {tile.value: tile for tile in stands}
    hidden = [value for value in duty.values if value not in seen]
    if hidden:
        raise NotPossible(
            "photo_row",
            f"The photo does not show {_listed(hidden)}: take it so that every number of the row "
            "can be read.",
        )
    row = tuple(seen[value] for value in duty.values)
    if duty.from_row:
        return row
    along = order(row).values
    if along not in (duty.values, duty.values[::-1]):
        raise NotPossible(
            "photo_order",
            f"On the photo the row is {_listed(along)}, on this phone {_listed(duty.values)}.",
        )
    return row


def _came(duty: Duty, stands: Sequence[Tile]) -> Tile:
    """The one tile that is new; things without a number count only if nothing else came."""
    new = [tile for tile in stands if tile.value not in duty.values]
    named = [tile for tile in new if tile.value is not None]
    came = named or new
    if not came:
        raise NotPossible("photo_none", "The photo shows no new tile.")
    if len(came) > 1:
        raise NotPossible("photo_several", "The photo shows more than one new tile.")
    return came[0]


def _moved(duty: Duty, row: Sequence[Tile]) -> Tile:
    """The tile of the row that somebody took to an end of it."""
    along = order(row).values
    for value in (along[0], along[-1]):
        rest = tuple(v for v in duty.values if v != value)
        now = tuple(v for v in along if v != value)
        if along not in (duty.values, duty.values[::-1]) and now in (rest, rest[::-1]):
            return next(tile for tile in row if tile.value == value)
    raise NotPossible("photo_none", "The photo shows no tile that was moved.")


def named(tiles: Sequence[Tile]) -> tuple[int, ...]:
    """The values of tiles, of those that can be read."""
    return tuple(tile.value for tile in tiles if tile.value is not None)


def _listed(values: Sequence[int | None]) -> str:
    return ", ".join("?" if value is None else str(value) for value in values)
