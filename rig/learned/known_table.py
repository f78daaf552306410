"""What the model knows of this table beyond the defaults: from a file, or from its own pushes.

After every round the pushes are fitted anew in a process of its own, one after the other, so that
no look waits for it. What they show is kept in a file; should they speak for the defaults, the file
is taken away. A game goes by the same table
from its first round to its last; the next one takes what is newest.
"""

import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from physics.calibrate.posterior import LEAST_PUSHES, fit_of, weighed
from physics.calibrate.recorded import Recorded, recorded
from physics.errors import PhysicsError
from physics.fall.joint import Reals
from physics.predict.learned_table import LearnedTable, as_json, read_table
from rig import private
from rig.backroom import Backroom, WorkEnded
from rig.learned.table_file import AUTO

log = logging.getLogger(__name__)

Pushes = Callable[[], Sequence[Mapping[str, Any]]]
"""Gives every push of the table that something can be learned from, oldest first, as exported."""

MOST: Final = 200
"""Pushes that are learned from, the newest: tables wear, and more would hardly tell more."""


class KnownTable:
    """What is known of a table, once and for all.

    Attributes:
        table: as predictions take it; None for one as anybody would expect it.
    """

    def __init__(self, table: LearnedTable | None = None) -> None:
        self.table = table

    def dealt(self, game: int) -> None:
        """Hear that a round begins.

        Args:
            game: of which game of this table, counted from 1.
        """

    def close(self) -> None:
        """Learn no more."""


class LearningTable(KnownTable):
    """A table that is known better with every push.

    Args:
        file: where what is known is kept.
        pushes: that were made at the table.
    """

    def __init__(self, file: Path, pushes: Pushes) -> None:
        super().__init__(kept(file))
        self._file, self._pushes = file, pushes
        self._newest = self.table
        self._game: int | None = None
        self._fits: dict[str, Reals | None] = {}
        self._room = Backroom()
        self._room.open()
        self._thread: threading.Thread | None = None
        self._closing = False

    def dealt(self, game: int) -> None:
        if game != self._game:
            self._game, self.table = game, self._newest
        if self._closing or (self._thread is not None and self._thread.is_alive()):
            return  # the next round tells it
        self._thread = threading.Thread(target=self._learn, name="learning", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing = True
        self.wait()
        self._room.close()

    def wait(self) -> None:
        """Wait until nothing is being learned."""
        if self._thread is not None:
            self._thread.join()

    def _learn(self) -> None:
        try:
            found = self._found()
            if found is None:
                return
            if found["better"]:
                private.write(self._file, (json.dumps(found["table"], indent=1) + "\n").encode())
                self._newest = read_table(self._file)
            else:
                self._file.unlink(missing_ok=True)
                self._newest = None
        except OSError as error:
            log.warning("what the table's pushes show could not be kept: %s", error)
        except WorkEnded:
            log.info("the pushes could not be learned from this time")
        except Exception:  # a game goes on without it
            log.exception("the pushes of this table could not be learned from")

    def _found(self) -> dict[str, Any] | None:
        """What the pushes show; None while that is too little."""
        pushes = self._pushes()
        alike = [each for each in pushes if each["tile_set"] == pushes[-1]["tile_set"]]
        texts = [json.dumps(each, sort_keys=True) for each in alike][-MOST:]
        if len(texts) < LEAST_PUSHES:
            return None
        for text in texts:
            if self._closing:
                return None
            if text not in self._fits:
                self._fits[text] = self._room.do_apart(fitted_push, text)
        good = {text: fit for text in texts if (fit := self._fits[text]) is not None}
        if len(good) < LEAST_PUSHES:
            return None
        return self._room.do_apart(table_of, tuple(good), tuple(good.values()))


def known_table(setting: str, file: Path, pushes: Pushes | None) -> KnownTable:
    """Know a table as `[physics] table` says.

    Args:
        setting: "auto", the file of a table, or "".
        file: where "auto" keeps what it has learned.
        pushes: of the table; None where nothing is to be learned.

    Raises:
        PhysicsError: the file cannot be used.
    """
    if setting != AUTO:
        return KnownTable(read_table(setting) if setting else None)
    return KnownTable() if pushes is None else LearningTable(file, pushes)


def fitted_push(text: str) -> Reals | None:
    """Fit one push, given as JSON; None for a row that cannot be predicted."""
    try:
        return fit_of(_push(text))
    except PhysicsError:
        return None


def table_of(texts: Sequence[str], fits: Sequence[Reals]) -> dict[str, Any]:
    """Say what pushes show, and whether that is worth more than the defaults."""
    known = weighed([_push(text) for text in texts], [np.asarray(fit) for fit in fits])
    return {"better": known.better, "table": as_json(known.table)}


def _push(text: str) -> Recorded:
    return recorded(json.loads(text), "push")


def kept(file: Path) -> LearnedTable | None:
    """Read what is kept of a table; None where nothing is yet, or what is there cannot be read."""
    if not file.exists():
        return None
    try:
        return read_table(file)
    except PhysicsError as error:
        log.warning("%s; the defaults are used", error)
        return None
