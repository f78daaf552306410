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


@dataclass(frozen=True, slots=True)
class Corrections:
    """How the plan geometry changes the boxes of the side view.

    Attributes:
        gap_power: the gap is divided by cos(turn) to this power.
        gear_corner: where a corner meets the face, the load is divided by cos(turn) to this power.
        gear_edge: the same where an edge of the falling tile meets the next face.
        yaw: how strongly an off-centre hit raises the struck tile's inertia.
        yaw_tilt: the inertia is normal again past this many balance angles,
        yaw_time: or this long after the hit, in units of sqrt(height / g).
    """

    gap_power: float = 0.3
    gear_corner: float = 1.8
    gear_edge: float = 0.3
    yaw: float = 3.0
    yaw_tilt: float = 1.6
    yaw_time: float = 2.1


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
    h, w, t = copies.height_mm, copies.face_mm, copies.thickness_mm
    cos = np.clip(np.cos(near.turn_rad), 0.15, 1.0)
    linked = ~near.missed & (near.gap_mm < h[..., :-1])
    aside = np.clip(near.ahead_mm - (t[..., :-1] + t[..., 1:]) / 2, 0.0, None)
    gap = np.where(near.missed, aside, np.clip(near.gap_mm, 0.0, None)) / cos**corrections.gap_power
    gear = np.where(near.by_corner, corrections.gear_corner, corrections.gear_edge)
    edge = np.clip(np.abs(near.turn_rad) / math.radians(6.0), 0.0, 1.0)
    struck = near.struck_middle_mm + edge * (near.struck_mm - near.struck_middle_mm)
    c_yaw = corrections.yaw * 12.0 * struck**2 / (w[..., 1:] ** 2 + t[..., 1:] ** 2)
    c_tip = 3.0 * h[..., :-1] ** 2 / (h[..., :-1] ** 2 + t[..., :-1] ** 2)
    return SideView(
        height_mm=np.broadcast_to(h, copies.x_mm.shape),
        thickness_mm=np.broadcast_to(t, copies.x_mm.shape),
        gap_mm=gap,
        linked=linked,
        skipping=~far.missed & (far.gap_mm < h[..., : max(h.shape[-1] - 2, 0)]),
        load=cos**-gear,
        yaw=1.0 + np.where(near.missed, 0.0, c_yaw) / c_tip,
    )
