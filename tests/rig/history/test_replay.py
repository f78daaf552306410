"""What the table screen showed, at every moment, out of a file alone."""

import json
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.games.estimation.table.estimation_play import PLAY
from rig.history.gamefile import BadGameFile, made
from rig.history.replay import listed, moments
from rig.session.fingerprint import games
from rig.session.state import Player
from tests.support.evenings import Evening
from tests.support.examples import examples


def snapshots(told):
    """The whole snapshot of every moment."""
    shown = {}
    for moment in told:
        shown = {**shown, **moment["changes"]}
        yield moment, shown


@cache
def played(seed=19):
    """An evening, the same for all, who may not change it."""
    return Evening(seed).play()


def test_a_game_is_shown_from_its_first_tile_to_its_winners():
    evening = played()
    told = moments(made(evening.records, games(evening.records, PLAY)[0]))
    shown = [shot for _, shot in snapshots(told)]
    assert [tile["value"] for tile in shown[0]["row"]] == [6]
    assert shown[-1]["phase"] == "GAME_OVER"
    assert shown[-1]["final"]["winners"] == list(evening.table.game.winners)
    assert {s["seat"]: s["chips"] for s in shown[-1]["seats"] if s["chips"]} == {
        seat: n for seat, n in evening.table.game.chips.items() if n
    }
    phases = {shot["phase"] for shot in shown}
    assert {"TURN", "BALLOT", "COUNTDOWN", "REVEAL", "TOPPLE", "JUDGE", "ROUND_END"} <= phases


def test_the_first_moment_is_whole_and_the_others_say_what_changed():
    told = moments(made(played().records))
    first, *rest = told
    assert {"phase", "seats", "row", "you"} <= set(first["changes"])
    assert all(0 < len(moment["changes"]) < len(first["changes"]) for moment in rest)
    assert [moment["v"] for moment in told] == sorted(moment["v"] for moment in told)


@examples(8)
@given(st.integers(0, 2**20), st.integers(2, 5))
def test_no_moment_shows_a_side_before_the_reveal(seed, players):
    evening = Evening(seed, players).play(steps=80)
    for moment, shot in snapshots(moments(made(evening.records))):
        if shot["phase"] in ("BALLOT", "COUNTDOWN"):
            assert shot["reveal"] is None
            assert shot["ballot"]["mine"] is None
            assert "success" not in str(moment["events"])
            assert "failure" not in str(moment["events"])


def test_the_prediction_is_not_shown_before_the_reveal():
    seen = set()
    for _, shot in snapshots(moments(made(played().records))):
        if shot["verdict"] and shot["verdict"]["prediction"]:
            seen.add(shot["phase"])
    assert seen <= {"JUDGE", "ROUND_END", "GAME_OVER"}
    assert "JUDGE" in seen


def test_what_happened_in_one_blink_is_one_moment():
    evening = played()
    file = made(evening.records)
    at = next(i for i, e in enumerate(file.events) if e.record.type == "BallotsLocked")
    last_vote, locked = (file.events[i].record for i in (at - 1, at))
    assert last_vote.at == locked.at
    told = moments(file)
    assert last_vote.v not in {moment["v"] for moment in told}
    (moment,) = (moment for moment in told if moment["v"] == locked.v)
    assert [event["type"] for event in moment["events"]] == [last_vote.type, "BallotsLocked"]


def test_a_push_of_the_past_is_neither_a_fault_nor_asked_for_again():
    states = {
        shot["push"]["state"]
        for _, shot in snapshots(moments(made(played().records)))
        if shot["push"]
    }
    assert states <= {"ready", "moving", "looking", "report", "stopped", "unknown"}
    assert {"ready", "moving"} <= states


def test_a_game_that_cannot_have_happened_is_refused_in_a_sentence():
    file = made(played().records)
    kept = tuple(e for e in file.events if e.record.type != "TilePlaced")
    with pytest.raises(BadGameFile, match=r"event \d+ cannot follow what stands before it"):
        moments(replace(file, events=kept))


def test_an_endless_file_is_refused(monkeypatch):
    monkeypatch.setattr("rig.history.replay.MOST_EVENTS", 10)
    with pytest.raises(BadGameFile, match="more than 10 events"):
        moments(made(played().records))


def test_a_file_that_tells_ever_the_same_of_a_crowd_is_refused(monkeypatch):
    file = made(played().records)
    honest = len(json.dumps(moments(file)))
    monkeypatch.setattr("rig.history.replay._MOST_TOLD", honest)
    moments(file)
    crowd = tuple(Player(f"x{n}", f"X {n}", "circle", None) for n in range(40))
    with pytest.raises(BadGameFile, match="more than any table has"):
        moments(replace(file, players=crowd))


def test_the_games_of_a_table_are_listed_with_who_played_and_who_won():
    evening = played()
    evening.again()
    evening.step()
    first, second = listed(evening.records)
    names = {p.seat: p.name for p in evening.table.players}
    won = next(r for r in evening.records if r.type == "GameEnded").public["winners"]
    assert first["players"] == list(names.values())
    assert first["winners"] == [names[seat] for seat in won]
    assert (first["number"], second["number"]) == (1, 2)
    assert second["winners"] == []
    assert first["from_ms"] < first["to_ms"] < second["from_ms"]
