"""What lies on the table from the start and is no tile."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.whole_rig import WholeRig
from vision.capture.camera import Frame, NoFrame
from vision.geometry.camera_pose import project


@pytest.fixture
def rig_with_phone(open_session):
    """A rig over a table on which a phone lies, as wide as a hand."""
    stage = WholeRig(open_session)
    camera = stage.machine.rig.camera.camera
    bare = camera.read
    corners = np.array([(40, 20, 8.0), (118, 20, 8.0), (118, 175, 8.0), (40, 175, 8.0)])
    outline = np.round(project(corners, camera.pose, camera.intrinsics)).astype(np.int32)

    def read():
        frame = bare()
        image = frame.image.copy()
        cv2.fillConvexPoly(image, outline, (25, 22, 20))
        return Frame(image, stage.clock.monotonic_s(), frame.name)

    camera.read = read
    return stage


def test_a_phone_that_lies_there_from_the_start_is_no_hand_for_ever(rig_with_phone):
    stage = rig_with_phone
    stage.seats.sit("ana", "bo")
    stage.do("ana", "start")
    stage.until(lambda: stage.session.table.row, steps=400)
    stage.place("ana", 3, 275.0)
    assert 3 in stage.session.game.row


def take_all_off(stage):
    """Clear the pretend table; give what puts everything back."""
    camera = stage.machine.rig.camera.camera
    full = camera.scene
    camera.scene = lambda: replace(full(), solids=())
    return lambda: setattr(camera, "scene", full)


def show_empty_table(stage):
    """The host shows the camera the table; give what came of it."""
    stage.do("ana", "learn_table")
    assert stage.session.view("ana")["lesson"] == {"state": "looking", "values": []}
    stage.until(lambda: stage.session.live.lesson.state != "looking")
    return stage.session.view("ana")["lesson"]


def test_a_phone_on_the_table_that_was_shown_as_empty_belongs_to_it(rig_with_phone):
    stage = rig_with_phone
    stage.seats.sit("ana", "bo")
    back = take_all_off(stage)
    assert show_empty_table(stage) == {"state": "learned", "values": []}
    back()
    assert "lesson" not in stage.session.view("bo")
    stage.do("ana", "start")
    stage.until(lambda: stage.session.table.row)  # no hand is waited for
    stage.place("ana", 3, 275.0)
    assert stage.session.game.row == (3, 6)


def test_a_table_with_a_row_is_not_the_empty_one(open_session):
    stage = WholeRig(open_session)
    stage.start("ana", "bo")
    assert stage.seats.send("ana", "learn_table")["reason"] == "tiles_stand"
    assert stage.seats.send("bo", "learn_table")["reason"] == "not_allowed"
    assert not stage.session.view("ana")["may"]["learn_table"]


def test_a_marked_tile_that_was_forgotten_on_the_table_is_named(open_session):
    stage = WholeRig(open_session)
    stage.seats.sit("ana", "bo")
    assert show_empty_table(stage) == {"state": "tiles", "values": [6]}
    assert not stage.machine.observer.eye.knows_table


def test_a_hand_that_moves_meanwhile_is_not_learned(rig_with_phone):
    stage = rig_with_phone
    stage.seats.sit("ana", "bo")
    take_all_off(stage)
    still, moves = stage.machine.rig.camera.camera.read, iter(range(100))

    def read():
        frame = still()
        image = frame.image.copy()
        n = next(moves)
        image[300:520, 40 * n : 40 * n + 300] = (140, 160, 210)
        return Frame(image, frame.time_s, f"{n}")

    stage.machine.rig.camera.camera.read = read
    assert show_empty_table(stage)["state"] == "moved"
    assert not stage.machine.observer.eye.knows_table


def test_a_camera_that_gives_no_picture_ends_the_lesson(open_session):
    stage = WholeRig(open_session)
    stage.seats.sit("ana", "bo")

    def read():
        raise NoFrame("nothing came")

    stage.machine.rig.camera.camera.read = read
    stage.do("ana", "learn_table")
    assert stage.session.view("ana")["lesson"]["state"] == "looking"
    stage.machine._guarded_step()
    assert stage.session.view("ana")["lesson"]["state"] == "blind"
