"""Every refusal of the doorkeeper, on plain WSGI and on the ASGI front alike."""

import socket
import sys
from dataclasses import replace

import pytest

from tests.support.clients import LOCAL, PLENTY, AsgiWay, Clock, FlaskWay
from tests.support.fake_session import FakeSession
from web.access.address import Net, lan_addresses, local_name, owns
from web.base.errors import Denied
from web.base.rate_limits import Buckets, Guesses, Limits, Rate
from web.factory import create_app
from web.live.parts import parts

PATHS = ("/", "/trust", "/play", "/api/state", "/events", "/qr.svg", "/picture/12.jpg")
FORGED = "domino=AAAAAAAAAAAAAAAAAAAAAA.BBBBBBBBBBBBBBBBBBBBBB"
OWN = lan_addresses()


@pytest.fixture
def limits():
    return Limits(tarpit_s=0.0)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "8.8.8.8:8000", "0.0.0.0", "", "localhost.evil"]
)
def test_a_foreign_host_name_is_refused_everywhere(way, host):
    cookie = way.join()
    for path in PATHS:
        answer = way.get(path, cookie=cookie, headers={"Host": host})
        assert answer.status == 400, path
        assert b"This table does not go by that name" in answer.body


def test_own_names_and_addresses_are_answered(way, clock):
    for path in PATHS:
        cookie = way.join()
        for host in ("localhost", "LocalHost:9999", "127.0.0.1:8000", local_name(), *OWN):
            status = way.get(path, cookie=cookie, headers={"Host": host}).status
            assert status in (200, 303, 501), (path, host)
        clock.now_s += 60.0


def test_a_further_name_may_be_given(session):
    app = create_app(session, names=["Domino.Example"], code="PINE")
    way = FlaskWay(app)
    assert way.get("/", headers={"Host": "domino.example:8000"}).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_what_another_page_sends_is_refused(way, headers):
    cookie = way.join()
    for path in ("/api/state", "/events", "/qr.svg", "/picture/12.jpg"):
        answer = way.get(path, cookie=cookie, headers=headers)
        assert (answer.status, answer.json["reason"]) == (403, "origin"), path


@pytest.mark.parametrize("path", ["/api/command", "/api/host"])
def test_a_foreign_page_cannot_send_commands(way, session, path):
    headers = {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}
    order = {"id": "1", "type": "watch", "secret": "the-secret"}
    assert way.post(path, order, cookie=way.join(), headers=headers).status == 403
    assert session.commands == [] and session.hosts == set()


def test_the_own_page_may_send_commands(way):
    headers = {"Origin": "http://localhost:8000", "Sec-Fetch-Site": "same-origin"}
    order = {"id": "1", "type": "watch"}
    assert way.post("/api/command", order, cookie=way.join(), headers=headers).status == 200


def test_a_link_from_elsewhere_opens_a_page(way):
    assert way.get("/j/PINE", headers={"Sec-Fetch-Site": "cross-site"}).status == 303


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_only_json_is_a_command(way, session, kind):
    body = b'{"id": "1", "type": "watch"}'
    headers = {"Content-Type": kind}
    answer = way.ask("POST", "/api/command", cookie=way.join(), headers=headers, body=body)
    assert (answer.status, answer.json["reason"]) == (415, "not_json")
    assert session.commands == []


def test_json_with_a_charset_is_json(way):
    headers = {"Content-Type": "application/json; charset=utf-8"}
    order = {"id": "1", "type": "watch"}
    assert way.post("/api/command", order, cookie=way.join(), headers=headers).status == 200


@pytest.mark.parametrize("size", [8193, 100_000, 2_000_000])
def test_a_body_over_eight_kilobytes_is_refused(way, session, size):
    order = {"id": "1", "type": "watch", "x": "x" * size}
    answer = way.post("/api/command", order, cookie=way.join())
    assert (answer.status, answer.json["reason"]) == (413, "too_large")
    assert session.commands == []


def test_a_body_of_nearly_eight_kilobytes_is_taken(way):
    order = {"id": "1", "type": "watch", "x": "x" * 8100}
    assert way.post("/api/command", order, cookie=way.join()).status == 200


@pytest.mark.parametrize(
    "cookie",
    [
        FORGED,
        FORGED[:-1],
        "domino=AAAAAAAAAAAAAAAAAAAAAA",
        "domino=AAAAAAAAAAAAAAAAAAAAAA.",
        "domino=",
        "domino=short",
        "domino=' OR 1=1 --",
        "domino=" + "A" * 4000,
        "other=AAAAAAAAAAAAAAAAAAAAAA",
        "\x7f;;;===",
    ],
)
def test_a_forged_cookie_opens_nothing(way, session, cookie):
    order = {"id": "1", "type": "watch"}
    for answer in (
        way.get("/api/state", cookie=cookie),
        way.get("/events", cookie=cookie),
        way.post("/api/command", order, cookie=cookie),
    ):
        assert (answer.status, answer.json["reason"]) == (401, "join")
    assert session.commands == []


@pytest.mark.parametrize(
    "stranger", ['prefs={"a": 1, "b": "x y"}', "bad name=1", "a=\x01", "=", "é=ü", "domino2=x"]
)
def test_cookies_of_other_pages_on_this_machine_do_not_hide_ours(way, stranger):
    cookie = way.join()
    for both in (f"{stranger}; {cookie}", f"{cookie}; {stranger}"):
        assert way.get("/api/state", cookie=both).status == 200


def test_the_stored_hash_is_no_key(way, session):
    way.sit("Mira")
    device = next(iter(session.seats))
    assert way.get("/api/state", cookie=f"domino={device}").status == 401
    assert way.get("/api/state", cookie=f"domino={device[:22]}.{device[:22]}").status == 401


def test_a_signature_opens_for_its_own_token_only(app):
    way, later = FlaskWay(app), FlaskWay(create_app(FakeSession(), code="PINE"))
    one, other = way.join(), way.join()
    mixed = one.partition(".")[0] + "." + other.partition(".")[2]
    assert later.get("/api/state", cookie=mixed).status == 401
    assert later.get("/api/state", cookie=one).status == 401


def again(session, code="PINE"):
    """The application after a restart."""
    return FlaskWay(create_app(session, code=code, host_secret="the-secret"))


def test_whoever_came_in_stays_in_over_a_restart(session):
    cookie = again(session).join()
    assert again(session).get("/api/state", cookie=cookie).status == 200


def test_a_seat_outlives_its_code_and_a_visit_does_not(session):
    visitor, player = again(session).join(), again(session).sit("Mira")
    later = again(session, code="ROSE")
    assert later.get("/api/state", cookie=player).json["you"]["seat"] == "s1"
    assert later.get("/api/state", cookie=visitor).status == 401


def test_a_restart_does_not_let_back_in_who_was_put_out(session):
    way = again(session)
    host, mira = way.sit("Host"), way.sit("Mira")
    way.command(host, "remove_seat", seat="s2")
    later = again(session, code=session.code)
    assert later.get("/api/state", cookie=mira).status == 401
    assert later.get("/api/state", cookie=host).status == 200


@pytest.mark.parametrize("peer", ["8.8.8.8", "2001:4860:4860::8888", "", "nonsense"])
def test_peers_from_the_internet_are_refused(way, peer):
    assert [way.get(path, peer=peer).status for path in PATHS] == [403] * len(PATHS)


def test_peers_from_the_internet_are_answered_if_wanted(session):
    way = FlaskWay(create_app(session, code="PINE", public=True))
    assert way.get("/", peer="8.8.8.8").status == 200


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_nobody_passes_for_this_machine_by_a_header(way, header):
    assert way.get("/api/state", headers={header: "127.0.0.1"}).status == 401
    assert way.get("/events", headers={header: "127.0.0.1"}).status == 401


def test_one_device_may_not_flood(way, clock):
    cookie = way.join()
    statuses = [way.get("/api/state", cookie=cookie).status for _ in range(25)]
    assert statuses == [200] * 20 + [429] * 5
    answer = way.command(cookie, "watch")
    assert (answer.status, answer.json["reason"]) == (429, "too_fast")
    assert answer.json["message"] and answer.headers["retry-after"] == "1"
    if isinstance(way, AsgiWay):
        assert way.get("/events", cookie=cookie).status == 429
    clock.now_s += 0.1
    assert way.get("/api/state", cookie=cookie).status == 200


@pytest.mark.parametrize("name", ["page", "file", "bench"])
def test_a_command_named_like_something_that_may_come_often_is_a_command(way, name):
    cookie = way.join()
    statuses = [way.command(cookie, name).status for _ in range(22)]
    assert statuses[20:] == [429] * 2
    assert 429 not in statuses[:20]


def test_nonsense_counts_as_a_request_too(way):
    cookie = way.join()
    headers = {"Content-Type": "application/json"}
    how = {"cookie": cookie, "headers": headers, "body": b"{"}
    statuses = [way.ask("POST", "/api/command", **how).status for _ in range(22)]
    assert statuses == [400] * 20 + [429] * 2


def test_a_flood_of_one_phone_does_not_touch_another(way):
    flooder, other = way.join(), way.join()
    for _ in range(25):
        way.get("/api/state", cookie=flooder)
    assert way.get("/api/state", cookie=other).status == 200


def test_one_address_may_not_flood_under_many_names(way):
    cookies = [way.join() for _ in range(6)]
    statuses = [way.get("/api/state", cookie=each).status for each in cookies for _ in range(20)]
    assert statuses == [200] * 80 + [429] * 40


def test_this_machine_has_a_bound_for_each_device_only(way):
    cookies = [way.join(LOCAL) for _ in range(6)]
    asked = [way.get("/api/state", cookie=c, peer=LOCAL) for c in cookies for _ in range(20)]
    assert {answer.status for answer in asked} == {200}


def test_stop_gets_through_whatever_else_a_phone_sends(way):
    cookie = way.sit("Mira")
    while way.get("/api/state", cookie=cookie).status == 200:
        pass
    assert way.command(cookie, "stop").status == 200
    assert way.command(cookie, "call").status == 200


def test_shouts_and_stops_have_bounds_too(way):
    cookie = way.sit("Mira")
    assert [way.command(cookie, "call").status for _ in range(4)] == [200] * 3 + [429]
    assert [way.command(cookie, "stop").status for _ in range(11)] == [200] * 10 + [429]


def test_forged_cookies_cost_few_looks_into_the_session(way, session):
    looks = []
    view = session.view
    session.view = lambda device, role: looks.append(device) or view(device, role)
    statuses = {
        way.get("/api/state", cookie=f"domino={n:022d}.{n:022d}").status for n in range(200)
    }
    assert statuses == {401, 429}
    assert len(looks) == 40


def test_guesses_of_the_code_slow_down(way, clock):
    assert [way.get(f"/j/{n}").status for n in range(6)] == [404] * 5 + [429]
    refused = way.get("/j/PINE")
    assert refused.status == 429
    assert b"Wait a little" in refused.body and refused.headers["retry-after"] == "2"
    assert way.get("/j/PINE", peer="192.168.7.8").status == 303
    clock.now_s += 2.1
    assert way.get("/j/PINE").status == 303


def test_guesses_of_the_host_secret_slow_down_by_address_and_by_hand(way, clock):
    cookie = way.join()
    for n in range(3):
        assert way.post("/api/host", {"secret": str(n)}, cookie=cookie).status == 403
    for n in range(2):
        assert way.get(f"/host/{n}", cookie=cookie).status == 403
    assert way.get("/host/the-secret", cookie=cookie).status == 429
    assert way.post("/api/host", {"secret": "the-secret"}, cookie=cookie).status == 429
    clock.now_s += 2.1
    assert way.post("/api/host", {"secret": "the-secret"}, cookie=cookie).status == 200


def test_the_wait_after_wrong_guesses_doubles_up_to_a_minute(clock):
    guesses = Guesses(free=2, longest_s=60.0, monotonic_s=clock)
    waits = []
    for _ in range(8):
        guesses.missed("somebody")
        waits.append(guesses.wait_s("somebody"))
        clock.now_s += waits[-1]
    assert waits == [0.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]
    guesses.forgive("somebody")
    guesses.missed("somebody")
    assert guesses.wait_s("somebody") == 0.0


def test_made_up_addresses_do_not_fill_the_memory(clock):
    buckets = Buckets(clock)
    for n in range(10_000):
        buckets.spend(n, Rate(1.0, 1.0))
    assert len(buckets._levels) <= 4096


def test_pages_have_a_bound_that_a_reload_does_not_meet(way):
    statuses = [way.get("/trust").status for _ in range(402)]
    assert statuses == [200] * 400 + [429] * 2
    assert way.get("/", peer="192.168.7.9").status == 200


def test_pictures_and_codes_have_that_bound_too(way):
    cookie = way.join()
    statuses = [way.get("/qr.svg", cookie=cookie).status for _ in range(400)]
    assert statuses[:399] == [200] * 399 and statuses[399] == 429
    assert way.get("/picture/12.jpg", cookie=cookie).status == 429


def test_joining_again_and_again_does_not_fill_the_memory(app):
    auth = parts(app).auth
    _, first = auth.admit()
    for _ in range(5000):
        auth.admit()
    assert len(auth._devices) == 4096
    assert not auth.knows(first)


def test_a_refused_stream_leaves_nothing_open(way, app):
    way.get("/events", cookie=FORGED)
    assert parts(app).hub.streams == 0


def test_the_same_denials_are_worded_alike_on_both_paths():
    asked = [
        {"headers": {"Host": "evil.example"}},
        {"headers": {"Origin": "http://evil.example"}},
        {"cookie": FORGED},
        {"peer": "8.8.8.8"},
    ]
    limits = replace(Limits(), device=PLENTY)
    app = create_app(FakeSession(), code="PINE", limits=limits, monotonic_s=Clock())
    flask, asgi = FlaskWay(app), AsgiWay(app)
    try:
        for how in asked:
            one, other = flask.get("/events", **how), asgi.get("/events", **how)
            assert (one.status, one.json) == (other.status, other.json)
    finally:
        asgi.close()


def test_only_addresses_that_can_be_bound_are_own():
    assert owns("127.0.0.1")
    for address in ("0.0.0.0", "224.0.0.1", "255.255.255.255", "8.8.8.8", "::", "no address"):
        assert not owns(address)


def test_the_address_on_the_code_follows_the_network(clock):
    now = ["192.168.1.20"]
    net = Net(clock, addresses=lambda: tuple(now))
    assert net.url("/j/PINE") == "http://192.168.1.20:8000/j/PINE"
    now[0] = "10.0.0.5"
    clock.now_s += 6
    assert net.url("/j/PINE") == "http://10.0.0.5:8000/j/PINE"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system tells no adapters")
def test_no_name_server_is_waited_for_where_the_system_tells_its_adapters(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: pytest.fail("a name was looked up"))
    assert lan_addresses() == OWN


def test_without_a_network_the_code_leads_to_this_machine(clock):
    assert Net(clock, addresses=tuple).url("/") == "http://127.0.0.1:8000/"
    net = Net(clock)
    net.bind, net.port = "10.1.1.1", 80
    assert net.url("/") == "http://10.1.1.1:80/"


def test_an_address_that_goes_is_no_longer_answered(clock, monkeypatch):
    net = Net(clock)
    assert net.answers_to("127.0.0.1:8000")

    def gone(*_):
        raise OSError("no such address")

    monkeypatch.setattr(socket.socket, "bind", gone)
    clock.now_s += 6
    assert not net.answers_to("127.0.0.1:8000")


def test_a_denial_says_what_to_do():
    denied = Denied(401, "join", "Scan the code.")
    assert denied.as_reply() == {"ok": False, "reason": "join", "message": "Scan the code."}


def test_wrong_codes_from_everywhere_count_together(way, clock):
    for n in range(30):
        assert way.get(f"/j/{n}", peer=f"192.168.7.{n}").status == 404
    refused = way.get("/j/PINE", peer="192.168.7.99")
    assert refused.status == 429, "the right code too, or it would be told by this"
    assert 1 <= int(refused.headers["retry-after"]) <= 5
    clock.now_s += 5.1
    assert way.get("/j/PINE", peer="192.168.7.99").status == 303


def test_a_guest_who_knows_the_code_cannot_keep_others_out_by_wrong_ones(way, clock):
    for n in range(300):
        clock.now_s += 1.0
        way.get("/j/PINE", peer="192.168.7.66")
        way.get("/j/WRNG", peer="192.168.7.66")
        if n % 50 == 49:
            assert way.get("/j/PINE", peer=f"192.168.7.{n // 50}").status == 303


def test_who_is_in_comes_in_whatever_codes_are_tried(way):
    cookie = way.join()
    for n in range(30):
        way.get(f"/j/{n}", peer=f"192.168.7.{n}")
    assert way.get("/play", cookie=cookie).status == 200
    assert way.get("/api/state", cookie=cookie).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "203.0.113.9"},
        {"Forwarded": "for=203.0.113.9"},
        {"Via": "1.1 proxy"},
        {"X-Real-IP": "203.0.113.9"},
    ],
)
def test_what_a_proxy_of_this_machine_passes_on_is_not_from_this_machine(way, headers):
    assert way.get("/api/state", peer="127.0.0.1").status == 200
    assert way.get("/api/state", peer="127.0.0.1", headers=headers).status == 401
    cookie = way.join()
    assert way.get("/api/state", peer="127.0.0.1", cookie=cookie, headers=headers).status == 200


def test_a_proxy_that_hides_itself_is_known_by_the_name_that_people_use(app, way):
    name = parts(app).net.own_names()[0]
    assert way.get("/api/state", peer="127.0.0.1", headers={"Host": name}).status == 401
