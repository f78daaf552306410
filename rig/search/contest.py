"""Two bots against each other, round by round, each deal twice with the seats exchanged."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import sqrt
from random import Random
from typing import Any

from rig.errors import RigError
from rig.games.interface import HOST, REFEREE, Draw, Rules
from rig.search.bots import SEEING, Chooser, bot
from rig.search.model import Model

SIGMAS = 1.959963984540054
"""Standard deviations either way of a normal distribution that hold 95 % of it."""


class BadContest(RigError):
    """Two bots cannot meet like that."""


def begun(
    rules: Rules[Any, Any, Any], options: Mapping[str, object], players: int, seed: int, name: str
) -> Any:
    """A match before its first deal.

    Raises:
        BadOption: an option cannot be.
        RulesRefused: so many cannot play by these options.
    """
    seats, game = tuple(f"s{n + 1}" for n in range(players)), rules.new(options)
    events = rules.decide(game, HOST, rules.start(seats, None, seed, name))
    return reduce(rules.evolve, events, game)


@dataclass(frozen=True)
class Contest:
    """What is played.

    Attributes:
        rules: the game.
        model: how it is thought about.
        options: its options.
        players: how many seats.
        bots: the two, by name.
        seed: of deals and of the bots' chance.

    Raises:
        BadContest: the bots are not two different ones.
        UnknownBot: there is no such bot.
    """

    rules: Rules[Any, Any, Any]
    model: Model
    options: Mapping[str, object]
    players: int
    bots: tuple[str, ...]
    seed: int
    _made: dict[str, Chooser] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if len(set(self.bots)) != 2 or len(self.bots) != 2:
            raise BadContest(f"--bots: expected two different bots, not {','.join(self.bots)!r}")
        for name in self.bots:
            self._made[name] = bot(name, self.rules, self.model)

    def begun(self) -> Any:
        """A match before its first deal.

        Raises:
            BadOption: an option cannot be.
            RulesRefused: so many cannot play by these options.
        """
        return begun(self.rules, self.options, self.players, 0, "arena")

    def round(self, number: int) -> "ContestRound":
        """Play a round: the deal is that of half its number, an odd one with seats exchanged."""
        rules, game, swapped = self.rules, self.begun(), number % 2
        seats = rules.seats(game)
        who = {seat: self.bots[(n + swapped) % 2] for n, seat in enumerate(seats)}
        deals = Random(f"{self.seed} deal {number // 2}")
        chance = {seat: drawn(Random(f"{self.seed} round {number} {seat}")) for seat in seats}
        order: list[int] = []
        moves: list[tuple[Any, str, Any]] = []
        while (credited := self.model.credited(game)) is None:
            if owed := rules.needs(game):
                order = list(range(owed))
                deals.shuffle(order)
                game = self._after(game, REFEREE, rules.deal(order))
                continue
            seat = rules.asked(game)[0].seat
            name, draw = who[seat], chance[seat]
            known = game if name == SEEING else rules.imagine(game, seat, draw)
            command = self._made[name].choose(known, seat, draw)
            moves.append((game, seat, command))
            game = self._after(game, seat, command)
        points = dict.fromkeys(self.bots, 0.0)
        for seat, amount in credited.items():
            points[who[seat]] += amount
        return ContestRound(order, tuple(who[seat] for seat in seats), moves, points)

    def _after(self, game: Any, actor: str, command: Any) -> Any:
        return reduce(self.rules.evolve, self.rules.decide(game, actor, command), game)


@dataclass(frozen=True, slots=True)
class ContestRound:
    """A round that was played.

    Attributes:
        order: the deal that counted.
        seats: the bot on each.
        moves: each with the game before it and the seat.
        points: of each bot.
    """

    order: Sequence[int]
    seats: Sequence[str]
    moves: Sequence[tuple[Any, str, Any]]
    points: Mapping[str, float]


def match(
    rules: Rules[Any, Any, Any], model: Model, game: Any, name: str, seed: int
) -> Iterator[tuple[Any, Any]]:
    """Play a match that has begun to its end, the same bot on every seat.

    Args:
        rules: the game.
        model: how it is thought about.
        game: before its first deal.
        name: of the bot.
        seed: of deals and of the bots' chance.

    Yields:
        Each event, with the game before it.
    """
    thinks, deals = bot(name, rules, model), Random(f"{seed} deals")
    chance = {seat: drawn(Random(f"{seed} {seat}")) for seat in rules.seats(game)}
    while rules.over(game) is None:
        if owed := rules.needs(game):
            order = list(range(owed))
            deals.shuffle(order)
            actor, command = REFEREE, rules.deal(order)
        elif due := rules.due(game):
            actor, command = REFEREE, due.command
        else:
            actor = rules.asked(game)[0].seat
            draw = chance[actor]
            command = thinks.choose(rules.imagine(game, actor, draw), actor, draw)
        for event in rules.decide(game, actor, command):
            yield game, event
            game = rules.evolve(game, event)


def drawn(chance: Random) -> Draw:
    """Whole numbers below n, of a generator with a seed."""
    random: Callable[[], float] = chance.random
    return lambda n: int(random() * n)


def interval(won: int, of: int) -> tuple[float, float]:
    """Where a share lies with 95 % (Wilson's score interval).

    >>> [round(end, 3) for end in interval(720, 1000)]
    [0.691, 0.747]
    """
    if not of:
        return 0.0, 1.0
    share, z = won / of, SIGMAS * SIGMAS / of
    middle, half = share + z / 2, SIGMAS * sqrt(share * (1 - share) / of + z / of / 4)
    return (middle - half) / (1 + z), (middle + half) / (1 + z)
