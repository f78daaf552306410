"""Plan geometry of joints: how the footprint of one tile meets the sweep of the tile before it.

Everything here works on arrays, so that all joints of many disturbed copies of a row are one call.
The README of this folder has a drawing.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from physics.row.chain import Chain

Reals = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Copies:
    """Copies of one row, each with poses of its own, shape (copies, tiles); sizes may be (tiles,).

    Headings are directions of fall: each tile's normal that points down the chain.
    """

    x_mm: Reals
    y_mm: Reals
    heading_rad: Reals
    height_mm: Reals
    face_mm: Reals
    thickness_mm: Reals


@dataclass(frozen=True, slots=True)
class Joints:
    """The joints between tiles `skip` places apart; arrays of shape (copies, tiles - skip).

    Attributes:
        gap_mm: distance from the front face of the first tile to the nearest point of the next
            one within the strip that the first sweeps; infinite if no part of it lies there.
        turn_rad: how far the next heading is turned, counter-clockwise.
        overlap_mm: width of the strip that the next tile covers, 0 for a miss.
        middle_mm: middle of the covered width, left of the first tile's axis.
        touch_mm: where the two first touch, left of the first tile's axis.
        struck_mm: where they first touch, left of the next tile's axis.
        struck_middle_mm: the middle of the covered width, left of the next tile's axis.
        offset_mm: centre of the next tile, left of the first one's axis.
        ahead_mm: centre of the next tile, along the first one's axis.
        by_corner: a corner of the next tile meets the first one's face; otherwise the edge of the
            first meets the face of the next.
        aside_mm: clear distance of the next tile from the strip, negative where it reaches into it.
        missed: nothing of the next tile lies in the strip.
    """

    gap_mm: Reals
    turn_rad: Reals
    overlap_mm: Reals
    middle_mm: Reals
    touch_mm: Reals
    struck_mm: Reals
    struck_middle_mm: Reals
    offset_mm: Reals
    ahead_mm: Reals
    by_corner: Bools
    aside_mm: Reals
    missed: Bools


def copies_of(chain: Chain) -> Copies:
    """Return the row itself as its only copy."""
    tiles = chain.tiles
    x, y, heading = (
        np.array([[getattr(t.pose, name) for t in tiles]])
        for name in ("x_mm", "y_mm", "heading_rad")
    )
    return Copies(
        x,
        y,
        down_the_chain(x, y, heading),
        np.array([t.height_mm for t in tiles]),
        np.array([t.footprint.width_mm for t in tiles]),
        np.array([t.footprint.depth_mm for t in tiles]),
    )


def down_the_chain(x_mm: Reals, y_mm: Reals, heading_rad: Reals) -> Reals:
    """Choose for every normal the sense that points down the chain.

    >>> down_the_chain(np.array([[0.0, 9.0]]), np.zeros((1, 2)), np.array([[3.0, 0.1]])).round(2)
    array([[-0.14,  0.1 ]])
    """
    heading = heading_rad.copy()
    if heading.shape[1] < 2:
        return heading
    way = np.arctan2(y_mm[:, 1] - y_mm[:, 0], x_mm[:, 1] - x_mm[:, 0])
    for i in range(heading.shape[1]):
        against = np.cos(heading[:, i] - way) < 0
        heading[:, i] = np.where(against, heading[:, i] + np.pi, heading[:, i])
        way = heading[:, i]
    return np.arctan2(np.sin(heading), np.cos(heading))


def joints_of(copies: Copies, skip: int = 1) -> Joints:
    """Work out every joint between tiles `skip` places apart.

    The footprint of the next tile is clipped to the strip that the first one sweeps when it falls.
    The nearest point, width and middle are those of the clipped footprint.
    """
    n = copies.x_mm.shape[1]
    first, second = slice(0, max(n - skip, 0)), slice(skip, n)
    c, s = np.cos(copies.heading_rad[:, first]), np.sin(copies.heading_rad[:, first])
    dx = copies.x_mm[:, second] - copies.x_mm[:, first]
    dy = copies.y_mm[:, second] - copies.y_mm[:, first]
    ahead, offset = dx * c + dy * s, dy * c - dx * s
    turn = copies.heading_rad[:, second] - copies.heading_rad[:, first]
    turn = np.arctan2(np.sin(turn), np.cos(turn))
    ct, st = np.cos(turn)[..., None], np.sin(turn)[..., None]
    along = copies.thickness_mm[..., second, None] / 2 * np.array([1.0, 1.0, -1.0, -1.0])
    across = copies.face_mm[..., second, None] / 2 * np.array([-1.0, 1.0, 1.0, -1.0])
    px = ahead[..., None] + along * ct - across * st
    py = offset[..., None] + along * st + across * ct
    half = np.broadcast_to(copies.face_mm[..., first] / 2, ahead.shape)
    x, y = _clip(px, py, half[..., None])
    best = np.argmin(x, axis=-1)[..., None]
    near = np.take_along_axis(x, best, -1)[..., 0]
    touch = np.take_along_axis(y, best, -1)[..., 0]
    low = np.maximum(py.min(-1), -half)
    high = np.minimum(py.max(-1), half)
    overlap = np.maximum(high - low, 0.0)
    missed = ~np.isfinite(near)
    middle = (low + high) / 2
    touch = np.where(missed, np.clip(offset, -half, half), touch)
    at = np.where(missed, ahead, near)
    ct, st = ct[..., 0], st[..., 0]
    struck = (touch - offset) * ct - (at - ahead) * st
    struck_middle = np.where(ct > 0.05, (middle - offset) / np.maximum(ct, 0.05), struck)
    reach = copies.face_mm[..., second] / 2
    return Joints(
        gap_mm=near - copies.thickness_mm[..., first] / 2,
        turn_rad=turn,
        overlap_mm=np.where(missed, 0.0, overlap),
        middle_mm=middle,
        touch_mm=touch,
        struck_mm=struck,
        struck_middle_mm=np.clip(struck_middle, -reach, reach),
        offset_mm=offset,
        ahead_mm=ahead,
        by_corner=best[..., 0] < 4,
        aside_mm=np.maximum(py.min(-1) - half, -half - py.max(-1)),
        missed=missed,
    )


def _clip(px: Reals, py: Reals, half: Reals) -> tuple[Reals, Reals]:
    """Clip footprints to strips: give corners, original ones first; x is infinite for void ones.

    Args:
        px: corners along the strip, shape (..., 4), in order round the footprint.
        py: corners across it.
        half: half the width of the strip, shape (..., 1).
    """
    qx, qy = np.roll(px, -1, -1), np.roll(py, -1, -1)
    xs = [np.where(np.abs(py) <= half, px, np.inf)]
    ys = [py]
    rise = qy - py
    safe = np.where(np.abs(rise) < 1e-12, 1.0, rise)
    for edge in (half, -half):
        share = (edge - py) / safe
        cut = (np.abs(rise) >= 1e-12) & (share >= 0) & (share <= 1)
        xs.append(np.where(cut, px + share * (qx - px), np.inf))
        ys.append(np.broadcast_to(edge, px.shape))
    return np.concatenate(xs, -1), np.concatenate(ys, -1)
