"""Estimation Domino told, proved and counted: `rig.history.story.Story`."""

from collections.abc import Callable, Sequence

from rig.games.estimation.story.narrator import sentence
from rig.games.estimation.story.tally import Tally
from rig.games.estimation.story.walk import Walk, with_ballots
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.interface import Data
from rig.games.phrase import Phrase
from rig.history.proof import Proof
from rig.session.fingerprint import GameFile


class EstimationStory:
    """Tells, proves and counts the games of Estimation Domino.

    Args:
        apply: gives the table after an event.
    """

    def __init__(self, apply: Callable[[EstimationTable, Data], EstimationTable]) -> None:
        self._apply = apply

    def sentence(self, table: EstimationTable, event: Data) -> Phrase:
        """An event as a sentence tells it."""
        return sentence(table, event)

    def prove(
        self, proof: Proof, file: GameFile, table: EstimationTable, events: Sequence[Data | None]
    ) -> None:
        """Look at every event from all sides."""
        Walk(proof, file, table, self._apply).through(with_ballots(events))

    def tally(self) -> Tally:
        """Votes on pushed rows, and calls."""
        return Tally()
