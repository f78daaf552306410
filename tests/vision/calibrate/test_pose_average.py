import math
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from vision.calibrate.pose_average import SteadyCamera, Stillness, average_pose
from vision.geometry.camera_pose import CameraPose, project
from vision.geometry.mat import load_mat
from vision.render.render import view_from

MAT = load_mat()
LENS, POSE = view_from(math.radians(12), 0.4)
POINTS = np.array([(x, y, 0.0) for x in (0, 600) for y in (0, 420)], dtype=float)


def turned(pose, *angles):
    by = cv2.Rodrigues(np.array(angles))[0]
    return CameraPose(by @ pose.rotation, by @ pose.translation_mm, 0.2, 30, 0.05)


def nudged(px):
    return turned(POSE, px / LENS.matrix[0, 0], 0.0, 0.0)


def jitter(pose, rng, px=0.3):
    return turned(pose, *rng.normal(0, px / LENS.matrix[0, 0], 3))


def shift_px(one, other):
    there = project(POINTS, other, LENS)
    return np.linalg.norm(project(POINTS, one, LENS) - there, axis=1).max()


def feed(camera, pose, count, rng):
    return [camera.see(jitter(pose, rng)) for _ in range(count)]


def test_a_still_camera_is_known_better_from_ten_frames_than_from_one():
    rng, camera = np.random.default_rng(0), SteadyCamera(LENS, MAT)
    single, held = [], []
    for n in range(200):
        seen = jitter(POSE, rng)
        told = camera.see(seen)
        if n >= 10:
            single.append(shift_px(seen, POSE))
            held.append(shift_px(told.pose, POSE))
    assert np.mean(held) < 0.45 * np.mean(single)


def test_a_still_camera_gives_no_alarm_in_a_thousand_frames():
    rng, camera = np.random.default_rng(1), SteadyCamera(LENS, MAT)
    seen = {told.stillness for told in feed(camera, POSE, 1000, rng)}
    assert seen == {Stillness.STARTING, Stillness.STILL}


@pytest.mark.parametrize("px", [3.0, 8.0, 60.0])
def test_a_nudge_is_told_after_three_frames_and_only_once(px):
    rng, camera = np.random.default_rng(2), SteadyCamera(LENS, MAT)
    feed(camera, POSE, 15, rng)
    told = feed(camera, nudged(px), 30, rng)
    states = [held.stillness for held in told]
    assert states[:3] == [Stillness.UNSURE, Stillness.UNSURE, Stillness.MOVED]
    assert set(states[3:]) == {Stillness.STILL}
    assert shift_px(told[-1].pose, nudged(px)) < 0.5
    assert "was moved" in told[2].words and told[-1].words == ""


def test_one_wild_frame_changes_nothing():
    rng, camera = np.random.default_rng(3), SteadyCamera(LENS, MAT)
    feed(camera, POSE, 15, rng)
    wild = camera.see(nudged(20.0))
    after = feed(camera, POSE, 5, rng)
    assert wild.stillness is Stillness.UNSURE
    assert shift_px(wild.pose, POSE) < 0.5
    assert {held.stillness for held in after} == {Stillness.STILL}


def test_a_camera_in_motion_is_followed_frame_by_frame_until_it_stops():
    rng, camera = np.random.default_rng(4), SteadyCamera(LENS, MAT)
    feed(camera, POSE, 15, rng)
    moving = [camera.see(nudged(10.0 * n)) for n in range(1, 9)]
    assert [held.stillness for held in moving[2:]] == [Stillness.MOVING] * 6
    assert shift_px(moving[-1].pose, nudged(80.0)) == 0.0
    assert "let go" in moving[-1].words
    stopped = feed(camera, nudged(80.0), 6, rng)
    assert Stillness.MOVED in {held.stillness for held in stopped}
    assert stopped[-1].stillness is Stillness.STILL


def test_a_camera_that_sinks_slowly_is_told_until_it_is_accepted():
    rng, camera = np.random.default_rng(5), SteadyCamera(LENS, MAT)
    feed(camera, POSE, 15, rng)
    sinking = [camera.see(jitter(nudged(0.03 * n), rng)) for n in range(80)]
    assert sinking[20].stillness is Stillness.STILL
    assert sinking[-1].stillness is Stillness.CREPT
    assert shift_px(sinking[-1].pose, nudged(0.03 * 79)) < 0.6
    first = next(n for n, held in enumerate(sinking) if held.stillness is Stillness.CREPT)
    assert all(held.stillness is Stillness.CREPT for held in sinking[first:])
    camera.accept()
    after = feed(camera, nudged(0.03 * 79), 30, rng)
    assert {held.stillness for held in after} == {Stillness.STILL}


def test_a_camera_that_has_sunk_and_stays_is_taken_as_it_hangs_now():
    rng, camera = np.random.default_rng(8), SteadyCamera(LENS, MAT)
    feed(camera, POSE, 15, rng)
    for n in range(80):
        camera.see(jitter(nudged(0.03 * n), rng))
    stays = [held.stillness for held in feed(camera, nudged(0.03 * 79), 90, rng)]
    moved = stays.index(Stillness.MOVED)
    assert set(stays[:moved]) == {Stillness.CREPT}
    assert set(stays[moved + 1 :]) == {Stillness.STILL}


def test_the_alarm_does_not_flicker_near_its_threshold():
    rng, camera = np.random.default_rng(6), SteadyCamera(LENS, MAT)
    feed(camera, POSE, 15, rng)
    near = feed(camera, nudged(0.95), 200, rng)
    states = [held.stillness is Stillness.CREPT for held in near]
    assert sum(a != b for a, b in pairwise(states)) <= 2


def test_a_frame_that_says_little_does_not_raise_the_alarm():
    rng, camera = np.random.default_rng(7), SteadyCamera(LENS, MAT)
    feed(camera, POSE, 15, rng)
    vague = replace(nudged(3.0), sigma_mm=1.5)
    assert camera.see(vague).stillness is Stillness.STILL
    assert shift_px(camera.see(jitter(POSE, rng)).pose, POSE) < 0.5


def test_a_hand_over_half_the_mat_moves_no_camera_though_its_strips_lie_askew():
    rng, camera = np.random.default_rng(9), SteadyCamera(LENS, MAT)
    feed(camera, POSE, 15, rng)
    told = [camera.see(replace(jitter(nudged(3.0), rng, 0.1), markers=15)) for _ in range(20)]
    assert {held.stillness for held in told} == {Stillness.STILL}
    assert max(shift_px(held.pose, POSE) for held in told) < 0.5


def test_a_knock_is_told_though_a_hand_hides_half_the_mat():
    rng, camera = np.random.default_rng(10), SteadyCamera(LENS, MAT)
    feed(camera, POSE, 15, rng)
    told = [camera.see(replace(jitter(nudged(12.0), rng, 0.1), markers=15)) for _ in range(3)]
    assert told[-1].stillness is Stillness.MOVED


def test_fewer_markers_for_good_are_the_usual_after_a_while():
    rng, camera = np.random.default_rng(11), SteadyCamera(LENS, MAT)
    feed(camera, POSE, 15, rng)
    for _ in range(60):
        held = camera.see(replace(jitter(nudged(1.2), rng, 0.1), markers=15))
    assert shift_px(held.pose, nudged(1.2)) < 0.3


def test_well_known_poses_count_more():
    good, bad = replace(POSE, sigma_mm=0.05), replace(nudged(4.0), sigma_mm=1.0)
    assert shift_px(average_pose((good, bad)), POSE) < 0.05


def test_the_average_of_equal_poses_is_that_pose():
    middle = average_pose((POSE, POSE, POSE))
    assert middle.rotation == pytest.approx(POSE.rotation, abs=1e-12)
    assert middle.translation_mm == pytest.approx(POSE.translation_mm)
