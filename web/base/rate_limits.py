"""How much one phone may ask for: token buckets, and patience with wrong guesses."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass

_KEPT = 4096
"""Most buckets remembered, so that a flood of made-up addresses cannot fill the memory."""


HELPING_S = 0.001
"""Longest time, in seconds, that the event loop works before it looks whether STOP has come."""

TASK_S = 0.0005
"""Seconds that a task started from the loop takes, roughly; counted against `HELPING_S`."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How many are allowed a second on average, and how many in one burst."""

    per_s: float
    burst: float


@dataclass(frozen=True, slots=True)
class Limits:
    """Every bound of the web side in one place."""

    body_bytes: int = 8192
    file_bytes: int = 4 << 20
    photo_bytes: int = 4 << 20
    body_s: float = 10.0
    upload_s: float = 30.0
    at_once: int = 2
    header_s: float = 10.0
    connections_of_address: int = 128
    device: Rate = Rate(10.0, 20.0)
    address: Rate = Rate(40.0, 80.0)
    page: Rate = Rate(100.0, 400.0)
    file: Rate = Rate(1000.0, 6000.0)
    unknown: Rate = Rate(10.0, 40.0)
    refused: Rate = Rate(20.0, 100.0)
    tarpit_s: float = 1.0
    shout: Rate = Rate(3.0, 3.0)
    stop: Rate = Rate(5.0, 10.0)
    past: Rate = Rate(1.0, 10.0)
    photo: Rate = Rate(0.25, 3.0)
    bench: Rate = Rate(30.0, 60.0)
    streams_of_device: int = 2
    streams_of_address: int = 32
    streams: int = 1200
    beat_s: float = 5.0
    send_s: float = 15.0
    leave_s: float = 2.0
    wrong_codes: Rate = Rate(0.2, 30.0)
    free_guesses: int = 5
    longest_wait_s: float = 60.0


class Buckets:
    """Token buckets by key, all of one clock."""

    def __init__(self, monotonic_s: Callable[[], float]) -> None:
        self._monotonic_s = monotonic_s
        self._lock = threading.Lock()
        self._levels: dict[Hashable, tuple[float, float]] = {}

    def spend(self, key: Hashable, rate: Rate) -> float:
        """Take one token.

        Returns:
            0.0 if there was one, otherwise the seconds until the next.
        """
        now_s = self._monotonic_s()
        with self._lock:
            level, then_s = self._levels.pop(key, (rate.burst, now_s))
            level = min(rate.burst, level + (now_s - then_s) * rate.per_s)
            wait_s = 0.0 if level >= 1.0 else (1.0 - level) / rate.per_s
            # Put back at the end: the dict keeps the order of last use.
            self._levels[key] = (level if wait_s else level - 1.0, now_s)
            if len(self._levels) > _KEPT:
                del self._levels[next(iter(self._levels))]
        return wait_s

    def wait_s(self, key: Hashable, rate: Rate) -> float:
        """Seconds until there is a token; takes none."""
        with self._lock:
            level, then_s = self._levels.get(key, (rate.burst, self._monotonic_s()))
        level += (self._monotonic_s() - then_s) * rate.per_s
        return 0.0 if level >= 1.0 else (1.0 - level) / rate.per_s


class Turns:
    """Works on only a few requests of each sender at once; the sender's others wait for these.

    Otherwise a sender of a hundred requests would be served before everybody who comes later. Each
    event loop has its own.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._of: dict[Hashable, tuple[asyncio.Semaphore, int]] = {}

    @asynccontextmanager
    async def turn(self, sender: Hashable) -> AsyncIterator[None]:
        """Wait until it is this sender's turn."""
        turns, waiting = self._of.get(sender, (asyncio.Semaphore(self._at_once), 0))
        self._of[sender] = (turns, waiting + 1)
        try:
            async with turns:
                yield
        finally:
            turns, waiting = self._of[sender]
            if waiting > 1:
                self._of[sender] = (turns, waiting - 1)
            else:
                del self._of[sender]


class Guesses:
    """The first wrong guesses are free; each further one doubles the wait."""

    def __init__(self, free: int, longest_s: float, monotonic_s: Callable[[], float]) -> None:
        self._free = free
        self._longest_s = longest_s
        self._monotonic_s = monotonic_s
        self._lock = threading.Lock()
        self._wrong: dict[Hashable, tuple[int, float]] = {}

    def wait_s(self, key: Hashable) -> float:
        """Seconds until this key may guess again; 0.0 means now."""
        with self._lock:
            _, until_s = self._wrong.get(key, (0, 0.0))
        return max(0.0, until_s - self._monotonic_s())

    def missed(self, key: Hashable) -> None:
        """Count a wrong guess."""
        with self._lock:
            wrong = self._wrong.pop(key, (0, 0.0))[0] + 1
            over = wrong - self._free
            pause_s = 0.0 if over < 0 else min(self._longest_s, 2.0 ** min(over + 1, 16))
            self._wrong[key] = (wrong, self._monotonic_s() + pause_s)
            if len(self._wrong) > _KEPT:
                del self._wrong[next(iter(self._wrong))]

    def forgive(self, key: Hashable) -> None:
        """Forget the wrong guesses: this one was right."""
        with self._lock:
            self._wrong.pop(key, None)
