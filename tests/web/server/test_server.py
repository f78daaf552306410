"""The real server on a real port."""

import http.client
import json
import os
import socket
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest

from rig.backroom import WorkEnded
from tests.support.clients import PLENTY
from tests.support.fake_session import FakeSession
from web.base.errors import WebError
from web.base.rate_limits import Limits
from web.content import qr
from web.factory import create_app
from web.live.parts import parts
from web.live.stream import answer
from web.server.front import Front
from web.server.listening import listen
from web.server.server import Server


@pytest.fixture
def session():
    return FakeSession()


@pytest.fixture
def app(session):
    limits = Limits(device=PLENTY, address=PLENTY, unknown=PLENTY)
    return create_app(session, code="PINE", host_secret="the-secret", limits=limits)


@pytest.fixture
def server(app):
    with Server(app, bind="127.0.0.1", port=0) as server:
        yield server


def connect(server):
    return closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=120))


def call(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=120)


def get(connection, path, cookie=None):
    connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    return answer, answer.read()


def join(server):
    with connect(server) as connection:
        answer, _ = get(connection, "/j/PINE")
        return answer.headers["Set-Cookie"].partition(";")[0]


def open_stream(server, cookie, stack):
    connection = stack.enter_context(connect(server))
    connection.request("GET", "/events", headers={"Cookie": cookie})
    answer = stack.enter_context(closing(connection.getresponse()))
    assert answer.status == 200
    return answer


def read_event(answer):
    lines = []
    while (line := answer.readline()) not in (b"\n", b""):
        lines.append(line)
    return b"".join(lines)


def test_a_command_of_one_phone_reaches_the_stream_of_another(server):
    with ExitStack() as stack:
        stream = open_stream(server, join(server), stack)
        assert read_event(stream) == b"retry: 500\n"
        assert read_event(stream).startswith(b"id: 1\n")
        connection = stack.enter_context(connect(server))
        body = json.dumps({"id": "1", "type": "sit", "name": "Mira"})
        headers = {"Cookie": join(server), "Content-Type": "application/json"}
        connection.request("POST", "/api/command", body, headers)
        assert json.loads(connection.getresponse().read()) == {"ok": True, "v": 2}
        assert b'"name":"Mira"' in read_event(stream)


@pytest.fixture
def ended_at_once(app, caplog):
    """A server that would wait for two minutes before it gives up whoever delays its end."""
    server = Server(app, bind="127.0.0.1", port=0)
    server.start()
    for side in server._sides:
        side.config.timeout_graceful_shutdown = 120
    yield server
    server.stop()
    # Only asyncio may say something, of those who were cut off; uvicorn says when it gave up.
    assert not [record for record in caplog.records if record.name != "asyncio"]


def test_twenty_open_streams_do_not_delay_the_end(ended_at_once):
    server = ended_at_once
    with ExitStack() as stack:
        streams = [open_stream(server, join(server), stack) for _ in range(20)]
        server.stop()
        for stream in streams:
            told = stream.read()
            assert b"event: gone" not in told and told.endswith(b"event: closed\ndata: {}\n\n")


def test_phones_that_read_nothing_do_not_delay_the_end(ended_at_once, session):
    session.pictures[1] = b"x" * 8_000_000
    server = ended_at_once
    cookie = join(server)
    with ExitStack() as stack:
        for _ in range(3):
            phone = stack.enter_context(call(server))
            phone.sendall(b"GET /picture/1.jpg HTTP/1.1\r\nHost: localhost\r\n")
            phone.sendall(f"Cookie: {cookie}\r\n\r\n".encode())
            assert phone.recv(1) == b"H"
        server.stop()


def test_the_port_is_free_again_at_once(app, session):
    with Server(app, bind="127.0.0.1", port=0) as first, ExitStack() as stack:
        open_stream(first, join(first), stack)
        port = first.port
    again = create_app(session, code="PINE")
    with Server(again, bind="127.0.0.1", port=port) as second, connect(second) as connection:
        assert get(connection, "/")[0].status == 200


def test_a_busy_port_is_one_sentence_that_says_what_to_do(server, app):
    with pytest.raises(WebError) as busy:
        listen("127.0.0.1", server.port)
    assert str(busy.value) == (
        f"Port {server.port} is taken by another program: stop that program, "
        f"or choose another port with --port {server.port + 1}."
    )


@pytest.mark.parametrize(
    ("bind", "port", "said"),
    [
        ("127.0.0.1", 70_000, "Port 70000 does not exist"),
        ("127.0.0.1", -1, "Port -1 does not exist"),
        ("8.8.8.8", 0, "8.8.8.8 is not an address of this machine"),
        ("no such name.invalid", 0, "is not an address of this machine"),
    ],
)
def test_an_impossible_address_is_said(bind, port, said):
    with pytest.raises(WebError, match=said):
        listen(bind, port)


def test_answers_do_not_wait_for_the_system_to_fill_its_packets(server):
    """A packet that waits to be filled waits for 40 ms: no answer is quicker, on any machine."""
    cookie = join(server)

    def took_s():
        began_s = time.perf_counter()
        assert get(connection, "/api/state", cookie)[0].status == 200
        return time.perf_counter() - began_s

    with connect(server) as connection:
        assert any(took_s() < 0.03 for _ in range(1000))


def test_a_server_that_could_not_start_leaves_nothing_behind(server, session):
    threads = set(threading.enumerate())
    other = Server(create_app(session), bind="127.0.0.1", port=server.port)
    with pytest.raises(WebError, match="taken"):
        other.start()
    other.stop()
    assert set(threading.enumerate()) <= threads


def test_streams_cost_no_threads(app):
    others = set(threading.enumerate())
    with Server(app, bind="127.0.0.1", port=0) as server, ExitStack() as stack:
        read_event(open_stream(server, join(server), stack))
        before = set(threading.enumerate()) - others
        streams = [open_stream(server, join(server), stack) for _ in range(40)]
        for stream in streams:
            read_event(stream)
            read_event(stream)
        now = set(threading.enumerate()) - others
        assert len(now) <= len(before) + 3
        assert len(now) <= 7, [thread.name for thread in now]


def test_half_sent_requests_do_not_keep_others_waiting(session):
    """Nobody ends them before the other one gives up."""
    halves = (
        b"POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
        b'Content-Type: application/json\r\n\r\n{"id"',
        b"GET /api/state HTTP/1.1\r\nHost: loc",
    )
    with serve(session, header_s=1000.0, body_s=1000.0) as server, ExitStack() as stack:
        cookie = join(server)
        for half in halves * 60:
            phone = stack.enter_context(call(server))
            phone.sendall(half)
        with connect(server) as connection:
            assert get(connection, "/api/state", cookie)[0].status == 200


def serve(session, **bounds):
    limits = Limits(device=PLENTY, address=PLENTY, unknown=PLENTY, **bounds)
    return Server(create_app(session, code="PINE", limits=limits), bind="127.0.0.1", port=0)


def hung_up(phone):
    try:
        return phone.recv(1000) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize(
    "words", [b"", b"GET", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"POST / HTTP/1.1\r\nA: "]
)
def test_whoever_says_half_a_request_is_hung_up_on(session, words):
    with serve(session, header_s=0.05) as server, call(server) as phone:
        phone.sendall(words)
        assert hung_up(phone)


def test_half_a_second_request_is_hung_up_on_too(session):
    with serve(session, header_s=0.05) as server, call(server) as phone:
        phone.sendall(b"GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert phone.recv(4000).startswith(b"HTTP/1.1 204")
        phone.sendall(b"GET /")
        while not hung_up(phone):
            pass


def test_an_open_stream_is_no_half_request(session):
    with serve(session, header_s=0.05, beat_s=0.1) as server, ExitStack() as stack:
        stream = open_stream(server, join(server), stack)
        assert [read_event(stream) for _ in range(5)][-1] == b"event: beat\ndata: {}\n"


def test_half_a_body_is_answered_with_a_sentence(session):
    with serve(session, body_s=0.05) as server, call(server) as phone:
        phone.sendall(b"POST /api/command HTTP/1.1\r\nHost: localhost\r\n")
        phone.sendall(b"Content-Length: 100\r\n\r\n{")
        assert phone.recv(4000).startswith(b"HTTP/1.1 408")


def test_a_photo_has_longer_to_come_than_a_command(session, monkeypatch):
    monkeypatch.setattr(session, "photo_reader", lambda: json.loads)  # known to every process
    with serve(session, body_s=0.05, upload_s=1000.0) as server, ExitStack() as stack:
        cookie = join(server)
        sits = stack.enter_context(connect(server))
        headers = {"Cookie": cookie, "Content-Type": "application/json"}
        body = json.dumps({"id": "1", "type": "sit", "name": "Mira"})
        sits.request("POST", "/api/command", body, headers)
        assert sits.getresponse().status == 200
        phone, other = (stack.enter_context(call(server)) for _ in range(2))
        phone.sendall(b"POST /api/photo HTTP/1.1\r\nHost: localhost\r\n")
        phone.sendall(b"Content-Type: image/jpeg\r\nContent-Length: 2\r\n")
        phone.sendall(f"Cookie: {cookie}\r\n\r\n{{".encode())
        other.sendall(b"POST /api/command HTTP/1.1\r\nHost: localhost\r\n")
        other.sendall(b"Content-Length: 100\r\n\r\n{")
        assert other.recv(4000).startswith(b"HTTP/1.1 408")
        phone.sendall(b"}")
        assert phone.recv(4000).startswith(b"HTTP/1.1 200")


def test_one_address_has_so_many_connections_and_no_more(session, monkeypatch):
    monkeypatch.setattr("web.server.connection.is_loopback", lambda peer: False)
    with serve(session, connections_of_address=3) as server, ExitStack() as stack:
        phones = [stack.enter_context(call(server)) for _ in range(4)]
        assert hung_up(phones[3])
        phones[0].sendall(b"GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n")
        phones[0].sendall(b"Connection: close\r\n\r\n")
        assert phones[0].recv(4000).startswith(b"HTTP/1.1 204")
        while not hung_up(phones[0]):
            pass
        with connect(server) as connection:
            assert get(connection, "/")[0].status == 200


def test_a_body_without_a_length_is_read_too(server):
    with connect(server) as connection:
        body = json.dumps({"id": "1", "type": "watch"}).encode()
        headers = {"Cookie": join(server), "Content-Type": "application/json"}
        connection.request("POST", "/api/command", iter([body]), headers, encode_chunked=True)
        assert connection.getresponse().status == 200


def test_a_huge_body_is_answered_with_a_sentence(server):
    with connect(server) as connection:
        headers = {"Cookie": join(server), "Content-Type": "application/json"}
        connection.request("POST", "/api/command", b"x" * 500_000, headers)
        answer = connection.getresponse()
        assert answer.status == 413
        assert b"at most 8 kB" in answer.read()


def test_answers_without_a_body_keep_the_connection(server):
    with connect(server) as connection:
        connection.request("HEAD", "/static/core/style/style.css")
        head = connection.getresponse()
        assert (head.status, head.read()) == (200, b"")
        etag = {"If-None-Match": head.headers["ETag"]}
        connection.request("GET", "/static/core/style/style.css", headers=etag)
        kept = connection.getresponse()
        assert (kept.status, kept.read()) == (304, b"")
        assert get(connection, "/favicon.ico")[0].status == 204
        assert get(connection, "/j/NOPE")[0].status == 404
        connection.request("OPTIONS", "*")
        assert connection.getresponse().status in (400, 415)


@pytest.mark.parametrize(
    "line", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\xfc", b"GET\r\n\r\n"]
)
def test_what_is_no_request_is_hung_up_on_quietly(server, caplog, line):
    with call(server) as phone:
        phone.sendall(line + b"\r\n" * 2)
        assert phone.recv(1000).startswith(b"HTTP/1.1 400")
    assert caplog.text == ""


def test_the_server_tells_nobody_what_it_is(server):
    with connect(server) as connection:
        assert "server" not in get(connection, "/")[0].headers


def test_the_addresses_for_the_console(server):
    assert server.join_url == f"http://127.0.0.1:{server.port}/j/PINE"
    assert server.table_url == f"http://127.0.0.1:{server.port}/table"
    assert server.host_url == f"http://127.0.0.1:{server.port}/host/the-secret"
    assert server.host_table_url == server.host_url + "?as=table"
    assert server.other_urls == () and server.public_addresses == ()


def test_a_public_address_is_warned_of(session, monkeypatch):
    monkeypatch.setattr("web.access.address.Net.addresses", lambda self: ("8.8.8.8",))
    server = Server(create_app(session))
    assert server.public_addresses == ("8.8.8.8",)
    server.stop()


def test_the_process_beside_is_there_while_it_serves_and_no_longer(app):
    room = parts(app).tables.backroom
    assert room.do(os.getpid) == os.getpid()
    with Server(app, bind="127.0.0.1", port=0):
        beside = room.do(os.getpid)
        assert beside != os.getpid()
    assert room.do(os.getpid) == os.getpid()
    with pytest.raises(ProcessLookupError):
        os.kill(beside, 0)


@pytest.fixture
def pressed(monkeypatch):
    """The devices that have pressed STOP, as the machine hears of it."""
    devices = []

    def press(web, device):
        devices.append(device)
        told = Future()
        told.set_result("acknowledged")
        return told

    monkeypatch.setattr("web.routes.stop.press", press)
    return devices


def sit(server, session):
    """A player's cookie, and what the table knows the phone by."""
    cookie, before = join(server), set(session.seats)
    with connect(server) as connection:
        body = json.dumps({"id": cookie[-40:], "type": "sit", "name": "Mira"})
        headers = {"Cookie": cookie, "Content-Type": "application/json"}
        connection.request("POST", "/api/command", body, headers)
        assert connection.getresponse().status == 200
    (device,) = set(session.seats) - before
    return cookie, device


def send_apart(server, phone, *pieces):
    """Send pieces, each once the server has taken those before it."""
    ends = []
    while not ends:
        there = list(server._sides[0].server_state.connections)
        ends = [end for end in there if end.client == phone.getsockname()]
    (end,) = ends
    for piece in pieces:
        took, done = end.take, threading.Event()
        end.take = lambda took=took, done=done: (took(), done.set())[0]
        phone.sendall(piece)
        assert done.wait(120)
        end.take = took


STOP_LINE = b"POST /api/stop HTTP/1.1\r\n"


def head(line, cookie="", length=0):
    kind, of = b"Content-Type: application/json", b"Cookie: %b" % cookie.encode()
    lines = (line, b"Host: localhost", kind, of, b"Content-Length: %d" % length)
    return b"\r\n".join(lines) + b"\r\n\r\n"


def status(phone):
    """That of the answer which comes now."""
    told = http.client.HTTPResponse(phone)
    told.begin()
    told.read()
    return told.status


def test_a_body_that_looks_like_stop_stops_nothing(server, session, pressed):
    cookie, device = sit(server, session)
    with call(server) as phone:
        post = head(b"POST /j/NONE HTTP/1.1", length=len(STOP_LINE))
        send_apart(server, phone, post, STOP_LINE)
        assert status(phone) >= 400
        send_apart(server, phone, head(b"GET /api/clock HTTP/1.1", cookie))
        assert status(phone) == 200
        assert pressed == []
        send_apart(server, phone, head(STOP_LINE.strip(), cookie))
        assert status(phone) == 200
        assert pressed == [device]


def test_stop_at_a_table_that_is_not_there_stops_no_other(server, session, pressed):
    cookie, _ = sit(server, session)
    with call(server) as phone:
        phone.sendall(head(b"POST /t/none/api/stop HTTP/1.1", cookie))
        assert status(phone) == 404
    assert pressed == []


@pytest.mark.parametrize("first", [len(STOP_LINE), len(STOP_LINE) + 5, 1000])
def test_stop_is_sent_before_its_turn_whatever_pieces_its_head_comes_in(
    server, session, pressed, monkeypatch, first
):
    async def only_answered(front, scope, receive, send):
        await answer(200, b"{}", send)

    cookie, device = sit(server, session)
    monkeypatch.setattr(Front, "__call__", only_answered)
    with call(server) as phone:
        whole = head(STOP_LINE.strip(), cookie)
        send_apart(server, phone, *filter(None, (whole[:first], whole[first:])))
        assert status(phone) == 200
    assert pressed == [device]


def test_its_end_waits_for_no_work_beside(server, app):
    room = parts(app).tables.backroom
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(room.do_apart, exec, "import time; time.sleep(30)")
        while not room._lock.locked():
            time.sleep(0.01)
        server.stop()
        with pytest.raises(WorkEnded):
            waiting.result(240)


def test_waiting_ends_with_the_server(server):
    waiter = threading.Thread(target=server.wait)
    waiter.start()
    server.stop()
    waiter.join(timeout=120)
    assert not waiter.is_alive()


def test_the_terminal_code_is_as_wide_as_high_and_says_the_same(app):
    lines = qr.terminal("http://192.168.1.20:8000/j/PINE").splitlines()
    bare = [line.removeprefix("\x1b[30;107m").removesuffix("\x1b[0m") for line in lines]
    assert {len(line) for line in bare} == {len(bare) * 2 - 1}
    assert set("".join(bare)) == set(" ▀▄█")
