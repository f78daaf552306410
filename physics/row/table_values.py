"""What makes one table fall otherwise than the defaults say."""

from dataclasses import dataclass

from physics.row.push import Friction


@dataclass(frozen=True, slots=True)
class Values:
    """The five values of a table.

    Attributes:
        tile_tile: Coulomb friction between two tiles.
        tile_table: between tile and table.
        stroke: how far the tip really goes past first touch, as a multiple of what is set.
        placement: sigmas of where tiles really stand, as a multiple of those told.
        contact: added to the log-odds of every joint: how much more readily one tile tips the next.
    """

    tile_tile: float = Friction().tile_tile
    tile_table: float = Friction().tile_table
    stroke: float = 1.0
    placement: float = 1.0
    contact: float = 0.0
