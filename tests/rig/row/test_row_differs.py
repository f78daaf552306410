"""A row that somebody touched: shown to everybody, built on by nobody, and three ways on."""

import math

import pytest

from rig.games.estimation.story.narrator import sentence
from rig.games.estimation.table.estimation_play import from_record
from rig.journal import Record
from rig.row.row_table import RowRead
from tests.support.telling import in_english
from tests.support.whole_rig import WholeRig
from vision.capture.camera import CameraGone


class TouchedTable(WholeRig):
    """The whole rig, and somebody who touches the row."""

    @property
    def world(self):
        return self.machine.rig.virtual

    @property
    def phase(self):
        return self.session.table.phase

    def state(self):
        return self.session.live.reading.state

    def looks(self, times=8):
        for _ in range(times):
            self.machine._step()
            self.clock.sleep(0.15)

    def differs(self):
        shown = self.session.view("bo")["differs"]
        return shown and [(one["kind"], one["value"], one["mm"]) for one in shown["tiles"]]

    def place(self, name, value, x_mm, **how):
        super().place(name, value, x_mm, **how)
        self.until(lambda: self.state() == "waiting")

    def to_ballot(self):
        self.start("ana", "bo")
        self.place("ana", 3, 275.0)
        self.do("bo", "call")
        self.looks(2)

    def read_rows(self):
        return [r for r in self.session.journal.events() if r.type == "RowRead"]


@pytest.fixture
def table(open_session):
    return TouchedTable(open_session)


@pytest.fixture
def touched(table):
    """A row of two tiles, of which the 3 has just been shoved 12 mm aside."""
    table.start("ana", "bo", "cy")
    table.place("ana", 3, 265.0)
    table.world.shove(3, 0.0, 12.0)
    table.until(lambda: table.state() == "differs")
    return table


def test_a_tile_shoved_between_turns_is_shown_to_everybody_with_how_far(touched):
    ((kind, value, mm),) = touched.differs()
    assert (kind, value) == ("shifted", 3)
    assert abs(mm - 12) <= 1
    (tile,) = touched.session.view("cy")["differs"]["tiles"]
    place = touched.session.table.row[0]
    assert math.dist(
        (tile["was"]["x_mm"], tile["was"]["y_mm"]), (place.x_mm, place.y_mm)
    ) == pytest.approx(0.0, abs=0.1)
    assert abs(tile["now"]["y_mm"] - tile["was"]["y_mm"]) == pytest.approx(12.0, abs=1.0)


def test_while_it_differs_a_tile_placed_is_not_read_and_nothing_counts_by_itself(touched):
    touched.stand("bo", 9, 330.0)
    touched.looks()
    assert touched.state() == "differs"
    assert touched.seats.send("bo", "confirm")["reason"] == "no_proposal"
    assert touched.seats.send("bo", "correct", value=9, position=2)["reason"] == "no_proposal"
    touched.clock.sleep(60.0)
    touched.looks()
    assert touched.session.game.row == (3, 6)


def test_put_back_it_ends_by_itself_and_the_tile_placed_meanwhile_is_read(touched):
    touched.stand("bo", 9, 330.0)
    touched.world.shove(3, 0.0, -11.0)
    touched.until(lambda: touched.state() == "proposal")
    assert touched.session.live.reading.tile.value == 9
    assert touched.session.view("bo")["differs"] is None


def test_a_call_is_free_for_it_is_about_the_row_as_it_stands(touched):
    touched.do("cy", "call")
    touched.looks(3)
    assert touched.phase == "BALLOT"
    assert touched.differs()[0][:2] == ("shifted", 3)


def test_the_player_whose_turn_it_is_says_it_is_right_and_another_nods(touched):
    assert touched.session.view("bo")["may"]["row_is_right"]
    assert not touched.session.view("cy")["may"]["row_is_right"]
    before = len(touched.read_rows())
    touched.do("bo", "row_is_right", right=True)
    assert len(touched.read_rows()) == before
    assert touched.session.view("cy")["differs"]["by"] == "s2"
    assert touched.session.view("cy")["may"]["row_is_right"]
    assert not touched.session.view("bo")["may"]["row_is_right"]
    touched.do("cy", "row_is_right", right=True)
    written = touched.read_rows()[-1]
    told = in_english(sentence(touched.session.table, from_record(written)))
    assert told == "bo says that the row is right as it stands, and cy agrees."
    last = written.public
    assert (last["by"], last["nod"], last["latest"]) == ("s2", "s3", 3)
    assert abs(last["tiles"][0]["y_mm"] - 222.0) < 4.0
    touched.until(lambda: touched.state() == "waiting")
    touched.looks()
    assert touched.session.view("bo")["differs"] is None
    assert touched.session.live.reading.notices == ()


def test_a_tile_placed_before_the_row_was_taken_as_it_stands_is_read_after(touched):
    touched.stand("bo", 9, 330.0)
    touched.looks()
    touched.do("bo", "row_is_right", right=True)
    touched.do("cy", "row_is_right", right=True)
    assert [t.value for t in touched.session.table.row] == [3, 6]
    touched.until(lambda: touched.state() == "proposal")
    touched.do("bo", "confirm")
    assert touched.session.game.row == (3, 6, 9)


def test_another_player_may_say_no_and_the_first_may_take_it_back(touched):
    touched.do("bo", "row_is_right", right=True)
    touched.do("cy", "row_is_right", right=False)
    assert touched.session.view("bo")["differs"]["by"] is None
    touched.do("bo", "row_is_right", right=True)
    touched.do("bo", "row_is_right", right=False)
    assert touched.session.view("bo")["differs"]["by"] is None
    assert touched.seats.send("cy", "row_is_right", right=True)["reason"] == "not_for_you"


def test_nobody_nods_to_a_row_that_was_touched_once_more(touched):
    touched.do("bo", "row_is_right", right=True)
    touched.world.shove(3, 0.0, 8.0)
    touched.until(lambda: touched.differs() and touched.differs()[0][2] > 16)
    assert touched.session.view("cy")["differs"]["by"] is None


def test_a_row_in_another_order_has_to_be_put_back(table):
    table.start("ana", "bo")
    table.place("ana", 3, 265.0)
    table.place("bo", 9, 335.0)
    table.world.shove(9, -110.0)
    table.until(lambda: table.state() == "differs")
    assert ("order", 9) in [one[:2] for one in table.differs()]
    assert not table.session.view("ana")["may"]["row_is_right"]
    assert table.seats.send("ana", "row_is_right", right=True)["reason"] == "other_row"
    table.world.shove(9, 110.0)
    table.until(lambda: table.state() == "waiting")


def test_an_accident_may_be_claimed_instead_by_whom(touched):
    touched.do("bo", "accident", culprit="s3")
    assert touched.phase == "ACCIDENT"
    assert touched.session.view("ana")["differs"] is None
    touched.do("cy", "accident_confirm")
    assert touched.session.game.row == (6,)


def test_a_touch_that_does_not_matter_is_only_a_notice(table):
    table.start("ana", "bo")
    table.place("ana", 3, 265.0)
    table.world.shove(3, 0.0, 5.0)
    table.until(lambda: table.session.live.reading.notices)
    assert (table.state(), table.session.live.reading.notices) == (
        "waiting",
        (("shifted", (3,)),),
    )


def test_a_row_touched_after_the_call_is_shown_while_people_vote(table):
    table.to_ballot()
    table.world.shove(3, 0.0, 12.0)
    table.until(lambda: table.state() == "differs")
    view = table.session.view("ana")["differs"]
    assert (view["keeper"], view["stays"]) == ("s1", True)
    table.do("ana", "row_is_right", right=True)
    table.do("bo", "row_is_right", right=True)
    table.looks()
    assert table.session.view("ana")["differs"] is None


def test_a_row_that_differs_is_not_pushed(table):
    table.to_push()
    table.world.shove(3, 0.0, 12.0)
    table.until(lambda: table.state() == "differs")
    table.do("ana", "switch", on=True)
    table.looks(1)
    assert table.seats.send("ana", "hold")["reason"] == "differs"
    assert not table.session.view("ana")["may"]["hold"]
    table.do("ana", "row_is_right", right=True)
    table.do("bo", "row_is_right", right=True)
    table.until(lambda: table.session.live.clear and table.session.live.forecast)
    nonce = table.do("ana", "hold")["nonce"]
    table.clock.sleep(1.5)
    table.do("ana", "push", nonce=nonce)
    table.until(lambda: table.session.table.seen)


def test_a_tile_touched_between_hold_and_stroke_keeps_the_arm_still(table):
    table.to_push()
    table.do("ana", "switch", on=True)
    nonce = table.do("ana", "hold")["nonce"]
    table.clock.sleep(1.5)
    table.do("ana", "push", nonce=nonce)
    table.world.shove(3, 0.0, 12.0)
    table.machine._step()
    assert table.session.table.attempt.step == "refused"
    assert [tile.value for tile in table.world.truth()] == [3, 6]


def test_after_a_restart_a_row_that_was_cleared_away_differs_and_is_no_accident(table):
    table.start("ana", "bo")
    table.place("ana", 3, 265.0)
    table.place("bo", 9, 335.0)
    table.again()
    table.world.clear()
    table.until(lambda: table.state() == "differs")
    table.looks(12)
    assert (table.phase, table.state()) == ("TURN", "differs")
    assert {one[:2] for one in table.differs()} >= {("gone", 3), ("gone", 9)}
    assert not table.session.view("ana")["may"]["row_is_right"]


def test_after_a_restart_a_row_that_stands_as_it_did_is_no_news(table):
    table.start("ana", "bo")
    table.place("ana", 3, 265.0)
    table.again()
    table.until(lambda: table.state() == "waiting")
    assert table.session.view("ana")["differs"] is None


def test_after_a_restart_a_tile_that_falls_before_all_eyes_is_an_accident_again(table):
    table.start("ana", "bo")
    table.place("ana", 3, 265.0)
    table.again()
    table.until(lambda: table.state() == "waiting")
    table.world.knock(3)
    table.until(lambda: table.phase == "ACCIDENT")


def test_after_the_camera_was_away_the_row_is_compared(table):
    table.start("ana", "bo")
    table.place("ana", 3, 265.0)
    read = table.machine.rig.camera.read

    def gone():
        raise CameraGone("the camera was unplugged")

    table.machine.rig.camera.read = gone
    for _ in range(6):
        table.machine._guarded_step()
        table.clock.sleep(2.0)
    table.world.shove(3, 0.0, 12.0)
    table.machine.rig.camera.read = read
    table.until(lambda: table.state() == "differs", steps=200)
    assert table.differs()[0][:2] == ("shifted", 3)


def test_the_picture_of_now_points_at_what_is_wrong_and_is_drawn_once(touched):
    jpeg = touched.session.picture_now()
    assert jpeg[:2] == b"\xff\xd8" and len(jpeg) <= 100_000
    assert touched.session.picture_now() is jpeg
    touched.world.shove(3, 0.0, -12.0)
    touched.until(lambda: touched.state() == "waiting")
    assert touched.session.picture_now() != jpeg


def test_there_is_no_picture_of_a_table_at_which_no_row_is_looked_at(table):
    assert table.session.picture_now() is None
    table.start("ana", "bo")
    assert table.session.view("ana")["live"] == "/picture/now.jpg"
    assert table.session.picture_now() is not None
    table.machine.observer.blinded(CameraGone("the camera was unplugged"))
    assert (table.session.view("ana")["live"], table.session.picture_now()) == (None, None)


def test_another_order_that_people_agree_on_may_then_stay_where_it_stands(table):
    table.start("ana", "bo")
    table.place("ana", 3, 265.0)
    table.place("bo", 9, 335.0)
    table.world.shove(9, -52.0)
    table.until(lambda: table.state() == "differs")
    table.do("bo", "fix_row", order=[3, 9, 6])
    table.do("ana", "consent_row")
    table.until(lambda: table.differs() and table.differs()[0][:2] == ("shifted", 9))
    table.do("ana", "row_is_right", right=True)
    table.do("bo", "row_is_right", right=True)
    table.until(lambda: table.state() == "waiting")
    assert [tile.value for tile in table.session.table.row] == [3, 9, 6]


def test_a_row_that_was_read_before_anybody_could_nod_to_it_is_read_as_ever():
    before = Record(1.0, "camera", "RowRead", {"tiles": [], "latest": None})
    assert from_record(before) == RowRead(())
