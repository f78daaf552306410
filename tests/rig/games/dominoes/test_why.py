"""Why a move is better than another: what a player would see after it, and no more."""

from random import Random

import pytest

from rig.games.dominoes import commands as cmd
from rig.games.dominoes.bones import SET
from rig.games.dominoes.game import Game, Known, Phase, changed
from rig.games.dominoes.rules import Dominoes
from rig.games.dominoes.table.why import KINDS, reason
from rig.games.interface import HOST
from rig.search.contest import drawn

RULES = Dominoes()


def told(line, hands, rest, best, other, seed=1, **options):
    """What is said for one move of s2 over another; bones of the others and `rest` are hidden."""
    seats = tuple(f"s{n + 1}" for n in range(len(hands)))
    game: Game = RULES.new({"preset": "bg-standard", "draw": "none", **options})
    for event in RULES.decide(game, HOST, cmd.Start(seats)):
        game = RULES.evolve(game, event)
    game = changed(
        game,
        phase=Phase.TURN,
        active="s2",
        placer="s1",
        line=line,
        hands=dict(zip(seats, hands, strict=True)),
        boneyard=rest,
        held={s: (Known(len(h)),) for s, h in zip(seats, hands, strict=True)},
    )
    best, other = (cmd.Place(*m.split()) if isinstance(m, str) else m for m in (best, other))
    said = reason(game, "s2", best, other, drawn(Random(seed)))
    assert said["kind"] in KINDS
    return said


@pytest.mark.parametrize(
    ("line", "own", "hidden", "best", "other", "why"),
    [
        (("6-6",), ("0-6",), ("1-2",), "0-6 left", "0-6 right", "out"),
        (
            ("1-6",),
            ("0-6", "3-3", "5-6"),
            ("0-2", "0-4", "2-4"),
            "5-6 right",
            "0-6 right",
            "fish_sure",
        ),
        (
            ("6-6",),
            ("0-6", "5-6"),
            ("0-1", "0-2", "0-3", "1-2"),
            "5-6 left",
            "0-6 left",
            "stuck_sure",
        ),
        (("1-6",), ("2-6", "3-4", "6-6"), ("0-0", "0-3"), "6-6 right", "2-6 right", "own"),
        (("1-6",), ("2-2", "2-6", "6-6"), ("0-0", "0-3"), "6-6 right", "2-6 right", "double"),
        (("1-6",), ("0-0", "0-6", "5-5", "5-6"), ("2-3", "2-4"), "5-6 right", "0-6 right", "heavy"),
        (("1-6",), ("0-0", "0-6", "5-5", "5-6"), ("2-3", "2-4"), "0-6 right", "5-6 right", "mean"),
    ],
)
def test_a_reason_is_what_a_player_would_see_after_the_move(line, own, hidden, best, other, why):
    assert told(line, (hidden[:1], own), hidden[1:], best, other)["kind"] == why


@pytest.mark.parametrize(
    ("line", "own", "hidden", "best", "other", "preset"),
    [
        (("0-1",), ("0-0", "1-3", "5-5"), ("2-4", "3-4"), "1-3 right", "0-0 left", "ru-classic"),
        (
            ("4-6",),
            ("1-1", "2-2", "4-4", "5-6"),
            ("0-2", "0-3"),
            "5-6 right",
            "4-4 left",
            "bg-standard",
        ),
    ],
)
def test_a_bone_is_heavier_by_what_it_counts_at_this_table(line, own, hidden, best, other, preset):
    """0-0 counts 25 in the classic, and a double twice in the Bulgarian game."""
    assert told(line, (hidden[:1], own), hidden[1:], best, other, preset=preset)["kind"] == "mean"


def test_how_often_the_next_is_stuck_is_counted_over_the_possible_deals():
    """One of four hidden bones is in the hand of s1: 1-5 alone goes on after 5-6."""
    hidden = ("0-1", "0-2", "1-2", "1-5")
    said = told(("6-6",), (hidden[:1], ("0-6", "5-6")), hidden[1:], "5-6 left", "0-6 left")
    assert (said["kind"], said["seat"]) == ("stuck", "s1")
    assert said["of_ten"] in (7, 8)


@pytest.mark.parametrize("seed", range(4))
def test_what_one_possible_deal_contradicts_is_not_certain(seed):
    """One of the 20 hidden bones is in the hand of s1: 0-6 alone goes on after 2-6."""
    line, own = ("6-1", "1-2"), ("2-3", "2-6")
    hidden = ("0-6", *(one for one in SET if "6" not in one and one not in ("1-2", "2-3")))
    said = told(line, (hidden[:1], own), hidden[1:], "2-6 right", "2-3 right", seed)
    assert said == {"kind": "fish", "of_ten": 9}


def test_what_the_partner_can_go_on_with_is_a_reason_in_pairs():
    """s4 has two of the eight hidden bones: five of them have a 5, two have a 0."""
    hands = (("3-4", "0-0", "0-1"), ("0-6", "5-6"), ("1-5", "2-5", "3-5"), ("4-5", "5-5"))
    said = told(("6-6",), hands, (), "5-6 left", "0-6 left", pairs=True)
    assert said == {"kind": "partner", "seat": "s4", "of_ten": 9}


def test_two_doubles_at_once_are_their_own_reason():
    two = cmd.PlaceTwo(("1-1", "6-6"), ("left", "right"))
    hands = (("0-2",), ("1-1", "3-3", "6-6"))
    assert told(("1-6",), hands, (), two, "6-6 right", multi_double=True) == {"kind": "two"}
