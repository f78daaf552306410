import math
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose, half_turn
from physics.row.tile import Orientation, Tile, TileSet
from vision.geometry.boxes import body_of
from vision.geometry.camera_pose import View
from vision.geometry.image_sampling import sample
from vision.geometry.mat import load_mat
from vision.look.eye import where_tiles_stand
from vision.marks.candidates import Detections, detect
from vision.marks.locate import ReadMark, locate, region, resolve
from vision.marks.mark_fit import MarkPose, cells, fit_mark
from vision.marks.sticker import CellReading, load_marks
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid
from vision.tuning.tuning import TUNING

MAT, MARKS, TILES = load_mat(), load_marks(), TileSet()
UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL


def fan(orientation, turn_deg=0.0):
    """Eleven tiles on a wide grid, each turned another way."""
    return tuple(
        Tile(
            value,
            Pose(80 + 145 * (n % 4), 80 + 125 * (n // 4), math.radians(turn_deg + 33 * n)),
            orientation,
        )
        for n, value in enumerate(TILES.values)
    )


@lru_cache
def view_at(tilt_deg):
    return view_from(math.radians(tilt_deg), 0.8)


def found_on(tiles, table="wood", color="ivory", tilt_deg=12.0, shrink=1.0, seed=1):
    intrinsics, pose = view_at(tilt_deg)
    scene = Scene(tuple(Solid(tile, color=color) for tile in tiles), table=table, seed=seed)
    gray = cv2.cvtColor(render(scene, intrinsics, pose), cv2.COLOR_BGR2GRAY)
    if shrink != 1.0:
        gray = cv2.resize(gray, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        intrinsics = intrinsics.at_size(gray.shape[1], gray.shape[0])
    view = View(pose, intrinsics)
    return locate(detect(gray, region(view, MAT, MARKS, TILES)), view, MAT, MARKS, TILES)


def check(found, tiles, mm=0.3, deg=0.8):
    assert [tile.value for tile in found] == [tile.value for tile in tiles]
    for seen, true in zip(found, tiles, strict=True):
        assert seen.orientation is true.orientation
        off = math.hypot(seen.pose.x_mm - true.pose.x_mm, seen.pose.y_mm - true.pose.y_mm)
        assert off < mm
        assert abs(half_turn(seen.pose.heading_rad - true.pose.heading_rad)) < math.radians(deg)
        assert 0.05 < seen.sigma_mm < 0.5


@pytest.mark.parametrize("orientation", list(Orientation))
@pytest.mark.parametrize("table", ["wood", "dark", "white", "grey", "felt"])
def test_every_value_is_read_and_placed_on_every_table(table, orientation):
    tiles = fan(orientation, turn_deg=10.0)
    check(found_on(tiles, table, "black" if table == "dark" else "white"), tiles)


@pytest.mark.parametrize("tilt_deg", [0.0, 20.0])
def test_every_value_is_read_straight_from_above_and_aslant(tilt_deg):
    tiles = fan(UP, turn_deg=77.0)
    check(found_on(tiles, tilt_deg=tilt_deg), tiles)


@pytest.mark.parametrize("orientation", list(Orientation))
def test_every_value_is_read_at_720p(orientation):
    tiles = fan(orientation, turn_deg=45.0)
    check(found_on(tiles, shrink=2 / 3), tiles, mm=0.4, deg=1.5)


def blurred(value, size_px):
    """What `locate` is given of a tile in a picture so blurred, without outlines."""
    intrinsics, pose = view_from(math.radians(12), 0.6)
    tile = Tile(value, Pose(300, 200, 0.0), UP)
    image = render(Scene((Solid(tile),), table="wood", seed=1), intrinsics, pose)
    gray = cv2.blur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), size_px)
    nothing = Detections(gray, np.zeros((0, 4, 2)))
    return nothing, View(pose, intrinsics), MAT, MARKS, TILES, [tile]


@pytest.mark.parametrize("size_px", [(9, 1), (1, 5), (5, 5)])
@pytest.mark.parametrize("value", TILES.values)
def test_a_mark_is_read_out_of_focus_and_while_the_camera_shakes(value, size_px):
    seen = blurred(value, size_px)
    check(locate(*seen), seen[-1], mm=0.5, deg=1.5)


@pytest.mark.parametrize("value", TILES.values)
def test_a_mark_that_is_blurred_too_much_is_left_out_rather_than_placed_wrongly(value):
    seen = blurred(value, (11, 1))
    check(found := locate(*seen), seen[-1] if found else [], mm=0.5, deg=1.5)


@pytest.mark.parametrize("value", [None, 2, 4, 6, 7, 8, 9, 10])
def test_a_mark_blurred_beyond_that_is_read_where_a_tile_is_known_to_stand(value):
    seen = blurred(value, (13, 1))
    found = locate(*seen, tuning=where_tiles_stand(TUNING))
    assert [one.value for one in found] == ([] if value is None else [value])
    assert locate(*seen) == ()


@pytest.mark.parametrize("seed", [1, 2])
def test_marks_are_read_where_tiles_were_found_a_little_off(seed):
    intrinsics, pose = view_from(math.radians(12), 0.6)
    tiles = fan(UP, turn_deg=10.0)
    image = render(Scene(tuple(map(Solid, tiles)), table="wood", seed=1), intrinsics, pose)
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    hints = []
    for ahead_mm, aside_mm, turn_deg in np.random.default_rng(seed).uniform(-1, 1, (11, 3)):
        tile = tiles[len(hints)]
        x_mm, y_mm = tile.pose.to_table(2.0 * ahead_mm, 1.8 * aside_mm)
        heading_rad = tile.pose.heading_rad + math.radians(8.0 * turn_deg)
        hints.append(Tile(None, Pose(x_mm, y_mm, heading_rad), UP))
    seen = Detections(gray, np.zeros((0, 4, 2))), View(pose, intrinsics), MAT, MARKS, TILES, hints
    found = locate(*seen, tuning=where_tiles_stand(TUNING))
    check(found, [tile for tile in tiles if tile.value in {one.value for one in found}])
    assert len(locate(*seen)) < 10 <= len(found)


def with_walls_in_sight(tilt_deg, turn_deg=0.0, orientation=UP):
    """Eleven tiles whose narrow walls look at the camera, or nearly so."""
    intrinsics, pose = view_at(tilt_deg)
    tiles = []
    for tile in fan(orientation):
        out_mm = pose.centre_mm - (tile.pose.x_mm, tile.pose.y_mm, 0.0)
        heading_rad = math.atan2(out_mm[1], out_mm[0]) + math.radians(turn_deg)
        tiles.append(replace(tile, pose=replace(tile.pose, heading_rad=heading_rad)))
    gray = cv2.cvtColor(
        render(Scene(tuple(map(Solid, tiles)), table="wood", seed=1), intrinsics, pose),
        cv2.COLOR_BGR2GRAY,
    )
    return tiles, gray, View(pose, intrinsics)


def drawn(shape, tiles, view, corners=slice(None)):
    """Where tiles are seen, or some corners of theirs reach, shape (rows, columns)."""
    mask = np.zeros(shape, dtype=np.uint8)
    for tile in tiles:
        hull = cv2.convexHull(view.project(body_of(tile)[corners]).astype(np.float32))
        cv2.fillConvexPoly(mask, hull.astype(np.int32), (255,))
    return mask > 0


TOP = slice(4, 8)
"""The corners of a tile's upper face."""


@pytest.mark.parametrize(
    ("tilt_deg", "soft_px", "value", "is_read"),
    [(23.0, 5, 4, True), (25.0, 5, 10, True), (25.0, 7, 10, False)],
)
def test_a_mark_on_a_wall_is_not_taken_for_one_on_a_top_out_of_focus(
    tilt_deg, soft_px, value, is_read
):
    tiles, gray, view = with_walls_in_sight(tilt_deg, -90.0)
    tops = drawn(gray.shape, tiles, view, TOP)
    gray = np.where(tops, cv2.blur(gray, (soft_px, soft_px)), gray)
    found = locate(detect(gray, region(view, MAT, MARKS, TILES)), view, MAT, MARKS, TILES)
    read = [tile.value for tile in found]
    assert (value in read) is is_read
    check(found, [tile for tile in tiles if tile.value in read], mm=0.6, deg=2.0)


@pytest.mark.parametrize("turn_deg", [-112.0, -90.0, 75.0, 90.0])
@pytest.mark.parametrize(("orientation", "tilt_deg"), [(UP, 23.0), (LONG, 43.0)])
def test_a_mark_that_is_seen_on_a_wall_alone_leads_to_the_one_on_top(
    orientation, tilt_deg, turn_deg
):
    tiles, gray, view = with_walls_in_sight(tilt_deg, turn_deg, orientation)
    seen = detect(gray, region(view, MAT, MARKS, TILES))
    tops = drawn(gray.shape, tiles, view, TOP)
    x, y = seen.outlines_px.mean(axis=1).round().astype(int).T
    walls = replace(seen, outlines_px=seen.outlines_px[~tops[y, x]])
    found = locate(walls, view, MAT, MARKS, TILES)
    check(found, [tile for tile in tiles if tile.value in {one.value for one in found}])
    assert found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("levels", [12, 90])
def test_a_mark_on_top_is_not_taken_for_one_on_a_wall_on_a_patterned_table(levels, seed):
    tiles, gray, view = with_walls_in_sight(25.0, -90.0)
    rows, columns = gray.shape
    noise = np.random.default_rng(seed).uniform(-levels, levels, (rows // 4, columns // 4))
    noise = cv2.resize(noise, (columns, rows), interpolation=cv2.INTER_CUBIC)
    patterned = np.clip(gray + noise, 0, 255).astype(np.uint8)
    gray = np.where(drawn(gray.shape, tiles, view), gray, patterned)
    check(locate(detect(gray, region(view, MAT, MARKS, TILES)), view, MAT, MARKS, TILES), tiles)


def test_the_mark_of_a_tile_close_behind_is_not_that_of_the_same_tile():
    tiles, _, view = with_walls_in_sight(25.0, -90.0)
    row = []
    for front, behind in zip(tiles[::2], tiles[1::2], strict=False):
        away = np.array(front.pose.to_table(0.0, 0.0)) - view.pose.centre_mm[:2]
        x_mm, y_mm = front.pose.to_table(0.0, 0.0) + 25.0 * away / np.hypot(*away)
        row += [front, replace(behind, pose=replace(front.pose, x_mm=x_mm, y_mm=y_mm))]
    check(found_on(row, tilt_deg=25.0), row)


def test_the_heading_is_the_face_normal_a_quarter_turn_from_the_mark():
    tiles = [Tile(5, Pose(300, 200, math.radians(20)), UP)]
    (seen,) = found_on(tiles)
    assert math.degrees(seen.pose.heading_rad) == pytest.approx(20, abs=0.6)


def test_tiles_that_nearly_touch_are_kept_apart():
    tiles = [Tile(n + 1, Pose(250 + 11.0 * n, 200, 0.0), UP) for n in range(6)]
    check(found_on(tiles, tilt_deg=5.0), tiles)


def test_nothing_is_read_on_an_empty_table():
    for table in ("wood", "white"):
        assert found_on((), table) == ()


def test_marks_outside_the_work_area_are_no_tiles():
    inside = Tile(3, Pose(300, 200, 0.0), UP)
    found = found_on((inside, Tile(4, Pose(-60, 200, 0.0), UP)))
    assert [tile.value for tile in found] == [3]


@pytest.mark.parametrize("level", [0, 255])
def test_a_black_or_saturated_image_gives_no_outlines(level):
    intrinsics, pose = view_from(0.1, 0.0)
    part = region(View(pose, intrinsics), MAT, MARKS, TILES)
    found = detect(np.full((1080, 1920), level, np.uint8), part)
    assert found.outlines_px.shape == (0, 4, 2)


def sighting(value, x_mm, score, orientation=UP):
    place = MarkPose(x_mm, 200.0, 0.0, 48.0)
    fit = fit_result(place, score)
    return ReadMark(value, orientation, fit, CellReading(value, False, 0.99, 0.5))


def fit_result(place, score):
    from vision.marks.mark_fit import MarkFit

    return MarkFit(place, score, (1.0, 1.0), 0.02, 0.001)


def test_of_a_value_seen_twice_the_clearer_one_is_kept():
    kept = resolve([sighting(4, 100, 0.80), sighting(4, 300, 0.95)], TILES)
    assert [s.fit.place.x_mm for s in kept] == [300]


def test_of_two_tiles_in_one_place_the_clearer_one_is_kept():
    kept = resolve([sighting(4, 100, 0.95), sighting(7, 103, 0.85)], TILES)
    assert [s.value for s in kept] == [4]


def test_neighbours_that_nearly_touch_are_both_kept():
    tiles = [sighting(n, 100, 0.9) for n in (1,)]
    other = sighting(2, 100, 0.9)
    beside = ReadMark(2, UP, fit_result(MarkPose(100.0, 208.0, 0.0, 48.0), 0.9), other.reading)
    assert len(resolve([*tiles, beside], TILES)) == 2


def test_a_fit_finds_its_way_from_a_millimetre_and_two_degrees_off():
    intrinsics, pose = view_from(math.radians(10), 0.2)
    tile = Tile(6, Pose(310.0, 190.0, math.radians(30)), LONG)
    image = render(Scene((Solid(tile),)), intrinsics, pose)
    gray, view = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), View(pose, intrinsics)
    start = MarkPose(310.8, 189.4, math.radians(30 - 90 + 2), 24.0)
    (reading,) = MARKS.read(cells(gray, view, [start], MARKS.long))
    if reading.backwards:
        start = MarkPose(start.x_mm, start.y_mm, start.axis_rad + math.pi, start.z_mm)
    fit = fit_mark(gray, view, start, MARKS.words[6], MARKS.long)
    assert fit.score > 0.85
    assert math.hypot(fit.place.x_mm - 310, fit.place.y_mm - 190) < 0.2
    assert fit.sigma_mm < 0.1


def test_a_fit_on_a_bare_table_or_at_the_border_is_refused():
    intrinsics, pose = view_from(math.radians(10), 0.2)
    view = View(pose, intrinsics)
    flat = np.full((1080, 1920), 90, np.uint8)
    assert fit_mark(flat, view, MarkPose(300, 200, 0, 48), MARKS.words[1], MARKS.short) is None
    beyond = MarkPose(-400.0, 200.0, 0.0, 48.0)
    assert fit_mark(flat, view, beyond, MARKS.words[1], MARKS.short) is None


def test_sampling_reads_between_pixels():
    ramp = np.tile(np.arange(0, 100, 10, dtype=np.uint8), (10, 1))
    assert sample(ramp, np.array([[3.5, 4.0], [6.25, 1.0]])) == pytest.approx([35, 62.5], abs=0.5)


def test_no_outlines_give_no_tiles():
    intrinsics, pose = view_from(0.1, 0.0)
    nothing = Detections(np.zeros((1080, 1920), np.uint8), np.zeros((0, 4, 2)))
    assert locate(nothing, View(pose, intrinsics), MAT, MARKS, TILES) == ()


def test_found_tiles_come_sorted_by_value():
    values = [tile.value for tile in found_on(fan(UP))]
    assert all(a < b for a, b in pairwise(values))
