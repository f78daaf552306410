"""Marks across which the edge of a shadow runs."""

import math
import re
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile, TileSet
from vision.geometry.camera_pose import View, project
from vision.geometry.markers import as_gray
from vision.geometry.mat import load_mat
from vision.marks.candidates import Detections, detect
from vision.marks.locate import locate, region
from vision.marks.mark_fit import MarkPose
from vision.marks.sticker import load_marks
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid
from vision.tuning.tuning import TUNING

INTRINSICS, POSE = view_from(math.radians(12), 0.6)
VIEW = View(POSE, INTRINSICS)
MARKS, TILES, MAT = load_marks(), TileSet(), load_mat()
LONG = Orientation.HORIZONTAL
BLIND = replace(TUNING, uneven_light=replace(TUNING.uneven_light, most_even_share=0.0))
VALUES = sorted(MARKS.words)


@lru_cache(maxsize=1)
def shade(along_mm, light=0.12):
    """What is left of the grey levels where a shadow begins at a place along the tile's mark."""
    axis = np.array([-math.sin(0.4), math.cos(0.4)])
    edge = np.array([300.0, 200.0]) + along_mm * axis
    ends = np.array([[*edge, 24.0], [*(edge + 10 * axis), 24.0]])
    (x, y), (x2, y2) = project(ends, POSE, INTRINSICS)
    rows, columns = np.mgrid[0 : INTRINSICS.height, 0 : INTRINSICS.width]
    beyond = ((columns - x) * (x2 - x) + (rows - y) * (y2 - y)) / math.hypot(x2 - x, y2 - y)
    dark = (1 + np.clip(beyond, -1, 1)) / 2
    return 1 - (1 - light ** (1 / 2.2)) * dark


def half_shaded(value, along_mm):
    """Draw a tile on its long edge with a shadow over its mark from a place along it on, grey."""
    tile = Tile(value, Pose(300.0, 200.0, 0.4), Orientation.HORIZONTAL)
    image = as_gray(render(Scene((Solid(tile),), table="wood", seed=7), INTRINSICS, POSE))
    return (image * shade(along_mm)).astype(np.uint8)


def read(gray, tuning=TUNING):
    found = detect(gray, region(VIEW, MAT, MARKS, TILES))
    return locate(found, VIEW, MAT, MARKS, TILES, tuning=tuning)


@pytest.mark.parametrize("along_mm", [-9.0, 3.0])
def test_marks_half_in_a_deep_shadow_are_read_and_none_is_misread(along_mm):
    seen, without = 0, 0
    for value in VALUES:
        gray = half_shaded(value, along_mm)
        (told,) = read(gray) or (None,)
        if told is not None:
            assert told.value == value
            assert math.hypot(told.pose.x_mm - 300.0, told.pose.y_mm - 200.0) < 0.4
            seen += 1
        without += len(read(gray, BLIND))
    assert seen == len(VALUES)
    assert without < seen


def test_a_mark_in_even_light_is_read_as_before():
    gray = half_shaded(5, 40.0)
    assert read(gray) == read(gray, BLIND)


@pytest.mark.parametrize("value", [2, 9])
def test_a_mark_whose_outline_a_shadow_breaks_is_read_from_its_windows(value):
    gray = half_shaded(value, 3.0)
    found = detect(gray, region(VIEW, MAT, MARKS, TILES))
    sides = np.linalg.norm(np.diff(found.outlines_px, axis=1), axis=2).max(axis=1)
    broken = Detections(gray, found.outlines_px[sides < 0.6 * sides.max()])
    (told,) = locate(broken, VIEW, MAT, MARKS, TILES)
    assert told.value == value
    assert math.hypot(told.pose.x_mm - 300.0, told.pose.y_mm - 200.0) < 0.4


@pytest.mark.parametrize(
    ("value", "cells", "wrong"), [(2, 1, 9), (2, -1, 4), (4, 1, 2), (9, -1, 2)]
)
def test_a_part_of_a_mark_that_looks_like_another_word_is_told_by_its_ends(value, cells, wrong):
    """A cell farther along, the rest of the mark and the table beyond it look like another one."""
    axis, far = 0.4 + math.pi / 2, cells * MARKS.long.cell_mm
    place = MarkPose(300.0 + far * math.cos(axis), 200.0 + far * math.sin(axis), axis, 24.12)
    along, across = (side / 2 for side in MARKS.long.body_mm)
    corners = place.to_table(along * np.array([-1, 1, 1, -1]), across * np.array([-1, -1, 1, 1]))
    outline = project(corners, POSE, INTRINSICS)[None]
    found = Detections(half_shaded(value, 9.0), outline)
    no_ends = replace(TUNING.uneven_light, both_score=0.8)
    (told,) = locate(
        found, VIEW, MAT, MARKS, TILES, tuning=replace(TUNING, uneven_light=no_ends)
    ) or [None]
    assert told is not None and told.value == wrong
    assert locate(found, VIEW, MAT, MARKS, TILES) == ()


def test_all_windows_of_all_words_are_where_the_words_have_them():
    for word in MARKS.words.values():
        for match in re.finditer("1+", word):
            off = (match.start() + match.end() - len(word)) / 2
            assert {(len(match.group()), off), (len(match.group()), -off)} <= set(MARKS.windows)


def test_a_tile_of_which_only_the_outline_is_known_is_read_although_that_is_a_little_off():
    off = Tile(None, Pose(300.0 + 1.3 * math.cos(0.4), 200.0 + 1.3 * math.sin(0.4), 0.4), LONG)
    at_once = replace(TUNING, locate=replace(TUNING.locate, hint_ahead_mm=(0.0,)))

    def seen(tuning):
        told = []
        for value in VALUES:
            nothing = Detections(half_shaded(value, 3.0), np.zeros((0, 4, 2)))
            told += locate(nothing, VIEW, MAT, MARKS, TILES, [off], tuning=tuning)
        return [tile.value for tile in told]

    assert seen(TUNING) == VALUES
    assert seen(at_once) != VALUES
