"""The engine against a second reckoning of the same match (`tests/support/domino_recount.py`)."""

import json
from collections import Counter
from random import Random

import pytest

from rig.cli.referee import Referee
from rig.games.interface import BadOption
from tests.support.domino_recount import PRESETS
from tests.support.domino_walks import CONFIGURATIONS, VALUES, Walk, can_be_played, with_options

TABLES = [(preset, seats) for preset, column in PRESETS.items() for seats in column["hands"]]


def walked(preset, seats, options, seed, rounds):
    """What a walk has met; it raises where the engine and the recount differ."""
    walk = Walk(preset, seats, options, Random(seed))
    walk.stand()

    def at_each_step(walk):
        walk.compare_legal()
        walk.refuse(2)

    walk.play(rounds, at_each_step)
    return walk.met


@pytest.mark.parametrize(("preset", "seats", "options"), CONFIGURATIONS)
def test_every_preset_is_played_as_the_rules_say(preset, seats, options):
    met = sum((walked(preset, seats, options, seed, 6) for seed in range(2)), Counter())
    assert met["out"] + met["fish"] + met["fish, nobody wins"] > 1 and met["refused"] > 20


def test_every_value_of_every_option_is_played_as_the_rules_say_or_refused_in_a_sentence():
    chance, played = Random(3), Counter()
    for name, values in VALUES.items():
        for value in values:
            for _ in range(6):
                preset, seats = chance.choice(TABLES)
                options = with_options(chance, {name: value})
                try:
                    can_be_played(preset, seats, options)
                except BadOption as error:
                    assert str(error).startswith(("option ", "seats: ")) and "expected" in str(
                        error
                    )
                else:
                    walked(preset, seats, options, f"{name} {value}", 1)
                    played[name, value] += 1
    missing = {(name, value) for name, values in VALUES.items() for value in values} - played.keys()
    assert missing == set()


def test_two_doubles_can_be_laid_in_either_order():
    """The second may be the last tile of the hand, and the bald goat asks which that was."""
    walk = Walk("sea-goat", 2, {}, Random(1))
    offered = set()

    def at_each_step(walk):
        walk.compare_legal()
        offered.update(kind[2] for _, kind in walk.moves() if kind[0] == "place2")

    walk.play(60, at_each_step)
    assert offered == {("left", "right"), ("right", "left")}


def test_a_partner_of_who_was_late_is_rated_like_every_other():
    walk = Walk("goat-online", 4, {"pairs": True, "move_clock": 30}, Random(2))
    walk.stand()
    while walk.recount.phase == "deal":
        walk.step()
    late = walk.recount.active
    walk.do(None, ("timeout", late))
    assert walk.game.rating[late] == 0 and walk.game.rating[(late + 2) % 4] == 1


@pytest.mark.parametrize(("last", "wins"), [("0-0", True), ("5-5", False)])
def test_of_two_doubles_the_second_is_the_last_tile(last, wins):
    """Going out with 0-0 wins the match of Sea Goat, going out with 5-5 a round."""
    told = Referee("dominoes")
    position = {"hands": [["0-0", "5-5"], ["1-2"]], "line": ["0-5"], "active": 0}
    assert told.answer(
        json.dumps({"new": {"preset": "sea-goat", "seats": 2, "position": position}})
    )
    two = {"tiles": ["5-5", "0-0"], "ends": ["right", "left"]}
    if last == "5-5":
        two = {name: each[::-1] for name, each in two.items()}
    answer = told.answer(json.dumps({"actor": 0, "type": "place2", **two}))
    assert ("game" in [event["type"] for event in answer["events"]]) is wins
