"""The table and its phones shuffle together; nobody knows or chooses anything before its time."""

import json
from collections import Counter
from functools import reduce
from random import Random

import pytest

from rig.games import registry
from rig.games.dominoes.table import dominoes_play
from rig.games.shuffle import faults, share_hash
from rig.history.gamefile import dumped, made
from rig.session.fingerprint import games
from rig.snapshots import restored, taken
from tests.support import high_card, high_rounds
from tests.support.card_table import SEATS, Table
from tests.support.high_card import HAND
from tests.support.shares import Shares

WAIT_S = 8.5
"""Longer than phones are waited for."""


@pytest.fixture(autouse=True)
def known(monkeypatch):
    for game in (high_card, high_rounds):
        monkeypatch.setitem(registry.GAMES, game.PLAY.name, game.__name__)


@pytest.fixture
def table(tmp_path):
    """Four have sat down and begun; the table has asked for hashes."""
    table = Table(tmp_path / "table.sqlite3", high_rounds.PLAY).sit()
    assert table.send("phone0", "start")["ok"]
    table.session.tick()
    return table


def shuffle_of(table, who=None):
    return table.session.view(who, "phone" if who else "table")["shuffle"]


def sends(table, *seats):
    """These seats send what they owe."""
    for seat in seats:
        kind, fields = Shares(table.phone(seat)).owed(table.session.view(table.phone(seat)))
        assert table.send(table.phone(seat), kind, **fields)["ok"]
    table.session.tick()


def public(table):
    return json.dumps([[r.type, dict(r.public)] for r in table.session.journal.events()])


def everything(table):
    """All that anybody is told: every view, and what the journal and its file show."""
    views = [table.session.view(table.phone(seat)) for seat in SEATS]
    records = list(table.session.journal.events())
    file = dumped(made(records, play=table.play)).decode()
    return json.dumps([*views, table.session.view(None, "table"), public(table), file])


def opened(table):
    return table.session.table.dealing.opened


def test_no_hash_is_told_until_all_who_were_asked_have_sent_one(table):
    assert shuffle_of(table)["missing"] == list(SEATS)
    sends(table, "s1", "s2", "s3")
    hashes = list(table.session.table.dealing.hashes.values())
    told = everything(table)
    assert len(hashes) == 3 and not any(each in told for each in hashes)
    shown = shuffle_of(table)
    assert (shown["stage"], shown["missing"], shown["hashes"]) == ("hashes", ["s4"], {})
    sends(table, "s4")
    shown = shuffle_of(table)
    assert shown["stage"] == "shares" and list(shown["hashes"]) == list(SEATS)
    assert shown["hashes"] == table.session.table.dealing.hashes


def test_hands_follow_from_secret_and_shares_which_nobody_is_told_while_the_round_runs(table):
    table.shuffle()
    dealing = table.session.table.dealing
    hands = {seat: dealing.order[HAND * i : HAND * (i + 1)] for i, seat in enumerate(SEATS)}
    assert {seat: tuple(sorted(hand)) for seat, hand in hands.items()} == table.game.hands
    told = everything(table)
    values = (dealing.begun.secret, *dealing.shares.values())
    assert len(set(values)) == 5 and not any(value in told for value in values)
    assert json.dumps(dealing.order)[1:-1] not in told.replace(",", ", ").replace("  ", " ")
    chance = Random(1)
    while not opened(table):
        assert shuffle_of(table)["stage"] == "dealt"
        assert not any(value in everything(table) for value in values)
        table.play_on(chance)
    view = table.session.view("phone0")["shuffle_opened"]
    assert view["secret"] == dealing.begun.secret and view["shares"] == dealing.shares
    assert tuple(view["order"]) == dealing.order and faults(opened(table)) == ()


def test_every_round_has_a_shuffle_of_its_own_in_the_same_game(table):
    first = table.shuffle().session.table.dealing.begun
    chance = Random(2)
    while not table.game.rounds:
        table.play_on(chance)
    second = table.shuffle().session.table.dealing.begun
    assert (first.round, second.round) == (1, 2)
    assert first.game == second.game and first.secret != second.secret
    table.play_out()
    assert opened(table).round == 2 and faults(opened(table)) == ()
    assert table.send("phone0", "rematch")["ok"]
    for seat in SEATS:
        assert table.send(table.phone(seat), "ready")["ok"]
    assert table.send("phone0", "start")["ok"]
    third = table.shuffle().session.table.dealing
    assert third.begun.round == 1 and third.begun.game != first.game and third.opened is None


def test_the_last_round_of_a_game_is_opened_within_its_file(table):
    table.play_out(4)
    records = list(table.session.journal.events())
    low, high = games(records, table.play)[0]
    kinds = [record.type for record in records if low <= record.v <= high]
    assert Counter(kinds)["ShuffleOpened"] == 2
    assert kinds[-2:] == ["ShuffleOpened", "GameEnded"]
    text = dumped(made(records, (low, high), play=table.play)).decode()
    shares = table.session.table.dealing.shares.values()
    assert all(share in text for share in shares)


def test_a_round_that_people_look_at_before_the_next_lies_open_at_once(tmp_path):
    table = Table(tmp_path / "table.sqlite3", dominoes_play.PLAY).begin()
    chance = Random(4)
    while not opened(table):
        table.play_on(chance)
    assert table.session.table.phase == "ROUND_END"
    assert opened(table).count == 28 and faults(opened(table)) == ()
    assert not table.session.play.rules.needs(table.game)


def test_a_seat_without_a_hash_in_time_is_named_and_left_out(table):
    sends(table, "s1", "s2", "s4")
    table.clock.sleep(WAIT_S)
    table.session.tick()
    for who in (None, "phone0", "phone2"):
        assert shuffle_of(table, who)["left_out"] == ["s3"]
    late = share_hash(shuffle_of(table)["game"], 1, "s3", "0" * 64)
    named = {"shuffle": shuffle_of(table)["commitment"]}
    assert table.send("phone2", "shuffle_hash", **named, hash=late)["reason"] == "stale"
    sends(table, "s1", "s2", "s4")
    assert len(table.game.hands) == 4 and "s3" not in table.session.table.dealing.shares
    table.play_out()
    assert faults(opened(table)) == ()


def test_a_share_that_does_not_come_makes_the_shuffle_void_and_everybody_is_told_whose(table):
    sends(table, *SEATS)
    sends(table, "s1", "s2", "s4")
    before = table.session.table.dealing
    table.clock.sleep(WAIT_S)
    table.session.tick()
    after = table.session.table.dealing
    assert after.begun.round == before.begun.round == 1
    assert after.begun.secret != before.begun.secret
    assert after.hashes == after.shares == {} and table.game.hands == {}
    for who in (None, "phone0", "phone2"):
        assert shuffle_of(table, who)["void"] == ["s3"]
        assert shuffle_of(table, who)["missing"] == list(SEATS)
    table.shuffle()
    assert shuffle_of(table)["void"] == ["s3"]
    table.play_out()
    assert faults(opened(table)) == ()


def test_a_seat_that_withholds_two_shares_is_not_asked_again_in_this_round(table):
    for _ in range(2):
        assert shuffle_of(table)["asked"] == list(SEATS)
        sends(table, *SEATS)
        sends(table, "s1", "s2", "s4")
        table.clock.sleep(WAIT_S)
        table.session.tick()
    shown = shuffle_of(table)
    assert (shown["asked"], shown["drawn"], shown["void"]) == (["s1", "s2", "s4"], ["s3"], ["s3"])
    table.shuffle(("s1", "s2", "s4"))
    assert len(table.game.hands) == 4
    chance = Random(2)
    while not table.game.rounds:
        table.play_on(chance)
    table.session.tick()
    assert shuffle_of(table)["asked"] == list(SEATS)
    assert faults(opened(table)) == ()
    table.play_out()


def test_time_does_not_run_out_while_the_table_is_paused(table):
    sends(table, "s1", "s2", "s4")
    assert table.send("phone0", "pause", on=True)["ok"]
    table.clock.sleep(WAIT_S)
    table.session.tick()
    assert shuffle_of(table)["left_out"] == [] and shuffle_of(table)["missing"] == ["s3"]
    assert table.send("phone0", "pause", on=False)["ok"]
    sends(table, "s3")
    assert shuffle_of(table)["stage"] == "shares"


def test_the_table_draws_for_bots_and_seats_without_a_phone_and_says_so(tmp_path):
    table = Table(tmp_path / "table.sqlite3", high_card.PLAY)
    for n, mark in enumerate(("circle", "square")):
        assert table.send(f"phone{n}", "sit", name=f"Player {n}", mark=mark)["ok"]
        assert table.send(f"phone{n}", "ready")["ok"]
    assert table.send("phone0", "add_bot")["ok"]
    assert table.send("phone0", "add_player", name="Di", mark="cross")["ok"]
    assert table.send("phone0", "start")["ok"]
    table.session.tick()
    assert shuffle_of(table)["drawn"] == ["s3", "s4"] and shuffle_of(table)["hashes"] == {}
    table.shuffle(SEATS[:2])
    assert list(table.session.table.dealing.shares) == ["s3", "s4", "s1", "s2"]
    assert set(shuffle_of(table)["hashes"]) == set(SEATS)


def test_a_table_of_bots_shuffles_alone(tmp_path):
    table = Table(tmp_path / "table.sqlite3", high_card.PLAY)
    table.session.make_host("phone9")
    for _ in SEATS:
        assert table.send("phone9", "add_bot")["ok"]
    assert table.send("phone9", "start")["ok"]
    while table.session.tick() == 0.0:
        pass
    assert len(table.game.hands) == 4 and shuffle_of(table)["asked"] == []


VALUE = "ab" * 32
BAD = {
    "short": ({"hash": VALUE[:-2]}, "hash has to be 64 digits 0-9 and a-f."),
    "not hex": ({"hash": "g" * 64}, "hash has to be 64 digits 0-9 and a-f."),
    "capitals": ({"hash": VALUE.upper()}, "hash has to be 64 digits 0-9 and a-f."),
    "a number": ({"hash": 7}, "hash has to be 64 digits 0-9 and a-f."),
    "nothing": ({}, "hash has to be 64 digits 0-9 and a-f."),
    "other round": (
        {"hash": VALUE, "shuffle": VALUE},
        "shuffle has to be what the table published for the one that is going on.",
    ),
}


@pytest.mark.parametrize(("fields", "sentence"), BAD.values(), ids=BAD)
def test_a_hash_that_is_none_is_refused_in_a_sentence_and_nothing_is_written(
    table, fields, sentence
):
    before = table.session.journal.version, table.session.table
    named = {"shuffle": shuffle_of(table)["commitment"]}
    reply = table.send("phone0", "shuffle_hash", **{**named, **fields})
    assert (reply["ok"], reply["message"]) == (False, sentence)
    assert (table.session.journal.version, table.session.table) == before


def refused(table, who, kind, **fields):
    before = table.session.journal.version
    named = {"shuffle": shuffle_of(table)["commitment"]}
    reply = table.send(who, kind, **{**named, **fields})
    assert not reply["ok"] and table.session.journal.version == before
    return reply["message"]


def test_shares_are_refused_that_do_not_fit_or_are_not_asked_for(table):
    early = refused(table, "phone0", "shuffle_share", share=VALUE)
    assert early == "share has to wait until the hashes of this round lie open."
    stranger = refused(table, "phone7", "shuffle_hash", hash=VALUE)
    assert stranger == "Take a seat first: watchers only watch."
    sends(table, "s1")
    twice = refused(table, "phone0", "shuffle_hash", hash=VALUE)
    assert twice == "hash has come already: a seat sends one a round."
    sends(table, "s2", "s3", "s4")
    other = refused(table, "phone0", "shuffle_share", share=VALUE)
    assert other == "share has to fit the hash that this seat sent before."
    stolen = Shares("phone1").of(shuffle_of(table))
    assert refused(table, "phone0", "shuffle_share", share=stolen) == other
    short = refused(table, "phone0", "shuffle_share", share=VALUE[:-2])
    assert short == "share has to be 64 digits 0-9 and a-f."
    sends(table, "s1")
    again = refused(table, "phone0", "shuffle_share", share=Shares("phone0").of(shuffle_of(table)))
    assert again == "share has come already: a seat sends one a round."
    sends(table, "s2", "s3", "s4")
    over = refused(table, "phone0", "shuffle_share", share=VALUE)
    assert over == "shuffle has to name one that is going on, and none is."


def test_a_seat_whose_share_the_table_drew_cannot_send_another(tmp_path):
    table = Table(tmp_path / "table.sqlite3", high_card.PLAY).sit()
    assert table.send("phone0", "take_phone", seat="s4")["ok"]
    assert table.send("phone0", "start")["ok"]
    table.session.tick()
    assert shuffle_of(table)["drawn"] == ["s4"]
    assert table.session.hand_over("s4", "phone8")["ok"]
    sentence = refused(table, "phone8", "shuffle_hash", hash=VALUE)
    assert sentence == "seat s4 was not asked for a share in this round."


def test_after_a_kill_at_any_moment_the_shuffle_goes_on(table):
    """Killed after every event of both rounds, with one share withheld in the first."""
    chance, withheld = Random(3), 0
    while not table.session.table.is_over:
        before = table.session.table
        shown = shuffle_of(table)
        table.restart()
        assert table.session.table == before and shuffle_of(table) == shown
        if not table.session.play.rules.needs(table.game):
            table.play_on(chance)
            continue
        table.session.tick()
        shown = shuffle_of(table)
        owing = [s for s in shown["missing"] if shown["stage"] == "hashes" or s != "s2" or withheld]
        if owing:
            kind, fields = Shares(table.phone(owing[0])).owed(
                table.session.view(table.phone(owing[0]))
            )
            assert table.send(table.phone(owing[0]), kind, **fields)["ok"]
        elif shown["missing"]:
            withheld += 1
            table.clock.sleep(WAIT_S)
            table.session.tick()
            assert shuffle_of(table)["void"] == ["s2"]
    assert withheld == 1 and opened(table).round == 2 and faults(opened(table)) == ()


def test_a_game_that_is_broken_off_while_it_is_shuffled_opens_nothing(table):
    sends(table, "s1", "s2")
    assert table.send("phone3", "leave")["ok"]
    assert table.session.table.is_over and opened(table) is None
    kinds = [record.type for record in table.session.journal.events()]
    assert "ShuffleOpened" not in kinds and "ShuffleMade" not in kinds


def test_what_the_journal_keeps_of_a_shuffle_makes_the_same_table_again(table):
    table.play_out(5)
    play, records = table.play, list(table.session.journal.events())
    again = reduce(play.apply, map(play.read, records), play.table())
    assert again.dealing == table.session.table.dealing
    assert restored(taken(again, "this test"), play) == again
