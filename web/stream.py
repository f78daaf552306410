"""The event stream of a screen: natively on ASGI, and on threads under any other server."""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from concurrent.futures import Executor
from typing import Any
from urllib.parse import parse_qs

from flask import Blueprint, Response, current_app, g, request

from web.auth import Asked, Viewer
from web.errors import Denied
from web.headers import stream_headers
from web.hub import BEAT, Hub, Mailbox
from web.limits import Limits
from web.parts import Parts, parts
from web.ports import Role
from web.view import encode

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

RETRY = b"retry: 500\n\n"

pages = Blueprint("stream", __name__)


def role_of(name: str | None) -> Role:
    """The page that asks, from `?role=`; whatever is not the table is a phone."""
    return "table" if name == "table" else "phone"


class EventStream:
    """`/events` as an ASGI application of its own: an open stream costs no thread."""

    def __init__(self, web: Parts, threads: Executor) -> None:
        self._web = web
        self._threads = threads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["method"] != "GET":
                raise not_get()
            # A cookie nobody issued yet may mean a look into the session, which can wait on a disk.
            loop = asyncio.get_running_loop()
            viewer = await loop.run_in_executor(self._threads, self._authorise, asked_by(scope))
            query = parse_qs(scope["query_string"].decode("latin-1"))
            role = role_of(query.get("role", [None])[0])
            news = asyncio.Event()
            box = self._web.hub.open(viewer, role, _waker(loop, news))
        except Denied as denied:
            await deny(denied, send)
            return
        left = asyncio.ensure_future(self._watch(receive, box))
        try:
            await self._run(send, box, news)
        finally:
            self._web.hub.close(box)
            left.cancel()

    def _authorise(self, asked: Asked) -> Viewer:
        viewer = self._web.auth.authorise(asked)
        self._web.auth.spend(viewer, "stream")
        return viewer

    async def _watch(self, receive: Receive, box: Mailbox) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._web.hub.close(box)

    async def _run(self, send: Send, box: Mailbox, news: asyncio.Event) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": stream_headers()})
        await self._say(send, RETRY)
        while not box.closed:
            try:
                async with asyncio.timeout(self._web.limits.beat_s):
                    await news.wait()
            except TimeoutError:
                event: bytes | None = BEAT
            else:
                news.clear()
                event = box.take()
            if event is not None and not await self._say(send, event):
                return
        await self._say(send, box.take() or b"", more=False)

    async def _say(self, send: Send, body: bytes, more: bool = True) -> bool:
        """Send a piece; False if the phone fell asleep without saying goodbye."""
        try:
            async with asyncio.timeout(self._web.limits.send_s):
                await send({"type": "http.response.body", "body": body, "more_body": more})
        except TimeoutError:
            return False
        return True


def asked_by(scope: Scope) -> Asked:
    """The request of an ASGI scope, as `authorise` wants it."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]},{value}" if name in headers else value
    client = scope.get("client")
    return Asked(scope["method"], scope["path"], headers, client[0] if client else "")


def not_get() -> Denied:
    """The refusal of every other method: a stream is only read."""
    return Denied(405, "method", "The stream of events is only read: use GET.")


async def deny(denied: Denied, send: Send) -> None:
    """Answer a refusal as JSON."""
    headers = stream_headers(kind="application/json")
    if denied.retry_after_s is not None:
        headers.append((b"retry-after", b"%d" % max(1, round(denied.retry_after_s))))
    await send({"type": "http.response.start", "status": denied.status, "headers": headers})
    await send({"type": "http.response.body", "body": encode(denied.as_reply())})


def _waker(loop: asyncio.AbstractEventLoop, news: asyncio.Event) -> Callable[[], None]:
    def wake() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and the stream with it
            loop.call_soon_threadsafe(news.set)

    return wake


@pages.get("/events")
def events() -> Response:
    """The same stream on a thread, for servers that are not ASGI; few of them, as threads are."""
    if request.method != "GET":
        raise not_get()
    web = parts(current_app)
    web.auth.spend(g.viewer, "stream")
    news = threading.Event()
    box = web.hub.open(
        g.viewer, role_of(request.args.get("role")), news.set, cap=web.limits.threaded_streams
    )
    response = Response(_threaded(web.hub, web.limits, box, news), mimetype="text/event-stream")
    response.call_on_close(lambda: web.hub.close(box))
    return response


def _threaded(hub: Hub, limits: Limits, box: Mailbox, news: threading.Event) -> Iterator[bytes]:
    try:
        yield RETRY
        while not box.closed:
            if news.wait(limits.beat_s):
                news.clear()
                event = box.take()
            else:
                event = BEAT
            if event is not None:
                yield event
        yield box.take() or b""
    finally:
        hub.close(box)
