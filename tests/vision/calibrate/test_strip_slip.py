"""Strips of the mat that have slipped: named, and no tile goes along."""

import math
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile
from vision.calibrate.mat_survey import moved
from vision.calibrate.strip_slip import Slip, StripWatch, strip_name
from vision.capture.camera import Frame
from vision.geometry.camera_pose import View, project, to_plane
from vision.geometry.markers import as_gray
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.render.render import Sensor, render, view_from
from vision.render.scene import Scene, Solid
from vision.tuning.tuning import TUNING

LENS, POSE = view_from(math.radians(10), 0.7)
VIEW = View(POSE, LENS)
NOMINAL = load_mat()
SURVEYED = replace(NOMINAL, surveyed=True)
NAMES = [strip_name(NOMINAL, n) for n in range(6)]
TILE = Tile(4, Pose(320.0, 180.0, 0.3), Orientation.VERTICAL)
TOPS = np.array([(x, y, 48.0) for x in (60.0, 540.0) for y in (60.0, 360.0)])
SEEN = project(TOPS, POSE, LENS)


def lying(**slips):
    """The mat with strips shifted by so many mm, by name: far_left=(1.0, 0.5)."""
    return shifted(NOMINAL, **slips)


def shifted(mat, **slips):
    moves = np.zeros((6, 3))
    for name, by in slips.items():
        moves[NAMES.index(name.replace("_", " "))] = (*by, 0.0)[:3] if len(by) == 2 else by
    return moved(mat, moves)


def picture(mat, hand=None, tiles=()):
    scene = Scene(table="wood", seed=2, hand=hand, solids=tuple(Solid(t) for t in tiles))
    return render(scene, LENS, POSE, Sensor(), mat=mat)


@lru_cache(maxsize=4)
def askew():
    rng = np.random.default_rng(8)
    way = rng.uniform(0, math.tau, 6)
    turn = math.radians(0.5) * rng.choice([-1.0, 1.0], 6)
    return moved(NOMINAL, np.column_stack([np.cos(way), np.sin(way), turn]))


def watched(watch, *mats, **more):
    for mat in mats:
        watch.see(as_gray(picture(mat, **more)), VIEW)
    return [slip.name for slip in watch.slips]


def eye_before(known, mat):
    eye = Eye(LENS, known, hanging=True)
    for n in range(TUNING.strip_slip.learn_looks + 1):
        look = eye.look(Frame(picture(mat, tiles=[TILE] * (n % 2)), float(n)))
    return eye, look


def off_mm(look, before):
    """How far what stands on the table seems to have moved, at most."""
    now, then = (to_plane(SEEN, 48.0, one.camera, LENS) for one in (look, before))
    return float(np.linalg.norm(now - then, axis=1).max())


@pytest.mark.parametrize(
    "slips",
    [
        {"left": (0.0, 0.6)},
        {"left": (1.2, 0.0), "right": (1.2, 0.0)},
        {"far_left": (0.8, 0.9), "left": (0.8, 0.9)},
        {"near_left": (0.0, -1.5), "near_right": (0.0, -1.5)},
        {"far_right": (2.9, 0.0), "near_left": (2.9, 0.0)},
    ],
)
def test_strips_that_slip_after_a_survey_are_named_and_take_no_tile_along(slips):
    eye, before = eye_before(SURVEYED, NOMINAL)
    look = eye.look(Frame(picture(lying(**slips), tiles=[TILE]), 9.0))
    assert {slip.name.replace(" ", "_") for slip in look.slips} == set(slips)
    assert off_mm(look, before) < 0.06
    assert before.slips == ()


def test_how_far_a_strip_has_slipped_is_told():
    watch = StripWatch(SURVEYED)
    assert watched(watch, lying(right=(0.9, -1.2, 0.006))) == ["right"]
    (slip,) = watch.slips
    assert slip.mm == pytest.approx(1.5, abs=0.12)
    assert slip.off[2] == pytest.approx(0.006, abs=0.0005)


def test_strips_that_were_laid_askew_have_not_slipped_until_they_do():
    eye, before = eye_before(NOMINAL, askew())
    assert before.slips == ()
    slips = {"left": (1.0, 0.8), "near_left": (1.0, 0.8)}
    look = eye.look(Frame(picture(shifted(askew(), **slips), tiles=[TILE]), 9.0))
    assert [slip.name for slip in look.slips] == ["near left", "left"]
    assert off_mm(look, before) < 0.06


def test_a_strip_that_is_pushed_back_has_not_slipped():
    watch = StripWatch(SURVEYED)
    assert watched(watch, lying(left=(1.0, 0.0))) == ["left"]
    assert watched(watch, NOMINAL) == []


def test_a_camera_that_was_nudged_is_no_slip():
    watch = StripWatch(SURVEYED)
    turned = replace(POSE, translation_mm=POSE.translation_mm + np.array([1.1, -0.8, 2.0]))
    watch.see(as_gray(render(Scene(table="wood", seed=2), LENS, turned, Sensor())), VIEW)
    assert watch.slips == ()


@pytest.mark.parametrize("hand", [(40.0, 100.0), (300.0, 20.0), (560.0, 330.0)])
def test_a_hand_over_strips_is_no_slip(hand):
    assert watched(StripWatch(SURVEYED), NOMINAL, hand=hand) == []


def test_a_strip_that_has_slipped_and_is_hidden_is_kept_in_mind():
    watch = StripWatch(SURVEYED)
    slipped = lying(far_left=(1.0, 1.0))
    assert watched(watch, slipped) == ["far left"]
    corners = np.concatenate([slipped.corners_mm[i] for i in slipped.strips[0]])
    table = np.column_stack([corners, np.zeros(len(corners))])
    left, top, wide, high = cv2.boundingRect(project(table, POSE, LENS).astype(np.float32))
    for bare, named in ((slipped, ["far left"]), (NOMINAL, ["far left"])):
        gray = as_gray(picture(bare)).copy()
        gray[top - 9 : top + high + 9, left - 9 : left + wide + 9] = 90
        watch.see(gray, VIEW)
        assert [slip.name for slip in watch.slips] == named
    assert watched(watch, NOMINAL) == []


def test_a_mat_of_which_three_strips_moved_names_none_of_them():
    """Three against three: nobody knows which."""
    watch = StripWatch(SURVEYED)
    slips = {"left": (1.5, 0.0), "right": (-1.5, 0.0), "far_left": (0.0, 1.5)}
    assert watched(watch, lying(**slips)) == []


def test_a_camera_that_hangs_elsewhere_learns_anew_how_unsurveyed_strips_lie():
    watch = StripWatch(NOMINAL)
    watched(watch, *[NOMINAL] * TUNING.strip_slip.learn_looks)
    assert watched(watch, lying(left=(1.0, 0.0))) == ["left"]
    watch.forget()
    assert watched(watch, *[lying(left=(1.0, 0.0))] * (TUNING.strip_slip.learn_looks + 1)) == []


def test_what_is_wrongly_believed_of_strips_does_not_hide_the_mat():
    eye, _ = eye_before(NOMINAL, NOMINAL)
    eye._watch.take(
        (Slip(0, "far left", (-7.0, 0.2, 0.0)), Slip(1, "far right", (-7.0, -0.3, 0.0)))
    )
    away = replace(POSE, translation_mm=POSE.translation_mm + np.array([25.0, -18.0, 4.0]))
    for n in range(8):
        bright = Scene(table="wood", seed=2, light=1.0 + 0.01 * n)
        look = eye.look(Frame(render(bright, LENS, away, Sensor()), 20.0 + n))
    assert look.slips == ()
    assert np.linalg.norm(look.camera.centre_mm - away.centre_mm) < 1.0
