"""The pusher at the other end of a link: a real board, or the same program on a pretend board.

An accepted push is not yet a finished one: it ends with the pusher's own report that the arm is
back, or its end is unknown.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from typing import Final

from physics.row.push import Push
from rig.clock import Clock
from rig.pusher import protocol
from rig.pusher.link import Line, Link
from rig.pusher.port import (
    MOVING,
    Armed,
    Heartbeat,
    LinkState,
    PortLost,
    Pretend,
    Pusher,
    PusherState,
    PusherStatus,
    PushRefused,
    Reach,
    Refusal,
    StopAnswer,
    Stroke,
    StrokeUnknown,
)
from rig.pusher.protocol import BeamNews, Counters, News, PusherConfused, StateNews
from rig.pusher.servo import ServoArm, ServoStroke

SETTLE_S: Final = 0.6
"""Seconds that the arm takes to settle once it has power."""

_REST_S: Final = 0.2
_SLACK_S: Final = 1.0
_FIND_OUT_S: Final = 6.0
_LOOK_S: Final = 0.1
_BEAMS: Final = 1000
_WRAP_MS: Final = 1 << 32


class SerialPusher(Pusher):
    """A pusher on a line.

    Args:
        opener: opens the line to it.
        clock: its time.
        nonces: a fresh number for every session on the line.
        arm: the arm; limits reported by the board override its own.
        wait: how to wait, if the link has no thread of its own.
        now_s: the link's time; the clock's unless given.
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
        self._states: list[StateNews] = []
        self._beams: deque[BeamNews] = deque(maxlen=_BEAMS)

    def status(self) -> PusherStatus:
        now, strokes = self._beat().heartbeat, self._counters().strokes
        return PusherStatus(**asdict(now), strokes=strokes)

    def heartbeat(self) -> Heartbeat:
        told = self.link.heartbeat
        if told is None:
            raise PortLost
        return told.heartbeat

    def arm(self) -> Armed:
        asked_s = self._clock.monotonic_s()
        token, ttl_ms = protocol.armed(self._say("ARM"))
        now_s = self._clock.monotonic_s()
        return Armed(token, now_s + SETTLE_S, asked_s + ttl_ms / 1000)

    def push(self, token: int, push: Push) -> Stroke:
        stroke = self._limited().stroke(push)
        if stroke is None:
            raise PushRefused(Refusal.LIMIT, self.status().state)
        before, begun_ms = self._counters(), self._beat().time_ms
        with self._lock:
            self._begun_ms = begun_ms
            self._states.clear()
            self._beams.clear()
        self.link.gather(True)
        try:
            return self._pushed(token, stroke, before)
        finally:
            self.link.gather(False)

    def _pushed(self, token: int, stroke: ServoStroke, before: Counters) -> Stroke:
        begun_s = self._clock.monotonic_s()
        words = f"{stroke.amp_us} {stroke.t_out_ms} {stroke.t_hold_ms} {stroke.t_back_ms}"
        reply = self.link.ask(f"PUSH {token:04X} {words}")
        if reply is None:
            self._find_out(before)
        elif reply.refused:
            raise protocol.refusal("PUSH", reply.words)
        return self._ended(before, begun_s, stroke)

    def stop(self) -> StopAnswer:
        return self.link.stop()

    def disarm(self) -> None:
        protocol.state(self._say("DISARM"))

    def clear(self) -> None:
        protocol.state(self._say("CLEAR"))

    def homed(self) -> None:
        protocol.state(self._say("HOMED"))

    def link_state(self) -> LinkState | None:
        # Its link knows: a question would have to wait for a pusher that is silent.
        device, lost = self.link.device, self.link.lost
        if device is None and lost is not None:
            return LinkState(False, str(lost), lost.key, lost.of, given_up=self.link.given_up)
        return LinkState(True, firmware=device.firmware if device else "")

    def pretend(self) -> Pretend | None:
        return None

    def close(self) -> None:
        self.link.close()

    def listen(self, listener: Callable[[News], None]) -> None:
        """Pass on the pusher's own events; called on the link's thread."""
        self._listener = listener

    def beams(self) -> tuple[BeamNews, ...]:
        """Return the light beams' events since the last push began."""
        with self._lock:
            return tuple(self._beams)

    def _say(self, text: str, *, behind: bool = False) -> tuple[str, ...]:
        """Return the words of the reply to a command that moves nothing."""
        reply = self.link.ask(text, behind=behind)
        if reply is None:
            raise PortLost
        if reply.refused:
            raise protocol.refusal(text, reply.words)
        return reply.words

    def _beat(self) -> protocol.Beat:
        return protocol.beat(self._say("HB"))

    def _counters(self, *, behind: bool = False) -> Counters:
        return protocol.counters(self._say("CNT", behind=behind))

    def _limited(self) -> ServoArm:
        """Return the arm within the limits that this board reports."""
        device = self.link.device
        if device is None or device.boot_id != self._arm_of:
            self._arm = replace(self._arm, **asdict(protocol.limits(self._say("LIM"))))
            self._arm_of = device.boot_id if device is not None else ""
        return self._arm

    def _find_out(self, before: Counters) -> None:
        """Ask, in a new session, whether a push that got no reply was begun.

        Raises:
            PortLost: it was not.
            StrokeUnknown: there is no answer, or the board has restarted.
        """
        end_s = self._clock.monotonic_s() + _FIND_OUT_S
        while (now := self._counted()) is None and self._clock.monotonic_s() < end_s:
            self._told.clear()
            self.link.wait(self._told, _LOOK_S)
        if now == before:
            raise PortLost
        raise StrokeUnknown(before.strokes + 1)

    def _counted(self) -> Counters | None:
        """Ask for the counters, after every missed event; None if there is no valid answer."""
        try:
            return self._counters(behind=True)
        except (PortLost, PusherConfused):
            return None

    def _ended(self, before: Counters, begun_s: float, stroke: ServoStroke) -> Stroke:
        """Wait until the arm is at rest again, and say how its stroke went."""
        number, sessions = before.strokes + 1, self.link.sessions
        whole_s = (stroke.t_out_ms + stroke.t_hold_ms + stroke.t_back_ms) / 1000
        end_s = begun_s + whole_s + _REST_S + _SLACK_S
        while (ended := self._last()) is None and self._clock.monotonic_s() < end_s:
            self._told.clear()
            self.link.wait(self._told, _LOOK_S)
        whole = self._counted() == replace(before, strokes=number)
        whole = whole and self.link.sessions == sessions
        if ended is None or not whole:
            raise StrokeUnknown(number, self._known())
        return Stroke(number, self._reach(stroke), ended)

    def _reach(self, stroke: ServoStroke) -> Reach:
        """Say how far the arm went, from its reports, any of which may be lost."""
        told = self._in_order()
        if any(n.state is PusherState.HOLD or n.position_us >= stroke.amp_us for n in told):
            return Reach.FULL
        left = [n for n in told if n.state not in (PusherState.ARMED, PusherState.OUT)]
        if left and (left[0].time_ms - self._begun_ms) % _WRAP_MS < stroke.t_out_ms:
            return Reach.PART  # it was elsewhere before it can have been all the way out
        return Reach.UNKNOWN

    def _in_order(self) -> list[StateNews]:
        """This push's events in the order in which they happened; some of them came late."""
        with self._lock:
            begun_ms = self._begun_ms
            return sorted(self._states, key=lambda news: (news.time_ms - begun_ms) % _WRAP_MS)

    def _known(self) -> str:
        """Say in words what is known of a stroke whose end is not."""
        with self._lock:
            states = {news.state for news in self._states}
            if PusherState.HOLD in states:
                return "its arm had been all the way out"
            if PusherState.OUT in states:
                return "the last that was heard is an arm on its way out"
            return "it was accepted, and nothing more was heard of it"

    def _last(self) -> PusherState | None:
        """Return the last reported state at rest; None while the arm is moving."""
        told = self._in_order()
        last = told[-1].state if told else PusherState.OUT
        return None if last in (*MOVING, PusherState.ARMED) else last

    def _hear(self, news: News) -> None:
        with self._lock:
            if isinstance(news, StateNews) and self._is_new(news):
                self._states.append(news)
            elif isinstance(news, BeamNews):
                self._beams.append(news)
        self._told.set()
        self._listener(news)

    def _is_new(self, news: StateNews) -> bool:
        """Whether an event belongs to the present push; one asked for again may be older."""
        return (news.time_ms - self._begun_ms) % _WRAP_MS < _WRAP_MS // 2
