"""Ends a command on Ctrl+C, SIGTERM or a closed terminal: once, in order, with a known exit code.

While modules are loading there is nothing to clean up, so the process ends at once; an exception in
the middle of an import could turn into any other. While a command runs, the signal raises
KeyboardInterrupt, so that every `with` and `finally` runs. A later second signal ends it at once.

Until `listen` is called, Ctrl+C gets Python's own traceback. That lasts about 30 ms, of which all
but one or two pass while Python starts, before the first line of this program runs.
"""

import os
import signal
import sys
import time
from types import FrameType

PATIENCE_S = 2.0
"""Seconds within which a second Ctrl+C counts as the same one; a pusher is being stopped then."""

STOPPED = "Stopped."
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class Signals:
    """The signals that ask this process to end.

    Attributes:
        busy: whether a command runs and has to clean up first.
    """

    def __init__(self) -> None:
        self.busy = False
        self._process = os.getpid()
        self._first: tuple[int, float] | None = None

    @property
    def heard(self) -> bool:
        """Whether such a signal has come."""
        return self._first is not None

    @property
    def code(self) -> int:
        """The exit code that a shell expects for this signal."""
        return 128 + (self._first[0] if self._first else signal.SIGINT)

    def listen(self) -> None:
        """Handle them from now on, except those that the parent process has switched off."""
        for name in _NAMES:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._heard)

    def _heard(self, number: int, frame: FrameType | None) -> None:
        if os.getpid() != self._process:
            os._exit(128 + number)  # a worker: the one who started it says the word
        if self._first is not None:
            if time.monotonic() - self._first[1] > PATIENCE_S:
                os._exit(self.code)
            return
        self._first = (number, time.monotonic())
        if self.busy:
            raise KeyboardInterrupt
        last_word(STOPPED)
        os._exit(self.code)


def last_word(words: str) -> None:
    """Print a word to the person who ended it, on its own line after the terminal's ^C."""
    try:
        new_line = "\n" if sys.stderr.isatty() else ""
        os.write(2, f"{new_line}{words}\n".encode(sys.stderr.encoding, "replace"))
    except (OSError, ValueError, AttributeError):
        return  # the terminal has gone
