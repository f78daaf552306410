"""What runs out: off, only shown, or acting; thirty seconds more; and no hurry at all."""

from dataclasses import replace

import pytest

from rig.clock import ManualClock
from rig.games.estimation.commands import Report
from rig.games.estimation.game import Options
from rig.games.estimation.terms import CAMERA, Result
from rig.serialise import to_plain
from rig.session.events import OptionsChosen


def to_ballot(seats, **timers):
    if timers:
        seats.sit("ana")
        seats.do("ana", "set_timers", **timers)
        seats.do("ana", "leave")
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    seats.do("bo", "call")
    seats.do("bo", "vote", side="failure")


def phase(seats):
    return seats.session.table.phase


def test_by_default_nobody_is_hurried(seats):
    to_ballot(seats)
    assert seats.session.view("cy")["timer"] is None
    seats.later(3600)
    assert phase(seats) == "BALLOT"


def test_a_soft_limit_is_shown_and_does_nothing(seats):
    to_ballot(seats, ballot="soft", ballot_s=20)
    timer = seats.session.view("cy")["timer"]
    assert (timer["kind"], timer["hard"]) == ("ballot", False)
    assert timer["until_ms"] - timer["from_ms"] == 20_000
    seats.later(60)
    assert phase(seats) == "BALLOT"


def test_after_a_hard_limit_a_missing_ballot_says_success(seats):
    to_ballot(seats, ballot="hard", ballot_s=20)
    seats.later(19.9)
    assert phase(seats) == "BALLOT"
    seats.session.clock.advance(0.2)
    assert seats.session.tick() == 0.0
    assert phase(seats) == "COUNTDOWN"
    assert dict(seats.session.game.ballots) == {"s1": "success", "s2": "failure", "s3": "success"}


def test_the_host_gives_thirty_seconds_more(seats):
    to_ballot(seats, ballot="hard", ballot_s=20)
    assert seats.session.view("ana")["may"]["longer"]
    assert not seats.session.view("bo")["may"]["longer"]
    assert seats.send("bo", "longer")["reason"] == "not_allowed"
    seats.do("ana", "longer")
    seats.later(49.9)
    assert phase(seats) == "BALLOT"
    seats.later(0.2)
    assert phase(seats) != "BALLOT"


def test_there_is_nothing_to_make_longer_without_a_limit(seats):
    to_ballot(seats)
    assert seats.send("ana", "longer")["reason"] == "no_timer"


def test_more_time_is_for_one_step_only(seats):
    to_ballot(seats, ballot="hard", ballot_s=20, turn="soft", turn_s=30)
    seats.do("ana", "longer")
    seats.do("cy", "vote", side="success")
    seats.later(2.4)
    seats.later(8.0)
    assert phase(seats) == "TOPPLE"
    seats.do("ana", "void", reason="x")
    timer = seats.session.view("ana")["timer"]
    assert timer["until_ms"] - timer["from_ms"] == 30_000


def test_after_a_hard_limit_a_turn_without_a_tile_passes(seats):
    seats.start("ana", "bo", "cy")
    seats.do("ana", "set_timers", turn="hard", turn_s=30)
    seats.session.clock.advance(30.1)
    assert seats.session.tick() == 0.0
    assert seats.session.game.active == "s2"


def test_after_a_hard_limit_the_tile_that_stands_counts(seats):
    seats.start("ana", "bo", "cy")
    seats.do("ana", "set_timers", turn="hard", turn_s=30)
    seats.propose(9, 1)
    seats.session.clock.advance(30.1)
    assert seats.session.tick() == 0.0
    assert (seats.session.game.row, seats.session.game.placer) == ((6, 9), "s1")
    assert [t.value for t in seats.session.table.row] == [6, 9]


def test_turns_stop_passing_once_everybody_was_passed_over(seats):
    seats.start("ana", "bo", "cy")
    seats.do("ana", "set_timers", turn="hard", turn_s=30)
    for _ in range(5):
        seats.later(31)
    skipped = [r for r in seats.session.journal.events() if r.type == "TurnSkipped"]
    assert len(skipped) == 3
    assert seats.session.view("ana")["timer"]["hard"] is False
    seats.place("ana", 9, 1)
    assert seats.session.view("ana")["timer"]["hard"] is True


def test_a_limit_waits_while_the_game_is_paused(seats):
    to_ballot(seats, ballot="hard", ballot_s=20)
    seats.do("ana", "pause", on=True)
    seats.later(100)
    assert phase(seats) == "BALLOT"
    seats.do("ana", "pause", on=False)
    seats.later(19)
    assert phase(seats) == "BALLOT"
    view = seats.session.view("cy")
    assert view["timer"]["until_ms"] - view["now_ms"] == pytest.approx(1000, abs=50)


def test_with_no_hurry_nothing_runs_out_and_the_count_is_slow(seats):
    to_ballot(seats, ballot="hard", ballot_s=20, no_hurry=True)
    assert seats.session.view("cy")["timer"] is None
    seats.later(100)
    assert phase(seats) == "BALLOT"
    seats.do("cy", "vote", side="success")
    assert seats.session.view("cy")["countdown"]["step_ms"] == 1600
    seats.later(4.7)
    assert phase(seats) == "COUNTDOWN"
    seats.later(0.2)
    assert phase(seats) == "REVEAL"


def test_with_no_hurry_a_verdict_waits_for_a_word_and_a_round_for_a_tap(seats):
    to_ballot(seats, no_hurry=True)
    seats.do("cy", "vote", side="success")
    seats.later(4.9)
    seats.later(16.0)
    assert phase(seats) == "TOPPLE"
    seats.push_seen(Result.FELL)
    seats.session.commit(seats.session.decide(CAMERA, Report(Result.FELL)), CAMERA)
    assert seats.session.view("cy")["verdict"]["stands_ms"] is None
    seats.later(1000)
    assert phase(seats) == "JUDGE"
    seats.do("ana", "agree")
    seats.do("bo", "agree")
    seats.later(1000)
    assert phase(seats) == "ROUND_END"
    seats.do("ana", "next")
    assert phase(seats) == "TURN"


def revealed(seats, *sides):
    """The ballots of three lie open; ana stood the last tile, and says Success."""
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    seats.do("cy", "call")
    for device, side in zip(("bo", "cy"), sides, strict=True):
        seats.do(device, "vote", side=side)
    seats.later(10.0)
    assert phase(seats) == "REVEAL"


def test_the_ballots_lie_open_until_the_toppler_goes_on(seats):
    revealed(seats, "failure", "success")
    assert seats.session.view("ana")["may"]["go_on"]
    assert not seats.session.view("bo")["may"]["go_on"]
    assert seats.send("bo", "go_on")["reason"] == "not_toppler"
    seats.later(7.5)
    assert phase(seats) == "REVEAL"
    seats.do("ana", "go_on")
    assert phase(seats) == "TOPPLE"


def test_nobody_waits_longer_than_eight_seconds_for_the_toppler(seats):
    revealed(seats, "failure", "success")
    seats.later(8.0)
    assert phase(seats) == "TOPPLE"


def test_ballots_without_a_doubt_are_read_at_a_glance(seats):
    revealed(seats, "success", "success")
    assert not seats.session.view("ana")["may"]["go_on"]
    assert seats.send("ana", "go_on")["reason"] == "not_toppler"
    seats.later(2.5)
    assert phase(seats) == "TURN"


def test_a_bot_that_pushes_needs_no_time_to_go_on(seats):
    revealed(seats, "failure", "success")
    table = seats.session.table
    players = tuple(replace(p, bot=p.seat == "s1") for p in table.players)
    seats.session.table = replace(table, players=players)
    seats.later(2.5)
    assert phase(seats) == "TOPPLE"


@pytest.mark.parametrize(
    "wrong",
    [{"ballot": "fast"}, {"turn": 3}, {"ballot_s": 9}, {"turn_s": 601}, {"no_hurry": "yes"}],
)
def test_a_limit_is_one_of_three_and_ten_seconds_to_ten_minutes(seats, wrong):
    seats.sit("ana")
    assert seats.send("ana", "set_timers", **wrong)["reason"] == "bad_command"
    assert seats.session.table.timers is None


def test_limits_stay_after_a_restart(open_session):
    seats = open_session()
    seats.sit("ana")
    seats.do("ana", "set_timers", turn="soft", turn_s=45)
    seats.do("ana", "set_timers", no_hurry=True)
    expected = {"ballot": "off", "turn": "soft", "ballot_s": 60.0, "turn_s": 45.0, "no_hurry": True}
    assert open_session().session.view("ana")["timers"] == expected


def test_the_rules_are_chosen_by_name_in_the_lobby(seats):
    seats.sit("ana", "bo")
    seats.do("ana", "set_options", options={"judge": "people", "call_window": 5})
    seats.do("ana", "set_options", options={"toppler": "next"})
    options = seats.session.view("bo")["options"]
    assert (options["judge"], options["call_window"], options["toppler"]) == ("people", 5, "next")
    seats.do("ana", "start")
    assert seats.session.game.options == Options(judge="people", call_window=5, toppler="next")
    reply = seats.send("ana", "set_options", options={"judge": "camera"})
    assert reply["reason"] == "running"


@pytest.mark.parametrize(
    "wrong", [None, {}, [], {"judge": "dog"}, {"nonsense": 1}, {"judge": []}, {"call_window": -1}]
)
def test_an_option_that_is_none_is_refused_by_name(seats, wrong):
    seats.sit("ana")
    reason = "bad_option" if wrong and isinstance(wrong, dict) else "bad_command"
    assert seats.send("ana", "set_options", options=wrong)["reason"] == reason


def test_only_the_host_chooses_rules_and_limits(seats):
    seats.sit("ana", "bo")
    assert seats.send("bo", "set_options", options={"judge": "people"})["reason"] == "not_allowed"
    assert seats.send("bo", "set_timers", turn="hard")["reason"] == "not_allowed"


SET = pytest.mark.parametrize("set_by_s", [-3600.0, -0.4, 0.0, 0.4, 3600.0])
"""By how much the computer's clock was set while the table was closed."""


def restarted(open_session, seats, set_by_s):
    clock = ManualClock(seats.session.clock.now_s() + set_by_s)
    again = open_session(clock)
    again.session.config = seats.session.config
    return again


@SET
def test_after_a_restart_a_ballot_has_its_whole_time_whatever_the_clock_says(
    open_session, seats, set_by_s
):
    to_ballot(seats, ballot="hard", ballot_s=20)
    seats.later(15)
    again = restarted(open_session, seats, set_by_s)
    timer, now_ms = (again.session.view("cy")[name] for name in ("timer", "now_ms"))
    assert timer["until_ms"] - now_ms == 20_000 and timer["from_ms"] == now_ms
    again.later(19.9)
    assert phase(again) == "BALLOT"
    again.later(0.2)
    assert phase(again) == "COUNTDOWN"


@SET
def test_after_a_restart_a_call_that_was_heard_counts_within_its_moment(
    open_session, seats, set_by_s
):
    timing = replace(seats.session.config.timing, photo_finish=0.15)
    seats.session.config = replace(seats.session.config, timing=timing)
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    seats.do("bo", "call", pressed_ms=seats.session.clock.now_s() * 1000)
    again = restarted(open_session, seats, set_by_s)
    again.later(0.1)
    assert phase(again) == "TURN"
    again.later(0.06)
    assert (phase(again), again.session.game.caller) == ("BALLOT", "s2")
    again.do("cy", "call")
    ((seat, late_ms),) = again.session.live.shouts
    assert seat == "s3" and 0 <= late_ms <= 200


@SET
def test_after_a_restart_a_proposal_leaves_calls_their_time_once_and_then_counts(
    open_session, seats, set_by_s
):
    options = Options.parse({"call_window": 2.0})
    seats.sit("ana", "bo")
    seats.session.commit([OptionsChosen(to_plain(options))], "s1")
    seats.do("ana", "start")
    seats.see_row()
    seats.place("ana", 3, 0)
    again = restarted(open_session, seats, set_by_s)
    again.propose(4, 0)
    again.later(60.0)
    assert again.session.game.row == (4, 3, 6)


def test_a_start_of_the_table_can_be_told_from_the_one_before(open_session, seats):
    before = seats.session.view("ana")["opened_ms"]
    seats.later(5)
    assert seats.session.view("ana")["opened_ms"] == before
    assert open_session(ManualClock(5e8)).session.view("ana")["opened_ms"] == 5e11
