import math
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose, half_turn
from physics.row.tile import Orientation, Tile
from vision.geometry.boxes import body_of
from vision.geometry.camera_pose import View
from vision.marks.base_edge import feet
from vision.marks.fuse import settle
from vision.marks.side_mark import along_foot
from vision.marks.sticker import load_marks
from vision.render.render import Sensor, render, view_from
from vision.render.scene import Scene, Solid

MARKS = load_marks()
UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL
HAND_MM = 0.15
OFF_MM, OFF_RAD = 0.35, math.radians(1.0)


@lru_cache
def view_at(tilt_deg):
    return view_from(math.radians(tilt_deg), 0.8)


@lru_cache(maxsize=16)
def picture(*tiles, tilt_deg=12.0, color="yellow", table="dark", sensor=None):
    intrinsics, pose = view_at(tilt_deg)
    scene = Scene(tuple(Solid(tile, color=color) for tile in tiles), table=table)
    image = render(scene, intrinsics, pose, **({"sensor": sensor} if sensor else {}))
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    gray.flags.writeable = False
    return gray, View(pose, intrinsics)


def tile_at(x_mm, y_mm, heading_deg, orientation, value=7):
    pose = Pose(x_mm, y_mm, math.radians(heading_deg))
    return Tile(value, pose, orientation, sigma_mm=HAND_MM, sigma_rad=math.radians(0.3))


def thought(tile, ahead_mm=0.0, left_mm=0.0, turn_rad=0.0):
    """The tile as a sticker tells it that is off by so much."""
    heading = tile.pose.heading_rad
    x, y = tile.pose.to_table(ahead_mm, left_mm)
    return replace(tile, pose=Pose(x, y, heading + turn_rad))


WALLS = [(110, 300, 80, UP), (110, 300, -100, UP), (90, 90, 120, LONG), (520, 60, 10, UP)]


@pytest.mark.parametrize("place", WALLS)
@pytest.mark.parametrize("off_mm", [-OFF_MM, OFF_MM])
def test_the_mark_on_the_narrow_wall_tells_how_far_the_one_on_top_is_off(place, off_mm):
    tile = tile_at(*place)
    gray, view = picture(tile)
    shift = along_foot(gray, view, thought(tile, left_mm=off_mm), MARKS, HAND_MM)
    assert shift is not None
    assert shift.mm == pytest.approx(-off_mm, abs=0.12)
    assert 0.05 < shift.sigma_mm < 0.15


def test_a_wall_that_looks_away_or_says_another_value_tells_nothing():
    tile = tile_at(300, 210, 90, UP)
    gray, view = picture(tile, tilt_deg=0.0)
    assert along_foot(gray, view, tile, MARKS, HAND_MM) is None
    tile = tile_at(*WALLS[0])
    gray, view = picture(tile)
    assert along_foot(gray, view, replace(tile, value=8), MARKS, HAND_MM) is None
    assert along_foot(gray, view, replace(tile, value=None), MARKS, HAND_MM) is None


def test_a_wall_without_a_mark_tells_nothing():
    tile = tile_at(*WALLS[0])
    gray, view = picture(replace(tile, value=None))
    assert along_foot(gray, view, tile, MARKS, HAND_MM) is None


BOTH = (230, 190, -8, LONG)
"""Here the camera sees a narrow wall and a broad one."""
FEET = [(110, 300, -10, UP), (110, 300, 170, UP), (500, 120, -20, LONG), (300, 60, 80, LONG)]


@pytest.mark.parametrize("place", FEET)
@pytest.mark.parametrize("off_mm", [-OFF_MM, OFF_MM])
def test_the_lower_edge_tells_how_far_the_mark_is_off_across_the_tile(place, off_mm):
    tile = tile_at(*place)
    gray, view = picture(tile)
    (foot,) = feet(gray, view, [thought(tile, ahead_mm=off_mm)], [body_of(tile)])
    assert foot is not None
    assert foot.ahead_mm == pytest.approx(-off_mm, abs=0.15)


@pytest.mark.parametrize("place", [place for place in FEET if place[3] is LONG])
@pytest.mark.parametrize("off_rad", [-OFF_RAD, OFF_RAD])
def test_the_lower_edge_of_a_long_tile_tells_how_it_is_turned(place, off_rad):
    tile = tile_at(*place)
    gray, view = picture(tile)
    (foot,) = feet(gray, view, [thought(tile, turn_rad=off_rad)], [body_of(tile)])
    assert foot is not None
    assert foot.turn_rad == pytest.approx(-off_rad, abs=math.radians(0.35))
    assert foot.sigma_rad < math.radians(0.8)


def test_an_edge_that_another_tile_hides_or_that_has_no_contrast_tells_nothing():
    tile = tile_at(110, 300, -10, UP)
    gray, view = picture(tile)
    before = tile_at(124, 297, -10, UP, value=3)
    assert feet(gray, view, [tile], [body_of(tile)]) != [None]
    assert feet(gray, view, [tile], [body_of(tile), body_of(before)]) == [None]
    flat = np.full_like(gray, 90)
    assert feet(flat, view, [tile], [body_of(tile)]) == [None]


def test_an_edge_that_shows_in_its_colour_alone_is_seen():
    tile = tile_at(300, 60, 80, LONG)
    gray, view = picture(tile)
    apart = (gray.astype(np.float64) - gray.mean()) / 2
    blue, red = 100 + apart, 100 - apart * 0.114 / 0.299
    image = np.dstack([blue, np.full_like(blue, 100), red]).clip(0, 255).astype(np.uint8)
    alike = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    off = thought(tile, ahead_mm=OFF_MM)
    assert feet(alike, view, [off], [body_of(tile)]) == [None]
    (foot,) = feet(image, view, [off], [body_of(tile)])
    assert foot is not None
    assert foot.ahead_mm == pytest.approx(-OFF_MM, abs=0.15)


def test_feet_of_many_tiles_come_in_their_order():
    tiles = [
        tile_at(110, 300, -10, UP, 1),
        tile_at(300, 210, 0, UP, 2),
        tile_at(500, 120, -20, LONG, 3),
    ]
    gray, view = picture(*tiles, tilt_deg=0.0)
    bodies = [body_of(tile) for tile in tiles]
    first, hidden, last = feet(gray, view, tiles, bodies)
    assert first is not None and last is not None
    assert hidden is None


def error_mm(seen, true):
    return math.hypot(seen.pose.x_mm - true.pose.x_mm, seen.pose.y_mm - true.pose.y_mm)


def test_what_walls_and_feet_say_brings_a_tile_nearer_to_where_it_stands():
    tile = tile_at(*BOTH)
    gray, view = picture(tile)
    told = thought(tile, 0.25, -0.25, math.radians(0.5))
    (settled,) = settle(gray, view, [told], MARKS, HAND_MM)
    assert error_mm(settled, tile) < 0.6 * error_mm(told, tile)
    assert settled.sigma_mm < 0.75 * told.sigma_mm
    turned = abs(half_turn(settled.pose.heading_rad - tile.pose.heading_rad))
    assert turned < math.radians(0.45)
    assert settled.sigma_rad < told.sigma_rad


def test_what_contradicts_the_mark_on_top_is_left_out():
    tile = tile_at(*BOTH)
    gray, view = picture(tile)
    assert None not in (along_foot(gray, view, tile, MARKS, HAND_MM), *feet(gray, view, [tile], []))
    told = replace(thought(tile, 0.6, 0.6), sigma_mm=0.05)
    (settled,) = settle(gray, view, [told], MARKS, HAND_MM)
    assert error_mm(settled, told) < 0.01
    assert settled.sigma_mm == pytest.approx(told.sigma_mm)


def test_a_tile_of_which_only_the_top_is_seen_stays_as_it_was_told():
    tile = tile_at(300, 210, 20, UP)
    gray, view = picture(tile, tilt_deg=0.0)
    assert settle(gray, view, [tile], MARKS, HAND_MM) == (tile,)


def test_the_bright_mark_on_top_bleeding_into_the_wall_below_does_not_move_a_tile():
    tile = tile_at(*BOTH)
    gray, view = picture(tile, sensor=Sensor(blur_px=1.2, noise=2.0))
    (settled,) = settle(gray, view, [tile], MARKS, HAND_MM)
    assert error_mm(settled, tile) < 0.22
