"""Short lines through points."""

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st

from physics.row.chain import _changed, _changes, length, shortest_line

POINTS = st.lists(
    st.tuples(st.integers(0, 300), st.integers(0, 200)), min_size=2, max_size=7, unique=True
)


def distances(points):
    return [[math.dist(a, b) for b in points] for a in points]


@given(POINTS, st.randoms(use_true_random=False))
def test_each_change_of_a_line_makes_it_longer_by_as_much_as_is_said(points, random):
    far = distances(points)
    line = list(range(len(points)))
    random.shuffle(line)
    for longer, change in _changes(line, far):
        other = _changed(line, *change)
        assert sorted(other) == sorted(line)
        assert math.isclose(length(other, far) - length(line, far), longer, abs_tol=1e-6)


@given(POINTS)
def test_no_line_through_a_few_points_is_much_shorter(points):
    far = distances(points)
    best = min(length(line, far) for line in itertools.permutations(range(len(points))))
    assert length(shortest_line(far), far) <= 1.1 * best + 1e-6
