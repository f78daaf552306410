"""Games that the web side has never heard of are played over HTTP."""

from dataclasses import replace
from random import Random

import pytest

from rig.games import registry
from rig.session.session import Session
from tests.support import high_card, high_pairs
from tests.support.clients import PLENTY, AsgiWay
from tests.support.sessions import session_on
from tests.support.shares import Shares
from web.base.rate_limits import Limits
from web.factory import create_app

NAMES = ("Ana", "Bo", "Cy", "Di")
MARKS = ("circle", "square", "star", "cross")


@pytest.fixture(params=[high_card, high_pairs], ids=lambda game: game.PLAY.name)
def way(tmp_path, monkeypatch, request):
    game = request.param
    monkeypatch.setitem(registry.GAMES, game.PLAY.name, game.__name__)
    session = session_on(tmp_path / "table.sqlite3", play=game.PLAY, of=Session)
    limits = replace(Limits(), device=PLENTY, address=PLENTY, unknown=PLENTY)
    way = AsgiWay(create_app(session, code="PINE", host_secret="the-secret", limits=limits))
    way.session = session
    yield way
    way.close()
    session.close()


def test_four_phones_play_a_whole_game_and_each_sees_its_own_hand(way):
    phones = {}
    for n, (name, mark) in enumerate(zip(NAMES, MARKS, strict=True)):
        cookie = way.join(f"192.168.7.{n + 2}")
        assert way.command(cookie, "sit", name=name, mark=mark).json["ok"]
        assert way.command(cookie, "ready").json["ok"]
        phones[f"s{n + 1}"] = cookie
    assert way.command(phones["s1"], "start").json["ok"]
    while way.session.play.rules.needs(way.session.table.game):
        way.session.tick()
        for seat, cookie in phones.items():
            if owed := Shares(seat).owed(way.get("/api/state", cookie=cookie).json):
                kind, fields = owed
                assert way.command(cookie, kind, **fields).json["ok"]
    rules, chance = way.session.play.rules, Random(5)
    while not way.session.table.is_over:
        game = way.session.table.game
        for seat, cookie in phones.items():
            view = way.get("/api/state", cookie=cookie).json
            assert (view["rules"], tuple(view["hand"])) == (rules.name, game.hands[seat])
            assert view["play_order"] == rules.play_order(game).value
            assert view["teams"] == [list(team) for team in rules.teams(game, game.seats)]
            team = next((team for team in view["teams"] if seat in team), [seat])
            assert view["gave"].keys() <= set(team)
        seat = rules.asked(game)[0].seat
        state = way.get("/api/state", cookie=phones[seat]).json
        assert len(state["legal"]) == len(list(rules.legal(game, seat)))
        legal = chance.choice(state["legal"])
        named = {name: state[name] for name in ("phase_id", "trick_id")}
        assert way.command(phones[seat], legal["type"], **named, **legal["fields"]).json["ok"]
    assert way.get("/api/state?role=table", cookie=phones["s1"]).json["legal"] == []
    table = way.get("/api/state", cookie=phones["s1"]).json
    assert table["phase"] == "GAME_OVER" and sum(table["taken"].values()) == 3
    games = way.get("/api/games", cookie=phones["s1"]).json["games"]
    assert [game["players"] for game in games] == [list(NAMES)]
    told = way.get("/api/games/1", cookie=phones["s1"]).json
    assert told["proof"]["good"] and told["proof"]["over"]
