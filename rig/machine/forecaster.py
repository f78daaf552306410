"""Thinks about a row while its new tile waits for its placer, so that a chance is there in time.

A prediction takes some tenths of a second. It is made on a thread of its own, one at a time, and
only kept in mind: nobody is told of it before the row is pushed.
"""

import logging
import threading
import time

import numpy as np

from physics.errors import PhysicsError
from physics.predict.learned_table import LearnedTable, predict_row
from physics.row.chain import Chain
from physics.row.push import Push
from physics.rows.scenario import Scenario
from rig.row.push_events import Forecast
from vision.look.matching import on_the_spot

log = logging.getLogger(__name__)


class Thinker:
    """Knows what the model thinks of the row it was last asked about.

    Attributes:
        took_ms: how long it thought of it.
    """

    def __init__(self) -> None:
        self.took_ms = 0.0
        self._lock = threading.Lock()
        self._asked: tuple[Chain, Push, LearnedTable | None] | None = None
        self._known: tuple[Chain, Forecast | None] | None = None
        self._thread: threading.Thread | None = None

    def about(self, chain: Chain, push: Push, table: LearnedTable | None = None) -> None:
        """Begin to think about a row, unless it is known or being thought about; never waits.

        Args:
            chain: the row from the pushed end.
            push: the stroke that it would meet.
            table: what is known of the table; None for one as anybody would expect it.
        """
        with self._lock:
            if self._is_known(chain) or (self._asked and _is_same(self._asked[0], chain)):
                return
            self._asked = (chain, push, table)
            if self._thread is None:
                self._thread = threading.Thread(target=self._think, name="thinking", daemon=True)
                self._thread.start()

    def of(self, chain: Chain) -> Forecast | None:
        """What is thought of this row as it stands; None if that is not known."""
        with self._lock:
            return self._known[1] if self._known and self._is_known(chain) else None

    def wait(self) -> None:
        """Wait until nothing is being thought about."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _is_known(self, chain: Chain) -> bool:
        return self._known is not None and _is_same(self._known[0], chain)

    def _think(self) -> None:
        while True:
            with self._lock:
                asked = self._asked
                if asked is None or self._is_known(asked[0]):
                    self._asked, self._thread = None, None
                    return
            start_s = time.perf_counter()
            try:
                thought = forecast(*asked)
            except Exception:  # a game goes on without it
                log.exception("the model met a row that it does not know what to think of")
                thought = None
            with self._lock:
                self._known = (asked[0], thought)
                self.took_ms = (time.perf_counter() - start_s) * 1000


def _is_same(one: Chain, other: Chain) -> bool:
    """Whether two rows are of the same tiles at the same places, for all that can be measured."""
    return one.values == other.values and all(
        a.orientation is b.orientation and on_the_spot(a, b)
        for a, b in zip(one.tiles, other.tiles, strict=True)
    )


def forecast(chain: Chain, push: Push, table: LearnedTable | None = None) -> Forecast | None:
    """Predict a row as it was read, pushed end first; None if the model cannot place it.

    The copies are drawn from the camera's own sigma of every tile, and always with the same seed: a
    row has one chance, whenever it is thought of.
    """
    rng = np.random.default_rng(0)
    try:
        told = predict_row(Scenario("", chain, push), table, rng=rng)
    except PhysicsError:
        return None
    weakest = None
    if told.weakest is not None and None not in told.weakest:
        weakest = (told.weakest[0] or 0, told.weakest[1] or 0)
    return Forecast(told.p_fall, told.low, told.high, weakest)
