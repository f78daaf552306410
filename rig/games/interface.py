"""The port of a game: all that a table needs of one, whatever is played. Pure.

A game is a folder beside this file. It knows no clock, chance, file or device: time and chance come
in commands. What its events tell is known to everybody unless a field says otherwise (`known_to`);
journal, game file and replay go by that alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from enum import StrEnum
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from rig.errors import RigError

HOST = "host"
"""The actor who runs the table."""
REFEREE = "referee"
"""The program: it deals, reveals, and goes on when time is over."""
CAMERA = "camera"
"""The camera over the table, where a game has one: it says what it has seen."""

LOBBY = "LOBBY"
"""The phase of a game that has not begun."""
GAME_OVER = "GAME_OVER"
"""The phase of a game that has ended and is still on the screens."""

STARTED = "GameStarted"
ENDED = "GameEnded"
REOPENED = "LobbyReopened"
"""The events that every game has by these names: it begins, is over, is cleared away."""

Seat: TypeAlias = str
"""A seat by its name: "s1", "s2" and so on, clockwise."""

Draw: TypeAlias = Callable[[int], int]
"""Chance: `draw(n)` gives a whole number of 0..n-1."""


class Data(Protocol):
    """A command or an event: a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


class GameState(Protocol):
    """A game as it stands: frozen, and in some phase."""

    @property
    def phase(self) -> StrEnum:
        """Where it stands: `LOBBY` before it begins, `GAME_OVER` after its end."""


class RulesRefused(RigError):
    """The rules do not allow a command; nothing has changed.

    Attributes:
        reason: a key for the page.
    """

    def __init__(self, reason: StrEnum, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class BadOption(RigError):
    """An option of a game has an unknown name or a value it cannot have."""


class PlayOrder(StrEnum):
    """Which way turns go round the table."""

    CLOCKWISE = "clockwise"
    COUNTER_CLOCKWISE = "counter-clockwise"

    def next(self, seats: Sequence[Seat], seat: Seat) -> Seat:
        """The seat after one, of seats that are named clockwise.

        >>> PlayOrder.COUNTER_CLOCKWISE.next(("s1", "s2", "s3"), "s1")
        's3'
        """
        step = 1 if self is PlayOrder.CLOCKWISE else -1
        return seats[(seats.index(seat) + step) % len(seats)]


class Guard(StrEnum):
    """What a command must name: with another name it was meant for another moment."""

    TURN = "turn"
    """The very step of the game."""
    TRICK = "trick"
    """The trick alone, for whoever may act out of turn."""
    NONE = "none"
    """Nothing: it is good at any time."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A command as phones give it.

    Attributes:
        make: its class.
        guard: what it must name.
        host: only the host may give it.
    """

    make: type[Any]
    guard: Guard = Guard.TURN
    host: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat that is waited for; several may be at once.

    Attributes:
        seat: which.
        kind: what for, which names its timer and its words: turn, ballot, exchange.
        otherwise: the command by which the referee acts for it when time is over; None: wait on.
    """

    seat: Seat
    kind: str
    otherwise: Any = None


C = TypeVar("C")
G = TypeVar("G", bound=GameState)
E = TypeVar("E", bound=Data)


@dataclass(frozen=True, slots=True)
class Due(Generic[C]):
    """What happens by itself next.

    Attributes:
        pause: what is waited for, which names how long: countdown, reveal, window, round_end.
        command: what the referee asks for then.
    """

    pause: str
    command: C


class Rules(Protocol[G, C, E]):
    """A game.

    Attributes:
        name: its folder, and what a journal calls it.
        commands: what phones may ask for, by name.
        referee: the commands that nobody asks for by phone: they deal, reveal, go on.
        events: what can happen, by name.
        presets: sets of options with a name of their own.
        choices: what an option can be, by its name: `values`, or a whole number from `least` to
            `most`; only of options that the pages offer by themselves, and in which `presets`, if
            not in all.
        fewest: the smallest number of players.
        most: the largest number of players.
    """

    name: str
    commands: Mapping[str, Spec]
    referee: Sequence[type[Any]]
    events: Mapping[str, type[E]]
    presets: Mapping[str, Mapping[str, object]]
    choices: Mapping[str, Mapping[str, object]]
    fewest: int
    most: int

    def new(self, options: Mapping[str, object]) -> G:
        """A game in the lobby; raises `BadOption`."""

    def options(self, game: G) -> Mapping[str, object]:
        """The options it is played by, as `new` takes them."""

    def start(self, seats: Sequence[Seat], first: Seat | None, draw: int, name: str) -> C:
        """The command that begins a game; `draw` is a random number, `name` no other game's."""

    def deal(self, order: Sequence[int]) -> C:
        """The referee's command that brings a shuffle of `needs()`."""

    def leave(self, seat: Seat) -> C:
        """The command that takes a seat out of the game for good."""

    def rematch(self) -> C:
        """The command that leads back to the lobby."""

    def seats(self, game: G) -> tuple[Seat, ...]:
        """Those who play."""

    def play_order(self, game: G) -> PlayOrder:
        """Which way turns go now."""

    def teams(self, game: G, seats: Sequence[Seat]) -> Sequence[Sequence[Seat]]:
        """The teams in which these seats play (`alternating`); none where everybody is alone."""

    def decide(self, game: G, actor: str, command: C) -> tuple[E, ...]:
        """What happens if this actor does this now; `RulesRefused` where nothing may."""

    def evolve(self, game: G, event: E) -> G:
        """The game after an event."""

    def view(self, game: G, seat: Seat | None) -> Mapping[str, Any]:
        """All that a seat may know, JSON-ready; None is the table screen and whoever watches."""

    def moment(self, game: G, guard: Guard) -> str:
        """What a command under this guard must name."""

    def asked(self, game: G) -> Sequence[Asked]:
        """The seats that are waited for."""

    def due(self, game: G) -> Due[C] | None:
        """What happens by itself next, if anything does."""

    def needs(self, game: G) -> int:
        """So many cards or bones are owed shuffled; 0: none."""

    def over(self, game: G) -> Mapping[Seat, float] | None:
        """What everybody has won, None while it goes on."""

    def legal(self, game: G, seat: Seat) -> Iterator[C]:
        """Every command that the seat could give now."""

    def imagine(self, game: G, seat: Seat | None, draw: Draw) -> G:
        """A game with the same view for this seat, all that it cannot know drawn anew."""


def alternating(seats: Sequence[Seat], teams: int) -> tuple[tuple[Seat, ...], ...]:
    """Teams whose seats take turns round the table, so that two partners sit opposite each other.

    >>> alternating(("s1", "s2", "s3", "s4"), 2)
    (('s1', 's3'), ('s2', 's4'))
    """
    if len(seats) % teams:
        raise ValueError(f"{len(seats)} seats are no {teams} teams of one size")
    return tuple(tuple(seats[first::teams]) for first in range(teams))


def known_to(who: str, until: str = "", team: bool = False) -> dict[str, Any]:
    """Say in a field's metadata who may know it; without, everybody may.

    Args:
        who: the name of the field that holds the seat which may, or "nobody".
        until: the name of the event after which everybody may; never where it is "".
        team: whether the partners of that seat may, too.

    >>> known_to("seat", until="HandsShown")["secret"]
    True
    """
    return {"secret": True, "known_to": who, "until": until, "team": team}


def knows(seat: Seat | None, event: Data, teams: Sequence[Sequence[Seat]] = ()) -> frozenset[str]:
    """The fields of an event that a seat may know when it happens; None is whoever watches."""
    return frozenset(f.name for f in fields(event) if _may_know(seat, event, f.metadata, teams))


def _may_know(
    seat: Seat | None, event: Data, said: Mapping[str, Any], teams: Sequence[Sequence[Seat]]
) -> bool:
    if not said.get("secret"):
        return True
    owner = getattr(event, said.get("known_to", "nobody"), None)
    partners = said.get("team") and any(owner in team and seat in team for team in teams)
    return seat is not None and (seat == owner or bool(partners))


def secret(event: Data | type[Data]) -> frozenset[str]:
    """The fields of an event that not everybody may know when it happens."""
    return frozenset(f.name for f in fields(event) if f.metadata.get("secret"))


def shown_by(kind: type[Data]) -> Mapping[str, str]:
    """The fields of an event that everybody may know later, each with the event that shows it."""
    return {f.name: f.metadata["until"] for f in fields(kind) if f.metadata.get("until")}
