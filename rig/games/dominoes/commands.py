"""What players and the referee may ask of a match of dominoes; chance comes in `Deal`."""

from dataclasses import dataclass
from typing import TypeAlias

from rig.games.dominoes.bones import Bone


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a match with these seats, clockwise; `id` is a name that no other game has."""

    seats: tuple[str, ...]
    id: str = ""


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal a shuffled set: the number of each bone of the set, in the order it is dealt."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Lay a bone at an end of the line, "left" or "right"; the first bone needs no end."""

    tile: Bone
    end: str | None = None


@dataclass(frozen=True, slots=True)
class PlaceTwo:
    """Lay two doubles in one turn, at different ends."""

    tiles: tuple[Bone, ...]
    ends: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawBone:
    """Draw a bone of the boneyard."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Knock: nothing fits, and nothing can be drawn."""


@dataclass(frozen=True, slots=True)
class Stake:
    """Claim the lead with 6-6, for the whole match."""


@dataclass(frozen=True, slots=True)
class Timeout:
    """The time of a seat is over."""

    seat: str


@dataclass(frozen=True, slots=True)
class NextRound:
    """Go on from a round that is over."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Take a seat out of the match for good, which ends it."""

    seat: str


@dataclass(frozen=True, slots=True)
class Rematch:
    """Go back to the lobby after a match, with the same options."""


Command: TypeAlias = (
    Start
    | Deal
    | Place
    | PlaceTwo
    | DrawBone
    | Pass
    | Stake
    | Timeout
    | NextRound
    | Leave
    | Rematch
)
