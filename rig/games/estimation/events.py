"""What has happened in the game; the journal keeps these, and the state follows from them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias, cast, get_args

from rig.games.estimation.game import Options
from rig.games.estimation.terms import End, Mishap, Result, Side
from rig.serialise import NotPlain, from_plain, to_plain


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The seats, clockwise, the options they play by, and a name that no other game has."""

    seats: tuple[str, ...]
    options: Options
    id: str = ""


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """All tiles went back, the 6 stands alone, and `first` begins."""

    round: int
    first: str
    playing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TilePlaced:
    """A tile of the supply became `row[position]`."""

    seat: str
    value: int
    position: int
    at_s: float


@dataclass(frozen=True, slots=True)
class TileMoved:
    """The middle tile `row[index]` went to an end."""

    seat: str
    value: int
    index: int
    end: End
    at_s: float


@dataclass(frozen=True, slots=True)
class PlacementTakenBack:
    """The last placement was illegal: the row is as before it, its placer places again."""

    seat: str
    row: tuple[int, ...]
    supply: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RowFixProposed:
    """The placer asks to correct the recorded order."""

    seat: str
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RowFixDeclined:
    """The recorded order stays."""

    seat: str


@dataclass(frozen=True, slots=True)
class RowFixed:
    """Another player agreed: the recorded order is now this one."""

    seat: str
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DominoCalled:
    """An estimation is open; the forced ballots are in and locked."""

    caller: str
    forced: Mapping[str, Side]
    at_s: float
    salts: Mapping[str, str] = field(default_factory=dict, metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class BallotCast:
    """A seat chose a side, or changed it."""

    seat: str
    side: Side = field(metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class BallotLocked:
    """A seat locked its ballot."""

    seat: str


@dataclass(frozen=True, slots=True)
class BallotTimedOut:
    """A seat did not answer in time: its ballot is Success."""

    seat: str


@dataclass(frozen=True, slots=True)
class BallotsLocked:
    """All ballots are in and locked, each under its seal."""

    seals: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BallotsRevealed:
    """All ballots were turned over at once, with the salts that prove their seals."""

    ballots: Mapping[str, Side]
    salts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EstimationPassed:
    """All voted Success: nothing is pushed."""


@dataclass(frozen=True, slots=True)
class EstimationCancelled:
    """The placer left before the reveal: the ballots were thrown away unseen."""


@dataclass(frozen=True, slots=True)
class PushOrdered:
    """The row must be pushed; `end` is open where both ends have the same value."""

    toppler: str
    end: End | None


@dataclass(frozen=True, slots=True)
class TopplerReplaced:
    """The toppler left; this seat pushes instead."""

    toppler: str


@dataclass(frozen=True, slots=True)
class EndChosen:
    """The toppler chose between equal ends."""

    end: End


@dataclass(frozen=True, slots=True)
class OutcomeClaimed:
    """Camera, host or a seat said what the push did."""

    by: str
    outcome: Result


@dataclass(frozen=True, slots=True)
class OutcomeAgreed:
    """A seat agreed with the outcome shown."""

    seat: str


@dataclass(frozen=True, slots=True)
class OutcomeObjected:
    """A seat says that the opposite of the outcome shown is so."""

    seat: str


@dataclass(frozen=True, slots=True)
class OutcomeDisputed:
    """A seat of the other side denied the claim: the whole table votes."""

    seat: str


@dataclass(frozen=True, slots=True)
class TableVoteCast:
    """A seat voted on what the push did."""

    seat: str
    outcome: Result


@dataclass(frozen=True, slots=True)
class OutcomeJudged:
    """The outcome is settled and the chips are paid."""

    outcome: Result
    won: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class AccidentClaimed:
    """A seat claimed an accident; what was going on waits."""

    by: str
    culprit: str | None
    kind: Mishap


@dataclass(frozen=True, slots=True)
class AccidentDenied:
    """The one named said no: the host decides, or somebody confirms."""

    seat: str


@dataclass(frozen=True, slots=True)
class AccidentRejected:
    """It was no accident: the game goes on where it was."""


@dataclass(frozen=True, slots=True)
class AccidentWithdrawn:
    """Whoever claimed the accident takes the claim back: the game goes on where it was."""

    seat: str


@dataclass(frozen=True, slots=True)
class AccidentTakenBack:
    """The accident just paid for was none: these chips are given back."""

    culprit: str
    returned: Mapping[str, int]
    why: str


@dataclass(frozen=True, slots=True)
class AccidentConfirmed:
    """It was an accident: these chips are paid for it."""

    culprit: str | None
    won: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LoneTileStoodUp:
    """The only tile of the row fell and stands again."""

    by: str


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round is played anew; these chips, if any were paid for it, are given back."""

    why: str
    returned: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TurnSkipped:
    """A seat whose player is away was passed over."""

    seat: str


@dataclass(frozen=True, slots=True)
class VerdictCorrected:
    """The last push did the opposite of what was settled: `won` is paid in place of `returned`."""

    outcome: Result
    won: Mapping[str, int]
    returned: Mapping[str, int]
    why: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat left the game for good."""

    seat: str


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; `ranking` has the most chips first."""

    ranking: tuple[str, ...]
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LobbyReopened:
    """The game is cleared away, the options stay."""


Event: TypeAlias = (
    GameStarted
    | RoundDealt
    | TilePlaced
    | TileMoved
    | PlacementTakenBack
    | RowFixProposed
    | RowFixDeclined
    | RowFixed
    | DominoCalled
    | BallotCast
    | BallotLocked
    | BallotTimedOut
    | BallotsLocked
    | BallotsRevealed
    | EstimationPassed
    | EstimationCancelled
    | PushOrdered
    | TopplerReplaced
    | EndChosen
    | OutcomeClaimed
    | OutcomeAgreed
    | OutcomeObjected
    | OutcomeDisputed
    | TableVoteCast
    | OutcomeJudged
    | AccidentClaimed
    | AccidentDenied
    | AccidentRejected
    | AccidentWithdrawn
    | AccidentTakenBack
    | AccidentConfirmed
    | LoneTileStoodUp
    | RoundVoided
    | TurnSkipped
    | VerdictCorrected
    | SeatLeft
    | GameEnded
    | LobbyReopened
)

KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}


def encode(event: Event) -> dict[str, Any]:
    """The event as JSON-ready data, its name under "type".

    >>> from rig.games.estimation.events import BallotLocked
    >>> encode(BallotLocked("ana"))
    {'type': 'BallotLocked', 'seat': 'ana'}
    """
    return {"type": type(event).__name__, **to_plain(event)}


def decode(data: dict[str, Any]) -> Event:
    """The event that was written as this data.

    Raises:
        NotPlain: there is no such event, or a field is missing, unknown or of another type.
        BadOption: an option of the game has a value it cannot have.
    """
    name = data.get("type")
    if not isinstance(name, str) or name not in KINDS:
        raise NotPlain(f"event type {name!r} is not known, expected one of {', '.join(KINDS)}")
    rest = {key: value for key, value in data.items() if key != "type"}
    return cast(Event, from_plain(KINDS[name], rest, name))


def secret(event: Any) -> frozenset[str]:
    """The fields that nobody but their seat may see before the ballots are revealed."""
    return frozenset(f.name for f in fields(event) if f.metadata.get("secret"))
