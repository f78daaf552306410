"""Whoever asks for too much waits alone: the others' requests are worked on meanwhile."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from rig.machine.build import open_by_hand
from tests.support.clients import LOCAL, PHONE, PLENTY, AsgiWay, snapshot
from tests.support.sessions import session_on
from web.access.auth import Viewer
from web.base.rate_limits import Rate, Turns
from web.factory import create_app
from web.live.hub import GONE, Mailbox
from web.live.parts import parts


def test_a_sender_has_so_many_turns_at_once_and_others_do_not_wait_for_them():
    async def scene():
        turns, held, most = Turns(2), asyncio.Event(), []
        at_once = 0

        async def greedy():
            nonlocal at_once
            async with turns.turn("greedy"):
                at_once += 1
                most.append(at_once)
                await held.wait()
                at_once -= 1

        tasks = [asyncio.create_task(greedy()) for _ in range(6)]
        await asyncio.sleep(0)
        async with turns.turn("modest"):
            waiting = len(most)
        held.set()
        await asyncio.gather(*tasks)
        return waiting, max(most), len(most), turns._of

    # In a thread of its own: where a browser was driven before, this one has a loop already.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(lambda: asyncio.run(scene())).result() == (2, 2, 6, {})


@pytest.fixture
def asgi(app):
    way = AsgiWay(app)
    yield way
    parts(app).hub.stop()
    way.close()


class TestTarpit:
    @pytest.fixture
    def limits(self, limits):
        return replace(limits, refused=Rate(1.0, 2.0), tarpit_s=7.0)

    @pytest.fixture
    def naps(self, monkeypatch):
        naps = []

        async def nap(seconds):
            naps.append(seconds)

        monkeypatch.setattr("web.server.front.asyncio.sleep", nap)
        return naps

    @pytest.mark.parametrize(
        "how",
        [
            {"headers": {"Host": "evil.example"}},
            {"cookie": "domino=AAAAAAAAAAAAAAAAAAAAAA.BBBBBBBBBBBBBBBBBBBBBB"},
            {"headers": {"Origin": "http://evil.example"}},
        ],
    )
    def test_the_third_refusal_in_a_row_comes_late(self, asgi, naps, how):
        statuses = [asgi.get("/api/state", **how).status for _ in range(3)]
        assert len(set(statuses)) == 1 and statuses[0] in (400, 401, 403)
        assert naps == [7.0]

    def test_refusals_of_pages_bodies_and_streams_come_late_too(self, asgi, naps):
        asgi.get("/j/NOPE")
        asgi.get("/nowhere")
        asgi.post("/api/command", {"id": "1", "type": "sit", "name": "x" * 9000})
        asgi.get("/events", headers={"Host": "evil.example"})
        assert naps == [7.0, 7.0]

    def test_what_a_player_meets_in_a_game_is_never_late(self, asgi, naps):
        cookie = asgi.sit("Mira")
        for _ in range(5):
            assert asgi.command(cookie, "vote", side="success", phase_id="x").status == 409
            assert asgi.get("/api/state", cookie=cookie).status == 200
        assert naps == []

    def test_another_address_and_this_machine_do_not_wait(self, asgi, naps):
        for _ in range(2):
            asgi.get("/api/state")
        asgi.get("/api/state", peer="192.168.7.8")
        for _ in range(5):
            assert asgi.post("/api/command", {"id": "1"}, peer=LOCAL).status == 401
        assert naps == []


def test_a_request_that_is_refused_anyhow_takes_no_thread(asgi):
    asgi.front._looking.shutdown()
    for how in ({"headers": {"Host": "evil.example"}}, {"peer": "8.8.8.8"}):
        for path in ("/api/state", "/events", "/qr.svg", "/picture/12.jpg"):
            assert asgi.get(path, **how).status in (400, 403)
    assert asgi.ask("POST", "/api/command", body=b"x").status == 415


def test_an_event_that_could_not_be_sent_waits_unless_a_newer_one_came():
    box = Mailbox(Viewer("d", PHONE), "phone", lambda: None)
    box.put(b"first")
    box.put_back(box.take())
    assert box.take() == b"first"
    box.put(b"second")
    box.put_back(b"first")
    assert box.take() == b"second"
    box.close(GONE)
    box.put_back(b"first")
    assert (box.take(), box.take()) == (GONE, None)


@pytest.fixture
def table(tmp_path, limits):
    """A real table by hand with five players and two watchers, over the native server's way."""
    session = session_on(tmp_path / "t.sqlite3")
    open_by_hand(session)
    plenty = replace(limits, shout=PLENTY)
    app = create_app(session, code="PINE", host_secret="secret", limits=plenty)
    way = AsgiWay(app)
    way.session = session
    yield way
    parts(app).hub.stop()
    way.close()
    session.close()


def seat_all(way, count):
    marks = ("circle", "triangle", "square", "star", "diamond")
    cookies = [way.join() for _ in range(count)]
    for n, cookie in enumerate(cookies):
        assert way.command(cookie, "sit", name=f"P{n}", mark=marks[n]).status == 200
        assert way.command(cookie, "ready", on=True).status == 200
    assert way.command(cookies[0], "start", first="s1").status == 200
    return cookies


def test_all_who_are_alike_get_one_view_that_is_made_once(table, monkeypatch):
    seat_all(table, 2)
    watchers = [table.join() for _ in range(5)]
    streams = [table.listen(cookie=cookie) for cookie in watchers]
    first = [snapshot(stream) for stream in streams]
    made = []
    view_of = table.session.view_of
    monkeypatch.setattr(
        table.session, "view_of", lambda who: made.append(who) or view_of(who), raising=True
    )
    table.session.notify()
    second = [snapshot(stream) for stream in streams]
    assert len(made) == 1 and made[0].role == "watcher"
    assert len({repr(sorted(one.items())) for one in second}) == 1
    assert first[0]["you"] == second[0]["you"]
    for stream in streams:
        stream.close()


def test_each_seat_and_each_right_has_a_view_of_its_own(table):
    seat_all(table, 2)
    session = table.session
    devices = {name: session.table.player(seat).device for name, seat in (("a", "s1"), ("b", "s2"))}
    seen = [
        session.audience(device, role)
        for device, role in (
            (devices["a"], "phone"),
            (devices["b"], "phone"),
            ("watcher", "phone"),
            (None, "phone"),
            (devices["b"], "table"),
            (devices["a"], "table"),
        )
    ]
    assert len(set(seen)) == 6
    assert session.audience("one", "phone") == session.audience("other", "phone")
    assert all(who.seat is None for who in seen[2:])


def test_four_shouts_at_once_have_one_caller_and_the_others_are_told(table):
    cookies = seat_all(table, 5)
    for _ in range(6):
        placer = table.session.game.active
        callers = [c for n, c in enumerate(cookies) if f"s{n + 1}" != placer]
        mine = cookies[int(placer[1]) - 1]
        where = {"x_mm": 270.0, "y_mm": 210.0, "heading_deg": 0.0, "orientation": "vertical"}
        phase_id = table.session.table.phase_id
        value = table.session.game.supply[0]
        table.command(mine, "stand", value=value, phase_id=phase_id, **where)
        assert table.command(mine, "confirm", phase_id=phase_id).status == 200
        phase_id = table.session.table.phase_id
        gate, statuses = threading.Barrier(4), []

        def call(cookie, gate=gate, statuses=statuses, phase_id=phase_id):
            order = {"id": cookie[-9:] + phase_id, "type": "call", "phase_id": phase_id}
            gate.wait()
            statuses.append(table.post("/api/command", order, cookie=cookie).status)

        threads = [threading.Thread(target=call, args=(cookie,)) for cookie in callers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert statuses == [200] * 4
        shout = table.session.view("watcher")["shout"]
        told = {shout["caller"], *(one["seat"] for one in shout["late"])}
        assert told == {f"s{n}" for n in range(1, 6)} - {placer} and len(shout["late"]) == 3
        now = table.session.table.phase_id
        assert table.command(cookies[0], "void", phase_id=now, reason="next").status == 200


def test_two_tabs_that_vote_otherwise_have_one_ballot(table):
    cookies = seat_all(table, 3)
    phase_id = table.session.table.phase_id
    where = {"x_mm": 270.0, "y_mm": 210.0, "heading_deg": 0.0, "orientation": "vertical"}
    table.command(cookies[0], "stand", value=3, phase_id=phase_id, **where)
    table.command(cookies[0], "confirm", phase_id=phase_id)
    table.command(cookies[2], "call", phase_id=table.session.table.phase_id)
    phase_id = table.session.table.phase_id
    gate = threading.Barrier(2)

    def vote(side):
        order = {"id": side, "type": "vote", "side": side, "phase_id": phase_id}
        gate.wait()
        assert table.post("/api/command", order, cookie=cookies[1]).status == 200

    tabs = [threading.Thread(target=vote, args=(side,)) for side in ("success", "failure")]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    cast = [r for r in table.session.journal.events() if r.type == "BallotCast"]
    mine = table.get("/api/state", cookie=cookies[1]).json["ballot"]["mine"]
    assert table.session.game.ballots["s2"].value == mine
    assert sum(record.actor == "s2" for record in cast) == 2
