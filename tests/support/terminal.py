"""A chip at one end of a pseudo-terminal, living in real time."""

import os
import threading
import time
from contextlib import suppress

from rig.clock import Clock
from rig.pusher.find_port import SerialLine
from tests.support.chip import MHZ, Chip

DEADLINE_S = 60.0
STEP_US = 1000


class Terminal:
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


class ChipClock(Clock):
    """The time of the chip: while nobody runs it, nobody loses patience either."""

    def __init__(self, bench):
        self._chip = bench.chip
        self._epoch_s = time.time()

    def now_s(self):
        return self._epoch_s + self.monotonic_s()

    def monotonic_s(self):
        return self._chip.cycle / (MHZ * 1e6)

    def sleep(self, duration_s):
        self.wait(threading.Event(), duration_s)

    def wait(self, event, timeout_s=None):
        end_s = None if timeout_s is None else self.monotonic_s() + timeout_s
        while not event.wait(0.001):
            if end_s is not None and self.monotonic_s() >= end_s:
                return False
        return True


def greeted(pusher):
    waiter = threading.Event()
    for _ in range(int(DEADLINE_S / 0.02)):
        if pusher.link.device is not None:
            return
        waiter.wait(0.02)
    raise AssertionError(pusher.link.trouble)
