import gzip
import html
import json
import logging
import re

import pytest

from tests.support.clients import LOCAL, PHONE, FlaskWay
from tests.support.fake_session import FakeSession
from web.base.codes import WORDS
from web.base.headers import CSP
from web.content import page
from web.factory import create_app
from web.live.parts import parts

ROLES = (
    "nobody",
    "forged",
    "elsewhere",
    "guest",
    "watcher",
    "player",
    "other",
    "host",
    "screen",
    "local",
)

# One row a route: what each of ROLES gets, in that order.
MATRIX = {
    "GET /": (200, 200, 200, 303, 303, 303, 303, 303, 303, 200),
    "GET /join": (303, 303, 303, 303, 303, 303, 303, 303, 303, 303),
    "GET /j/PINE": (303, 303, 303, 303, 303, 303, 303, 303, 303, 303),
    "GET /j/ROSE": (404, 404, 404, 404, 404, 404, 404, 404, 404, 404),
    "GET /play": (303, 303, 303, 200, 200, 200, 200, 200, 200, 303),
    "GET /table": (303, 303, 303, 200, 200, 200, 200, 200, 200, 200),
    "GET /host/wrong": (403, 403, 403, 403, 403, 403, 403, 403, 403, 403),
    "GET /host/the-secret": (303, 303, 303, 303, 303, 303, 303, 303, 303, 303),
    "POST /api/host": (401, 401, 401, 403, 403, 403, 403, 403, 403, 401),
    "GET /api/state": (401, 401, 401, 200, 200, 200, 200, 200, 200, 200),
    "GET /api/state?role=table": (401, 401, 401, 200, 200, 200, 200, 200, 200, 200),
    "GET /api/clock": (401, 401, 401, 200, 200, 200, 200, 200, 200, 200),
    "GET /events": (401, 401, 401, 200, 200, 200, 200, 200, 200, 200),
    "GET /events?role=table": (401, 401, 401, 200, 200, 200, 200, 200, 200, 200),
    "POST /api/command": (401, 401, 401, 403, 403, 403, 403, 200, 403, 401),
    "POST /api/photo": (401, 401, 401, 409, 409, 200, 200, 200, 409, 401),
    "POST /api/screen": (401, 401, 401, 200, 200, 200, 200, 200, 200, 200),
    "POST /api/stop": (401, 401, 401, 403, 403, 200, 200, 200, 403, 401),
    "GET /h/wrong": (404, 404, 404, 404, 404, 404, 404, 404, 404, 404),
    "POST /api/handover": (401, 401, 401, 409, 409, 200, 200, 200, 409, 401),
    "GET /handover.svg": (401, 401, 401, 404, 404, 404, 404, 404, 404, 404),
    "POST /api/take": (401, 401, 401, 404, 404, 404, 404, 404, 404, 401),
    "GET /tables": (403, 403, 403, 403, 403, 403, 403, 403, 403, 200),
    "GET /doctor": (403, 403, 403, 403, 403, 403, 403, 200, 403, 200),
    "GET /setup": (303, 303, 303, 403, 403, 403, 403, 200, 403, 200),
    "GET /api/setup": (401, 401, 401, 403, 403, 403, 403, 200, 403, 200),
    "POST /api/setup": (401, 401, 401, 403, 403, 403, 403, 200, 403, 200),
    "GET /api/setup/camera.jpg": (401, 401, 401, 403, 403, 403, 403, 200, 403, 200),
    "GET /api/setup/preview/0.jpg": (401, 401, 401, 403, 403, 403, 403, 200, 403, 200),
    "GET /api/setup/row.jpg": (401, 401, 401, 403, 403, 403, 403, 204, 403, 204),
    "GET /api/setup/mat-A4.pdf": (401, 401, 401, 403, 403, 403, 403, 200, 403, 200),
    "GET /trust": (200, 200, 200, 200, 200, 200, 200, 200, 200, 200),
    "GET /trust/ca.crt": (404, 404, 404, 404, 404, 404, 404, 404, 404, 404),
    "GET /t/9/play": (404, 404, 404, 404, 404, 404, 404, 404, 404, 404),
    "GET /qr.svg": (401, 401, 401, 200, 200, 200, 200, 200, 200, 200),
    "GET /picture/12.jpg": (401, 401, 401, 200, 200, 200, 200, 200, 200, 200),
    "GET /picture/13.jpg": (401, 401, 401, 404, 404, 404, 404, 404, 404, 404),
    "GET /picture/now.jpg": (401, 401, 401, 200, 200, 200, 200, 200, 200, 200),
    "GET /film/0-1-abcdef.mp4": (401, 401, 401, 404, 404, 404, 404, 404, 404, 404),
    "GET /favicon.ico": (204, 204, 204, 204, 204, 204, 204, 204, 204, 204),
    "GET /dev/gallery": (404, 404, 404, 404, 404, 404, 404, 404, 404, 404),
    "GET /dev/snapshots.json": (404, 404, 404, 404, 404, 404, 404, 404, 404, 404),
    "GET /replay": (303, 303, 303, 200, 200, 200, 200, 200, 200, 200),
    "GET /statistics": (303, 303, 303, 200, 200, 200, 200, 200, 200, 200),
    "GET /bench": (303, 303, 303, 200, 200, 200, 200, 200, 200, 200),
    "POST /api/bench/chance": (401, 401, 401, 409, 409, 409, 409, 409, 409, 409),
    "POST /api/bench/push": (401, 401, 401, 409, 409, 409, 409, 409, 409, 409),
    "GET /api/bench/puzzle": (401, 401, 401, 200, 200, 200, 200, 200, 200, 200),
    "POST /api/bench/puzzle": (401, 401, 401, 409, 409, 409, 409, 409, 409, 409),
    "POST /api/bench/guess": (401, 401, 401, 409, 409, 409, 409, 409, 409, 409),
    "POST /api/bench/open": (401, 401, 401, 409, 409, 409, 409, 409, 409, 409),
    "GET /api/bench/qr.svg": (401, 401, 401, 400, 400, 400, 400, 400, 400, 400),
    "GET /api/games": (401, 401, 401, 403, 403, 200, 200, 200, 403, 200),
    "GET /api/games/1": (401, 401, 401, 403, 403, 404, 404, 404, 403, 404),
    "GET /api/games/1/rounds/1": (401, 401, 401, 403, 403, 404, 404, 404, 403, 404),
    "GET /api/games/1/file": (401, 401, 401, 403, 403, 403, 403, 404, 403, 403),
    "POST /api/replay": (401, 401, 401, 403, 403, 403, 403, 400, 403, 403),
    "GET /api/statistics": (401, 401, 401, 403, 403, 200, 200, 200, 403, 200),
    "GET /api/badges": (401, 401, 401, 200, 200, 200, 200, 200, 200, 200),
    "POST /api/statistics": (401, 401, 401, 403, 403, 403, 403, 200, 403, 403),
    "GET /nowhere": (401, 401, 401, 404, 404, 404, 404, 404, 404, 404),
    "DELETE /api/state": (415, 415, 415, 415, 415, 415, 415, 415, 415, 415),
    "OPTIONS /api/command": (415, 415, 415, 415, 415, 415, 415, 415, 415, 415),
}
BODIES = {
    "POST /api/command": {"id": "m1", "type": "add_bot"},
    "POST /api/host": {"secret": "wrong"},
    "POST /api/photo": {"a photo": "as it were"},
    "POST /api/screen": {"visible": True},
    "POST /api/stop": {},
    "POST /api/handover": {},
    "POST /api/take": {"token": "wrong"},
    "POST /api/bench/chance": {"row": "no row"},
    "POST /api/bench/push": {"row": "no row"},
    "POST /api/bench/puzzle": {"row": "no row"},
    "POST /api/bench/guess": {"falls": True},
    "POST /api/bench/open": {},
    "POST /api/replay": {"format": "something else"},
    "POST /api/statistics": {"erase": None},
    "POST /api/setup": {"do": "ruler", "mm": 100},
}


@pytest.fixture(scope="module")
def elsewhere():
    """The cookie of another table."""
    return FlaskWay(create_app(FakeSession(), code="PINE", name="2")).sit("Zoe")


@pytest.fixture
def people(way, elsewhere):
    """A cookie and an address for each role."""
    host, player, other, watcher, guest = (way.join() for _ in range(5))
    way.command(host, "sit", name="Host")
    way.command(player, "sit", name="Mira")
    way.command(other, "sit", name="Oleh")
    way.command(watcher, "watch")
    return {
        "nobody": {},
        "forged": {"cookie": "domino=AAAAAAAAAAAAAAAAAAAAAA.BBBBBBBBBBBBBBBBBBBBBB"},
        "elsewhere": {"cookie": elsewhere},
        "guest": {"cookie": guest},
        "watcher": {"cookie": watcher},
        "player": {"cookie": player},
        "other": {"cookie": other},
        "host": {"cookie": host},
        "screen": {"cookie": way.get("/j/PINE?as=table").cookie},
        "local": {"peer": LOCAL},
    }


ORDERS = [
    route for route in MATRIX if not route.startswith("GET") or route == "GET /host/the-secret"
]
"""What may change who is who."""


def differs(way, people, route):
    """Roles that get something else than the table says, and what."""
    method, path = route.split()
    json = BODIES.get(route)
    got = {role: way.ask(method, path, json=json, **people[role]).status for role in ROLES}
    due = dict(zip(ROLES, MATRIX[route], strict=True))
    if isinstance(way, FlaskWay) and path.startswith("/events"):  # the front has them
        due = {role: 501 if status == 200 else status for role, status in due.items()}
    return {(route, role): (got[role], due[role]) for role in ROLES if got[role] != due[role]}


def test_every_role_gets_from_every_page_what_the_table_says(way, people):
    """None of these changes who is who: one table will do for all."""
    found = {}
    for route in MATRIX:
        if route not in ORDERS:
            found |= differs(way, people, route)
    assert not found


@pytest.mark.parametrize("route", ORDERS)
def test_every_role_gets_from_every_order_what_the_table_says(way, people, route):
    assert not differs(way, people, route)


def test_the_matrix_knows_every_route(app):
    adapter = app.url_map.bind("localhost")
    known = set()
    for route in MATRIX:
        method, path = route.split()
        if adapter.test(path.partition("?")[0], method):
            known.add(adapter.match(path.partition("?")[0], method)[0])
    assert known == set(app.view_functions)


def test_every_answer_has_the_security_headers(way):
    player = way.sit("Mira")
    for route in MATRIX:
        method, path = route.split()
        headers = way.ask(method, path, json=BODIES.get(route), cookie=player).headers
        assert headers["content-security-policy"] == CSP, route
        assert headers["x-content-type-options"] == "nosniff", route
        assert headers["x-frame-options"] == "DENY", route
        assert headers["cache-control"] == "no-store", route
        assert not any(name.startswith("access-control") for name in headers), route


def test_the_code_makes_a_browser_a_device(way):
    answer = way.get("/j/pine")
    assert answer.headers["location"] == "/play?from=join"
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=Lax" in answer.headers["set-cookie"]
    assert way.get("/play", cookie=answer.cookie).status == 200


def test_the_code_may_be_typed(way):
    assert way.get("/join?code=pine+").headers["location"] == "/j/PINE"
    assert way.get("/join?code=").headers["location"] == "/"
    assert way.get("/join?code=a/b%3F").headers["location"] == "/j/A%2FB%3F"


def test_a_wrong_code_is_said_on_the_page_where_it_is_typed(way):
    page = way.get("/j/%3Cb%3E").body.decode()
    assert "That is not this table’s code" in page
    assert "<b>" not in page and "&lt;B&gt;" in page


@pytest.mark.parametrize(
    ("wanted", "lang", "title"),
    [
        ("uk-UA,uk;q=0.9,en;q=0.5", "uk", "Заходь до столу"),
        ("ru", "ru", "Заходи за стол"),
        ("fr,bg;q=0.8", "bg", "Седни на масата"),
        ("fr", "en", "Join the table"),
        ("", "en", "Join the table"),
    ],
)
def test_the_way_in_speaks_the_language_of_the_browser(way, wanted, lang, title):
    text = way.get("/", headers={"Accept-Language": wanted}).body.decode()
    assert f'<html lang="{lang}">' in text
    assert f'<h1 class="display">{title}</h1>' in text


def test_a_page_is_told_what_every_language_calls_itself_whatever_that_is(way, monkeypatch):
    named = {"en": "English", "pt": 'Português, "do Brasil": aqui'}
    monkeypatch.setattr(page, "languages", lambda: named)
    told = re.search('<meta name="languages" content="([^"]*)">', way.get("/").body.decode())
    assert json.loads(html.unescape(told[1])) == named


def test_a_second_scan_keeps_the_seat(way, session):
    cookie = way.sit("Mira")
    again = way.get("/j/PINE", cookie=cookie)
    assert again.status == 303
    assert "set-cookie" not in again.headers


def test_only_the_hash_of_a_token_is_known_inside(way, session):
    cookie = way.sit("Mira")
    token = cookie.partition("=")[2].partition(".")[0]
    assert len(token) == 22 and token not in repr(session.seats)
    assert len(next(iter(session.seats))) == 32


def test_a_browser_without_cookies_is_told_so(way):
    page = way.get("/play?from=join")
    assert page.status == 200
    assert "keeps no cookies" in page.body.decode()


def test_the_big_screen_elsewhere_comes_in_by_the_code(way):
    assert way.get("/table").headers["location"] == "/?as=table"
    assert 'name="as" value="table"' in way.get("/?as=table").body.decode()
    assert way.get("/join?code=PINE&as=table").headers["location"] == "/j/PINE?as=table"
    answer = way.get("/j/PINE?as=table")
    assert answer.headers["location"] == "/table"
    assert way.get("/table", cookie=answer.cookie).status == 200


def test_the_table_screen_of_this_machine_gets_a_device_at_once(way):
    answer = way.get("/table", peer=LOCAL)
    assert way.get("/api/state?role=table", cookie=answer.cookie).json["you"]["role"] == "table"


def test_a_snapshot_tells_how_to_join(way):
    net = way.get("/api/state", cookie=way.join()).json["net"]
    assert net["code"] == "PINE"
    assert net["url"].endswith(":8000/j/PINE")
    assert way.get(net["qr"], cookie=way.join()).headers["content-type"].startswith("image/svg")


def test_the_qr_code_of_an_address_that_is_not_ours_is_not_drawn(way):
    cookie = way.join()
    own = way.get("/api/state", cookie=cookie).json["net"]["url"].split("/")[2].split(":")[0]
    assert way.get(f"/qr.svg?at={own}", cookie=cookie).status == 200
    assert way.get("/qr.svg?at=evil.example", cookie=cookie).status == 404


def test_a_command_is_answered_with_the_new_version(way):
    reply = way.command(way.join(), "sit", name="Mira")
    assert (reply.status, reply.json) == (200, {"ok": True, "v": 2})


def test_a_repeated_command_is_answered_again_and_done_once(way, session):
    cookie = way.join()
    first = way.command(cookie, "sit", name="Mira", id="once")
    second = way.command(cookie, "sit", name="Mira", id="once")
    assert second.json == {**first.json, "dup": True}
    assert len(session.commands) == 1


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ({"type": "vote", "side": "success", "phase_id": "1.1.BALLOT"}, 200),
        ({"type": "vote", "side": "success", "phase_id": "1.1.TURN"}, 409),
        ({"type": "vote", "side": "maybe", "phase_id": "1.1.BALLOT"}, 400),
        ({"type": "remove_seat", "seat": "s1"}, 403),
        ({"type": "dance"}, 400),
        ({"type": "become_host"}, 400),
    ],
)
def test_the_status_says_how_a_command_fared(way, command, status):
    way.sit("Host")
    cookie = way.sit("Mira")
    answer = way.post("/api/command", {"id": "1", **command}, cookie=cookie)
    assert answer.status == status


def test_a_stale_command_is_answered_with_the_state_of_now(way):
    reply = way.command(way.sit("Mira"), "vote", side="success", phase_id="0").json
    assert reply["reason"] == "stale"
    assert reply["state"]["phase_id"] == "1.1.BALLOT"
    assert reply["state"]["you"]["seat"] == "s1"


def test_whoever_is_too_slow_by_its_clock_hears_what_time_it_is(way, session, monkeypatch):
    cookie = way.sit("Mira")
    late = {"ok": False, "reason": "too_slow", "message": "", "v": 1}
    monkeypatch.setattr(session, "submit", lambda *_: late)
    reply = way.command(cookie, "call").json
    assert "now_ms" in reply["state"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'"sit"',
        b"{",
        b'{"type": "sit"}',
        b'{"id": "1"}',
        b'{"id": 1, "type": "sit"}',
        b'{"id": "", "type": "sit"}',
        b'{"id": "%b", "type": "sit"}' % (b"x" * 65),
        b'{"id": "1", "type": "sit", "x": NaN}',
        b'{"id": "1", "type": "sit", "x": 1e999}',
        b'{"id": "1", "type": "sit", "x": "\\ud800"}',
        b'{"id": "1", "type": "sit", "x": ' + b"[" * 4000 + b"]" * 4000 + b"}",
        b'{"id": "1", "type": "sit", "x": ' + b"9" * 5000 + b"}",
        b'{"id": "1", "type": "sit", "name": "   "}',
        b'{"id": "1", "type": "sit", "name": 5}',
        b"\xff\xfe\x00",
    ],
)
def test_what_is_no_command_changes_nothing(way, session, body):
    headers = {"Content-Type": "application/json"}
    answer = way.ask("POST", "/api/command", cookie=way.join(), headers=headers, body=body)
    assert answer.status == 400
    assert answer.json["message"].endswith(".")
    assert session.commands == []


def test_names_are_made_fit_for_the_screen(way, session):
    way.sit("  Mira\u202e\n the  2nd ")
    assert [seat["name"] for seat in session.seats.values()] == ["Mira the 2nd"]


def test_a_failure_inside_is_one_sentence_and_no_secret(way, session, caplog):
    cookie = way.sit("Mira")
    session.boom = True
    answer = way.command(cookie, "vote", side="failure", phase_id="1.1.BALLOT")
    assert answer.status == 500
    assert answer.json["reason"] == "error"
    assert b"disk" not in answer.body
    assert "the disk is full" in caplog.text
    assert "failure" not in caplog.text


def test_nothing_of_a_request_is_logged(way, caplog):
    caplog.set_level(logging.DEBUG)
    cookie = way.sit("Mira")
    way.command(cookie, "vote", side="failure", phase_id="1.1.BALLOT")
    assert "failure" not in caplog.text
    assert cookie.partition("=")[2][:22] not in caplog.text


@pytest.mark.parametrize("kind", ["take_phone", "remove_seat"])
def test_whoever_is_put_out_and_all_who_only_watch_need_the_new_code(way, app, kind):
    host, mira, oleh = way.sit("Host"), way.sit("Mira"), way.sit("Oleh")
    guest, screen = way.join(), way.get("/j/PINE?as=table").cookie
    assert way.command(host, kind, seat="s2").status == 200
    for out in (mira, guest, screen):
        assert way.get("/api/state", cookie=out).status == 401
        assert way.get("/api/state?role=table", cookie=out).status == 401
        assert way.get("/j/PINE", cookie=out).status == 404
    code = parts(app).auth.code
    assert code in set(WORDS) - {"PINE"}
    for stays in (host, oleh):
        assert way.get("/api/state", cookie=stays).json["net"]["code"] == code
    back = way.get(f"/j/{code}", cookie=mira)
    assert way.get("/api/state", cookie=back.cookie).status == 200


def test_the_hosts_pages_and_this_machines_stay_when_somebody_is_put_out(way, app):
    host, mira = way.sit("Host"), way.sit("Mira")
    console = way.get("/host/the-secret").cookie
    screen = way.get("/host/the-secret?as=table").cookie
    here = way.get("/table", peer=LOCAL).cookie
    assert way.get("/api/state?role=table", cookie=here, peer=LOCAL).status == 200
    way.command(host, "remove_seat", seat="s2")
    for path, cookie, peer in (
        ("/api/state", console, PHONE),
        ("/api/state?role=table", screen, PHONE),
        ("/api/state?role=table", here, LOCAL),
    ):
        answer = way.get(path, cookie=cookie, peer=peer)
        assert answer.json["net"]["code"] == parts(app).auth.code
    assert way.get("/api/state", cookie=mira).status == 401


def test_whoever_plays_on_this_machine_is_put_out_as_well(way):
    host, mira = way.sit("Host"), way.sit("Mira", peer=LOCAL)
    assert way.get("/play", cookie=mira, peer=LOCAL).status == 200
    way.command(host, "remove_seat", seat="s2")
    assert way.get("/play", cookie=mira, peer=LOCAL).status == 303


def test_a_refused_or_repeated_removal_leaves_the_code_alone(way, app):
    host, mira = way.sit("Host"), way.sit("Mira")
    way.command(mira, "remove_seat", seat="s1")
    way.command(host, "add_bot")
    way.command(host, "remove_seat", seat="b1")
    assert parts(app).auth.code == "PINE"
    way.command(host, "remove_seat", seat="s2", id="once")
    code = parts(app).auth.code
    way.command(host, "remove_seat", seat="s2", id="once")
    assert parts(app).auth.code == code != "PINE"


def test_the_host_secret_makes_a_host_by_address_and_by_hand(way):
    answer = way.get("/host/the-secret", peer=LOCAL)
    assert answer.headers["location"] == "/play"
    assert way.get("/api/state", cookie=answer.cookie).json["you"]["host"]
    assert way.get("/host/the-secret?as=table", peer=LOCAL).headers["location"] == "/table"
    typed = way.join()
    assert not way.get("/api/state", cookie=typed).json["you"]["host"]
    assert way.post("/api/host", {"secret": "the-secret"}, cookie=typed).status == 200
    assert way.get("/api/state", cookie=typed).json["you"]["host"]


def test_a_host_who_cannot_be_written_down_is_told_so_in_words(way, session, monkeypatch):
    full = {"ok": False, "reason": "disk", "message": "The disk is full.", "v": 1}
    monkeypatch.setattr(session, "make_host", lambda device: full)
    shown = way.get("/host/the-secret", headers={"Accept-Language": "de"})
    page = shown.body.decode()
    assert shown.status == 409 and "Schaff Platz" in page
    assert '<h1 class="display">Nicht gespeichert</h1>' in page, "no refusal of what was asked"
    typed = way.post("/api/host", {"secret": "the-secret"}, cookie=way.join())
    assert (typed.status, typed.json["message"]) == (409, "The disk is full.")


@pytest.mark.parametrize("body", [["the-secret"], {"secret": 5}, {}])
def test_a_host_secret_must_be_a_text(way, body):
    assert way.post("/api/host", body, cookie=way.join()).status == 400


def test_the_host_secret_is_in_no_snapshot(way):
    cookie = way.get("/host/the-secret", peer=LOCAL).cookie
    for role in ("phone", "table"):
        assert b"the-secret" not in way.get(f"/api/state?role={role}", cookie=cookie).body


def test_the_picture_of_now_is_drawn_for_whoever_asks_and_may_be_missing(way, session):
    mira = way.join()
    assert way.get("/picture/now.jpg", cookie=mira).body == b"\xff\xd8 now"
    del session.pictures[0]
    answer = way.get("/picture/now.jpg", cookie=mira)
    assert (answer.status, answer.json["reason"]) == (404, "not_found")


def test_a_picture_is_what_the_session_kept(way):
    answer = way.get("/picture/12.jpg", cookie=way.join())
    assert answer.body == b"\xff\xd8 a picture"
    assert answer.headers["content-type"] == "image/jpeg"


def test_the_gallery_is_there_in_development_only(session):
    app = create_app(session, development=True)
    way = FlaskWay(app)
    assert way.get("/dev/gallery").status == 200
    kinds = {name.partition("-")[0] for name in way.get("/dev/snapshots.json").json}
    assert kinds == {"phone", "table", "setup", "statistics", "bench"}


@pytest.mark.parametrize(("development", "status"), [(True, 200), (False, 404)])
def test_the_films_of_saved_snapshots_are_there_in_development_only(session, development, status):
    way = FlaskWay(create_app(session, code="PINE", development=development))
    answer = way.get("/film/ab12-1-0a1b2c.jpg", cookie=way.join())
    assert answer.status == status


def test_pages_go_out_packed_to_whoever_takes_that(way):
    plain, packed = way.get("/"), way.get("/", headers={"Accept-Encoding": "br, gzip"})
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", ["/static/../auth.py", "/static/%2e%2e/auth.py", "//api/state"])
def test_no_path_leads_round_the_doorkeeper(way, path):
    assert way.get(path).status in (308, 401, 404)
