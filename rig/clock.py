"""The clock port, the system's clock, and one that tests move by hand.

Everything in `rig` that waits does so through a `Clock`, so that a test of a ten-second token takes
no time at all.
"""

import threading
import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits; safe from any thread."""

    def now_s(self) -> float:
        """Wall time, in seconds since 1970."""

    def monotonic_s(self) -> float:
        """Seconds from some moment in the past; never goes back."""

    def sleep(self, duration_s: float) -> None:
        """Return so many seconds later."""

    def wait(self, event: threading.Event, timeout_s: float | None = None) -> bool:
        """Return when the event is set or the time is over; say whether it is set."""


class SystemClock(Clock):
    """The time of this machine.

    Args:
        speed: how many times faster than the wall's it runs; a demo uses more than 1.
    """

    def __init__(self, speed: float = 1.0) -> None:
        if not speed > 0:
            raise ValueError(f"a clock cannot run at {speed} times the wall's speed")
        self._speed = speed
        self._wall_s = time.time()
        self._start_s = time.monotonic()

    def now_s(self) -> float:
        return self._wall_s + self.monotonic_s()

    def monotonic_s(self) -> float:
        return (time.monotonic() - self._start_s) * self._speed

    def sleep(self, duration_s: float) -> None:
        time.sleep(max(0.0, duration_s) / self._speed)

    def wait(self, event: threading.Event, timeout_s: float | None = None) -> bool:
        return event.wait(None if timeout_s is None else max(0.0, timeout_s) / self._speed)


class ManualClock(Clock):
    """A clock that stands still until somebody sleeps on it or moves it.

    Sleeping moves it at once, so a single thread runs through hours in no time. What should happen
    during such a sleep is booked beforehand with `after`.

    >>> clock = ManualClock()
    >>> clock.after(2.0, lambda: print("two seconds"))
    >>> clock.sleep(5.0)
    two seconds
    >>> clock.monotonic_s()
    5.0
    """

    def __init__(self, start_s: float = 1_700_000_000.0) -> None:
        self._epoch_s = start_s
        self._time_s = 0.0
        self._booked: list[tuple[float, int, Callable[[], None]]] = []
        self._bookings = 0
        self._lock = threading.Lock()

    def now_s(self) -> float:
        return self._epoch_s + self.monotonic_s()

    def monotonic_s(self) -> float:
        with self._lock:
            return self._time_s

    def after(self, delay_s: float, action: Callable[[], None]) -> None:
        """Book something to be done when the clock has moved on by this much."""
        with self._lock:
            self._bookings += 1
            self._booked.append((self._time_s + delay_s, self._bookings, action))
            self._booked.sort(key=lambda booking: booking[:2])

    def advance(self, duration_s: float) -> None:
        """Move on, doing on the way what was booked, each at its own time."""
        end_s = self.monotonic_s() + max(0.0, duration_s)
        while self._step(end_s):
            pass

    def sleep(self, duration_s: float) -> None:
        self.advance(duration_s)

    def wait(self, event: threading.Event, timeout_s: float | None = None) -> bool:
        """Move on until something booked sets the event, at most by the time given.

        Raises:
            RuntimeError: no time is given and nothing booked sets the event, so the wait would
                never end.
        """
        if timeout_s is None:
            while not event.is_set():
                with self._lock:
                    end_s = self._booked[0][0] if self._booked else None
                if end_s is None:
                    raise RuntimeError("nobody will ever set what this manual clock waits for")
                self._step(end_s)
            return True
        end_s = self.monotonic_s() + max(0.0, timeout_s)
        while not event.is_set() and self._step(end_s):
            pass
        return event.is_set()

    def _step(self, end_s: float) -> bool:
        """Do the next booking up to that time; without one go there and say False."""
        with self._lock:
            if not self._booked or self._booked[0][0] > end_s:
                self._time_s = max(self._time_s, end_s)
                return False
            due_s, _, action = self._booked.pop(0)
            self._time_s = max(self._time_s, due_s)
        action()
        return True
