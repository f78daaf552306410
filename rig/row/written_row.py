"""The row as it is written down, and what of a reading departs from it; knows no camera."""

import math
from collections.abc import Sequence

from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.tile import STANDARD, Orientation, Tile, TileSpec
from rig.row.physical import Duty
from rig.row.push_events import LEFT, Standing
from rig.row.row_diff import LASTING, Difference, Kind
from rig.row.row_live import Reading


def standing(tile: Tile, value: int) -> Standing:
    """Write down a tile as it was read."""
    return Standing(
        value=value,
        orientation=(tile.orientation or Orientation.VERTICAL).value,
        x_mm=round(tile.pose.x_mm, 2),
        y_mm=round(tile.pose.y_mm, 2),
        heading_deg=round(math.degrees(tile.pose.heading_rad), 2),
        sigma_mm=round(tile.sigma_mm, 3),
        sigma_deg=round(math.degrees(tile.sigma_rad), 3),
    )


def chain_of(row: Sequence[Standing], spec: TileSpec = STANDARD) -> Chain:
    """The row as it was written down, of tiles of one size."""
    tiles = (
        Tile(
            t.value,
            Pose(t.x_mm, t.y_mm, math.radians(t.heading_deg)),
            Orientation(t.orientation),
            sigma_mm=t.sigma_mm,
            sigma_rad=math.radians(t.sigma_deg),
            spec=spec,
        )
        for t in row
    )
    return Chain(tuple(tiles))


def entered_by_hand(row: Sequence[Standing]) -> bool:
    """Whether some tile of the row stands where it was shown, and no camera has measured it."""
    return any(tile.sigma_mm == 0.0 for tile in row)


def row_of(duty: Duty, spec: TileSpec = STANDARD) -> Chain:
    """The row that counts, where it was read."""
    seen = {tile.value: tile for tile in duty.tiles}
    return chain_of([seen[value] for value in duty.values if value in seen], spec)


def row_from_end(duty: Duty, spec: TileSpec = STANDARD) -> Chain | None:
    """The row that counts, from the end that is pushed; None while nobody has chosen one."""
    if duty.end is None or not duty.tiles:
        return None
    return from_end(row_of(duty, spec), duty.end)


def from_end(row: Chain, end: str | None) -> Chain:
    """A row that goes from left to right, from the end that is pushed."""
    return row if end == LEFT else row.reversed()


def marks(reading: Reading) -> tuple[Difference, ...]:
    """What to point at on a picture: what differs, or the tiles that break a rule."""
    if reading.state not in ("wrong", "unsure"):
        return reading.differs
    broken = {value for _, values in reading.violations for value in values}
    faulty = [t for t in reading.row if t.value in broken and t is not reading.tile]
    placed = [reading.tile] if reading.tile is not None else []
    return tuple(Difference(Kind.BROKEN, tile.value, now=tile) for tile in (*placed, *faulty))


def may_stay(reading: Reading, values: tuple[int, ...]) -> bool:
    """Whether a row that differs may be right as it stands: all of it stands in its order."""
    return (
        reading.state == "differs"
        and all(one.kind in LASTING for one in reading.differs)
        and tuple(tile.value for tile in reading.row) == values
    )
