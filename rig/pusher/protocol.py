r"""The words of the pusher's protocol: parses what its frames say into values. Pure.

No other file compares these words. A word that does not belong where it is, in a line whose
checksum is right, raises `PusherConfused`, which names it. The contract is sections 3 and 4 of
`firmware/protocol.md`.

>>> beat(("AWAY", "312", "0", "46", "SWITCH", "0001E240")).heartbeat.state
<PusherState.AWAY: 'AWAY'>
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from rig.errors import RigError
from rig.pusher.port import Fault, Heartbeat, PusherState, PushRefused, Refusal

PROTOCOL: Final = 1
"""The version of the protocol that this side speaks."""

REMEMBERS: Final = "1.1"
"""The first version of the pusher's program that keeps in mind a push that was cut short."""

_DEC = re.compile(r"0|[1-9][0-9]{0,4}")
_MOST: Final = 65_535
_SWITCH, _CLOSED, _SEEN_OFF, _AWAY = 1, 2, 4, 64
_REFUSALS: Final = {
    "4": Refusal.STATE,
    "5": Refusal.TOKEN,
    "6": Refusal.LIMIT,
    "7": Refusal.SWITCH,
    "8": Refusal.ESTOP,
    "11": Refusal.BUSY,
    "12": Refusal.AWAY,
}


class PusherConfused(RigError, RuntimeError):
    """The pusher sent something that is not in the protocol, in a line whose checksum is right."""

    reason = "arm_confused"
    key = "row.refused.arm_confused"

    def __init__(self, said: Sequence[str], wrong: str) -> None:
        super().__init__(
            f"The pusher says {' '.join(said)!r}, where {wrong} does not belong: "
            "put this program's version on it with domino-rig pusher flash."
        )


class ResetCause(StrEnum):
    """Why a board has started."""

    POWER = "POR"
    RESET = "EXT"
    BROWN_OUT = "BOR"
    WATCHDOG = "WDT"
    UNKNOWN = "UNK"


@dataclass(frozen=True, slots=True)
class Reply:
    """The device's answer to a command, without `OK` or `ER` and the command's own word."""

    words: tuple[str, ...]
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Device:
    """Who greeted back.

    Attributes:
        protocol: the version of the contract that it speaks.
        firmware: its own version.
        boot_id: a random number, new at every start of the board.
        abilities: servos, beams and so on, as the protocol writes them.
        state: its state at that time.
    """

    protocol: int
    firmware: str
    boot_id: str
    abilities: str
    state: PusherState


@dataclass(frozen=True, slots=True)
class StateNews:
    """The device entered a state, or was asked for its state.

    Attributes:
        state, fault: as the protocol calls them.
        position_us: how far from rest the arm is, in us of pulse.
        time_ms: when that was, by the device's own clock; wraps at 2**32.
        late: the event had been lost and was asked for again, so the state may be out of date.
    """

    state: PusherState
    fault: Fault
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
    """The board has started, and whether the arm may have been out since before that."""

    cause: ResetCause
    away: bool


News = StateNews | BeamNews | BootNews


@dataclass(frozen=True, slots=True)
class Beat:
    """The reply to a heartbeat: the device's state, where its arm was sent, and when."""

    heartbeat: Heartbeat
    position_us: int
    time_ms: int


@dataclass(frozen=True, slots=True)
class StrokeLimits:
    """What the device allows of a stroke."""

    amp_max_us: int
    vmax_us_s: int
    t_min_ms: int
    t_max_ms: int


@dataclass(frozen=True, slots=True)
class Counters:
    """How many strokes the device has begun, and since which start."""

    strokes: int
    boot_id: str


_Word = TypeVar("_Word", bound=StrEnum)


class _Words:
    """Takes the words of a line one by one.

    Args:
        said: the words.
        count: how many there must be.

    Raises:
        PusherConfused: here and in every method, if a word does not belong there.
    """

    def __init__(self, said: Sequence[str], count: int) -> None:
        self._said = said
        self._left = iter(said)
        if len(said) != count:
            raise PusherConfused(said, f"a count of {len(said)} words instead of {count}")

    def any(self) -> str:
        return next(self._left)

    def dec(self, most: int = _MOST) -> int:
        word = next(self._left)
        if not _DEC.fullmatch(word) or int(word) > most:
            raise PusherConfused(self._said, repr(word))
        return int(word)

    def hex(self, digits: int) -> str:
        word = next(self._left)
        if not re.fullmatch(rf"[0-9A-F]{{{digits}}}", word):
            raise PusherConfused(self._said, repr(word))
        return word

    def one_of(self, kind: type[_Word]) -> _Word:
        word = next(self._left)
        try:
            return kind(word)
        except ValueError:
            raise PusherConfused(self._said, repr(word)) from None


def remembers(firmware: str) -> bool:
    """Whether a program of this version keeps in mind that the arm may be out.

    >>> remembers("1.0"), remembers("1.10")
    (False, True)
    """
    return _numbers(firmware) >= _numbers(REMEMBERS)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def device(said: Sequence[str]) -> Device:
    """Read who greets back, from behind the word PUSHER."""
    words = _Words(said, 5)
    return Device(words.dec(), words.any(), words.hex(4), words.any(), words.one_of(PusherState))


def beat(said: Sequence[str]) -> Beat:
    """Read the reply to a heartbeat."""
    words = _Words(said, 6)
    state = words.one_of(PusherState)
    position_us, _, inputs = words.dec(), words.dec(), int(words.hex(2), 16)
    fault, time_ms = words.one_of(Fault), int(words.hex(8), 16)
    told = (bool(inputs & bit) for bit in (_SWITCH, _SEEN_OFF, _CLOSED, _AWAY))
    return Beat(Heartbeat(state, fault, *told), position_us, time_ms)


def limits(said: Sequence[str]) -> StrokeLimits:
    """Read the reply to LIM."""
    words = _Words(said, 7)
    _, *told = (words.dec() for _ in said)
    return StrokeLimits(*told[:4])


def counters(said: Sequence[str]) -> Counters:
    """Read the reply to CNT."""
    words = _Words(said, 7)
    *_, strokes = (words.dec() for _ in range(6))
    return Counters(strokes, words.hex(4))


def armed(said: Sequence[str]) -> tuple[int, int]:
    """Read the reply to ARM: the token, and for how many milliseconds it is valid."""
    words = _Words(said, 2)
    return int(words.hex(4), 16), words.dec()


def state(said: Sequence[str]) -> PusherState:
    """Read a reply that tells the state and nothing else."""
    return _Words(said, 1).one_of(PusherState)


def refusal(verb: str, said: Sequence[str]) -> PushRefused:
    """Read why a command was refused."""
    words = _Words(said, 2)
    number, now = words.any(), words.one_of(PusherState)
    why = _REFUSALS.get(number)
    if why is None:
        raise PusherConfused(said, repr(number))
    if why is Refusal.SWITCH and verb in ("CLEAR", "HOMED"):
        why = Refusal.SWITCH_ON
    return PushRefused(why, now)


def news(text: str, *, late: bool = False) -> News:
    """Read an event; `late` means that it had been lost and was asked for again.

    >>> news("BEAM 0 1 0012D687")
    BeamNews(beam=0, broken=True, time_us=1234567)
    """
    kind, *said = text.split(" ")
    if kind == "ST":
        words = _Words(said, 4)
        now, fault = words.one_of(PusherState), words.one_of(Fault)
        return StateNews(now, fault, words.dec(), int(words.hex(8), 16), late)
    if kind == "BEAM":
        words = _Words(said, 3)
        return BeamNews(words.dec(1), bool(words.dec(1)), int(words.hex(8), 16))
    if kind == "BOOT":
        words = _Words(said, 4)
        cause, away, _ = words.one_of(ResetCause), bool(words.dec(1)), words.dec()
        words.hex(4)
        return BootNews(cause, away)
    raise PusherConfused((kind, *said), repr(kind))
