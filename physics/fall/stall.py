"""Where a fall stopped and why, worked out from the end of the run."""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_LEANS_RAD: Final = math.radians(2.0)
_LIES_RAD: Final = math.radians(75.0)
_TOUCHED_RAD: Final = 0.003


class Why(StrEnum):
    """What stopped a fall, in words for people."""

    MISSED = "missed"
    OUT_OF_REACH = "out of reach"
    NOT_TOUCHED = "slid back before it touched the next tile"
    JAMMED = "jammed while leaning"
    SLID = "slid away instead of tipping"
    TURNED = "turned instead of tipped"
    WEAK = "struck too weakly"
    PUSH_SLID = "the push slid the first tile along"
    PUSH_SHORT = "the push was too short, the first tile came back"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended; values are per tile unless they are marked as per joint.

    Attributes:
        fallen: whether it no longer stands.
        tilt_rad: at the end, positive down the chain.
        peak_rad: the largest tilt during the run.
        moved_mm: how far its middle is down the chain from where it stood.
        height_mm, thickness_mm: of the box.
        gap_mm: of every joint.
        linked: for every joint, whether the next tile stands in the way of the one before.
        yields: whether a hit turns the tile more than it tips it.
    """

    fallen: tuple[bool, ...]
    tilt_rad: tuple[float, ...]
    peak_rad: tuple[float, ...]
    moved_mm: tuple[float, ...]
    height_mm: tuple[float, ...]
    thickness_mm: tuple[float, ...]
    gap_mm: tuple[float, ...]
    linked: tuple[bool, ...]
    yields: tuple[bool, ...]

    @property
    def stalled(self) -> int | None:
        """The first joint with a standing tile behind it, -1 for the push, None if all fell."""
        return next((i - 1 for i, down in enumerate(self.fallen) if not down), None)

    @property
    def why(self) -> Why | None:
        """What happened at the joint that stalled."""
        joint = self.stalled
        if joint is None:
            return None
        after = joint + 1
        moved = self.moved_mm[after] > self.thickness_mm[after] / 4
        if joint < 0:
            if self.tilt_rad[0] > _LEANS_RAD:
                return Why.JAMMED
            return Why.PUSH_SLID if moved else Why.PUSH_SHORT
        if not self.linked[joint]:
            far = self.gap_mm[joint] >= self.height_mm[joint]
            return Why.OUT_OF_REACH if far else Why.MISSED
        leaning = self.tilt_rad[joint] < _LIES_RAD
        if self.peak_rad[after] < _TOUCHED_RAD and not moved and not leaning:
            return Why.NOT_TOUCHED
        if self.yields[after]:
            return Why.TURNED
        if leaning:
            return Why.JAMMED
        return Why.SLID if moved else Why.WEAK
