import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.support.faulty_camera import Sensor, render
from vision.calibrate.lens_fit import LensPicture, NoLens, find_lens, see_board, see_mat
from vision.calibrate.mat_survey import moved, sighting
from vision.geometry.camera_pose import CameraPose, project
from vision.geometry.charuco import BOARD
from vision.geometry.mat import MatView, load_mat
from vision.pusher_tag.tag import TAG
from vision.render.render import view_from
from vision.render.scene import Scene

MAT = load_mat()
DIST = (-0.07, 0.02, 0.0004, -0.0003, 0.0)
TRUE = view_from(0.15, 1.0, focal_px=1450.0, dist=DIST)[0]


def held(tilt_deg, side, at=(0.5, 0.5), px_per_mm=3.8):
    """The board before the camera, tilted to one side, its middle at a share of the picture."""
    axis = np.array([math.cos(side), math.sin(side), 0.0]) * math.radians(tilt_deg)
    turn = cv2.Rodrigues(axis)[0]
    depth = TRUE.matrix[0, 0] / px_per_mm
    pixel = np.array(at) * (TRUE.width, TRUE.height)
    middle = np.append((pixel - TRUE.matrix[:2, 2]) / np.diag(TRUE.matrix)[:2] * depth, depth)
    width, height = BOARD.size_mm
    return CameraPose(turn, middle - turn @ np.array([width / 2, height / 2, 0.0]))


PLACES = [(0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6), (0.5, 0.5), (0.35, 0.5)]
TILTED = [held(25.0, 1.1 * n, at) for n, at in enumerate(PLACES)]


def pictures(poses, noise_px=0.1, seed=0):
    rng = np.random.default_rng(seed)
    places = BOARD.opencv().getChessboardCorners().astype(np.float64)
    blank = see_mat(clear(), MAT, "blank")
    result = []
    for n, pose in enumerate(poses):
        pixels = project(places, pose, TRUE) + rng.normal(0, noise_px, (len(places), 2))
        points = replace(
            blank.points,
            points_mm=places[:, :2],
            sheets=np.zeros(len(places), np.int64),
            spots=np.zeros(len(places), np.int64),
            pixels=pixels,
            inwards=np.zeros((len(places), 2)),
        )
        result.append(LensPicture(f"picture {n + 1}", (1920, 1080), points))
    return result


@cache
def clear():
    """The mat alone, in grey; for all tests, none of which may change it."""
    gray = cv2.cvtColor(render(Scene(table="grey"), *view_from(0.2, 0.3)), cv2.COLOR_BGR2GRAY)
    gray.setflags(write=False)
    return gray


def mat_pictures(mat, count=4, tilt_deg=20.0, seed=0):
    rng = np.random.default_rng(seed)
    result = []
    for n in range(count):
        intrinsics, pose = view_from(
            math.radians(tilt_deg), n * math.tau / count + 0.3, 1450.0, 1.75, dist=DIST
        )
        places = np.concatenate(
            [np.column_stack([mat.corners_mm[i], np.zeros(4)]) for i in mat.corners_mm]
        )
        pixels = project(places, pose, intrinsics) + rng.normal(0, 0.1, (len(places), 2))
        view = MatView(tuple(mat.corners_mm), pixels.reshape(-1, 4, 2))
        points = sighting(view, MAT, intrinsics, pose)
        result.append(LensPicture(f"picture {n + 1}", (1920, 1080), points))
    return result


def test_the_board_in_five_rendered_pictures_gives_the_lens():
    camera = view_from(0.15, 1.0, focal_px=1450.0, dist=DIST)
    seen = []
    for n, pose in enumerate(TILTED[:5]):
        image = render(Scene(table="wood"), *camera, Sensor(bloom_px=0.5), board=pose)
        seen.append(see_board(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), BOARD, f"picture {n}"))
    fit = find_lens(seen)
    assert fit.intrinsics.matrix[0, 0] == pytest.approx(1450.0, rel=0.001)
    assert fit.intrinsics.matrix[:2, 2] == pytest.approx(TRUE.matrix[:2, 2], abs=1.5)
    assert fit.intrinsics.dist == pytest.approx(DIST, abs=0.01)
    assert fit.error_px < 0.15 and fit.held_out_px < 0.2
    assert fit.pictures == 5 and fit.points > 230


def test_what_is_said_of_the_lens_error_is_true():
    off = []
    for seed in range(3):
        fit = find_lens(pictures(TILTED, 0.2, seed))
        (fx, _, cx), (_, fy, cy) = fit.intrinsics.matrix[:2]
        values = np.array([fx, fy, cx, cy, *fit.intrinsics.dist[:4]])
        true = np.array([1450.0, 1450.0, 957.3, 541.8, *DIST[:4]])
        off.append((values - true) / fit.sigma[:8])
    assert 0.5 < float(np.sqrt(np.mean(np.square(off)))) < 1.6


def test_pictures_that_are_left_out_miss_more_than_those_that_are_not():
    fit = find_lens(pictures(TILTED, 0.3))
    assert fit.error_px == pytest.approx(0.3 * math.sqrt(2), rel=0.1)
    assert fit.error_px < fit.held_out_px < 1.5 * fit.error_px


def test_the_mat_gives_the_lens_though_its_strips_lie_askew():
    rng = np.random.default_rng(4)
    moves = rng.uniform(-1, 1, (6, 3)) * (1.5, 1.5, math.radians(0.7))
    fit = find_lens(mat_pictures(moved(MAT, moves)), MAT)
    assert fit.intrinsics.matrix[0, 0] == pytest.approx(1450.0, rel=0.001)
    assert fit.intrinsics.dist == pytest.approx(DIST, abs=0.01)
    assert fit.error_px == pytest.approx(0.14, abs=0.02)
    assert fit.held_out_px == pytest.approx(0.15, abs=0.03)


def test_a_bent_lens_that_is_ignored_would_not_fit():
    fit = find_lens(mat_pictures(MAT), MAT)
    straight = fit.intrinsics.dist * 0
    assert np.abs(fit.intrinsics.dist - straight).max() > 20 * fit.sigma[4]


@pytest.mark.parametrize(
    ("poses", "words"),
    [
        (TILTED[:3], "only 3 usable pictures, at least 4 are needed"),
        (
            [held(1.0, n, at) for n, at in enumerate(PLACES)],
            r"all views look straight down \(they differ by . degrees\): tilt the board",
        ),
        ([held(25.0, 0.5, at) for at in PLACES], "all views look from the same direction"),
        ([held(25.0, n, px_per_mm=1.2) for n in range(5)], "the points span .* go nearer"),
    ],
)
def test_pictures_that_cannot_tell_the_lens_are_refused_with_what_is_missing(poses, words):
    with pytest.raises(NoLens, match=words):
        find_lens(pictures(poses))


def test_points_that_no_lens_explains_are_refused():
    seen = pictures(TILTED, 2.5)
    with pytest.raises(NoLens, match=r"no lens fits the pictures .* most in picture"):
        find_lens(seen)


def test_pictures_of_mixed_sizes_are_refused():
    seen = pictures(TILTED)
    seen[2] = replace(seen[2], size=(1280, 720))
    with pytest.raises(NoLens, match="picture 3 has 1280 x 720 px and picture 1 has 1920 x 1080"):
        find_lens(seen)


def test_noisy_pictures_that_differ_little_leave_the_focal_length_unknown():
    poses = [held(tilt, 0.5, at, 2.8) for tilt, at in zip((3, 19, 3, 19), PLACES, strict=False)]
    with pytest.raises(NoLens, match="focal length is only known to"):
        find_lens(pictures(poses, 0.65))


def test_a_small_part_of_the_picture_is_enough_and_advice_is_given():
    assert "near the picture's corners" in find_lens(pictures(TILTED)).advice
    everywhere = [
        held(25.0, 1.1 * n, at, 3.4)
        for n, at in enumerate([(0.22, 0.3), (0.78, 0.3), (0.78, 0.7), (0.22, 0.7), (0.5, 0.5)])
    ]
    assert find_lens(pictures(everywhere)).advice == ""


def test_a_blurred_picture_is_refused_by_name():
    image = render(Scene(), *view_from(0.15, 1.0), Sensor(blur_px=4.0), board=TILTED[0])
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    with pytest.raises(NoLens, match=r"shot 7: is blurred by [34]\.. px"):
        see_board(gray, BOARD, "shot 7")
    with pytest.raises(NoLens, match="shot 7: is blurred"):
        see_mat(gray, MAT, "shot 7")


def test_a_picture_with_too_little_of_the_board_is_refused_by_name():
    with pytest.raises(NoLens, match=r"shot 2: shows 0 of the board's 48 corners, at least 16"):
        see_board(clear(), BOARD, "shot 2")


def test_a_picture_without_the_mat_says_how_many_markers_it_shows():
    half = clear().copy()
    half[:, 450:] = 120
    with pytest.raises(NoLens, match=r"shot 3: shows \d markers of the mat, at least 10"):
        see_mat(half, MAT, "shot 3")


def test_mat_board_and_tag_never_mix():
    words = BOARD.opencv().getDictionary()
    assert TAG.dictionary == BOARD.dictionary != MAT.dictionary
    assert TAG.marker not in BOARD.opencv().getIds()
    assert TAG.marker < len(words.bytesList)


def test_the_board_fits_a4_and_letter_with_room_to_hold_it():
    width, height = BOARD.size_mm
    for paper in ((297.0, 210.0), (279.4, 215.9)):
        assert min(paper[0] - width, paper[1] - height) >= 2 * 10.0
