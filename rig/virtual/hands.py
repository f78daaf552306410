"""Which tiles the hands at the virtual table hold, and which they take up again."""

import math

from physics.row.tile import Orientation
from rig.row.physical import Duty, RowChange
from rig.virtual.table import VirtualTable


def kept_in_step(virtual: VirtualTable, change: RowChange, after: Duty) -> VirtualTable | None:
    """What the hands at the virtual table make of it as the game changes.

    Args:
        virtual: the table, which stays as it is.
        change: what becomes of the tiles.
        after: the row after it.

    Returns:
        The table as it becomes; None where nobody touches it.
    """
    left = change.passed and unconfirmed(virtual)
    if not (change.dealt or change.taken or change.stands_up or change.placed or left):
        return None
    draft = virtual.draft()
    if change.dealt:
        draft.clear()
    elif change.taken:
        lift(draft, change.taken, after)
    elif change.stands_up:
        draft.stand_up()
    elif change.placed:
        draft.settle()
    else:
        draft.take_back(unconfirmed(draft))
    return draft


def lift(virtual: VirtualTable, taken: tuple[int, ...], after: Duty) -> None:
    """Take tiles in hand again: off the table, or back to where they stood before."""
    if unconfirmed(virtual):
        virtual.take_back(unconfirmed(virtual))
    virtual.settle()
    for value in taken:
        if value not in after.values:
            virtual.take_back(value)
    for tile in after.tiles:
        if tile.value in taken and tile.value in after.values:
            heading_rad = math.radians(tile.heading_deg)
            how = Orientation(tile.orientation)
            virtual.move(tile.value, tile.x_mm, tile.y_mm, heading_rad, how)
    virtual.settle()


def unconfirmed(virtual: VirtualTable) -> int:
    """The tile that was stood and not confirmed yet; 0 if there is none on the table."""
    held = virtual.held
    return held if held is not None and held in on_table(virtual) else 0


def on_table(virtual: VirtualTable) -> set[int]:
    """The tiles that are on the virtual table at all."""
    state = virtual.state()
    return {one["value"] for one in (*state["row"], *state["lying"])}
