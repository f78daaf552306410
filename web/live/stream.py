"""The event stream of a screen, on ASGI: no other server carries a thousand of them."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from web.access.auth import AccessRequest
from web.base.errors import Denied
from web.base.headers import stream_headers
from web.base.json import encode
from web.base.rate_limits import HELPING_S, TASK_S, Limits
from web.base.session_port import Role
from web.live.hub import BEAT, Hub, Mailbox
from web.live.parts import Parts

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

Write = Callable[[bytes], bool]
WRITE = "write"
"""Key in the scope's state under which a connection offers a direct write."""

RETRY = b"retry: 500\n\n"


def role_of(name: str | None) -> Role:
    """The page that asks, from `?role=`; everything except the table is a phone."""
    return "table" if name == "table" else "phone"


async def stream_events(
    web: Parts,
    bell: "Bell",
    scope: Scope,
    receive: Receive,
    send: Send,
) -> None:
    """Answer `/events` of a table as an ASGI application: an open stream costs no thread.

    Args:
        web: the table.
        bell: the bell of this event loop.
        scope: the request; `path` includes its `root_path`.
        receive: returns when the phone leaves.
        send: sends the answer.
    """
    try:
        if scope["method"] != "GET":
            raise not_get()
        viewer = web.auth.authorise(asked_by(scope))
        web.auth.spend(viewer, "stream")
        query = parse_qs(scope["query_string"].decode("latin-1"))
        screen = _Screen(send, write_of(scope), web.limits)
        role = role_of(query.get("role", [None])[0])
        wake = bell.waker(screen)
        box = screen.box = web.hub.open(viewer, role, wake)
    except Denied as denied:
        await deny(denied, send)
        return
    left = asyncio.ensure_future(_watch(web.hub, receive, box))
    try:
        await screen.run(wake)
    finally:
        web.hub.close(box)
        left.cancel()


async def _watch(hub: Hub, receive: Receive, box: Mailbox) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    hub.close(box)


class _Screen:
    """One open stream on the event loop.

    The bell sends news and beats directly if the connection accepts them at once; only a slow phone
    and the end of the stream need its own task. For a thousand phones that is four times faster.
    """

    box: Mailbox
    _beats: asyncio.TimerHandle

    def __init__(self, send: Send, write: Write | None, limits: Limits) -> None:
        self._send = send
        self._write = write
        self._limits = limits
        self._news = asyncio.Event()
        self._busy = True

    def ring(self) -> float:
        """Send the event in the box, or let the task do it.

        Returns:
            The seconds that the task will need for it.
        """
        if not (self._busy or self._write is None or self.box.closed):
            event = self.box.take()
            if event is None or self._write(event):
                return 0.0
            self.box.put_back(event)
        self._news.set()
        return TASK_S

    async def run(self, wake: Callable[[], None]) -> None:
        """Send the answer's head, then every event, until the box is closed.

        Args:
            wake: makes the bell ring for this stream.
        """
        start = {"type": "http.response.start", "status": 200, "headers": stream_headers()}
        await self._send(start)
        await self._say(RETRY)
        self._beat_later(wake)
        try:
            while not self.box.closed:
                self._busy = False
                await self._news.wait()
                self._news.clear()
                event = self.box.take()
                self._busy = True
                if event is not None and not await self._say(event):
                    return
            await self._say(self.box.take() or b"", more=False)
        finally:
            self._beats.cancel()

    def _beat_later(self, wake: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        self._beats = loop.call_later(self._limits.beat_s, self._beat, wake)

    def _beat(self, wake: Callable[[], None]) -> None:
        """Queue a beat, unless there is news to send."""
        self.box.put_back(BEAT)
        wake()
        self._beat_later(wake)

    async def _say(self, body: bytes, more: bool = True) -> bool:
        """Send a piece; False if the phone is gone."""
        try:
            async with asyncio.timeout(self._limits.send_s):
                await self._send({"type": "http.response.body", "body": body, "more_body": more})
        except TimeoutError:
            return False
        return True


class Bell:
    """Wakes the streams of one event loop, all that are due at once, because each call costs."""

    def __init__(self) -> None:
        self._due: deque[_Screen] = deque()
        self._rung = False

    def waker(self, screen: _Screen) -> Callable[[], None]:
        """Give a function that wakes one stream from any thread; call this on the loop."""
        loop = asyncio.get_running_loop()

        def wake() -> None:
            self._due.append(screen)
            if not self._rung:
                self._rung = True
                with contextlib.suppress(RuntimeError):  # the loop has ended, its streams with it
                    loop.call_soon_threadsafe(self._ring)

        return wake

    def _ring(self) -> None:
        until_s = time.perf_counter() + HELPING_S
        while self._due and time.perf_counter() < until_s:
            until_s -= self._due.popleft().ring()
        if not self._due:
            self._rung = False
            if not self._due:  # whoever came before that line has not rung again
                return
            self._rung = True
        asyncio.get_running_loop().call_soon(self._ring)


def write_of(scope: Scope) -> Write | None:
    """The connection's direct write, if the server offers one."""
    return scope.get("state", {}).get(WRITE) if scope.get("http_version") == "1.1" else None


def asked_by(scope: Scope) -> AccessRequest:
    """The request of an ASGI scope, in the form that `authorise` takes."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]},{value}" if name in headers else value
    client = scope.get("client")
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    return AccessRequest(scope["method"], path, headers, client[0] if client else "")


def not_get() -> Denied:
    """The refusal of every method but GET."""
    return Denied(405, "method", "The stream of events is only read: use GET.")


async def deny(denied: Denied, send: Send) -> None:
    """Answer a refusal as JSON."""
    again = denied.retry_after_s
    more = [] if again is None else [(b"retry-after", b"%d" % max(1, round(again)))]
    await answer(denied.status, encode(denied.as_reply()), send, *more)


async def answer(status: int, body: bytes, send: Send, *more: tuple[bytes, bytes]) -> None:
    """Answer with JSON and extra headers."""
    length = (b"content-length", b"%d" % len(body))
    headers = [*stream_headers(kind="application/json"), length, *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
