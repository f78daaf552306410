"""A row with everything that decides how it falls."""

from dataclasses import dataclass, field, replace

from physics.row.chain import Chain
from physics.row.push import Friction, Push
from physics.row.spread import Spread


@dataclass(frozen=True, slots=True)
class Scenario:
    """A row: tiles from the pushed one on, and everything that decides how it falls.

    Attributes:
        id: its name.
        chain: the tiles.
        push: how the first of them is pushed.
        friction: between tiles and with the table.
        spread: how far the real row may be from this one.
        where: the file and line it was read from, for messages; empty if it was not.
    """

    id: str
    chain: Chain
    push: Push = field(default_factory=Push)
    friction: Friction = field(default_factory=Friction)
    spread: Spread = field(default_factory=Spread)
    where: str = field(default="", compare=False)


def along(chain: Chain) -> Chain:
    """Turn headings by half a turn where needed, so that all point down the chain.

    The first points toward its neighbour, each further one as nearly as possible in the direction
    of the one before. A single tile keeps its heading.

    >>> import math
    >>> from physics.row.pose import Pose
    >>> from physics.row.tile import Orientation, Tile
    >>> tiles = [Tile(i, Pose(20.0 * i, 0, math.pi), Orientation.VERTICAL) for i in range(2)]
    >>> [round(t.pose.heading_rad, 3) for t in along(Chain(tuple(tiles))).tiles]
    [0.0, 0.0]
    """
    tiles = list(chain.tiles)
    if len(tiles) < 2:
        return chain
    a, b = tiles[0].pose, tiles[1].pose
    way = (b.x_mm - a.x_mm, b.y_mm - a.y_mm)
    for i, tile in enumerate(tiles):
        normal = tile.pose.normal
        if normal[0] * way[0] + normal[1] * way[1] < 0:
            tiles[i] = replace(tile, pose=tile.pose.turned())
        way = tiles[i].pose.normal
    return Chain(tuple(tiles))
