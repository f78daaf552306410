"""Serial ports: their order, their troubles in words, and real lines of several kinds."""

import ast
import errno
import itertools
import os
import socket
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial
from serial.tools import list_ports

import rig.pusher.find_port
from rig.clock import ManualClock, SystemClock
from rig.pusher.dialogue import NOISE, SILENCE
from rig.pusher.find_port import NO_PORT, Search, SerialLine, SerialPort, nonces, ports
from rig.pusher.link import Line, LineLost, Link
from rig.pusher.wasm_board import Board, BoardLine
from rig.pusher.wire import FrameKind, SerialFrame, encode

DEADLINE_S = 30.0


def info(device, vid=None, description="n/a"):
    return SimpleNamespace(device=device, vid=vid, description=description)


@pytest.fixture
def no_steady_names(monkeypatch, tmp_path):
    monkeypatch.setattr(rig.pusher.find_port, "_BY_ID", tmp_path / "by-id")
    return tmp_path / "by-id"


def test_likely_boards_come_first(monkeypatch, no_steady_names):
    found = [info("/dev/ttyS0"), info("/dev/ttyUSB1", 0x1A86), info("/dev/ttyACM0", 0x2341)]
    monkeypatch.setattr(list_ports, "comports", lambda: found)
    assert ports() == [
        SerialPort("/dev/ttyACM0", "Arduino", True),
        SerialPort("/dev/ttyUSB1", "CH340", True),
        SerialPort("/dev/ttyS0", "n/a", False),
    ]


def test_the_name_that_stays_is_taken_where_there_is_one(monkeypatch, no_steady_names, tmp_path):
    device = tmp_path / "ttyUSB0"
    device.touch()
    no_steady_names.mkdir()
    (no_steady_names / "usb-1a86").symlink_to(device)
    monkeypatch.setattr(list_ports, "comports", lambda: [info(str(device), 0x1A86)])
    assert [port.name for port in ports()] == [str(no_steady_names / "usb-1a86")]


def refused(monkeypatch, error, platform="linux"):
    """What is said when the system refuses with this error."""

    class SerialPort(serial.Serial):
        def open(self):
            try:
                raise error
            except OSError as cause:
                raise serial.SerialException(f"could not open port x: {cause}") from None

    monkeypatch.setattr(rig.pusher.find_port.sys, "platform", platform)
    monkeypatch.setattr(serial, "serial_for_url", lambda name, **words: SerialPort())
    with pytest.raises(LineLost) as caught:
        SerialLine("/dev/ttyUSB7")
    return str(caught.value)


def test_without_permission_the_group_is_named(monkeypatch):
    assert refused(monkeypatch, PermissionError(errno.EACCES, "denied")) == (
        "/dev/ttyUSB7: no permission; run sudo usermod -aG dialout $USER and log in again"
    )


def test_the_group_is_that_of_the_port(monkeypatch, tmp_path):
    port = tmp_path / "tty"
    port.touch(mode=0o660)
    group = rig.pusher.find_port._membership(str(port))
    assert f"usermod -aG {port.group()} " in group
    port.chmod(0o600)
    assert "udev rule" in rig.pusher.find_port._membership(str(port))


@pytest.mark.parametrize(
    ("error", "platform"),
    [
        (OSError(errno.EBUSY, "busy"), "linux"),
        (BlockingIOError(errno.EAGAIN, "locked"), "linux"),
        (PermissionError(errno.EACCES, "Access is denied"), "win32"),
    ],
)
def test_a_port_in_use_is_said_to_be(monkeypatch, error, platform):
    assert "in use by another program" in refused(monkeypatch, error, platform)


def test_an_unknown_refusal_is_told_as_it_is(monkeypatch):
    assert "does not open" in refused(monkeypatch, OSError(errno.EIO, "Input/output error"))


def test_a_cable_that_is_pulled_while_its_port_opens_is_told(monkeypatch):
    termios = pytest.importorskip("termios")
    master, slave = os.openpty()
    flush = termios.tcflush

    def pulled(port, queue):
        os.close(master)
        flush(port, queue)

    monkeypatch.setattr(termios, "tcflush", pulled)
    with pytest.raises(LineLost, match=r"does not open \(\[Errno 5\]"):
        SerialLine(os.ttyname(slave))
    os.close(slave)


@pytest.mark.parametrize("name", ["/dev/ttyNOWHERE", "nonsense://x"])
def test_a_port_that_is_not_there_is_said_to_be(name):
    words = "does not open" if "://" in name else "is not there"
    with pytest.raises(LineLost, match=words):
        SerialLine(name)


def test_what_is_no_serial_port_is_said_to_be_none(tmp_path):
    file = tmp_path / "file"
    file.touch()
    for name in (os.devnull, "/dev/zero", str(tmp_path), str(file)):
        with pytest.raises(LineLost) as caught:
            SerialLine(name)
        assert str(caught.value) == (
            f"{name} is not a serial port: name the pusher's, such as /dev/ttyUSB0, or search with "
            "domino-rig pusher find"
        )
        assert caught.value.kind == "other"


@pytest.mark.parametrize(
    "name", ["/dev/ttyNOWHERE", "nonsense://x", "socket://x", "socket://localhost:1", "/dev/random"]
)
def test_whatever_does_not_open_is_told_with_what_to_do(name):
    with pytest.raises(
        LineLost, match=r"or search with domino-rig pusher find$|that listens there$"
    ):
        SerialLine(name)


@pytest.mark.parametrize("kind", ["spy", "SPY", "alt", "hwgrep"])
def test_an_address_that_would_do_more_than_connect_is_not_opened(tmp_path, kind):
    kept = tmp_path / "kept"
    kept.write_text("precious")
    with pytest.raises(LineLost, match="expected socket://HOST:PORT"):
        SerialLine(f"{kind}:///dev/null?file={kept}")
    assert kept.read_text() == "precious"


def test_nonces_are_fresh_and_fit():
    seen = list(itertools.islice(nonces(), 50))
    assert len(set(seen)) == 50
    assert all(0 <= nonce < 1 << 32 for nonce in seen)


class DeadLine(Line):
    """Something that is no pusher."""

    def __init__(self, says=b""):
        self.says = says
        self.closed = False

    def read(self):
        return self.says

    def write(self, data):
        pass

    def close(self):
        self.closed = True


def searched(lines, listed=None):
    """A link that looks through some lines by a clock of its own; and what trouble it told of."""
    clock = ManualClock()
    names = listed or [SerialPort(name, "", True) for name in lines]

    def opened(name):
        if isinstance(lines[name], str):
            raise LineLost(lines[name])
        return lines[name]

    link = Link(Search(lambda: names, opened), clock, itertools.count(1))
    troubles = []
    for _ in range(4000):
        link.pump()
        if link.device is not None:
            break
        if link.trouble not in troubles:
            troubles.append(link.trouble)
        clock.sleep(0.005)
    return link, troubles


def test_the_pusher_is_found_by_its_greeting_wherever_it_is():
    board = Board(itertools.count(1))

    class Living(BoardLine):
        def read(self):
            board.run(5)
            return super().read()

    lines = {"silent": DeadLine(), "babble": DeadLine(b"\x80U\x00*"), "taken": "in use"}
    link, troubles = searched({**lines, "right": Living(board)})
    assert link.device is not None
    assert lines["silent"].closed and lines["babble"].closed
    assert [trouble for trouble in troubles if "greeted" not in trouble] == [
        SILENCE,
        NOISE,
        "in use",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("OK HELLO PRINTER 1 1.0 3F2A S1 SAFE", "another device answers on this port: try another"),
        ("OK HELLO PUSHER 7 1.0 3F2A S1B2E1F0 SAFE", "version 7 of the protocol, not 1: put this"),
        ("ER HELLO 6 SAFE", "it with domino-rig pusher flash"),
    ],
)
def test_a_device_of_another_kind_or_version_is_left_alone_and_told_of(text, words):
    class Greeter(DeadLine):
        def write(self, data):
            session = int(chr(data[2]), 16)
            self.says = encode(SerialFrame(FrameKind.REPLY, session, 0, text))

    greeter = Greeter()
    link, troubles = searched({"x": greeter})
    assert link.device is None
    assert any(words in trouble for trouble in troubles)
    assert greeter.closed


def test_without_any_port_the_words_say_what_may_be_wrong():
    _, troubles = searched({}, listed=[])
    assert NO_PORT in troubles


def test_a_line_that_only_echoes_is_no_pusher():
    line = SerialLine("loop://")
    clock = ManualClock()
    link = Link(lambda: line, clock, itertools.count(1))
    for _ in range(40):
        link.pump()
        if link.given_up:
            break
        clock.sleep(0.3)
    assert link.trouble == NOISE


@pytest.fixture
def server():
    """A board behind a network socket, living as fast as it is served; and its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    board = Board(itertools.count(1))
    over = threading.Event()
    current = []

    def serve():
        while not over.is_set():
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            current[:] = [peer]
            peer.settimeout(0.002)
            while not over.is_set():
                try:
                    data = peer.recv(4096)
                    if not data:
                        break
                    board.take(data)
                except TimeoutError:
                    pass
                except OSError:
                    break
                board.run(2)
                try:
                    peer.sendall(board.give())
                except OSError:
                    break
            peer.close()

    thread = threading.Thread(target=serve)
    thread.start()
    port = listener.getsockname()[1]
    yield SimpleNamespace(board=board, name=f"socket://127.0.0.1:{port}", peers=current)
    over.set()
    with socket.create_connection(("127.0.0.1", port)):
        pass
    thread.join(DEADLINE_S)
    listener.close()


def greeted(link, session):
    """Wait for a session; the first of a link is number 1."""
    waiter = threading.Event()
    for _ in range(3000):
        if link.device is not None and link.sessions >= session:
            return True
        waiter.wait(0.01)
    return False


def test_a_pusher_behind_a_socket_is_one_too_and_is_found_again(server):
    link = Link(lambda: SerialLine(server.name), SystemClock(), itertools.count(1))
    link.start()
    try:
        assert greeted(link, 1)
        assert len(link.ask("LIM").words) == 7
        server.peers[0].shutdown(socket.SHUT_RDWR)
        assert greeted(link, 2)
        assert link.ask("LIM") is not None
    finally:
        link.close()


def test_nobody_behind_a_socket_is_told_in_words():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(LineLost, match="does not open"):
        SerialLine(f"socket://127.0.0.1:{port}")


def test_nothing_is_imported_at_the_top_that_only_some_systems_have():
    posix = {"fcntl", "grp", "pwd", "termios", "pty", "tty", "resource", "syslog", "posix"}
    found = []
    for path in Path(rig.__file__).parent.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            found += [(path.name, name) for name in names if name in posix]
    assert found == []
