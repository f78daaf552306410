"""The one thread on which the hubs of a process make their views, so that nobody waits for them."""

import logging
import threading
import time
from typing import Protocol

log = logging.getLogger(__name__)


class Round(Protocol):
    """What the postman does for one table."""

    def deliver(self) -> float | None:
        """Deliver what is due; give the seconds until something else is due by itself."""


class Postman:
    """Makes a round at each table that has asked for one, in turn.

    Its thread lives as long as there is a table to serve.
    """

    def __init__(self) -> None:
        self._called = threading.Condition()
        self._due: dict[Round, None] = {}
        self._later: dict[Round, float] = {}
        self._served: set[Round] = set()
        self._at: Round | None = None
        self._thread: threading.Thread | None = None

    def serve(self, table: Round) -> None:
        """Start serving a table."""
        with self._called:
            self._served.add(table)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="web-views", daemon=True)
                self._thread.start()

    def call(self, table: Round) -> None:
        """Ask for a round at a table; practically never blocks."""
        with self._called:
            if table in self._served:
                self._due[table] = None
                self._called.notify_all()

    def leave(self, table: Round) -> None:
        """Stop serving a table; on return none of its rounds is under way."""
        with self._called:
            self._served.discard(table)
            self._due.pop(table, None)
            self._later.pop(table, None)
            self._called.notify_all()
            mine = threading.current_thread() is self._thread
            while self._at is table and not mine:
                self._called.wait()
            thread = self._thread if not self._served else None
        if thread is not None and not mine:
            thread.join()

    def _run(self) -> None:
        while (table := self._next()) is not None:
            wait_s: float | None = None
            try:
                wait_s = table.deliver()
            except Exception:  # one bad table must not end the others' rounds
                log.exception("a table's screens did not get their views")
            with self._called:
                self._at = None
                if wait_s is not None and table in self._served:
                    self._later[table] = time.monotonic() + wait_s
                self._called.notify_all()

    def _next(self) -> Round | None:
        """Wait for a table that is due; None when no table is left."""
        with self._called:
            while self._served:
                now_s = time.monotonic()
                for table in [each for each, due_s in self._later.items() if due_s <= now_s]:
                    self._due[table] = None
                if self._due:
                    self._at = next(iter(self._due))
                    del self._due[self._at]
                    self._later.pop(self._at, None)
                    return self._at
                soonest_s = min(self._later.values(), default=None)
                self._called.wait(None if soonest_s is None else soonest_s - now_s)
            self._thread = None
            return None
