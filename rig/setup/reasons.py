"""Why something failed, as a page says it: the key of its words, and their facts.

What a program says of itself is English. A page shows that only folded away, and only where it has
no sentence of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from rig.config import ConfigError
from rig.pusher.link import LineLost
from rig.pusher.port import PortLost, PushRefused, StrokeUnknown
from rig.pusher.protocol import PusherConfused
from rig.setup.errors import NotSo
from rig.setup.plan.tile_size import NoTile
from vision.calibrate.lens_fit import NoLens
from vision.calibrate.mat_survey import NoSurvey
from vision.capture.camera import NoFrame
from vision.errors import VisionError

GROUPS: tuple[tuple[type[VisionError], str], ...] = (
    (NoLens, "lens.refused"),
    (NoSurvey, "mat.refused"),
    (NoFrame, "camera"),
)
"""Where the catalogue has the kinds of an error."""
ANYWHERE = {"unwritten": "refused.kept", "uncalibrated": "refused.lens"}
"""Kinds that several errors share."""


@dataclass(frozen=True, slots=True)
class SetupReason:
    """Why something failed.

    Attributes:
        key: of its words in the catalogue, after `setup.`.
        of: values for the words' placeholders.
        detail: what the program says, where the words are only general ones.
    """

    key: str
    of: Mapping[str, Any] = field(default_factory=dict)
    detail: str = ""


def why(error: Exception, otherwise: str) -> SetupReason:
    """Give the words for an error.

    Args:
        error: what was raised.
        otherwise: key of the general words, for what has none of its own.
    """
    match error:
        case NotSo(key=str(key), of=of, detail=detail) if key:
            return SetupReason(key, of, detail)
        case LineLost() | PortLost() | PushRefused() | PusherConfused() | StrokeUnknown():
            if error.key:
                return SetupReason(error.key, dict(error.of))
        case NoTile(point=point):
            return SetupReason(point.key, point.of)
        case ConfigError():
            return SetupReason("refused.settings", {}, str(error))
        case VisionError(kind=str(kind)) if kind in ANYWHERE:
            return SetupReason(ANYWHERE[kind], _plain(error.facts))
        case VisionError(kind=str(kind)) if kind:
            group = next((group for of, group in GROUPS if isinstance(error, of)), "")
            if group:
                return SetupReason(f"{group}.{kind}", _plain(error.facts))
    return SetupReason(otherwise, {}, str(error))


def _plain(facts: Mapping[str, float | str]) -> dict[str, Decimal | str]:
    """Facts as they are read: nobody needs more than one place after the point."""
    return {
        name: Decimal(f"{fact:.1f}") if isinstance(fact, float) else fact
        for name, fact in facts.items()
    }
