"""Hidden hands drawn anew, in agreement with all that a seat has seen.

What follows depends on the seat's view and on chance alone, never on the bones that are hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rig.games.dominoes.bones import SIXES, Bone
from rig.games.dominoes.game import Game, Known, Phase, changed
from rig.games.dominoes.lead import found_lead, must_redeal, passed_over
from rig.games.interface import Draw, Seat
from rig.games.shuffle import shuffled

_TRIES = 40
"""Random fillings that may fail before one is searched for: nearly every first one succeeds."""
_SWAPS = 2
"""Exchanges for each hidden bone, which even out what the order of filling has favoured."""


@dataclass(frozen=True, slots=True)
class Room:
    """Room for some hidden bones: part of a hand, or the boneyard, where `seat` is None.

    Attributes:
        seat: whose hand.
        count: how many bones.
        allowed: those that can be there.
        spared: those of them that are not likely there.
    """

    seat: Seat | None
    count: int
    allowed: frozenset[Bone]
    spared: frozenset[Bone] = frozenset()


def imagined(game: Game, seat: Seat | None, draw: Draw) -> Game:
    """A game with the same view for this seat, all that it cannot know drawn anew.

    Args:
        game: the match; what the seat cannot see of it is not looked at.
        seat: who looks, None for a watcher.
        draw: chance.
    """
    if game.result is not None or not game.hands:
        return game
    others = [each for each in game.seats if each != seat]
    pool = sorted((*game.boneyard, *(one for each in others for one in game.hands[each])))
    if not pool:
        return game
    while True:
        places = rooms_of(game, seat, others, pool)
        filled = fill(places, pool, draw)
        _mixed(filled, places, draw)
        hands = {each: list[Bone]() for each in others}
        boneyard: tuple[Bone, ...] = ()
        for place, bones in zip(places, filled, strict=True):
            if place.seat is None:
                boneyard = tuple(shuffled(bones, draw))
            else:
                hands[place.seat] += bones
        after = changed(
            game,
            hands={
                each: tuple(sorted(hands[each])) if each in hands else game.hands[each]
                for each in game.seats
            },
            boneyard=boneyard,
        )
        if game.line:
            return after
        if any(must_redeal(game.options, hand) for hand in after.hands.values()):
            continue
        if (led := _led(after, seat)) is not None:
            return led


def _led(game: Game, seat: Seat | None) -> Game | None:
    """The game with the lead that these hands give; None where another seat would lead."""
    if game.phase is not Phase.LEAD:  # the match was left or ran out of time: nobody will lead
        return changed(game, forced=game.forced if game.staker else None)
    if not game.searched or game.active == seat:
        return game
    found = found_lead(game.options, game.hands)
    return changed(game, forced=found[1]) if found and found[0] == game.active else None


def rooms_of(
    game: Game, seat: Seat | None, others: Sequence[Seat], pool: Sequence[Bone]
) -> list[Room]:
    """Where hidden bones can be, those with the fewest possible ones first."""
    absent = set(game.absent)
    leads = not game.line
    found = seat is not None and game.searched and game.active == seat
    if leads and found and game.forced is not None:
        absent = set(passed_over(game.options, game.forced))
    places = []
    for each in others:
        groups = game.held[each]
        if leads and game.staker == each:
            groups = (Known(1), replace(groups[0], count=groups[0].count - 1), *groups[1:])
            pinned = (frozenset({SIXES}), *(_allowed(held, absent, pool) for held in groups[1:]))
        else:
            pinned = tuple(_allowed(held, absent, pool) for held in groups)
        places += [
            Room(each, held.count, allowed, held.spared)
            for held, allowed in zip(groups, pinned, strict=True)
            if held.count
        ]
    places.sort(key=lambda place: len(place.allowed) - place.count)
    if game.boneyard:
        places.append(Room(None, len(game.boneyard), frozenset(pool)))
    return places


def _allowed(held: Known, absent: set[Bone], pool: Sequence[Bone]) -> frozenset[Bone]:
    lacks = [str(value) for value in held.lacks]
    return frozenset(
        one
        for one in pool
        if not (held.dealt and one in absent) and not any(value in one for value in lacks)
    )


def fill(places: Sequence[Room], pool: Sequence[Bone], draw: Draw) -> list[list[Bone]]:
    """Bones for every place, each of those that are allowed there."""
    for _ in range(_TRIES):
        left, filled = list(pool), []
        for place in places:
            able = [one for one in left if one in place.allowed]
            if len(able) < place.count:
                break
            taken = shuffled(able, draw)[: place.count]
            filled.append(taken)
            left = [one for one in left if one not in taken]
        else:
            return filled
    return _searched(places, shuffled(pool, draw))


def _searched(places: Sequence[Room], pool: Sequence[Bone]) -> list[list[Bone]]:
    """The same by augmenting paths, which finds a filling wherever there is one."""
    rooms = [place.allowed for place in places for _ in range(place.count)]
    owner: dict[int, Bone] = {}

    def settle(one: Bone, tried: set[int]) -> bool:
        for room, allowed in enumerate(rooms):
            if one in allowed and room not in tried:
                tried.add(room)
                if room not in owner or settle(owner[room], tried):
                    owner[room] = one
                    return True
        return False

    for one in pool:
        settle(one, set())
    filled, start = [], 0
    for place in places:
        filled.append([owner[room] for room in range(start, start + place.count)])
        start += place.count
    return filled


def _mixed(filled: list[list[Bone]], places: Sequence[Room], draw: Draw) -> None:
    """Exchange bones of two places wherever both may have the other's."""
    at = [(n, k) for n, bones in enumerate(filled) for k in range(len(bones))]
    for _ in range(_SWAPS * len(at)):
        (n, k), (m, j) = at[draw(len(at))], at[draw(len(at))]
        one, other = filled[n][k], filled[m][j]
        if n != m and one in places[m].allowed and other in places[n].allowed:
            filled[n][k], filled[m][j] = other, one
