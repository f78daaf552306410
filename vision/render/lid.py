"""Draws the lid of the pusher with its printed tag."""

from functools import lru_cache

import cv2
import numpy as np

from physics.row.pose import Pose
from vision.arrays import Floats32, Image
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics
from vision.pusher_tag.tag import TAG
from vision.render.scene import RENDER, Lamp
from vision.render.tabletop import PrintedPaper, lamp_gain, lay_paper, printed, sheet_pose


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
def _lid_print() -> Image:
    density = RENDER.lid_px_per_mm
    width, height = (round(side * density) for side in RENDER.lid_mm)
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, TAG.dictionary))
    side = round(TAG.side_mm * density)
    marker = np.asarray(cv2.aruco.generateImageMarker(words, TAG.marker, side), np.uint8)
    rim = round((TAG.paper_mm - TAG.side_mm) / 2 * density)
    paper = printed(np.pad(marker, rim, constant_values=255) < 128)
    lid = np.empty((height, width, 4), np.uint8)
    lid[:] = (*RENDER.lid_bgr, 255)
    top, left = (height - len(paper)) // 2, (width - len(paper)) // 2
    lid[top : top + len(paper), left : left + len(paper)] = paper
    return lid
