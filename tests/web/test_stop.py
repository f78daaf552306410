"""STOP reaches the machine and is answered, whatever else hangs."""

import threading
from itertools import count

import pytest
from clients import PLENTY, AsgiWay

from rig.clock import ManualClock
from rig.config import load_config
from rig.journal import Journal
from rig.session import Session
from web import create_app
from web.limits import Limits
from web.parts import parts


class HungJournal(Journal):
    """A disk that can be made to hang: whatever is written waits until it is let go."""

    def __init__(self, path):
        super().__init__(path)
        self.hangs = threading.Event()
        self.free = threading.Event()
        self.waiting = threading.Semaphore(0)

    def append(self, *given, **named):
        if self.hangs.is_set():
            self.waiting.release()
            assert self.free.wait(60)
        return super().append(*given, **named)


class Machine:
    """Knows nothing but STOP."""

    virtual = False
    answers = "acknowledged"

    def __init__(self):
        self.stops = 0
        self.stopped = threading.Event()
        self.answer = threading.Event()
        self.answer.set()

    def before_commit(self, before, after):
        return ()

    def undo(self): ...

    def pusher_status(self): ...

    def picture_now(self): ...

    def close(self): ...

    def stop(self):
        self.stops += 1
        self.stopped.set()
        assert self.answer.wait(60)
        return self.answers


class Hung:
    """A table with two players whose disk can hang."""

    def __init__(self, folder):
        self.journal = HungJournal(folder / "table.sqlite3")
        numbers = count(1)
        self.session = Session(
            self.journal, ManualClock(), load_config(), lambda: f"{next(numbers):032x}"
        )
        self.machine = self.session.machine = Machine()
        limits = Limits(device=PLENTY, address=PLENTY)
        app = create_app(self.session, code="PINE", host_secret="the-secret", limits=limits)
        self.web = parts(app)
        self.way = AsgiWay(app)
        self.ana, self.bo, self.watcher = (self.way.join() for _ in range(3))
        for cookie, name, mark in ((self.ana, "Ana", "star"), (self.bo, "Bo", "cross")):
            assert self.way.command(cookie, "sit", name=name, mark=mark).status == 200
        self.threads = []

    def hang(self, commands):
        """Let so many commands hang at the disk, or behind one that does."""
        self.journal.hangs.set()
        strangers = [self.way.join() for _ in range(commands)]
        for n, cookie in enumerate([self.ana, *strangers[1:]]):
            order = {"id": f"h{n}", "type": "rename" if n == 0 else "sit", "name": f"Hung {n}"}
            named = {"cookie": cookie}
            thread = threading.Thread(
                target=self.way.post, args=("/api/command", order), kwargs=named
            )
            thread.start()
            self.threads.append(thread)
        assert self.journal.waiting.acquire(timeout=20)

    def close(self):
        self.machine.answer.set()
        self.journal.free.set()
        for thread in self.threads:
            thread.join(20)
        self.web.hub.stop()
        self.way.close()
        self.session.close()


@pytest.fixture
def table(tmp_path):
    made = Hung(tmp_path)
    yield made
    made.close()


def test_stop_is_sent_and_answered_while_every_worker_hangs_at_the_disk(table):
    table.hang(commands=8)
    answer = table.way.post("/api/stop", {}, cookie=table.bo)
    assert answer.json == {"ok": True, "stopped": "acknowledged"}
    assert table.machine.stops == 1
    assert not table.journal.free.is_set()


def test_stop_needs_no_lock_of_the_session(table):
    with table.session.lock:
        assert table.way.post("/api/stop", {}, cookie=table.bo).status == 200
    assert table.machine.stops == 1


def test_stop_is_written_down_once_the_disk_takes_it_and_sent_no_second_time(table):
    noted = threading.Event()
    table.session.subscribe(lambda: table.session.table.stopped_by and noted.set())
    table.hang(commands=8)
    table.way.post("/api/stop", {}, cookie=table.bo)
    table.way.post("/api/stop", {}, cookie=table.bo)
    table.journal.free.set()
    assert noted.wait(20)
    assert table.session.table.stopped_by == "s2"
    assert table.machine.stops == 2


@pytest.mark.parametrize("told", ["acknowledged", "sent", "not_sent"])
def test_the_answer_says_what_is_known_of_the_stop(table, told):
    table.machine.answers = told
    answer = table.way.post("/api/stop", {}, cookie=table.bo)
    assert answer.json == {"ok": True, "stopped": told}


def test_pressing_again_sends_it_again_while_the_first_waits_for_its_answer(table):
    table.machine.answer.clear()
    presses = [
        threading.Thread(target=table.way.post, args=("/api/stop", {}), kwargs={"cookie": table.bo})
        for _ in range(2)
    ]
    for press in presses:
        table.machine.stopped.clear()
        press.start()
        assert table.machine.stopped.wait(20)
    assert table.machine.stops == 2
    table.machine.answer.set()
    for press in presses:
        press.join(20)


def test_whoever_hammers_is_answered_and_takes_nothing_from_the_others(table):
    hammered = [table.way.post("/api/stop", {}, cookie=table.ana).status for _ in range(40)]
    assert set(hammered) == {200}
    sent = table.machine.stops
    assert table.way.post("/api/stop", {}, cookie=table.bo).status == 200
    assert table.machine.stops == sent + 1


def test_only_who_plays_or_hosts_may_stop(table):
    assert table.way.post("/api/stop", {}, cookie=table.watcher).status == 403
    assert table.way.post("/api/stop", {}).status == 401
    forged = "domino=AAAAAAAAAAAAAAAAAAAAAA.BBBBBBBBBBBBBBBBBBBBBB"
    assert table.way.post("/api/stop", {}, cookie=forged).status == 401
    foreign = {"Origin": "http://evil.example"}
    assert table.way.post("/api/stop", {}, cookie=table.bo, headers=foreign).status == 403
    assert table.machine.stops == 0
    host = table.way.get("/host/the-secret").cookie
    assert table.way.post("/api/stop", {}, cookie=host).status == 200
    assert table.machine.stops == 1


def test_a_stop_that_cannot_be_written_down_is_answered_all_the_same(table):
    table.session.note_stop = None
    assert table.way.post("/api/stop", {}, cookie=table.bo).status == 200
    table.way.post("/api/stop", {}, cookie=table.bo)
    assert table.machine.stops == 2
