"""What the table screen tells the referee: whether it can be seen, and what it has shown."""

import pytest

from tests.support.clients import LOCAL, snapshot
from web.live.parts import parts


@pytest.fixture
def way(asgi_way):
    return asgi_way


def listening(way, **who):
    stream = way.listen("/events?role=table", **who)
    snapshot(stream)
    return stream


def test_a_screen_says_that_it_is_seen_and_what_it_has_shown(way, session):
    cookie = way.join()
    stream = listening(way, cookie=cookie)
    assert way.post("/api/screen", {"visible": True}, cookie=cookie).json == {"ok": True}
    way.post("/api/screen", {"visible": True, "scene": 4, "what": "ended"}, cookie=cookie)
    (device,) = {said[0] for said in session.screens}
    assert session.screens == [(device, True, 0, ""), (device, True, 4, "ended")]
    stream.close()


def test_a_screen_on_this_machine_needs_no_device(way, session):
    stream = listening(way, peer=LOCAL)
    way.post("/api/screen", {"visible": True}, peer=LOCAL)
    assert session.screens == [(LOCAL, True, 0, "")]
    stream.close()


def test_who_has_no_table_screen_open_is_not_believed(way, session):
    cookie = way.join()
    phone = way.listen(cookie=cookie)
    snapshot(phone)
    assert way.post("/api/screen", {"visible": True}, cookie=cookie).status == 200
    assert session.screens == []
    phone.close()


def test_a_screen_that_is_closed_is_seen_by_nobody(way, session):
    cookie = way.join()
    first, second = listening(way, cookie=cookie), listening(way, cookie=cookie)
    way.post("/api/screen", {"visible": True}, cookie=cookie)
    first.close()
    second.close()
    with session.heard:
        assert session.heard.wait_for(lambda: session.screens[-1][1] is False, timeout=120)
    assert session.screens[-1][0] == session.screens[0][0]


@pytest.mark.parametrize(
    "said",
    [
        [],
        {},
        {"visible": "yes"},
        {"visible": True, "scene": "4"},
        {"visible": True, "scene": True, "what": "began"},
        {"visible": True, "scene": 4, "what": "over"},
        {"visible": True, "scene": 4, "what": ["began"]},
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(way, session, said):
    cookie = way.join()
    stream = listening(way, cookie=cookie)
    answer = way.post("/api/screen", said, cookie=cookie)
    assert (answer.status, answer.json["reason"]) == (400, "bad_command")
    assert session.screens == []
    stream.close()


def test_a_phone_that_is_not_at_the_table_says_nothing(way, session, app):
    assert way.post("/api/screen", {"visible": True}).status == 401
    assert parts(app).hub.streams == 0
