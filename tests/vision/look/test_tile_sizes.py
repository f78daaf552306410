"""Tiles of other sizes: named once, and known to the renderer, the marks and the eye alike."""

import math

import pytest

from physics.row.pose import Pose, half_turn
from physics.row.tile import Orientation, State, Tile, TileSet, TileSpec
from vision.capture.camera import Frame
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid

UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL
LARGE = TileSet(TileSpec(56.0, 28.0, 10.0, 14.0), values=(1, 2, 3, 4, 5, 6, 7))
INTRINSICS, POSE = view_from(math.radians(14), 0.9)


def tile(value, x, y, deg, how, state=State.STANDING):
    return Tile(value, Pose(x, y, math.radians(deg)), how, state, spec=LARGE.spec)


def seen(*tiles, tile_set=LARGE, color="ivory", table="grey"):
    eye = Eye(INTRINSICS, load_mat(), tile_set)
    for scene in (
        Scene(table=table),
        Scene(tuple(Solid(t, color=color) for t in tiles), table=table),
    ):
        look = eye.look(Frame(render(scene, INTRINSICS, POSE), 0.0))
    return look.tiles


def off_mm(one, other):
    return math.dist((one.pose.x_mm, one.pose.y_mm), (other.pose.x_mm, other.pose.y_mm))


@pytest.mark.parametrize("how", [UP, LONG])
def test_marked_tiles_of_another_size_are_read_and_placed(how):
    row = [tile(n + 1, 90 + 65 * n, 120 + 25 * n, 21 * n, how) for n in range(7)]
    found = seen(*row)
    assert [t.value for t in found] == list(LARGE.values)
    for one, true in zip(found, row, strict=True):
        assert one.orientation is how and one.spec is LARGE.spec
        assert off_mm(one, true) < 0.3
        assert abs(half_turn(one.pose.heading_rad - true.pose.heading_rad)) < math.radians(0.8)


def test_with_the_wrong_size_they_would_stand_elsewhere():
    row = [tile(n + 1, 60 + 120 * (n % 4), 80 + 250 * (n // 4), 0, UP) for n in range(7)]
    wrong = seen(*row, tile_set=TileSet(values=LARGE.values))
    misses = [off_mm(one, row[one.value - 1]) for one in wrong if one.value is not None]
    assert not misses or max(misses) > 1.0


@pytest.mark.parametrize("how", [UP, LONG])
def test_unmarked_tiles_of_another_size_are_found_standing(how):
    row = [tile(None, 130 + 90 * n, 240 - 30 * n, 30 * n, how) for n in range(4)]
    found = seen(*row, color="blue")
    assert len(found) == 4
    for true in row:
        near = min(found, key=lambda t: off_mm(t, true))
        assert off_mm(near, true) < 2.5 and near.orientation is how


def test_fallen_tiles_of_another_size_are_found_lying():
    row = [tile(n + 1, 120 + 100 * n, 230, 25 * n, None, State.FALLEN) for n in range(4)]
    found = seen(*row, color="red")
    assert [t.state for t in found] == [State.FALLEN] * 4
    assert all(min(off_mm(t, true) for t in found) < 2.0 for true in row)


def test_a_value_that_the_set_does_not_have_is_not_read():
    assert all(t.value != 9 for t in seen(tile(9, 300, 200, 10, UP)))
