"""The event stream."""

import threading
from dataclasses import replace

import pytest

from tests.support.clients import LOCAL, snapshot
from web.access.auth import Viewer
from web.base.errors import Denied
from web.live.hub import BEAT, ELSEWHERE, GONE, Mailbox
from web.live.parts import parts

RETRY = b"retry: 500\n\n"


@pytest.fixture
def way(asgi_way):
    return asgi_way


@pytest.fixture
def hub(app):
    return parts(app).hub


def test_plain_wsgi_says_that_it_has_no_streams(flask_way):
    answer = flask_way.get("/events", cookie=flask_way.join())
    assert (answer.status, answer.json["reason"]) == (501, "no_streams")
    assert flask_way.get("/events").status == 401


def until(session, wanted):
    """Wait for the session to hear this of presence."""
    with session.heard:
        assert session.heard.wait_for(lambda: session.presence == wanted, timeout=120), (
            session.presence
        )


def test_a_stream_begins_with_the_whole_snapshot(way):
    stream = way.listen(cookie=way.join())
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.chunk() == RETRY
    event = stream.chunk()
    assert event.startswith(b"id: 1\ndata: {") and event.endswith(b"}\n\n")
    assert event.count(b"\n") == 3
    stream.close()


def test_a_new_address_of_this_machine_reaches_a_table_screen_at_which_nothing_happens(
    way, app, hub, monkeypatch
):
    at = ["192.168.1.20"]
    monkeypatch.setattr(parts(app).net, "addresses", lambda: tuple(at))
    table = way.listen("/events?role=table", peer=LOCAL)
    before = snapshot(table)["net"]
    at[:] = ["10.0.0.5"]
    assert hub.deliver() is not None  # it is looked again by itself
    now = snapshot(table)["net"]
    assert (before["url"], now["url"]) == tuple(
        f"http://{each}:8000/j/PINE" for each in ("192.168.1.20", "10.0.0.5")
    )
    assert now["qr"] != before["qr"]  # a browser that has the old picture fetches the new one
    table.close()


def test_a_change_reaches_every_screen_as_its_own_view(way):
    mira = way.join()
    phone = way.listen(cookie=mira)
    table = way.listen("/events?role=table", cookie=way.join())
    assert snapshot(phone)["you"]["role"] == "guest"
    assert snapshot(table)["you"]["role"] == "table"
    way.command(mira, "sit", name="Mira")
    while not (seen := snapshot(phone))["seats"]:
        pass
    assert (seen["v"], seen["you"]["seat"], seen["net"]["code"]) == (2, "s1", "PINE")
    while not (seen := snapshot(table))["seats"]:
        pass
    assert (seen["v"], seen["you"]["seat"]) == (2, None)
    phone.close()
    table.close()


def test_this_machine_may_watch_the_table_without_a_device(way):
    stream = way.listen("/events?role=table", peer=LOCAL)
    assert snapshot(stream)["you"]["role"] == "table"
    stream.close()


def test_a_mailbox_keeps_the_newest_event_alone():
    woken = []
    box = Mailbox(Viewer("d", LOCAL), "phone", lambda: woken.append(1))
    box.put(b"old")
    box.put(b"new")
    assert (box.take(), box.take(), len(woken)) == (b"new", None, 2)


def test_a_closed_mailbox_keeps_its_last_words():
    box = Mailbox(Viewer("d", LOCAL), "phone", lambda: None)
    box.put(b"event")
    box.close(GONE)
    box.put(b"late")
    box.close(ELSEWHERE)
    assert (box.closed, box.take(), box.take()) == (True, GONE, None)


def test_the_third_stream_of_a_device_ends_its_first(way, hub):
    cookie = way.sit("Mira")
    streams = [way.listen(cookie=cookie) for _ in range(3)]
    rest = b"".join(iter(streams[0].chunk, b""))
    assert rest.endswith(ELSEWHERE)
    assert snapshot(streams[1]) == snapshot(streams[2])
    assert hub.streams == 2
    for stream in streams:
        stream.close()
    assert hub.streams == 0


def test_a_table_screen_and_a_phone_on_one_device_leave_each_other_alone(way, hub):
    cookie = way.sit("Mira")
    paths = ["/events?role=table"] * 2 + ["/events"] * 2
    streams = [way.listen(path, cookie=cookie) for path in paths]
    assert hub.streams == 4
    for stream in streams:
        stream.close()


def test_two_hundred_streams_of_one_device_leave_two(way, hub):
    cookie = way.sit("Mira")
    streams = [way.listen(cookie=cookie) for _ in range(200)]
    assert hub.streams == 2
    assert way.get("/api/state", cookie=cookie).status == 200
    for stream in streams:
        stream.close()


class TestCaps:
    @pytest.fixture
    def limits(self, limits):
        return replace(limits, streams=3, streams_of_address=2)

    def test_too_many_streams_are_refused_with_a_sentence(self, way, hub):
        places = [("192.168.7.1", 2), ("192.168.7.2", 1)]
        streams = [way.listen(cookie=way.join(), peer=peer) for peer, n in places for _ in range(n)]
        refused = way.listen(cookie=way.join(), peer="192.168.7.3")
        assert refused.status == 503
        assert b"Too many screens" in refused.chunk()
        assert hub.streams == 3
        for stream in (*streams, refused):
            stream.close()

    def test_one_address_cannot_take_all_places(self, way):
        streams = [way.listen(cookie=way.join()) for _ in range(3)]
        assert [stream.status for stream in streams] == [200, 200, 503]
        for stream in streams:
            stream.close()

    def test_a_closed_stream_makes_room(self, way):
        for _ in range(5):
            stream = way.listen(cookie=way.join())
            assert stream.status == 200
            stream.close()


class TestBeats:
    @pytest.fixture
    def limits(self, limits):
        return replace(limits, beat_s=0.01)

    def test_a_quiet_stream_beats(self, way):
        stream = way.listen(cookie=way.join())
        snapshot(stream)
        assert [stream.chunk() for _ in range(3)] == [BEAT] * 3
        stream.close()


def test_streams_are_only_read(way):
    cookie = way.join()
    for method, status in (("HEAD", 405), ("POST", 405), ("DELETE", 405)):
        headers = {"Content-Type": "application/json"}
        answer = way.ask(method, "/events", cookie=cookie, headers=headers)
        assert answer.status == status


def test_who_is_put_out_hears_it_and_the_others_hear_the_new_code(way, app):
    host, mira = way.sit("Host"), way.sit("Mira")
    streams = {name: way.listen(cookie=cookie) for name, cookie in (("h", host), ("m", mira))}
    for stream in streams.values():
        snapshot(stream)
    way.command(host, "remove_seat", seat="s2")
    assert b"".join(iter(streams["m"].chunk, b"")).endswith(GONE)
    while (net := snapshot(streams["h"])["net"])["code"] == "PINE":
        pass
    assert net["code"] == parts(app).auth.code
    for stream in streams.values():
        stream.close()


def test_whoever_only_watches_hears_no_new_code(way):
    host, _ = way.sit("Host"), way.sit("Mira")
    streams = [way.listen(f"/events?role={role}", cookie=way.join()) for role in ("phone", "table")]
    for stream in streams:
        snapshot(stream)
    way.command(host, "remove_seat", seat="s2")
    for stream in streams:
        while (said := stream.chunk()) != GONE:
            assert b'"code":"PINE"' in said
        stream.close()


def test_a_view_with_the_new_code_is_not_sent_to_whoever_is_put_out_meanwhile(
    way, app, monkeypatch
):
    web = parts(app)
    stream = way.listen(cookie=way.join())
    snapshot(stream)
    event = web.views.event

    def put_out_before(audience):
        web.auth.put_out([], "MINT")
        return event(audience)

    monkeypatch.setattr(web.hub._views, "event", put_out_before)
    web.hub.poke()
    assert stream.chunk() == GONE
    stream.close()


def test_the_table_screen_of_this_machine_goes_on_when_somebody_is_put_out(way, app, session):
    host, _ = way.sit("Host"), way.sit("Mira")
    screen = way.get("/table", peer=LOCAL).cookie
    stream = way.listen("/events?role=table", cookie=screen, peer=LOCAL)
    snapshot(stream)
    way.command(host, "remove_seat", seat="s2")
    while snapshot(stream)["net"]["code"] == "PINE":
        pass
    way.post("/api/screen", {"visible": True}, cookie=screen, peer=LOCAL)
    assert [visible for _, visible, *_ in session.screens] == [True]
    assert session.screens[0][0] not in (LOCAL, "")
    stream.close()


def test_the_session_hears_who_is_there(way, session):
    cookie = way.sit("Mira")
    device = next(iter(session.seats))
    stream = way.listen(cookie=cookie)
    until(session, [(device, True)])
    stream.close()


def test_the_table_screen_is_nobody(way, session):
    cookie = way.sit("Mira")
    table = way.listen("/events?role=table", cookie=cookie)
    snapshot(table)
    assert session.presence == []
    table.close()


class TestLeaving:
    @pytest.fixture
    def limits(self, limits):
        return replace(limits, leave_s=2.0)

    def test_a_reload_is_no_absence(self, way, session, clock, hub):
        cookie = way.sit("Mira")
        device = next(iter(session.seats))
        first = way.listen(cookie=cookie)
        snapshot(first)
        first.close()
        clock.now_s += 1.9
        second = way.listen(cookie=cookie)
        snapshot(second)
        clock.now_s += 10
        hub.poke()
        snapshot(second)
        assert session.presence == [(device, True)]
        second.close()

    def test_a_phone_that_stays_away_is_absent(self, way, session, clock, hub):
        cookie = way.sit("Mira")
        device = next(iter(session.seats))
        stream = way.listen(cookie=cookie)
        snapshot(stream)
        stream.close()
        clock.now_s += 2.1
        hub.poke()
        until(session, [(device, True), (device, False)])


def test_one_bad_view_does_not_end_the_streams(way, session, hub, caplog):
    stream = way.listen(cookie=way.sit("Mira"))
    snapshot(stream)
    view = session.view
    session.view = lambda device, role: {**view(device, role), "v": float("nan")}
    hub.poke()
    other = way.listen(cookie=way.join())
    session.view = view
    session.announce()
    assert snapshot(stream)["v"] == 2
    assert snapshot(other)["v"] == 2
    stream.close()
    other.close()


def test_stop_ends_every_stream_and_lets_none_in(way, hub):
    streams = [way.listen(cookie=way.join()) for _ in range(3)]
    for stream in streams:
        snapshot(stream)
    hub.stop()
    assert [stream.chunk() for stream in streams] == [b"event: closed\ndata: {}\n\n"] * 3
    assert [stream.chunk() for stream in streams] == [b""] * 3
    refused = way.get("/events", cookie=way.join())
    assert (refused.status, refused.json["reason"]) == (503, "closing")
    for stream in streams:
        stream.close()


def test_the_session_is_let_go_at_the_end(way, session, hub):
    stream = way.listen(cookie=way.join())
    assert len(session.callbacks) == 1
    hub.stop()
    assert session.callbacks == []
    stream.close()


def test_a_hub_without_streams_runs_no_thread(app, hub):
    assert "web-views" not in [thread.name for thread in threading.enumerate()]
    hub.stop()
    with pytest.raises(Denied, match="closing"):
        hub.open(Viewer("d", LOCAL), "phone", lambda: None)


class TestSleepingPhones:
    @pytest.fixture
    def limits(self, limits):
        return replace(limits, send_s=0.01, beat_s=0.01)

    def test_a_phone_that_reads_nothing_is_given_up(self, way, hub):
        stream = way.listen(cookie=way.join())
        snapshot(stream)
        stream.hold()
        stream.task.result(timeout=120)
        assert hub.streams == 0
