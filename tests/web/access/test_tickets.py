"""A seat goes to another phone by a code that is good once."""

import json

import pytest

from tests.support.clients import LOCAL
from web.access.tickets import LIFE_S
from web.live.parts import parts


def draw(way, cookie, **fields):
    return way.post("/api/handover", fields, cookie=cookie)


def token_of(answer):
    return answer.json["url"].rpartition("/")[2]


def take(way, cookie, token):
    return way.post("/api/take", {"token": token}, cookie=cookie)


def seat_of(way, cookie):
    return way.get("/api/state", cookie=cookie).json["you"]["seat"]


@pytest.fixture
def mira(way):
    way.sit("Host")
    return way.sit("Mira")


def test_a_seat_is_taken_on_another_phone_and_the_old_one_has_it_no_more(way, mira):
    answer = draw(way, mira)
    token = token_of(answer)
    page = way.get(f"/h/{token}")
    assert (page.status, "Mira" in page.body.decode()) == (200, True)
    assert seat_of(way, mira) == "s2", "looking at the page takes nothing"
    assert take(way, page.cookie, token).status == 200
    assert seat_of(way, page.cookie) == "s2"
    assert seat_of(way, mira) is None


def test_a_sealed_ballot_goes_along(way, mira, session):
    way.command(mira, "vote", side="failure", phase_id=session.phase_id)
    token = token_of(draw(way, mira))
    new = way.get(f"/h/{token}").cookie
    take(way, new, token)
    assert way.get("/api/state", cookie=new).json["ballot"]["mine"] == "failure"
    assert way.get("/api/state", cookie=mira).json["ballot"]["mine"] is None


def test_a_ticket_is_good_once(way, mira):
    token = token_of(draw(way, mira))
    first, second = way.get(f"/h/{token}").cookie, way.get(f"/h/{token}").cookie
    assert take(way, first, token).status == 200
    answer = take(way, second, token)
    assert (answer.status, answer.json["reason"]) == (404, "ticket")
    assert seat_of(way, second) is None
    assert way.get(f"/h/{token}").status == 404


def test_a_ticket_is_good_for_two_minutes(way, mira, clock):
    token = token_of(draw(way, mira))
    new = way.get(f"/h/{token}").cookie
    clock.now_s += LIFE_S - 1
    assert way.get(f"/h/{token}").status == 200
    clock.now_s += 2
    assert take(way, new, token).status == 404
    assert seat_of(way, mira) == "s2"


def test_a_new_ticket_tears_up_the_one_before(way, mira):
    old, new = token_of(draw(way, mira)), token_of(draw(way, mira))
    assert (way.get(f"/h/{old}").status, way.get(f"/h/{new}").status) == (404, 200)


def test_a_ticket_has_128_bits_that_nobody_can_foresee(way, mira):
    tokens = {token_of(draw(way, mira)) for _ in range(50)}
    assert len(tokens) == 50
    assert {len(token) for token in tokens} == {22}


def test_the_host_draws_for_anybody_and_others_for_themselves(way):
    host = way.sit("Host")
    mira, oleh = way.sit("Mira"), way.sit("Oleh")
    assert draw(way, host, seat="s2").json["seat"] == "s2"
    answer = draw(way, oleh, seat="s2")
    assert (answer.status, answer.json["reason"]) == (403, "not_allowed")
    assert draw(way, mira, seat="s2").status == 200
    assert draw(way, mira).json["seat"] == "s2"


@pytest.mark.parametrize("seat", ["s9", 3, ["s1"], {"a": 1}])
def test_there_is_no_ticket_for_a_seat_that_is_not_there(way, seat):
    host = way.sit("Host")
    assert draw(way, host, seat=seat).json["reason"] == "no_seat"


def test_there_is_no_ticket_for_a_bot(way):
    host = way.sit("Host")
    way.command(host, "add_bot")
    assert draw(way, host, seat="b1").json["reason"] == "no_seat"


def test_whoever_has_a_seat_takes_no_other_and_the_ticket_stays_good(way, mira):
    other = way.sit("Oleh")
    token = token_of(draw(way, mira))
    assert take(way, other, token).json["reason"] == "seated"
    assert seat_of(way, other) == "s3"
    new = way.get(f"/h/{token}").cookie
    assert take(way, new, token).status == 200


def test_scanned_by_the_phone_that_shows_it_the_code_leads_back(way, mira):
    token = token_of(draw(way, mira))
    answer = way.get(f"/h/{token}", cookie=mira)
    assert (answer.status, answer.headers["location"]) == (303, "/play")


def test_the_code_is_a_picture_of_the_address_by_the_adapter_in_use(way, mira, app):
    answer = way.post("/api/handover", {}, cookie=mira)
    assert answer.json["life_ms"] == LIFE_S * 1000
    own = parts(app).net.addresses()[0]
    assert answer.json["url"].startswith(f"http://{own}:")
    picture = way.get(f"/{answer.json['qr']}", cookie=mira)
    assert (picture.status, picture.headers["content-type"]) == (
        200,
        "image/svg+xml; charset=utf-8",
    )


def test_made_up_tickets_cost_more_and_more_time(way, app, limits, mira):
    guesses = parts(app).tables.guesses
    guesses._free = 3
    for _ in range(4):
        way.get("/h/made-up")
    answer = way.get("/h/made-up")
    assert (answer.status, int(answer.headers["retry-after"]) >= 1) == (429, True)
    token = token_of(draw(way, mira))
    assert way.get(f"/h/{token}").status == 429
    assert way.get(f"/h/{token}", peer=LOCAL).status == 200


def test_a_browser_without_cookies_is_told_so(way, mira):
    token = token_of(draw(way, mira))
    answer = way.post("/api/take", {"token": token})
    assert (answer.status, answer.json["reason"]) == (401, "join")
    assert "cookies" in way.get("/play?from=join").body.decode()
    assert seat_of(way, mira) == "s2"


def is_no_longer_good(way, token, cookie):
    answer = take(way, cookie, token)
    told = answer.json["reason"], answer.json["message"]
    assert told == ("ticket", "This code is no longer good; make a new one.")
    return (way.get(f"/h/{token}", cookie=cookie).status, answer.status) == (404, 404)


def test_a_ticket_is_not_good_for_the_next_who_sits_there(way, mira):
    token = token_of(draw(way, mira))
    way.command(mira, "leave")
    next_one = way.sit("Oleh")
    assert seat_of(way, next_one) == "s2"
    assert is_no_longer_good(way, token, mira)
    assert seat_of(way, next_one) == "s2"


def test_a_ticket_is_good_as_long_as_its_host_is_host(way, session):
    host, mira = way.sit("Host"), way.sit("Mira")
    token = token_of(draw(way, host, seat="s2"))
    new = way.get(f"/h/{token}").cookie
    session.hosts.clear()
    assert is_no_longer_good(way, token, new)
    assert seat_of(way, mira) == "s2"


@pytest.mark.parametrize("kind", ["take_phone", "remove_seat"])
def test_a_ticket_drawn_before_does_not_bring_back_who_was_put_out(way, app, kind):
    host, mira = way.sit("Host"), way.sit("Mira")
    token = token_of(draw(way, mira))
    way.command(host, kind, seat="s2")
    assert is_no_longer_good(way, token, way.join(code=parts(app).auth.code))


def test_a_ticket_that_ends_while_it_is_taken_is_told_the_same_way(way, mira, monkeypatch, session):
    token = token_of(draw(way, mira))
    new = way.get(f"/h/{token}").cookie
    over = {"ok": False, "reason": "ticket", "message": "", "v": 1}
    monkeypatch.setattr(session, "hand_over", lambda *given: over)
    answer = take(way, new, token)
    assert (answer.status, answer.json["reason"]) == (404, "ticket")


def test_two_phones_at_once_get_one_seat(way, mira, session):
    token = token_of(draw(way, mira))
    phones = [way.get(f"/h/{token}").cookie for _ in range(4)]
    got = [take(way, phone, token).status for phone in phones]
    assert sorted(got) == [200, 404, 404, 404]
    assert len(session.seats) == 2


def test_a_phone_that_is_taken_off_is_out_and_the_code_changes(asgi_way, app):
    way = asgi_way
    host = way.sit("Host")
    mira = way.sit("Mira")
    stream = way.listen(cookie=mira)
    assert way.command(host, "take_phone", seat="s2").status == 200
    assert parts(app).auth.code != "PINE"
    assert way.get("/api/state", cookie=mira).status == 401
    chunks = b""
    while b"gone" not in chunks:
        chunk = stream.chunk()
        assert chunk, json.dumps(chunks.decode())
        chunks += chunk
    stream.close()


def test_whoever_was_put_out_comes_back_with_the_new_code_and_to_the_same_seat(way, app):
    host = way.sit("Host")
    mira = way.sit("Mira")
    way.command(host, "take_phone", seat="s2")
    token = token_of(draw(way, host, seat="s2"))
    again = way.get(f"/h/{token}", cookie=mira).cookie
    assert take(way, again, token).status == 200
    assert seat_of(way, again) == "s2"
