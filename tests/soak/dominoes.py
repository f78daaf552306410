"""The domino engine against its recount, and its views against everything they must not tell.

    python -m tests.soak.dominoes [--games 700] [--options 2000] [--views 200000] [--seed 1]

`--games` matches of every preset with every number of players, single and in pairs, half of them
from accounts as in the middle of a match; `--options` rounds with options set apart by chance;
`--views` views of seats and of the table. It stops at the first difference, and tells the match.
"""

import sys
import time
from argparse import ArgumentParser
from collections import Counter
from random import Random

from rig.games.interface import BadOption
from tests.support.domino_recount import PRESETS
from tests.support.domino_secrets import views_of
from tests.support.domino_walks import (
    CONFIGURATIONS,
    VALUES,
    Differs,
    Walk,
    can_be_played,
    with_options,
)

ROUNDS_MOST = 400
"""A match of presets is over long before; where no account ever opens it is left there."""
_TABLES = [(preset, seats) for preset, column in PRESETS.items() for seats in column["hands"]]


def games(each, seed):
    """Matches of every preset, to their end."""
    met = Counter()
    for number in range(each):
        for preset, seats, options in CONFIGURATIONS:
            walk = Walk(preset, seats, options, Random(f"{seed} {preset} {seats} {number}"))
            if number % 2:
                walk.stand()
            walk.play(ROUNDS_MOST, _every_step)
            met += walk.met
            met["matches"] += 1
            met["matches to their end"] += walk.over()
    return met


def options(rounds, seed):
    """Rounds with some options set apart, each value of each option in turn."""
    met, chance = Counter(), Random(f"{seed} options")
    while met["walks"] < rounds:
        for name, values in VALUES.items():
            for value in values:
                preset, seats = chance.choice(_TABLES)
                apart = with_options(chance, {name: value}, chance.randrange(7))
                try:
                    can_be_played(preset, seats, apart)
                except BadOption:
                    met["refused options"] += 1
                    continue
                walk = Walk(preset, seats, apart, Random(chance.random()))
                walk.stand()
                walk.play(4, _every_step)
                met += walk.met
                met["walks"] += 1
    return met


def views(least, seed):
    """Views of every preset, until there are enough."""
    met, number = Counter(), 0
    while met["views"] < least:
        for preset, seats, apart in CONFIGURATIONS:
            tried, otherwise = views_of(preset, seats, apart, f"{seed} {number} {seats}", 2)
            met += Counter({"views": tried, "with other hands": otherwise})
        number += 1
    return met


def _every_step(walk):
    walk.compare_legal()
    if walk.steps % 4 == 0:
        walk.refuse(2)


def main():
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=700)
    parser.add_argument("--options", type=int, default=2_000)
    parser.add_argument("--views", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for part, much in ((games, args.games), (options, args.options), (views, args.views)):
        since = time.process_time()
        try:
            met = part(much, args.seed)
        except (Differs, AssertionError) as difference:
            print(f"{part.__name__}: {difference}")
            return 1
        told = ", ".join(f"{count} {what}" for what, count in sorted(met.items()))
        print(f"{part.__name__}: {told}; {time.process_time() - since:.0f} s of CPU", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
