import math
from dataclasses import replace

import numpy as np
import pytest

from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.row_rules import ViolationKind
from physics.row.tile import Orientation, State, Tile
from vision.geometry.camera_pose import CameraPose
from vision.look.eye import Look
from vision.look.matching import match, recall
from vision.look.track import Change, Tracker
from vision.tuning.tuning import TUNING

CAMERA = CameraPose(np.eye(3), np.zeros(3))


def tile(value, x, y=200.0, heading_deg=0.0, state=State.STANDING, sigma_mm=0.2):
    how = Orientation.VERTICAL if state is State.STANDING else None
    return Tile(value, Pose(x, y, math.radians(heading_deg)), how, state, sigma_mm, 0.004)


def look(*tiles, hand=False):
    return Look(CAMERA, tuple(tiles), hand)


def lying(x, y=200.0, value=None):
    return tile(value, x, y, state=State.FALLEN, sigma_mm=3.0)


class Table:
    """Shows looks to a tracker, one after the other."""

    def __init__(self, looks=2):
        self.tracker = Tracker(looks=looks)
        self.time_s = 0.0

    def see(self, *tiles, hand=False, times=1):
        for _ in range(times):
            self.time_s += 0.1
            sight = self.tracker.see(look(*tiles, hand=hand), self.time_s)
        return sight

    def accept(self, *tiles):
        self.see(*tiles, times=3)
        self.tracker.settle()


ROW = (tile(3, 100), tile(6, 125), tile(9, 150))


@pytest.fixture
def table():
    table = Table()
    table.accept(*ROW)
    return table


def test_nothing_is_said_before_two_looks_agree():
    table = Table()
    first = table.see(tile(6, 300))
    assert (first.still, first.chain) == (False, None)
    second = table.see(tile(6, 300))
    assert second.still
    assert second.chain.values == (6,)


def test_one_look_is_enough_where_only_one_is_asked_for():
    assert Table(looks=1).see(*ROW).chain.values == (3, 6, 9)


def test_the_same_tiles_stay_nothing_new(table):
    sight = table.see(*ROW)
    assert sight.still
    assert (sight.new_tile, sight.gone, sight.moved, sight.knocked) == (None, (), (), ())


def test_a_tile_placed_by_a_hand_is_the_new_one(table):
    assert table.see(*ROW[:2], hand=True).hand_in_view
    table.see(*ROW, tile(2, 175, heading_deg=182))
    sight = table.see(*ROW, tile(2, 175, heading_deg=182))
    assert sight.new_tile.value == 2
    assert abs(sight.new_tile.pose.heading_rad) < 0.1
    assert sight.chain.values == (3, 6, 9, 2)


def test_a_hand_holds_what_was_known(table):
    before = table.see(*ROW)
    sight = table.see(tile(6, 125), hand=True, times=5)
    assert sight.hand_in_view
    assert not sight.still
    assert sight.chain == before.chain
    assert sight.gone == ()


def test_after_a_hand_the_known_row_is_still_at_once(table):
    table.see(hand=True)
    assert table.see(*ROW).still


def test_a_tile_that_is_still_moving_is_not_yet_new(table):
    sights = [table.see(*ROW, tile(2, 175 + 3 * i)) for i in range(4)]
    assert not any(s.still or s.new_tile for s in sights)


def test_a_tile_unread_for_one_look_is_not_gone(table):
    sight = table.see(ROW[0], ROW[2])
    assert (sight.gone, sight.chain.values) == ((), (3, 6, 9))
    assert table.see(*ROW).still


def test_a_tile_taken_away_is_gone(table):
    sight = table.see(*ROW[:2], times=4)
    assert [t.value for t in sight.gone] == [9]
    assert (sight.new_tile, sight.change) == (None, Change.GONE)


def test_two_new_tiles_are_not_one(table):
    sight = table.see(*ROW, tile(2, 175), tile(4, 75), times=2)
    assert {t.value for t in sight.added} == {2, 4}
    assert (sight.new_tile, sight.change) == (None, Change.SEVERAL)


def test_a_tile_that_came_while_another_went_is_an_exchange(table):
    sight = table.see(*ROW[:2], tile(2, 185), times=4)
    assert ([t.value for t in sight.added], [t.value for t in sight.gone]) == ([2], [9])
    assert (sight.new_tile, sight.change) == (None, Change.EXCHANGED)


def test_each_change_has_its_own_name(table):
    assert table.see(*ROW, times=2).change is Change.NOTHING
    assert table.see(*ROW, tile(2, 175), times=2).change is Change.NEW
    assert table.see(*ROW[:2], tile(9, 158), times=4).change is Change.MOVED
    assert table.see(*ROW[:2], lying(180), times=2).change is Change.DOWN


def test_a_tile_that_creeps_is_not_still(table):
    table.see(*ROW, tile(2, 175), times=2)
    sights = [table.see(*ROW, tile(2, 175 + 1.3 * i)) for i in range(1, 10)]
    assert sum(not sight.still for sight in sights) >= 3


def test_a_tile_that_two_looks_miss_still_stands_and_is_said_to_be_held(table):
    for _ in range(2):
        sight = table.see(ROW[0], ROW[2])
        assert (sight.still, sight.chain.values) == (True, (3, 6, 9))
        assert [t.value for t in sight.held] == [6]
    assert table.see(*ROW).held == ()


def test_a_tile_misread_for_a_while_keeps_its_value(table):
    misread = (ROW[0], replace(ROW[1], value=4), ROW[2])
    for _ in range(TUNING.track.believe_looks - 1):
        sight = table.see(*misread)
        assert (sight.still, sight.change, sight.chain.values) == (True, Change.NOTHING, (3, 6, 9))
    assert table.see(*ROW).chain.values == (3, 6, 9)


def test_a_value_that_stays_changed_is_believed_in_the_end(table):
    misread = (ROW[0], replace(ROW[1], value=4), ROW[2])
    sight = table.see(*misread, times=TUNING.track.believe_looks + 3)
    assert sight.chain.values == (3, 4, 9)
    assert sight.change is Change.EXCHANGED


@pytest.mark.parametrize(("sigma_mm", "stays_mm", "moves_mm"), [(0.1, 1.6, 1.9), (0.5, 3.8, 4.3)])
def test_what_counts_as_moved_follows_from_how_well_it_is_measured(sigma_mm, stays_mm, moves_mm):
    for by_mm, moved in ((stays_mm, []), (moves_mm, [9])):
        table = Table()
        row = [replace(t, sigma_mm=sigma_mm) for t in ROW]
        table.accept(*row)
        shifted = replace(row[2], pose=Pose(150, 200 + by_mm, 0.0))
        sight = table.see(*row[:2], shifted, times=2)
        assert [t.value for t in sight.moved] == moved


def test_a_tile_near_the_bound_of_moved_does_not_flicker(table):
    bound = 1.2 + 4 * math.hypot(0.2, 0.2)

    def shifted(share):
        return table.see(*ROW[:2], tile(9, 150, 200 + share * bound), times=2).moved

    assert [bool(shifted(share)) for share in (0.95, 1.05, 0.95, 0.8, 1.02, 0.6, 0.95)] == [
        False,
        True,
        True,
        True,
        True,
        False,
        False,
    ]


def test_a_tile_gone_for_long_may_have_been_knocked_and_a_short_while_may_not(table):
    sights = [
        table.see(*ROW[:2])
        for _ in range(TUNING.track.hold_looks + 2 + TUNING.track.gone_looks - 1)
    ]
    assert [bool(sight.accident) for sight in sights] == [False] * (len(sights) - 1) + [True]
    assert table.see(*ROW, times=2).accident == ()


def test_a_hand_hides_an_accident_until_it_is_gone(table):
    assert table.see(*ROW[:2], lying(180), hand=True, times=9).accident == ()
    assert [t.value for t in table.see(*ROW[:2], lying(180), times=2).accident] == [9]


def test_a_tile_shifted_while_another_was_placed_is_told(table):
    shifted = tile(9, 155, 203, 8)
    sight = table.see(*ROW[:2], shifted, tile(2, 180), times=2)
    assert [t.value for t in sight.moved] == [9]
    assert sight.new_tile.value == 2


def test_a_trembling_measurement_is_no_move(table):
    trembling = [replace(t, pose=Pose(t.pose.x_mm + 0.4, t.pose.y_mm - 0.3, 0.01)) for t in ROW]
    assert table.see(*trembling, times=2).moved == ()


def test_a_tile_taken_from_the_middle_to_an_end_moved(table):
    sight = table.see(ROW[0], ROW[2], tile(6, 175), times=2)
    assert [t.value for t in sight.moved] == [6]
    assert sight.chain.values == (3, 9, 6)
    assert sight.new_tile is None


def test_a_standing_tile_that_is_down_was_knocked(table):
    sight = table.see(ROW[0], ROW[1], lying(180), times=2)
    assert [(t.value, t.state) for t in sight.knocked] == [(9, State.FALLEN)]
    assert sight.gone == ()
    assert sight.chain.values == (3, 6)
    assert [(v.kind, v.values) for v in sight.violations] == [(ViolationKind.FLAT, (9,))]


def test_each_fallen_tile_gets_the_value_that_vanished_beside_it(table):
    sight = table.see(ROW[0], lying(152), lying(178), times=2)
    assert {t.value: t.pose.x_mm for t in sight.knocked} == {6: 152, 9: 178}


def test_something_lying_far_away_did_not_stand_in_the_row(table):
    sight = table.see(ROW[0], ROW[1], lying(400, 50), times=4)
    assert sight.knocked == ()
    assert [t.value for t in sight.gone] == [9]


def test_a_shadow_taken_for_a_tile_knocks_nothing(table):
    assert table.see(*ROW, lying(220), times=2).knocked == ()


def test_a_tile_that_nobody_can_read_keeps_its_value(table):
    unread = replace(ROW[1], value=None)
    sight = table.see(ROW[0], unread, ROW[2], times=3)
    assert sight.still
    assert sight.chain.values == (3, 6, 9)
    assert sight.gone == ()


def test_a_value_seen_twice_stays_with_the_tile_that_had_it(table):
    sight = table.see(*ROW, tile(9, 180, sigma_mm=0.1), times=2)
    assert sight.chain.values == (3, 6, 9, None)
    assert sight.new_tile.value is None


def test_an_unread_thing_beside_the_row_does_not_hide_the_new_tile(table):
    ghost = tile(None, 75)
    sight = table.see(*ROW, tile(2, 175), ghost, times=2)
    assert sight.new_tile.value == 2
    assert sight.chain.values == (3, 6, 9, 2)


def test_a_new_tile_that_nobody_can_read_is_new_all_the_same(table):
    sight = table.see(*ROW, tile(None, 175), times=2)
    assert (sight.new_tile.value, sight.chain.values) == (None, (3, 6, 9, None))


def test_tiles_laid_aside_far_from_the_row_are_not_minded(table):
    sight = table.see(*ROW, lying(400, 60), tile(None, 450, 300), times=2)
    assert sight.chain.values == (3, 6, 9)
    assert (sight.violations, sight.new_tile) == ((), None)


def test_a_tile_lying_beside_the_row_is_flat(table):
    sight = table.see(*ROW, lying(200), times=2)
    assert [v.kind for v in sight.violations] == [ViolationKind.FLAT]


def test_what_stood_aside_when_the_row_was_accepted_stays_aside(table):
    table.see(*ROW, tile(2, 175), tile(None, 75), times=2)
    table.tracker.settle()
    sight = table.see(*ROW, tile(2, 175), tile(None, 76), times=2)
    assert (sight.chain.values, sight.new_tile) == ((3, 6, 9, 2), None)
    sight = table.see(*ROW, tile(2, 175), tile(None, 76), tile(None, 200), times=2)
    assert sight.new_tile.pose.x_mm == 200


def test_an_accepted_tile_is_no_longer_new(table):
    table.see(*ROW, tile(2, 175), times=2)
    table.tracker.settle()
    sight = table.see(*ROW, tile(2, 175))
    assert sight.new_tile is None
    assert sight.chain.values == (3, 6, 9, 2)


def test_a_tile_put_elsewhere_before_it_is_accepted_is_still_the_new_one(table):
    table.see(*ROW, tile(2, 175), times=2)
    sight = table.see(*ROW, tile(2, 75), times=2)
    assert sight.new_tile.pose.x_mm == 75
    assert sight.moved == ()
    assert sight.chain.values == (2, 3, 6, 9)


def test_a_new_round_begins_with_nothing(table):
    table.tracker.reset()
    assert table.see(tile(6, 300)).chain is None
    sight = table.see(tile(6, 300))
    assert (sight.new_tile.value, sight.gone) == (6, ())


def test_a_tile_beyond_reach_is_a_violation(table):
    sight = table.see(*ROW, tile(2, 300), times=2)
    assert [(v.kind, v.values) for v in sight.violations] == [(ViolationKind.TOO_FAR, (9, 2))]


def test_unread_tiles_are_matched_by_place():
    known = [tile(None, 100), tile(None, 125), tile(7, 150)]
    seen = [tile(7, 190), tile(None, 126), tile(None, 60)]
    assert match(known, seen) == {1: 1, 2: 0}


def test_a_value_seen_twice_without_history_stays_where_it_is_seen_best():
    mended = recall([tile(5, 100, sigma_mm=0.4), tile(5, 200, sigma_mm=0.1)], ())
    assert [t.value for t in mended] == [None, 5]


def test_what_stands_beside_a_row_that_was_told_is_neither_part_of_it_nor_missed():
    table = Table()
    first, smear = tile(6, 300), tile(None, 322, 190)
    sight = table.see(first, smear, times=3)
    table.tracker.settle(Chain(tuple(t for t in sight.chain.tiles if t.value == 6)))
    assert table.see(first, smear, times=3).added == ()
    sight = table.see(first, times=TUNING.track.gone_looks + 3)
    assert (sight.gone, sight.added, sight.chain.values) == ((), (), (6,))
    assert table.see(first, tile(7, 330), times=3).new_tile.value == 7
