"""Information-set tree search: one tree for all hands that others could have.

Every walk down the tree draws the hidden hands anew, in agreement with what the seat has seen, and
chooses among the moves that these hands allow; a new leaf is played on to the end by a simple way.
Each seat prefers what was best for itself, so that nobody's move depends on a hand it cannot see
more than chance makes it.
"""

from collections.abc import Callable, Hashable, Sequence
from math import log, sqrt

from rig.games.interface import Draw
from rig.search.model import Position

EXPLORE = 0.35
"""Weight of what has rarely been tried, against a worth of 0 to 1: chosen by `bench_arena`."""


class _Node:
    """A choice and what came after it.

    Attributes:
        tried: how often it was made.
        possible: how often it could have been made.
        worth: the sum of what that was worth to who made it.
    """

    __slots__ = ("after", "possible", "tried", "worth")

    def __init__(self) -> None:
        self.after: dict[tuple[int, Hashable], _Node] = {}
        self.tried = self.possible = 0
        self.worth = 0.0


def searched(
    world: Callable[[], Position], walks: int, draw: Draw, deep: bool = True
) -> dict[Hashable, tuple[int, float]]:
    """How often each move was tried at the root, and what it is worth on the average.

    Args:
        world: draws a position that the seat to move cannot tell from the true one.
        walks: so many positions are drawn; nothing else bounds the work.
        draw: chance.
        deep: whether the choices after the first one are searched, too.
    """
    root = _Node()
    for _ in range(walks):
        _walk(root, world(), draw, deep)
    return {at[1]: (node.tried, node.worth / node.tried) for at, node in root.after.items()}


def _walk(root: _Node, position: Position, draw: Draw, deep: bool) -> None:
    node, path = root, []
    while moves := position.moves():
        mover = position.mover
        move, new = _chosen(node, mover, moves)
        node = node.after[mover, move]
        path.append((mover, node))
        position.play(move)
        if new or not deep:
            break
    worth = position.finish(draw)
    for mover, each in path:
        each.tried += 1
        each.worth += worth[mover]


def _chosen(node: _Node, mover: int, moves: Sequence[Hashable]) -> tuple[Hashable, bool]:
    """The move to try next by upper confidence bounds, and whether it was never tried before."""
    after = node.after
    best, best_bound = None, -1.0
    for move in moves:
        child = after.get((mover, move))
        if child is None:
            continue
        child.possible += 1
        bound = child.worth / child.tried + EXPLORE * sqrt(log(child.possible) / child.tried)
        if bound > best_bound:
            best, best_bound = move, bound
    for move in moves:
        if (mover, move) not in after:
            after[mover, move] = fresh = _Node()
            fresh.possible = 1
            return move, True
    return best, False
