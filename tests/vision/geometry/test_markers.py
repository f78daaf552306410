import math
from functools import lru_cache

import cv2
import numpy as np
import pytest

from vision.geometry.markers import as_gray, detect_markers, refine_corners


def squares(angle_rad=0.2, side=60.0, blur_px=0.8, ink=40, paper=210):
    """Dark squares drawn much larger, shrunk and blurred; the image and their true corners."""
    sharp, corners = shrunk(angle_rad, side, ink, paper)
    return cv2.GaussianBlur(sharp, (0, 0), blur_px).round().astype(np.uint8), corners


@lru_cache
def shrunk(angle_rad, side, ink, paper, ss=20):
    c, s = math.cos(angle_rad), math.sin(angle_rad)
    unit = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * side
    turned = unit @ np.array([[c, s], [-s, c]])
    middles = np.array([(90.3, 80.7), (250.6, 95.2), (150.15, 230.85), (300.4, 250.5)])
    corners = middles[:, None, :] + turned
    # Pixel centres are at integers; each pixel is the mean of ss x ss places in it.
    x = (np.arange(400 * ss) + 0.5) / ss - 0.5
    y = (np.arange(340 * ss) + 0.5) / ss - 0.5
    large = np.full((len(y), len(x)), paper, np.uint8)
    for mx, my in middles:
        columns, rows = (slice(int(v - side) * ss, int(v + side) * ss) for v in (mx, my))
        right = (x[None, columns] - mx) * c + (y[rows, None] - my) * s
        down = (y[rows, None] - my) * c - (x[None, columns] - mx) * s
        large[rows, columns][(np.abs(right) < side / 2) & (np.abs(down) < side / 2)] = ink
    small = large.reshape(340, ss, 400, ss).mean(axis=(1, 3), dtype=np.float32)
    return small, corners


@pytest.mark.parametrize("angle_rad", [0.0, 0.2, 0.7])
@pytest.mark.parametrize("blur_px", [0.6, 1.2])
def test_corners_are_found_to_a_few_hundredths_of_a_pixel(angle_rad, blur_px):
    image, true = squares(angle_rad, blur_px=blur_px)
    rng = np.random.default_rng(1)
    image = np.clip(image + rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8)
    rough = true + rng.uniform(-0.8, 0.8, true.shape)
    found = refine_corners(image, rough)
    assert np.linalg.norm(found - true, axis=2).max() < 0.2
    assert np.sqrt(np.mean((found - true) ** 2)) < 0.06


def test_the_order_of_corners_does_not_matter_to_where_they_are():
    image, true = squares()
    back = refine_corners(image, true[:, ::-1])
    assert back[:, ::-1] == pytest.approx(refine_corners(image, true), abs=1e-9)


def test_something_over_a_part_of_a_side_is_left_out():
    image, true = squares(angle_rad=0.0)
    left, top = np.floor(true[0, 0]).astype(int)
    image[top + 18 : top + 28, left - 12 : left + 5] = 250
    found = refine_corners(image, true + 0.4)
    assert np.linalg.norm(found[0] - true[0], axis=1).max() < 0.15


def test_corners_without_edges_stay_where_they_were():
    _, true = squares()
    flat = np.full((340, 400), 120, np.uint8)
    assert refine_corners(flat, true) == pytest.approx(true)


def test_corners_far_from_any_edge_are_not_dragged_to_one():
    image, true = squares()
    wrong = true + 9.0
    assert np.abs(refine_corners(image, wrong) - wrong).max() < 3.0


def test_a_corner_outside_the_picture_is_no_fault():
    image, true = squares()
    assert np.isfinite(refine_corners(image, true - 80.0)).all()


def test_no_corners_are_none():
    assert refine_corners(np.zeros((10, 10), np.uint8), np.zeros((0, 4, 2))).shape == (0, 4, 2)


def test_a_marker_that_is_seen_twice_is_no_marker():
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    image = np.full((300, 500), 220, np.uint8)
    for marker, (left, top) in ((3, (40, 60)), (3, (200, 60)), (7, (360, 60))):
        image[top : top + 90, left : left + 90] = words.generateImageMarker(marker, 90)
    ids, corners = detect_markers(image, "DICT_4X4_50")
    assert ids == (7,)
    assert corners[0, 0] == pytest.approx((359.5, 59.5), abs=0.3)


def test_grey_is_brightness():
    assert as_gray(np.full((2, 3, 3), 77, np.uint8)).tolist() == [[77] * 3] * 2
