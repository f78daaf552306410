"""Real pyserial, a real terminal, and the image that is flashed, in real time.

The chip keeps to its own clock: a busy computer makes these tests slower, never wrong.
"""

import itertools
import os
import threading

import pytest

from physics.row.push import Push
from rig.pusher.find_port import SerialLine
from rig.pusher.link import LineLost
from rig.pusher.port import PortLost, PusherState, StrokeUnknown
from rig.pusher.serial import SerialPusher
from tests.support.chip import SWITCH
from tests.support.terminal import DEADLINE_S, ChipClock, Terminal, greeted

PUSH = Push(speed_mm_s=45.0, stroke_mm=12.0, standoff_mm=2.0)


@pytest.fixture
def bench(built):
    bench = Terminal(built)
    yield bench
    bench.close()


@pytest.fixture
def pusher(bench):
    pusher = SerialPusher(lambda: SerialLine(bench.name), ChipClock(bench), itertools.count(1))
    pusher.link.start()
    greeted(pusher)
    yield pusher
    pusher.link.close()


def armed(bench, pusher):
    bench.high(SWITCH)
    bench.let_live(10)
    bench.low(SWITCH)
    bench.let_live(10)
    token = pusher.arm().token
    bench.let_live(650)
    return token


def test_a_stroke_over_a_terminal_is_made_and_told(bench, pusher):
    stroke = pusher.push(armed(bench, pusher), PUSH)

    assert (stroke.number, stroke.complete, stroke.ended) == (1, True, PusherState.SAFE)
    assert not bench.chip.power
    assert max(width for _, width in bench.chip.pulses) > 1300


def test_a_port_closed_in_the_middle_of_a_stroke_brings_the_arm_back(bench, pusher):
    token = armed(bench, pusher)
    ends = []

    def push():
        try:
            ends.append(pusher.push(token, PUSH))
        except (StrokeUnknown, PortLost) as error:
            ends.append(error)

    pushing = threading.Thread(target=push)
    pushing.start()
    assert bench.until(lambda chip: chip.pulses and chip.pulses[-1][1] > 1205)
    pusher.link.close()
    assert bench.until(lambda chip: not chip.power)
    pushing.join(DEADLINE_S)

    assert isinstance(ends[0], StrokeUnknown | PortLost)
    assert bench.chip.pulses[-1][1] == 1200
    bench.high(SWITCH)
    bench.let_live(50)
    again = SerialPusher(lambda: SerialLine(bench.name), ChipClock(bench), itertools.count(1))
    again.link.start()
    try:
        greeted(again)
        assert again.status().state in (PusherState.FAULT, PusherState.SAFE)
        assert again.status().strokes == 1
    finally:
        again.link.close()


def test_a_stop_over_a_terminal_takes_the_power(bench, pusher):
    armed(bench, pusher)
    assert bench.until(lambda chip: chip.power)
    pusher.stop()

    assert bench.until(lambda chip: not chip.power)
    assert pusher.status().state is PusherState.ESTOP


def test_two_programs_do_not_share_a_port(bench, pusher):
    with pytest.raises(LineLost, match="in use by another program"):
        SerialLine(bench.name)


def test_bytes_go_both_ways_and_a_vanished_port_says_so():
    master, slave = os.openpty()
    line = SerialLine(os.ttyname(slave))
    os.close(slave)
    line.write(b"out")
    assert os.read(master, 10) == b"out"
    os.write(master, b"in!")
    assert line.read() + line.read() + line.read() == b"in!"
    os.close(master)
    with pytest.raises(LineLost, match="plug the pusher in again"):
        line.read()
    with pytest.raises(LineLost, match="accepts nothing any more"):
        line.write(b"more")
    line.close()
