"""All that a table remembers: who sits there, the game, the row as last seen, the last push.

Pure like the rules: an event makes a new `Table` out of the one before, and replaying the journal
makes the last one again. Nothing here can move the machine.
"""

import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from rig.games.estimation import codec, evolve
from rig.games.estimation.events import Event as GameEvent
from rig.games.estimation.events import LobbyReopened, RoundDealt, RoundVoided
from rig.games.estimation.game import Game
from rig.games.estimation.words import Phase
from rig.games.plain import from_plain, to_plain
from rig.journal import Record

MARKS = ("circle", "triangle", "square", "star", "diamond", "cross")


@dataclass(frozen=True, slots=True)
class Player:
    """Whoever sits in a seat.

    Attributes:
        seat: its name, "s1" to "s5".
        name: what to call them.
        mark: one of `MARKS`.
        device: hash of their phone's token, None for a bot.
    """

    seat: str
    name: str
    mark: str
    device: str | None = None
    bot: bool = False
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """One tile of the row as it was last read, left to right; degrees as in files."""

    value: int
    orientation: str
    x_mm: float
    y_mm: float
    heading_deg: float
    state: str = "standing"
    sigma_mm: float = 0.0
    sigma_deg: float = 0.0


class PushStep(StrEnum):
    """How far the push of this round has come."""

    REQUESTED = "requested"
    DONE = "done"
    REFUSED = "refused"
    STOPPED = "stopped"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A push of this round: what was asked of the machine, and what is known of it."""

    number: int
    end: str
    value: int
    step: PushStep = PushStep.REQUESTED
    why: str = ""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the model thought of the row before the push."""

    p_fall: float
    low: float
    high: float
    weakest: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera made of the push.

    Attributes:
        fallen: values that are down.
        up: values that still stand.
        order: values with milliseconds after the push, as they went down.
        between: where the wave died, None if it did not.
        gap_mm: the clear distance there.
        sure: whether the camera is sure enough to be the first to say it.
        picture: number of the evidence picture.
    """

    outcome: str
    fallen: tuple[int, ...] = ()
    up: tuple[int, ...] = ()
    order: tuple[tuple[int, int], ...] = ()
    between: tuple[int, int] | None = None
    gap_mm: float | None = None
    sure: bool = True
    picture: int | None = None


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
class Renamed:
    """A player has another name."""

    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class Readied:
    """A player said whether they are ready."""

    seat: str
    on: bool


@dataclass(frozen=True, slots=True)
class SeatMoved:
    """A seat went to another place in the order round the table."""

    seat: str
    to: int


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
    """The row as the camera read it, left to right; `latest` is the tile that came last."""

    tiles: tuple[Standing, ...]
    latest: int | None = None


@dataclass(frozen=True, slots=True)
class PushRequested:
    """Written before the machine is asked to move. Never carried out by a replay."""

    number: int
    end: str
    value: int
    forecast: Forecast | None


@dataclass(frozen=True, slots=True)
class PushEnded:
    """What became of a push: done, refused, stopped, or nobody knows."""

    number: int
    step: PushStep
    why: str = ""


@dataclass(frozen=True, slots=True)
class OutcomeSeen:
    """What the camera saw after the push, and how long each stage took in milliseconds."""

    seen: Seen
    ms: Mapping[str, float]


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
    | Renamed
    | Readied
    | SeatMoved
    | SeatEmptied
    | HostGiven
    | Paused
    | RowRead
    | PushRequested
    | PushEnded
    | OutcomeSeen
    | Stopped
    | WorldChanged
)
Event = TableEvent | GameEvent

_TYPES: dict[str, type] = {t.__name__: t for t in typing.get_args(TableEvent)}


def apply(table: Table, event: Event) -> Table:
    """Give the table after an event."""
    match event:
        case TableOpened(code, host_secret):
            return replace(table, code=code, host_secret=host_secret)
        case Seated(seat, name, mark, device, bot):
            player = Player(seat, name, mark, device, bot, ready=bot)
            host = table.host or (None if bot else seat)
            return replace(table, players=(*table.players, player), host=host)
        case Renamed(seat, name):
            return _with_player(table, seat, name=name)
        case Readied(seat, on):
            return _with_player(table, seat, ready=on)
        case SeatMoved(seat, to):
            moved = [p for p in table.players if p.seat == seat]
            rest = [p for p in table.players if p.seat != seat]
            return replace(table, players=(*rest[:to], *moved, *rest[to:]))
        case SeatEmptied(seat):
            players = tuple(p for p in table.players if p.seat != seat)
            people = [p.seat for p in players if not p.bot]
            host = table.host if table.host != seat else (people[0] if people else None)
            return replace(table, players=players, host=host)
        case HostGiven(device):
            return replace(table, host_devices=(*table.host_devices, device))
        case Paused(by):
            return replace(table, paused_by=by)
        case RowRead(tiles, latest):
            return replace(table, row=tiles, latest=latest)
        case PushRequested(number, end, value, forecast):
            attempt = Attempt(number, end, value)
            return replace(table, attempt=attempt, forecast=forecast, pushes=number)
        case PushEnded(number, step, why):
            if table.attempt is None or table.attempt.number != number:
                return table
            return replace(table, attempt=replace(table.attempt, step=step, why=why))
        case OutcomeSeen(seen, _):
            down = set(seen.fallen)
            row = tuple(
                replace(t, state="fallen" if t.value in down else "standing") for t in table.row
            )
            pictures = max(table.pictures, seen.picture or 0)
            return replace(table, seen=seen, row=row, pictures=pictures)
        case Stopped(by):
            return replace(table, stopped_by=by)
        case WorldChanged(world):
            return replace(table, world=world)
        case _:
            return _game_event(table, event)


def _game_event(table: Table, event: GameEvent) -> Table:
    before = table.game
    after = evolve.evolve(before, event)
    if before.phase is Phase.LOBBY and after.phase is not Phase.LOBBY:
        table = replace(table, games=table.games + 1)
    if (before.phase, before.row) != (after.phase, after.row):
        table = replace(table, step=table.step + 1)
    if isinstance(event, RoundDealt | RoundVoided | LobbyReopened):
        table = _cleared(table)
    if isinstance(event, LobbyReopened):
        players = tuple(replace(p, ready=p.bot) for p in table.players)
        table = replace(table, players=players)
    return replace(table, game=after)


def _cleared(table: Table) -> Table:
    """Forget the row and its push: a new round has its own."""
    return replace(table, row=(), latest=None, attempt=None, forecast=None, seen=None)


def _with_player(table: Table, seat: str, **changes: Any) -> Table:
    players = tuple(replace(p, **changes) if p.seat == seat else p for p in table.players)
    return replace(table, players=players)


def to_record(event: Event, at: float, actor: str, cmd_id: str | None = None) -> Record:
    """Write an event for the journal, its secret fields apart."""
    data = to_plain(event)
    secret = codec.secret(event)
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
    return codec.decode({"type": record.type, **data})
