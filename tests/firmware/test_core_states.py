"""What the core does in every state: commands, hands, silence, and the motion itself."""

import itertools
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

ESTOP_CLOSED, SWITCH, AWAY = 2, 1, 64
STATES = ("SAFE", "ARMED", "OUT", "HOLD", "BACK", "ESTOP", "FAULT", "AWAY")

# What each command is answered, and the state after it, by the state before it. In ESTOP, FAULT and
# AWAY of this table the switch is off.
ANSWERS = {
    "HB": dict.fromkeys(STATES, ("OK", None)),
    "LIM": dict.fromkeys(STATES, ("OK", None)),
    "CNT": dict.fromkeys(STATES, ("OK", None)),
    "EV 00": dict.fromkeys(STATES, (None, None)),
    "ARM": dict.fromkeys(STATES, ("4", None)) | {"SAFE": ("7", None), "AWAY": ("12", None)},
    "PUSH 0000 300 800 150 600": dict.fromkeys(STATES, ("4", None)) | {"ARMED": ("5", None)},
    "ABORT": dict.fromkeys(STATES, ("OK", None))
    | {"ARMED": ("OK", "SAFE"), "OUT": ("OK", "BACK"), "HOLD": ("OK", "BACK")},
    "STOP": dict.fromkeys(STATES, ("OK", "ESTOP")),
    "CLEAR": dict.fromkeys(STATES, ("4", None))
    | {"ESTOP": ("OK", "SAFE"), "FAULT": ("OK", "SAFE")},
    "HOMED": dict.fromkeys(STATES, ("4", None)) | {"AWAY": ("OK", "SAFE")},
}
ANSWERS["DISARM"] = ANSWERS["ABORT"]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("text", ANSWERS)
def test_every_command_in_every_state(core, text, state):
    answer, after = ANSWERS[text][state]
    core.bring(state)

    words = core.ask(text).split()

    assert core.state == (after or state)
    if answer == "OK":
        assert words[:2] == ["OK", text.split()[0]]
    elif answer is not None:
        assert words == ["ER", text.split()[0], answer, state]


@pytest.mark.parametrize("state", STATES)
def test_the_stop_byte_stops_every_state_within_a_millisecond(core, state):
    core.bring(state)

    core.send(b"$C1!")
    core.run(1)
    core.hear()

    assert core.state == "ESTOP"
    assert core.pulses[-1] == 0
    assert core.events[-1].text.startswith("ST ESTOP NONE")


@pytest.mark.parametrize("state", STATES)
def test_an_opened_estop_cuts_the_power_after_three_samples(core, state):
    core.bring(state)
    core.raw &= ~ESTOP_CLOSED

    assert len([pulse for pulse in core.run(10) if pulse]) <= 2
    assert core.state == "ESTOP"
    assert core.ask("CLEAR") == "ER CLEAR 8 ESTOP"


@pytest.mark.parametrize("state", STATES)
def test_a_new_session_disarms_or_goes_back(core, state):
    core.bring(state)
    after = {"ARMED": "SAFE", "OUT": "BACK", "HOLD": "BACK"}.get(state, state)

    assert core.hello(2).split()[-1] == after


@pytest.mark.parametrize(
    ("state", "after", "fault"),
    [
        ("ARMED", "SAFE", "NONE"),
        ("OUT", "AWAY", "SWITCH"),
        ("HOLD", "AWAY", "SWITCH"),
        ("BACK", "AWAY", "SWITCH"),
    ],
)
def test_the_switch_turned_off_takes_the_power(core, state, after, fault):
    core.bring(state)
    core.raw &= ~SWITCH

    assert core.run(5)[2:] == [0, 0, 0]
    assert (core.state, core.fault) == (after, fault)


def test_a_bounce_of_two_samples_is_nothing(core):
    core.bring("OUT")
    core.raw = 0
    core.run(2)
    core.raw = ESTOP_CLOSED | SWITCH
    core.run(5)

    assert core.state == "OUT"


def test_silence_in_a_stroke_brings_it_back_smoothly_to_a_link_fault(core):
    core.hello()
    core.run(10)
    core.push("100 3000 150 600")
    core.run(499)
    assert core.state == "OUT"
    core.run(1)
    assert (core.state, core.fault) == ("BACK", "LINK")
    core.run(799)
    assert core.state == "BACK"
    steps = [abs(b - a) for a, b in itertools.pairwise(core.pulses[-1400:])]
    assert max(steps) <= 64
    core.run(1)
    assert (core.state, core.fault, core.pulses[-1]) == ("FAULT", "LINK", 0)


def test_silence_disarms_and_the_fault_is_shown_until_the_next_arming(core):
    core.bring("ARMED")
    core.run(500)
    assert (core.state, core.fault) == ("SAFE", "LINK")

    core.arm()
    assert (core.state, core.fault) == ("ARMED", "NONE")


def test_silence_while_going_back_lets_it_finish(core):
    core.bring("BACK")
    core.run(1000)

    assert (core.state, core.fault) == ("SAFE", "NONE")


def test_a_token_lives_ten_seconds(core):
    core.hello()
    core.run(10)
    core.turn_switch()
    core.ask("ARM")
    core.live(9999)
    assert core.state == "ARMED"
    core.run(1)
    assert core.state == "SAFE"
    assert core.ask("ARM") == "ER ARM 7 SAFE"


def test_a_push_before_the_arm_has_settled_is_busy_and_keeps_the_token(core):
    core.hello()
    core.run(10)
    core.turn_switch()
    token = core.ask("ARM").split()[2]
    core.live(599)
    assert core.ask(f"PUSH {token} 300 800 150 600") == "ER PUSH 11 ARMED"
    core.run(1)
    assert core.ask(f"PUSH {token} 300 800 150 600") == "OK PUSH 1"


@pytest.mark.parametrize(
    ("stroke", "good"),
    [
        ("0 800 150 600", False),
        ("1 200 0 200", True),
        ("400 500 0 500", True),
        ("401 800 0 800", False),
        ("400 499 0 500", False),
        ("400 500 0 499", False),
        ("1 199 0 200", False),
        ("1 200 0 199", False),
        ("1 5000 2000 5000", True),
        ("1 5001 0 200", False),
        ("1 200 0 5001", False),
        ("1 200 2001 200", False),
        ("160 200 0 200", True),
        ("161 200 0 200", False),
    ],
)
def test_a_stroke_beyond_a_limit_is_refused_and_keeps_the_token(core, stroke, good):
    core.hello()
    core.run(10)
    token = core.arm()

    assert core.ask(f"PUSH {token} {stroke}") == ("OK PUSH 1" if good else "ER PUSH 6 ARMED")
    if not good:
        assert core.ask(f"PUSH {token} 300 800 150 600") == "OK PUSH 1"


def test_every_arming_needs_a_hand(core):
    core.hello()
    core.run(10)
    core.push()
    core.live(2000)
    assert core.state == "SAFE"
    assert core.ask("ARM") == "ER ARM 7 SAFE"

    core.push()
    assert core.strokes == 2


def test_a_switch_left_on_at_power_up_does_not_arm(core):
    core.raw = ESTOP_CLOSED | SWITCH
    core.hello()
    core.run(1000)

    assert core.ask("ARM") == "ER ARM 7 SAFE"


def test_the_random_number_that_gives_itself_arms_all_the_same(core_library):
    """In a process of its own: this went round for ever once."""
    script = (
        "import ctypes, sys; token = ctypes.CDLL(sys.argv[1]).pusher_token;"
        "token.restype = ctypes.c_uint16; print(token(0xFBFE, 2, 0xFBFE))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, core_library._name],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert int(done.stdout) not in (0, 0xFBFE)


@pytest.mark.parametrize("ms", [0, 1, 2, 0x7FFF, 0xFBFE, 0xFFFF])
def test_no_random_number_at_any_moment_gives_the_token_before(core_library, ms):
    """The moment and the number count by their exclusive or alone, and the token before only where
    the first round gives it: so a few moments and every number are all pairs."""
    assert core_library.shim_tokens(ms) == 0


@settings(max_examples=300)
@given(*[st.integers(0, 0xFFFF)] * 3)
def test_a_token_is_never_the_one_before_and_never_nothing(core_library, number, ms, before):
    token = core_library.pusher_token(number, ms, before)
    assert token not in (0, before)
    assert token == core_library.pusher_token(number ^ ms, 0, before)


def test_two_tokens_in_a_row_differ(core):
    core.hello()
    core.run(10)
    tokens = []
    for _ in range(50):
        tokens.append(core.arm())
        core.ask("DISARM")

    assert all(a != b for a, b in itertools.pairwise(tokens))


def test_a_reset_in_the_middle_of_a_stroke_leaves_the_arm_away_until_a_hand_puts_it_home(boot):
    core = boot(away=True)
    core.send(b"")
    assert core.events[0].text == "BOOT POR 1 1 3F2A"
    assert core.hello().endswith("AWAY")
    core.raw = ESTOP_CLOSED | SWITCH
    core.run(10)
    assert core.ask("HOMED") == "ER HOMED 7 AWAY"
    assert core.ask("ARM") == "ER ARM 12 AWAY"
    core.raw = SWITCH
    core.run(10)
    assert core.ask("HOMED") == "ER HOMED 4 ESTOP"
    core.raw = ESTOP_CLOSED
    core.run(10)
    assert core.ask("CLEAR") == "OK CLEAR AWAY"
    assert core.ask("HOMED") == "OK HOMED SAFE"
    assert core.ask("HB").split()[5] == "06"
    assert not any(core.pulses)


def stop_by_byte(core):
    core.send(b"!")
    core.run(1)


def stop_by_word(core):
    core.ask("STOP")


def press_and_pull(core):
    core.raw &= ~ESTOP_CLOSED
    core.run(5)
    core.raw |= ESTOP_CLOSED
    core.run(5)


def turn_off_and_on(core):
    core.turn_switch()


def reset(core):
    core.reset()
    core.run(10)
    core.hello(core.session % 15 + 1)


HARM = [stop_by_byte, stop_by_word, press_and_pull, turn_off_and_on, reset]


@pytest.mark.parametrize("cut", HARM)
@pytest.mark.parametrize("state", ["OUT", "HOLD", "BACK"])
def test_nothing_but_a_hand_ends_that_the_arm_may_be_away(core, state, cut):
    core.bring(state)
    for after in itertools.permutations(HARM, 2):
        with core.forked():
            for harm in (cut, *after, reset):
                harm(core)
                assert int(core.ask("HB").split()[5], 16) & AWAY
            core.raw = ESTOP_CLOSED
            core.run(10)
            core.ask("CLEAR")
            core.turn_switch()
            assert core.ask("ARM") == "ER ARM 12 AWAY"
            core.raw = ESTOP_CLOSED
            core.run(10)
            assert core.ask("HOMED") == "OK HOMED SAFE"
            reset(core)
            assert core.state == "SAFE"
            core.arm()


@pytest.mark.parametrize("state", ["SAFE", "ARMED"])
@pytest.mark.parametrize("harm", HARM)
def test_what_cuts_no_stroke_leaves_the_arm_at_home(core, harm, state):
    core.bring(state)
    harm(core)
    assert not int(core.ask("HB").split()[5], 16) & AWAY


def test_a_stroke_that_ends_by_itself_leaves_the_arm_at_home(core):
    core.bring("FAULT")
    assert (core.state, core.fault) == ("FAULT", "LINK")
    assert not int(core.ask("HB").split()[5], 16) & AWAY


def test_a_stroke_goes_through_its_states_and_gives_up_the_power(core):
    core.bring("SAFE")
    core.push()
    core.live(2000)
    core.hear()

    states = [event.text.split()[1] for event in core.events if event.text.startswith("ST")]
    assert states == ["ARMED", "OUT", "HOLD", "BACK", "SAFE"]
    assert max(core.pulses) == 2 * 1500
    assert core.pulses[-1] == 0


@pytest.mark.parametrize(
    "stroke", ["400 500 0 500", "300 800 150 600", "1 200 0 200", "77 3333 9 217"]
)
def test_the_pulse_rises_and_falls_without_a_step_back(core, stroke):
    core.bring("SAFE")
    core.push(stroke)
    start = len(core.pulses)
    core.live(7000)

    pulses = [pulse for pulse in core.pulses[start:] if pulse]
    top = pulses.index(max(pulses))
    assert pulses[:top] == sorted(pulses[:top])
    assert pulses[top:] == sorted(pulses[top:], reverse=True)
    assert max(pulses) == 2 * (1200 + int(stroke.split()[0]))
    assert pulses[-1] == 2400
    assert max(abs(b - a) for a, b in itertools.pairwise(pulses)) <= 64


@pytest.mark.parametrize("amplitude", [2, 77, 600, 800])
def test_the_motion_is_the_minimum_jerk_and_monotone(core_library, amplitude):
    worst = 0.0
    for total in (*range(200, 5001, 61), 5000):
        way = [core_library.pusher_way(amplitude, t, total) for t in range(0, total + 1, 4)]
        assert way == sorted(way)
        for t, got in zip(range(0, total + 1, 4), way, strict=True):
            x = t / total
            worst = max(worst, abs(got - amplitude * x**3 * (10 - 15 * x + 6 * x * x)))
    assert core_library.pusher_way(amplitude, 200, 200) == amplitude
    assert worst <= 1.0


def test_the_estop_the_switch_and_the_stop_byte_end_a_stroke_at_every_millisecond(core):
    def press():
        core.raw &= ~ESTOP_CLOSED

    def turn_off():
        core.raw &= ~SWITCH

    core.bring("SAFE")
    core.push()
    for ms in range(1750 - 3):
        for act, within_ms, after in [
            (press, 3, ("ESTOP", "NONE")),
            (turn_off, 3, ("AWAY", "SWITCH")),
            (lambda: core.send(b"!"), 1, ("ESTOP", "NONE")),
        ]:
            with core.forked():
                act()
                core.run(within_ms)
                assert (core.state, core.fault) == after, ms
                assert core.run(60) == [0] * 60
                assert core.state == after[0]
        if ms % 100 == 0:
            core.ask("HB")
        core.run(1)
    core.run(3)
    assert core.state == "SAFE"


def test_every_legal_stroke_is_the_formula_within_half_a_microsecond_and_monotone(core_library):
    """Of a stroke only its share of the way counts, and of that only in which of 16384 moments it
    is; so all strokes are tried at once, the longest amplitude being the least exact."""
    moments = 1 << 14
    shares = [core_library.pusher_way(32768, i, moments) for i in range(moments + 1)]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 32768)

    def formula(x):
        return x**3 * (10 - 15 * x + 6 * x * x)

    # A moment stands for all times up to the next; then the pulse is rounded to half microseconds.
    worst = max(
        abs(share / 32768 - formula(x / moments))
        for i, share in enumerate(shares[:-1])
        for x in (i, i + 1)
    )
    assert worst * 400 + 0.25 <= 0.5
