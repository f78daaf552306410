"""What the camera says, in the words of the table: readings, rows, strokes and verdicts. Pure."""

import math
from collections.abc import Sequence

from physics.chain import Chain, Fault
from physics.pose import Pose
from physics.push import Path, Push
from physics.tile import Orientation, Tile
from rig.config import PusherConfig
from rig.games.estimation.words import Result
from rig.live import Reading
from rig.pusher import ServoArm
from rig.table import Seen, Standing, Table
from vision.observe import Observation
from vision.track import Sight


def read(sight: Sight, table: Table) -> Reading:
    """Say what of a sight is new to the game whose turn it is.

    Args:
        sight: what is known of the table now.
        table: the game, and the row as it was last confirmed.
    """
    row, chain = table.game.row, sight.chain
    if sight.hand_in_view or not sight.still:
        return Reading("hand" if sight.hand_in_view else "looking")
    if not table.row:
        return Reading("looking")
    tile = sight.new_tile or _moved(sight, table)
    if tile is None:
        return Reading("waiting")
    if chain is None or tile not in chain.tiles:
        return Reading("unsure", tile)
    faults = tuple(
        (v.kind.value, tuple(value for value in v.values if value is not None))
        for v in sight.violations
        if not v.unsure and tile in v.tiles and not _allowed(v.kind, table)
    )
    others = tuple(v for v in chain.values if v != tile.value)
    if others != tuple(v for v in row if v != tile.value):
        faults += (("order", tuple(v for v in others if v is not None)),)
    choosable = table.game.supply or row[1:-1]
    state = "wrong" if faults else "proposal" if tile.value in choosable else "unsure"
    return Reading(state, tile, chain.tiles.index(tile), chain.tiles, faults)


def _moved(sight: Sight, table: Table) -> Tile | None:
    """The middle tile that somebody took to an end, once the supply is empty."""
    if table.game.supply:
        return None
    return next((t for t in sight.moved if t.value in table.game.row[1:-1]), None)


def _allowed(fault: Fault, table: Table) -> bool:
    """How far apart tiles stand is free at most tables: spacing is the bluff."""
    return fault in (Fault.TOO_FAR, Fault.APART) and table.game.options.max_gap == "free"


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


def chain_of(row: Sequence[Standing]) -> Chain:
    """The row as it was written down."""
    tiles = (
        Tile(
            t.value,
            Pose(t.x_mm, t.y_mm, math.radians(t.heading_deg)),
            Orientation(t.orientation),
            sigma_mm=t.sigma_mm,
            sigma_rad=math.radians(t.sigma_deg),
        )
        for t in row
    )
    return Chain(tuple(tiles))


def stroke(config: PusherConfig, chain: Chain) -> Push:
    """The stroke for a row: the tip has one height, whatever tile it meets.

    The arm takes the tip out and back on its smooth path, with the stop of its servo between.
    """
    return Push(
        height_frac=min(0.95, config.tip_height_mm / chain.tiles[0].height_mm),
        speed_mm_s=config.speed_mm_s,
        stroke_mm=config.stroke_mm,
        standoff_mm=config.standoff_mm,
        tip_radius_mm=config.tip_radius_mm,
        path=Path.SMOOTH,
        hold_s=ServoArm().hold_ms / 1000,
    )


def what_was_seen(chain: Chain, observed: Observation, picture: int) -> Seen:
    """Put an observation into the words of the game.

    Args:
        chain: the row from the pushed end, as it stood before.
        observed: what the camera made of it.
        picture: the number that its picture is kept under.
    """
    outcome = observed.outcome
    values = [tile.value or 0 for tile in chain.tiles]
    first = outcome.first_standing
    died = first if first and outcome.fallen[first - 1] else None
    times = sorted(
        (
            (time_s, value)
            for value, time_s in zip(values, outcome.arrival_s, strict=False)
            if time_s is not None
        ),
        key=lambda one: one[0],  # tiles of one moment stay in the order of the row
    )
    return Seen(
        outcome=(Result.FELL if outcome.all_fell else Result.STOOD).value,
        fallen=tuple(v for v, down in zip(values, outcome.fallen, strict=True) if down),
        up=tuple(v for v, down in zip(values, outcome.fallen, strict=True) if not down),
        order=tuple((value, round(time_s * 1000)) for time_s, value in times),
        between=None if died is None else (values[died - 1], values[died]),
        gap_mm=None if died is None else round(chain.gaps_mm[died - 1], 1),
        sure=observed.sure,
        picture=picture,
    )
