import itertools
import math
import re
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.background.background import SHRINK, Background
from vision.background.obstructions import obstructions, on_arm
from vision.geometry.camera_pose import View, project
from vision.geometry.mat import load_mat
from vision.render.render import view_from

LENS, POSE = view_from(math.radians(4), 0.7)
VIEW, MAT = View(POSE, LENS), load_mat()
SHAPE = (540, 960)
EDGE_MM = max(corners[:, 0].max() for corners in MAT.corners_mm.values())


def drawn(*rings_mm, lens=LENS):
    """Where shapes on the table are seen: outlines in mm, at the size of a foreground."""
    strict = np.zeros((lens.height // SHRINK, lens.width // SHRINK), np.uint8)
    for ring in rings_mm:
        pixels = project(np.array([(x, y, 0.0) for x, y in ring]), POSE, lens) / SHRINK
        cv2.fillConvexPoly(strict, np.round(pixels).astype(np.int32), (255,))
    return strict


def in_the_way(strict, shadow=None, lens=LENS):
    """What is in the way where that is what differs, and what may be a shadow."""
    return obstructions(seen(strict, shadow), View(POSE, lens), MAT)


def seen(strict, shadow=None):
    """A foreground where that differs, and what may be a shadow."""
    blank = np.zeros((*strict.shape, 3), np.uint8)
    loose = strict if shadow is None else np.maximum(strict, shadow)
    return replace(Background(blank).compare(blank), strict=strict, loose=loose)


def disc(radius_mm, x_mm, y_mm):
    """The outline of a round thing."""
    turns = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    return [(x_mm + radius_mm * math.cos(t), y_mm + radius_mm * math.sin(t)) for t in turns]


def box(x_mm, y_mm, length_mm, width_mm, turn_rad=0.0):
    """The outline of a thing with four corners."""
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    halves = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return [
        (
            x_mm + i * length_mm / 2 * c - k * width_mm / 2 * s,
            y_mm + i * length_mm / 2 * s + k * width_mm / 2 * c,
        )
        for i, k in halves
    ]


def arm(width_mm, x_mm, y_mm):
    """The outline of an arm from there to the right edge of the picture and beyond."""
    return box(x_mm + 500, y_mm, 1000, width_mm)


@pytest.mark.parametrize(("radius_mm", "hand"), [(38, False), (42, True)])
def test_a_hand_in_the_middle_is_larger_than_any_tile(radius_mm, hand):
    thin_arm = arm(30, 300, 200)
    assert in_the_way(drawn(disc(radius_mm, 300, 200), thin_arm)).hand
    strict = drawn(disc(radius_mm, 300, 200))
    strict[:, -1] = 255  # something thin along the edge belongs to nothing on the table
    way = in_the_way(strict)
    assert not way.hand and bool(way.things) is hand


@pytest.mark.parametrize(("width_mm", "hand"), [(36, False), (44, True)])
def test_an_arm_that_reaches_in_across_the_mat_is_thicker_than_a_row(width_mm, hand):
    assert in_the_way(drawn(arm(width_mm, EDGE_MM - 30, 200))).hand is hand


@pytest.mark.parametrize(
    ("size_mm", "x_mm"),
    [((75, 150), EDGE_MM), ((210, 148), 300), ((210, 148), EDGE_MM), ((85, 85), 300)],
)
def test_what_does_not_come_in_over_the_edge_of_the_picture_lies_there(size_mm, x_mm):
    way = in_the_way(drawn(box(x_mm, 200, *size_mm, turn_rad=0.4)))
    (thing,) = way.things
    assert not way.hand
    assert (thing.length_mm, thing.width_mm) == pytest.approx((max(size_mm), min(size_mm)), abs=4)
    assert (thing.x_mm, thing.y_mm) == pytest.approx((x_mm, 200), abs=3)
    assert thing.side == ("right" if x_mm == EDGE_MM else "")


def test_a_thing_is_told_by_its_size_and_place():
    way = in_the_way(drawn(box(EDGE_MM, 200, 210, 150)))
    assert re.fullmatch(
        r"something 2[01]\d × 1[45]\d mm lies at the right edge", way.things[0].words
    )


def test_what_lies_beside_the_mat_is_not_in_the_way():
    assert not in_the_way(drawn(box(EDGE_MM + 90, 200, 100, 120))).found


def test_a_thing_is_left_out_where_a_row_stood_and_another_stays():
    book, phone = drawn(box(150, 200, 140, 100)), drawn(box(420, 200, 75, 150))
    way = in_the_way(np.maximum(book, phone))
    assert len(way.things) == 2
    feet = project(np.array([(180.0, 210.0, 0.0), (-900.0, 210.0, 0.0)]), POSE, LENS) / SHRINK
    assert way.beside(feet[1:]) is way and way.beside(feet[:0]) is way
    left = way.beside(feet)
    assert [round(thing.x_mm, -1) for thing in left.things] == [420]
    assert cv2.min(left.mask, phone).any() and not cv2.min(left.mask, book).any()
    assert not left.beside(project(np.array([(420.0, 200.0, 0.0)]), POSE, LENS) / SHRINK).found


def test_nothing_is_left_to_find_of_a_thing_and_all_of_a_tile_a_little_off():
    book, tile = drawn(box(300, 200, 210, 148, 0.4)), drawn(box(470, 200, 7.5, 24))
    way = in_the_way(np.maximum(book, tile))
    assert not cv2.subtract(book, way.mask).any()
    assert not cv2.min(tile, way.mask).any()


def test_a_sleeve_may_be_as_grey_as_a_shadow():
    bare, sleeve = box(360, 200, 120, 90), arm(70, 400, 200)
    assert in_the_way(drawn(bare), drawn(sleeve)).hand
    thin = drawn(arm(15, 400, 200))
    assert not in_the_way(drawn(bare), thin).hand


@pytest.mark.parametrize(("radius_mm", "hand"), [(23, False), (27, True)])
def test_a_hand_as_dark_as_a_shadow_need_not_be_so_all_over(radius_mm, hand):
    dark = np.maximum(drawn(arm(80, 260, 200)), drawn(disc(40, 260, 200)))
    assert in_the_way(drawn(disc(radius_mm, 260, 200)), dark).hand is hand


def test_soft_light_lies_on_an_arm_if_what_is_left_leads_to_the_edge():
    light, sleeve = drawn(disc(30, 300, 200)), drawn(arm(60, 340, 200))
    for left, there in ((sleeve, True), (drawn(box(420, 200, 150, 75)), False)):
        assert on_arm(light, seen(left), VIEW) is there


def test_a_hand_beside_a_thing_is_a_hand_and_the_thing_is_no_part_of_it():
    phone, sleeve = drawn(box(100, 100, 150, 75)), drawn(arm(60, 400, 300))
    way = in_the_way(np.maximum(phone, sleeve))
    assert way.hand
    assert np.array_equal(way.mask, sleeve)


def right_edge_mm(y_mm):
    """Where the table leaves the picture."""
    right_mm = 0.0
    while project(np.array([(right_mm, y_mm, 0.0)]), POSE, LENS)[0][0] < LENS.width - 1:
        right_mm += 1.0
    return right_mm


@pytest.mark.parametrize("dark", [False, True], ids=["bright", "as dark as a shadow"])
@pytest.mark.parametrize(
    ("ring_mm", "hand"),
    [
        (lambda x: box(x - 100, 200, 300, 150), False),
        (lambda x: box(x - 100, 200, 300, 150, 0.3), False),
        (lambda x: box(x - 100, 200, 300, 110), True),
        (lambda x: disc(120, x - 110, 200), True),
        (lambda x: [*box(x - 100, 200, 300, 150)[:3], (x - 180, 275), (x - 250, 205)], True),
        (
            lambda x: cv2.convexHull(
                np.float32([*box(x, 200, 300, 150), *disc(75, x - 170, 200)])
            ).reshape(-1, 2),
            True,
        ),
        (lambda x: [(x - 250, 225), (x - 250, 175), (x + 50, 75), (x + 50, 325)], True),
    ],
    ids=["book", "askew", "as wide as an arm", "round", "one corner", "round end", "tapering"],
)
def test_a_book_across_the_edge_of_the_picture_is_no_hand(ring_mm, hand, dark):
    """As dark as a shadow, but for a place on the mat that is too small for a hand by itself."""
    right_mm = right_edge_mm(200.0)
    shape = drawn(ring_mm(right_mm))
    strict = np.minimum(shape, drawn(disc(27, right_mm - 185, 180))) if dark else shape
    assert in_the_way(strict, shape).hand is hand


def test_a_hand_that_carries_a_box_is_a_hand():
    box_and_arm = drawn(box(500, 200, 60, 150), arm(60, 500, 200))
    assert in_the_way(box_and_arm).hand


def test_a_book_that_sticks_out_of_the_picture_by_a_corner_is_none():
    book = box(right_edge_mm(200.0) - 140, 200, 210, 210, math.pi / 4)
    way = in_the_way(drawn(book))
    assert way.things and not way.hand


@pytest.mark.parametrize(("gap_mm", "found"), [(1.5, True), (7.0, False)])
@pytest.mark.parametrize("columns", [1920, 1280])
def test_tiles_that_lie_close_together_are_not_in_the_way_however_small_the_picture(
    columns, gap_mm, found
):
    lens = LENS.at_size(columns, columns * 9 // 16)
    places = itertools.product(range(5), range(2))
    lying = [box(200 + m * (24 + gap_mm), 150 + n * (48 + gap_mm), 24, 48) for m, n in places]
    assert in_the_way(drawn(*lying, lens=lens), lens=lens).found is found
