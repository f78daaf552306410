"""Draws tiles on the table: boxes with printed marks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from physics.row.tile import State
from vision.arrays import Floats, Image
from vision.geometry.camera_pose import CameraPose, project
from vision.geometry.lens import Intrinsics
from vision.marks.sticker import MarkSet, Sticker
from vision.render.scene import RENDER, Lamp, Solid
from vision.render.shadow import shade_top
from vision.render.tabletop import usual_direct

BGR = {
    "ivory": (178, 207, 217),
    "white": (219, 222, 222),
    "black": (36, 34, 33),
    "wood": (92, 137, 176),
    "red": (48, 44, 172),
    "yellow": (52, 176, 214),
    "green": (74, 122, 52),
    "blue": (146, 92, 44),
}

FACES = {
    "top": ((0, 1, 1), (0, -1, 1), (0, 0, 1)),
    "bottom": ((0, -1, -1), (0, 1, -1), (0, 0, -1)),
    "left": ((0, 1, -1), (0, 1, 1), (0, 1, 0)),
    "right": ((0, -1, 1), (0, -1, -1), (0, -1, 0)),
    "front": ((1, 1, 0), (1, -1, 0), (1, 0, 0)),
    "back": ((-1, -1, 0), (-1, 1, 0), (-1, 0, 0)),
}
"""Of each face the middles of the sides where a mark on it begins and ends, and the way it looks;
along the heading, to its left, and up."""
LYING = {
    "left": ((-1, 1, 0), (1, 1, 0), (0, 1, 0)),
    "right": ((1, -1, 0), (-1, -1, 0), (0, -1, 0)),
}
"""The same of a lying tile, where its long sides lie along its heading."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A piece of image to lay over another.

    Attributes:
        left: column of its first pixel.
        top: row of its first pixel.
        bgra: colour times cover, and cover, shape (rows, columns, 4).
    """

    left: int
    top: int
    bgra: Image

    def lay_on(self, image: Image) -> None:
        """Lay it over an image, in place; what sticks out is cut off."""
        rows, columns = self.bgra.shape[:2]
        top, left = max(self.top, 0), max(self.left, 0)
        bottom = min(self.top + rows, image.shape[0])
        right = min(self.left + columns, image.shape[1])
        if bottom <= top or right <= left:
            return
        own = self.bgra[top - self.top : bottom - self.top, left - self.left : right - self.left]
        under = image[top:bottom, left:right]
        cover = cv2.cvtColor(255 - own[..., 3], cv2.COLOR_GRAY2BGR)
        under[:] = cv2.add(cv2.multiply(under, cover, scale=1 / 255), own[..., :3])


def draw_solid(
    solid: Solid,
    others: Sequence[Solid],
    marks: MarkSet,
    lamp: Lamp,
    pose: CameraPose,
    intrinsics: Intrinsics,
    blur_px: float,
) -> Patch | None:
    """Draw one tile; None if it is not in the image.

    Args:
        solid: the tile.
        others: all tiles; the higher ones near it throw their shadows on it.
        marks: what is printed on it.
        lamp: what lights it.
        pose: where the camera is.
        intrinsics: its lens.
        blur_px: one sigma of its blur.
    """
    seen = project(solid.corners_mm(), pose, intrinsics)
    margin = 2 + math.ceil(RENDER.tile_blur_sigmas * blur_px)
    left, top = (int(v) for v in np.floor(seen.min(axis=0)) - margin)
    right, bottom = (int(v) for v in np.ceil(seen.max(axis=0)) + margin + 1)
    outside = right < 0 or bottom < 0 or left > intrinsics.width or top > intrinsics.height
    if outside or max(right - left, bottom - top) > RENDER.largest_tile_px:
        return None
    size = ((right - left) * RENDER.oversampling, (bottom - top) * RENDER.oversampling)
    canvas = np.zeros((size[1], size[0], 4), np.uint8)
    for face in FACES:
        drawn = _draw_face(solid, face, marks, lamp, pose, intrinsics, (left, top))
        if drawn is not None:
            corner, part = drawn
            rows, columns = part.shape[:2]
            into = canvas[corner[1] : corner[1] + rows, corner[0] : corner[0] + columns]
            into[:] = cv2.add(into, part[: into.shape[0], : into.shape[1]])
    small = np.asarray(
        cv2.resize(canvas, (right - left, bottom - top), interpolation=cv2.INTER_AREA), np.uint8
    )
    shade_top(small, solid, others, lamp, pose, intrinsics, (left, top))
    if blur_px > 0:
        soft = cv2.GaussianBlur(small, (0, 0), blur_px, borderType=cv2.BORDER_CONSTANT)
        small = np.asarray(soft, np.uint8)
    return Patch(left, top, small)


def _draw_face(
    solid: Solid,
    face: str,
    marks: MarkSet,
    lamp: Lamp,
    pose: CameraPose,
    intrinsics: Intrinsics,
    origin: tuple[int, int],
) -> tuple[tuple[int, int], Image] | None:
    """Draw one face into the smallest piece of the canvas; None if it looks away."""
    quad, normal = _quad(solid, face)
    if float((pose.centre_mm - quad.mean(axis=0)) @ normal) <= 0:
        return None
    spec, size = solid.tile.spec, solid.size_mm
    long_mm = float(np.linalg.norm(quad[1] - quad[0]))
    wide_mm = float(np.linalg.norm(quad[2] - quad[1]))
    flat = solid.tile.state is State.FALLEN
    broad = face in (("top", "bottom") if flat else ("front", "back"))
    word = None if broad else marks.words.get(solid.tile.value or 0)
    sticker = marks.long if abs(long_mm - spec.length_mm) < 0.01 else marks.short
    rises = face in ("front", "back", "left", "right") and size[2] > spec.thickness_mm
    size_mm = (round(long_mm, 3), round(wide_mm, 3))
    texture = _texture(*size_mm, solid.color, word, sticker, solid.sticker)
    spots = (project(quad, pose, intrinsics) - origin + 0.5) * RENDER.oversampling - 0.5
    low = np.maximum(np.floor(spots.min(axis=0)).astype(int) - 1, 0)
    high = np.ceil(spots.max(axis=0)).astype(int) + 2
    rows, columns = texture.shape[:2]
    source = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - np.float32(
        0.5
    )
    shape = cv2.getPerspectiveTransform(source, (spots - low).astype(np.float32))
    part = cv2.warpPerspective(texture, shape, (high - low).tolist(), flags=cv2.INTER_LINEAR)
    gain = _gain(quad.mean(axis=0), normal, lamp, RENDER.side_share if rises else 1.0)
    part[..., :3] = cv2.convertScaleAbs(part[..., :3], alpha=gain)
    return (int(low[0]), int(low[1])), np.asarray(part, np.uint8)


def _quad(solid: Solid, face: str) -> tuple[Floats, Floats]:
    """Corners of a face on the table, a mark on it beginning at the first, and its normal."""
    depth, width, height = solid.size_mm
    half = np.array([depth, width, height]) / 2
    flat = solid.tile.state is State.FALLEN or solid.tile.orientation is None
    unit, normal = unit_quad(face, flat)
    corners = unit * half
    corners[:, 2] += height / 2
    ahead = corners.mean(axis=0)
    placed = solid.to_table(np.vstack([corners, ahead, ahead + normal]))
    return placed[:4], placed[5] - placed[4]


@lru_cache
def unit_quad(face: str, flat: bool) -> tuple[Floats, Floats]:
    """Return the corners of a face of the cube from -1 to 1, and its normal.

    Args:
        face: one of `FACES`.
        flat: whether the tile lies.

    Returns:
        The corners, shape (4, 3), and the normal, shape (3,). A mark on the face begins between the
        first corner and the last.
    """
    way = LYING.get(face, FACES[face]) if flat else FACES[face]
    first, last, normal = (np.array(v, dtype=np.float64) for v in way)
    side = np.cross(normal, last - first) / 2
    return np.array([first - side, last - side, last + side, first + side]), normal


@lru_cache(maxsize=256)
def _texture(
    long_mm: float,
    wide_mm: float,
    color: str,
    word: str | None,
    sticker: Sticker,
    off: tuple[float, float, float],
) -> Image:
    """Colour and cover of one face, along its mark from left to right."""
    columns, rows = round(long_mm * RENDER.tile_px_per_mm), round(wide_mm * RENDER.tile_px_per_mm)
    x = np.abs((np.arange(columns) + 0.5) / columns - 0.5) * long_mm
    y = np.abs((np.arange(rows) + 0.5) / rows - 0.5) * wide_mm
    edge = np.minimum((long_mm / 2 - x)[None, :], (wide_mm / 2 - y)[:, None])
    shade = np.where(edge < RENDER.bevel_mm, RENDER.bevel_share, 1.0)[..., None]
    painted = np.asarray((np.array(BGR[color]) * shade).round(), np.uint8)
    if word is not None:
        stick_on(painted, (long_mm, wide_mm), word, sticker, off)
    return np.dstack([painted, np.full((rows, columns), 255, np.uint8)])


def stick_on(
    face: Image,
    size_mm: tuple[float, float],
    word: str,
    sticker: Sticker,
    off: tuple[float, float, float],
) -> None:
    """Print a mark on the picture of a face, in place.

    Args:
        face: BGR.
        size_mm: the sides of the face, along the mark and across it.
        word: the cells of the mark.
        sticker: what it is printed as.
        off: by how much it is stuck on askew: along, across, mm, and its turn, rad.
    """
    rows, columns = face.shape[:2]
    long_mm, wide_mm = size_mm
    room_mm = wide_mm - 2 * RENDER.sticker_rim_mm
    fit = min(1.0, long_mm / sticker.edge_mm, room_mm / sticker.sticker_mm[1])
    u, v = np.meshgrid(
        ((np.arange(columns) + 0.5) / columns - 0.5) * long_mm - off[0],
        ((np.arange(rows) + 0.5) / rows - 0.5) * wide_mm - off[1],
    )
    c, s = math.cos(off[2]), math.sin(off[2])
    along, across = (u * c + v * s) / fit, (v * c - u * s) / fit
    white = sticker.paint(word, along, across)[..., None] > 0
    length, width = sticker.sticker_mm
    on = (np.abs(along) < length / 2) & (np.abs(across) < width / 2)
    face[on] = np.where(white[on], RENDER.paper_bgr, RENDER.ink_bgr)


def _gain(place: Floats, normal: Floats, lamp: Lamp, share: float) -> float:
    """Brightness of a face over that of the level table mid-area, in coded grey levels."""
    way = lamp.place_mm - place
    far = float(np.linalg.norm(way))
    cosine = max(0.0, float(normal @ way)) / far
    direct = lamp.power * cosine / far**2 / usual_direct()
    level, rise = RENDER.ambient_rise
    ambient = RENDER.ambient_share * (level + rise * float(normal[2])) * share
    return float((ambient + (1 - RENDER.ambient_share) * direct) ** (1 / RENDER.gamma))


def back_to_front(solids: Sequence[Solid], eye: Floats) -> list[Solid]:
    """Sort tiles so that each hides only those before it.

    Args:
        solids: in any order.
        eye: place of the camera in table mm, shape (3,).
    """
    bodies = [solid.corners_mm() for solid in solids]
    planes = [[_quad(solid, face) for face in FACES] for solid in solids]
    left = sorted(
        range(len(solids)), key=lambda i: -float(np.linalg.norm(bodies[i].mean(axis=0) - eye))
    )
    line: list[Solid] = []
    while left:
        free = (
            i
            for i in left
            if not any(
                _hides(planes[i], bodies[i], planes[j], bodies[j], eye) for j in left if j != i
            )
        )
        first = next(free, left[0])
        left.remove(first)
        line.append(solids[first])
    return line


def _hides(
    planes: Sequence[tuple[Floats, Floats]],
    body: Floats,
    other_planes: Sequence[tuple[Floats, Floats]],
    other: Floats,
    eye: Floats,
) -> bool:
    """Say whether the first body can hide part of the other: the planes between them tell."""
    parted = [
        bool((eye - quad[0]) @ normal <= 0)
        for quad, normal in planes
        if ((other - quad[0]) @ normal >= -RENDER.hiding_mm).all()
    ]
    parted += [
        bool((eye - quad[0]) @ normal > 0)
        for quad, normal in other_planes
        if ((body - quad[0]) @ normal >= -RENDER.hiding_mm).all()
    ]
    return bool(parted) and all(parted)
