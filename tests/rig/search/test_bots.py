"""Bots know what their seat knows, give what is allowed, and play again what they have played."""

from functools import reduce
from random import Random

import pytest

from rig.games.dominoes.rules import Dominoes
from rig.games.dominoes.table.thought import MODEL
from rig.games.interface import HOST, REFEREE
from rig.search.bots import BOTS, SEEING, STRENGTHS, UnknownBot, bot
from rig.search.contest import drawn, match
from rig.search.port_model import PortModel
from rig.search.sampling import ranked
from tests.support.high_card import HighCard

RULES = Dominoes()


def begun(rules, players, **options):
    game = rules.new(options)
    seats = tuple(f"s{n + 1}" for n in range(players))
    return reduce(rules.evolve, rules.decide(game, HOST, rules.start(seats, None, 0, "test")), game)


def middle(preset, players, seed, moves):
    """A match after some moves by chance, in which a seat is in turn."""
    chance, game = Random(seed), begun(RULES, players, preset=preset)
    while game.active is None or moves:
        if game.active is None:
            order = list(range(28))
            chance.shuffle(order)
            actor, command = REFEREE, RULES.deal(order)
        else:
            actor, moves = game.active, moves - 1
            command = chance.choice(list(RULES.legal(game, actor)))
        game = reduce(RULES.evolve, RULES.decide(game, actor, command), game)
    return game


@pytest.mark.parametrize("name", BOTS)
def test_what_a_bot_does_is_the_same_whatever_it_cannot_see(name):
    """Two games with the same view and the same chance: the bot cannot tell them apart."""
    thinks = bot(name, RULES, MODEL)
    for seed, (preset, players) in enumerate((("goat-2p", 2), ("sea-goat", 4), ("goat-online", 3))):
        game = middle(preset, players, seed, 5 + seed)
        seat = game.active
        other = RULES.imagine(game, seat, drawn(Random(99)))
        assert other.hands != game.hands and RULES.view(other, seat) == RULES.view(game, seat)
        chosen = []
        for hidden in (game, other):
            draw = drawn(Random(seed))
            chosen.append(thinks.choose(RULES.imagine(hidden, seat, draw), seat, draw))
        assert chosen[0] == chosen[1]
        assert chosen[0] in list(RULES.legal(game, seat))


def test_the_seeing_bot_sits_at_no_table_and_an_unknown_one_nowhere():
    assert SEEING not in BOTS and {*STRENGTHS} < {*BOTS}
    with pytest.raises(UnknownBot, match="expected a bot out of random, greedy, weak"):
        bot("brilliant", RULES, MODEL)


@pytest.mark.parametrize(("preset", "players"), [("sea-goat", 4), ("goat-online/one", 3)])
def test_a_match_of_bots_comes_to_its_end_and_again_the_same(preset, players):
    def events():
        game = begun(RULES, players, preset=preset, limit=25)
        return [event for _, event in match(RULES, MODEL, game, "weak", 4)]

    first = events()
    assert type(first[-1]).__name__ == "GameEnded"
    assert events() == first


def test_a_game_without_a_model_of_its_own_is_thought_about_by_its_rules():
    rules = HighCard()
    ended = [event for _, event in match(rules, PortModel(rules), begun(rules, 4), "weak", 1)]
    assert type(ended[-1]).__name__ == "GameEnded"


class Heaps:
    """One choice between heaps that chance has filled; the mover is the second of two seats."""

    def __init__(self, heaps, counted):
        self.heaps, self.mover, self.taken, self.counted = heaps, 1, None, counted

    def copy(self):
        return Heaps(self.heaps, self.counted)

    def moves(self):
        return range(len(self.heaps)) if self.taken is None else ()

    def play(self, move):
        self.taken = self.heaps[move]

    def finish(self, draw):
        self.counted.append(self.taken)
        return [1 - self.taken, self.taken]


@pytest.mark.parametrize("better", range(5))
def test_the_move_that_is_worth_most_on_the_average_is_found(better):
    chance, counted = Random(better), []

    def world():
        heaps = [chance.random() * 0.8 for _ in range(5)]
        heaps[better] += 0.2
        return Heaps(heaps, counted)

    found = ranked(world, 600, drawn(chance))
    assert found[0][0] == better and sorted(move for move, _ in found) == [*range(5)]
    assert found[0][1] == pytest.approx(0.6, abs=0.06)
    assert 500 < len(counted) <= 600
