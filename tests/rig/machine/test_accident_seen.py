"""What the rig makes of tiles that are down: a proposal to the people, never a decision."""

from dataclasses import replace

import numpy as np
import pytest

from physics.row.tile import State
from rig.clock import ManualClock
from rig.machine.device_watch import Rig
from rig.machine.loop import Machine
from rig.pusher.virtual import VirtualPusher
from rig.row.physical import WATCHED
from rig.row.push_events import PushRequested, PushStep
from rig.row.row_diff import Difference, Kind
from rig.row.row_live import Reading
from rig.row.written_row import chain_of
from rig.virtual.table import VirtualTable
from rig.virtual.world import open_world
from vision.look.track import Sight, Tracker


class NoCamera:
    def read(self):
        raise AssertionError("these tests say themselves what is seen")

    def is_opening(self):
        return False

    def close(self) -> None: ...


@pytest.fixture
def seen(open_session):
    """A game of three with a row of two; `seen(values)` lets the camera notice tiles down."""
    clock = ManualClock()
    seats = open_session(clock)
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    seats.see_row()
    rng = np.random.default_rng(1)
    virtual = VirtualTable(open_world("pymunk", rng), clock, rng)
    rig = Rig(NoCamera(), None, Tracker(), VirtualPusher(clock, rng), virtual)
    machine = Machine(seats.session, rig)

    def notice(values, still=True, knocked=True):
        row = chain_of(seats.session.table.row)
        down = tuple(replace(t, state=State.FALLEN) for t in row.tiles if t.value in values)
        sight = Sight(1.0, still=still, knocked=down if knocked else (), accident=down)
        return machine.observer._notice_accident(sight, seats.session.table, seats.session.duty)

    notice.seats, notice.session = seats, seats.session
    return notice


def to_topple(seen):
    seen.seats.do("cy", "call")
    seen.seats.do("bo", "vote", side="failure")
    seen.seats.do("cy", "vote", side="success")
    for _ in range(2):  # three, two, one; then the ballots lie open
        seen.seats.later(10.0)
    assert seen.session.table.phase == "TOPPLE"


def test_an_accident_in_a_turn_is_put_to_the_people_and_nothing_is_paid(seen):
    assert seen({6})
    view = seen.session.view("ana")
    assert (view["phase"], view["accident"]["culprit"]) == ("ACCIDENT", "s2")
    assert {seat["chips"] for seat in view["seats"]} == {0}
    assert seen.session.game.row == (3, 6)


def test_phones_are_told_that_it_was_the_camera_who_noticed(seen):
    assert seen({3, 6})
    assert sorted(seen.session.view("bo")["accident"]["seen"]) == [3, 6]
    seen.seats.do("bo", "accident_reject")
    seen.seats.do("ana", "accident_reject")
    seen.seats.do("bo", "accident", culprit="s1")
    assert seen.session.view("bo")["accident"]["seen"] == []


def test_nothing_is_proposed_before_looks_agree(seen):
    assert not seen({6}, still=False)
    assert seen.session.table.phase == "TURN"


def test_an_accident_while_ballots_are_cast_accuses_nobody(seen):
    seen.seats.do("cy", "call")
    assert seen({3, 6})
    assert seen.session.view("ana")["accident"]["culprit"] is None


def test_the_hosts_phone_offers_what_the_host_may_settle(seen):
    def offered(who):
        may = seen.session.view(who)["may"]
        return may["accident_confirm"], may["accident_reject"]

    seen.seats.do("cy", "call")
    assert seen({3, 6})
    assert (offered("ana"), offered("cy")) == ((True, True), (True, False))
    seen.seats.do("ana", "accident_reject")
    seen.seats.do("ana", "accident", culprit="s2")
    assert (offered("ana"), offered("bo")) == ((True, False), (True, True))
    seen.seats.do("bo", "accident_reject")
    assert (offered("ana"), offered("bo")) == ((True, True), (True, False))
    seen.seats.do("ana", "accident_reject")
    assert seen.session.table.phase == "BALLOT"


def test_an_accident_before_the_push_accuses_nobody(seen):
    to_topple(seen)
    assert seen({6})
    assert seen.session.view("ana")["accident"]["culprit"] is None


@pytest.mark.parametrize("step", [PushStep.REQUESTED, PushStep.DONE, PushStep.UNKNOWN])
def test_what_fell_by_the_push_is_no_accident(seen, step):
    to_topple(seen)
    seen.session.commit([PushRequested(1, "left", 3, None)], "s1")
    table = seen.session.table
    seen.session.table = replace(table, attempt=replace(table.attempt, step=step))
    assert not seen({3, 6})
    assert seen.session.table.phase == "TOPPLE"


def test_a_rejected_accident_is_not_proposed_again(seen):
    assert seen({6})
    seen.seats.do("bo", "accident_reject")
    seen.seats.do("ana", "accident_reject")
    assert not seen({6})
    assert seen.session.table.phase == "TURN"


def test_a_middle_tile_in_a_hand_is_no_accident_once_the_supply_is_empty(seen):
    for n, value in enumerate((1, 2, 4, 5, 7, 8, 9, 10, 11)):
        seen.seats.place(("bo", "cy", "ana")[n % 3], value, 0)
    seen.seats.see_row()
    assert not seen.session.game.supply
    assert not seen({6 if seen.session.game.row[-1] != 6 else 3}, knocked=False)
    assert seen({seen.session.game.row[0]}, knocked=False)


def test_what_the_camera_noticed_is_nobodys_claim_to_take_back(seen):
    assert seen({6})
    assert not seen.session.view("bo")["may"]["accident_withdraw"]
    assert seen.seats.send("bo", "accident_withdraw")["reason"] == "seen_down"


def test_an_accusation_is_taken_back_by_whoever_made_it(seen):
    seen.seats.do("ana", "accident", culprit="s2")
    assert not seen.session.view("bo")["may"]["accident_withdraw"]
    assert seen.session.view("ana")["may"]["accident_withdraw"]
    seen.seats.do("ana", "accident_withdraw")
    assert (seen.session.table.phase, seen.session.game.row) == ("TURN", (3, 6))


def test_an_accused_host_says_no_once(seen):
    seen.seats.do("bo", "accident", culprit="s1")
    seen.seats.do("ana", "accident_reject")
    assert seen.session.table.phase == "TURN"


def test_an_accident_that_was_none_is_taken_back_by_the_host_with_a_reason(seen):
    seen.seats.do("ana", "accident", culprit="s2")
    seen.seats.do("cy", "accident_confirm")
    assert [seat["chips"] for seat in seen.session.view("ana")["seats"]] == [1, 0, 1]
    assert seen.session.view("ana")["accident_paid"]["culprit"] == "s2"
    assert not seen.session.view("bo")["may"]["accident_undo"]
    assert seen.seats.send("bo", "accident_undo", reason="me")["reason"] == "not_allowed"
    seen.seats.do("ana", "accident_undo", reason="it was the cat")
    view = seen.session.view("ana")
    assert [seat["chips"] for seat in view["seats"]] == [0, 0, 0]
    assert not view["may"]["accident_undo"]
    assert (view["ruling"]["kind"], view["ruling"]["why"]) == ("accident", "it was the cat")


@pytest.mark.parametrize(
    ("reading", "all_up"),
    [
        (Reading("looking"), None),
        (Reading("waiting"), True),
        (Reading("differs", differs=(Difference(Kind.SHIFTED, 3),)), True),
        (Reading("differs", differs=(Difference(Kind.DOWN, 3),)), False),
        (Reading("differs", differs=(Difference(Kind.GONE, 3),)), False),
    ],
)
def test_an_accusation_says_whether_the_camera_sees_all_tiles_up(seen, reading, all_up):
    seen.session.read(Reading("waiting"))
    seen.seats.do("ana", "accident", culprit="s2")
    assert seen.session.view("bo")["accident"]["all_up"] is None  # nobody has looked since
    seen.session.read(reading)
    assert seen.session.view("bo")["accident"]["all_up"] is all_up


def test_the_camera_looks_at_the_row_while_an_accident_is_claimed(seen):
    seen.seats.do("ana", "accident", culprit="s2")
    assert seen.session.duty.stage in WATCHED
