"""What tells a stripe of sun from a hand."""

import math

import cv2
import numpy as np
import pytest

from vision.background.background import Background, shrink
from vision.background.grain import table_in_sun
from vision.background.obstructions import obstructions
from vision.capture.camera import Frame
from vision.geometry.camera_pose import View
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.render.render import render, view_from
from vision.render.scene import Scene

INTRINSICS, POSE = view_from(math.radians(11), 0.6)
VIEW = View(POSE, INTRINSICS)
NOISE = np.random.default_rng(4).normal(0, 1, (INTRINSICS.height // 12, INTRINSICS.width // 12))
GRAIN = cv2.resize(NOISE, (INTRINSICS.width, INTRINSICS.height), interpolation=cv2.INTER_CUBIC)


ROWS, COLUMNS = np.ogrid[: INTRINSICS.height, : INTRINSICS.width]
PLAIN = np.hypot(COLUMNS - 0.5 * INTRINSICS.width, ROWS - 0.6 * INTRINSICS.height) < 150
"""A place in the stripe of sun that is 75 mm round: between the flowers of a cloth, say."""


def table(grain, sun=1.0, hand=None, plain=False):
    """A table with so much grain, but perhaps none in one place, and a stripe of sun across it."""
    image = render(Scene(table="grey", hand=hand, seed=4), INTRINSICS, POSE).astype(np.float64)
    bare = render(Scene(table="grey", seed=4), INTRINSICS, POSE).astype(np.float64)
    covered = np.abs(image - bare).max(axis=2) > 30
    image *= np.where(covered | (plain & PLAIN), 1.0, 1 + grain * GRAIN)[..., None]
    stripe = np.zeros(image.shape[:2])
    left, wide = INTRINSICS.width // 3, INTRINSICS.width // 6
    corners = np.array([(left, 0), (left + wide, 0), (left + 2 * wide, image.shape[0])])
    corners = np.vstack([corners, (left + wide, image.shape[0])])
    cv2.fillConvexPoly(stripe, corners.astype(np.int32), (1.0,))
    image *= (1 + (sun - 1) * stripe)[..., None]
    return np.asarray(np.clip(image, 0, 255), dtype=np.uint8)


def judged(grain, plain=False, **what):
    empty, image = table(grain, plain=plain), table(grain, plain=plain, **what)
    foreground = Background(shrink(empty)).compare(shrink(image))
    way = obstructions(foreground, VIEW, load_mat())
    assert way.hand
    return table_in_sun(foreground, way.mask, VIEW), way.mask


@pytest.mark.parametrize("plain", [False, True])
def test_a_stripe_of_sun_on_a_table_with_grain_is_the_table(plain):
    light, where = judged(0.15, plain, sun=1.6)
    assert np.array_equal(light, where)


def test_on_a_plain_table_nobody_can_tell():
    assert judged(0.0, sun=1.6)[0] is None


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("sun", [1.0, 1.6])
def test_a_hand_is_none_in_the_sun_or_beside_it(sun, plain):
    assert judged(0.15, plain, sun=sun, hand=(300.0, 200.0))[0] is None


def test_an_eye_sees_no_hand_when_the_sun_comes_in_and_one_that_follows():
    eye = Eye(INTRINSICS, load_mat())
    eye.learn_empty([Frame(table(0.15), 0.0)])
    for time_s, sun, hand in ((1.0, 1.6, None), (2.0, 1.6, (300.0, 200.0)), (3.0, 1.0, None)):
        look = eye.look(Frame(table(0.15, sun, hand), time_s))
        assert look.hand_in_view == (hand is not None)
        assert look.tiles == ()
