"""STOP reaches the machine and is answered, whatever else hangs."""

import threading

import pytest

from tests.support.hung import Hung


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
    assert noted.wait(120)
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
        assert table.machine.stopped.wait(120)
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
