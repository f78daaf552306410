"""A tile that was read counts by itself after a while, and when that time begins anew."""

from dataclasses import replace

import pytest

from physics.row.pose import Pose
from rig.row.row_live import Reading


@pytest.fixture
def read(seats):
    """A table where the tile of the player whose turn it is has just been read."""
    seats.start("ana", "bo", "cy")
    seats.propose(9, 1)
    return seats


def row(seats):
    return seats.session.game.row


def reading(seats, name="ana"):
    return seats.session.view(name)["reading"]


def shift(seats, dx_mm):
    now = seats.session.live.reading
    tile = replace(now.tile, pose=Pose(now.tile.pose.x_mm + dx_mm, now.tile.pose.y_mm, 0.0))
    seats.session.read(replace(now, tile=tile))


def test_a_tile_that_was_read_counts_by_itself_after_eight_seconds(read):
    read.later(7.9)
    assert row(read) == (6,)
    read.later(0.2)
    assert (row(read), read.session.game.placer) == ((6, 9), "s1")
    assert [tile.value for tile in read.session.table.row] == [6, 9]


def test_the_journal_says_that_the_referee_placed_it_for_the_seat(read):
    read.later(9)
    placed = [r for r in read.session.journal.events() if r.type == "TilePlaced"]
    assert [(r.actor, r.public["seat"]) for r in placed] == [("referee for s1", "s1")]


def test_everybody_sees_until_when_it_waits(read):
    read.later(3)
    view = read.session.view("cy")
    assert view["reading"]["until_ms"] - view["reading"]["from_ms"] == 8000
    assert view["reading"]["until_ms"] - view["now_ms"] == pytest.approx(5000, abs=5)


def test_what_the_placer_confirms_counts_at_once_and_only_once(read):
    read.do("ana", "confirm")
    read.later(20)
    assert (row(read), read.session.game.active) == ((6, 9), "s2")


def test_a_tile_that_is_moved_again_has_its_whole_time_anew(read):
    read.later(7)
    shift(read, 5.0)
    read.later(7)
    assert row(read) == (6,)
    read.later(1.1)
    assert row(read) == (6, 9)


def test_a_measurement_that_trembles_does_not_begin_anew(read):
    for n in range(8):
        read.later(0.9)
        shift(read, 0.4 if n % 2 else -0.4)
    read.later(0.9)
    assert row(read) == (6, 9)


def test_a_tile_that_creeps_is_never_still(read):
    for _ in range(10):
        read.later(1.5)
        shift(read, 1.0)
    assert row(read) == (6,)


def test_a_hand_over_the_table_lets_it_begin_anew(read):
    read.later(7)
    read.session.read(Reading("hand"))
    read.later(30)
    assert row(read) == (6,)
    read.propose(9, 1)
    read.later(7.9)
    assert row(read) == (6,)
    read.later(0.2)
    assert row(read) == (6, 9)


def test_another_place_of_the_same_tile_is_another_proposal(read):
    read.later(7)
    read.propose(9, 0)
    read.later(7)
    assert row(read) == (6,)
    read.later(1.1)
    assert row(read) == (9, 6)


def test_what_is_wrong_never_counts_by_itself(read):
    now = read.session.live.reading
    read.session.read(replace(now, state="wrong", violations=(("branch", (6, 9)),)))
    assert reading(read)["until_ms"] is None
    read.later(100)
    assert row(read) == (6,)


def test_a_pause_stops_it_and_after_it_the_time_begins_anew(read):
    read.later(7)
    read.do("ana", "pause", on=True)
    assert reading(read)["until_ms"] is None
    read.later(100)
    assert row(read) == (6,)
    read.do("ana", "pause", on=False)
    read.later(7.9)
    assert row(read) == (6,)
    read.later(0.2)
    assert row(read) == (6, 9)


def test_with_no_hurry_it_waits_for_its_placer(read):
    read.do("ana", "set_timers", no_hurry=True)
    assert reading(read)["until_ms"] is None
    read.later(1000)
    assert row(read) == (6,)
    read.do("ana", "confirm")
    assert row(read) == (6, 9)


def test_a_time_of_zero_leaves_it_to_the_placer(read):
    config = read.session.config
    read.session.config = replace(config, timing=replace(config.timing, proposal=0.0))
    read.later(1000)
    assert (row(read), reading(read)["until_ms"]) == ((6,), None)


def test_it_waits_while_the_placer_puts_the_reading_right(read):
    assert read.session.view("ana")["may"]["wait"]
    assert not read.session.view("bo")["may"]["wait"]
    read.do("ana", "wait", on=True)
    assert reading(read)["until_ms"] is None
    read.later(100)
    assert row(read) == (6,)
    read.do("ana", "wait", on=False)
    read.later(7.9)
    assert row(read) == (6,)
    read.later(0.2)
    assert row(read) == (6, 9)


def test_only_the_player_whose_turn_it_is_can_let_it_wait(read):
    assert read.send("bo", "wait", on=True)["reason"] == "not_your_turn"
    assert read.send("ana", "wait", on="yes")["reason"] == "bad_command"
    read.later(9)
    assert row(read) == (6, 9)


def test_a_call_before_its_time_is_over_sends_it_back(read):
    read.do("ana", "confirm")
    read.propose(3, 0)
    read.later(7)
    read.do("cy", "call")
    read.later(7)
    assert (read.session.table.phase, row(read)) == ("BALLOT", (6, 9))


def test_it_leaves_calls_the_time_that_the_rules_of_the_table_give_them(seats):
    seats.sit("ana", "bo", "cy")
    seats.do("ana", "set_options", options={"call_window": 15})
    seats.do("ana", "start")
    seats.see_row()
    seats.place("ana", 9, 1)
    seats.propose(3, 0)
    seats.later(14.9)
    assert row(seats) == (6, 9)
    seats.later(0.2)
    assert row(seats) == (3, 6, 9)


def test_a_hard_limit_of_the_turn_that_is_over_sooner_comes_first(seats):
    seats.start("ana", "bo", "cy")
    seats.do("ana", "set_timers", turn="hard", turn_s=10)
    seats.later(5)
    seats.propose(9, 1)
    seats.later(4.9)
    assert row(seats) == (6,)
    seats.later(0.2)
    assert row(seats) == (6, 9)


def test_after_a_restart_nothing_is_proposed_until_it_is_read_again(open_session):
    seats = open_session()
    seats.start("ana", "bo")
    seats.propose(9, 1)
    seats = open_session(seats.session.clock)
    seats.later(100)
    assert row(seats) == (6,)


def test_a_phone_that_goes_away_holds_nothing_up(read):
    read.session.connected("ana", True)
    read.do("ana", "wait", on=True)
    read.later(100)
    read.session.connected("ana", False)
    read.later(7.9)
    assert row(read) == (6,)
    read.later(0.2)
    assert row(read) == (6, 9)
