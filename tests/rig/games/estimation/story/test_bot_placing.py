"""Where bots put their tiles."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest

from physics.row.chain import Chain, order
from physics.row.pose import Pose
from physics.row.row_rules import check
from physics.row.tile import Orientation, Tile
from rig.games.estimation.story.bot_placing import CLEAR_MM, MARGIN_MM, choose_place, with_tile

VERTICAL = Orientation.VERTICAL


def chain_of(*places):
    tiles = tuple(
        Tile(value, Pose(x, y, math.radians(deg)), VERTICAL)
        for value, (x, y, deg) in enumerate(places, start=1)
    )
    return order(tiles, Chain(tiles))


def grown(seed, risk, tiles=11):
    """A row that grew by itself from one tile in the middle."""
    rng = np.random.default_rng(seed)
    row = chain_of((300.0, 210.0, 0.0))
    for value in range(2, tiles + 1):
        row = with_tile(row, choose_place(row, [value], rng, risk))
    return row


@pytest.fixture(scope="module")
def rows():
    return [grown(seed, risk) for seed in range(12) for risk in (0.0, 0.8)]


def test_a_row_can_always_be_continued_to_the_last_tile(rows):
    assert all(len(row.tiles) == 11 for row in rows)


def test_rows_stay_inside_the_margin(rows):
    for row in rows:
        for tile in row.tiles:
            assert MARGIN_MM <= tile.pose.x_mm <= 600 - MARGIN_MM
            assert MARGIN_MM <= tile.pose.y_mm <= 420 - MARGIN_MM


def test_rows_are_rows(rows):
    assert [check(row) for row in rows] == [()] * len(rows)


def test_no_tile_is_near_enough_to_be_knocked(rows):
    for row in rows:
        for one, other in combinations(row.tiles, 2):
            assert one.footprint.distance_mm(other.footprint) >= CLEAR_MM


def test_rows_bend_and_stand_both_ways_up(rows):
    bends = [
        abs(math.remainder(b.pose.heading_rad - a.pose.heading_rad, math.tau))
        for row in rows
        for a, b in pairwise(row.tiles)
    ]
    assert max(bends) > math.radians(25.0)
    assert np.median(bends) < math.radians(20.0)
    assert {tile.orientation for row in rows for tile in row.tiles} == set(Orientation)


def test_some_tiles_are_put_between_others(rows):
    assert any(list(row.values) != sorted(row.values) for row in rows)


def test_the_bold_leave_wider_gaps():
    widest = {
        risk: np.mean([max(grown(seed, risk, tiles=7).gaps_mm) for seed in range(8)])
        for risk in (0.0, 1.0)
    }
    assert widest[0.0] < widest[1.0]


def test_a_row_at_the_edge_turns_away_from_it():
    line = chain_of(*((540.0 - 30.0 * i, 210.0, 0.0) for i in range(6)))
    rng = np.random.default_rng(1)
    for _ in range(20):
        tile = choose_place(line, [9], rng, 0.3)
        assert MARGIN_MM <= tile.pose.x_mm <= 600 - MARGIN_MM


def test_a_middle_tile_is_moved_to_an_end():
    row = grown(3, 0.0)
    rng = np.random.default_rng(1)
    middle = [tile.value for tile in row.tiles[1:-1]]
    for _ in range(10):
        tile = choose_place(row, middle, rng, 0.3, moving=True)
        moved = with_tile(row, tile)
        assert tile.value in middle
        assert tile.value in (moved.values[0], moved.values[-1])
        assert sorted(moved.values) == sorted(row.values)


def test_where_there_is_no_room_there_is_no_place():
    area_mm = (2 * MARGIN_MM + 6.0, 2 * MARGIN_MM + 6.0)
    row = chain_of((MARGIN_MM + 3.0, MARGIN_MM + 3.0, 0.0))
    assert choose_place(row, [2], np.random.default_rng(1), 0.3, area_mm=area_mm) is None


def test_a_moved_tile_leaves_a_gap_that_still_is_none_to_speak_of():
    row = chain_of(*((120.0 + 36.0 * i, 210.0, 0.0) for i in range(8)))
    wide = chain_of(*((120.0 + 36.0 * i + 20.0 * (i > 3), 210.0, 0.0) for i in range(8)))
    for line, movable in ((row, {2, 3, 4, 5, 6, 7}), (wide, {2, 3, 6, 7})):
        rng = np.random.default_rng(1)
        tiles = [choose_place(line, range(2, 8), rng, 0.3, moving=True) for _ in range(30)]
        assert {tile.value for tile in tiles} == movable


def test_the_same_chance_gives_the_same_place():
    row = grown(1, 0.3, tiles=4)
    places = [choose_place(row, [5, 6], np.random.default_rng(7), 0.3) for _ in range(2)]
    assert places[0] == places[1]
