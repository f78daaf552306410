"""What Ctrl+C, SIGTERM and a closed terminal do: the command ends once, calmly, by a known code.

While modules are loaded there is nothing to put away, so the process just goes: an exception in the
middle of an import comes out as anything. While a command runs it is a KeyboardInterrupt, so that
every `with` and `finally` is gone through; a person who has waited and asks again is not kept.
"""

import os
import signal
import sys
import time
from types import FrameType

PATIENCE_S = 2.0
"""Ctrl+C pressed again within this time is the same wish; a pusher is being stopped meanwhile."""

STOPPED = "Stopped."
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class Signals:
    """The wishes of a process to end.

    Attributes:
        busy: whether a command runs, and has to be let put its things away.
    """

    def __init__(self) -> None:
        self.busy = False
        self._process = os.getpid()
        self._first: tuple[int, float] | None = None

    @property
    def heard(self) -> bool:
        """Whether somebody wished it to end."""
        return self._first is not None

    @property
    def code(self) -> int:
        """The exit code that a shell expects of what was ended so."""
        return 128 + (self._first[0] if self._first else signal.SIGINT)

    def listen(self) -> None:
        """Hear them from now on, but for those that whoever started us has switched off."""
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
        say(STOPPED)
        os._exit(self.code)


def say(words: str) -> None:
    """Tell whoever ended it, on a line of its own after the terminal's ^C."""
    try:
        new_line = "\n" if sys.stderr.isatty() else ""
        os.write(2, f"{new_line}{words}\n".encode("ascii", "replace"))
    except (OSError, ValueError, AttributeError):
        return  # the terminal has gone
