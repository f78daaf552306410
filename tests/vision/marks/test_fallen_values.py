import math
from dataclasses import replace

import cv2
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile
from vision.capture.camera import Frame
from vision.geometry.camera_pose import View
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.marks.fallen_values import name_fallen, read_sides
from vision.marks.sticker import load_marks
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid

MARKS = load_marks()
INTRINSICS, POSE = view_from(math.radians(20), -math.pi / 2)
VIEW = View(POSE, INTRINSICS)
FREE = frozenset(range(1, 12))


def lying(value, x, y=330.0, deg=0.0):
    return Tile(value, Pose(x, y, math.radians(deg)), None, State.FALLEN)


def drawn(*tiles, table="grey"):
    scene = Scene(tuple(Solid(tile, color="blue") for tile in tiles), table=table, seed=4)
    return render(scene, INTRINSICS, POSE)


def gray(*tiles, **more):
    return cv2.cvtColor(drawn(*tiles, **more), cv2.COLOR_BGR2GRAY)


@pytest.mark.parametrize("value", range(1, 12))
@pytest.mark.parametrize("deg", [0, 90, 180, 270])
def test_a_side_that_looks_at_the_camera_is_read(value, deg):
    tile = lying(value, 300, deg=deg)
    assert read_sides(gray(tile), VIEW, tile, MARKS) == value


def test_a_side_is_read_though_its_tile_is_known_only_roughly():
    true = lying(8, 300)
    rough = replace(true, pose=Pose(300.8, 330.6, math.radians(0.8)))
    assert read_sides(gray(true), VIEW, rough, MARKS) == 8


def test_nothing_is_read_from_straight_above_nor_from_a_tile_without_marks():
    intrinsics, pose = view_from(0.0, 0.0)
    tile = lying(5, 300, 210)
    scene = Scene((Solid(tile),))
    above = cv2.cvtColor(render(scene, intrinsics, pose), cv2.COLOR_BGR2GRAY)
    assert read_sides(above, View(pose, intrinsics), tile, MARKS) is None
    bare = lying(None, 300)
    assert read_sides(gray(bare), VIEW, bare, MARKS) is None


def test_no_place_of_a_table_names_a_tile_that_is_not_there():
    for table in ("wood", "felt", "dark"):
        image = gray(lying(4, 100), table=table)
        for n in range(40):
            ghost = lying(None, 170 + 10 * n, 60 + 5 * n, 9 * n)
            assert read_sides(image, VIEW, ghost, MARKS) is None


def test_a_value_that_stands_elsewhere_or_would_be_there_twice_is_not_given():
    tiles = [lying(3, 200), lying(7, 400)]
    image = gray(*tiles)
    unread = [replace(tile, value=None) for tile in tiles]
    assert [t.value for t in name_fallen(image, VIEW, unread, MARKS, FREE)] == [3, 7]
    assert [t.value for t in name_fallen(image, VIEW, unread, MARKS, FREE - {3})] == [None, 7]
    twice = gray(lying(3, 200), lying(3, 400))
    assert [t.value for t in name_fallen(twice, VIEW, unread, MARKS, FREE)] == [None, None]


def test_a_standing_tile_is_not_named_by_its_sides():
    standing = Tile(3, Pose(200, 330, 0.0), Orientation.VERTICAL)
    image = gray(standing)
    (told,) = name_fallen(image, VIEW, [replace(standing, value=None)], MARKS, FREE)
    assert told.value is None


def test_the_eye_names_fallen_tiles_that_it_can_read():
    tiles = [lying(v, 90 + 100 * n, 300, 180 * (n % 2)) for n, v in enumerate((2, 9, 5, 11, 1))]
    eye = Eye(INTRINSICS, load_mat())
    eye.look(Frame(drawn(), 0.0))
    look = eye.look(Frame(drawn(*tiles), 1.0))
    assert len(look.tiles) == 5
    for true in tiles:
        near = min(look.tiles, key=lambda t: abs(t.pose.x_mm - true.pose.x_mm))
        assert near.state is State.FALLEN
        assert near.value in (true.value, None)
    assert sum(tile.value is not None for tile in look.tiles) >= 4
