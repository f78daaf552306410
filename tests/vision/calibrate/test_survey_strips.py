"""A mat taped down by hand, each strip askew in its own way: surveyed, and not surveyed."""

import math
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose, half_turn
from physics.row.tile import Orientation, Tile
from tests.support.faulty_camera import Sensor, render
from vision.calibrate.mat_survey import moved, settled, survey
from vision.capture.camera import Frame
from vision.geometry.camera_pose import NoMat
from vision.geometry.mat import find_markers, load_mat
from vision.look.eye import Eye
from vision.render.render import view_from
from vision.render.scene import Lamp, Scene, Solid

MAT = load_mat()
UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL
ROW = tuple(
    Tile(v, Pose(110 + 33 * n, 120 + 24 * n, 0.6 + 0.06 * n), LONG if n in (2, 5) else UP)
    for n, v in enumerate((4, 9, 1, 7, 11, 2, 6, 3))
)


@lru_cache
def taped(seed, off_mm, off_deg):
    """Every strip so far off in a direction by chance, and turned so far to one side by chance."""
    rng = np.random.default_rng([seed, 41])
    way, count = rng.uniform(0, math.tau, len(MAT.strips)), len(MAT.strips)
    turn = math.radians(off_deg) * rng.choice([-1.0, 1.0], count)
    moves = np.column_stack([off_mm * np.cos(way), off_mm * np.sin(way), turn])
    return settled(moved(MAT, moves), MAT)


def surveyed(true, seed):
    """Four pictures of the empty table, each with its own lean, light and blur."""
    rng = np.random.default_rng([seed, 43])
    lenses, views = [], []
    for n in range(4):
        side, lean = n * math.pi / 2 + rng.uniform(-0.4, 0.4), math.radians(rng.uniform(10, 25))
        lens, pose = view_from(lean, side, scale_px_mm=1.75, roll_rad=rng.uniform(-0.1, 0.1))
        lamp = Lamp(rng.uniform(-100, 700), rng.uniform(-200, 700), power=rng.uniform(0.7, 1.4))
        sensor = Sensor(rng.uniform(0.4, 0.8), rng.uniform(2, 4), bloom_px=rng.uniform(0, 1))
        image = render(Scene(table="wood", seed=n, lamp=lamp), lens, pose, sensor, mat=true)
        lenses.append(lens)
        views.append(find_markers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), MAT))
    return survey(views, lenses, MAT)


def strip_errors_mm(found, true):
    """How far the worst corner of each strip is from where it lies."""
    return [
        max(np.linalg.norm(found.corners_mm[i] - true.corners_mm[i], axis=1).max() for i in strip)
        for strip in MAT.strips
    ]


@lru_cache
def view_at(seed):
    return view_from(math.radians(5 + 4 * seed), 1.9 * seed)


def look_on(true, believed, seed):
    """What an eye that believes in one mat says of the row on another."""
    lens, pose = view_at(seed)
    scene, eye = Scene(table="grey", seed=seed), Eye(lens, believed)
    row = replace(scene, solids=tuple(Solid(tile) for tile in ROW))
    for shown in (scene, row):
        look = eye.look(Frame(render(shown, lens, pose, mat=true), 0.0))
    seen = {tile.value: tile for tile in look.tiles}
    return [seen[tile.value] for tile in ROW]


@pytest.mark.parametrize("seed", [1, 2])
def test_four_pictures_find_every_strip_and_then_every_tile_is_where_it_is_said_to_be(seed):
    true = taped(seed, off_mm=1.0, off_deg=0.5)
    found = surveyed(true, seed)
    assert min(strip_errors_mm(MAT, true)) > 0.8
    assert max(strip_errors_mm(found.mat, true)) < 0.05
    assert all(strip.flat and strip.pictures == 4 for strip in found.strips)
    for tile, seen in zip(ROW, look_on(true, found.mat, seed), strict=True):
        off = math.dist((tile.pose.x_mm, tile.pose.y_mm), (seen.pose.x_mm, seen.pose.y_mm))
        assert off < 2 * seen.sigma_mm
        assert abs(half_turn(seen.pose.heading_rad - tile.pose.heading_rad)) < seen.sigma_rad


@pytest.mark.parametrize("seed", [1, 2])
def test_without_a_survey_a_row_is_off_as_a_whole_and_its_gaps_are_as_right_as_told(seed):
    seen = look_on(taped(seed, off_mm=1.0, off_deg=0.5), MAT, seed)
    off = [
        math.dist((a.pose.x_mm, a.pose.y_mm), (b.pose.x_mm, b.pose.y_mm))
        for a, b in zip(ROW, seen, strict=True)
    ]
    assert 0.2 < max(off) < 1.5
    for (a, b), (c, d) in zip(pairwise(ROW), pairwise(seen), strict=True):
        gap_mm = a.footprint.distance_mm(b.footprint)
        told_mm = c.footprint.distance_mm(d.footprint)
        assert abs(told_mm - gap_mm) < 2 * math.hypot(c.sigma_mm, d.sigma_mm)
    for tile, other in zip(ROW, seen, strict=True):
        assert abs(half_turn(other.pose.heading_rad - tile.pose.heading_rad)) < other.sigma_rad


def test_strips_too_far_off_to_be_believed_are_refused_with_what_may_be_wrong():
    with pytest.raises(NoMat, match="the mat is not laid as in its file"):
        look_on(taped(1, off_mm=2.0, off_deg=1.0), MAT, 1)


@pytest.mark.parametrize(("seed", "slip_mm"), [(1, 1.2), (2, 8.0)])
def test_one_strip_that_slips_after_the_survey_is_not_believed(seed, slip_mm):
    known = replace(taped(seed, off_mm=1.0, off_deg=0.5), surveyed=True)
    slipped = moved(known, np.array([(slip_mm, 0.0, 0.0), *[(0.0, 0.0, 0.0)] * 5]))
    for tile, seen in zip(ROW, look_on(slipped, known, seed), strict=True):
        off = math.dist((tile.pose.x_mm, tile.pose.y_mm), (seen.pose.x_mm, seen.pose.y_mm))
        assert off < 2 * seen.sigma_mm


def test_two_strips_that_slip_after_the_survey_are_told():
    known = replace(taped(2, off_mm=1.0, off_deg=0.5), surveyed=True)
    moves = np.zeros((len(MAT.strips), 3))
    moves[[0, 3], 0] = 3.0
    with pytest.raises(NoMat, match="the mat is not laid as in its file"):
        look_on(moved(known, moves), known, 2)
