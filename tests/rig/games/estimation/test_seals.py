"""A ballot is sealed when it locks, and its salt proves it when it is shown."""

import json
from hashlib import sha256

from rig.games.estimation.table.estimation_play import PLAY, from_record
from rig.games.estimation.terms import Result
from rig.history.gamefile import made
from rig.history.verify import verified
from rig.session.fingerprint import games, short

SALT_BITS = 128


def ballot(seats):
    """Three sit down, ana places, cy calls; only bo and cy have a choice."""
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    seats.do("cy", "call")


def by_hand(game, round_, seat, side, salt):
    return sha256(f"domino-rig-ballot/1 {game} {round_} {seat} {side} {salt}".encode()).hexdigest()


def test_no_seal_is_shown_before_the_last_ballot_locks(seats):
    ballot(seats)
    seats.do("bo", "vote", side="failure")
    for viewer in ("ana", "bo", "cy", None):
        assert seats.session.view(viewer)["seals"] == {}
    seats.do("cy", "vote", side="success")
    shown = [seats.session.view(viewer)["seals"] for viewer in ("ana", "bo", "cy", None)]
    assert shown[0] == shown[1] == shown[2] == shown[3]
    assert list(shown[0]) == ["s1", "s2", "s3"]
    assert all(len(seal) == 64 for seal in shown[0].values())


def test_the_salts_come_with_the_reveal_and_prove_every_seal(seats):
    ballot(seats)
    seats.do("bo", "vote", side="failure")
    seats.do("cy", "vote", side="success")
    locked = seats.session.view(None)
    assert "salts" not in json.dumps(locked)
    seats.later(2.4)
    shown = seats.session.view(None)
    ballots, salts = shown["reveal"]["ballots"], shown["reveal"]["salts"]
    assert ballots == {"s1": "success", "s2": "failure", "s3": "success"}
    for seat, side in ballots.items():
        assert by_hand(shown["game"], 1, seat, side, salts[seat]) == locked["seals"][seat]
        other = {"success": "failure", "failure": "success"}[side]
        assert by_hand(shown["game"], 1, seat, other, salts[seat]) != locked["seals"][seat]
    assert shown["seals"] == locked["seals"]


def test_salts_are_long_all_different_and_secret_in_the_journal(seats):
    ballot(seats)
    (called,) = (r for r in seats.session.journal.events() if r.type == "DominoCalled")
    assert "salts" not in called.public
    salts = from_record(called).salts
    assert len(set(salts.values())) == 3
    assert all(4 * len(salt) >= SALT_BITS for salt in salts.values())


def test_seals_outlive_a_restart_and_the_next_estimation_has_new_ones(open_session):
    seats = open_session()
    ballot(seats)
    seats.do("bo", "vote", side="success")
    seats.do("cy", "vote", side="success")
    first = seats.session.view(None)["seals"]
    seats = open_session()
    assert seats.session.view(None)["seals"] == first
    seats.later(2.4)
    seats.later(60)
    assert seats.session.view(None)["seals"] == {}
    seats.place("bo", 9, 2)
    seats.do("ana", "call")
    seats.do("ana", "vote", side="success")
    seats.do("cy", "vote", side="success")
    assert not set(seats.session.view(None)["seals"].values()) & set(first.values())


def test_a_game_has_a_name_that_no_other_game_has(seats):
    seats.start("ana", "bo")
    name = seats.session.game.id
    assert 4 * len(name) >= SALT_BITS
    assert seats.session.view(None)["game"] == name
    seats.do("ana", "leave")
    assert seats.session.table.phase == "GAME_OVER"
    seats.do("bo", "rematch")
    seats.sit("cy")
    seats.do("bo", "ready", on=True)
    seats.do("bo", "start")
    assert seats.session.game.id not in ("", name)


PICTURE = b"\xff\xd8 what the camera saw \xff\xd9"


def shown(seats):
    """The fingerprint on the final screens of everybody."""
    (one,) = {seats.session.view(who)["final"]["fingerprint"] for who in ("ana", "bo", None)}
    return one


def of_the_file(seats):
    journal = seats.session.journal
    records = list(journal.events())
    return short(made(records, games(records, PLAY)[-1], picture=journal.picture).fingerprint)


def test_the_final_screen_shows_the_fingerprint_of_the_file(open_session):
    seats = open_session()
    ballot(seats)
    for who in ("bo", "cy"):
        seats.do(who, "vote", side="failure")
    seats.later(2.4)
    seats.later(8.0)
    seats.push_seen(Result.FELL, {1: PICTURE})
    assert seats.session.view("ana")["final"] is None
    seats.do("cy", "leave")
    seats.do("bo", "leave")
    first = shown(seats)
    assert first == of_the_file(seats)
    assert len(first) == 19
    seats = open_session()
    assert shown(seats) == first
    seats.do("ana", "rename", name="Anastasia")
    assert shown(seats) == first == of_the_file(seats)


def test_another_game_has_another_fingerprint(seats):
    seats.start("ana", "bo")
    seats.do("bo", "leave")
    first = shown(seats)
    seats.do("ana", "rematch")
    seats.do("bo", "sit", name="bo", mark="star")
    for who in ("ana", "bo"):
        seats.do(who, "ready", on=True)
    seats.do("ana", "start")
    seats.do("bo", "leave")
    assert shown(seats) == of_the_file(seats) != first


def test_in_a_game_no_time_is_before_another_though_the_clock_jumps(open_session):
    seats = open_session()
    seats.start("ana", "bo", "cy")
    clock = seats.session.clock
    now_s = clock.now_s
    clock.now_s = lambda: now_s() - 3600.0
    seats.place("ana", 3, 0)
    seats.do("cy", "call")
    seats = open_session(clock)
    seats.do("bo", "vote", side="failure")
    records = list(seats.session.journal.events())
    times = [record.at for record in records]
    assert times == sorted(times)
    file = made(records)
    assert (file.version, verified(file).findings) == (2, [])
