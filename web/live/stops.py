"""STOP: a way of its own from the edge of the server to the machine."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

_AT_ONCE = 3
"""A pusher that does not answer holds a thread for some seconds; pressing again sends it again."""


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
        """Start the thread that the first press will find there."""
        self._threads.submit(int)

    def press(self, *, again: bool = True) -> "Future[str]":
        """Send STOP now; never waits, and never stands in line behind another.

        Args:
            again: send it even if the last one was sent a moment ago.

        Returns:
            What will be known of it: `acknowledged`, `sent` or `not_sent`.
        """
        with self._lock:
            under_way = [one for one in self._sent if not one.done()]
            if len(under_way) < _AT_ONCE and (again or not self._sent):
                self._sent = [*under_way, self._threads.submit(self._stop)]
            return self._sent[-1]

    def begin_note(self) -> bool:
        """Whether it has to be written down, as nobody is about to do so already."""
        with self._lock:
            begun, self._noting = not self._noting, True
            return begun

    def end_note(self) -> None:
        """Say that it is written down, or cannot be."""
        with self._lock:
            self._noting = False

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False)
