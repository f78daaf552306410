"""What the table screen tells the referee: whether it can be seen, and what it has shown."""

import pytest

from rig.films.film_folder import FilmFolder, films_of
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


def test_a_screen_says_whether_it_sounds_and_a_phone_what_it_speaks(way, session):
    cookie = way.join()
    stream = listening(way, cookie=cookie)
    way.post("/api/screen", {"visible": True, "sound": True}, cookie=cookie)
    assert list(session.sounding.values()) == [True]
    way.post("/api/screen", {"visible": True}, cookie=cookie)
    assert list(session.sounding.values()) == [False]
    way.post("/api/screen", {"visible": False, "sound": True}, cookie=cookie)
    assert list(session.sounding.values()) == [False]
    assert way.post("/api/screen", {"language": "uk"}, cookie=cookie).json == {"ok": True}
    assert session.languages == dict.fromkeys(session.sounding, "uk")
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


def test_a_screen_that_is_closed_while_it_speaks_is_seen_by_nobody(way, session, monkeypatch):
    cookie = way.join()
    stream, sounds = listening(way, cookie=cookie), session.sounds

    def closed_meanwhile(*said):
        sounds(*said)
        stream.close()
        with session.heard:
            assert session.heard.wait_for(lambda: session.screens, timeout=120)

    monkeypatch.setattr(session, "sounds", closed_meanwhile)
    way.post("/api/screen", {"visible": True, "sound": True}, cookie=cookie)
    assert [said[1] for said in session.screens] == [False, True, False]


def test_a_screen_that_is_closed_from_both_sides_is_told_of_once(way, app, session):
    hub = parts(app).hub
    first, second = way.join(), way.join()
    for n, cookie in enumerate((first, second), 1):
        stream = listening(way, cookie=cookie)
        (box,) = hub._boxes
        stream.close()
        with session.heard:
            assert session.heard.wait_for(lambda n=n: len(session.screens) >= n, timeout=120)
        hub.close(box)  # as the sending side does, too
    assert len({said[0] for said in session.screens}) == len(session.screens) == 2


@pytest.mark.parametrize(
    "said",
    [
        [],
        {},
        {"visible": "yes"},
        {"visible": True, "sound": "yes"},
        {"language": "xx"},
        {"language": ["uk"]},
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


@pytest.fixture
def film(session):
    """A film that is there, by its name."""
    folder = FilmFolder(films_of(session.journal.path))
    folder.put("ab12-4-0a1b2c", b"0123456789", b"still", ["Mira"])
    return "/film/ab12-4-0a1b2c"


def test_a_phone_gets_a_film_whole_or_in_parts_and_its_still(way, film):
    cookie = way.join()
    whole = way.get(f"{film}.mp4", cookie=cookie)
    assert (whole.status, whole.body) == (200, b"0123456789")
    assert whole.headers["content-type"] == "video/mp4"
    part = way.get(f"{film}.mp4", cookie=cookie, headers={"Range": "bytes=2-4"})
    assert (part.status, part.body) == (206, b"234")
    assert way.get(f"{film}.jpg", cookie=cookie).body == b"still"


@pytest.mark.parametrize("at", ["/film/ab12-5-0a1b2c.mp4", "/film/ab12-4-0a1b2c.json"])
def test_what_is_no_film_is_not_found(way, film, at):
    assert way.get(at, cookie=way.join()).status == 404


def test_a_film_is_for_those_who_have_joined(way, film):
    assert way.get(f"{film}.mp4").status in (401, 403)


def test_a_film_that_goes_while_it_is_asked_for_is_not_found(way, film, session, monkeypatch):
    folder = FilmFolder(films_of(session.journal.path))
    gone = folder.file("ab12-4-0a1b2c", "mp4")
    folder.remove("ab12-4-0a1b2c")
    monkeypatch.setattr(FilmFolder, "file", lambda *_: gone)
    assert way.get(f"{film}.mp4", cookie=way.join()).status == 404
