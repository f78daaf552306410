"""The session of a table with a row, which hears what camera, pusher and hands do."""

from rig.row.physical import Duty, Physical
from rig.row.row_live import RowHearing, RowLive, RowMachine
from rig.row.row_table import RowTable
from rig.session.session import Session


class RowSession(Session[RowTable, RowLive, RowMachine], RowHearing):
    """One table of a game that is played with a row, from the lobby to the end."""

    @property
    def physical(self) -> Physical[RowTable]:
        """What camera and pusher are for in its game."""
        physical: Physical[RowTable] = self.play.physical
        return physical

    @property
    def duty(self) -> Duty:
        """What camera and pusher are wanted for now."""
        return self.physical.duty(self.table)
