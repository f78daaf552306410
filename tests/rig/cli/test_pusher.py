"""domino-rig pusher: find, watch, try, and its words when something is missing."""

import io
import itertools

import numpy as np
import pytest

import rig.cli.pusher as command
from rig.cli.main import main
from rig.cli.speech import speech
from rig.clock import ManualClock, SystemClock
from rig.pusher.find_port import NO_PORT, Search, SerialPort
from rig.pusher.link import LineLost
from rig.pusher.port import StrokeUnknown
from rig.pusher.protocol import BeamNews, BootNews, StateNews
from rig.pusher.virtual import VirtualPusher
from rig.pusher.wasm_board import Board, BoardLine

ENGLISH = speech("en")


class Living(BoardLine):
    """A board that lives a little whenever it is read."""

    def __init__(self):
        self.board = Board(itertools.count(1))
        super().__init__(self.board)

    def read(self):
        self.board.run(5)
        return super().read()


@pytest.fixture
def instant(monkeypatch):
    """Time that passes as soon as somebody sleeps."""
    clock = ManualClock()
    monkeypatch.setattr(command, "SystemClock", lambda: clock)
    return clock


def ports_are(monkeypatch, lines):
    """The computer has these ports; a text says why one does not open."""

    def opened(name):
        if isinstance(lines[name], str):
            raise LineLost(lines[name])
        if isinstance(lines[name], LineLost):
            raise lines[name]
        return lines[name]

    listed = [SerialPort(name, "CH340", True) for name in lines]
    monkeypatch.setattr(command, "ports", lambda: listed)
    monkeypatch.setattr(command, "SerialLine", opened)
    monkeypatch.setattr(command, "Search", lambda: Search(lambda: listed, opened))


def test_find_tells_of_every_port_who_is_there(monkeypatch, capsys):
    ports_are(monkeypatch, {"/dev/a": "/dev/a is in use by another program", "/dev/b": Living()})
    assert main(["pusher", "find"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "/dev/a (CH340): /dev/a is in use by another program",
        "/dev/b (CH340): pusher, firmware 1.1, SAFE",
    ]


@pytest.mark.parametrize("what", ["find", "watch", "try"])
def test_a_program_that_forgets_an_arm_that_is_out_is_said_to_be_old(
    instant, monkeypatch, capsys, what
):
    monkeypatch.setattr("rig.pusher.protocol.REMEMBERS", "1.2")
    pusher = VirtualPusher(instant, np.random.default_rng(1))

    def end():
        raise KeyboardInterrupt

    instant.after(8.0, end)
    monkeypatch.setattr(command, "open_pusher", lambda port, clock: pusher)
    if what == "find":
        monkeypatch.setattr(command, "SystemClock", SystemClock)
    ports_are(monkeypatch, {"/dev/a": Living()})
    main(["pusher", what])
    told = capsys.readouterr()
    assert "it forgets that the arm may be out" in told.out + told.err


def test_find_says_by_its_exit_code_that_nobody_is_there_and_what_to_do(monkeypatch, capsys):
    ports_are(monkeypatch, {"/dev/a": "no permission"})
    assert main(["pusher", "find"]) == 1
    assert "`domino-rig pusher flash`" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["find"], ["watch"], ["try"]])
def test_without_a_port_one_sentence_says_what_may_be_wrong(monkeypatch, capsys, words):
    monkeypatch.setattr(command, "ports", lambda: [])
    monkeypatch.setattr("rig.pusher.find_port.list_ports.comports", lambda: [])
    assert main(["pusher", *words]) == 2
    told = capsys.readouterr().err
    assert NO_PORT in told
    assert "Traceback" not in told


def test_a_named_port_that_does_not_open_says_why(monkeypatch, capsys):
    ports_are(monkeypatch, {"/dev/a": "/dev/a: no permission; run usermod"})
    assert main(["pusher", "try", "--port", "/dev/a"]) == 2
    assert "no permission; run usermod" in capsys.readouterr().err


def test_without_a_name_every_port_is_asked_in_turn(monkeypatch):
    ports_are(monkeypatch, {"/dev/a": "/dev/a is in use", "/dev/b": Living()})
    pusher = command.open_pusher(None, SystemClock())
    assert pusher.link.device.firmware == "1.1"
    pusher.close()


def test_if_none_is_the_pushers_each_is_told_with_its_name(monkeypatch, capsys):
    busy = LineLost("/dev/a is in use by another program", "busy", port="/dev/a")
    silent = LineLost("nobody answers on this port", "silence", port="/dev/b")
    ports_are(monkeypatch, {"/dev/a": busy, "/dev/b": silent})
    assert main(["pusher", "try", "--language", "en"]) == 2
    assert capsys.readouterr().err == (
        "domino-rig pusher: /dev/a is in use by another program; "
        "/dev/b: nobody answers on this port\n"
    )
    assert main(["pusher", "try", "--language", "de"]) == 2
    assert "Der Schubser wurde nicht gefunden" in capsys.readouterr().err


def test_try_makes_one_stroke_and_says_how_it_went(instant, capsys):
    assert main(["pusher", "try", "--port", "virtual"]) == 0
    told = capsys.readouterr().out
    assert "Turn the arm switch off, and then on." in told
    assert told.index("  3 ...") < told.index("  2 ...") < told.index("  1 ...")
    assert "Stroke 1: all the way out; the pusher is SAFE." in told


def test_try_says_when_the_stroke_was_cut_short(instant, monkeypatch, capsys):
    opened = command.open_pusher

    def opened_and_stopped(port, clock):
        pusher = opened(port, clock)
        clock.after(3.5, pusher.stop)
        return pusher

    monkeypatch.setattr(command, "open_pusher", opened_and_stopped)
    assert main(["pusher", "try", "--port", "virtual"]) == 1
    assert "stopped on its way out; the pusher is ESTOP" in capsys.readouterr().out


def test_ctrl_c_while_the_seconds_are_counted_stops_the_pusher(instant, monkeypatch):
    opened = command.open_pusher
    pushers = []

    def interrupted(port, clock):
        def interrupt():
            raise KeyboardInterrupt

        pushers.append(opened(port, clock))
        clock.after(1.5, interrupt)
        return pushers[0]

    monkeypatch.setattr(command, "open_pusher", interrupted)
    assert main(["pusher", "try", "--port", "virtual"]) == 130
    assert (pushers[0].board.state, pushers[0].board.strokes) == ("ESTOP", 0)


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        (lambda pusher: pusher.set_switch(False), "Stopped. SAFE: arm switch off, red button out"),
        (lambda pusher: pusher.set_estop(True), "Stopped. ESTOP: arm switch on, red button PRES"),
    ],
)
def test_try_counts_no_further_than_a_hand_lets_it(instant, monkeypatch, capsys, hand, words):
    opened = command.open_pusher

    def stopped(port, clock):
        pusher = opened(port, clock)
        clock.after(1.5, lambda: hand(pusher))
        return pusher

    monkeypatch.setattr(command, "open_pusher", stopped)
    assert main(["pusher", "try", "--port", "virtual"]) == 1
    told = capsys.readouterr().out
    assert words in told
    assert "  1 ..." not in told


def test_try_has_a_button_that_was_pressed_from_the_start_pulled_out(instant, monkeypatch, capsys):
    pusher = command.open_pusher("virtual", instant)
    pusher.set_estop(True)
    pusher.restart()
    assert pusher.status().state == "SAFE"

    def end():
        raise KeyboardInterrupt

    instant.after(0.5, lambda: pusher.set_estop(False))
    instant.after(20.0, end)
    monkeypatch.setattr(command, "open_pusher", lambda port, clock: pusher)
    assert main(["pusher", "try", "--port", "virtual"]) == 0
    told = capsys.readouterr().out
    assert told.index("It is in SAFE: pull the red button out") < told.index("off, and then on.")


def test_try_leaves_a_stop_first_with_the_hands_that_it_takes(instant, monkeypatch, capsys):
    opened = command.open_pusher

    def stopped(port, clock):
        pusher = opened(port, clock)
        pusher.set_estop(True)
        clock.after(0.5, lambda: pusher.set_estop(False))
        return pusher

    monkeypatch.setattr(command, "open_pusher", stopped)
    assert main(["pusher", "try", "--port", "virtual"]) == 0
    told = capsys.readouterr().out
    assert "It is in ESTOP: pull the red button out" in told
    assert "red button PRESSED" in told


def test_try_leaves_a_stop_that_comes_while_it_waits_for_the_switch(instant, monkeypatch, capsys):
    pusher = command.open_pusher("virtual", instant)
    monkeypatch.setattr(pusher, "pretend", lambda: None)  # a real one: hands turn its switch
    instant.after(0.5, lambda: pusher.set_estop(True))
    instant.after(1.0, lambda: pusher.set_estop(False))
    instant.after(3.0, lambda: pusher.set_switch(True))
    monkeypatch.setattr(command, "open_pusher", lambda port, clock: pusher)
    assert main(["pusher", "try", "--port", "virtual"]) == 0
    told = capsys.readouterr().out
    assert "It is in ESTOP: pull the red button out" in told
    assert told.count("Turn the arm switch off, and then on.") == 2


def test_watch_tells_what_changes_until_it_is_ended(instant, monkeypatch, capsys):
    opened = command.open_pusher

    def busy(port, clock):
        pusher = opened(port, clock)
        clock.after(0.5, lambda: pusher.set_switch(True))
        clock.after(1.0, lambda: pusher.set_beam(1, True))
        clock.after(1.5, lambda: pusher.set_estop(True))

        def end():
            raise KeyboardInterrupt

        clock.after(2.0, end)
        return pusher

    monkeypatch.setattr(command, "open_pusher", busy)
    assert main(["pusher", "watch", "--port", "virtual"]) == 130
    told = capsys.readouterr().out
    assert "SAFE: arm switch off, red button out" in told
    assert "SAFE: arm switch on, red button out" in told
    assert "beam 1 broken at 1.0" in told
    assert "ESTOP: arm switch on, red button PRESSED" in told


def test_watch_goes_on_when_the_cable_is_back(instant, monkeypatch, capsys):
    opened = command.open_pusher

    def slipping(port, clock):
        pusher = opened(port, clock)
        clock.after(0.5, pusher.unplug)
        clock.after(1.0, pusher.plug)

        def end():
            raise KeyboardInterrupt

        clock.after(2.0, end)
        return pusher

    monkeypatch.setattr(command, "open_pusher", slipping)
    assert main(["pusher", "watch", "--port", "virtual"]) == 130
    told = capsys.readouterr().out.splitlines()
    assert [line[:9] for line in told if "SAFE:" in line or "no pusher" in line] == [
        "SAFE: arm",
        "no pusher",
        "SAFE: arm",
    ]


@pytest.mark.parametrize(
    ("news", "words"),
    [
        (StateNews("OUT", "NONE", 0, 0), "state OUT"),
        (BeamNews(0, False, 1_500_000), "beam 0 free at 1.500000 s"),
        (BootNews("WDT", True), "the board has started (WDT); the arm may be out"),
    ],
)
def test_what_the_board_tells_is_put_into_words(news, words):
    assert command.in_words(news, ENGLISH) == words


def left_out(clock):
    """A virtual pusher whose arm was left out, its switch still on."""
    pusher = VirtualPusher(clock, np.random.default_rng(1))
    pusher.set_switch(True)
    token = pusher.arm().token
    clock.sleep(0.6)
    clock.after(0.3, pusher.restart)
    with pytest.raises(StrokeUnknown):
        pusher.push(token, command.IN_THE_AIR)
    return pusher


def test_watch_says_what_to_do_about_an_arm_that_may_stand_out():
    told = command._now(left_out(ManualClock()), ENGLISH)
    assert told.startswith("AWAY (MIDPUSH): arm switch on, red button out")
    assert "push the arm back against its stop with your hand" in told
    assert "Then type home and press Enter." in told


def test_watch_takes_the_word_of_a_person_that_the_arm_is_home_and_no_other():
    pusher = left_out(ManualClock())
    assert command.obey(pusher, "\n", ENGLISH) == ""
    assert "is not understood" in command.obey(pusher, "arm\n", ENGLISH)
    assert "the arm switch is still on" in command.obey(pusher, "home\n", ENGLISH)
    pusher.set_switch(False)
    assert pusher.status().away
    assert "the arm is home" in command.obey(pusher, " Home \n", ENGLISH)
    assert not pusher.status().away
    assert "nothing to confirm in state SAFE" in command.obey(pusher, "home\n", ENGLISH)


class Keyboard(io.StringIO):
    """The standard input of somebody who types nothing and then ends it."""

    def isatty(self):
        return True


@pytest.mark.parametrize("stdin", [io.StringIO("\n\n"), Keyboard(), None])
@pytest.mark.parametrize(("lang", "words"), [("en", "somebody at a keyboard"), ("de", "Tastatur")])
def test_only_a_person_says_that_the_arm_is_home(instant, monkeypatch, capsys, stdin, lang, words):
    pusher = left_out(instant)
    pusher.set_switch(False)
    monkeypatch.setattr(command, "open_pusher", lambda port, clock: pusher)
    monkeypatch.setattr("sys.stdin", stdin)
    assert main(["pusher", "try", "--port", "virtual", "--language", lang]) == 2
    assert words in capsys.readouterr().err
    assert pusher.board.state == "AWAY"


def test_try_first_has_the_arm_put_home(instant, monkeypatch, capsys):
    pusher = left_out(instant)
    pusher.set_switch(False)
    monkeypatch.setattr(command, "open_pusher", lambda port, clock: pusher)
    monkeypatch.setattr("sys.stdin", Keyboard())
    monkeypatch.setattr("builtins.input", lambda words: print(words) or "")
    assert main(["pusher", "try", "--port", "virtual"]) == 0
    told = capsys.readouterr().out
    assert told.index("push the arm back") < told.index("Turn the arm switch off, and then on.")
