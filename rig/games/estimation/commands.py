"""What players, host, referee and camera may ask of the game.

Times `at_s` are seconds of one clock that goes on through a restart; the game compares them with
each other alone. `draw`, `id` and `salts` are what chance has brought.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from rig.games.estimation.terms import End, Extent, PlacementFault, Result, Side


@dataclass(frozen=True, slots=True)
class Start:
    """Open the game with these seats, clockwise; `first` starts, or else the seat drawn.

    `id` is a name that no other game has: the seals of its ballots are made with it.
    """

    seats: tuple[str, ...]
    first: str | None = None
    draw: int | None = None
    id: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Stand a tile of the supply so that it becomes `row[position]`."""

    value: int
    position: int
    at_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Move:
    """Take the middle tile `row[index]` to an end, once the supply is empty."""

    index: int
    end: End
    at_s: float = 0.0


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last placement, which the table has found illegal."""

    fault: PlacementFault | None = None


@dataclass(frozen=True, slots=True)
class FixRow:
    """Ask to correct the recorded order to that of the row on the table."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ConsentRow:
    """Agree to the correction that the placer asks for."""


@dataclass(frozen=True, slots=True)
class DeclineRow:
    """Say that the recorded order is right."""


@dataclass(frozen=True, slots=True)
class Call:
    """Call "Domino!"; `salts` are drawn for everybody's ballot, before anybody chooses."""

    at_s: float = 0.0
    salts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Vote:
    """Choose a side, or change it.

    Attributes:
        side: which.
        closes: the last ballot locks all of them; otherwise the referee does, with `CloseBallots`.
    """

    side: Side
    closes: bool = True


@dataclass(frozen=True, slots=True)
class LockBallot:
    """Lock the side chosen."""


@dataclass(frozen=True, slots=True)
class CloseBallots:
    """Lock all ballots, once nobody's is missing."""


@dataclass(frozen=True, slots=True)
class Timeout:
    """Close the ballots: the time for them is over."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Reveal:
    """Turn the ballots over: the count is done."""


@dataclass(frozen=True, slots=True)
class Continue:
    """Go on from the revealed ballots: to the next turn, or to the push."""


@dataclass(frozen=True, slots=True)
class ChooseEnd:
    """Choose the end to push, where both have the same value."""

    end: End


@dataclass(frozen=True, slots=True)
class WrongEnd:
    """Claim that the toppler pushed the wrong end."""


@dataclass(frozen=True, slots=True)
class Report:
    """Say what the push did."""

    outcome: Result


@dataclass(frozen=True, slots=True)
class Confirm:
    """Agree with the claim about the outcome."""


@dataclass(frozen=True, slots=True)
class Object:
    """Say that the outcome shown by camera or host is not so."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Let the outcome shown stand: nobody has objected in time."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """Deny a player's claim, so that the whole table votes."""


@dataclass(frozen=True, slots=True)
class TableVote:
    """Vote on what the push did."""

    outcome: Result


@dataclass(frozen=True, slots=True)
class NextRound:
    """Go on from a scored round: to the next one, to the extra round, or to the end."""


@dataclass(frozen=True, slots=True)
class ClaimAccident:
    """Claim that somebody, or nobody at the table, knocked tiles over.

    `extent` None says that enough fell to count at this table.
    """

    culprit: str | None
    extent: Extent | None = None


@dataclass(frozen=True, slots=True)
class ConfirmAccident:
    """Confirm the accident."""


@dataclass(frozen=True, slots=True)
class RejectAccident:
    """Say no to the accident: the one named first, then the host."""


@dataclass(frozen=True, slots=True)
class WithdrawAccident:
    """Take one's own claim of an accident back."""


@dataclass(frozen=True, slots=True)
class TakeBackAccident:
    """Give back what this round's last accident paid: it was none after all."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class LoneTileFell:
    """Say that the only tile of the row fell and stands again."""


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Begin the round anew, as if it had not been played."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Leave:
    """Take a seat out of the game for good."""

    seat: str


@dataclass(frozen=True, slots=True)
class SkipTurn:
    """Pass over the active seat, whose player is away."""


@dataclass(frozen=True, slots=True)
class SkipBallot:
    """Close the ballot of a seat whose player is away."""

    seat: str


@dataclass(frozen=True, slots=True)
class CorrectVerdict:
    """Put right what the last push did: the outcome that was settled is not the one seen."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Go back to the lobby after the game, with the same options."""


Command: TypeAlias = (
    Start
    | Place
    | Move
    | TakeBack
    | FixRow
    | ConsentRow
    | DeclineRow
    | Call
    | Vote
    | LockBallot
    | CloseBallots
    | Timeout
    | Reveal
    | Continue
    | ChooseEnd
    | WrongEnd
    | Report
    | Confirm
    | Object
    | Stand
    | Dispute
    | TableVote
    | NextRound
    | ClaimAccident
    | ConfirmAccident
    | RejectAccident
    | WithdrawAccident
    | TakeBackAccident
    | LoneTileFell
    | VoidRound
    | Leave
    | SkipTurn
    | SkipBallot
    | CorrectVerdict
    | Rematch
)
