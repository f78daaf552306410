"""The program of the pusher on a pretend board: every state with every input."""

import threading
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wasmtime import Instance, Module, Store

from physics.row.push import Push
from rig.clock import ManualClock
from rig.pusher.port import (
    LATCHED,
    MOVING,
    Fault,
    PortLost,
    PusherState,
    PushRefused,
    Reach,
    Refusal,
    StopAnswer,
    StrokeUnknown,
)
from rig.pusher.servo import ServoArm
from rig.pusher.virtual import VirtualPusher
from rig.pusher.wasm_board import STUCK, Board, _program

SAFE, ARMED = PusherState.SAFE, PusherState.ARMED
OUT, HOLD, BACK = MOVING
ESTOP, FAULT = LATCHED
AWAY = PusherState.AWAY
STATES = tuple(PusherState)

PUSH = Push(speed_mm_s=45.0, stroke_mm=12.0, standoff_mm=2.0)
OUT_S = 0.583
HOLD_S = OUT_S + 0.150
REST_S = HOLD_S + OUT_S + 0.200
TOUCH_S = 0.180
"""When the arm is out, goes back, is at rest; and about when it meets the tile."""
SOON_S = 0.011
"""The board takes some milliseconds to believe an input, and is looked at every five."""
NO_TOKEN = 0
"""The board draws its tokens among the others."""


class Bench:
    """A pusher, its clock, and what it has touched."""

    def __init__(self, servo=None):
        self.clock = ManualClock()
        self.touched = []
        self.pusher = VirtualPusher(self.clock, np.random.default_rng(1), self.touch, servo)

    def touch(self, push):
        self.touched.append((self.clock.monotonic_s(), push))

    @property
    def state(self):
        return self.pusher.status().state

    def arm(self):
        self.pusher.set_switch(False)
        self.pusher.set_switch(True)
        token = self.pusher.arm().token
        self.clock.sleep(0.6)
        return token

    def push(self, at_s=None, act=lambda: None, push=PUSH):
        """Make a whole stroke, and do something in the middle of it."""
        token = self.arm()
        if at_s is not None:
            self.clock.after(at_s, act)
        return self.pusher.push(token, push)


@pytest.fixture
def bench():
    return Bench()


MOMENT_S = {OUT: 0.1, HOLD: OUT_S + 0.05, BACK: HOLD_S + 0.1}


def happens(bench, state, act):
    """Bring the pusher to a state, its switch on, and do something; give the state right after."""
    after = []

    def now():
        assert bench.state is state
        act(bench.pusher)
        after.append(bench.state)

    match state:
        case PusherState.SAFE:
            bench.pusher.set_switch(True)
        case PusherState.ARMED:
            bench.arm()
        case PusherState.OUT | PusherState.HOLD | PusherState.BACK:
            bench.push(MOMENT_S[state], now)
            return after[0]
        case PusherState.ESTOP:
            bench.pusher.set_switch(True)
            bench.pusher.stop()
        case PusherState.FAULT:
            with pytest.raises(StrokeUnknown):
                bench.push(0.1, bench.pusher.unplug)
            bench.pusher.plug()
        case PusherState.AWAY:
            bench.push(0.1, lambda: bench.pusher.set_switch(False))
            bench.pusher.set_switch(True)
    now()
    return after[0]


def restart(pusher):
    pusher.restart()


def new_session(pusher):
    pusher.unplug()
    pusher.plug()


SAME = {state: state for state in STATES}

INPUTS = {
    "disarm": (lambda p: p.disarm(), SAME | {ARMED: SAFE, OUT: BACK, HOLD: BACK}),
    "stop": (lambda p: p.stop(), dict.fromkeys(STATES, ESTOP)),
    "new session": (new_session, SAME | {ARMED: SAFE, OUT: BACK, HOLD: BACK}),
    "switch off": (
        lambda p: p.set_switch(False),
        SAME | {ARMED: SAFE, OUT: AWAY, HOLD: AWAY, BACK: AWAY},
    ),
    "switch on": (lambda p: p.set_switch(True), SAME),
    "E-stop opens": (lambda p: p.set_estop(True), dict.fromkeys(STATES, ESTOP)),
    "E-stop closes": (lambda p: p.set_estop(False), SAME),
    "restart": (restart, dict.fromkeys(STATES, SAFE) | dict.fromkeys((*MOVING, AWAY), AWAY)),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", INPUTS)
def test_the_table_of_states(bench, state, name):
    act, after = INPUTS[name]
    try:
        assert happens(bench, state, act) is after[state]
    except StrokeUnknown:
        assert name in ("restart", "new session")
        assert state in MOVING


COMMANDS = {
    "ARM": (
        lambda p: p.arm(),
        dict.fromkeys(STATES, Refusal.STATE) | {SAFE: None, AWAY: Refusal.AWAY},
    ),
    "PUSH": (
        lambda p: p.push(NO_TOKEN, PUSH),
        dict.fromkeys(STATES, Refusal.STATE) | {ARMED: Refusal.TOKEN},
    ),
    "CLEAR": (
        lambda p: p.clear(),
        dict.fromkeys(STATES, Refusal.STATE) | dict.fromkeys(LATCHED, Refusal.SWITCH_ON),
    ),
    "HOMED": (
        lambda p: p.homed(),
        dict.fromkeys(STATES, Refusal.STATE) | {AWAY: Refusal.SWITCH_ON},
    ),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_refused_command_changes_nothing(bench, state, name):
    command, refusals = COMMANDS[name]
    seen = []

    def ask(pusher):
        try:
            command(pusher)
            seen.append(None)
        except PushRefused as refused:
            seen.append(refused.refusal)
            assert refused.state is state

    after = happens(bench, state, ask)
    assert seen == [refusals[state]]
    assert after is (state if seen[0] else ARMED)


def test_a_pusher_starts_safe_with_nothing_touched(bench):
    status = bench.pusher.status()
    assert (status.state, status.fault, status.strokes) == (SAFE, Fault.NONE, 0)
    assert not status.ready


def test_the_touch_comes_when_the_tip_has_crossed_the_air(bench):
    start_s = bench.clock.monotonic_s() + 0.6
    stroke = bench.push()
    assert stroke.complete
    [(touch_s, push)] = bench.touched
    assert push is PUSH
    assert touch_s - start_s == pytest.approx(TOUCH_S, abs=0.03)
    assert bench.clock.monotonic_s() - start_s == pytest.approx(REST_S, abs=SOON_S)


def test_a_path_that_ends_in_the_air_touches_nothing(bench):
    assert bench.push(push=replace(PUSH, standoff_mm=14.0, stroke_mm=-2.0)).complete
    assert bench.touched == []


@pytest.mark.parametrize(
    ("first_ms", "act"),
    [*zip(range(0, 91, 10), cycle(["stop", "estop", "switch"]), strict=False)],
)
def test_stopping_at_any_moment_of_a_stroke_does_what_the_moment_allows(act, first_ms):
    for ms in range(first_ms, 1520, 105):
        if min(abs(ms / 1000 - sharp_s) for sharp_s in (TOUCH_S, OUT_S, REST_S)) < 2 * SOON_S:
            continue
        bench = Bench()
        acts = {
            "stop": bench.pusher.stop,
            "estop": lambda b=bench: b.pusher.set_estop(True),
            "switch": lambda b=bench: b.pusher.set_switch(False),
        }
        start_s = bench.clock.monotonic_s() + 0.6
        stroke = bench.push(ms / 1000, acts[act])
        stopped_s = bench.clock.monotonic_s() - start_s
        resting = ms / 1000 > REST_S
        assert stroke.reach is (Reach.FULL if ms / 1000 >= OUT_S else Reach.PART)
        assert stopped_s == pytest.approx(REST_S if resting else ms / 1000, abs=SOON_S)
        latched = AWAY if act == "switch" else ESTOP
        assert stroke.ended is (SAFE if resting else latched)
        assert len(bench.touched) == (ms / 1000 >= TOUCH_S)
        assert bench.pusher.status().fault is (
            Fault.SWITCH if act == "switch" and not resting else Fault.NONE
        )


def test_every_arming_needs_the_switch_off_and_on_again(bench):
    bench.push()
    with pytest.raises(PushRefused) as refused:
        bench.pusher.arm()
    assert refused.value.refusal is Refusal.SWITCH
    bench.pusher.set_switch(False)
    with pytest.raises(PushRefused) as refused:
        bench.pusher.arm()
    assert refused.value.refusal is Refusal.SWITCH
    bench.pusher.set_switch(True)
    assert bench.pusher.status().ready
    bench.pusher.arm()


def test_a_token_that_runs_out_has_used_up_the_turn_of_the_switch(bench):
    bench.arm()
    bench.clock.sleep(10.0)
    assert bench.state is SAFE
    with pytest.raises(PushRefused) as refused:
        bench.pusher.arm()
    assert refused.value.refusal is Refusal.SWITCH


def test_a_push_before_the_arm_has_settled_keeps_its_token(bench):
    bench.pusher.set_switch(True)
    permission = bench.pusher.arm()
    bench.clock.sleep(0.599)
    with pytest.raises(PushRefused) as refused:
        bench.pusher.push(permission.token, PUSH)
    assert refused.value.refusal is Refusal.BUSY
    bench.clock.sleep(permission.settled_s - bench.clock.monotonic_s())
    assert bench.pusher.push(permission.token, PUSH).complete


def test_a_push_outside_the_limits_keeps_its_token(bench):
    token = bench.arm()
    with pytest.raises(PushRefused) as refused:
        bench.pusher.push(token, replace(PUSH, stroke_mm=40.0))
    assert refused.value.refusal is Refusal.LIMIT
    assert bench.pusher.push(token, PUSH).number == 1


@pytest.mark.parametrize("latch", [ESTOP, FAULT])
def test_clearing_needs_the_button_out_and_the_switch_off(bench, latch):
    happens(bench, latch, lambda pusher: None)
    for estop, switch, refusal in [
        (True, True, Refusal.ESTOP),
        (True, False, Refusal.ESTOP),
        (False, True, Refusal.SWITCH_ON),
    ]:
        bench.pusher.set_estop(estop)
        bench.pusher.set_switch(switch)
        with pytest.raises(PushRefused) as refused:
            bench.pusher.clear()
        assert refused.value.refusal is refusal
    bench.pusher.set_switch(False)
    bench.pusher.clear()
    assert bench.pusher.status().fault is Fault.NONE
    assert bench.push().complete


def test_a_switch_left_on_through_a_stop_does_not_count_as_turned(bench):
    bench.pusher.set_switch(True)
    bench.pusher.stop()
    assert not bench.pusher.status().switch_cycled
    bench.pusher.set_switch(False)
    bench.pusher.clear()
    bench.pusher.set_switch(True)
    assert bench.pusher.status().ready


def test_with_the_button_in_from_the_start_nothing_arms(bench):
    bench.pusher.set_estop(True)
    bench.pusher.restart()
    bench.pusher.set_switch(True)
    assert not bench.pusher.status().estop_closed
    with pytest.raises(PushRefused) as refused:
        bench.pusher.arm()
    assert refused.value.refusal is Refusal.ESTOP


def test_a_restart_in_the_middle_of_a_stroke_leaves_the_arm_away_and_the_stroke_unknown(bench):
    with pytest.raises(StrokeUnknown, match=r"stroke 1.*look at the row"):
        bench.push(0.1, bench.pusher.restart)
    status = bench.pusher.status()
    assert (status.state, status.fault, status.strokes) == (AWAY, Fault.MIDPUSH, 0)
    assert status.away
    assert bench.touched == []


def test_only_a_hand_and_its_word_end_that_the_arm_may_stand_out(bench):
    bench.push(0.1, bench.pusher.stop)
    assert bench.pusher.status().away
    bench.pusher.set_switch(False)
    bench.pusher.clear()
    bench.pusher.restart()
    bench.clock.sleep(0.1)
    assert (bench.state, bench.pusher.heartbeat().away) == (AWAY, True)
    bench.pusher.homed()
    assert (bench.state, bench.pusher.heartbeat().away) == (SAFE, False)
    assert bench.push().complete


def test_a_program_that_does_not_come_back_is_a_lost_line_until_a_restart(bench):
    """A loop for ever in the board's program: the rig goes on, and says what is wrong."""
    board, engine = bench.pusher.board, _program()[0]
    store = Store(engine)
    module = Module(engine, '(module (func (export "spin") (loop (br 0))))')
    spin = Instance(store, module, []).exports(store)["spin"]
    board._store, board._exports = store, {"board_run": lambda store, *args: spin(store)}
    bench.clock.sleep(1.0)
    assert bench.pusher.stop() is StopAnswer.NOT_SENT
    with pytest.raises(PortLost):
        bench.pusher.status()
    assert bench.pusher.link.trouble == STUCK
    bench.pusher.restart()
    bench.clock.sleep(2.0)
    assert bench.state is AWAY  # nobody knows what its arm did meanwhile


@pytest.mark.parametrize(
    ("at_s", "known"),
    [(0.2, "an arm on its way out"), (OUT_S + 0.1, "its arm had been all the way out")],
)
def test_what_is_known_of_a_lost_stroke_is_said(bench, at_s, known):
    with pytest.raises(StrokeUnknown, match=known):
        bench.push(at_s, bench.pusher.unplug)


def test_a_restart_forgets_the_token(bench):
    token = bench.arm()
    bench.pusher.restart()
    with pytest.raises(PushRefused):
        bench.pusher.push(token, PUSH)


def test_without_its_cable_nothing_is_answered_and_nothing_stopped(bench):
    bench.pusher.unplug()
    assert bench.pusher.stop() is StopAnswer.NOT_SENT
    for ask in (bench.pusher.status, bench.pusher.arm, bench.pusher.clear):
        with pytest.raises(PortLost, match="cable"):
            ask()
    with pytest.raises(PortLost):
        bench.pusher.push(1, PUSH)


def test_half_a_second_of_silence_disarms_and_says_so_until_the_next_arming(bench):
    bench.arm()
    bench.pusher.unplug()
    bench.clock.sleep(0.5)
    bench.pusher.unplug()
    bench.clock.sleep(0.5)
    bench.pusher.plug()
    assert (bench.state, bench.pusher.status().fault) == (SAFE, Fault.LINK)
    bench.arm()
    assert bench.pusher.status().fault is Fault.NONE


@pytest.mark.parametrize(("at_s", "touches"), [(0.05, 1), (OUT_S + 0.1, 1)])
def test_silence_in_a_stroke_brings_the_arm_back_and_then_is_a_fault(at_s, touches):
    bench = Bench(ServoArm(hold_ms=1500))
    start_s = bench.clock.monotonic_s() + 0.6
    with pytest.raises(StrokeUnknown):
        bench.push(at_s, bench.pusher.unplug)
    back_s = at_s + 0.5 + OUT_S + 0.2
    assert back_s < bench.clock.monotonic_s() - start_s < back_s + 3.0
    bench.pusher.plug()
    assert (bench.state, bench.pusher.status().fault) == (FAULT, Fault.LINK)
    assert len(bench.touched) == touches


def test_silence_on_the_way_back_lets_it_finish(bench):
    with pytest.raises(StrokeUnknown):
        bench.push(HOLD_S + 0.05, bench.pusher.unplug)
    bench.pusher.plug()
    assert (bench.state, bench.pusher.status().fault) == (SAFE, Fault.NONE)


def test_a_cable_that_slips_for_a_moment_sends_the_arm_back(bench):
    def slip():
        bench.pusher.unplug()
        bench.clock.after(0.05, bench.pusher.plug)

    with pytest.raises(StrokeUnknown):
        bench.push(0.05, slip)
    assert bench.state is SAFE
    assert bench.touched == []


def test_a_stop_does_not_wait_for_a_running_push():
    entered, released = threading.Event(), threading.Event()
    clock = ManualClock()

    def linger(push):
        entered.set()
        assert released.wait(120.0)

    pusher = VirtualPusher(clock, np.random.default_rng(1), linger)
    pusher.set_switch(True)
    token = pusher.arm().token
    clock.sleep(0.6)
    ends = []
    thread = threading.Thread(target=lambda: ends.append(pusher.push(token, PUSH)))
    thread.start()
    assert entered.wait(120.0)
    pusher.stop()
    assert pusher.status().state is ESTOP
    released.set()
    thread.join(10.0)
    assert [end.ended for end in ends] == [ESTOP]


HANDS = {
    "off": lambda p: p.set_switch(False),
    "on": lambda p: p.set_switch(True),
    "press": lambda p: p.set_estop(True),
    "pull": lambda p: p.set_estop(False),
    "stop": lambda p: p.stop(),
    "disarm": lambda p: p.disarm(),
    "clear": lambda p: p.clear(),
    "homed": lambda p: p.homed(),
    "arm": lambda p: p.arm(),
    "unplug": lambda p: p.unplug(),
    "plug": lambda p: p.plug(),
    "restart": lambda p: p.restart(),
}

script = st.lists(
    st.tuples(st.sampled_from([*HANDS, "push", "push", "on", "arm"]), st.floats(0.0, 1.6)),
    max_size=25,
)


@settings(max_examples=60)
@given(script)
def test_whatever_hands_do_no_stroke_is_made_without_an_arming_of_its_own(steps):
    bench = Bench()
    armings, strokes, tokens = 0, 0, [0]

    def act(name):
        nonlocal armings
        try:
            result = HANDS[name](bench.pusher)
        except (PushRefused, PortLost):
            return
        if name == "arm":
            armings += 1
            tokens.append(result.token)

    pending = iter(steps)
    for name, wait_s in pending:
        if name != "push":
            act(name)
            bench.clock.sleep(wait_s)
            continue
        other = next(pending, ("off", 0.0))[0]
        if other != "push":
            bench.clock.after(wait_s, lambda other=other: act(other))
        try:
            stroke = bench.pusher.push(tokens[-1], PUSH)
        except (PushRefused, PortLost):
            continue
        except StrokeUnknown:
            strokes += 1
            continue
        strokes += 1
        assert stroke.ended not in MOVING
        assert stroke.reach is not Reach.UNKNOWN
        assert not stroke.complete or len(bench.touched) > 0
    assert strokes <= armings
    assert len(bench.touched) <= strokes


def test_the_boards_program_is_never_in_two_threads_at_once():
    board = Board(iter(range(1, 9)))
    inside, go, order = threading.Event(), threading.Event(), []
    real = board._exports

    class Slow:
        def __getitem__(self, name):
            def call(*args):
                order.append(name)
                if name == "board_run":
                    inside.set()
                    assert go.wait(120.0)
                    order.append("out")
                return real[name](*args)

            return call

    board._exports = Slow()
    lives = threading.Thread(target=board.run, args=(5,))
    lives.start()
    assert inside.wait(120.0)
    hears = threading.Thread(target=board.take, args=(b"\x18",))
    hears.start()
    hears.join(0.1)
    go.set()
    lives.join()
    hears.join()
    assert order == ["board_run", "out", "board_receive"]
