"""A ballot is sealed when it locks, and its salt proves it when it is shown."""

import json
from hashlib import sha256

from rig.table import from_record

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
