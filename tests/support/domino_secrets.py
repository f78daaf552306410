"""What a seat can see of dominoes, tried against everything that it cannot."""

import json
from random import Random

from tests.support.domino_public import Seen, claims_hold
from tests.support.domino_walks import RULES, Walk


def views_of(preset, seats, options, seed, rounds=3):
    """Play by chance and try every view of every moment; how many views were tried.

    Raises:
        AssertionError: a seat can see what it may not, or what is imagined for it cannot be.
    """
    walk = Walk(preset, seats, options, Random(f"{seed}"))
    walk.stand()
    draws = Random(f"{seed} drawn")
    seen, tried, otherwise = None, 0, 0
    while walk.rounds < rounds and not walk.over():
        if walk.recount.phase == "deal":
            walk.step()
            seen = None if walk.recount.phase == "deal" else Seen(walk)
            continue
        game = walk.game
        assert claims_hold(game) and seen.agrees(hands_of(game)), walk.told()
        for seat in (*game.seats, None):
            other = tried_view(game, seat, draws.randrange(1 << 60))
            assert seen.agrees(hands_of(other)) and claims_hold(other), (seat, walk.told())
            tried += 1
            otherwise += other.hands != game.hands
        actor, command = walk.chance.choice(walk.moves())
        seen.saw(actor, command)
        walk.do(actor, command)
    return tried, otherwise


def tried_view(game, seat, seed):
    """A game imagined for a seat, which must look the same and follow from the view alone."""
    other = RULES.imagine(game, seat, Random(seed).randrange)
    assert looks(other, seat) == looks(game, seat), (seat, game)
    again = RULES.imagine(other, seat, Random(seed).randrange)
    assert again == other, (seat, game)
    assert sorted(bones_of(other)) == sorted(bones_of(game))
    return other


def looks(game, seat):
    """The bytes of a view."""
    return json.dumps(RULES.view(game, seat)).encode()


def bones_of(game):
    """Every bone that does not lie in the line."""
    return [*game.boneyard, *(bone for hand in game.hands.values() for bone in hand)]


def hands_of(game):
    """The hands as the recount names tiles."""
    return [[(int(bone[0]), int(bone[2])) for bone in game.hands[seat]] for seat in game.seats]
