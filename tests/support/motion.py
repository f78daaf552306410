"""Draws a frame of a table on which things move while the shutter is open, row after row."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Floats, Image
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import Mat
from vision.render.render import Sensor, grainy, render
from vision.render.scene import RENDER, Scene


@dataclass(frozen=True, slots=True)
class Shutter:
    """When each row of the sensor takes its light.

    Attributes:
        open_s: how long a row is open; what moves is smeared.
        readout_s: how much later the last row opens than the first; what moves is sheared.
        samples: how many moments are drawn over the whole time.
    """

    open_s: float
    readout_s: float = 0.0
    samples: int = 8


def render_motion(
    scene_at: Callable[[float], Scene],
    time_s: float,
    shutter: Shutter,
    intrinsics: Intrinsics,
    pose: CameraPose,
    sensor: Sensor | None = None,
    mat: Mat | None = None,
) -> Image:
    """Draw what a camera sees of a scene that changes while it looks.

    Args:
        scene_at: the scene at a time.
        time_s: when the first row opens.
        shutter: when each row takes its light.
        intrinsics: the lens.
        pose: where the camera is.
        sensor: its blur and noise; None for a usual one.
        mat: the mat on the table; None for the shipped one.

    Returns:
        BGR image of the size the intrinsics are for; the very frame of `render` if nothing moves.
    """
    sensor = sensor or Sensor()
    span_s = shutter.open_s + shutter.readout_s
    moments_s = time_s + span_s * (np.arange(shutter.samples) + 0.5) / shutter.samples
    scenes = [scene_at(float(moment)) for moment in moments_s]
    if all(scene == scenes[0] for scene in scenes):
        return render(scenes[0], intrinsics, pose, sensor, mat)
    coded = (np.arange(256) / 255.0) ** RENDER.gamma
    to_light = coded.astype(np.float32)
    light = np.zeros((intrinsics.height, intrinsics.width, 3), np.float32)
    shares = _shares(shutter, intrinsics.height).astype(np.float32)
    for scene, share in zip(scenes, shares, strict=True):
        rows = np.flatnonzero(share)
        part = slice(int(rows[0]), int(rows[-1]) + 1)
        image = render(scene, intrinsics, pose, replace(sensor, noise=0.0), mat)
        light[part] += share[part, None, None] * to_light[image[part]]
    image = np.asarray(255 * np.power(light, 1 / RENDER.gamma) + 0.5, np.uint8)
    return grainy(image, sensor.noise, repr(scenes))


def _shares(shutter: Shutter, rows: int) -> Floats:
    """How much of the light of each row comes from each moment, shape (samples, rows).

    Each moment stands for an equal part of the whole time; a row takes what of it falls into the
    time in which it is open.
    """
    span_s = shutter.open_s + shutter.readout_s
    opens_s = shutter.readout_s * np.arange(rows) / max(1, rows - 1)
    edges_s = span_s * np.arange(shutter.samples + 1) / shutter.samples
    first = np.maximum(edges_s[:-1, None], opens_s)
    last = np.minimum(edges_s[1:, None], opens_s + shutter.open_s)
    return np.asarray(np.maximum(last - first, 0.0) / shutter.open_s)
