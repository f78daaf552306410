import numpy as np
import pytest

from physics.calibrate.recorded import Recorded
from physics.calibrate.surrogate import (
    NAMES,
    OWN_ERROR,
    fitted,
    quadratic,
    spread_evenly,
    stops,
    values_at,
)
from physics.fall.trials import disturb, let_fall
from physics.predict.hazard import usual
from physics.row.push import Friction
from physics.row.table_values import Values
from physics.rows.notation import read

ROW = read("1v@0,0,0;2h@36,9,24;3v@60,18,40;4h@80,36,60")


@pytest.fixture(scope="module")
def told():
    return fitted(Recorded(ROW, 4), usual(), np.random.default_rng(1))


def test_the_middle_of_the_prior_are_the_defaults():
    assert values_at(np.zeros((1, 5)), Friction()) == [Values()]


def test_places_fill_every_axis_evenly():
    places = spread_evenly(64, 2, np.random.default_rng(3))
    assert np.allclose(places.mean(axis=0), 0.0, atol=0.03)
    assert np.allclose(places.std(axis=0), 1.0, atol=0.05)
    assert np.array_equal((places > 0).sum(axis=0), [32, 32])


def test_chances_of_where_it_stops_are_chances(told):
    found = stops(told, spread_evenly(50, 5, np.random.default_rng(0)))
    assert found.shape == (50, 5)
    assert np.allclose(found.sum(axis=1), 1.0) and found.min() > 0.0


@pytest.mark.parametrize("place", [(0, 0, 0, 0, 0), (1.2, 0, 0, 0.8, 0), (-1, 0.5, 0, 0, 1.0)])
def test_a_fit_says_what_many_falls_say(told, place):
    (values,) = values_at(np.array([place], dtype=float), ROW.friction)
    trials = disturb(
        ROW.chain, ROW.push, ROW.friction, ROW.spread, 100, np.random.default_rng(9), [values]
    )
    chances = usual().chances(trials, let_fall(trials))
    odds = (quadratic(np.array([place], dtype=float)) @ told.T)[0]
    smooth = float(np.prod(1.0 / (1.0 + np.exp(-odds))))
    assert abs(smooth - float(chances.prod(axis=1).mean())) < 0.15


def test_the_models_own_error_makes_every_joint_less_sure(told):
    sure = 1.0 / (1.0 + np.exp(-(quadratic(np.zeros((1, 5))) @ told.T)[0]))
    flat = stops(told, np.zeros((1, len(NAMES))), OWN_ERROR)[0]
    assert OWN_ERROR > 0
    first = 1.0 - flat[0]
    assert abs(first - 0.5) < abs(sure[0] - 0.5)


def test_more_contact_lets_falls_get_farther(told):
    less, more = stops(told, np.array([[0, 0, 0, 0, -1.0], [0, 0, 0, 0, 1.0]]))
    assert more[-1] > less[-1] + 0.03
