"""What is said of rows that break the rules, and of rows near a limit."""

import math
from dataclasses import replace

from physics.row.chain import Chain, order
from physics.row.pose import Pose, full_turn
from physics.row.row_rules import RowRules, ViolationKind, check
from physics.row.tile import Orientation, Tile

PITCH_MM = 24.0


def tile(value, x, y, heading_deg=0.0):
    return Tile(value, Pose(x, y, math.radians(heading_deg)), Orientation.VERTICAL)


def walk(bends_deg):
    """A row of tiles, each one pitch and a bend on from the one before, numbered from 1."""
    x, y, way = 100.0, 100.0, 0.0
    tiles = [tile(1, x, y)]
    for value, bend in enumerate(bends_deg, start=2):
        step = math.radians(way + bend / 2)
        x, y, way = x + PITCH_MM * math.cos(step), y + PITCH_MM * math.sin(step), way + bend
        tiles.append(tile(value, x, y, math.degrees(full_turn(math.radians(way)))))
    return tiles


STRAIGHT = [tile(i, 100 + 22 * i, 200) for i in range(1, 8)]


def kinds(tiles, **more):
    return [(v.kind, v.unsure) for v in check(order(tiles), **more)]


def test_a_tile_beyond_reach_is_too_far():
    row = [*STRAIGHT, tile(9, 360, 200)]
    (violation,) = check(order(row))
    assert (violation.kind, violation.values) == (ViolationKind.TOO_FAR, (7, 9))
    assert not violation.unsure


def test_two_groups_beyond_reach_are_apart():
    row = [*STRAIGHT, tile(9, 360, 200), tile(10, 380, 200)]
    (violation,) = check(order(row))
    assert (violation.kind, violation.values) == (ViolationKind.APART, (7, 9))


def test_tiles_beside_a_middle_tile_are_a_branch():
    row = [*STRAIGHT, tile(9, 188, 226, 90), tile(10, 188, 248, 90)]
    (violation,) = check(order(row, order(STRAIGHT)))
    assert violation.kind is ViolationKind.BRANCH
    assert violation.values[0] == 4
    assert set(violation.values[1:]) == {9, 10}


def test_a_ring_is_a_loop():
    ring = walk([36.0] * 9)
    kinds_found = kinds(ring)
    assert (ViolationKind.LOOP, False) in kinds_found


def test_an_end_that_runs_into_the_middle_is_a_loop():
    row = walk([0, 0, 0, 0, 45, 45, 45, 45, 45, 45])
    found = [v for v in check(Chain(tuple(row))) if v.kind is ViolationKind.LOOP]
    assert [v.values[0] for v in found] == [11]


def test_two_tiles_in_one_place_overlap_and_touching_ones_do_not():
    assert kinds([tile(1, 100, 0), tile(2, 104, 0)]) == [(ViolationKind.OVERLAPPING, False)]
    assert kinds([tile(1, 100, 0), tile(2, 107.1, 0)]) == []


def test_tiles_of_which_the_place_is_hardly_known_do_not_overlap():
    vague = [replace(tile(v, x, 0), sigma_mm=2.0) for v, x in ((1, 100), (2, 104))]
    assert kinds(vague) == []


def test_near_a_limit_the_check_is_unsure():
    reach = RowRules().reach_mm
    assert kinds([tile(1, 0, 0), tile(2, reach + 7.5 + 2, 0)]) == [(ViolationKind.TOO_FAR, True)]
    assert kinds([tile(1, 0, 0), tile(2, reach + 7.5 + 9, 0)]) == [(ViolationKind.TOO_FAR, False)]
    assert kinds([tile(1, 0, 0), tile(2, reach + 7.5 - 9, 0)]) == []


def test_a_trembling_gap_does_not_flicker():
    reach, margin = RowRules().reach_mm, RowRules().margin_mm

    def look(gap, before):
        return check(order([tile(1, 0, 0), tile(2, gap + 7.5, 0)]), before=before)

    sure = look(reach + margin + 0.1, ())
    assert [v.unsure for v in sure] == [False]
    assert [v.unsure for v in look(reach + margin - 0.1, sure)] == [False]
    unsure = look(reach - margin + 0.1, ())
    assert [v.unsure for v in unsure] == [True]
    assert [v.unsure for v in look(reach - margin - 0.1, unsure)] == [True]
    assert look(reach - margin - 0.1, ()) == ()
    assert look(reach - 2 * margin, sure) == ()


def test_a_wider_reach_accepts_a_wider_gap():
    row = [tile(1, 0, 0), tile(2, 110, 0)]
    assert kinds(row, rules=RowRules(reach_mm=120.0)) == []
