"""Draws a hand that reaches over the table: an arm of round limbs, lit by the lamp."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image
from vision.geometry.camera_pose import CameraPose, project
from vision.geometry.lens import Intrinsics
from vision.render.scene import RENDER, Lamp
from vision.render.tabletop import lamp_share

SKINS = ((112, 146, 198), (94, 128, 184), (66, 94, 142), (44, 62, 96), (196, 178, 120))
"""Colours of hands, the last a glove."""
SLEEVES = ((96, 88, 84), (116, 70, 46), (44, 48, 118), (150, 150, 146))
SHRINK = 2
"""The hand is drawn at half size: it needs no fine detail."""


@dataclass(frozen=True, slots=True)
class Limb:
    """A round stick with round ends.

    Attributes:
        start: (away, aside, up) in mm from the fingertips, away towards the body.
        end: its other end.
        start_mm: radius there.
        end_mm: radius at the other end.
        sleeve: whether it is clothed.
    """

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    start_mm: float
    end_mm: float
    sleeve: bool = False


def _limbs() -> list[Limb]:
    limbs = []
    for i, reach in enumerate((6.0, 0.0, 3.0, 14.0)):
        aside = (i - 1.5) * 15.0
        tip = (reach, aside * 0.45, 46.0)
        bend = (34.0 + reach, aside * 0.8, 74.0)
        limbs.append(Limb(tip, bend, 7.2, 8.6))
        limbs.append(Limb(bend, (86.0, aside * 1.05, 78.0), 8.6, 11.0))
        limbs.append(Limb((86.0, aside * 1.05, 76.0), (150.0, aside * 0.6, 80.0), 13.0, 15.0))
    limbs.append(Limb((8.0, -24.0, 46.0), (46.0, -40.0, 68.0), 8.2, 10.0))
    limbs.append(Limb((46.0, -40.0, 68.0), (112.0, -26.0, 76.0), 10.0, 15.0))
    limbs.append(Limb((132.0, 0.0, 82.0), (220.0, 0.0, 92.0), 25.0, 27.0))
    limbs.append(Limb((205.0, 0.0, 92.0), (900.0, 0.0, 150.0), 36.0, 50.0, sleeve=True))
    return limbs


LIMBS = _limbs()


def draw_hand(
    image: Image,
    at_mm: tuple[float, float],
    seed: int,
    lamp: Lamp,
    pose: CameraPose,
    intrinsics: Intrinsics,
) -> None:
    """Draw a hand and its shadow over an image, in place.

    Args:
        image: BGR.
        at_mm: table x and y of the fingertips.
        seed: whose hand it is.
        lamp: what lights it.
        pose: where the camera is.
        intrinsics: its lens.
    """
    rng = np.random.default_rng([seed, 71])
    skin = np.array(SKINS[rng.integers(len(SKINS))], np.float32)
    sleeve = np.array(SLEEVES[rng.integers(len(SLEEVES))], np.float32)
    way = _way_out(at_mm) + rng.uniform(-0.3, 0.3)
    small = (-(-image.shape[0] // SHRINK), -(-image.shape[1] // SHRINK))
    tone = np.zeros((*small, 3), np.float32)
    cover = np.zeros(small, np.float32)
    depth = np.full(small, np.inf, np.float32)
    shadow = np.zeros(small, np.uint8)
    for limb in LIMBS:
        ends = _placed(limb, at_mm, way)
        _cast(shadow, ends, limb, lamp, pose, intrinsics)
        colour = sleeve if limb.sleeve else skin
        _shade(tone, cover, depth, ends, limb, colour, lamp, pose, intrinsics)
    size = (image.shape[1], image.shape[0])
    dark = cv2.GaussianBlur(shadow, (0, 0), 9.0).astype(np.float32) / 255
    light = (1 - 0.8 * lamp_share(lamp) * dark) ** (1 / RENDER.gamma)
    rows = np.nonzero((dark > 0).any(axis=1) | (cover > 0).any(axis=1))[0]
    if len(rows) == 0:
        return
    first, last = int(rows[0]) * SHRINK, min(size[1], (int(rows[-1]) + 1) * SHRINK)
    part = image[first:last]
    keep = (light * (1 - cover))[..., None]
    laid = np.concatenate([tone * cover[..., None], keep], axis=2)
    laid = cv2.resize(laid, (small[1] * SHRINK, small[0] * SHRINK))[first:last, : size[0]]
    part[:] = np.clip(part * laid[..., 3:] + laid[..., :3], 0, 255)


def _way_out(at_mm: tuple[float, float]) -> float:
    """Direction in which the arm leaves the table: the nearest edge, seats all round."""
    x, y = at_mm
    ways = {
        -math.pi / 2: y,
        math.pi: x + 70.0,
        0.0: 670.0 - x,
        math.pi / 2: 520.0 - y,
    }
    return min(ways, key=lambda way: ways[way])


def _placed(limb: Limb, at_mm: tuple[float, float], way: float) -> Floats:
    c, s = math.cos(way), math.sin(way)
    return np.array(
        [
            (at_mm[0] + away * c - aside * s, at_mm[1] + away * s + aside * c, up)
            for away, aside, up in (limb.start, limb.end)
        ]
    )


def _cast(
    shadow: Image, ends: Floats, limb: Limb, lamp: Lamp, pose: CameraPose, intrinsics: Intrinsics
) -> None:
    reach = lamp.z_mm / (lamp.z_mm - ends[:, 2])
    spots = lamp.place_mm + (ends - lamp.place_mm) * reach[:, None]
    middle = project(spots, pose, intrinsics) / SHRINK
    scale = _scale(spots, pose, intrinsics) * reach / SHRINK
    radii = (limb.start_mm * scale[0], limb.end_mm * scale[1])
    outline = cv2.convexHull(
        np.concatenate([_ring(m, r) for m, r in zip(middle, radii, strict=True)])
    )
    cv2.fillConvexPoly(shadow, np.round(outline).astype(np.int32), 255)


def _ring(middle: Floats, radius: float) -> NDArray[np.float32]:
    turn = np.linspace(0, math.tau, 16, endpoint=False)
    ring = middle + radius * np.column_stack([np.cos(turn), np.sin(turn)])
    return np.asarray(ring, np.float32)


def _scale(points: Floats, pose: CameraPose, intrinsics: Intrinsics) -> Floats:
    """Pixels per millimetre at points, shape (n,)."""
    deep = points @ pose.rotation[2] + pose.translation_mm[2]
    return np.asarray(intrinsics.matrix[0, 0] / deep)


def _shade(
    tone: NDArray[np.float32],
    cover: NDArray[np.float32],
    depth: NDArray[np.float32],
    ends: Floats,
    limb: Limb,
    colour: NDArray[np.float32],
    lamp: Lamp,
    pose: CameraPose,
    intrinsics: Intrinsics,
) -> None:
    """Draw one limb where it is nearer than what is drawn already."""
    seen = project(ends, pose, intrinsics) / SHRINK
    scale = _scale(ends, pose, intrinsics) / SHRINK
    radii = np.array([limb.start_mm, limb.end_mm]) * scale
    low = np.floor((seen - radii[:, None]).min(axis=0)).astype(int) - 1
    high = np.ceil((seen + radii[:, None]).max(axis=0)).astype(int) + 2
    low = np.clip(low, 0, (tone.shape[1], tone.shape[0]))
    high = np.clip(high, 0, (tone.shape[1], tone.shape[0]))
    if (high <= low).any():
        return
    x = (np.arange(low[0], high[0]) - seen[0, 0]).astype(np.float32)[None, :]
    y = (np.arange(low[1], high[1]) - seen[0, 1]).astype(np.float32)[:, None]
    axis = (seen[1] - seen[0]).astype(np.float32)
    square = float(axis @ axis) or 1.0
    along = np.clip((x * axis[0] + y * axis[1]) / square, 0, 1)
    radius = radii[0] + along * (radii[1] - radii[0])
    dx, dy = (x - along * axis[0]) / radius, (y - along * axis[1]) / radius
    off = np.sqrt(dx * dx + dy * dy)
    rise = np.sqrt(np.clip(1 - off * off, 0, 1))
    deep = ends @ pose.rotation[2] + pose.translation_mm[2]
    front = deep[0] + along * (deep[1] - deep[0]) - rise * (radius / scale[0])
    way = pose.rotation @ (lamp.place_mm - ends.mean(axis=0))
    way = way / np.linalg.norm(way)
    lit = lamp.power * np.clip(dx * way[0] + dy * way[1] - rise * way[2], 0, 1)
    bright = (RENDER.ambient_share * (0.55 + 0.45 * rise) + (1 - RENDER.ambient_share) * lit) ** (
        1 / RENDER.gamma
    )
    box = (slice(low[1], high[1]), slice(low[0], high[0]))
    edge = np.clip((1 - off) * radius + 0.5, 0, 1).astype(np.float32)
    nearer = (off <= 1 + 0.5 / radius) & (front < depth[box])
    tone[box][nearer] = (bright[..., None] * colour)[nearer]
    depth[box][nearer] = front[nearer]
    cover[box] = np.maximum(cover[box], edge)
