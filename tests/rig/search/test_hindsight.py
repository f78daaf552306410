"""What is said of a game afterwards follows from what could be known."""

from random import Random

import pytest

from rig.games.dominoes import commands as cmd
from rig.games.dominoes.game import Game, Known, Phase, changed
from rig.games.dominoes.rules import Dominoes
from rig.games.dominoes.table.thought import MODEL
from rig.games.interface import HOST
from rig.search.contest import drawn
from rig.search.hindsight import Choice, Knock, hindsight

RULES = Dominoes()


def standing(line, hands, boneyard, lacks=(), draw="until"):
    """s2 is in turn; `lacks` is what everybody knows of both hands."""
    game = Game()
    for event in RULES.decide(
        RULES.new({"preset": "ru-classic", "draw": draw}), HOST, cmd.Start(("s1", "s2"))
    ):
        game = RULES.evolve(game, event)
    seats = ("s1", "s2")
    return changed(
        game,
        phase=Phase.TURN,
        active="s2",
        placer="s1",
        line=line,
        hands=dict(zip(seats, hands, strict=True)),
        boneyard=boneyard,
        held={s: (Known(len(h), lacks),) for s, h in zip(seats, hands, strict=True)},
    )


def said(game, command):
    events = RULES.decide(game, "s2", command)
    return hindsight(RULES, MODEL, game, events, drawn(Random(1)))


@pytest.mark.parametrize(
    ("boneyard", "lacks", "likely"),
    [
        (("0-6", "1-6"), (), 1 / 2),  # two of the four hidden bones fit
        (("0-6", "1-6"), (0,), 2 / 3),  # 0-6 is in no hand
        (("0-3", "1-4"), (), 1),  # nothing fits anywhere
    ],
)
def test_a_knock_is_as_likely_as_hands_in_which_nothing_fits(boneyard, lacks, likely):
    game = standing(("6-6",), (("1-2",), ("2-3",)), boneyard, lacks, draw="none")
    seen = said(game, cmd.Pass())
    assert isinstance(seen, Knock) and seen.seat == "s2"
    assert seen.likely == pytest.approx(likely, abs=0.08)


def test_the_bone_that_goes_out_is_better_than_one_that_lets_the_other_out():
    """6-6 lies: with 0-6 the only bone of s1 fits, with 5-6 and then 5-5 s2 is out first."""
    game = standing(("6-6",), (("0-1",), ("0-6", "5-6")), ())
    seen = said(game, cmd.Place("0-6", "right"))
    assert isinstance(seen, Choice)
    assert seen.best == cmd.Place("5-6", "left")
    assert seen.done == cmd.Place("0-6", "left")  # both ends are alike
    assert seen.worth_done < seen.worth_best


def test_where_there_is_no_choice_nothing_is_said():
    game = standing(("6-6",), (("0-1",), ("0-6", "5-5")), ())
    assert said(game, cmd.Place("0-6", "left")) is None


def test_a_knock_is_likelier_for_whoever_holds_what_would_have_fitted():
    game = standing(("6-6",), (("0-6",), ("2-3",)), ("1-6", "1-4"), draw="none")
    seen = said(game, cmd.Pass())
    assert seen.known.keys() == {"s1"}
    assert seen.likely == pytest.approx(2 / 4, abs=0.08)
    assert seen.known["s1"] == pytest.approx(2 / 3, abs=0.08)
