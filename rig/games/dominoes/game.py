"""Game: one match of dominoes at one moment, and the plain questions one can ask of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from rig.games.dominoes.bones import PIPS_MOST, SIXES, Bone, Laid, fits, line_ends
from rig.games.dominoes.options import Options
from rig.games.interface import Seat


class Phase(StrEnum):
    """Where a match stands."""

    LOBBY = "LOBBY"
    DEAL = "DEAL"
    LEAD = "LEAD"
    TURN = "TURN"
    ROUND_END = "ROUND_END"
    GAME_OVER = "GAME_OVER"


class How(StrEnum):
    """How a round ended: somebody went out, or the line is blocked."""

    OUT = "out"
    FISH = "fish"


@dataclass(frozen=True, slots=True)
class Known:
    """Bones of one hand of which the same is known to everybody.

    Attributes:
        count: how many.
        lacks: values that none of them has, since their player drew or knocked at such ends.
        dealt: whether they came with the deal, and not from the boneyard.
        spared: bones that fitted when their player laid a lighter one: not likely among them.
    """

    count: int
    lacks: tuple[int, ...] = ()
    dealt: bool = False
    spared: frozenset[Bone] = frozenset()


@dataclass(frozen=True, slots=True)
class Move:
    """What a seat did, as everybody saw it.

    Attributes:
        seat: who.
        what: place, draw, pass or stake.
        bone: which one was placed.
        end: where.
    """

    seat: Seat
    what: str
    bone: Bone = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """A round that is over.

    Attributes:
        how: it ended.
        seat: who went out, or placed the bone that blocked the line.
        hands: what everybody had left.
        pips: what each hand counts.
        credited: what each side is given for it, before opening and limit.
    """

    how: How
    seat: Seat
    hands: Mapping[Seat, tuple[Bone, ...]]
    pips: Mapping[Seat, int]
    credited: tuple[int, ...]


@dataclass(frozen=True)
class Game:
    """One match at one moment.

    A side is who has an account: a seat, or a pair. `forced` is the bone that must be led,
    `searched` whether it was looked for in all hands; `drew` counts the bones drawn in this turn;
    `opener` is the side that opened its account first. `held` and `absent` are what everybody can
    tell of the hidden hands: `absent` were in no hand at the deal. `first` is the place in the
    line of the bone that was led.
    """

    options: Options = field(default_factory=Options)
    id: str = ""
    phase: Phase = Phase.LOBBY
    seats: tuple[Seat, ...] = ()
    sides: tuple[tuple[Seat, ...], ...] = ()
    round: int = 0
    active: Seat | None = None
    hands: Mapping[Seat, tuple[Bone, ...]] = field(default_factory=dict)
    boneyard: tuple[Bone, ...] = ()
    line: tuple[Laid, ...] = ()
    first: int = 0
    forced: Bone | None = None
    searched: bool = False
    drew: int = 0
    placer: Seat | None = None
    leader: Seat | None = None
    account: tuple[int | None, ...] = ()
    memory: tuple[int, ...] = ()
    carry: int = 0
    opener: int | None = None
    staker: Seat | None = None
    held: Mapping[Seat, tuple[Known, ...]] = field(default_factory=dict)
    absent: tuple[Bone, ...] = ()
    recent: tuple[Move, ...] = ()
    moves: int = 0
    result: Result | None = None
    winners: tuple[int, ...] = ()
    losers: tuple[int, ...] = ()
    rating: tuple[int | None, ...] = ()

    @property
    def ends(self) -> tuple[int, ...]:
        """The values of the two open ends; none where no line lies."""
        return line_ends(self.line)

    def side_of(self, seat: Seat) -> int:
        """The number of the side that a seat plays for."""
        return next(n for n, side in enumerate(self.sides) if seat in side)

    def after(self, seat: Seat) -> Seat:
        """Who comes after a seat, clockwise."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def before(self, seat: Seat) -> Seat:
        """Who comes before a seat."""
        return self.seats[self.seats.index(seat) - 1]

    def can_place(self, seat: Seat) -> bool:
        """Whether a seat has a bone that fits."""
        ends = self.ends
        return any(fits(one, ends) for one in self.hands[seat])

    @property
    def drawable(self) -> int:
        """How many bones of the boneyard may be drawn at all."""
        if self.options.draw == "none":
            return 0
        return max(0, len(self.boneyard) - self.options.boneyard_floor)

    @property
    def may_draw(self) -> bool:
        """Whether the active seat may draw one more, if nothing fits."""
        return self.drawable > 0 and not (self.options.draw == "one" and self.drew)


def may_stake(game: Game, seat: Seat) -> bool:
    """Whether a seat can claim the lead with 6-6, for the whole match."""
    return (
        game.phase is Phase.LEAD
        and game.options.has_stake
        and game.staker is None
        and game.opener == game.side_of(seat)
        and SIXES in game.hands[seat]
    )


def changed(game: Game, **values: Any) -> Game:
    """The match with other values in some fields.

    It does what `dataclasses.replace` does without asking each field by name, which took half the
    time of a round played by chance.
    """
    after = object.__new__(Game)
    after.__dict__.update(game.__dict__, **values)
    return after


def blocked(game: Game) -> bool:
    """Whether the line is a fish: nobody can go on.

    With `six_out` also as soon as both ends have a value whose six other bones lie in the line.
    """
    ends, options = game.ends, game.options
    if not ends:
        return False
    if options.fish_test == "six_out" and ends[0] == ends[1] and _used_up(game.line, ends[0]):
        return True
    if any(game.can_place(seat) for seat in game.seats):
        return False
    if not game.drawable:
        return True
    return options.dead_ends == "immediate" and not any(fits(one, ends) for one in game.boneyard)


def _used_up(line: Sequence[Laid], value: int) -> bool:
    text = str(value)
    return sum(1 for one in line if text in one and one[0] != one[2]) == PIPS_MOST
