"""The pusher's port: what every pusher is asked for, real or pretend.

One hand, one arming, one stroke: somebody turns the arm switch on, `arm` gives a token for ten
seconds, and the token is good for one `push`. States and refusals are those of the firmware, which
has the last word.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from physics.row.push import Push
from rig.errors import RigError


class PusherState(StrEnum):
    """What the pusher is doing."""

    SAFE = "SAFE"
    """Without power, at rest."""
    ARMED = "ARMED"
    """Powered at rest: one token can set it off."""
    OUT = "OUT"
    HOLD = "HOLD"
    BACK = "BACK"
    ESTOP = "ESTOP"
    """Stopped by somebody: without power until cleared."""
    FAULT = "FAULT"
    """Stopped by itself: without power until cleared."""
    AWAY = "AWAY"
    """A stroke was cut short and the arm may be out: without power until a hand has put it home and
    somebody has confirmed it."""


MOVING = (PusherState.OUT, PusherState.HOLD, PusherState.BACK)
"""The states during a stroke."""

LATCHED = (PusherState.ESTOP, PusherState.FAULT)
"""The states that only `clear` leaves."""

TOKEN_S = 10.0
"""Seconds for which a token is valid."""


class Fault(StrEnum):
    """Why it stopped by itself."""

    NONE = "NONE"
    MIDPUSH = "MIDPUSH"
    """The board restarted while the arm may have been out."""
    LINK = "LINK"
    """The computer was silent for half a second."""
    SWITCH = "SWITCH"
    """The arm switch was turned off during a stroke."""


class Refusal(StrEnum):
    """Why the pusher refused a command."""

    STATE = "not in this state"
    ESTOP = "the E-stop is open"
    SWITCH = "the arm switch has to be turned off and on by hand"
    SWITCH_ON = "the arm switch is still on"
    BUSY = "the arm has not settled yet"
    TOKEN = "the token is wrong or used"
    LIMIT = "the stroke is outside the limits"
    AWAY = "the arm may be out: somebody has to put it home by hand and confirm it"


class StopAnswer(StrEnum):
    """What is known about a requested stop."""

    ACKNOWLEDGED = "acknowledged"
    """The pusher says that it is stopped."""
    SENT = "sent"
    """The stop byte has been sent but not acknowledged: use the red button."""
    NOT_SENT = "not_sent"
    """The line accepts nothing: use the red button."""


class PushRefused(RigError, RuntimeError):
    """The pusher said no; nothing has moved."""

    def __init__(self, refusal: Refusal, state: PusherState) -> None:
        super().__init__(f"The pusher refused in state {state}: {refusal.value}; nothing moved.")
        self.refusal = refusal
        self.state = state
        self.reason = f"arm_{refusal.name.lower()}"
        self.key = f"row.refused.{self.reason}"


class PortLost(RigError, ConnectionError):
    """The pusher does not answer; it has not heard the command."""

    reason = "no_pusher"
    key = "air.lost"

    def __init__(self) -> None:
        super().__init__("The pusher does not answer: look at its cable, and use its red button.")


class StrokeUnknown(RigError, RuntimeError):
    """A stroke began and its end is not known: somebody has to look at the row."""

    key = "air.unheard"

    def __init__(self, number: int, known: str = "nothing more was heard of it") -> None:
        super().__init__(f"The pusher was lost during stroke {number}; {known}: look at the row.")
        self.number = number


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """What the pusher reports all the time.

    Attributes:
        state: what it is doing.
        fault: why it stopped by itself; `LINK` is still reported in SAFE, until the next arming.
        switch_on: the arm switch is on.
        switch_cycled: whether the switch has been off since the start and since the last fault,
            stop and arming.
        estop_closed: the red button is not pressed.
        away: the arm is or may be out, because a stroke was cut short.
    """

    state: PusherState
    fault: Fault
    switch_on: bool
    switch_cycled: bool
    estop_closed: bool
    away: bool

    @property
    def ready(self) -> bool:
        """Whether it would arm now."""
        return (
            self.state is PusherState.SAFE
            and self.switch_on
            and self.switch_cycled
            and self.estop_closed
        )

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped it: a button pressed before the start does not latch."""
        pressed = self.state is PusherState.SAFE and not self.estop_closed
        return pressed or self.state is PusherState.ESTOP


@dataclass(frozen=True, slots=True)
class PusherStatus(Heartbeat):
    """What the pusher reports when asked.

    Attributes:
        strokes: how many it has begun since it was started.
    """

    strokes: int


@dataclass(frozen=True, slots=True)
class Armed:
    """One stroke's worth of permission; times on the clock's `monotonic_s`.

    Attributes:
        token: must be given with the push; good once.
        settled_s: from when on a push is accepted.
        expires_s: from when on it no longer is.
    """

    token: int
    settled_s: float
    expires_s: float


class Reach(StrEnum):
    """How far the arm went. Whether it touched the tile is for the camera to see."""

    FULL = "all the way out"
    PART = "stopped on its way out"
    UNKNOWN = "not known how far"


@dataclass(frozen=True, slots=True)
class Stroke:
    """A stroke that is over.

    Attributes:
        number: counted since the pusher was started.
        reach: how far the arm went.
        ended: the state it came to rest in.
    """

    number: int
    reach: Reach
    ended: PusherState

    @property
    def complete(self) -> bool:
        """Whether the arm is known to have gone all the way out."""
        return self.reach is Reach.FULL


@dataclass(frozen=True, slots=True)
class LinkState:
    """How the line to a pusher is.

    Attributes:
        answers: somebody has greeted back and is still there.
        trouble: why nobody has, in words; "" if somebody has.
        key, of: the same for whoever says it in another language, as of `RigError`.
        firmware: the version of the program at the other end; "" while nobody answers.
        given_up: the line could not be opened; it is tried again now and then.
    """

    answers: bool
    trouble: str = ""
    key: str = ""
    of: Mapping[str, Any] = field(default_factory=dict)
    firmware: str = ""
    given_up: bool = False


@dataclass(frozen=True, slots=True)
class Hands:
    """What hands hold at a pretend pusher, besides its arm switch.

    Attributes:
        estop: the red button is pressed.
        beams: whether each light beam is broken.
        plugged: its cable to the computer is in.
    """

    estop: bool
    beams: tuple[bool, bool]
    plugged: bool = True


class Pretend(Protocol):
    """What hands do at a pretend pusher, which has nothing that they could touch."""

    def hands(self) -> Hands:
        """Say what is held now."""

    def set_switch(self, on: bool) -> None:
        """Turn the arm switch."""

    def set_estop(self, pressed: bool) -> None:
        """Press the red button, or pull it out again."""

    def set_beam(self, beam: int, broken: bool) -> None:
        """Hold something into a light beam, or take it away."""

    def set_plugged(self, plugged: bool) -> None:
        """Pull the cable to the computer, or put it back."""


class Pusher(Protocol):
    """Knocks the first tile over: one stroke each time it is armed.

    Every call but `push` answers at once. All but `stop` raise `PortLost` if the pusher cannot be
    reached.
    """

    def status(self) -> PusherStatus:
        """Say how it is."""

    def heartbeat(self) -> Heartbeat:
        """Return the last heartbeat, a moment old; does not wait."""

    def arm(self) -> Armed:
        """Make ready for one stroke; PushRefused unless a hand has just turned the switch on."""

    def push(self, token: int, push: Push) -> Stroke:
        """Do the stroke and return with the arm at rest.

        Raises:
            PushRefused: nothing has moved.
            StrokeUnknown: it began, and its end is not known.
        """

    def stop(self) -> StopAnswer:
        """Stop at once and stay stopped, from any thread, whatever is going on.

        Returns:
            What is known about it, after a quarter of a second at most.
        """

    def disarm(self) -> None:
        """Disarm; if the arm is moving, bring it back smoothly."""

    def clear(self) -> None:
        """Leave ESTOP or FAULT; PushRefused unless the E-stop is closed and the switch off.

        While the arm may be out it goes to AWAY instead of SAFE.
        """

    def homed(self) -> None:
        """End AWAY: a person confirms that a hand has put the arm home. Nothing moves.

        Call this only on that person's own word. PushRefused unless the E-stop is closed and the
        switch off.
        """

    def link_state(self) -> LinkState | None:
        """Say how the line to it is; None where there is no line. Waits for no answer."""

    def pretend(self) -> Pretend | None:
        """What hands do at it where it is a pretend one; None for one that can be touched."""

    def close(self) -> None:
        """Let go of the line; asking anything after is not allowed, closing again is."""
