"""The pretend camera with the faults of real ones, and the calibration board held before it."""

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.geometry.camera_pose import CameraPose
from vision.geometry.charuco import BOARD
from vision.render.render import Sensor as PlainSensor
from vision.render.render import developed, drawn
from vision.render.scene import RENDER
from vision.render.tabletop import PrintedPaper, lay_paper, printed

BOARD_RIM_MM = 10.0
BOARD_LIGHT = 1.1
"""How much lighter the board is than the table: it is nearer to the lamp."""
SHAKE_POINTS = 33
"""On so many points along the way a shaken picture is taken."""


@dataclass(frozen=True, slots=True)
class Sensor(PlainSensor):
    """How soft and how grainy the camera is, and what else is wrong with it.

    Attributes:
        shake_px: how far the picture moves while it is taken.
        shake_rad: in which direction, from image x towards y.
        bloom_px: one sigma of a blur of the light itself, before the camera's curve: white spreads
            over black.
        roll_px: how far the picture moves to the right from the first row read to the last.
    """

    shake_px: float = 0.0
    shake_rad: float = 0.0
    bloom_px: float = 0.0
    roll_px: float = 0.0


def render(scene, intrinsics, pose, sensor=None, mat=None, marks=None, board=None):
    """Draw what `vision.render.render` does, as such a sensor sees it.

    Args:
        board: the calibration board held before the camera, from its own frame (x right, y down
            from its top left) to the camera; None if there is none.
    """
    sensor = sensor or Sensor()
    image = drawn(scene, intrinsics, pose, sensor.blur_px, mat, marks)
    if board is not None:
        draw_board(image, board, intrinsics, sensor.blur_px)
    if sensor.shake_px > 0:
        image = shaken(image, sensor.shake_px, sensor.shake_rad)
    if sensor.bloom_px > 0:
        image = bloomed(image, sensor.bloom_px)
    if sensor.roll_px:
        image = rolled(image, sensor.roll_px)
    return developed(image, scene, sensor.noise)


def draw_board(image, board, intrinsics, blur_px):
    width, height = BOARD.size_mm
    # The board counts y downwards, the paper upwards.
    pose = CameraPose(board.rotation @ np.diag([1.0, -1.0, -1.0]), board.translation_mm)
    low = np.array([-BOARD_RIM_MM, -height - BOARD_RIM_MM])
    high = np.array([width + BOARD_RIM_MM, BOARD_RIM_MM])

    def lit(where):
        return np.full(where.shape[:2], BOARD_LIGHT, np.float32)

    lay_paper(image, PrintedPaper(board_print(), low, high, pose), intrinsics, lit, blur_px)


@lru_cache(maxsize=1)
def board_print():
    width, height = (round(side * RENDER.lid_px_per_mm) for side in BOARD.size_mm)
    squares = np.asarray(BOARD.opencv().generateImage((width, height)), np.uint8)
    rim = round(BOARD_RIM_MM * RENDER.lid_px_per_mm)
    return printed(np.pad(squares, rim, constant_values=255) < 128)


def shaken(image, shake_px, shake_rad):
    size = 2 * math.ceil(shake_px / 2) + 1
    kernel = np.zeros((size, size), np.float32)
    for share in np.linspace(-0.5, 0.5, SHAKE_POINTS):
        x = size // 2 + share * shake_px * math.cos(shake_rad)
        y = size // 2 + share * shake_px * math.sin(shake_rad)
        left, top = math.floor(x), math.floor(y)
        for column, row in ((left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)):
            if column < size and row < size:
                kernel[row, column] += (1 - abs(x - column)) * (1 - abs(y - row))
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def bloomed(image, bloom_px):
    light = np.power(np.arange(256) / 255.0, RENDER.gamma).astype(np.float32)[image]
    spread = np.asarray(cv2.GaussianBlur(light, (0, 0), bloom_px), np.float32)
    return np.asarray(255 * np.power(spread, 1 / RENDER.gamma) + 0.5, np.uint8)


def rolled(image, roll_px):
    """Shear the picture, as a sensor does that reads row after row while something moves."""
    rows, columns = image.shape[:2]
    share = roll_px / (rows - 1)
    back = np.array([[1.0, -share, roll_px / 2], [0.0, 1.0, 0.0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (columns, rows)
    return cv2.warpAffine(image, back, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
