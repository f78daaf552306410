"""STOP has its own way from the edge of the server to the machine."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

_AT_ONCE = 3
"""Threads for STOP. A silent pusher holds one for some seconds; pressing again sends STOP again."""


class Stops:
    """Every press of STOP at one table.

    Args:
        stop: sends it, and waits for the pusher's answer: see `Session.stop`.
    """

    def __init__(self, stop: Callable[[], str]) -> None:
        self._stop = stop
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="web-stop")
        self._lock = threading.Lock()
        self._sent: list[Future[str]] = []
        self._noting = False

    def make_ready(self) -> None:
        """Start a thread, so that the first press does not have to."""
        self._threads.submit(int)

    def press(self, *, again: bool = True) -> "Future[str]":
        """Send STOP now; never waits, not even for another STOP.

        Args:
            again: send it even if the last one was sent a moment ago.

        Returns:
            What will be known about it: `acknowledged`, `sent` or `not_sent`.
        """
        with self._lock:
            under_way = [one for one in self._sent if not one.done()]
            if len(under_way) < _AT_ONCE and (again or not self._sent):
                self._sent = [*under_way, self._threads.submit(self._stop)]
            return self._sent[-1]

    def begin_note(self) -> bool:
        """Whether the caller has to record the press; False if another thread is doing so."""
        with self._lock:
            begun, self._noting = not self._noting, True
            return begun

    def end_note(self) -> None:
        """Say that the press is recorded, or cannot be."""
        with self._lock:
            self._noting = False

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False)
