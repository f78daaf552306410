"""What edges of an image draw bodies to, and how steep an edge must be to count in full."""

import math

import cv2
import numpy as np
import pytest

from physics.row.tile import STANDARD
from vision.background.background import Background, shrink
from vision.geometry.boxes import Bodies, outline, stances
from vision.geometry.camera_pose import View
from vision.render.render import view_from
from vision.tuning.tuning import TUNING
from vision.unmarked.edge_fit import Edges, Slopes, find_edges, fit_bodies, in_blur

INTRINSICS, POSE = view_from(math.radians(8), 0.5, focal_px=1400.0, scale_px_mm=1.9)
VIEW = View(POSE, INTRINSICS)
LYING = [n for n, way in enumerate(stances(STANDARD)) if way.orientation is None]


def lying(x_mm, y_mm=200.0):
    return Bodies(stances(STANDARD), np.array(LYING), np.array([[x_mm, y_mm, 0.6, 0.0]]))


def draw(slope, body, strength):
    """Draw the edges of a body that can be seen, as steep as told."""
    drawn = outline(body.corners(), VIEW, 2)
    edges = drawn.pixels[0].reshape(-1, 2, 2)
    shown, normals = drawn.shown[0][::2], drawn.normals[0][::2]
    for (start, end), (right, down) in zip(edges[shown], normals[shown], strict=True):
        # The two points lie at a quarter and at three quarters of the edge.
        first, last = start - (end - start) / 2, end + (end - start) / 2
        ends = [tuple(int(v) for v in np.round(at * 16)) for at in (first, last)]
        colour = (right * strength, down * strength)
        cv2.line(slope, *ends, colour, 2, cv2.LINE_8, 4)


def test_a_steep_edge_draws_a_body_more_than_a_faint_one_on_which_it_lies():
    slope = np.zeros((INTRINSICS.height, INTRINSICS.width, 2), dtype=np.float32)
    shadow, tile = lying(300.5, 201.5), lying(300.0, 200.0)
    draw(slope, shadow, 1.0)
    draw(slope, tile, 2 * TUNING.edge_fit.steepest)
    edges = Edges(0, 0, slope, np.zeros(slope.shape[:2], dtype=np.uint8))
    (fit,) = fit_bodies(edges, shadow, VIEW)
    far_mm = math.dist(shadow.places[0, :2], tile.places[0, :2])
    assert math.dist(fit.place[:2], tile.places[0, :2]) < 0.7 * far_mm
    assert fit.edge.max() <= 1.0


@pytest.mark.parametrize("times", [1.0, 2.0])
def test_the_smaller_a_picture_the_steeper_a_full_edge(times):
    image = np.full((INTRINSICS.height, INTRINSICS.width, 3), 60, dtype=np.uint8)
    empty = Background(shrink(image))
    image[300:400, 500:700] = 66
    foreground = empty.compare(shrink(image))
    lens = INTRINSICS.matrix.copy()
    lens[:2, :2] /= times
    small = View(POSE, type(INTRINSICS)(lens, INTRINSICS.dist, INTRINSICS.width, INTRINSICS.height))
    nothing = np.zeros_like(foreground.strict)
    steep = [
        find_edges(Slopes(image, foreground), nothing, [(400, 200, 800, 500)], view).slope.max()
        for view in (VIEW, small)
    ]
    assert steep[0] / steep[1] == pytest.approx(times**TUNING.edge_fit.full_power, rel=0.01)
    assert 0 < steep[0] < 1


@pytest.mark.parametrize(
    ("sharpness", "share"), [(0.0, 1.0), (0.6, 1.0), (0.2, 0.567), (0.05, 0.3)]
)
def test_the_more_blurred_a_picture_the_less_steep_a_full_edge(sharpness, share):
    numbers = TUNING.edge_fit
    blurred = in_blur(sharpness, VIEW, tuning=numbers)
    full = [share * level for level in numbers.full_edge_levels_px]
    assert blurred.full_edge_levels_px == pytest.approx(full, rel=0.01)
