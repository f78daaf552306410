import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.row.chain import Chain, RowSide, order, place, whole_mm
from physics.row.pose import Pose, full_turn
from physics.row.row_rules import ViolationKind, check
from physics.row.tile import Orientation, State, Tile

UP, LONG = Orientation.VERTICAL, Orientation.HORIZONTAL


def tile(value, x, y, heading_deg=0.0, orientation=UP, state=State.STANDING):
    return Tile(value, Pose(x, y, math.radians(heading_deg)), orientation, state)


def walk(pitches, bends_deg, start=(100.0, 100.0, 0.0), orientations=None):
    """A row of tiles, each a pitch and a bend on from the one before, numbered from 1."""
    x, y, way = start
    tiles = [Tile(1, Pose(x, y, way), (orientations or [UP])[0])]
    for i, (pitch, bend) in enumerate(zip(pitches, bends_deg, strict=True)):
        step = way + math.radians(bend) / 2
        x, y = x + pitch * math.cos(step), y + pitch * math.sin(step)
        way += math.radians(bend)
        how = orientations[i + 1] if orientations else UP
        tiles.append(Tile(i + 2, Pose(x, y, full_turn(way)), how))
    return tiles


def either_way(values, expected):
    return list(values) in (list(expected), list(expected)[::-1])


U_ROW = walk([22.0] * 10, [0, 0, 0, 36, 36, 36, 36, 36, 0, 0])


@st.composite
def rows(draw):
    """Rows that people build: 2 to 11 tiles, bent but not curled up, turned by half at will."""
    count = draw(st.integers(2, 11))
    pitches = draw(st.lists(st.floats(14, 34), min_size=count - 1, max_size=count - 1))
    curve = draw(st.floats(-14, 14))
    bends = [curve + draw(st.floats(-8, 8)) for _ in pitches]
    way = draw(st.floats(-math.pi, math.pi))
    hows = draw(st.lists(st.sampled_from([UP, LONG]), min_size=count, max_size=count))
    return [
        replace(t, pose=t.pose.turned()) if draw(st.booleans()) else t
        for t in walk(pitches, bends, (0.0, 0.0, way), hows)
    ]


@given(rows(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_a_curved_row_is_put_in_order_however_it_is_listed(tiles, random):
    shuffled = random.sample(tiles, len(tiles))
    assert either_way(order(shuffled).values, [t.value for t in tiles])


@given(rows(), st.floats(-math.pi, math.pi), st.booleans())
@settings(max_examples=40)
def test_turning_or_mirroring_the_table_does_not_change_the_order(tiles, angle, mirrored):
    def seen(t):
        sign = -1.0 if mirrored else 1.0
        x, y = t.pose.x_mm, sign * t.pose.y_mm
        c, s = math.cos(angle), math.sin(angle)
        return replace(
            t, pose=Pose(x * c - y * s, x * s + y * c, sign * t.pose.heading_rad + angle)
        )

    assert either_way(order([seen(t) for t in tiles]).values, order(tiles).values)


@given(rows())
@settings(max_examples=40)
def test_headings_point_down_the_row_and_poses_stay(tiles):
    chain = order(tiles)
    for one, two in pairwise(chain.tiles):
        dx, dy = two.pose.x_mm - one.pose.x_mm, two.pose.y_mm - one.pose.y_mm
        assert dx * one.pose.normal[0] + dy * one.pose.normal[1] > 0
        assert dx * two.pose.normal[0] + dy * two.pose.normal[1] > 0
    where = {t.value: (t.pose.x_mm, t.pose.y_mm) for t in tiles}
    assert {t.value: (t.pose.x_mm, t.pose.y_mm) for t in chain.tiles} == where


@given(rows())
@settings(max_examples=40)
def test_a_row_that_keeps_clear_of_itself_breaks_no_rule(tiles):
    chain = order(tiles)
    assert not [v for v in check(chain) if v.kind in (ViolationKind.TOO_FAR, ViolationKind.APART)]
    if max(abs(t.pose.heading_rad - tiles[0].pose.heading_rad) for t in tiles) < 1.0:
        assert [v for v in check(chain) if v.kind is not ViolationKind.OVERLAPPING] == []


@given(rows(), st.data())
@settings(max_examples=40)
def test_a_tile_taken_away_and_put_back_finds_its_place_again(tiles, data):
    whole = order(tiles)
    taken = data.draw(st.integers(0, len(tiles) - 1))
    rest = [t for i, t in enumerate(whole.tiles) if i != taken]
    assert order(whole.tiles, Chain(tuple(rest))).values == whole.values or len(rest) < 2


def test_a_row_bent_like_a_u_is_in_order():
    assert either_way(order(U_ROW[::2] + U_ROW[1::2]).values, range(1, 12))
    assert check(order(U_ROW)) == ()


def test_a_zigzag_row_is_in_order():
    zigzag = [tile(i + 1, 100 + 17 * i, 200 + 12 * (i % 2), 20 * (-1) ** i) for i in range(11)]
    assert order(zigzag[::-1]).values == tuple(range(1, 12))
    assert check(order(zigzag)) == ()


def test_a_tile_placed_sideways_stays_in_the_row():
    row = [tile(1, 100, 200), tile(2, 122, 200, 85), tile(3, 150, 200), tile(4, 170, 203, 12)]
    assert order(row).values == (1, 2, 3, 4)
    assert check(order(row)) == ()


def test_a_fresh_row_starts_at_the_end_with_the_lower_x():
    assert order([tile(9, 60, 0), tile(2, 20, 0), tile(6, 40, 0)]).values == (2, 6, 9)
    assert order([tile(9, 50, 60, 90), tile(2, 50, 20, 90), tile(6, 50, 40, 90)]).values == (
        2,
        6,
        9,
    )


def test_a_known_row_keeps_its_direction_when_it_bends_back():
    grown = Chain(())
    for count in range(1, 12):
        grown = order(U_ROW[:count], grown)
    assert grown.values == tuple(range(1, 12))
    ends_swapped = order(U_ROW[::-1], grown)
    assert ends_swapped.values == grown.values


def test_the_second_tile_may_stand_left_of_the_first():
    alone = order([tile(6, 300, 200)])
    row = order([tile(6, 300, 200), tile(3, 278, 203)], alone)
    assert row.values == (3, 6)
    assert place(row, row.tiles[0]).side is RowSide.LEFT


def test_a_tile_between_two_others_splits_their_gap():
    row = order([tile(3, 100, 0), tile(6, 140, 0), tile(9, 165, 0)])
    grown = order([*row.tiles, tile(8, 121, 3, 10)], row)
    assert grown.values == (3, 8, 6, 9)
    where = place(grown, tile(8, 121, 3))
    assert (where.index, where.side) == (1, RowSide.BETWEEN)
    assert [t.value for t in where.between] == [3, 6]


def test_a_tile_between_the_legs_of_a_u_joins_the_leg_it_faces():
    legs = order(U_ROW)
    end = legs.tiles[-1].pose
    beyond = end.to_table(20.0, 0.0)
    grown = order([*U_ROW, Tile(12, Pose(*beyond, end.heading_rad), UP)], legs)
    assert place(grown, grown.tiles[-1]).side is RowSide.RIGHT
    assert grown.values[-1] == 12


def test_a_tile_moved_to_the_other_end_is_found_there():
    row = order([tile(v, 100 + 22 * i, 0) for i, v in enumerate([4, 2, 6, 1, 3])])
    moved = [replace(t, pose=Pose(210, 0, 0)) if t.value == 2 else t for t in row.tiles]
    assert order(moved, row).values == (4, 6, 1, 3, 2)


def test_an_unread_tile_keeps_the_place_it_had():
    row = order([tile(v, 100 + 22 * i, 0) for i, v in enumerate([4, 2, 6])])
    unread = [replace(t, value=None) if t.value == 2 else t for t in row.tiles]
    assert order(unread[::-1], row).values == (4, None, 6)


def test_lying_tiles_are_no_part_of_the_order():
    lying = tile(5, 122, 0, state=State.FALLEN)
    row = order([tile(4, 100, 0), lying, tile(6, 144, 0)])
    assert row.values == (4, 6)
    assert [(v.kind, v.values) for v in check(row, lying=[lying])] == [(ViolationKind.FLAT, (5,))]


def test_no_tile_and_one_tile_are_rows_too():
    assert order([]) == Chain(())
    assert check(order([])) == ()
    assert order([tile(6, 0, 0)]).values == (6,)
    assert check(order([tile(6, 0, 0)])) == ()


def test_a_tile_that_is_not_in_the_row_has_no_place():
    with pytest.raises(ValueError, match="7"):
        place(order([tile(6, 0, 0)]), tile(7, 0, 0))


def test_a_reversed_row_falls_the_other_way():
    row = order([tile(1, 0, 0), tile(2, 20, 0)])
    assert row.reversed().values == (2, 1)
    assert abs(row.reversed().tiles[0].pose.heading_rad) == pytest.approx(math.pi)


@pytest.mark.parametrize(("gap_mm", "shown"), [(20.44, 20), (20.46, 21), (20.5, 21), (21.5, 22)])
def test_every_screen_shows_the_same_whole_millimetres_of_a_gap(gap_mm, shown):
    """A phone rounds the tenth of the journal, halves up."""
    assert whole_mm(gap_mm) == shown
