"""Two ways into the application without a socket, behind one face."""

import asyncio
import json as jsonlib
import queue
import threading
from dataclasses import dataclass
from urllib.parse import unquote

from web.base.rate_limits import Rate
from web.server.front import Front

PHONE = "192.168.7.7"
LOCAL = "127.0.0.1"
PATIENCE_S = 120.0
PLENTY = Rate(10_000, 10_000)


class Clock:
    """A clock in seconds that moves when told to."""

    def __init__(self):
        self.now_s = 1000.0

    def __call__(self):
        return self.now_s


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self):
        return jsonlib.loads(self.body)

    @property
    def cookie(self):
        return self.headers["set-cookie"].partition(";")[0]


class Way:
    """What both ways share: the shape of a request, and a seat at the table."""

    def ask(self, method, path, *, cookie=None, peer=PHONE, headers=None, json=None, body=None):
        raise NotImplementedError

    def get(self, path, **how):
        return self.ask("GET", path, **how)

    def post(self, path, json, **how):
        return self.ask("POST", path, json=json, **how)

    def join(self, peer=PHONE, code="PINE"):
        """Come in by the code; gives the cookie."""
        return self.get(f"/j/{code}", peer=peer).cookie

    def command(self, cookie, kind, *, id=None, **fields):
        self.count = getattr(self, "count", 0) + 1
        order = {"id": id or f"c{self.count}", "type": kind, **fields}
        return self.post("/api/command", order, cookie=cookie)

    def sit(self, name, peer=PHONE):
        cookie = self.join(peer)
        assert self.command(cookie, "sit", name=name).status == 200
        return cookie


def _parts(cookie, headers, json, body):
    named = {"Host": "localhost:8000", **(headers or {})}
    if cookie is not None:
        named["Cookie"] = cookie
    if json is not None:
        body = jsonlib.dumps(json).encode()
        named.setdefault("Content-Type", "application/json")
    return named, body or b""


class FlaskWay(Way):
    """The routes alone, through WSGI."""

    def __init__(self, app):
        self._app = app

    def ask(self, method, path, *, cookie=None, peer=PHONE, headers=None, json=None, body=None):
        named, data = _parts(cookie, headers, json, body)
        client = self._app.test_client(use_cookies=False)
        environ = {"REMOTE_ADDR": peer}
        with client.open(
            path, method=method, headers=named, data=data, environ_base=environ
        ) as answer:
            return Answer(answer.status_code, _lower(answer.headers.items()), answer.get_data())

    def close(self):
        pass


class AsgiWay(Way):
    """Through the ASGI front, as uvicorn does: streams and files too."""

    def __init__(self, app):
        self.front = Front(app)
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()

    def ask(self, method, path, *, cookie=None, peer=PHONE, headers=None, json=None, body=None):
        stream = self._open(method, path, cookie, peer, headers, json, body)
        chunks = []
        if stream.headers.get("content-type", "").startswith("text/event-stream"):
            stream.close()
        else:
            chunks = list(iter(stream.chunk, b""))
        return Answer(stream.status, stream.headers, b"".join(chunks))

    def listen(self, path="/events", *, cookie=None, peer=PHONE, headers=None):
        return self._open("GET", path, cookie, peer, headers, None, None)

    def _open(self, method, path, cookie, peer, headers, json, body):
        named, data = _parts(cookie, headers, json, body)
        return AsgiStream(self, scope(method, path, named, peer), data)

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()
        self.front.close()


def scope(method, path, headers, peer):
    bare, _, query = path.partition("?")
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(bare),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(k.lower().encode(), v.encode()) for k, v in headers.items()],
        "client": (peer, 50_000),
        "server": ("127.0.0.1", 8000),
    }


class AsgiStream:
    """One request under way; `hold` makes the phone stop reading."""

    def __init__(self, way, scope, body=b""):
        self._way = way
        self._sent = queue.Queue()
        self._left = asyncio.Event()
        self._reads = asyncio.Event()
        self._reads.set()
        self._body = body
        self.task = asyncio.run_coroutine_threadsafe(
            way.front(scope, self._receive, self._send), way.loop
        )
        start = self._get()
        self.status = start["status"]
        self.headers = _lower((k.decode(), v.decode()) for k, v in start["headers"])

    async def _receive(self):
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message):
        await self._reads.wait()
        self._sent.put(message)

    def _get(self):
        return self._sent.get(timeout=PATIENCE_S)

    def chunk(self):
        message = self._get()
        if not message.get("more_body"):
            self._sent.put({"body": b""})
        return message.get("body", b"")

    def hold(self):
        self._way.loop.call_soon_threadsafe(self._reads.clear)

    def close(self):
        self._way.loop.call_soon_threadsafe(self._left.set)
        self.task.result(PATIENCE_S)


def _lower(items):
    return {name.lower(): value for name, value in items}


def snapshot(stream):
    """The next snapshot of a stream, past whatever else is said."""
    while True:
        chunk = stream.chunk()
        if chunk.startswith(b"id:"):
            return jsonlib.loads(chunk.partition(b"data: ")[2])
        assert chunk in (b"retry: 500\n\n", b"event: beat\ndata: {}\n\n"), chunk
