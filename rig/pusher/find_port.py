"""Serial ports: which ones there are, in what order to try them, and bytes to and from one.

A pusher is recognised by its answer, not by the name of its port; the order only says where to ask
first.
"""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import serial
from serial.tools import list_ports

from rig.pusher.link import Line, LineLost

BAUD: Final = 115_200

_READ_S: Final = 0.02
_WRITE_S: Final = 0.5
_MOST: Final = 4096
_LIKELY: Final = {
    0x2341: "Arduino",
    0x2A03: "Arduino",
    0x1A86: "CH340",
    0x0403: "FTDI",
    0x10C4: "CP210x",
}
_BY_ID: Final = Path("/dev/serial/by-id")
_ADDRESSES: Final = ("socket", "loop")
"""Kinds of address that are opened. pyserial knows more: `spy://` writes to any file."""


def _gone() -> tuple[type[Exception], ...]:
    if os.name != "posix":
        return OSError, TypeError
    import termios

    return OSError, TypeError, termios.error


GONE: Final = _gone()
"""What pyserial raises where a port vanishes: `OSError`, `termios.error` (which is no `OSError`),
or a `TypeError` from its own closed handle."""
_SHUT: Final[tuple[type[Exception], ...]] = (*GONE, ValueError)
"""What it raises where a port does not open; `ValueError` for an address it does not understand."""


def in_words(error: Exception) -> str:
    """Say what a port has raised as `OSError` says it: `termios` shows a tuple."""
    return str(OSError(*error.args))


@dataclass(frozen=True, slots=True)
class SerialPort:
    """A serial port of this computer.

    Attributes:
        name: the name to open it by; the one that changes least.
        chip: what its USB numbers say it is, in words; "" if they do not.
        likely: whether a pusher often has such a chip.
    """

    name: str
    chip: str
    likely: bool


def ports() -> list[SerialPort]:
    """List the serial ports, the likeliest for a pusher first."""
    steady = _steady_names()
    found = []
    for info in list_ports.comports():
        maker = _LIKELY.get(info.vid or 0, "")
        chip = maker or (info.description or "").strip()
        found.append(SerialPort(steady.get(info.device, info.device), chip, bool(maker)))
    return sorted(found, key=lambda port: (not port.likely, port.name))


def _steady_names() -> dict[str, str]:
    """Return the names that stay the same when devices are plugged in in another order."""
    if not _BY_ID.is_dir():
        return {}
    return {os.path.realpath(link): str(link) for link in sorted(_BY_ID.iterdir())}


def open_port(name: str, baud: int, *, timeout_s: float, write_timeout_s: float) -> serial.Serial:
    """Open a port exclusively; that resets most boards.

    Raises:
        LineLost: it cannot be opened; the text says why and what to do.
    """
    kind, is_address, _ = name.partition("://")
    if is_address and kind.lower() not in _ADDRESSES:
        raise _why_not(name, ValueError(name))
    try:
        port = serial.serial_for_url(
            name,
            baudrate=baud,
            timeout=timeout_s,
            write_timeout=write_timeout_s,
            do_not_open=True,
        )
        if os.name == "posix" and isinstance(port, serial.Serial):
            port.exclusive = True
        port.open()
    except _SHUT as error:
        raise _why_not(name, error) from None
    return port


class SerialLine(Line):
    """A serial port, open exclusively for this program.

    Args:
        name: of the port, or an address such as `socket://localhost:7000`.

    Raises:
        LineLost: it cannot be opened; the text says why and what to do.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        port = open_port(name, BAUD, timeout_s=_READ_S, write_timeout_s=_WRITE_S)
        self._port = port

    def read(self) -> bytes:
        try:
            data: bytes = self._port.read(1)
            if data and self._port.in_waiting:
                data += self._port.read(min(self._port.in_waiting, _MOST))
        except GONE as error:
            words = f"{self.name} is gone ({in_words(error)}): plug the pusher in again"
            raise LineLost(words, "unplugged", port=self.name) from None
        return data

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except GONE as error:
            words = f"{self.name} accepts nothing any more ({in_words(error)})"
            raise LineLost(words, "unplugged", port=self.name) from None

    def close(self) -> None:
        try:
            self._port.close()
        except OSError:
            return


class Search:
    """Opens the next port each time it is called; the link finds out who answers there.

    Args:
        listed: gives the ports to try.
        opened: opens one.
    """

    def __init__(
        self,
        listed: Callable[[], Sequence[SerialPort]] = ports,
        opened: Callable[[str], Line] = SerialLine,
    ) -> None:
        self._listed = listed
        self._opened = opened
        self._turn = 0

    def __call__(self) -> Line:
        """Open the next port.

        Raises:
            LineLost: there is none, or it cannot be opened.
        """
        names = [port.name for port in self._listed()]
        if not names:
            raise LineLost(NO_PORT, "no_port")
        name = names[self._turn % len(names)]
        self._turn += 1
        return self._opened(name)


NO_PORT: Final = (
    "no serial port is there: plug the pusher's USB cable in; with a CH340 board on Linux, "
    "brltty may take it away (sudo apt remove brltty)"
)


_FIND: Final = "search with domino-rig pusher find"


def _why_not(name: str, error: Exception) -> LineLost:
    """Say why a port does not open, and what to do."""
    number = _number(error)
    if number == errno.EACCES and sys.platform.startswith("linux"):
        return LineLost(f"{name}: no permission; {_membership(name)}", "denied", port=name)
    if number in (errno.EBUSY, errno.EAGAIN, errno.EACCES):
        words = f"{name} is in use by another program: close it (a serial monitor?)"
        return LineLost(words, "busy", port=name)
    if number == errno.ENOENT or "could not find" in str(error).lower():
        words = f"{name} is not there: plug the pusher in, or {_FIND}"
        return LineLost(words, "missing", port=name)
    if number in (errno.ENOTTY, errno.EISDIR):
        words = f"{name} is not a serial port: name the pusher's, such as /dev/ttyUSB0, or {_FIND}"
        return LineLost(words, "other", port=name)
    why = f" ({OSError(number, os.strerror(number))})" if number and number > 0 else ""
    if "://" in name:
        words = f"{name} does not open{why}: expected socket://HOST:PORT, and something that"
        return LineLost(f"{words} listens there")
    return LineLost(f"{name} does not open{why}: plug the pusher in again, or {_FIND}")


def _number(error: BaseException | None) -> int | None:
    """Return the system's error number: pyserial wraps it, and Windows hides it in the text."""
    while error is not None:
        if isinstance(error, GONE) and error.args and isinstance(error.args[0], int):
            return error.args[0]
        error = error.__context__
    return None


def _membership(name: str) -> str:
    """Say how to be allowed to open a device on Linux."""
    import grp

    try:
        found = os.stat(name)
        group = grp.getgrgid(found.st_gid).gr_name
        readable = stat.S_IMODE(found.st_mode) & stat.S_IRGRP
    except (OSError, KeyError):
        group, readable = "dialout", stat.S_IRGRP
    if not readable:
        return f"its group {group} cannot read it either: see the udev rule in firmware/README.md"
    return f"run sudo usermod -aG {group} $USER and log in again"


def nonces(seed: Callable[[int], bytes] = os.urandom) -> Iterator[int]:
    """Give a fresh number below 2**32 for every session."""
    while True:
        yield int.from_bytes(seed(4), "big")
