"""What a command brings along, and what of the table whoever carries it out may use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from rig.clock import Clock
from rig.config import Config, Timers
from rig.errors import NotPossible
from rig.games.interface import HOST, Data
from rig.salvage import Damage
from rig.session.live import Limit, Live, MachinePort
from rig.session.state import Player, Table

E = TypeVar("E", bound=StrEnum)

_LARGEST = 1e9
"""No number that a phone may send is larger; NaN and endless ones are not either."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A command with who sent it.

    Attributes:
        device: hash of the device's token.
        player: who sits behind it, None for somebody without a seat.
        host: whether they have the host's rights.
        data: the command as it came.
        hand: who does it for that player, None where they do it themselves.
        code: what phones join by from then on, if this puts one out.
    """

    device: str
    player: Player | None
    host: bool
    data: Mapping[str, Any]
    hand: str | None = None
    code: str = ""

    @property
    def seat(self) -> str:
        """The seat that asks."""
        if self.player is None:
            raise NotPossible("no_seat", "Take a seat first: watchers only watch.")
        return self.player.seat

    @property
    def actor(self) -> str:
        """What the rules call whoever asks."""
        return self.player.seat if self.player else HOST

    def text(self, name: str, choices: Sequence[str] | None = None) -> str:
        """A word of the command."""
        value = self.data.get(name)
        if not isinstance(value, str) or (choices is not None and value not in choices):
            raise _not(name, "one of " + ", ".join(choices) if choices else "a text")
        return value

    def one_of(self, name: str, choices: type[E]) -> E:
        """A word of the command, as the value of the rules that it names."""
        return choices(self.text(name, list(choices)))

    def number(self, name: str) -> float:
        """A finite number of the command."""
        value: Any = self.data.get(name)
        if type(value) not in (int, float) or not abs(value) <= _LARGEST:
            raise _not(name, "a number")
        return float(value)

    def whole(self, name: str) -> int:
        """A whole number of the command."""
        value = self.number(name)
        if not value.is_integer():
            raise _not(name, "a whole number")
        return int(value)

    def flag(self, name: str) -> bool:
        """A yes or no of the command."""
        value = self.data.get(name)
        if not isinstance(value, bool):
            raise _not(name, "true or false")
        return value


def _not(name: str, expected: str) -> NotPossible:
    """A word of a command is not what it has to be."""
    return NotPossible("bad_command", f"{name} has to be {expected}.")


@dataclass(frozen=True, slots=True)
class Told:
    """Events, and what the answer carries besides.

    Attributes:
        events: what follows.
        extra: goes into the answer.
        actor: whose doing it is, where it is not simply that of whoever asked.
        pictures: those that the events speak of, JPEG by number.
    """

    events: Sequence[Data]
    extra: Mapping[str, Any]
    actor: str = ""
    pictures: Mapping[int, bytes] | None = None


T = TypeVar("T", bound=Table, covariant=True)
L = TypeVar("L", bound=Live, covariant=True)
M = TypeVar("M", bound=MachinePort, covariant=True)


class Present(Protocol[T, L, M]):
    """What can be read of a table: of its session, or of one `Moment` of it."""

    @property
    def config(self) -> Config:
        """Its settings."""

    @property
    def clock(self) -> Clock:
        """Its time."""

    @property
    def machine(self) -> M | None:
        """The machine behind it."""

    @property
    def table(self) -> T:
        """What the journal tells."""

    @property
    def live(self) -> L:
        """What a restart may forget."""

    @property
    def timers(self) -> Timers:
        """How long ballots and turns may take."""

    @property
    def damage(self) -> Damage | None:
        """What is wrong with the journal, None where nothing is."""

    @property
    def opened_epoch_s(self) -> float:
        """When the table was opened, as wall time."""

    def ago_s(self, at_s: float) -> float:
        """How long ago a moment was that the table remembers."""

    def limit(self) -> Limit | None:
        """What runs out now, if anything does."""


def machine_of(session: Present[Table, Live, M]) -> M:
    """The machine behind a session, which some commands cannot do without."""
    if session.machine is None:
        raise NotPossible("no_machine", "There is no machine at this table.")
    return session.machine
