"""The session of a table of Estimation Domino, which hears what camera, pusher and hands do."""

from collections.abc import Callable

from rig.clock import Clock
from rig.config import Config
from rig.games.estimation.table.estimation_play import PLAY
from rig.journal import Journal
from rig.row.row_live import RowHearing, RowLive, RowMachine
from rig.row.row_table import RowTable
from rig.session.session import Session


class RowSession(Session[RowTable, RowLive, RowMachine], RowHearing):
    """One table of Estimation Domino, from the lobby to the last chip.

    Args:
        journal: where everything is written.
        clock: its time.
        config: its settings.
        nonce: gives a fresh unguessable text.
    """

    def __init__(
        self, journal: Journal, clock: Clock, config: Config, nonce: Callable[[], str]
    ) -> None:
        super().__init__(journal, clock, config, nonce, PLAY)
