"""Draws the soft shadows that tiles throw on the table and on each other."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.row.tile import apart_mm
from vision.arrays import Floats, Image
from vision.geometry.camera_pose import CameraPose, project
from vision.geometry.lens import Intrinsics
from vision.render.scene import RENDER, Lamp, Solid
from vision.render.tabletop import lamp_share

Light = NDArray[np.float32]

SHRINK = 2
"""Shadows on the table are drawn at half size: they are soft."""


def draw_shadows(
    image: Image, solids: Sequence[Solid], lamp: Lamp, pose: CameraPose, intrinsics: Intrinsics
) -> None:
    """Darken the table where the tiles keep the lamp's light from it, in place."""
    bodies = [solid.corners_mm() for solid in solids]
    thrown = [
        [_thrown(body, spot) for body in bodies] for spot in _spots(lamp, RENDER.table_lamp_spots)
    ]
    seen = project(np.concatenate([h for hulls in thrown for h in hulls]), pose, intrinsics)
    room = RENDER.shadow_room_px
    left, top = (max(0, int(v)) for v in np.floor(seen.min(axis=0)) - room)
    right = min(image.shape[1], math.ceil(seen[:, 0].max()) + room)
    bottom = min(image.shape[0], math.ceil(seen[:, 1].max()) + room)
    if right <= left or bottom <= top:
        return
    shape = (-(-(bottom - top) // SHRINK), -(-(right - left) // SHRINK))

    def cover(hulls: Sequence[Floats]) -> Light:
        spots = [(project(hull, pose, intrinsics) - (left, top)) / SHRINK for hull in hulls]
        return _filled(spots, shape)

    dark = sum((cover(hulls) for hulls in thrown), np.zeros(shape, np.float32)) / len(thrown)
    touch = cover([_ground(body) for body in bodies])
    light = (1 - lamp_share(lamp) * cv2.GaussianBlur(dark, (0, 0), RENDER.shadow_blur_px)) * (
        1 - RENDER.touch_share * cv2.GaussianBlur(touch, (0, 0), RENDER.touch_blur_px)
    )
    gain = cv2.resize(light.astype(np.float32) ** (1 / RENDER.gamma), None, fx=SHRINK, fy=SHRINK)
    part = image[top:bottom, left:right]
    part[:] = part * gain[: bottom - top, : right - left, None]


def shade_top(
    patch: Image,
    solid: Solid,
    others: Sequence[Solid],
    lamp: Lamp,
    pose: CameraPose,
    intrinsics: Intrinsics,
    origin: tuple[int, int],
) -> None:
    """Darken the upper face of an upright tile where higher ones keep the lamp from it, in place.

    Args:
        patch: the drawn tile, colours first.
        solid: the tile.
        others: all tiles, itself among them or not.
        lamp: whose light they keep off.
        pose: where the camera is.
        intrinsics: its lens.
        origin: column and row of the patch's first pixel in the image.
    """
    level = solid.size_mm[2]
    bodies = [
        other.corners_mm()
        for other in others
        if other is not solid and apart_mm(solid.tile, other.tile) < RENDER.shadow_reach_mm
    ]
    higher = [body for body in bodies if body[:, 2].max() > level + 1.0]
    if not higher or solid.tilt_rad != 0.0:
        return

    def cover(hulls: Sequence[Floats]) -> Light:
        spots = [project(hull, pose, intrinsics) - origin for hull in hulls]
        return _filled(spots, (patch.shape[0], patch.shape[1]))

    spots_mm = _spots(lamp, RENDER.tile_lamp_spots)
    dark = np.zeros(patch.shape[:2], np.float32)
    for spot in spots_mm:
        dark += cover([_thrown(body, spot, level) for body in higher]) / len(spots_mm)
    dark *= cover([solid.corners_mm()[4:]])
    patch[..., :3] = (
        patch[..., :3] * ((1 - lamp_share(lamp) * dark) ** (1 / RENDER.gamma))[..., None]
    )


def _filled(hulls: Sequence[Floats], shape: tuple[int, int]) -> Light:
    """How much of each pixel the hulls of points cover, 0..1."""
    mask = np.zeros(shape, np.uint8)
    for spots in hulls:
        outline = cv2.convexHull(spots.astype(np.float32)).reshape(-1, 2)
        fine = np.round(outline * (1 << RENDER.fine_bits)).astype(np.int32)
        cv2.fillConvexPoly(mask, fine, 255, cv2.LINE_AA, RENDER.fine_bits)
    return np.asarray(mask / 255, np.float32)


def _spots(lamp: Lamp, count: int) -> list[Floats]:
    """Points spread over the shining disc of the lamp."""
    turns = np.arange(count) * RENDER.lamp_spot_turn_rad
    radii = RENDER.lamp_radius_mm * np.sqrt((np.arange(count) + 0.5) / count)
    return [
        lamp.place_mm + np.array([r * math.cos(a), r * math.sin(a), 0.0])
        for r, a in zip(radii, turns, strict=True)
    ]


def _thrown(body: Floats, spot: Floats, level_mm: float = 0.0) -> Floats:
    """Where a spot that shines throws the corners of a body on the table or a level above it."""
    above = np.maximum(body, (-np.inf, -np.inf, level_mm))
    reach = (spot[2] - level_mm) / (spot[2] - above[:, 2])
    thrown = spot + (above - spot) * reach[:, None]
    thrown[:, 2] = level_mm
    return np.asarray(thrown)


def _ground(body: Floats) -> Floats:
    """The ground close under and round a body, where little light comes in."""
    low = body[np.argsort(body[:, 2])[:4]].copy()
    low[:, 2] = 0.0
    centre = low.mean(axis=0)
    return np.asarray(centre + (low - centre) * RENDER.touch_spread)
