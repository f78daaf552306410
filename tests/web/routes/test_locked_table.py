"""A table killed in the middle of a round: over HTTP any one phone opens the hands again."""

from random import Random

import pytest

from rig.games import registry
from rig.games.dominoes.table import dominoes_play
from tests.support import high_card
from tests.support.http_evening import Evening


def unlock(evening, seat, key):
    return evening.way.command(evening.phones[seat], "unlock", key=key)


@pytest.fixture(params=[high_card.PLAY, dominoes_play.PLAY], ids=lambda play: play.name)
def evening(tmp_path, monkeypatch, request):
    monkeypatch.setitem(registry.GAMES, high_card.PLAY.name, high_card.__name__)
    evening = Evening(tmp_path / "table.sqlite3", request.param)
    evening.begin()
    evening.shuffle()
    yield evening
    evening.close()


def test_one_phone_of_four_opens_the_hands_again_and_the_game_is_played_and_proved(evening):
    chance = Random(5)
    evening.move(chance)
    key = evening.state("s3")["round_key"]["value"]
    assert {evening.state(seat)["round_key"]["value"] for seat in evening.phones} == {key}
    screen = evening.way.get("/api/state?role=table", cookie=evening.phones["s3"])
    assert key not in screen.body.decode()
    hands = {seat: evening.state(seat)["hand"] for seat in evening.phones}
    evening.close()
    held = b"".join(each.read_bytes() for each in evening.path.parent.glob("table.sqlite3*"))
    shares = evening.session.table.dealing.shares.values()
    assert not any(hidden.encode() in held for hidden in (key, *shares))
    evening.open()
    for seat in evening.phones:
        state = evening.state(seat)
        assert state["key_missing"] and "round_key" not in state and not any(state["may"].values())
    assert evening.way.get("/api/games", cookie=evening.phones["s1"]).status == 200
    refused = evening.way.command(evening.phones["s1"], "pause", on=True)
    assert (refused.status, refused.json["reason"]) == (409, "locked")
    wrong = unlock(evening, "s2", "ab" * 32)
    assert (wrong.status, wrong.json["reason"]) == (409, "wrong_key")
    assert evening.state("s2")["key_missing"]
    assert unlock(evening, "s3", key).json["ok"]
    assert {seat: evening.state(seat)["hand"] for seat in evening.phones} == hands
    while not evening.session.table.is_between_rounds:
        evening.move(chance)
    assert "round_key" not in evening.state("s1")
    if evening.session.table.is_over:
        told = evening.way.get("/api/games/1", cookie=evening.phones["s1"]).json
        assert told["proof"]["good"] and told["proof"]["over"]
    evening.close()
    evening.open()
    state = evening.state("s1")
    assert "key_missing" not in state and state["shuffle_opened"]["secret"]
