"""Many phones in one process: raw sockets under one selector, so that measuring costs little.

Phones here only join, listen and send commands. What they hear is noted with the nanosecond at
which it was whole.
"""

import base64
import json
import os
import re
import resource
import selectors
import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

PATIENCE_S = 30.0
NAMES = ("Ana", "Bo", "Cy", "Di", "Eve")
MARKS = ("circle", "triangle", "square", "star", "diamond")
_ID = re.compile(rb"id: (\d+)\n")
_V = re.compile(rb'"v":(\d+)')
_COOKIE = re.compile(rb"[Ss]et-[Cc]ookie: (domino[^=]*=[^;\r]+)")
_STATUS = re.compile(rb"HTTP/1\.\d (\d+)")
_LENGTH = re.compile(rb"[Cc]ontent-[Ll]ength: (\d+)")


def raise_files() -> None:
    """Allow as many open sockets as the system lets us."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@dataclass(slots=True)
class Answer:
    """What came back: the status, the JSON or None, and when it was whole."""

    status: int
    body: bytes
    head: bytes
    at_ns: int

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def cookie(self) -> str:
        """The cookie that this answer set."""
        found = _COOKIE.search(self.head)
        assert found, self.head
        return found[1].decode()


def request_bytes(
    method: str,
    path: str,
    port: int,
    cookie: str | None = None,
    body: bytes | None = None,
    host: str | None = None,
    extra: str = "",
) -> bytes:
    """Write a request as a browser would, in short."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}"]
    if cookie:
        lines.append(f"Cookie: {cookie}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    if extra:
        lines.append(extra)
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


def connect(port: int, address: str = "127.0.0.1") -> socket.socket:
    """Call the server."""
    line = socket.create_connection((address, port), timeout=PATIENCE_S)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


def ask(line: socket.socket, request: bytes) -> Answer:
    """Send one request on an open line and wait for its answer."""
    line.sendall(request)
    return read_answer(line)


def read_answer(line: socket.socket) -> Answer:
    """Wait for the answer to what was sent."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(line)
    head, _, body = data.partition(b"\r\n\r\n")
    found = _LENGTH.search(head)
    length = int(found[1]) if found else 0
    while len(body) < length:
        body += _more(line)
    status = _STATUS.match(head)
    assert status, head
    return Answer(int(status[1]), body, head, time.monotonic_ns())


def ask_once(port: int, request: bytes) -> Answer:
    """The same on a line of its own."""
    with connect(port) as line:
        return ask(line, request)


@dataclass(slots=True)
class Phone:
    """A device at a table that sends one command after the other over one open line."""

    port: int
    base: str = ""
    code: str = "PINE"
    cookie: str = ""
    seat: str = ""
    address: str = "127.0.0.1"
    line: socket.socket | None = None

    def join(self) -> "Phone":
        """Come in by the code."""
        path = f"{self.base}/j/{self.code}"
        self.cookie = ask_once(self.port, request_bytes("GET", path, self.port)).cookie
        return self

    def request(self, kind: str, id: str | None = None, **fields: Any) -> bytes:
        """Write a command, with an id of its own unless one is given."""
        order = {"id": id or os.urandom(8).hex(), "type": kind, **fields}
        body = json.dumps(order).encode()
        return request_bytes("POST", f"{self.base}/api/command", self.port, self.cookie, body)

    def ask(self, request: bytes) -> Answer:
        """Send a request over the phone's own line."""
        self.line = self.line or connect(self.port, self.address)
        answer = ask(self.line, request)
        if b"connection: close" in answer.head.lower():
            self.hang_up()
        return answer

    def do(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a command that has to be taken."""
        reply = dict(self.ask(self.request(kind, **fields)).json)
        assert reply["ok"], (kind, reply)
        return reply

    def state(self, role: str = "phone") -> dict[str, Any]:
        """Ask for the view of this moment."""
        path = f"{self.base}/api/state?role={role}"
        return dict(self.ask(request_bytes("GET", path, self.port, self.cookie)).json)

    def hang_up(self) -> None:
        """Close the line; the next request opens another."""
        if self.line is not None:
            self.line.close()
            self.line = None


def seat(port: int, count: int, base: str = "", code: str = "PINE") -> list[Phone]:
    """Seat players and begin a game."""
    phones = []
    for n in range(count):
        phone = Phone(port, base, code).join()
        phone.do("sit", name=NAMES[n], mark=MARKS[n])
        phone.do("ready", on=True)
        phone.seat = f"s{n + 1}"
        phones.append(phone)
    phones[0].do("start", first="s1")
    return phones


def place(phones: list[Phone]) -> Phone:
    """Let whoever's turn it is stand a tile at the left end; gives that phone."""
    view = phones[0].state()
    phone = next(each for each in phones if each.seat == view["active"])
    value, x_mm = view["supply"][0], min(tile["x_mm"] for tile in view["row"]) - 20.0
    where = {"x_mm": x_mm, "y_mm": 210.0, "heading_deg": 0.0, "orientation": "vertical"}
    phone.do("stand", phase_id=view["phase_id"], value=value, **where)
    phone.do("confirm", phase_id=view["phase_id"])
    return phone


@dataclass(slots=True, eq=False)
class Ear:
    """One open stream: what was heard, newest version first noted."""

    line: socket.socket
    feed: Callable[["Ear", int], None]
    data: bytearray = field(default_factory=bytearray)
    heard: dict[int, int] = field(default_factory=dict)
    newest: int = -1
    open: bool = True
    status: int = 0


class Room:
    """All streams of a benchmark, listened to on one thread."""

    def __init__(self) -> None:
        self.selector = selectors.DefaultSelector()
        self.ears: list[Ear] = []

    def listen(self, phone: Phone, query: str = "") -> Ear:
        """Open an event stream."""
        line = connect(phone.port, phone.address)
        path = f"{phone.base}/events{query}"
        line.sendall(request_bytes("GET", path, phone.port, phone.cookie))
        return self._add(Ear(line, _feed_events))

    def listen_socket(self, port: int) -> Ear:
        """Open a Socket.IO connection over a WebSocket."""
        line = connect(port)
        key = base64.b64encode(os.urandom(16)).decode()
        upgrade = (
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}"
        )
        path = "/socket.io/?EIO=4&transport=websocket"
        line.sendall(request_bytes("GET", path, port, extra=upgrade))
        data = b""
        while b"\r\n\r\n" not in data:
            data += _more(line)
        assert data.startswith(b"HTTP/1.1 101"), data
        line.sendall(_frame(b"40"))
        ear = Ear(line, _feed_socket)
        ear.data += data.partition(b"\r\n\r\n")[2]
        return self._add(ear)

    def hear(self, done: Callable[[], bool], timeout_s: float = PATIENCE_S) -> bool:
        """Listen until done, or until the time is over; says which."""
        end_s = time.monotonic() + timeout_s
        while not done():
            left_s = end_s - time.monotonic()
            for key, _ in self.selector.select(min(max(0.0, left_s), 0.25)):
                self._read(key.data)
            if left_s <= 0:  # what had come was read, however late it is
                return done()
        return True

    def ask(self, line: socket.socket, request: bytes) -> Answer:
        """Send a request and wait for its answer, and hear the streams meanwhile."""
        line.sendall(request)
        self.selector.register(line, selectors.EVENT_READ)
        try:
            while True:
                ready = [key.data for key, _ in self.selector.select(PATIENCE_S)]
                for ear in ready:
                    if ear is not None:
                        self._read(ear)
                if None in ready or not ready:
                    return read_answer(line)  # an answer is short: the rest of it is there too
        finally:
            self.selector.unregister(line)

    def wait_for(self, version: int, ears: Iterable[Ear], timeout_s: float = PATIENCE_S) -> int:
        """Listen until all have this version; gives how many have it not."""
        missing = set(ears)

        def done() -> bool:
            missing.difference_update([ear for ear in missing if ear.newest >= version])
            return not missing

        self.hear(done, timeout_s)
        return len(missing)

    def close(self) -> None:
        """Hang up everywhere."""
        for ear in self.ears:
            ear.line.close()
        self.selector.close()

    def _add(self, ear: Ear) -> Ear:
        ear.line.setblocking(False)
        self.selector.register(ear.line, selectors.EVENT_READ, ear)
        self.ears.append(ear)
        return ear

    def _read(self, ear: Ear) -> None:
        try:
            data = ear.line.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            ear.open = False
            self.selector.unregister(ear.line)
            return
        at_ns = time.monotonic_ns()
        ear.data += data
        ear.feed(ear, at_ns)


def _note(ear: Ear, version: int, at_ns: int) -> None:
    ear.heard.setdefault(version, at_ns)
    ear.newest = max(ear.newest, version)


def _feed_events(ear: Ear, at_ns: int) -> None:
    if not ear.status:
        found = _STATUS.match(ear.data)
        ear.status = int(found[1]) if found else 0
    if b"event: elsewhere" in ear.data:
        ear.open = False
    end = ear.data.rfind(b"\n\n")
    if end < 0:
        return
    for found in _ID.finditer(ear.data, 0, end):
        _note(ear, int(found[1]), at_ns)
    del ear.data[: end + 2]


def _feed_socket(ear: Ear, at_ns: int) -> None:
    while len(ear.data) >= 2:
        size, skip = ear.data[1] & 0x7F, 2
        if size == 126:
            size, skip = int.from_bytes(ear.data[2:4], "big"), 4
        elif size == 127:
            size, skip = int.from_bytes(ear.data[2:10], "big"), 10
        if len(ear.data) < skip + size:
            return
        text = bytes(ear.data[skip : skip + size])
        del ear.data[: skip + size]
        if text == b"2":
            ear.line.sendall(_frame(b"3"))
        elif found := _V.search(text):
            _note(ear, int(found[1]), at_ns)


def _frame(text: bytes) -> bytes:
    """A masked text frame; the mask is nought, which leaves the text as it is."""
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


def _more(line: socket.socket) -> bytes:
    data = line.recv(1 << 16)
    if not data:
        raise ConnectionError("the server hung up")
    return data
