"""Rows without a camera: the placer shows on the phone where the tile stands, and is believed.

What is dragged on the view from above counts as a camera's reading would.
"""

from collections.abc import Sequence

from physics.row.chain import order
from physics.row.row_rules import ViolationKind, check
from physics.row.tile import Tile
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
