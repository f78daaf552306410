import math
from dataclasses import replace

import numpy as np
import pytest

from physics.fall.joint import copies_of, joints_of
from physics.fall.side_view import side_view
from physics.fall.simulate import STEP_S, Run
from physics.learn.leaning_train import (
    Row,
    front_speed,
    hit_times,
    largest_gap,
    largest_growth,
    slow_start,
    speed_m_s,
)
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Push
from physics.row.tile import Orientation, Tile, TileSpec

THICKNESS = 7.5 / 48


# Chapman's open program (eigenmatt/domino-simulation) over tiles 11 to 20, friction 0.2, m/s.
@pytest.mark.parametrize(
    ("gap_mm", "told_m_s"), [(6, 0.93), (10, 0.97), (15, 0.949), (20, 0.916), (30, 0.845)]
)
def test_the_train_is_as_fast_as_in_another_program_for_the_same_model(gap_mm, told_m_s):
    assert speed_m_s(48, 7.5, gap_mm, 0.2, (10, 20)) == pytest.approx(told_m_s, rel=0.01)


# Van Leeuwen's own program: gap in heights and speed in sqrt(g height), friction 0.25.
@pytest.mark.parametrize(
    ("gap", "told"),
    [(0.1, 1.468), (0.204, 1.380), (0.301, 1.325), (0.406, 1.276), (0.503, 1.230), (0.6, 1.180)],
)
def test_the_steady_wave_is_as_fast_as_in_van_leeuwens_program(gap, told):
    assert front_speed(Row(THICKNESS, gap, 0.25)) == pytest.approx(told, rel=0.003)


def fall_s(kinetic, sunk, start, end):
    """Time from upright to a tilt, by energy: kinetic is that at unit speed of the front."""
    steps = 4000
    width = end / steps
    tilts = [(i + 0.5) * width for i in range(steps)]
    return sum(
        width / math.sqrt((start**2 * kinetic(0.0) + sunk(t) - sunk(0.0)) / kinetic(t))
        for t in tilts
    )


def sunk(height, tilt):
    thick = THICKNESS * height
    return height**3 * (height * (1 - math.cos(tilt)) - thick * math.sin(tilt)) / 2


def test_two_tiles_of_unlike_size_fall_as_their_energy_says():
    row, start = Row(THICKNESS, 0.5, growth=1.3), 1.0
    small = (1 + THICKNESS**2) / 6
    large = small * 1.3**5
    hit = math.asin(0.5)
    first = fall_s(lambda _: small, lambda t: sunk(1.0, t), start, hit)

    def behind(tilt):
        pitch = 0.5 + 1.3 * THICKNESS
        return tilt + math.asin(pitch * math.cos(tilt) - 1.3 * THICKNESS)

    def both(tilt):
        ratio = (behind(tilt + 1e-5) - behind(tilt - 1e-5)) / 2e-5
        return large + small * ratio**2

    at_hit = math.sqrt(start**2 + sunk(1.0, hit) / small)
    # At the hit both levers are the same, and so are both speeds after it.
    after = at_hit * small / (small + large)
    second = fall_s(both, lambda t: sunk(1.3, t) + sunk(1.0, behind(t)), after, hit)
    assert hit_times(row, 2, start) == pytest.approx((first, second), rel=1e-5)


def test_a_long_row_comes_to_the_steady_wave():
    row = Row(THICKNESS, 0.4, 0.3)
    last = hit_times(row, 40, 1.0)[-1]
    assert (row.gap + row.thickness) / last == pytest.approx(front_speed(row), rel=1e-4)


def test_a_push_too_weak_for_the_first_tile_topples_nothing():
    row = Row(THICKNESS, 0.5)
    assert hit_times(row, 3, 0.9 * slow_start(row)) == ()
    assert len(hit_times(row, 3, slow_start(row))) == 3


def test_friction_slows_the_wave_and_narrows_what_it_crosses():
    speeds = [front_speed(Row(THICKNESS, 0.4, mu)) for mu in (0.0, 0.2, 0.4)]
    assert speeds == sorted(speeds, reverse=True)
    assert largest_gap(THICKNESS, 0.4) < largest_gap(THICKNESS, 0.2) < 1.0


def test_tiles_may_grow_most_where_they_stand_far_apart_and_are_thin():
    limits = [largest_growth(THICKNESS, gap) for gap in (0.1, 0.3, 0.5, 0.7)]
    assert limits == sorted(limits)
    assert largest_growth(0.1, 0.5) > largest_growth(0.2, 0.5) > 1.0


def test_the_largest_growth_parts_rows_that_go_on_from_rows_that_stop():
    limit = largest_growth(THICKNESS, 0.5)
    assert len(hit_times(Row(THICKNESS, 0.5, growth=0.99 * limit), 60, 1.1)) == 60
    assert len(hit_times(Row(THICKNESS, 0.5, growth=1.03 * limit), 60, 1.1)) < 60


def test_no_wave_crosses_a_gap_as_wide_as_the_tile_is_high():
    assert front_speed(Row(THICKNESS, 1.0)) is None
    assert speed_m_s(48, 7.5, 50, 0.2) is None


def trial(chain, push, friction, growth=1.0):
    copies = copies_of(chain)
    view = side_view(copies, joints_of(copies), joints_of(copies, skip=2))
    run = Run(
        replace(view, load=np.full_like(view.load, growth**3)),
        0,
        push,
        friction,
        step_s=STEP_S if growth == 1.0 else 0.0005,
        to_rest=growth != 1.0,
    )
    run.go()
    return run.result().outcome


@pytest.mark.parametrize("gap_mm", [6, 10, 15, 20, 30])
def test_the_front_of_a_trial_keeps_to_the_leaning_train(gap_mm):
    pitch = 7.5 + gap_mm
    tiles = tuple(Tile(i, Pose(i * pitch, 0, 0), Orientation.VERTICAL) for i in range(25))
    arrival = trial(Chain(tiles), Push(), Friction(0.2, 0.5)).arrival_s
    speed = 10 * pitch / 1000 / (arrival[20] - arrival[10])
    assert speed == pytest.approx(speed_m_s(48, 7.5, gap_mm, 0.2, (10, 20)), rel=0.03)


@pytest.mark.parametrize("gap", [0.4, 0.6])
def test_the_side_view_topples_a_tile_as_large_as_the_train_does_and_no_larger(gap):
    def train(growth):
        row = Row(THICKNESS, gap, growth=growth)
        return len(hit_times(row, 2, slow_start(row))) == 2

    def here(growth):
        large = TileSpec(48 * growth, 24 * growth, 7.5 * growth)
        away = 7.5 / 2 + 48 * gap + 7.5 * growth / 2
        pair = Chain(
            (
                Tile(1, Pose(0, 0, 0), Orientation.VERTICAL),
                Tile(2, Pose(away, 0, 0), Orientation.VERTICAL, spec=large),
            )
        )
        slow = Push(speed_mm_s=20.0, stroke_mm=7.0, standoff_mm=0.0)
        return trial(pair, slow, Friction(0.001, 5.0), growth).all_fell

    growths = [1.0 + 0.01 * i for i in range(100)]
    limit = max(g for g in growths if train(g))
    assert here(limit - 0.03)
    assert not here(limit + 0.03)
