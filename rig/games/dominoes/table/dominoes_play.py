"""Dominoes at a table: its rules, with the clock that a match may be played by."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from rig.games.dominoes.events import BonePlaced, RoundEnded
from rig.games.dominoes.rules import Dominoes, plainest
from rig.games.dominoes.table.narrator import DominoStory
from rig.games.interface import REFEREE, Data, Seat
from rig.session.live import Limit, Live, MachinePort
from rig.session.playing import Context, Play
from rig.session.request import Present
from rig.session.state import Table

_Present: TypeAlias = Present[Table, Live, MachinePort]
_Context: TypeAlias = Context[Table, Live, MachinePort]


class DominoesPlay(Play[Table, Live, MachinePort]):
    """Dominoes at a table."""

    def __init__(self) -> None:
        super().__init__(Dominoes())
        self.story = DominoStory(self)

    def winners(self, game: Any) -> tuple[Seat, ...]:
        """The winning side; where one only says who has lost, everybody else."""
        lost = set(range(len(game.account))) - set(game.losers) if game.losers else ()
        won = game.winners or lost
        return tuple(seat for seat in game.seats if game.side_of(seat) in won)

    def skip(self, session: _Context, seat: str) -> tuple[Sequence[Data], str]:
        """Play for a seat that is away; only the clock itself, where one runs, makes it lose."""
        return session.decide(REFEREE, plainest(session.table.game, seat)), "turn"

    def limit(self, session: _Present) -> Limit | None:
        """The match's own clock where it has one, else the table's timer of a turn."""
        options = session.table.game.options
        if options.rating and options.move_clock and self.rules.asked(session.table.game):
            return Limit("turn", options.move_clock + session.live.extra_s, True)
        return super().limit(session)

    def figures(self, event: Data) -> Mapping[str, Any]:
        """Which bone was laid where; how a round ended, and by whom."""
        match event:
            case BonePlaced(_, bone, end):
                return {"bone": bone, "way": end or "first"}
            case RoundEnded(result):
                return {"seat": result.seat, "way": result.how.value}
        return {}


PLAY = DominoesPlay()
