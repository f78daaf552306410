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
from vision.render.hand import draw_hand
from vision.render.lid import draw_pusher
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
    """

    blur_px: float = 0.55
    noise: float = 2.2


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
) -> Image:
    """Draw what a camera sees of a scene; the same scene always gives the same frame.

    Args:
        scene: what stands on the table.
        intrinsics: the lens.
        pose: where the camera is.
        sensor: its blur and noise; None for a usual one.
        mat: the mat on the table; None for the shipped one.
        marks: the marks on the tiles; None for those that are printed for their size.

    Returns:
        BGR image of the size the intrinsics are for.

    Raises:
        VisionError: there is no such table, or the lamp hangs lower than hands reach.
    """
    sensor = sensor or Sensor()
    image = drawn(scene, intrinsics, pose, sensor.blur_px, mat, marks)
    return developed(image, scene, sensor.noise)


def drawn(
    scene: Scene,
    intrinsics: Intrinsics,
    pose: CameraPose,
    blur_px: float,
    mat: Mat | None = None,
    marks: MarkSet | None = None,
) -> Image:
    """Draw a scene that is well lit, through a lens that blurs, without noise; see `render`."""
    if scene.table not in TOPS:
        raise VisionError(f"no table is called {scene.table!r}: choose one of {', '.join(TOPS)}")
    if scene.lamp.z_mm < RENDER.lowest_lamp_mm:
        raise VisionError(
            f"the lamp hangs {scene.lamp.z_mm:g} mm above the table: hang it at least "
            f"{RENDER.lowest_lamp_mm:g} mm high, above tiles and hands"
        )
    lamp = scene.lamp
    top = (scene.table, scene.seed, scene.gloss, lamp)
    image = _empty(*top, mat, pose, intrinsics, blur_px).copy()
    if scene.solids:
        draw_shadows(image, scene.solids, lamp, pose, intrinsics)
    for solid in back_to_front(scene.solids, pose.centre_mm):
        printed = marks or marks_on(solid.tile.spec)
        patch = draw_solid(solid, scene.solids, printed, lamp, pose, intrinsics, blur_px)
        if patch is not None:
            patch.lay_on(image)
    if scene.pusher is not None:
        draw_pusher(image, scene.pusher, lamp, pose, intrinsics, blur_px)
    if scene.hand is not None:
        draw_hand(image, scene.hand, scene.seed, lamp, pose, intrinsics)
    return image


def developed(image: Image, scene: Scene, noise: float) -> Image:
    """Give a drawn scene its light, and the noise of a sensor; see `render`."""
    if scene.light != 1.0:
        levels = np.arange(256) * max(scene.light, 0.0) ** (1 / RENDER.gamma)
        curve = np.clip(levels, 0, 255).round().astype(np.uint8)
        image = np.asarray(cv2.LUT(image, curve), np.uint8)
    name = repr(scene) if scene.lamp == USUAL_LAMP else repr((scene, scene.lamp))
    return grainy(image, noise, name)


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


@lru_cache(maxsize=2)
def _grain(rows: int, columns: int, noise: float) -> Image:
    """A field of noise round 128, larger than the image, to be cut anew for each frame."""
    rng = np.random.default_rng(5)
    shape = (rows + RENDER.noise_room_px, columns + RENDER.noise_room_px, 3)
    grain = 128 + noise * rng.standard_normal(shape, dtype=np.float32)
    return np.asarray(np.clip(grain.round(), 0, 255), np.uint8)
