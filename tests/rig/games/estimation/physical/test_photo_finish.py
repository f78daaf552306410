"""The photo finish: presses are compared by the phones' own clocks, within a short moment."""

from dataclasses import replace

import pytest

from rig.games.estimation.physical.photo_finish import TIE_S, in_order, pending
from rig.games.estimation.table.estimation_table import Shouted


@pytest.fixture
def finish(seats):
    """Four players after the first tile, with a photo finish of 150 ms."""
    session = seats.session
    session.config = replace(
        session.config, timing=replace(session.config.timing, photo_finish=0.15)
    )
    seats.start("ana", "bo", "cy", "di")
    seats.place("ana", 3, 0)
    return seats


def now_ms(seats):
    return seats.session.clock.now_s() * 1000


def shout(seats, who, early_ms=0.0, **fields):
    return seats.do(who, "call", pressed_ms=now_ms(seats) - early_ms, **fields)


def told(seats):
    return seats.session.view("ana")["shout"]


def test_the_press_that_came_first_wins_though_it_arrived_later(finish):
    shout(finish, "bo", early_ms=10)
    finish.session.clock.advance(0.08)
    shout(finish, "cy", early_ms=120)
    assert finish.session.table.phase == "TURN"
    finish.later(0.07)
    assert finish.session.table.phase == "BALLOT"
    assert told(finish) == {"caller": "s3", "late": [{"seat": "s2", "ms": 30}], "tie_ms": 15}


def test_a_tie_goes_to_the_call_that_arrived_first(finish):
    shout(finish, "bo", early_ms=0)
    finish.session.clock.advance(0.01)
    shout(finish, "cy", early_ms=24)
    finish.later(0.15)
    assert told(finish) == {"caller": "s2", "late": [{"seat": "s3", "ms": 0}], "tie_ms": 15}


def test_a_phone_is_believed_within_the_moment_alone(finish):
    shout(finish, "bo", early_ms=100)
    finish.session.clock.advance(0.02)
    shout(finish, "cy", early_ms=60_000)
    shout(finish, "di", early_ms=-60_000)
    finish.later(0.15)
    shouts = [event for event in finish.session.journal.events() if event.type == "Shouted"]
    claims = [round(s.public["at_s"] - s.public["pressed_s"], 3) for s in shouts]
    assert claims == [0.1, 0.15, 0.0]
    assert told(finish)["caller"] == "s3"


@pytest.mark.parametrize(
    ("claim", "early_s"), [(10**400, 0.0), (-(10**400), 0.15)], ids=["late", "early"]
)
def test_a_time_that_no_clock_has_is_believed_within_the_moment_alone(finish, claim, early_s):
    assert finish.do("bo", "call", pressed_ms=claim)["ok"]
    (waiting,) = pending(finish.session.table)
    assert waiting.at_s - waiting.pressed_s == pytest.approx(early_s, abs=1e-3)


@pytest.mark.parametrize("claim", [None, "soon", True, [1]])
def test_a_phone_that_tells_no_time_pressed_when_it_arrived(finish, claim):
    finish.do("bo", "call", pressed_ms=claim)
    (waiting,) = pending(finish.session.table)
    assert waiting.pressed_s == waiting.at_s


def test_both_times_are_in_the_journal(finish):
    shout(finish, "bo", early_ms=40)
    (event,) = [e for e in finish.session.journal.events() if e.type == "Shouted"]
    assert event.public["seat"] == "s2" and event.secret is None
    assert event.public["at_s"] - event.public["pressed_s"] == pytest.approx(0.04, abs=1e-3)


def test_while_calls_are_heard_the_row_stays_as_it_is(finish):
    shout(finish, "bo")
    finish.propose(4, 0)
    assert finish.send("bo", "confirm")["reason"] == "stale"
    finish.do("cy", "rename", name="Cyra")
    assert finish.session.game.row == (3, 6)
    finish.later(0.15)
    assert finish.session.table.phase == "BALLOT"


def test_whoever_calls_twice_is_heard_once(finish):
    shout(finish, "bo", early_ms=5)
    shout(finish, "bo", early_ms=90)
    assert len(pending(finish.session.table)) == 1


def test_who_may_not_call_is_told_at_once(finish):
    assert finish.send("ana", "call")["reason"] == "placer"
    assert pending(finish.session.table) == ()


def test_a_call_after_the_moment_is_late_as_ever(finish):
    shout(finish, "bo")
    finish.later(0.15)
    finish.session.clock.advance(0.1)
    finish.do("di", "call")
    assert told(finish)["late"][0]["seat"] == "s4"
    assert told(finish)["late"][0]["ms"] > 200


def test_a_power_cut_in_that_moment_loses_no_call(finish, open_session):
    shout(finish, "bo", early_ms=20)
    clock = finish.session.clock
    again = open_session(clock)
    again.session.config = finish.session.config
    assert [each.seat for each in pending(again.session.table)] == ["s2"]
    clock.advance(5.0)
    assert again.session.tick() == 0.0
    assert again.session.game.caller == "s2"


def test_a_caller_who_leaves_in_that_moment_does_not_hold_the_table(finish):
    shout(finish, "bo")
    finish.do("bo", "leave")
    finish.later(0.15)
    assert pending(finish.session.table) == ()
    finish.later(0.5)
    shout(finish, "cy")
    finish.later(0.15)
    assert finish.session.game.caller == "s3"


def test_without_it_the_first_call_counts_at_once(seats):
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    shout(seats, "bo")
    assert seats.session.table.phase == "BALLOT"
    shout(seats, "cy", early_ms=100)
    assert seats.session.game.caller == "s2"
    assert not seats.session.view("ana")["photo_finish"]
    assert told(seats)["tie_ms"] is None


def test_the_host_switches_it_on_and_off_and_a_restart_knows(seats, open_session):
    seats.start("ana", "bo", "cy", "di")
    assert seats.send("bo", "set_photo_finish", on=True)["reason"] == "not_allowed"
    seats.do("ana", "set_photo_finish", on=True)
    assert seats.session.view("ana")["photo_finish"]
    seats.place("ana", 3, 0)
    shout(seats, "bo", early_ms=10)
    seats.later(0.14)
    assert seats.session.table.phase == "TURN"
    seats.do("ana", "set_photo_finish", on=False)
    assert seats.session.tick() == 0.0, "a call that was heard counts at once"
    assert seats.session.game.caller == "s2"
    assert not seats.session.view("ana")["photo_finish"]
    seats.do("ana", "set_photo_finish", on=True)
    assert open_session().session.view("ana")["photo_finish"]


def test_switched_on_it_lasts_as_long_as_the_settings_say(finish):
    finish.session.config = replace(
        finish.session.config, timing=replace(finish.session.config.timing, photo_finish=0.3)
    )
    finish.do("ana", "set_photo_finish", on=False)
    finish.do("ana", "set_photo_finish", on=True)
    shout(finish, "bo")
    finish.later(0.29)
    assert finish.session.table.phase == "TURN"
    finish.later(0.01)
    assert finish.session.table.phase == "BALLOT"


def test_every_tie_is_settled_by_arrival_and_nothing_else():
    shouts = [Shouted(f"s{n}", 10.0 + n / 100, 9.9 + n * TIE_S * 0.4, 1) for n in range(4)]
    first, late = in_order(list(reversed(shouts)))
    assert first.seat == "s0" and [seat for seat, _ in late] == ["s1", "s2", "s3"]
