"""What a game has to say of itself afterwards: event by event, as a proof, in figures."""

from collections.abc import Sequence
from typing import Any, Protocol

from rig.games.interface import Data
from rig.games.phrase import NOTHING, Fact, Phrase
from rig.history.decided import decided_again
from rig.history.proof import Proof
from rig.history.restore import kept_too_long, withheld
from rig.history.votes import GameFigures, NoGameFigures
from rig.session.fingerprint import AnyPlay, GameFile
from rig.session.state import Table


class Story(Protocol):
    """Tells, proves and counts the games of one kind."""

    def sentence(self, table: Any, event: Data) -> Phrase:
        """An event, given the table before it; `NOTHING` for what nobody would speak of."""

    def prove(
        self, proof: Proof, file: GameFile, table: Any, events: Sequence[Data | None]
    ) -> None:
        """Look whether the events of a file could follow one another.

        Args:
            proof: takes what is found.
            file: the file.
            table: the table before its first event.
            events: its events; None for what is withheld.
        """

    def tally(self) -> GameFigures:
        """What counts the figures of a journal's games."""


class PlainStory:
    """For a game whose journal has its commands: they are decided again."""

    def __init__(self, play: AnyPlay) -> None:
        self._play = play

    def sentence(self, table: Table, event: Data) -> Phrase:
        """The name of the event."""
        name = type(event).__name__
        return Phrase("", otherwise=name) if name in self._play.rules.events else NOTHING

    def prove(
        self, proof: Proof, file: GameFile, table: Table, events: Sequence[Data | None]
    ) -> None:
        """Ask the rules for every command once more."""

        def find(at: int, how: str, **of: Fact) -> None:
            proof.find(file.events[at].record.v, "rules", how, **of)

        hidden = [withheld(linked.record, self._play) for linked in file.events]
        for at, name in kept_too_long(file, self._play, hidden):
            find(at, "withheld", field=name)
        proof.over = decided_again(table, events, self._play, find, hidden).is_over

    def tally(self) -> GameFigures:
        """Nothing is counted yet."""
        return NoGameFigures()


def story_of(play: AnyPlay) -> Story:
    """Who tells of a game."""
    return play.story or PlainStory(play)
