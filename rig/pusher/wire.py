r"""Frames of the pusher's serial line, to and from bytes; opens no port.

A frame is one line, `$C105 HB*68EB`: a kind, a session, a number, words, and a checksum. The
contract is `firmware/protocol.md`.

>>> encode(SerialFrame(FrameKind.COMMAND, 1, 5, "HB"))
b'$C105 HB*68EB\n'
>>> Receiver().feed(b"noise $C105 HB*68EB" + b"\n")
[SerialFrame(kind=<FrameKind.COMMAND: 'C'>, session=1, number=5, text='HB')]
"""

import binascii
import re
import string
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto

from rig.errors import RigError

BODY_MAX = 57
"""Bytes from the kind to the end of the text."""

STOP_BYTE = b"!"
"""Stops the pusher wherever it comes, even inside a frame."""

_HEX = frozenset(string.digits + "ABCDEF")
_RESERVED = frozenset("$*!?")
_PIECES = re.compile(rb"[^$*!?\x00-\x1f\x7f-\xff]+|.", re.DOTALL)
"""One byte that is special or not allowed, or a run of ordinary characters."""


class BadFrame(RigError, ValueError):
    """A frame cannot carry these words."""


class FrameKind(StrEnum):
    """Who sent a frame, and what for."""

    COMMAND = "C"
    REPLY = "R"
    EVENT = "E"
    NAK = "N"


class Spoilt(StrEnum):
    """What was wrong with a frame that came in; the words of a nak."""

    CRC = "CRC"
    LENGTH = "LEN"
    CHARACTER = "CHR"


@dataclass(frozen=True, slots=True)
class SerialFrame:
    """The contents of one line.

    Attributes:
        kind: who says it.
        session: 1 to 15, or 0 while there is none.
        number: the sequence of a command and its reply, the counter of an event, the sequence
            that a nak expects; 0 to 255.
        text: words with one space between them.
    """

    kind: FrameKind
    session: int
    number: int
    text: str

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the text."""
        return tuple(self.text.split(" "))


def crc(body: bytes) -> int:
    """Checksum of the characters between `$` and `*`.

    >>> f"{crc(b'123456789'):04X}"
    '29B1'
    """
    return binascii.crc_hqx(body, 0xFFFF)


def encode(frame: SerialFrame) -> bytes:
    """Put a frame into bytes.

    Raises:
        BadFrame: its session, number or text does not fit into a frame.
    """
    if not 0 <= frame.session <= 15 or not 0 <= frame.number <= 255:
        raise BadFrame(f"A frame has no room for session {frame.session}, number {frame.number}.")
    if any(not " " <= char <= "~" or char in _RESERVED for char in frame.text):
        raise BadFrame(f"{frame.text!r} holds a character that has no place in a frame.")
    if not all(frame.words):
        raise BadFrame(f"A frame takes words with one space between them, not {frame.text!r}.")
    body = f"{frame.kind}{frame.session:X}{frame.number:02X} {frame.text}".encode("ascii")
    if len(body) > BODY_MAX:
        raise BadFrame(f"{frame.text!r} is {len(body) - BODY_MAX} bytes too long for a frame.")
    return b"$" + body + f"*{crc(body):04X}\n".encode("ascii")


def after(sequence: int) -> int:
    """The next sequence number: 1 to 255, then 1 again.

    >>> after(0), after(255)
    (1, 1)
    """
    return sequence % 255 + 1


class _At(Enum):
    OUTSIDE = auto()
    BODY = auto()
    CRC = auto()


@dataclass(slots=True)
class Receiver:
    """Finds the frames in a stream of bytes, however it is cut.

    Bytes between frames are ignored; a `$` always begins a new frame.
    """

    _at: _At = _At.OUTSIDE
    _body: bytearray = field(default_factory=bytearray)
    _digits: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> list[SerialFrame | Spoilt]:
        """Take bytes; give the frames they complete, and what was wrong with the bad ones."""
        found = map(self._take, _PIECES.findall(data))
        return [one for one in found if one is not None]

    def _take(self, piece: bytes) -> SerialFrame | Spoilt | None:
        if piece == b"$":
            self._at = _At.BODY
            self._body.clear()
            self._digits.clear()
            return None
        if self._at is _At.OUTSIDE or piece in b"\r!?":
            return None
        if piece == b"\n":
            return self._end()
        if not 0x20 <= piece[0] <= 0x7E:
            return self._spoil(Spoilt.CHARACTER)
        if self._at is _At.BODY and piece == b"*":
            self._at = _At.CRC
            return None
        part, room = (self._body, BODY_MAX) if self._at is _At.BODY else (self._digits, 4)
        if len(part) + len(piece) > room:
            return self._spoil(Spoilt.LENGTH)
        part += piece
        return None

    def _spoil(self, why: Spoilt) -> Spoilt:
        self._at = _At.OUTSIDE
        return why

    def _end(self) -> SerialFrame | Spoilt | None:
        self._at = _At.OUTSIDE
        body = self._body.decode("ascii")
        if self._digits != f"{crc(bytes(self._body)):04X}".encode("ascii"):
            return Spoilt.CRC
        kind, head, text = body[:1], body[1:4], body[5:]
        if kind not in tuple(FrameKind):
            return None
        if len(head) < 3 or not _HEX.issuperset(head) or body[4:5] != " ":
            return Spoilt.CHARACTER
        return SerialFrame(FrameKind(kind), int(head[0], 16), int(head[1:], 16), text)
