"""Puts the pusher's program on its board, through the bootloader that the board came with.

Uno and Nano boards speak STK500v1 for a second after a reset: the new bootloader (Optiboot) at
115200 baud, that of older Nano boards at 57600. Only program memory below the bootloader is
written; fuses, lock bits and EEPROM are never touched.
"""

import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Final

import serial

from rig.errors import KeyedError
from rig.pusher.find_port import GONE, in_words, open_port

PAGE_B: Final = 128
"""Bytes of program memory that an ATmega328P writes at once."""
ROOM_B: Final = 0x7800
"""Where the larger of the two bootloaders begins."""
CHIP: Final = bytes.fromhex("1E950F")
"""The signature of the ATmega328P."""
SPEEDS: Final = (115_200, 57_600)
OLD_SPEED: Final = 57_600
TRIES: Final = 6
"""Resets before giving a board up: three at each speed."""

_OTHER_CHIPS: Final = {
    bytes.fromhex("1E9514"): "ATmega328 without P",
    bytes.fromhex("1E9516"): "ATmega328PB",
    bytes.fromhex("1E9406"): "ATmega168",
    bytes.fromhex("1E940B"): "ATmega168P",
    bytes.fromhex("1E9801"): "ATmega2560",
    bytes.fromhex("1E9587"): "ATmega32U4",
}

_RESET_S: Final = 0.2
"""Seconds that DTR rests before the reset, and that the board is left alone after it. A bootloader
blinks for 0.4 s before it listens, and keeps only one greeting meanwhile."""
_LISTENS_S: Final = 1.5
"""Seconds that a bootloader listens after a reset: its blinking, and then one second."""
_SYNC_S: Final = 0.25
"""Seconds from one greeting to the next."""
_QUIET_S: Final = 0.3
"""Silence, in seconds, after which no more replies to greetings come; more than `_SYNC_S`."""
_REPLY_S: Final = 2.0
"""Seconds to wait for a reply. Writing a page takes 9 ms; the rest is for the computer's USB."""

_END: Final = b" "
_IN_SYNC, _OK = b"\x14", b"\x10"
_GET_SYNC, _ENTER, _LEAVE = b"0", b"P", b"Q"
_LOAD_ADDRESS, _WRITE_PAGE, _READ_PAGE, _READ_SIGNATURE = b"U", b"d", b"t", b"u"

_STILL: Final = b"\xff\xcf".ljust(PAGE_B, b"\xff")
"""A first page whose first instruction jumps to itself: the chip does nothing, its pins float, and
the servo has no power."""


class FlashFailed(KeyedError):
    """The program is not on the board; the text says why and what the board does now."""


class _OutOfSync(KeyedError):
    """The bootloader answered something else than it was asked, or nothing."""


class _Misread(KeyedError):
    """A page reads back differently from what was written."""

    def __init__(self, at: int) -> None:
        where = f"{at:#06x}"
        words = f"what was written at {where} does not read back the same"
        super().__init__(words, "flash.misread", at=where)


@dataclass(frozen=True, slots=True)
class Flashed:
    """How it went.

    Attributes:
        written: whether anything was written; False if the board already had this program.
        speed: baud at which its bootloader spoke.
    """

    written: bool
    speed: int


def read_image(text: str) -> bytes:
    """Read a program in Intel HEX, as one piece from address 0, padded to whole pages.

    Raises:
        FlashFailed: the file is not Intel HEX, is damaged, or does not fit below the bootloader.

    >>> read_image(":02000000FFCF30" + chr(10) + ":00000001FF")[:3].hex()
    'ffcfff'
    """
    data = bytearray()
    ended = False
    for number, line in enumerate(text.split(), start=1):
        try:
            record = bytes.fromhex(line.removeprefix(":"))
        except ValueError:
            record = b""
        if (
            ended
            or not line.startswith(":")
            or len(record) < 5
            or len(record) != record[0] + 5
            or sum(record) % 256
            or record[3] not in (0, 1)
            or (record[3] == 0 and int.from_bytes(record[1:3], "big") != len(data))
        ):
            words = f"the program to flash is damaged in line {number}: install it again"
            raise FlashFailed(words, "flash.damaged")
        data += record[4:-1]
        ended = record[3] == 1
    if not ended or not 0 < len(data) <= ROOM_B:
        raise FlashFailed(
            f"the program to flash is damaged: it has {len(data)} bytes"
            f"{'' if ended else ' and no end'}; install it again",
            "flash.damaged",
        )
    return bytes(data) + b"\xff" * (-len(data) % PAGE_B)


def flash(name: str, program: bytes, tell: Callable[..., None] = lambda key, **of: None) -> Flashed:
    """Put a program on the board at a port, unless it is there already.

    The first page is written last; until then it holds a program that does nothing. So a board
    whose flashing is interrupted does not move, gives the servo no power, and can be flashed again.

    Args:
        name: of the port.
        program: whole pages, from address 0.
        tell: called at each step with the key of its words and their facts: `writing` so many
            `bytes`, `reading` them back, `again` and `why`, an error.

    Raises:
        FlashFailed: there is no such board, it did not accept the program, or it is gone.
        LineLost: the port does not open.
    """
    trouble: KeyedError | None = None
    speed = SPEEDS[0]
    for attempt in range(TRIES):
        if trouble is None:
            speed = SPEEDS[attempt % len(SPEEDS)]
        with closing(open_port(name, speed, timeout_s=_SYNC_S, write_timeout_s=_REPLY_S)) as port:
            board = _Bootloader(port)
            try:
                if board.greeted():
                    return Flashed(_put(board, program, tell), speed)
            except (_OutOfSync, _Misread) as error:
                trouble = error
                tell("again", why=error)
            except GONE as error:
                words = f"{name} is gone ({in_words(error)}): {_HALF_DONE}"
                raise FlashFailed(words, "flash.gone", port=name) from None
    if trouble is not None:
        words = f"{name}: {trouble}, in {TRIES} tries. Try another cable; {_HALF_DONE}"
        raise FlashFailed(words, "flash.failed", port=name, tries=TRIES)
    raise FlashFailed(
        f"no bootloader answers at {name}, at {SPEEDS[0]} or {SPEEDS[1]} baud; nothing was "
        "written. Is it an Uno or Nano with an ATmega328P? Start again and press the board's "
        "reset button every second while it is looked for. If that does not help, it has no "
        "bootloader, or one that hangs: unplug USB and supply for a moment and try again",
        "flash.nobody",
        port=name,
        one=SPEEDS[0],
        other=SPEEDS[1],
    )


_HALF_DONE: Final = (
    "if writing had begun, the board does nothing until it is flashed again, which can be done at "
    "any time"
)


def _put(board: "_Bootloader", program: bytes, tell: Callable[..., None]) -> bool:
    """Put the program on the board; say whether anything had to be written."""
    signature = board.ask(_READ_SIGNATURE, 3)
    if signature != CHIP:
        says, known = signature.hex(" ").upper(), _OTHER_CHIPS.get(signature, "")
        raise FlashFailed(
            f"the chip of this board says {says}, {known or 'an unknown chip'}; the program is for "
            "an ATmega328P (1E 95 0F), and nothing was written",
            "flash.chip",
            chip=f"{known} ({says})" if known else says,
        )
    board.ask(_ENTER)
    pages = {at: program[at : at + PAGE_B] for at in range(0, len(program), PAGE_B)}
    if all(board.read_page(at) == page for at, page in pages.items()):
        board.ask(_LEAVE)
        return False
    tell("writing", bytes=len(program))
    board.write_page(0, _STILL)
    later = list(pages)[1:]
    for at in later:
        board.write_page(at, pages[at])
    tell("reading")
    for at in later:
        if board.read_page(at) != pages[at]:
            raise _Misread(at)
    board.write_page(0, pages[0])
    if board.read_page(0) != pages[0]:
        board.write_page(0, _STILL)
        raise _Misread(0)
    board.ask(_LEAVE)
    return True


class _Bootloader:
    """The bootloader at an open port."""

    def __init__(self, port: serial.Serial) -> None:
        self._port = port

    def greeted(self) -> bool:
        """Reset the board and wait until its bootloader answers; say whether one does."""
        with suppress(OSError):  # not every line has these wires
            for resting in (False, True):
                self._port.dtr = self._port.rts = resting
                time.sleep(_RESET_S)
        self._port.reset_input_buffer()
        end_s = time.monotonic() + _LISTENS_S
        while time.monotonic() < end_s:
            self._port.write(_GET_SYNC + _END)
            if self._port.read(1) == _IN_SYNC and self._port.read(1) == _OK:
                self._port.timeout, heard = _QUIET_S, 0
                while heard < PAGE_B and (late := self._port.read(PAGE_B)):
                    heard += len(late)
                self._port.timeout = _REPLY_S
                return heard < PAGE_B  # whatever talks on and on is no bootloader
        return False

    def ask(self, command: bytes, count: int = 0) -> bytes:
        """Send a command and take the bytes that answer it.

        Raises:
            _OutOfSync: the answer was different, or too short.
        """
        self._port.write(command + _END)
        reply: bytes = self._port.read(count + 2)
        if len(reply) != count + 2:
            raise _OutOfSync("the bootloader does not answer any more", "flash.silent")
        if reply[:1] != _IN_SYNC or reply[-1:] != _OK:
            raise _OutOfSync("the bootloader's answers are garbled", "flash.garbled")
        return reply[1:-1]

    def read_page(self, at: int) -> bytes:
        """Read a page of program memory at a byte address."""
        self._load(at)
        return self.ask(_READ_PAGE + PAGE_B.to_bytes(2, "big") + b"F", PAGE_B)

    def write_page(self, at: int, page: bytes) -> None:
        """Write a page of program memory at a byte address."""
        self._load(at)
        self.ask(_WRITE_PAGE + PAGE_B.to_bytes(2, "big") + b"F" + page)

    def _load(self, at: int) -> None:
        """Set the address; bootloaders count in words of two bytes."""
        self.ask(_LOAD_ADDRESS + (at // 2).to_bytes(2, "little"))
