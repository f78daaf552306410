import math

import cv2
import numpy as np
import pytest

from physics.pose import Pose
from physics.tile import Orientation, Tile
from vision.calibration import find_pose, load_mat, project
from vision.fit import View
from vision.follow import follow
from vision.render import Sensor, render, view_from
from vision.scene import Scene, Solid

MAT = load_mat()
AREA = np.array([(0, 0, 0), (600, 0, 0), (300, 210, 48), (600, 420, 0.0)])


def gray(intrinsics, pose, **more):
    scene = Scene(**{"table": "wood", "seed": 2, **more})
    return cv2.cvtColor(render(scene, intrinsics, pose, Sensor(0.6, 2.5)), cv2.COLOR_BGR2GRAY)


def apart_px(one, two, intrinsics):
    return np.abs(project(AREA, one, intrinsics) - project(AREA, two, intrinsics)).max()


@pytest.mark.parametrize("tilt_deg", [2, 18])
def test_the_sides_of_the_markers_tell_the_pose_more_sharply_than_their_corners(tilt_deg):
    intrinsics, true = view_from(math.radians(tilt_deg), 0.7)
    image = gray(intrinsics, true)
    rough = find_pose(image, intrinsics, MAT)
    sharp = follow(image, View(rough, intrinsics), MAT)
    assert sharp.markers == 30
    assert apart_px(sharp, true, intrinsics) < 0.05


def test_a_camera_that_has_moved_a_little_is_followed():
    intrinsics, before = view_from(math.radians(9), 0.7)
    _, true = view_from(math.radians(9.1), 0.7, roll_rad=0.002)
    assert apart_px(before, true, intrinsics) > 1.0
    found = follow(gray(intrinsics, true), View(before, intrinsics), MAT)
    assert apart_px(found, true, intrinsics) < 0.05


def test_a_camera_that_has_moved_far_is_not_believed_to_be_where_it_was():
    intrinsics, before = view_from(math.radians(9), 0.7)
    _, far = view_from(math.radians(9), 0.7, roll_rad=0.05)
    assert follow(gray(intrinsics, far), View(before, intrinsics), MAT) is None


def test_markers_under_a_hand_are_left_out():
    intrinsics, true = view_from(math.radians(9), 0.7)
    found = follow(gray(intrinsics, true, hand=(300.0, 150.0)), View(true, intrinsics), MAT)
    assert 20 <= found.markers < 30
    assert apart_px(found, true, intrinsics) < 0.08


def test_another_light_and_tiles_beside_the_mat_do_no_harm():
    intrinsics, true = view_from(math.radians(9), 0.7)
    tiles = tuple(
        Solid(Tile(n + 1, Pose(30 + 60 * n, 400, 0.3), Orientation.VERTICAL)) for n in range(9)
    )
    image = gray(intrinsics, true, solids=tiles, light=0.6)
    assert apart_px(follow(image, View(true, intrinsics), MAT), true, intrinsics) < 0.08


@pytest.mark.parametrize("level", [0, 128, 255])
def test_an_image_without_a_mat_gives_no_pose(level):
    intrinsics, true = view_from(math.radians(9), 0.7)
    assert follow(np.full((1080, 1920), level, np.uint8), View(true, intrinsics), MAT) is None
