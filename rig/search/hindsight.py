"""What can be said of a game afterwards: what a bot would have done, how likely a knock was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rig.games.interface import Data, Draw, Rules, Seat
from rig.search.bots import STRENGTHS, Sampling
from rig.search.model import Model

DEALS = 400
"""Hands that are drawn to say how likely something was: 2.5 % of standard error at the most."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice that a seat had.

    Attributes:
        seat: which.
        done: its command, or the one that stands for it.
        best: the strong bot's.
        worth_done: what its own was worth, 0 to 1, from the hands that were possible.
        worth_best: what the best is worth.
        why: what speaks for it over its own, or over the next best where they are the same.
    """

    seat: Seat
    done: Any
    best: Any
    worth_done: float
    worth_best: float
    why: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Knock:
    """A seat that could not move.

    Attributes:
        seat: which.
        likely: the share of the hands possible before, for whoever sees no hand, that could not.
        known: the same for each other seat, which sees its own hand.
    """

    seat: Seat
    likely: float
    known: Mapping[Seat, float]


def hindsight(
    rules: Rules[Any, Any, Any], model: Model, game: Any, events: Sequence[Data | None], draw: Draw
) -> Choice | Knock | None:
    """What can be said of what was done in a game.

    Args:
        rules: of the game.
        model: how it is thought about.
        game: as it stood.
        events: what happened from there on.
        draw: chance.

    Returns:
        None where nobody did anything, or had a choice.
    """
    for asked in rules.asked(game):
        seat, done = asked.seat, None
        legal, longest = list(rules.legal(game, asked.seat)), 0
        for command in legal:
            then = rules.decide(game, seat, command)
            if len(then) > longest and then == tuple(events[: len(then)]):
                done, longest = command, len(then)
        if done is None:
            continue
        if model.move_of(done) is None:
            return _knock(rules, model, game, seat, draw)
        imagined = rules.imagine(game, seat, draw)
        strong = Sampling(rules, model, STRENGTHS["strong"])
        weighed = strong.weighed(imagined, seat, draw)
        if len(weighed) < 2:
            return None
        (best, worth), worth_of = weighed[0], dict(weighed)
        done = model.same(game, done)
        other = weighed[1][0] if done == best else done
        why = model.why(imagined, seat, best, other, draw)
        return Choice(seat, done, best, worth_of[done], worth, why)
    return None


def _knock(rules: Rules[Any, Any, Any], model: Model, game: Any, seat: Seat, draw: Draw) -> Knock:
    def likely(viewer: Seat | None) -> float:
        stuck = 0
        for _ in range(DEALS):
            legal = rules.legal(rules.imagine(game, viewer, draw), seat)
            stuck += all(model.move_of(command) is None for command in legal)
        return stuck / DEALS

    others = (each for each in rules.seats(game) if each != seat)
    return Knock(seat, likely(None), {each: likely(each) for each in others})
