"""All that a table remembers: who sits there, the game, the row as last seen, the last push.

Pure like the rules: an event makes a new `Table` out of the one before, and replaying the journal
makes the last one again. Nothing here can move the machine.
"""

import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rig.config import Timers
from rig.games.estimation import events, evolve
from rig.games.estimation.events import Event as GameEvent
from rig.games.estimation.events import LobbyReopened, RoundDealt, RoundVoided
from rig.games.estimation.game import Game
from rig.games.estimation.physical import photo_finish
from rig.games.estimation.physical import push_events as attempt
from rig.games.estimation.physical.photo_finish import FinishEvent, Shouted
from rig.games.estimation.physical.push_events import Attempt as Attempt
from rig.games.estimation.physical.push_events import Forecast as Forecast
from rig.games.estimation.physical.push_events import OutcomeSeen as OutcomeSeen
from rig.games.estimation.physical.push_events import PushEnded as PushEnded
from rig.games.estimation.physical.push_events import PushEvent as PushEvent
from rig.games.estimation.physical.push_events import PushRequested as PushRequested
from rig.games.estimation.physical.push_events import PushStep as PushStep
from rig.games.estimation.physical.push_events import Seen as Seen
from rig.games.estimation.physical.push_events import Standing as Standing
from rig.games.estimation.terms import Phase
from rig.journal import Record
from rig.serialise import from_plain, to_plain
from rig.session import devices
from rig.session.devices import Devices, DevicesChanged
from rig.session.events import Change, Past, Ruling, fold, remember

MARKS = ("circle", "triangle", "square", "star", "diamond", "cross")


@dataclass(frozen=True, slots=True)
class Player:
    """Whoever sits in a seat.

    Attributes:
        seat: its name, "s1" and so on.
        name: what to call them.
        mark: one of `MARKS`.
        device: hash of their phone's token, None for a bot and for whoever has no phone.
    """

    seat: str
    name: str
    mark: str
    device: str | None = None
    bot: bool = False
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Start:
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

    @classmethod
    def of(cls, table: "Table") -> "Start":
        """The table as it is now."""
        return cls(table.players, table.host, table.host_devices, table.pasts)

    @property
    def table(self) -> "Table":
        """The same as a table, without games before."""
        return Table(
            players=self.players,
            host=self.host,
            host_devices=self.host_devices,
            pasts=self.pasts,
        )


@dataclass(frozen=True, slots=True)
class Table:
    """Everything the journal tells, at one moment."""

    code: str = ""
    host_secret: str = ""
    players: tuple[Player, ...] = ()
    host: str | None = None
    host_devices: tuple[str, ...] = ()
    game: Game = field(default_factory=Game)
    games: int = 0
    step: int = 0
    paused_by: str | None = None
    row: tuple[Standing, ...] = ()
    latest: int | None = None
    attempt: Attempt | None = None
    forecast: Forecast | None = None
    seen: Seen | None = None
    stopped_by: str | None = None
    pushes: int = 0
    pictures: int = 0
    world: Mapping[str, Any] | None = None
    shouts: tuple[Shouted, ...] = ()
    photo_finish_s: float | None = None
    timers: Timers | None = None
    pasts: tuple[Past, ...] = ()
    ruling: Ruling | None = None
    skips: int = 0
    devices: Devices = field(default_factory=Devices)
    started: Start | None = None

    @property
    def phase(self) -> Phase:
        """The game's phase."""
        return self.game.phase

    @property
    def phase_id(self) -> str:
        """Changes with every phase and every tile, so that a late command is known as late."""
        return f"{self.games}.{self.step}.{self.phase.value}"

    def player(self, seat: str | None) -> Player | None:
        """Who sits in this seat."""
        return next((p for p in self.players if p.seat == seat), None)

    def by_device(self, device: str | None) -> Player | None:
        """Whose phone this is."""
        if device is None:
            return None
        return next((p for p in self.players if p.device == device), None)


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A table came to be, with the code that phones join by and the secret of its host."""

    code: str
    host_secret: str = field(metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody, or a bot, took a seat."""

    seat: str
    name: str
    mark: str
    device: str | None = field(metadata={"secret": True})
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Readied:
    """A player said whether they are ready."""

    seat: str
    on: bool


@dataclass(frozen=True, slots=True)
class SeatEmptied:
    """A seat is empty again."""

    seat: str


@dataclass(frozen=True, slots=True)
class HostGiven:
    """A device has the host's rights, by its secret."""

    device: str = field(metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class Paused:
    """The table waits, or goes on where `by` is None."""

    by: str | None


@dataclass(frozen=True, slots=True)
class RowRead:
    """The row as the camera read it, left to right; `latest` is the tile that came last.

    Where it differed from what was written down, `by` has said that it is right as it stands, and
    `nod` has agreed.
    """

    tiles: tuple[Standing, ...]
    latest: int | None = None
    by: str | None = None
    nod: str | None = None


@dataclass(frozen=True, slots=True)
class Stopped:
    """Somebody pressed STOP, or cleared it where `by` is None."""

    by: str | None


@dataclass(frozen=True, slots=True)
class WorldChanged:
    """The true state of the virtual table, which the camera alone may look at."""

    world: Mapping[str, Any] = field(metadata={"secret": True})


TableEvent = (
    TableOpened
    | Seated
    | Readied
    | SeatEmptied
    | HostGiven
    | Paused
    | RowRead
    | Stopped
    | WorldChanged
    | DevicesChanged
    | PushEvent
    | FinishEvent
    | Change
)
Event = TableEvent | GameEvent

_TYPES: dict[str, type] = {t.__name__: t for t in typing.get_args(TableEvent)}


def apply(table: Table, event: Event) -> Table:
    """Give the table after an event."""
    return remember(table, event, _applied(table, event))


def _applied(table: Table, event: Event) -> Table:
    if isinstance(event, Change):
        return fold(table, event)
    if isinstance(event, FinishEvent):
        return photo_finish.fold(table, event)
    if isinstance(event, PushEvent):
        return attempt.fold(table, event)
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
        case HostGiven(device):
            return replace(table, host_devices=(*table.host_devices, device))
        case Paused(by):
            return replace(table, paused_by=by)
        case RowRead(tiles, latest):
            return replace(table, row=tiles, latest=latest)
        case Stopped(by):
            return replace(table, stopped_by=by)
        case WorldChanged(world):
            return replace(table, world=world)
        case DevicesChanged():
            return devices.fold(table, event)
        case _:
            return _game_event(table, event)


def _game_event(table: Table, event: GameEvent) -> Table:
    before = table.game
    after = evolve.evolve(before, event)
    if before.phase is Phase.LOBBY and after.phase is not Phase.LOBBY:
        table = replace(table, games=table.games + 1, started=Start.of(table))
    if (before.phase, before.row, before.active) != (after.phase, after.row, after.active):
        table = replace(table, step=table.step + 1)
    if isinstance(event, RoundDealt | RoundVoided | LobbyReopened):
        table = _cleared(table)
    if isinstance(event, LobbyReopened):
        players = tuple(replace(p, ready=p.device is None) for p in table.players)
        table = replace(table, players=players)
    return replace(table, game=after)


def _cleared(table: Table) -> Table:
    """Forget the row and its push: a new round has its own."""
    return replace(table, row=(), latest=None, attempt=None, forecast=None, seen=None, shouts=())


def _with_player(table: Table, seat: str, **changes: Any) -> Table:
    players = tuple(replace(p, **changes) if p.seat == seat else p for p in table.players)
    return replace(table, players=players)


def to_record(event: Event, at: float, actor: str, cmd_id: str | None = None) -> Record:
    """Write an event for the journal, its secret fields apart."""
    data = to_plain(event)
    secret = events.secret(event)
    return Record(
        at=at,
        actor=actor,
        type=type(event).__name__,
        public={k: v for k, v in data.items() if k not in secret},
        secret={k: v for k, v in data.items() if k in secret} or None,
        cmd_id=cmd_id,
    )


def from_record(record: Record) -> Event:
    """Read an event of the journal.

    Raises:
        NotPlain: the record is of no known event, or has another shape.
    """
    data = {**record.public, **(record.secret or {})}
    if record.type in _TYPES:
        return typing.cast(TableEvent, from_plain(_TYPES[record.type], data, record.type))
    return events.decode({"type": record.type, **data})
