"""The pusher at the other end of a link: a real board, or the same program in a pretend one.

What it says "accepted" to is not done: a push ends with its own report that the arm is back, or it
is unknown.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from physics.push import Push
from rig.clock import Clock
from rig.dialogue import BeamNews, News, Reply, StateNews
from rig.errors import RigError
from rig.link import Line, Link
from rig.pusher import (
    MOVING,
    Armed,
    Fault,
    Heartbeat,
    PortLost,
    Pusher,
    PusherState,
    PusherStatus,
    PushRefused,
    Refusal,
    ServoArm,
    ServoStroke,
    Stopped,
    Stroke,
    StrokeUnknown,
)

SETTLE_S: Final = 0.6
"""How long the arm takes to settle once it has power."""

_REST_S: Final = 0.2
_SLACK_S: Final = 1.0
_FIND_OUT_S: Final = 6.0
_LOOK_S: Final = 0.1
_BEAMS: Final = 1000
_INPUTS: Final = (1, 4, 2)
"""Bits: the switch is on, has been off since, the red button is not pressed."""

_REFUSALS: Final = {
    "4": Refusal.STATE,
    "5": Refusal.TOKEN,
    "6": Refusal.LIMIT,
    "7": Refusal.SWITCH,
    "8": Refusal.ESTOP,
    "11": Refusal.BUSY,
}


class PusherConfused(RigError, RuntimeError):
    """It said something that has no place in the protocol."""

    def __init__(self, asked: str, reply: Reply) -> None:
        said = " ".join(reply.words)
        super().__init__(f"The pusher answered {asked} with {said!r}: flash it with this version.")


class SerialPusher(Pusher):
    """A pusher on a line.

    Args:
        opener: opens the line to it.
        clock: its time.
        nonces: a fresh number for every session on the line.
        arm: the arm; of its limits, those that the board tells go before.
        wait: how to wait, where the link has no thread of its own.
        now_s: the time of the link, that of the clock unless given.
    """

    def __init__(
        self,
        opener: Callable[[], Line],
        clock: Clock,
        nonces: Iterator[int],
        arm: ServoArm | None = None,
        *,
        wait: Callable[[threading.Event, float], bool] | None = None,
        now_s: Callable[[], float] | None = None,
    ) -> None:
        self.link = Link(opener, clock, nonces, self._hear, wait=wait, now_s=now_s)
        self._clock = clock
        self._arm = arm or ServoArm()
        self._arm_of = ""
        self._lock = threading.Lock()
        self._told = threading.Event()
        self._listener: Callable[[News], None] = lambda news: None
        self._begun_ms = 0
        self._states: list[PusherState] = []
        self._beams: deque[BeamNews] = deque(maxlen=_BEAMS)

    def status(self) -> PusherStatus:
        return PusherStatus(*beat(self._say("HB", 6)), self._strokes()[0])

    def heartbeat(self) -> Heartbeat:
        words = self.link.heartbeat
        if words is None:
            raise PortLost
        return Heartbeat(*beat(words))

    def arm(self) -> Armed:
        asked_s = self._clock.monotonic_s()
        token, ttl_ms = self._say("ARM", 2)
        now_s = self._clock.monotonic_s()
        return Armed(int(token, 16), now_s + SETTLE_S, asked_s + int(ttl_ms) / 1000)

    def push(self, token: int, push: Push) -> Stroke:
        stroke = self._limited().stroke(push)
        if stroke is None:
            raise PushRefused(Refusal.LIMIT, self.status().state)
        before = self._strokes()
        *_, ms = self._say("HB", 6)
        with self._lock:
            self._begun_ms = int(ms, 16)
            self._states.clear()
            self._beams.clear()
        begun_s = self._clock.monotonic_s()
        words = f"{stroke.amp_us} {stroke.t_out_ms} {stroke.t_hold_ms} {stroke.t_back_ms}"
        reply = self.link.ask(f"PUSH {token:04X} {words}")
        if reply is None:
            self._find_out(before)
        elif reply.refused:
            raise _refusal("PUSH", reply)
        return self._ended(before, begun_s, stroke)

    def stop(self) -> Stopped:
        return self.link.stop()

    def disarm(self) -> None:
        self._say("DISARM", 1)

    def clear(self) -> None:
        self._say("CLEAR", 1)

    def listen(self, listener: Callable[[News], None]) -> None:
        """Pass on what the pusher tells by itself; called by the thread of the link."""
        self._listener = listener

    def beams(self) -> tuple[BeamNews, ...]:
        """Return what the light beams told since the last push began."""
        with self._lock:
            return tuple(self._beams)

    def _say(self, text: str, count: int) -> tuple[str, ...]:
        """Return the words of the reply to a command that moves nothing."""
        reply = self.link.ask(text)
        if reply is None:
            raise PortLost
        if reply.refused:
            raise _refusal(text, reply)
        if len(reply.words) != count:
            raise PusherConfused(text, reply)
        return reply.words

    def _strokes(self) -> tuple[int, str]:
        """Return how many strokes the board has begun, and since which start."""
        *_, strokes, boot_id = self._say("CNT", 7)
        return int(strokes), boot_id

    def _limited(self) -> ServoArm:
        """Return the arm within the limits that this board tells."""
        device = self.link.device
        if device is None or device.boot_id != self._arm_of:
            _, amp_us, vmax_us_s, t_min_ms, t_max_ms, _, _ = map(int, self._say("LIM", 7))
            self._arm = replace(
                self._arm,
                amp_max_us=amp_us,
                vmax_us_s=vmax_us_s,
                t_min_ms=t_min_ms,
                t_max_ms=t_max_ms,
            )
            self._arm_of = device.boot_id if device is not None else ""
        return self._arm

    def _find_out(self, before: tuple[int, str]) -> None:
        """No reply to a push: ask, in a new session, whether it was begun.

        Raises:
            PortLost: it was not.
            StrokeUnknown: nobody answers, or the board has started again.
        """
        end_s = self._clock.monotonic_s() + _FIND_OUT_S
        while (now := self._counted()) is None and self._clock.monotonic_s() < end_s:
            self._told.clear()
            self.link.wait(self._told, _LOOK_S)
        if now == before:
            raise PortLost
        raise StrokeUnknown(before[0] + 1)

    def _counted(self) -> tuple[int, str] | None:
        """Return what `_strokes` does, None if nobody answers."""
        try:
            return self._strokes()
        except PortLost:
            return None

    def _ended(self, before: tuple[int, str], begun_s: float, stroke: ServoStroke) -> Stroke:
        """Wait until the arm is at rest again, and say how its stroke went."""
        number, sessions = before[0] + 1, self.link.sessions
        whole_s = (stroke.t_out_ms + stroke.t_hold_ms + stroke.t_back_ms) / 1000
        end_s = begun_s + whole_s + _REST_S + _SLACK_S
        while (ended := self._last()) is None and self._clock.monotonic_s() < end_s:
            self._told.clear()
            self.link.wait(self._told, _LOOK_S)
        # The count is asked behind every event that had to be asked for again.
        whole = self._counted() == (number, before[1]) and self.link.sessions == sessions
        if ended is None or not whole:
            raise StrokeUnknown(number, self._known())
        with self._lock:
            return Stroke(number, PusherState.HOLD in self._states, ended)

    def _known(self) -> str:
        """Say in words what was heard of a stroke whose end was not."""
        with self._lock:
            if PusherState.HOLD in self._states:
                return "its arm had been all the way out"
            if PusherState.OUT in self._states:
                return "the last that was heard is an arm on its way out"
            return "it was accepted, and nothing more was heard of it"

    def _last(self) -> PusherState | None:
        """Return the state at rest that was told last, None while the arm is under way."""
        with self._lock:
            last = self._states[-1] if self._states else PusherState.OUT
        return None if last in (*MOVING, PusherState.ARMED) else last

    def _hear(self, news: News) -> None:
        with self._lock:
            if isinstance(news, StateNews) and self._is_new(news):
                if self._states[-1:] != [news.state]:
                    self._states.append(PusherState(news.state))
            elif isinstance(news, BeamNews):
                self._beams.append(news)
        self._told.set()
        self._listener(news)

    def _is_new(self, news: StateNews) -> bool:
        """Whether it is of the present push: an event that had to be asked for again comes late."""
        return (news.time_ms - self._begun_ms) % (1 << 32) < 1 << 31


def beat(words: Sequence[str]) -> tuple[PusherState, Fault, bool, bool, bool]:
    """Give the fields of a `Heartbeat`."""
    state, _, _, inputs, fault, _ = words
    inside = int(inputs, 16)
    switch_on, cycled, closed = (bool(inside & bit) for bit in _INPUTS)
    return PusherState(state), Fault(fault), switch_on, cycled, closed


def _refusal(text: str, reply: Reply) -> PushRefused | PusherConfused:
    """Put a refusal of the board into words of this side."""
    number, *state = reply.words
    why = _REFUSALS.get(number)
    if why is None or state[:1] not in ([s.value] for s in PusherState):
        return PusherConfused(text, reply)
    if why is Refusal.SWITCH and text == "CLEAR":
        why = Refusal.SWITCH_ON
    return PushRefused(why, PusherState(state[0]))
