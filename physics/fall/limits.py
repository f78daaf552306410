"""Refuses rows and pushes that cannot be predicted, naming tiles and numbers."""

import math
from itertools import pairwise
from typing import Final

from physics.errors import ChainError
from physics.fall.joint import copies_of, joints_of
from physics.row.chain import Chain
from physics.row.pose import Footprint, Point
from physics.row.push import Friction, Push
from physics.row.row_rules import overlap_mm
from physics.row.spread import Spread
from physics.row.tile import State, Tile

_LARGEST_MM: Final = 1e6
_TOUCHING_MM: Final = 1e-9
_SIGMAS: Final = 2.0
_REACH: Final = 2.0
_EDGE_ON_RAD: Final = math.radians(45.0)
_SIZES: Final = (0.1, 1e4)
_THINNEST: Final = 100.0
_LIMITS: Final[dict[str, dict[str, tuple[float, float]]]] = {
    "push": {
        "height_frac": (0.01, 1.0),
        "speed_mm_s": (0.01, 1e5),
        "stroke_mm": (0.01, 1e4),
        "standoff_mm": (0.0, 1e4),
        "tip_radius_mm": (0.01, 1e4),
        "hold_s": (0.0, 10.0),
    },
    "friction": {"tile_tile": (0.001, 2.0), "tile_table": (0.001, 2.0)},
    "spread": {
        "xy_mm": (0.0, 1e3),
        "heading_rad": (0.0, math.pi / 2),
        "friction": (0.0, 1.0),
        "push_speed": (0.0, 1.0),
    },
}


def require_row(chain: Chain) -> None:
    """Make sure that these tiles can stand on a table together.

    Measured footprints may overlap by as much as two of their own sigmas explain.

    Raises:
        ChainError: there is no tile, a tile lies flat or has an impossible size or place, or two
            tiles overlap.
    """
    if not chain.tiles:
        raise ChainError("a row needs tiles, and this one has none")
    for i, tile in enumerate(chain.tiles):
        _require_tile(tile, _name(chain, i))
    prints = [tile.footprint for tile in chain.tiles]
    reach = max(math.hypot(p.depth_mm, p.width_mm) for p in prints)
    for i, one in enumerate(prints):
        for j in range(i):
            other = prints[j]
            apart = math.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm)
            if apart >= reach:
                continue
            doubt = _SIGMAS * math.hypot(chain.tiles[i].sigma_mm, chain.tiles[j].sigma_mm)
            depth = overlap_mm(one, other)
            if depth > doubt + _TOUCHING_MM:
                raise ChainError(
                    f"tiles {_name(chain, j)} and {_name(chain, i)} overlap by {depth:.1f} mm: "
                    f"their centres are {apart:.1f} mm apart; move one of them"
                )


def require_push(chain: Chain, push: Push, friction: Friction, spread: Spread) -> None:
    """Make sure that this push on these tiles can be predicted.

    Raises:
        ChainError: the tiles cannot stand like this, do not make a row, or are not pushed along
            it; or push, frictions or spread have an impossible number.
    """
    require_row(chain)
    for part, owner in (("push", push), ("friction", friction), ("spread", spread)):
        for name, (least, most) in _LIMITS[part].items():
            _require_number(part, name, getattr(owner, name), least, most)
    if len(chain.tiles) < 2:
        raise ChainError(
            f"tile {_name(chain, 0)} stands alone: 1 tile is no row; "
            "expected at least 2, from the pushed one on"
        )
    _require_joined(chain)
    _require_order(chain)
    _require_side(chain)


def _require_tile(tile: Tile, name: str) -> None:
    if tile.orientation is None or tile.state is not State.STANDING:
        raise ChainError(f"tile {name} does not stand; only standing tiles can fall")
    owner = f"tile {name}"
    for what in ("x_mm", "y_mm", "heading_rad"):
        _require_number(owner, what, getattr(tile.pose, what), -_LARGEST_MM, _LARGEST_MM)
    for what in ("sigma_mm", "sigma_rad"):
        _require_number(owner, what, getattr(tile, what), 0.0, 1e3)
    spec = tile.spec
    for what in ("length_mm", "width_mm", "thickness_mm", "mass_g"):
        _require_number(owner, what, getattr(spec, what), *_SIZES)
    if not spec.length_mm >= spec.width_mm > spec.thickness_mm:
        raise ChainError(
            f"tile {name}: expected length_mm >= width_mm > thickness_mm, "
            f"got {spec.length_mm:g}, {spec.width_mm:g} and {spec.thickness_mm:g}"
        )
    if spec.length_mm > _THINNEST * spec.thickness_mm:
        raise ChainError(
            f"tile {name}: thickness_mm is {spec.thickness_mm:g}; expected at least "
            f"{spec.length_mm / _THINNEST:g}, a hundredth of its length, to stand at all"
        )


def _require_number(owner: str, name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ChainError(
            f"{owner}: {name} is {value:g}; expected a number from {least:g} to {most:g}"
        )


def _require_joined(chain: Chain) -> None:
    """Refuse a tile that is nowhere near the one before it."""
    for i, gap in enumerate(chain.gaps_mm):
        most = _REACH * max(tile.spec.length_mm for tile in chain.tiles[i : i + 2])
        if gap > most:
            raise ChainError(
                f"tile {_name(chain, i + 1)} is out of the row: {gap:.1f} mm of clear table "
                f"from tile {_name(chain, i)}; expected at most {most:.0f} mm, two tile lengths; "
                "move it nearer or leave it out"
            )


def _require_order(chain: Chain) -> None:
    """Refuse an order that jumps over a tile and comes back to it."""
    centres = [(t.pose.x_mm, t.pose.y_mm) for t in chain.tiles]
    prints = [tile.footprint for tile in chain.tiles]
    for i, (a, b) in enumerate(pairwise(centres)):
        for k in (i - 1, i + 2):
            if 0 <= k < len(prints) and _crosses(a, b, prints[k]):
                raise ChainError(
                    f"tile {_name(chain, k)} stands between tiles {_name(chain, i)} and "
                    f"{_name(chain, i + 1)}, which are {math.dist(a, b):.1f} mm apart; "
                    "expected the tiles in the order in which they stand, the pushed one first"
                )


def _require_side(chain: Chain) -> None:
    """Refuse a push on the edge-on side of a row: the next tile stands beside, not before."""
    one, two = chain.tiles[:2]
    joint = joints_of(copies_of(Chain((one, two))))
    ahead, aside = float(joint.ahead_mm[0, 0]), float(joint.offset_mm[0, 0])
    half = one.spec.thickness_mm / 2
    edge_on = abs(float(joint.turn_rad[0, 0])) > _EDGE_ON_RAD
    if bool(joint.missed[0, 0]) and ahead < half and (edge_on or joint.aside_mm[0, 0] > half):
        off = math.degrees(math.atan2(abs(aside), ahead))
        raise ChainError(
            f"tile {_name(chain, 0)} would be pushed from the wrong side: along its heading, "
            f"tile {_name(chain, 1)} is {ahead:.1f} mm ahead and {abs(aside):.1f} mm beside, "
            f"{off:.0f} degrees off the push; expected it before the pushed face; "
            "turn the first tile, or start the row at its other end"
        )


def _crosses(a: Point, b: Point, footprint: Footprint) -> bool:
    """Say whether the straight line between two points crosses a footprint."""
    start, end = footprint.pose.to_local(a), footprint.pose.to_local(b)
    first, last = 0.0, 1.0
    for p, q, half in zip(
        start, end, (footprint.depth_mm / 2, footprint.width_mm / 2), strict=True
    ):
        if abs(q - p) < _TOUCHING_MM:
            if abs(p) >= half:
                return False
            continue
        near, far = sorted(((-half - p) / (q - p), (half - p) / (q - p)))
        first, last = max(first, near), min(last, far)
    return last > first


def _name(chain: Chain, index: int) -> str:
    value = chain.tiles[index].value
    return f"{index + 1} of the row" if value is None else f"{value} (place {index + 1})"
