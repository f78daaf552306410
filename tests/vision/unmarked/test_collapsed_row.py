import math
from dataclasses import replace

import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import STANDARD, Orientation, State, Tile, TileSet
from vision.background.background import Background, shrink
from vision.geometry.boxes import Bodies, body_of, leaning, stances
from vision.geometry.camera_pose import View
from vision.geometry.mat import load_mat
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid
from vision.unmarked import search
from vision.unmarked.collapsed_row import (
    fallen_rows,
    lay_down,
    remember,
    rest_lean,
    tipped,
    which_way,
)
from vision.unmarked.edge_fit import Slopes
from vision.unmarked.residual import unexplained
from vision.unmarked.search import find_unmarked

UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL
WAYS = (*stances(STANDARD), *leaning(STANDARD))
INTRINSICS, POSE = view_from(math.radians(12), 0.7)
VIEW = View(POSE, INTRINSICS)
TILTS_DEG = (68.2, 68.2, 68.2, 69.7, 90.0)
"""How far upright tiles tip that stood 20 mm apart and fell onto each other."""

THROWN = ((150, 120, 0.3), (210, 300, 1.4), (330, 150, 2.2), (420, 260, 0.9), (260, 210, 2.9))
"""Where tiles lie that somebody threw about: x and y in mm, heading in rad."""


def bent_row(count=5, pitch_mm=20.0, bend_rad=0.12):
    tiles, pose = [], Pose(240.0, 190.0, 0.5)
    for value in range(1, count + 1):
        tiles.append(Tile(value, pose, UP))
        x, y = pose.to_table(pitch_mm, 0.0)
        pose = Pose(x, y, pose.heading_rad + bend_rad)
    return tiles


ROW = bent_row()
FALLEN = tuple(
    Solid(tile, math.radians(tilt), color="red") for tile, tilt in zip(ROW, TILTS_DEG, strict=True)
)


def compared(solids, table="grey"):
    """What `find_unmarked` is given of a scene."""
    scene = Scene(tuple(solids), table=table, seed=4)
    empty = render(replace(scene, solids=()), INTRINSICS, POSE)
    image = render(scene, INTRINSICS, POSE)
    return image, Background(shrink(empty)).compare(shrink(image))


def found(solids, stood, known=(), table="grey"):
    image, foreground = compared(solids, table)
    return find_unmarked(image, foreground, VIEW, load_mat(), TileSet(), known, stood=stood)


def fitted(solids, stood, known=()):
    image, foreground = compared(solids)
    rest = unexplained(foreground).without([body_of(tile) for tile in known], VIEW)
    return fallen_rows(Slopes(image, foreground), rest, VIEW, stood, known)


def misses_mm(tiles, solids):
    """How far each solid's middle is from the nearest tile."""
    return [
        min(
            math.dist((t.pose.x_mm, t.pose.y_mm), solid.corners_mm().mean(axis=0)[:2])
            for t in tiles
        )
        for solid in solids
    ]


@pytest.mark.parametrize("how", [UP, LONG])
@pytest.mark.parametrize("lean_deg", [0.0, 20.0, 60.0])
def test_a_tile_tips_about_its_front_lower_edge(how, lean_deg):
    tile = Tile(None, Pose(120.0, 80.0, 2.5), how)
    way, place = tipped(tile, math.radians(lean_deg))
    drawn = Solid(tile, tilt_rad=math.radians(90.0 - lean_deg)).corners_mm()
    laid = Bodies(WAYS, np.array([way]), place[None]).corners()[0]
    apart = np.linalg.norm(drawn[:, None] - laid[None], axis=2)
    assert apart.min(axis=1) == pytest.approx(0.0, abs=1e-6)
    assert sorted(apart.argmin(axis=1)) == list(range(8))


def test_a_tile_falls_flat_where_nothing_is_in_its_way():
    tile = Tile(None, Pose(100.0, 100.0, 0.0), UP)
    behind = body_of(Tile(None, Pose(60.0, 100.0, 0.0), None, State.FALLEN))
    beside = body_of(Tile(None, Pose(130.0, 130.0, 0.0), None, State.FALLEN))
    beyond = body_of(Tile(None, Pose(156.0, 100.0, 0.0), UP))
    assert rest_lean(tile, []) == 0.0
    assert rest_lean(tile, [behind, beside, beyond]) == 0.0


def test_a_tile_comes_to_rest_on_the_first_thing_it_meets():
    tile = Tile(None, Pose(100.0, 100.0, 0.0), UP)
    near_edge_mm = 20.0
    flat = body_of(Tile(None, Pose(103.75 + near_edge_mm + 24, 100.0, 0.0), None, State.FALLEN))
    assert rest_lean(tile, [flat]) == pytest.approx(math.atan2(7.5, near_edge_mm))
    near_edge_mm = 40.0
    wall = body_of(Tile(None, Pose(103.75 + near_edge_mm + 3.75, 100.0, 0.0), UP))
    assert rest_lean(tile, [flat, wall]) == pytest.approx(math.acos(near_edge_mm / 48), abs=0.1)


@pytest.mark.parametrize(
    ("how", "pitch_mm", "tilts_deg"),
    [
        (UP, 20.0, (68.2, 68.2, 68.2, 69.7, 90.0)),
        (LONG, 16.0, (62.2, 62.2, 62.2, 65.0, 90.0)),
    ],
)
def test_a_straight_row_comes_to_lie_like_shingles(how, pitch_mm, tilts_deg):
    row = [Tile(None, Pose(100 + pitch_mm * n, 100.0, 0.0), how) for n in range(5)]
    laid = lay_down(row, [])
    assert 90 - np.degrees(laid.places[:, 3]) == pytest.approx(np.array(tilts_deg), abs=0.5)


def test_a_row_of_one_colour_that_fell_onto_itself_is_found_whole_if_it_was_seen_standing():
    tiles = found(FALLEN, ROW)
    assert [tile.state for tile in tiles] == [State.FALLEN] * 5
    assert max(misses_mm(tiles, FALLEN)) < 2.0
    assert min(tile.sigma_mm for tile in tiles) > 2.0  # among so many edges it may be elsewhere
    assert len(found(FALLEN, ())) != 5 or max(misses_mm(found(FALLEN, ()), FALLEN)) > 2.0


def test_the_order_and_the_headings_of_what_stood_do_not_matter():
    turned = [replace(tile, pose=tile.pose.turned()) for tile in ROW[::-2] + ROW[1::2]]
    assert max(misses_mm(found(FALLEN, turned), FALLEN)) < 2.0


def test_a_row_may_fall_up_as_well_as_down_from_where_it_was_hit():
    back = [replace(tile, pose=tile.pose.turned()) for tile in ROW[:2][::-1]]
    solids = [
        Solid(tile, math.radians(tilt), color="white")
        for part in (back, ROW[2:])
        for tile, tilt in zip(part, TILTS_DEG[-len(part) :], strict=True)
    ]
    fits = fitted(solids, ROW)
    assert len(fits) == 5
    leans = [fit.place[3] for fit in fits]
    assert all(lean > -0.1 for lean in leans)
    middles = np.array([fit.place[:2] for fit in fits])
    true = np.array([solid.corners_mm().mean(axis=0)[:2] for solid in solids])
    apart = np.linalg.norm(true[:, None] - middles, axis=2)
    assert apart.min(axis=1).max() < 3.0


@pytest.mark.parametrize("color", ["red", "black", "green"])
def test_a_row_that_still_stands_has_not_fallen_though_no_mark_is_read(color):
    row = bent_row(bend_rad=0.0)
    assert fitted([Solid(tile, color=color) for tile in row], row) == []


def test_a_row_is_split_only_where_that_looks_far_better():
    assert which_way(np.array([0.3, 0.3, 0.2, 0.3, -0.4])).tolist() == [True] * 5
    assert which_way(np.array([-0.3, 0.2, -0.2, -0.3])).tolist() == [False] * 4
    assert which_way(np.array([0.3, 0.3, 0.3, -0.3, -0.3])).tolist() == [True] * 3 + [False] * 2


def test_a_row_that_looks_alike_laid_either_way_did_not_fall_along_itself():
    assert which_way(np.array([0.1, -0.1, 0.05, -0.1, 0.1])) is None


@pytest.mark.parametrize("way", [1, -1])
def test_the_ends_of_a_row_are_found_where_they_slid(way):
    slides_mm = (-12.0, -7.0, -4.0, -2.0, 9.0)
    pushed = ROW if way > 0 else [replace(tile, pose=tile.pose.turned()) for tile in ROW[::-1]]
    slid = [
        replace(tile, pose=Pose(*tile.pose.to_table(along_mm, 0.0), tile.pose.heading_rad))
        for tile, along_mm in zip(pushed, slides_mm, strict=True)
    ]
    tilts_rad = math.pi / 2 - lay_down(slid, []).places[:, 3]
    solids = [Solid(tile, tilt, color="red") for tile, tilt in zip(slid, tilts_rad, strict=True)]
    tiles = found(solids, ROW)
    assert len(tiles) == 5
    assert max(misses_mm(tiles, solids)) < 2.0


def test_tiles_that_slipped_and_turned_as_they_fell_are_found():
    slips = ((-4.0, 2.0, 0.1), (-6.0, -2.0, -0.1), (-2.0, 0.0, 0.0), (-3.0, 2.0, 0.1), (2, 1, 0))
    solids = []
    for solid, (along, across, turn) in zip(FALLEN, slips, strict=True):
        x, y = solid.tile.pose.to_table(along, across)
        pose = Pose(x, y, solid.tile.pose.heading_rad + turn)
        solids.append(replace(solid, tile=replace(solid.tile, pose=pose)))
    tiles = found(solids, ROW)
    assert len(tiles) == 5
    assert max(misses_mm(tiles, solids)) < 5.0


def test_what_fell_is_found_before_the_part_of_the_row_that_stands():
    standing = ROW[3:]
    solids = [Solid(tile, color="red") for tile in standing]
    far = replace(ROW[0], pose=Pose(*ROW[0].pose.to_table(-40.0, 0.0), ROW[0].pose.heading_rad))
    back = [replace(tile, pose=tile.pose.turned()) for tile in (ROW[2], ROW[1], far)]
    solids += [
        Solid(tile, math.radians(tilt), color="red")
        for tile, tilt in zip(back, (69.7, 90.0, 90.0), strict=True)
    ]
    fits = fitted(solids, [far, *ROW[1:]], standing)
    assert len(fits) == 3
    middles = np.array([fit.place[:2] for fit in fits])
    true = np.array([solid.corners_mm().mean(axis=0)[:2] for solid in solids[2:]])
    apart = np.linalg.norm(true[:, None] - middles, axis=2)
    assert apart.min(axis=1).max() < 3.0


def test_nothing_is_told_of_a_row_that_was_taken_away():
    assert found((), ROW) == ()


def test_tiles_thrown_about_are_not_taken_for_a_row_that_fell_along_itself():
    solids = [
        Solid(Tile(value, Pose(*place), UP, State.FALLEN), color="red")
        for value, place in enumerate(THROWN, start=1)
    ]
    assert fitted(solids, ROW) == []
    tiles = found(solids, ROW)
    assert len(tiles) == 5
    assert max(misses_mm(tiles, solids)) < 3.0


def test_tiles_that_are_found_by_themselves_lie_there_and_not_where_a_row_was_laid_down(
    monkeypatch,
):
    laid = fitted(FALLEN, ROW)
    assert len(laid) == 5
    monkeypatch.setattr(search, "fallen_rows", lambda *_, **__: laid)
    solids = [
        Solid(Tile(value, Pose(*place), UP, State.FALLEN), color="red")
        for value, place in enumerate(THROWN, start=1)
    ]
    tiles = found(solids, ROW)
    assert len(tiles) == 5 and max(misses_mm(tiles, solids)) < 3.0


def test_what_vanished_is_remembered_as_long_as_something_lies_there():
    lying = Tile(None, Pose(300.0, 200.0, 0.0), None, State.FALLEN)
    assert remember((), ROW) == tuple(ROW)
    assert remember(ROW, [*ROW[2:], lying]) == (*ROW[2:], *ROW[:2])
    assert remember(ROW, ROW[2:]) == tuple(ROW[2:])


def test_a_tile_that_stands_elsewhere_is_not_remembered_where_it_stood():
    lying = Tile(None, Pose(300.0, 200.0, 0.0), None, State.FALLEN)
    moved = replace(ROW[0], pose=Pose(400.0, 300.0, 0.0))
    unread = replace(ROW[1], value=None)
    assert remember(ROW[:2], [moved, unread, lying]) == (moved, unread)
