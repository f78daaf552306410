from dataclasses import replace
from random import Random

import numpy as np
import pytest

from physics.calibrate.posterior import LEAST_PUSHES, fit_of, posterior, weighed
from physics.calibrate.recorded import Recorded
from physics.calibrate.surrogate import NAMES, spread_evenly, stops
from physics.errors import PhysicsError
from physics.fall.trials import disturb, let_fall
from physics.predict.hazard import usual
from physics.row.table_values import Values
from physics.rows.generators import Shape, Wanted, generated

POINTS = 12


def rows(count):
    chance = Random(4)
    return [
        generated(Wanted(Shape.PLAYER, count=4, gap_mm=chance.uniform(18, 30)), chance, str(i))
        for i in range(count)
    ]


def at(values, count=16, seed=5):
    """Pushes at a table of which all is known."""
    rng, pushes = np.random.default_rng(seed), []
    for row in rows(count):
        trials = disturb(row.chain, row.push, row.friction, row.spread, 1, rng, [values])
        down = rng.random(4) < usual().chances(trials, let_fall(trials))[0]
        pushes.append(Recorded(row, next((i for i, fell in enumerate(down) if not fell), 4)))
    return pushes


@pytest.fixture(scope="module")
def poor():
    """A table on which rows hardly fall."""
    return at(Values(0.42, 0.5, 1.0, 1.5, -1.2))


@pytest.fixture(scope="module")
def known(poor):
    return posterior(poor, points=POINTS)


def test_a_table_on_which_rows_hardly_fall_is_known_for_it(known):
    values, trust = known.table.values, known.table.trust
    assert values.tile_tile > 0.3 and values.contact < 0.0
    assert known.better and trust.pushes == 16 and known.table.share > 0.6
    assert trust.log_score_after > trust.log_score_before
    assert trust.brier_after < trust.brier_before


def test_intervals_hold_their_values_and_are_no_wider_than_before(known):
    table = known.table
    for name in Values.__slots__:
        low, value, high = (getattr(v, name) for v in (table.low, table.values, table.high))
        assert low < value < high
    friction = [draw.tile_tile for draw in table.draws]
    assert len(friction) == 12 and 0.27 < sum(friction) / 12 < table.high.tile_tile
    assert np.isclose(known.weights.sum(), 1.0)


def test_a_push_that_is_left_out_does_not_predict_itself(poor, known):
    """The outcome of one push changes the score of that push alone as it is told, not learned."""
    first = poor[0]
    other = replace(first, fell=0 if first.fell else 4)
    changed = posterior([other, *poor[1:]], points=POINTS)
    assert changed.table.trust.log_score_after < known.table.trust.log_score_after


def test_outcomes_that_mean_nothing_teach_next_to_nothing(poor):
    pushes = at(Values())
    fell = [push.fell for push in pushes]
    Random(1).shuffle(fell)
    mixed = [replace(p, fell=f) for p, f in zip(pushes, fell, strict=True)]

    def gain(pushes):
        trust = posterior(pushes, points=POINTS).table.trust
        return trust.log_score_after - trust.log_score_before

    assert gain(mixed) < 0.1 < gain(poor)


def test_pushes_that_speak_for_the_defaults_are_heard(poor):
    """Each row ends, over many pushes, as often at each tile as the defaults have it."""
    fits = [fit_of(push, points=POINTS) for push in poor]
    sums = [np.cumsum(stops(fit, np.zeros((1, len(NAMES))))[0]) for fit in fits]

    def after(times):
        shares = (np.arange(times) + 0.5) / times
        pushes = [
            replace(push, fell=int(np.searchsorted(ends, share)))
            for push, ends in zip(poor, sums, strict=True)
            for share in shares
        ]
        return weighed(pushes, [fit for fit in fits for _ in shares])

    few, many = after(2), after(25)
    assert many.table.share < few.table.share < 0.5
    assert few.better and not many.better


def test_the_draws_that_are_kept_say_what_all_of_them_say(known, poor):
    """Over the pushed rows a dozen draws err less than a dozen drawn by chance do."""
    fits = [fit_of(push, points=POINTS) for push in poor]
    places = spread_evenly(len(known.weights), len(NAMES), np.random.default_rng(0))
    places[0] = 0.0
    falls = np.array([stops(fit, places)[:, -1] for fit in fits])
    rows = known.draws.tolist()
    kept = [rows.index([getattr(each, name) for name in NAMES]) for each in known.table.draws]
    chance = np.random.default_rng(1)
    goal = falls @ known.weights

    def off(draws):
        return float(np.abs(falls[:, draws].mean(axis=1) - goal).max())

    others = [off(chance.choice(len(rows), len(kept), p=known.weights)) for _ in range(20)]
    assert off(kept) < min(others)
    assert off(kept[:4]) < np.median(others)


def test_the_same_pushes_and_seed_give_the_same_table(poor):
    few = poor[:LEAST_PUSHES]
    assert posterior(few, points=8).table == posterior(few, points=8).table


def test_a_few_pushes_are_refused(poor):
    with pytest.raises(PhysicsError, match=r"7 pushes .* at least 8"):
        posterior(poor[:7])
