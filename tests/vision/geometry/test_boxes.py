import math

import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import STANDARD, Orientation, State, Tile
from vision.background.first_background import covered_markers
from vision.geometry.boxes import (
    Bodies,
    Box,
    behind,
    body_of,
    box_of,
    leaning,
    outline,
    outline_px,
    slopes,
    stances,
)
from vision.geometry.camera_pose import CameraPose, View
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import load_mat
from vision.render.render import default_view, render
from vision.render.scene import Scene

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
    drawn = outline(UP.corners(pose)[None], ABOVE, points=1)
    assert drawn.shown.sum() == edges


def test_a_box_hides_what_lies_behind_it_and_nothing_else():
    corners = UP.corners(Pose(500.0, 210.0, 0.0))
    points = np.array([(515.0, 210.0, 0.0), (480.0, 210.0, 0.0), (515.0, 250.0, 0.0)])
    assert behind(points, corners, ABOVE).tolist() == [True, False, False]


def test_a_box_does_not_hide_its_own_visible_edges():
    corners = UP.corners(Pose(500.0, 300.0, 0.4))
    drawn = outline(corners[None], ABOVE, points=9)
    assert not behind(drawn.points_mm[0][drawn.shown[0]], corners, ABOVE).any()


@pytest.mark.parametrize("way", [*stances(STANDARD), *leaning(STANDARD)])
def test_points_on_edges_move_as_the_slopes_say(way):
    place = np.array([[420.0, 300.0, 0.7, 0.4]])
    one = Bodies([way], np.array([0]), place)
    drawn = outline(one.corners(), ABOVE, points=4)
    told = slopes(drawn, one, ABOVE)[0]
    for n, step in enumerate((0.1, 0.1, 0.002, 0.002)):
        moved = Bodies([way], np.array([0]), place + step * np.eye(4)[n])
        seen = outline(moved.corners(), ABOVE, points=4)
        assert (seen.shown == drawn.shown).all()
        shift = ((seen.pixels - drawn.pixels) * drawn.normals).sum(axis=2)[0]
        assert told[:, n][drawn.shown[0]] * step == pytest.approx(
            shift[drawn.shown[0]], abs=0.02 * max(0.1, np.abs(shift).max())
        )


def test_a_leaning_tile_rests_on_its_lower_end_or_side():
    for way, long_mm in zip(leaning(STANDARD), (48.0, 24.0), strict=True):
        places = np.array([[0, 0, 0, 0.0], [0, 0, 0, 0.5]])
        (flat, tipped) = Bodies([way], np.array([0, 0]), places).corners()
        assert flat[:, 2].min() == pytest.approx(0) and flat[:, 2].max() == pytest.approx(7.5)
        assert tipped[:, 2].min() == pytest.approx(0)
        top = long_mm * math.sin(0.5) + 7.5 * math.cos(0.5)
        assert tipped[:, 2].max() == pytest.approx(top)


def test_a_lying_body_is_the_box_of_a_lying_tile():
    tile = Tile(None, Pose(50.0, 60.0, 0.3), None, State.FALLEN)
    place = np.array([[50.0, 60.0, 0.3, 0.0]])
    (flat,) = Bodies(stances(STANDARD), np.array([2]), place).corners()
    assert flat == pytest.approx(body_of(tile))


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
