"""The lamps over a table, told by the shadows of tiles."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from vision.background.background import SHRINK, Background, shrink
from vision.background.lamps import (
    LampWatch,
    LightSource,
    cast_shares,
    shaded,
    shadows_on_tops,
)
from vision.geometry.boxes import body_of
from vision.geometry.camera_pose import View, project
from vision.geometry.mat import load_mat
from vision.render.render import render, view_from
from vision.render.scene import Lamp, Scene, Solid

INTRINSICS, POSE = view_from(math.radians(8), 0.6)
VIEW = View(POSE, INTRINSICS)
ROW = [
    Tile(n + 1, Pose(200.0 + 40 * n, 180.0 + 6 * n, 0.1 * n), Orientation.VERTICAL)
    for n in range(5)
]
BODIES = [body_of(tile) for tile in ROW]


def seen(tiles, lamp, table="grey", color="ivory"):
    """How a table with tiles in the light of a lamp differs from the same without them."""
    solids = tuple(Solid(tile, color=color) for tile in tiles)
    empty, now = (
        shrink(render(Scene(some, table=table, lamp=lamp), INTRINSICS, POSE))
        for some in ((), solids)
    )
    return Background(empty).compare(now)


def towards(lamp):
    """From where its light comes over the middle of the row, in degrees."""
    return math.degrees(math.atan2(lamp.y_mm - 192.0, lamp.x_mm - 280.0))


@pytest.mark.parametrize("place", [(900.0, 300.0, 500.0), (-300.0, 700.0, 700.0)])
def test_a_lamp_is_found_by_the_shadows_of_tiles(place):
    watch = LampWatch(load_mat())
    watch.see(seen(ROW, Lamp(*place)), BODIES, VIEW)
    lamp = watch.lamps[0]
    assert towards(lamp) == pytest.approx(towards(Lamp(*place)), abs=8.0)
    assert np.all((lamp.kept > 0.2) & (lamp.kept < 0.85))


def test_few_tiles_and_soft_light_tell_no_lamp():
    watch = LampWatch(load_mat())
    watch.see(seen(ROW[:1], Lamp()), BODIES[:1], VIEW)
    watch.see(seen(ROW, Lamp(power=0.0)), BODIES, VIEW)
    assert watch.lamps == ()


@pytest.mark.parametrize("known", [2, 4, 6])
@pytest.mark.parametrize(("table", "pitch_mm"), [("white", 18.0), ("white", 24.0), ("wood", 18.0)])
def test_black_tiles_in_line_with_known_ones_are_not_taken_for_their_shadow(table, pitch_mm, known):
    row = [
        Tile(None, Pose(150 + pitch_mm * n, 200 + 2 * n, 0.03 * n), Orientation.VERTICAL)
        for n in range(10)
    ]
    watch = LampWatch(load_mat())
    dark = seen(row, Lamp(power=0.0), table, "black")
    watch.see(dark, [body_of(tile) for tile in row[:known]], VIEW)
    assert watch.lamps == ()


def test_two_tiles_that_both_cast_a_shadow_tell_the_lamp():
    watch, lamp = LampWatch(load_mat()), Lamp(900.0, 300.0, 500.0)
    watch.see(seen(ROW[1:3], lamp), BODIES[1:3], VIEW)
    assert towards(watch.lamps[0]) == pytest.approx(towards(lamp), abs=12.0)


def test_lamps_are_looked_for_anew_when_one_was_put_elsewhere():
    watch = LampWatch(load_mat())
    here, there = Lamp(900.0, 300.0, 500.0), Lamp(-400.0, 100.0, 500.0)
    watch.see(seen(ROW, here), BODIES, VIEW)
    known = watch.lamps
    watch.see(seen(ROW, here), BODIES, VIEW)
    assert watch.lamps is known
    watch.see(seen(ROW, there), BODIES, VIEW)
    assert towards(watch.lamps[0]) % 360 == pytest.approx(towards(there) % 360, abs=8.0)


def test_a_shadow_explains_what_is_darker_by_as_much_and_nothing_else():
    """A black tile in the shadow is darker than that; what is beside it is in the light."""
    lamp = Lamp(900.0, 300.0, 500.0)
    foreground = seen(ROW, lamp)
    watch = LampWatch(load_mat())
    watch.see(foreground, BODIES, VIEW)
    explained = shaded(foreground, watch.lamps, BODIES, VIEW) > 0

    def at(x_mm, y_mm, mask):
        column, row = np.round(project(np.array([(x_mm, y_mm, 0.0)]), POSE, INTRINSICS)[0] / SHRINK)
        return mask[int(row), int(column)]

    beside = 200.0 - 25.0
    assert at(beside, 178.0, foreground.loose) and at(beside, 178.0, explained)
    dark = tuple(plane.copy() for plane in foreground.soft)
    for plane in dark:
        plane[:] = np.where(explained, plane // 3, plane)
    blackened = replace(foreground, soft=dark)
    assert not at(beside, 178.0, shaded(blackened, watch.lamps, BODIES, VIEW))
    assert not at(500.0, 350.0, explained)


def test_the_shadow_of_a_body_reaches_as_far_as_its_height_and_the_lamp_say():
    """A lamp 480 mm high and 432 mm to the side throws the shadow of 48 mm by 48 mm."""
    body = body_of(Tile(None, Pose(0.0, 0.0, 0.0), Orientation.VERTICAL))
    lamp = LightSource(-432.0 - 3.75, 0.0, 480.0, np.ones(3))
    (shadow,) = lamp.fallen_mm(body[None])
    assert shadow[:, 0].min() == pytest.approx(-3.75)
    assert shadow[:, 0].max() == pytest.approx(3.75 + (432.0 + 7.5) / 9)


HIGH = body_of(Tile(None, Pose(200.0, 200.0, 0.0), Orientation.VERTICAL))
LOW = body_of(Tile(None, Pose(225.0, 200.0, 0.0), Orientation.HORIZONTAL))
LAMP_MM = np.array([0.0, 150.0, 480.0])
LAMP = LightSource(*LAMP_MM.tolist(), np.ones(3))


def test_a_shadow_falls_on_the_upper_face_of_a_lower_tile():
    """Rays from the lamp through the upper corners meet the plane 24 mm over the table."""
    (shadows,) = shadows_on_tops([LAMP], LOW[None], [HIGH], VIEW)
    met = LAMP_MM + (HIGH[4:] - LAMP_MM) * (480.0 - 24.0) / (480.0 - 48.0)
    foot = HIGH[:4] + np.array([0.0, 0.0, 24.0])
    assert shadows[0] == pytest.approx(VIEW.project(np.concatenate([foot, met])), abs=1e-3)


def test_no_shadow_falls_on_a_tile_as_high_or_far_away_or_without_a_lamp():
    def count(lamps, body, known):
        return [len(each) for each in shadows_on_tops(lamps, np.stack([body, LOW]), known, VIEW)]

    assert count([LAMP, LAMP], LOW, [HIGH]) == [2, 2]
    assert count([LAMP], HIGH + np.array([20.0, 0.0, 0.0]), [HIGH]) == [0, 1]
    assert count([LAMP], LOW + np.array([200.0, 0.0, 0.0]), [HIGH, HIGH]) == [0, 2]
    assert count([], LOW, [HIGH]) == count([LAMP], LOW, []) == [0, 0]


@pytest.fixture(scope="module")
def lit():
    """How the table differs with the row under a hard lamp, and the lamps that its shadows tell."""
    foreground = seen(ROW, Lamp(900.0, 300.0, 500.0))
    watch = LampWatch(load_mat())
    watch.see(foreground, BODIES, VIEW)
    return foreground, watch.lamps


def standing(x_mm, y_mm):
    return body_of(Tile(None, Pose(x_mm, y_mm, 0.5), Orientation.VERTICAL))


def test_every_tile_of_a_row_casts_the_shadow_of_the_lamp(lit):
    foreground, lamps = lit
    assert lamps
    assert min(cast_shares(foreground, lamps, np.stack(BODIES), BODIES, VIEW)) > 0.7


def test_what_is_only_printed_on_the_table_casts_none(lit):
    foreground, lamps = lit
    printed = standing(300.0, 330.0)
    (share,) = cast_shares(foreground, lamps, printed[None], BODIES, VIEW)
    assert share < 0.1


def test_no_shadow_is_asked_for_without_a_lamp_or_out_of_the_picture(lit):
    foreground, lamps = lit
    here = standing(300.0, 330.0)
    assert cast_shares(foreground, (), here[None], BODIES, VIEW) == [None]
    out = [standing(*place) for place in ((2000.0, 215.0), (300.0, -900.0), (300.0, 1300.0))]
    assert cast_shares(foreground, lamps, np.stack(out), BODIES, VIEW) == [None] * len(out)
