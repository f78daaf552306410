"""Whether a row lies outside of what the fit has seen."""

import math
from collections.abc import Mapping
from typing import Final

from physics.chain import Chain
from physics.push import Friction, Push

GRAVITY_MM_S2: Final = 9810.0
_MARGIN: Final = 0.02


def traits(chain: Chain, push: Push, friction: Friction) -> dict[str, float]:
    """Return what a row is like, in numbers without dimension."""
    spec = chain.tiles[0].spec
    first = chain.tiles[0].height_mm
    return {
        "tiles": float(len(chain.tiles)),
        "width/length": spec.width_mm / spec.length_mm,
        "thickness/length": spec.thickness_mm / spec.length_mm,
        "friction.tile_tile": friction.tile_tile,
        "friction.tile_table": friction.tile_table,
        "push.height_frac": push.height_frac,
        "push.speed/sqrt(g h)": push.speed_mm_s / math.sqrt(GRAVITY_MM_S2 * first),
        "push.stroke/thickness": push.stroke_mm / spec.thickness_mm,
        "push.tip_radius/thickness": push.tip_radius_mm / spec.thickness_mm,
    }


def outside(found: Mapping[str, float], seen: Mapping[str, tuple[float, float]]) -> tuple[str, ...]:
    """Name the traits that lie outside of what was seen.

    >>> outside({"tiles": 30.0}, {"tiles": (1.0, 11.0)})
    ('tiles',)
    """
    return tuple(
        name
        for name, (low, high) in seen.items()
        if not low - _MARGIN * abs(low) <= found[name] <= high + _MARGIN * abs(high)
    )
