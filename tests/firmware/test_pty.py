"""Real pyserial, a real terminal, and the image that is flashed, in real time.

The chip keeps to its own clock: a busy computer makes these tests slower, never wrong.
"""

import itertools
import os
import threading
import time
from contextlib import suppress

import pytest
from chip import MHZ, SWITCH, Chip

from physics.push import Push
from rig.clock import SystemClock
from rig.link import LineLost
from rig.ports import SerialLine
from rig.pusher import PortLost, PusherState, StrokeUnknown
from rig.serial_pusher import SerialPusher

DEADLINE_S = 60.0
STEP_US = 2000
PUSH = Push(speed_mm_s=45.0, stroke_mm=12.0, standoff_mm=2.0)


class Bench:
    """A chip at one end of a pseudo-terminal, living in real time on a thread of its own."""

    def __init__(self, built):
        self.chip = Chip(built)
        self.master, self.slave = os.openpty()
        self.name = os.ttyname(self.slave)
        os.set_blocking(self.master, False)
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._live)
        SerialLine(self.name).close()  # leaves the terminal without echo
        self._thread.start()

    def _live(self):
        behind_s = time.monotonic()
        while not self._over.is_set():
            with self._lock:
                with suppress(OSError):
                    self.chip.put(os.read(self.master, 4096))
                self.chip.run_us(STEP_US)
                sent = self.chip.get()
            if sent:
                with suppress(OSError):
                    os.write(self.master, sent)
            behind_s += STEP_US / 1e6
            ahead_s = behind_s - time.monotonic()
            if ahead_s > 0:
                self._over.wait(ahead_s)
            elif ahead_s < -0.1:
                behind_s = time.monotonic()  # go on from here rather than run to catch up

    def low(self, pins):
        with self._lock:
            self.chip.low(pins)

    def high(self, pins):
        with self._lock:
            self.chip.high(pins)

    def until(self, condition):
        """Wait for something of the chip's."""
        waiter = threading.Event()
        end_s = time.monotonic() + DEADLINE_S
        while time.monotonic() < end_s:
            with self._lock:
                if condition(self.chip):
                    return True
            waiter.wait(0.01)
        return False

    def let_live(self, ms):
        """Wait until the chip has lived so long."""
        end = self.chip.cycle + ms * 1000 * MHZ
        assert self.until(lambda chip: chip.cycle >= end)

    def close(self):
        self._over.set()
        self._thread.join(DEADLINE_S)
        for end in (self.master, self.slave):
            os.close(end)
        self.chip.close()


@pytest.fixture
def bench(built):
    bench = Bench(built)
    yield bench
    bench.close()


@pytest.fixture
def pusher(bench):
    pusher = SerialPusher(lambda: SerialLine(bench.name), SystemClock(), itertools.count(1))
    pusher.link.start()
    greeted(pusher)
    yield pusher
    pusher.link.close()


def greeted(pusher):
    waiter = threading.Event()
    for _ in range(int(DEADLINE_S / 0.02)):
        if pusher.link.device is not None:
            return
        waiter.wait(0.02)
    raise AssertionError(pusher.link.trouble)


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
    again = SerialPusher(lambda: SerialLine(bench.name), SystemClock(), itertools.count(1))
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
    with pytest.raises(LineLost, match="takes nothing any more"):
        line.write(b"more")
    line.close()
