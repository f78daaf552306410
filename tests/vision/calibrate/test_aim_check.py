"""What a picture says to whoever hangs the camera up."""

import math

import cv2
import numpy as np
import pytest

from vision.calibrate.aim_check import aim, shown
from vision.geometry.camera_pose import CameraPose
from vision.geometry.mat import load_mat
from vision.render.render import render, view_from
from vision.render.scene import Scene
from vision.tuning.tuning import TUNING

MAT = load_mat()


def look(scene=None, lens_known=True, up_deg=0.0, **hanging):
    """Look at a scene with a camera that hangs so, turned up by some degrees."""
    hanging = {"tilt_rad": math.radians(9.0), "side_rad": math.radians(-80.0), **hanging}
    lens, pose = view_from(**hanging)
    c, s = math.cos(math.radians(up_deg)), math.sin(math.radians(up_deg))
    up = np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])
    pose = CameraPose(up @ pose.rotation, up @ pose.translation_mm)
    image = render(scene or Scene(), lens, pose)
    aimed, view = aim(image, MAT, lens if lens_known else None)
    return aimed, view, image


@pytest.mark.parametrize("lens_known", [True, False])
def test_a_camera_that_hangs_well_is_measured_so_with_or_without_its_lens(lens_known):
    aimed, _, _ = look(lens_known=lens_known)
    assert (aimed.markers, aimed.trouble, aimed.glare) == (30, "", 0.0)
    assert math.degrees(aimed.lean_rad) == pytest.approx(9.0, abs=1.5)
    assert aimed.mm_per_px == pytest.approx(0.5, abs=0.02)
    assert min(aimed.room.values()) > 0.05
    assert aimed.blur_px < 1.2
    assert aimed.error_px < (0.2 if lens_known else 2.0)


@pytest.mark.parametrize(("up_deg", "side"), [(4.4, "near"), (-5.2, "far")])
def test_the_side_that_nearly_leaves_the_picture_is_named(up_deg, side):
    aimed, _, _ = look(up_deg=up_deg)
    assert min(aimed.room, key=aimed.room.get) == side
    assert aimed.room[side] < 0.03
    assert all(room > 0.03 for name, room in aimed.room.items() if name != side)


def test_a_dim_lamp_and_one_that_is_mirrored_are_told_apart():
    dim, _, _ = look(Scene(light=0.25))
    glossy, _, _ = look(Scene(gloss=1.0))
    assert max(dim.paper) < 130 < min(glossy.paper)
    assert dim.glare < 0.004 < glossy.glare


def test_a_picture_without_the_mat_says_what_is_in_the_way():
    for image, trouble in (
        (np.zeros((540, 960, 3), np.uint8), "dark"),
        (np.full((540, 960, 3), 120, np.uint8), "covered"),
        (np.full((540, 960, 3), 255, np.uint8), "bright"),
    ):
        aimed, _ = aim(image, MAT)
        assert (aimed.trouble, aimed.error_px, aimed.pose) == (trouble, None, None)


def test_people_get_a_small_picture_with_the_outline_drawn_in():
    aimed, view, image = look()
    plain = cv2.imdecode(np.frombuffer(shown(image, aimed, view, MAT), np.uint8), 1)
    assert plain.shape == (540, TUNING.aim_check.shown_px, 3)
    bare = cv2.resize(image, (TUNING.aim_check.shown_px, 540), interpolation=cv2.INTER_AREA)
    changed = np.abs(plain.astype(int) - bare).max(axis=2) > 80
    assert 0.003 < changed.mean() < 0.05
