"""How the tip of a push moves over time."""

import math

import pytest

from physics.row.push import Path, Push, smooth, smooth_share

ARM = Push(speed_mm_s=55.0, stroke_mm=13.6, standoff_mm=10.0, path=Path.SMOOTH)


def test_a_smooth_motion_starts_and_ends_at_rest_and_never_turns_back():
    ways = [smooth(i / 500) for i in range(501)]
    assert ways[0] == 0.0
    assert ways[-1] == 1.0
    assert ways == sorted(ways)
    assert smooth(-1.0) == 0.0
    assert smooth(2.0) == 1.0


@pytest.mark.parametrize("way", [0.01, 0.2, 0.5, 0.77, 0.99])
def test_the_time_of_a_place_on_the_way_is_found(way):
    assert smooth(smooth_share(way)) == pytest.approx(way, abs=1e-9)


@pytest.mark.parametrize("push", [Push(), ARM])
def test_the_tip_goes_out_and_comes_back_the_same_way(push):
    assert push.tip_mm(0.0) == -push.standoff_mm
    assert push.tip_mm(push.touch_s) == pytest.approx(0.0, abs=1e-6)
    assert push.tip_mm(push.out_s) == push.tip_mm(push.back_s) == pytest.approx(push.stroke_mm)
    for late_s in (0.05, 0.2, 0.31):
        out = push.tip_mm(push.out_s - late_s)
        assert push.tip_mm(push.back_s + late_s) == pytest.approx(out)
    assert push.tip_mm(push.back_s + push.out_s + 1.0) == pytest.approx(-push.standoff_mm)


def test_the_arm_is_fastest_in_the_middle_and_stays_out_for_a_moment():
    speeds = [(ARM.tip_mm(t + 1e-4) - ARM.tip_mm(t)) / 1e-4 for t in (0.01, 0.4, 0.8)]
    assert max(speeds) == pytest.approx(speeds[1])
    assert speeds[1] == pytest.approx(55.0, rel=1e-3)
    assert ARM.tip_mm(ARM.out_s + 0.1) == pytest.approx(13.6)
    assert ARM.out_s == pytest.approx(0.805, abs=1e-3)


def test_a_finger_has_one_speed_and_turns_at_once():
    push = Push()
    assert push.touch_s == pytest.approx(2.0 / 45.0)
    assert push.tip_mm(push.out_s + 0.1) == pytest.approx(12.0 - 4.5)


def test_a_push_of_no_length_stays_where_it_is():
    push = Push(stroke_mm=0.0, standoff_mm=0.0, path=Path.SMOOTH)
    assert push.tip_mm(1.0) == 0.0
    assert not math.isnan(push.touch_s)
