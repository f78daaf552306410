"""Which tiles the hands at the virtual table hold, and which they take up again."""

import math

from physics.row.tile import Orientation
from rig.games.estimation.terms import Phase
from rig.row.row_table import RowTable
from rig.virtual.table import VirtualTable


def taken_back(before: RowTable, after: RowTable) -> tuple[int, ...]:
    """The tiles of a placement that no longer counts: as it was illegal, or undone."""
    gone = tuple(value for value in before.game.row if value not in after.game.row)
    if after.phase is not Phase.TURN or after.game.round != before.game.round:
        return ()
    if len(gone) == 1:
        return gone
    if len(after.pasts) < len(before.pasts) and before.game.row != after.game.row:
        return tuple(t.value for t in after.row if t not in before.row)
    return ()


def is_fresh(table: RowTable) -> bool:
    """Whether a round has been dealt whose first tile nobody has read yet."""
    return table.phase is Phase.TURN and len(table.game.row) == 1 and not table.row


def turn_over(before: RowTable, after: RowTable) -> bool:
    """Whether a turn ended without a placement: by a call, or as its seat was passed over."""
    if before.phase is not Phase.TURN:
        return False
    passed = after.phase is Phase.TURN and before.game.active != after.game.active
    return after.phase is Phase.BALLOT or passed


def kept_in_step(virtual: VirtualTable, before: RowTable, after: RowTable) -> VirtualTable | None:
    """What the hands at the virtual table make of it as the game changes.

    Args:
        virtual: the table, which stays as it is.
        before: the game before the change.
        after: the game after it.

    Returns:
        The table as it becomes; None where nobody touches it.
    """
    dealt = is_fresh(after) and not is_fresh(before)
    taken = taken_back(before, after)
    reset = before.phase is Phase.ACCIDENT and after.phase is not Phase.ACCIDENT
    placed = before.game.row != after.game.row
    left = turn_over(before, after) and unconfirmed(virtual)
    if not (dealt or taken or reset or placed or left):
        return None
    draft = virtual.draft()
    if dealt:
        draft.clear()
    elif taken:
        lift(draft, taken, after)
    elif reset:
        draft.stand_up()
    elif placed:
        draft.settle()
    else:
        draft.take_back(unconfirmed(draft))
    return draft


def lift(virtual: VirtualTable, taken: tuple[int, ...], after: RowTable) -> None:
    """Take tiles in hand again: off the table, or back to where they stood before."""
    if unconfirmed(virtual):
        virtual.take_back(unconfirmed(virtual))
    virtual.settle()
    for value in taken:
        if value not in after.game.row:
            virtual.take_back(value)
    for tile in after.row:
        if tile.value in taken and tile.value in after.game.row:
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
