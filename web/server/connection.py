"""Limits on connections: slow ones are closed, hundreds from one address refused, STOP goes first.

Input is taken in small portions: between two of them the event loop looks what else has come, and
STOP, recognised by its first line, is sent before everything that came earlier.
"""

import asyncio
import re
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from web.access.address import is_loopback
from web.base.rate_limits import HELPING_S, TASK_S, Buckets, Limits
from web.live.stream import WRITE, Scope

_STOP = re.compile(rb"POST (?:/t/[a-z0-9]{1,16})?/api/stop HTTP/1\.1\r\n")
Press = Callable[[Scope], object]

_HELD_BYTES = 1 << 16
"""Most bytes read from a connection before its turn."""


def connection_class(limits: Limits, press: Press) -> type[H11Protocol]:
    """Make the protocol of one server.

    Args:
        limits: the bounds.
        press: sends STOP if a request is one, before its task begins.

    A connection that sends nothing, or only half a request, is closed after a while (uvicorn itself
    would wait for ever). An address with too many connections gets no further one.
    """
    of_address: Counter[str] = Counter()
    overtakes = Buckets(time.monotonic)

    def help_out() -> None:
        """Take what waits, in the order in which it came, for as long as one helping lasts."""
        until_s = time.perf_counter() + HELPING_S
        try:
            while line:
                until_s -= line.popleft().take()
                if time.perf_counter() >= until_s:
                    break
        finally:
            if line:
                line[0].loop.call_soon(help_out)

    class Connection(H11Protocol):
        """One connection of a browser."""

        _peer = ""
        _patience: asyncio.TimerHandle | None = None
        _says_stop = False

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.app_state = {**self.app_state, WRITE: self._write_at_once}
            self._peer = self.client[0] if self.client else ""
            self._held = bytearray()
            of_address[self._peer] += 1
            crowd = of_address[self._peer] > limits.connections_of_address
            if crowd and not is_loopback(self._peer):
                transport.abort()
            else:
                self._be_patient()

        def data_received(self, data: bytes) -> None:
            waits = bool(self._held)
            self._held += data
            self._says_stop = self._says_stop or _STOP.match(data) is not None
            if self._says_stop and self._may_overtake():
                self.take()
            elif not waits:
                line.append(self)
                if len(line) == 1:
                    self.loop.call_soon(help_out)
            elif len(self._held) > _HELD_BYTES:
                self.transport.pause_reading()

        def _may_overtake(self) -> bool:
            """Whether this address does not say STOP only to be taken first."""
            return is_loopback(self._peer) or not overtakes.spend(self._peer, limits.stop)

        def take(self) -> float:
            """Take what has come, unless it has been taken or its sender is gone.

            Returns:
                The seconds that the task will take which begins by it.
            """
            data, self._held = bytes(self._held), bytearray()
            if not data:
                return 0.0
            if len(data) > _HELD_BYTES and not self.flow.read_paused:
                self.transport.resume_reading()
            before = self.cycle
            super().data_received(data)
            if self._says_stop:
                if self.cycle is not before:  # a head is whole: STOP's, or a body matched
                    press(cast(Scope, self.scope))
                self._says_stop = _STOP.match(self.conn.trailing_data[0]) is not None
            if self.cycle is None or self.cycle.response_complete:
                self._be_patient()
            else:
                self._relax()
            return 0.0 if self.cycle is before else TASK_S

        def connection_lost(self, exc: Exception | None) -> None:
            self._held.clear()
            self._relax()
            of_address[self._peer] -= 1
            if not of_address[self._peer]:
                del of_address[self._peer]
            super().connection_lost(exc)

        def _write_at_once(self, body: bytes) -> bool:
            """Send a piece of a chunked answer without its task; False if others still wait."""
            if self.transport.is_closing() or self.transport.get_write_buffer_size():
                return False
            self.transport.write(b"%x\r\n%b\r\n" % (len(body), body))
            return True

        def _be_patient(self) -> None:
            if self._patience is None:
                self._patience = self.loop.call_later(limits.header_s, self.transport.abort)

        def _relax(self) -> None:
            if self._patience is not None:
                self._patience.cancel()
                self._patience = None

    line: deque[Connection] = deque()
    return Connection
