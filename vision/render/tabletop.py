"""Draws the empty table: its top, the mat on it, the lamp above it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Floats32, Image
from vision.geometry.camera_pose import CameraPose, project, to_plane
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import Mat
from vision.render.scene import RENDER, USUAL_LAMP, Lamp


@dataclass(frozen=True, slots=True)
class Top:
    """What a table top is made of.

    Attributes:
        bgr: its mean colour.
        layers: cloudy layers on it: how long and how wide a cloud is (mm along and across the
            grain), and how much lighter or darker (grey levels, one sigma).
        tint: how much a cloud changes blue, green and red.
    """

    bgr: tuple[float, float, float]
    layers: Sequence[tuple[float, float, float]]
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class PrintedPaper:
    """A flat printed thing somewhere in space.

    Attributes:
        print: BGR and cover, rows from its far side to the near one, shape (h, w, 4).
        low_mm: its lower left corner on its own plane.
        high_mm: its upper right corner there.
        pose: from its own plane (x right, y up on the print, z out of it) to the camera.
    """

    print: Image
    low_mm: Floats
    high_mm: Floats
    pose: CameraPose


@dataclass(frozen=True, slots=True, eq=False)
class TopSeen:
    """What a camera sees of a flat printed thing under even light.

    Attributes:
        box: left, top, width and height of the piece of image it is in.
        bgra: colours times cover, and cover.
    """

    box: tuple[int, int, int, int]
    bgra: Image


TOPS = {
    "wood": Top(
        (72, 112, 158),
        [(900, 60, 7.0), (420, 9, 9.0), (260, 3.4, 7.0), (90, 1.4, 3.5), (3, 2, 1.5)],
        (0.75, 0.95, 1.0),
    ),
    "dark": Top((44, 50, 58), [(700, 40, 3.5), (300, 5, 4.0), (120, 1.6, 2.5), (2, 2, 1.2)]),
    "white": Top((203, 209, 210), [(260, 240, 2.5), (9, 9, 0.8), (2, 2, 0.8)]),
    "grey": Top((118, 120, 121), [(200, 180, 4.0), (40, 36, 2.0), (5, 5, 2.2), (2, 2, 2.0)]),
    "felt": Top((58, 96, 38), [(240, 200, 2.5), (7.3, 5.1, 1.6), (1.0, 0.9, 7.5)], (0.7, 1.1, 0.8)),
}


def bare_table(
    table: str,
    seed: int,
    mat: Mat,
    pose: CameraPose,
    intrinsics: Intrinsics,
    gloss: float = 0.0,
    lamp: Lamp = USUAL_LAMP,
    ss: int = 3,
) -> Image:
    """Draw the empty table as a camera without noise or blur would see it.

    Args:
        table: one of the names in `TOPS`.
        seed: chooses the grain.
        mat: the markers to lay down.
        pose: where the camera is.
        intrinsics: its lens.
        gloss: how strongly the top mirrors the lamp.
        lamp: what lights it.
        ss: samples per pixel side where the mat lies.

    Returns:
        BGR image of the size the intrinsics are for.
    """
    width, height = intrinsics.width, intrinsics.height
    tone = _tone(table, seed, pose, intrinsics)
    gain = _gain(lamp, pose, intrinsics)
    mirrored = None
    if gloss > 0:
        where = table_map((0, 0, width, height), 1, pose, intrinsics)
        mirrored = 255.0 * gloss * lamp.power * _mirrored_lamp(where, lamp, pose)
    vignette = _vignette(width, height)
    drawn = np.empty((height, width, 3), np.uint8)
    # Channel by channel: many times quicker than three numbers at a time.
    for channel, (mean, tint) in enumerate(zip(TOPS[table].bgr, TOPS[table].tint, strict=True)):
        plane = tone * np.float32(tint)
        plane += np.float32(mean)
        plane *= gain
        if mirrored is not None:
            plane += mirrored
        plane *= vignette
        cv2.insertChannel(np.clip(plane, 0, 255, out=plane).astype(np.uint8), drawn, channel)
    for strip in mat.strips:
        _lay_strip(drawn, mat, strip, lamp, pose, intrinsics, ss)
    return drawn


def table_map(
    box: tuple[int, int, int, int], ss: int, pose: CameraPose, intrinsics: Intrinsics
) -> Floats32:
    """Say where on the table each sample of an image box looks.

    Args:
        box: left, top, width and height in px.
        ss: samples per pixel side.
        pose: where the camera is.
        intrinsics: its lens.

    Returns:
        Table x and y in mm, shape (height * ss, width * ss, 2).
    """
    return _spread(_coarse_map(box, pose, intrinsics), box, ss)


def _coarse_map(
    box: tuple[int, int, int, int], pose: CameraPose, intrinsics: Intrinsics
) -> Floats32:
    """Say where every `map_step_px`-th pixel looks, each way, beginning just outside the box."""
    left, top, width, height = box
    step = RENDER.map_step_px
    columns, rows = -(-width // step) + 2, -(-height // step) + 2
    x = left + (np.arange(columns) - 0.5) * step - 0.5
    y = top + (np.arange(rows) - 0.5) * step - 0.5
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    coarse = to_plane(grid, 0.0, pose, intrinsics).reshape(rows, columns, 2)
    return np.asarray(coarse, dtype=np.float32)


def _spread(coarse: Floats32, box: tuple[int, int, int, int], ss: int) -> Floats32:
    """Interpolate values on a coarse map, for each sample of its box."""
    _, _, width, height = box
    edge = RENDER.map_step_px * ss
    size = (coarse.shape[1] * edge, coarse.shape[0] * edge)
    fine = cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine[edge : edge + height * ss, edge : edge + width * ss], dtype=np.float32)


def lamp_gain(where: Floats32 | Floats, lamp: Lamp) -> NDArray[np.float32]:
    """Brightness of the lit table at places (x, y in mm on the last axis).

    1 in its middle under the usual lamp.
    """
    x, y = where[..., 0].astype(np.float64), where[..., 1].astype(np.float64)
    direct = lamp.power * _direct(x, y, lamp) / usual_direct()
    return np.asarray(RENDER.ambient_share + (1 - RENDER.ambient_share) * direct, dtype=np.float32)


@lru_cache(maxsize=1)
def _gain(lamp: Lamp, pose: CameraPose, intrinsics: Intrinsics) -> NDArray[np.float32]:
    """How much brighter each pixel of the table is than its middle, in coded grey levels."""
    box = (0, 0, intrinsics.width, intrinsics.height)
    gain = lamp_gain(_coarse_map(box, pose, intrinsics), lamp)
    return _spread(gain ** (1 / RENDER.gamma), box, 1)


def lamp_share(lamp: Lamp) -> float:
    """What a shadow takes away: the share of the light that comes from the lamp."""
    direct = (1 - RENDER.ambient_share) * lamp.power
    return direct / (RENDER.ambient_share + direct)


def usual_direct() -> float:
    """What the usual lamp gives the middle of the table, in the units of `lamp_gain`."""
    return float(_direct(*RENDER.aim_mm, USUAL_LAMP))


def _direct(x_mm: Floats | float, y_mm: Floats | float, lamp: Lamp) -> Floats:
    """Cosine over squared distance."""
    square = (x_mm - lamp.x_mm) ** 2 + (y_mm - lamp.y_mm) ** 2 + lamp.z_mm**2
    return np.asarray(lamp.z_mm / (square * np.sqrt(square)))


def _mirrored_lamp(where: Floats32, lamp: Lamp, pose: CameraPose) -> NDArray[np.float32]:
    """How much of the lamp a glossy table shows at places, 0..1."""
    eye, at = pose.centre_mm, lamp.place_mm
    share = at[2] / (at[2] + eye[2])
    spot = at[:2] + share * (eye[:2] - at[:2])
    radius = np.float32(RENDER.glare_spread * RENDER.lamp_radius_mm)
    x, y = ((where[..., axis] - np.float32(spot[axis])) / radius for axis in (0, 1))
    return np.asarray(np.exp(-(x**2 + y**2)), np.float32)


@lru_cache(maxsize=1)
def _vignette(width: int, height: int) -> NDArray[np.float32]:
    x = (np.arange(width, dtype=np.float32) / width - 0.5) ** 2
    y = (np.arange(height, dtype=np.float32) / width - 0.5 * height / width) ** 2
    return np.asarray(1.0 - RENDER.vignette_share * (x[None, :] + y[:, None]), dtype=np.float32)


@lru_cache(maxsize=1)
def _tone(table: str, seed: int, pose: CameraPose, intrinsics: Intrinsics) -> NDArray[np.float32]:
    """How much lighter or darker than its mean the bare table top is, for every pixel."""
    rng = np.random.default_rng([seed, len(table)])
    where = table_map((0, 0, intrinsics.width, intrinsics.height), 1, pose, intrinsics)
    angle = rng.uniform(-RENDER.grain_turn_rad, RENDER.grain_turn_rad)
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    per_rad = np.float32(rng.uniform(*RENDER.grain_wave_per_rad_mm))
    along, across = (np.empty(where.shape[:2], np.float32) for _ in range(2))
    # In place and a few rows at a time, which halves the time it takes.
    step = RENDER.rows_at_once
    for rows in (slice(top, top + step) for top in range(0, len(where), step)):
        x, y = cv2.split(where[rows])
        np.multiply(x, c, out=along[rows])
        np.multiply(y, c, out=across[rows])
        along[rows] += np.multiply(y, s, out=y)
        across[rows] -= np.multiply(x, s, out=x)
        wave = np.divide(along[rows], per_rad, out=x)
        across[rows] += np.multiply(RENDER.grain_wave_mm, np.sin(wave, out=wave), out=wave)
    low = np.array([along.min(), across.min()])
    span = np.array([along.max(), across.max()]) - low
    px_per_mm = RENDER.top_px_per_mm
    size = np.ceil(span * px_per_mm).astype(int) + 2
    sheet = np.zeros((size[1], size[0]), np.float32)
    for long_mm, wide_mm, sigma in TOPS[table].layers:
        cells = np.maximum(2, np.ceil(span / (long_mm, wide_mm))).astype(int) + 1
        cells = np.minimum(cells, size)
        cloud = rng.standard_normal((cells[1], cells[0]), dtype=np.float32)
        clouds = cv2.resize(cloud, size.tolist(), interpolation=cv2.INTER_CUBIC)
        sheet += np.multiply(sigma, clouds, out=clouds)
    for way, first in zip((along, across), low, strict=True):
        way -= first
        way *= px_per_mm
    tone = cv2.remap(sheet, along, across, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(tone, np.float32)


def _lay_strip(
    image: Image,
    mat: Mat,
    strip: Sequence[int],
    lamp: Lamp,
    pose: CameraPose,
    intrinsics: Intrinsics,
    ss: int,
) -> None:
    start, axes = _frame(mat, strip)
    sheet = sheet_pose(pose, (*start, 0.0), axes)

    def lit(where: Floats32) -> Floats32:
        return lamp_gain(start.astype(np.float32) + where @ axes.T.astype(np.float32), lamp)

    seen = _strip_seen(mat, tuple(strip), pose, intrinsics, ss)
    if seen is not None:
        _lay(image, seen, sheet, intrinsics, lit)


@lru_cache(maxsize=12)
def _strip_seen(
    mat: Mat, strip: tuple[int, ...], pose: CameraPose, intrinsics: Intrinsics, ss: int
) -> TopSeen | None:
    """What the camera sees of a strip, whatever lamp and table: two mats are kept."""
    start, axes = _frame(mat, strip)
    corners = np.concatenate([mat.corners_mm[i] - start for i in strip]) @ axes
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = np.array(
        RENDER.margin_mm if high[0] - low[0] > high[1] - low[1] else RENDER.margin_mm[::-1]
    )
    low, high = low - margin, high + margin
    sheet = _print(mat, strip, corners.reshape(-1, 4, 2), low, high)
    paper = PrintedPaper(sheet, low, high, sheet_pose(pose, (*start, 0.0), axes))
    return _seen(paper, intrinsics, RENDER.paper_room_px, ss)


def sheet_pose(camera: CameraPose, start_mm: Sequence[float], axes: Floats) -> CameraPose:
    """Say how a camera over the table sees a level sheet.

    Args:
        camera: where the camera is.
        start_mm: the sheet's origin on the table, shape (3,).
        axes: its x and y directions as columns, shape (2, 2).
    """
    turn = np.eye(3)
    turn[:2, :2] = axes
    shift = camera.rotation @ np.asarray(start_mm) + camera.translation_mm
    return CameraPose(camera.rotation @ turn, shift)


def lay_paper(
    image: Image,
    paper: PrintedPaper,
    intrinsics: Intrinsics,
    lit: Callable[[Floats32], Floats32],
    blur_px: float = 0.0,
    ss: int = 3,
) -> None:
    """Draw a flat printed thing over an image.

    Args:
        image: BGR; changed.
        paper: what lies where.
        intrinsics: the lens.
        lit: brightness at places of its plane (x, y in mm on the last axis); 1 is the table's
            middle.
        blur_px: the camera's blur, where it is not applied to the whole image later.
        ss: samples per pixel side.
    """
    room = RENDER.paper_room_px + int(np.ceil(RENDER.paper_blur_sigmas * blur_px))
    seen = _seen(paper, intrinsics, room, ss)
    if seen is not None:
        _lay(image, seen, paper.pose, intrinsics, lit, blur_px)


def _seen(paper: PrintedPaper, intrinsics: Intrinsics, room: int, ss: int) -> TopSeen | None:
    """Draw it with so many pixels round it; None if it is not in the picture."""
    low, high = paper.low_mm, paper.high_mm
    share = np.linspace(0, 1, RENDER.paper_rim_points)[:, None]
    near, far = np.array([low[0], high[1]]), np.array([high[0], low[1]])
    sides = [(low, near), (low, far), (high, near), (high, far)]
    rim = np.concatenate([a + share * (b - a) for a, b in sides])
    seen = project(np.column_stack([rim, np.zeros(len(rim))]), paper.pose, intrinsics)
    height, width = intrinsics.height, intrinsics.width
    left, top = np.clip(np.floor(seen.min(axis=0)).astype(int) - room, 0, (width, height))
    right, bottom = np.clip(np.ceil(seen.max(axis=0)).astype(int) + room + 1, 0, (width, height))
    if right <= left or bottom <= top:
        return None
    box = (int(left), int(top), int(right - left), int(bottom - top))
    where = table_map(box, ss, paper.pose, intrinsics)
    density = paper.print.shape[1] / float(high[0] - low[0])
    x = where[..., 0] - np.float32(low[0])
    y = np.float32(high[1]) - where[..., 1]
    for way in (x, y):
        way *= density
        way -= 0.5
    laid = cv2.remap(paper.print, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    small = cv2.resize(laid, box[2:], interpolation=cv2.INTER_AREA)
    return TopSeen(box, np.asarray(small, np.uint8))


def _lay(
    image: Image,
    seen: TopSeen,
    pose: CameraPose,
    intrinsics: Intrinsics,
    lit: Callable[[Floats32], Floats32],
    blur_px: float = 0.0,
) -> None:
    laid = seen.bgra.astype(np.float32)
    if blur_px > 0:
        laid = np.asarray(cv2.GaussianBlur(laid, (0, 0), blur_px), np.float32)
    lit_there = lit(_coarse_map(seen.box, pose, intrinsics))
    gain = _spread(lit_there ** (1 / RENDER.gamma), seen.box, 1)[..., None]
    left, top, width, height = seen.box
    part = image[top : top + height, left : left + width]
    cover = laid[..., 3:] / 255.0
    part[:] = np.clip(laid[..., :3] * gain + part * (1 - cover), 0, 255).astype(np.uint8)


def _frame(mat: Mat, strip: Sequence[int]) -> tuple[Floats, Floats]:
    """Where a strip lies: the first corner on it, and its axes as columns."""
    corners = mat.corners_mm[strip[0]]
    right = (corners[1] - corners[0]) / np.linalg.norm(corners[1] - corners[0])
    return corners[0], np.column_stack([right, (-right[1], right[0])])


def _print(mat: Mat, strip: Sequence[int], corners: Floats, low: Floats, high: Floats) -> Image:
    """Print a strip of paper: BGR and cover, rows from far to near.

    Args:
        mat: which markers there are.
        strip: those on it.
        corners: their corners on the strip in mm, shape (n, 4, 2).
        low: the lower left corner of the paper.
        high: the upper right one.
    """
    width, height = np.round((high - low) * RENDER.strip_px_per_mm).astype(int)
    ink = np.zeros((height, width), dtype=bool)
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, mat.dictionary))
    for marker, place in zip(strip, corners, strict=True):
        side = round(float(np.linalg.norm(place[1] - place[0])) * RENDER.strip_px_per_mm)
        bits = cv2.aruco.generateImageMarker(words, marker, side)
        spot = ((place[0] - (low[0], high[1])) * (1, -1)) * RENDER.strip_px_per_mm
        left, top = np.round(spot).astype(int)
        ink[top : top + side, left : left + side] = np.asarray(bits) == 0
    return printed(ink)


def printed(ink: NDArray[np.bool_]) -> Image:
    """Print black on white paper: BGR and cover, shape (rows, columns, 4)."""
    sheet = np.empty((*ink.shape, 4), np.uint8)
    sheet[:] = (*RENDER.paper_bgr, 255)
    sheet[ink] = (*RENDER.ink_bgr, 255)
    return sheet
