import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.fall.simulate import simulate
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Push
from physics.row.tile import Orientation, Tile, TileSpec
from physics.rows.row_fields import read_scenario

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"
RUB = Friction(0.2, 0.5)
PUSH = Push(0.85, 45.0)


def straight(n, gap_mm, orientation=Orientation.VERTICAL, spec=None):
    spec = spec or TileSpec()
    pitch = spec.thickness_mm + gap_mm
    return Chain(tuple(Tile(i, Pose(i * pitch, 0, 0), orientation, spec=spec) for i in range(n)))


def rows(count):
    lines = DATA.read_text().splitlines()[:count]
    return [read_scenario(json.loads(line), "rows") for line in lines]


def scaled(chain, s):
    spec = chain.tiles[0].spec
    bigger = TileSpec(s * spec.length_mm, s * spec.width_mm, s * spec.thickness_mm, spec.mass_g)
    return Chain(
        tuple(
            replace(t, pose=Pose(s * t.pose.x_mm, s * t.pose.y_mm, t.pose.heading_rad), spec=bigger)
            for t in chain.tiles
        )
    )


# Speeds of the front in m/s over tiles 10 to 20, friction 0.2, from a 3D simulation that agrees
# with the published model of the leaning train within 2 %.
@pytest.mark.parametrize(
    ("gap_mm", "speed_m_s"), [(6, 0.94), (10, 0.98), (15, 0.953), (20, 0.917), (30, 0.848)]
)
def test_the_front_of_a_straight_row_is_as_fast_as_the_published_one(gap_mm, speed_m_s):
    fall = simulate(straight(25, gap_mm), PUSH, RUB)
    arrival = fall.outcome.arrival_s
    assert arrival[10] is not None
    assert arrival[20] is not None
    speed = 10 * (7.5 + gap_mm) / 1000 / (arrival[20] - arrival[10])
    assert speed == pytest.approx(speed_m_s, rel=0.03)


def test_speeds_go_with_the_square_root_of_size():
    small = simulate(straight(12, 15), PUSH, RUB).outcome.arrival_s
    push = replace(PUSH, speed_mm_s=90.0, stroke_mm=48.0, standoff_mm=8.0, tip_radius_mm=20.0)
    large = simulate(scaled(straight(12, 15), 4.0), push, RUB).outcome.arrival_s
    assert large == pytest.approx([2.0 * t for t in small if t is not None])


@pytest.mark.parametrize("s", [0.7, 1.6])
def test_a_row_of_another_scale_falls_alike(s):
    for row in rows(6):
        push = replace(
            row.push,
            speed_mm_s=row.push.speed_mm_s * math.sqrt(s),
            stroke_mm=row.push.stroke_mm * s,
            standoff_mm=row.push.standoff_mm * s,
            tip_radius_mm=row.push.tip_radius_mm * s,
        )
        one = simulate(row.chain, row.push, row.friction)
        other = simulate(scaled(row.chain, s), push, row.friction)
        assert one.outcome.fallen == other.outcome.fallen
        assert one.tilt_rad == pytest.approx(other.tilt_rad, abs=1e-3)


@settings(max_examples=10)
@given(
    st.floats(-3.0, 3.0),
    st.floats(-500.0, 500.0),
    st.booleans(),
    st.integers(0, 11),
)
def test_where_a_row_stands_and_whether_it_is_mirrored_does_not_matter(turn, shift, mirror, which):
    row = rows(12)[which]
    c, s = math.cos(turn), math.sin(turn)
    side = -1.0 if mirror else 1.0
    moved = Chain(
        tuple(
            replace(
                t,
                pose=Pose(
                    c * t.pose.x_mm - s * side * t.pose.y_mm + shift,
                    s * t.pose.x_mm + c * side * t.pose.y_mm,
                    side * t.pose.heading_rad + turn + math.pi,
                ),
            )
            for t in row.chain.tiles
        )
    )
    one = simulate(row.chain, row.push, row.friction)
    other = simulate(moved, row.push, row.friction)
    assert one.outcome.fallen == other.outcome.fallen


def test_the_same_row_falls_the_same_way_twice():
    row = rows(3)[2]
    assert simulate(row.chain, row.push, row.friction) == simulate(
        row.chain, row.push, row.friction
    )


def test_a_finer_step_changes_at_most_one_row_of_thirty():
    flips = 0
    for row in rows(30):
        usual = simulate(row.chain, row.push, row.friction)
        fine = simulate(row.chain, row.push, row.friction, step_s=0.0005)
        flips += usual.outcome.all_fell != fine.outcome.all_fell
    assert flips <= 1


def test_fallen_tiles_end_tilted_and_standing_ones_upright():
    chain = straight(4, 15)
    far = Chain((*chain.tiles, Tile(9, Pose(300, 0, 0), Orientation.VERTICAL)))
    fall = simulate(far, PUSH, RUB)
    assert fall.outcome.fallen == (True, True, True, True, False)
    assert all(tilt > math.radians(45) for tilt in fall.tilt_rad[:4])
    assert fall.tilt_rad[4] == pytest.approx(0.0, abs=1e-3)
    assert fall.outcome.arrival_s[4] is None


def test_tiles_begin_to_fall_one_after_the_other():
    arrival = simulate(straight(8, 15), PUSH, RUB).outcome.arrival_s
    assert list(arrival) == sorted(arrival)


def test_a_gap_wider_than_the_tile_is_high_is_not_crossed():
    fall = simulate(straight(3, 50), PUSH, RUB)
    assert fall.outcome.fallen == (True, False, False)
    assert (fall.stalled, fall.why) == (0, "out of reach")


def test_a_tile_beside_the_way_of_the_fall_stays_up():
    chain = Chain((*straight(2, 15).tiles, Tile(7, Pose(45, 26, 0), Orientation.VERTICAL)))
    fall = simulate(chain, PUSH, RUB)
    assert fall.outcome.fallen == (True, True, False)
    assert (fall.stalled, fall.why) == (1, "missed")


def test_a_stroke_short_of_the_balance_topples_nothing():
    fall = simulate(straight(3, 15), replace(PUSH, stroke_mm=2.0), RUB)
    assert fall.outcome.fallen == (False, False, False)
    assert fall.stalled == -1


def test_a_single_tile_falls_to_the_push():
    fall = simulate(straight(1, 0), PUSH, RUB)
    assert fall.outcome.all_fell
    assert fall.stalled is None


def test_a_push_low_on_the_tile_of_a_slippery_table_slides_it_away():
    push = replace(PUSH, height_frac=0.35)
    assert not simulate(straight(1, 0), push, Friction(0.2, 0.15)).outcome.all_fell


def test_more_tiles_than_collision_groups_fall_too():
    assert simulate(straight(40, 15), PUSH, RUB).outcome.all_fell


@pytest.mark.parametrize("push", [Push(speed_mm_s=0.01), Push(stroke_mm=9000.0)])
def test_a_push_that_creeps_or_goes_on_and_on_still_comes_to_an_end(push):
    assert simulate(straight(3, 15), push, RUB).outcome.all_fell
