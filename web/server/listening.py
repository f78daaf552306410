"""Opens the port that phones use, or says why that is not possible."""

import errno
import socket
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from web.access.address import is_loopback
from web.base.errors import WebError

WAITING = 512
"""Most connections that may wait to be accepted."""

_SILENT_MS = 15_000
"""Milliseconds after which the system drops the connection of a phone that has vanished."""


def listen(bind: str, port: int) -> socket.socket:
    """Open the port.

    Raises:
        WebError: it is taken, not allowed, or the address is not this machine's.
    """
    # asyncio switches Nagle's 40 ms off only where the protocol is named.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":  # there it would let two programs share one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _SILENT_MS)
        listener.bind((bind, port))
        listener.listen(WAITING)
    except (OSError, OverflowError) as error:
        listener.close()
        raise _why_not(bind, port, error) from error
    return listener


class Doorway(socket.socket):
    """A port that gives each address only so many connections, counted before any handshake.

    Args:
        listener: the port, which the doorway takes over.
        most: how many an address may have; further ones are closed at once.
    """

    def __init__(self, listener: socket.socket, most: int) -> None:
        kind = (listener.family, listener.type, listener.proto)
        super().__init__(*kind, fileno=listener.detach())
        self._most = most
        self._of: Counter[str] = Counter()

    def accept(self) -> tuple[socket.socket, Any]:
        accepted, address = super().accept()
        peer = address[0]
        if self._of[peer] >= self._most and not is_loopback(peer):
            accepted.close()
            raise ConnectionAbortedError(errno.ECONNABORTED, f"{peer} has enough connections")
        self._of[peer] += 1
        return _Counted(accepted, partial(self._left, peer)), address

    def _left(self, peer: str) -> None:
        self._of[peer] -= 1
        if not self._of[peer]:
            del self._of[peer]


class _Counted(socket.socket):
    """A connection that tells when it is closed."""

    def __init__(self, accepted: socket.socket, over: Callable[[], None]) -> None:
        kind = (accepted.family, accepted.type, accepted.proto)
        super().__init__(*kind, fileno=accepted.detach())
        self._over: Callable[[], None] | None = over

    def close(self) -> None:
        over, self._over = self._over, None
        if over is not None:
            over()
        super().close()


def _why_not(bind: str, port: int, error: OSError | OverflowError) -> WebError:
    number, key = getattr(error, "errno", None), "port.trouble"
    if isinstance(error, OverflowError):
        words = f"Port {port} does not exist: choose one from 0 to 65535 with --port."
        key = "port.none"
    elif number == errno.EADDRINUSE:
        words = (
            f"Port {port} is taken by another program: stop that program, "
            f"or choose another port with --port {port + 1}."
        )
        key = "port.busy"
    elif number == errno.EACCES:
        words = f"Port {port} is reserved for the system: choose one from 1024 up, as --port 8000."
        key = "port.reserved"
    elif number == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        words = f"{bind} is not an address of this machine: leave it out, or name one that is."
    else:
        words = f"The server cannot listen on {bind} port {port}: {error}."
    return WebError(words, key, port=port, other=port + 1)
