"""A second process for slow work, which would keep the interpreter from everything else here.

It does one thing after the other, starts when there is work, and ends with the process that started
it, however that ends.
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from rig.errors import RigError

P = ParamSpec("P")
T = TypeVar("T")

_PATIENCE_S = 5.0
"""Seconds that the process has to end."""

_NICE = 5
"""Niceness of the process: looking back at games can wait, STOP cannot."""

_LAST = 19
"""Niceness of work that takes only the time that nobody else wants."""


class WorkEnded(RigError):
    """The other process did not do it."""


class Backroom:
    """Runs work, in the other process once it is open; safe from any thread.

    Args:
        nice: niceness of the process.
        most_s: seconds that `do_apart` gives it; None for as long as it takes.
    """

    def __init__(self, nice: int = _NICE, most_s: float | None = None) -> None:
        self._nice = nice
        self._most_s = most_s
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_open = False
        self._is_closed = False

    def open(self) -> None:
        """Do all further work in the other process."""
        self._is_open, self._is_closed = True, False

    def do(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Do some work and wait for it; in this process if the other one cannot be started.

        Args:
            work: a function of a module.
            given: its positional arguments, plain data like its result.
            named: its keyword arguments, plain data too.

        Raises:
            WorkEnded: it has been killed.
        """
        try:
            return self._done(None, work, *given, **named)
        except WorkEnded:
            if self._is_closed:
                raise
            return work(*given, **named)

    def do_apart(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Do some work in the other process alone, as it is about what a stranger has sent.

        Raises:
            WorkEnded: the process cannot be started, dies, takes too long, or answers what cannot
                be read; then the work is not tried in this process either.
        """
        return self._done(self._most_s, work, *given, **named)

    def _done(
        self, most_s: float | None, work: Callable[P, T], *given: P.args, **named: P.kwargs
    ) -> T:
        """Do some work in the other process, for so many seconds at most."""
        with self._lock:
            if not self._is_open:
                return work(*given, **named)
            if self._is_closed:
                raise WorkEnded("The work beside has ended.")
            try:
                done, told = self._asked((work, given, named), most_s)
            except Exception as error:
                self._end()
                raise WorkEnded("The work beside has ended; try again.") from error
            if done:
                return told  # type: ignore[no-any-return]
            raise told

    def close(self) -> None:
        """End the other process."""
        self._is_open = False
        with self._lock:
            self._end()

    def kill(self) -> None:
        """End the other process at once, in the middle of whatever it does.

        Whoever waits for it is told `WorkEnded`; nothing starts it anew but `open`.
        """
        self._is_closed = True
        process = self._process
        if process is not None:
            process.kill()

    def pause(self) -> None:
        """Let the other process stand still, in the middle of whatever it does, until `resume`.

        It costs nobody anything meanwhile, which even work of the lowest priority does: two cores
        share what feeds them. Where the system cannot (Windows), the work goes on.
        """
        self._signal("SIGTSTP")  # not SIGSTOP, which also stops what nobody is left to wake

    def resume(self) -> None:
        """Let it go on."""
        self._signal("SIGCONT")

    def _signal(self, name: str) -> None:
        process = self._process
        if process is not None and hasattr(signal, name):
            process.send_signal(getattr(signal, name))

    def _asked(self, work: object, most_s: float | None) -> tuple[bool, Any]:
        if self._process is None:
            self._process = subprocess.Popen(
                # -P: a folder of the user's that is called rig is not this package.
                [sys.executable, "-P", "-m", "rig.backroom", str(self._nice)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # Ctrl+C is for the process that started it; the second is the same on Windows.
                # A group of this session: where this process ends while that one stands still, the
                # system ends that one too (POSIX, orphaned process groups).
                process_group=0 if hasattr(os, "setpgid") else None,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        if self._is_closed:  # since it was begun to start
            self._process.kill()
        assert self._process.stdin and self._process.stdout
        deadline = None if most_s is None else threading.Timer(most_s, self._process.kill)
        if deadline is not None:
            deadline.daemon = True
            deadline.start()
        try:
            pickle.dump(work, self._process.stdin)
            self._process.stdin.flush()
            done, told = pickle.load(self._process.stdout)
        finally:
            if deadline is not None:
                deadline.cancel()
        return done, told

    def _end(self) -> None:
        self.resume()
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin and process.stdout
        with suppress(OSError):  # it has ended by itself
            process.stdin.close()
        process.stdout.close()
        try:
            process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def main() -> None:
    """Do what is asked for until nobody can ask any more."""
    asked, tell, sys.stdout = sys.stdin.buffer, sys.stdout.buffer, sys.stderr
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    if int(sys.argv[1]) >= _LAST and hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):  # whoever wakes up then need not wait for the end of its turn
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with suppress(EOFError, pickle.UnpicklingError, BrokenPipeError):
        while True:
            work, given, named = pickle.load(asked)
            try:
                answer = True, work(*given, **named)
            except Exception as error:
                answer = False, error
            pickle.dump(answer, tell)
            tell.flush()


if __name__ == "__main__":
    main()
