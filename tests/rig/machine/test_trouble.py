"""What happens when the disk is full, a camera fails or people change their mind in mid-push."""

import sqlite3

import pytest

from rig.pusher.port import Reach
from rig.pusher.protocol import PusherConfused
from rig.row.push_events import Cause, PushStep
from tests.support.whole_rig import WholeRig
from vision.errors import VisionError


class FullDisk:
    """A database connection that takes no more events until there is room again."""

    def __init__(self, db):
        self.db = db
        self.full = True

    def execute(self, sql, *args):
        if self.full and sql.startswith("INSERT"):
            raise sqlite3.OperationalError("database or disk is full")
        return self.db.execute(sql, *args)

    @property
    def in_transaction(self):
        return self.db.in_transaction

    def close(self):
        self.db.close()


def fill_disk(session):
    session.journal._db = FullDisk(session.journal._db)
    return session.journal._db


class Table(WholeRig):
    """A whole rig whose moves may be refused, and something may happen in mid-push."""

    def again(self):
        super().again()
        self.send = self.seats.send
        self.pusher = self.machine.rig.pusher

    @property
    def attempt(self):
        return self.session.table.attempt

    def state(self):
        return self.machine.rig.virtual.state()

    def in_stroke(self, action):
        """Do something once, right after the pusher has accepted a stroke."""
        ask = self.pusher.link.ask

        def asked(text, **how):
            reply = ask(text, **how)
            if text.startswith("PUSH") and not reply.refused:
                self.pusher.link.ask = ask
                action()
            return reply

        self.pusher.link.ask = asked

    def all_stand(self):
        return [t.value for t in self.machine.rig.virtual.truth()] == [3, 6]


@pytest.fixture
def table(open_session):
    return Table(open_session)


def test_a_command_that_the_disk_does_not_take_changes_nothing(seats):
    seats.start("ana", "bo", "cy")
    seats.place("ana", 3, 0)
    before = seats.session.table
    disk = fill_disk(seats.session)
    reply = seats.send("bo", "call", id="again")
    assert (reply["ok"], reply["reason"]) == (False, "disk")
    assert "make room" in reply["message"]
    assert seats.session.table is before
    disk.full = False
    assert "dup" not in seats.do("bo", "call", id="again")


def test_a_push_that_could_not_be_written_is_not_made_later(table):
    table.to_push()
    table.do("ana", "switch", on=True)
    nonce = table.do("ana", "hold")["nonce"]
    table.clock.sleep(1.5)
    disk = fill_disk(table.session)
    assert table.send("ana", "push", nonce=nonce)["reason"] == "disk"
    disk.full = False
    table.do("bo", "rename", name="Bea")
    table.machine._step()
    assert table.session.live.push_due is None
    assert table.pusher.status().strokes == 0


def test_a_tile_whose_standing_could_not_be_written_is_not_on_the_table(table):
    table.start("ana", "bo")
    before = table.state()
    disk = fill_disk(table.session)
    assert table.stand("ana", 3, 275.0, verb="send")["reason"] == "disk"
    assert table.state() == before
    disk.full = False
    table.stand("ana", 3, 275.0)


def test_a_tile_that_cannot_stand_there_leaves_the_one_before_it_on_the_table(table):
    table.start("ana", "bo")
    table.stand("ana", 3, 275.0)
    before = table.state()
    assert not table.stand("ana", 4, 9999.0, verb="send")["ok"]
    assert table.state() == before == table.session.table.world


def test_a_call_that_could_not_be_written_leaves_the_unconfirmed_tile(table):
    table.start("ana", "bo")
    table.stand("ana", 3, 275.0)
    table.until(lambda: table.session.live.reading.state == "proposal")
    table.do("ana", "confirm")
    table.stand("bo", 9, 330.0)
    before = table.state()
    fill_disk(table.session)
    assert table.send("bo", "call")["reason"] == "disk"
    assert table.state() == before


def test_the_machine_survives_a_full_disk_and_writes_the_verdict_once_there_is_room(table):
    table.to_push()
    table.push()
    disks = []
    table.in_stroke(lambda: disks.append(fill_disk(table.session)))
    table.machine._guarded_step()
    assert "make room" in table.session.view("ana")["fault"]
    assert table.attempt.step is PushStep.REQUESTED
    disks[0].full = False
    table.until(lambda: table.session.table.phase == "JUDGE")
    assert (table.attempt.step, table.pusher.status().strokes) == (PushStep.DONE, 1)
    assert table.session.live.fault == ""


def test_a_stop_between_the_request_and_the_arming_holds_even_when_all_is_freed_at_once(table):
    table.to_push()
    table.push()
    table.do("bo", "stop")
    table.machine._step()
    assert (table.attempt.step, table.pusher.status().strokes) == (PushStep.REFUSED, 0)
    table.do("ana", "clear_stop")
    table.do("ana", "switch", on=True)
    table.machine._step()
    assert (table.pusher.status().state, table.all_stand()) == ("SAFE", True)


def test_a_stop_while_armed_and_not_yet_moving_prevents_the_stroke(table):
    table.to_push()
    table.push()
    arm = table.pusher.arm

    def armed():
        granted = arm()
        table.do("bo", "stop")
        return granted

    table.pusher.arm = armed
    table.machine._step()
    assert table.attempt.step is PushStep.REFUSED
    assert (table.pusher.status().strokes, table.all_stand()) == (0, True)


@pytest.mark.parametrize("change", ["pause", "accident", "void"])
def test_nothing_is_pushed_once_the_table_has_changed_its_mind(table, change):
    table.to_push()
    table.push()
    fields = {"pause": {"on": True}, "accident": {"culprit": "s2"}, "void": {"reason": "x"}}
    table.do("ana", change, **fields[change])
    table.machine._step()
    assert table.pusher.status().strokes == 0
    assert table.session.live.push_due is None
    assert table.attempt is None or table.attempt.step is PushStep.REFUSED


def test_after_a_rejected_accident_the_push_can_be_asked_for_again(table):
    table.to_push()
    table.push()
    table.do("ana", "accident", culprit="s2")
    table.machine._step()
    table.do("bo", "accident_reject")
    table.do("ana", "accident_reject")
    table.do("ana", "switch", on=False)
    table.until(lambda: table.session.live.clear)
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")


def test_a_void_in_mid_stroke_takes_the_arm_back_and_leaves_the_new_round_alone(table):
    table.to_push()
    table.push()
    table.in_stroke(lambda: table.do("ana", "void", reason="a cat"))
    table.machine._step()
    assert (table.attempt, table.session.table.seen) == (None, None)
    assert table.session.game.row == (6,)
    table.until(lambda: table.session.table.row)
    assert [t.value for t in table.machine.rig.virtual.truth()] == [6]


def test_the_toppler_may_leave_in_mid_stroke_and_the_row_is_still_judged(table):
    table.seats.sit("cy")
    table.do("cy", "rename", name="Cy")
    table.seats.do("ana", "sit", name="ana", mark="star")
    table.do("ana", "ready", on=True)
    table.seats.do("bo", "sit", name="bo", mark="square")
    table.do("bo", "ready", on=True)
    table.do("cy", "start", first="s2")
    table.until(lambda: table.session.table.row)
    table.stand("ana", 3, 275.0)
    table.until(lambda: table.session.live.reading.state == "proposal")
    table.do("ana", "confirm")
    table.do("bo", "call")
    table.do("bo", "vote", side="failure")
    table.do("cy", "vote", side="failure")
    table.until(lambda: table.session.table.phase == "TOPPLE" and table.session.live.clear)
    table.push()
    table.in_stroke(lambda: table.do("ana", "leave"))
    table.machine._step()
    assert (table.session.table.phase, table.attempt.step) == ("JUDGE", PushStep.DONE)


def test_a_switch_turned_off_in_mid_stroke_is_no_verdict_and_can_be_mended(table):
    table.to_push()
    table.push()
    table.in_stroke(lambda: table.do("ana", "switch", on=False))
    table.machine._step()
    assert (table.attempt.step, table.all_stand()) == (PushStep.STOPPED, True)
    table.machine._step()
    view = table.session.view("ana")
    assert (view["push"]["state"], view["may"]["clear_stop"]) == ("away", False)
    assert table.send("ana", "hold")["reason"] == "away"
    table.do("ana", "homed", away=view["push"]["away"])
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")


def test_a_button_that_was_pressed_before_the_pusher_started_is_told_of_and_blocks_the_push(table):
    table.to_push()
    table.pusher.set_estop(True)
    table.pusher.restart()
    table.do("ana", "switch", on=True)
    table.machine._step()
    assert table.pusher.status().state == "SAFE"
    view = table.session.view("ana")
    assert (view["push"]["state"], view["may"]["hold"]) == ("stopped", False)
    assert view["may"]["clear_stop"]
    assert table.send("ana", "clear_stop")["reason"] == "arm_estop"
    table.pusher.set_estop(False)
    table.machine._step()
    assert table.session.view("ana")["push"]["state"] == "switch"
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")


def test_that_the_arm_is_home_is_said_by_the_host_of_this_very_time_alone(table):
    table.to_push()
    table.push()
    table.in_stroke(lambda: table.do("bo", "stop"))
    table.machine._step()
    table.machine._step()
    view = table.session.view("ana")
    assert (view["push"]["state"], view["may"]["homed"]) == ("stopped", False)
    first = view["push"]["away"]
    table.do("ana", "clear_stop")
    table.machine._step()
    assert table.session.view("ana")["may"]["homed"]
    assert not table.session.view("bo")["may"]["homed"]
    assert table.send("bo", "homed", away=first)["reason"] == "not_allowed"
    assert table.send("ana", "homed", away="")["reason"] == "stale"
    assert table.send("ana", "homed", away="of another time")["reason"] == "stale"
    assert table.pusher.status().away
    table.do("ana", "homed", away=first)
    assert not table.pusher.status().away
    table.machine._step()
    assert table.send("ana", "homed", away=first)["reason"] == "stale"


def test_a_push_nobody_heard_the_end_of_is_not_said_to_have_stopped_on_its_way(table, monkeypatch):
    table.to_push()
    table.push()
    monkeypatch.setattr("rig.pusher.serial.SerialPusher._reach", lambda *_: Reach.UNKNOWN)
    table.pusher._on_stroke = lambda push: None
    table.machine._step()
    assert (table.attempt.step, table.attempt.cause) == (PushStep.UNKNOWN, Cause.UNHEARD)
    assert "not known how far" in table.attempt.why
    push = table.session.view("ana")["push"]
    assert (push["state"], push["cause"]) == ("unknown", "unheard")


@pytest.mark.parametrize("words", ["OK HB FAST 0 0 03 NONE 00000000"])
def test_a_pusher_that_speaks_in_strange_words_is_a_fault_that_names_them(
    table, words, monkeypatch
):
    table.to_push()
    confused = PusherConfused(words.split(), "'FAST'")

    def heartbeat():
        raise confused

    monkeypatch.setattr(table.pusher, "heartbeat", heartbeat)
    table.machine._guarded_step()
    assert "'FAST' does not belong" in table.session.view("ana")["fault"]


def test_a_camera_that_fails_in_mid_stroke_leaves_the_outcome_to_people(table):
    table.to_push()
    table.push()

    film = table.machine.observer.frame

    def broken():
        table.machine.observer.frame = film
        raise VisionError("the camera is unplugged; plug it in")

    def unplug():
        table.machine.observer.frame = broken

    table.in_stroke(unplug)
    table.machine._guarded_step()
    assert table.attempt.step is PushStep.UNKNOWN
    assert table.pusher.status().state == "SAFE"
    table.do("ana", "resolve", outcome="stood")
    assert table.session.table.phase == "JUDGE"


def test_a_camera_that_fails_before_the_stroke_withdraws_the_push(table):
    table.to_push()
    table.push()
    film = table.machine.observer.frame

    def broken():
        table.machine.observer.frame = film
        raise VisionError("the camera is unplugged; plug it in")

    table.machine.observer.frame = broken
    table.machine._guarded_step()
    table.machine._guarded_step()
    assert (table.attempt.step, table.pusher.status().strokes) == (PushStep.REFUSED, 0)


def test_a_push_that_waited_too_long_is_not_made(table):
    table.to_push()
    table.push()
    table.clock.sleep(11.0)
    table.machine._step()
    assert (table.attempt.step, table.pusher.status().strokes) == (PushStep.REFUSED, 0)


def test_a_stop_pressed_before_the_push_is_due_can_be_freed_by_the_host(table):
    table.start("ana", "bo")
    table.do("bo", "stop")
    for device, role in (("ana", "phone"), ("bo", "phone"), (None, "table")):
        assert table.session.view(device, role)["stopped_by"] == "s2", "all learn of it at once"
    assert table.session.view("ana")["may"]["clear_stop"]
    table.do("ana", "clear_stop")
    assert table.session.view("bo")["stopped_by"] is None
    assert table.pusher.status().state == "SAFE"


def test_a_watcher_cannot_touch_the_switch_or_the_button_of_the_toppler(table):
    table.to_push()
    table.do("ana", "switch", on=True)
    table.do("ana", "hold")
    assert table.send("stranger", "switch", on=False)["reason"] == "no_seat"
    assert table.send("stranger", "release")["reason"] == "no_seat"
    table.do("bo", "release")
    assert table.pusher.status().switch_on
    assert table.session.live.hold is not None


def test_a_pause_lets_go_of_the_button(table):
    table.to_push()
    table.do("ana", "switch", on=True)
    nonce = table.do("ana", "hold")["nonce"]
    table.clock.sleep(1.5)
    table.do("ana", "pause", on=True)
    table.do("ana", "pause", on=False)
    assert table.send("ana", "push", nonce=nonce)["reason"] == "no_hold"


def test_the_nonce_of_an_earlier_hold_is_worth_nothing(table):
    table.to_push()
    table.do("ana", "switch", on=True)
    first = table.do("ana", "hold")["nonce"]
    table.do("ana", "hold")
    table.clock.sleep(1.5)
    assert table.send("ana", "push", nonce=first)["reason"] == "no_hold"
    assert table.session.live.push_due is None
