"""The machine's work, step by step on a clock that runs fast: from the camera to the journal."""

import dataclasses
import json
from types import SimpleNamespace

import pytest

from physics.predict.learned_table import LearnedTable, Trust
from physics.row.table_values import Values
from rig.history import account
from rig.history.past_games import PastGames
from rig.journal import DiskTrouble
from rig.learned.known_table import KnownTable
from rig.machine.build import NoPusher
from rig.machine.forecaster import Thinker
from rig.machine.loop import Machine
from rig.row.push_events import PushStep
from tests.support.whole_rig import WholeRig
from vision.errors import VisionError


@pytest.fixture
def table(open_session):
    """A session with the whole virtual rig behind it; `again()` opens it after a crash."""
    return WholeRig(open_session)


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


def test_a_mark_that_one_look_has_missed_is_looked_for_again(table):
    table.seats.sit("ana", "bo")
    table.do("ana", "start")
    eye = table.machine.observer.eye
    eye._locate = lambda *seen, **how: ()
    table.machine._step()
    table.machine._step()
    del eye._locate
    table.until(lambda: table.session.table.row)


def test_a_round_that_is_void_in_its_first_turn_begins_with_one_tile_on_the_table(table):
    table.start("ana", "bo")
    table.stand("ana", 3, 275.0)
    table.until(lambda: table.reading().state == "proposal")
    table.do("ana", "void", reason="a cup fell over")
    assert [tile.value for tile in table.machine.rig.virtual.truth()] == [6]
    table.until(lambda: table.session.table.row)
    table.place("ana", 4, 330.0)
    assert table.session.game.row == (6, 4)


def test_a_lone_tile_that_was_knocked_over_is_stood_up_again(table):
    table.start("ana", "bo")
    table.stand("ana", 9, 302.0)
    table.until(lambda: table.reading().state == "waiting")
    table.until(lambda: [t.value for t in table.machine.rig.virtual.truth()] == [6])
    table.until(lambda: table.reading().state == "waiting")
    table.place("ana", 9, 330.0)
    assert table.session.game.row == (6, 9)


def test_a_lone_tile_that_is_gone_is_said_and_the_journal_does_not_grow(table):
    table.start("ana", "bo")
    table.stand("ana", 9, 340.0)
    table.until(lambda: table.reading().state == "proposal")
    state = table.machine.rig.virtual.state()
    gone = {**state, "row": [one for one in state["row"] if one["value"] != 6], "held": None}
    table.machine.rig.virtual.load(gone)
    table.until(lambda: table.reading().gone == (6,))
    version = table.session.journal.version
    for _ in range(20):
        table.machine._step()
        table.clock.sleep(0.5)
    assert table.session.journal.version - version <= 1


def test_a_lone_tile_that_fell_before_it_was_read_is_stood_up_by_whoever_says_so(table):
    table.seats.sit("ana", "bo")
    table.do("ana", "start")
    table.machine.rig.virtual.knock(6)
    for _ in range(5):
        table.machine._step()
        table.clock.sleep(0.5)
    assert table.session.table.row == ()
    table.do("bo", "lone_tile_fell")
    table.until(lambda: table.session.table.row)


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


def test_what_came_of_a_push_is_told_once_its_fall_was_shown(open_session):
    table = WholeRig(open_session, virtual={"show_fall": True})
    table.to_push()
    table.push()
    table.until(lambda: table.session.table.phase == "JUDGE")
    view = table.session.view("bo")
    assert (view["phase"], view["verdict"], view["fall"]["on"]) == ("TOPPLE", None, "phones")
    assert [tip[0] for tip in view["fall"]["tips"]] == [3, 6]
    table.until(lambda: table.session.view("bo")["verdict"])
    over_ms = view["fall"]["from_ms"] + view["fall"]["once_ms"]
    assert table.session.clock.now_s() * 1000 >= over_ms


def test_past_games_tell_of_a_push_once_its_fall_was_shown(open_session):
    table = WholeRig(open_session, virtual={"show_fall": True})
    session = table.session
    past = PastGames(session.journal, lambda: session.told_v)

    def told():
        moments = json.loads(account.of_game(past.taken(1), ""))["moments"]
        return [m["changes"]["verdict"] for m in moments if m["changes"].get("verdict")]

    table.to_push()
    table.push()
    table.until(lambda: session.table.phase == "JUDGE")
    told_v = session.told_v
    assert told_v < session.journal.version
    session.commit([], "referee")
    assert (told(), session.told_v) == ([], told_v)
    table.until(lambda: session.view("bo")["verdict"])
    assert told() and session.told_v == session.journal.version


def test_the_chance_of_a_row_is_known_before_anybody_calls(table, monkeypatch):
    table.start("ana", "bo")
    table.place("ana", 3, 275.0)
    table.machine.observer.thinker.wait()
    monkeypatch.setattr("rig.machine.observer.forecast", None)
    table.do("bo", "call")
    table.do("bo", "vote", side="failure")
    table.until(lambda: table.session.table.phase == "TOPPLE")
    table.until(lambda: table.session.live.forecast)
    assert table.session.live.forecast.p_fall > 0.5


def test_the_chance_of_a_row_is_the_same_whenever_it_is_thought_of(table):
    table.to_push(x_mm=240.0)
    early = table.session.live.forecast
    table.machine.observer.thinker = Thinker()  # which knows of no row
    table.do("ana", "pause", on=True)
    table.do("ana", "pause", on=False)
    table.session.predicted(table.session.table, None)
    table.until(lambda: table.session.live.forecast)
    assert table.session.live.forecast == early


def test_a_row_is_predicted_by_what_is_known_of_the_table(table):
    bad = Values(contact=-20.0)
    trust = Trust(40, -0.8, -0.6, 0.15, 0.1)
    table.machine.rig.known = KnownTable(LearnedTable(bad, bad, bad, trust, (bad,) * 4))
    table.to_push()
    table.until(lambda: table.session.live.forecast)
    assert table.session.live.forecast.p_fall < 0.5


def test_every_round_tells_the_table_that_learns(table):
    games = []
    table.machine.rig.known = SimpleNamespace(table=None, dealt=games.append, close=lambda: None)
    table.start("ana", "bo")
    assert games == [1]


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
    table.put_home()
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

    table.machine.rig.camera = dataclasses.replace(table.machine.rig.camera.camera, scene=broken)
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
    Machine(table.session, dataclasses.replace(table.machine.rig, pusher=NoPusher()))
    assert table.seats.send("ana", kind, **fields)["reason"] == "real_pusher"
    assert table.session.view("ana")["push"]["hands"] is None


def test_a_vote_asks_nothing_of_the_virtual_table(table):
    table.start("ana", "bo")
    table.place("ana", 3, 275.0)
    table.do("bo", "call")
    virtual, asked = table.machine.rig.virtual, []
    virtual.state = virtual.draft = lambda: asked.append("asked")
    table.do("bo", "vote", side="failure")
    assert asked == []


@pytest.mark.parametrize("full", [False, True])
def test_the_virtual_table_changes_once_that_is_written_and_not_before(table, full):
    table.start("ana", "bo")
    journal, virtual, seen = table.session.journal, table.machine.rig.virtual, []
    append = journal.append

    def watched(*given, **named):
        seen.append([tile.value for tile in virtual.truth()])
        if full:
            raise DiskTrouble("the disk is full")
        return append(*given, **named)

    journal.append = watched
    place = {"x_mm": 275.0, "y_mm": 210.0, "heading_deg": 0.0, "orientation": "vertical"}
    assert table.seats.send("ana", "stand", value=3, **place)["ok"] is not full
    assert seen[0] == [6]
    assert [tile.value for tile in virtual.truth()] == ([6] if full else [3, 6])


@pytest.mark.parametrize("word", ["illegal", "undo"])
def test_a_placement_that_no_longer_counts_is_in_the_hand_again(table, word):
    table.start("ana", "bo")
    table.place("ana", 3, 275.0)
    table.place("bo", 9, 330.0)
    table.stand("ana", 4, 250.0)
    table.until(lambda: table.reading().state == "proposal")
    table.do("bo" if word == "illegal" else "ana", word, reason="mistap")
    assert table.session.game.row == (3, 6)
    assert [t.value for t in table.machine.rig.virtual.truth()] == [3, 6]
    table.until(lambda: table.reading().state == "waiting")
    table.place("bo", 9, 333.0)
    assert table.session.game.row == (3, 6, 9)


def test_an_undone_move_stands_where_it_stood(table):
    table.start("ana", "bo")
    x_mm, order = 300.0, []
    for value in (1, 2, 3, 4, 5, 7, 8, 9, 10, 11):
        x_mm += 22.0
        order.append(value)
        table.place("ana" if len(order) % 2 else "bo", value, x_mm)
    before = table.session.table.row
    table.place("ana", 1, 270.0)
    assert table.session.game.row[0] == 1
    table.do("ana", "undo", reason="mistap")
    assert table.session.game.row == (6, *order)
    assert table.session.table.row == before
    stood = {t.value: t for t in table.machine.rig.virtual.truth()}
    assert abs(stood[1].pose.x_mm - 322.0) < 4.0
    table.until(lambda: table.reading().state == "waiting")


def test_the_tile_of_whoever_is_passed_over_goes_back(table):
    table.start("ana", "bo")
    table.place("ana", 3, 275.0)
    table.stand("bo", 9, 330.0)
    table.do("ana", "skip", seat="s2")
    assert [t.value for t in table.machine.rig.virtual.truth()] == [3, 6]
    table.until(lambda: table.reading().state == "waiting")


@pytest.mark.parametrize("instead", [None, 5], ids=["nothing instead", "another tile instead"])
def test_a_tile_taken_back_is_never_read_again(table, instead):
    """It was proposed for two looks more, and whoever confirmed it had an accident."""
    table.start("ana", "bo")
    table.stand("ana", 3, 275.0)
    table.until(lambda: table.reading().state == "proposal")
    if instead is None:
        table.do("ana", "take_back")
    else:
        table.stand("ana", instead, 335.0)
    after = "waiting" if instead is None else "proposal"
    read = []
    table.until(lambda: read.append(table.reading()) or read[-1].state == after)
    assert {reading.state for reading in read} <= {"hand", "looking", after}
    assert [reading.tile.value for reading in read if reading.tile] == [instead] * bool(instead)


def test_no_push_begins_once_the_program_ends(table):
    table.to_push()
    table.machine.halt()
    table.push()
    for _ in range(3):
        table.machine._step()
    status = table.machine.rig.pusher.status()
    assert (status.strokes, status.state) == (0, "SAFE")


def test_a_push_that_is_asked_for_is_stopped_before_it_begins(table):
    table.to_push()
    table.push()
    table.machine.halt()
    assert table.machine.rig.pusher.status().state == "ESTOP"
