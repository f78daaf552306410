"""A row that somebody gives to the table: all guess in secret, then the model speaks.

It is play between games: kept in memory, in no journal, and forgotten with the program.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rig.games.interface import GAME_OVER, LOBBY
from web.base.errors import Denied
from web.base.session_port import Json

BETWEEN = frozenset({LOBBY, GAME_OVER})
"""When rows may be tried and guessed at: nobody is to ask the model about one that is voted on."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One row, and what is thought of it.

    Attributes:
        row: its line in row notation.
        by: the seat that gave it.
        guesses: whether it falls, by seat; leaves the server only once the puzzle is open.
        told: what the model says; None until the puzzle is open.
    """

    row: str
    by: str
    guesses: Mapping[str, bool] = field(default_factory=dict)
    told: Mapping[str, Any] | None = None

    def shown(self, seat: str | None = None) -> Json:
        """What anybody may know of it, and a seat of its own guess."""
        return {
            "row": self.row,
            "by": self.by,
            "guessed": sorted(self.guesses),
            "mine": self.guesses.get(seat) if seat is not None else None,
            "guesses": None if self.told is None else dict(self.guesses),
            "told": None if self.told is None else dict(self.told),
        }


class PuzzleBox:
    """The puzzle of one table, if there is one; safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._puzzle: Puzzle | None = None

    @property
    def now(self) -> Puzzle | None:
        """The puzzle as it stands."""
        return self._puzzle

    def give(self, row: str, seat: str) -> None:
        """Lay a row before the table.

        Raises:
            Denied: another one is still being guessed.
        """
        with self._lock:
            if self._puzzle is not None and self._puzzle.told is None:
                raise Denied(409, "puzzle", "The table still guesses at another row.")
            self._puzzle = Puzzle(row, seat)

    def guess(self, seat: str, falls: bool) -> Puzzle:
        """Take a guess, or change it.

        Raises:
            Denied: there is nothing to guess.
        """
        with self._lock:
            self._puzzle = puzzle = replace(
                self._open(), guesses={**self._open().guesses, seat: falls}
            )
            return puzzle

    def tell(self, row: str, model: Callable[[str], Mapping[str, Any]]) -> None:
        """Open the guesses, and let the model speak; does nothing where that has been done.

        Args:
            row: the puzzle that is meant.
            model: says how likely a row falls.
        """
        told = model(row)
        with self._lock:
            puzzle = self._puzzle
            if puzzle is not None and puzzle.row == row and puzzle.told is None:
                self._puzzle = replace(puzzle, told=told)

    def take_back(self) -> None:
        """Forget it."""
        with self._lock:
            self._puzzle = None

    def _open(self) -> Puzzle:
        if self._puzzle is None or self._puzzle.told is not None:
            raise Denied(409, "no_puzzle", "There is no row to guess at.")
        return self._puzzle
