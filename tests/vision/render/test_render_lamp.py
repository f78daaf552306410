"""The lamp of the pretend table: shadow, shade and glare follow it, and the eye does not."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile
from vision.capture.camera import Frame
from vision.errors import VisionError
from vision.geometry.camera_pose import project, to_plane
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.look.track import Change, Tracker
from vision.render.render import Sensor, render, view_from
from vision.render.scene import RENDER, Lamp, Scene, Solid

UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL
CLEAN = Sensor(blur_px=0.5, noise=0.0)
INTRINSICS, POSE = view_from(math.radians(10), -1.2)
LEFT, RIGHT = Lamp(-200.0, 210.0), Lamp(800.0, 210.0)
OFF = Lamp(power=0.0)


def drawn(*solids, sensor=CLEAN, **more):
    scene = Scene(tuple(solids), **{"table": "grey", **more})
    return render(scene, INTRINSICS, POSE, sensor).astype(int)


def level(image, *point_mm):
    """Brightness of a small patch of the image round a place in space."""
    x, y = project(np.array([point_mm], dtype=float), POSE, INTRINSICS)[0].round().astype(int)
    return image[y - 2 : y + 3, x - 2 : x + 3].mean()


@pytest.mark.parametrize(("lamp", "dark_x", "lit_x"), [(LEFT, 315, 285), (RIGHT, 285, 315)])
def test_a_shadow_falls_on_the_side_away_from_the_lamp(lamp, dark_x, lit_x):
    tile = Solid(Tile(1, Pose(300.0, 210.0, 0.0), UP))
    bare, image = drawn(lamp=lamp), drawn(tile, lamp=lamp)
    assert level(image, dark_x, 210, 0) < 0.85 * level(bare, dark_x, 210, 0)
    assert level(image, lit_x, 222, 0) > 0.95 * level(bare, lit_x, 222, 0)


def test_the_face_towards_the_lamp_is_the_brighter_one():
    tile = Solid(Tile(None, Pose(300.0, 210.0, 0.0), LONG), color="yellow")
    left, right = view_from(math.radians(35), math.pi), view_from(math.radians(35), 0.0)
    for lamp, bright, dim in ((LEFT, left, right), (RIGHT, right, left)):
        tone = []
        for lens, pose in (bright, dim):
            image = render(Scene((tile,), table="grey", lamp=lamp), lens, pose, CLEAN)
            side = math.copysign(3.75, pose.centre_mm[0] - 300.0)
            x, y = project(np.array([(300 + side, 210.0, 12.0)]), pose, lens)[0].round().astype(int)
            tone.append(image[y, x].astype(int).sum())
        assert tone[0] > 1.2 * tone[1]


def test_without_a_lamp_the_room_still_lights_the_table():
    usual, dark = drawn(), drawn(lamp=OFF)
    share = level(dark, 300, 210, 0) / level(usual, 300, 210, 0)
    assert share == pytest.approx(RENDER.ambient_share ** (1 / RENDER.gamma), abs=0.02)


def test_without_a_lamp_nothing_throws_a_shadow_beyond_its_foot():
    tile, spot = Solid(Tile(1, Pose(300.0, 210.0, 0.0), UP)), (309, 184, 0)
    for lamp, least, most in ((Lamp(), 0.5, 0.85), (OFF, 0.97, 1.03)):
        assert least < level(drawn(tile, lamp=lamp), *spot) / level(drawn(lamp=lamp), *spot) < most


def test_a_high_tile_shades_a_low_one_only_by_what_the_lamp_gives():
    low, high = (
        Solid(Tile(None, Pose(306, 182, 1.2), LONG)),
        Solid(Tile(None, Pose(302, 193.5, 1.2), UP)),
    )
    for lamp, least, most in ((Lamp(), 0.5, 0.85), (OFF, 0.97, 1.03)):
        alone, shaded = drawn(low, lamp=lamp), drawn(low, high, lamp=lamp)
        spot = (306, 182, 24)
        assert least < level(shaded, *spot) / level(alone, *spot) < most


def test_a_brighter_lamp_lights_tile_pusher_and_strips():
    tile, pusher = Solid(Tile(None, Pose(300, 210, 0.0), UP)), Pose(150, 210, 0.0)
    dim, bright = (drawn(tile, pusher=pusher, lamp=Lamp(power=power)) for power in (0.6, 1.2))
    for place in ((300, 210, 48), (150, 244, 30), (300, 435, 0)):
        assert level(bright, *place) > 1.1 * level(dim, *place)


def test_a_brighter_lamp_lights_a_hand():
    dim, bright = (drawn(hand=(500, 200), lamp=Lamp(power=power)) for power in (0.6, 1.2))
    hand = np.abs(dim - drawn(lamp=Lamp(power=0.6))).max(axis=2) > 60
    assert hand.sum() > 10_000
    assert bright[hand].mean() > 1.1 * dim[hand].mean()


@pytest.mark.parametrize("lamp", [Lamp(), Lamp(420.0, 560.0, 1100.0), Lamp(560.0, 480.0, 700.0)])
def test_a_glossy_table_mirrors_the_lamp_where_the_angles_are_equal(lamp):
    glare = (drawn(lamp=lamp, gloss=0.5) - drawn(lamp=lamp)).min(axis=2).astype(float)
    glare[glare < 0.7 * glare.max()] = 0.0
    rows, columns = np.indices(glare.shape)
    middle = [(glare * axis).sum() / glare.sum() for axis in (columns, rows)]
    spot = np.append(to_plane(np.array([middle]), 0.0, POSE, INTRINSICS)[0], 0.0)
    up_to_lamp, up_to_eye = lamp.place_mm - spot, POSE.centre_mm - spot
    up_to_lamp /= np.linalg.norm(up_to_lamp)
    up_to_eye /= np.linalg.norm(up_to_eye)
    assert (up_to_lamp + up_to_eye)[:2] == pytest.approx((0.0, 0.0), abs=0.01)


def test_a_lamp_as_low_as_a_hand_is_refused():
    with pytest.raises(VisionError, match="lamp hangs 120 mm above the table"):
        drawn(lamp=Lamp(z_mm=120.0))


def test_two_frames_under_different_lamps_have_different_noise():
    lamps = (Lamp(), Lamp(power=1.0 + 1e-9))
    one, two = (drawn(sensor=Sensor(noise=3.0), lamp=lamp) for lamp in lamps)
    assert np.abs(one - two)[300:700, 500:1300].mean() > 1.5


SWING = (
    Lamp(),
    Lamp(420, 560, power=1.5),
    Lamp(300, -250, power=1.2),
    Lamp(-60, 100, power=0.5),
    Lamp(power=0.0),
    Lamp(),
)
"""A lamp carried once round the table, dimmed and switched while it goes."""


def row_of(values):
    return tuple(
        Solid(
            Tile(v, Pose(130 + 32 * n, 160 + 22 * n, 0.6 + 0.05 * n), LONG if n in (2, 5) else UP)
        )
        for n, v in enumerate(values)
    )


MARKED, UNMARKED = row_of((4, 9, 1, 7, 11, 2, 6, 3)), row_of((None,) * 8)


def looks_under(swing, table, row):
    """What eye and tracker say of a row while the lamp moves; accepted once it is still."""
    eye, tracker, scene = Eye(INTRINSICS, load_mat()), Tracker(), Scene(table=table, seed=2)
    eye.look(Frame(render(scene, INTRINSICS, POSE), -1.0))
    accepted = False
    for n, lamp in enumerate(swing):
        shown = replace(scene, solids=row, lamp=lamp)
        look = eye.look(Frame(render(shown, INTRINSICS, POSE), float(n)))
        sight = tracker.see(look, float(n))
        yield look, sight if accepted else None
        if sight.still and not accepted:
            tracker.settle()
            accepted = True
    assert accepted


def farthest_mm(look, row):
    """How far the worst seen tile of a row is from where it stands."""
    return max(
        min(
            math.dist((t.pose.x_mm, t.pose.y_mm), (s.tile.pose.x_mm, s.tile.pose.y_mm))
            for t in look.tiles
            if t.value == s.tile.value
        )
        for s in row
    )


@pytest.mark.parametrize("table", ["wood", "white"])
def test_while_the_lamp_is_carried_round_the_table_nothing_comes_goes_or_moves(table):
    for look, sight in looks_under(SWING, table, MARKED):
        assert not look.hand_in_view
        assert [t.value for t in look.tiles] == sorted(s.tile.value for s in MARKED)
        assert farthest_mm(look, MARKED) < 0.2
        assert sight is None or (sight.change is Change.NOTHING and sight.still)


@pytest.mark.parametrize("table", ["grey", "felt"])
def test_while_the_lamp_is_carried_round_unmarked_tiles_neither_come_nor_go(table):
    for look, sight in looks_under(SWING, table, UNMARKED):
        assert not look.hand_in_view
        assert [t.state for t in look.tiles] == [State.STANDING] * len(UNMARKED)
        assert farthest_mm(look, UNMARKED) < 2.5
        assert sight is None or not (sight.added or sight.gone or sight.accident)
