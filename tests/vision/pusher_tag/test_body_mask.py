"""The pusher stands in the picture all the time: it is no hand, no tile, and hides no hand."""

import math
from dataclasses import replace

import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from vision.capture.camera import Frame
from vision.geometry.markers import as_gray
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.pusher_tag.tag import TAG, Tag, glimpse_tag
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid

LENS, POSE = view_from(math.radians(10), 0.3)
ROW = tuple(
    Tile(value, Pose(230.0 + 30.0 * n, 210.0, 0.0), Orientation.VERTICAL)
    for n, value in enumerate((3, 6, 9))
)
BARE = Scene()
SOLIDS = tuple(Solid(tile) for tile in ROW)
PLACE = Pose(230.0 - 3.75 - 2.0 - TAG.tip_forward_mm, 210.0, 0.0)
BESIDE = Pose(420.0, 110.0, 1.2)


def eye(first=BARE, tag=TAG):
    eye = Eye(LENS, load_mat(), tag=tag)
    eye.look(frame(first))
    return eye


def frame(scene):
    return Frame(render(scene, LENS, POSE), 0.0)


def found(look):
    return sorted((tile.value or 0, tile.state.value) for tile in look.tiles)


@pytest.mark.parametrize("place", [PLACE, BESIDE])
@pytest.mark.parametrize("table", ["wood", "white"])
def test_the_pusher_is_neither_a_hand_nor_a_tile(place, table):
    watching = eye(Scene(table=table))
    look = watching.look(frame(Scene(SOLIDS, table=table, pusher=place)))
    assert not look.hand_in_view
    assert found(look) == [(3, "standing"), (6, "standing"), (9, "standing")]


def test_without_a_tag_it_would_be_taken_for_something_else():
    look = eye(tag=None).look(frame(Scene(SOLIDS, pusher=BESIDE)))
    assert look.hand_in_view or look.things or len(look.tiles) > len(ROW)


def test_a_pusher_that_stands_there_from_the_first_frame_on_is_no_hand_either():
    watching = eye(Scene(pusher=BESIDE))
    look = watching.look(frame(Scene(SOLIDS, pusher=BESIDE)))
    assert (look.hand_in_view, len(look.tiles)) == (False, 3)
    # Taken away it leaves nothing behind, and where it stood a tile is seen.
    there = replace(ROW[0], value=4, pose=Pose(BESIDE.x_mm, BESIDE.y_mm, 0.0))
    bare = watching.look(frame(Scene((*SOLIDS, Solid(there)))))
    assert (bare.hand_in_view, found(bare)[1]) == (False, (4, "standing"))
    assert len(bare.tiles) == 4


def test_an_unmarked_tile_beside_the_pusher_is_still_found():
    plain = Tile(None, Pose(330.0, 300.0, 0.4), Orientation.VERTICAL)
    look = eye().look(frame(Scene((*SOLIDS, Solid(plain)), pusher=PLACE)))
    unmarked = [tile for tile in look.tiles if tile.value is None]
    assert len(unmarked) == 1
    assert math.hypot(unmarked[0].pose.x_mm - 330.0, unmarked[0].pose.y_mm - 300.0) < 3.0


def test_a_hand_is_seen_though_the_pusher_stands_there():
    watching = eye()
    watching.look(frame(Scene(SOLIDS, pusher=PLACE)))
    assert watching.look(frame(Scene(SOLIDS, hand=(400.0, 240.0), pusher=PLACE))).hand_in_view


def test_a_pusher_that_is_pushed_nearer_is_followed():
    watching = eye()
    for step in range(5):
        near = Pose(PLACE.x_mm - 40.0 + 10.0 * step, PLACE.y_mm, 0.05)
        look = watching.look(frame(Scene(SOLIDS, pusher=near)))
        assert (look.hand_in_view, len(look.tiles)) == (False, 3)


def test_a_glimpse_near_where_the_tag_was_finds_the_same_as_one_everywhere():
    gray = as_gray(frame(Scene(pusher=BESIDE)).image)
    wide = glimpse_tag(gray, POSE, LENS)
    near = glimpse_tag(gray, POSE, LENS, near=wide)
    assert wide.pose.x_mm == pytest.approx(near.pose.x_mm, abs=0.05)
    assert wide.pose.heading_rad == pytest.approx(near.pose.heading_rad, abs=0.005)
    away = replace(wide, pose=Pose(100.0, 350.0, 0.0))
    assert glimpse_tag(gray, POSE, LENS, near=away) is None


def test_a_tag_at_another_height_than_in_the_settings_is_not_believed():
    gray = frame(Scene(pusher=BESIDE)).image[..., 0].copy()
    assert glimpse_tag(gray, POSE, LENS, Tag(height_mm=160.0)) is None
