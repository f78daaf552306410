"""Past games of a table, with a cache of the answers about them."""

import threading
from collections import OrderedDict
from collections.abc import Callable

from rig.history.past_games import PastGames
from rig.journal import Journal

_KEPT_BYTES = 8 << 20
"""Size in bytes of the cache of answers about past games; enough for some tens of games."""


class Archive:
    """Past games of a table, with a cache of the answers about them.

    An answer is kept under the events it covers, or the game and the round: what is over never
    changes.
    """

    def __init__(self, journal: Journal, told_v: Callable[[], int] | None = None) -> None:
        self.games = PastGames(journal, told_v)
        self._lock = threading.Lock()
        self._answers: OrderedDict[tuple[int, ...], bytes] = OrderedDict()
        self._bytes = 0

    def answer(self, of: tuple[int, ...], make: Callable[[], bytes]) -> bytes:
        """The answer about what has this name, from the cache if it is there."""
        with self._lock:
            known = self._answers.pop(of, None)
            if known is not None:
                self._answers[of] = known  # the dict keeps the order of last use
                return known
        made = make()
        with self._lock:
            self._bytes += len(made) - len(self._answers.pop(of, b""))
            self._answers[of] = made
            while self._bytes > _KEPT_BYTES:
                self._bytes -= len(self._answers.popitem(last=False)[1])
        return made
