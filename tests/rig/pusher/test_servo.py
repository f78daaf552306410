"""The stroke that a row is predicted with, falls under and is pushed with: one and the same."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics.fall.simulate import Fall
from physics.row.chain import Chain
from physics.row.outcome import Outcome
from physics.row.pose import Pose
from physics.row.push import Path
from physics.row.tile import Orientation, Tile
from rig.clock import ManualClock
from rig.config import load_config
from rig.pusher.servo import ServoArm, stroke
from rig.virtual.table import VirtualTable


def row(orientation=Orientation.VERTICAL):
    return Chain(tuple(Tile(i, Pose(20.0 * i, 0, 0), orientation) for i in range(2)))


def test_the_stroke_goes_as_the_arm_goes():
    push = stroke(load_config().pusher, row())
    servo = ServoArm().stroke(push)
    assert push.path is Path.SMOOTH
    assert round(1000 * push.out_s) == servo.t_out_ms == servo.t_back_ms
    assert round(1000 * (push.back_s - push.out_s)) == servo.t_hold_ms


def test_the_settings_say_how_far_and_how_fast_it_goes():
    config = replace(load_config().pusher, speed_mm_s=33.0, stroke_mm=9.0, standoff_mm=4.0)
    push = stroke(config, row())
    assert (push.speed_mm_s, push.stroke_mm, push.standoff_mm) == (33.0, 9.0, 4.0)


@pytest.mark.parametrize(
    ("orientation", "height_mm"), [(Orientation.VERTICAL, 48.0), (Orientation.HORIZONTAL, 24.0)]
)
def test_the_tip_has_one_height_whatever_tile_it_meets(orientation, height_mm):
    config = load_config().pusher
    push = stroke(config, row(orientation))
    assert push.height_frac * height_mm == pytest.approx(config.tip_height_mm)


def test_a_tip_above_the_tile_meets_it_just_below_its_top():
    config = replace(load_config().pusher, tip_height_mm=30.0)
    assert stroke(config, row(Orientation.HORIZONTAL)).height_frac == 0.95


class FirstAfterTouch:
    """A world in which the pushed tile passes 5 degrees a tenth of a second after the touch."""

    def fall(self, chain, push):
        return Fall(Outcome((True,), (push.touch_s + 0.1,)), (1.5,), None, "")


@pytest.mark.parametrize("path", list(Path))
def test_on_the_virtual_table_a_tile_falls_from_its_touch_on(path):
    clock = ManualClock()
    table = VirtualTable(FirstAfterTouch(), clock, np.random.default_rng(1))
    table.fall(replace(stroke(load_config().pusher, row()), path=path), 6)
    clock.advance(0.1)
    (six,) = table.scene().solids
    assert math.degrees(six.tilt_rad) == pytest.approx(5.0, abs=0.2)
