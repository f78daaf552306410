"""The row bench over HTTP: for who is at the table, while no round is played."""

import pytest

from tests.support.clients import LOCAL, PHONE

ROW = "0v@0,0,0;1v@20,0,0;2v@40,0,0"


@pytest.fixture
def lobby(session):
    session.phase = "LOBBY"


def test_the_page_is_for_who_has_joined_and_for_this_machine(way):
    assert way.get("/bench", peer=PHONE).status == 303
    alone = way.get("/bench", peer=LOCAL)
    assert alone.status == 200
    assert b"data-joined" not in alone.body
    assert b"data-joined" in way.get("/bench", cookie=way.join()).body


def test_a_phone_asks_for_a_chance_and_for_falls(way, lobby):
    phone = way.join()
    told = way.post("/api/bench/chance", {"row": ROW, "runs": 4}, cookie=phone).json
    assert told["ok"]
    assert told["p_fall"] > 0.9
    assert len(told["joints"]) == 2
    falls = way.post("/api/bench/push", {"row": ROW, "seed": 7}, cookie=phone).json["falls"]
    assert max(fall["fallen"] for fall in falls) == 3
    assert b"<svg" in way.get(f"/api/bench/qr.svg?row={ROW}", cookie=phone).body


@pytest.mark.parametrize("body", [{}, {"row": "no row"}, {"row": 7}, {"row": ROW, "runs": "x"}, []])
def test_what_is_no_row_is_refused_in_words_and_runs_without_sense_are_passed_over(
    way, lobby, body
):
    told = way.post("/api/bench/chance", body, cookie=way.join())
    if isinstance(body, dict) and body.get("row") == ROW:
        assert told.status == 200
    else:
        assert (told.status, told.json["reason"]) == (400, "no_row")
        assert told.json["message"]


def test_a_stranger_may_ask_nothing(way, lobby):
    for what in ("chance", "push"):
        assert way.post(f"/api/bench/{what}", {"row": ROW}).status == 401
    assert way.get(f"/api/bench/qr.svg?row={ROW}").status == 401


def test_nobody_asks_about_a_row_while_a_round_is_played(way):
    for what in ("chance", "push"):
        told = way.post(f"/api/bench/{what}", {"row": ROW}, cookie=way.join())
        assert (told.status, told.json["reason"]) == (409, "round")
