"""What a table knows for the moment and may forget in a crash, and who tells it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self

from rig.games.interface import Data
from rig.pusher.port import StopAnswer

PhotoReader = Callable[[bytes], dict[str, Any]]
"""Reads a photo's file into what a command brings; plain data, so that another process can do it.

With a `picture` among it, it is for `Session.photographed`; otherwise for the phone to send.
"""


@dataclass(frozen=True, slots=True)
class Limit:
    """Something that runs out.

    Attributes:
        kind: ballot, turn or verdict.
        after_s: how long after the step began, what the host added included.
        hard: whether anything happens then.
    """

    kind: str
    after_s: float
    hard: bool


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """A phone that says whose seat it had; `nonce` names this very claim to the host."""

    device: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Live:
    """What a restart may forget; a game's own folder adds what it needs.

    Attributes:
        since_s: when the present step began, on the clock's monotonic time.
        since_epoch_s: the same as wall time, for the phones.
        fault: what is wrong with the machine, in words, or "".
        connected: the devices that have a stream open.
        extra_s: what the host has added to what runs out now.
        left_s: when each device came or went last, on the clock's monotonic time.
        opened_s: when the table opened, on the same clock.
        drawer_free: the host has been gone for so long that another may take the drawer. Views
            work that out themselves; it stands here so that screens hear when it changes.
        screens: the table screens that say they are visible.
        sounding: those that let the table be heard.
        phones_sound: the host has phones sound besides.
        language: what the host's phone speaks, as "uk"; "" while it has not said.
        claims: phones that ask for the seat they had, until the host answers.
    """

    since_s: float = 0.0
    since_epoch_s: float = 0.0
    fault: str = ""
    connected: Mapping[str, bool] = field(default_factory=dict)
    extra_s: float = 0.0
    left_s: Mapping[str, float] = field(default_factory=dict)
    opened_s: float = 0.0
    drawer_free: bool = False
    screens: frozenset[str] = frozenset()
    sounding: frozenset[str] = frozenset()
    phones_sound: bool = False
    language: str = ""
    claims: Mapping[str, SeatClaim] = field(default_factory=dict)

    @classmethod
    def opened(cls, at_s: float) -> Self:
        """What a table knows that opens now."""
        return cls(opened_s=at_s)

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """The same with other values for some of it, by name."""
        return replace(self, **changes)

    def with_device(
        self, device: str, here: bool, at_s: float, matters: Callable[[str], bool]
    ) -> Self:
        """A device has come or gone; one that is gone and does not matter is forgotten."""
        connected = {**self.connected, device: here}
        left_s = {**self.left_s, device: at_s}
        kept = {each for each in left_s if connected.get(each) or matters(each)}
        return replace(
            self,
            connected={each: on for each, on in connected.items() if each in kept},
            left_s={each: at for each, at in left_s.items() if each in kept},
        )


class Hearing(Protocol):
    """What others tell a session of what may be forgotten: nobody else changes its `Live`.

    Each takes effect at once, from any thread, and tells the screens if they show anything else by
    it. None waits for a disk, nor for a command that does. A game's own folder adds what it needs.
    """

    def times_s(self) -> tuple[float, float]:
        """The time of now: on the clock's monotonic time, and as wall time."""
        raise NotImplementedError

    def update_at(self, table: Any, **changes: Any) -> bool:
        """Change `Live` unless the table is another by now; for sessions alone."""
        raise NotImplementedError

    def update(self, **changes: Any) -> None:
        """Change `Live`; for sessions alone."""
        self.update_at(None, **changes)

    def step_began(self, at_s: float, epoch_s: float) -> None:
        """The present step began then, on the clock's monotonic time and as wall time."""
        self.update(since_s=at_s, since_epoch_s=epoch_s)

    def given_longer(self, extra_s: float) -> None:
        """The host gives the present step so much time in all."""
        self.update(extra_s=extra_s)

    def resumed(self) -> None:
        """The present step begins anew now; what the host had added to its time is gone."""
        since_s, since_epoch_s = self.times_s()
        self.update(since_s=since_s, since_epoch_s=since_epoch_s, extra_s=0.0)

    def drawer_is(self, free: bool) -> None:
        """Whether another than the host may take the drawer now."""
        self.update(drawer_free=free)

    def claimed(self, claims: Mapping[str, SeatClaim]) -> None:
        """These phones ask for the seats they had."""
        self.update(claims=claims)

    def let_phones_sound(self, on: bool) -> None:
        """The host has phones sound, whatever screen says that it sounds; or leaves it to that."""
        self.update(phones_sound=on)

    def host_speaks(self, language: str) -> None:
        """The host's phone speaks this language."""
        self.update(language=language)

    def failed(self, fault: str) -> None:
        """Something is wrong with the machine, in words."""
        self.update(fault=fault)

    def works(self) -> None:
        """The machine does what it should."""
        self.update(fault="")


class MachinePort(Protocol):
    """What a session needs of the machine behind it."""

    def before_commit(self, before: Any, after: Any) -> Sequence[Data]:
        """Hear of a change that is about to be written; give what has to be written with it.

        What it means for the machine itself is left to `Session.when_written`.
        """

    def wake(self) -> None:
        """Look now: something has changed."""

    def stop(self) -> StopAnswer:
        """Stop the pusher at once, from any thread; waits for no lock of the session, no disk."""

    def halt(self) -> None:
        """Begin nothing more, and stop the pusher unless it is at rest; `close` comes later."""

    def picture_now(self) -> bytes | None:
        """What the camera sees now, as JPEG, with what is wrong drawn into it; None without one."""

    def photo_reader(self) -> PhotoReader | None:
        """What reads a photo by hand into the words of a command; None where none is wanted."""

    def close(self) -> None:
        """Stop the thread; the pusher goes to rest."""
