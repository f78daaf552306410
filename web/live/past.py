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

    An answer depends on the last event it covers, so that of a finished game never changes.
    """

    def __init__(self, journal: Journal) -> None:
        self.games = PastGames(journal)
        self._lock = threading.Lock()
        self._answers: OrderedDict[tuple[int, int], bytes] = OrderedDict()
        self._bytes = 0

    def answer(self, span: tuple[int, int], make: Callable[[], bytes]) -> bytes:
        """The answer about the game of these versions, from the cache if it is there."""
        with self._lock:
            known = self._answers.pop(span, None)
            if known is not None:
                self._answers[span] = known  # the dict keeps the order of last use
                return known
        made = make()
        with self._lock:
            self._bytes += len(made) - len(self._answers.pop(span, b""))
            self._answers[span] = made
            while self._bytes > _KEPT_BYTES:
                self._bytes -= len(self._answers.popitem(last=False)[1])
        return made
