"""What a round is worth, and when a match is over: section 7 and 8 of the rules.

Amounts are by side, the single seats or the pairs of a table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rig.games.dominoes.bones import BLANK, DOUBLES, HALVES, SIXES, Bone
from rig.games.dominoes.game import Game, How
from rig.games.dominoes.options import Options
from rig.games.interface import Seat

_FACE = 12
"""The pips of 6-6: as its special value it says that there is none."""
STAKE_LOST = 25
"""A stake lost with so many pips in hand loses the match."""
BALD_MORE = 25
"""Going out with 6-6 wins the match if a loser holds more than this."""
_BEST_RATING = 100
_RATING_STEP = 10


def pips(options: Options, hand: Sequence[Bone]) -> int:
    """What a hand counts, with the weight of doubles and the special values.

    >>> pips(Options.parse({"preset": "bg-standard"}), ("1-1", "3-3"))
    16
    """
    alone = len(hand) == 1
    if options.blank_six_pair and sorted(hand) == [BLANK, SIXES]:
        return options.blank_six_pair
    total = 0
    for one in hand:
        if one == BLANK and options.blank_value and (alone or options.blank_when == "any"):
            total += options.blank_value
        elif one == SIXES and options.six_value != _FACE and (alone or options.six_when == "any"):
            total += options.six_value
        else:
            total += sum(HALVES[one]) * (options.double_weight if one in DOUBLES else 1)
    return total


@dataclass(frozen=True, slots=True)
class Books:
    """What is written after a round.

    Attributes:
        credited: to each side, before opening and limit.
        account: of each side, None where it is not open.
        memory: points kept aside until an account opens.
        carry: points that wait for a later round.
        opener: the side that opened first.
    """

    credited: tuple[int, ...]
    account: tuple[int | None, ...]
    memory: tuple[int, ...]
    carry: int
    opener: int | None


def scored(game: Game, how: How, seat: Seat, by_seat: Mapping[Seat, int]) -> Books:
    """Write down a round that a seat ended, by going out or by a fish."""
    if game.options.who_scores == "winner":
        credited, carry = _winner_collects(game, how, seat, by_seat)
        return _booked(game, credited, carry, wiped=(), written=_positive(credited))
    return _losers_keep(game, how, seat, by_seat)


def _positive(amounts: Sequence[int]) -> tuple[int, ...]:
    return tuple(side for side, amount in enumerate(amounts) if amount)


def _sums(game: Game, by_seat: Mapping[Seat, int]) -> tuple[int, ...]:
    """What each side holds."""
    return tuple(sum(by_seat[seat] for seat in side) for side in game.sides)


def _winner_collects(
    game: Game, how: How, seat: Seat, by_seat: Mapping[Seat, int]
) -> tuple[tuple[int, ...], int]:
    held = _sums(game, by_seat)
    if how is How.OUT:
        side = game.side_of(seat)
        amount = sum(held) - held[side]
    else:
        won = _won_fish(game, held, by_seat)
        if won is None:
            carry = sum(held) if game.options.fish_tie == "carry" else 0
            return (0,) * len(held), game.carry + carry
        side, amount = won
    return tuple(amount + game.carry if n == side else 0 for n in range(len(held))), 0


def _won_fish(
    game: Game, held: Sequence[int], by_seat: Mapping[Seat, int]
) -> tuple[int, int] | None:
    """The side with the lowest hand in a fish and what it collects; None for a tie."""
    options, paired = game.options, len(game.sides) < len(game.seats)
    if paired and options.pair_fish == "lowest":
        lows = [min(by_seat[seat] for seat in side) for side in game.sides]
    else:
        lows = list(held)
    low = min(lows)
    if lows.count(low) > 1:
        return None
    side = lows.index(low)
    others = sum(held) - held[side]
    if options.fish_score == "sum_of_differences":
        return side, others - low * (len(lows) - 1)
    return side, others - low


def _losers_keep(game: Game, how: How, seat: Seat, by_seat: Mapping[Seat, int]) -> Books:
    options, carry = game.options, game.carry
    held = _sums(game, by_seat)
    paired = len(game.sides) < len(game.seats)
    most = [side for side, amount in enumerate(held) if amount == max(held)]
    out = game.side_of(seat) if how is How.OUT else None
    if out is not None:
        losers = [side for side in range(len(held)) if side != out]
        most = [s for s in losers if held[s] == max(held[each] for each in losers)]
        credited = [0 if side == out else held[side] for side in range(len(held))]
        wiped, written = (out,), tuple(losers)
        if len(most) == 1:
            credited[most[0]] += carry
            carry = 0
        return _booked(game, credited, carry, wiped, written)
    everybody = tuple(range(len(held)))
    credited = list(held)
    tied = len(most) > 1
    if options.fish_score == "one":
        if tied:
            return _booked(game, [0] * len(held), carry + sum(held), (), ())
        credited = [sum(held) + carry if side == most[0] else 0 for side in everybody]
        return _booked(game, credited, 0, tuple(s for s in everybody if s != most[0]), (most[0],))
    if options.fish_score == "difference":
        credited = [max(held) - min(held) if side in most and not tied else 0 for side in everybody]
        return _booked(game, credited, carry, (), () if tied else (most[0],))
    if tied and options.fish_score == "eggs":
        credited = [0 if side in most else held[side] for side in everybody]
        kept = tuple(side for side in everybody if side not in most)
        return _booked(game, credited, carry + sum(held[side] for side in most), (), kept)
    if paired:
        credited = [0 if tied or side not in most else held[side] for side in everybody]
        everybody = () if tied else (most[0],)
    if not tied:
        credited[most[0]] += carry
        carry = 0
    return _booked(game, credited, carry, (), everybody)


def _booked(
    game: Game,
    credited: Sequence[int],
    carry: int,
    wiped: Sequence[int],
    written: Sequence[int],
) -> Books:
    """Write amounts into accounts that are open, or open with them; `wiped` lose their memory."""
    options = game.options
    account, memory, opener = list(game.account), list(game.memory), game.opener
    for side in wiped:
        memory[side] = 0
    for side in written:
        amount, before = credited[side], account[side]
        if before is not None:
            account[side] = before + amount
        elif amount >= options.open_at:
            account[side], memory[side] = memory[side] + amount, 0
            opener = side if opener is None else opener
        elif options.below_open == "remembered":
            memory[side] += amount
    return Books(tuple(credited), tuple(account), tuple(memory), carry, opener)


def decided(
    game: Game, books: Books, how: How, seat: Seat, last: Bone, by_seat: Mapping[Seat, int]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The winning and the losing sides of a match that this round ends; None if it goes on.

    Args:
        game: before the round is written, all hands as they are left.
        books: what is written for it.
        how: the round ended.
        seat: who went out, or placed the last bone.
        last: the bone laid last.
        by_seat: what each hand counts.
    """
    sides = tuple(range(len(game.sides)))
    if game.options.has_stake and (special := _special(game, how, seat, last, by_seat)) is not None:
        return special, tuple(side for side in sides if side not in special)
    at_limit = tuple(
        side
        for side in sides
        if (score := books.account[side]) is not None and score >= game.options.limit
    )
    if not at_limit:
        return None
    rest = tuple(side for side in sides if side not in at_limit)
    return (at_limit, rest) if game.options.limit_means == "win" else (rest, at_limit)


def _special(
    game: Game, how: How, seat: Seat, last: Bone, by_seat: Mapping[Seat, int]
) -> tuple[int, ...] | None:
    """The sides that win by the stake or as a bald goat."""
    options, sides = game.options, range(len(game.sides))
    side = game.side_of(seat)
    if how is How.OUT and options.bald == "game":
        others = [s for s in game.seats if game.side_of(s) != side]
        rich = any(by_seat[s] > BALD_MORE for s in others)
        if last == BLANK or (last == SIXES and rich):
            return (side,)
    if game.staker is None:
        return None
    staking = game.side_of(game.staker)
    won = side if how is How.OUT else _fish_winner(game, by_seat)
    if won is None:
        return None
    if won == staking:
        return (staking,)
    if by_seat[game.staker] >= STAKE_LOST:
        return tuple(each for each in sides if each != staking)
    return None


def _fish_winner(game: Game, by_seat: Mapping[Seat, int]) -> int | None:
    won = _won_fish(game, _sums(game, by_seat), by_seat)
    return None if won is None else won[0]


def rating(
    game: Game, account: Sequence[int | None], losers: Sequence[int], late: Seat | None = None
) -> tuple[int | None, ...]:
    """The rating points of each seat after a match, None where there are none.

    Args:
        game: the match.
        account: of each side, at its end.
        losers: the sides that lost it.
        late: who ran out of time, if that ended it: nothing for that seat, the others, a
            partner too, are measured by its score.
    """
    if not game.options.rating:
        return (None,) * len(game.seats)
    top = _BEST_RATING if late is None else account[game.side_of(late)] or 0

    def points(seat: Seat) -> int | None:
        side = game.side_of(seat)
        if seat == late:
            return 0
        if late is None and side in losers:
            return None
        return max(1, (2 * (top - (account[side] or 0)) + _RATING_STEP) // (2 * _RATING_STEP))

    return tuple(points(seat) for seat in game.seats)
