"""Whether a row lies outside the range that the model was fitted on."""

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
    "width/length": "tile width / tile length",
    "thickness/length": "tile thickness / tile length",
    "friction.tile_tile": "friction between tiles",
    "friction.tile_table": "friction between tile and table",
    "push.height_frac": "push height / tile height",
    "push.speed/sqrt(g h)": "push speed / sqrt(g * tile height)",
    "push.stroke/thickness": "push stroke / tile thickness",
    "push.tip_radius/thickness": "tip radius / tile thickness",
    "push.touch_speed/speed": "push speed at the touch / top push speed",
    "push.hold*sqrt(g/h)": "pause before the arm goes back * sqrt(g / tile height)",
    "spread.xy/length": "sigma of a tile's position / tile length",
    "spread.heading_deg": "sigma of a tile's heading, degrees",
    "spread.friction": "relative sigma of friction",
    "spread.push_speed": "relative sigma of push speed",
    "row.gap/height": "mean gap / height of the tile before it",
    "row.turn_deg": "mean turn between neighbours, degrees",
    "row.offset/width": "largest sideways offset / width of the tile before it",
}


def traits(
    chain: Chain, push: Push, friction: Friction, spread: Spread, *, widest_gap: float = 1.0
) -> dict[str, float]:
    """Describe a row in dimensionless numbers.

    A steady push has one speed all along and turns back at once, so its stand-off and its hold do
    not matter. No fall gets across a gap wider than one tile height, or to a tile that the falling
    one misses, whatever the fit says; so such gaps count as one height, unless told otherwise.

    Args:
        chain: the row.
        push: how it is pushed.
        friction: between tiles and with the table.
        spread: how far the real row may be from this one.
        widest_gap: the most that a gap counts as, in tile heights; to a missed tile it counts as 1.
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
    """Say in which traits a row lies outside the fitted range; gaps are told at full width."""
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
    """Say which traits lie outside the fitted range, in words and numbers.

    If `seen` says nothing of the path of the push, the fit was made on steady pushes alone.

    Args:
        found: the traits of a row.
        seen: smallest and largest value of each trait among the rows of the fit.
        shown: the values to print, if not those of `found`.

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
        return f"path of the push: {one} (fitted on {other} pushes)"
    return f"{_WORDS.get(name, name)}: {value:.3g} (fitted on {low:.3g} to {high:.3g})"
