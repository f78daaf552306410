"""The picture that points at what is wrong: what is drawn in it, where, and how much it weighs."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from vision.capture.camera import Frame
from vision.look.overlay import STYLE, Cut
from vision.look.pointing import PointedTile, pointed
from vision.render.render import default_view, render
from vision.render.scene import Scene, Solid

INTRINSICS, POSE = default_view()
ROW = tuple(
    Tile(value, Pose(220.0 + 30.0 * n, 210.0, 0.0), Orientation.VERTICAL)
    for n, value in enumerate((3, 8, 6))
)


@pytest.fixture(scope="module")
def frame():
    scene = Scene(solids=tuple(Solid(tile, 0.0) for tile in ROW))
    return Frame(render(scene, INTRINSICS, POSE), 0.0)


def seen(jpeg):
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape == (STYLE.size_px[1], STYLE.size_px[0], 3)
    assert len(jpeg) <= STYLE.pointing_bytes
    return image


def yellow(image):
    """Where the lamp's colour was drawn, 0 or 255."""
    near = np.abs(image.astype(int) - np.array(STYLE.lamp_bgr)).max(axis=2) < 40
    return near.astype(np.uint8) * 255


def drawn(frame, *marks):
    bare = seen(pointed(frame, ROW, (), POSE, INTRINSICS))
    image = seen(pointed(frame, ROW, marks, POSE, INTRINSICS))
    return bare, image


def test_a_tile_that_is_pointed_at_has_an_outline_and_the_others_have_none(frame):
    bare, image = drawn(frame, PointedTile(8, now=ROW[1]))
    fresh = cv2.subtract(yellow(image), cv2.dilate(yellow(bare), np.ones((5, 5), np.uint8)))
    assert cv2.countNonZero(fresh) > 500
    # Nothing of it, its badge included, is as far along the row as the neighbours stand.
    cut = Cut(frame.image, ROW, POSE, INTRINSICS)
    three, _, six = (cut.spot((tile.pose.x_mm, 210.0, 24.0))[0] for tile in ROW)
    columns = np.flatnonzero(fresh.any(axis=0))
    assert three < columns.min() and columns.max() < six


def test_a_tile_that_moved_is_shown_where_it_is_and_where_it_belongs(frame):
    away = replace(ROW[1], pose=Pose(250.0, 225.0, 0.3))
    _, only = drawn(frame, PointedTile(8, now=away))
    _, both = drawn(frame, PointedTile(8, now=away, was=ROW[1]))
    assert np.abs(both.astype(int) - only.astype(int)).max() > 60
    assert cv2.countNonZero(yellow(both)) > cv2.countNonZero(yellow(only)) + 100  # the arrow


def test_a_tile_that_is_gone_is_shown_where_it_belongs(frame):
    bare, image = drawn(frame, PointedTile(9, was=replace(ROW[2], pose=Pose(320.0, 210.0, 0.0))))
    assert np.abs(image.astype(int) - bare.astype(int)).max() > 60


def test_what_is_far_from_the_row_is_in_the_picture_too(frame):
    far = Tile(9, Pose(520.0, 330.0, 0.0), Orientation.HORIZONTAL)
    image = seen(pointed(frame, ROW, [PointedTile(9, now=far)], POSE, INTRINSICS))
    rows, columns = np.nonzero(yellow(image))
    assert columns.min() > 20 and columns.max() < STYLE.size_px[0] - 20
    assert rows.min() > 10 and rows.max() < STYLE.size_px[1] - 10


def test_without_a_row_the_whole_frame_is_shown(frame):
    assert seen(pointed(frame, (), (), POSE, INTRINSICS)) is not None


def test_a_noisy_picture_is_packed_into_the_same_weight(frame):
    noise = np.random.default_rng(3).normal(0.0, 14.0, frame.image.shape)
    noisy = Frame(np.clip(frame.image + noise, 0, 255).astype(np.uint8), 0.0)
    seen(pointed(noisy, ROW, [PointedTile(8, now=ROW[1])], POSE, INTRINSICS))
