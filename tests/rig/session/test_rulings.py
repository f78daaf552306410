"""Undo, verdict and void: what the host settles by word, with a reason that is kept."""

from functools import reduce

import pytest

from rig.games.estimation.game import Game
from rig.games.estimation.table.estimation_play import apply, from_record
from rig.games.estimation.table.estimation_table import EstimationTable


def judged(seats, outcome="fell"):
    """Ana placed, bo called and voted Failure; the camera's verdict stood."""
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    seats.do("bo", "call")
    seats.do("bo", "vote", side="failure")
    seats.do("cy", "vote", side="success")
    seats.later(2.4)
    seats.later(8.0)
    seats.do("ana", "report", outcome=outcome)
    seats.do("bo", "agree")
    assert seats.session.table.phase == "ROUND_END"


def chips(seats):
    return dict(seats.session.game.chips)


def replayed(seats):
    options = seats.session.config.rules
    assert options == {}
    return reduce(
        apply, map(from_record, seats.session.journal.events()), EstimationTable(game=Game())
    )


def test_a_placement_is_undone_and_everything_else_is_as_it_is_now(seats):
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    seats.place("bo", 9, 2)
    before = seats.session.table
    seats.do("cy", "rename", name="Cyril")
    seats.do("ana", "undo", reason="mistap")
    seats.do("ana", "undo", reason="mistap")
    table = seats.session.table
    assert table.player("s3").name == "cy", "the newest step comes first"
    assert (table.game.row, table.game.active, table.game.placer) == ((3, 6), "s2", "s1")
    assert [t.value for t in table.row] == [3, 6]
    assert table.latest == 3
    assert table.phase_id != before.phase_id
    assert table.game.turn > before.game.turn
    assert replayed(seats) == table


def test_an_undo_says_who_what_and_why_and_never_takes_anything_out(seats):
    seats.start("ana", "bo")
    seats.place("ana", 3, 0)
    version = seats.session.journal.version
    assert seats.session.view("ana")["undo"] == {"what": "placed", "seat": "s1"}
    assert seats.session.view("bo")["undo"] is None
    seats.do("ana", "undo", reason="  wrong\n tile ")
    events = list(seats.session.journal.events())
    assert [r.type for r in events[version:]] == ["Undone", "Ruled"]
    assert events[-1].public == {"kind": "undone", "by": "s1", "why": "wrong tile", "seat": None}
    ruling = {"kind": "undone", "by": "s1", "why": "wrong tile", "seat": None}
    assert seats.session.view("bo")["ruling"] == ruling
    seats.place("ana", 4, 0)
    assert seats.session.view("bo")["ruling"] is None


def test_what_was_called_on_cannot_be_undone(seats):
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    seats.do("bo", "call")
    assert not seats.session.view("ana")["may"]["undo"]
    assert seats.send("ana", "undo", reason="mistap")["reason"] == "nothing_to_undo"


def test_only_the_last_placement_comes_back_not_the_one_before(seats):
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    seats.place("bo", 9, 2)
    seats.do("ana", "undo", reason="mistap")
    assert seats.send("ana", "undo", reason="mistap")["reason"] == "nothing_to_undo"


def test_a_revealed_ballot_and_a_push_are_never_undone_only_void(seats):
    judged(seats)
    assert seats.send("ana", "undo", reason="mistap")["reason"] == "nothing_to_undo"
    seats.do("ana", "void", reason="lamp")
    assert chips(seats) == {"s1": 0, "s2": 0, "s3": 0}
    assert seats.session.view("bo")["ruling"]["kind"] == "void"


def test_names_and_seats_come_back_in_the_lobby(seats):
    seats.sit("ana", "bo", "cy")
    seats.do("bo", "rename", name="Boris")
    seats.do("ana", "move_seat", seat="s3", to=0)
    seats.do("ana", "undo", reason="mistap")
    assert [p.seat for p in seats.session.table.players] == ["s1", "s2", "s3"]
    seats.do("ana", "undo", reason="mistap")
    assert seats.session.table.player("s2").name == "bo"
    assert seats.send("ana", "undo", reason="mistap")["reason"] == "nothing_to_undo"


def test_a_name_that_somebody_else_took_meanwhile_does_not_come_back(seats):
    seats.sit("ana", "bo")
    seats.do("bo", "rename", name="Boris")
    seats.do("cy", "sit", name="bo", mark="star")
    assert seats.send("ana", "undo", reason="mistap")["reason"] == "name_taken"


def test_a_name_of_somebody_who_has_left_stays_gone(seats):
    seats.sit("ana", "bo")
    seats.do("bo", "rename", name="Boris")
    seats.do("bo", "leave")
    assert seats.session.view("ana")["undo"] is None
    assert seats.send("ana", "undo", reason="mistap")["reason"] == "nothing_to_undo"


def test_a_turn_passed_over_comes_back(seats):
    seats.start("ana", "bo", "cy")
    seats.do("ana", "skip", seat="s1")
    assert seats.session.game.active == "s2"
    seats.do("ana", "undo", reason="moved")
    assert seats.session.game.active == "s1"


@pytest.mark.parametrize("kind", ["undo", "correct_verdict", "void"])
@pytest.mark.parametrize("why", [None, "", "  ", "\u200b\u202e", 0])
def test_nothing_is_ruled_without_a_reason(seats, kind, why):
    judged(seats)
    version = seats.session.journal.version
    assert seats.send("ana", kind, reason=why)["reason"] == "no_reason"
    assert seats.session.journal.version == version


@pytest.mark.parametrize("kind", ["undo", "correct_verdict", "void"])
def test_only_the_host_rules(seats, kind):
    judged(seats)
    assert seats.send("bo", kind, reason="x")["reason"] == "not_allowed"


def test_a_long_reason_is_kept_to_one_line(seats):
    judged(seats)
    seats.do("ana", "correct_verdict", reason="because " * 40)
    assert len(seats.session.view("bo")["ruling"]["why"]) == 120


def test_one_tap_turns_a_verdict_round(seats):
    judged(seats)
    assert chips(seats) == {"s1": 1, "s2": 0, "s3": 1}
    assert seats.session.view("ana")["may"]["correct_verdict"]
    seats.do("ana", "correct_verdict", reason="looked")
    assert chips(seats) == {"s1": 0, "s2": 2, "s3": 0}
    view = seats.session.view("bo")
    assert (view["verdict"]["outcome"], view["verdict"]["ruled"]) == ("stood", True)
    assert view["ruling"] == {"kind": "verdict", "by": "s1", "why": "looked", "seat": None}
    assert not view["may"]["correct_verdict"]
    assert replayed(seats) == seats.session.table


def test_a_verdict_is_turned_round_until_the_next_push_is_asked_for(seats):
    judged(seats)
    seats.do("ana", "next")
    seats.see_row()
    seats.place("ana", 3, 0)
    seats.do("ana", "correct_verdict", reason="looked")
    assert chips(seats) == {"s1": 0, "s2": 2, "s3": 0}
    assert seats.session.game.row == (3, 6)
    seats.do("bo", "call")
    for name in ("bo", "cy"):
        seats.do(name, "vote", side="failure")
    seats.later(2.4)
    seats.later(8.0)
    assert seats.session.view("ana")["may"]["correct_verdict"]
    seats.session.update(clear=True)
    seats.do("ana", "switch", on=True)
    nonce = seats.do("ana", "hold")["nonce"]
    seats.session.clock.advance(1.5)
    seats.do("ana", "push", nonce=nonce)
    assert not seats.session.view("ana")["may"]["correct_verdict"]
    assert seats.send("ana", "correct_verdict", reason="looked")["reason"] == "pushed"


def test_a_placement_followed_by_a_correction_stays(seats):
    judged(seats)
    seats.do("ana", "next")
    seats.see_row()
    seats.place("ana", 3, 0)
    seats.do("ana", "correct_verdict", reason="looked")
    assert seats.session.view("ana")["undo"] is None


def test_there_is_no_verdict_to_turn_round_before_the_first(seats):
    seats.start("ana", "bo")
    assert not seats.session.view("ana")["may"]["correct_verdict"]
    assert seats.send("ana", "correct_verdict", reason="looked")["reason"] == "no_verdict"


def test_rulings_are_the_same_after_a_restart(open_session):
    seats = open_session()
    judged(seats)
    seats.do("ana", "correct_verdict", reason="looked")
    before = seats.session.view("bo")["ruling"]
    again = open_session()
    assert again.session.view("bo")["ruling"] == before
    assert chips(again) == {"s1": 0, "s2": 2, "s3": 0}
