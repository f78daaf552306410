"""The deal and the first bone: whether to deal anew, who leads and with which bone."""

from collections.abc import Mapping, Sequence

from rig.games.dominoes.bones import BLANK, DOUBLES, HALVES, SET, Bone
from rig.games.dominoes.game import Game
from rig.games.dominoes.options import Options
from rig.games.interface import Seat

_MANY = {"doubles": 5, "same": 6}
"""So many doubles, or bones with one value, in a hand: it is dealt anew."""


def dealt(
    order: Sequence[int], seats: Sequence[Seat], each: int
) -> tuple[dict[Seat, tuple[Bone, ...]], tuple[Bone, ...]]:
    """The hands and the boneyard: the first `each` bones to the first seat, and so on."""
    bones = tuple(SET[number] for number in order)
    hands = {seat: bones[n * each : (n + 1) * each] for n, seat in enumerate(seats)}
    return hands, bones[len(seats) * each :]


def must_redeal(options: Options, hand: Sequence[Bone]) -> bool:
    """Whether a hand is one of those with which nobody has to play."""
    if options.redeal == "none":
        return False
    if sum(one in DOUBLES for one in hand) >= _MANY["doubles"]:
        return True
    return options.redeal == "doubles_or_six" and any(
        sum(value in HALVES[one] for one in hand) >= _MANY["same"] for value in range(7)
    )


def searches(game: Game) -> bool:
    """Whether the first bone of this round is looked for in all hands."""
    return game.round == 1 or game.options.lead_next == "search" or game.leader is None


def search_order(options: Options) -> tuple[Bone, ...]:
    """The bones in the order in which the first of them that somebody holds must be led."""
    doubles = sorted(DOUBLES, reverse=options.lead_first == "down")
    if options.lead_first == "up":
        doubles = [*doubles[1:], BLANK]
    others = [one for one in SET if one not in DOUBLES]
    if options.no_double == "redeal":
        others = []
    elif options.no_double == "highest":
        others.sort(key=lambda one: (sum(HALVES[one]), HALVES[one][1]), reverse=True)
    else:
        others.sort(key=lambda one: (sum(HALVES[one]), HALVES[one][1]))
    return (*doubles, *others)


def found_lead(options: Options, hands: Mapping[Seat, Sequence[Bone]]) -> tuple[Seat, Bone] | None:
    """Who must lead with what; None where no hand has a double and it is to be dealt anew."""
    owner = {one: seat for seat, hand in hands.items() for one in hand}
    first = next((one for one in search_order(options) if one in owner), None)
    return None if first is None else (owner[first], first)


def passed_over(options: Options, bone: Bone) -> tuple[Bone, ...]:
    """The bones that nobody had, since this one was found first."""
    order = search_order(options)
    return order[: order.index(bone)]
