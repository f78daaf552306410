"""What the machine is told of a game of Estimation Domino: what is wanted of it, what changes."""

import pytest

from rig.row.physical import RowChange, Stage


@pytest.fixture
def heard(seats):
    """What the machine hears of every commit: the change, and the duty after it."""
    session, words = seats.session, []

    def before_commit(before, after):
        physical = session.physical
        words.append((physical.change(before, after), physical.duty(after)))
        return ()

    session.machine.before_commit = before_commit
    return words


def test_a_deal_a_tile_a_call_and_a_take_back_say_what_becomes_of_the_tiles(seats, heard):
    seats.start("ana", "bo", "cy")
    assert RowChange(dealt=True, placed=True) in [change for change, _ in heard]
    seats.place("ana", 3, 0)
    change, duty = heard[-1]
    assert change == RowChange(placed=True, passed=True)
    assert (duty.stage, duty.values, duty.active) == (Stage.PLACING, (3, 6), "s2")
    assert not duty.from_row and 3 not in duty.choosable and 4 in duty.choosable
    seats.do("ana", "illegal")
    assert heard[-1][0].taken == (3,)
    seats.place("ana", 3, 0)
    seats.do("bo", "call")
    change, duty = heard[-1]
    assert (change, duty.stage) == (RowChange(passed=True), Stage.STANDING)


def test_a_vote_is_nothing_to_the_machine_and_it_is_not_asked(seats, heard):
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    seats.do("bo", "call")
    physical, asked = seats.session.physical, len(heard)
    for name, side in (("cy", "success"), ("bo", "failure"), ("cy", "failure")):
        before = seats.session.table
        if before.phase != "BALLOT":
            break
        seats.do(name, "vote", side=side)
        after = seats.session.table
        assert after.game.ballots != before.game.ballots
        assert physical.change(before, after) == RowChange()
    assert (seats.session.table.phase, len(heard)) == ("COUNTDOWN", asked)


def test_the_end_that_is_pushed_and_who_pushes_are_known_once_a_push_is_due(seats, heard):
    seats.start("ana", "bo")
    seats.place("ana", 3, 0)
    assert (seats.session.duty.end, seats.session.duty.toppler) == (None, None)
    seats.do("bo", "call")
    seats.do("bo", "vote", side="failure")
    seats.later(2.4)
    seats.later(8.0)
    duty = heard[-1][1]
    assert (duty.stage, duty.end, duty.toppler) == (Stage.PUSHING, "left", "s1")


def test_up_to_the_push_somebody_calls_all_vote_and_nothing_more_is_said(seats):
    session = seats.session
    seats.start("ana", "bo")
    seats.place("ana", 3, 0)
    devices = {player.seat: player.device for player in session.table.players}
    said = []
    while moves := session.physical.to_the_push(session.table):
        taken = [m for m in moves if seats.send(devices[m.seat], m.kind, **m.fields)["ok"]]
        assert taken  # the placer's ballot is bound: the last vote of the others ends it
        said += [(move.seat, move.kind) for move in taken]
    assert said == [("s2", "call"), ("s2", "vote")]
    seats.later(2.4)
    seats.later(8.0)
    assert session.duty.stage is Stage.PUSHING
    assert session.physical.to_the_push(session.table) == ()
