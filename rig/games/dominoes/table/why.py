"""Why one move is better than another, as far as a sentence can say it.

A search knows only that a move was worth more on the average. What a player would name is looked
for beside it, on the same possible hands: who is stuck after it, and what stays in the own hand.
"""

from typing import Any

from rig.games.dominoes import commands as cmd
from rig.games.dominoes.bones import DOUBLES, Bone
from rig.games.dominoes.game import Game, How
from rig.games.dominoes.scoring import pips
from rig.games.dominoes.table.playout import WITH, QuickRound, Worlds, move_of
from rig.games.interface import Draw, Seat

KINDS = (
    *("out", "two", "fish", "fish_sure", "stuck", "stuck_sure", "partner", "partner_sure"),
    *("own", "double", "heavy", "mean"),
)
"""The reasons there are; each has words on the page of past games."""

_DEALS = 200
"""Possible hands on which two moves are compared."""
_MORE = 0.15
"""By so much two shares differ for anybody to speak of it: four standard errors."""
_HEAVIER = 3
"""Points by which the hand left is lighter for anybody to speak of it."""


def reason(
    game: Game, seat: Seat, best: cmd.Command, other: cmd.Command, draw: Draw
) -> dict[str, Any]:
    """What speaks for one command over another, JSON-ready.

    Args:
        game: as the seat imagines it.
        seat: whose turn it is.
        best: the better command.
        other: what could have been done instead.
        draw: chance.

    Returns:
        A mapping with `kind`, which names the words, and what they say: `seat` of whom, `of_ten`
        so many of ten possible deals, `count` and `instead` bones, `bone` which one.
    """
    if isinstance(best, cmd.PlaceTwo) > isinstance(other, cmd.PlaceTwo):
        return {"kind": "two"}
    if not isinstance(best, cmd.Place | cmd.PlaceTwo) or isinstance(other, cmd.Stake):
        return {"kind": "mean"}
    at, seats = game.seats.index(seat), len(game.seats)
    world = Worlds(game, seat, draw)
    after, instead = _After(at, seats), _After(at, seats)
    for _ in range(_DEALS):
        deal = world()
        after.see(deal.copy(), best)
        instead.see(deal, other)
    if after.out:
        return {"kind": "out", "seat": seat}
    if told := _share("fish", after.fish, instead.fish):
        return told
    next_seat = game.after(seat)
    if told := _share("stuck", after.stuck[1], instead.stuck[1]):
        return {**told, "seat": next_seat}
    if len(game.sides) < seats:
        partner = game.after(next_seat)
        if told := _share("partner", _DEALS - after.stuck[2], _DEALS - instead.stuck[2]):
            return {**told, "seat": partner}
    if after.own > instead.own:
        return {"kind": "own", "seat": seat, "count": after.own, "instead": instead.own}
    if isinstance(best, cmd.Place) and isinstance(other, cmd.Place):
        if best.tile in DOUBLES and other.tile not in DOUBLES:
            return {"kind": "double", "bone": best.tile}
        if _left(game, seat, other.tile) >= _left(game, seat, best.tile) + _HEAVIER:
            return {"kind": "heavy", "bone": best.tile}
    return {"kind": "mean"}


def _left(game: Game, seat: Seat, laid: Bone) -> int:
    """What a hand counts without a bone."""
    return pips(game.options, [one for one in game.hands[seat] if one != laid])


class _After:
    """What is seen after a move on many possible hands.

    Attributes:
        out: whether the mover goes out by it.
        fish: on so many of them nobody can go on.
        stuck: on so many of them a seat, counted from the mover, has nothing that fits.
        own: so many bones of the mover's fit.
    """

    def __init__(self, mover: int, seats: int) -> None:
        self._mover, self._seats = mover, seats
        self.out, self.fish, self.own = False, 0, 0
        self.stuck = [0] * seats

    def see(self, deal: QuickRound, command: cmd.Command) -> None:
        """Make the move on one more of them."""
        move = move_of(command)
        assert move is not None
        deal.play(move)
        fits = WITH[deal.left] | WITH[deal.right]
        self.out = deal.how is How.OUT
        self.own = (deal.hands[self._mover] & fits).bit_count()
        for n in range(self._seats):
            self.stuck[n] += not deal.hands[(self._mover + n) % self._seats] & fits
        self.fish += deal.how is How.FISH or deal.is_dead()


def _share(kind: str, after: int, instead: int) -> dict[str, Any]:
    """The words for what is likelier after a move; nothing where it hardly is."""
    if after - instead < _MORE * _DEALS:
        return {}
    if after == _DEALS:
        return {"kind": f"{kind}_sure"}
    return {"kind": kind, "of_ten": min(9, round(10 * after / _DEALS))}
