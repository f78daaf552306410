"""The row: its tiles in order, neighbours, and whether it is a row at all."""

from dataclasses import dataclass, replace

from physics.tile import Tile


@dataclass(frozen=True, slots=True)
class Chain:
    """Standing tiles in row order; every heading points down the chain, first to last."""

    tiles: tuple[Tile, ...]

    @property
    def values(self) -> tuple[int | None, ...]:
        """The values from left to right."""
        return tuple(tile.value for tile in self.tiles)

    def reversed(self) -> "Chain":
        """Return the same row as seen from its other end, headings turned with it."""
        return Chain(tuple(replace(t, pose=t.pose.turned()) for t in reversed(self.tiles)))
