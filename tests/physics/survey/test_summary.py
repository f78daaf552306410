"""What a survey says: means, intervals, and where a chance crosses a level."""

import math

import numpy as np
import pytest

from physics.survey.parameters import SurveyError
from physics.survey.summary import Answers, curve, reach, surface


def falling(x, middle, width=2.0, doubt=0.1):
    """Chances that fall with x, and an interval about each."""
    p = 1.0 / (1.0 + np.exp((x - middle) / width))
    return Answers(p, np.maximum(p - doubt, 0.0), np.minimum(p + doubt, 1.0))


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_a_curve_follows_the_chance_within_its_intervals(rng):
    x = rng.uniform(5, 40, 1000)
    found = curve(x, falling(x, 22.0))
    truth = 1.0 / (1.0 + np.exp((found.x - 22.0) / 2.0))
    assert np.abs(found.mean - truth).max() < 0.05
    assert (found.model[0] <= found.drawn[0]).all() and (found.drawn[0] <= found.mean).all()
    assert (found.model[1] >= found.drawn[1]).all() and (found.drawn[1] >= found.mean).all()
    assert found.model.min() >= 0.0 and found.model.max() <= 1.0


def test_few_values_are_not_put_into_bins():
    x = np.repeat([8.0, 12.0, 16.0], 10)
    assert curve(x, falling(x, 12.0)).x.tolist() == [8.0, 12.0, 16.0]


def test_the_interval_of_the_draws_holds_the_mean_19_times_of_20(rng):
    held = 0
    for _ in range(400):
        p = rng.beta(2.0, 2.0, 30)
        (low,), (high,) = curve(np.zeros(30), Answers(p, p, p)).drawn
        held += low <= 0.5 <= high
    assert 360 <= held <= 396


def test_a_surface_has_the_mean_of_each_cell():
    x, y = (each.ravel() for each in np.meshgrid([10.0, 20.0, 30.0], [0.2, 0.4]))
    answers = falling(x, 20.0)
    found = surface(x, y, answers)
    assert found.x_edges == pytest.approx([5.0, 15.0, 25.0, 35.0])
    assert found.y_edges == pytest.approx([0.1, 0.3, 0.5])
    assert found.mean == pytest.approx(answers.p.reshape(2, 3))
    assert found.half.max() == pytest.approx(0.1, rel=0.01)


def test_a_cell_without_rows_is_empty():
    x, y = np.array([1.0, 2.0]), np.array([1.0, 2.0])
    assert np.isnan(surface(x, y, falling(x, 1.0)).mean).sum() == 2


def test_the_reach_is_where_the_chance_crosses_the_level(rng):
    x, by = rng.uniform(5, 60, 1200), np.tile([40.0, 48.0, 60.0], 400)
    answers = falling(x, 0.6 * by, doubt=0.05)
    found = reach(x, by, answers, 0.5, rng)
    assert found.at.tolist() == [40.0, 48.0, 60.0]
    assert found.most == pytest.approx([24.0, 28.8, 36.0], abs=0.5)
    assert (found.drawn[0] <= [24.0, 28.8, 36.0]).all()
    assert (found.drawn[1] >= [24.0, 28.8, 36.0]).all()
    # An error of .05 in the chance is one of .4 mm in the gap here.
    assert found.model[1] - found.model[0] == pytest.approx(0.8, abs=0.7)


def test_a_level_that_is_never_crossed_is_said_to_lie_beyond(rng):
    x = rng.uniform(5, 60, 200)
    far, near = falling(x, 500.0), falling(x, -500.0)
    assert reach(x, np.zeros(200), far, 0.9, rng).most.tolist() == [math.inf]
    assert reach(x, np.zeros(200), near, 0.9, rng).most.tolist() == [-math.inf]


def test_a_handful_of_rows_is_too_few(rng):
    x = np.arange(10.0)
    with pytest.raises(SurveyError, match="10 rows are too few"):
        reach(x, x, falling(x, 5.0), 0.5, rng)
