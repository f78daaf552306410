import math

import numpy as np
import pytest

from physics.pose import Pose
from physics.tile import STANDARD, Orientation, State, Tile
from vision.calibration import CameraPose, Intrinsics, load_mat
from vision.fit import View
from vision.plain import covered_markers
from vision.render import default_view, render
from vision.scene import Scene
from vision.solid import Box, behind, box_of, outline_px, visible_edges

LENS = Intrinsics(np.array([[1400.0, 0, 960], [0, 1400, 540], [0, 0, 1]]), np.zeros(5), 1920, 1080)
ABOVE = View(CameraPose(np.diag([1.0, -1.0, -1.0]), np.array([-300.0, 210.0, 700.0])), LENS)
UP = box_of(STANDARD, Orientation.VERTICAL)


def test_the_box_of_a_tile_follows_how_it_stands():
    assert box_of(STANDARD, Orientation.VERTICAL) == Box(7.5, 24.0, 48.0)
    assert box_of(STANDARD, Orientation.HORIZONTAL) == Box(7.5, 48.0, 24.0)
    assert box_of(STANDARD, None) == Box(48.0, 24.0, 7.5)


@pytest.mark.parametrize(
    ("pose", "edges"),
    [(Pose(300, 210, 0), 4), (Pose(100, 210, 0), 7), (Pose(500, 400, 0.3), 9)],
)
def test_a_camera_sees_one_two_or_three_faces_of_a_box(pose, edges):
    assert len(visible_edges(UP, pose, ABOVE)) == edges


def test_a_box_hides_what_lies_behind_it_and_nothing_else():
    pose = Pose(500.0, 210.0, 0.0)
    points = np.array([(515.0, 210.0, 0.0), (480.0, 210.0, 0.0), (515.0, 250.0, 0.0)])
    assert behind(points, UP, pose, ABOVE).tolist() == [True, False, False]


def test_a_box_does_not_hide_its_own_visible_corners():
    pose = Pose(500.0, 300.0, 0.4)
    ends = visible_edges(UP, pose, ABOVE).reshape(-1, 3)
    assert not behind(ends, UP, pose, ABOVE).any()


def test_a_lying_tile_has_a_smaller_outline_than_the_same_tile_seen_standing_aslant():
    def area(tile):
        x, y = outline_px(tile, ABOVE)[:, 0].T
        return 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))

    pose = Pose(580.0, 400.0, math.radians(30))
    lying = Tile(1, pose, None, State.FALLEN)
    assert area(lying) == pytest.approx(48 * 24 * 4.0, rel=0.2)
    assert area(Tile(1, pose, Orientation.VERTICAL)) > 0.5 * 24 * 7.5 * 4


def test_only_a_hand_over_the_mat_covers_markers():
    intrinsics, pose = default_view()
    view = View(pose, intrinsics)
    assert covered_markers(render(Scene(), intrinsics, pose), view, load_mat()) == []
    with_hand = render(Scene(hand=(300.0, 200.0)), intrinsics, pose)
    assert covered_markers(with_hand, view, load_mat())
