"""Uvicorn around the Flask applications, with the event stream served directly beside them."""

import asyncio
import contextlib
import gc
import socket
import ssl
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import uvicorn
from flask import Flask

from web.access.address import is_outside
from web.access.certificates import Certificates
from web.base.errors import WebError
from web.base.rate_limits import Limits
from web.live.parts import Parts, parts
from web.server.connection import connection_class
from web.server.front import Front
from web.server.listening import WAITING, Doorway, listen

_GREETED = 8
"""Most new connections accepted before other work."""

_GARBAGE = (700, 1, 2500)
"""Thresholds of the garbage collector. New objects are collected often, so that it takes only a
millisecond or two; all objects fifty times less often than by default, because that stops
everything for a tenth of a second with a thousand phones."""

_SWITCH_S = 0.0002
"""Seconds after which a waiting thread gets the interpreter; STOP waits for it a few times."""

_PATIENCE_S = 0.5
"""Seconds that phones have, at the end, to fetch answers under way."""


class Server:
    """Serves one application from a thread of its own, once; also as a context manager."""

    def __init__(
        self, app: Flask, *, bind: str = "0.0.0.0", port: int = 8000, https: Path | None = None
    ) -> None:
        """Prepare to serve.

        Args:
            app: the first table's application; the others come with it.
            bind: the address to serve on; "0.0.0.0" is all of this machine's.
            port: where; 0 is any free port.
            https: the folder of this machine's own authority, to serve by HTTPS beside HTTP.
        """
        self._https = https
        self._tables = parts(app).tables
        self._web.net.bind = bind
        self._web.net.port = port
        self._front = Front(app)
        self._thread: threading.Thread | None = None
        self._sides: list[_Uvicorn] = []
        self._failure: BaseException | None = None

    @property
    def _web(self) -> Parts:
        """The first table's pages; those of another game take their place."""
        return self._tables.parts[0]

    @property
    def port(self) -> int:
        """The port phones use; known for sure after `start`."""
        return self._web.net.port

    @property
    def join_url(self) -> str:
        """Where the QR code leads."""
        return self._web.net.url(f"/j/{self._web.auth.code}")

    @property
    def other_urls(self) -> tuple[str, ...]:
        """The same place by this machine's other adapters."""
        path = f"/j/{self._web.auth.code}"
        return tuple(self._web.net.url(path, each) for each in self._web.net.addresses()[1:])

    @property
    def table_url(self) -> str:
        """The table screen, on this machine."""
        return self._web.net.url("/table", "127.0.0.1")

    @property
    def setup_url(self) -> str:
        """Where the devices are set up, on this machine."""
        return self._web.net.url("/setup", "127.0.0.1")

    @property
    def tables_url(self) -> str:
        """The list of all tables, on this machine."""
        return self._web.net.url("/tables", "127.0.0.1")

    @property
    def host_table_url(self) -> str:
        """The table screen with the host's rights, for this machine's own browser."""
        return f"{self.host_url}?as=table"

    @property
    def host_url(self) -> str:
        """Makes the browser that opens it the host's; for the console alone."""
        return self._web.net.url(f"/host/{self._web.auth.host_secret}", "127.0.0.1")

    @property
    def local_url(self) -> str | None:
        """The table by its `.local` name; None if it has none."""
        return self._web.net.url("", self._web.net.local) if self._web.net.local else None

    @property
    def trust_url(self) -> str | None:
        """The page that helps phones to trust this machine's HTTPS; None without HTTPS."""
        return self._web.net.url("/trust") if self._tables.certificates else None

    @property
    def fingerprint(self) -> str:
        """The authority's fingerprint, which a phone must show before people trust it."""
        certificates = self._tables.certificates
        return certificates.fingerprint if certificates else ""

    @property
    def public_addresses(self) -> tuple[str, ...]:
        """Those of this machine that anybody on the internet may try, unless a firewall bars it."""
        return tuple(each for each in self._web.net.addresses() if is_outside(each))

    def start(self) -> None:
        """Begin to serve; returns when the port answers.

        Raises:
            WebError: the port or the address cannot be had.
        """
        net, limits = self._web.net, self._web.limits
        asked = net.port
        listeners = [listen(net.bind, asked)]
        net.port = listeners[0].getsockname()[1]
        self._sides = [_Uvicorn(self._front, limits)]
        try:
            if self._https is not None:
                certificates = Certificates(self._https, net.own_names)
                listener = listen(net.bind, https_port(asked))
                listeners.append(Doorway(listener, limits.connections_of_address))
                self._tables.certificates = certificates
                self._tables.https_port = listeners[1].getsockname()[1]
                self._sides.append(_Uvicorn(self._front, limits, certificates.context))
        except WebError:
            listeners[0].close()
            raise
        raise_file_limit()
        self._tables.backroom.open()
        self._tables.benchroom.open()
        sys.setswitchinterval(_SWITCH_S)
        gc.set_threshold(*_GARBAGE)
        for table in self._tables.parts:
            table.stops.make_ready()
        self._thread = threading.Thread(
            target=self._run, args=(listeners,), name="web-server", daemon=True
        )
        self._thread.start()
        for side in self._sides:
            side.ready.wait()
        if self._failure is not None:
            self.stop()
            raise WebError(f"The web server did not start: {self._failure}.") from self._failure

    def stop(self) -> None:
        """End all streams, answer what does not take long, and free the port."""
        for room in (self._tables.backroom, self._tables.benchroom):
            room.kill()
        for table in self._tables.parts:
            table.hub.stop()
        for side in self._sides:
            side.should_exit = True
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._front.close()
        for table in self._tables.parts:
            table.stops.close()
        self._tables.backroom.close()
        self._tables.benchroom.close()

    def wait(self) -> None:
        """Serve until the server ends or the person at the console stops it."""
        while self._thread is not None and self._thread.is_alive():
            self._thread.join(0.5)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _run(self, listeners: list[socket.socket]) -> None:
        async def serve() -> None:
            _hurry_handshakes(asyncio.get_running_loop(), self._web.limits.header_s)
            sides = zip(self._sides, listeners, strict=True)
            await asyncio.gather(*(side.serve([listener]) for side, listener in sides))

        try:
            asyncio.run(serve())
        except BaseException as error:
            self._failure = error
        finally:
            for side, listener in zip(self._sides, listeners, strict=True):
                listener.close()
                side.ready.set()


def _hurry_handshakes(loop: asyncio.AbstractEventLoop, longest_s: float) -> None:
    """Close HTTPS connections that say nothing; uvicorn would keep them for a minute."""
    create_server = loop.create_server

    async def create(*words: Any, **named: Any) -> asyncio.Server:
        if named.get("ssl") is not None:
            named["ssl_handshake_timeout"] = longest_s
        return await create_server(*words, **named)

    loop.create_server = create  # type: ignore[method-assign]


class _Uvicorn(uvicorn.Server):
    """Uvicorn that says when it is ready, and that does not wait for anybody when it ends."""

    def __init__(self, front: Front, limits: Limits, context: ssl.SSLContext | None = None) -> None:
        super().__init__(
            uvicorn.Config(
                front,
                http=connection_class(limits, front.hurry),
                ws="none",
                loop="asyncio",
                lifespan="off",
                log_config=None,
                log_level="error",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=5,
                h11_max_incomplete_event_size=16_384,
                backlog=_GREETED,
            )
        )
        self.config.load()
        self.config.ssl = context
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(WAITING)
        self.ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        cut = asyncio.create_task(self._cut_off())
        try:
            await super().shutdown(sockets)
        finally:
            cut.cancel()

    async def _cut_off(self) -> None:
        """Close connections of clients that do not read their answers."""
        await asyncio.sleep(_PATIENCE_S)
        for connection in list(self.server_state.connections):
            with contextlib.suppress(AttributeError):
                connection.transport.abort()


def settle() -> None:
    """Exclude everything loaded so far from garbage collection; call when all tables are open.

    The collector would go through all of it again and again, which takes a quarter of a second with
    300 tables and stops everything meanwhile. Only for a process that does nothing but serve.
    """
    gc.collect()
    gc.freeze()


def https_port(port: int) -> int:
    """The HTTPS port that belongs to an HTTP port; 0, any free one, belongs to 0.

    >>> https_port(8000), https_port(65_300), https_port(0)
    (8443, 64857, 0)
    """
    if port == 0:
        return 0
    return port + 443 if port + 443 <= 65_535 else port - 443


def raise_file_limit() -> None:
    """Allow more open files: every screen is one, and some systems allow only 256."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
