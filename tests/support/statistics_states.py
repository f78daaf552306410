"""The page of statistics in its states, made by the sums of the statistics from games of chance.

`python -m tests.support.statistics_states` writes them beside the other saved snapshots.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from rig.history.votes import Played, VoteRecord, figures
from rig.serialise import to_plain

SNAPSHOTS = Path(__file__).parents[1] / "data" / "snapshots"
PEOPLE = ("Olena", "Борис", "Annemarie-Maximilian", "Zoë")
"""The first one has a good eye, the last one guesses; one has the longest name there may be."""
LEARNED = {"pushes": 40, "before": 0.15, "after": 0.12}
DAY_S = 86_400.0


def evenings(count: int, pushes: int, chance: Random) -> Iterator[Played]:
    """One game an evening, each with so many pushes."""
    for evening in range(count):
        looks = []
        for push in range(pushes):
            p_fall = chance.random()
            fell = chance.random() < p_fall
            for n, name in enumerate(PEOPLE):
                success = fell if n == 0 and chance.random() < 0.9 else chance.random() < 0.5
                placer, caller = push % 4 == n, (push + 1) % 4 == n
                looks.append(VoteRecord(name, success, not placer, placer, caller, p_fall, fell))
        chips = dict(zip(PEOPLE, (14, 9, 12, 5), strict=True))
        calls = dict.fromkeys(PEOPLE, pushes)
        yield Played((evening + 1) * DAY_S, True, chips, PEOPLE[:1], calls, tuple(looks))


def state(games=(), *, mine=None, host=False, on=True, table=None, ui=None):
    """What the page would be told; `ui` is what it alone knows."""
    told = {
        "on": on,
        "players": to_plain(tuple(figures(list(games)))) if on else [],
        "mine": mine,
        "you": {"seat": "s1" if mine else None, "host": host},
        "host": host,
        "table": table,
    }
    return {**told, "ui": ui} if ui else told


def states():
    """Every state by name."""
    one = list(evenings(1, 4, Random(3)))
    many = list(evenings(12, 6, Random(5)))
    first = [Played(DAY_S, True, dict.fromkeys(PEOPLE[:2], 5), PEOPLE[1:2])]
    whole = {"mine": PEOPLE[0], "host": True, "table": LEARNED}
    return {
        "none": state(),
        "off": state(on=False, host=True),
        "trouble": {"ui": {"trouble": "offline"}},
        "newcomer": state(many),
        "first-game": state(first, mine=PEOPLE[0], ui={"open": True}),
        "evening": state(one, mine=PEOPLE[3]),
        "evening-open": state(one, mine=PEOPLE[3], ui={"open": True}),
        "many": state(many, **whole),
        "many-open": state(many, **whole, ui={"open": True}),
        "long-open": state(many, mine=PEOPLE[2], ui={"open": True}),
        "sure": state(one, mine=PEOPLE[0], host=True, ui={"sure": PEOPLE[0]}),
        "sure-all": state(one, mine=PEOPLE[0], host=True, ui={"sure": "", "trouble": "disk"}),
    }


if __name__ == "__main__":
    for name, told in states().items():
        text = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
        (SNAPSHOTS / f"statistics-{name}.json").write_text(text, encoding="utf-8")
