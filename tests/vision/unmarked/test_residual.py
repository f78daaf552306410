"""What known tiles hide of a body, and what of it is worth explaining."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from vision.background.background import SHRINK, Background
from vision.background.lamps import LightSource
from vision.geometry.boxes import body_of
from vision.geometry.camera_pose import View
from vision.render.render import view_from
from vision.unmarked.residual import shares_in, shares_of, unexplained

INTRINSICS, POSE = view_from(0.0, 0.0, focal_px=1360.0, scale_px_mm=1.9)
VIEW = View(POSE, INTRINSICS)
EYE_X, EYE_Y = POSE.centre_mm[:2].tolist()


def standing(ahead_mm):
    """A tile that turns a broad wall to the camera, so far from the point under it."""
    return body_of(Tile(None, Pose(EYE_X + ahead_mm, EYE_Y, 0.0), Orientation.VERTICAL))


def weighed(body, known, worth):
    rows, columns = INTRINSICS.height // SHRINK, INTRINSICS.width // SHRINK
    nothing = np.zeros((rows, columns), dtype=np.uint8)
    image = np.full((rows, columns, 3), 128, dtype=np.uint8)
    rest = unexplained(Background(image).compare(image))
    rest = replace(rest, worth=np.full_like(nothing, worth)).without([known], VIEW)
    shares, seen = shares_of(rest, body[None], VIEW)
    return float(shares[0]), float(seen[0])


NEARER, FARTHER = standing(120.0), standing(132.0)


def test_a_known_tile_hides_what_is_behind_it_and_nothing_of_what_is_in_front():
    share, seen = weighed(NEARER, FARTHER, worth=255)
    assert share == pytest.approx(1.0, abs=0.01)
    assert seen == pytest.approx(1.0, abs=0.02)
    _, behind = weighed(FARTHER, NEARER, worth=255)
    assert behind < 0.8


def test_what_may_be_a_shadow_is_not_believed_to_hide_a_known_tile():
    _, bright = weighed(NEARER, FARTHER, worth=255)
    _, shadowy = weighed(NEARER, FARTHER, worth=102)
    assert shadowy < bright - 0.1


@pytest.mark.parametrize("turn", [0.0, math.pi / 3])
def test_tiles_that_do_not_meet_in_the_image_hide_nothing(turn):
    aside = body_of(Tile(None, Pose(EYE_X, EYE_Y + 90.0, turn), Orientation.VERTICAL))
    assert weighed(aside, NEARER, worth=255) == (pytest.approx(1.0, abs=0.01), 1.0)


def test_the_share_of_a_body_in_a_mask_counts_only_what_no_known_tile_hides():
    rows, columns = INTRINSICS.height // SHRINK, INTRINSICS.width // SHRINK
    image = np.full((rows, columns, 3), 128, dtype=np.uint8)
    rest = unexplained(Background(image).compare(image))
    nowhere = np.zeros((rows, columns), dtype=np.uint8)
    everywhere = nowhere + np.uint8(255)
    beside = rest.without([NEARER], VIEW)
    free = cv2.subtract(everywhere, beside.hidden)
    bodies = np.stack([FARTHER, body_of(Tile(None, Pose(-5000.0, 0.0, 0.0), None))])
    assert shares_in(everywhere, rest, bodies, VIEW).tolist() == [1.0, 0.0]
    assert shares_in(nowhere, rest, bodies, VIEW).tolist() == [0.0, 0.0]
    assert shares_in(free, rest, bodies, VIEW)[0] < 0.8
    assert shares_in(free, beside, bodies, VIEW)[0] == 1.0
    assert shares_in(free, rest, bodies[:0], VIEW).shape == (0,)


def test_what_is_as_dark_as_a_hard_shadow_is_less_worth_than_what_is_blacker():
    """Too dark for any usual shadow, but just what a lamp that is known leaves of the light."""
    empty = np.full((200, 200, 3), 150, dtype=np.uint8)
    now = empty.copy()
    now[40:80, 40:80] = 52
    now[120:160, 120:160] = 10
    foreground = Background(empty).compare(now)
    lamp = LightSource(0.0, 0.0, 500.0, np.full(3, 0.35))
    assert unexplained(foreground).worth[60, 60] == 255
    worth = unexplained(foreground, [lamp]).worth
    assert worth[60, 60] < 128
    assert worth[140, 140] == 255
