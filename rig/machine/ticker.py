"""Lets time pass at tables without a machine: what becomes due there is done on one thread."""

import logging
import threading
from collections.abc import Callable
from typing import Any

from rig.clock import Clock
from rig.errors import RigError
from rig.session.session import Session

log = logging.getLogger(__name__)

_AGAIN_S = 2.0
"""A table that could not do what is due, as when its disk is full, tries again after this time."""


class Ticker:
    """One thread for any number of tables: it sleeps until the first of them has something due."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._news = threading.Event()
        self._changed: dict[Session[Any, Any, Any], None] = {}
        self._due_s: dict[Session[Any, Any, Any], float] = {}
        self._unsubscribe: dict[Session[Any, Any, Any], Callable[[], None]] = {}
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="ticker", daemon=True)

    def add(self, session: Session[Any, Any, Any]) -> None:
        """Look after a table."""
        self._unsubscribe[session] = session.subscribe(lambda: self._poke(session))
        self._poke(session)

    def leave(self, session: Session[Any, Any, Any]) -> None:
        """Look after a table no more; one that was not looked after stays so."""
        if unsubscribe := self._unsubscribe.pop(session, None):
            unsubscribe()

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End; no table is touched after."""
        self._closing = True
        for unsubscribe in self._unsubscribe.values():
            unsubscribe()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join()

    def _poke(self, session: Session[Any, Any, Any]) -> None:
        with self._lock:
            self._changed[session] = None
        self._news.set()

    def _run(self) -> None:
        while not self._closing:
            wait_s = self.step()
            self._clock.wait(self._news, wait_s)
            self._news.clear()

    def step(self) -> float | None:
        """Do all that is due now; give the seconds until the next, None if nothing waits."""
        now_s = self._clock.monotonic_s()
        with self._lock:
            tables = [*self._changed, *(s for s, due_s in self._due_s.items() if due_s <= now_s)]
            self._changed.clear()
        for session in dict.fromkeys(tables):
            left_s = self._tick(session)
            if left_s is None:
                self._due_s.pop(session, None)
            else:
                self._due_s[session] = self._clock.monotonic_s() + left_s
        first_s = min(self._due_s.values(), default=None)
        return None if first_s is None else max(0.0, first_s - self._clock.monotonic_s())

    def _tick(self, session: Session[Any, Any, Any]) -> float | None:
        try:
            return session.tick()
        except RigError as error:
            log.warning("a table could not go on: %s", error)
            return _AGAIN_S
        except Exception:
            log.exception("a table met something it does not know")
            return _AGAIN_S
