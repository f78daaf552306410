import json
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.calibrate.lens_fit import guess_intrinsics
from vision.geometry.camera_pose import NoMat, find_pose, project, solve_pose, to_plane
from vision.geometry.lens import BadCamera, load_intrinsics
from vision.geometry.mat import SHIPPED_MAT, BadMat, MatView, find_markers, load_mat
from vision.render.render import default_view, render, view_from
from vision.render.scene import TABLES, Scene

MAT = load_mat()


def gray(scene, intrinsics, pose):
    return cv2.cvtColor(render(scene, intrinsics, pose), cv2.COLOR_BGR2GRAY)


def seen_mat(intrinsics, pose, ids=None):
    """The mat as a perfect camera sees it."""
    ids = tuple(MAT.corners_mm) if ids is None else tuple(ids)
    corners = [np.column_stack([MAT.corners_mm[i], np.zeros(4)]) for i in ids]
    pixels = project(np.concatenate(corners), pose, intrinsics).reshape(-1, 4, 2)
    return MatView(ids, pixels)


def off_mm(found, true, intrinsics, z_mm=48.0):
    points = np.array([(x, y, z_mm) for x in (60, 300, 540) for y in (40, 210, 380)], dtype=float)
    back = to_plane(project(points, true, intrinsics), z_mm, found, intrinsics)
    return float(np.linalg.norm(back - points[:, :2], axis=1).max())


def test_the_printed_mat_has_thirty_markers_on_four_sides():
    assert sorted(MAT.corners_mm) == list(range(30))
    sides = [MAT.side(i) for i in range(30)]
    assert {side: sides.count(side) for side in set(sides)} == {
        "far": 10,
        "near": 10,
        "left": 5,
        "right": 5,
    }
    assert sorted(i for strip in MAT.strips for i in strip) == list(range(30))


@pytest.mark.parametrize("z_mm", [0.0, 7.5, 24.0, 48.0])
def test_projecting_and_looking_back_are_inverse_at_every_height(z_mm):
    intrinsics, pose = view_from(math.radians(18), 1.0)
    points = np.array([(x, y, z_mm) for x in (0, 250, 600) for y in (0, 420)], dtype=float)
    back = to_plane(project(points, pose, intrinsics), z_mm, pose, intrinsics)
    assert back == pytest.approx(points[:, :2], abs=1e-3)


@pytest.mark.parametrize("k3", [0.0, 0.03])
@pytest.mark.parametrize("across", [2, 30], ids=["few points", "many points"])
def test_projecting_agrees_with_opencv(across, k3):
    lens, pose = view_from(math.radians(20), 2.0, roll_rad=0.1)
    intrinsics = replace(lens, dist=np.array([-0.05, 0.01, 0.001, -0.0007, k3]))
    x, y, z = np.meshgrid(np.linspace(0, 600, across), np.linspace(0, 420, across), (0.0, 48.0))
    points = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)
    turn, _ = cv2.Rodrigues(pose.rotation)
    theirs, _ = cv2.projectPoints(
        points, turn, pose.translation_mm, intrinsics.matrix, intrinsics.dist
    )
    assert project(points, pose, intrinsics) == pytest.approx(theirs.reshape(-1, 2), abs=1e-6)


def test_shrinking_an_image_keeps_pixel_centres_in_place():
    intrinsics, pose = default_view()
    small = intrinsics.at_size(1280, 720)
    points = np.array([(100.0, 50.0, 24.0), (500.0, 400.0, 0.0)])
    large_px, small_px = project(points, pose, intrinsics), project(points, pose, small)
    assert small_px == pytest.approx((large_px + 0.5) * 2 / 3 - 0.5, abs=1e-9)


def test_a_cropped_image_does_not_fit_the_camera_file():
    with pytest.raises(BadCamera, match="1440 x 1080"):
        default_view()[0].at_size(1440, 1080)


@pytest.mark.parametrize("tilt_deg", [0, 10, 20])
@pytest.mark.parametrize("table", TABLES)
def test_the_camera_is_found_on_every_table_and_at_every_tilt(table, tilt_deg):
    intrinsics, pose = view_from(math.radians(tilt_deg), 0.7)
    found = find_pose(gray(Scene(table=table, seed=tilt_deg), intrinsics, pose), intrinsics, MAT)
    assert off_mm(found, pose, intrinsics) < 0.25
    assert found.markers >= 24
    assert found.error_px < 1.0


def test_white_that_blooms_over_black_does_not_move_the_camera():
    intrinsics, pose = view_from(math.radians(12), 0.3)
    view = seen_mat(intrinsics, pose)
    middle = view.corners_px.mean(axis=1, keepdims=True)
    shrunk = MatView(view.ids, middle + (view.corners_px - middle) * 0.97)
    found = solve_pose(shrunk, intrinsics, MAT)
    assert off_mm(found, pose, intrinsics) < 0.02
    assert found.error_px < 0.1


def test_a_marker_that_was_moved_is_left_out():
    intrinsics, pose = view_from(math.radians(12), 0.3)
    view = seen_mat(intrinsics, pose)
    view.corners_px[4] += 25.0
    found = solve_pose(view, intrinsics, MAT)
    assert found.markers == 29
    assert off_mm(found, pose, intrinsics) < 0.1


@pytest.mark.parametrize("ids", [[3], [0, 1, 2, 3, 4, 5], [0, 10, 20]])
def test_too_few_markers_or_one_side_alone_give_no_camera(ids):
    intrinsics, pose = default_view()
    with pytest.raises(NoMat, match="at least 4 on 2 sides"):
        solve_pose(seen_mat(intrinsics, pose, ids), intrinsics, MAT)


@pytest.mark.parametrize("level", [0, 128, 255])
def test_an_image_of_one_brightness_has_no_mat(level):
    with pytest.raises(NoMat, match="only 0 markers"):
        find_pose(np.full((1080, 1920), level, np.uint8), default_view()[0], MAT)


def test_half_a_mat_is_enough_and_a_quarter_is_not():
    intrinsics, pose = default_view()
    image = gray(Scene(), intrinsics, pose)
    image[:, 960:] = 90
    assert off_mm(find_pose(image, intrinsics, MAT), pose, intrinsics) < 1.5
    image[:, 480:] = 90
    image[540:] = 90
    with pytest.raises(NoMat):
        find_pose(image, intrinsics, MAT)


def test_markers_of_another_size_contradict_the_mat():
    intrinsics, pose = default_view()
    wrong = intrinsics.matrix.copy()
    wrong[0, 0] *= 1.3
    view = seen_mat(intrinsics, pose)
    with pytest.raises(NoMat, match="camera file does not belong"):
        solve_pose(view, type(intrinsics)(wrong, intrinsics.dist, 1920, 1080), MAT)


def test_tilted_views_give_a_good_guess_of_the_focal_length():
    views = []
    for tilt_deg, side in ((18, 0.0), (20, 2.0), (16, 4.0)):
        intrinsics, pose = view_from(math.radians(tilt_deg), side, dist=(0, 0, 0, 0, 0))
        views.append(seen_mat(intrinsics, pose))
    guess = guess_intrinsics(views, MAT, (1920, 1080))
    assert guess.matrix[0, 0] == pytest.approx(intrinsics.matrix[0, 0], rel=0.02)


def test_without_any_mat_nothing_is_guessed():
    with pytest.raises(NoMat, match="no frame shows the mat"):
        guess_intrinsics([MatView((), np.zeros((0, 4, 2)))], MAT, (1920, 1080))


def test_unknown_markers_are_dropped():
    intrinsics, pose = default_view()
    few = type(MAT)(
        MAT.dictionary,
        {i: MAT.corners_mm[i] for i in range(0, 30, 2)},
        MAT.strips,
        MAT.area_x_mm,
        MAT.area_y_mm,
    )
    assert all(i % 2 == 0 for i in find_markers(gray(Scene(), intrinsics, pose), few).ids)


def test_markers_that_the_lens_cannot_show_give_no_pose():
    intrinsics, pose = default_view()
    matrix = intrinsics.matrix.copy()
    matrix[0, 2] = 1e17
    with pytest.raises(NoMat, match="give no camera pose"):
        solve_pose(seen_mat(intrinsics, pose), replace(intrinsics, matrix=matrix), MAT)


GOOD = {"K": [[1500, 0, 960], [0, 1500, 540], [0, 0, 1]], "dist": [0, 0, 0, 0]}


@pytest.mark.parametrize("nested", [False, True])
def test_a_camera_file_may_hold_its_fields_on_top_or_under_camera(tmp_path, nested):
    path = tmp_path / "camera.json"
    path.write_text(json.dumps({"camera": GOOD} if nested else GOOD))
    lens = load_intrinsics(path, (1280, 720))
    assert lens.matrix[0, 0] == 1500 and lens.dist.shape == (5,)
    assert (lens.width, lens.height) == (1280, 720)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not JSON"),
        ("[]", "one JSON object"),
        ("{}", "field K is missing"),
        (json.dumps({**GOOD, "K": [[1, 2], [3, 4]]}), "field K must hold 3 x 3 numbers"),
        (json.dumps({**GOOD, "K": [[-1, 0, 9], [0, 1, 9], [0, 0, 1]]}), "field K must be"),
        (json.dumps({**GOOD, "dist": [0, 0]}), "field dist must hold 4 or 5"),
        (json.dumps({**GOOD, "dist": [0, 0, 0, None]}), "field dist must hold"),
        (json.dumps({**GOOD, "width": "wide"}), "width and height"),
        (json.dumps({**GOOD, "width": 10**400}), "width and height"),
        (json.dumps({"camera": 5}), "field camera"),
        (json.dumps({**GOOD, "K": [[1500, 0, 1e17], [0, 1500, 540], [0, 0, 1]]}), "no lens has"),
        (json.dumps({**GOOD, "K": [[1500, 0, 960], [0, 1e-9, 540], [0, 0, 1]]}), "no lens has"),
        (json.dumps({**GOOD, "dist": [0, -1e308, 0, 0]}), "no lens has this K and dist"),
    ],
)
def test_a_bad_camera_file_is_named_with_its_field(tmp_path, text, words):
    path = tmp_path / "camera.json"
    path.write_text(text)
    with pytest.raises(BadCamera, match=words) as caught:
        load_intrinsics(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"markers": {"0": [[0, 0]]}}, "field markers"),
        ({"markers": dict.fromkeys(("a", "b", "c", "d"), [[0, 0]] * 4)}, "whole number"),
        ({"markers": {key: [[0, 0]] for key in "0123"}}, "field 0 must hold 4 x 2"),
        ({"work_area": 3}, "work_area"),
        ({"work_area": {"x": [0, 1]}}, "field y is missing"),
        ({"dictionary": "NONE"}, "dictionary"),
        ({"sheets": [{}]}, "sheets"),
    ],
)
def test_a_bad_mat_file_is_named_with_its_field(tmp_path, change, words):
    path = tmp_path / "mat.json"
    path.write_text(json.dumps({**json.loads(SHIPPED_MAT.read_text()), **change}))
    with pytest.raises(BadMat, match=words) as caught:
        load_mat(path)
    assert str(path) in str(caught.value)
