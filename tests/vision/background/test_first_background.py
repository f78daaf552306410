import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from vision.background.background import shrink
from vision.background.first_background import covered_markers, in_pattern, odd_places
from vision.capture.camera import of_width
from vision.geometry.camera_pose import View, project
from vision.geometry.mat import load_mat
from vision.look.score import examine
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid
from vision.tuning.tuning import TUNING

LENS, POSE = view_from(math.radians(6), 0.4)
VIEW, MAT = View(POSE, LENS), load_mat()
UNMARKED = Tile(None, Pose(350.0, 120.0, 0.4), Orientation.VERTICAL)


@cache
def smooth_table():
    return render(Scene((Solid(UNMARKED),), table="grey", seed=3), LENS, POSE)


def image_of(*joints_mm):
    """A tile on a smooth table across which joints run, each from an end to the other."""
    image = smooth_table().copy()
    for ends in joints_mm:
        points = project(np.array([(*end, 0.0) for end in ends]), POSE, LENS)
        a, b = np.round(points).astype(int).tolist()
        cv2.line(image, a, b, (60, 60, 60), 36)
    return image


def odd_at(mask, x_mm, y_mm):
    """Whether something stands out at a place on the table."""
    x, y = project(np.array([(x_mm, y_mm, 24.0)]), POSE, LENS)[0]
    rows, columns = mask.shape
    return mask[int(y * rows / LENS.height), int(x * columns / LENS.width)] > 0


def test_a_tile_stands_out_and_joints_that_cross_the_table_are_table():
    odd, hand = odd_places(image_of([(-80, 260), (680, 275)]), VIEW, MAT)
    assert not hand
    assert odd_at(odd, 350, 120) and not odd_at(odd, 300, 267)


def test_a_line_that_ends_on_the_table_may_be_anything():
    odd, _ = odd_places(image_of([(200, 260), (400, 265)]), VIEW, MAT)
    assert odd_at(odd, 350, 120) and odd_at(odd, 300, 262)


def with_sun_and_tablet(x_mm, wide_mm, aslant_mm, marker):
    """A table with a stripe of sun from edge to edge, and a tablet over a marker."""
    ends = [(x_mm, -300.0), (x_mm + aslant_mm, 600.0)]
    stripe = [*ends, *((x + wide_mm, y) for x, y in reversed(ends))]
    middle = MAT.corners_mm[marker].mean(axis=0)
    tablet = middle + np.array([[-35, -50], [35, -50], [35, 50], [-35, 50]])
    image = image_of()
    sun, away = (
        np.round(project(np.column_stack([ring, np.zeros(4)]), POSE, LENS)).astype(np.int32)
        for ring in (stripe, tablet)
    )
    lit = cv2.fillConvexPoly(np.zeros(image.shape[:2], np.uint8), sun, (255,)) > 0
    image[lit] = np.clip(image[lit] * 1.9, 0, 255).astype(np.uint8)
    cv2.fillConvexPoly(image, away, (40, 40, 40))
    return image


@pytest.mark.parametrize(
    ("stripe_mm", "covered"),
    [
        ((120.0, 100.0, 0.0), [9]),
        # The mat grows brighter to the right, but beside it the table is dark again:
        ((300.0, 170.0, 200.0), [13, 14]),
        ((350.0, 220.0, 0.0), [13, 14]),
    ],
)
def test_a_stripe_of_sun_is_no_hand_though_a_tablet_hides_a_marker_elsewhere(stripe_mm, covered):
    image = with_sun_and_tablet(*stripe_mm, covered[-1])
    assert covered_markers(image, VIEW, MAT) == covered
    assert not odd_places(image, VIEW, MAT)[1]


def test_an_arm_beside_a_stripe_of_sun_is_a_hand():
    image = with_sun_and_tablet(120.0, 100.0, 0.0, 9)
    arm = np.array([(430.0, 500.0), (560.0, 500.0), (540.0, 300.0), (480.0, 300.0)])
    points = project(np.column_stack([arm, np.zeros(4)]), POSE, LENS)
    cv2.fillConvexPoly(image, np.round(points).astype(np.int32), (120, 150, 200))
    assert odd_places(image, VIEW, MAT)[1]


def mug_and_way_to_the_edge(colours):
    """A dark mug over a marker, and how something changes the table from there to the edge."""
    image = image_of()
    x_mm, y_mm = MAT.corners_mm[4].mean(axis=0)
    way = [(x_mm - 40, y_mm), (x_mm + 40, y_mm), (x_mm + 40, y_mm + 400), (x_mm - 40, y_mm + 400)]
    mug = [(x_mm - 45, y_mm - 60), (x_mm + 45, y_mm - 60), (x_mm + 45, y_mm + 30)]
    mug += [(x_mm - 45, y_mm + 30)]
    for ring, change in ((way, colours), (mug, lambda table: 0 * table + (30, 20, 90))):
        points = project(np.column_stack([ring, np.zeros(4)]), POSE, LENS)
        mask = np.zeros(image.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(points).astype(np.int32), (255,))
        changed = np.clip(change(image.astype(float)), 0, 255).astype(np.uint8)
        image = np.where(mask[..., None] > 0, changed, image)
    return image


@pytest.mark.parametrize(
    ("colours", "is_hand"),
    [
        (lambda table: 0.7 * table, False),
        (lambda table: 0.3 * table, True),  # darker than a shadow
        (lambda table: 1.4 * table, True),
        (lambda table: table * (0.8, 0.7, 0.6), True),  # a shadow has no colour
        (lambda table: table, False),
    ],
)
def test_a_shadow_that_leads_to_the_edge_is_no_arm(colours, is_hand):
    image = mug_and_way_to_the_edge(colours)
    assert covered_markers(image, VIEW, MAT)
    assert odd_places(image, VIEW, MAT)[1] is is_hand


MARKED, FOUND = (
    Tile(value, Pose(x_mm, 200.0, 0.0), Orientation.VERTICAL)
    for value, x_mm in ((5, 120.0), (None, 150.0))
)


def across_the_right_edge(wide_mm, end):
    """Something that lies over markers and a tea bag, and out of the picture.

    Its end is "flat", or "round".
    """
    x_mm, y_mm = 480.0, 210.0
    half = wide_mm / 2
    ring = [(x_mm, y_mm - half), (900.0, y_mm - half), (900.0, y_mm + half), (x_mm, y_mm + half)]
    if end == "round":
        turns = np.linspace(math.pi / 2, 3 * math.pi / 2, 40)
        arc = np.column_stack([np.cos(turns), np.sin(turns)]) * half + (x_mm + half, y_mm)
        ring = [*arc, *ring[1:3]]
    image = image_of()
    bag = [(530.0, y_mm), (580.0, y_mm), (580.0, y_mm - half - 40), (530.0, y_mm - half - 40)]
    for outline in (bag, ring):
        points = project(np.column_stack([outline, np.zeros(len(outline))]), POSE, LENS)
        cv2.fillPoly(image, [np.round(points).astype(np.int32)], (50, 40, 120))
    return image


@pytest.mark.parametrize(
    ("wide_mm", "end", "width_px", "is_hand"),
    [
        (150.0, "flat", 1920, False),
        (150.0, "flat", 1280, False),
        (90.0, "flat", 1920, True),
        (220.0, "round", 1920, True),
    ],
    ids=["book", "book, 720p", "sleeve", "round end"],
)
def test_a_book_across_the_edge_and_the_mat_is_no_hand(wide_mm, end, width_px, is_hand):
    image = of_width(across_the_right_edge(wide_mm, end), width_px)
    lens = LENS.at_size(*image.shape[1::-1])
    assert covered_markers(image, View(POSE, lens), MAT)
    assert odd_places(image, View(POSE, lens), MAT)[1] is is_hand


def with_copies_of_found(places_mm):
    """The tile that was found on a plain table, and what looks the same in other places."""
    image = shrink(render(Scene((Solid(MARKED), Solid(FOUND)), table="grey", seed=3), LENS, POSE))
    points = [(FOUND.pose.x_mm, FOUND.pose.y_mm, 24.0), *((x, y, 24.0) for x, y in places_mm)]
    own, *others = np.round(project(np.array(points), POSE, LENS) / 2).astype(int).tolist()
    reach = 18
    patch = image[own[1] - reach : own[1] + reach, own[0] - reach : own[0] + reach].copy()
    for x, y in others:
        image[y - reach : y + reach, x - reach : x + reach] = patch
    return image


@pytest.mark.parametrize(
    ("places_mm", "pattern"),
    [
        ([], False),
        ([(300, 320), (420, 100)], False),
        ([(300, 320), (420, 100), (150, 90)], True),
        ([(210, 200), (240, 200), (270, 200), (300, 200)], False),
    ],
    ids=["a single one", "two more", "three more", "a row of tiles"],
)
def test_what_looks_the_same_in_several_places_beside_the_row_is_a_pattern(places_mm, pattern):
    image = with_copies_of_found(places_mm)
    assert in_pattern(image, [FOUND], [MARKED], VIEW, MAT) == [pattern]


@pytest.mark.parametrize(("heading_rad", "row_wide_mm"), [(0.0, 432.0), (math.pi / 2, 892.0)])
def test_where_less_of_the_table_is_left_than_a_tile_covers_there_is_no_pattern(
    heading_rad, row_wide_mm
):
    image = with_copies_of_found([])
    found = replace(FOUND, pose=replace(FOUND.pose, heading_rad=heading_rad))
    wide = replace(TUNING.first_background, row_wide_mm=row_wide_mm, pattern_line_mm=900.0)
    assert in_pattern(image, [found], [], VIEW, MAT, tuning=wide) == [False]


def test_a_row_does_not_go_on_along_the_lines_of_a_tartan():
    """On a table that nobody has seen empty; else six tiles are told that are not there."""
    score, _ = examine(Path(__file__).parents[2] / "data" / "pattern")
    assert all(score.marked) and len(score.marked) == 4
    assert all(score.unmarked) and len(score.unmarked) == 3
    assert score.false <= 2
