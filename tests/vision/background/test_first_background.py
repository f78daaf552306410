import math

import cv2
import numpy as np

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from vision.background.first_background import odd_places
from vision.geometry.camera_pose import View, project
from vision.geometry.mat import load_mat
from vision.render.render import render, view_from
from vision.render.scene import Scene, Solid

LENS, POSE = view_from(math.radians(6), 0.4)
VIEW, MAT = View(POSE, LENS), load_mat()
UNMARKED = Tile(None, Pose(350.0, 120.0, 0.4), Orientation.VERTICAL)


def image_of(*joints_mm):
    """A tile on a smooth table across which joints run, each from an end to the other."""
    image = render(Scene((Solid(UNMARKED),), table="grey", seed=3), LENS, POSE)
    for ends in joints_mm:
        points = project(np.array([(*end, 0.0) for end in ends]), POSE, LENS)
        a, b = np.round(points).astype(int).tolist()
        cv2.line(image, a, b, (60, 60, 60), 36)
    return image


def odd_at(mask, x_mm, y_mm):
    """Whether something stands out at a place on the table."""
    x, y = project(np.array([(x_mm, y_mm, 24.0)]), POSE, LENS)[0]
    rows, columns = mask.shape
    return mask[int(y * rows / LENS.height), int(x * columns / LENS.width)] > 0


def test_a_tile_stands_out_and_joints_that_cross_the_table_are_table():
    odd, hand = odd_places(image_of([(-80, 260), (680, 275)]), VIEW, MAT)
    assert not hand
    assert odd_at(odd, 350, 120) and not odd_at(odd, 300, 267)


def test_a_line_that_ends_on_the_table_may_be_anything():
    odd, _ = odd_places(image_of([(200, 260), (400, 265)]), VIEW, MAT)
    assert odd_at(odd, 350, 120) and odd_at(odd, 300, 262)
