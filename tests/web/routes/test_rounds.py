"""A round in hindsight over HTTP: of one that is over everything, of one that goes on nothing."""

import json
from random import Random

import pytest

from rig.games.dominoes.game import Phase
from tests.support.clients import PLENTY, AsgiWay
from tests.support.domino_table import DominoTable
from web.base.rate_limits import Limits
from web.factory import create_app
from web.live.parts import parts


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A match whose first round is over and whose second has begun, over HTTP."""
    domino = DominoTable(tmp_path_factory.mktemp("table") / "table.sqlite3")
    domino.begin(preset="goat-online/one", limit=200)
    chance = Random(2)
    while domino.game.round == 1:
        domino.shuffle().play_on(chance)
    domino.shuffle()
    for _ in range(6):
        domino.play_on(chance)
    assert (domino.game.round, domino.game.phase) == (2, Phase.TURN)
    limits = Limits(device=PLENTY, address=PLENTY, unknown=PLENTY, past=PLENTY)
    app = create_app(domino.session, code="PINE", host_secret="the-secret", limits=limits)
    domino.way, domino.app = AsgiWay(app), app
    domino.host = domino.way.get("/host/the-secret").cookie
    yield domino
    parts(app).hub.stop()
    domino.way.close()
    domino.session.close()


@pytest.fixture(scope="module")
def moments(table):
    return table.way.get("/api/games/1", cookie=table.host).json["moments"]


def hints(table, round_=1):
    return table.way.get(f"/api/games/1/rounds/{round_}", cookie=table.host)


def test_every_choice_and_every_knock_of_a_round_is_spoken_of(table, moments):
    told = hints(table).json["hints"]
    done = {m["v"]: m["events"] for m in moments}
    knocks = [v for v, hint in told.items() if hint["kind"] == "knock"]
    kinds = {e["type"] for v in knocks for e in done[int(v) + 1] if e["type"] != "CommandTaken"}
    assert knocks and kinds <= {"Knocked", "TurnBegan", "RoundEnded"}
    chosen = [hint for hint in told.values() if hint["kind"] == "choice"]
    assert len(chosen) > 5
    for hint in chosen:
        assert hint["worth_done"] <= 1 and 0 <= hint["worth_best"] <= 1
        assert hint["why"]["kind"] and hint["best"]["type"] in ("place", "place2", "stake")
    for v in knocks:
        assert table.game.seats == ("s1", "s2", "s3", "s4")
        assert {told[v]["seat"], *told[v]["known"]} == set(table.game.seats)


def test_a_round_that_goes_on_gives_nothing(table):
    answer = hints(table, 2)
    assert (answer.status, answer.json["reason"]) == (404, "not_found")
    assert hints(table, 3).status == hints(table, 0).status == 404
    assert table.way.get("/api/games/2/rounds/1", cookie=table.host).status == 404


def test_hands_lie_open_in_a_round_that_is_over_and_in_no_other(table, moments):
    round_, own, seen = 0, None, {1: [], 2: []}
    for moment in moments:
        round_ = moment["changes"].get("round", round_)
        own = moment["changes"].get("own", own)
        seen[round_].append(own)
    hands = [[len(of.get("hand", ())) for of in own.values()] for own in filter(None, seen[1])]
    assert [7, 7, 7, 7] in hands
    assert seen[2][-1] is None
    assert not any(of for own in filter(None, seen[2]) for of in own.values())


def test_no_hidden_bone_of_a_running_round_is_told(table, moments):
    hidden = {bone for hand in table.game.hands.values() for bone in hand} - {*table.game.line}
    begun = next(n for n, m in enumerate(moments) if m["changes"].get("round") == 2)
    told = [{**m, "changes": {**m["changes"], "known": 0}} for m in moments[begun:]]
    assert len(told) > 6  # `known` names what everybody can tell, as bones that are not likely
    assert [bone for bone in hidden if f'"{bone}"' in json.dumps(told)] == []


def test_a_round_is_thought_about_once_and_then_told_from_memory(table, monkeypatch):
    first = hints(table)
    monkeypatch.setattr("web.routes.replay.looking_back.of_game", None)
    table.play_on(Random(3))  # the match goes on: the round that is over stays as it is
    assert hints(table).body == first.body


def test_a_file_that_was_brought_is_thought_about_too_and_only_for_the_host(table):
    file = table.way.get("/api/games/1/file", cookie=table.host).json
    told = table.way.post("/api/replay?round=1", file, cookie=table.host).json
    assert told == hints(table).json
    assert table.way.post("/api/replay?round=2", file, cookie=table.host).status == 404
    guest = table.way.join()
    assert table.way.post("/api/replay?round=1", file, cookie=guest).status in (403, 413)
    assert table.way.get("/api/games/1/rounds/1", cookie=guest).status == 403
    assert table.way.get("/api/games/1/rounds/1").status == 401


def test_a_match_that_the_goat_has_lost_is_listed_with_everybody_else_as_winners(tmp_path):
    domino = DominoTable(tmp_path / "table.sqlite3").begin(preset="goat-yard", limit=20, open_at=0)
    domino.play_out()
    way = AsgiWay(create_app(domino.session, code="PINE", host_secret="the-secret"))
    (game,) = way.get("/api/games", cookie=way.get("/host/the-secret").cookie).json["games"]
    lost = {seat for side in domino.game.losers for seat in domino.game.sides[side]}
    names = {p.seat: p.name for p in domino.session.table.players}
    assert lost and game["winners"] == [names[s] for s in names if s not in lost]
    way.close()
    domino.session.close()
