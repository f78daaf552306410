import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.faulty_camera import Sensor, render
from vision.calibrate.mat_survey import moved
from vision.geometry.camera_pose import CameraPose, NoMat, find_pose, project, to_plane
from vision.geometry.charuco import BOARD
from vision.geometry.diagnosis import Trouble, softness_px
from vision.geometry.lens import BadCamera, Intrinsics
from vision.geometry.markers import as_gray
from vision.geometry.mat import load_mat
from vision.render.render import view_from
from vision.render.scene import Scene

MAT = load_mat()
LENS, POSE = view_from(math.radians(12), 0.3)
TOPS = np.array([(x, y, 48.0) for x in (0, 300, 600) for y in (0, 210, 420)], dtype=float)


SMALL = LENS.at_size(1280, 720)


@cache
def clear():
    """The mat alone, in grey; for all tests, none of which may change it."""
    gray = as_gray(render(Scene(table="grey"), LENS, POSE))
    gray.setflags(write=False)
    return gray


@cache
def small_table(table):
    gray = as_gray(render(Scene(table=table, seed=4), SMALL, POSE))
    gray.setflags(write=False)
    return gray


def gained(gray, gain):
    return np.clip(gray * gain, 0, 255).astype(np.uint8)


def covered_but(gray, left, top, right, bottom):
    image = np.full_like(gray, 100)
    image[top:bottom, left:right] = gray[top:bottom, left:right]
    return image


def held_board():
    lens, _ = LENS, POSE
    width, height = BOARD.size_mm
    return CameraPose(np.eye(3), np.array([-width / 2, -height / 2, lens.matrix[0, 0] / 4.5]))


def glaring():
    image = covered_but(clear(), 0, 0, 1920, 260)
    image[400:760, 500:1000] = 255
    image[:, :700] = np.where(image[:, :700] > 200, 100, image[:, :700])
    return image


LEFT_STRIP = {i: c for i, c in MAT.corners_mm.items() if i >= 25}


@pytest.mark.parametrize(
    ("gray", "trouble", "words"),
    [
        (lambda: np.zeros((1080, 1920), np.uint8), Trouble.DARK, "almost black; turn on the lamp"),
        (lambda: gained(clear(), 0.02), Trouble.DARK, "almost black; turn on the lamp"),
        (lambda: gained(clear() + 15.0, 9.0), Trouble.BRIGHT, "over-exposed; shorten the exposure"),
        (
            lambda: np.full((1080, 1920), 128, np.uint8),
            Trouble.COVERED,
            "something before the lens",
        ),
        (
            lambda: cv2.GaussianBlur(clear(), (0, 0), 7),
            Trouble.BLURRED,
            "blurred by [67] px; hold the",
        ),
        (lambda: clear()[:, ::-1].copy(), Trouble.MIRRORED, "mirrored; switch mirroring off"),
        (
            lambda: covered_but(clear(), 400, 0, 800, 300),
            Trouble.HIDDEN,
            "on the .* side, at least 4 on 2",
        ),
        (glaring, Trouble.GLARE, "a lamp is mirrored in the table; move the lamp"),
    ],
)
def test_a_picture_without_a_usable_mat_says_what_is_wrong_and_what_to_do(gray, trouble, words):
    with pytest.raises(NoMat, match=words) as caught:
        find_pose(gray(), LENS, MAT)
    assert caught.value.trouble is trouble


def test_the_board_lying_over_the_mat_is_named():
    image = render(Scene(table="grey"), LENS, POSE, board=held_board())
    hidden = as_gray(image)
    hidden[:200] = hidden[880:] = 100
    hidden[:, :300] = hidden[:, 1500:] = 100
    with pytest.raises(NoMat, match="calibration board is in view instead") as caught:
        find_pose(hidden, LENS, MAT)
    assert caught.value.trouble is Trouble.BOARD


def test_markers_of_another_mat_are_named():
    few = replace(MAT, corners_mm=LEFT_STRIP, strips=((25, 26, 27, 28, 29),))
    with pytest.raises(NoMat, match=r"other markers are in view \(0, 1, 2, 3 \.\.\.\)") as caught:
        find_pose(clear(), LENS, few)
    assert caught.value.trouble is Trouble.UNKNOWN_MARKERS


def test_a_mat_upside_down_is_only_a_camera_on_the_other_side():
    turned = cv2.rotate(clear(), cv2.ROTATE_180)
    matrix = LENS.matrix.copy()
    matrix[:2, 2] = (LENS.width - 1, LENS.height - 1) - LENS.matrix[:2, 2]
    dist = LENS.dist * (1, 1, -1, -1, 1)
    found = find_pose(turned, Intrinsics(matrix, dist, 1920, 1080), MAT)
    assert found.centre_mm == pytest.approx(POSE.centre_mm, abs=0.5)


def test_a_hand_over_the_mat_leaves_enough_of_it():
    lens, pose = LENS, POSE
    gray = as_gray(render(Scene(table="wood", hand=(300.0, 60.0)), lens, pose))
    assert off_mm(find_pose(gray, lens, MAT)) < 0.3


def test_another_lens_contradicts_a_surveyed_mat_sooner_than_one_laid_by_hand():
    lens, pose = view_from(math.radians(20), 0.3)
    gray = as_gray(render(Scene(table="grey"), lens, pose))
    matrix = lens.matrix.copy()
    matrix[[0, 1], [0, 1]] *= 1.1
    wrong = Intrinsics(matrix, lens.dist, 1920, 1080)
    with pytest.raises(NoMat, match="camera file does not belong") as caught:
        find_pose(gray, wrong, replace(MAT, surveyed=True))
    assert caught.value.trouble is Trouble.CONTRADICTION
    askew = moved(MAT, np.array([[1.0, 0, 0.008], [0, 1.0, -0.008]] * 3))
    laid = as_gray(render(Scene(table="grey"), lens, pose, mat=askew))
    assert find_pose(laid, lens, MAT).markers >= 20


def test_a_frame_of_another_size_is_said_with_both_sizes():
    with pytest.raises(BadCamera, match="is for 1920 x 1080 images, this one has 1280 x 1024"):
        LENS.at_size(1280, 1024)


def test_few_markers_in_one_corner_are_not_believed():
    corner = covered_but(clear(), 0, 0, 520, 470)
    with pytest.raises(NoMat, match=r"say only to \d mm where things are|at least 4 on 2 sides"):
        find_pose(corner, LENS, MAT)


@pytest.mark.parametrize("blur_px", [0.8, 1.5, 3.0, 5.0])
@pytest.mark.parametrize("table", ["wood", "white"])
def test_blur_is_measured_on_any_table(table, blur_px):
    gray = as_gray(render(Scene(table=table), LENS, POSE, Sensor(blur_px=blur_px, noise=3.0)))
    assert softness_px(gray) == pytest.approx(blur_px, abs=0.35)


def off_mm(found):
    back = to_plane(project(TOPS, POSE, LENS), 48.0, found, LENS)
    return float(np.linalg.norm(back - TOPS[:, :2], axis=1).max())


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(
    dark=st.booleans(),
    blur_px=st.floats(0.1, 4.0),
    gain=st.floats(0.05, 4.0),
    noise=st.floats(0.0, 25.0),
    cover=st.lists(
        st.tuples(
            st.integers(0, 1279), st.integers(0, 719), st.integers(30, 1000), st.integers(30, 600),
            st.integers(0, 255),
        ),
        max_size=4,
    ),
    shake=st.integers(1, 17),
    seed=st.integers(0, 1 << 30),
)  # fmt: skip
def test_whatever_happens_to_a_picture_its_pose_is_right_or_refused(
    dark, blur_px, gain, noise, cover, shake, seed
):
    gray = small_table("dark" if dark else "grey")
    for left, top, width, height, level in cover:
        gray = cv2.rectangle(gray.copy(), (left, top, width, height), level, -1)
    gray = cv2.GaussianBlur(cv2.blur(gray, (shake, 1)), (0, 0), blur_px)
    grain = np.random.default_rng(seed).standard_normal(gray.shape, np.float32)
    gray = np.clip(gray * gain + noise * grain, 0, 255).astype(np.uint8)
    try:
        found = find_pose(gray, SMALL, MAT)
    except NoMat:
        return
    assert off_mm(found) < 4.0
    assert off_mm(found) < 0.4 + 5.0 * found.sigma_mm
