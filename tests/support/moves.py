"""What tests of Estimation Domino do with a game: moves that count, moves that are refused."""

import pytest

from rig.games.estimation.commands import Command, Start
from rig.games.estimation.decide import decide
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game, Options
from rig.games.estimation.terms import HOST, Reason, Refused


def do(game: Game, *moves: tuple[str, Command]) -> Game:
    for actor, command in moves:
        for event in decide(game, actor, command):
            game = evolve(game, event)
    return game


def refusal(game: Game, actor: str, command: Command) -> Reason:
    with pytest.raises(Refused) as refused:
        decide(game, actor, command)
    return refused.value.reason


def new_game(players: str, **options: object) -> Game:
    """A game of these seats, one letter each, begun by the first of them."""
    game = Game(options=Options.parse(options))
    return do(game, (HOST, Start(tuple(players), first=players[0])))
