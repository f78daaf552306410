import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from physics.fall.joint import copies_of
from physics.fall.trials import let_fall, trials_of
from physics.predict.features import ODD, tables
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Push
from physics.row.push import Path as Way
from physics.row.tile import Orientation, Tile, TileSpec
from physics.rows.row_file import read_scenarios

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"


def numbers(chain, push, friction):
    trials = trials_of(copies_of(chain), [push], [friction])
    marks = let_fall(trials)
    push, joints = tables(trials, marks)
    return push[0], joints[0]


def pair(push):
    tiles = (Tile(i, Pose(20.0 * i, 0.0, 0.0), Orientation.VERTICAL) for i in range(2))
    return numbers(Chain(tuple(tiles)), push, Friction())[0]


def grown(row, scale):
    """The same row with every length this much larger, and speeds and times in proportion."""
    tiles = tuple(
        replace(
            t,
            pose=Pose(scale * t.pose.x_mm, scale * t.pose.y_mm, t.pose.heading_rad),
            spec=TileSpec(
                scale * t.spec.length_mm, scale * t.spec.width_mm, scale * t.spec.thickness_mm
            ),
        )
        for t in row.chain.tiles
    )
    p, seconds = row.push, math.sqrt(scale)
    push = Push(
        p.height_frac,
        p.speed_mm_s * seconds,
        p.stroke_mm * scale,
        p.standoff_mm * scale,
        p.tip_radius_mm * scale,
        p.path,
        p.hold_s * seconds,
    )
    return Chain(tiles), push, row.friction


@pytest.mark.parametrize("path", Way)
@pytest.mark.parametrize("scale", [0.6, 2.5])
def test_a_row_of_any_scale_gives_the_same_numbers(path, scale):
    for row in read_scenarios(DATA)[:4]:
        row = replace(row, push=replace(row.push, path=path, standoff_mm=6.0))
        small = numbers(row.chain, row.push, row.friction)
        for one, other in zip(small, numbers(*grown(row, scale)), strict=True):
            assert other == pytest.approx(one, rel=1e-3, abs=1e-3)


def test_only_the_odd_numbers_change_their_sign_in_the_mirror():
    for row in read_scenarios(DATA)[:4]:
        flipped = Chain(
            tuple(
                replace(t, pose=Pose(t.pose.x_mm, -t.pose.y_mm, -t.pose.heading_rad))
                for t in row.chain.tiles
            )
        )
        for one, other in zip(
            numbers(row.chain, row.push, row.friction),
            numbers(flipped, row.push, row.friction),
            strict=True,
        ):
            assert other[..., :-ODD] == pytest.approx(one[..., :-ODD], abs=1e-6)
            assert other[..., -ODD:] == pytest.approx(-one[..., -ODD:], abs=1e-6)
            assert np.abs(one[..., -ODD:]).max() > 0.01


@pytest.mark.parametrize(
    "change", [{"path": Way.STEADY}, {"hold_s": 0.3}, {"standoff_mm": 3.0}, {"height_frac": 0.6}]
)
def test_pushes_that_the_tip_goes_differently_give_different_numbers(change):
    smooth = Push(0.42, 55.0, 13.6, 10.0, path=Way.SMOOTH)
    drive = slice(0, 12)
    assert np.abs(pair(replace(smooth, **change))[drive] - pair(smooth)[drive]).max() > 0.05


def test_a_steady_push_does_not_mind_its_stand_off_or_hold():
    push = Push()
    same = pair(replace(push, standoff_mm=9.0, hold_s=0.4))
    assert same == pytest.approx(pair(push), abs=1e-6)


def test_the_numbers_of_a_smooth_push_are_the_speeds_of_its_tip():
    push = Push(0.42, 55.0, 13.6, 10.0, path=Way.SMOOTH)
    root = math.sqrt(9810.0 * 48.0)
    balance_mm = 0.42 * 7.5
    times = np.linspace(0.0, push.out_s, 20001)
    way = np.array([push.tip_mm(t) for t in times.tolist()])
    speed = np.gradient(way, times)
    touch, there = (float(speed[np.searchsorted(way, past)]) for past in (0.0, balance_mm))
    told = pair(push)
    assert told[7:9] == pytest.approx([touch / root * 10, there / root * 10], abs=2e-3)
    beyond_s = push.back_s + push.out_s - 2 * times[np.searchsorted(way, balance_mm)]
    assert math.expm1(told[9]) == pytest.approx(beyond_s * root / 48.0, rel=2e-3)
