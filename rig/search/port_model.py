"""How any game of the port is thought about that offers no model of its own: by its rules alone."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from rig.games.interface import REFEREE, Draw, Rules, Seat
from rig.games.registry import model_of
from rig.search.model import Model, Position

LONGEST = 400
"""Moves after which a game that is played on by chance counts as undecided."""


def model_for(rules: Rules[Any, Any, Any]) -> Model:
    """How a game is thought about: its own way where it has one, else by its rules alone."""
    own: Model | None = model_of(rules.name)
    return own or PortModel(rules)


class PortModel:
    """Any game, through `decide`, `evolve` and `imagine`.

    A position ends with the game, or where a shuffle is owed: what comes then is the same for all.

    Args:
        rules: the game; its commands must be hashable.
    """

    def __init__(self, rules: Rules[Any, Any, Any]) -> None:
        self._rules = rules

    def worlds(self, game: Any, seat: Seat, draw: Draw) -> Callable[[], Position]:
        """What draws positions that agree with all that a seat has seen."""
        return lambda: PortPosition(self._rules, self._rules.imagine(game, seat, draw), seat)

    def exact(self, game: Any, seat: Seat) -> Position:
        """The position of a game as it is; this seat moves first."""
        return PortPosition(self._rules, game, seat)

    def move_of(self, command: Any) -> Hashable | None:
        """A command is its own move."""
        move: Hashable = command
        return move

    def same(self, game: Any, command: Any) -> Any:
        """Every command stands for itself."""
        return command

    def plain(self, game: Any, seat: Seat, legal: Sequence[Any]) -> Any:
        """The first legal command."""
        return legal[0]

    def why(self, game: Any, seat: Seat, best: Any, other: Any, draw: Draw) -> Mapping[str, Any]:
        """Nothing but that it was worth more on the average."""
        return {"kind": "mean"}

    def credited(self, game: Any) -> Mapping[Seat, float] | None:
        """A game without rounds that can be told apart brings what it brings at its end."""
        return self._rules.over(game)


class PortPosition:
    """A game as it could be.

    Args:
        rules: the game.
        game: as it stands.
        first: the seat that moves first where several are waited for.
    """

    def __init__(self, rules: Rules[Any, Any, Any], game: Any, first: Seat) -> None:
        self._rules, self._game, self._first = rules, game, first
        self.mover = rules.seats(game).index(first)

    def moves(self) -> Sequence[Any]:
        """Every legal command of a seat that is waited for."""
        rules = self._rules
        while rules.over(self._game) is None and not rules.needs(self._game):
            asked = [a.seat for a in rules.asked(self._game)]
            asked.sort(key=lambda seat: seat != self._first)
            for seat in asked:
                if legal := list(rules.legal(self._game, seat)):
                    self.mover = rules.seats(self._game).index(seat)
                    return legal
            due = rules.due(self._game)
            if due is None:
                return ()
            self._done(REFEREE, due.command)
        return ()

    def copy(self) -> "PortPosition":
        """The same position; a game is frozen."""
        other = PortPosition(self._rules, self._game, self._first)
        other.mover = self.mover
        return other

    def play(self, move: Any) -> None:
        """Carry out a command of the mover."""
        self._done(self._rules.seats(self._game)[self.mover], move)

    def finish(self, draw: Draw) -> Sequence[float]:
        """Play on by chance; the own result against the mean of the others', 0 to 1."""
        for _ in range(LONGEST):
            moves = self.moves()
            if not moves:
                break
            self.play(moves[draw(len(moves))])
        seats = self._rules.seats(self._game)
        over = self._rules.over(self._game)
        if over is None or len(seats) < 2:
            return [0.5] * len(seats)
        total = sum(over.values())
        leads = [over[s] - (total - over[s]) / (len(seats) - 1) for s in seats]
        return [0.5 + 0.5 * ((lead > 0) - (lead < 0)) for lead in leads]

    def _done(self, actor: str, command: Any) -> None:
        for event in self._rules.decide(self._game, actor, command):
            self._game = self._rules.evolve(self._game, event)
