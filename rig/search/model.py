"""What a search asks of a game: positions that can be played on quickly, and drawn by chance."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol

from rig.games.interface import Draw, Seat


class Position(Protocol):
    """A game as it could be, with all hands open; moves change it."""

    mover: int
    """Whose turn it is, by number of seat."""

    def moves(self) -> Sequence[Any]:
        """What the mover can choose from, the likeliest first; nothing at the end."""

    def copy(self) -> "Position":
        """The same position, which other moves change."""

    def play(self, move: Any) -> None:
        """Make a move of the mover."""

    def finish(self, draw: Draw) -> Sequence[float]:
        """Play on to the end by a simple way; give what that is worth to each seat, 0 to 1."""


class Model(Protocol):
    """How a game is thought about: an optional part of its folder."""

    def worlds(self, game: Any, seat: Seat, draw: Draw) -> Callable[[], Position]:
        """What draws positions that agree with all that a seat has seen, from an imagined game."""

    def exact(self, game: Any, seat: Seat) -> Position:
        """The position of a game with the hands that it has; this seat moves first."""

    def move_of(self, command: Any) -> Hashable | None:
        """The move that a command makes; None where it leaves nothing to choose."""

    def same(self, game: Any, command: Any) -> Any:
        """The command that stands for all that come to the same; positions have its move."""

    def plain(self, game: Any, seat: Seat, legal: Sequence[Any]) -> Any:
        """What a simple player would do."""

    def why(self, game: Any, seat: Seat, best: Any, other: Any, draw: Draw) -> Mapping[str, Any]:
        """What speaks for one command over another, for whoever sees this imagined game.

        JSON-ready: `kind` names the words on the pages, the rest is what they say.
        """

    def credited(self, game: Any) -> Mapping[Seat, float] | None:
        """What a round that is over brought each side, by its first seat; None while it goes on."""
