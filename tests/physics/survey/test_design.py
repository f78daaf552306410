"""Points of a survey: where they should be, and always the same."""

import numpy as np
import pytest

from physics.survey.design import MOST_ROWS, Design, points, size
from physics.survey.parameters import SurveyError, read_axes

GAPS = ("gap=5..40", "friction=.15..0.45", "count=9")


def test_a_grid_has_every_combination():
    axes = read_axes(["gap=10..20/3", "count=3..4", "length=48"])
    grid = points(axes, Design.GRID, 6, 0)
    assert size(axes, Design.GRID, None) == 6
    expected = [(g, c, 48.0) for g in (10.0, 15.0, 20.0) for c in (3.0, 4.0)]
    assert [tuple(point) for point in grid.tolist()] == expected


@pytest.mark.parametrize("sample", [Design.LATIN, Design.SOBOL])
def test_draws_are_even_over_each_range(sample):
    drawn = points(read_axes(GAPS), sample, 64, 1)
    assert drawn.shape == (64, 3)
    assert set(drawn[:, 2]) == {9.0}
    for column, (low, high) in ((0, (5.0, 40.0)), (1, (0.15, 0.45))):
        shares = (drawn[:, column] - low) / (high - low)
        assert sorted(np.floor(64 * shares)) == list(range(64))


@pytest.mark.parametrize("sample", [Design.LATIN, Design.SOBOL])
def test_a_seed_gives_the_same_points_and_another_others(sample):
    axes = read_axes(GAPS)
    one, again, other = (points(axes, sample, 50, seed) for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_counts_are_whole_and_each_as_likely():
    drawn = points(read_axes(["count=3..6"]), Design.SOBOL, 64, 0)[:, 0]
    assert {float(n): int((drawn == n).sum()) for n in np.unique(drawn)} == dict.fromkeys(
        (3.0, 4.0, 5.0, 6.0), 16
    )


def test_values_come_equally_often():
    drawn = points(read_axes(["length=40,48,60", "gap=5..9"]), Design.LATIN, 30, 0)[:, 0]
    assert [int((drawn == value).sum()) for value in (40, 48, 60)] == [10, 10, 10]


def test_normal_draws_have_their_mean_and_sigma():
    drawn = points(read_axes(["friction=.27~.03"]), Design.SOBOL, 4096, 0)[:, 0]
    assert (drawn.mean(), drawn.std()) == (
        pytest.approx(0.27, abs=1e-3),
        pytest.approx(0.03, rel=0.03),
    )
    assert drawn.min() >= 0.18 and drawn.max() <= 0.36


@pytest.mark.parametrize(
    ("texts", "sample", "rows", "said"),
    [
        (["gap=5..40"], Design.GRID, None, "a grid needs steps or values; write gap=5..40/8"),
        (["gap=5..40/8"], Design.GRID, 10, "leave --rows out"),
        (
            ["gap=5..40/9000", "speed=5..40/9000"],
            Design.GRID,
            None,
            "this grid has 81000000 rows",
        ),
        (["gap=5..40"], Design.SOBOL, MOST_ROWS + 1, "a survey has 1 to 1000000 rows"),
    ],
)
def test_what_cannot_be_sampled_is_one_sentence(texts, sample, rows, said):
    with pytest.raises(SurveyError) as refused:
        size(read_axes(texts), sample, rows)
    assert said in str(refused.value)
