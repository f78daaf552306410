import json
import math
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import STANDARD, Orientation, State, Tile, TileSet, TileSpec
from vision.background.background import SHRINK, Background, shrink
from vision.geometry.boxes import Bodies, body_of, outlines_px, stances
from vision.geometry.camera_pose import CameraPose, View, project
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import load_mat
from vision.look.eye import at_first_sight
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid
from vision.tuning.tuning import TUNING
from vision.unmarked import search
from vision.unmarked.edge_fit import BodyFit, Edges, Slopes, find_edges, fit_bodies
from vision.unmarked.residual import unexplained
from vision.unmarked.search import Fits, TooMuch, Work, find_unmarked
from vision.unmarked.top_faces import Face, ground_under, upper_faces

CROPS = Path(__file__).parents[2] / "data" / "crops"
INTRINSICS, POSE = view_from(math.radians(15), 0.9, focal_px=1360.0, scale_px_mm=1.9)
VIEW = View(POSE, INTRINSICS)
NEVER = {
    "sure_quality": 1.1,
    "least_quality": 1.1,
    "leaning_quality": (1.1, 1.1),
    "in_row_quality": 1.1,
}
"""With these no box is likely enough, except where something else says that a tile is there."""


def lying(x_mm, y_mm, heading_deg, color):
    pose = Pose(x_mm, y_mm, math.radians(heading_deg))
    return Solid(Tile(None, pose, Orientation.VERTICAL, State.FALLEN), color=color)


def compared(solids, table, view=VIEW):
    """A picture of a scene, and how it differs from the empty table."""
    scene = Scene(tuple(solids), table=table, seed=4)
    empty = render(replace(scene, solids=()), view.intrinsics, view.pose)
    image = render(scene, view.intrinsics, view.pose)
    return image, Background(shrink(empty)).compare(shrink(image))


def found(solids, table, lamps=(), tuning=TUNING, known=(), where=None, view=VIEW, **more):
    image, foreground = compared(solids, table, view)
    mat = load_mat()
    return find_unmarked(
        image, foreground, view, mat, TileSet(), known, where, lamps=lamps, tuning=tuning, **more
    )


def counting(*scene, **how):
    """Find tiles; returns them, and how many tries were spent each time."""
    counted = []

    class Counting(Work):
        def spend(self, tries):
            counted.append(tries)
            super().spend(tries)

    with patch.object(search, "Work", Counting):
        return found(*scene, **how), counted


def test_a_tile_is_found_that_lies_otherwise_than_clearer_ones_round_it():
    """In the sum over the place, directions of the clearer tiles drown that of this one."""
    clear = [
        lying(492.7, 295.2, 256, "black"),
        lying(542.4, 240.6, 73, "ivory"),
        lying(540.8, 298.6, 268, "black"),
    ]
    faint = lying(531.2, 342.4, 216, "green")
    tiles = found([*clear, faint], "wood")
    assert [tile.state for tile in tiles] == [State.FALLEN] * 4
    at = faint.tile.pose
    apart = [math.dist((t.pose.x_mm, t.pose.y_mm), (at.x_mm, at.y_mm)) for t in tiles]
    assert min(apart) < 2.0


def thing(length_mm, width_mm, heading_deg, color):
    """Something that lies there and is no tile: a key, a lighter, an eraser."""
    solid = lying(300.0, 200.0, heading_deg, color)
    return replace(solid, tile=replace(solid.tile, spec=TileSpec(length_mm, width_mm)))


@pytest.mark.parametrize(("heading_deg", "color"), [(20, "white"), (110, "blue")])
def test_what_goes_on_beyond_the_end_of_a_box_is_no_tile(heading_deg, color):
    longer = thing(56.0, 24.0, heading_deg, color)
    blind = replace(TUNING, belief=replace(TUNING.belief, least_beyond_share=1.1))
    assert len(found([longer], "grey", tuning=blind)) == 1
    assert found([longer], "grey") == ()


@pytest.mark.parametrize("heading_deg", [20, 65])
def test_what_would_lean_on_nothing_is_no_tile(heading_deg):
    """What is larger than a tile looks like one whose end is raised towards the camera."""
    larger = thing(56.0, 27.0, heading_deg, "white")
    blind = replace(TUNING, search=replace(TUNING.search, held_rad=9.0))
    assert len(found([larger], "grey", tuning=blind)) == 1
    assert found([larger], "grey") == ()


def test_tiles_that_lie_end_to_end_are_no_longer_thing():
    row = [lying(300.0 + (STANDARD.length_mm + 0.3) * n, 200.0, 90, "white") for n in range(3)]
    assert [tile.state for tile in found(row, "wood")] == [State.FALLEN] * 3


def test_where_a_row_is_followed_only_tiles_that_stand_are_looked_for():
    row = [Tile(None, Pose(300.0 + 20 * n, 200.0, 0.0), Orientation.VERTICAL) for n in range(2)]
    solids = [*(Solid(tile, color="red") for tile in row), lying(400.0, 300.0, 20, "blue")]
    upright = replace(TUNING, search=replace(TUNING.search, lying=False))
    states = [
        sorted(tile.state.value for tile in found(solids, "grey", tuning=tuning))
        for tuning in (TUNING, upright)
    ]
    assert states == [["fallen", "standing", "standing"], ["standing", "standing"]]


@pytest.mark.parametrize(("heading_deg", "x_mm"), [(-80, 200), (-40, 400), (70, 200)])
def test_a_black_tile_is_found_alone_on_a_white_table(heading_deg, x_mm):
    pose = Pose(x_mm, 200, math.radians(heading_deg))
    black = Solid(Tile(None, pose, Orientation.VERTICAL), color="black")
    assert len(found([black], "white")) == 1


@pytest.mark.parametrize(("between_mm", "count"), [((26.0, 90.0), 1), ((90.0, 90.0), 0)])
def test_between_tiles_of_a_row_one_is_found_though_no_face_shows(between_mm, count):
    """Where all that differs may be shadow, only the row says where to look."""
    row = [Tile(None, Pose(300.0 + 19 * n, 200.0, 0.0), Orientation.VERTICAL) for n in range(3)]
    tuning = replace(
        TUNING,
        search=replace(
            TUNING.search,
            least_face_score=1.1,
            dark_face_score=1.1,
            between_mm=between_mm,
            steps_mm=(90.0,) * 4,
        ),
    )
    solids = [Solid(tile, color="white") for tile in row]
    tiles = found(solids, "grey", (), tuning, known=[row[0], row[2]])
    assert len(tiles) == count
    assert all(math.dist((t.pose.x_mm, t.pose.y_mm), (319.0, 200.0)) < 1.0 for t in tiles)


@pytest.mark.parametrize(("x_mm", "y_mm", "heading_rad"), [(60.0, 300.0, 0.0), (100.0, 350.0, 0.8)])
def test_a_tile_is_found_though_its_neighbours_take_nearly_all_of_its_outline(
    x_mm, y_mm, heading_rad
):
    """In a close row, seen aslant, only the upper face is left of a tile."""
    intrinsics, pose = view_from(math.radians(25), 0.9, focal_px=1360.0, scale_px_mm=1.9)
    ahead = 13 * math.cos(heading_rad), 13 * math.sin(heading_rad)
    places = [Pose(x_mm + n * ahead[0], y_mm + n * ahead[1], heading_rad) for n in range(3)]
    row = [Tile(None, place, Orientation.VERTICAL) for place in places]
    solids = [Solid(tile, color="red") for tile in row]
    (tile,) = found(solids, "wood", known=[row[0], row[2]], view=View(pose, intrinsics))
    assert math.dist((tile.pose.x_mm, tile.pose.y_mm), (places[1].x_mm, places[1].y_mm)) < 1.0


@pytest.mark.parametrize(("share", "count"), [(1.0, 1), (0.6, 1), (0.25, 0), (0.0, 0)])
def test_a_tile_of_a_row_is_looked_for_where_much_of_what_shows_of_it_is_new(share, count):
    """A tile that came shows in a new way; the shadow of one that came covers but some of it."""
    row = [Tile(None, Pose(300.0 + 19 * n, 200.0, 0.0), Orientation.VERTICAL) for n in range(3)]
    blind = replace(TUNING.search, least_face_score=1.1, dark_face_score=1.1)
    where = np.zeros((INTRINSICS.height // SHRINK, INTRINSICS.width // SHRINK), np.uint8)
    left, top, wide, high = cv2.boundingRect(outlines_px([row[1]], VIEW)[0] // SHRINK)
    where[top - 3 : top + round(share * (high + 3)), left - 3 : left + wide + 3] = 255
    solids = [Solid(tile, color="white") for tile in row]
    known, tuning = [row[0], row[2]], replace(TUNING, search=blind)
    assert len(found(solids, "grey", (), tuning, known, where)) == count


@pytest.mark.parametrize(
    ("gap_mm", "in_gap_quality", "stood", "count"),
    [
        (40.0, 0.06, False, 1),
        (32.0, 0.06, False, 0),  # no wider than other gaps may be
        (40.0, 1.0, False, 0),
        (40.0, 0.06, True, 0),  # the gap was there before
    ],
)
def test_in_a_gap_twice_as_wide_as_usual_an_unlikely_tile_is_told(
    gap_mm, in_gap_quality, stood, count
):
    xs = [200.0, 220.0, 240.0, 240.0 + gap_mm, 260.0 + gap_mm]
    row = [Tile(None, Pose(x, 200.0, 0.0), Orientation.VERTICAL) for x in xs]
    hidden = replace(row[0], pose=Pose(240.0 + gap_mm / 2, 200.0, 0.0))
    tuning = replace(TUNING, search=replace(TUNING.search, in_gap_quality=in_gap_quality, **NEVER))
    solids = [Solid(tile, color="red") for tile in (*row, hidden)]
    before = row if stood else ()
    tiles = found(solids, "grey", tuning=tuning, known=row, stood=before)
    assert len(tiles) == count
    assert all(math.dist((t.pose.x_mm, t.pose.y_mm), (260.0, 200.0)) < 1.0 for t in tiles)


@pytest.mark.parametrize(("gap_aside_mm", "count"), [(10.0, 1), (4.0, 0)])
def test_in_a_gap_a_tile_is_told_only_near_the_line_of_its_row(gap_aside_mm, count):
    xs = [200.0, 220.0, 240.0, 284.0, 304.0]
    row = [Tile(None, Pose(x, 200.0, 0.0), Orientation.VERTICAL) for x in xs]
    aside = replace(row[0], pose=Pose(262.0, 206.0, 0.0))
    tuning = replace(TUNING, search=replace(TUNING.search, gap_aside_mm=gap_aside_mm, **NEVER))
    solids = [Solid(tile, color="red") for tile in (*row, aside)]
    assert len(found(solids, "grey", tuning=tuning, known=row)) == count


@pytest.mark.parametrize(("fingers_mm", "count"), [(0.0, 2), (TUNING.search.fingers_mm, 1)])
def test_fingers_must_have_had_room_between_tiles(fingers_mm, count):
    """A dark strip between tiles looks like one more."""
    row = [Tile(None, Pose(300.0 + 12 * n, 200.0, 0.0), Orientation.VERTICAL) for n in range(2)]
    solids = [Solid(tile, color="red") for tile in row]
    tuning = replace(TUNING, search=replace(TUNING.search, fingers_mm=fingers_mm))
    assert len(found(solids, "grey", tuning=tuning)) == count


@pytest.mark.parametrize(("bends_rad", "count"), [((0.0, -0.22, 0.22), 1), ((0.0,) * 3, 0)])
def test_at_the_end_of_a_row_that_bends_a_tile_is_found_though_no_face_shows(bends_rad, count):
    first = Tile(None, Pose(300.0, 200.0, 0.0), Orientation.VERTICAL)
    pose = Pose(300.0 + 31 * math.cos(0.25), 200.0 + 31 * math.sin(0.25), 0.5)
    last = replace(first, pose=pose)
    blind = replace(
        TUNING.search, least_face_score=1.1, dark_face_score=1.1, row_bends_rad=bends_rad
    )
    solids = [Solid(tile, color="white") for tile in (first, last)]
    tiles = found(solids, "grey", tuning=replace(TUNING, search=blind), known=[first])
    assert len(tiles) == count
    assert all(math.dist((t.pose.x_mm, t.pose.y_mm), (pose.x_mm, pose.y_mm)) < 1.0 for t in tiles)


@pytest.mark.parametrize(
    ("at", "closer", "count"),
    [
        ((322.0, 0.45), {}, 1),  # turned
        ((322.0, 0.45), {"closer_turns_rad": (0.0,)}, 0),
        ((328.0, 0.0), {}, 1),  # nearer to one of its neighbours
        ((328.0, 0.0), {"closer_shifts_mm": (0.0,)}, 0),
        ((328.0, 0.0), {"closer_alike_mm": 9.0, "closer_alike_rad": 0.2}, 0),
        ((328.0, 0.0), {"closer_room_mm": 19.0}, 0),
        ((328.0, 0.0), {"closer_turns_rad": ()}, 0),
        ((328.0, 0.0), {"closer_share": 1.0}, 0),
    ],
)
def test_between_tiles_of_a_row_it_is_looked_once_more_with_guesses_close_together(
    at, closer, count
):
    x_mm, heading_rad = at
    poses = Pose(300.0, 200.0, 0.0), Pose(x_mm, 200.0, heading_rad), Pose(344.0, 200.0, 0.0)
    row = [Tile(None, pose, Orientation.VERTICAL) for pose in poses]
    blind = {"least_face_score": 1.1, "dark_face_score": 1.1, "steps_mm": (90.0,) * 4}
    tuning = replace(TUNING, search=replace(TUNING.search, **blind, **closer))
    solids = [Solid(tile, color="white") for tile in row]
    tiles = found(solids, "grey", tuning=tuning, known=[row[0], row[2]])
    assert len(tiles) == count
    assert all(math.dist((t.pose.x_mm, t.pose.y_mm), (x_mm, 200.0)) < 1.0 for t in tiles)


def test_a_closer_look_does_not_repeat_earlier_guesses():
    row = [Tile(None, Pose(x, 200.0, 0.0), Orientation.VERTICAL) for x in (300.0, 344.0)]
    closer = search._closer(TUNING.search)
    tried = search._in_row(row, TUNING.search)
    again = search._in_row(row, closer, tried)
    assert again and not any(
        math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) < closer.alike_mm
        and abs(math.sin(one.heading_rad - other.heading_rad)) < closer.alike_rad
        for _, one in again
        for _, other in tried
    )


def finder_of(solids):
    """A finder for a scene, and what there is to explain in it."""
    image, foreground = compared(solids, "grey")
    slopes, mat = Slopes(image, foreground), load_mat()
    finder = search._Finder(
        slopes, foreground, VIEW, mat, TileSet(), None, (), False, Work(9999), tuning=TUNING
    )
    return finder, unexplained(foreground)


def boxed(x_mm, quality):
    """An upright box of which the image shows hardly an edge."""
    upright = stances(STANDARD)[0]
    place = np.array([x_mm, 200.0, 0.0, 0.0])
    corners = upright.box.corners(Pose(x_mm, 200.0, 0.0))
    return BodyFit(upright, place, corners, np.zeros((1, 2)), np.zeros(1), 0.0, quality=quality)


def told_of(solids, boxes):
    """Where tiles are told if these boxes were chosen and nothing else was found."""
    finder, rest = finder_of(solids)
    finds = iter([(boxes, rest, []), ([], rest, [])])
    with (
        patch.object(search._Finder, "find", lambda *_: next(finds)),
        patch.object(search._Finder, "find_in_row", lambda *_: ([], [])),
        patch.object(search, "polish", lambda *two, **_: [(fit, 0.1, 0.01) for fit in two[2]]),
    ):
        tiles = finder.find_all(rest, (), (), last=False)
    return [(tile.pose.x_mm, tile.pose.y_mm) for tile in tiles]


@pytest.mark.parametrize(("quality", "x_mm"), [(0.65, 300.0), (0.75, 311.0)])
def test_an_unlikely_box_beside_a_tile_is_moved_onto_it(quality, x_mm):
    tile = Tile(None, Pose(300.0, 200.0, 0.0), Orientation.VERTICAL)
    (place,) = told_of([Solid(tile, color="white")], [boxed(311.0, quality)])
    assert math.dist(place, (x_mm, 200.0)) < 1.0


def test_an_unlikely_box_stays_where_no_other_place_is_much_likelier():
    tile = Tile(None, Pose(300.0, 200.0, 0.0), Orientation.VERTICAL)
    finder, rest = finder_of([Solid(tile, color="white")])
    (here,) = finder.put_right(rest, (), [boxed(311.0, 0.65)])
    (again,) = finder.put_right(rest, (), [replace(here, quality=0.65)])
    assert again.place.tolist() == here.place.tolist() and again.quality > 0.9


def test_a_chosen_box_carries_its_quality():
    tile = Tile(None, Pose(300.0, 200.0, 0.0), Orientation.VERTICAL)
    finder, rest = finder_of([Solid(tile, color="white")])
    seeds, least_face = finder.foreground.strict, TUNING.search.least_face_score
    (fit,) = finder.find(rest, seeds, (), least_face)[0]
    assert TUNING.search.least_quality < fit.quality < 1.0


def test_of_two_boxes_that_crowd_each_other_the_likelier_is_told():
    assert told_of([], [boxed(300.0, 0.8), boxed(311.0, 0.9)]) == [(311.0, 200.0)]


def test_on_a_table_that_nobody_saw_empty_a_row_is_looked_along_only_once():
    row = [Tile(None, Pose(x, 200.0, 0.0), Orientation.VERTICAL) for x in (300.0, 328.0, 344.0)]
    solids, known = [Solid(tile, color="white") for tile in row], [row[0], row[2]]
    blind = {"least_face_score": 1.1, "dark_face_score": 1.1, "steps_mm": (90.0,) * 4}
    counts = [
        len(
            found(
                solids,
                "grey",
                tuning=replace(how, search=replace(how.search, **blind)),
                known=known,
            )
        )
        for how in (TUNING, at_first_sight(TUNING))
    ]
    assert counts == [1, 0]


def test_a_row_is_continued_only_where_no_neighbour_stands():
    row = [Tile(None, Pose(300.0 + 20 * n, 200.0, 0.0), Orientation.VERTICAL) for n in range(3)]
    places = [face.x_mm for _, face in search._in_row(row, TUNING.search)]
    assert min(places) < 300.0 and max(places) > 340.0
    assert [x for x in places if 300.0 < x < 340.0] == [], "gaps of 20 mm have no room"


def test_what_is_found_is_not_given_up_when_no_tries_are_left_for_the_row():
    row = [Tile(None, Pose(300.0 + 20 * n, 200.0, 0.0), Orientation.VERTICAL) for n in range(8)]
    solids = [Solid(tile, color="red") for tile in row]
    all_of_it, counted = counting(solids, "wood")
    short = replace(TUNING, search=replace(TUNING.search, most_tries=sum(counted[:-1])))
    assert counted[-1] > 0 and found(solids, "wood", tuning=short) == all_of_it


def test_a_tile_that_fell_is_found_though_it_looks_like_the_table():
    """Near where it stood: elsewhere edges without more may be anything."""
    fallen = lying(330.0, 200.0, 20, "white")
    stood = [Tile(7, Pose(300.0, 200.0, 0.0), Orientation.VERTICAL)]
    far = [replace(stood[0], pose=Pose(500.0, 300.0, 0.0))]
    tuning = replace(TUNING, search=replace(TUNING.search, worthy_share=0.95))
    (tile,) = found([fallen], "white", tuning=tuning, stood=stood)
    assert tile.state is State.FALLEN
    assert misses_mm([tile], [fallen.tile]) == pytest.approx([0.0], abs=2.0)
    assert found([fallen], "white", tuning=tuning) == ()
    assert found([fallen], "white", tuning=tuning, stood=far) == ()
    assert found([fallen], "white", tuning=tuning, stood=far, known=far) == ()


@pytest.mark.parametrize(("most_lying_share", "count"), [(1.25, 2), (2.0, 5)])
def test_what_was_laid_down_in_mind_is_not_believed_if_far_more_would_lie_there(
    most_lying_share, count
):
    """Then it was laid in the wrong place; but a few more may never have been seen standing."""
    solids = [lying(250.0 + 80 * n, 200.0, 20 + 40 * n, "red") for n in range(2)]
    stood = [Tile(n + 1, Pose(250.0 + 40 * n, 230.0, 0.0), Orientation.VERTICAL) for n in range(3)]

    def laid_beside(slopes, rest, view, *_, **__):
        edges = find_edges(slopes, rest.faces, [(400, 200, 1300, 900)], view)
        place = np.array([[250.0, 200.0, math.radians(20), 0.0]])
        (fit,) = fit_bodies(edges, Bodies(stances(STANDARD), np.array([2]), place), view, ())
        aside = [np.array([70.0 * n, 90.0, 0.0, 0.0]) for n in range(3)]
        return [replace(fit, corners=fit.corners + by[:3], place=fit.place + by) for by in aside]

    share = replace(TUNING.collapsed_row, most_lying_share=most_lying_share)
    with patch.object(search, "fallen_rows", laid_beside):
        tiles = found(solids, "grey", stood=stood, tuning=replace(TUNING, collapsed_row=share))
    assert len(tiles) == count
    assert misses_mm(tiles, [solid.tile for solid in solids]) == pytest.approx([0, 0], abs=2.0)


@pytest.mark.parametrize("laid", [True, False])
def test_a_row_laid_down_in_mind_is_told_though_the_search_without_it_was_given_up(laid):
    """With it there is less to look for: what else lies there is found, too."""
    solids = [lying(250.0 + 80 * n, 200.0, 20, "red") for n in range(2)]
    other = lying(450.0, 300.0, 70, "blue")
    stood = [Tile(n + 1, Pose(230.0 + 80 * n, 200.0, 0.0), Orientation.VERTICAL) for n in range(2)]

    find_all = search._Finder.find_all

    def fits(slopes, rest, view, *_, **__):
        edges = find_edges(slopes, rest.faces, [(400, 200, 1300, 900)], view)
        places = np.array([[250.0 + 80 * n, 200.0, math.radians(20), 0.0] for n in range(2)])
        return fit_bodies(edges, Bodies(stances(STANDARD), np.array([2, 2]), places), view, ())

    def with_it(finder, rest, known, fallen, last):
        return find_all(finder, rest, known, fallen, last) if fallen else ()

    with (
        patch.object(search, "fallen_rows", fits),
        patch.object(search._Finder, "find_all", with_it),
    ):
        _, counted = counting([*solids, other], "grey", stood=stood)
    collapsed = replace(TUNING.collapsed_row, most_lying_share=1.5)
    just = replace(TUNING.search, most_tries=sum(counted))
    tuning = replace(TUNING, search=just, collapsed_row=collapsed)
    with patch.object(search, "fallen_rows", fits if laid else lambda *_, **__: []):
        if not laid:
            with pytest.raises(TooMuch):
                found([*solids, other], "grey", stood=stood, tuning=tuning)
            return
        tiles = found([*solids, other], "grey", stood=stood, tuning=tuning)
    true = [solid.tile for solid in (*solids, other)]
    assert len(tiles) == 3
    assert misses_mm(tiles, true) == pytest.approx([0, 0, 0], abs=2.0)


def test_what_was_found_without_a_row_laid_down_in_mind_is_kept_if_the_search_with_it_is_given_up():
    solid = lying(250.0, 200.0, 20, "red")
    stood = [Tile(n + 1, Pose(230.0 + 80 * n, 200.0, 0.0), Orientation.VERTICAL) for n in range(2)]
    find_all = search._Finder.find_all

    def given_up(finder, rest, known, fallen, last):
        if fallen:
            raise TooMuch
        return find_all(finder, rest, known, fallen, last)

    def laid(slopes, rest, view, *_, **__):
        edges = find_edges(slopes, rest.faces, [(400, 200, 1300, 900)], view)
        place = np.array([[250.0, 200.0, math.radians(20), 0.0]])
        return fit_bodies(edges, Bodies(stances(STANDARD), np.array([2]), place), view, ()) * 2

    with (
        patch.object(search, "fallen_rows", laid),
        patch.object(search._Finder, "find_all", given_up),
        pytest.raises(TooMuch) as refused,
    ):
        found([solid], "grey", stood=stood)
    assert misses_mm(refused.value.found, [solid.tile]) == pytest.approx([0], abs=2.0)


def test_the_clear_tiles_are_kept_if_the_search_for_more_is_given_up():
    solids = [lying(250.0, 200.0, 20, "red"), lying(400.0, 250.0, 70, "red")]
    fit, rounds = Fits.of, []

    def once(fits, *given):
        rounds.append(given)
        if len(rounds) > 1:
            raise TooMuch
        return fit(fits, *given)

    with patch.object(Fits, "of", once), pytest.raises(TooMuch) as refused:
        found(solids, "grey")
    kept = refused.value.found
    assert len(kept) == 2
    assert misses_mm(kept, [solid.tile for solid in solids]) == pytest.approx([0, 0], abs=2.0)


@pytest.mark.parametrize(("one_came_quality", "count"), [(0.2, 1), (1.0, 0)])
def test_where_one_tile_came_the_likeliest_box_is_told(one_came_quality, count):
    """Though it is not likely enough to be told of any other place."""
    came = Tile(None, Pose(300.0, 200.0, 0.3), Orientation.VERTICAL)
    doubting = replace(TUNING.search, one_came_quality=one_came_quality, **NEVER)
    tuning = replace(TUNING, search=doubting)
    solids = [Solid(came, color="red"), lying(450.0, 300.0, 20, "blue")]
    assert found(solids, "grey", tuning=tuning) == ()
    tiles = found(solids, "grey", tuning=tuning, one_came=True)
    assert len(tiles) == count
    assert all(math.dist((t.pose.x_mm, t.pose.y_mm), (300.0, 200.0)) < 1.0 for t in tiles)


def test_where_one_tile_came_it_is_found_though_it_looks_like_the_table():
    came = Tile(None, Pose(300.0, 200.0, 0.3), Orientation.VERTICAL)
    tuning = replace(TUNING, search=replace(TUNING.search, worthy_share=0.95))
    assert found([Solid(came, color="white")], "white", tuning=tuning) == ()
    (tile,) = found([Solid(came, color="white")], "white", tuning=tuning, one_came=True)
    assert math.dist((tile.pose.x_mm, tile.pose.y_mm), (300.0, 200.0)) < 1.0


def test_a_tile_that_could_as_well_stand_elsewhere_is_less_certain():
    standing = [Solid(Tile(None, Pose(300.0, 200.0, 0.3), Orientation.VERTICAL), color="black")]
    search = [replace(TUNING.search, rival_share=share) for share in (0.0, 1.0)]
    (doubted,), (sure,) = (
        found(standing, "white", tuning=replace(TUNING, search=one)) for one in search
    )
    assert doubted.pose == sure.pose
    assert doubted.sigma_mm > sure.sigma_mm + 1.0


def cropped(name):
    """Find the tiles without a readable mark in a part of a frame; and those that are there."""
    empty, image = (cv2.imread(str(CROPS / f"{name}_{part}.jpg")) for part in ("empty", "tiles"))
    data = json.loads((CROPS / f"{name}.json").read_text())
    rows, columns = image.shape[:2]
    lens = Intrinsics(np.array(data["matrix"]), np.array(data["distortion"]), columns, rows)
    pose = CameraPose(np.array(data["rotation"]), np.array(data["translation_mm"]))
    tiles = [
        Tile(
            tile["value"],
            Pose(tile["x_mm"], tile["y_mm"], math.radians(tile["heading_deg"])),
            Orientation(tile["orientation"]),
            State(tile["state"]),
        )
        for tile in data["tiles"]
    ]
    known = [tile for tile in tiles if tile.value is not None]
    foreground = Background(shrink(empty)).compare(shrink(image))
    told = find_unmarked(image, foreground, View(pose, lens), load_mat(), TileSet(), known)
    return told, [tile for tile in tiles if tile.value is None]


def test_a_box_behind_a_tile_is_not_given_up_for_one_that_a_shadow_cuts_off():
    """The shadow of a tile falls on the end of the one behind it."""
    told, (behind, other) = cropped("shadow_on_an_end")
    assert len(told) == 2
    assert {tile.orientation for tile in told} == {Orientation.HORIZONTAL}
    assert misses_mm(told, [behind, other]) == pytest.approx([0.0, 0.0], abs=2.0)


def test_an_upper_face_is_found_beside_the_little_that_stands_out_of_its_tile():
    """Of a dark tile with shadows round it often but its foot differs more than shadows can."""
    tile = Tile(None, Pose(300.0, 215.0, 0.3), Orientation.VERTICAL)
    scene = Scene((Solid(tile, color="red"),), table="grey", seed=4)
    empty = render(replace(scene, solids=()), INTRINSICS, POSE)
    image = render(scene, INTRINSICS, POSE)
    foreground = Background(shrink(empty)).compare(shrink(image))
    corners = project(body_of(tile), VIEW.pose, VIEW.intrinsics)
    middle = corners[:4].mean(axis=0)
    left, top = (int(v) // 2 * 2 for v in middle - 12)
    roi = (left, top, left + 24, top + 24)
    wide = (left - 100, top - 100, left + 124, top + 124)
    rest = unexplained(foreground)
    edges = find_edges(Slopes(image, foreground), rest.faces, [wide], VIEW)
    ground = ground_under(roi, edges, rest.worth, VIEW, STANDARD.length_mm)
    way = stances(STANDARD)[0]
    found = [face for _, face in upper_faces(ground, [way.box], 4, 0.22)]
    assert min((math.dist((f.x_mm, f.y_mm), (300.0, 215.0)) for f in found), default=99.0) < 3.0


def test_where_no_edge_shows_there_is_no_upper_face():
    """As in a picture that is white all over."""
    rows, columns = 300, 400
    flat = Edges(
        0, 0, np.zeros((rows, columns, 2), np.float32), np.zeros((rows, columns), np.uint8)
    )
    worth = np.full((INTRINSICS.height // 2, INTRINSICS.width // 2), 255, dtype=np.uint8)
    ground = ground_under((100, 100, 300, 200), flat, worth, VIEW, STANDARD.length_mm)
    assert upper_faces(ground, [way.box for way in stances(STANDARD)], 4, 0.22) == []


def misses_mm(told, true):
    return [
        min(math.dist((t.pose.x_mm, t.pose.y_mm), (at.pose.x_mm, at.pose.y_mm)) for t in told)
        for at in true
    ]


def test_a_guess_is_fitted_again_only_when_something_is_found_that_may_hide_it():
    """What is taken out of the picture may cover the place where it was seen; it stays a guess."""
    scene = Scene((lying(300.0, 200.0, 30, "ivory"),), table="wood", seed=4)
    image = render(scene, INTRINSICS, POSE)
    empty = render(replace(scene, solids=()), INTRINSICS, POSE)
    foreground = Background(shrink(empty)).compare(shrink(image))
    rest = unexplained(foreground)
    edges = find_edges(Slopes(image, foreground), rest.faces, [(600, 200, 1300, 800)], VIEW)
    fits, face = Fits(edges, VIEW, Work(100)), Face(301.0, 200.0, math.radians(30), 0.5)
    guess = Bodies(
        stances(STANDARD), np.array([2]), np.array([[301.0, 200.0, face.heading_rad, 0]])
    )
    standing = Tile(None, Pose(290.0, 190.0, 0.5), Orientation.VERTICAL)
    (once,) = fits.of(guess, ())
    assert fits.of(guess, ())[0] is once
    fits.forget([body_of(replace(standing, pose=Pose(500.0, 190.0, 0.5)))])
    assert fits.of(guess, ())[0] is once
    near = body_of(standing)
    fits.forget([near])
    (again,) = fits.of(guess, [near])
    assert len(again.edge) < len(once.edge)
    assert fits.has((2, face))
    assert not fits.has((1, face))
