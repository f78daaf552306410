"""Marks that lie half in a shadow: the light on them, told by their own paper, is made even.

A tile that stands on its long edge is half as high as its neighbours, and their shadows cut across
its mark. White windows in the shadow are then as dark as ink in the light. The paper on both sides
of a cell is in the same light as the cell, and tells how much that is.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats, Gray
from vision.geometry.camera_pose import View, project
from vision.geometry.image_sampling import sample
from vision.marks.mark_fit import MarkPose, on_table
from vision.marks.sticker import Sticker
from vision.tuning.marks import UnevenLightTuning
from vision.tuning.tuning import TUNING


def light_on(
    gray: Gray,
    view: View,
    places: Sequence[MarkPose],
    sticker: Sticker,
    along_mm: Floats,
    tuning: UnevenLightTuning = TUNING.uneven_light,
) -> Floats:
    """Read the brightness of the paper on both sides of marks.

    Args:
        gray: the image.
        view: the camera.
        places: where the marks may lie.
        sticker: their geometry.
        along_mm: at which places along the mark, shape (k,).
        tuning: see `UnevenLightTuning`.

    Returns:
        Grey levels, shape (places, 2, k): the side of negative places across first.
    """
    rim = float(np.mean([sticker.sticker_mm[1], sticker.body_mm[1]])) / 2
    across = np.array([side * (rim + off) for side in (-1, 1) for off in tuning.rim_offsets_mm])
    u, v = np.tile(along_mm, len(across)), np.repeat(across, len(along_mm))
    points = on_table(places, u, v).reshape(-1, 3)
    pixels = project(points, view.pose, view.intrinsics).reshape(len(places), -1, 2)
    levels = sample(gray, pixels).reshape(len(places), 2, -1, len(along_mm))
    return np.asarray(levels.max(axis=2), dtype=np.float64)


def evened(
    gray: Gray,
    view: View,
    place: MarkPose,
    sticker: Sticker,
    tuning: UnevenLightTuning = TUNING.uneven_light,
) -> tuple[Gray, View]:
    """Return the part of an image that shows a mark as if the light on it were even.

    Args:
        gray: the image.
        view: the camera.
        place: where the mark may lie.
        sticker: its geometry.
        tuning: see `UnevenLightTuning`.

    Returns:
        The part, and the view of a camera whose whole image it is.
    """
    length, width = (side / 2 + tuning.margin_mm for side in sticker.sticker_mm)
    u, v = np.array([-1, 1, 1, -1]) * length, np.array([-1, -1, 1, 1]) * width
    corners = project(place.to_table(u, v), view.pose, view.intrinsics)
    rows, columns = gray.shape
    low = np.clip(np.floor(corners.min(axis=0)), 0, (columns - 1, rows - 1))
    high = np.clip(np.ceil(corners.max(axis=0)) + 1, 1, (columns, rows))
    left, top, right, bottom = (int(side) for side in (*low, *high))
    part = gray[top:bottom, left:right]

    steps = np.arange(-sticker.sticker_mm[0] / 2, sticker.sticker_mm[0] / 2, tuning.step_mm)
    light = light_on(gray, view, [place], sticker, steps, tuning=tuning)[0]
    # From pixels to the mark and back: over so small a part a homography is exact enough.
    to_mark = cv2.getPerspectiveTransform(
        (corners - (left, top)).astype(np.float32), np.stack([u, v], axis=1).astype(np.float32)
    )
    y, x = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
    pixels = np.stack([x, y], axis=-1).reshape(1, -1, 2).astype(np.float64)
    along, across = np.moveaxis(cv2.perspectiveTransform(pixels, to_mark)[0], -1, 0)
    share = np.clip(across / sticker.body_mm[1] + 0.5, 0, 1)
    sides = [np.interp(along, steps, side) for side in light]
    here = np.maximum((1 - share) * sides[0] + share * sides[1], tuning.least_levels)
    even = part.reshape(-1) * (float(light.max()) / here)
    lit = np.clip(even, 0, 255).reshape(part.shape).astype(np.uint8)
    return lit, view.part(left, top, right, bottom)
