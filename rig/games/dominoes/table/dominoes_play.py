"""Dominoes at a table: its rules, with the clock that a match may be played by."""

from typing import TypeAlias

from rig.games.dominoes.rules import Dominoes
from rig.games.dominoes.table.narrator import DominoStory
from rig.session.live import Limit, Live, MachinePort
from rig.session.playing import Play
from rig.session.request import Present
from rig.session.state import Table

_Present: TypeAlias = Present[Table, Live, MachinePort]


class DominoesPlay(Play[Table, Live, MachinePort]):
    """Dominoes at a table."""

    def __init__(self) -> None:
        super().__init__(Dominoes())
        self.story = DominoStory(self)

    def limit(self, session: _Present) -> Limit | None:
        """The match's own clock where it has one, else the table's timer of a turn."""
        options = session.table.game.options
        if options.rating and options.move_clock and self.rules.asked(session.table.game):
            return Limit("turn", options.move_clock + session.live.extra_s, True)
        return super().limit(session)


PLAY = DominoesPlay()
