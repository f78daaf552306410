"""What a table knows for the moment, and what may be forgotten in a crash."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from physics.tile import Tile
from rig.pusher import PusherStatus
from rig.table import Event, Forecast, Table


@dataclass(frozen=True, slots=True)
class Reading:
    """What the camera makes of the active player's tile, until it is confirmed.

    Attributes:
        state: waiting, hand, looking, proposal, wrong or unsure.
        tile: the tile that came.
        position: where it would stand in the row, from 0.
        row: the whole row with it, left to right.
        violations: what is wrong with it: kind and values.
    """

    state: str = "looking"
    tile: Tile | None = None
    position: int | None = None
    row: tuple[Tile, ...] = ()
    violations: tuple[tuple[str, tuple[int, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Hold:
    """The toppler's thumb on the button: a push may follow with this nonce."""

    nonce: str
    seat: str
    at_s: float


@dataclass(frozen=True, slots=True)
class Hands:
    """What hands hold at the virtual pusher, besides its arm switch.

    Attributes:
        estop: the red button is pressed.
        beams: whether each light beam is broken.
    """

    estop: bool
    beams: tuple[bool, bool]


@dataclass(slots=True)
class Live:
    """What a restart may forget.

    Attributes:
        since_s: when the present step began, on the clock's monotonic time.
        since_epoch_s: the same as wall time, for the phones.
        clear: nothing but the row is on the table.
        fault: what is wrong with the machine, in words, or "".
        push_due: the push that the machine has to make, and
        push_due_s: when it was asked for, on the clock's monotonic time.
        shouts: seats that called after the first, with milliseconds.
        ms: how long each stage of this round took.
    """

    since_s: float = 0.0
    since_epoch_s: float = 0.0
    reading: Reading = field(default_factory=Reading)
    clear: bool = False
    fault: str = ""
    hold: Hold | None = None
    forecast: Forecast | None = None
    push_due: int | None = None
    push_due_s: float = 0.0
    shouts: list[tuple[str, int]] = field(default_factory=list)
    connected: dict[str, bool] = field(default_factory=dict)
    ms: dict[str, float] = field(default_factory=dict)


class MachinePort(Protocol):
    """What the session needs of the machine behind it."""

    @property
    def virtual(self) -> bool:
        """Whether people stand tiles by dragging them on the top view."""

    def before_commit(self, before: Table, after: Table) -> Sequence[Event]:
        """Hear of a change that is about to be written; give what has to be written with it."""

    def undo(self) -> None:
        """Hear that nothing of it was written: the virtual table is as it was before."""

    def wake(self) -> None:
        """Look now: something has changed."""

    def stop(self) -> None:
        """Stop the pusher at once, from any thread."""

    def pusher_status(self) -> PusherStatus | None:
        """How the pusher is; None without one, or while it cannot be reached."""

    def set_switch(self, on: bool) -> None:
        """Turn the arm switch of the virtual pusher."""

    def hands(self) -> Hands | None:
        """What is held at the virtual pusher; None where the pusher is not virtual."""

    def set_estop(self, pressed: bool) -> None:
        """Press the red button of the virtual pusher, or pull it out."""

    def set_beam(self, beam: int, broken: bool) -> None:
        """Break a light beam of the virtual pusher, or free it."""

    def clear_stop(self) -> None:
        """Leave the stopped state."""

    def stand(
        self, value: int, x_mm: float, y_mm: float, heading_rad: float, orientation: str
    ) -> Sequence[Event]:
        """Stand a tile on the virtual table."""

    def take_back(self, value: int) -> Sequence[Event]:
        """Take the tile that was just stood off the virtual table again."""

    def confirmed(self) -> None:
        """Hear that the row as read is the row."""

    def close(self) -> None:
        """Stop the thread; the pusher goes to rest."""
