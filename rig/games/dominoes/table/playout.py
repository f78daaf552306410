"""A round of dominoes in small numbers, for programs that think ahead: the same rules, many times.

A bone is a bit, a hand a number, and the heavier bone has the higher bit, doubles above all others:
so the bone that a simple player would lay is the highest bit that fits. `Worlds` draws hands that
agree with what a seat has seen; a `QuickRound` is played on from there to its end. That both do
what `decide`, `evolve` and `imagine` do is proved by their tests.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rig.games.dominoes import commands as cmd
from rig.games.dominoes.bones import BLANK, BY_WEIGHT, DOUBLES, HALVES, SET, SIXES, Bone, bone
from rig.games.dominoes.game import Game, How
from rig.games.dominoes.imagine import fill, rooms_of
from rig.games.dominoes.options import Options
from rig.games.dominoes.scoring import BALD_MORE, STAKE_LOST, pips
from rig.games.interface import Draw, Seat

Move = int
"""Twice the number of a bone, and one more at the right end; or two doubles, or the stake."""

NUMBER = {one: n for n, one in enumerate(BY_WEIGHT)}
_LOW = tuple(HALVES[one][0] for one in BY_WEIGHT)
_HIGH = tuple(HALVES[one][1] for one in BY_WEIGHT)
WITH = tuple(sum(1 << n for n, one in enumerate(BY_WEIGHT) if v in HALVES[one]) for v in range(7))
_SINGLE = tuple(mask & ~(1 << NUMBER[f"{v}-{v}"]) for v, mask in enumerate(WITH))
_DOUBLE = sum(1 << NUMBER[one] for one in DOUBLES)
_BLANK, _SIXES = 1 << NUMBER[BLANK], 1 << NUMBER[SIXES]
_HALF = len(BY_WEIGHT) // 2
_HALF_MASK = (1 << _HALF) - 1
_TWO, _STAKE = 64, 4096
"""A move above the first is two doubles: 64 * (number of the first + 1) + that of the second."""


_WILD = 8
"""In playing on, one bone of so many that could be chosen is not the simple player's."""
_SPARED = 8
"""A deal is so many times less likely for each bone in a hand that spared it."""
_MIXED = 4
"""Exchanges for each hidden bone before the first deal is taken."""
_LUCK = 1 << 20
"""Chance is drawn for several bones at a time."""
_WON, _MANY = 0.9, 60
"""How much of a round's worth is winning it; so many points more are worth the rest of it."""


def mask(bones: Sequence[Bone]) -> int:
    """Bones as one number.

    >>> mask(("0-0", "6-6")).bit_count()
    2
    """
    return sum(1 << NUMBER[one] for one in bones)


def move_of(command: cmd.Command) -> Move | None:
    """The move that a command makes; None where it leaves nothing to think about."""
    match command:
        case cmd.Place(tile, end):
            return 2 * NUMBER[tile] + (end == "right")
        case cmd.PlaceTwo(tiles=(first, second)):
            return _TWO * (NUMBER[first] + 1) + NUMBER[second]
        case cmd.Stake():
            return _STAKE
        case _:
            return None


class Worth:
    """What hands count and what a round brings, by one table's options."""

    def __init__(self, options: Options) -> None:
        counted = [pips(options, (one, one)) // 2 for one in BY_WEIGHT]  # two: never alone
        self._low = _sums(counted[:_HALF])
        self._high = _sums(counted[_HALF:])
        self._alone = {
            1 << n: value
            for n, one in enumerate(BY_WEIGHT)
            if (value := pips(options, (one,))) != counted[n]
        }
        if options.blank_six_pair:
            self._alone[_BLANK | _SIXES] = options.blank_six_pair
        self.options = options

    def pips(self, hand: int) -> int:
        """What a hand counts."""
        special = self._alone.get(hand)
        if special is not None:
            return special
        return self._low[hand & _HALF_MASK] + self._high[hand >> _HALF]


def _sums(values: Sequence[int]) -> tuple[int, ...]:
    sums = [0]
    for value in values:
        sums += [each + value for each in sums]
    return tuple(sums)


worth = lru_cache(maxsize=16)(Worth)


@dataclass(frozen=True, slots=True)
class QuickTable:
    """What stays the same while a round is played on.

    Attributes:
        worth: what hands count.
        side: the side of each seat.
        sides: how many there are.
        floor: bones that stay in the boneyard.
        carry: points that wait for this round.
        one_only: one bone a turn may be drawn.
        early: a fish may be one before anybody has knocked.
    """

    worth: Worth
    side: tuple[int, ...]
    sides: int
    floor: int
    carry: int
    one_only: bool
    early: bool

    @classmethod
    def of(cls, game: Game) -> "QuickTable":
        """The table of a match."""
        options = game.options
        floor = len(SET) if options.draw == "none" else options.boneyard_floor
        sides = tuple(map(game.side_of, game.seats))
        early = options.fish_test == "six_out" or options.dead_ends == "immediate"
        one_only = options.draw == "one"
        return cls(worth(options), sides, len(game.sides), floor, game.carry, one_only, early)


class QuickRound:
    """A round as it stands, with all hands; moves change it.

    Attributes:
        hands: of each seat.
        yard: the boneyard, the first to be drawn last.
        mover: whose turn it is.
        how: it ended, None while it goes on; a fish is seen by `moves`.
        ender: the seat that ended it.
    """

    __slots__ = (
        *("table", "hands", "yard", "left", "right", "played", "mover", "forced", "drew"),
        *("placer", "staker", "may_stake", "how", "ender", "last"),
    )

    def __init__(self, table: QuickTable, game: Game, hands: list[int], yard: list[int]) -> None:
        self.table, self.hands, self.yard = table, hands, yard
        self.left, self.right = game.ends or (-1, -1)
        self.played = mask([bone(one) for one in game.line])
        seats = game.seats
        self.mover = seats.index(game.active) if game.active in seats else 0
        self.forced = mask((game.forced,)) if game.forced else 0
        self.drew = game.drew
        self.placer = seats.index(game.placer) if game.placer in seats else 0
        self.staker = seats.index(game.staker) if game.staker in seats else None
        self.may_stake = (
            game.options.has_stake and self.staker is None and game.opener == table.side[self.mover]
        )
        self.how: How | None = None
        self.ender = self.last = 0

    def dealt(self, hands: list[int], yard: list[int]) -> "QuickRound":
        """The same round with other hidden bones."""
        new = QuickRound.__new__(QuickRound)
        new.table, new.hands, new.yard = self.table, hands, yard
        new.left, new.right, new.played = self.left, self.right, self.played
        new.mover, new.forced, new.drew = self.mover, self.forced, self.drew
        new.placer, new.staker, new.may_stake = self.placer, self.staker, self.may_stake
        new.how, new.ender, new.last = self.how, self.ender, self.last
        return new

    def copy(self) -> "QuickRound":
        """The same round, which other moves change."""
        return self.dealt(self.hands[:], self.yard[:])

    def moves(self) -> list[Move]:
        """What the mover can choose from, after all drawing and knocking; nothing at the end.

        Where both ends are alike only the left one is named, and of two doubles the left one first
        unless they are the last: then the order may decide.
        """
        if self.how is not None:
            return []
        if self.left < 0:
            hand = self.hands[self.mover]
            lead = [2 * n for n in _bits(self.forced or hand)]
            return [*lead, _STAKE] if self.may_stake and hand & _SIXES else lead
        if not self._go_on():
            return []
        hand, left, right = self.hands[self.mover], self.left, self.right
        lefts = able = hand & WITH[left]
        found = []
        while able:
            one = able.bit_length() - 1
            found.append(2 * one)
            able ^= 1 << one
        if left == right:
            return found
        rights = able = hand & WITH[right]
        while able:
            one = able.bit_length() - 1
            found.append(2 * one + 1)
            able ^= 1 << one
        one, other = lefts & _DOUBLE, rights & _DOUBLE
        if one and other and self.table.worth.options.multi_double:
            found.append(_TWO * one.bit_length() + other.bit_length() - 1)
            if hand == one | other:
                found.append(_TWO * other.bit_length() + one.bit_length() - 1)
        return found

    def play(self, move: Move) -> None:
        """Make a move of the mover."""
        if move == _STAKE:
            self.staker, self.may_stake, self.forced = self.mover, False, _SIXES
            return
        if move >= _TWO:
            first, move = divmod(move, _TWO)
            self.hands[self.mover] ^= 1 << (first - 1)
            self.played |= 1 << (first - 1)  # a double: the end stays as it is
            move = 2 * move + (_LOW[move] == self.right)
        one = move >> 1
        bit = 1 << one
        mover = self.mover
        self.hands[mover] ^= bit
        self.played |= bit
        if self.left < 0:
            self.left, self.right, self.forced = _LOW[one], _HIGH[one], 0
        elif move & 1:
            self.right = _LOW[one] + _HIGH[one] - self.right
        else:
            self.left = _LOW[one] + _HIGH[one] - self.left
        self.placer, self.last, self.drew = mover, one, 0
        if not self.hands[mover]:
            self.how, self.ender = How.OUT, mover
        elif self._dead():
            self.how, self.ender = How.FISH, mover
        else:
            self.mover = mover + 1 if mover + 1 < len(self.hands) else 0

    def _dead(self) -> bool:
        """Whether the ends are dead by a rule that does not wait for knocks."""
        options = self.table.worth.options
        used_up = self.left == self.right and not _SINGLE[self.left] & ~self.played
        if used_up and options.fish_test == "six_out":
            return True
        if options.dead_ends == "immediate":
            fits = WITH[self.left] | WITH[self.right]
            return not any(hand & fits for hand in self.hands) and not any(
                fits >> one & 1 for one in self.yard
            )
        return False

    def is_dead(self) -> bool:
        """Whether nothing fits any more, in whatever hand it is or will be drawn into."""
        fits, floor = WITH[self.left] | WITH[self.right], self.table.floor
        return len(self.yard) <= floor and not any(hand & fits for hand in self.hands)

    def _go_on(self) -> bool:
        """Draw and knock until the mover has a bone that fits; False if it is a fish."""
        hands, yard, floor = self.hands, self.yard, self.table.floor
        fits = WITH[self.left] | WITH[self.right]
        while not hands[self.mover] & fits:
            if len(yard) > floor and not (self.table.one_only and self.drew):
                hands[self.mover] |= 1 << yard.pop()
                self.drew += 1
            elif self.is_dead():
                self.how, self.ender = How.FISH, self.placer
                return False
            else:
                self.drew = 0
                self.mover = self.mover + 1 if self.mover + 1 < len(hands) else 0
        return True

    def simple(self, draw: Draw) -> None:
        """Let the mover, who has a choice, make the move of `finish`."""
        hand = self.hands[self.mover]
        if self.left < 0:
            self.play(2 * (self.forced or hand).bit_length() - 2)
            return
        able = hand & (WITH[self.left] | WITH[self.right])
        one = able.bit_length() - 1
        rest = able ^ 1 << one
        if rest and not draw(_WILD):
            one = rest.bit_length() - 1
        lefts, rights = WITH[self.left] >> one & 1, WITH[self.right] >> one & 1
        self.play(2 * one + (draw(2) if lefts and rights else rights))

    def finish(self, draw: Draw) -> list[float]:
        """Play on by the simple way to the end; give what that is worth to each seat.

        The heaviest bone that fits is laid, doubles first, but one time in `_WILD` the next one.
        """
        if self.how is None and self.left < 0:
            self.play(2 * (self.forced or self.hands[self.mover]).bit_length() - 2)
        if self.how is not None:
            return self.values()
        hands, yard, floor = self.hands, self.yard, self.table.floor
        left, right, mover, drew = self.left, self.right, self.mover, self.drew
        one_only, early = self.table.one_only, self.table.early
        seats, knocks, luck = len(hands), 0, 0
        while True:
            hand, fits = hands[mover], WITH[left] | WITH[right]
            able = hand & fits
            if not able:
                while len(yard) > floor and not (one_only and drew):
                    one = yard.pop()
                    hand |= 1 << one
                    drew += 1
                    if fits >> one & 1:
                        able = 1 << one
                        break
                drew = 0
                hands[mover] = hand
                if not able:
                    knocks += 1
                    if knocks >= seats and len(yard) <= floor:
                        self.how, self.ender = How.FISH, self.placer
                        break
                    mover = mover + 1 if mover + 1 < seats else 0
                    continue
            knocks = 0
            one = able.bit_length() - 1
            bit = 1 << one
            if luck < _LUCK:
                luck = draw(_LUCK * _LUCK)
            if able != bit:
                if not luck % _WILD:
                    one = (able ^ bit).bit_length() - 1
                    bit = 1 << one
                luck //= _WILD
            hand ^= bit
            hands[mover] = hand
            if not bit & WITH[right]:
                left = _LOW[one] + _HIGH[one] - left
            elif not bit & WITH[left]:
                right = _LOW[one] + _HIGH[one] - right
            else:
                if luck & 1:
                    right = _LOW[one] + _HIGH[one] - right
                else:
                    left = _LOW[one] + _HIGH[one] - left
                luck >>= 1
            self.placer = mover
            if not hand:
                self.how, self.ender, self.last = How.OUT, mover, one
                break
            if early:
                self.played |= bit
                self.left, self.right = left, right
                if self._dead():
                    self.how, self.ender = How.FISH, mover
                    break
            mover = mover + 1 if mover + 1 < seats else 0
        return self.values()

    def credited(self) -> list[int]:
        """What a round that is over credits to each side, as section 7 of the rules says."""
        table = self.table
        count = [table.worth.pips(hand) for hand in self.hands]
        held = [0] * table.sides
        for seat, pips_left in enumerate(count):
            held[table.side[seat]] += pips_left
        options, total = table.worth.options, sum(held)
        side = table.side[self.ender]
        paired = table.sides < len(count)
        given = [0] * table.sides
        if options.who_scores == "winner":
            if self.how is How.OUT:
                given[side] = total - held[side] + table.carry
                return given
            lows = held
            if paired and options.pair_fish == "lowest":
                lows = [total] * table.sides
                for seat, pips_left in enumerate(count):
                    lows[table.side[seat]] = min(lows[table.side[seat]], pips_left)
            low = min(lows)
            if lows.count(low) == 1:
                side = lows.index(low)
                times = table.sides - 1 if options.fish_score == "sum_of_differences" else 1
                given[side] = total - held[side] - low * times + table.carry
            return given
        if self.how is How.OUT:
            held[side] = 0
            most = max(x for n, x in enumerate(held) if n != side)
            greatest = [n for n, x in enumerate(held) if x == most and n != side]
            if len(greatest) == 1:
                held[greatest[0]] += table.carry
            return held
        most = max(held)
        greatest = [n for n, x in enumerate(held) if x == most]
        tied = len(greatest) > 1
        if options.fish_score == "one":
            given[greatest[0]] = 0 if tied else total + table.carry
        elif options.fish_score == "difference":
            given[greatest[0]] = most - min(held)
        elif tied and (paired or options.fish_score == "eggs"):
            given = [0 if paired or x == most else x for x in held]
        else:
            given = [x if n == greatest[0] or not paired else 0 for n, x in enumerate(held)]
            given[greatest[0]] += 0 if tied else table.carry
        return given

    def values(self) -> list[float]:
        """What a round that is over is worth to each seat, 0 to 1.

        Winning it counts, and by how many points: the own side's less the mean of the others'.
        """
        table = self.table
        given = self.credited()
        sign = 1 if table.worth.options.who_scores == "winner" else -1
        total, others = sum(given), table.sides - 1
        by_side = []
        for own in given:
            lead = sign * (own - (total - own) / others)
            won = (lead > 0) - (lead < 0)
            more = max(-1.0, min(1.0, lead / _MANY))
            by_side.append(0.5 + 0.5 * (_WON * won + (1 - _WON) * more))
        if table.worth.options.has_stake:
            self._specials(by_side, given)
        return [by_side[side] for side in table.side]

    def _specials(self, by_side: list[float], given: Sequence[int]) -> None:
        """A bald goat and a stake decide more than this round."""
        table, options = self.table, self.table.worth.options
        winner = next((side for side, points in enumerate(given) if points), None)
        if self.how is How.OUT and options.bald == "game":
            side = table.side[self.ender]
            rich = any(
                table.worth.pips(hand) > BALD_MORE
                for seat, hand in enumerate(self.hands)
                if table.side[seat] != side
            )
            if 1 << self.last == _BLANK or (1 << self.last == _SIXES and rich):
                by_side[:] = [float(each == side) for each in range(table.sides)]
                return
        if self.staker is None or winner is None:
            return
        staking = table.side[self.staker]
        if winner == staking or table.worth.pips(self.hands[self.staker]) >= STAKE_LOST:
            won = winner == staking
            by_side[:] = [float((each == staking) == won) for each in range(table.sides)]


def _bits(hand: int) -> Iterator[int]:
    """The numbers of the bones of a hand, the one that is laid first first."""
    while hand:
        one = hand.bit_length() - 1
        yield one
        hand ^= 1 << one


class Worlds:
    """Draws rounds that agree with all that a seat has seen.

    Each comes from the one before by exchanging hidden bones at random, wherever both places may
    have the other's. So every agreeing deal is as likely as any other, but for bones that a hand
    has spared: most players lay a heavy bone while it fits.

    Args:
        game: as the seat imagines it: what is hidden in it is not looked at.
        seat: who thinks.
        draw: chance.
    """

    def __init__(self, game: Game, seat: Seat, draw: Draw) -> None:
        self._draw, self._round = draw, exact(game)
        others = [each for each in game.seats if each != seat]
        pool = sorted((*game.boneyard, *(one for each in others for one in game.hands[each])))
        rooms = rooms_of(game, seat, others, pool)
        yard = len(game.seats)
        own = game.seats.index(seat)
        self._hands = [hand if n == own else 0 for n, hand in enumerate(self._round.hands)] + [0]
        self._bones: list[int] = []
        self._places: list[tuple[int, int, int]] = []
        for room, bones in zip(rooms, fill(rooms, pool, draw) if pool else (), strict=True):
            at = yard if room.seat is None else game.seats.index(room.seat)
            may = mask(tuple(room.allowed))
            self._bones += [NUMBER[one] for one in bones]
            self._places += [(at, may, mask(tuple(room.spared)))] * len(bones)
            self._hands[at] |= mask(bones)
        self._exchange(_MIXED * len(pool))

    def __call__(self) -> QuickRound:
        """One more."""
        bones, hands = self._bones, self._hands
        self._exchange(len(bones) // 2)
        return self._round.dealt(hands[:-1], bones[-hands[-1].bit_count() :] if hands[-1] else [])

    def _exchange(self, times: int) -> None:
        draw, bones, places, hands = self._draw, self._bones, self._places, self._hands
        size = len(bones)
        for _ in range(times):
            n, m = divmod(draw(size * size), size)
            one, other = bones[n], bones[m]
            at, may, spared = places[n]
            to, might, left = places[m]
            if may >> other & 1 and might >> one & 1:
                if spared or left:
                    more = (spared >> other & 1) + (left >> one & 1)
                    more -= (spared >> one & 1) + (left >> other & 1)
                    if more > 0 and draw(_SPARED**more):
                        continue
                bones[n], bones[m] = other, one
                both = 1 << one ^ 1 << other
                hands[at] ^= both
                hands[to] ^= both


def exact(game: Game) -> QuickRound:
    """The round of a match with the hands that it has."""
    hands = [mask(game.hands[seat]) for seat in game.seats]
    yard = [NUMBER[one] for one in reversed(game.boneyard)]
    return QuickRound(QuickTable.of(game), game, hands, yard)
