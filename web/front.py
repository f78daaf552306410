"""In front of Flask: takes in a whole request before a thread works on it.

A phone that sends half a request, or fetches an answer a byte at a time, then holds a few
kilobytes of memory and no thread.
"""

import asyncio
import io
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from a2wsgi.wsgi import build_environ
from flask import Flask
from werkzeug.wrappers import Response

from web.errors import Denied
from web.parts import parts
from web.stream import EventStream, Receive, Scope, Send, deny

_THREADS = 6
_DRAINED_BYTES = 1 << 20
"""An oversized body is read this far, so that its sender also reads the answer."""


class Front:
    """The ASGI application: `/events` natively, all else by Flask on a few threads."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._limits = parts(app).limits
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="web-request")
        self._events = EventStream(parts(app), self._threads)

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
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(self._threads, self._ask_flask, scope, body)
        headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in answer.headers.items()
        ]
        status = answer.status_code
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.get_data()})

    def close(self) -> None:
        """End the threads, once they have answered what they are working on."""
        self._threads.shutdown(wait=True)

    def _ask_flask(self, scope: Scope, body: bytes) -> Response:
        environ = cast(dict[str, Any], build_environ(cast(Any, scope), cast(Any, io.BytesIO(body))))
        environ["CONTENT_LENGTH"] = str(len(body))
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        return Response.from_app(self._app, environ, buffered=True)

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
