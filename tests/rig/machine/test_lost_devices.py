"""A camera or a pusher that is lost in the middle of a game, and comes back."""

import pytest

from rig.games.estimation.story.narrator import sentence
from rig.games.estimation.table.estimation_play import from_record
from rig.history.gamefile import made
from rig.history.replay import moments
from rig.history.verify import verified
from rig.machine.device_watch import DeviceWatch
from rig.session.devices import BY_HAND, Devices, DevicesChanged, opening
from tests.support.evenings import Evening
from tests.support.mixtures import Stage
from tests.support.telling import in_english
from vision.look.eye import Eye


@pytest.fixture
def open_stage(open_session, tmp_path, monkeypatch):
    """Open a table of some mixture."""
    stages = []

    def opened(camera="opencv", pusher="serial", **sections):
        stages.append(Stage(open_session, tmp_path, monkeypatch, camera, pusher, "", sections))
        return stages[-1]

    yield opened
    for stage in stages:
        stage.close()


def unplug(stage, device, out=True):
    if device == "camera":
        stage.webcam.plugged = not out
    else:
        stage.cable.there = not out


def lose(stage, device):
    unplug(stage, device)
    stage.until(lambda: device in stage.devices.lost)
    stage.machine._guarded_step()


def find(stage, device):
    unplug(stage, device, out=False)
    if device == "pusher":
        stage.greet()
    stage.until(lambda: device not in stage.devices.lost)


def written(stage):
    """The changes of devices in the journal, as (sees, pushes)."""
    events = map(from_record, stage.session.journal.events())
    changed = [event.devices for event in events if isinstance(event, DevicesChanged)]
    return [(devices.sees, devices.pushes) for devices in changed]


def phases(stage):
    """Play a round; stop in every phase of it."""
    stage.seats.sit("ana", "bo")
    yield "LOBBY"
    stage.do("ana", "start")
    stage.until(lambda: stage.session.table.row)
    yield "TURN"
    stage.place("ana", 3, 275.0)
    stage.do("bo", "call")
    yield "BALLOT"
    stage.do("bo", "vote", side="failure")
    yield "COUNTDOWN"
    stage.until(lambda: stage.phase == "REVEAL")
    yield "REVEAL"
    stage.until(lambda: stage.phase == "TOPPLE")
    yield "TOPPLE"
    stage.push()
    stage.until(lambda: stage.phase == "JUDGE")
    yield "JUDGE"
    stage.until(lambda: stage.phase == "ROUND_END")
    yield "ROUND_END"


@pytest.mark.parametrize("device", ["camera", "pusher"])
def test_a_device_is_lost_and_found_in_every_phase_and_the_round_goes_on(open_stage, device):
    stage, paused = open_stage(), ("COUNTDOWN", "REVEAL", "JUDGE", "ROUND_END")
    seen = []
    for phase in phases(stage):
        seen.append(phase)
        assert stage.phase == phase
        if phase in paused:  # it would be over before anybody has missed the device
            stage.do("ana", "pause", on=True)
        changes, strokes = len(written(stage)), stage.board.strokes
        lose(stage, device)
        view = stage.session.view("bo", "table")["devices"]
        assert view["lost"] == [device]
        assert (view["sees"], view["pushes"]) == (device != "camera", device != "pusher")
        assert stage.session.live.fault == "" and stage.session.live.seeing.kind == ""
        find(stage, device)
        assert written(stage)[changes:] == [
            (device != "camera", device != "pusher"),
            (True, True),
        ]
        assert stage.board.strokes == strokes and stage.board.state in ("SAFE", "ESTOP")
        if phase in paused:
            stage.do("ana", "pause", on=False)
    assert len(seen) == 8 and stage.board.strokes == 1
    assert stage.session.table.seen.outcome == "fell"


@pytest.fixture
def modes(seats):
    """`answer(device, whether, so long)`, then which devices are lost."""
    watch, clock = DeviceWatch(seats.session, None), seats.session.clock

    def answer(device, answers, for_s):
        watch.heard(device, answers)
        clock.advance(for_s)
        watch.heard(device, answers)
        return seats.session.table.devices.lost

    return answer


@pytest.mark.parametrize("device", ["camera", "pusher"])
def test_a_device_that_is_away_for_a_moment_is_not_lost(modes, device):
    for _ in range(3):
        assert modes(device, False, 4.9) == ()
        assert modes(device, True, 0.1) == ()
    assert modes(device, False, 5.1) == (device,)


def test_a_loose_cable_is_found_only_once_it_holds(modes):
    assert modes("camera", False, 5.1) == ("camera",)
    for _ in range(3):
        assert modes("camera", True, 0.9) == ("camera",)
        assert modes("camera", False, 0.1) == ("camera",)
    assert modes("camera", True, 1.1) == ()


def test_what_a_table_does_not_have_is_never_lost(seats, modes):
    seats.session.commit([DevicesChanged(BY_HAND)], "referee")
    assert modes("camera", False, 99.0) == modes("pusher", False, 99.0) == ()


def test_without_the_camera_rows_are_entered_and_measured_once_it_is_back(open_stage):
    stage = open_stage()
    stage.start()
    lose(stage, "camera")
    place = {"y_mm": 210.0, "heading_deg": 0.0, "orientation": "vertical"}
    stage.do("ana", "stand", value=9, x_mm=330.0, **place)
    assert stage.session.view("ana")["reading"]["state"] == "proposal"
    stage.do("ana", "confirm")
    stage.table.stand(9, 341.0)  # nobody enters it to the millimetre
    assert stage.session.table.row[1].x_mm == pytest.approx(330.0)
    assert stage.session.table.row[1].sigma_mm == 0
    find(stage, "camera")
    stage.until(lambda: stage.session.table.row[1].sigma_mm > 0)
    assert stage.session.table.row[1].x_mm == pytest.approx(341.0, abs=1.5)
    assert stage.session.game.row == (6, 9) and stage.session.table.latest == 9
    stage.until(lambda: stage.session.live.reading.state == "waiting")


def test_a_camera_that_went_and_came_back_during_one_long_step_has_the_row_read_anew(open_stage):
    stage = open_stage("virtual", "hand")
    for phase in phases(stage):
        if phase == "ROUND_END":
            stage.do("ana", "pause", on=True)
    answers = stage.machine._watch.heard
    for answer in (False, True):  # as the filming of a push tells, while nothing else is done
        answers("camera", answer)
        stage.clock.sleep(20.0)
        answers("camera", answer)
        if not answer:
            stage.do("ana", "pause", on=False)
            stage.do("ana", "next")
    assert stage.devices.sees and stage.session.table.row[0].sigma_mm == 0
    stage.until(lambda: stage.session.table.row[0].sigma_mm > 0)
    stage.until(lambda: stage.session.live.reading.state == "waiting")
    mover = next(who for who in ("ana", "bo") if stage.session.view(who)["may"]["stand"])
    stage.place(mover, 3, 275.0)
    assert stage.session.game.row == (3, 6)


def test_a_hand_that_was_there_when_the_camera_came_is_not_seen_for_ever(open_stage, monkeypatch):
    monkeypatch.setattr(Eye, "_has_left", lambda *_: False)  # as if it had hidden no marker
    stage = open_stage("opencv", "hand")
    stage.webcam.plugged = False
    stage.seats.sit("ana", "bo")
    stage.do("ana", "start")
    stage.until(lambda: stage.session.table.row)
    stage.set_down("ana", 3, 275.0)
    stage.do("ana", "confirm")
    stage.table.tiles._hand_looks = 16  # it rests on the table while the camera learns that
    find(stage, "camera")
    stage.until(lambda: stage.rig.tracker._last.hand_in_view)
    stage.until(lambda: stage.session.table.row[0].sigma_mm > 0, steps=200)
    assert stage.session.game.row == (3, 6)


def test_of_a_row_that_was_entered_by_hand_only_the_order_is_believed(open_stage):
    stage = open_stage("opencv", "hand")
    stage.start()
    lose(stage, "camera")
    place = {"heading_deg": 0.0, "orientation": "vertical"}
    for who, value, x_mm, y_mm, true_mm in (
        ("ana", 9, 330.0, 240.0, 331.0),
        ("bo", 3, 270.0, 190.0, 245.0),
        ("ana", 4, 380.0, 210.0, 362.0),
    ):
        stage.do(who, "stand", value=value, x_mm=x_mm, y_mm=y_mm, **place)
        stage.do(who, "confirm")
        stage.table.stand(value, true_mm)
    find(stage, "camera")
    stage.until(lambda: all(tile.sigma_mm > 0 for tile in stage.session.table.row))
    places = [tile.x_mm for tile in stage.session.table.row]
    assert places == pytest.approx([245.0, 300.0, 331.0, 362.0], abs=2.0)
    assert stage.session.game.row == (3, 6, 9, 4)


def test_a_row_that_was_changed_meanwhile_is_put_to_the_people(open_stage):
    stage = open_stage()
    stage.start()
    stage.place("ana", 3, 275.0)
    lose(stage, "camera")
    stage.table.tiles.move(3, 420.0, 300.0, 1.0, stage.table.tiles.truth()[0].orientation)
    row = stage.session.table.row
    find(stage, "camera")
    for _ in range(20):
        stage.step()
    assert stage.session.table.row == row
    assert stage.session.view("bo")["reading"]["state"] == "differs"


def test_a_tile_that_was_read_and_not_confirmed_is_read_again(open_stage):
    stage = open_stage()
    stage.start()
    stage.set_down("ana", 3, 275.0)
    stage.until(lambda: stage.session.live.reading.state == "proposal")
    lose(stage, "camera")
    stage.step()
    assert stage.session.live.reading.state == "waiting"
    assert stage.send("ana", "confirm")["reason"] == "no_proposal"
    find(stage, "camera")
    stage.until(lambda: stage.session.live.reading.state == "proposal")
    stage.do("ana", "confirm")
    assert stage.session.game.row == (3, 6)


def test_an_arm_switch_that_stayed_on_while_the_pusher_was_away_does_not_count(open_stage):
    stage = open_stage()
    stage.to_push()
    stage.turn_switch(True)
    stage.until(lambda: stage.session.view("ana")["may"]["hold"])
    stage.do("ana", "hold", by_eye=True)
    lose(stage, "pusher")
    assert stage.session.live.hold is None
    find(stage, "pusher")
    for _ in range(20):
        stage.step()
    view = stage.session.view("ana")
    assert (view["push"]["state"], view["may"]["hold"]) == ("switch", False)
    assert stage.send("ana", "hold", by_eye=True)["reason"] == "switch"
    stage.turn_switch(False)
    stage.step()
    stage.turn_switch(True)
    stage.until(lambda: stage.session.view("ana")["may"]["hold"])
    assert stage.board.strokes == 0


def test_a_pusher_lost_in_its_stroke_leaves_it_unknown_and_moves_nothing_when_it_is_back(
    open_stage,
):
    stage = open_stage()
    stage.to_push()
    stage.cable.on_touch = lambda: unplug(stage, "pusher")  # the tip is on its way; no tile falls
    stage.push()
    assert stage.session.table.attempt.step == "unknown"
    stage.until(lambda: "pusher" in stage.devices.lost)
    find(stage, "pusher")
    for _ in range(20):
        stage.step()
    assert stage.board.strokes == 1 and stage.board.state == "AWAY"  # its switch went off
    assert stage.session.table.attempt.step == "unknown"
    assert [tile.value for tile in stage.table.tiles.truth()] == [3, 6]
    stage.do("ana", "resolve", outcome="stood")


def test_the_host_goes_on_without_a_device_at_once_and_counts_on_it_again(open_stage):
    stage = open_stage()
    stage.start()
    unplug(stage, "camera")
    stage.step()
    assert stage.session.view("ana")["sight"]["kind"] == "gone"
    assert stage.session.view("ana")["may"]["without"]
    assert not stage.session.view("bo")["may"]["without"]
    assert stage.send("bo", "without", which="camera", on=True)["reason"] == "not_allowed"
    stage.do("ana", "without", which="camera", on=True)
    stage.step()
    view = stage.session.view("ana")
    assert (view["devices"]["sees"], view["devices"]["without"]) == (False, ["camera"])
    assert view["sight"] is None and view["virtual"] and view["may"]["stand"]
    unplug(stage, "camera", out=False)
    for _ in range(20):
        stage.step()
    assert not stage.devices.sees  # it was the host's word, and stays until they take it back
    stage.do("ana", "without", which="camera", on=False)
    stage.until(lambda: stage.devices.sees and stage.session.live.reading.state == "waiting")
    stage.place("ana", 3, 275.0)


def test_nothing_is_left_out_in_a_stroke_and_nothing_that_is_not_there(open_stage):
    stage = open_stage("none", "virtual")
    stage.to_push()
    assert stage.send("ana", "without", which="camera", on=True)["reason"] == "no_device"
    nonce = stage.hold()
    stage.clock.sleep(1.5)
    stage.do("ana", "push", nonce=nonce)
    assert stage.send("ana", "without", which="pusher", on=True)["reason"] == "pushed"
    assert not stage.session.view("ana")["may"]["without"]


def test_a_restart_finds_out_nothing_about_a_lost_device(open_stage):
    stage = open_stage()
    stage.start()
    lose(stage, "pusher")
    lose(stage, "camera")
    stage.close()
    before = written(stage)
    stage.open()
    assert written(stage) == before
    assert stage.devices == Devices("opencv", "serial", ("camera", "pusher"))
    assert stage.session.view("ana")["virtual"]
    find(stage, "camera")
    stage.cable = type(stage.cable)(stage.board, stage.clock, stage.touch)
    stage.clock.lags_s = stage.cable.lags_s
    find(stage, "pusher")
    assert stage.devices.sees and stage.devices.pushes


@pytest.mark.parametrize("camera", ["opencv", "none"])
def test_a_table_that_does_without_a_camera_goes_on_after_a_restart(open_stage, camera):
    stage = open_stage(camera, "hand")
    stage.start()
    if camera != "none":
        lose(stage, "camera")
    stage.restart()
    stage.step()
    assert not stage.devices.sees
    assert stage.session.view("ana")["reading"]["state"] == "waiting"
    stage.set_down("ana", 3, 275.0)
    stage.do("ana", "confirm")
    assert stage.session.game.row == (3, 6)


def test_a_camera_that_never_was_there_keeps_nobody_from_playing(open_stage):
    stage = open_stage("opencv", "hand")
    stage.webcam.plugged = False
    stage.seats.sit("ana", "bo")
    stage.do("ana", "start")
    stage.until(lambda: stage.session.table.row)
    assert [tile.value for tile in stage.session.table.row] == [6]
    assert not stage.devices.sees
    stage.set_down("ana", 3, 275.0)
    stage.do("ana", "confirm")
    find(stage, "camera")
    stage.until(lambda: stage.session.table.row[0].sigma_mm > 0)
    assert stage.session.game.row == (3, 6)


class Opening:
    """A camera whose driver takes its time."""

    def is_opening(self):
        return True

    def read(self):
        raise AssertionError("the game would wait for its first picture")

    def close(self): ...


def test_the_game_does_not_wait_for_a_camera_that_is_being_opened(open_stage):
    stage = open_stage("opencv", "hand")
    stage.seats.sit("ana", "bo")
    stage.rig.camera = Opening()
    stage.until(lambda: "camera" in stage.devices.lost)
    stage.do("ana", "start")
    stage.until(lambda: stage.session.table.row)
    stage.rig.camera = stage.webcam
    stage.until(lambda: stage.devices.sees)


def test_a_game_with_a_change_of_devices_is_proved_and_told():
    played = Evening(7, 3)
    played.start()
    lost = Devices("opencv", "serial", ("camera",))
    played.note(DevicesChanged(lost, "it is unplugged"), actor="referee")
    for _ in range(40):
        played.step()
    file = made(played.records)
    assert verified(file).findings == []
    shown = [moment["changes"] for moment in moments(file)]
    assert any(changes.get("devices", {}).get("lost") == ["camera"] for changes in shown)
    told = in_english(sentence(played.table, DevicesChanged(lost)))
    assert told == "Rows are entered by hand, the pusher pushes."


def test_another_kind_of_device_has_no_past():
    before = Devices("opencv", "serial", ("camera", "pusher"), ("camera",))
    assert opening(before, "opencv", "hand") == Devices("opencv", "hand", ("camera",), ("camera",))
    assert opening(before, "none", "hand") == BY_HAND
