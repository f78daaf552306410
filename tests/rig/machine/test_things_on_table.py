"""What lies on the table from the start and is no tile."""

import cv2
import numpy as np
import pytest

from tests.support.whole_rig import WholeRig
from vision.capture.camera import Frame
from vision.geometry.camera_pose import project


@pytest.fixture
def rig_with_phone(open_session):
    """A rig over a table on which a phone lies, as wide as a hand."""
    stage = WholeRig(open_session)
    camera = stage.machine.rig.camera
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
