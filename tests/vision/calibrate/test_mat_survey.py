import json
import math
from datetime import date

import cv2
import numpy as np
import pytest

from tests.support.faulty_camera import Sensor, render
from vision.calibrate.calibration_files import save_mat
from vision.calibrate.mat_survey import NoSurvey, moved, settled, survey
from vision.geometry.camera_pose import project
from vision.geometry.mat import BadMat, MatView, find_markers, load_mat
from vision.render.render import view_from
from vision.render.scene import Scene

MAT = load_mat()
MOVES = np.array(
    [
        [0.8, -0.6, 0.5],
        [-1.0, 0.0, -0.5],
        [0.0, 1.0, 0.5],
        [0.6, 0.8, -0.5],
        [-0.7, 0.7, 0.5],
        [0.3, -0.95, 0.5],
    ]
) * (1.0, 1.0, math.radians(1.0))


def cameras(tilt_deg=18.0, count=4, **lens):
    return [
        view_from(math.radians(tilt_deg), n * math.tau / count + 0.2, scale_px_mm=1.75, **lens)
        for n in range(count)
    ]


def perfect(mat, intrinsics, pose, rng=None, ids=None):
    ids = tuple(mat.corners_mm) if ids is None else tuple(ids)
    places = np.concatenate([np.column_stack([mat.corners_mm[i], np.zeros(4)]) for i in ids])
    pixels = project(places, pose, intrinsics)
    if rng is not None:
        pixels = pixels + rng.normal(0, 0.1, pixels.shape)
    return MatView(ids, pixels.reshape(-1, 4, 2))


def views_of(mat, seen_from, noisy=False, ids=None):
    rng = np.random.default_rng(3) if noisy else None
    return [perfect(mat, lens, pose, rng, ids) for lens, pose in seen_from]


def lenses_of(seen_from):
    return [lens for lens, _ in seen_from]


def worst_mm(found, true):
    there = settled(true, MAT).corners_mm
    return max(np.abs(found.corners_mm[i] - there[i]).max() for i in there)


def test_strips_laid_askew_are_found_in_four_rendered_pictures():
    true = moved(MAT, MOVES)
    seen_from = cameras()
    views = []
    for n, (lens, pose) in enumerate(seen_from):
        image = render(Scene(table="dark", seed=n), lens, pose, Sensor(bloom_px=0.6), mat=true)
        views.append(find_markers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), MAT))
    found = survey(views, lenses_of(seen_from), MAT)
    assert worst_mm(MAT, true) > 1.0
    assert worst_mm(found.mat, true) < 0.05
    assert all(strip.sigma_mm < 0.05 and strip.pictures == 4 for strip in found.strips)


def test_perfect_pictures_give_perfect_strips():
    true = moved(MAT, MOVES)
    seen_from = cameras()
    found = survey(views_of(true, seen_from), lenses_of(seen_from), MAT)
    assert worst_mm(found.mat, true) < 1e-3
    assert found.error_px < 1e-3
    for strip, (right, away, turn) in zip(found.strips, MOVES, strict=True):
        assert strip.right_mm == pytest.approx(right, abs=0.7)
        assert strip.away_mm == pytest.approx(away, abs=0.7)
        assert strip.turn_rad == pytest.approx(turn, abs=math.radians(0.2))


def test_what_the_survey_says_of_its_own_error_is_true():
    true = moved(MAT, MOVES)
    seen_from = cameras()
    errors, sigmas = [], []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        views = [perfect(true, lens, pose, rng) for lens, pose in seen_from]
        found = survey(views, lenses_of(seen_from), MAT)
        there = settled(true, MAT)
        for strip in found.strips:
            off = [
                np.linalg.norm(found.mat.corners_mm[i] - there.corners_mm[i], axis=1).max()
                for i in strip.ids
            ]
            errors.append(max(off))
            sigmas.append(strip.sigma_mm)
    assert 0.5 < np.sqrt(np.mean(np.square(errors))) / np.mean(sigmas) < 1.5


def test_white_that_blooms_over_black_does_not_move_strips():
    true = moved(MAT, MOVES)
    seen_from = cameras()
    views = []
    for view in views_of(true, seen_from):
        middle = view.corners_px.mean(axis=1, keepdims=True)
        away = view.corners_px - middle
        longer = np.linalg.norm(away, axis=2, keepdims=True)
        views.append(MatView(view.ids, view.corners_px - away / longer * 0.6))
    found = survey(views, lenses_of(seen_from), MAT)
    assert worst_mm(found.mat, true) < 0.01


def test_a_misread_corner_does_no_harm():
    true = moved(MAT, MOVES)
    seen_from = cameras()
    views = views_of(true, seen_from, noisy=True)
    views[1].corners_px[7, 2] += (9.0, -14.0)
    views[3].corners_px[20] += 6.0
    found = survey(views, lenses_of(seen_from), MAT)
    assert worst_mm(found.mat, true) < 0.05
    assert found.corners < sum(4 * len(view.ids) for view in views)


def test_paper_that_is_not_flat_is_told_and_does_not_move_strips():
    true = moved(MAT, MOVES)
    seen_from = cameras()
    ids = tuple(true.corners_mm)
    places = np.stack([np.column_stack([true.corners_mm[i], np.zeros(4)]) for i in ids])
    for strip in true.strips[:2]:
        for step, marker in enumerate(strip):
            places[ids.index(marker), :, 2] = 2.0 * (step / 4) ** 2
    rng = np.random.default_rng(8)
    views = []
    for lens, pose in seen_from:
        pixels = project(places.reshape(-1, 3), pose, lens)
        views.append(MatView(ids, (pixels + rng.normal(0, 0.05, pixels.shape)).reshape(-1, 4, 2)))
    found = survey(views, lenses_of(seen_from), MAT)
    assert worst_mm(found.mat, true) < 0.06
    assert [strip.flat for strip in found.strips] == [False, False, True, True, True, True]
    assert found.strips[0].lift_mm == pytest.approx(2.0, abs=0.5)


def test_a_mat_as_printed_stays_where_it_is():
    seen_from = cameras()
    found = survey(views_of(MAT, seen_from), lenses_of(seen_from), MAT)
    assert worst_mm(found.mat, MAT) < 1e-4


def test_a_page_that_was_printed_smaller_is_told_by_its_ruler():
    small = 0.985
    shrunk = dict(MAT.corners_mm)
    for strip in MAT.strips:
        middle = np.concatenate([MAT.corners_mm[i] for i in strip]).mean(axis=0)
        shrunk |= {i: middle + (MAT.corners_mm[i] - middle) * small for i in strip}
    true = type(MAT)(MAT.dictionary, shrunk, MAT.strips, MAT.area_x_mm, MAT.area_y_mm)
    seen_from = cameras()
    views = views_of(true, seen_from)
    told = survey(views, lenses_of(seen_from), MAT, ruler_mm=98.5)
    assert worst_mm(told.mat, true) < 1e-3
    untold = survey(views, lenses_of(seen_from), MAT)
    assert worst_mm(untold.mat, true) > 0.5


def test_three_pictures_are_too_few():
    seen_from = cameras(count=3)
    with pytest.raises(NoSurvey, match="only 3 pictures of the mat, at least 4"):
        survey(views_of(MAT, seen_from), lenses_of(seen_from), MAT)


def test_four_pictures_from_one_place_are_refused():
    seen_from = [view_from(math.radians(10), 0.3)] * 4
    with pytest.raises(NoSurvey, match="same direction"):
        survey(views_of(MAT, seen_from, noisy=True), lenses_of(seen_from), MAT)


def test_a_strip_that_no_picture_shows_is_named():
    seen_from = cameras()
    views = views_of(MAT, seen_from, ids=[i for i in range(30) if not 10 <= i <= 14])
    with pytest.raises(NoSurvey, match="markers 10 to 14 is in no picture"):
        survey(views, lenses_of(seen_from), MAT)


def test_a_strip_in_another_ones_place_is_named():
    far = MOVES.copy()
    far[2] = (0.0, 28.0, 0.0)
    true = moved(MAT, far)
    seen_from = cameras()
    with pytest.raises(NoSurvey, match=r"markers 10 to 14 lies 1\d mm"):
        survey(views_of(true, seen_from), lenses_of(seen_from), MAT)


def test_the_camera_file_of_another_camera_is_noticed():
    seen_from = cameras(dist=(0.3, 0.0, 0.0, 0.0, 0.0))
    other = [lens for lens, _ in cameras()]
    with pytest.raises(NoSurvey, match="camera file does not belong"):
        survey(views_of(MAT, seen_from, noisy=True), other, MAT)


def test_a_picture_without_the_mat_is_named_by_its_number():
    seen_from = cameras(count=5)
    views = views_of(MAT, seen_from)
    views[2] = MatView((), np.zeros((0, 4, 2)))
    with pytest.raises(NoSurvey, match="picture 3: only 0 markers"):
        survey(views, lenses_of(seen_from), MAT)


def test_a_surveyed_mat_is_a_mat_file_like_any_other(tmp_path):
    true = moved(MAT, MOVES)
    seen_from = cameras()
    found = survey(views_of(true, seen_from), lenses_of(seen_from), MAT)
    path = tmp_path / "mine" / "mat.json"
    save_mat(path, found, date(2030, 5, 17))
    again = load_mat(path)
    assert worst_mm(again, true) < 2e-3
    assert again.strips == MAT.strips
    assert (again.area_x_mm, again.area_y_mm) == (MAT.area_x_mm, MAT.area_y_mm)
    assert json.loads(path.read_text())["surveyed"] == "2030-05-17"
    assert [p.name for p in path.parent.iterdir()] == ["mat.json"]


def test_a_surveyed_mat_that_cannot_be_written_is_said(tmp_path):
    seen_from = cameras()
    found = survey(views_of(MAT, seen_from), lenses_of(seen_from), MAT)
    (tmp_path / "mat").write_text("a file")
    with pytest.raises(BadMat, match="cannot be made"):
        save_mat(tmp_path / "mat" / "mat.json", found, date(2030, 5, 17))
    with pytest.raises(BadMat, match="cannot be written"):
        save_mat(tmp_path, found, date(2030, 5, 17))
