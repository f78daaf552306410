import itertools
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.background.background import (
    SHRINK,
    Background,
    differences,
    hand_in,
    lit,
    shrink,
    split,
)
from vision.geometry.camera_pose import project
from vision.geometry.camera_view import View
from vision.geometry.mat import load_mat
from vision.render.render import view_from

TABLE = (60, 65, 70)


def table(seed, *patches):
    """A dark brown table at half size, with patches of another colour (rows, columns, colour)."""
    image = np.empty((270, 480, 3), np.float64)
    image[:] = TABLE
    for rows, columns, colour in patches:
        image[rows, columns] = colour
    noise = np.random.default_rng(seed).normal(0, 2.0, image.shape)
    return np.clip(image + noise, 0, 255).round().astype(np.uint8)


ROWS, COLUMNS = slice(100, 130), slice(200, 260)
INNER = (slice(104, 126), slice(204, 256))


def test_a_grey_tile_as_bright_as_a_brown_table_stands_out_by_its_tint():
    seen = Background(table(1)).compare(table(2, (ROWS, COLUMNS, (64, 64, 64))))
    for mask in (seen.loose, seen.strict, seen.deep):
        assert (mask[INNER] > 0).mean() > 0.9
        mask[96:134, 196:264] = 0
        assert (mask > 0).mean() < 0.002


def test_a_shadow_is_loose_but_not_strict():
    seen = Background(table(1)).compare(table(2, (ROWS, COLUMNS, [0.6 * c for c in TABLE])))
    assert (seen.loose[INNER] > 0).mean() > 0.9
    assert (seen.strict[INNER] > 0).mean() < 0.1


def test_what_is_darker_than_a_shadow_is_strict():
    seen = Background(table(1)).compare(table(2, (ROWS, COLUMNS, [0.3 * c for c in TABLE])))
    assert (seen.strict[INNER] > 0).mean() > 0.9


def test_another_light_is_no_difference():
    empty = table(1)
    brighter = np.clip(table(2) * 1.3, 0, 255).astype(np.uint8)
    seen = Background(empty).compare(brighter)
    assert (seen.loose > 0).mean() < 0.001
    assert abs(seen.gain - 1.3).max() < 0.05


def test_slow_changes_are_followed_where_nothing_stands():
    background = Background(table(1))
    patch = (ROWS, COLUMNS, (200, 200, 200))
    for n in range(80):
        drift = (slice(0, 60), slice(0, 200), [c + 0.15 * n for c in TABLE])
        seen = background.compare(table(3 + n, patch, drift))
        background.update(seen)
    assert (seen.strict[INNER] > 0).mean() > 0.9
    assert (seen.loose[:56, :196] > 0).mean() < 0.05


def test_differences_need_more_than_noise():
    one, two = table(1), table(2, (ROWS, COLUMNS, (110, 115, 120)))
    told = differences(split(one), split(two))
    assert (told[INNER] > 0).mean() > 0.9
    told[ROWS, COLUMNS] = 0
    assert (told > 0).mean() < 0.01


def test_an_image_in_stronger_light_is_brighter_in_each_colour_and_never_wraps_round():
    image = np.array([[[10, 100, 200]]], np.uint8)
    blue, green, red = lit(split(image), np.array([2.0, 1.5, 1.5]))
    assert (blue.item(), green.item(), red.item()) == (20, 150, 255)


LENS, POSE = view_from(math.radians(4), 0.7)
VIEW, MAT = View(POSE, LENS), load_mat()
NOTHING = Background(np.zeros((540, 960, 3), np.uint8)).compare(np.zeros((540, 960, 3), np.uint8))


def hand_seen(radius_mm, x_mm, y_mm):
    """Whether a disc of that size on the table is taken for a hand."""
    middle = project(np.array([(x_mm, y_mm, 0.0)]), POSE, LENS)[0] / SHRINK
    strict = np.zeros((540, 960), np.uint8)
    radius = round(radius_mm * VIEW.scale_px_mm() / SHRINK)
    cv2.circle(strict, tuple(int(v) for v in middle), radius, (255,), cv2.FILLED)
    return hand_in(replace(NOTHING, strict=strict), VIEW, MAT)


@pytest.mark.parametrize(("radius_mm", "hand"), [(0, False), (16, False), (38, False), (42, True)])
def test_a_hand_is_larger_than_any_tile(radius_mm, hand):
    assert hand_seen(radius_mm, 300, 200) is hand


@pytest.mark.parametrize(("radius_mm", "hand"), [(18, False), (22, True)])
def test_less_of_a_hand_tells_it_where_it_reaches_in_across_the_mat(radius_mm, hand):
    edge_mm = max(corners[:, 0].max() for corners in MAT.corners_mm.values())
    assert hand_seen(radius_mm, edge_mm, 200) is hand


@pytest.mark.parametrize(("gap_mm", "hand"), [(1.5, True), (7.0, False)])
@pytest.mark.parametrize("columns", [1920, 1280])
def test_tiles_that_lie_close_together_are_no_hand_however_small_the_picture(columns, gap_mm, hand):
    lens = LENS.at_size(columns, columns * 9 // 16)
    strict = np.zeros((lens.height // SHRINK, columns // SHRINK), np.uint8)
    for across, along in itertools.product(range(5), range(2)):
        x, y = 200 + across * (24 + gap_mm), 150 + along * (48 + gap_mm)
        ring = [(x, y, 0.0), (x + 24, y, 0.0), (x + 24, y + 48, 0.0), (x, y + 48, 0.0)]
        pixels = project(np.array(ring), POSE, lens) / SHRINK
        cv2.fillConvexPoly(strict, np.round(pixels).astype(np.int32), (255,))
    small = np.zeros((*strict.shape, 3), np.uint8)
    nothing = Background(small).compare(small)
    assert hand_in(replace(nothing, strict=strict), View(POSE, lens), MAT) is hand


def test_a_picture_of_one_row_can_be_shrunk():
    assert shrink(np.zeros((1, 5, 3), np.uint8)).shape == (1, 2, 3)
