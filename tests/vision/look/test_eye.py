import math
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose, half_turn
from physics.row.tile import Orientation, State, Tile
from tests.support import faulty_camera
from tests.support.faulty_camera import Sensor
from tests.support.practised_eye import copied
from vision.background.first_background import covered_markers
from vision.capture.camera import Frame
from vision.geometry.boxes import outlines_px
from vision.geometry.camera_pose import NoMat, View, project
from vision.geometry.lens import BadCamera
from vision.geometry.mat import load_mat
from vision.look import eye as sight
from vision.look.eye import Eye, guess_lens
from vision.render.render import default_view, render, view_from
from vision.render.scene import USUAL_LAMP, Lamp, Scene, Solid
from vision.tuning.tuning import TUNING
from vision.unmarked import search

UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL
INTRINSICS, POSE = view_from(math.radians(11), 0.6)
MAT = load_mat()


def frame(*tiles, hand=None, table="grey", color="ivory", light=1.0, seed=3, lamp=USUAL_LAMP):
    solids = tuple(Solid(t, color=color) for t in tiles)
    scene = Scene(solids, hand, table, light, seed, lamp=lamp)
    return Frame(render(scene, INTRINSICS, POSE), 0.0, "drawn")


def eye_on(*tiles, **how):
    """An eye that has seen one frame: the look at a bare table is taken once and copied."""
    if tiles:
        return eye_after(frame(*tiles, **how))
    return copied(bare_eye(**how))


@cache
def bare_eye(**how):
    return eye_after(frame(**how))


def eye_after(first):
    eye = Eye(INTRINSICS, load_mat())
    eye.look(first)
    return eye


def tile(value, x, y, deg=0.0, how=UP, state=State.STANDING):
    return Tile(value, Pose(x, y, math.radians(deg)), how, state)


def near(seen, true, mm, deg=4.0):
    off = math.hypot(seen.pose.x_mm - true.pose.x_mm, seen.pose.y_mm - true.pose.y_mm)
    turned = abs(half_turn(seen.pose.heading_rad - true.pose.heading_rad))
    return off < mm and turned < math.radians(deg)


def test_an_empty_table_shows_nothing():
    look = Eye(INTRINSICS, load_mat()).look(frame())
    assert look.tiles == () and not look.hand_in_view
    assert look.camera.markers >= 24


def test_a_row_is_seen_with_its_values():
    row = [tile(n + 1, 200 + 25 * n, 200, 5 * n) for n in range(5)]
    look = eye_on().look(frame(*row))
    assert [t.value for t in look.tiles] == [1, 2, 3, 4, 5]
    assert all(near(seen, true, 0.3, 1.0) for seen, true in zip(look.tiles, row, strict=True))


@pytest.mark.parametrize(
    ("table", "color"), [("dark", "black"), ("white", "white"), ("wood", "red")]
)
def test_fallen_tiles_are_seen_lying(table, color):
    row = [tile(n + 1, 150 + 60 * n, 150 + 30 * n, 20 * n, None, State.FALLEN) for n in range(4)]
    look = eye_on(table=table).look(frame(*row, table=table, color=color))
    assert len(look.tiles) == 4
    for true in row:
        assert any(near(t, true, 2.5) and t.state is State.FALLEN for t in look.tiles)


@pytest.mark.parametrize("how", [UP, LONG])
@pytest.mark.parametrize(
    ("table", "color"), [("dark", "black"), ("white", "white"), ("felt", "blue")]
)
def test_tiles_without_marks_are_seen_standing(table, color, how):
    row = [tile(None, 150 + 80 * n, 260 - 40 * n, 30 * n, how) for n in range(4)]
    look = eye_on(table=table).look(frame(*row, table=table, color=color))
    assert len(look.tiles) == 4
    for true in row:
        assert any(near(t, true, 2.5, 6.0) and t.orientation is how for t in look.tiles)


def test_a_tile_all_of_whose_faces_are_black_is_found_on_a_white_table():
    cloth = {"table": "white", "lamp": Lamp(power=0.0)}
    standing = tile(None, 100, 100)
    eye = Eye(INTRINSICS, MAT)
    eye.learn_empty([frame(**cloth)])
    (seen,) = eye.look(frame(standing, color="black", **cloth)).tiles
    assert near(seen, standing, 1.5, 8.0)


def test_an_unread_tile_is_less_certain_than_a_read_one():
    look = eye_on().look(frame(tile(7, 200, 200), tile(None, 400, 200)))
    read, unread = look.tiles
    assert read.value == 7 and unread.value is None
    assert unread.sigma_mm > 1.5 * read.sigma_mm and unread.sigma_rad > 1.5 * read.sigma_rad


def test_a_hand_is_noticed_and_its_edges_are_no_tiles():
    row = [tile(n + 1, 150 + 25 * n, 300) for n in range(4)]
    look = eye_on().look(frame(*row, hand=(400.0, 150.0)))
    assert look.hand_in_view
    assert all(t.value is not None for t in look.tiles)


def test_a_hand_is_noticed_in_the_very_first_frame_and_is_not_taken_for_the_table():
    eye = Eye(INTRINSICS, load_mat())
    assert eye.look(frame(hand=(300.0, 200.0))).hand_in_view
    look = eye.look(frame())
    assert not look.hand_in_view and look.tiles == ()


def test_a_row_of_touching_fallen_tiles_is_no_hand():
    row = [tile(n + 1, 150 + 49 * n, 200 + 12 * (n % 2), 0, None, State.FALLEN) for n in range(7)]
    assert not eye_on().look(frame(*row)).hand_in_view


def test_a_lamp_that_dims_makes_no_tiles():
    eye = eye_on(tile(4, 300, 200))
    look = eye.look(frame(tile(4, 300, 200), light=0.75))
    assert [t.value for t in look.tiles] == [4]
    assert not look.hand_in_view


def test_a_tile_is_seen_in_the_light_of_a_lamp_that_was_put_elsewhere():
    lens, pose = default_view()
    eye, lamp = Eye(lens, load_mat(), hanging=True), Lamp(x_mm=600.0, y_mm=350.0)
    lone = (Solid(tile(6, 299.6, 210.5)),)
    bare, relit = Scene(table="grey"), Scene(table="grey", lamp=lamp)
    for scene in (bare, relit):
        assert eye.look(Frame(render(scene, lens, pose), 0.0)).tiles == ()
    look = eye.look(Frame(render(Scene(lone, table="grey", lamp=lamp), lens, pose), 1.0))
    assert [t.value for t in look.tiles] == [6]


def test_shadows_of_tiles_that_stood_there_from_the_first_frame_are_no_tiles_for_ever():
    lens, pose = default_view()
    lamp = Lamp(x_mm=1200.0, y_mm=300.0)
    row = tuple(Solid(tile(v, 262 + 13 * i, 208)) for i, v in enumerate((3, 4, 6, 8)))
    full, lone = (Scene(t, table="felt", lamp=lamp) for t in (row, row[2:3]))
    eye = Eye(lens, load_mat())
    eye.look(Frame(render(full, lens, pose), 0.0))
    seen = Frame(render(lone, lens, pose), 1.0)
    assert None in [t.value for t in eye.look(seen).tiles]
    eye.all_taken_off(seen)
    assert [t.value for t in eye.look(seen).tiles] == [6]


def test_tiles_may_stand_there_from_the_first_frame_on():
    eye = eye_on(tile(4, 300, 200), tile(8, 330, 200))
    look = eye.look(frame(tile(8, 330, 200)))
    assert [t.value for t in look.tiles] == [8]


def test_a_frame_that_shows_nothing_new_gives_the_very_same_look():
    eye = Eye(INTRINSICS, load_mat())
    first = eye.look(frame(tile(4, 300, 200)))
    assert eye.look(frame(tile(4, 300, 200))) is first
    assert eye.look(frame(tile(4, 304, 200))) is not first


def test_tiles_that_were_read_in_a_shaken_picture_are_read_anew_in_a_clearer_one():
    row = [tile(n + 1, 150 + 25 * n, 300, 20) for n in range(4)]
    scene = Scene(tuple(Solid(t, color="black") for t in row), table="grey", seed=3)

    def pictured(shake_px):
        sensor = Sensor(0.6, 2.0, shake_px, 0.9)
        return Frame(faulty_camera.render(scene, INTRINSICS, POSE, sensor), 0.0, "drawn")

    shaken, clear = pictured(4.0), pictured(0.0)
    alone, eye = eye_on(), eye_on()
    assert len(eye.look(shaken).tiles) == 4
    expected, seen = alone.look(clear).tiles, eye.look(clear).tiles
    assert [t.value for t in seen] == [1, 2, 3, 4]
    assert all(near(one, other, 0.01, 0.01) for one, other in zip(seen, expected, strict=True))
    after = eye.look(shaken).tiles
    assert all(near(one, other, 1e-6, 1e-6) for one, other in zip(after, seen, strict=True))


def test_a_camera_that_was_moved_starts_anew():
    eye = eye_on(tile(4, 300, 200))
    intrinsics, pose = view_from(math.radians(6), 2.0)
    moved = render(Scene((Solid(tile(4, 300, 200)),), table="grey", seed=3), intrinsics, pose)
    look = eye.look(Frame(moved, 1.0, "moved"))
    assert [t.value for t in look.tiles] == [4]
    assert near(look.tiles[0], tile(4, 300, 200), 0.4, 1.0)


@pytest.mark.parametrize("level", [0, 255])
def test_a_black_or_saturated_frame_is_refused_not_read(level):
    with pytest.raises(NoMat, match="only 0 markers"):
        Eye(INTRINSICS, load_mat()).look(Frame(np.full((1080, 1920, 3), level, np.uint8), 0.0))


def test_a_frame_of_another_shape_is_refused():
    image = frame().image[:, :1440]
    with pytest.raises(BadCamera, match="1440 x 1080"):
        Eye(INTRINSICS, load_mat()).look(Frame(np.ascontiguousarray(image), 0.0))


def test_a_mirrored_frame_is_refused():
    image = np.ascontiguousarray(frame(tile(4, 300, 200)).image[:, ::-1])
    with pytest.raises(NoMat):
        Eye(INTRINSICS, load_mat()).look(Frame(image, 0.0))


def test_a_smaller_frame_of_the_same_camera_is_read_too():
    image = cv2.resize(frame(tile(4, 300, 200)).image, (1280, 720), interpolation=cv2.INTER_AREA)
    look = Eye(INTRINSICS, load_mat()).look(Frame(image, 0.0))
    assert near(look.tiles[0], tile(4, 300, 200), 0.5, 1.5)


def shrunk(shown, time_s=0.0):
    """A frame as the same camera takes it 1280 px wide."""
    return Frame(cv2.resize(shown.image, (1280, 720), interpolation=cv2.INTER_AREA), time_s)


def test_tiles_without_marks_are_looked_for_in_a_smaller_frame_enlarged_and_marks_as_it_was_taken():
    row = [tile(n + 1 if n % 2 else None, 200 + 30 * n, 200, 6 * n) for n in range(6)]
    eye = Eye(INTRINSICS, load_mat())
    eye.learn_empty([shrunk(frame())])
    widths = {}

    def heard(name):
        """Note how wide the pictures are that a function is given."""
        of = getattr(sight, name)

        def call(image, *args, **options):
            widths.setdefault(name, set()).add(image.shape[1])
            return of(image, *args, **options)

        return patch.object(sight, name, call)

    with heard("detect"), heard("name_fallen"):
        eye.doubt()  # else only what is new is looked at
        with heard("find_unmarked"):
            eye.look(shrunk(frame(*row[:4]), 1.0))
        for n in (5, 6):
            look = eye.look(shrunk(frame(*row[:n]), float(n)))
            known = sorted(look.tiles, key=lambda t: t.pose.x_mm)
            assert [t.value for t in known] == [None, 2, None, 4, None, 6][:n]
            assert all(near(one, true, 0.5, 2.0) for one, true in zip(known, row[:n], strict=True))
    assert widths == {"detect": {1280}, "find_unmarked": {1920}, "name_fallen": {1280}}


def test_a_guessed_lens_still_reads_every_value():
    row = [tile(n + 1, 200 + 25 * n, 200) for n in range(5)]
    shown = frame(*row)
    look = Eye(guess_lens([shown], load_mat()), load_mat()).look(shown)
    assert [t.value for t in look.tiles] == [1, 2, 3, 4, 5]


def test_a_mark_too_blurred_to_have_an_outline_is_read_where_its_tile_is():
    row = [tile(n + 1, 200 + 40 * n, 200, 15 * n, UP if n % 2 else LONG) for n in range(5)]
    image = frame(*row).image
    shaken = cv2.blur(image, (6, 1))
    look = eye_on().look(Frame(shaken, 0.0))
    assert [t.value for t in look.tiles] == [1, 2, 3, 4, 5]
    assert all(near(seen, true, 0.6, 2.0) for seen, true in zip(look.tiles, row, strict=True))


def test_a_picture_of_many_megapixels_shows_the_same_tiles():
    row = [tile(n + 1 if n != 2 else None, 200 + 26 * n, 200, 5 * n) for n in range(5)]
    large = cv2.resize(frame(*row).image, (4800, 2700), interpolation=cv2.INTER_CUBIC)
    empty = cv2.resize(frame().image, (4800, 2700), interpolation=cv2.INTER_CUBIC)
    eye = Eye(INTRINSICS, load_mat())
    eye.learn_empty([Frame(empty, 0.0)])
    look = eye.look(Frame(large, 1.0))
    assert [t.value for t in look.tiles] == [1, 2, 4, 5, None]
    assert near(look.tiles[0], row[0], 0.3, 1.0)


def on_dots(*tiles):
    """Stand tiles on a cloth with dots as large as tiles."""
    cloth = np.ones((INTRINSICS.height, INTRINSICS.width, 1))
    turn = np.linspace(0, 2 * math.pi, 20)
    dot = np.stack([11 * np.cos(turn), 11 * np.sin(turn), 0 * turn], axis=1)
    for x in range(20, 600, 48):
        for y in range(20, 420, 44):
            ring = project(dot + np.array([x, y, 0.0]), POSE, INTRINSICS)
            cv2.fillConvexPoly(cloth, np.round(ring).astype(np.int32), (1.6,))
    for hull in outlines_px(tiles, View(POSE, INTRINSICS)):
        cv2.fillConvexPoly(cloth, hull, (1.0,))
    image = frame(*tiles).image * cloth
    return Frame(image.clip(0, 255).astype(np.uint8), 0.0, "drawn")


def test_a_cloth_with_dots_as_large_as_tiles_is_too_much_to_see_until_it_is_learned():
    row = [tile(4, 300, 200), tile(None, 332, 200)]
    eye = eye_on()
    look = eye.look(on_dots())
    assert look.crowded and look.hidden and look.tiles == ()
    eye.learn_empty([on_dots()])
    look = eye.look(on_dots(*row))
    assert not look.hidden
    assert [t.value for t in look.tiles] == [4, None]
    assert all(near(seen, true, 1.0) for seen, true in zip(look.tiles, row, strict=True))


def test_what_was_found_before_a_search_was_given_up_is_told():
    """Dark places that may be shadows are searched last; here everything new is such a place."""
    few = replace(TUNING, search=replace(TUNING.search, most_tiles=4))
    eye, row = Eye(INTRINSICS, load_mat(), tuning=few), [tile(4, 300, 200), tile(None, 332, 200)]
    eye.learn_empty([frame()])
    with patch.object(search, "crisp", lambda foreground, *_, **__: foreground.deep | 255):
        look = eye.look(frame(*row))
    assert look.crowded and look.hidden
    assert [t.value for t in look.tiles] == [4, None]
    assert near(look.tiles[1], row[1], 1.0)


def test_a_tile_that_slips_from_somebodys_fingers_is_seen_beside_the_row():
    up, down = tile(None, 300, 200), tile(None, 420, 260, 20, None, State.FALLEN)
    eye = eye_on()
    eye.look(frame(up))
    assert [t.state for t in eye.look(frame(up, down)).tiles] == [State.STANDING, State.FALLEN]


def test_what_seems_to_lie_beside_a_row_that_stands_must_be_likelier_than_what_fell():
    up, down = tile(None, 300, 200), tile(None, 340, 200, 0, None, State.FALLEN)
    doubt = replace(TUNING, belief=replace(TUNING.belief, nothing_fell_doubt=99.0))
    for after, states in (([up, down], [State.STANDING]), ([down], [State.FALLEN])):
        eye = Eye(INTRINSICS, load_mat(), tuning=doubt)
        eye.learn_empty([frame()])
        assert len(eye.look(frame(up)).tiles) == 1
        assert [t.state for t in eye.look(frame(*after)).tiles] == states


@pytest.mark.parametrize(("standing", "lies"), [(2, True), (3, False)])
def test_where_most_tiles_stand_at_first_what_seems_to_lie_must_be_likelier(standing, lies):
    row = [tile(n + 1, 200 + 40 * n, 200) for n in range(standing)]
    doubt = replace(TUNING, belief=replace(TUNING.belief, nothing_fell_doubt=99.0))
    eye = Eye(INTRINSICS, load_mat(), tuning=doubt)
    eye.learn_empty([frame()])
    look = eye.look(frame(*row, tile(None, 420, 260, 20, None, State.FALLEN)))
    assert any(t.state is State.FALLEN for t in look.tiles) is lies


@pytest.mark.parametrize(
    ("row", "more", "told"),
    [
        ([(4, 300), (None, 332)], [], True),
        ([(4, 300), (None, 332)], [(7, 240)], False),  # a mark says what came
        ([(4, 300)], [], False),  # a tile was moved
    ],
)
def test_the_one_tile_that_came_is_told_though_it_is_unlikely(row, more, told):
    stood = [tile(4, 300, 200), tile(None, 332, 200)]
    eye = Eye(INTRINSICS, load_mat())
    eye.learn_empty([frame()])
    assert len(eye.look(frame(*stood)).tiles) == 2
    never = {"sure_quality": 1.1, "least_quality": 1.1, "in_row_quality": 1.1}
    never["leaning_quality"] = (1.1, 1.1)
    eye.tuning = replace(TUNING, search=replace(TUNING.search, **never))
    came = tile(None, 364, 200)
    look = eye.look(frame(*(tile(value, x, 200) for value, x in (*row, *more)), came))
    assert len(look.tiles) == len(row) + len(more) + told
    assert any(near(t, came, 1.0) for t in look.tiles) is told


def with_phone(*tiles, width_mm=75):
    """A phone beside the tiles, which is as wide as a hand."""
    image = frame(*tiles).image
    right = 60 + width_mm
    corners = [(60, 40, 8.0), (right, 40, 8.0), (right, 190, 8.0), (60, 190, 8.0)]
    outline = np.round(project(np.array(corners), POSE, INTRINSICS)).astype(np.int32)
    cv2.fillConvexPoly(image, outline, (25, 22, 20))
    return Frame(image, 0.0, "drawn")


def test_what_lies_on_the_table_from_the_start_is_no_hand_and_a_row_beside_it_is_told():
    eye = Eye(INTRINSICS, load_mat())
    for values in ([4, 8], [4, 8, 3]):
        row = [tile(value, 300 + 30 * n, 200) for n, value in enumerate(values)]
        look = eye.look(with_phone(*row))
        assert not look.hidden
        assert [t.value for t in look.tiles] == sorted(values)


def test_tiles_that_fell_side_by_side_are_told_though_together_they_are_as_wide_as_a_book():
    places = [(200 + 26.5 * n, y) for n in range(5) for y in (150, 200.5)]
    lying = [tile(None, x, y, 90, state=State.FALLEN) for x, y in places]
    eye = eye_on()
    (thing,) = eye.look(frame(*lying, color="red")).things  # nobody saw tiles stand there
    assert thing.width_mm > 90
    eye = eye_on()
    row = [tile(None, 190 + 18 * n, 170) for n in range(10)]
    assert len(eye.look(frame(*row, color="red")).tiles) == 10
    look = eye.look(frame(*lying, color="red"))
    assert look.things == () and len(look.tiles) == 10
    assert all(any(near(t, true, 2.0) for t in look.tiles) for true in lying)
    later = eye.look(frame(*lying, tile(3, 420, 300), color="red"))
    assert later.things == () and len(later.tiles) == 11


def test_a_phone_put_down_where_a_row_stood_is_none_of_its_tiles():
    eye = eye_on()
    assert len(eye.look(frame(*(tile(None, 80 + 18 * n, 120) for n in range(4)))).tiles) == 4
    look = eye.look(with_phone(width_mm=110))
    assert len(look.things) == 1 and look.tiles == ()


def test_unmarked_tiles_that_always_stood_in_a_row_are_told_though_nobody_knows_the_table():
    marked = [1, None, None, 4, None, None, 7]
    row = [tile(value, 200 + 26 * n, 200, 4 * n) for n, value in enumerate(marked)]
    eye = Eye(INTRINSICS, load_mat())
    for _ in range(2):
        look = eye.look(with_phone(*row, width_mm=110))
        assert [t.value for t in look.tiles] == [1, 4, 7, None, None, None, None]
        known = sorted(look.tiles, key=lambda t: t.pose.x_mm)
        assert all(near(seen, true, 1.0) for seen, true in zip(known, row, strict=True))
    fewer = eye.look(with_phone(*row[:4], width_mm=110))
    assert [t.value for t in fewer.tiles] == [1, 4, None, None]


def on_pebbles(*tiles):
    """Tiles on a work area as uneven as a beach."""
    image, bare = frame(*tiles).image.copy(), frame().image
    sizes_px = INTRINSICS.width // 8, INTRINSICS.height // 8
    light = np.random.default_rng(1).integers(50, 210, sizes_px[::-1]).astype(np.uint8)
    light = cv2.resize(light, (INTRINSICS.width, INTRINSICS.height), interpolation=cv2.INTER_CUBIC)
    mat = load_mat()
    corners = np.array([(x, y, 0.0) for x in mat.area_x_mm for y in mat.area_y_mm])
    area = np.zeros(image.shape[:2], np.uint8)
    outline = np.round(project(corners, POSE, INTRINSICS)).astype(np.int32)
    cv2.fillConvexPoly(area, cv2.convexHull(outline), (255,))
    table = (cv2.absdiff(image, bare).max(axis=2) < 8) & (area > 0)
    image[table] = np.clip(image[table] * (light[table][:, None] / 128.0), 0, 255)
    return Frame(image, 0.0, "drawn")


def test_no_pebble_is_a_tile_of_a_row_that_always_stood_there():
    row = [
        tile(value, 200 + 28 * n, 200, 4 * n) for n, value in enumerate([1, None, 3, None, 5, 6])
    ]
    look = Eye(INTRINSICS, load_mat()).look(on_pebbles(*row))
    assert len(look.tiles) == len(row)
    assert all(any(near(t, true, 1.5) for t in look.tiles) for true in row)


def test_a_row_that_always_stood_there_goes_on_far_beyond_its_last_mark():
    row = [tile(4 if n == 0 else None, 200 + 26 * n, 200, 3 * n) for n in range(8)]
    look = Eye(INTRINSICS, load_mat()).look(with_phone(*row, width_mm=110))
    known = sorted(look.tiles, key=lambda t: t.pose.x_mm)
    assert all(near(seen, true, 1.0) for seen, true in zip(known, row, strict=True))


def test_what_the_line_of_a_row_gave_is_told_though_the_whole_picture_does_not_give_it_again():
    row = [tile(None if n in (1, 3) else n + 1, 200 + 26 * n, 200, 3 * n) for n in range(5)]

    def in_line_only(*args, stood=None, **options):
        """The whole picture is searched beside tiles that stood there; here that finds nothing."""
        return search.find_unmarked(*args, **options) if stood is None else ()

    with patch("vision.look.eye.find_unmarked", in_line_only):
        look = Eye(INTRINSICS, load_mat()).look(with_phone(*row, width_mm=110))
    known = sorted(look.tiles, key=lambda t: t.pose.x_mm)
    assert [t.value for t in known] == [1, None, 3, None, 5]
    assert all(near(seen, true, 1.0) for seen, true in zip(known, row, strict=True))


def test_a_first_look_follows_a_row_only_as_long_as_its_work_lasts():
    row = [tile(4 if n == 0 else None, 200 + 26 * n, 200, 3 * n) for n in range(8)]
    spent = []
    for most in (4000, 100):
        first = replace(TUNING.first_background, most_tries=most)
        eye = Eye(INTRINSICS, load_mat(), tuning=replace(TUNING, first_background=first))
        look = eye.look(with_phone(*row, width_mm=110))
        assert not look.crowded
        spent.append(len(look.tiles))
    assert spent[0] == len(row)
    assert 1 <= spent[1] < len(row)


def with_card(image, x_mm, y_mm):
    """The picture with a playing card, which is larger than a tile and smaller than a hand."""
    corners = np.array([(-44, -31, 0), (44, -31, 0), (44, 31, 0), (-44, 31, 0)], float)
    outline = project(np.add(corners, (x_mm, y_mm, 0.5)), POSE, INTRINSICS)
    card = image.copy()
    cv2.fillConvexPoly(card, np.round(outline).astype(np.int32), (225, 230, 235))
    cv2.rectangle(card, *(np.round(outline[[3, 1]] * 0.8 + outline.mean(0) * 0.2)).astype(int), 60)
    return Frame(card, 1.0, "drawn")


@pytest.mark.parametrize("spot", [(480, 300), (130, 330), (500, 80)])
def test_a_playing_card_is_no_fallen_tile(spot):
    row = [tile(4, 300, 200), tile(None, 326, 200)]
    for table in ("felt", "wood", "dark"):
        look = eye_on(table=table).look(with_card(frame(*row, table=table).image, *spot))
        assert [t.value for t in look.tiles] == [4, None], table


def test_a_cloth_with_dots_as_large_as_tiles_belongs_to_a_table_that_nobody_saw_without_it():
    row = [tile(4, 300, 200), tile(8, 326, 200), tile(None, 352, 200)]
    eye = Eye(INTRINSICS, load_mat())
    assert [t.value for t in eye.look(on_dots(*row[:2])).tiles] == [4, 8]
    look = eye.look(on_dots(*row))
    assert not look.hidden
    assert [t.value for t in look.tiles] == [4, 8, None]
    assert near(look.tiles[2], row[2], 1.0)


def at(time_s, seen):
    return Frame(seen.image, time_s, seen.name)


def test_what_reaches_in_and_does_not_move_for_long_is_no_hand_and_a_tile_beside_it_is_told():
    eye = eye_on()
    lying = (400.0, 150.0)
    beside = tile(None, 200, 300)
    assert eye.look(at(1.0, frame(hand=lying))).hand_in_view
    assert eye.look(at(20.0, frame(hand=lying))).hand_in_view
    look = eye.look(at(21.5, frame(hand=lying)))
    assert not look.hidden and look.tiles == ()
    look = eye.look(at(22.0, frame(beside, hand=lying)))
    assert not look.hidden
    (seen,) = look.tiles
    assert near(seen, beside, 1.0)


def test_a_tile_that_something_lying_there_touches_in_the_picture_is_told_all_the_same():
    eye = eye_on()
    beside = tile(None, 360, 150)
    assert len(eye.look(frame(beside)).tiles) == 1
    lying = (400.0, 150.0)
    assert eye.look(at(1.0, frame(beside, hand=lying))).hand_in_view
    (seen,) = eye.look(at(22.0, frame(beside, hand=lying))).tiles
    assert near(seen, beside, 2.0)


def test_a_hand_that_moves_stays_one_however_long_it_is_there():
    eye = eye_on()
    for n in range(8):
        assert eye.look(at(10.0 * n, frame(hand=(400.0 + 5 * (n % 2), 150.0)))).hand_in_view


def test_what_reaches_in_from_the_start_and_does_not_move_for_long_belongs_to_the_table():
    eye = Eye(INTRINSICS, load_mat())
    lying = (300.0, 200.0)
    assert eye.look(at(0.0, frame(hand=lying))).hand_in_view
    assert not eye.look(at(20.0, frame(hand=lying))).hand_in_view
    beside = tile(4, 150, 350)
    look = eye.look(at(21.0, frame(beside, hand=lying)))
    assert not look.hidden
    assert [t.value for t in look.tiles] == [4]


def test_a_hand_taken_for_wood_in_the_first_frame_leaves_no_hand_behind():
    row = [tile(n + 1, 150 + 25 * n, 300) for n in range(4)]
    reaching = {"hand": (400.0, 150.0), "table": "wood"}
    eye = Eye(INTRINSICS, load_mat())
    assert not eye.look(frame(*row, **reaching)).hand_in_view, "as brown as the wood"
    look = eye.look(frame(*row, table="wood"))
    assert not look.hand_in_view
    assert sorted(t.value for t in look.tiles) == [1, 2, 3, 4]
    assert eye.look(frame(*row, **reaching)).hand_in_view


def test_what_lay_long_enough_to_belong_to_the_table_leaves_no_hand_behind():
    eye = Eye(INTRINSICS, load_mat())
    eye.learn_empty([frame()])
    lying, beside = (400.0, 150.0), tile(4, 150, 350)
    assert eye.look(at(1.0, frame(hand=lying))).hand_in_view
    assert not eye.look(at(21.5, frame(hand=lying))).hand_in_view
    look = eye.look(at(22.0, frame(beside)))
    assert not look.hand_in_view
    assert [t.value for t in look.tiles] == [4]
    assert eye.look(at(23.0, frame(beside, hand=(250.0, 150.0)))).hand_in_view
    assert eye.look(at(24.0, frame(beside, hand=lying))).hand_in_view


@pytest.mark.parametrize(
    ("table", "color", "count", "pitch_mm", "deg", "lamp"),
    [
        ("dark", "yellow", 8, 13.0, 90, Lamp(power=0.0)),
        ("felt", "wood", 11, 16.0, 0, Lamp(-600.0, 200.0, 500.0, power=0.8)),
        ("felt", "red", 11, 16.0, 130, Lamp(-600.0, 200.0, 500.0, power=0.8)),
    ],
)
def test_tiles_close_together_on_their_long_edges_are_a_row_and_no_thing(
    table, color, count, pitch_mm, deg, lamp
):
    c, s = math.cos(math.radians(deg)), math.sin(math.radians(deg))
    along = [pitch_mm * (n - (count - 1) / 2) for n in range(count)]
    row = [
        tile(n if n < 3 else None, 300 + c * far, 210 + s * far, deg, LONG)
        for n, far in enumerate(along, 1)
    ]
    eye = Eye(INTRINSICS, MAT)
    eye.learn_empty([frame(table=table, lamp=lamp)])
    look = eye.look(frame(*row, table=table, color=color, lamp=lamp))
    assert look.things == () and len(look.tiles) == count
    assert all(any(near(seen, true, 2.0) for seen in look.tiles) for true in row)


def test_a_remote_control_as_narrow_as_a_row_is_a_thing_and_no_row():
    eye, lying = eye_on(table="wood"), frame(table="wood")
    ring = np.array([[215.0, 180], [385, 180], [385, 238], [215, 238]])
    keys = [
        np.array([[x, y], [x + 9, y], [x + 9, y + 6], [x, y + 6]])
        for x in range(225, 375, 16)
        for y in (188, 205, 222)
    ]
    for part, level in ((ring, 40), *((key, 190) for key in keys)):
        corners = project(np.column_stack([part, np.full(4, 15.0)]), POSE, INTRINSICS)
        cv2.fillConvexPoly(lying.image, np.round(corners).astype(np.int32), (level,) * 3)
    look = eye.look(lying)
    assert len(look.things) == 1 and look.tiles == ()
    assert look.things[0].width_mm < TUNING.eye.row_wide_mm


def test_a_hand_is_seen_although_it_hides_a_marker_that_a_phone_hid_before():
    middle = (MAT.corners_mm[20] + MAT.corners_mm[21]).mean(axis=0) / 2
    ring = middle + np.array([[-60, -25], [60, -25], [60, 25], [-60, 25]])
    outline = np.round(project(np.column_stack([ring, np.zeros(4)]), POSE, INTRINSICS))
    with_phone = frame(table="wood")
    cv2.fillConvexPoly(with_phone.image, outline.astype(np.int32), (40, 40, 40))
    reaching = frame(table="wood", hand=(260.0, 150.0))
    view = View(POSE, INTRINSICS)
    assert covered_markers(with_phone.image, view, MAT) == [20, 21]
    assert covered_markers(reaching.image, view, MAT) == [21]
    eye = Eye(INTRINSICS, MAT)
    assert not eye.look(with_phone).hand_in_view
    assert not eye.look(frame(table="wood")).hand_in_view
    assert eye.look(reaching).hand_in_view


def test_what_lies_on_the_table_when_it_is_learned_belongs_to_it():
    eye = Eye(INTRINSICS, load_mat())
    assert eye.learn_empty([with_phone()]).tiles == ()
    look = eye.look(with_phone(tile(4, 300, 200)))
    assert not look.hand_in_view
    assert [t.value for t in look.tiles] == [4]


def test_marked_tiles_that_stand_there_when_the_table_is_learned_do_not_belong_to_it():
    eye = Eye(INTRINSICS, load_mat())
    look = eye.learn_empty([with_phone(tile(4, 300, 200), tile(8, 330, 200))])
    assert [t.value for t in look.tiles] == [4, 8]
    assert [t.value for t in eye.look(with_phone(tile(8, 330, 200))).tiles] == [8]
