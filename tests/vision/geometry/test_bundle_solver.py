import numpy as np
import pytest

from vision.geometry.bundle import least_squares

TIMES = np.linspace(0.0, 4.0, 40)


def decay(seen):
    """Residuals and Jacobian of a * exp(-b t) against what was seen."""

    def model(values):
        a, b = values
        fall = np.exp(-b * TIMES)
        return a * fall - seen, np.column_stack([fall, -a * TIMES * fall])

    return model


def test_a_curve_is_found_from_a_poor_start():
    seen = 3.0 * np.exp(-0.7 * TIMES)
    assert least_squares(decay(seen), np.array([0.3, 3.0])).values == pytest.approx([3.0, 0.7])


def test_the_covariance_is_how_much_the_values_really_scatter():
    rng = np.random.default_rng(2)
    found = [
        least_squares(decay(3.0 * np.exp(-0.7 * TIMES) + rng.normal(0, 0.05, 40)), np.ones(2))
        for _ in range(300)
    ]
    scatter = np.std([fit.values for fit in found], axis=0)
    told = np.sqrt(np.diag(found[0].covariance(0.05)))
    assert scatter == pytest.approx(told, rel=0.2)


def test_an_unknown_that_changes_nothing_stays_and_spoils_nothing():
    seen = 3.0 * np.exp(-0.7 * TIMES)

    def model(values):
        left, jacobian = decay(seen)(values[:2])
        return left, np.column_stack([jacobian, np.zeros(len(left))])

    fit = least_squares(model, np.array([1.0, 1.0, 5.0]))
    assert fit.values == pytest.approx([3.0, 0.7, 5.0])
    two = least_squares(decay(seen), np.ones(2)).covariance(1.0)
    assert fit.covariance(1.0)[:2, :2] == pytest.approx(two, rel=1e-6)


def test_units_of_very_different_size_do_not_matter():
    def model(values):
        a, b = values[0] * 1e-6, values[1] * 1e6
        left = a + b * TIMES - (2.0 + 3.0 * TIMES)
        return left, np.column_stack([np.full(40, 1e-6), 1e6 * TIMES])

    fit = least_squares(model, np.array([0.0, 0.0]))
    assert fit.values == pytest.approx([2e6, 3e-6], rel=1e-6)


def test_a_step_into_nonsense_is_not_taken():
    def model(values):
        (x,) = values
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.array([np.log(x) + 4.0]), np.array([[1.0 / x]])

    assert least_squares(model, np.array([5.0])).values == pytest.approx([np.exp(-4.0)])
