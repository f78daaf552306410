"""The push that topples the first tile, and the frictions it meets."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Push:
    """A round tip that moves at constant speed along the first tile's heading.

    Attributes:
        height_frac: height of the tip as a share of the first tile's height.
        speed_mm_s: its speed, out and back.
        stroke_mm: how far it goes on past first touch before it withdraws.
        standoff_mm: how far before the face it starts.
        tip_radius_mm: radius of the tip.
    """

    height_frac: float = 0.85
    speed_mm_s: float = 45.0
    stroke_mm: float = 12.0
    standoff_mm: float = 2.0
    tip_radius_mm: float = 5.0


@dataclass(frozen=True, slots=True)
class Friction:
    """Coulomb coefficients between two tiles and between tile and table."""

    tile_tile: float = 0.27
    tile_table: float = 0.50
