"""The clock of whole rigs in tests: it stands still unless somebody waits, and runs in a stroke."""

from contextlib import contextmanager

from rig.clock import Clock, SystemClock
from rig.table import PushStep

STROKE_SPEED = 10.0


class StrokeClock(Clock):
    """Stands still unless somebody sleeps on it, but runs in a stroke.

    Nothing a test does by hand takes time, however busy the computer is, so no token goes stale on
    the way. In a stroke two threads wait for each other, and there time has to pass by itself,
    `STROKE_SPEED` times as fast as the day.
    """

    def __init__(self):
        self._stood_s = 0.0
        self._running = None

    def now_s(self):
        return 1_700_000_000.0 + self.monotonic_s()

    def monotonic_s(self):
        running = self._running
        return self._stood_s + (running.monotonic_s() if running else 0.0)

    def sleep(self, duration_s):
        if self._running:
            self._running.sleep(duration_s)
        else:
            self._stood_s += max(0.0, duration_s)

    def wait(self, event, timeout_s=None):
        if self._running:
            return self._running.wait(event, timeout_s)
        if not event.is_set():
            self._stood_s += max(0.0, timeout_s)
        return event.is_set()

    @contextmanager
    def running(self):
        """Let time pass by itself for as long as this lasts."""
        self._running = SystemClock(speed=STROKE_SPEED)
        try:
            yield
        finally:
            self._stood_s, self._running = self.monotonic_s(), None

    def run_in_strokes_of(self, machine):
        """Let time pass in those steps of a machine that carry out a push."""
        step = machine._step

        def stepped():
            attempt = machine.session.table.attempt
            if attempt is None or attempt.step is not PushStep.REQUESTED:
                return step()
            with self.running():
                return step()

        machine._step = stepped
