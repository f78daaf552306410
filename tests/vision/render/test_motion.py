"""Frames of things that move while the shutter is open, and of a lamp that flickers."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, State, Tile
from tests.support.motion import Shutter, render_motion
from vision.capture.camera import Frame
from vision.geometry.camera_pose import to_plane
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.render.render import Sensor, default_view, render
from vision.render.scene import RENDER, Lamp, Scene, Solid

UP = Orientation.VERTICAL
INTRINSICS, POSE = default_view()
CLEAN = Sensor(blur_px=0.5, noise=0.0)
SPEED_MM_S = 400.0
ROW = tuple(
    Solid(Tile(v, Pose(130 + 32 * n, 160 + 22 * n, 0.6 + 0.05 * n), UP))
    for n, v in enumerate((4, 9, 1, 7, 11, 2, 6, 3))
)


def sliding(*places):
    """Black tiles that lie on a white table and slide to the right."""

    def at(time_s):
        moved = [Pose(x + SPEED_MM_S * time_s, y, 0.0) for x, y in places]
        tiles = [Solid(Tile(None, at, UP, State.FALLEN), color="black") for at in moved]
        return Scene(tuple(tiles), table="white")

    return at


LIGHT = (np.arange(256) / 255.0) ** RENDER.gamma


def light(image):
    return LIGHT[image]


def lost(image):
    """How much light the tiles keep from each pixel of the bare white table."""
    bare = light(render(Scene(table="white"), INTRINSICS, POSE, CLEAN))
    return (bare - light(image)).mean(axis=2)


def dark_places_mm(image, lows_mm):
    """The middle of what is darker than the bare table, in bands of table y."""
    weight = np.clip(lost(image) - 0.05, 0, None)
    rows, columns = np.nonzero(weight)
    places = to_plane(np.column_stack([columns, rows]).astype(float), 7.5, POSE, INTRINSICS)
    share = weight[rows, columns]
    found = []
    for low in lows_mm:
        here = (places[:, 1] > low) & (places[:, 1] < low + 80)
        found.append((places[here] * share[here, None]).sum(axis=0) / share[here].sum())
    return np.array(found)


def test_what_stands_still_gives_the_very_frame_of_a_quick_shutter():
    scene = Scene(ROW, table="wood", seed=4)
    shown = render_motion(lambda _: scene, 3.0, Shutter(0.02, 0.03), INTRINSICS, POSE)
    assert (shown == render(scene, INTRINSICS, POSE)).all()


def test_a_moving_tile_is_smeared_over_its_way_and_its_light_is_kept():
    at, shutter = sliding((200.0, 210.0)), Shutter(0.05, samples=10)
    start, end = (render(at(t), INTRINSICS, POSE, CLEAN) for t in (0.0, 0.05))
    smeared = render_motion(at, 0.0, shutter, INTRINSICS, POSE, CLEAN)
    middle = render(at(0.025), INTRINSICS, POSE, CLEAN)
    places = [dark_places_mm(image, [170])[0, 0] for image in (start, smeared, middle, end)]
    assert places[1] == pytest.approx((places[0] + places[3]) / 2, abs=0.5)
    assert light(smeared).sum() == pytest.approx(light(middle).sum(), rel=2e-3)
    black = [np.count_nonzero(lost(image) > 0.5) for image in (smeared, middle)]
    touched = [np.count_nonzero(lost(image) > 0.05) for image in (smeared, middle)]
    assert black[0] < 0.9 * black[1]
    assert touched[0] > 1.05 * touched[1]


def test_rows_that_are_read_later_show_a_moving_tile_farther_on():
    at, shutter = sliding((150.0, 380.0), (150.0, 60.0)), Shutter(0.002, 0.03, samples=16)
    still = dark_places_mm(render(at(0.0), INTRINSICS, POSE, CLEAN), [20, 340])
    rolled = dark_places_mm(render_motion(at, 0.0, shutter, INTRINSICS, POSE, CLEAN), [20, 340])
    near_mm, far_mm = (rolled - still)[:, 0]
    assert 0.0 < far_mm < near_mm < SPEED_MM_S * 0.032
    apart = 320 * 2.0 / INTRINSICS.height
    assert near_mm - far_mm == pytest.approx(SPEED_MM_S * 0.03 * apart, rel=0.1)


def test_each_row_gets_all_of_its_light_however_few_moments_are_drawn():
    flat = Scene(table="grey")

    def nearly_flat(time_s):
        return replace(flat, light=1.0 + 1e-9 * time_s)

    for samples in (1, 3, 8):
        shutter = Shutter(0.004, 0.02, samples)
        shown = render_motion(nearly_flat, 0.0, shutter, INTRINSICS, POSE, CLEAN)
        away = np.abs(shown.astype(int) - render(flat, INTRINSICS, POSE, CLEAN))
        assert away.max() <= 1


def flickering(time_s, solids=ROW, depth=0.5):
    """A lamp on 50 Hz mains: bright a hundred times a second."""
    power = 1.0 + depth * math.cos(math.tau * 100.0 * time_s)
    return Scene(solids, table="grey", seed=2, lamp=Lamp(power=power))


def brightness_by_row(image):
    return light(image[:, 240:400]).mean(axis=(1, 2))


def test_a_lamp_on_the_mains_draws_bands_unless_rows_are_open_for_a_whole_wave():
    lens = INTRINSICS.at_size(640, 360)
    plain = brightness_by_row(render(flickering(0.0, (), 0.0), lens, POSE, CLEAN))
    swing = {}
    for open_s in (0.001, 0.01):
        shutter = Shutter(open_s, 0.02, samples=21)
        frame = render_motion(lambda t: flickering(t, ()), 0.0, shutter, lens, POSE, CLEAN)
        swing[open_s] = brightness_by_row(frame) / plain - 1.0
    opened_s = 0.0005 + 0.02 * np.arange(len(plain)) / len(plain)
    wave = np.cos(math.tau * 100.0 * opened_s)
    assert np.corrcoef(swing[0.001], wave)[0, 1] > 0.9
    assert swing[0.01].std() < 0.15 * swing[0.001].std()


def test_bands_of_a_flickering_lamp_are_neither_tiles_nor_hands():
    eye, shutter = Eye(INTRINSICS, load_mat()), Shutter(0.002, 0.02, samples=11)
    for solids, at_s in (((), 0.0), (ROW, 0.004)):
        image = render_motion(
            lambda t, shown=solids: flickering(t, shown, 0.15), at_s, shutter, INTRINSICS, POSE
        )
        look = eye.look(Frame(image, at_s))
        assert not look.hand_in_view
    assert [t.value for t in look.tiles] == sorted(s.tile.value for s in ROW)
    for solid in ROW:
        here, (seen,) = solid.tile.pose, [t for t in look.tiles if t.value == solid.tile.value]
        assert math.dist((here.x_mm, here.y_mm), (seen.pose.x_mm, seen.pose.y_mm)) < 0.2
