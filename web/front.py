"""In front of Flask: takes in a whole request before a thread works on it.

A phone that sends half a request, or fetches an answer a byte at a time, then holds a few
kilobytes of memory and no thread.
"""

import asyncio
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from flask import Flask

from web.errors import Denied
from web.parts import parts
from web.stream import EventStream, Message, Receive, Scope, Send, deny

_THREADS = 6
_DRAINED_BYTES = 1 << 20
"""An oversized body is read this far, so that its sender also reads the answer."""


class Front:
    """The ASGI application: `/events` natively, all else by Flask on a few threads."""

    def __init__(self, app: Flask) -> None:
        self._limits = parts(app).limits
        self._events = EventStream(parts(app))
        self._flask = WSGIMiddleware(cast(Any, app), workers=_THREADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if scope["path"] == "/events":
            await self._events(scope, receive, send)
            return
        try:
            body = await self._body(receive)
        except Denied as denied:
            await deny(denied, send)
            return
        if body is None:
            return
        answer: list[Message] = []

        async def give() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def keep(message: Message) -> None:
            answer.append(message)

        headers = [
            (name, value)
            for name, value in scope["headers"]
            if name not in (b"content-length", b"transfer-encoding")
        ]
        headers.append((b"content-length", b"%d" % len(body)))
        await self._flask(
            cast(Any, {**scope, "headers": headers}), cast(Any, give), cast(Any, keep)
        )
        for message in answer:
            await send(message)

    def close(self) -> None:
        """End the threads."""
        self._flask.executor.shutdown(wait=True)

    async def _body(self, receive: Receive) -> bytes | None:
        """The whole body, or None if its sender went away.

        Raises:
            Denied: 413 if it is too long, 408 if it does not come.
        """
        body = bytearray()
        length = 0
        try:
            async with asyncio.timeout(self._limits.body_s):
                more = True
                while more and length <= _DRAINED_BYTES:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    chunk = message.get("body", b"")
                    length += len(chunk)
                    if length <= self._limits.body_bytes:
                        body += chunk
                    more = message.get("more_body", False)
        except TimeoutError:
            raise Denied(408, "too_slow", "The rest of the request did not come.") from None
        if length > self._limits.body_bytes:
            raise Denied(413, "too_large", "That is too much at once; a command has at most 8 kB.")
        return bytes(body)
