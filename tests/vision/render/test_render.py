import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose, half_turn
from physics.row.tile import Orientation, State, Tile, TileSpec
from tests.support.faulty_camera import Sensor, render
from vision.capture.camera import Frame
from vision.errors import VisionError
from vision.geometry.camera_pose import find_pose, project
from vision.geometry.mat import find_markers, load_mat
from vision.look.eye import Eye
from vision.render.render import default_view, view_from
from vision.render.scene import COLORS, TABLES, Scene, Solid
from vision.render.tabletop import TOPS
from vision.render.tile_boxes import BGR, back_to_front

UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL
CLEAN = Sensor(blur_px=0.5, noise=0.0)


def tile(value, x, y, heading_deg=0.0, how=UP, **more):
    return Tile(value, Pose(x, y, math.radians(heading_deg)), how, **more)


def drawn(*solids, sensor=CLEAN, view=None, **more):
    return render(
        Scene(tuple(solids), **{"table": "grey", **more}), *(view or default_view()), sensor
    )


def colour_at(image, point_mm, view=None):
    intrinsics, pose = view or default_view()
    x, y = project(np.array([point_mm], dtype=float), pose, intrinsics)[0]
    return image[round(y), round(x)].astype(int)


def test_the_same_scene_gives_the_same_frame():
    scene = Scene((Solid(tile(6, 300, 210)),), table="wood", seed=4)
    one, two = (render(scene, *default_view()) for _ in range(2))
    assert one.shape == (1080, 1920, 3)
    assert one.dtype == np.uint8
    assert (one == two).all()


def test_another_seed_gives_another_table():
    one, two = (render(Scene(table="wood", seed=seed), *default_view(), CLEAN) for seed in (1, 2))
    assert np.abs(one.astype(int) - two).mean() > 3


@pytest.mark.parametrize("table", TABLES)
def test_the_mat_tells_where_the_camera_hangs(table):
    for tilt_deg in (0, 20):
        intrinsics, pose = view_from(math.radians(tilt_deg), 1.0, scale_px_mm=1.8, roll_rad=0.08)
        gray = cv2.cvtColor(render(Scene(table=table), intrinsics, pose), cv2.COLOR_BGR2GRAY)
        found = find_pose(gray, intrinsics, load_mat())
        assert found.markers == 30
        assert found.error_px < 0.3
        area = np.array([(0, 0, 0), (600, 0, 0), (300, 210, 48), (600, 420, 0.0)])
        apart = project(area, found, intrinsics) - project(area, pose, intrinsics)
        assert np.abs(apart).max() < 0.1


@pytest.mark.parametrize("how", [UP, LONG])
def test_every_value_is_read_where_it_stands(how):
    view = view_from(math.radians(12), side_rad=2.0)
    eye = Eye(view[0], load_mat())
    eye.look(Frame(drawn(view=view), 0.0))
    tiles = [
        tile(v, 70 + 75 * (n % 7), 90 + 170 * (n // 7), 37 * n, how)
        for n, v in enumerate(range(1, 12))
    ]
    solids = [Solid(t, color=COLORS[n % len(COLORS)]) for n, t in enumerate(tiles)]
    look = eye.look(Frame(drawn(*solids, view=view, sensor=Sensor()), 1.0))
    seen = {t.value: t for t in look.tiles}
    errors = []
    for t in tiles:
        same = seen[t.value]
        assert same.orientation is how
        errors.append(math.dist((same.pose.x_mm, same.pose.y_mm), (t.pose.x_mm, t.pose.y_mm)))
        turn = half_turn(same.pose.heading_rad - t.pose.heading_rad)
        assert abs(turn) < math.radians(0.5)
    assert np.median(errors) < 0.09
    assert max(errors) < 0.2


def test_there_is_no_shift_of_part_of_a_pixel():
    view = default_view()
    eye = Eye(view[0], load_mat())
    eye.look(Frame(drawn(view=view), 0.0))
    tiles = [tile(v, 60 + 45.37 * n, 100 + 21.13 * n, 31 * n) for n, v in enumerate(range(1, 12))]
    look = eye.look(Frame(drawn(*(Solid(t) for t in tiles), view=view), 1.0))
    seen = {t.value: t.pose for t in look.tiles}
    shift = [(seen[t.value].x_mm - t.pose.x_mm, seen[t.value].y_mm - t.pose.y_mm) for t in tiles]
    assert np.abs(np.mean(shift, axis=0)).max() < 0.03


def test_a_tile_without_a_value_carries_no_mark():
    blank, marked = (drawn(Solid(tile(v, 300, 210), color="ivory")) for v in (None, 7))
    assert colour_at(blank, (300, 210, 48)).min() > 120
    assert colour_at(marked, (300, 210, 48)).max() < 90


def test_a_tipped_tile_turns_about_its_front_lower_edge():
    upright = Solid(tile(5, 100, 50, 90))
    assert upright.corners_mm()[:, 2].tolist() == [0.0] * 4 + [48.0] * 4
    flat = replace(upright, tilt_rad=math.pi / 2).corners_mm()
    assert flat.min(axis=0) == pytest.approx((88, 53.75, 0), abs=1e-9)
    assert flat.max(axis=0) == pytest.approx((112, 101.75, 7.5), abs=1e-9)
    back = replace(upright, tilt_rad=-math.pi / 2).corners_mm()
    assert back.min(axis=0) == pytest.approx((88, -1.75, 0), abs=1e-9)


def test_a_leaning_tile_keeps_its_edge_on_the_table():
    leaning = Solid(tile(5, 0, 0), tilt_rad=0.4).corners_mm()
    assert leaning[:2, 2] == pytest.approx(0.0)
    assert leaning[:2, 0] == pytest.approx(3.75)
    assert leaning[:, 2].min() == pytest.approx(0.0)


def test_a_fallen_tile_lies_where_its_pose_says():
    lying = Tile(5, Pose(300, 210, 0.5), UP, State.FALLEN)
    solid = Solid(lying, color="red")
    assert solid.corners_mm()[:, 2].max() == 7.5
    image = drawn(solid)
    blue, green, red = colour_at(image, (*lying.pose.to_table(20, 8), 7.5))
    assert red > blue + 60
    assert red > green + 60


def test_tiles_of_another_size_are_drawn_to_size():
    spec = TileSpec(60.0, 30.0, 12.0)
    solid = Solid(Tile(8, Pose(300, 210, 0.0), UP, spec=spec), color="yellow")
    image, empty = drawn(solid).astype(int), drawn().astype(int)
    assert solid.corners_mm().max(axis=0) - solid.corners_mm().min(axis=0) == pytest.approx(
        (12, 30, 60)
    )
    inside = colour_at(image, (305.3, 224.3, 60)) - colour_at(empty, (305.3, 224.3, 60))
    assert np.abs(inside).max() > 40
    assert colour_at(image, (300, 210, 60)).max() < 100


def test_the_tile_in_front_hides_the_one_behind():
    view = view_from(math.radians(20), side_rad=-math.pi / 2)
    near, far = Solid(tile(1, 300, 200, 90)), Solid(tile(2, 300, 220, 90))
    eye = view[1].centre_mm
    assert back_to_front([near, far], eye) == [far, near]
    assert back_to_front([far, near], eye) == [far, near]


def test_a_leaning_tile_hides_the_one_it_lies_on():
    low = Solid(tile(1, 300, 210), tilt_rad=math.radians(88))
    leaning = Solid(tile(2, 278, 210), tilt_rad=math.radians(66))
    eye = default_view()[1].centre_mm
    assert back_to_front([leaning, low], eye) == [low, leaning]


def test_tiles_throw_a_shadow_away_from_the_lamp():
    image, empty = drawn(Solid(tile(1, 300, 210))).astype(int), drawn().astype(int)
    spot = (307.0, 190.0, 0.0)
    assert (colour_at(empty, spot) - colour_at(image, spot)).min() > 10
    lit = (280.0, 250.0, 0.0)
    assert np.abs(colour_at(empty, lit) - colour_at(image, lit)).max() <= 2


def test_a_high_tile_shades_a_low_one_behind_it():
    low = Solid(tile(None, 306, 182, 70, LONG))
    alone = drawn(low).astype(int)
    shaded = drawn(low, Solid(tile(None, 302, 193.5, 70))).astype(int)
    spot = (306.0, 182.0, 24.0)
    assert (colour_at(alone, spot) - colour_at(shaded, spot)).min() > 20


def test_strips_laid_askew_are_drawn_where_they_lie():
    straight = load_mat()
    corners = {}
    for n, strip in enumerate(straight.strips):
        angle = math.radians((-1) ** n * 0.6)
        c, s = math.cos(angle), math.sin(angle)
        middle = np.mean([straight.corners_mm[i] for i in strip], axis=(0, 1))
        for i in strip:
            turned = (straight.corners_mm[i] - middle) @ np.array([[c, s], [-s, c]])
            corners[i] = middle + turned + (1.0, -0.7 * n)
    askew = replace(straight, corners_mm=corners)
    intrinsics, pose = default_view()
    image = render(Scene(table="grey"), intrinsics, pose, CLEAN, mat=askew)
    seen = find_markers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), askew)
    assert len(seen.ids) == 30
    plane = np.concatenate([corners[i] for i in seen.ids])
    expected = project(np.column_stack([plane, np.zeros(len(plane))]), pose, intrinsics)
    miss = seen.corners_px.reshape(-1, 2) - expected
    assert np.abs(miss).max() < 0.6
    assert np.abs(miss.mean(axis=0)).max() < 0.05


def test_a_smaller_picture_shows_the_same():
    intrinsics, pose = default_view()
    small = render(Scene(table="grey"), intrinsics.at_size(1280, 720), pose, CLEAN)
    assert small.shape == (720, 1280, 3)
    found = find_pose(
        cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), intrinsics.at_size(1280, 720), load_mat()
    )
    assert found.centre_mm == pytest.approx(pose.centre_mm, abs=0.5)


def test_the_lamp_can_be_dimmed():
    bright, dim = drawn(), drawn(light=0.5)
    assert 0.65 < dim.mean() / bright.mean() < 0.8


def test_a_hand_reaches_in_from_the_edge():
    view = default_view()
    eye = Eye(view[0], load_mat())
    eye.look(Frame(drawn(table="wood"), 0.0))
    image, empty = drawn(table="wood", hand=(300.0, 200.0)), drawn(table="wood")
    changed = np.abs(image.astype(int) - empty).max(axis=2) > 30
    rows, columns = changed.shape
    assert any(edge.any() for edge in (changed[0], changed[-1], changed[:, 0], changed[:, -1]))
    assert 0.02 * rows * columns < changed.sum() < 0.3 * rows * columns
    assert eye.look(Frame(image, 1.0)).hand_in_view


def test_noise_is_as_strong_as_asked_and_has_no_bias():
    plain = drawn().astype(int)
    noisy = drawn(sensor=Sensor(blur_px=0.5, noise=3.0)).astype(int)
    difference = (noisy - plain)[300:700, 500:1300]
    assert difference.std() == pytest.approx(3.0, rel=0.05)
    assert abs(difference.mean()) < 0.05


def test_every_named_table_and_colour_can_be_drawn():
    assert set(TABLES) == set(TOPS)
    assert set(COLORS) == set(BGR)


def test_an_unknown_table_is_named():
    with pytest.raises(VisionError, match="marble"):
        drawn(table="marble")


def test_a_glossy_table_mirrors_the_lamp_at_one_spot():
    matt, glossy = drawn(table="dark").astype(int), drawn(table="dark", gloss=0.6).astype(int)
    brighter = (glossy - matt).max(axis=2)
    assert brighter.max() > 100
    assert (brighter > 50).mean() < 0.05


def test_a_shaken_picture_is_smeared_one_way_and_not_moved():
    sharp = drawn().astype(float)
    smeared = drawn(sensor=replace(CLEAN, shake_px=4.0)).astype(float)
    marker = project(np.array([(31.5, 435.0, 0.0)]), *default_view()[::-1])[0].round().astype(int)
    part = (slice(marker[1] - 35, marker[1] + 35), slice(marker[0] - 35, marker[0] + 35))
    steep = [[(np.diff(i[part], axis=a) ** 2).mean() for a in (0, 1)] for i in (sharp, smeared)]
    assert steep[1][1] < 0.6 * steep[0][1]
    assert steep[1][0] > 0.75 * steep[0][0]
    columns = np.arange(1920.0)
    dark = [(255 - image[..., 1]).sum(axis=0) for image in (sharp, smeared)]
    before, after = ((weight * columns).sum() / weight.sum() for weight in dark)
    assert abs(before - after) < 0.05


@pytest.mark.parametrize("how", [UP, LONG])
def test_a_misplaced_sticker_is_read_where_it_is_stuck(how):
    view = default_view()
    eye = Eye(view[0], load_mat())
    eye.look(Frame(drawn(view=view), 0.0))
    true = tile(5, 300, 210, 25, how)
    off = (0.4, -0.3, math.radians(1.5))
    (straight,) = eye.look(Frame(drawn(Solid(true), view=view), 1.0)).tiles
    (seen,) = eye.look(Frame(drawn(Solid(true, sticker=off), view=view), 2.0)).tiles
    axis = Pose(0.0, 0.0, true.pose.heading_rad - math.pi / 2)
    shift = (seen.pose.x_mm - straight.pose.x_mm, seen.pose.y_mm - straight.pose.y_mm)
    along, across = axis.to_local(shift)
    way = round(along / off[0])
    assert way in (-1, 1)
    assert (way * along, way * across) == pytest.approx(off[:2], abs=0.1)
    turned = half_turn(seen.pose.heading_rad - straight.pose.heading_rad)
    assert turned == pytest.approx(off[2], abs=math.radians(0.3))
