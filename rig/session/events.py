"""What the host changes about a table, as events, and what each of them leaves behind. Pure.

Nothing is ever taken out of the journal: to undo is an event too. The table keeps what was before
the last step that can be undone, and forgets it as soon as something follows that cannot.
"""

import typing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rig.config import Timers
from rig.games.estimation import events as game_events
from rig.games.estimation.events import Event as GameEvent
from rig.games.estimation.game import Game
from rig.games.estimation.options import Options
from rig.games.estimation.physical.push_events import Standing

if TYPE_CHECKING:
    from rig.session.state import Event, Table

_MOST_PASTS = 8
_GAME_STEPS = ("placed", "skipped")


@dataclass(frozen=True, slots=True)
class Past:
    """What a step that can be undone has changed.

    Attributes:
        what: placed, skipped, renamed or moved.
        seat: whose step it was.
        game: the game before it, and
        row: the row as it was read then, and
        latest: the tile that was the last, for steps of the game.
        name: the name before it.
        order: the order of seats before it.
    """

    what: str
    seat: str
    game: Game | None = None
    row: tuple[Standing, ...] = ()
    latest: int | None = None
    name: str = ""
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the host settled by word, for all to see while the same moment lasts."""

    kind: str
    by: str
    why: str
    seat: str | None
    step: int


@dataclass(frozen=True, slots=True)
class Renamed:
    """A player has another name."""

    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class SeatMoved:
    """A seat went to another place in the order round the table."""

    seat: str
    to: int


@dataclass(frozen=True, slots=True)
class SeatHanded:
    """A seat has another phone from now on, or none where `device` is None."""

    seat: str
    device: str | None = field(metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class HostHanded:
    """Another seat is the host's."""

    seat: str


@dataclass(frozen=True, slots=True)
class RightsTaken:
    """A device no longer has the host's rights by their secret."""

    device: str = field(metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class OptionsChosen:
    """The table reads the open points of the rules in this way."""

    options: Options


@dataclass(frozen=True, slots=True)
class TimersSet:
    """Ballots and turns have these limits."""

    timers: Timers


@dataclass(frozen=True, slots=True)
class Undone:
    """The last step that could be undone has not happened."""

    what: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """Who settled what, and why: undone, verdict, void, or the turn or ballot of a seat."""

    kind: str
    by: str
    why: str = ""
    seat: str | None = None


Change = (
    Renamed
    | SeatMoved
    | SeatHanded
    | HostHanded
    | RightsTaken
    | OptionsChosen
    | TimersSet
    | Undone
    | Ruled
)


def fold(table: "Table", event: Change) -> "Table":
    """Give the table after a change."""
    match event:
        case Renamed(seat, name):
            return _with_player(table, seat, name=name)
        case SeatMoved(seat, to):
            moved = [p for p in table.players if p.seat == seat]
            rest = [p for p in table.players if p.seat != seat]
            return replace(table, players=(*rest[:to], *moved, *rest[to:]))
        case SeatHanded(seat, device):
            return _with_player(table, seat, device=device)
        case HostHanded(seat):
            return replace(table, host=seat)
        case RightsTaken(device):
            kept = tuple(each for each in table.host_devices if each != device)
            return replace(table, host_devices=kept)
        case OptionsChosen(options):
            return replace(table, game=replace(table.game, options=options))
        case TimersSet(timers):
            return replace(table, timers=timers)
        case Undone():
            return _undone(table)
        case Ruled(kind, by, why, seat):
            return replace(table, ruling=Ruling(kind, by, why, seat, table.step))


def _undone(table: "Table") -> "Table":
    """Put back what the last step changed; everything else stays as it is now."""
    *pasts, past = table.pasts
    table = replace(table, pasts=tuple(pasts))
    match past.what:
        case "renamed":
            return _with_player(table, past.seat, name=past.name)
        case "moved":
            place = {seat: n for n, seat in enumerate(past.order)}
            players = sorted(table.players, key=lambda p: place.get(p.seat, len(place)))
            return replace(table, players=tuple(players))
        case _:
            assert past.game is not None
            game = replace(past.game, turn=table.game.turn + 1)
            return replace(table, game=game, row=past.row, latest=past.latest, step=table.step + 1)


def remember(before: "Table", event: "Event", after: "Table") -> "Table":
    """Note what an event has changed if it can be undone, and forget what no longer can."""
    match event:
        case Renamed(seat):
            was = before.player(seat)
            name = was.name if was else ""
            return _kept(after, before.pasts, Past("renamed", seat, name=name))
        case SeatMoved(seat):
            order = tuple(p.seat for p in before.players)
            return _kept(after, before.pasts, Past("moved", seat, order=order))
        case game_events.TilePlaced(seat) | game_events.TileMoved(seat):
            after = replace(after, skips=0)
            return _kept(after, _aside(before.pasts), _of_game("placed", seat, before))
        case game_events.TurnSkipped(seat):
            after = replace(after, skips=before.skips + 1)
            return _kept(after, _aside(before.pasts), _of_game("skipped", seat, before))
        case game_events.RoundDealt():
            after = replace(after, skips=0)
        case game_events.RowFixProposed() | game_events.RowFixDeclined():
            return after
    if isinstance(event, typing.get_args(GameEvent)) and before.pasts:
        return replace(after, pasts=_aside(before.pasts))
    return after


def _of_game(what: str, seat: str, before: "Table") -> Past:
    return Past(what, seat, game=before.game, row=before.row, latest=before.latest)


def _aside(pasts: tuple[Past, ...]) -> tuple[Past, ...]:
    """All but the steps of the game, which something has followed."""
    return tuple(past for past in pasts if past.what not in _GAME_STEPS)


def _kept(table: "Table", pasts: tuple[Past, ...], past: Past) -> "Table":
    return replace(table, pasts=(*pasts, past)[-_MOST_PASTS:])


def _with_player(table: "Table", seat: str, **changes: Any) -> "Table":
    players = tuple(replace(p, **changes) if p.seat == seat else p for p in table.players)
    return replace(table, players=players)
