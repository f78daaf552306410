"""The row unfolded onto a line, as the side view sees it.

Boxes keep their true heights and stand at the clear distances that the plan geometry gives. Effects
outside that plane become properties of the boxes: a turned joint raises the load behind it, an
off-centre hit raises the inertia of the struck tile.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from physics.fall.joint import Bools, Copies, Joints, Reals

GRAVITY_MM_S2: Final = 9810.0
_SHORTER: Final = 0.8
"""A tile counts as lower than another from this share of its height down: of the two ways in which
a tile of two to one can stand, not of sizes that are nearly alike."""


@dataclass(frozen=True, slots=True)
class Corrections:
    """How the plan geometry changes the boxes of the side view.

    The numbers were chosen on 5,000 drawn rows with one run each; `tests/bench/RESULTS.md` has the
    share of each.

    Attributes:
        gap_power: the gap is divided by cos(turn) to this power, up to half as much more where it
            is as wide as the tile is high.
        slant: the gap of a turned joint is wider by this share of the slanting covered width, less
            where the hit is low.
        gear_corner: where a corner meets the face, the load is divided by cos(turn) to this power.
        gear_edge: the same where an edge of the falling tile meets the next face.
        yaw: how strongly an off-centre hit raises the struck tile's inertia, where the gap is
            narrow,
        yaw_gap: and by what share more where it is as wide as the falling tile is high.
        yaw_falling: the same for a hit off the centre of the falling tile, which it turns too.
        yaw_shorter: factor on both where the struck tile is lower,
        yaw_taller: and where it is higher.
        yaw_low: gaps by the height between which both fade: so low a hit kicks the foot away.
        yaw_tilt: the inertia is normal again past this many balance angles,
        yaw_time: or this long after the hit, in units of sqrt(height / g).
    """

    gap_power: float = 0.15
    slant: float = 0.2
    gear_corner: float = 1.3
    gear_edge: float = 0.3
    yaw: float = 2.4
    yaw_gap: float = 0.7
    yaw_falling: float = 0.6
    yaw_shorter: float = 0.8375
    yaw_taller: float = 0.835
    yaw_low: tuple[float, float] = (0.75, 0.95)
    yaw_tilt: float = 1.6
    yaw_time: float = 1.9


USUAL: Final = Corrections()


@dataclass(frozen=True, slots=True)
class SideView:
    """Copies of a row unfolded onto a line; lengths in mm.

    Attributes:
        height_mm, thickness_mm: of each tile, shape (copies, tiles).
        gap_mm: between neighbours, shape (copies, tiles - 1).
        linked: whether neighbours meet at all, shape (copies, tiles - 1).
        skipping: whether tiles two places apart can meet, shape (copies, tiles - 2).
        load: factor on the mass of the tile after each joint, shape (copies, tiles - 1).
        yaw: factor on the inertia of the tile after each joint, shape (copies, tiles - 1).
    """

    height_mm: Reals
    thickness_mm: Reals
    gap_mm: Reals
    linked: Bools
    skipping: Bools
    load: Reals
    yaw: Reals


def side_view(
    copies: Copies, near: Joints, far: Joints, corrections: Corrections = USUAL
) -> SideView:
    """Unfold copies of a row.

    Args:
        copies: the poses.
        near: joints between neighbours.
        far: joints between tiles two places apart.
        corrections: how strongly each effect outside the plane counts.
    """
    h, w, t = (
        np.broadcast_to(a, copies.x_mm.shape)
        for a in (copies.height_mm, copies.face_mm, copies.thickness_mm)
    )
    cos = np.clip(np.cos(near.turn_rad), 0.15, 1.0)
    linked = ~near.missed & (near.gap_mm < h[:, :-1])
    aside = np.clip(near.ahead_mm - (t[:, :-1] + t[:, 1:]) / 2, 0.0, None)
    clear = np.where(near.missed, aside, np.clip(near.gap_mm, 0.0, None))
    reach = np.clip(clear / h[:, :-1], 0.0, 1.0)
    slanting = near.overlap_mm * np.abs(np.sin(near.turn_rad)) / 2
    gap = clear / cos ** (corrections.gap_power * (1.0 + reach**2 / 2))
    gap += corrections.slant * np.where(near.missed, 0.0, slanting) * (1.0 - reach**2)
    gear = np.where(near.by_corner, corrections.gear_corner, corrections.gear_edge)
    return SideView(
        height_mm=h,
        thickness_mm=t,
        gap_mm=gap,
        linked=linked,
        skipping=~far.missed & (far.gap_mm < h[:, : max(h.shape[1] - 2, 0)]),
        load=cos**-gear,
        yaw=_yaw(near, h, w, t, reach, corrections),
    )


def _yaw(
    near: Joints, h: Reals, w: Reals, t: Reals, reach: Reals, corrections: Corrections
) -> Reals:
    """Return the factor on the inertia of each struck tile.

    Nearly parallel faces meet along a line: there the middle of the covered width counts.
    """
    h_a, h_b = h[:, :-1], h[:, 1:]
    edge = np.clip(np.abs(near.turn_rad) / math.radians(6.0), 0.0, 1.0)
    struck = near.struck_middle_mm + edge * (near.struck_mm - near.struck_middle_mm)
    touch = near.middle_mm + edge * (near.touch_mm - near.middle_mm)
    strength = corrections.yaw * (1.0 + corrections.yaw_gap * reach)
    turning = strength * 12.0 * struck**2 / (w[:, 1:] ** 2 + t[:, 1:] ** 2)
    turning += corrections.yaw_falling * 12.0 * touch**2 / (w[:, :-1] ** 2 + t[:, :-1] ** 2)
    low, lowest = corrections.yaw_low
    turning *= 1.0 - np.clip((reach - low) / (lowest - low), 0.0, 1.0)
    turning *= np.where(
        h_b < _SHORTER * h_a,
        corrections.yaw_shorter,
        np.where(h_b > h_a / _SHORTER, corrections.yaw_taller, 1.0),
    )
    tipping = 3.0 * h_a**2 / (h_a**2 + t[:, :-1] ** 2)
    factor: Reals = 1.0 + np.where(near.missed, 0.0, turning) / tipping
    return factor
