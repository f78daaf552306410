"""The push from the last look to the journal: what stops it, what it missed, what is remembered."""

import json
from dataclasses import replace

import pytest

import rig.machine.push_runner
from physics.row.push import Push
from rig.games.estimation.table.estimation_play import from_record
from rig.journal import DiskTrouble
from rig.machine.push_runner import LATE_S
from rig.row.push_events import Cause, PushBegun, PushStep
from tests.support.whole_rig import WholeRig


@pytest.fixture
def table(open_session):
    return WholeRig(open_session)


@pytest.fixture
def fingers(open_session):
    """A table that sees and has no pusher; `fingers.when_now` is what a finger does then."""
    table = WholeRig(open_session, pusher={"kind": "hand"})
    table.when_now = lambda: None
    frame = table.machine.observer.frame

    def looked():
        now_ms = table.session.live.now_ms
        if now_ms is not None and table.clock.now_s() * 1000 >= now_ms + 300:
            finger, table.when_now = table.when_now, lambda: None
            finger()
        return frame()

    table.machine.observer.frame = looked
    return table


def while_armed(table, happens):
    """Let something happen once the arm has power, before it goes."""
    pusher = table.machine.rig.pusher
    arm = pusher.arm

    def armed():
        pusher.arm = arm
        told = arm()
        happens()
        return told

    pusher.arm = armed


def reach_in(table, hand):
    """Hold a hand over the table, or take it away."""
    camera = table.machine.rig.camera.camera
    scene = table.machine.rig.virtual.scene
    camera.scene = lambda: replace(scene(), hand=hand)


def attempt(table):
    return table.session.table.attempt


def standing(table):
    return [tile.value for tile in table.machine.rig.virtual.truth()]


def strokes(table):
    return table.machine.rig.pusher.status().strokes


def test_a_hand_that_comes_in_while_the_arm_settles_stops_the_push(table):
    table.to_push()
    table.push()
    while_armed(table, lambda: reach_in(table, (285.0, 215.0)))
    table.machine._step()
    assert (attempt(table).step, attempt(table).cause) == (PushStep.REFUSED, Cause.HAND)
    assert (strokes(table), standing(table)) == (0, [3, 6])
    view = table.session.view("ana")["push"]
    assert (view["cause"], view["why"]) == ("hand", "A hand came in; nothing was pushed.")
    table.machine._step()
    assert table.machine.rig.pusher.status().state == "SAFE"
    assert table.session.view("ana")["may"]["hold"] is False
    reach_in(table, None)
    table.until(lambda: table.session.live.clear)
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")
    assert strokes(table) == 1


@pytest.mark.parametrize("looked_after_s", [0.0, 1.0])
def test_a_row_that_falls_while_the_arm_settles_was_not_pushed_but_knocked_over(
    table, looked_after_s
):
    """While it is still falling as well as once it lies."""
    table.to_push()
    table.push()

    def knock():
        table.machine.rig.virtual.knock(3)
        table.clock.sleep(looked_after_s)

    while_armed(table, knock)
    table.machine._step()
    assert (attempt(table).step, attempt(table).cause) == (PushStep.REFUSED, Cause.FELL)
    assert strokes(table) == 0
    table.until(lambda: table.session.table.phase == "ACCIDENT")
    assert 3 in table.session.view("bo")["accident"]["seen"]


def test_a_row_that_fell_between_the_button_and_the_look_is_not_pushed(table):
    table.to_push()
    table.push()
    table.machine.rig.virtual.knock(3)
    table.clock.sleep(1.0)
    table.machine._step()
    assert attempt(table).step is PushStep.REFUSED
    assert attempt(table).cause in (Cause.FELL, Cause.ROW)
    assert strokes(table) == 0


SAID = pytest.mark.parametrize(("who", "kind"), [("ana", "pause"), ("ana", "void"), ("bo", "stop")])


def comes_first(table, who, kind):
    """What somebody says while the arm settles: it makes no stroke, and is not armed any more."""
    fields = {"pause": {"on": True}, "void": {"reason": "cat"}, "stop": {}}[kind]
    while_armed(table, lambda: table.do(who, kind, **fields))
    table.machine._step()
    assert strokes(table) == 0
    if kind != "void":
        assert (attempt(table).step, attempt(table).cause) == (PushStep.REFUSED, Cause.CHANGED)
    assert table.machine.rig.pusher.status().state == ("ESTOP" if kind == "stop" else "SAFE")


@SAID
def test_what_people_say_while_the_arm_settles_comes_first(table, who, kind):
    table.to_push()
    table.push()
    comes_first(table, who, kind)


@SAID
def test_it_comes_first_where_no_camera_looks(open_session, who, kind):
    table = WholeRig(open_session, camera={"kind": "none"})
    table.to_reveal()
    table.do("ana", "go_on")
    table.until(lambda: table.session.live.clear)
    table.push()
    comes_first(table, who, kind)


def test_an_arm_that_passes_the_tile_has_missed_it_and_may_push_once_more(table):
    table.to_push()
    pusher = table.machine.rig.pusher
    touch, pusher._on_stroke = pusher._on_stroke, lambda push: None
    table.push()
    table.machine._step()
    assert (attempt(table).step, attempt(table).cause) == (PushStep.MISSED, Cause.PASSED)
    view = table.session.view("ana")
    assert (view["phase"], view["push"]["cause"]) == ("TOPPLE", "passed")
    assert view["push"]["picture"] != view["push"]["before"] is not None
    table.until(lambda: table.session.view("ana")["push"]["state"] == "switch")
    pusher._on_stroke = touch
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")
    assert (strokes(table), attempt(table).number) == (2, 2)


def test_a_push_at_the_wrong_end_is_an_accident_of_the_toppler_for_people_to_confirm(table):
    table.to_push(x_mm=235.0)
    pusher = table.machine.rig.pusher
    pusher._on_stroke = lambda push: table.machine.rig.virtual.fall(push, 6)
    table.push()
    table.until(lambda: table.session.table.phase == "ACCIDENT")
    accident = table.session.view("bo")["accident"]
    assert (accident["kind"], accident["culprit"], accident["seen"]) == ("wrong_end", "s1", [6])
    assert attempt(table).cause is Cause.WRONG_END
    assert {s["chips"] for s in table.session.view("bo")["seats"]} == {0}
    table.do("bo", "accident_confirm")
    assert table.session.game.chips == {"s1": 0, "s2": 1}


def test_who_pushed_right_after_all_has_people_say_what_fell(table):
    table.to_push(x_mm=235.0)
    pusher = table.machine.rig.pusher
    pusher._on_stroke = lambda push: table.machine.rig.virtual.fall(push, 6)
    table.push()
    table.until(lambda: table.session.table.phase == "ACCIDENT")
    table.do("ana", "accident_reject")
    view = table.session.view("bo")
    assert (view["phase"], view["push"]["state"]) == ("TOPPLE", "report")
    assert table.seats.send("ana", "hold")["reason"] == "pushed"


def test_what_was_pushed_is_written_down_before_anything_moves(table):
    table.to_push()
    told = []
    while_armed(table, lambda: told.extend(table.session.journal.events()))
    table.push()
    table.machine._step()
    (begun,) = (e for e in map(from_record, told) if isinstance(e, PushBegun))
    assert [tile.value for tile in begun.row] == [3, 6]
    assert all(0 < tile.sigma_mm < 2 and tile.sigma_deg > 0 for tile in begun.row)
    config = table.session.config.pusher
    assert (begun.stroke.speed_mm_s, begun.stroke.path) == (config.speed_mm_s, "smooth")
    before = table.session.picture(begun.picture)
    after = table.session.picture(table.session.table.seen.picture)
    assert before != after
    assert before.startswith(b"\xff\xd8")
    verdict = table.session.view("bo")["verdict"]
    assert verdict["before"] == f"/picture/{begun.picture}.jpg" != verdict["picture"]
    assert verdict["confidence"] > 0.8


def test_what_cannot_be_written_down_is_not_pushed(table, monkeypatch):
    table.to_push()
    table.push()
    append = table.session.journal.append

    def full(records, *args, **more):
        if any(record.type == "PushBegun" for record in records):
            raise DiskTrouble("the disk is full")
        return append(records, *args, **more)

    monkeypatch.setattr(table.session.journal, "append", full)
    table.machine._step()
    assert (attempt(table).step, attempt(table).cause) == (PushStep.REFUSED, Cause.DISK)
    assert (strokes(table), standing(table)) == (0, [3, 6])


@pytest.mark.parametrize(
    ("camera", "kind"),
    [("virtual", "PushRequested"), ("none", "PushRequested"), ("none", "PushBegun")],
)
def test_what_the_disk_kept_waiting_is_not_pushed(open_session, monkeypatch, camera, kind):
    table = WholeRig(open_session, camera={"kind": camera})
    table.to_reveal()
    table.do("ana", "go_on")
    table.until(lambda: table.session.live.clear)
    append = table.session.journal.append

    def slow(records, *args, **more):
        v = append(records, *args, **more)
        if any(record.type == kind for record in records):
            table.clock.sleep(LATE_S + 1.0)
        return v

    monkeypatch.setattr(table.session.journal, "append", slow)
    table.push()
    table.machine._step()
    assert (attempt(table).step, attempt(table).cause) == (PushStep.REFUSED, Cause.LATE)
    assert (strokes(table), table.machine.rig.pusher.status().state) == (0, "SAFE")


def test_after_a_push_that_nobody_is_sure_of_there_is_no_second_one(table):
    table.to_push()
    hidden = table.machine.rig.virtual.scene
    table.push()
    pusher = table.machine.rig.pusher
    touch = pusher._on_stroke

    def touched(push):
        touch(push)
        table.machine.rig.camera.camera.scene = lambda: replace(hidden(), hand=(400.0, 300.0))

    pusher._on_stroke = touched
    table.machine._step()
    view = table.session.view("bo")
    assert (view["push"]["state"], view["push"]["doubts"]) == ("report", ["hidden"])
    table.do("ana", "switch", on=True)
    assert table.seats.send("ana", "hold")["reason"] == "pushed"
    assert strokes(table) == 1


def test_stop_works_on_every_phone_in_every_phase_without_a_question(table):
    table.start("ana", "bo")
    phases = []

    def stop_by(who):
        phases.append(table.session.table.phase.value)
        assert table.session.view(who)["may"]["stop"]
        table.do(who, "stop")
        assert table.machine.rig.pusher.status().state == "ESTOP"
        assert table.session.table.stopped_by is not None
        table.do("ana", "clear_stop")

    stop_by("bo")
    table.place("ana", 3, 275.0)
    table.do("bo", "call")
    stop_by("ana")
    table.do("bo", "vote", side="failure")
    stop_by("bo")
    table.until(lambda: table.session.table.phase == "REVEAL")
    stop_by("bo")
    table.until(lambda: table.session.table.phase == "TOPPLE")
    stop_by("bo")
    table.do("bo", "accident", culprit=None)
    stop_by("ana")
    table.do("ana", "accident_reject")
    table.until(lambda: table.session.live.clear)
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")
    stop_by("bo")
    table.until(lambda: table.session.table.phase == "ROUND_END")
    stop_by("bo")
    assert len(set(phases)) == 8


def finger(table):
    """The toppler holds the button; the finger follows when the phone says "now"."""
    nonce = table.do("ana", "hold")["nonce"]
    table.clock.sleep(1.5)
    table.do("ana", "push", nonce=nonce)
    table.machine._step()


def test_a_finger_is_filmed_and_judged_as_an_arm_is(fingers):
    fingers.to_push()
    view = fingers.session.view("ana")
    assert (view["push"]["kind"], view["push"]["state"], view["may"]["hold"]) == (
        "finger",
        "ready",
        True,
    )
    assert view["may"]["switch"] is False
    states = []

    def push():
        states.append(fingers.session.view("bo")["push"]["state"])
        fingers.machine.rig.touch(Push())

    fingers.when_now = push
    finger(fingers)
    assert states == ["finger"]
    verdict = fingers.session.view("bo")["verdict"]
    assert (verdict["outcome"], verdict["by"], verdict["sure"]) == ("fell", "camera", True)
    assert verdict["order"][0] == [3, 0]
    assert attempt(fingers).kind == "finger"


def test_at_a_virtual_table_the_finger_is_a_key_on_the_topplers_phone(fingers):
    fingers.to_push()
    assert fingers.seats.send("ana", "touch")["reason"] == "too_early"
    told = []

    def push():
        told.append(fingers.session.view("ana")["may"]["touch"])
        told.append(fingers.seats.send("bo", "touch")["reason"])
        fingers.do("ana", "touch")

    fingers.when_now = push
    finger(fingers)
    assert told == [True, "not_toppler"]
    assert fingers.session.view("bo")["verdict"]["fallen"] == [3, 6]


def test_a_hand_beside_the_row_is_no_doubt_of_a_push_by_finger(fingers):
    fingers.to_push()

    def push():
        reach_in(fingers, (255.0, 210.0))
        fingers.machine.observer.frame()
        fingers.machine.rig.touch(Push())
        fingers.when_now = lambda: reach_in(fingers, None)

    fingers.when_now = push
    finger(fingers)
    verdict = fingers.session.view("bo")["verdict"]
    assert (verdict["outcome"], verdict["by"], verdict["doubts"]) == ("fell", "camera", [])


def test_a_finger_that_never_comes_has_missed_and_may_come_again(fingers, monkeypatch):
    fingers.to_push()
    with monkeypatch.context() as hurry:
        hurry.setattr(rig.machine.push_runner, "FINGER_S", 2.0)
        finger(fingers)
    assert (attempt(fingers).step, attempt(fingers).cause) == (PushStep.MISSED, Cause.NOBODY)
    fingers.until(lambda: fingers.session.view("ana")["may"]["hold"])
    fingers.when_now = lambda: fingers.machine.rig.touch(Push())
    finger(fingers)
    assert fingers.session.table.phase == "JUDGE"


def test_stop_ends_the_wait_for_a_finger(fingers):
    fingers.to_push()
    fingers.when_now = lambda: fingers.do("bo", "stop")
    finger(fingers)
    assert (attempt(fingers).step, attempt(fingers).cause) == (PushStep.STOPPED, Cause.CHANGED)
    view = fingers.session.view("ana")
    assert (view["push"]["state"], view["push"]["now_ms"]) == ("stopped", None)
    assert standing(fingers) == [3, 6]


def test_a_finger_at_the_wrong_end_is_noticed(fingers):
    fingers.to_push(x_mm=235.0)
    push = Push()
    fingers.when_now = lambda: fingers.machine.rig.virtual.fall(push, 6)
    finger(fingers)
    assert fingers.session.view("bo")["accident"]["kind"] == "wrong_end"


def test_a_snapshot_of_a_push_is_plain_json(table):
    table.to_push()
    json.dumps(table.session.view("ana")["push"], allow_nan=False)
