"""Copies of a row fall as the row does, at the step of the trials and with the push they carry."""

import math
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest

from physics.fall.engine import place_mm, turned_rad
from physics.fall.joint import copies_of, joints_of
from physics.fall.side_view import side_view
from physics.fall.simulate import STEP_S, Run, simulate
from physics.fall.trials import disturb, let_fall, trials_of
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Path, Push
from physics.row.spread import Spread
from physics.row.table_values import Values
from physics.row.tile import Orientation, Tile, TileSpec

RUB = Friction(0.2, 0.5)
STILL = Spread(0.0, 0.0, 0.0, 0.0)
SMOOTH = Push(0.6, 120.0, standoff_mm=5.0, path=Path.SMOOTH, hold_s=0.3)


def straight(count, gap_mm):
    poses = (Pose(i * (7.5 + gap_mm), 0, 0) for i in range(count))
    return Chain(tuple(Tile(i, pose, Orientation.VERTICAL) for i, pose in enumerate(poses)))


def trial(chain, push, friction):
    copies = copies_of(chain)
    view = side_view(copies, joints_of(copies), joints_of(copies, skip=2))
    run = Run(view, 0, push, friction)
    run.go()
    return run


# m/s over tiles 10 to 20: the published program, and 3D, for the leaning train; both agree to 2 %.
@pytest.mark.parametrize(
    ("gap_mm", "speed_m_s"), [(6, 0.93), (10, 0.97), (15, 0.949), (20, 0.916), (30, 0.845)]
)
def test_a_front_is_as_fast_at_the_step_of_trials_as_published(gap_mm, speed_m_s):
    arrival = trial(straight(25, gap_mm), Push(), RUB).result().outcome.arrival_s
    speed = 10 * (7.5 + gap_mm) / 1000 / (arrival[20] - arrival[10])
    assert speed == pytest.approx(speed_m_s, rel=0.03)


def test_a_trial_looks_at_no_more_tiles_than_fall():
    run = trial(straight(40, 60), Push(), RUB)
    assert run.fallen == (True, *39 * [False])
    assert run.result().stalled == 0
    assert list(run._live) == [0]


def test_copies_stand_on_tables_in_turn_with_the_same_noise():
    tables = [Values(RUB.tile_tile, RUB.tile_table), Values(0.4, 0.6, 0.5, 2.0, 0.3)]
    usual, told = (
        disturb(straight(3, 15), SMOOTH, RUB, Spread(), 4, np.random.default_rng(1), at)
        for at in ((), tables)
    )
    at_mm = 22.5 * np.arange(3)
    off_mm, told_mm = usual.copies.x_mm - at_mm, told.copies.x_mm - at_mm
    assert told_mm == pytest.approx(off_mm * np.array([[1], [2], [1], [2]]))
    assert told.tile_tile == pytest.approx(usual.tile_tile * (1, 2, 1, 2))
    assert told.tile_table == pytest.approx(usual.tile_table * (1, 1.2, 1, 1.2))
    assert told.stroke_mm == pytest.approx(usual.stroke_mm * (1, 0.5, 1, 0.5))
    assert told.only([1, 2]).contact.tolist() == [0.3, 0.0]


def test_copies_carry_the_whole_push_and_only_its_speed_is_disturbed():
    spread = replace(STILL, push_speed=0.2)
    told = disturb(straight(3, 15), SMOOTH, RUB, spread, 6, np.random.default_rng(1))
    assert told.smooth.tolist() == 6 * [True]
    assert told.standoff_mm.tolist() == 6 * [5.0]
    assert told.hold_s.tolist() == 6 * [0.3]
    assert told.height_frac.tolist() == 6 * [0.6]
    assert len(set(told.speed_mm_s.tolist())) == 6
    assert told.speed_mm_s.mean() == pytest.approx(120.0)


def test_some_of_the_copies_keep_the_pushes_that_are_theirs():
    copies = copies_of(straight(3, 15))
    two = replace(copies, **{n: np.repeat(getattr(copies, n), 2, 0) for n in ("x_mm", "y_mm")})
    two = replace(two, heading_rad=np.repeat(copies.heading_rad, 2, 0))
    told = trials_of(two, [Push(), SMOOTH], [RUB, Friction(0.3, 0.4)])
    last = told.only([1])
    assert (last.smooth.tolist(), last.hold_s.tolist()) == ([True], [0.3])
    assert (last.standoff_mm.tolist(), last.speed_mm_s.tolist()) == ([5.0], [120.0])
    assert let_fall(told, [1]).crossing == pytest.approx(let_fall(last).crossing)


def overlaps_mm2(copies, k):
    """How much area tiles of one copy share with each other, as OpenCV has it."""
    sizes = zip(copies.thickness_mm.tolist(), copies.face_mm.tolist(), strict=True)
    places = zip(copies.x_mm[k], copies.y_mm[k], np.degrees(copies.heading_rad[k]), strict=True)
    boxes = [((x, y), size, a) for (x, y, a), size in zip(places, sizes, strict=True)]
    shared = (cv2.rotatedRectangleIntersection(*pair)[1] for pair in combinations(boxes, 2))
    return sum(cv2.contourArea(cv2.convexHull(part)) for part in shared if part is not None)


@pytest.mark.parametrize("spread", [replace(STILL, xy_mm=1.5), replace(STILL, heading_rad=0.1)])
def test_copies_whose_tiles_overlap_are_drawn_anew_and_the_others_are_kept(spread):
    row = straight(4, 2.0)
    trials = disturb(row, Push(), RUB, spread, 60, np.random.default_rng(1))
    copies = trials.copies
    assert max(overlaps_mm2(copies, k) for k in range(60)) < 0.01
    # Of a pair, the one is as far from the row as the other, unless either was drawn anew.
    nominal = copies_of(row)
    off = np.stack([getattr(copies, n) - getattr(nominal, n) for n in ("x_mm", "heading_rad")])
    kept = np.isclose(off[:, 0::2], -off[:, 1::2], atol=1e-9).all(axis=(0, 2))
    assert 5 <= kept.sum() <= 25
    assert (np.abs(off).sum(axis=(0, 2)) > 0.01).all()


def test_a_row_that_overlaps_however_it_is_drawn_falls_as_it_was_measured():
    row = straight(3, -3.0)
    copies = disturb(
        row, Push(), RUB, replace(STILL, xy_mm=0.1), 4, np.random.default_rng(1)
    ).copies
    assert copies.x_mm.tolist() == 4 * copies_of(row).x_mm.tolist()


@pytest.mark.parametrize("other", [{"path": Path.SMOOTH}, {"height_frac": 0.5}, {"stroke_mm": 7.0}])
def test_the_push_of_a_copy_decides_how_it_falls(other):
    chain = straight(3, 15)
    usual, changed = (
        let_fall(disturb(chain, push, RUB, STILL, 1, np.random.default_rng(0)))
        for push in (Push(stroke_mm=2.0), replace(Push(stroke_mm=2.0), **other))
    )
    assert usual.peak[0, 0] != pytest.approx(changed.peak[0, 0], abs=0.01)


@pytest.mark.parametrize("s", [0.7, 1.6])
@pytest.mark.parametrize("push", [Push(), SMOOTH, replace(SMOOTH, speed_mm_s=40.0, stroke_mm=3.0)])
def test_trials_of_another_scale_fall_alike(s, push):
    chain = straight(6, 15)
    spec = chain.tiles[0].spec
    bigger = TileSpec(s * spec.length_mm, s * spec.width_mm, s * spec.thickness_mm, spec.mass_g)
    large = Chain(
        tuple(replace(t, pose=Pose(s * t.pose.x_mm, 0, 0), spec=bigger) for t in chain.tiles)
    )
    stronger = replace(
        push,
        speed_mm_s=push.speed_mm_s * math.sqrt(s),
        stroke_mm=push.stroke_mm * s,
        standoff_mm=push.standoff_mm * s,
        tip_radius_mm=push.tip_radius_mm * s,
        hold_s=push.hold_s * math.sqrt(s),
    )
    one, other = trial(chain, push, RUB), trial(large, stronger, RUB)
    assert other.fallen == one.fallen
    assert other.time_s == pytest.approx(one.time_s)
    times, expected = (r.result().outcome.arrival_s for r in (other, one))
    assert [t is None for t in times] == [t is None for t in expected]
    assert [t for t in times if t] == pytest.approx(
        [t * math.sqrt(s) for t in expected if t], rel=1e-3
    )


@pytest.mark.parametrize("push", [Push(stroke_mm=6.0), SMOOTH, replace(SMOOTH, stroke_mm=4.0)])
@pytest.mark.parametrize("gap_mm", [1, 8, 25])
def test_a_still_copy_falls_as_far_as_the_row(push, gap_mm):
    chain = straight(6, gap_mm)
    copies = disturb(chain, push, RUB, STILL, 1, np.random.default_rng(0))
    assert let_fall(copies).fallen[0].tolist() == list(simulate(chain, push, RUB).outcome.fallen)


def test_a_smooth_tip_goes_its_way_and_returns_to_where_it_started():
    push = replace(SMOOTH, speed_mm_s=40.0, stroke_mm=3.0)
    run = trial(straight(1, 0), push, RUB)
    assert run.fallen == (False,)
    assert place_mm(run.tip)[0] + push.tip_radius_mm == pytest.approx(-5.0, abs=0.01)
    assert run.time_s + push.touch_s > push.back_s + push.out_s


def test_the_longer_the_tip_stays_the_longer_a_tile_may_lean_on_it():
    # Pushed just short of its balance, a tile comes back only when the tip lets it.
    push = replace(SMOOTH, speed_mm_s=40.0, stroke_mm=3.0)
    ends = [
        trial(straight(1, 0), replace(push, hold_s=hold_s), RUB).time_s for hold_s in (0.1, 0.5)
    ]
    assert ends[1] - ends[0] == pytest.approx(0.4, abs=3 * STEP_S)


def test_arrival_times_count_from_the_start_of_the_motion():
    near = simulate(straight(3, 15), Push(standoff_mm=2.0), RUB).outcome.arrival_s
    far = simulate(straight(3, 15), Push(standoff_mm=11.0), RUB).outcome.arrival_s
    assert far == pytest.approx([t + 9.0 / 45.0 for t in near])


def test_the_tilts_read_in_one_call_belong_to_the_tiles_they_are_noted_for():
    run = trial(straight(20, 15), Push(), RUB)
    assert 0 not in run._live  # tiles far behind the front have left
    for i, body in run._live.items():
        assert run.tilt[i] == -turned_rad(body)
