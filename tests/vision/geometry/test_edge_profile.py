import cv2
import numpy as np

from vision.geometry.edge_profile import sharpness

PARTS = [np.array([[x, 20.0], [x + 30, 20], [x + 30, 50], [x, 50]]) for x in (20.0, 80.0)]


def picture(blur_px=0.6, light=1.0):
    """Two squares that are parted into black and white."""
    levels = np.full((80, 140), 120.0, dtype=np.float32)
    for part in PARTS:
        left, top = part.min(axis=0).astype(int)
        levels[top : top + 30, left : left + 30] = 200
        levels[top + 8 : top + 22, left + 5 : left + 20] = 30
    return (light * cv2.GaussianBlur(levels, (0, 0), blur_px)).round().astype(np.uint8)


def test_blur_makes_a_picture_less_sharp_and_light_does_not():
    sharp = sharpness(picture(), PARTS)
    assert sharpness(picture(blur_px=1.2), PARTS) < 0.7 * sharp
    assert abs(sharpness(picture(light=0.4), PARTS) / sharp - 1) < 0.05


def test_what_is_partly_out_of_the_picture_does_not_count():
    shaken = np.array(picture())
    shaken[:, 70:] = cv2.GaussianBlur(shaken[:, 70:], (0, 0), 2.0)
    one = sharpness(shaken, PARTS[:1])
    assert sharpness(shaken, PARTS) < 0.95 * one
    assert sharpness(shaken[:, :112], PARTS) == one
    assert sharpness(shaken[:, :40], PARTS) == 0.0
