"""One command after another over a line that loses bytes: numbers, tries, sessions, events.

It knows no port, no thread and no clock: bytes and times go in, bytes and news come out. The
contract is sections 1 to 3 of `firmware/protocol.md`.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from rig.wire import Frame, Kind, Receiver, Spoilt, after, encode

PROTOCOL: Final = 1
"""The version of the contract that this side speaks."""

TRIES: Final = 8
"""How often a command is sent before the session is given up."""

HEARTBEAT_S: Final = 0.1
"""The longest silence towards the device; at five times that it stops by itself."""

HELLO_S: Final = 0.25
"""How long a greeting waits for its reply: the board may still be starting."""

GREETINGS: Final = 16
"""So many greetings without a reply, and nobody is there."""

SILENCE: Final = "nobody answers on this port"
NOISE: Final = "what comes on this port is not from a pusher, or not at this speed"

_RING: Final = 8
_SESSIONS: Final = 15
_WRAP_US: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class Reply:
    """What the device said to a command, without `OK` or `ER` and the command's own word."""

    words: tuple[str, ...]
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Device:
    """Who greeted back.

    Attributes:
        protocol: the version of the contract that it speaks.
        firmware: its own version.
        boot_id: drawn anew at every start of the board.
        abilities: servos, beams and so on, as the contract writes them.
        state: what it was doing.
    """

    protocol: int
    firmware: str
    boot_id: str
    abilities: str
    state: str


@dataclass(frozen=True, slots=True)
class StateNews:
    """The device went into a state, or was asked for it.

    Attributes:
        state, fault: as the contract calls them.
        position_us: how far from rest the arm is, in us of pulse.
        time_ms: when that was, by the device's own clock; starts afresh at 2**32.
        late: it had been lost and was asked for again: the device may be elsewhere by now.
    """

    state: str
    fault: str
    position_us: int
    time_ms: int
    late: bool = False


@dataclass(frozen=True, slots=True)
class BeamNews:
    """A light beam was broken or is free again, at a time of the device's own clock."""

    beam: int
    broken: bool
    time_us: int


@dataclass(frozen=True, slots=True)
class BootNews:
    """The board has started, and whether that was in the middle of a stroke."""

    cause: str
    midpush: bool


News = StateNews | BeamNews | BootNews
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
    """The host's side of the talk.

    Attributes:
        nonces: a fresh number below 2**32 for every session.
        patience_s: how long a command waits for its reply before it is sent again.
        device: who is at the other end, None while no session is open.
        wrong: why there will be no session on this line, in words; empty while there may be.
        sessions: how many have been begun.
        heartbeat: the words of the last reply to a heartbeat of this session, None before.
    """

    nonces: Iterator[int]
    patience_s: float = 0.25
    device: Device | None = None
    wrong: str = ""
    sessions: int = 0
    heartbeat: tuple[str, ...] | None = None
    _receiver: Receiver = field(default_factory=Receiver)
    _out: bytearray = field(default_factory=bytearray)
    _news: list[News] = field(default_factory=list)
    _waiting: deque[_Command] = field(default_factory=deque)
    _asked: _Command | None = None
    _session: int = 0
    _sequence: int = 0
    _event: int | None = None
    _heartbeat_s: float = 0.0
    _clock_ms: int | None = None
    _noisy: bool = False

    def begin(self, now_s: float) -> None:
        """Greet: the line has just been opened, or a session has come to nothing."""
        self._drop()
        self.device, self._event, self.wrong, self._noisy = None, None, "", False
        self.heartbeat = None
        self._session = self._session % _SESSIONS + 1
        self._sequence = 0
        self.sessions += 1
        nonce = next(self.nonces) & 0xFFFFFFFF
        self._send(_Command(f"HELLO {PROTOCOL} {nonce:08X}", self._greeted), now_s)

    def end(self) -> None:
        """Forget the session: the line is gone."""
        self._drop()
        self.device = self.heartbeat = None
        self._out.clear()
        self._receiver = Receiver()

    def ask(self, text: str, answered: Answered, now_s: float, *, urgent: bool = False) -> None:
        """Say something to the device.

        Args:
            text: the command and its arguments.
            answered: is called once, with the reply or with None.
            now_s: the time.
            urgent: goes before all that has not been said yet.
        """
        if self.device is None:
            answered(None)
            return
        command = _Command(text, answered)
        if urgent:
            self._waiting.appendleft(command)
        else:
            self._waiting.append(command)
        self._next(now_s)

    def withdraw(self, answered: Answered) -> bool:
        """Take a command back that has not been said yet; say whether it was still there.

        Args:
            answered: what was given with it; it will not be called.
        """
        unsaid = [command for command in self._waiting if command.answered is answered]
        for command in unsaid:
            self._waiting.remove(command)
        return bool(unsaid)

    def feed(self, data: bytes, now_s: float) -> None:
        """Take bytes from the line."""
        self._noisy |= bool(data)
        for found in self._receiver.feed(data):
            if isinstance(found, Spoilt):
                continue
            if found.kind is Kind.REPLY:
                self._take_reply(found, now_s)
            elif found.kind is Kind.NAK:
                self._take_nak(found, now_s)
            elif found.kind is Kind.EVENT:
                self._take_event(found, now_s)
        self._next(now_s)

    def tick(self, now_s: float) -> None:
        """Do what is due: try again, give up, say that this side is there."""
        asked = self._asked
        if asked is not None and now_s >= asked.due_s:
            self._try_again(asked, now_s)
        if self.device is not None and self._asked is None and now_s >= self._heartbeat_s:
            self._waiting.appendleft(_Command("HB", self._hear))
            self._next(now_s)

    def take_bytes(self) -> bytes:
        """Return what must go out now."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def take_news(self) -> list[News]:
        """Return what the device told by itself since the last call."""
        news, self._news = self._news, []
        return news

    def _next(self, now_s: float) -> None:
        if self._asked is None and self._waiting and self.device is not None:
            self._sequence = after(self._sequence)
            command = self._waiting.popleft()
            command.number = self._sequence
            self._send(command, now_s)

    def _send(self, command: _Command, now_s: float) -> None:
        command.data = encode(Frame(Kind.COMMAND, self._session, command.number, command.text))
        self._asked = command
        self._put(command, now_s)

    def _put(self, command: _Command, now_s: float) -> None:
        self._out += command.data
        command.tries += 1
        command.due_s = now_s + (self.patience_s if command.number else HELLO_S)
        self._heartbeat_s = now_s + HEARTBEAT_S

    def _try_again(self, command: _Command, now_s: float) -> None:
        if command.number and command.tries >= TRIES:
            self.begin(now_s)
            return
        if not command.number and command.tries >= GREETINGS:
            self.wrong = NOISE if self._noisy else SILENCE
            return
        self._put(command, now_s)

    def _drop(self) -> None:
        """Tell everybody who waits for a reply that none will come."""
        asked, self._asked = self._asked, None
        waiting = [asked] if asked is not None and asked.number else []
        waiting += self._waiting
        self._waiting.clear()
        for command in waiting:
            command.answered(None)

    def _take_reply(self, frame: Frame, now_s: float) -> None:
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
        reply = Reply(words[2:], refused=words[0] == "ER")
        if asked.text == "HB" and not reply.refused and len(reply.words) == 6:
            self.heartbeat = reply.words
        asked.answered(reply)

    def _take_greeting(self, words: tuple[str, ...], now_s: float) -> None:
        if words[0] == "ER" and words[2:3] == ("3",):
            self.begin(now_s)
            return
        kind, rest = words[2:3], words[3:]
        if words[0] == "ER":
            self.wrong = "a pusher answers that speaks another version of the protocol: flash it"
        elif kind != ("PUSHER",) or len(rest) != 5 or not rest[0].isdecimal():
            self.wrong = "another device answers on this port"
        elif int(rest[0]) != PROTOCOL:
            self.wrong = (
                f"a pusher answers that speaks version {rest[0]} of the protocol, "
                f"not {PROTOCOL}: flash it"
            )
        else:
            self.device = Device(int(rest[0]), *rest[1:])
            self._heartbeat_s = now_s

    def _take_nak(self, frame: Frame, now_s: float) -> None:
        if frame.text in ("SES", "SEQ"):
            # A greeting is answered in any session: such a nak is for something older.
            if self.device is not None:
                self.begin(now_s)
        elif self._asked is not None:
            self._try_again(self._asked, now_s)

    def _take_event(self, frame: Frame, now_s: float) -> None:
        if frame.words[0] == "BOOT" and frame.session == 0:
            self._tell(frame.text)
            if self.device is not None:
                self.begin(now_s)
            return
        if self.device is None or frame.session != self._session:
            return
        ahead = 0 if self._event is None else (frame.number - self._event) % 256
        if ahead >= 256 - _RING:
            return
        for number in range(frame.number - min(ahead, _RING - 1), frame.number):
            self._fetch(number % 256, now_s)
        self._event = (frame.number + 1) % 256
        self._tell(frame.text)

    def _fetch(self, number: int, now_s: float) -> None:
        """Ask for an event that did not come."""

        def answered(reply: Reply | None) -> None:
            if reply is not None and not reply.refused:
                self._tell(" ".join(reply.words[1:]), late=True)

        self.ask(f"EV {number:02X}", answered, now_s)

    def _tell(self, text: str, *, late: bool = False) -> None:
        """Put an event into words of this side; one that makes no sense is nobody's."""
        words = text.split(" ")
        try:
            if words[0] == "ST":
                _, state, fault, position, ms = words
                self._clock_ms = int(ms, 16)
                self._news.append(StateNews(state, fault, int(position), self._clock_ms, late))
            elif words[0] == "BEAM":
                _, beam, level, us = words
                self._news.append(BeamNews(int(beam), level == "1", self._unwrapped(int(us, 16))))
            elif words[0] == "BOOT":
                self._clock_ms = 0
                self._news.append(BootNews(words[1], words[2] == "1"))
        except (ValueError, IndexError):
            return

    def _unwrapped(self, time_us: int) -> int:
        """Return microseconds since the board started: what is told starts afresh after 72 min."""
        if self._clock_ms is None:
            return time_us
        return time_us + _WRAP_US * round((self._clock_ms * 1000 - time_us) / _WRAP_US)

    def _hear(self, reply: Reply | None) -> None:
        if reply is not None and not reply.refused and len(reply.words) == 6:
            state, position, _, _, fault, ms = reply.words
            self._tell(f"ST {state} {fault} {position} {ms}")

    def _greeted(self, reply: Reply | None) -> None:
        """Nobody waits for the reply to a greeting."""
