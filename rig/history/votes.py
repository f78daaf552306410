"""The data behind the statistics: every vote on a row that was pushed, and every call. Pure.

They come from a journal's records. A vote is yes or no, so it is compared with what fell, and with
the chance the model gave the same row; rows that nobody doubted were not pushed and do not count.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rig.games.estimation import events as ev
from rig.games.estimation.terms import Phase, Result, Side
from rig.journal import Record
from rig.session.state import Event, PushRequested, Table, apply, from_record


@dataclass(frozen=True, slots=True)
class Look:
    """One player's vote on a row that was pushed.

    Attributes:
        name: the player.
        success: whether they voted that it would fall.
        free: whether they had a choice; the placer has none.
        placer: whether the last tile was theirs.
        caller: whether they had called.
        p_fall: what the model gave it, None where it gave nothing.
        fell: what became of it.
    """

    name: str
    success: bool
    free: bool
    placer: bool
    caller: bool
    p_fall: float | None
    fell: bool

    @property
    def right(self) -> bool:
        """Whether the vote was on the side that won."""
        return self.success == self.fell


@dataclass(frozen=True, slots=True)
class Played:
    """One game.

    Attributes:
        at_s: when its last event was, in seconds since 1970.
        over: whether it came to its end.
        chips: of every player who was there to the end, by name.
        winners: their names.
        calls: how often each player called and the ballots were shown.
        looks: every vote on every push that counted.
    """

    at_s: float
    over: bool = False
    chips: dict[str, int] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    calls: dict[str, int] = field(default_factory=dict)
    looks: tuple[Look, ...] = ()


@dataclass(slots=True)
class _Game:
    """A game while it is read; the looks of each push are kept apart, as they may not count."""

    calls: dict[str, int] = field(default_factory=dict)
    pushes: list[list[Look]] = field(default_factory=list)
    ballots: dict[str, Side] = field(default_factory=dict)
    table: Table = field(default_factory=Table)
    p_fall: float | None = None
    names: dict[str, str] = field(default_factory=dict)
    """Who sat where; whoever gets up has played all the same."""


def played(records: Iterable[Record]) -> list[Played]:
    """Every game of a journal in which somebody took part who is no bot."""
    table, tally = Table(), Tally()
    for record in records:
        event = from_record(record)
        before, table = table, apply(table, event)
        tally.take(record.at, event, before, table)
    return tally.played()


class Tally:
    """What the games of a journal say of those who played, event by event."""

    def __init__(self) -> None:
        self._game = _Game()
        self._games: list[Played] = []
        self._running = False

    def take(self, at_s: float, event: Event, before: Table, table: Table) -> None:
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


def _read(game: _Game, before: Table, event: object) -> None:
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


def _looks(game: _Game, outcome: Result) -> list[Look]:
    at = game.table.game
    looks = []
    for seat, side in game.ballots.items():
        name = game.names.get(seat)
        if name:
            looks.append(
                Look(
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


def _closed(game: _Game, table: Table, at_s: float) -> Played:
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
