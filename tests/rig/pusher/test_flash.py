"""Flashing: a program gets onto a board whole, or the board stands still and the words say so."""

import sys
from importlib.resources import files
from itertools import cycle, islice
from random import Random
from types import SimpleNamespace

import pytest

import rig.cli.pusher as command
import rig.pusher.flash as flashing
from rig.cli.main import main
from rig.pusher.find_port import NO_PORT, SerialLine, SerialPort
from rig.pusher.flash import Flashed, FlashFailed, flash, read_image
from rig.pusher.link import LineLost
from tests.support.fake_bootloader import PAGE, FakeBoard

STANDS_STILL = b"\xff\xcf"
"""rjmp .-2: the first instruction jumps to itself."""


def some_program(pages, seed=1):
    return Random(seed).randbytes(pages * PAGE)


def in_hex(data):
    """Put bytes into Intel HEX, sixteen in a line as avr-objcopy does."""
    lines = []
    for at in range(0, len(data), 16):
        piece = data[at : at + 16]
        record = bytes([len(piece)]) + at.to_bytes(2, "big") + b"\0" + piece
        lines.append(f":{(record + bytes([-sum(record) % 256])).hex().upper()}\n")
    return "".join(lines) + ":00000001FF\n"


class Talker:
    """A port on which something talks without end, and what it says looks like a greeting."""

    def __init__(self):
        self.says = islice(cycle(b"\x14\x10"), 100_000)

    def read(self, count):
        data = bytes(islice(self.says, count))
        assert data, "nobody listens for so long"
        return data

    def write(self, data):
        pass

    def reset_input_buffer(self):
        pass

    def close(self):
        pass


@pytest.fixture
def board(monkeypatch):
    """Make a board; it is plugged in until the test ends."""
    boards = []

    def plug_in(**how):
        boards.append(FakeBoard(**how))
        monkeypatch.setattr(flashing, "open_port", boards[-1].opened)
        monkeypatch.setattr(flashing, "_RESET_S", 0.01)
        return boards[-1]

    yield plug_in
    for one in boards:
        one.close()


@pytest.fixture
def impatient(monkeypatch):
    """Give up soon, where the test is about nobody answering."""
    for name in ("_LISTENS_S", "_REPLY_S"):
        monkeypatch.setattr(flashing, name, 0.3)
    monkeypatch.setattr(flashing, "_SYNC_S", 0.05)
    monkeypatch.setattr(flashing, "_QUIET_S", 0.06)


@pytest.mark.parametrize("speed", [115200, 57600])
def test_a_program_gets_onto_a_board_with_either_bootloader(board, speed):
    there, program = board(speed=speed, memory=some_program(40, seed=2)), some_program(7)
    assert flash(there.name, program) == Flashed(True, speed)
    assert bytes(there.memory[: len(program)]) == program
    assert (there.complaints, there.state) == ([], "program")


def test_a_board_that_has_the_program_is_not_written_again(board):
    program = some_program(5)
    there = board(memory=program)
    assert flash(there.name, program) == Flashed(False, 115200)
    assert (there.written, there.complaints, there.state) == ([], [], "program")


def test_nothing_beyond_the_program_is_changed(board):
    before = some_program(100, seed=3)
    there = board(memory=before)
    flash(there.name, some_program(4))
    assert bytes(there.memory[4 * PAGE : 100 * PAGE]) == before[4 * PAGE :]


@pytest.mark.parametrize("commands", range(5, 20, 2))
def test_a_board_cut_off_while_it_is_flashed_stands_still(board, impatient, monkeypatch, commands):
    before, program = some_program(3, seed=4), some_program(3)
    there = board(memory=before)
    there.dead_after = commands
    monkeypatch.setattr(flashing, "TRIES", 1)
    with pytest.raises(FlashFailed):
        flash(there.name, program)
    now = bytes(there.memory[: len(program)])
    assert now in (before, program) or now[:2] == STANDS_STILL
    assert there.complaints == []


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        (b"\x1e\x95\x14", "1E 95 14, ATmega328 without P"),
        (b"\x1e\x12\x34", "1E 12 34, an unknown chip"),
    ],
)
def test_another_chip_is_named_and_not_written(board, signature, words):
    there = board(signature=signature)
    with pytest.raises(FlashFailed, match=words):
        flash(there.name, some_program(2))
    assert (there.written, there.complaints) == ([], [])


@pytest.mark.parametrize("fault", ["silent", "garbled", "flipped"])
def test_a_fault_on_the_line_is_mended_by_beginning_again(board, impatient, fault):
    there, program = board(), some_program(3)
    getattr(there, fault).add(2 if fault == "flipped" else 12)
    told = []
    assert flash(there.name, program, lambda key, **of: told.append(key)).written
    assert bytes(there.memory[: len(program)]) == program
    assert (there.complaints, there.state) == ([], "program")
    assert told[-2:] == ["writing", "reading"] and set(told[:-2]) >= {"again"}


def test_memory_that_holds_nothing_is_told_and_the_board_stands_still(board):
    there = board()
    there.worn = {300}
    with pytest.raises(FlashFailed, match="at 0x0100 does not read back the same, in 6 tries"):
        flash(there.name, b"\x55" * 4 * PAGE)
    assert there.memory[:2] == STANDS_STILL
    assert there.complaints == []


def test_a_first_page_that_does_not_hold_is_not_left_to_run(board):
    there = board()
    there.worn = {100}
    with pytest.raises(FlashFailed, match="at 0x0000 does not read back the same"):
        flash(there.name, b"\x55" * 2 * PAGE)
    assert there.memory[:2] == STANDS_STILL


def test_replies_that_come_late_are_not_taken_for_others(board):
    there, program = board(), some_program(2)
    there.slow = [0.6, 0.1, 0.1, 0.1]
    assert flash(there.name, program).written
    assert bytes(there.memory[: len(program)]) == program
    assert there.complaints == []


def test_a_board_that_never_answers_is_tried_at_both_speeds_and_told_of(board, impatient):
    there = board()
    there.dead_after = 0
    with pytest.raises(
        FlashFailed, match=r"115200 or 57600 baud; nothing was written.*reset button"
    ):
        flash(there.name, some_program(2))
    assert (there.resets, there.written) == (flashing.TRIES, [])


@pytest.mark.parametrize("commands", [1, 4, 10, 19])
def test_a_cable_that_is_pulled_is_told(board, commands):
    there = board()
    there.unplugged_after = commands
    with pytest.raises(FlashFailed, match=r"is gone .* the board does nothing until it is flashed"):
        flash(there.name, some_program(3))


def test_a_cable_that_is_pulled_while_the_board_is_reset_is_told(board, monkeypatch):
    there = board()
    monkeypatch.setattr(there, "set_dtr", lambda on: there._unplug())
    with pytest.raises(FlashFailed, match=r"is gone \(\[Errno 5\]"):
        flash(there.name, some_program(3))


def test_something_that_talks_on_and_on_is_no_bootloader(monkeypatch):
    monkeypatch.setattr(flashing, "_RESET_S", 0.0)
    monkeypatch.setattr(flashing, "open_port", lambda name, speed, **how: Talker())
    with pytest.raises(FlashFailed, match=r"no bootloader answers .* nothing was written"):
        flash("/dev/printer", some_program(2))


def test_a_port_that_another_program_holds_is_told(board):
    there = board()
    held = SerialLine(there.name)
    with pytest.raises(LineLost, match="in use by another program"):
        flash(there.name, some_program(2))
    held.close()
    assert there.commands == 0


def test_the_image_of_the_package_is_read_as_it_stands():
    text = files("rig.pusher").joinpath("pusher.hex").read_text("ascii").replace("\r", "")
    image = read_image(text)
    assert len(image) % PAGE == 0
    assert in_hex(image).startswith(text[: text.rindex("\n", 0, -40)][:-45])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Not a program\n",
        ":00000001FF\n",
        in_hex(some_program(1)).replace(":00000001FF\n", ""),
        in_hex(some_program(1))[20:],
        in_hex(some_program(1)) + ":00000001FF\n",
        in_hex(some_program(1)).replace(":10001000", ":10001001"),
        in_hex(bytes(flashing.ROOM_B + 1)),
        ":020000040000FA\n" + in_hex(some_program(1)),
        ":0100100000EF\n:00000001FF\n",
    ],
)
def test_a_damaged_image_is_refused(text):
    with pytest.raises(FlashFailed, match="damaged"):
        read_image(text)


def ports_are(monkeypatch, *listed):
    monkeypatch.setattr(command, "ports", lambda: list(listed))


def test_flash_finds_the_only_board_and_greets_its_new_program(board, monkeypatch, capsys):
    there = board(speed=57600)
    ports_are(
        monkeypatch,
        SerialPort(there.name, "CH340", True),
        SerialPort("/dev/ttyS0", "unknown", False),
    )
    assert main(["pusher", "flash"]) == 0
    image = read_image(files("rig.pusher").joinpath("pusher.hex").read_text("ascii"))
    assert bytes(there.memory[: len(image)]) == image
    told = capsys.readouterr().out
    assert "The program is on the board and was read back without a fault." in told
    assert "Its bootloader is an old one" in told
    assert told.endswith(f"{there.name}: pusher, firmware 1.1, SAFE\n")
    assert main(["pusher", "flash", there.name]) == 0
    assert "already has this program; nothing was written" in capsys.readouterr().out
    assert there.complaints == []


@pytest.mark.parametrize("answer", [None, KeyboardInterrupt])
def test_whoever_named_no_port_is_asked_before_the_only_board_is_overwritten(
    board, monkeypatch, answer
):
    there, asked = board(speed=57600), []
    ports_are(monkeypatch, SerialPort(there.name, "CH340", True))
    before = bytes(there.memory)

    def enter(words):
        asked.append((words, bytes(there.memory) == before))
        if answer is not None:
            raise answer
        return ""

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("builtins.input", enter)
    assert main(["pusher", "flash"]) == (0 if answer is None else 130)
    (words, untouched), *more = asked
    assert there.name in words and "what is on it now is lost" in words
    assert untouched and more == []
    assert (bytes(there.memory) == before) is (answer is not None)
    assert main(["pusher", "flash", there.name]) == 0
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("listed", "words"),
    [
        ([], NO_PORT),
        (
            [SerialPort("/dev/a", "CH340", True), SerialPort("/dev/b", "Arduino", True)],
            "several boards are there: name one, as in domino-rig pusher flash PORT; there are "
            "/dev/a (CH340), /dev/b (Arduino)",
        ),
        ([SerialPort("/dev/c", "unknown", False)], "no port looks like a board's: name one"),
    ],
)
def test_flash_does_not_guess_which_board_is_meant(monkeypatch, capsys, listed, words):
    ports_are(monkeypatch, *listed)
    assert main(["pusher", "flash"]) == 2
    assert words in capsys.readouterr().err


def test_flash_says_that_a_port_is_not_there(capsys):
    assert main(["pusher", "flash", "/dev/no-such-port"]) == 2
    assert "is not there" in capsys.readouterr().err
