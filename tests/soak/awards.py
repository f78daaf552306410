"""Whole games by bots through every layer, and the awards of each reckoned twice.

`python -m tests.soak.awards 200` plays so many, seeds from 0 on, and ends at the first difference.
"""

import sys
from argparse import Namespace
from collections import Counter

from rig.cli import demo
from rig.games.estimation.table.awards import awards
from tests.support.award_recount import as_reckoned, reckoned

play = demo._play


def played(games, first=0):
    """How many awards of each kind so many games have earned, all of them reckoned twice."""
    kinds = Counter()

    def watched(opened, chances, as_json):
        play(opened, chances, as_json)
        table = opened.session.table
        found = as_reckoned(awards(table.judged, table.game.present))
        again = reckoned(list(opened.session.journal.events()))
        assert found == again, f"{found} here, {again} in the second reckoning"
        kinds.update(list(found))

    demo._play = watched
    for seed in range(first, first + games):
        how = {"game": None, "preset": None, "option": None, "json": True}
        demo.run(Namespace(seed=seed, players=2 + seed % 4, **how))
        print(seed, dict(kinds), flush=True)
    return kinds


if __name__ == "__main__":
    played(*map(int, sys.argv[1:]))
