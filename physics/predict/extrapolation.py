"""Whether a row lies outside of what the fit has seen."""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from physics.fall.joint import copies_of, joints_of
from physics.fall.side_view import GRAVITY_MM_S2
from physics.row.chain import Chain
from physics.row.push import Friction, Path, Push, smooth_speed
from physics.row.spread import Spread

_MARGIN: Final = 0.02
_STEADY: Final = (0.0, 0.0)
_WORDS: Final = {
    "tiles": "number of tiles",
    "width/length": "width of the tiles by their length",
    "thickness/length": "thickness of the tiles by their length",
    "friction.tile_tile": "friction between tiles",
    "friction.tile_table": "friction with the table",
    "push.height_frac": "height of the push by that of the tile",
    "push.speed/sqrt(g h)": "speed of the push by sqrt(g h)",
    "push.stroke/thickness": "stroke by the thickness of the tile",
    "push.tip_radius/thickness": "radius of the tip by the thickness of the tile",
    "push.touch_speed/speed": "speed at the touch by the speed of the push",
    "push.hold*sqrt(g/h)": "stop of the push before its way back, times sqrt(g / h)",
    "spread.xy/length": "sigma of a place by the length of the tile",
    "spread.heading_deg": "sigma of a heading in degrees",
    "spread.friction": "sigma of a friction as a share of it",
    "spread.push_speed": "sigma of the push speed as a share of it",
    "row.gap/height": "mean gap by the height of the tile before it",
    "row.turn_deg": "mean turn from tile to tile in degrees",
    "row.offset/width": "largest offset of a tile by the width of the one before it",
}


def traits(
    chain: Chain, push: Push, friction: Friction, spread: Spread, *, widest_gap: float = 1.0
) -> dict[str, float]:
    """Describe a row in dimensionless numbers.

    A steady push has the same speed at the touch as anywhere and turns back at once, so its
    stand-off and its hold do not count. A gap counts as one height where it is wider or the next
    tile is missed, because no fall crosses those whatever the fit says.

    Args:
        chain: the row.
        push: how it is pushed.
        friction: between tiles and with the table.
        spread: how far the real row may be from this one.
        widest_gap: how many heights a gap counts as at most.
    """
    sigma_mm = max(t.sigma_mm or spread.xy_mm for t in chain.tiles)
    sigma_rad = max(t.sigma_rad or spread.heading_rad for t in chain.tiles)
    spec = chain.tiles[0].spec
    first = chain.tiles[0].height_mm
    smooth = push.path is Path.SMOOTH
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
        "push.smooth": float(smooth),
        "push.touch_speed/speed": smooth_speed(push.touch_s / push.out_s) if smooth else 1.0,
        "push.hold*sqrt(g/h)": push.hold_s * math.sqrt(GRAVITY_MM_S2 / first) if smooth else 0.0,
        "spread.xy/length": sigma_mm / spec.length_mm,
        "spread.heading_deg": math.degrees(sigma_rad),
        "spread.friction": spread.friction,
        "spread.push_speed": spread.push_speed,
        **_of_joints(chain, widest_gap),
    }


def _of_joints(chain: Chain, widest_gap: float) -> dict[str, float]:
    """Describe the joints of a row; a single tile has none."""
    if len(chain.tiles) < 2:
        return {}
    copies = copies_of(chain)
    near = joints_of(copies)
    gap = np.where(near.missed[0], 1.0, near.gap_mm[0] / copies.height_mm[:-1])
    aside = np.abs(near.offset_mm[0]) / copies.face_mm[:-1]
    return {
        "row.gap/height": float(np.clip(gap, 0.0, widest_gap).mean()),
        "row.turn_deg": math.degrees(np.abs(near.turn_rad[0]).mean()),
        "row.offset/width": float(aside.max()),
    }


def strange(
    seen: Mapping[str, tuple[float, float]],
    chain: Chain,
    push: Push,
    friction: Friction,
    spread: Spread,
) -> tuple[str, ...]:
    """Say in which respects a row lies outside of what was seen, and how wide its gaps are."""
    row = chain, push, friction, spread
    found = traits(*row)
    if not outside(found, seen):
        return ()
    return outside(found, seen, traits(*row, widest_gap=math.inf))


def outside(
    found: Mapping[str, float],
    seen: Mapping[str, tuple[float, float]],
    shown: Mapping[str, float] | None = None,
) -> tuple[str, ...]:
    """Say which traits lie outside of what was seen, in words and numbers.

    Coefficients that do not mention paths were fitted on steady pushes.

    Args:
        found: the traits of a row.
        seen: the least and the most of each trait in the rows of the fit.
        shown: the numbers to tell; the traits themselves unless given.

    >>> outside({"tiles": 30.0}, {"tiles": (1.0, 11.0)})
    ('number of tiles: 30 (fitted on 1 to 11)',)
    """
    return tuple(
        _in_words(name, (shown or found)[name], low, high)
        for name, (low, high) in {"push.smooth": _STEADY, **seen}.items()
        if not low - _MARGIN * abs(low) <= found.get(name, low) <= high + _MARGIN * abs(high)
    )


def _in_words(name: str, value: float, low: float, high: float) -> str:
    if name == "push.smooth":
        one, other = ("smooth", "steady") if value else ("steady", "smooth")
        return f"path of the push: {one} (fitted on {other} ones)"
    return f"{_WORDS.get(name, name)}: {value:.3g} (fitted on {low:.3g} to {high:.3g})"
