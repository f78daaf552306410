"""Draws printed things off the table: the calibration board in a hand, the tag on the pusher."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.row.pose import Pose
from vision.arrays import Floats32, Image
from vision.geometry.camera_pose import CameraPose
from vision.geometry.charuco import BOARD
from vision.geometry.lens import Intrinsics
from vision.pusher_tag.tag import TAG
from vision.render.scene import RENDER, Lamp
from vision.render.tabletop import PrintedPaper, lamp_gain, lay_paper, sheet_pose


def draw_board(image: Image, board: CameraPose, intrinsics: Intrinsics, blur_px: float) -> None:
    """Draw the calibration board; see `render`."""
    width, height = BOARD.size_mm
    # The board counts y downwards, the paper upwards.
    pose = CameraPose(board.rotation @ np.diag([1.0, -1.0, -1.0]), board.translation_mm)
    low = np.array([-RENDER.board_rim_mm, -height - RENDER.board_rim_mm])
    high = np.array([width + RENDER.board_rim_mm, RENDER.board_rim_mm])

    def lit(where: Floats32) -> Floats32:
        return np.full(where.shape[:2], RENDER.board_light, np.float32)

    lay_paper(image, PrintedPaper(_board_print(), low, high, pose), intrinsics, lit, blur_px)


def draw_pusher(
    image: Image,
    place: Pose,
    lamp: Lamp,
    camera: CameraPose,
    intrinsics: Intrinsics,
    blur_px: float,
) -> None:
    """Draw the pusher's lid with its tag; see `Scene.pusher`."""
    forward = np.array(place.normal)
    axes = np.column_stack([(forward[1], -forward[0]), forward])
    start = np.array([place.x_mm, place.y_mm])
    pose = sheet_pose(camera, (*start, TAG.height_mm), axes)
    half = np.array(RENDER.lid_mm) / 2

    def lit(where: Floats32) -> Floats32:
        return lamp_gain(start.astype(np.float32) + where @ axes.T.astype(np.float32), lamp)

    lay_paper(image, PrintedPaper(_lid_print(), -half, half, pose), intrinsics, lit, blur_px)


@lru_cache(maxsize=1)
def _board_print() -> Image:
    width, height = (round(side * RENDER.board_px_per_mm) for side in BOARD.size_mm)
    squares = np.asarray(BOARD.opencv().generateImage((width, height)), np.uint8)
    rim = round(RENDER.board_rim_mm * RENDER.board_px_per_mm)
    ink = np.pad(squares, rim, constant_values=255) < 128
    return _printed(ink)


@lru_cache(maxsize=1)
def _lid_print() -> Image:
    density = RENDER.board_px_per_mm
    width, height = (round(side * density) for side in RENDER.lid_mm)
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, TAG.dictionary))
    side = round(TAG.side_mm * density)
    marker = np.asarray(cv2.aruco.generateImageMarker(words, TAG.marker, side), np.uint8)
    rim = round((TAG.paper_mm - TAG.side_mm) / 2 * density)
    paper = _printed(np.pad(marker, rim, constant_values=255) < 128)
    lid = np.empty((height, width, 4), np.uint8)
    lid[:] = (*RENDER.lid_bgr, 255)
    top, left = (height - len(paper)) // 2, (width - len(paper)) // 2
    lid[top : top + len(paper), left : left + len(paper)] = paper
    return lid


def _printed(ink: NDArray[np.bool_]) -> Image:
    sheet = np.empty((*ink.shape, 4), np.uint8)
    sheet[:] = (*RENDER.paper_bgr, 255)
    sheet[ink] = (*RENDER.ink_bgr, 255)
    return sheet
