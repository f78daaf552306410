"""What machine and set-up ask of a game that is played with a row of dominoes. Pure.

They know no game: a row, a reading, a push and an outcome are the same in all of them. What the
camera is to look for, which end is pushed and what an outcome means, the game says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from physics.row.row_rules import RowRules, ViolationKind
from physics.row.tile import TileSpec
from rig.games.interface import Seat
from rig.row.push_events import Standing
from rig.row.row_table import RowTable


class Stage(StrEnum):
    """What the row is there for at this moment."""

    IDLE = "idle"
    """Nobody needs to look at it."""
    PLACING = "placing"
    """A tile is stood: the camera reads it."""
    STANDING = "standing"
    """It has to stay as it is."""
    PUSHING = "pushing"
    """It has to stay as it is until its one push."""


WATCHED = (Stage.PLACING, Stage.STANDING, Stage.PUSHING)
"""While these last the camera looks at the row."""


@dataclass(frozen=True, slots=True)
class Duty:
    """What a game wants of camera and pusher at one moment, and of which row.

    Attributes:
        stage: what the row is there for.
        values: the row that counts, left to right.
        tiles: where its tiles stood when they were last read; none while nobody has read them.
        choosable: the tiles that may be placed.
        from_row: these are taken out of the row, to stand at an end of it.
        any_gap: tiles may stand as far apart as one likes.
        end: the end that is pushed, `left` or `right`; None while nobody has chosen one.
        active: who stands the next tile.
        toppler: who pushes.
    """

    stage: Stage
    values: tuple[int, ...]
    tiles: tuple[Standing, ...]
    choosable: tuple[int, ...] = ()
    from_row: bool = False
    any_gap: bool = False
    end: str | None = None
    active: Seat | None = None
    toppler: Seat | None = None

    def allows(self, kind: ViolationKind) -> bool:
        """Whether this is no fault here: tiles may stand as far apart as one likes."""
        return kind in (ViolationKind.TOO_FAR, ViolationKind.APART) and self.any_gap


@dataclass(frozen=True, slots=True)
class RowChange:
    """What becomes of the tiles on the table as a game goes on.

    Attributes:
        dealt: a round begins: whatever stands there is taken off.
        taken: tiles that were placed and are taken in hand again.
        stands_up: an accident has been talked over: what fell is stood up.
        placed: the row is another one: what was stood has its place.
        passed: a turn is over without a tile placed: one that was stood is taken off.
    """

    dealt: bool = False
    taken: tuple[int, ...] = ()
    stands_up: bool = False
    placed: bool = False
    passed: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A command of the rules, and who gives it; whether they take it is for them to say."""

    actor: str
    command: Any


@dataclass(frozen=True, slots=True)
class PhoneCommand:
    """A command as a phone gives it.

    Attributes:
        seat: whose phone.
        kind: its name.
        fields: what it brings along.
    """

    seat: Seat
    kind: str
    fields: Mapping[str, Any] = field(default_factory=dict)


T = TypeVar("T", bound=RowTable, contravariant=True)


class Physical(Protocol[T]):
    """The part of a game that camera and pusher are for."""

    def row_rules(self, table: T, spec: TileSpec) -> RowRules:
        """The limits that a row of such tiles is checked against."""

    def duty(self, table: T) -> Duty:
        """What camera and pusher are wanted for now."""

    def change(self, before: T, after: T) -> RowChange:
        """What becomes of the tiles on the table by an event."""

    def likely_end(self, values: Sequence[int]) -> str | None:
        """The end from which a row would be pushed, as far as anybody can know before."""

    def accident(self, table: T) -> Said:
        """The camera has seen standing tiles fall."""

    def outcome(self, table: T, outcome: str) -> Said:
        """The camera is sure of what became of the row: `fell` or `stood`."""

    def wrong_end(self, table: T) -> Said:
        """The camera has seen that the row was pushed from the other end."""

    def to_the_push(self, table: T) -> Sequence[PhoneCommand]:
        """What players would do now to have the row pushed that stands there."""
