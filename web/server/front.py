"""In front of Flask: receives a whole request before a thread works on it.

So a phone that sends half a request, or fetches its answer a byte at a time, holds a few kilobytes
of memory but no thread.
"""

import asyncio
import io
import json
import re
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, cast

from a2wsgi.wsgi import build_environ
from flask import Flask
from werkzeug.wrappers import Response

from web.access.address import is_loopback
from web.access.auth import AccessRequest, Viewer, is_open, is_passed_on
from web.base.errors import Denied
from web.base.rate_limits import Turns
from web.content.static_files import FOLDERS, files
from web.live.parts import Parts, parts
from web.live.stream import Bell, Receive, Scope, Send, answer, asked_by, deny, stream_events
from web.routes import bench_page, phones, replay, stop, table_screen

_LOOKING = 2
"""Threads for requests that do not wait for the disk; more would only compete with each other."""
_WRITING = 1
"""Threads for requests that may wait for the disk; the session takes them one after the other."""
_HOSTILE = frozenset({400, 401, 403, 404, 405, 413, 415, 429})
"""Statuses that an honest phone seldom gets."""
_SLOW = (
    *("/api/games", "/api/statistics", "/api/badges", "/film/"),
    *(replay.IMPORT, phones.PHOTO),
)
"""Addresses of what takes a second or so, one after the other."""
_ROOMS = {replay.IMPORT: replay.room, phones.PHOTO: phones.room_for_photo}
"""How much the body of a request may hold, where that is more than a command."""
_PICTURE = re.compile(r"/picture/([0-9]{1,18})\.jpg")
_PRESSED = "pressed"
_DRAINED_BYTES = 1 << 20
"""Bytes of an oversized body that are read, so that its sender also reads the answer."""


class Front:
    """The ASGI application of all tables: streams and files here, all else by Flask on threads."""

    def __init__(self, app: Flask) -> None:
        self._tables = parts(app).tables
        self._limits = parts(app).limits
        self._looking = ThreadPoolExecutor(_LOOKING, thread_name_prefix="web-request")
        self._writing = ThreadPoolExecutor(_WRITING, thread_name_prefix="web-command")
        self._past = ThreadPoolExecutor(1, thread_name_prefix="web-past")
        self._bell = Bell()
        self._turns = Turns(self._limits.at_once)
        self._writing_turns = Turns(self._limits.at_once)
        self._past_turns = Turns(1)
        self._bench = ThreadPoolExecutor(1, thread_name_prefix="web-bench")
        self._bench_turns = Turns(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        table, path, scope = self._at(scope)
        web, asked = parts(table), asked_by(scope)
        try:
            if _is_stop(path, scope):
                told = await asyncio.wrap_future(self.press(scope))
                await answer(200, stop.reply(told), send)
                return
            if path == "/events":
                web.auth.check(asked)
                await stream_events(web, self._bell, scope, receive, send)
                return
            if path.startswith(FOLDERS) and await self._sent_file(web, asked, send):
                return
            body = await self._body(receive, await self._room(web, asked))
            if not is_open(path):  # what is refused anyhow costs no thread; pages say it in words
                web.auth.check(asked)
            if body is not None and path == "/api/command":
                self._refuse_watchers(web, asked, body)
        except Denied as denied:
            await self._slow_down(web, asked, denied.status)
            await deny(denied, send)
            return
        if body is None:
            return
        loop = asyncio.get_running_loop()
        threads, turns = self._lane(web, asked)
        async with turns.turn(web.auth.sender(asked)):
            response = await loop.run_in_executor(threads, self._ask_flask, table, scope, body)
        await self._slow_down(web, asked, response.status_code)
        headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in response.headers.items()
        ]
        status = response.status_code
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": response.get_data()})

    async def _sent_file(self, web: Parts, asked: AccessRequest, send: Send) -> bool:
        """Answer a request for a file at once, without a thread; False if there is no such file."""
        if asked.method not in ("GET", "HEAD"):
            return False
        web.auth.check(asked)
        web.auth.spend(Viewer(None, asked.peer, is_passed_on(asked)), "file")
        file = files(web.development).answer(
            asked.path,
            asked.headers.get("accept-encoding", ""),
            asked.headers.get("if-none-match", ""),
        )
        if file is None:
            return False
        await send({"type": "http.response.start", "status": file.status, "headers": file.headers})
        await send({"type": "http.response.body", "body": file.body})
        return True

    def hurry(self, scope: Scope) -> None:
        """Stop the machine before the task of a request begins, if it asks for that."""
        _, path, _ = self._at(scope)
        if _is_stop(path, scope):
            self.press(scope)

    def press(self, scope: Scope) -> Future[str]:
        """Stop the machine for a request that asks for it, once; does not wait.

        Returns:
            What will be known about it, or why it was not done.
        """
        state = scope.setdefault("state", {})
        if _PRESSED not in state:
            state[_PRESSED] = self._pressed(scope)
        pressed: Future[str] = state[_PRESSED]
        return pressed

    def _pressed(self, scope: Scope) -> Future[str]:
        table, _, scope = self._at(scope)
        web, asked = parts(table), asked_by(scope)
        try:
            web.auth.check(asked)
            device = web.auth.stopper(asked)
            pressed = stop.press(web, device)
        except Denied as denied:
            pressed = Future()
            pressed.set_exception(denied)
            return pressed
        if web.stops.begin_note():
            self._writing.submit(stop.note, web, device)
        return pressed

    def _at(self, scope: Scope) -> tuple[Flask, str, Scope]:
        """The table a request is for, its path there, and the request as that table sees it."""
        table, base, path = self._tables.at(scope["path"])
        if table is None:  # the first table says that there is nothing
            table, base, path = self._tables.apps[0], "", scope["path"]
        return table, path, {**scope, "root_path": base, "path": base + path}

    async def _slow_down(self, web: Parts, asked: AccessRequest, status: int) -> None:
        """Make a sender that is refused again and again wait; that costs the server nothing."""
        if status not in _HOSTILE or is_loopback(asked.peer):
            return
        if web.tables.buckets.spend(("refused", asked.peer), self._limits.refused):
            await asyncio.sleep(self._limits.tarpit_s)

    def close(self) -> None:
        """End the threads after the requests they are working on."""
        for threads in (self._looking, self._writing, self._past, self._bench):
            threads.shutdown(wait=True)

    def _refuse_watchers(self, web: Parts, asked: AccessRequest, body: bytes) -> None:
        """Refuse commands that a device may never send; a thousand watchers then take no thread.

        Raises:
            Denied: with the session's reason; 429 if they tap too fast.
        """
        device = web.auth.sender(asked)
        if device == asked.peer or web.session.may_stop(device):
            return  # unknown, or at home here: the route itself has a word for it
        try:
            kind = json.loads(body)["type"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return
        told = web.session.refused(device, kind) if isinstance(kind, str) else None
        if told is not None:
            web.auth.spend_command(Viewer(device, asked.peer), kind)
            raise Denied(phones.status_of(told), told["reason"], told["message"])

    def _lane(self, web: Parts, asked: AccessRequest) -> tuple[ThreadPoolExecutor, Turns]:
        """The threads for a request: slow ones and those that wait for the disk have their own."""
        if asked.path.startswith(_SLOW):
            return self._past, self._past_turns
        if asked.path.startswith(bench_page.BENCH):
            return self._bench, self._bench_turns
        picture = _PICTURE.fullmatch(asked.path)
        if picture is not None and not web.session.at_hand(int(picture[1])):
            return self._writing, self._writing_turns
        if asked.path == table_screen.SCREEN:
            return self._looking, self._turns
        if asked.method != "GET" or asked.path.startswith("/host/"):
            return self._writing, self._writing_turns
        return self._looking, self._turns

    def _ask_flask(self, app: Flask, scope: Scope, body: bytes) -> Response:
        environ = cast(dict[str, Any], build_environ(cast(Any, scope), cast(Any, io.BytesIO(body))))
        environ["CONTENT_LENGTH"] = str(len(body))
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        return Response.from_app(app, environ, buffered=True)

    async def _room(self, web: Parts, asked: AccessRequest) -> int:
        """Most bytes of this request's body, if it may be more than a command's."""
        larger = _ROOMS.get(asked.path) if asked.method == "POST" else None
        if larger is None:
            return self._limits.body_bytes
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._looking, larger, web, asked)

    async def _body(self, receive: Receive, room: int) -> bytes | None:
        """The whole body, or None if its sender went away.

        Raises:
            Denied: 413 if it is too long, 408 if it does not come.
        """
        body = bytearray()
        length = 0
        limits = self._limits
        upload = room > limits.body_bytes
        try:
            async with asyncio.timeout(limits.upload_s if upload else limits.body_s):
                more = True
                while more and length <= max(_DRAINED_BYTES, room):
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    chunk = message.get("body", b"")
                    length += len(chunk)
                    if length <= room:
                        body += chunk
                    more = message.get("more_body", False)
        except TimeoutError:
            raise Denied(408, "too_slow", "The rest of the request did not come.") from None
        if length > room:
            raise Denied(413, "too_large", "That is too much at once; a command has at most 8 kB.")
        return bytes(body)


def _is_stop(path: str, scope: Scope) -> bool:
    return path == stop.STOP and scope["method"] == "POST"
