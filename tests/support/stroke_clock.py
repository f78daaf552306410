"""Clocks for tests of several threads: time moves once all of them wait, however busy the day."""

import math
import threading
from contextlib import contextmanager
from pathlib import Path

from rig.clock import Clock
from rig.row.push_events import PushStep

STROKE_THREAD = "stroke"
LOOK_AGAIN_S = 0.02
"""So often a thread that waits sees, by the wall, whether the other one still works."""
STANDS_AFTER_LOOKS = 5
"""A thread that has not worked for so many looks stands at a lock and waits as well."""


class CommonClock(Clock):
    """Moves to the next moment that a thread waits for once none of them has anything left to do.

    Args:
        names: of the threads that live by it, besides the one that made it.
    """

    def __init__(self, *names):
        self._names = names
        self._maker = threading.current_thread()
        self._time_s = 0.0
        self._waiting = {}
        self._turn = threading.Condition()

    def now_s(self):
        return 1_700_000_000.0 + self.monotonic_s()

    def monotonic_s(self):
        return self._time_s

    def sleep(self, duration_s):
        self.wait(threading.Event(), duration_s)

    def wait(self, event, timeout_s=None):
        me = threading.get_ident()
        with self._turn:
            until_s = self._time_s + (math.inf if timeout_s is None else max(0.0, timeout_s))
            self._waiting[me] = (until_s, event)
            worked, looks = {}, 0
            while me in self._waiting:
                others = self._others()
                if not others or looks >= STANDS_AFTER_LOOKS:
                    self._move_on()
                    looks = 0
                if me in self._waiting and others:
                    self._turn.wait(LOOK_AGAIN_S)
                    was, worked = worked, {other: _traces(other) for other in others}
                    looks = looks + 1 if worked == was else 0
            return event.is_set()

    def _others(self):
        """The threads that have something to do."""
        return [
            thread
            for thread in threading.enumerate()
            if self._lives_by_it(thread) and thread.ident not in self._waiting
        ]

    def _lives_by_it(self, thread):
        return thread is self._maker or thread.name in self._names

    def _move_on(self):
        """Wake those whose event is set; if there is none, go to the next moment waited for."""
        awake = [who for who, (_, event) in self._waiting.items() if event.is_set()]
        if not awake:
            next_s = min(until_s for until_s, _ in self._waiting.values())
            if next_s == math.inf:
                raise RuntimeError("nobody will ever set what this clock waits for")
            self._time_s = max(self._time_s, next_s)
            awake = [who for who, (until_s, _) in self._waiting.items() if until_s <= self._time_s]
        for who in awake:
            del self._waiting[who]
        self._turn.notify_all()


class StrokeClock(CommonClock):
    """Stands still unless somebody sleeps on it; in a stroke, unless both threads do.

    Nothing that a test does by hand takes time, however busy the computer is, so no token goes
    stale on the way. In a stroke the arm and the camera are two threads.
    """

    def __init__(self):
        super().__init__(STROKE_THREAD)
        self._filming = None

    def _lives_by_it(self, thread):
        filming = self._filming
        return filming is not None and (thread is filming or thread.name in self._names)

    @contextmanager
    def in_stroke(self):
        """Wait for the thread of the arm, too, for as long as this lasts."""
        self._filming = threading.current_thread()
        try:
            yield
        finally:
            self._filming = None

    def run_in_strokes_of(self, machine):
        """Count the arm's thread in those steps of a machine that carry out a push."""
        step = machine._step

        def stepped():
            attempt = machine.session.table.attempt
            if attempt is None or attempt.step is not PushStep.REQUESTED:
                return step()
            with self.in_stroke():
                return step()

        machine._step = stepped


def _traces(thread):
    """What changes as long as a thread works or waits for its turn to; equal once it stands.

    A thread that is ready and gets no time on a busy machine has worked for as long as one that
    stands at a lock. The system tells them apart: only the second sleeps, and goes on sleeping.
    Whoever waits for the interpreter wakes every few milliseconds.
    """
    try:
        text = (Path("/proc/self/task") / str(thread.native_id) / "status").read_text()
    except OSError:
        return None
    told = dict(line.split(":", 1) for line in text.splitlines())
    if told["State"].split()[0] != "S":
        return object()
    return told["voluntary_ctxt_switches"], told["nonvoluntary_ctxt_switches"]
