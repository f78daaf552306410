"""Bots by name: what each does with a game as its seat imagines it.

A bot is given no game but one that `imagine` has made from its seat's view, so it cannot know more
than its seat. Its work is bounded by numbers, never by a clock: a seed gives the same moves again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol

from rig.errors import RigError
from rig.games.interface import Draw, Rules, Seat
from rig.search.model import Model
from rig.search.sampling import ranked

STRENGTHS: Final[Mapping[str, int]] = {"weak": 8, "medium": 60, "strong": 600}
"""The bots that think, each with the number of rounds that it plays to their end for a move.

`domino-rig arena` measures what they reach and take.
"""
USUAL: Final = "medium"
"""The bot of a table that has not chosen another."""
SEEING: Final = "seeing"
"""The bot that is shown all hands: it says how much there is to be won, and sits at no table."""
BOTS: Final = ("random", "greedy", *STRENGTHS)


class UnknownBot(RigError):
    """No bot has this name."""


class Chooser(Protocol):
    """Plays a seat."""

    def choose(self, imagined: Any, seat: Seat, draw: Draw) -> Any:
        """The command it gives.

        Args:
            imagined: a game with the same view for this seat, in which the seat is asked.
            seat: which.
            draw: chance.
        """


@dataclass(frozen=True, slots=True)
class ByChance:
    """Does anything that is allowed."""

    rules: Rules[Any, Any, Any]

    def choose(self, imagined: Any, seat: Seat, draw: Draw) -> Any:
        """Any legal command."""
        legal = list(self.rules.legal(imagined, seat))
        return legal[draw(len(legal))]


@dataclass(frozen=True, slots=True)
class Plain:
    """Does what a simple player would do."""

    rules: Rules[Any, Any, Any]
    model: Model

    def choose(self, imagined: Any, seat: Seat, draw: Draw) -> Any:
        """The game's simple move."""
        return self.model.plain(imagined, seat, list(self.rules.legal(imagined, seat)))


@dataclass(frozen=True, slots=True)
class Sampling:
    """Draws the hidden hands many times, and does what is best on the average.

    Attributes:
        trials: so many rounds are played to their end for a move.
        sees: takes the hands as they are.
    """

    rules: Rules[Any, Any, Any]
    model: Model
    trials: int
    sees: bool = False

    def choose(self, imagined: Any, seat: Seat, draw: Draw) -> Any:
        """The command that was worth most; no thought where there is no choice."""
        legal = list(self.rules.legal(imagined, seat))
        return legal[0] if len(legal) == 1 else self.weighed(imagined, seat, draw)[0][0]

    def weighed(self, imagined: Any, seat: Seat, draw: Draw) -> list[tuple[Any, float]]:
        """The commands that differ with what they are worth, 0 to 1, the best first."""
        legal = list(self.rules.legal(imagined, seat))
        by_move = {self.model.move_of(command): command for command in reversed(legal)}
        seeing = partial(self.model.exact, imagined, seat)
        world = seeing if self.sees else self.model.worlds(imagined, seat, draw)
        return [(by_move[move], worth) for move, worth in ranked(world, self.trials, draw)]


def bot(name: str, rules: Rules[Any, Any, Any], model: Model) -> Chooser:
    """The bot of this name for a game.

    Raises:
        UnknownBot: there is none.
    """
    if name == "random":
        return ByChance(rules)
    if name == "greedy":
        return Plain(rules, model)
    if name == SEEING:
        return Sampling(rules, model, STRENGTHS["strong"], sees=True)
    if name not in STRENGTHS:
        raise UnknownBot(f"expected a bot out of {', '.join(BOTS)}, not {name[:30]!r}")
    return Sampling(rules, model, STRENGTHS[name])
