"""The row bench over HTTP: for who is at the table, while no round is played."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from physics.predict.learned_table import FIRST, LearnedTable, Trust, as_json
from physics.row.table_values import Values
from physics.row.tile import TileSpec
from rig.learned.table_file import LEARNED
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


def test_a_row_begins_with_tiles_like_the_table_s(way, session):
    assert b'data-tiles=""' in way.get("/bench", peer=LOCAL).body
    session.config = replace(session.config, tiles=TileSpec(56.0, 28.0, 9.0, 14.0))
    assert b'data-tiles="tile=56,28,9,14"' in way.get("/bench", peer=LOCAL).body


def test_what_the_table_s_pushes_have_shown_counts(way, lobby, session, tmp_path):
    session.journal.path = str(tmp_path / "table.sqlite3")
    phone = way.join()
    before = way.post("/api/bench/chance", {"row": ROW}, cookie=phone).json["p_fall"]
    values = Values(contact=-12.0)
    trust = Trust(40, 0.4, 0.3, 0.2, 0.1)
    learned = LearnedTable(values, values, values, trust, (values,) * FIRST)
    Path(session.journal.path).with_suffix(LEARNED).write_text(json.dumps(as_json(learned)))
    after = way.post("/api/bench/chance", {"row": ROW}, cookie=phone).json["p_fall"]
    assert after < 0.7 < 0.9 < before


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


@pytest.fixture
def people(way, lobby):
    """Three who sit at the table, the first of them its host, and one who watches."""
    mira, oleh, zoe, watcher = (way.join() for _ in range(4))
    for cookie, name in ((mira, "Mira"), (oleh, "Oleh"), (zoe, "Zoe")):
        way.command(cookie, "sit", name=name)
    way.command(watcher, "watch")
    return mira, oleh, zoe, watcher


def bench(way, cookie, what, **fields):
    return way.post(f"/api/bench/{what}", fields, cookie=cookie)


def test_a_row_is_guessed_at_in_secret_and_then_the_model_speaks(way, people):
    mira, oleh, zoe, watcher = people
    given = bench(way, oleh, "puzzle", row=ROW).json
    assert (given["puzzle"]["row"], given["puzzle"]["told"], given["of"]) == (ROW, None, 2)
    assert bench(way, oleh, "guess", falls=True).json["reason"] == "own_row"
    bench(way, zoe, "guess", falls=True)
    bench(way, zoe, "guess", falls=False)  # may be changed while it is secret
    for cookie in people:
        shown = way.get("/api/bench/puzzle", cookie=cookie).json["puzzle"]
        assert len(shown["guessed"]) == 1
        assert (shown["guesses"], shown["told"]) == (None, None)
        assert shown["mine"] is {zoe: False}.get(cookie)
        assert shown["own"] is (cookie == oleh)
        in_view = way.get("/api/state", cookie=cookie).json["puzzle"]
        assert (in_view["guesses"], in_view["mine"], in_view["told"]) == (None, None, None)
        assert bench(way, cookie, "chance", row=ROW).json["reason"] == "puzzle"
    last = bench(way, mira, "guess", falls=True).json["puzzle"]
    assert sorted(last["guesses"].values()) == [False, True]
    assert last["told"]["p_fall"] > 0.9
    assert way.get("/api/state", cookie=watcher).json["puzzle"]["told"] == last["told"]
    assert bench(way, zoe, "guess", falls=True).json["reason"] == "no_puzzle"
    assert bench(way, zoe, "chance", row=ROW).status == 200


def test_whoever_sits_down_where_a_guesser_sat_has_not_guessed(way, people, session):
    mira, oleh, zoe, _ = people
    bench(way, oleh, "puzzle", row=ROW)
    bench(way, zoe, "guess", falls=True)
    left = next(device for device, seat in session.seats.items() if seat["name"] == "Zoe")
    session.seats["another"] = session.seats.pop(left)
    told = way.get("/api/bench/puzzle", cookie=mira).json
    assert (told["puzzle"]["guessed"], told["of"]) == ([], 2)


def test_who_gave_a_row_and_the_host_open_it_and_take_it_back(way, people):
    mira, oleh, zoe, watcher = people
    bench(way, oleh, "puzzle", row=ROW)
    assert bench(way, zoe, "open").status == 403
    assert bench(way, zoe, "puzzle", row=None).status == 403
    assert bench(way, zoe, "puzzle", row=ROW).json["reason"] == "puzzle"
    assert bench(way, watcher, "guess", falls=True).status == 403
    assert bench(way, mira, "open").json["puzzle"]["told"]
    assert bench(way, oleh, "puzzle", row=None).json["puzzle"] is None
    assert "puzzle" not in way.get("/api/state", cookie=zoe).json


def test_a_host_who_does_not_sit_opens_it_and_takes_it_back(way, people, monkeypatch, session):
    mira, oleh, zoe, _ = people
    standing = {"role": "watcher", "seat": None, "host": True}
    bench(way, oleh, "puzzle", row=ROW)
    with monkeypatch.context() as mocked:
        mocked.setattr(session, "you", lambda device: standing)
        assert bench(way, mira, "open").json["puzzle"]["told"]
        assert bench(way, mira, "puzzle", row=None).json["puzzle"] is None
        assert bench(way, mira, "puzzle", row=ROW).status == 403  # only who sits gives one
    assert bench(way, zoe, "open").json["reason"] == "no_puzzle"


def test_only_a_row_that_can_be_pushed_is_given(way, people):
    for row in ("no row", "0v@0,0,0", "0v@0,0,0;1v@2,0,0", 7):
        assert bench(way, people[1], "puzzle", row=row).json["reason"] == "no_row"


def test_a_round_hides_the_row_that_was_given(way, people, session):
    bench(way, people[1], "puzzle", row=ROW)
    session.phase = "BALLOT"
    assert "puzzle" not in way.get("/api/state", cookie=people[0]).json
