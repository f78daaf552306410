"""Ranges as people write them."""

import math

import pytest

from physics.row.push import Friction, Push
from physics.row.spread import Spread
from physics.row.tile import STANDARD
from physics.rows.generators import Shape, Wanted
from physics.survey.parameters import PARAMETERS, SurveyError, read_axes, read_axis


def test_a_range_has_its_ends_and_perhaps_steps():
    even, stepped = read_axes(["gap=5..40", "friction=.15...45/4"])
    assert (even.low, even.high, even.values) == (5.0, 40.0, ())
    assert stepped.values == pytest.approx((0.15, 0.25, 0.35, 0.45))


def test_a_range_may_go_below_zero():
    assert (read_axis("turn=-20..20").low, read_axis("turn=-20..-5").high) == (-20.0, -5.0)


def test_values_are_taken_in_order_and_once_each():
    assert read_axis("length=60,40,60").values == (40.0, 60.0)
    assert not read_axis("count=9").varies


def test_a_normal_distribution_is_cut_at_three_sigmas():
    axis = read_axis("friction=.27~.05")
    assert (axis.low, axis.high) == (pytest.approx(0.12), pytest.approx(0.42))
    assert axis.normal


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gap", "'gap' has no range; expected gap=LOW..HIGH"),
        ("gpa=5..40", "no parameter 'gpa', do you mean gap?"),
        ("zzz=5..40", "no parameter 'zzz', only gap, turn"),
        ("gap=40..5", "goes from 40 to 5; expected LOW below HIGH"),
        ("gap=5..5", "goes from 5 to 5"),
        ("gap=5..x", "'x' is no number"),
        ("gap=5..nan", "'nan' is no number"),
        ("gap=", "'' is no number"),
        ("gap=5..40/1", "has 1 steps; expected 2 to 10000"),
        ("gap=5..40/999999999", "has 999999999 steps"),
        ("gap=-5..40", "reaches -5 mm; expected 0.1 to 1000 mm"),
        ("friction=.1~.05", "reaches -0.05; expected 0.001 to 2"),
        ("friction=.1~0", "has a sigma of 0"),
        ("count=3..9/4", None),
        ("count=3..8/4", "expected whole numbers"),
        ("count=2.5", "expected whole numbers"),
        ("count=9~1", "expected whole numbers"),
    ],
)
def test_a_range_without_sense_is_one_sentence(text, said):
    if said is None:
        assert read_axis(text).values == (3.0, 5.0, 7.0, 9.0)
        return
    with pytest.raises(SurveyError) as refused:
        read_axis(text)
    assert said in str(refused.value)


def test_a_parameter_is_given_once():
    with pytest.raises(SurveyError, match="gap is given twice"):
        read_axes(["gap=5..40", "gap=9"])


def test_what_is_usual_is_what_rows_usually_have():
    wanted, push, friction, spread = Wanted(Shape.LINE), Push(), Friction(), Spread()
    assert {name: each.usual for name, each in PARAMETERS.items()} == {
        "gap": wanted.gap_mm,
        "turn": pytest.approx(math.degrees(wanted.turn_rad)),
        "offset": wanted.offset_mm,
        "count": wanted.count,
        "friction": friction.tile_tile,
        "table-friction": friction.tile_table,
        "stroke": push.stroke_mm,
        "speed": push.speed_mm_s,
        "push-height": push.height_frac,
        "length": STANDARD.length_mm,
        "width": STANDARD.width_mm,
        "thickness": STANDARD.thickness_mm,
        "noise": spread.xy_mm,
    }
