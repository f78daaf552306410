"""How far the real row may be from the one that was measured."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """How far the real row may be from the one that was measured: one sigma each.

    Attributes:
        xy_mm: of every tile's x and y.
        heading_rad: of every tile's heading.
        friction: of each coefficient, as a share of it.
        push_speed: of the push speed, as a share of it.
    """

    xy_mm: float = 0.7
    heading_rad: float = math.radians(1.0)
    friction: float = 0.15
    push_speed: float = 0.20
