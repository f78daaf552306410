"""Put together where a tile stands: by the mark on top, the mark on its wall, its base edge.

The mark on top is only as well placed as the hand that placed it. The narrow wall tells the place
along the foot of the tile, and the broad wall the place across it. Each has its own sigma, and all
are weighed by these. What contradicts the mark on top is left out.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from physics.row.pose import Pose, half_turn
from physics.row.tile import Tile
from vision.arrays import Gray, Image
from vision.geometry.boxes import body_of
from vision.geometry.camera_pose import View
from vision.marks.base_edge import Foot, feet
from vision.marks.side_mark import Shift, along_foot
from vision.marks.sticker import MarkSet
from vision.tuning.marks import FuseTuning
from vision.tuning.tuning import TUNING, Tuning


def settle(
    gray: Gray,
    view: View,
    tiles: Sequence[Tile],
    marks: MarkSet,
    hand_mm: float,
    others: Sequence[Tile] = (),
    image: Image | None = None,
    tuning: Tuning = TUNING,
) -> tuple[Tile, ...]:
    """Move standing tiles to where their walls and feet are seen as well as their marks.

    Args:
        gray: the image.
        view: the camera.
        tiles: standing tiles as the marks on their upper edges tell them.
        marks: the words and geometry of the marks.
        hand_mm: how well stickers are placed by hand, one sigma.
        others: tiles that may stand in front of them.
        image: the same image in colour, BGR; None where there is none.
        tuning: see `Tuning`.

    Returns:
        The same tiles in the same order, with what they are uncertain by now.
    """
    bodies = [body_of(tile) for tile in (*tiles, *others)]
    found = feet(gray if image is None else image, view, tiles, bodies, tuning=tuning)
    walls = [along_foot(gray, view, tile, marks, hand_mm, tuning=tuning) for tile in tiles]
    return tuple(_weigh(*every, tuning.fuse) for every in zip(tiles, walls, found, strict=True))


def _weigh(tile: Tile, wall: Shift | None, foot: Foot | None, tuning: FuseTuning) -> Tile:
    left = _share(tile.sigma_mm, wall.mm, wall.sigma_mm, tuning) if wall else (0.0, tile.sigma_mm)
    ahead, turn = (0.0, tile.sigma_mm), (0.0, tile.sigma_rad)
    if foot:
        ahead = _share(tile.sigma_mm, foot.ahead_mm, foot.sigma_mm, tuning)
        turn = _share(tile.sigma_rad, foot.turn_rad, foot.sigma_rad, tuning)
    heading = tile.pose.heading_rad
    c, s = math.cos(heading), math.sin(heading)
    x_mm = tile.pose.x_mm + ahead[0] * c - left[0] * s
    y_mm = tile.pose.y_mm + ahead[0] * s + left[0] * c
    return replace(
        tile,
        pose=Pose(x_mm, y_mm, half_turn(heading + turn[0])),
        sigma_mm=math.hypot(left[1], ahead[1]) / math.sqrt(2),
        sigma_rad=turn[1],
    )


def _share(known: float, shift: float, sigma: float, tuning: FuseTuning) -> tuple[float, float]:
    """How far to follow what was known by one sigma and now is seen elsewhere; what is left."""
    both = math.hypot(known, sigma)
    if abs(shift) > tuning.most_sigmas * both:
        return 0.0, known
    return shift * (known / both) ** 2, known * sigma / both
