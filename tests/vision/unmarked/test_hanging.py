"""What an eye makes of a camera that should hang still and is knocked."""

import math
from functools import lru_cache

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from vision.calibrate.pose_average import Stillness
from vision.capture.camera import Frame
from vision.geometry.camera_pose import CameraPose
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.look.track import Tracker
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid

LENS, POSE = view_from(math.radians(10), 0.3)
ROW = tuple(
    Tile(value, Pose(200.0 + 30.0 * n, 210.0, 0.1 * n), Orientation.VERTICAL)
    for n, value in enumerate((3, 6, 9))
)


@lru_cache
def nudged(px):
    by = cv2.Rodrigues(np.array([px / LENS.matrix[0, 0], 0.0, 0.0]))[0]
    return CameraPose(by @ POSE.rotation, by @ POSE.translation_mm)


def frame(pose, tiles=ROW, time_s=0.0):
    return Frame(render(Scene(tuple(Solid(tile) for tile in tiles)), LENS, pose), time_s)


@pytest.fixture
def eye():
    """An eye that knows the empty table and where its camera hangs."""
    eye = Eye(LENS, load_mat(), hanging=True)
    for pose in (POSE, nudged(0.2), POSE):
        eye.look(frame(pose, ()))
    return eye


def worst_mm(look):
    found = {tile.value: tile.pose for tile in look.tiles}
    return max(
        math.hypot(found[t.value].x_mm - t.pose.x_mm, found[t.value].y_mm - t.pose.y_mm)
        for t in ROW
    )


def test_a_knocked_camera_says_nothing_of_places_until_it_is_known_where_it_hangs(eye):
    assert worst_mm(eye.look(frame(POSE))) < 0.5
    away = frame(nudged(25.0))
    looks = [eye.look(away) for _ in range(4)]
    assert [look.stillness for look in looks] == [
        Stillness.UNSURE,
        Stillness.UNSURE,
        Stillness.MOVED,
        Stillness.STILL,
    ]
    assert [look.steady for look in looks] == [False, False, True, True]
    assert all(worst_mm(look) < 0.5 for look in looks)


def test_a_camera_that_is_carried_about_never_moves_a_tile(eye):
    tracker = Tracker()
    eye.look(frame(POSE))
    for n in range(3):
        tracker.see(eye.look(frame(nudged(0.1 * n))), float(n))
    tracker.settle()
    for n in range(6):
        sight = tracker.see(eye.look(frame(nudged(15.0 * (n + 1)))), 10.0 + n)
        assert (sight.still, sight.moved, sight.gone) == (False, (), ())
        assert sight.chain.values == (3, 6, 9)


def test_frames_taken_from_here_and_there_are_each_taken_as_they_are():
    eye = Eye(LENS, load_mat())
    eye.look(frame(POSE))
    look = eye.look(frame(nudged(25.0)))
    assert look.steady
    assert worst_mm(look) < 0.5
