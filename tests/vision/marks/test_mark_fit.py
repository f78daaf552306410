import math

import cv2
import numpy as np
import pytest

from vision.geometry.camera_pose import CameraPose, View
from vision.geometry.lens import Intrinsics
from vision.marks.mark_fit import MarkPose, drawing_of, fit_mark
from vision.marks.sticker import load_marks
from vision.tuning.tuning import TUNING

MARKS = load_marks()
PX_PER_MM, FINE = 2.0, 10
HIGH_MM = 700.0


def straight_down():
    """A camera that looks straight down, with so many pixels for a millimetre at the marks."""
    focal = PX_PER_MM * HIGH_MM
    matrix = np.array([[focal, 0, 79.5], [0, focal, 59.5], [0, 0, 1]])
    pose = CameraPose(np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, HIGH_MM]))
    return View(pose, Intrinsics(matrix, np.zeros(5), 160, 120))


def photographed(word, sticker, x_mm, y_mm, axis_rad, blur_px):
    """A mark as light falls on the pixels of a camera that looks straight down."""
    rows, columns = 120 * FINE, 160 * FINE
    right, down = np.meshgrid(np.arange(columns), np.arange(rows))
    x = ((right + 0.5) / FINE - 80.0) / PX_PER_MM - x_mm
    y = -((down + 0.5) / FINE - 60.0) / PX_PER_MM - y_mm
    c, s = math.cos(axis_rad), math.sin(axis_rad)
    light = TUNING.mark_fit.ink_share + (1 - TUNING.mark_fit.ink_share) * sticker.paint(
        word, x * c + y * s, y * c - x * s
    )
    small = cv2.resize(light, (160, 120), interpolation=cv2.INTER_AREA)
    coded = cv2.GaussianBlur(small, (0, 0), blur_px) ** (1 / TUNING.mark_fit.gamma)
    return (30 + 170 * coded).round().astype(np.uint8)


@pytest.mark.parametrize("value", [1, 4, 9])
@pytest.mark.parametrize("blur_px", [0.6, 0.9, 1.2])
def test_a_mark_is_found_to_a_few_hundredths_of_a_millimetre_though_light_blurs(value, blur_px):
    word, sticker, view = MARKS.words[value], MARKS.short, straight_down()
    true = MarkPose(0.23, -0.31, 0.4, 0.0)
    gray = photographed(word, sticker, true.x_mm, true.y_mm, true.axis_rad, blur_px)
    fit = fit_mark(gray, view, MarkPose(0.0, 0.0, 0.42, 0.0), word, sticker)
    assert fit is not None
    assert math.hypot(fit.place.x_mm - true.x_mm, fit.place.y_mm - true.y_mm) < 0.02
    assert abs(fit.place.axis_rad - true.axis_rad) < math.radians(0.1)
    assert fit.score > 0.95


@pytest.mark.parametrize("value", [1, 4, 9])
def test_a_picture_that_is_shaken_aslant_turns_a_mark_by_less_than_a_tenth_of_a_degree(value):
    word, sticker, view = MARKS.words[value], MARKS.short, straight_down()
    sharp = photographed(word, sticker, 0.23, -0.31, 0.1, 0.6)
    steps_px = np.linspace(-1.5, 1.5, 9) * math.sqrt(0.5)
    moved = [
        cv2.warpAffine(sharp, np.array([[1, 0, far], [0, 1, -far]]), (160, 120), borderValue=200)
        for far in steps_px
    ]
    shaken = np.mean(moved, axis=0).round().astype(np.uint8)
    fit = fit_mark(shaken, view, MarkPose(0.0, 0.0, 0.12, 0.0), word, sticker)
    assert fit is not None
    assert abs(math.degrees(fit.place.axis_rad - 0.1)) < 0.065


@pytest.mark.parametrize("slope", [-6.0, 6.0])
def test_a_bright_wall_beside_a_mark_does_not_pull_it(slope):
    word, sticker, view = MARKS.words[5], MARKS.short, straight_down()
    gray = photographed(word, sticker, 0.0, 0.0, 0.0, 0.9).astype(np.float64)
    uneven = gray - 40 + slope * (np.arange(120)[:, None] - 59.5) / PX_PER_MM
    fit = fit_mark(
        np.clip(uneven, 0, 255).astype(np.uint8), view, MarkPose(0, 0, 0, 0), word, sticker
    )
    assert fit is not None
    assert abs(fit.place.y_mm) < 0.02


@pytest.mark.parametrize("side", [-1, 1])
def test_the_dark_rim_of_a_tile_that_shows_as_a_wedge_beside_its_sticker_does_not_turn_it(side):
    word, sticker, view = MARKS.words[2], MARKS.short, straight_down()
    right, down = np.meshgrid(np.arange(160), np.arange(120))
    along, across = (right - 79.5) / PX_PER_MM, side * (down - 59.5) / PX_PER_MM
    rim = (across > sticker.sticker_mm[1] / 2) & (along > 0) & (along < 12)
    bright = photographed(word, sticker, 0.0, 0.0, 0.0, 0.1)
    gray = cv2.GaussianBlur(np.where(rim, 20, bright).astype(np.uint8), (0, 0), 0.9)
    fit = fit_mark(np.asarray(gray, np.uint8), view, MarkPose(0, 0, 0, 0), word, sticker)
    assert fit is not None
    assert abs(fit.place.axis_rad) < math.radians(0.1)


@pytest.mark.parametrize("value", sorted(MARKS.words))
@pytest.mark.parametrize("sticker", [MARKS.short, MARKS.long])
def test_what_is_compared_with_the_image_is_the_mark_as_it_is_printed(value, sticker):
    word = MARKS.words[value]
    drawing = drawing_of(word, sticker, (0.05, 0.05))
    printed = sticker.paint(word, drawing.along_mm, drawing.across_mm)
    steady = np.hypot(drawing.matrix[:, 1], drawing.matrix[:, 2]) < 1e-6
    assert np.count_nonzero(steady) > 0.5 * len(printed)
    assert np.abs(drawing.matrix[:, 0] - printed)[steady].max() < 0.01
    assert 0.2 < printed[steady].mean() < 0.8


def test_the_slopes_of_a_drawing_say_how_it_changes_when_it_moves():
    word, sticker, blur_mm = MARKS.words[8], MARKS.long, (0.6, 0.4)
    drawing = drawing_of(word, sticker, blur_mm)
    ink, by_along, by_across = (drawing.matrix[:, n] for n in range(3))
    columns = len(np.unique(drawing.along_mm))
    rows = ink.reshape(-1, columns)
    step = drawing.along_mm[1] - drawing.along_mm[0]
    rises = np.diff(rows, axis=1).sum(axis=1)
    summed = (by_along.reshape(-1, columns)[:, 1:] + by_along.reshape(-1, columns)[:, :-1]) / 2
    assert np.abs(rises - step * summed.sum(axis=1)).max() < 0.05
    climbed = (by_across.reshape(-1, columns)[1:] + by_across.reshape(-1, columns)[:-1]) / 2
    assert np.abs(np.diff(rows, axis=0).sum(axis=0) - step * climbed.sum(axis=0)).max() < 0.05


@pytest.mark.parametrize("blur_mm", [(0.01, 0.01), (0.4, 0.4), (6.0, 1.5)])
def test_every_width_of_blur_gives_a_step_that_can_be_solved(blur_mm):
    drawing = drawing_of(MARKS.words[2], MARKS.short, blur_mm, uneven=True)
    assert np.isfinite(drawing.solver).all()
    assert (drawing.spread > 0).all()


def test_light_from_beyond_a_wall_reaches_its_ends_alone_however_sharp_the_image():
    drawing = drawing_of(MARKS.words[2], MARKS.short, (0.01, 0.01), uneven=True)
    inner = np.abs(drawing.along_mm) < MARKS.short.edge_mm / 2 - 3.0
    assert drawing.matrix[inner, -2:].max() < 0.01
    assert drawing.matrix[~inner, -2:].max() > 0.99
