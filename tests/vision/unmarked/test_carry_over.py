"""Unmarked tiles that stand where they stood, though the picture over them has changed."""

import math
from dataclasses import replace

import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile, apart_mm
from vision.background.background import Background, shrink
from vision.geometry.camera_pose import View
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid
from vision.unmarked.carry_over import stand_again

INTRINSICS, POSE = view_from(math.radians(12), 1.2)
VIEW = View(POSE, INTRINSICS)
EMPTY = Scene(table="wood", seed=5)
STOOD = Tile(None, Pose(300.0, 200.0, 0.4), Orientation.VERTICAL)


def seen(*solids, before=(STOOD,), known=()):
    image = render(replace(EMPTY, solids=solids), INTRINSICS, POSE)
    background = Background(shrink(render(EMPTY, INTRINSICS, POSE)))
    return stand_again(image, background.compare(shrink(image)), VIEW, known, before)


def solid(tile, color="ivory"):
    return Solid(tile, color=color)


@pytest.mark.parametrize("how", Orientation)
@pytest.mark.parametrize("color", ["ivory", "black"])
def test_a_tile_that_stands_where_it_stood_is_seen_there(how, color):
    told = replace(STOOD, orientation=how)
    true = replace(told, pose=Pose(300.3, 199.8, 0.41))
    (again,) = seen(solid(true, color), before=[told])
    assert apart_mm(again, true) < 0.6
    assert again.orientation is how


def test_a_tile_that_a_new_one_hides_in_part_is_seen_where_it_stood():
    ahead = Tile(7, Pose(*STOOD.pose.to_table(14.0, -8.0), 0.4), Orientation.VERTICAL)
    (again,) = seen(solid(STOOD), solid(ahead), known=[ahead])
    assert apart_mm(again, STOOD) < 0.5


def test_a_tile_that_is_gone_is_not_seen():
    assert seen() == ()


@pytest.mark.parametrize("x_mm", [-3.0, 3.0])
def test_a_tile_that_was_moved_is_left_to_the_search(x_mm):
    moved = replace(STOOD, pose=replace(STOOD.pose, x_mm=STOOD.pose.x_mm + x_mm))
    assert seen(solid(moved)) == ()


@pytest.mark.parametrize("ahead_mm", [0.0, 15.0, 28.0])
@pytest.mark.parametrize("how", Orientation)
def test_a_tile_that_fell_where_it_stood_does_not_stand(how, ahead_mm):
    x_mm, y_mm = STOOD.pose.to_table(ahead_mm, 0.0)
    turn = 0.0 if how is Orientation.VERTICAL else math.pi / 2
    lying = Tile(None, Pose(x_mm, y_mm, 0.4 + turn), None, State.FALLEN)
    assert seen(solid(lying), before=[replace(STOOD, orientation=how)]) == ()


def test_a_place_that_a_known_tile_has_taken_is_not_looked_at():
    known = replace(STOOD, value=4)
    assert seen(solid(known), known=[known]) == ()
