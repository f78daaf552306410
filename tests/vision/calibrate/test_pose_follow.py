import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from vision.calibrate.mat_survey import moved, settled
from vision.calibrate.pose_follow import follow
from vision.capture.camera import Frame
from vision.geometry.camera_pose import View, find_pose, project, to_plane
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.render.render import Sensor, render, view_from
from vision.render.scene import Scene, Solid

MAT = load_mat()
MIDDLE = np.array([(300.0, 210.0, 0.0)])
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


def test_a_camera_is_found_in_the_same_place_wherever_it_was_thought_to_be():
    intrinsics, true = view_from(math.radians(9), 0.7)
    image = gray(intrinsics, true)
    poses = [true] + [view_from(math.radians(9 + d), 0.7)[1] for d in (0.02, 0.05, 0.1)]
    assert apart_px(poses[1], true, intrinsics) < 0.3 < apart_px(poses[3], true, intrinsics)
    first, *others = (follow(image, View(pose, intrinsics), MAT) for pose in poses)
    assert all(apart_px(first, other, intrinsics) < 0.02 for other in others)


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


@pytest.mark.parametrize("share", [0.6, 0.85])
def test_pixels_that_run_along_the_strips_do_not_pull_the_camera_to_one_side(share):
    intrinsics, true = view_from(math.radians(0.5), 0.0)
    sharp = gray(intrinsics, true)
    coarse = cv2.resize(sharp, None, fx=share, fy=share, interpolation=cv2.INTER_NEAREST_EXACT)
    image = cv2.resize(coarse, sharp.shape[::-1], interpolation=cv2.INTER_CUBIC)
    found = follow(image, View(true, intrinsics), MAT)
    assert apart_px(found, true, intrinsics) < 0.2


@pytest.mark.parametrize("level", [0, 128, 255])
def test_an_image_without_a_mat_gives_no_pose(level):
    intrinsics, true = view_from(math.radians(9), 0.7)
    assert follow(np.full((1080, 1920), level, np.uint8), View(true, intrinsics), MAT) is None


def test_a_mat_that_lies_askew_makes_the_look_less_sure_of_places_and_says_about_how_much():
    lens, true = view_from(math.radians(8), 0.7)
    ways = np.array([[0.8, 0.3], [-0.4, 0.7], [0.5, -0.6], [-0.7, -0.4]])
    told, wrong = [], []
    for share in (0.0, 0.7):
        off = {
            i: MAT.corners_mm[i] + share * ways[n % len(ways)]
            for n, strip in enumerate(MAT.strips)
            for i in strip
        }
        scene = Scene(table="grey", seed=2)
        image = render(scene, lens, true, Sensor(0.6, 2.5), replace(MAT, corners_mm=off))
        camera = Eye(lens, MAT).look(Frame(image, 0.0)).camera
        told.append(camera.sigma_mm)
        middle = to_plane(project(MIDDLE, true, lens), 0.0, camera, lens)[0]
        wrong.append(math.dist(middle, MIDDLE[0, :2]))
    assert 0.005 < told[0] < 0.12
    assert told[1] > 4 * told[0]
    assert wrong[1] < 3 * told[1]


def test_strips_a_millimetre_off_make_places_as_unsure_as_they_are_wrong():
    tops = np.array([(x, y, 48.0) for x in (100.0, 300.0, 500.0) for y in (80.0, 210.0, 340.0)])
    sigmas = []
    for seed in (1, 2, 3, 4):
        rng = np.random.default_rng(seed)
        lens, true = view_from(math.radians(8), rng.uniform(-3, 3))
        way, turn = rng.uniform(0, math.tau, 6), math.radians(0.5) * rng.choice([-1.0, 1.0], 6)
        lying = settled(moved(MAT, np.column_stack([np.cos(way), np.sin(way), turn])), MAT)
        image = render(Scene(table="grey", seed=2), lens, true, Sensor(0.6, 2.5), lying)
        camera = Eye(lens, MAT).look(Frame(image, 0.0)).camera
        off = to_plane(project(tops, true, lens), 48.0, camera, lens) - tops[:, :2]
        sigmas.append(off / camera.sigma_mm)
    assert 0.35 < np.sqrt(np.mean(np.square(sigmas))) < 1.1
    assert np.mean(np.abs(sigmas) < 2) > 0.9
