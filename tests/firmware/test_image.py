"""The very image that is flashed, under simavr: what its pins and its line do, in microseconds."""

import itertools
from itertools import pairwise
from pathlib import Path

import pytest

import rig
from rig.pusher.wire import FrameKind, SerialFrame, encode
from tests.support.chip import BEAM_0, BEAM_1, ESTOP, MHZ, SWITCH
from tests.support.hosted import Image

BAUD = 117_647
"""What the chip's divider gives for 115200."""
SIM_BYTE_US = 11 / BAUD * 1e6
"""A byte in simavr 1.6 lasts eleven bits, a parity bit among them that is not there."""
REST_US = 1200


@pytest.fixture
def start(built):
    """Give chips their power; all are ended with the test."""
    chips = []

    def begin(*args):
        chips.append(Image(built, *args))
        return chips[-1]

    yield begin
    for one in chips:
        one.close()


@pytest.fixture
def image(start):
    return start()


def test_the_image_in_the_package_is_built_from_this_source(built):
    made = built.elf.with_name("pusher.hex").read_bytes()
    kept = (Path(rig.__file__).parent / "pusher" / "pusher.hex").read_bytes()
    assert made == kept, "make -C firmware hex, then copy build/pusher.hex into rig/pusher/"


@pytest.mark.parametrize("pins", [ESTOP, ESTOP | SWITCH, 0, SWITCH | BEAM_0])
def test_three_seconds_of_power_on_are_silent_at_the_servo(image, pins):
    image.high(ESTOP)
    image.low(pins)
    image.run(3_000_000)

    assert image.power_changed == 0
    assert image.pulses == []
    assert image.events[0].text.startswith("BOOT")


def test_power_comes_before_the_first_pulse_and_that_is_the_one_of_rest(image):
    image.run(50_000)
    image.hello()
    image.low(SWITCH)
    image.run(6000)
    image.ask("ARM")
    image.run(100_000)

    assert image.power
    first, width = image.pulses[0]
    assert image.power_changed < first < image.power_changed + 25_000 * MHZ
    assert width == REST_US


def formula_us(t_ms, stroke):
    """Where a stroke is after some time, by minimum jerk; None once it is over."""
    amp, out, hold, back = stroke

    def way(t, total):
        x = t / total
        return amp * x**3 * (10 - 15 * x + 6 * x * x)

    if t_ms < out:
        return way(t_ms, out)
    if t_ms < out + hold:
        return amp
    return amp - way(min(t_ms - out - hold, back), back)


@pytest.mark.parametrize(
    "stroke", [(300, 800, 150, 600), (400, 500, 0, 500), (1, 200, 60, 200), (77, 1333, 9, 217)]
)
def test_the_pulses_of_a_stroke_are_those_of_the_formula(image, stroke):
    image.push(" ".join(map(str, stroke)))
    start = len(image.pulses) - 1
    image.live(sum(stroke[1:]) + 300)

    got = image.widths_us[start:]
    # The servo's frames of 20 ms know nothing of when a push comes: which ms it is, is free.
    errors = {
        phase: max(
            abs(width - REST_US - formula_us(20 * i + phase, stroke))
            for i, width in enumerate(got)
            if 20 * i + phase >= 0
        )
        for phase in range(-40, 21)
    }
    assert min(errors.values()) <= 0.5
    top = got.index(max(got))
    assert got[: top + 1] == sorted(got[: top + 1])
    assert got[top:] == sorted(got[top:], reverse=True)
    assert set(image.widths_us[:start]) == {REST_US}
    cycles = [cycle for cycle, _ in image.pulses]
    assert {b - a for a, b in pairwise(cycles)} <= set(range(319_990, 320_011))
    assert not image.power
    assert image.states == ["ARMED", "OUT", "HOLD", "BACK", "SAFE"]


def test_a_push_that_comes_again_and_again_is_answered_again_and_made_once(image):
    token = image.arm()
    push = image.frame(f"PUSH {token} 300 800 150 600")
    replies = [image.answer_to(push) for _ in range(12)]
    image.live(2000)

    assert replies == ["OK PUSH 1"] * 12
    assert image.states == ["ARMED", "OUT", "HOLD", "BACK", "SAFE"]
    assert image.answer_to(push) == "SEQ"
    assert image.ask("CNT").split()[7] == "1"


def test_a_token_runs_out_after_ten_seconds(image):
    token = image.arm()
    image.live(9200)
    assert image.power
    since = image.cycle
    image.live(200)

    assert not image.power
    assert 0 <= image.off_after_us(since) <= 120_000
    assert image.ask(f"PUSH {token} 300 800 150 600") == "ER PUSH 4 SAFE"
    assert image.ask("ARM") == "ER ARM 7 SAFE"


def test_half_a_second_of_silence_brings_a_stroke_back_smoothly_and_takes_the_power(image):
    image.push("400 2000 500 800")
    image.live(600)
    since = image.cycle
    image.run(2_000_000)

    assert image.states[-2:] == ["BACK", "FAULT"]
    assert image.events[-1].text.split()[2] == "LINK"
    assert 1_400_000 <= image.off_after_us(since) <= 1_501_500
    widths = image.widths_us
    assert max(abs(b - a) for a, b in pairwise(widths)) <= 32
    assert widths[-1] == REST_US
    assert max(widths) < 1600


def test_half_a_second_of_silence_disarms(image):
    image.arm()
    since = image.cycle
    image.run(700_000)

    assert image.off_after_us(since) <= 501_000
    assert image.events[-1].text.split()[:3] == ["ST", "SAFE", "LINK"]


def test_the_stop_byte_takes_the_power_within_150_us(image):
    image.push()
    image.live(300)
    since = image.cycle
    image.put(b"!")
    image.run(10_000)

    assert image.off_after_us(since) <= 150
    assert image.events[-1].text.startswith("ST ESTOP")


def test_the_stop_byte_inside_a_frame_stops_and_the_frame_goes_on(image):
    image.push()
    image.live(300)
    frame = image.frame("HB")
    since = image.cycle
    assert image.answer_to(frame[:7] + b"!" + frame[7:]).startswith("OK HB ESTOP")
    assert image.off_after_us(since) <= 8 * SIM_BYTE_US + 60


@pytest.mark.parametrize("noise", [b"$C1", b"\x00", b"$C1\x07", b"?"])
def test_the_stop_byte_behind_a_flood_comes_as_soon_as_the_wire_lets_it(image, noise):
    image.push()
    image.live(300)
    flood = (noise * 300)[:300]
    since = image.cycle
    image.put(flood + b"!")
    image.run(60_000)

    beyond_us = image.off_after_us(since) - 301 * SIM_BYTE_US
    assert beyond_us <= 150


def test_the_stop_button_takes_the_power_within_four_milliseconds(image, start):
    latencies = []
    for phase_us in range(0, 1000, 50):
        one = start()
        one.push()
        one.run(phase_us)
        since = one.cycle
        one.high(ESTOP)
        one.run(10_000)
        latencies.append(one.off_after_us(since))

    assert max(latencies) <= 3100
    assert min(latencies) >= 1900


@pytest.mark.parametrize("first_ms", [0, 38])
def test_the_stop_button_ends_a_stroke_at_any_moment_for_good(start, first_ms):
    for ms in range(first_ms, 1560, 62):
        one = start()
        one.push()
        one.live(ms)
        one.high(ESTOP)
        one.run(5000)
        before = len(one.pulses)
        assert not one.power
        one.live(200)
        assert not one.power
        assert len(one.pulses) == before
        assert one.states[-1] == "ESTOP"


def test_a_reset_in_a_stroke_moves_nothing_and_is_told_until_a_hand_clears_it(image):
    image.push()
    image.live(300)
    before = len(image.pulses)
    for _ in range(2):
        image.reset()
        image.events.clear()
        image.run(500_000)
        assert image.events[0].text.split()[2] == "1"

    assert len(image.pulses) == before
    assert image.hello(2).endswith("AWAY")
    assert image.ask("HOMED", 2) == "ER HOMED 7 AWAY"
    image.high(SWITCH)
    image.run(10_000)
    assert image.ask("HOMED", 2) == "OK HOMED SAFE"
    image.run(10_000)
    image.reset()
    image.run(50_000)
    assert image.hello(3).endswith("SAFE")


@pytest.mark.parametrize("after_ms", [20, 700, 1200])
def test_a_loss_of_power_in_a_stroke_is_told_at_the_next_start(image, start, after_ms):
    image.push()
    image.live(after_ms)
    again = start(image.eeprom)
    again.run(100_000)

    assert again.events[0].text.split()[1:3] == ["POR", "1"]
    assert again.hello().endswith("AWAY")
    assert again.pulses == []


@pytest.mark.parametrize("stop", ["byte", "word", "button", "switch"])
@pytest.mark.parametrize("end", ["reset", "power"])
def test_a_stop_does_not_wipe_out_that_the_arm_may_be_away(image, start, stop, end):
    """First a reset cuts the stroke short, then somebody stops what has stopped already."""
    image.push()
    image.live(300)
    before = image.widths_us
    image.reset()
    image.run(50_000)
    image.hello(2)
    if stop == "byte":
        image.put(b"!")
    elif stop == "word":
        image.ask("STOP", 2)
    elif stop == "button":
        image.high(ESTOP)
        image.run(6000)
        image.low(ESTOP)
    else:
        image.high(SWITCH)
        image.run(6000)
        image.low(SWITCH)
    image.run(10_000)
    if end == "reset":
        image.reset()
    else:
        image, before = start(image.eeprom), []
    image.run(50_000)

    assert image.hello(3).endswith("AWAY")
    assert int(image.ask("HB", 3, 1).split()[5], 16) & 64
    image.high(SWITCH)
    image.run(6000)
    image.low(SWITCH)
    image.run(6000)
    assert image.ask("ARM", 3) == "ER ARM 12 AWAY"
    assert image.widths_us == before


def test_each_stroke_is_kept_in_another_cell_of_the_eeprom(image, start):
    """A cell lives for 100 000 writes; all of them together for more than a million strokes."""
    cells = set()
    for _ in range(33):
        image.push("1 200 0 200")
        image.run(20_000)
        (cell,) = [i for i, byte in enumerate(image.eeprom[2:]) if byte != 0xFF]
        cells.add(cell)
        image.live(700)
        assert set(image.eeprom[2:]) == {0xFF}

    assert cells == set(range(32))


def test_a_write_that_a_loss_of_power_cuts_short_forgets_no_arm_that_is_out(image, start):
    """Whatever a torn write leaves in its cell, it is begun while the arm is at home."""
    image.push("400 500 0 500")
    image.run(8000)
    assert image.eeprom[2:].count(0) == 1
    assert set(image.widths_us) == {REST_US}
    torn = bytearray(image.eeprom)
    torn[2 + torn[2:].index(0)] = 0x5A
    again = start(bytes(torn))
    again.run(50_000)

    assert again.hello().endswith("AWAY")


@pytest.mark.parametrize("before", [b"\x00", b"\x00\xff", b"sketch"])
def test_a_board_that_had_another_program_is_put_home_once(start, before):
    """What that program left in the EEPROM says in many cells that the arm may be out."""
    image = start((before * 1024)[:1024])
    image.run(50_000)
    assert image.hello().endswith("AWAY")
    assert image.ask("HOMED") == "OK HOMED SAFE"
    image.run(200_000)

    again = start(image.eeprom)
    again.run(50_000)
    assert again.hello().endswith("SAFE")
    again.push()
    again.run(20_000)
    assert again.eeprom[2:34].count(0) == 1
    again.live(2000)
    assert set(again.eeprom[2:34]) == {0xFF}


def test_a_loss_of_power_while_many_cells_are_put_right_moves_nothing(start):
    image = start(b"\x00" * 1024)
    image.run(50_000)
    image.hello()
    image.ask("HOMED")
    again = start(image.eeprom)
    again.run(50_000)

    assert again.hello().endswith("AWAY")
    assert again.pulses == []


@pytest.mark.parametrize("half_us", [2500, 500, 50, 12])
def test_a_beam_that_chatters_keeps_nobody_from_being_answered(image, half_us):
    """At 200 Hz, 1 kHz, 10 kHz, and where its edges are all that the chip has time for."""
    image.push("200 300 0 300")
    image.events.clear()
    image.answers.clear()
    pins = itertools.cycle([image.low, image.high])
    for turn in range(1_000_000 // half_us):
        next(pins)(BEAM_0)
        if turn % (100_000 // half_us) == 0:
            image.put(image.frame("HB"))
        image.run(half_us)
    image.run(10_000)

    answers = [one.text[:5] for one in image.answers]
    assert answers == ["OK HB"] * len(answers)
    assert len(answers) >= 10
    assert image.states == ["HOLD", "BACK", "SAFE"]


def test_the_stop_byte_gets_through_a_beam_that_trembles_as_fast_as_it_can(image):
    image.push()
    image.live(300)
    since = image.cycle
    image.put(b"!")
    for _ in range(500):
        image.low(BEAM_0 | BEAM_1)
        image.run(4)
        image.high(BEAM_0 | BEAM_1)
        image.run(4)

    assert image.off_after_us(since) <= 500


def test_a_loss_of_power_at_rest_is_nothing(image, start):
    image.push()
    image.live(2000)
    again = start(image.eeprom)
    again.run(100_000)

    assert again.events[0].text.split()[1:3] == ["POR", "0"]
    assert again.hello().endswith("SAFE")


def test_every_start_has_another_number(image, start):
    numbers = []
    for _ in range(4):
        image.run(100_000)
        numbers.append(image.events[-1].text.split()[4])
        image = start(image.eeprom)

    assert len(set(numbers)) == 4


def test_a_program_that_stands_still_is_started_again_and_its_servo_left_alone(image):
    image.push()
    image.live(300)
    since = image.cycle
    image.hang()
    image.events.clear()
    image.run(500_000)

    assert image.off_after_us(since) <= 160_000
    assert image.events[0].text.split()[:3] == ["BOOT", "WDT", "1"]
    assert image.hello(2).endswith("AWAY")


def test_beam_edges_are_timed_to_a_few_microseconds_wherever_the_timer_stands(image):
    image.run(50_000)
    steps = [25_000, 19_990, 20_010, 333, 19_667, 40_000, 60, 39_940, 1_234_567, 20_000, 300, 700]
    for i, step in enumerate(steps):
        (image.low if i % 2 == 0 else image.high)(BEAM_0)
        image.run(step)
    image.run(50_000)

    told = [e.text.split() for e in image.events if e.text.startswith("BEAM")]
    assert [words[1:3] for words in told] == [["0", "1"], ["0", "0"]] * 6
    times = [int(words[3], 16) for words in told]
    gaps = [b - a for a, b in pairwise(times)]
    assert all(abs(gap - step) <= 2 for gap, step in zip(gaps, steps, strict=False)), gaps


def test_two_beams_at_once_are_both_told(image):
    image.run(50_000)
    image.low(BEAM_0 | BEAM_1)
    image.run(50_000)

    assert [e.text.split()[1] for e in image.events if e.text.startswith("BEAM")] == ["0", "1"]


def test_no_byte_waits_so_long_for_its_interrupt_that_the_next_is_lost(image):
    image.push()
    image.live(300)
    image.listen()
    image.put(b"$C1?" * 40 + b"\x00")
    for i in range(40):
        (image.low if i % 2 else image.high)(BEAM_0 | BEAM_1)
        image.run(1700)

    assert 0 < image.deafest_us <= 10 / BAUD * 1e6


def test_a_stroke_under_a_flood_leaves_half_a_kilobyte_of_stack(image):
    image.push()
    image.live(300)
    image.put(b"$C1\x00" * 100)
    for text in ("LIM", "CNT", "EV 00", "FOO", "DISARM"):
        image.low(BEAM_0)
        image.high(BEAM_0)
        image.put(encode(SerialFrame(FrameKind.COMMAND, 1, 200, text)))
        image.run(60_000)

    assert image.stack_left >= 512
