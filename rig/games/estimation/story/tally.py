"""What the games of Estimation Domino say of their players: votes on pushed rows, and calls."""

from dataclasses import dataclass, field

from rig.games.estimation import events as ev
from rig.games.estimation.story.rounds import Rounds, RoundStory
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.estimation.terms import Phase, Result, Side
from rig.games.interface import Data
from rig.history.votes import Played, VoteRecord


@dataclass(slots=True)
class _Game:
    """A game while it is read."""

    calls: dict[str, int] = field(default_factory=dict)
    rounds: Rounds = field(default_factory=Rounds)
    names: dict[str, str] = field(default_factory=dict)
    """Who sat where; whoever gets up has played all the same."""


class Tally:
    """What the games of a journal say of those who played, event by event."""

    def __init__(self) -> None:
        self._game = _Game()
        self._games: list[Played] = []
        self._running = False

    def take(
        self, at_s: float, event: Data, before: EstimationTable, table: EstimationTable
    ) -> None:
        """Read the next event, with the tables before and after it."""
        if isinstance(event, ev.GameStarted):
            self._game, self._running = _Game(), True
            self._games.append(Played(at_s))
        elif isinstance(event, ev.LobbyReopened):
            self._running = False
        over = before.phase is Phase.GAME_OVER and not isinstance(event, ev.Event)
        if self._running and not over:
            game = self._game
            game.names.update(_names(table))
            game.rounds.take(before, event, table)
            if isinstance(event, ev.BallotsRevealed):
                caller = game.names.get(before.game.caller or "")
                if caller:
                    game.calls[caller] = game.calls.get(caller, 0) + 1
            self._games[-1] = _closed(game, table, at_s)

    def played(self) -> list[Played]:
        """What `played` gives, of the events so far."""
        return [each for each in self._games if each.chips or each.looks]


def _votes(told: RoundStory) -> list[VoteRecord]:
    at, names = told.shown.game, _names(told.shown)
    forecast = told.pushes[-1].forecast if told.pushes else None
    return [
        VoteRecord(
            name=names[seat],
            success=side is Side.SUCCESS,
            free=seat not in at.forced,
            placer=seat == at.placer,
            caller=seat == at.caller,
            p_fall=forecast.p_fall if forecast else None,
            fell=told.outcome is Result.FELL,
        )
        for seat, side in told.ballots.items()
        if names.get(seat)
    ]


def _names(table: EstimationTable) -> dict[str, str]:
    """Who sits where, "" for a bot: it is not counted."""
    return {p.seat: "" if p.bot else p.name for p in table.players}


def _closed(game: _Game, table: EstimationTable, at_s: float) -> Played:
    names = game.names
    chips = {names.get(seat): n for seat, n in table.game.chips.items()}
    winners = [names.get(seat) for seat in table.game.winners]
    return Played(
        at_s=at_s,
        over=table.game.phase is Phase.GAME_OVER,
        chips={name: n for name, n in chips.items() if name},
        winners=tuple(name for name in winners if name),
        calls=dict(game.calls),
        looks=tuple(vote for told in game.rounds.scored for vote in _votes(told)),
    )
