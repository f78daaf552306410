"""The last ballot can be mended for a calm second: on the table's clock, not on one phone."""

from dataclasses import replace

import pytest

from rig.config import load_config
from rig.history.gamefile import made
from rig.history.verify import verified


@pytest.fixture
def vote(seats):
    """Ana has stood a tile, bo has called and voted; cy's ballot is the last one."""
    seats.session.config = load_config(timing={"last_ballot": 1.0})
    seats.start("ana", "bo", "cy")
    seats.place("ana", 9, 1)
    seats.do("bo", "call")
    seats.do("bo", "vote", side="failure")
    return seats


def phase(table):
    return table.session.table.phase


def shown(table):
    """How all voted, once that is shown."""
    table.later(1.1)
    table.later(2.5)
    return table.session.view("ana")["reveal"]["ballots"]


def test_the_last_ballot_locks_them_all_after_one_calm_second(vote):
    vote.do("cy", "vote", side="failure")
    vote.later(0.9)
    assert phase(vote) == "BALLOT"
    vote.later(0.2)
    assert phase(vote) == "COUNTDOWN"


def test_a_ballot_that_is_changed_within_the_second_counts_as_changed(vote):
    vote.do("cy", "vote", side="failure")
    vote.later(0.9)
    vote.do("cy", "vote", side="success")
    vote.later(0.9)
    assert phase(vote) == "BALLOT", "the second begins anew"
    assert shown(vote) == {"s1": "success", "s2": "failure", "s3": "success"}


def test_a_phone_that_is_closed_within_the_second_loses_nothing(vote):
    vote.do("cy", "vote", side="failure")
    vote.session.connected("cy", False)
    assert shown(vote)["s3"] == "failure"


def test_the_table_is_killed_within_the_second_and_the_ballot_is_there(vote, open_session):
    vote.do("cy", "vote", side="failure")
    again = open_session()
    again.session.config = vote.session.config
    assert again.session.view("cy")["ballot"]["mine"] == "failure"
    again.later(1.0)
    assert phase(again) == "COUNTDOWN"


def test_only_who_cast_the_last_ballot_is_told_that_it_can_be_mended(vote):
    vote.session.connected("cy", True)
    vote.do("cy", "vote", side="failure")
    views = {name: vote.session.view(name)["ballot"] for name in ("ana", "bo", "cy", "watcher")}
    closing = {"seat": "s3", "at_ms": vote.session.now_ms() + 1000}
    assert {name: (view["mine"], view["closing"]) for name, view in views.items()} == {
        **{"ana": ("success", None), "bo": ("failure", None)},
        **{"cy": ("failure", closing), "watcher": (None, None)},
    }


def test_the_host_who_cast_it_for_somebody_without_a_phone_can_mend_it(vote):
    vote.session.connected("cy", False)
    vote.do("ana", "vote", side="failure", **{"for": "s3"})
    assert vote.session.view("ana")["ballot"]["closing"]["seat"] == "s3"
    vote.do("ana", "vote", side="success", **{"for": "s3"})
    assert shown(vote)["s3"] == "success"


def test_the_host_is_not_told_when_a_ballot_closes_that_a_phone_cast_before_it_dozed(vote):
    vote.do("cy", "vote", side="failure")
    vote.session.connected("cy", False)
    assert vote.session.view("ana")["ballot"]["closing"] is None


def test_before_the_last_ballot_nothing_closes(vote):
    assert vote.session.view("cy")["ballot"]["closing"] is None
    vote.later(100.0)
    assert phase(vote) == "BALLOT"


def test_a_pause_within_the_second_gives_a_whole_second_after_it(vote):
    vote.do("cy", "vote", side="failure")
    vote.later(0.9)
    vote.do("ana", "pause", on=True)
    vote.later(100.0)
    vote.do("ana", "pause", on=False)
    vote.later(0.9)
    assert phase(vote) == "BALLOT"
    vote.later(0.2)
    assert phase(vote) == "COUNTDOWN"


def test_the_last_ballot_of_a_bot_needs_no_second(seats):
    seats.session.config = load_config(timing={"last_ballot": 1.0})
    seats.sit("ana", "bo")
    seats.do("ana", "add_bot")
    seats.do("ana", "start", first="s1")
    seats.see_row()
    seats.place("ana", 9, 1)
    seats.do("bo", "call")
    seats.do("bo", "vote", side="failure")
    seats.do("bot:s3", "vote", side="success")
    assert phase(seats) == "COUNTDOWN"


@pytest.mark.parametrize("last_ballot", [0.0, 1.0])
def test_ballots_that_closed_at_once_and_those_that_waited_are_both_proved(vote, last_ballot):
    """As journals have it from before there was such a second, and from now on."""
    vote.session.config = load_config(timing={"last_ballot": last_ballot})
    vote.do("cy", "vote", side="success")
    vote.later(0.5)
    if last_ballot:
        vote.do("cy", "vote", side="failure")
    vote.later(1.1)
    vote.later(3.0)
    records = list(vote.session.journal.events())
    locked = [r.actor for r in records if r.type == "BallotsLocked"]
    assert locked == ["referee" if last_ballot else "s3"]
    assert verified(made(records)).findings == []


def test_a_file_in_which_a_player_closes_the_vote_of_all_is_found_out(vote):
    vote.do("cy", "vote", side="failure")
    vote.later(1.1)
    vote.later(3.0)
    records = [
        replace(r, actor="s2") if r.type == "BallotsLocked" else r
        for r in vote.session.journal.events()
    ]
    assert [f.kind for f in verified(made(records)).findings] == ["actor"]


def test_nobody_keeps_a_ballot_open_by_changing_it_again_and_again(vote):
    sides = ("failure", "success", "failure", "success")
    for side in sides:
        assert phase(vote) == "BALLOT"
        vote.do("cy", "vote", side=side)
        vote.later(0.9)
    assert phase(vote) == "COUNTDOWN"
