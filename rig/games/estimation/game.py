"""Game: its options, everything that is known of it, and the plain questions one can ask of it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from math import isfinite
from typing import Any

from rig.games.estimation.terms import (
    BANK_CHIPS,
    FIRST_TILE,
    TILE_COUNT,
    BadOption,
    End,
    Mishap,
    Phase,
    Rest,
    Result,
    Side,
    Step,
)


def _choice(*values: str) -> Any:
    """Declare an option with these values, the default first."""
    return field(default=values[0], metadata={"choices": values})


@dataclass(frozen=True, slots=True)
class Options:
    """The named options of the rules; the defaults are the rules as written.

    `call_window` and `ballot_timeout` are seconds, and 0 turns them off.

    Raises:
        BadOption: an option has a value it cannot have.

    >>> Options.parse({"toppler": "caller"}).toppler
    'caller'
    """

    tile_values: tuple[int, ...] = tuple(range(1, TILE_COUNT + 1))
    first_player: str = _choice("pick", "random")
    chips: str = _choice("counter", "strict20")
    recall: str = _choice("once", "allowed")
    max_gap: str = _choice("free", "tile_height")
    call_window: float = 0.0
    caller: str = _choice("free", "failure_only")
    toppler: str = _choice("placer", "caller", "next")
    judge: str = _choice("camera", "people", "host")
    next_first: str = _choice("toppler", "left_of_toppler")
    extra_round: str = _choice("everyone", "tied_only")
    accident: str = _choice("any_standing", "whole_row")
    wrong_end: str = _choice("accident", "stood")
    ballot_timeout: float = 0.0
    illegal: str = _choice("take_back", "stands")

    def __post_init__(self) -> None:
        for option in fields(self):
            choices = option.metadata.get("choices")
            value = getattr(self, option.name)
            if choices is not None and value not in choices:
                raise BadOption(
                    f"option {option.name}: expected one of {', '.join(choices)}, not {value!r}"
                )
        _check_tile_values(self.tile_values)
        _check_seconds("call_window", self.call_window)
        _check_seconds("ballot_timeout", self.ballot_timeout)

    @classmethod
    def parse(cls, given: Mapping[str, object]) -> "Options":
        """Read options by name, as they stand in a settings file; the rest keep their defaults.

        Raises:
            BadOption: a name is unknown, or a value cannot be.
        """
        known = [option.name for option in fields(cls)]
        for name in given:
            if name not in known:
                raise BadOption(f"option {name!r} is not known, expected one of {', '.join(known)}")
        values: dict[str, Any] = dict(given)
        if isinstance(values.get("tile_values"), list):
            values["tile_values"] = tuple(values["tile_values"])
        return cls(**values)


def _check_tile_values(values: object) -> None:
    """Refuse tile values that are not eleven whole numbers with a 6 among them."""
    if (
        not isinstance(values, tuple)
        or len(values) != TILE_COUNT
        or not all(type(value) is int for value in values)
        or FIRST_TILE not in values
    ):
        shown = list(values) if isinstance(values, tuple) else values
        raise BadOption(
            f"option tile_values: expected {TILE_COUNT} whole numbers with a {FIRST_TILE} "
            f"among them, not {shown!r}"
        )


def _check_seconds(name: str, value: object) -> None:
    """Refuse a time that is not a number of seconds."""
    if type(value) not in (int, float) or not isfinite(value) or value < 0:  # type: ignore[operator, arg-type]
        raise BadOption(f"option {name}: expected a number of seconds, 0 for none, not {value!r}")


@dataclass(frozen=True, slots=True)
class Placement:
    """The last placement, with what has to come back if it is taken back.

    `came_from` is the index in the row of a moved tile, None for one from the supply; `placer` and
    `estimated` are those of the placement before.
    """

    value: int
    position: int
    came_from: int | None
    placer: str | None
    estimated: bool


@dataclass(frozen=True, slots=True)
class RowFix:
    """A correction of the recorded order that waits for another player's consent."""

    seat: str
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """What somebody says the push did."""

    outcome: Result
    by: str


@dataclass(frozen=True, slots=True)
class Accident:
    """An accident claimed, and the phase that waits for it to be settled."""

    by: str
    culprit: str | None
    kind: Mishap
    before: Phase
    denied: bool = False


@dataclass(frozen=True, slots=True)
class AccidentPaid:
    """An accident of this round that chips were paid for; `first` is who had begun it before."""

    culprit: str
    won: Mapping[str, int]
    first: str


@dataclass(frozen=True, slots=True)
class Scored:
    """A round that ended with a push; `otherwise` is what the other outcome would have paid."""

    round: int
    outcome: Result
    won: Mapping[str, int]
    otherwise: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Game:
    """One game at one moment.

    `salts` are as secret as the ballots until these are revealed; `seals` are for everybody.
    `seats` are all that ever sat down, clockwise; `chips` has those who are still in the game and
    `playing` those who take part in this round. `turn` counts turns and never goes back.
    """

    options: Options = field(default_factory=Options)
    id: str = ""
    phase: Phase = Phase.LOBBY
    seats: tuple[str, ...] = ()
    playing: tuple[str, ...] = ()
    chips: Mapping[str, int] = field(default_factory=dict)
    accident_chips: Mapping[str, int] = field(default_factory=dict)
    round: int = 0
    turn: int = 0
    first: str | None = None
    active: str | None = None
    row: tuple[int, ...] = ()
    supply: tuple[int, ...] = ()
    placer: str | None = None
    placed_at_s: float | None = None
    placement: Placement | None = None
    row_fix: RowFix | None = None
    estimated: bool = False
    caller: str | None = None
    called_at_s: float | None = None
    ballots: Mapping[str, Side] = field(default_factory=dict)
    forced: frozenset[str] = frozenset()
    locked: frozenset[str] = frozenset()
    salts: Mapping[str, str] = field(default_factory=dict)
    seals: Mapping[str, str] = field(default_factory=dict)
    revealed: bool = False
    toppler: str | None = None
    end: End | None = None
    claim: Claim | None = None
    step: Step | None = None
    agreed: tuple[str, ...] = ()
    votes: Mapping[str, Result] = field(default_factory=dict)
    accident: Accident | None = None
    accident_paid: AccidentPaid | None = None
    history: tuple[Scored, ...] = ()
    ranking: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()

    @property
    def phase_id(self) -> str:
        """The moment a command is meant for: round, turn and phase."""
        return f"{self.round}.{self.turn}.{self.phase}"

    @property
    def stage(self) -> Phase:
        """The phase, or the one that waits behind an accident."""
        return self.phase if self.accident is None else self.accident.before

    @property
    def present(self) -> tuple[str, ...]:
        """The seats still in the game, clockwise."""
        return tuple(seat for seat in self.seats if seat in self.chips)

    @property
    def choosable(self) -> tuple[int, ...]:
        """The tiles a turn may be played with: the supply, or without one all but the ends."""
        return self.supply or self.row[1:-1]


def after(game: Game, seat: str) -> str:
    """The next seat clockwise that takes part in this round."""
    at = game.seats.index(seat) + 1
    return next(s for s in game.seats[at:] + game.seats[:at] if s in game.playing)


def playing_or_after(game: Game, seat: str) -> str:
    """This seat if it takes part in this round, else the next one clockwise that does."""
    return seat if seat in game.playing else after(game, seat)


def lower_end(row: tuple[int, ...]) -> End | None:
    """The end of the row with the lower value; None where both are the same.

    >>> lower_end((9, 6, 3))
    <End.RIGHT: 'right'>
    """
    if row[0] == row[-1]:
        return None
    return End.LEFT if row[0] < row[-1] else End.RIGHT


def fresh_supply(options: Options) -> tuple[int, ...]:
    """All tiles but the 6 that starts the row, in the order they are listed."""
    at = options.tile_values.index(FIRST_TILE)
    return options.tile_values[:at] + options.tile_values[at + 1 :]


def count(game: Game, side: Side) -> int:
    """How many ballots are on this side."""
    return sum(ballot is side for ballot in game.ballots.values())


def judges(game: Game, claimant: str) -> tuple[str, ...]:
    """Who may confirm or dispute a claim: those who voted the other way than the claimant.

    Where all of them have left, everybody but the claimant.
    """
    side = game.ballots[claimant]
    across = tuple(seat for seat in game.playing if game.ballots[seat] is side.other)
    return across or tuple(seat for seat in game.playing if seat != claimant)


def judged(tiles: Iterable[Rest]) -> Result:
    """What the push did, tile by tile: a leaning tile counts as down.

    >>> judged([Rest.DOWN, Rest.LEANING])
    <Result.FELL: 'fell'>
    """
    return Result.STOOD if Rest.UPRIGHT in tiles else Result.FELL


def round_pay(game: Game, outcome: Result) -> dict[str, int]:
    """The chips each seat gets for this outcome: one for every ballot on the other side.

    A seat that has left gets nothing; its revealed ballot still counts for the others.
    """
    winning = outcome.winning_side
    winners = [seat for seat in game.playing if game.ballots[seat] is winning]
    return _from_bank(game, winners, count(game, winning.other))


def who_pushes(game: Game) -> str:
    """The toppler (ruling A8); if that seat has left, the caller, else the next to place."""
    asked = {"placer": game.placer, "caller": game.caller, "next": game.active}
    in_order = (asked[game.options.toppler], game.caller, game.active)
    return next(seat for seat in in_order if seat is not None and seat in game.playing)


def goes_on(game: Game, seat: str) -> bool:
    """Whether this seat says that all have seen the open ballots: whoever then has to push."""
    doubted = game.phase is Phase.REVEAL and count(game, Side.FAILURE) > 0
    return doubted and seat == who_pushes(game)


def accident_pay(game: Game, culprit: str | None) -> dict[str, int]:
    """One chip to everybody but the culprit; none where it was nobody's fault."""
    if culprit is None:
        return {}
    return _from_bank(game, [seat for seat in game.playing if seat != culprit], 1)


def stakes(game: Game) -> dict[Side, int]:
    """What one seat on each side would win."""
    return {side: count(game, side.other) for side in Side}


def leaders(game: Game) -> tuple[str, ...]:
    """All seats that share the most chips, clockwise."""
    most = max(game.chips.values())
    return tuple(seat for seat in game.present if game.chips[seat] == most)


def ranking(game: Game) -> tuple[str, ...]:
    """The seats still in the game, most chips first, equals clockwise."""
    return tuple(sorted(game.present, key=lambda seat: -game.chips[seat]))


def added(chips: Mapping[str, int], won: Mapping[str, int], sign: int = 1) -> dict[str, int]:
    """The chips of each seat after these were paid, or given back with sign -1."""
    return {seat: n + sign * won.get(seat, 0) for seat, n in chips.items()}


def _from_bank(game: Game, seats: list[str], each: int) -> dict[str, int]:
    """Pay every seat this many chips, or under strict20 as far as the bank goes.

    Then they are paid clockwise from the round's first player, one chip at a time.
    """
    if game.options.chips == "counter" or game.first is None:
        return dict.fromkeys(seats, each)
    bank = BANK_CHIPS - sum(game.chips.values())
    at = game.seats.index(game.first)
    clockwise = [s for s in game.seats[at:] + game.seats[:at] if s in seats]
    return dict(Counter((clockwise * each)[:bank]))
