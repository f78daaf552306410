"""How dominoes is thought about: the model that `rig.search` asks for by name."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rig.games.dominoes import commands as cmd
from rig.games.dominoes.game import Game
from rig.games.dominoes.table.playout import NUMBER, Move, QuickRound, Worlds, exact, move_of
from rig.games.dominoes.table.why import reason
from rig.games.interface import Draw, Seat


class Thought:
    """Dominoes in small numbers."""

    def worlds(self, game: Game, seat: Seat, draw: Draw) -> Callable[[], QuickRound]:
        """What draws rounds that agree with all that a seat has seen."""
        return Worlds(game, seat, draw)

    def exact(self, game: Game, seat: Seat) -> QuickRound:
        """The round of a match with the hands that it has."""
        return exact(game)

    def move_of(self, command: cmd.Command) -> Move | None:
        """The move that a command makes."""
        return move_of(command)

    def same(self, game: Game, command: cmd.Command) -> cmd.Command:
        """The left end where both are alike; of two doubles the left first unless they go out."""
        match command:
            case cmd.Place(tile, "right") if len({*game.ends}) == 1:
                return cmd.Place(tile, "left")
            case cmd.PlaceTwo((one, other), ("right", "left")):
                if game.active and len(game.hands[game.active]) > 2:
                    return cmd.PlaceTwo((other, one), ("left", "right"))
        return command

    def plain(self, game: Game, seat: Seat, legal: Sequence[cmd.Command]) -> cmd.Command:
        """The heaviest bone that fits, doubles first, to the left if it can; else what must be."""
        bones = [one for one in legal if isinstance(one, cmd.Place)]
        if not bones:
            return legal[0]
        return max(bones, key=lambda one: (NUMBER[one.tile], one.end != "right"))

    def why(
        self, game: Game, seat: Seat, best: cmd.Command, other: cmd.Command, draw: Draw
    ) -> Mapping[str, Any]:
        """What speaks for one command over another, as a player would say it."""
        return reason(game, seat, best, other, draw)

    def credited(self, game: Game) -> Mapping[Seat, float] | None:
        """What section 7 of the rules credits to each side, a loser's amount negative."""
        if game.result is None:
            return None
        sign = 1 if game.options.who_scores == "winner" else -1
        given = zip(game.sides, game.result.credited, strict=True)
        return {side[0]: float(sign * points) for side, points in given}


MODEL = Thought()
