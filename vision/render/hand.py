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


@dataclass(frozen=True, slots=True)
class FingerPoint:
    """A place on every finger.

    Attributes:
        away_mm: how far from the foremost fingertip, towards the body.
        aside_share: how far aside, as a share of where the finger grows out of the hand.
        up_mm: above the table.
        radius_mm: of the finger there.
    """

    away_mm: float
    aside_share: float
    up_mm: float
    radius_mm: float


@dataclass(frozen=True, slots=True)
class HandStyle:
    """What a hand is made of and how it is lit; set by eye.

    A finger goes straight from its tip to where it is bent and from there to its knuckle; behind
    it is its part of the palm.
    """

    tips_mm: tuple[float, ...] = (6.0, 0.0, 3.0, 14.0)
    """How far behind the foremost fingertip each finger ends, mm ..."""
    fingers_apart_mm: float = 15.0
    """... and how far apart they are, mm."""
    tip: FingerPoint = FingerPoint(0.0, 0.45, 46.0, 7.2)
    bend: FingerPoint = FingerPoint(34.0, 0.8, 74.0, 8.6)
    knuckle: FingerPoint = FingerPoint(86.0, 1.05, 78.0, 11.0)
    palm: FingerPoint = FingerPoint(86.0, 1.05, 76.0, 13.0)
    palm_end: FingerPoint = FingerPoint(150.0, 0.6, 80.0, 15.0)
    thumb: tuple[Limb, Limb] = (
        Limb((8.0, -24.0, 46.0), (46.0, -40.0, 68.0), 8.2, 10.0),
        Limb((46.0, -40.0, 68.0), (112.0, -26.0, 76.0), 10.0, 15.0),
    )
    wrist: Limb = Limb((132.0, 0.0, 82.0), (220.0, 0.0, 92.0), 25.0, 27.0)
    arm: Limb = Limb((205.0, 0.0, 92.0), (900.0, 0.0, 150.0), 36.0, 50.0, sleeve=True)
    turn_rad: float = 0.3
    """By how much an arm may be turned to either side from straight over the edge, rad."""
    table_x_mm: tuple[float, float] = (-70.0, 670.0)
    """Where the table ends that people sit at, table x in mm ..."""
    table_y_mm: tuple[float, float] = (0.0, 520.0)
    """... and y."""
    shadow_blur_px: float = 9.0
    """One sigma of the softness of its shadow, px at half size ..."""
    shadow_share: float = 0.8
    """... and what that takes of the light of the lamp, as a share."""
    shadow_points: int = 16
    """At how many points the round end of a limb is outlined for it, count."""
    ambient_rise: tuple[float, float] = (0.55, 0.45)
    """Shares of the ambient light that a limb gets: at its rim, and how much more in its middle."""


HAND = HandStyle()


def _limbs() -> list[Limb]:
    limbs = []
    for i, reach in enumerate(HAND.tips_mm):
        aside = (i - (len(HAND.tips_mm) - 1) / 2) * HAND.fingers_apart_mm
        tip, bend, knuckle, palm, palm_end = (
            (point.away_mm, aside * point.aside_share, point.up_mm)
            for point in (HAND.tip, HAND.bend, HAND.knuckle, HAND.palm, HAND.palm_end)
        )
        tip, bend = ((x + reach, y, z) for x, y, z in (tip, bend))
        limbs.append(Limb(tip, bend, HAND.tip.radius_mm, HAND.bend.radius_mm))
        limbs.append(Limb(bend, knuckle, HAND.bend.radius_mm, HAND.knuckle.radius_mm))
        limbs.append(Limb(palm, palm_end, HAND.palm.radius_mm, HAND.palm_end.radius_mm))
    return [*limbs, *HAND.thumb, HAND.wrist, HAND.arm]


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
    way = _way_out(at_mm) + rng.uniform(-HAND.turn_rad, HAND.turn_rad)
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
    dark = cv2.GaussianBlur(shadow, (0, 0), HAND.shadow_blur_px)
    drawn = (dark > 0) | (cover > 0)
    rows, columns = (np.nonzero(drawn.any(axis=axis))[0] for axis in (1, 0))
    if len(rows) == 0:
        return
    # Work only where the hand or its shadow is, and one pixel more, which enlarging blends its rim
    # with. The rows of that pixel stay as they were: so frames come out as they always have.
    top, left = max(int(rows[0]) - 1, 0), max(int(columns[0]) - 1, 0)
    box = (slice(top, int(rows[-1]) + 2), slice(left, int(columns[-1]) + 2))
    tone, cover, dark = tone[box], cover[box], dark[box].astype(np.float32) / 255
    light = (1 - HAND.shadow_share * lamp_share(lamp) * dark) ** (1 / RENDER.gamma)
    size = (light.shape[1] * SHRINK, light.shape[0] * SHRINK)
    shown = slice((int(rows[0]) - top) * SHRINK, (int(rows[-1]) + 1 - top) * SHRINK)
    keep = cv2.resize(light * (1 - cover), size)[shown]
    tone = cv2.resize(tone * cover[..., None], size)[shown]
    part = image[int(rows[0]) * SHRINK :, left * SHRINK :][: keep.shape[0], : keep.shape[1]]
    keep, tone = keep[: part.shape[0], : part.shape[1]], tone[: part.shape[0], : part.shape[1]]
    # Many times quicker than broadcasting the one channel over three.
    part[:] = np.clip(part * cv2.merge((keep, keep, keep)) + tone, 0, 255)


def _way_out(at_mm: tuple[float, float]) -> float:
    """Direction in which the arm leaves the table: the nearest edge, seats all round."""
    x, y = at_mm
    ways = {
        -math.pi / 2: y - HAND.table_y_mm[0],
        math.pi: x - HAND.table_x_mm[0],
        0.0: HAND.table_x_mm[1] - x,
        math.pi / 2: HAND.table_y_mm[1] - y,
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
    turn = np.linspace(0, math.tau, HAND.shadow_points, endpoint=False)
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
    ambient = HAND.ambient_rise[0] + HAND.ambient_rise[1] * rise
    bright = (RENDER.ambient_share * ambient + (1 - RENDER.ambient_share) * lit) ** (
        1 / RENDER.gamma
    )
    box = (slice(low[1], high[1]), slice(low[0], high[0]))
    edge = np.clip((1 - off) * radius + 0.5, 0, 1).astype(np.float32)
    nearer = (off <= 1 + 0.5 / radius) & (front < depth[box])
    tone[box][nearer] = (bright[..., None] * colour)[nearer]
    depth[box][nearer] = front[nearer]
    cover[box] = np.maximum(cover[box], edge)
