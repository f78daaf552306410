"""How good predictions are on rows that no fit has seen, of sizes that no fit has seen."""

from functools import cache
from pathlib import Path

import numpy as np

from physics.learn.fit import read_references
from physics.learn.scores import score
from physics.predict.predict import predict
from physics.row.push import Path as Way

DATA = Path(__file__).parents[2] / "data" / "rows-unseen-60.jsonl"
RECORDED_BRIER = 0.0244


@cache
def answers():
    rows = read_references([DATA])
    told = []
    for i, row in enumerate(rows):
        s = row.scenario
        told.append(predict(s.chain, s.push, s.friction, s.spread, rng=np.random.default_rng(i)))
    return rows, told


def test_predictions_are_as_good_as_they_were():
    rows, told = answers()
    figures = score(np.array([p.p_fall for p in told]), np.array([r.p_fall for r in rows]))
    assert figures["brier"] < RECORDED_BRIER + figures["brier_error"]
    assert figures["right_on_clear"] >= 0.95


def test_what_was_seen_lies_within_the_interval_of_nearly_every_row():
    rows, told = answers()
    inside = [
        p.low - 0.5 / r.k <= r.p_fall <= p.high + 0.5 / r.k for r, p in zip(rows, told, strict=True)
    ]
    assert np.mean(inside) >= 0.9


def test_smooth_and_steady_pushes_are_both_foreseen():
    rows, told = answers()
    for path in Way:
        chosen = [i for i, r in enumerate(rows) if r.scenario.push.path is path]
        assert len(chosen) > 20
        seen = np.array([rows[i].p_fall for i in chosen])
        error = np.mean((np.array([told[i].p_fall for i in chosen]) - seen) ** 2)
        assert error < 0.4 * seen.var()
