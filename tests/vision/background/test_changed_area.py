"""Looks one after the other: what is kept of the look before, and what is looked for again."""

import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile
from vision.background.background import SHRINK, Background, shrink
from vision.background.changed_area import Recent, box_round, in_sight
from vision.capture.camera import Frame
from vision.geometry.boxes import outline_px
from vision.geometry.camera_pose import View, project
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.render.render import Sensor, render, view_from
from vision.render.scene import Scene, Solid

INTRINSICS, POSE = view_from(math.radians(12), 1.2)
ROW = [
    Solid(Tile(v, Pose(150 + 40 * n, 200 + 10 * n, 0.1 * n), Orientation.VERTICAL), color="ivory")
    for n, v in enumerate((3, None, 7, 5, None))
]
EMPTY = Scene(table="wood", seed=5)


def frame(scene):
    return Frame(render(scene, INTRINSICS, POSE), 0.0)


def eye_after(*scenes):
    eye = Eye(INTRINSICS, load_mat())
    for scene in (EMPTY, *scenes):
        look = eye.look(frame(scene))
    return eye, look


def row(*solids, **more):
    return replace(EMPTY, solids=solids, **more)


def moved(solid, x_mm, **more):
    pose = replace(solid.tile.pose, x_mm=solid.tile.pose.x_mm + x_mm)
    return replace(solid, tile=replace(solid.tile, pose=pose, **more))


def test_tiles_over_which_nothing_changed_are_the_same_as_before():
    eye, before = eye_after(row(*ROW[:4]))
    after = eye.look(frame(row(*ROW)))
    assert len(after.tiles) == 5
    assert all(any(tile is old for tile in after.tiles) for old in before.tiles)


@pytest.mark.parametrize("light", [0.8, 1.1])
def test_another_light_is_no_news(light):
    eye, before = eye_after(row(*ROW))
    after = eye.look(frame(row(*ROW, light=light)))
    assert after is not before
    assert all(any(tile is old for tile in after.tiles) for old in before.tiles)


def test_a_tile_that_is_gone_is_gone():
    eye, _ = eye_after(row(*ROW))
    after = eye.look(frame(row(*ROW[:1], *ROW[2:])))
    assert [tile.value for tile in after.tiles] == [3, 5, 7, None]


def test_a_tile_that_was_moved_is_where_it_is_now():
    eye, _ = eye_after(row(*ROW))
    for at in (0, 4):
        there = moved(ROW[at], 60.0 if at else -60.0)
        after = eye.look(frame(row(*(there if n == at else s for n, s in enumerate(ROW)))))
        assert len(after.tiles) == 5
        x_mm = there.tile.pose.x_mm
        assert any(abs(tile.pose.x_mm - x_mm) < 2.5 for tile in after.tiles)
        old_mm = ROW[at].tile.pose.x_mm
        assert not any(abs(tile.pose.x_mm - old_mm) < 10 for tile in after.tiles)


def test_another_value_in_the_same_place_is_read():
    eye, _ = eye_after(row(*ROW))
    other = replace(ROW[2], tile=replace(ROW[2].tile, value=9))
    after = eye.look(frame(row(*ROW[:2], other, *ROW[3:])))
    assert sorted(tile.value for tile in after.tiles if tile.value) == [3, 5, 9]


def test_two_tiles_that_changed_places_are_told():
    eye, _ = eye_after(row(*ROW))
    one, two = (
        replace(ROW[a], tile=replace(ROW[a].tile, pose=ROW[b].tile.pose))
        for a, b in ((0, 2), (2, 0))
    )
    after = eye.look(frame(row(one, ROW[1], two, *ROW[3:])))
    places = {tile.value: tile.pose.x_mm for tile in after.tiles if tile.value}
    assert places[3] == pytest.approx(230, abs=0.5)
    assert places[7] == pytest.approx(150, abs=0.5)


def test_what_a_hand_hid_is_known_again_once_it_is_gone():
    eye, before = eye_after(row(*ROW))
    assert eye.look(frame(row(*ROW, hand=(230.0, 210.0)))).hand_in_view
    after = eye.look(frame(row(*ROW, light=0.97)))
    assert not after.hand_in_view
    assert all(any(tile is old for tile in after.tiles) for old in before.tiles)


def test_a_row_that_fell_behind_a_hand_is_seen_fallen():
    eye, _ = eye_after(row(*ROW), row(*ROW, hand=(230.0, 210.0)))
    fallen = [
        Solid(Tile(s.tile.value, Pose(110 + 75 * n, 210, 0.4), None, State.FALLEN))
        for n, s in enumerate(ROW)
    ]
    after = eye.look(frame(row(*fallen)))
    assert [tile.state for tile in after.tiles] == [State.FALLEN] * 5


VIEW = View(POSE, INTRINSICS)
SHARP, BLURRED = Sensor(0.5, 2.0), Sensor(1.6, 2.0)


@cache
def background():
    return Background(shrink(render(EMPTY, INTRINSICS, POSE)))


def seen(*solids, sensor=SHARP):
    return background().compare(shrink(render(row(*solids), INTRINSICS, POSE, sensor)))


def shares_over(mask, solids):
    """What share of the mask is set within the outline of each tile."""
    shares = []
    for solid in solids:
        shape = np.zeros_like(mask)
        cv2.fillConvexPoly(shape, outline_px(solid.tile, VIEW) // SHRINK, (1,))
        shares.append(mask[shape > 0].mean() / 255)
    return shares


def test_a_new_tile_is_news_and_the_tiles_that_stood_are_not():
    tiles = [solid.tile for solid in ROW[:4]]
    news = Recent(seen(*ROW[:4]), tiles, VIEW, 1.0).news(seen(*ROW), load_mat())
    assert list(news.kept) == tiles
    assert shares_over(news.where, ROW) == [0, 0, 0, 0, 1]
    assert shares_over(news.broad, ROW) == [0, 0, 0, 0, 1]


def test_news_beside_a_tile_that_stood_is_not_looked_for_on_it():
    pose = replace(ROW[0].tile.pose, y_mm=233)
    beside = replace(ROW[0], tile=replace(ROW[0].tile, pose=pose, value=9))
    tiles = [ROW[0].tile]
    news = Recent(seen(ROW[0]), tiles, VIEW, 1.0).news(seen(ROW[0], beside), load_mat())
    assert list(news.kept) == tiles
    assert shares_over(news.where, (ROW[0], beside)) == [0, 1]


def test_a_blurred_picture_is_searched_along_its_rims_but_not_for_marks():
    news = Recent(seen(*ROW), (), VIEW, 1.0).news(seen(*ROW, sensor=BLURRED), load_mat())
    assert max(shares_over(news.where, ROW)) > 0.3
    assert max(shares_over(news.broad, ROW)) < 0.1


def test_what_changes_off_the_work_area_is_no_news():
    beside = replace(ROW[0], tile=replace(ROW[0].tile, pose=Pose(-60, 200, 0.0)))
    news = Recent(seen(), (), VIEW, 1.0).news(seen(beside), load_mat())
    assert not news.where.any()


def test_a_part_of_a_picture_shows_each_place_where_the_whole_one_does():
    mask = np.zeros((540, 960), np.uint8)
    mask[201:240, 403:481] = 255
    box = box_round(mask, 30)
    assert box == (372, 168, 511, 270)
    points = np.array([(150.0, 200.0, 0.0), (400.0, 90.0, 48.0)])
    whole = project(points, POSE, INTRINSICS)
    part = VIEW.part(*(SHRINK * side for side in box))
    assert project(points, part.pose, part.intrinsics) == pytest.approx(whole - (744, 336))
    assert (part.intrinsics.width, part.intrinsics.height) == (278, 204)


def test_the_part_of_a_picture_ends_where_the_picture_does():
    mask = np.zeros((50, 80), np.uint8)
    assert box_round(mask, 30) is None
    mask[20:30, 60:75] = 255
    assert box_round(mask, 30) == (28, 0, 80, 50)


def test_tiles_outside_a_part_of_a_picture_are_not_in_sight_there():
    left, right = ROW[0].tile, ROW[4].tile
    x, y = project(np.array([(150.0, 200.0, 24.0)]), POSE, INTRINSICS)[0] / SHRINK
    part = VIEW.part(*(SHRINK * (int(at) + off) for off in (-40, 40) for at in (x, y)))
    assert in_sight([left, right], part) == [left]
