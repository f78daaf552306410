import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.fall.trials import disturb
from physics.learn.scores import score
from physics.predict.predict import Spread, predict
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Push
from physics.row.tile import STANDARD, Orientation, Tile
from physics.rows.row_file import read_scenarios

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"
# As measured when the coefficients were made; see tests/bench/RESULTS.md.
RECORDED_BRIER = 0.0439
RECORDED_ERROR = 0.0164


@cache
def rows():
    return read_scenarios(DATA)


@cache
def answers():
    return [told(row) for row in rows()]


def told(row, seed=0, **changes):
    parts = {"push": row.push, "friction": row.friction, "spread": row.spread, **changes}
    chain = parts.pop("chain", row.chain)
    return predict(chain, **parts, rng=np.random.default_rng(seed))


def straight(n, gap_mm):
    return Chain(
        tuple(
            Tile(i, Pose(i * (7.5 + gap_mm), 0, 0), Orientation.VERTICAL, spec=STANDARD)
            for i in range(n)
        )
    )


def chance(chain, **parts):
    usual = {"push": Push(), "friction": Friction(), "spread": Spread(), **parts}
    return predict(chain, **usual, rng=np.random.default_rng(0))


def test_predictions_are_as_good_as_recorded():
    seen = np.array([json.loads(line)["p_fall"] for line in DATA.read_text().splitlines()])
    found = score(np.array([p.p_fall for p in answers()]), seen)
    assert found["brier"] <= RECORDED_BRIER + RECORDED_ERROR


def test_the_same_seed_gives_the_same_answer():
    row = rows()[4]
    assert told(row, seed=5) == told(row, seed=5)


def test_another_seed_gives_nearly_the_same_answer():
    apart = [abs(told(row, seed=1).p_fall - told(row, seed=2).p_fall) for row in rows()[:10]]
    assert sum(apart) / len(apart) < 0.08


def test_a_short_straight_row_falls():
    found = chance(straight(6, 15))
    assert found.p_fall > 0.97
    assert found.all_fall
    assert found.low <= found.p_fall <= found.high


def test_a_gap_wider_than_the_tile_is_high_stops_the_fall():
    chain = straight(4, 15)
    far = Tile(9, Pose(4 * 22.5 + 45, 0, 0), Orientation.VERTICAL)
    found = chance(Chain((*chain.tiles, far)))
    assert found.p_fall < 0.02
    assert found.weakest == (3, 9)


def test_a_tile_clearly_beside_the_way_stays_up():
    chain = straight(4, 15)
    aside = Tile(9, Pose(4 * 22.5, 33, 0), Orientation.VERTICAL)
    assert chance(Chain((*chain.tiles, aside))).p_fall < 0.03


def test_a_stroke_short_of_the_balance_topples_nothing():
    assert chance(straight(4, 15), push=Push(stroke_mm=2.0, speed_mm_s=20.0)).p_fall < 0.1


def test_clear_rows_need_fewer_runs_than_doubtful_ones():
    found = answers()
    clear = [p.runs for p in found if not 0.05 < p.p_fall < 0.95]
    doubtful = [p.runs for p in found if 0.2 < p.p_fall < 0.8]
    assert np.mean(clear) < np.mean(doubtful)


@pytest.mark.parametrize("runs", [1, 2, 5, 12])
def test_never_more_runs_than_allowed(runs):
    row = rows()[2]
    found = told(row, runs=runs)
    assert found.runs == runs
    assert 0.0 <= found.low <= found.p_fall <= found.high <= 1.0


def test_a_prediction_needs_a_run():
    with pytest.raises(ValueError, match="at least 1 run, got 0"):
        told(rows()[2], runs=0)


def test_copies_fall_until_the_draws_are_sure_enough():
    row = rows()[2]
    rough, fine = told(row, error=0.2), told(row, runs=60, error=0.04)
    assert rough.runs < fine.runs < 60
    assert rough.error < 0.2
    assert fine.error < 0.04


def test_stopping_early_does_not_bend_the_mean():
    apart = []
    for row in rows()[::5]:
        many = told(row, seed=7, runs=24, error=0.0)
        few = told(row, seed=8)
        apart.append((few.p_fall - many.p_fall, math.hypot(few.error, many.error), few.runs))
    off, error, runs = np.array(apart).T
    assert runs.min() < 12
    assert abs(off.mean()) < 0.02
    assert np.mean(np.abs(off) <= 1.96 * error) >= 0.75


def test_the_interval_holds_what_was_seen_in_nine_rows_of_ten():
    lines = [json.loads(line) for line in DATA.read_text().splitlines()]
    held = [
        found.low - 0.5 / line["k"] <= line["p_fall"] <= found.high + 0.5 / line["k"]
        for found, line in zip(answers(), lines, strict=True)
    ]
    assert np.mean(held) >= 0.9
    assert np.mean([found.high - found.low for found in answers()]) < 0.6


def test_the_chance_of_all_is_that_of_the_push_and_every_joint():
    for found in answers():
        through = math.prod(joint.p for joint in found.joints)
        assert found.p_fall <= through + 1e-9
        assert min(j.p for j in found.joints) >= through


def test_without_spread_all_copies_are_the_row_itself():
    row = rows()[0]
    still = Spread(0.0, 0.0, 0.0, 0.0)
    found = disturb(row.chain, row.push, row.friction, still, 3, np.random.default_rng(0))
    assert np.ptp(found.copies.x_mm, axis=0).max() == 0.0
    assert np.ptp(found.speed_mm_s) == 0.0


def test_a_tile_of_known_sigma_is_disturbed_by_that():
    tiles = straight(2, 15).tiles
    sure = Chain((replace(tiles[0], sigma_mm=1e-6, sigma_rad=1e-6), tiles[1]))
    found = disturb(sure, Push(), Friction(), Spread(), 40, np.random.default_rng(0))
    assert np.std(found.copies.x_mm[:, 0]) < 1e-4 < 0.3 < np.std(found.copies.x_mm[:, 1])


def test_a_row_that_a_camera_sees_touching_is_predicted():
    tiles = [replace(t, sigma_mm=0.3, sigma_rad=0.01) for t in straight(4, -0.4).tiles]
    found = chance(Chain(tuple(tiles)))
    assert 0.0 <= found.low <= found.p_fall <= found.high <= 1.0


def test_copies_of_touching_tiles_do_not_overlap():
    chain = straight(6, 0.05)
    found = disturb(chain, Push(), Friction(), Spread(), 12, np.random.default_rng(0))
    assert found.near.gap_mm.min() > -1e-9


@settings(max_examples=8)
@given(st.integers(0, 59), st.floats(-3.0, 3.0), st.lists(st.booleans(), min_size=11, max_size=11))
def test_turning_a_row_or_any_heading_by_half_changes_nothing(which, turn, halves):
    row = rows()[which]
    still = Spread(0.0, 0.0, 0.0, 0.0)
    c, s = math.cos(turn), math.sin(turn)
    moved = Chain(
        tuple(
            replace(
                t,
                pose=Pose(
                    c * t.pose.x_mm - s * t.pose.y_mm + 50,
                    s * t.pose.x_mm + c * t.pose.y_mm,
                    t.pose.heading_rad + turn + (math.pi if half else 0.0),
                ),
            )
            for t, half in zip(row.chain.tiles, halves, strict=False)
        )
    )
    one, other = told(row, spread=still), told(row, spread=still, chain=moved)
    assert one.p_fall == pytest.approx(other.p_fall, abs=0.02)


@settings(max_examples=8)
@given(st.integers(0, 59))
def test_a_mirrored_row_has_the_same_chance(which):
    row = rows()[which]
    still = Spread(0.0, 0.0, 0.0, 0.0)
    mirrored = Chain(
        tuple(
            replace(t, pose=Pose(t.pose.x_mm, -t.pose.y_mm, -t.pose.heading_rad))
            for t in row.chain.tiles
        )
    )
    one, other = told(row, spread=still), told(row, spread=still, chain=mirrored)
    assert one.p_fall == pytest.approx(other.p_fall, abs=0.02)


@settings(max_examples=8)
@given(st.integers(0, 59), st.floats(0.5, 2.0))
def test_a_row_of_another_scale_has_the_same_chance(which, s):
    row = rows()[which]
    spec = row.chain.tiles[0].spec
    spec = replace(
        spec,
        length_mm=s * spec.length_mm,
        width_mm=s * spec.width_mm,
        thickness_mm=s * spec.thickness_mm,
    )
    larger = Chain(
        tuple(
            replace(t, pose=Pose(s * t.pose.x_mm, s * t.pose.y_mm, t.pose.heading_rad), spec=spec)
            for t in row.chain.tiles
        )
    )
    push = replace(
        row.push,
        speed_mm_s=row.push.speed_mm_s * math.sqrt(s),
        stroke_mm=row.push.stroke_mm * s,
        standoff_mm=row.push.standoff_mm * s,
        tip_radius_mm=row.push.tip_radius_mm * s,
    )
    spread = replace(row.spread, xy_mm=row.spread.xy_mm * s)
    one, other = told(row), told(row, chain=larger, push=push, spread=spread)
    assert one.p_fall == pytest.approx(other.p_fall, abs=0.02)
