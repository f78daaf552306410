"""What a single connection may do: begin in good time, and not come in hundreds."""

import asyncio
from collections import Counter

from uvicorn.protocols.http.h11_impl import H11Protocol

from web.address import is_loopback
from web.limits import Limits
from web.stream import WRITE


def connection_class(limits: Limits) -> type[H11Protocol]:
    """Make the protocol of one server.

    A connection that says nothing, or only half a request, is hung up on after a while: uvicorn
    itself waits for ever. An address with too many connections gets no further one.
    """
    of_address: Counter[str] = Counter()

    class Connection(H11Protocol):
        """One connection of a browser."""

        _peer = ""
        _patience: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.app_state = {**self.app_state, WRITE: self._write_at_once}
            self._peer = self.client[0] if self.client else ""
            of_address[self._peer] += 1
            crowd = of_address[self._peer] > limits.connections_of_address
            if crowd and not is_loopback(self._peer):
                transport.abort()
            else:
                self._be_patient()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is None or self.cycle.response_complete:
                self._be_patient()
            else:
                self._relax()

        def connection_lost(self, exc: Exception | None) -> None:
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

    return Connection
