"""What the grain of the table tells of arms: light and shadow leave it there, a sleeve hides it."""

import functools
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.background.background import Background, shrink
from vision.background.obstructions import obstructions
from vision.capture.camera import Frame
from vision.geometry.camera_pose import View, project
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.render import hand
from vision.render.render import render, view_from
from vision.render.scene import Scene

INTRINSICS, POSE = view_from(math.radians(11), 0.6)
VIEW, MAT = View(POSE, INTRINSICS), load_mat()
SIZE = (INTRINSICS.width, INTRINSICS.height)
NOISE = np.random.default_rng(4).normal(0, 1, (INTRINSICS.height // 12, INTRINSICS.width // 12))
PATTERN = cv2.resize(NOISE, SIZE, interpolation=cv2.INTER_CUBIC)[..., None]
OTHER_PATTERN = PATTERN[::-1, ::-1]
BOOK, ARM = ((240, 380), (100, 300)), ((300, 1500), (150, 230))
"""Where a book lies, and where an arm or a shadow reaches in: from left to right and from near to
far, mm; the arm goes on beyond the edge of the picture."""
BOOK_BGR = (40, 70, 150)


def within(box_mm):
    """Where a rectangle on the table is seen, shape (rows, columns, 1)."""
    (left, right), (near, far) = box_mm
    ring = np.array([(left, near, 0), (right, near, 0), (right, far, 0), (left, far, 0)], float)
    mask = np.zeros((INTRINSICS.height, INTRINSICS.width), np.uint8)
    cv2.fillConvexPoly(mask, np.round(project(ring, POSE, INTRINSICS)).astype(np.int32), (255,))
    return mask[..., None] > 0


def picture(levels):
    return np.asarray(np.clip(levels, 0, 255), dtype=np.uint8)


@functools.cache
def bare():
    """The table without its grain."""
    return render(Scene(table="grey", seed=4), INTRINSICS, POSE).astype(np.float64)


@functools.cache
def cloth():
    """The colour of the table without its grain."""
    return np.median(bare(), axis=(0, 1))


@functools.cache
def with_grain():
    """A table with grain: one sigma is 15 % of its brightness."""
    return bare() * (1 + 0.15 * PATTERN)


def book_and_arm(empty, arm):
    """How a table differs when a book lies there, and an arm or a shadow changes it."""
    now = np.where(within(BOOK), BOOK_BGR, np.where(within(ARM), arm(empty), empty))
    return Background(shrink(picture(empty))).compare(shrink(picture(now)))


def shadow(table):
    return 0.7 * table


def grey_sleeve(table):
    return np.full_like(table, 0.7 * cloth())


def wrinkled_sleeve(table):
    """Its own pattern is a little like the grain, by chance: that is hidden only here and there."""
    return 0.5 * cloth() * (1 + 0.15 * (0.45 * PATTERN + 0.9 * OTHER_PATTERN))


def sleeve_like_the_cloth(table):
    return np.full_like(table, cloth())


@pytest.mark.parametrize(
    ("table", "arm", "is_hand"),
    [
        (with_grain, shadow, False),
        (with_grain, grey_sleeve, True),
        (with_grain, sleeve_like_the_cloth, True),
        (bare, shadow, True),  # on a plain table nobody can tell
        (bare, grey_sleeve, True),
    ],
)
def test_a_shadow_that_leaves_the_grain_is_no_arm_and_what_hides_it_may_be(table, arm, is_hand):
    way = obstructions(book_and_arm(table(), arm), VIEW, MAT)
    assert way.hand is is_hand
    assert len(way.things) == (not is_hand)


@pytest.mark.parametrize(("wide_mm", "is_hand"), [(60, True), (20, False)])
def test_a_shadow_may_belong_to_a_sleeve_where_the_table_beside_it_is_plain(wide_mm, is_hand):
    plain = within(((300, 1500), (190 - wide_mm, 190)))
    beside = within(((300, 1500), (200, 270)))
    empty = np.where(plain, cloth(), with_grain())
    now = np.where(within(BOOK), BOOK_BGR, np.where(beside, shadow(empty), empty))
    foreground = Background(shrink(picture(empty))).compare(shrink(picture(now)))
    assert obstructions(foreground, VIEW, MAT).hand is is_hand


def test_what_is_known_to_hide_the_grain_is_no_arm():
    foreground = book_and_arm(with_grain(), sleeve_like_the_cloth)
    known = shrink(np.where(within(ARM) & ~within(BOOK), np.uint8(255), np.uint8(0))[..., 0])
    way = obstructions(foreground.without(known), VIEW, MAT)
    assert way.things and not way.hand


def test_an_eye_sees_a_hand_whose_sleeve_is_of_the_colour_of_the_cloth(monkeypatch):
    empty = with_grain()
    eye = Eye(INTRINSICS, MAT)
    eye.learn_empty([Frame(picture(empty), 0.0)])
    monkeypatch.setattr(hand, "SLEEVES", (tuple(1.2 * cloth()),))
    reaching = render(Scene(table="grey", hand=(300.0, 200.0), seed=4), INTRINSICS, POSE)
    covered = np.abs(reaching - bare()).max(axis=2, keepdims=True) > 0
    assert eye.look(Frame(picture(np.where(covered, reaching, empty)), 1.0)).hand_in_view


def test_an_eye_sees_no_hand_where_the_shadow_of_a_book_reaches_the_edge():
    empty = with_grain()
    eye = Eye(INTRINSICS, MAT)
    eye.learn_empty([Frame(picture(empty), 0.0)])
    now = np.where(within(BOOK), BOOK_BGR, np.where(within(ARM), shadow(empty), empty))
    look = eye.look(Frame(picture(now), 1.0))
    assert len(look.things) == 1 and not look.hand_in_view


def dark(empty, places, arm):
    """How a table differs by what is as dark as a shadow: nothing of it is too odd for one."""
    now = np.where(np.logical_or.reduce([within(one) for one in places]), arm(empty), empty)
    foreground = Background(shrink(picture(empty))).compare(shrink(picture(now)))
    return replace(foreground, strict=np.zeros_like(foreground.strict))


@pytest.mark.parametrize(
    ("table", "arm", "is_hand"),
    [
        (with_grain, grey_sleeve, True),
        (with_grain, wrinkled_sleeve, True),
        (with_grain, shadow, False),
        (bare, shadow, False),  # on a plain table nothing says that it is no shadow
    ],
)
def test_an_arm_as_dark_as_a_shadow_is_one_where_it_hides_the_grain(table, arm, is_hand):
    assert obstructions(dark(table(), [ARM], arm), VIEW, MAT).hand is is_hand


def test_a_pusher_as_dark_as_a_shadow_is_no_arm():
    known = shrink(np.where(within(ARM), np.uint8(255), np.uint8(0))[..., 0])
    foreground = dark(with_grain(), [ARM], grey_sleeve).without(known)
    assert not obstructions(foreground, VIEW, MAT).found


def test_what_is_as_dark_as_a_shadow_and_does_not_reach_in_is_no_arm():
    inner = (200, 400), (150, 230)
    assert not obstructions(dark(with_grain(), [inner], grey_sleeve), VIEW, MAT).hand


def test_an_arm_as_dark_as_a_shadow_covers_nothing_beside_it():
    inner = (50, 200), (20, 100)
    mask = obstructions(dark(with_grain(), [ARM, inner], grey_sleeve), VIEW, MAT).mask
    assert np.mean(mask[shrink(within(ARM) * np.uint8(255)) == 255] > 0) > 0.9
    assert not mask[shrink(within(inner) * np.uint8(255)) == 255].any()
