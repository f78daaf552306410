"""A push as the table remembers it: what it was about to meet, how it went, what was seen. Pure.

Four events tell of each: it was asked for, it was about to begin, it ended, and what the camera saw
of it. Together they are all that can be learned from it later; `push_export.py` hands them on.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from physics.row.push import Push
from physics.row.tile import STANDARD, TileSpec

LEFT = "left"
"""The end of a row that is on the left as it is drawn on the shared screen."""
FELL = "fell"
STOOD = "stood"
"""What a push did to a row: every tile down, or at least one still up."""
ARM = "arm"
FINGER = "finger"


@dataclass(frozen=True, slots=True)
class Standing:
    """One tile of the row as it was last read, left to right; degrees as in files."""

    value: int
    orientation: str
    x_mm: float
    y_mm: float
    heading_deg: float
    state: str = "standing"
    sigma_mm: float = 0.0
    sigma_deg: float = 0.0


class PushStep(StrEnum):
    """How far the push of this round has come."""

    REQUESTED = "requested"
    DONE = "done"
    REFUSED = "refused"
    STOPPED = "stopped"
    MISSED = "missed"
    """It was made, or waited for, and nothing of the row was touched."""
    UNKNOWN = "unknown"


class Cause(StrEnum):
    """Why a push ended as it did, by which pages have words; the log has a sentence besides."""

    NONE = ""
    HAND = "hand"
    """Something came in before it began."""
    FELL = "fell"
    """The row, or a part of it, was down before it began."""
    ROW = "row"
    """The row is not as the game knows it, or does not come to rest."""
    BLIND = "blind"
    """The camera could not see the row."""
    LATE = "late"
    """It came too late: hands may be back on the table."""
    CHANGED = "changed"
    """The game moved on, was paused, or somebody pressed STOP."""
    PUSHER = "pusher"
    """The pusher refused it."""
    DISK = "disk"
    """What was about to be pushed could not be written down."""
    PASSED = "passed"
    """The arm made its whole stroke beside the tile."""
    NOBODY = "nobody"
    """No finger touched the row in time."""
    UNHEARD = "unheard"
    """Nobody knows how far the arm went: what it told of it was lost."""
    WRONG_END = "wrong_end"
    """The wave came from the other end."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A push of this round: what was asked of the machine, and what is known of it.

    Attributes:
        number: counts the pushes of a table.
        end: of the row, `left` or `right`.
        value: of the tile there.
        step: how far it has come.
        why: the same in a sentence for the log.
        kind: `arm` or `finger`.
        cause: why it ended like this.
        before: number of the picture of the row before it.
        tile: the size of its tiles.
    """

    number: int
    end: str
    value: int
    step: PushStep = PushStep.REQUESTED
    why: str = ""
    kind: str = ARM
    cause: Cause = Cause.NONE
    before: int | None = None
    tile: TileSpec = STANDARD

    @property
    def again(self) -> bool:
        """Whether nothing of the row was touched, so that it may be pushed once more."""
        return self.step in (PushStep.REFUSED, PushStep.STOPPED, PushStep.MISSED)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the model thought of the row before the push."""

    p_fall: float
    low: float
    high: float
    weakest: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera made of the push.

    Attributes:
        fallen: values that are down.
        up: values that still stand, from the pushed end.
        order: values with milliseconds after the push, as they went down.
        between: where the wave died, None if it did not.
        gap_mm: the clear distance there.
        sure: whether the camera is sure enough to be the first to say it.
        picture: number of the evidence picture.
        lying: fallen tiles where they lie, heading along the long edge; those made out.
        confidence: how sure it is of its verdict, 0..1.
        doubts: why people should judge, as `vision.observe.Doubt` has it.
    """

    outcome: str
    fallen: tuple[int, ...] = ()
    up: tuple[int, ...] = ()
    order: tuple[tuple[int, int], ...] = ()
    between: tuple[int, int] | None = None
    gap_mm: float | None = None
    sure: bool = True
    picture: int | None = None
    lying: tuple[Standing, ...] = ()
    confidence: float = 1.0
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PushRequested:
    """Written before the machine is asked to move. Never carried out by a replay."""

    number: int
    end: str
    value: int
    forecast: Forecast | None
    kind: str = ARM


@dataclass(frozen=True, slots=True)
class PushBegun:
    """Written before anything may move: the row as it stands then, and the stroke it shall meet.

    Attributes:
        number: of the push.
        row: the tiles from the pushed end, with the camera's own sigma.
        stroke: as it is commanded, or how a finger is thought to push.
        picture: number of the picture of the row.
        tile: the size of its tiles.
    """

    number: int
    row: tuple[Standing, ...]
    stroke: Push
    picture: int | None = None
    tile: TileSpec = STANDARD


@dataclass(frozen=True, slots=True)
class PushEnded:
    """What became of a push: done, refused, stopped, missed, or nobody knows."""

    number: int
    step: PushStep
    why: str = ""
    cause: Cause = Cause.NONE


@dataclass(frozen=True, slots=True)
class OutcomeSeen:
    """What the camera saw after the push, and how long each stage took in milliseconds."""

    seen: Seen
    ms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FallPhotographed:
    """What somebody's photo shows after a push that no camera saw; people judge by it.

    Its outcome is "" where the photo does not tell; `up` and `fallen` are the tiles of which it
    does.
    """

    seen: Seen


PushEvent = PushRequested | PushBegun | PushEnded | OutcomeSeen | FallPhotographed
