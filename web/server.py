"""The server round the Flask application: uvicorn, with the event stream native beside it."""

import asyncio
import contextlib
import errno
import socket
import sys
import threading
from types import TracebackType
from typing import Self

import uvicorn
from flask import Flask

from web.address import is_outside
from web.connection import connection_class
from web.errors import WebError
from web.front import Front
from web.limits import Limits
from web.parts import parts

_SILENT_MS = 15_000
"""A phone that vanished without a word is dropped by the system after this time."""

_PATIENCE_S = 0.5
"""At the end, answers under way have this long to be fetched."""


class Server:
    """Serves one application from a thread of its own, once; also as a context manager."""

    def __init__(self, app: Flask, *, bind: str = "0.0.0.0", port: int = 8000) -> None:
        self._web = parts(app)
        self._web.net.bind = bind
        self._web.net.port = port
        self._front = Front(app)
        self._thread: threading.Thread | None = None
        self._uvicorn: _Uvicorn | None = None
        self._failure: BaseException | None = None

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
    def host_table_url(self) -> str:
        """The table screen with the host's rights, for this machine's own browser."""
        return f"{self.host_url}?as=table"

    @property
    def host_url(self) -> str:
        """Makes the browser that opens it the host's; for the console alone."""
        return self._web.net.url(f"/host/{self._web.auth.host_secret}", "127.0.0.1")

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the person at the console should know about this network."""
        outside = [each for each in self._web.net.addresses() if is_outside(each)]
        return tuple(
            f"{each} is a public address: anybody on the internet may try this port "
            "unless a firewall is in the way."
            for each in outside
        )

    def start(self) -> None:
        """Begin to serve; returns when the port answers.

        Raises:
            WebError: the port or the address cannot be had.
        """
        listener = listen(self._web.net.bind, self._web.net.port)
        self._web.net.port = listener.getsockname()[1]
        _raise_file_limit()
        ready = threading.Event()
        self._uvicorn = _Uvicorn(self._front, self._web.limits, ready)
        self._thread = threading.Thread(
            target=self._run, args=(listener, ready), name="web-server", daemon=True
        )
        self._thread.start()
        ready.wait()
        if self._failure is not None:
            self.stop()
            raise WebError(f"The web server did not start: {self._failure}.") from self._failure

    def stop(self) -> None:
        """End all streams, answer what is under way, and free the port."""
        self._web.hub.stop()
        if self._uvicorn is not None:
            self._uvicorn.should_exit = True
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._front.close()

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

    def _run(self, listener: socket.socket, ready: threading.Event) -> None:
        assert self._uvicorn is not None
        try:
            asyncio.run(self._uvicorn.serve([listener]))
        except BaseException as error:
            self._failure = error
        finally:
            listener.close()
            ready.set()


class _Uvicorn(uvicorn.Server):
    """Uvicorn that says when it is ready, and whose end waits for nobody."""

    def __init__(self, front: Front, limits: Limits, ready: threading.Event) -> None:
        super().__init__(
            uvicorn.Config(
                front,
                http=connection_class(limits),
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
            )
        )
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        cut = asyncio.create_task(self._cut_off())
        try:
            await super().shutdown(sockets)
        finally:
            cut.cancel()

    async def _cut_off(self) -> None:
        """Hang up on whoever does not read what they asked for."""
        await asyncio.sleep(_PATIENCE_S)
        for connection in list(self.server_state.connections):
            with contextlib.suppress(AttributeError):
                connection.transport.abort()


def listen(bind: str, port: int) -> socket.socket:
    """Take the port.

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
        listener.listen(512)
    except (OSError, OverflowError) as error:
        listener.close()
        raise WebError(_why_not(bind, port, error)) from error
    return listener


def _why_not(bind: str, port: int, error: OSError | OverflowError) -> str:
    number = getattr(error, "errno", None)
    if isinstance(error, OverflowError):
        return f"Port {port} does not exist: choose one from 1024 to 65535 with --port."
    if number == errno.EADDRINUSE:
        return (
            f"Port {port} is taken by another program: stop that program, "
            f"or choose another port with --port {port + 1}."
        )
    if number == errno.EACCES:
        return f"Port {port} is kept for the system: choose one from 1024 up, say --port 8000."
    if number == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return f"{bind} is not an address of this machine: leave it out, or name one that is."
    return f"The server cannot listen on {bind} port {port}: {error}."


def _raise_file_limit() -> None:
    """Every screen is an open file, and some systems allow but 256."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
