"""The row as it stands beside the row as it was written down: what counts, and what does not."""

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from physics.row.chain import SAME_PLACE_MM
from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from rig.row.row_diff import (
    BACK,
    SAME_TURN_RAD,
    SIGMAS,
    STIFF_MM,
    STILL,
    Kind,
    Motion,
    motion_of,
    moved_tiles,
    reordered,
)

SIGMA_MM = 0.2
SIGMA_RAD = math.radians(0.4)
FAR_MM = SAME_PLACE_MM + SIGMAS * SIGMA_MM * math.sqrt(2.0)
FAR_RAD = SAME_TURN_RAD + SIGMAS * SIGMA_RAD * math.sqrt(2.0)

STIFF = STIFF_MM + SIGMAS * SIGMA_MM * math.sqrt(2.0)

few = settings(max_examples=40)
angles = st.floats(-math.pi, math.pi)
motions = st.builds(Motion, angles, st.floats(-200, 200), st.floats(-200, 200))
slides = st.builds(Motion, st.floats(-0.5, 0.5), st.floats(-200, 200), st.floats(-200, 200))


@st.composite
def rows(draw, least=3, most=8):
    """A bent row with gaps of 10 to 40 mm, standing this way and that."""
    count = draw(st.integers(least, most))
    x, y, heading, tiles = 100.0, 150.0, 0.0, []
    for value in range(1, count + 1):
        how = draw(st.sampled_from(Orientation))
        place = Pose(x, y, heading)
        tiles.append(Tile(value, place, how, sigma_mm=SIGMA_MM, sigma_rad=SIGMA_RAD))
        heading += draw(st.floats(-0.4, 0.4))
        step = draw(st.floats(17.0, 47.0))
        x, y = x + step * math.cos(heading), y + step * math.sin(heading)
    return tuple(tiles)


def line(*values, gap_mm=25.0):
    return tuple(
        Tile(
            value,
            Pose(200.0 + gap_mm * n, 200.0, 0.0),
            Orientation.VERTICAL,
            sigma_mm=SIGMA_MM,
            sigma_rad=SIGMA_RAD,
        )
        for n, value in enumerate(values)
    )


def put(tile, dx_mm=0.0, dy_mm=0.0, turn_rad=0.0):
    pose = tile.pose
    turned = Pose(pose.x_mm + dx_mm, pose.y_mm + dy_mm, pose.heading_rad + turn_rad)
    return replace(tile, pose=turned)


def with_one(row, at, tile):
    return (*row[:at], tile, *row[at + 1 :])


def carried(row, motion):
    return tuple(replace(tile, pose=motion.of(tile.pose)) for tile in row)


def told(differences):
    return [(one.kind, one.value) for one in differences]


@few
@given(rows(least=1), motions)
def test_a_row_that_slid_as_a_whole_stands_as_it_stood(row, motion):
    assert moved_tiles(row, carried(row, motion)) == ()


@few
@given(rows(), st.data())
def test_what_was_touched_a_little_does_not_count(row, data):
    far = st.floats(0.0, 0.95)
    seen = tuple(
        put(t, *polar(data.draw(far) * FAR_MM, data.draw(angles)), data.draw(far) * FAR_RAD)
        if data.draw(st.booleans()) and n != 0
        else t
        for n, t in enumerate(row)
    )
    assume(motion_of(list(zip(row, seen, strict=True))) == STILL)
    assert moved_tiles(row, seen) == ()


def polar(far_mm, way_rad):
    return far_mm * math.cos(way_rad), far_mm * math.sin(way_rad)


@few
@given(rows(), st.data(), slides, st.floats(1.5, 4.0), angles)
def test_one_tile_that_was_moved_is_named_wherever_the_row_has_slid_to(
    row, data, motion, share, way
):
    at = data.draw(st.integers(0, len(row) - 1))
    away = put(row[at], *polar(share * FAR_MM, way))
    (found,) = moved_tiles(row, carried(with_one(row, at, away), motion))
    assert (found.kind, found.value) == (Kind.SHIFTED, row[at].value)
    assert found.by_mm == pytest.approx(share * FAR_MM, abs=STIFF)
    # It belongs where the row has taken its place to, up to what counts as not having slid.
    place = motion.of(row[at].pose)
    belongs = found.was.pose
    assert math.dist((belongs.x_mm, belongs.y_mm), (place.x_mm, place.y_mm)) <= STIFF


@few
@given(rows(), st.data(), st.floats(1.05, 3.0))
def test_one_tile_that_was_turned_is_named_with_its_turn(row, data, share):
    at = data.draw(st.integers(0, len(row) - 1))
    turned = put(row[at], turn_rad=share * FAR_RAD)
    (found,) = moved_tiles(row, with_one(row, at, turned))
    assert (found.kind, found.value) == (Kind.TURNED, row[at].value)
    assert found.by_rad == pytest.approx(share * FAR_RAD)


def test_a_tile_stood_the_other_way_round_looks_the_same():
    row = line(3, 8, 6)
    assert moved_tiles(row, with_one(row, 1, put(row[1], turn_rad=math.pi))) == ()


def test_a_tile_on_its_other_edge_differs_where_it_stands():
    row = line(3, 8, 6)
    low = replace(row[1], orientation=Orientation.HORIZONTAL)
    assert told(moved_tiles(row, with_one(row, 1, low))) == [(Kind.EDGE, 8)]


def test_the_farther_from_sure_the_farther_a_tile_may_seem_to_stand():
    row = line(3, 8, 6)
    away = put(row[1], dy_mm=9.6)
    assert told(moved_tiles(row, with_one(row, 1, away))) == [(Kind.SHIFTED, 8)]
    vague = replace(away, sigma_mm=0.6)
    assert moved_tiles(row, with_one(row, 1, vague)) == ()


def test_what_was_said_to_differ_has_to_come_nearer_before_it_is_back():
    row = line(3, 8, 6)
    near = with_one(row, 1, put(row[1], dy_mm=0.9 * FAR_MM))
    assert moved_tiles(row, near) == ()
    assert told(moved_tiles(row, near, said=[8])) == [(Kind.SHIFTED, 8)]
    back = with_one(row, 1, put(row[1], dy_mm=0.95 * BACK * FAR_MM))
    assert moved_tiles(row, back, said=[8]) == ()


def test_of_two_tiles_the_one_that_moved_is_named_for_the_other_did_not():
    row = line(3, 6)
    assert told(moved_tiles(row, (row[0], put(row[1], dy_mm=12.0)))) == [(Kind.SHIFTED, 6)]


def test_a_lone_tile_has_nobody_it_could_stand_otherwise_to():
    row = line(6)
    assert moved_tiles(row, (put(row[0], dx_mm=90.0),)) == ()


def test_places_that_people_entered_by_hand_are_not_compared():
    row = tuple(replace(tile, sigma_mm=0.0) for tile in line(3, 8, 6))
    assert moved_tiles(row, with_one(row, 1, put(row[1], dy_mm=30.0))) == ()


def test_half_of_a_row_that_moved_alike_was_moved_and_did_not_slide():
    row = line(3, 8, 6, 9)
    seen = (*row[:2], *(put(tile, dx_mm=20.0) for tile in row[2:]))
    assert told(moved_tiles(row, seen)) == [(Kind.SHIFTED, 6), (Kind.SHIFTED, 9)]


def test_two_tiles_changed_over_stand_in_another_order():
    row = line(3, 8, 6)
    seen = (row[0], replace(row[2], pose=row[1].pose), replace(row[1], pose=row[2].pose))
    assert told(moved_tiles(row, seen)) == [(Kind.SHIFTED, 8), (Kind.SHIFTED, 6)]
    assert told(reordered(row, seen, (3, 8, 6))) == [(Kind.ORDER, 8), (Kind.ORDER, 6)]
    assert reordered(row, row, (3, 8, 6)) == ()


def test_a_tile_that_is_not_there_changes_no_order():
    row = line(3, 8, 6)
    assert reordered(row, (row[0], row[2]), (3, 8, 6)) == ()


@few
@given(rows(), motions)
def test_the_motion_of_a_row_is_found_to_a_hair(row, motion):
    found = motion_of([(was, replace(was, pose=motion.of(was.pose))) for was in row])
    for tile in row:
        one, other = motion.of(tile.pose), found.of(tile.pose)
        off_mm = math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm))
        assert off_mm <= (STIFF if found == STILL else 0.01)
