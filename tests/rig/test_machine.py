"""The machine's work, step by step on a clock that runs fast: from the camera to the journal."""

import dataclasses

import numpy as np
import pytest

from rig.clock import SystemClock
from rig.pusher import HandPusher
from rig.rigs import open_rig
from rig.table import PushStep
from vision.errors import VisionError


@pytest.fixture
def table(open_session):
    """A session with the whole virtual rig behind it; `again()` opens it after a crash."""

    class Table:
        def __init__(self):
            self.again()

        def again(self):
            self.clock = SystemClock(speed=25.0)
            self.seats = open_session(self.clock)
            self.session = self.seats.session
            seeds = np.random.SeedSequence(7)
            self.machine = open_rig(self.session, self.session.config, self.clock, seeds)
            self.do = self.seats.do

        def until(self, wanted, steps=60):
            for _ in range(steps):
                self.machine._step()
                if wanted():
                    return
                self.clock.sleep(0.15)
            raise AssertionError(self.session.live)

        def start(self, *names):
            self.seats.sit(*names)
            self.do(names[0], "start")
            self.until(lambda: self.session.table.row)

        def stand(self, name, value, x_mm, **how):
            place = {"y_mm": 210.0, "heading_deg": 0.0, "orientation": "vertical", **how}
            return self.do(name, "stand", value=value, x_mm=x_mm, **place)

        def reading(self):
            return self.session.live.reading

        def place(self, name, value, x_mm, **how):
            self.stand(name, value, x_mm, **how)
            self.until(lambda: self.reading().state == "proposal")
            self.do(name, "confirm")

        def to_push(self, x_mm=275.0):
            self.start("ana", "bo")
            self.place("ana", 3, x_mm)
            self.do("bo", "call")
            self.do("bo", "vote", side="failure")
            self.until(lambda: self.session.table.phase == "TOPPLE")
            self.until(lambda: self.session.live.clear and self.session.live.forecast)

        def push(self):
            self.do("ana", "switch", on=True)
            nonce = self.do("ana", "hold")["nonce"]
            self.clock.sleep(1.5)
            self.do("ana", "push", nonce=nonce)

    return Table()


def test_a_tile_is_read_by_the_camera_before_the_game_knows_of_it(table):
    table.start("ana", "bo")
    table.stand("ana", 3, 275.0)
    assert table.session.game.row == (6,)
    table.until(lambda: table.reading().state == "proposal")
    view = table.session.view("ana")["reading"]
    assert (view["tile"]["value"], view["place"], view["tile"]["orientation"]) == (
        3,
        "left",
        "vertical",
    )
    table.do("ana", "confirm")
    assert table.session.game.row == (3, 6)
    assert abs(table.session.table.row[0].x_mm - 275.0) < 2.5


def test_a_tile_put_between_is_read_between(table):
    table.start("ana", "bo")
    table.place("ana", 3, 260.0)
    table.place("bo", 9, 280.0, orientation="horizontal")
    assert table.session.game.row == (3, 9, 6)
    assert table.session.table.row[1].orientation == "horizontal"


def test_a_tile_may_be_taken_back_and_another_stood(table):
    table.start("ana", "bo")
    table.stand("ana", 3, 275.0)
    table.until(lambda: table.reading().state == "proposal")
    table.do("ana", "take_back")
    table.until(lambda: table.reading().state == "waiting")
    table.place("ana", 4, 330.0)
    assert table.session.game.row == (6, 4)


def test_a_call_sends_the_unconfirmed_tile_back(table):
    table.start("ana", "bo")
    table.place("ana", 3, 275.0)
    table.stand("bo", 9, 330.0)
    table.until(lambda: table.reading().state == "proposal")
    table.do("bo", "call")
    assert [t.value for t in table.machine.rig.virtual.truth()] == [3, 6]


def test_a_tile_put_onto_another_is_an_accident_that_people_confirm(table):
    table.start("ana", "bo", "cy")
    table.place("ana", 3, 275.0)
    table.stand("bo", 9, 278.0)
    table.until(lambda: table.session.table.phase == "ACCIDENT")
    assert table.session.view("ana")["accident"]["culprit"] == "s2"
    table.do("bo", "accident_confirm")
    chips = {s["seat"]: s["chips"] for s in table.session.view("ana")["seats"]}
    assert chips == {"s1": 1, "s2": 0, "s3": 1}
    table.until(lambda: table.session.table.row)
    assert table.session.game.row == (6,)


def test_a_lone_tile_that_was_knocked_over_is_stood_up_again(table):
    table.start("ana", "bo")
    table.stand("ana", 9, 302.0)
    table.until(lambda: table.reading().state == "waiting")
    table.until(lambda: [t.value for t in table.machine.rig.virtual.truth()] == [6])
    table.until(lambda: table.reading().state == "waiting")
    table.place("ana", 9, 330.0)
    assert table.session.game.row == (6, 9)


def test_after_a_rejected_accident_the_tiles_stand_again(table):
    table.start("ana", "bo")
    table.place("ana", 3, 275.0)
    table.stand("bo", 9, 278.0)
    table.until(lambda: table.session.table.phase == "ACCIDENT")
    table.do("bo", "accident_reject")
    table.do("ana", "accident_reject")
    table.until(lambda: table.reading().state == "waiting")
    assert [t.value for t in table.machine.rig.virtual.truth()] == [3, 6]


def test_a_turn_goes_on_after_a_crash_with_the_tile_still_on_the_table(table):
    table.start("ana", "bo")
    table.place("ana", 3, 275.0)
    table.stand("bo", 9, 330.0)
    before = table.machine.rig.virtual.state()
    table.again()
    assert table.machine.rig.virtual.state() == before
    table.until(lambda: table.reading().state == "proposal")
    table.do("bo", "confirm")
    assert table.session.game.row == (3, 6, 9)


def test_a_push_ends_in_a_verdict_with_a_picture_and_chips(table):
    table.to_push()
    assert table.session.view("ana")["verdict"] is None
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")
    verdict = table.session.view("bo")["verdict"]
    assert (verdict["outcome"], verdict["by"], verdict["fallen"]) == ("fell", "camera", [3, 6])
    assert [value for value, _ in verdict["order"]] == [3, 6]
    assert verdict["prediction"]["p_fall"] > 0.5
    number = int(verdict["picture"].split("/")[2].split(".")[0])
    assert table.session.picture(number).startswith(b"\xff\xd8")
    table.do("ana", "agree")
    table.do("bo", "agree")
    assert table.session.game.chips == {"s1": 1, "s2": 0}
    assert table.machine.rig.pusher.status().strokes == 1


def test_a_gap_too_wide_stands_and_is_named(table):
    table.to_push(x_mm=235.0)
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")
    verdict = table.session.view("bo")["verdict"]
    assert (verdict["outcome"], verdict["up"], verdict["between"]) == ("stood", [6], [3, 6])
    assert abs(verdict["gap_mm"] - 57.5) < 3.0


def test_after_a_crash_in_mid_stroke_nothing_is_pushed_and_a_person_decides(table):
    table.to_push()
    table.push()
    table.again()
    table.until(lambda: table.session.live.clear)
    for _ in range(5):
        table.machine._step()
    assert table.session.table.attempt.step is PushStep.UNKNOWN
    assert table.machine.rig.pusher.status().strokes == 0
    assert [t.value for t in table.machine.rig.virtual.truth()] == [3, 6]


def test_a_stop_before_the_touch_leaves_the_row_standing(table):
    table.to_push()
    table.push()
    pusher = table.machine.rig.pusher
    ask = pusher.link.ask

    def asked(text, **how):
        reply = ask(text, **how)
        if text.startswith("PUSH"):
            pusher.link.ask = ask
            table.do("bo", "stop")
        return reply

    pusher.link.ask = asked
    table.machine._step()
    assert table.session.table.attempt.step is PushStep.STOPPED
    assert table.session.view("ana")["push"]["state"] == "stopped"
    assert pusher.status().state == "ESTOP"
    assert [t.value for t in table.machine.rig.virtual.truth()] == [3, 6]
    table.do("ana", "clear_stop")
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")
    assert table.session.table.pushes == 2


def test_a_push_that_the_pusher_refuses_moves_nothing_and_may_be_tried_again(table):
    table.to_push()
    table.push()
    table.machine.rig.pusher.set_switch(False)
    table.machine._step()
    attempt = table.session.table.attempt
    assert (attempt.step, "nothing moved" in attempt.why) == (PushStep.REFUSED, True)
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")


def test_a_camera_that_fails_is_said_in_words_and_blocks_the_push(table):
    table.to_push()

    def broken():
        raise VisionError("the camera is unplugged; plug it in")

    table.machine.rig.camera = dataclasses.replace(table.machine.rig.camera, scene=broken)
    table.machine._guarded_step()
    view = table.session.view("ana")
    assert view["fault"] == "the camera is unplugged; plug it in"
    assert (view["push"]["state"], view["may"]["hold"]) == ("fault", False)


@pytest.mark.parametrize(
    ("kind", "fields"), [("estop", {"pressed": True}), ("beam", {"beam": 0, "broken": True})]
)
def test_nobody_has_virtual_hands_at_a_pusher_that_is_not_virtual(table, kind, fields):
    table.to_push()
    table.do("ana", kind, **fields)
    hands = table.session.view("ana")["push"]["hands"]
    assert hands["estop"] or hands["beams"][0]
    table.machine.rig.pusher = HandPusher(table.clock)
    assert table.seats.send("ana", kind, **fields)["reason"] == "real_pusher"
    assert table.session.view("ana")["push"]["hands"] is None
