"""What the games of Estimation Domino say of their players: votes on pushed rows, and calls."""

from dataclasses import dataclass, field, replace

from rig.games.estimation import events as ev
from rig.games.estimation.terms import Phase, Result, Side
from rig.games.interface import Data
from rig.history.votes import Played, VoteRecord
from rig.row.push_events import PushRequested
from rig.row.row_table import RowTable


@dataclass(slots=True)
class _Game:
    """A game while it is read; the looks of each push are kept apart, as they may not count."""

    calls: dict[str, int] = field(default_factory=dict)
    pushes: list[list[VoteRecord]] = field(default_factory=list)
    ballots: dict[str, Side] = field(default_factory=dict)
    table: RowTable = field(default_factory=RowTable)
    p_fall: float | None = None
    names: dict[str, str] = field(default_factory=dict)
    """Who sat where; whoever gets up has played all the same."""


class Tally:
    """What the games of a journal say of those who played, event by event."""

    def __init__(self) -> None:
        self._game = _Game()
        self._games: list[Played] = []
        self._running = False

    def take(self, at_s: float, event: Data, before: RowTable, table: RowTable) -> None:
        """Read the next event, with the tables before and after it."""
        if isinstance(event, ev.GameStarted):
            self._game, self._running = _Game(), True
            self._games.append(Played(at_s))
        elif isinstance(event, ev.LobbyReopened):
            self._running = False
        over = before.phase is Phase.GAME_OVER and not isinstance(event, ev.Event)
        if self._running and not over:
            game = self._game
            game.names.update({p.seat: "" if p.bot else p.name for p in table.players})
            _read(game, before, event)
            self._games[-1] = _closed(game, table, at_s)

    def played(self) -> list[Played]:
        """What `played` gives, of the events so far."""
        return [each for each in self._games if each.chips or each.looks]


def _read(game: _Game, before: RowTable, event: object) -> None:
    match event:
        case ev.BallotsRevealed(ballots):
            game.ballots, game.table, game.p_fall = dict(ballots), before, None
            caller = game.names.get(before.game.caller or "")
            if caller:
                game.calls[caller] = game.calls.get(caller, 0) + 1
        case PushRequested(forecast=forecast):
            game.p_fall = forecast.p_fall if forecast else None
        case ev.OutcomeJudged(outcome, _):
            game.pushes.append(_looks(game, outcome))
        case ev.VerdictCorrected(outcome) if game.pushes:
            fell = outcome is Result.FELL
            game.pushes[-1] = [replace(look, fell=fell) for look in game.pushes[-1]]
        case ev.RoundVoided() if before.phase is Phase.ROUND_END and game.pushes:
            game.pushes.pop()
        case _:
            pass


def _looks(game: _Game, outcome: Result) -> list[VoteRecord]:
    at = game.table.game
    looks = []
    for seat, side in game.ballots.items():
        name = game.names.get(seat)
        if name:
            looks.append(
                VoteRecord(
                    name=name,
                    success=side is Side.SUCCESS,
                    free=seat not in at.forced,
                    placer=seat == at.placer,
                    caller=seat == at.caller,
                    p_fall=game.p_fall,
                    fell=outcome is Result.FELL,
                )
            )
    return looks


def _closed(game: _Game, table: RowTable, at_s: float) -> Played:
    names = game.names
    chips = {names.get(seat): n for seat, n in table.game.chips.items()}
    winners = [names.get(seat) for seat in table.game.winners]
    return Played(
        at_s=at_s,
        over=table.phase is Phase.GAME_OVER,
        chips={name: n for name, n in chips.items() if name},
        winners=tuple(name for name in winners if name),
        calls=dict(game.calls),
        looks=tuple(look for push in game.pushes for look in push),
    )
