"""What a seat can tell of hidden bones: no more than everybody has seen."""

from collections import Counter
from random import Random

import pytest

from rig.games.dominoes.game import Known, changed
from rig.games.dominoes.lead import must_redeal
from tests.support.domino_public import Seen, claims_hold
from tests.support.domino_secrets import hands_of, tried_view, views_of
from tests.support.domino_walks import CONFIGURATIONS, RULES, Walk


def test_what_is_hidden_can_be_otherwise_without_a_seat_noticing():
    """Every seat's view and the table's; what is imagined agrees with all that was public."""
    met = Counter()
    for number, (preset, seats, options) in enumerate(CONFIGURATIONS):
        tried, otherwise = views_of(preset, seats, options, f"suite {number}", rounds=1)
        met += Counter(views=tried, otherwise=otherwise)
    assert met["otherwise"] > 0.9 * met["views"] > 1_800


@pytest.fixture
def blocked_seat():
    """A walk in which a seat has just drawn in vain, and what everybody saw of it."""
    walk = Walk("ru-classic", 3, {}, Random(7))
    walk.step()
    seen = Seen(walk)
    while not (
        walk.history[-1][1] == ("draw",) and walk.recount.legal(walk.recount.active) == {("draw",)}
    ):
        actor, command = walk.chance.choice(walk.moves())
        seen.saw(actor, command)
        walk.do(actor, command)
    return walk, seen


def test_the_checks_find_a_bone_that_would_have_been_laid(blocked_seat):
    """Were it forgotten what a seat lacks, it would be given bones that it cannot have."""
    walk, seen = blocked_seat
    game = walk.game
    forgetful = changed(
        game, held={seat: (Known(len(hand)),) for seat, hand in game.hands.items()}, absent=()
    )
    others = [RULES.imagine(forgetful, None, Random(n).randrange) for n in range(20)]
    assert not all(seen.agrees(hands_of(other)) for other in others)
    false = changed(game, absent=tuple(game.hands["s1"]))
    assert claims_hold(game) and not claims_hold(false)


@pytest.mark.parametrize("steps", [1, 8])
def test_a_match_that_ran_out_of_time_still_hides_its_hands(steps):
    walk = Walk("goat-online", 3, {"move_clock": 30}, Random(5))
    while walk.steps < steps:
        walk.step()
    walk.do(None, ("timeout", walk.recount.active))
    assert walk.game.phase == "GAME_OVER" and walk.game.result is None
    for seat in ("s1", None):
        others = [tried_view(walk.game, seat, n) for n in range(3)]
        assert len({repr(other.hands) for other in others}) == 3


def test_no_imagined_deal_would_have_been_dealt_again():
    dealt_again = 0
    for seed in range(60):
        walk = Walk("goat-online", 4, {}, Random(seed))
        while walk.recount.phase == "deal":
            walk.step()
        for n in range(5):
            other = tried_view(walk.game, "s1", f"{seed} {n}")
            dealt_again += any(must_redeal(other.options, hand) for hand in other.hands.values())
    assert dealt_again == 0
