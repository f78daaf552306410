"""All that a table remembers, whatever is played there: who sits where, the game, the host's word.

Pure like the rules: an event makes a new `Table` out of the one before, and replaying the journal
makes the last one again. Nothing here can move the machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from rig.config import Timers
from rig.games.dealing import Dealing, ShuffleStage
from rig.games.interface import GAME_OVER, LOBBY, GameState, Seat
from rig.session.devices import Devices, DevicesChanged
from rig.session.events import (
    EveningBegan,
    HostGiven,
    HostHanded,
    Past,
    Paused,
    Readied,
    Renamed,
    RightsTaken,
    Ruled,
    Ruling,
    Seated,
    SeatEmptied,
    SeatHanded,
    SeatMoved,
    Stopped,
    TableEvent,
    TableOpened,
    TimersSet,
    Undone,
)

MARKS = (
    *("circle", "triangle", "square", "star", "diamond", "cross"),
    *("moon", "bolt", "bow", "chevron"),
)
"""The marks of seats, told apart by shape and by colour, in the order in which they are offered."""
_FEWEST_MARKS = 6
"""At least so many marks are offered, even where fewer can sit."""

_MOST_PASTS = 8
TABLE_STEPS = ("renamed", "moved")
"""What can be undone at any table, beside the steps of its game."""


@dataclass(frozen=True, slots=True)
class Player:
    """Whoever sits in a seat.

    Attributes:
        seat: its name, "s1" and so on.
        name: what to call them.
        mark: one of `MARKS`.
        device: hash of their phone's token, None for a bot and for whoever has no phone.
        played: games of this evening that came to their end with them, cleared away since, and
        won: how many of those they won.
    """

    seat: str
    name: str
    mark: str
    device: str | None = None
    bot: bool = False
    ready: bool = False
    played: int = 0
    won: int = 0


@dataclass(frozen=True, slots=True)
class TableAtStart:
    """A table as a game began at it: all that its file has to know of the time before.

    Attributes:
        players: who sat there.
        host: the host's seat.
        host_devices: those that had the host's rights by the secret.
        pasts: what could still be undone.
    """

    players: tuple[Player, ...] = ()
    host: str | None = None
    host_devices: tuple[str, ...] = ()
    pasts: tuple[Past, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """What the journal tells of a table, at one moment; a game's own folder adds what it needs.

    Attributes:
        game: the game as it stands, by its rules.
        games: how many have begun.
        step: counts the moments for which commands are meant.
        paused_by: who has the table wait, None while it does not.
        stopped_by: who has pressed STOP, None once that is cleared.
        pictures: the number of the newest picture.
        pasts: what can be undone, the newest last.
        started: the table as this game began.
        dealing: the newest shuffle of this game, None where it has had none.
    """

    code: str = ""
    host_secret: str = ""
    players: tuple[Player, ...] = ()
    host: str | None = None
    host_devices: tuple[str, ...] = ()
    game: Any = None
    games: int = 0
    step: int = 0
    paused_by: str | None = None
    stopped_by: str | None = None
    timers: Timers | None = None
    pasts: tuple[Past, ...] = ()
    ruling: Ruling | None = None
    devices: Devices = field(default_factory=Devices)
    started: TableAtStart | None = None
    pictures: int = 0
    dealing: Dealing | None = None

    @property
    def phase(self) -> Any:
        """The game's phase."""
        game: GameState = self.game
        return game.phase

    @property
    def in_lobby(self) -> bool:
        """Whether no game has begun."""
        return bool(self.phase == LOBBY)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended and is still on the screens."""
        return bool(self.phase == GAME_OVER)

    @property
    def is_between_rounds(self) -> bool:
        """Whether no round runs for which there was a shuffle, so that nobody holds a hand."""
        ended = self.dealing is None or self.dealing.stage is ShuffleStage.OPEN
        return ended or self.in_lobby or self.is_over

    @property
    def phase_id(self) -> str:
        """Changes with every step of the game, so that a late command is known as late."""
        return f"{self.games}.{self.step}.{self.phase.value}"

    def player(self, seat: str | None) -> Player | None:
        """Who sits in this seat."""
        return next((p for p in self.players if p.seat == seat), None)

    def by_device(self, device: str | None) -> Player | None:
        """Whose phone this is."""
        if device is None:
            return None
        return next((p for p in self.players if p.device == device), None)

    def speaker(self, device: str | None) -> Player | None:
        """Who speaks by a device: whose phone it is, or the bot of "bot:SEAT"."""
        if device is not None and device.startswith("bot:"):
            player = self.player(device[4:])
            return player if player and player.bot else None
        return self.by_device(device)

    def is_host(self, device: str | None) -> bool:
        """Whether a device has the host's rights."""
        player = self.speaker(device)
        return device in self.host_devices or (player is not None and player.seat == self.host)

    def has_room(self, most: int) -> bool:
        """Whether somebody could sit down now, where so many can play."""
        return (self.in_lobby or self.is_over) and len(self.players) < most

    def free_marks(self, most: int) -> list[str]:
        """The marks that nobody has, where so many can play."""
        taken = {p.mark for p in self.players}
        return [mark for mark in marks(most) if mark not in taken]

    @property
    def start(self) -> TableAtStart:
        """The table as it is now, for a game that begins."""
        return TableAtStart(self.players, self.host, self.host_devices, self.pasts)


def marks(most: int) -> tuple[str, ...]:
    """The marks of a table for so many: one more than seats, so that whoever is last has a choice.

    >>> marks(5)[-1], len(marks(10))
    ('cross', 10)
    """
    return MARKS[: max(_FEWEST_MARKS, most + 1)]


T = TypeVar("T", bound=Table)


def fold(table: T, event: TableEvent) -> T:
    """Give the table after an event that is not its game's; `OptionsChosen` is for the game."""
    match event:
        case TableOpened(code, host_secret):
            return replace(table, code=code, host_secret=host_secret)
        case Seated(seat, name, mark, device, bot):
            player = Player(seat, name, mark, device, bot, ready=device is None)
            host = table.host or (None if device is None else seat)
            return replace(table, players=(*table.players, player), host=host)
        case Readied(seat, on):
            return _with_player(table, seat, ready=on)
        case SeatEmptied(seat):
            players = tuple(p for p in table.players if p.seat != seat)
            people = [p.seat for p in players if p.device is not None]
            host = table.host if table.host != seat else (people[0] if people else None)
            return replace(table, players=players, host=host)
        case EveningBegan():
            anew = (replace(p, played=0, won=0) for p in table.players)
            return replace(table, players=tuple(anew))
        case HostGiven(device):
            return replace(table, host_devices=(*table.host_devices, device))
        case Paused(by):
            return replace(table, paused_by=by)
        case Stopped(by):
            return replace(table, stopped_by=by)
        case DevicesChanged(devices):
            return replace(table, devices=devices)
        case Renamed(seat, name):
            was = table.player(seat)
            past = Past("renamed", seat, name=was.name if was else "")
            return remembering(_with_player(table, seat, name=name), table.pasts, past)
        case SeatMoved(seat, to):
            moved = [p for p in table.players if p.seat == seat]
            rest = [p for p in table.players if p.seat != seat]
            past = Past("moved", seat, order=tuple(p.seat for p in table.players))
            after = replace(table, players=(*rest[:to], *moved, *rest[to:]))
            return remembering(after, table.pasts, past)
        case SeatHanded(seat, device):
            return _with_player(table, seat, device=device)
        case HostHanded(seat):
            return replace(table, host=seat)
        case RightsTaken(device):
            kept = tuple(each for each in table.host_devices if each != device)
            return replace(table, host_devices=kept)
        case TimersSet(timers):
            return replace(table, timers=timers)
        case Undone():
            return _undone(table)
        case Ruled(kind, by, why, seat):
            return replace(table, ruling=Ruling(kind, by, why, seat, table.step))
        case _:
            return table


def _undone(table: T) -> T:
    """Put back a name or an order of seats; everything else stays as it is now."""
    *pasts, past = table.pasts
    table = replace(table, pasts=tuple(pasts))
    if past.what == "renamed":
        return _with_player(table, past.seat, name=past.name)
    if past.what == "moved":
        place = {seat: n for n, seat in enumerate(past.order)}
        players = sorted(table.players, key=lambda p: place.get(p.seat, len(place)))
        return replace(table, players=tuple(players))
    return table


def remembering(table: T, pasts: Sequence[Past], past: Past) -> T:
    """The same table, which knows how to undo one step more."""
    return replace(table, pasts=(*pasts, past)[-_MOST_PASTS:])


def followed(pasts: Sequence[Past]) -> tuple[Past, ...]:
    """What can still be undone once the game has gone on: none of its own steps."""
    return tuple(past for past in pasts if past.what in TABLE_STEPS)


def everybody_unready(table: T) -> T:
    """The same table before a new game: people have to say again that they are ready."""
    players = tuple(replace(p, ready=p.device is None) for p in table.players)
    return replace(table, players=players)


def counted(table: T, seats: Sequence[Seat], winners: Sequence[Seat]) -> T:
    """The same table, with one game more that these have played and those have won."""
    players = (
        replace(p, played=p.played + (p.seat in seats), won=p.won + (p.seat in winners))
        for p in table.players
    )
    return replace(table, players=tuple(players))


def _with_player(table: T, seat: str, **changes: Any) -> T:
    players = tuple(replace(p, **changes) if p.seat == seat else p for p in table.players)
    return replace(table, players=players)
