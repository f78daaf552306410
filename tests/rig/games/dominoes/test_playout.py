"""The fast round does what the rules do, and imagines what a seat can imagine."""

from functools import reduce
from itertools import permutations
from random import Random

import pytest

from rig.games.dominoes import commands as cmd
from rig.games.dominoes.bones import HALVES
from rig.games.dominoes.decide import decide
from rig.games.dominoes.evolve import evolve
from rig.games.dominoes.game import Known, Phase, changed
from rig.games.dominoes.options import PLAYERS
from rig.games.dominoes.rules import Dominoes
from rig.games.dominoes.table.playout import NUMBER, exact, mask, move_of
from rig.games.dominoes.table.thought import MODEL
from rig.games.interface import HOST, REFEREE
from rig.search.contest import drawn

RULES = Dominoes()
TABLES = [
    *(({"preset": preset}, players) for preset, many in PLAYERS.items() for players in many),
    *(
        ({"preset": preset, "pairs": True}, 4)
        for preset in ("bg-standard", "goat-yard", "goat-125")
    ),
    ({"preset": "bg-standard", "pairs": True, "pair_fish": "sums"}, 4),
    ({"preset": "ru-classic", "fish_score": "sum_of_differences", "draw": "none"}, 3),
    ({"preset": "ru-classic", "dead_ends": "immediate", "fish_tie": "carry"}, 2),
    ({"preset": "goat-yard", "draw": "one", "boneyard_floor": 2}, 3),
    ({"preset": "sea-goat", "bald": "round", "fish_test": "six_out"}, 4),
]


def after(game, actor, command):
    return reduce(evolve, decide(game, actor, command), game)


def dealt(options, players, chance, **more):
    """A match at the lead of a round; `more` are fields of the game before the deal."""
    seats = tuple(f"s{n + 1}" for n in range(players))
    game = changed(after(RULES.new(options), HOST, cmd.Start(seats)), **more)
    while RULES.needs(game):
        order = list(range(28))
        chance.shuffle(order)
        game = after(game, REFEREE, cmd.Deal(tuple(order)))
    return game


def choice(game):
    """The match at the next bone to lay, after all drawing and knocking; or at its end."""
    while game.active is not None:
        legal = list(RULES.legal(game, game.active))
        if move_of(legal[0]) is not None:
            return game, legal
        game = after(game, game.active, legal[0])
    return game, []


def told_apart(game, command):
    """Whether a command is one of those that make a difference, as a round names them."""
    ends = game.ends
    if isinstance(command, cmd.Place) and len(ends) == 2 and ends[0] == ends[1]:
        return command.end == "left"
    last = len(game.hands[game.active]) == 2
    return not isinstance(command, cmd.PlaceTwo) or command.ends[0] == "left" or last


@pytest.mark.parametrize(("options", "players"), TABLES, ids=str)
def test_a_round_goes_and_ends_as_the_rules_say(options, players):
    chance = Random(f"{options} {players}")
    for carry in (0, 0, 11):
        game = dealt(options, players, chance, carry=carry, opener=0)
        quick = exact(game)
        while True:
            game, legal = choice(game)
            moves = quick.moves()
            if not legal:
                break
            expected = {move_of(one) for one in legal if told_apart(game, one)}
            assert (set(moves), game.seats[quick.mover]) == (expected, game.active)
            assert {move_of(MODEL.same(game, one)) for one in legal} == expected
            command = chance.choice([one for one in legal if move_of(one) in expected])
            game = after(game, game.active, command)
            quick.play(move_of(command))
        assert moves == []
        result = game.result
        assert (quick.how, game.seats[quick.ender]) == (result.how, result.seat)
        assert tuple(quick.credited()) == result.credited
        counted = [quick.table.worth.pips(hand) for hand in quick.hands]
        assert counted == list(result.pips.values())


@pytest.mark.parametrize(("options", "players"), TABLES, ids=str)
def test_playing_on_is_the_simple_move_again_and_again(options, players):
    """With chance that never wants the second best bone and always the right end."""
    game = dealt(options, players, Random(f"{options} {players} on"))
    for _ in range(4):
        quick, slow = exact(game), exact(game)
        while slow.moves():
            slow.simple(lambda n: n - 1)
        assert quick.finish(lambda n: n - 1) == slow.values()
        assert (quick.hands, quick.how, quick.ender) == (slow.hands, slow.how, slow.ender)
        game, legal = choice(game)
        if not legal:
            return
        game = after(game, game.active, legal[0])


def test_the_plain_bone_is_a_double_before_the_heaviest():
    game = dealt({"preset": "goat-online"}, 2, Random(1), round=2, leader="s1")
    for hand, plain in ((("6-5", "1-1", "0-0"), "1-1"), (("2-3", "4-6", "0-6"), "4-6")):
        hand = tuple(min(one, one[::-1]) for one in hand)
        game = changed(game, active="s1", hands={**game.hands, "s1": hand})
        assert MODEL.plain(game, "s1", list(RULES.legal(game, "s1"))).tile == plain


def test_a_simple_move_is_the_plain_bone_and_now_and_then_the_next():
    game = dealt({"preset": "goat-online"}, 2, Random(1), round=2, leader="s1")
    game = changed(
        game,
        phase=Phase.TURN,
        active="s1",
        line=("6-6",),
        hands={**game.hands, "s1": ("0-6", "4-6", "5-6")},
    )
    for draw, bone in ((lambda n: n - 1, "5-6"), (lambda n: 0, "4-6")):
        quick = exact(game)
        before = quick.hands[0]
        quick.moves()
        quick.simple(draw)
        assert before ^ quick.hands[0] == mask((bone,))


def agrees(hand, groups, absent):
    """Whether some way of telling these bones apart agrees with what is known of a hand."""
    rooms = [held for held in groups for _ in range(held.count)]
    return any(
        all(
            not (held.dealt and one in absent) and not set(held.lacks) & set(HALVES[one])
            for held, one in zip(rooms, order, strict=True)
        )
        for order in permutations(hand)
    )


def test_worlds_are_all_that_agree_with_what_a_seat_has_seen():
    chance = Random(5)
    draw = drawn(chance)
    for n in range(6):
        game = dealt({"preset": ("goat-2p", "doubles-2p")[n % 2]}, 2, chance)
        while True:
            game, legal = choice(game)
            if not legal or (len(game.line) > 5 and len(game.hands[other(game)]) < 6):
                break
            game = after(game, game.active, chance.choice(legal))
        if not legal:
            continue
        seat, rest = game.active, other(game)
        hidden = {*game.boneyard, *game.hands[rest]}
        world = MODEL.worlds(RULES.imagine(game, seat, draw), seat, draw)
        seen = set()
        for _ in range(120):
            quick = world()
            hands = dict(zip(game.seats, quick.hands, strict=True))
            assert hands[seat] == mask(game.hands[seat])
            bones = tuple(one for one in sorted(hidden) if hands[rest] >> NUMBER[one] & 1)
            assert {*bones} | {one for one in hidden if NUMBER[one] in quick.yard} == hidden
            assert len(bones) == len(game.hands[rest])
            assert agrees(bones, game.held[rest], game.absent)
            seen.add(bones)
        assert len(seen) > 1 or not game.boneyard


def other(game):
    return game.after(game.active)


def test_worlds_are_even():
    """Every deal of the hidden bones that agrees comes equally often."""
    chance = Random(8)
    draw = drawn(chance)
    game = dealt({"preset": "ru-classic"}, 2, chance)
    game = changed(
        game,
        phase=Phase.TURN,
        active="s1",
        placer="s2",
        line=("6-6",),
        hands={"s1": ("6-5",), "s2": ("0-1", "2-3")},
        boneyard=("0-0", "4-4", "1-1"),
        held={
            "s1": game.held["s1"],
            "s2": tuple(
                type(held)(1, lacks, dealt)
                for held, lacks, dealt in zip(
                    game.held["s2"] * 2, ((0,), ()), (True, False), strict=True
                )
            ),
        },
        absent=(),
    )
    game = changed(game, hands={**game.hands, "s1": ("5-6",)})
    world = MODEL.worlds(game, "s1", draw)
    counts = {}
    for _ in range(4000):
        hand = world().hands[1]
        counts[hand] = counts.get(hand, 0) + 1
    # a first bone without a blank (2-3, 1-1, 4-4), then any other of the five: pairs without a
    # blank come in both orders
    both = {mask(pair) for pair in (("2-3", "1-1"), ("2-3", "4-4"), ("1-1", "4-4"))}
    expected = {hand: 4000 / 12 * (2 if hand in both else 1) for hand in counts}
    assert sum(expected.values()) == pytest.approx(4000)
    chi2 = sum((counts[hand] - n) ** 2 / n for hand, n in expected.items())
    assert chi2 < 40  # 8 degrees of freedom, draws that hang together a little


def test_a_bone_that_fitted_when_a_lighter_one_was_laid_is_not_likely_in_that_hand():
    game = dealt({"preset": "ru-classic"}, 2, Random(8))
    game = changed(
        game,
        phase=Phase.TURN,
        active="s2",
        forced=None,
        placer="s1",
        line=("6-6",),
        hands={"s1": ("0-1", "2-6"), "s2": ("1-6", "0-2")},
        boneyard=("5-6", "0-3"),
        held={seat: (Known(2),) for seat in ("s1", "s2")},
        absent=(),
    )
    game = after(game, "s2", cmd.Place("1-6", "left"))
    (left,) = game.held["s2"]
    assert (left.count, left.spared) == (1, {"2-6", "3-6", "4-6", "5-6", "6-6"})
    draw = drawn(Random(3))
    world = MODEL.worlds(RULES.imagine(game, "s1", draw), "s1", draw)
    hands = [world().hands[1] for _ in range(3000)]
    share = {one: hands.count(mask((one,))) / 3000 for one in ("5-6", "0-3", "0-2")}
    assert share["0-3"] == pytest.approx(8 / 17, abs=0.05)
    assert share["0-2"] == pytest.approx(8 / 17, abs=0.05)
    assert share["5-6"] == pytest.approx(1 / 17, abs=0.03)


def test_a_bone_that_must_be_led_says_nothing_of_the_others():
    game = dealt({"preset": "ru-classic"}, 2, Random(8))
    seat = game.active
    assert game.forced
    game = after(game, seat, cmd.Place(game.forced))
    assert not game.held[seat][0].spared


@pytest.mark.parametrize("preset", ["ru-classic", "goat-online", "sea-goat"])
def test_what_a_seat_imagines_does_not_depend_on_what_it_cannot_see(preset):
    chance = Random(preset)
    game = dealt({"preset": preset}, 2, chance)
    for n in range(12):
        if game.active is None:
            break
        seat = game.active
        again = RULES.imagine(RULES.imagine(game, seat, drawn(Random(n))), seat, drawn(Random(7)))
        assert again == RULES.imagine(game, seat, drawn(Random(7)))
        assert RULES.view(again, seat) == RULES.view(game, seat)
        game = after(game, seat, chance.choice(list(RULES.legal(game, seat))))
