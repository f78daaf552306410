"""Photos of the pretend table as a hand takes them: any lens, any slant, upright or sideways."""

import math

import numpy as np

from vision.geometry.camera_pose import CameraPose, project
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import load_mat

MIDDLE_MM = (300.0, 210.0)


def lens_of(focal_px, size, middle_off_px=(0.0, 0.0), dist=(0.0,) * 5):
    """A lens for photos of a size, width and height in px."""
    width, height = size
    x, y = (width - 1) / 2 + middle_off_px[0], (height - 1) / 2 + middle_off_px[1]
    matrix = np.array([[focal_px, 0.0, x], [0.0, focal_px, y], [0.0, 0.0, 1.0]])
    return Intrinsics(matrix, np.array(dist), width, height)


def held(lens, tilt_rad, side_rad, fill=0.9, roll_rad=0.0, aim_mm=MIDDLE_MM):
    """Where a phone is whose photo shows the mat as large as it can.

    Args:
        lens: its lens.
        tilt_rad: how far it leans from straight down.
        side_rad: on which side of the table it is held, counter-clockwise from table x.
        fill: share of the photo that the mat reaches; above 1 its end is cut off.
        roll_rad: how far it is turned about its axis.
        aim_mm: what is in the middle of the photo.
    """
    near_mm, far_mm = 200.0, 4000.0
    while far_mm - near_mm > 1.0:
        middle_mm = (near_mm + far_mm) / 2
        pose = _looking(aim_mm, tilt_rad, side_rad, roll_rad, middle_mm)
        near_mm, far_mm = (near_mm, middle_mm) if _reach(pose, lens) < fill else (middle_mm, far_mm)
    return _looking(aim_mm, tilt_rad, side_rad, roll_rad, far_mm)


def _looking(aim_mm, tilt_rad, side_rad, roll_rad, far_mm):
    lean = math.sin(tilt_rad)
    back = np.array([lean * math.cos(side_rad), lean * math.sin(side_rad), math.cos(tilt_rad)])
    # People hold a phone so that what is far away on the table is up in the photo.
    up = np.array([-math.cos(side_rad), -math.sin(side_rad), 0.0])
    down = -(up * math.cos(roll_rad) + np.cross(back, up) * math.sin(roll_rad))
    down -= back * (down @ back)
    down /= np.linalg.norm(down)
    rotation = np.array([np.cross(down, -back), down, -back])
    return CameraPose(rotation, -rotation @ (np.append(aim_mm, 0.0) + back * far_mm))


def _reach(pose, lens):
    mat = np.concatenate(list(load_mat().corners_mm.values()))
    seen = project(np.column_stack([mat, np.zeros(len(mat))]), pose, lens)
    middle = (lens.width / 2, lens.height / 2)
    return float((np.abs(seen - middle) / middle).max())
