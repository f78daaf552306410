"""The line kept alive: callers, threads, cables that are pulled, listeners that fail."""

import itertools
import threading

import pytest

from rig.clock import ManualClock, SystemClock
from rig.pusher.dialogue import SILENCE
from rig.pusher.link import LineLost, Link
from rig.pusher.port import PortLost, StopAnswer
from rig.pusher.protocol import BootNews
from rig.pusher.wasm_board import Board, BoardLine

DEADLINE_S = 30.0


class Wire(BoardLine):
    """A line to a pretend board that lives a little whenever somebody reads."""

    def __init__(self, board, step_ms=5):
        super().__init__(board)
        self.step_ms = step_ms
        self.written = []
        self.deaf = False
        self.closed = 0

    def read(self):
        self._board.run(self.step_ms)
        return super().read()

    def write(self, data):
        self.written.append(data)
        if not self.deaf or data == b"!":
            super().write(data)

    def close(self):
        self.closed += 1


class Desk:
    """A board, a line to it, and a link that lives by the board's time."""

    def __init__(self, clock):
        self.board = Board(itertools.count(1))
        self.wire = Wire(self.board)
        self.news = []
        self.refusals = iter(())
        self.opened = 0
        self.clock = clock
        self.link = Link(
            self.open,
            clock,
            itertools.count(1),
            self.hear,
            now_s=lambda: self.board.time_s,
            wait=self.wait if isinstance(clock, ManualClock) else None,
        )

    def open(self):
        why = next(self.refusals, None)
        if why is not None or not self.board.plugged:
            self.board.run(50)
            raise LineLost(why or "the cable is out")
        self.opened += 1
        return self.wire

    def hear(self, news):
        self.news.append(news)

    def pump_until(self, condition, most=4000):
        for _ in range(most):
            if condition():
                return True
            self.link.pump()
            if self.link.given_up:
                self.board.run(50)
        return condition()

    def wait(self, event, timeout_s):
        end_s = self.board.time_s + timeout_s
        while not event.is_set() and self.board.time_s < end_s:
            self.link.pump()
        return event.is_set()

    def greeted(self):
        return self.pump_until(lambda: self.link.device is not None)


@pytest.fixture
def desk():
    """Pumped by the test."""
    desk = Desk(ManualClock())
    assert desk.greeted()
    return desk


@pytest.fixture
def threaded():
    """Pumped by the link's own thread."""
    desk = Desk(SystemClock())
    told = threading.Event()
    desk.link._listener = lambda news: (desk.news.append(news), told.set())
    desk.link.start()
    assert told.wait(DEADLINE_S)
    yield desk
    desk.link.close()


def until_greeted(desk):
    """The heartbeat's first answer says that somebody is there."""
    waiter = threading.Event()
    for _ in range(3000):
        if desk.link.device is not None:
            return
        waiter.wait(0.01)
    raise AssertionError("nobody greets back")


def test_before_the_line_is_open_nothing_can_be_said():
    desk = Desk(ManualClock())
    assert desk.link.trouble == "the pusher has not been looked for yet"
    with pytest.raises(PortLost):
        desk.link.ask("HB")
    assert desk.link.stop() is StopAnswer.NOT_SENT


def test_while_the_board_is_greeted_the_trouble_says_so():
    desk = Desk(ManualClock())
    desk.wire.deaf = True
    desk.link.pump()
    assert desk.link.trouble == "the pusher is being greeted"
    assert not desk.link.given_up
    with pytest.raises(PortLost):
        desk.link.ask("HB")


def test_a_line_that_cannot_be_opened_is_tried_once_a_second_and_says_why():
    desk = Desk(ManualClock())
    desk.refusals = iter(["no permission", "in use"])
    desk.link.pump()
    assert (desk.link.trouble, desk.link.given_up) == ("no permission", True)
    start_s = desk.board.time_s
    assert desk.pump_until(lambda: desk.link.trouble == "in use")
    assert 0.9 <= desk.board.time_s - start_s <= 1.2
    assert desk.greeted()
    assert desk.link.trouble == ""


def test_a_silent_port_is_given_back_and_the_reason_told(desk):
    desk.wire.deaf = True
    desk.board.restart()
    assert desk.pump_until(lambda: desk.link.given_up)
    assert desk.link.trouble == SILENCE
    assert desk.wire.closed == 1
    desk.wire.deaf = False
    assert desk.greeted()


def test_a_pulled_cable_is_noticed_and_a_new_session_found_when_it_is_back(desk):
    sessions = desk.link.sessions
    desk.board.plugged = False
    assert desk.pump_until(lambda: desk.link.device is None)
    assert "cable" in desk.link.trouble
    with pytest.raises(PortLost):
        desk.link.ask("HB")
    assert desk.link.stop() is StopAnswer.NOT_SENT
    desk.board.plugged = True
    assert desk.greeted()
    assert desk.link.sessions == sessions + 1
    assert not desk.link.ask("LIM").refused


def test_looking_again_does_not_wait_for_the_second_to_be_over(desk):
    desk.board.plugged = False
    desk.link.pump()
    desk.board.plugged = True
    assert desk.link.pump() is False
    assert desk.opened == 1
    desk.link.look_again()
    desk.link.pump()
    assert desk.opened == 2


def test_a_cable_pulled_under_a_question_leaves_its_answer_unknown(desk):
    desk.wire.deaf = True
    waits = iter([None] * 3)

    def wait(event, timeout_s):
        for _ in waits:
            desk.link.pump()
        desk.board.plugged = False
        desk.link.pump()
        return event.is_set()

    desk.link.wait = wait
    assert desk.link.ask("LIM") is None


def test_a_line_that_breaks_while_it_is_written_leaves_the_answer_unknown(desk):
    desk.board.plugged = False
    assert desk.link.ask("LIM") is None
    assert desk.link.stop() is StopAnswer.NOT_SENT


def test_a_listener_that_fails_ends_nothing(desk, caplog):
    def fail(news):
        raise ValueError("somebody else's mistake")

    desk.link._listener = fail
    desk.wire.write(b"?")
    desk.pump_until(lambda: bool(caplog.records), 50)
    assert "was not taken" in caplog.text
    assert not desk.link.ask("LIM").refused


def test_what_the_board_tells_by_itself_reaches_the_listener(desk):
    desk.news.clear()
    desk.board.restart()
    assert desk.pump_until(lambda: any(isinstance(n, BootNews) for n in desk.news), 50)


def test_what_was_never_said_is_taken_back_and_never_said(desk):
    """A caller that was told "not heard" must not be obeyed later."""
    first = threading.Thread(target=desk.link.ask, args=("LIM",))
    desk.wire.deaf = True
    entered = threading.Event()

    def wait_long(event, timeout_s):
        entered.set()
        assert event.wait(DEADLINE_S)
        return True

    desk.link.wait = wait_long
    first.start()
    assert entered.wait(DEADLINE_S)
    desk.link.wait = lambda event, timeout_s: False
    with pytest.raises(PortLost):
        desk.link.ask("ARM")
    desk.wire.deaf = False
    assert desk.pump_until(lambda: not first.is_alive() or desk.link._dialogue._asked is None)
    first.join(DEADLINE_S)
    desk.pump_until(lambda: False, 200)
    assert not any(b"ARM" in data for data in desk.wire.written)


def test_many_callers_each_get_their_own_answer(threaded):
    until_greeted(threaded)
    counts = {"LIM": 7, "CNT": 7, "HB": 6, "EV 00": 6}
    wrong = []

    def talk(text):
        for _ in range(25):
            reply = threaded.link.ask(text)
            if reply is None or (len(reply.words) != counts[text] and not reply.refused):
                wrong.append((text, reply))

    threads = [threading.Thread(target=talk, args=(text,)) for text in counts for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_S)
    assert wrong == []


def test_a_stop_goes_out_at_once_while_another_command_waits(threaded):
    until_greeted(threaded)
    threaded.wire.step_ms = 0
    threaded.wire.deaf = True
    waiting = threading.Event()
    plain_wait = threaded.link.wait

    def wait(event, timeout_s):
        waiting.set()
        return plain_wait(event, timeout_s)

    threaded.link.wait = wait
    answers = []
    other = threading.Thread(target=lambda: answers.append(threaded.link.ask("LIM")))
    other.start()
    assert waiting.wait(DEADLINE_S)
    threaded.link.wait = plain_wait
    assert threaded.link.stop() is StopAnswer.SENT  # the board's time stands still
    assert b"!" in threaded.wire.written
    assert answers == []
    threaded.wire.deaf = False
    threaded.wire.step_ms = 5
    assert threaded.link.stop() is StopAnswer.ACKNOWLEDGED
    other.join(DEADLINE_S)
    assert len(answers) == 1


def test_a_stop_is_acknowledged_by_what_the_board_tells_even_if_it_answers_nothing(desk):
    def only_events():
        return b"".join(line for line in read().splitlines(True) if line.startswith(b"$E"))

    read, desk.wire.read = desk.wire.read, only_events
    assert desk.link.stop() is StopAnswer.ACKNOWLEDGED
    assert desk.board.state == "ESTOP"


def test_a_stopped_board_acknowledges_every_further_stop(desk):
    assert [desk.link.stop() for _ in range(3)] == [StopAnswer.ACKNOWLEDGED] * 3


def test_a_stop_goes_out_again_until_it_is_acknowledged(desk):
    write, lost = desk.wire.write, [b"!", b"!", b"!"]

    def lossy(data):
        if data in lost:
            lost.remove(data)
        elif b"STOP" not in data:
            write(data)

    desk.wire.write = lossy
    assert desk.link.stop() is StopAnswer.ACKNOWLEDGED
    assert desk.board.state == "ESTOP"


def test_a_stop_that_nothing_answers_is_only_sent(desk):
    desk.wire.read = lambda: desk.board.run(5) and b""
    start_s = desk.board.time_s
    assert desk.link.stop() is StopAnswer.SENT
    assert desk.board.state == "ESTOP"
    assert desk.board.time_s - start_s < 0.3


def test_an_old_stop_that_is_told_late_acknowledges_no_new_one(desk):
    heard = threading.Event()
    desk.link._stops.append(heard)
    text, read = "ST ESTOP NONE 0 00000001", desk.wire.read
    desk.wire.read = lambda: desk.board.run(5) and b""
    desk.link._dialogue._tell(text, late=True)
    desk.link.pump()
    assert not heard.is_set()
    desk.link._dialogue._tell(text)
    desk.link.pump()
    assert heard.is_set()
    desk.wire.read = read


def test_a_line_that_hangs_holds_no_stop_up(threaded):
    """The byte goes out at once, and the caller hears in time that nobody has acknowledged it."""
    until_greeted(threaded)
    threaded.link._lock.acquire()
    try:
        assert threaded.link.stop() is StopAnswer.SENT
    finally:
        threaded.link._lock.release()
    assert b"!" in threaded.wire.written


def test_many_who_stop_at_once_ask_the_board_once(threaded):
    until_greeted(threaded)
    told = []
    threads = [
        threading.Thread(target=lambda: told.append(threaded.link.stop())) for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_S)
    assert told == [StopAnswer.ACKNOWLEDGED] * 20


def test_closing_ends_the_thread_and_gives_the_line_back(threaded):
    until_greeted(threaded)
    threaded.link.close()
    assert threaded.wire.closed == 1
    assert not threaded.link._thread.is_alive()
    with pytest.raises(PortLost):
        threaded.link.ask("HB")


def test_a_line_that_never_opened_can_be_closed():
    Desk(ManualClock()).link.close()
