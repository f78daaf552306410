"""What every pusher keeps to, and how millimetres become a stroke of the servo."""

import itertools
import math
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from physics.row.push import Push, smooth
from rig.clock import ManualClock
from rig.machine.build import NoPusher
from rig.pusher.link import LineLost
from rig.pusher.port import TOKEN_S, Hands, LinkState, PusherState, PushRefused, Refusal
from rig.pusher.serial import SerialPusher
from rig.pusher.servo import ServoArm, ServoStroke
from rig.pusher.virtual import VirtualPusher
from rig.pusher.wasm_board import Board, BoardLine
from tests.support import chip

STEP_MS = 5
SOON_S = 0.03
"""What a question and its answer take on a wire, looked at every five milliseconds."""


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


class SerialBench:
    """A pusher on a line; the board at its other end lives by the same clock."""

    def __init__(self, board, line):
        self.clock = ManualClock()
        self.board = board
        self.pusher = SerialPusher(lambda: line, self.clock, itertools.count(1))
        self._live()
        while self.pusher.link.device is None:
            self.clock.sleep(STEP_MS / 1000)

    def _live(self):
        self.board.run(STEP_MS)
        while self.pusher.link.pump():
            pass
        self.clock.after(STEP_MS / 1000, self._live)

    def ready(self):
        for on in (False, True):
            self.board.switch_on = on
            self.clock.sleep(0.01)

    def free(self):
        self.board.switch_on = False
        self.clock.sleep(0.01)


class ChipBoard(chip.Chip):
    """The chip, with the words of a board and of a line."""

    def run(self, ms):
        self.run_us(1000 * ms)

    @property
    def switch_on(self):
        return bool(self._low & chip.SWITCH)

    @switch_on.setter
    def switch_on(self, on):
        (self.low if on else self.high)(chip.SWITCH)

    def read(self):
        return self.get()

    def write(self, data):
        self.put(data)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return chip.build(tmp_path_factory.mktemp("chip"))


@pytest.fixture(params=["virtual", "module", *["chip"] * chip.TOOLS])
def bench(request):
    """The virtual pusher, and the serial one with the core's module or the very image
    that is flashed at the other end of its line."""
    match request.param:
        case "virtual":
            yield VirtualBench()
        case "module":
            board = Board(itertools.count(1))
            yield SerialBench(board, BoardLine(board))
        case "chip":
            board = ChipBoard(request.getfixturevalue("built"))
            yield SerialBench(board, board)
            board.close()


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
    now_s = bench.clock.monotonic_s()
    assert now_s + TOKEN_S - SOON_S < permission.expires_s <= now_s + TOKEN_S
    bench.clock.sleep(permission.expires_s - now_s - SOON_S)
    assert bench.pusher.status().state is PusherState.ARMED
    bench.clock.sleep(permission.expires_s + SOON_S - bench.clock.monotonic_s())
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


def test_who_answers_at_the_other_end_tells_its_firmware(bench):
    line = bench.pusher.link_state()
    assert (line.answers, line.trouble, line.given_up) == (True, "", False)
    assert re.fullmatch(r"\d+\.\d+", line.firmware)


def test_only_a_pretend_pusher_has_pretend_hands(bench):
    assert (bench.pusher.pretend() is not None) is isinstance(bench, VirtualBench)


def test_what_pretend_hands_hold_is_what_the_pusher_feels():
    bench = VirtualBench()
    hands = bench.pusher.pretend()
    assert hands.hands() == Hands(estop=False, beams=(False, False))
    hands.set_estop(True)
    hands.set_beam(1, True)
    hands.set_switch(True)
    assert hands.hands() == Hands(estop=True, beams=(False, True))
    status = bench.pusher.status()
    assert (status.estop_closed, status.switch_on) == (False, True)


def test_a_pusher_whose_cable_is_pulled_says_why_it_does_not_answer():
    bench = VirtualBench()
    bench.pusher.unplug()
    assert not bench.pusher.link_state().answers
    assert "cable" in bench.pusher.link_state().trouble


def test_a_line_that_cannot_be_opened_is_given_up_for_now_and_says_why():
    def closed():
        raise LineLost("no permission")

    pusher = SerialPusher(closed, ManualClock(), itertools.count(1))
    assert not pusher.link_state().given_up, "it has not been tried yet"
    pusher.link.pump()
    assert pusher.link_state() == LinkState(False, "no permission", given_up=True)


def test_where_there_is_no_pusher_there_is_no_line_and_nothing_to_touch():
    pusher = NoPusher()
    assert pusher.link_state() is None
    assert pusher.pretend() is None


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
