"""What every pusher keeps to, and how millimetres become a stroke of the servo."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from physics.push import Push, smooth
from rig.clock import ManualClock
from rig.pusher import (
    TOKEN_S,
    HandPusher,
    PusherState,
    PushRefused,
    Refusal,
    ServoArm,
    ServoStroke,
)
from rig.virtual_pusher import VirtualPusher


class VirtualBench:
    """A virtual pusher with a hand at its switch."""

    def __init__(self):
        self.clock = ManualClock()
        self.pusher = VirtualPusher(self.clock, np.random.default_rng(1))

    def ready(self):
        self.pusher.set_switch(False)
        self.pusher.set_switch(True)

    def free(self):
        self.pusher.set_switch(False)


class HandBench:
    """A finger that takes a second."""

    def __init__(self):
        self.clock = ManualClock()
        self.pusher = HandPusher(self.clock)

    def ready(self):
        self.clock.after(1.0 + 0.6, self.pusher.done)

    def free(self): ...


@pytest.fixture(params=[VirtualBench, HandBench])
def bench(request):
    return request.param()


def armed(bench):
    """Arm, and let it settle."""
    bench.ready()
    token = bench.pusher.arm().token
    bench.clock.sleep(0.6)
    return token


def refusal_of(act, *args):
    with pytest.raises(PushRefused) as caught:
        act(*args)
    return caught.value.refusal


def test_one_arming_is_one_stroke(bench):
    token = armed(bench)
    assert bench.pusher.status().state is PusherState.ARMED
    stroke = bench.pusher.push(token, Push())
    assert (stroke.number, stroke.complete, stroke.ended) == (1, True, PusherState.SAFE)
    assert bench.pusher.status().state is PusherState.SAFE
    assert bench.pusher.status().strokes == 1
    assert refusal_of(bench.pusher.push, token, Push()) is Refusal.STATE


def test_strokes_are_counted(bench):
    assert [bench.pusher.push(armed(bench), Push()).number for _ in range(3)] == [1, 2, 3]


def test_pushing_takes_time(bench):
    token = armed(bench)
    start_s = bench.clock.monotonic_s()
    bench.pusher.push(token, Push())
    assert bench.clock.monotonic_s() - start_s > 0.5


def test_a_push_without_arming_is_refused_and_moves_nothing(bench):
    assert refusal_of(bench.pusher.push, 1, Push()) is Refusal.STATE
    assert bench.pusher.status().strokes == 0


def test_a_wrong_token_is_refused_and_the_right_one_still_good(bench):
    token = armed(bench)
    assert refusal_of(bench.pusher.push, token + 1, Push()) is Refusal.TOKEN
    assert bench.pusher.push(token, Push()).complete


def test_no_token_is_the_one_before(bench):
    tokens = []
    for _ in range(5):
        bench.ready()
        tokens.append(bench.pusher.arm().token)
        bench.pusher.disarm()
    assert all(a != b for a, b in pairwise(tokens))


def test_a_token_lives_ten_seconds(bench):
    bench.ready()
    permission = bench.pusher.arm()
    assert permission.expires_s == bench.clock.monotonic_s() + TOKEN_S
    bench.clock.sleep(TOKEN_S - 0.001)
    assert bench.pusher.status().state is PusherState.ARMED
    bench.clock.sleep(0.001)
    assert bench.pusher.status().state is PusherState.SAFE
    assert refusal_of(bench.pusher.push, permission.token, Push()) is Refusal.STATE


def test_arming_twice_is_refused(bench):
    armed(bench)
    assert refusal_of(bench.pusher.arm) is Refusal.STATE


def test_disarming_takes_the_token_back(bench):
    token = armed(bench)
    bench.pusher.disarm()
    assert bench.pusher.status().state is PusherState.SAFE
    assert refusal_of(bench.pusher.push, token, Push()) is Refusal.STATE


def test_a_stop_in_the_middle_of_a_stroke_ends_it_stopped(bench):
    token = armed(bench)
    bench.clock.after(0.05, bench.pusher.stop)
    stroke = bench.pusher.push(token, Push())
    assert not stroke.complete
    assert stroke.ended is PusherState.ESTOP
    assert refusal_of(bench.pusher.arm) is Refusal.STATE


def test_disarming_in_the_middle_of_a_stroke_brings_the_arm_back(bench):
    token = armed(bench)
    bench.clock.after(0.05, bench.pusher.disarm)
    stroke = bench.pusher.push(token, Push())
    assert not stroke.complete
    assert stroke.ended is PusherState.SAFE


def test_a_stop_stays_until_it_is_cleared(bench):
    bench.pusher.stop()
    bench.clock.sleep(100.0)
    assert bench.pusher.status().state is PusherState.ESTOP
    bench.free()
    bench.pusher.clear()
    assert bench.pusher.push(armed(bench), Push()).complete


def test_there_is_nothing_to_clear_in_safety(bench):
    assert refusal_of(bench.pusher.clear) is Refusal.STATE


def test_a_refusal_says_in_words_that_nothing_moved(bench):
    with pytest.raises(PushRefused, match=r"state SAFE.*nothing moved"):
        bench.pusher.push(1, Push())


def test_a_finger_that_is_done_before_it_was_asked_pushes_nothing():
    bench = HandBench()
    bench.pusher.done()
    token = bench.pusher.arm().token
    bench.clock.after(2.0, bench.pusher.done)
    bench.pusher.push(token, Push())
    assert bench.clock.monotonic_s() == 2.0


STANDARD = Push(speed_mm_s=55.0, stroke_mm=13.6, standoff_mm=10.0)


@pytest.mark.parametrize(
    ("path_mm", "amp_us"), [(19.6, 250), (23.6, 300), (31.4, 400), (45 * math.radians(1.0), 10)]
)
def test_the_path_of_the_tip_becomes_the_angle_of_the_arm(path_mm, amp_us):
    push = Push(standoff_mm=path_mm / 2, stroke_mm=path_mm / 2, speed_mm_s=path_mm * 1.875)
    assert ServoArm().stroke(push) == ServoStroke(amp_us, 1000, 150, 1000)


def test_the_speed_of_a_push_is_the_fastest_of_its_stroke():
    stroke = ServoArm().stroke(STANDARD)
    peak = max(smooth((i + 1) / 1000) - smooth(i / 1000) for i in range(1000)) * 1000
    assert peak * 23.6 / (stroke.t_out_ms / 1000) == pytest.approx(55.0, rel=1e-3)


@pytest.mark.parametrize(
    "change",
    [
        {"stroke_mm": 22.0},
        {"stroke_mm": -10.0},
        {"stroke_mm": -30.0},
        {"stroke_mm": math.nan},
        {"stroke_mm": math.inf},
        {"speed_mm_s": 0.0},
        {"speed_mm_s": -55.0},
        {"speed_mm_s": math.nan},
        {"speed_mm_s": 5.0},
        {"speed_mm_s": 250.0},
    ],
)
def test_what_the_arm_cannot_do_is_refused_and_never_clamped(change):
    assert ServoArm().stroke(replace(STANDARD, **change)) is None


def test_a_longer_arm_turns_less():
    assert ServoArm(length_mm=90.0).stroke(STANDARD).amp_us == 150
