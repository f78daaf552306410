"""What has happened in a match; the journal keeps these, and the game follows from them."""

from dataclasses import dataclass, field
from typing import TypeAlias, get_args

from rig.games.dominoes.bones import Bone
from rig.games.dominoes.game import Result
from rig.games.dominoes.options import Options
from rig.games.interface import known_to

_SHOWN = "RoundEnded"
"""The event after which all hands lie open."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The seats, clockwise, and the options they play by."""

    seats: tuple[str, ...]
    options: Options
    id: str = ""


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A seat got its hand."""

    seat: str
    bones: tuple[Bone, ...] = field(metadata=known_to("seat", until=_SHOWN))


@dataclass(frozen=True, slots=True)
class BoneyardLaid:
    """What was not dealt lies face down, the first to be drawn first."""

    count: int
    bones: tuple[Bone, ...] = field(metadata=known_to("nobody", until=_SHOWN))


@dataclass(frozen=True, slots=True)
class RedealOrdered:
    """This deal does not count: the bones are shuffled and dealt again."""


@dataclass(frozen=True, slots=True)
class LeadGiven:
    """A seat lays the first bone; `forced` is the one it must be."""

    seat: str
    searched: bool
    forced: Bone | None = field(metadata=known_to("seat", until="BonePlaced"))


@dataclass(frozen=True, slots=True)
class StakeClaimed:
    """A seat leads with 6-6 and stakes the match on this round."""

    seat: str


@dataclass(frozen=True, slots=True)
class BonePlaced:
    """A seat laid a bone; `end` is "" for the first one."""

    seat: str
    bone: Bone
    end: str


@dataclass(frozen=True, slots=True)
class BoneDrawn:
    """A seat drew a bone."""

    seat: str
    bone: Bone = field(metadata=known_to("seat", until=_SHOWN))


@dataclass(frozen=True, slots=True)
class Knocked:
    """A seat could neither lay nor draw."""

    seat: str


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """It is a seat's turn."""

    seat: str


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is over: all hands lie open, and the accounts are written."""

    result: Result
    account: tuple[int | None, ...]
    memory: tuple[int, ...]
    carry: int
    opener: int | None


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """The next round begins with a deal."""

    round: int


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A seat took longer than its clock: the match is over, this round counts for nobody."""

    seat: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat left, and the match ends as the accounts stand."""

    seat: str


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The match is over; `winners` and `losers` are sides, `rating` is by seat."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    rating: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class LobbyReopened:
    """The match is cleared away, the options stay."""


Event: TypeAlias = (
    GameStarted
    | HandDealt
    | BoneyardLaid
    | RedealOrdered
    | LeadGiven
    | StakeClaimed
    | BonePlaced
    | BoneDrawn
    | Knocked
    | TurnBegan
    | RoundEnded
    | RoundBegan
    | TimedOut
    | SeatLeft
    | GameEnded
    | LobbyReopened
)

KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
