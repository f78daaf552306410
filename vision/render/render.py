"""Draws the frame that a camera over the table would see of given tiles."""

import math
import zlib
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.arrays import Image
from vision.errors import VisionError
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import Mat, load_mat
from vision.marks.sticker import MarkSet, marks_on
from vision.render.board_and_tag import draw_board, draw_pusher
from vision.render.hand import draw_hand
from vision.render.scene import RENDER, USUAL_LAMP, Lamp, Scene
from vision.render.shadow import draw_shadows
from vision.render.tabletop import TOPS, bare_table
from vision.render.tile_boxes import back_to_front, draw_solid


@dataclass(frozen=True, slots=True)
class Sensor:
    """How soft and how grainy the camera is.

    Attributes:
        blur_px: one sigma of its blur.
        noise: one sigma of its noise, in grey levels.
        shake_px: how far the picture moves while it is taken.
        shake_rad: in which direction, from image x towards y.
        bloom_px: one sigma of a blur of the light itself, before the camera's curve: white spreads
            over black.
        roll_px: how far the picture moves to the right from the first row read to the last.
    """

    blur_px: float = 0.55
    noise: float = 2.2
    shake_px: float = 0.0
    shake_rad: float = 0.0
    bloom_px: float = 0.0
    roll_px: float = 0.0


@lru_cache(maxsize=1)
def default_view() -> tuple[Intrinsics, CameraPose]:
    """The camera of the virtual rig: 1080p, nearly straight above."""
    return view_from(tilt_rad=RENDER.tilt_rad, side_rad=RENDER.side_rad)


@lru_cache(maxsize=16)
def view_from(
    tilt_rad: float,
    side_rad: float,
    focal_px: float = 1480.0,
    scale_px_mm: float = 2.0,
    roll_rad: float = 0.0,
    dist: tuple[float, float, float, float, float] = (-0.04, 0.012, 0.0003, -0.0004, 0.0),
) -> tuple[Intrinsics, CameraPose]:
    """Put a 1080p camera over the table so that it looks at the middle of the work area.

    Args:
        tilt_rad: how far its axis leans from straight down.
        side_rad: on which side of the table it hangs, counter-clockwise from table x.
        focal_px: focal length.
        scale_px_mm: pixels per millimetre in the middle of the work area.
        roll_rad: how far it is turned about its axis.
        dist: lens distortion k1, k2, p1, p2, k3.

    Returns:
        The lens and where the camera is; the same objects for the same arguments, so that an empty
        table that was drawn for them can be used again.
    """
    middle = np.array([*RENDER.aim_mm, 0.0])
    back = np.array(
        [
            math.sin(tilt_rad) * math.cos(side_rad),
            math.sin(tilt_rad) * math.sin(side_rad),
            math.cos(tilt_rad),
        ]
    )
    centre = middle + back * focal_px / scale_px_mm
    down = np.array([-math.sin(roll_rad), -math.cos(roll_rad), 0.0])
    down -= back * (down @ back)
    down /= np.linalg.norm(down)
    rotation = np.array([np.cross(down, -back), down, -back])
    x, y = RENDER.optical_centre_px
    matrix = np.array([[focal_px, 0.0, x], [0.0, focal_px, y], [0.0, 0.0, 1.0]])
    intrinsics = Intrinsics(matrix, np.array(dist), *RENDER.camera_px)
    return intrinsics, CameraPose(rotation, -rotation @ centre)


def render(
    scene: Scene,
    intrinsics: Intrinsics,
    pose: CameraPose,
    sensor: Sensor | None = None,
    mat: Mat | None = None,
    marks: MarkSet | None = None,
    board: CameraPose | None = None,
) -> Image:
    """Draw what a camera sees of a scene; the same scene always gives the same frame.

    Args:
        scene: what stands on the table.
        intrinsics: the lens.
        pose: where the camera is.
        sensor: its blur and noise; None for a usual one.
        mat: the mat on the table; None for the shipped one.
        marks: the marks on the tiles; None for those that are printed for their size.
        board: the calibration board held before the camera, from its own frame (x right, y down
            from its top left) to the camera; None if there is none.

    Returns:
        BGR image of the size the intrinsics are for.

    Raises:
        VisionError: there is no such table, or the lamp hangs lower than hands reach.
    """
    if scene.table not in TOPS:
        raise VisionError(f"no table is called {scene.table!r}: choose one of {', '.join(TOPS)}")
    if scene.lamp.z_mm < RENDER.lowest_lamp_mm:
        raise VisionError(
            f"the lamp hangs {scene.lamp.z_mm:g} mm above the table: hang it at least "
            f"{RENDER.lowest_lamp_mm:g} mm high, above tiles and hands"
        )
    sensor = sensor or Sensor()
    view = (mat, pose, intrinsics)
    lamp = scene.lamp
    image = _empty(scene.table, scene.seed, scene.gloss, lamp, *view, sensor.blur_px).copy()
    if scene.solids:
        draw_shadows(image, scene.solids, lamp, pose, intrinsics)
    for solid in back_to_front(scene.solids, pose.centre_mm):
        printed = marks or marks_on(solid.tile.spec)
        patch = draw_solid(solid, scene.solids, printed, lamp, pose, intrinsics, sensor.blur_px)
        if patch is not None:
            patch.lay_on(image)
    if scene.pusher is not None:
        draw_pusher(image, scene.pusher, lamp, pose, intrinsics, sensor.blur_px)
    if board is not None:
        draw_board(image, board, intrinsics, sensor.blur_px)
    if scene.hand is not None:
        draw_hand(image, scene.hand, scene.seed, lamp, pose, intrinsics)
    if sensor.shake_px > 0:
        image = _shaken(image, sensor.shake_px, sensor.shake_rad)
    if sensor.bloom_px > 0:
        image = _bloomed(image, sensor.bloom_px)
    if sensor.roll_px:
        image = _rolled(image, sensor.roll_px)
    if scene.light != 1.0:
        levels = np.arange(256) * max(scene.light, 0.0) ** (1 / RENDER.gamma)
        curve = np.clip(levels, 0, 255).round().astype(np.uint8)
        image = np.asarray(cv2.LUT(image, curve), np.uint8)
    return grainy(image, sensor.noise, repr(scene) if lamp == USUAL_LAMP else repr((scene, lamp)))


def grainy(image: Image, noise: float, name: str) -> Image:
    """Add the noise of a sensor.

    Args:
        image: BGR.
        noise: one sigma in grey levels.
        name: of what is shown; the same name gives the same noise.
    """
    if noise <= 0:
        return image
    rows, columns = image.shape[:2]
    choice = zlib.crc32(name.encode())
    room = RENDER.noise_room_px
    top, left = choice % room, choice // room % room
    grain = _grain(rows, columns, noise)[top : top + rows, left : left + columns]
    return np.asarray(cv2.addWeighted(image, 1.0, grain, 1.0, -128.0), np.uint8)


@lru_cache(maxsize=1)
def _mat() -> Mat:
    return load_mat()


@lru_cache(maxsize=6)
def _empty(
    table: str,
    seed: int,
    gloss: float,
    lamp: Lamp,
    mat: Mat | None,
    pose: CameraPose,
    intrinsics: Intrinsics,
    blur_px: float,
) -> Image:
    image = bare_table(table, seed, mat or _mat(), pose, intrinsics, gloss, lamp)
    if blur_px > 0:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur_px), np.uint8)
    image.flags.writeable = False
    return image


def _shaken(image: Image, shake_px: float, shake_rad: float) -> Image:
    size = 2 * math.ceil(shake_px / 2) + 1
    kernel = np.zeros((size, size), np.float32)
    for share in np.linspace(-0.5, 0.5, RENDER.shake_points):
        x = size // 2 + share * shake_px * math.cos(shake_rad)
        y = size // 2 + share * shake_px * math.sin(shake_rad)
        left, top = math.floor(x), math.floor(y)
        for column, row in ((left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)):
            if column < size and row < size:
                kernel[row, column] += (1 - abs(x - column)) * (1 - abs(y - row))
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def _bloomed(image: Image, bloom_px: float) -> Image:
    light = np.power(np.arange(256) / 255.0, RENDER.gamma).astype(np.float32)[image]
    spread = np.asarray(cv2.GaussianBlur(light, (0, 0), bloom_px), np.float32)
    return np.asarray(255 * np.power(spread, 1 / RENDER.gamma) + 0.5, np.uint8)


def _rolled(image: Image, roll_px: float) -> Image:
    """Shear the picture, as a sensor does that reads row after row while something moves."""
    rows, columns = image.shape[:2]
    share = roll_px / (rows - 1)
    back = np.array([[1.0, -share, roll_px / 2], [0.0, 1.0, 0.0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    turned = cv2.warpAffine(
        image, back, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(turned, np.uint8)


@lru_cache(maxsize=2)
def _grain(rows: int, columns: int, noise: float) -> Image:
    """A field of noise round 128, larger than the image, to be cut anew for each frame."""
    rng = np.random.default_rng(5)
    shape = (rows + RENDER.noise_room_px, columns + RENDER.noise_room_px, 3)
    grain = 128 + noise * rng.standard_normal(shape, dtype=np.float32)
    return np.asarray(np.clip(grain.round(), 0, 255), np.uint8)
