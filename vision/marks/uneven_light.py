"""Marks that lie half in a shadow: the light on them is told by their own paper.

A tile that stands on its long edge is half as high as its neighbours, and their shadows cut across
its mark. White windows in the shadow are then as dark as ink in the light. The paper on both sides
of a cell is in the same light as the cell, and tells how much that is.
"""

from collections.abc import Sequence

import numpy as np

from vision.arrays import Floats, Gray
from vision.geometry.camera_pose import View
from vision.geometry.image_sampling import sample
from vision.marks.mark_fit import MarkPose, as_rows, on_table
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
    pixels = view.project(on_table(as_rows(places), u, v))
    levels = sample(gray, pixels).reshape(len(places), 2, -1, len(along_mm))
    return np.asarray(levels.max(axis=2), dtype=np.float64)


def light_at(
    gray: Gray,
    view: View,
    place: MarkPose,
    sticker: Sticker,
    along_mm: Floats,
    across_mm: Floats,
    tuning: UnevenLightTuning = TUNING.uneven_light,
) -> Floats:
    """Tell the light at points of a mark from the paper on both sides of each.

    Args:
        gray: the image.
        view: the camera.
        place: where the mark may lie.
        sticker: its geometry.
        along_mm: the points' places along the mark, shape (n,).
        across_mm: and across it, shape (n,).
        tuning: see `UnevenLightTuning`.

    Returns:
        How bright paper would be there, grey levels, shape (n,).
    """
    steps = np.arange(-sticker.sticker_mm[0] / 2, sticker.sticker_mm[0] / 2, tuning.step_mm)
    paper = light_on(gray, view, [place], sticker, steps, tuning=tuning)[0]
    sides = [np.interp(along_mm, steps, np.maximum(side, tuning.least_levels)) for side in paper]
    share = np.clip(across_mm / sticker.body_mm[1] + 0.5, 0, 1)
    light: Floats = (1 - share) * sides[0] + share * sides[1]
    return light


def end_shares(
    gray: Gray,
    view: View,
    place: MarkPose,
    sticker: Sticker,
    tuning: UnevenLightTuning = TUNING.uneven_light,
) -> Floats:
    """Read the paper and the black wall at both ends of a mark, as shares of the light there.

    Returns:
        Paper and wall before the first cell, wall and paper after the last one, shape (4,).
    """
    half = sticker.body_mm[0] / 2
    paper, wall = (half + sticker.sticker_mm[0] / 2) / 2, half - sticker.end_wall_mm / 2
    middles = np.array([-paper, -wall, wall, paper])
    offsets = np.array(tuning.end_offsets_mm)
    along = np.repeat(middles[:, None] + offsets, len(tuning.rim_offsets_mm), axis=1).ravel()
    across = np.tile(tuning.rim_offsets_mm, len(middles) * len(offsets))
    pixels = view.project(place.to_table(along, across))
    levels = sample(gray, pixels).reshape(len(middles), -1).mean(axis=1)
    light = light_at(gray, view, place, sticker, middles, np.zeros(len(middles)), tuning=tuning)
    shares: Floats = levels / light
    return shares
