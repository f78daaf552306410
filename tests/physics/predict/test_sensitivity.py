"""What a chance depends on: the same copies fall again with one quantity changed."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from physics.predict.predict import Spread, predict
from physics.predict.sensitivity import FACTORS, Sensitivity
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Push
from physics.row.tile import Orientation, Tile
from physics.rows.row_file import read_scenarios

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"
DOUBTFUL = 2
STILL = Spread(0.0, 0.0, 0.0, 0.0)


def straight(*xs):
    return Chain(tuple(Tile(i, Pose(x, 0, 0), Orientation.VERTICAL) for i, x in enumerate(xs)))


def told(chain, push=None, spread=None, seed=0):
    return predict(
        chain,
        push or Push(),
        Friction(),
        spread or Spread(),
        rng=np.random.default_rng(seed),
        runs=8,
        detail=True,
    )


def changes(prediction):
    return {s.name: s.per_tenth for s in prediction.sensitivity}


@cache
def doubtful_row():
    row = read_scenarios(DATA)[DOUBTFUL]
    return predict(
        row.chain, row.push, row.friction, row.spread, rng=np.random.default_rng(0), detail=True
    )


def test_a_row_that_falls_anyway_depends_on_nothing():
    found = changes(told(straight(0, 22, 44, 66)))
    assert set(found) == {"friction.tile_tile", "friction.tile_table", "push.speed"}
    assert max(map(abs, found.values())) < 0.003


def test_a_row_that_cannot_fall_depends_on_nothing():
    found = changes(told(straight(0, 22, 100)))
    assert max(map(abs, found.values())) < 0.003


def test_a_push_that_stops_short_of_the_balance_does_better_the_faster_it_is():
    found = told(straight(0, 22, 44), Push(stroke_mm=4.0, speed_mm_s=50.0))
    assert changes(found)["push.speed"] > 0.01
    curve = found.sensitivity[2].p_fall
    assert list(curve) == sorted(curve)


def test_the_curve_goes_through_the_chance_itself():
    found = doubtful_row()
    assert 0.1 < found.p_fall < 0.9
    for s in found.sensitivity:
        assert s.factors == FACTORS
        assert s.p_fall[FACTORS.index(1.0)] == found.p_fall
        assert all(0.0 <= p <= 1.0 for p in s.p_fall)


def test_a_doubtful_row_depends_on_something():
    assert max(abs(s.per_tenth) for s in doubtful_row().sensitivity) > 0.005


def test_asking_for_more_changes_nothing_else():
    row = read_scenarios(DATA)[DOUBTFUL]
    plain = predict(row.chain, row.push, row.friction, row.spread, rng=np.random.default_rng(0))
    assert plain.sensitivity == ()
    assert replace(doubtful_row(), sensitivity=()) == plain


def test_the_same_seed_gives_the_same_curves():
    chain = straight(0, 45, 90)
    assert told(chain, seed=3) == told(chain, seed=3)


def test_a_mirrored_row_depends_on_the_same():
    row = read_scenarios(DATA)[DOUBTFUL]
    mirrored = Chain(
        tuple(
            replace(t, pose=Pose(t.pose.x_mm, -t.pose.y_mm, -t.pose.heading_rad))
            for t in row.chain.tiles
        )
    )
    one, other = told(row.chain, spread=STILL), told(mirrored, spread=STILL)
    for a, b in zip(one.sensitivity, other.sensitivity, strict=True):
        assert a.p_fall == pytest.approx(b.p_fall, abs=0.02)


def test_the_slope_is_that_of_the_straightest_line():
    assert Sensitivity("push.speed", (0.7, 1.0, 1.3), (0.1, 0.9, 0.1)).per_tenth == pytest.approx(0)
    assert Sensitivity("push.speed", (0.9, 1.0, 1.1), (0.4, 0.5, 0.6)).per_tenth == pytest.approx(
        0.1
    )
