"""Reliable commands over a line that loses bytes: sequence numbers, retries, sessions, events.

No port, thread or clock in here: bytes and times go in, bytes and news come out. The
contract is sections 1 to 3 of `firmware/protocol.md`.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from rig.pusher import protocol
from rig.pusher.protocol import (
    PROTOCOL,
    BeamNews,
    Beat,
    BootNews,
    Device,
    News,
    PusherConfused,
    Reply,
    StateNews,
)
from rig.pusher.wire import FrameKind, Receiver, SerialFrame, Spoilt, after, encode

log = logging.getLogger(__name__)

TRIES: Final = 8
"""How often a command is sent before the session is given up."""

HEARTBEAT_S: Final = 0.1
"""Seconds between heartbeats; after five times that without one the device stops by itself."""

HELLO_S: Final = 0.25
"""Seconds a greeting waits for its reply; the board may still be starting."""

GREETINGS: Final = 16
"""Greetings without a reply after which nobody is there."""

SILENCE: Final = (
    "nobody answers on this port: check that it is the pusher's and that the pusher has been "
    "flashed, or try another port"
)
NOISE: Final = (
    "what comes on this port is not from a pusher, or not at this speed: try another port"
)

_FLASH: Final = "put this program's version on it with domino-rig pusher flash"

MISSED: Final = 8
"""Most missed events to ask for at a time; the device keeps no more of each kind."""

SLOWEST_S: Final = 8.0
"""Longest pause, in seconds, between greetings to a device that refuses every session."""

_SESSIONS: Final = 15
_WRAP_US: Final = 1 << 32

Answered = Callable[[Reply | None], None]
"""Takes the reply to a command; None if none came and nobody knows whether it was heard."""


@dataclass(slots=True)
class _Command:
    text: str
    answered: Answered
    data: bytes = b""
    number: int = 0
    tries: int = 0
    due_s: float = 0.0


@dataclass(slots=True)
class Dialogue:
    """The host's side of the protocol.

    Attributes:
        nonces: a fresh number below 2**32 for every session.
        patience_s: how long a command waits for its reply before it is sent again.
        device: who is at the other end, None while no session is open.
        wrong: why no session is possible on this line, in words; empty if one may be.
        kind: the same as one word: silence, noise, version or stranger.
        sessions: how many have been begun.
        heartbeat: the last reply to a heartbeat of this session; None before the first.
        confused: what the device said since then that is not in the protocol.
        gathering: whether to ask for missed events; only a push needs them.
    """

    nonces: Iterator[int]
    patience_s: float = 0.25
    device: Device | None = None
    wrong: str = ""
    kind: str = ""
    sessions: int = 0
    heartbeat: Beat | None = None
    confused: PusherConfused | None = None
    gathering: bool = False
    _receiver: Receiver = field(default_factory=Receiver)
    _out: bytearray = field(default_factory=bytearray)
    _news: list[News] = field(default_factory=list)
    _waiting: deque[_Command] = field(default_factory=deque)
    _behind: deque[_Command] = field(default_factory=deque)
    _asked: _Command | None = None
    _session: int = 0
    _sequence: int = 0
    _event: int | None = None
    _heartbeat_s: float = 0.0
    _beaten_s: float = 0.0
    _greet_s: float | None = None
    _refusals: int = 0
    _clock_ms: int | None = None
    _noisy: bool = False

    def begin(self, now_s: float) -> None:
        """Greet: the line has just been opened, or a session has failed."""
        self._refusals = 0
        self._begin(now_s, now_s)

    def _begin(self, now_s: float, greet_s: float) -> None:
        """Open a new session; its greeting goes out at the given time."""
        self._drop()
        self.device, self._event, self.wrong, self._noisy = None, None, "", False
        self.heartbeat = self.confused = None
        self._session = self._session % _SESSIONS + 1
        self._sequence = 0
        self.sessions += 1
        self._greet_s = greet_s
        self._greet(now_s)

    def _refused(self, now_s: float) -> None:
        """Begin another session, because the device refuses this one; at once the first time."""
        self._refusals += 1
        wait_s = min(HELLO_S * 2.0 ** (self._refusals - 2), SLOWEST_S)
        self._begin(now_s, now_s if self._refusals == 1 else now_s + wait_s)

    def _greet(self, now_s: float) -> None:
        if self._greet_s is None or now_s < self._greet_s:
            return
        self._greet_s = None
        nonce = next(self.nonces) & 0xFFFFFFFF
        self._send(_Command(f"HELLO {PROTOCOL} {nonce:08X}", _nobody), now_s)

    def end(self) -> None:
        """Forget the session: the line is gone."""
        self._drop()
        self.device = self.heartbeat = self.confused = self._greet_s = None
        self._out.clear()
        self._receiver = Receiver()

    def ask(
        self,
        text: str,
        answered: Answered,
        now_s: float,
        *,
        urgent: bool = False,
        behind: bool = False,
    ) -> None:
        """Say something to the device.

        Args:
            text: the command and its arguments.
            answered: is called once, with the reply or with None.
            now_s: the time.
            urgent: goes before everything that waits.
            behind: goes after everything that waits, and after every missed event.
        """
        if self.device is None:
            answered(None)
            return
        command = _Command(text, answered)
        if behind:
            self._behind.append(command)
        elif urgent:
            self._waiting.appendleft(command)
        else:
            self._waiting.append(command)
        self._next(now_s)

    def withdraw(self, answered: Answered) -> bool:
        """Take back a command that has not been sent yet; say whether it was still there.

        Args:
            answered: the callback that was given with the command; it will not be called.
        """
        for queue in (self._waiting, self._behind):
            for command in queue:
                if command.answered is answered:
                    queue.remove(command)
                    return True
        return False

    def feed(self, data: bytes, now_s: float) -> None:
        """Take bytes from the line."""
        self._noisy |= bool(data)
        for found in self._receiver.feed(data):
            if isinstance(found, Spoilt):
                continue
            if found.kind is FrameKind.REPLY:
                self._take_reply(found, now_s)
            elif found.kind is FrameKind.NAK:
                self._take_nak(found, now_s)
            elif found.kind is FrameKind.EVENT:
                self._take_event(found, now_s)
        self._next(now_s)

    def tick(self, now_s: float) -> None:
        """Do what is due: retry, give up, send a heartbeat."""
        self._greet(now_s)
        asked = self._asked
        if asked is not None and now_s >= asked.due_s:
            self._try_again(asked, now_s)
        if self.device is not None and self._asked is None and now_s >= self._heartbeat_s:
            self._waiting.appendleft(_Command("HB", _nobody))
            self._next(now_s)

    def take_bytes(self) -> bytes:
        """Return the bytes that must go out now."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def take_news(self) -> list[News]:
        """Return the events that the device has sent since the last call."""
        news, self._news = self._news, []
        return news

    def _next(self, now_s: float) -> None:
        if self._asked is not None or self.device is None:
            return
        if self._waiting:
            command = self._waiting.popleft()
        elif self._behind and now_s >= self._beaten_s:
            command = _Command("HB", _nobody)  # what was missed keeps nobody from hearing how it is
        elif self._behind:
            command = self._behind.popleft()
        else:
            return
        self._sequence = after(self._sequence)
        command.number = self._sequence
        self._send(command, now_s)

    def _send(self, command: _Command, now_s: float) -> None:
        command.data = encode(
            SerialFrame(FrameKind.COMMAND, self._session, command.number, command.text)
        )
        self._asked = command
        self._put(command, now_s)

    def _put(self, command: _Command, now_s: float) -> None:
        self._out += command.data
        command.tries += 1
        command.due_s = now_s + (self.patience_s if command.number else HELLO_S)
        self._heartbeat_s = now_s + HEARTBEAT_S
        if command.text == "HB":
            self._beaten_s = now_s + HEARTBEAT_S

    def _try_again(self, command: _Command, now_s: float) -> None:
        if command.number and command.tries >= TRIES:
            self._begin(now_s, now_s)
            return
        if not command.number and command.tries >= GREETINGS:
            self.wrong, self.kind = (NOISE, "noise") if self._noisy else (SILENCE, "silence")
            return
        self._put(command, now_s)

    def _drop(self) -> None:
        """Tell everybody who waits for a reply that none will come."""
        asked, self._asked = self._asked, None
        waiting = [asked] if asked is not None and asked.number else []
        waiting += [*self._waiting, *self._behind]
        self._waiting.clear()
        self._behind.clear()
        for command in waiting:
            command.answered(None)

    def _take_reply(self, frame: SerialFrame, now_s: float) -> None:
        asked, words = self._asked, frame.words
        verb = asked.text.split(" ")[0] if asked is not None else ""
        if (
            asked is None
            or (frame.session, frame.number) != (self._session, asked.number)
            or len(words) < 2
            or words[0] not in ("OK", "ER")
            or words[1] not in (verb, "-")
        ):
            return
        self._asked = None
        if not asked.number:
            self._take_greeting(words, now_s)
            return
        self._refusals = 0
        reply = Reply(words[2:], refused=words[0] == "ER")
        if asked.text == "HB" and not reply.refused:
            self._take_beat(reply.words)
        asked.answered(reply)

    def _take_greeting(self, words: tuple[str, ...], now_s: float) -> None:
        if words[0] == "ER" and words[2:3] == ("3",):
            self._refused(now_s)
            return
        kind, rest = words[2:3], words[3:]
        if words[0] == "ER":
            self.wrong = f"a pusher answers that speaks another version of the protocol: {_FLASH}"
            self.kind = "version"
        elif kind != ("PUSHER",) or len(rest) != 5:
            self.wrong = "another device answers on this port: try another port"
            self.kind = "stranger"
        elif rest[0] != str(PROTOCOL):
            self.kind = "version"
            self.wrong = (
                f"a pusher answers that speaks version {rest[0]} of the protocol, "
                f"not {PROTOCOL}: {_FLASH}"
            )
        else:
            try:
                self.device = protocol.device(rest)
            except PusherConfused as error:
                self.wrong, self.kind = str(error), "version"
            self._heartbeat_s = now_s

    def _take_nak(self, frame: SerialFrame, now_s: float) -> None:
        if frame.text in ("SES", "SEQ"):
            # A greeting is answered in any session: such a nak is for something older.
            if self.device is not None:
                self._refused(now_s)
        elif self._asked is not None:
            self._try_again(self._asked, now_s)

    def _take_event(self, frame: SerialFrame, now_s: float) -> None:
        if frame.words[0] == "BOOT" and frame.session == 0:
            self._tell(frame.text)
            if self.device is not None:
                self._begin(now_s, now_s)
            return
        if self.device is None or frame.session != self._session:
            return
        ahead = 0 if self._event is None else (frame.number - self._event) % 256
        if ahead >= 256 - MISSED:
            return
        if self.gathering:
            for number in range(frame.number - min(ahead, MISSED), frame.number):
                self._fetch(number % 256, now_s)
        self._event = (frame.number + 1) % 256
        self._tell(frame.text)

    def _fetch(self, number: int, now_s: float) -> None:
        """Ask for an event that did not come, unless enough of them are asked for already."""
        asked = [*self._behind, *([self._asked] if self._asked is not None else [])]
        if sum(command.text.startswith("EV ") for command in asked) >= MISSED:
            return

        def answered(reply: Reply | None) -> None:
            if reply is not None and not reply.refused:
                self._tell(" ".join(reply.words[1:]), late=True)

        self.ask(f"EV {number:02X}", answered, now_s, behind=True)

    def _tell(self, text: str, *, late: bool = False) -> None:
        """Turn an event into news."""
        try:
            news = protocol.news(text, late=late)
        except PusherConfused as error:
            self._wonder(error)
            return
        match news:
            case StateNews() if not late:
                self._clock_ms = news.time_ms
            case BeamNews():
                news = replace(news, time_us=self._unwrapped(news.time_us))
            case BootNews():
                self._clock_ms = 0
        self._news.append(news)

    def _take_beat(self, words: tuple[str, ...]) -> None:
        """Take the reply to a heartbeat; it is news too."""
        try:
            told = protocol.beat(words)
        except PusherConfused as error:
            self._wonder(error)
            return
        self.heartbeat, self.confused = told, None
        self._clock_ms = told.time_ms
        now = told.heartbeat
        self._news.append(StateNews(now.state, now.fault, told.position_us, told.time_ms))

    def _wonder(self, error: PusherConfused) -> None:
        if self.confused is None:
            log.warning("%s", error)
        self.confused = error

    def _unwrapped(self, time_us: int) -> int:
        """Return microseconds since the board started; its own count wraps after 72 min."""
        if self._clock_ms is None:
            return time_us
        return time_us + _WRAP_US * round((self._clock_ms * 1000 - time_us) / _WRAP_US)


def _nobody(reply: Reply | None) -> None:
    """Nobody waits for this reply."""
