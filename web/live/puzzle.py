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
class Guess:
    """Whether a row falls, as somebody on this seat thinks."""

    seat: str
    falls: bool


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One row, and what is thought of it.

    Attributes:
        row: its line in row notation.
        giver: the device that gave it, which knows the answer and does not guess.
        by: the seat of that device.
        guesses: by device, since another may sit down where somebody has left; they leave the
            server only once the puzzle is open.
        told: what the model says; None until the puzzle is open.
    """

    row: str
    giver: str
    by: str
    guesses: Mapping[str, Guess] = field(default_factory=dict)
    told: Mapping[str, Any] | None = None

    def shown(self, device: str | None = None) -> Json:
        """What anybody may know of it, and a device of its own guess."""
        mine = self.guesses.get(device) if device is not None else None
        guesses = {guess.seat: guess.falls for guess in self.guesses.values()}
        return {
            "row": self.row,
            "by": self.by,
            "own": device == self.giver,
            "guessed": sorted(guesses),
            "mine": None if mine is None else mine.falls,
            "guesses": None if self.told is None else guesses,
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

    def sift(self, seat_of: Callable[[str], str | None]) -> Puzzle | None:
        """Forget the guesses of devices that have left their seat; give what there is."""
        with self._lock:
            if self._puzzle is not None and self._puzzle.told is None:
                kept = {
                    device: guess
                    for device, guess in self._puzzle.guesses.items()
                    if seat_of(device) == guess.seat
                }
                self._puzzle = replace(self._puzzle, guesses=kept)
            return self._puzzle

    def give(self, row: str, device: str, seat: str) -> None:
        """Lay a row before the table.

        Raises:
            Denied: another one is still being guessed.
        """
        with self._lock:
            if self._puzzle is not None and self._puzzle.told is None:
                raise Denied(409, "puzzle", "The table is still guessing at another row.")
            self._puzzle = Puzzle(row, device, seat)

    def guess(self, device: str, guess: Guess) -> None:
        """Take a guess, or change it.

        Raises:
            Denied: there is nothing to guess, or it is one's own row.
        """
        with self._lock:
            if self._puzzle is None or self._puzzle.told is not None:
                raise Denied(409, "no_puzzle", "There is no row to guess at.")
            if device == self._puzzle.giver:
                raise Denied(409, "own_row", "It is your row; the others guess.")
            self._puzzle = replace(self._puzzle, guesses={**self._puzzle.guesses, device: guess})

    def tell(self, which: Puzzle, told: Mapping[str, Any]) -> None:
        """Open the guesses with what the model says; does nothing where it is another puzzle now.

        Args:
            which: the puzzle that the model was asked about.
            told: what it said.
        """
        with self._lock:
            puzzle = self._puzzle
            same = puzzle is not None and (puzzle.row, puzzle.giver) == (which.row, which.giver)
            if puzzle is not None and same and puzzle.told is None:
                self._puzzle = replace(puzzle, told=told)

    def take_back(self) -> None:
        """Forget it."""
        with self._lock:
            self._puzzle = None
