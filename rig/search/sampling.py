"""Plain sampling: hands drawn again and again, every move tried on each, the best on the average.

All moves are tried on the same hands, so that they differ by themselves and not by luck. When a
share of the work is done the worse half of the moves leaves, and the rest is spent on the others.
"""

from collections.abc import Callable, Hashable

from rig.games.interface import Draw
from rig.search.model import Position


def ranked(world: Callable[[], Position], trials: int, draw: Draw) -> list[tuple[Hashable, float]]:
    """The moves of a seat with what they are worth to it on the average, 0 to 1, the best first.

    Args:
        world: draws a position that the seat to move cannot tell from the true one; it has a move.
        trials: so many times a round is played to its end, or a few less; that bounds the work.
            An only move is not tried, and is given as worth 0.
        draw: chance.
    """
    position = world()
    moves = list(position.moves())
    mover, halvings = position.mover, (len(moves) - 1).bit_length()
    worth, tried = dict.fromkeys(moves, 0.0), dict.fromkeys(moves, 0)
    gone: list[Hashable] = []
    for _ in range(halvings):
        deals = max(1, trials // (halvings * len(moves)))
        for _ in range(deals):
            position = world()
            for move in moves:
                one = position.copy()
                one.play(move)
                worth[move] += one.finish(draw)[mover]
        for move in moves:
            tried[move] += deals
        moves.sort(key=worth.__getitem__, reverse=True)
        stay = (len(moves) + 1) // 2
        moves, gone = moves[:stay], moves[stay:] + gone
    return [(move, worth[move] / max(1, tried[move])) for move in moves + gone]
