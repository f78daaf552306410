"""Rounds of dominoes a second of CPU, played by chance: `python -m tests.bench.bench_games [N]`.

N rounds by four players of each preset that they can play. The commands are chosen first; then the
same rounds go through `decide` and `evolve` alone, and a third time with the list of all legal
commands asked for before each. How well bots play is measured by `domino-rig arena`.
"""

import sys
import time
from functools import reduce
from random import Random

from rig.games.dominoes.options import PLAYERS
from rig.games.dominoes.rules import Dominoes
from rig.games.interface import HOST, REFEREE

RULES = Dominoes()
SEATS = ("s1", "s2", "s3", "s4")


def begun(preset):
    return after(RULES.new({"preset": preset}), HOST, RULES.start(SEATS, None, 0, "bench"))


def after(game, actor, command):
    return reduce(RULES.evolve, RULES.decide(game, actor, command), game)


def by_chance(game, chance):
    """The commands of one round."""
    commands = []
    while game.result is None:
        if RULES.needs(game):
            order = list(range(28))
            chance.shuffle(order)
            actor, command = REFEREE, RULES.deal(order)
        else:
            actor = game.active
            command = chance.choice(list(RULES.legal(game, actor)))
        commands.append((actor, command))
        game = after(game, actor, command)
    return commands


def cpu_s(game, rounds, asking):
    start_s = time.process_time()
    for commands in rounds:
        one = game
        for actor, command in commands:
            if asking and actor != REFEREE:
                list(RULES.legal(one, actor))
            one = after(one, actor, command)
    return time.process_time() - start_s


def main(rounds=400):
    chance, alone_s, asked_s, count, moves = Random(1), 0.0, 0.0, 0, 0
    for preset in (name for name, players in PLAYERS.items() if 4 in players):
        game = begun(preset)
        played = [by_chance(game, chance) for _ in range(rounds)]
        took = [cpu_s(game, played, asking) for asking in (False, True)]
        print(f"{preset}: {rounds / took[0]:.0f} rounds a CPU second, {rounds / took[1]:.0f} asked")
        alone_s, asked_s, count = alone_s + took[0], asked_s + took[1], count + rounds
        moves += sum(map(len, played))
    print(
        f"all: {count / alone_s:.0f} rounds of {moves / count:.1f} commands a CPU second through "
        f"decide and evolve, {count / asked_s:.0f} with all legal commands asked for"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
