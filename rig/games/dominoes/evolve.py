"""The match after each event."""

from rig.games.dominoes import events as ev
from rig.games.dominoes.bones import SIXES, Bone, heavier, laid
from rig.games.dominoes.game import Game, Known, Move, Phase, changed
from rig.games.dominoes.lead import passed_over
from rig.games.dominoes.options import Options
from rig.games.interface import Seat, alternating

WITHHELD: Bone = ""
"""A bone that is not told, in the file of a match that goes on."""


def evolve(game: Game, event: ev.Event) -> Game:
    """Give the game after an event."""
    match event:
        case ev.BonePlaced():
            return _placed(game, event)
        case ev.TurnBegan(seat):
            return changed(game, phase=Phase.TURN, active=seat, drew=0)
        case ev.BoneDrawn(seat, bone):
            return changed(
                game,
                hands={**game.hands, seat: (*game.hands[seat], bone)},
                boneyard=game.boneyard[1:],
                held={**game.held, seat: (*_missing(game, seat), Known(1))},
                recent=(*game.recent, Move(seat, "draw")),
                drew=game.drew + 1,
                moves=game.moves + 1,
            )
        case ev.Knocked(seat):
            return changed(
                game,
                held={**game.held, seat: _missing(game, seat)},
                recent=(*game.recent, Move(seat, "pass")),
                moves=game.moves + 1,
            )
        case ev.HandDealt(seat, bones):
            bones = bones or (WITHHELD,) * game.options.hand_of(len(game.seats))
            return changed(
                game,
                hands={**game.hands, seat: bones},
                held={**game.held, seat: (Known(len(bones), dealt=True),)},
            )
        case ev.BoneyardLaid(count, bones):
            return changed(game, boneyard=bones or (WITHHELD,) * count)
        case ev.RedealOrdered():
            return changed(game, hands={}, held={}, boneyard=(), moves=game.moves + 1)
        case ev.LeadGiven(seat, searched, forced):
            return changed(
                game, phase=Phase.LEAD, active=seat, forced=forced, searched=searched, drew=0
            )
        case ev.StakeClaimed(seat):
            return changed(
                game,
                active=seat,
                forced=SIXES,
                searched=False,
                staker=seat,
                recent=(Move(seat, "stake"),),
                moves=game.moves + 1,
            )
        case ev.RoundEnded():
            return changed(
                game,
                phase=Phase.ROUND_END,
                active=None,
                result=event.result,
                leader=event.result.seat,
                account=event.account,
                memory=event.memory,
                carry=event.carry,
                opener=event.opener,
            )
        case ev.RoundBegan(number):
            return changed(_cleared(game), phase=Phase.DEAL, round=number)
        case ev.GameStarted(seats, options, name):
            return _started(seats, options, name)
        case ev.GameEnded(winners, losers, points):
            return changed(
                game,
                phase=Phase.GAME_OVER,
                active=None,
                winners=winners,
                losers=losers,
                rating=points,
            )
        case ev.LobbyReopened():
            return Game(game.options)
        case _:
            return game


def _started(seats: tuple[Seat, ...], options: Options, name: str) -> Game:
    if options.in_pairs(len(seats)):
        sides = alternating(seats, 2)
    else:
        sides = tuple((seat,) for seat in seats)
    return Game(
        options,
        name,
        Phase.DEAL,
        seats,
        sides,
        round=1,
        account=(None if options.open_at else 0,) * len(sides),
        memory=(0,) * len(sides),
    )


def _cleared(game: Game) -> Game:
    """The cloth without bones; accounts stay."""
    return changed(
        game,
        hands={},
        held={},
        boneyard=(),
        line=(),
        first=0,
        forced=None,
        searched=False,
        absent=(),
        recent=(),
        placer=None,
        staker=None,
        result=None,
    )


def _placed(game: Game, event: ev.BonePlaced) -> Game:
    seat, bone = event.seat, event.bone
    absent = game.absent
    if not game.line and game.searched and game.forced is not None:
        absent = passed_over(game.options, game.forced)
    second = bool(game.recent) and (game.recent[-1].seat, game.recent[-1].what) == (seat, "place")
    return changed(
        game,
        hands={**game.hands, seat: _left(game.hands[seat], bone)},
        line=laid(bone, game.line, event.end),
        first=game.first + (event.end == "left"),
        placer=seat,
        forced=None,
        absent=absent,
        held={**game.held, seat: _without(game, seat, bone)},
        recent=(*(game.recent if second else ()), Move(seat, "place", bone, event.end)),
        moves=game.moves + 1,
    )


def _left(hand: tuple[Bone, ...], bone: Bone) -> tuple[Bone, ...]:
    """A hand from which a bone went, perhaps one that is not told."""
    at = hand.index(bone if bone in hand else WITHHELD)
    return hand[:at] + hand[at + 1 :]


def _missing(game: Game, seat: Seat) -> tuple[Known, ...]:
    """What is known of a hand that has nothing for either end."""
    ends = set(game.ends)
    return tuple(
        Known(held.count, tuple(sorted(ends.union(held.lacks))), held.dealt, held.spared)
        for held in game.held[seat]
    )


def _without(game: Game, seat: Seat, bone: Bone) -> tuple[Known, ...]:
    """What is known of a hand from which a bone went.

    A bone laid after drawing is the one drawn last. Otherwise it may have been any that can be it:
    it is taken from those of which most is known, so that what is still said of the rest is true.
    """
    held = list(game.held[seat])
    if game.drew:
        at = len(held) - 1
    else:
        able = [n for n, each in enumerate(held) if _can_be(each, bone, game)]
        at = max(able, key=lambda n: (len(held[n].lacks), held[n].dealt, -n))
    one = held[at]
    held[at] = Known(one.count - 1, one.lacks, one.dealt, one.spared)
    spared = frozenset[Bone]() if game.forced else heavier(bone, game.ends)
    return tuple(
        Known(each.count, each.lacks, each.dealt, each.spared | spared)
        for each in held
        if each.count
    )


def _can_be(held: Known, bone: Bone, game: Game) -> bool:
    return not any(str(value) in bone for value in held.lacks) and not (
        held.dealt and bone in game.absent
    )
