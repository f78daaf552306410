"""What a command brings along, and the checks that all commands share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rig.games.estimation.words import HOST
from rig.live import MachinePort
from rig.seats import NotPossible
from rig.table import Event, Player

if TYPE_CHECKING:
    from rig.session import Session


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
            expected = "one of " + ", ".join(choices) if choices else "a text"
            raise NotPossible("bad_command", f"{name} has to be {expected}.")
        return value

    def number(self, name: str) -> float:
        """A finite number of the command."""
        value = self.data.get(name)
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not abs(value) <= _LARGEST
        ):
            raise NotPossible("bad_command", f"{name} has to be a number.")
        return float(value)

    def whole(self, name: str) -> int:
        """A whole number of the command."""
        value = self.number(name)
        if value != int(value):
            raise NotPossible("bad_command", f"{name} has to be a whole number.")
        return int(value)

    def flag(self, name: str) -> bool:
        """A yes or no of the command."""
        value = self.data.get(name)
        if not isinstance(value, bool):
            raise NotPossible("bad_command", f"{name} has to be true or false.")
        return value


@dataclass(frozen=True, slots=True)
class Told:
    """Events, and what the answer carries besides."""

    events: Sequence[Event]
    extra: Mapping[str, Any]


Handler = Callable[["Session", Ask], Told | Sequence[Event]]


def machine_of(session: "Session") -> MachinePort:
    """The machine behind a session, which some commands cannot do without."""
    if session.machine is None:
        raise NotPossible("no_machine", "There is no machine at this table.")
    return session.machine
