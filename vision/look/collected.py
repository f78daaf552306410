"""Frames of a real evening, to be handed on: what one showed as data, and the room blurred.

Nothing here knows a game or a name: `rig/films/kept_frames.py` keeps such frames, and
`domino-rig camera collect` makes of them a folder that `see --score` reads.
"""

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np

from physics.row.tile import Tile, TileSpec
from vision.arrays import Image
from vision.capture.camera import jpeg
from vision.geometry.boxes import outlines_px
from vision.geometry.camera_pose import CameraPose, View
from vision.geometry.lens import Intrinsics
from vision.geometry.markers import as_gray
from vision.geometry.mat import Mat, find_markers
from vision.look.eye import Look
from vision.look.score import as_truth
from vision.tuning.look import COLLECTED
from vision.tuning.tuning import TUNING, Tuning


def as_jpeg(image: Image) -> bytes:
    """Encode a frame nearly as it was taken; the file says nothing of where or when."""
    return jpeg(image, COLLECTED.jpeg_quality)


def fields_of(look: Look, lens: Intrinsics, spec: TileSpec) -> dict[str, Any]:
    """Say what a look saw, with the camera's lens and place as truth files have them."""
    return {
        "camera": {
            "K": lens.matrix.tolist(),
            "dist": lens.dist.tolist(),
            "width": lens.width,
            "height": lens.height,
            "R": look.camera.rotation.tolist(),
            "t": look.camera.translation_mm.tolist(),
        },
        "seen": [as_truth(tile, n) for n, tile in enumerate(look.tiles)],
        "hand_in_view": look.hidden,
        "tile_mm": [spec.length_mm, spec.width_mm, spec.thickness_mm],
    }


def view_of(told: Mapping[str, Any], width: int, height: int) -> View:
    """The camera as `fields_of` wrote it down, for pictures of another size too.

    Raises:
        KeyError, TypeError, ValueError: a field is missing or is not what it should be.
    """
    data = told["camera"]
    matrix, dist, rotation, place = (np.array(data[k], float) for k in ("K", "dist", "R", "t"))
    lens = Intrinsics(matrix, dist, int(data["width"]), int(data["height"]))
    return View(CameraPose(rotation, place), lens.at_size(width, height))


def blurred(
    image: Image,
    view: View,
    mat: Mat,
    tiles: tuple[Tile, ...],
    hand: bool,
    tuning: Tuning = TUNING,
) -> Image:
    """Blur all that is not needed to read the row: the room, and any hand over the table.

    Each square of the blur has one colour, so that nothing of what was there can be won back.

    Args:
        image: the frame, shape (rows, columns, 3).
        view: its camera, for pictures of this size.
        mat: its markers stay sharp, with all that they enclose.
        tiles: that were seen, which stay sharp whatever else is blurred.
        hand: something was taken for a hand: of what the mat encloses only the markers that can
            be read and the tiles stay sharp.
        tuning: see `Tuning`.
    """
    rows, columns = image.shape[:2]
    sharp = np.zeros((rows, columns), dtype=np.uint8)
    if hand:
        shown = find_markers(as_gray(image), mat, tuning=tuning).corners_px
        margin_mm = COLLECTED.hand_margin_mm
    else:
        flat = np.vstack([np.pad(c, ((0, 0), (0, 1))) for c in mat.corners_mm.values()])
        shown, margin_mm = view.project(flat)[None], COLLECTED.margin_mm
    shapes = [cv2.convexHull(np.round(points).astype(np.int32)) for points in shown]
    for shape in (*shapes, *outlines_px(tiles, view)):
        cv2.fillConvexPoly(sharp, shape, 255)
    reach = 2 * round(margin_mm * view.scale_px_mm()) + 1
    sharp = np.asarray(cv2.dilate(sharp, np.ones((reach, reach), np.uint8)), np.uint8)
    across = max(1, columns // COLLECTED.squares)
    few = (max(1, columns // across), max(1, rows // across))
    coarse = cv2.resize(image, few, interpolation=cv2.INTER_AREA)
    coarse = cv2.resize(coarse, (columns, rows), interpolation=cv2.INTER_NEAREST)
    return np.where(sharp[..., None] > 0, image, coarse).astype(np.uint8)
