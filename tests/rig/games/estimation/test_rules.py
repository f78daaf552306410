"""Estimation Domino behind the port of a game."""

from functools import reduce
from itertools import pairwise
from random import Random

from rig.games.estimation.rules import Estimation
from rig.games.estimation.table.estimation_play import PLAY
from rig.games.estimation.terms import Phase
from rig.games.interface import Guard
from tests.support.evenings import played

RULES = Estimation()


def games_played(count):
    """So many moments of evenings that were played by chance."""
    seed, seen = 0, 0
    while seen < count:
        table = PLAY.table()
        records = played(seed)
        for record, following in pairwise(records):
            table = PLAY.apply(table, PLAY.read(record))
            # Nobody sees a table while what was written together is only partly there.
            if record.at != following.at and table.phase is not Phase.LOBBY:
                seen += 1
                yield table.game
        seed += 1


def test_what_a_seat_cannot_know_can_be_otherwise_without_its_noticing():
    """Some 4,000 views: every seat's and the table's of each moment."""
    chance, changed = Random(7), 0
    for game in games_played(800):
        for seat in (*RULES.seats(game), None):
            other = RULES.imagine(game, seat, chance.randrange)
            assert RULES.view(other, seat) == RULES.view(game, seat)
            changed += other.ballots != game.ballots
    assert changed > 200


def test_whatever_is_legal_is_decided_and_leads_on():
    chance = Random(8)
    for n, game in enumerate(games_played(400)):
        if n % 10:
            continue
        for seat in RULES.seats(game):
            for command in RULES.legal(game, seat):
                events = RULES.decide(game, seat, command)
                assert reduce(RULES.evolve, events, game) is not None
        for asked in RULES.asked(game):
            assert asked.seat in RULES.seats(game)
            if chance.random() < 0.2:
                after = reduce(RULES.evolve, RULES.decide(game, "referee", asked.otherwise), game)
                assert asked not in RULES.asked(after) or after.turn > game.turn


def test_a_late_command_is_known_by_the_moment_it_names():
    last = ""
    for game in games_played(300):
        moment = RULES.moment(game, Guard.TURN)
        assert moment and RULES.moment(game, Guard.TRICK) == str(game.round)
        last = last or moment
    assert last != moment
