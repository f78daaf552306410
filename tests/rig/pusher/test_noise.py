"""Pushing over lines that lose, double, flip, cut and delay bytes: what is said is true."""

from tests.support.noise import AMP_US, evening, spread, wrong


def test_over_bad_lines_no_token_is_good_for_two_strokes_and_what_is_said_is_true():
    tries = [one for _, several in spread(24, first_seed=24) for one in several]
    assert [wrong(one) for one in tries if wrong(one)] == []
    assert {one.said for one in tries} >= {"done", "unknown"}


def test_a_good_line_makes_every_push_whole():
    for one in evening(1, 0.0):
        assert (one.said, one.strokes, one.reach_us) == ("done", 1, AMP_US)
