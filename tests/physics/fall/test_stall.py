"""Every reason for a stall, shown by a row that stalls for it and by one like it that falls."""

import math
from dataclasses import replace

import pytest

from physics.fall.joint import copies_of, joints_of
from physics.fall.side_view import side_view
from physics.fall.simulate import Run, Why, simulate
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Push
from physics.row.tile import Orientation, Tile

UP, FLAT = Orientation.VERTICAL, Orientation.HORIZONTAL
RUB = Friction(0.2, 0.5)


def row(*places, stands=UP):
    """Put tiles up at (x mm, y mm, heading in degrees)."""
    poses = (Pose(x, y, math.radians(turn)) for x, y, turn in places)
    return Chain(tuple(Tile(i, pose, stands) for i, pose in enumerate(poses)))


def lying(chain, which):
    """Put one tile on its long edge."""
    tiles = list(chain.tiles)
    tiles[which] = replace(tiles[which], orientation=FLAT)
    return Chain(tuple(tiles))


def straight(count, gap_mm, stands=UP):
    return row(*((i * (7.5 + gap_mm), 0, 0) for i in range(count)), stands=stands)


@pytest.mark.parametrize(
    ("chain", "push", "friction", "joint", "why"),
    [
        (straight(3, 49), Push(), RUB, 0, Why.OUT_OF_REACH),
        (row((0, 0, 0), (22, 0, 0), (44, 26, 0)), Push(), RUB, 1, Why.MISSED),
        (straight(3, 44), Push(), Friction(0.2, 0.1), 0, Why.NOT_TOUCHED),
        (straight(3, 40), Push(), Friction(0.2, 0.15), 1, Why.SLID),
        (row((0, 0, 0), (27.5, 36, 0), stands=FLAT), Push(), RUB, 0, Why.TURNED),
        (row((0, 0, 0), (20, 0, 0), (49, 0, 78)), Push(), RUB, 0, Why.JAMMED),
        (lying(row((0, 0, 0), (20, 0, 0), (54, 0, 70)), 2), Push(), RUB, 1, Why.TURNED),
        (lying(row((0, 0, 0), (30, 0, 70)), 0), Push(), RUB, 0, Why.TURNED),
        (straight(8, 0), Push(stroke_mm=8.0), RUB, -1, Why.JAMMED),
        (straight(2, 23.5, FLAT), Push(), RUB, 0, Why.WEAK),
        (straight(3, 15), Push(stroke_mm=3.0), RUB, -1, Why.PUSH_SHORT),
        (straight(3, 15), Push(height_frac=0.35), Friction(0.2, 0.15), -1, Why.PUSH_SLID),
    ],
)
def test_a_row_that_stalls_says_where_and_why(chain, push, friction, joint, why):
    fall = simulate(chain, push, friction)
    assert (fall.stalled, fall.why) == (joint, why)


@pytest.mark.parametrize(
    ("chain", "push", "friction"),
    [
        (straight(3, 40), Push(), RUB),  # in reach
        (row((0, 0, 0), (22, 0, 0), (44, 20, 0)), Push(), RUB),  # in the way
        (straight(3, 44), Push(), Friction(0.2, 0.5)),  # feet that hold
        (straight(2, 20, FLAT), Push(), RUB),  # struck in the middle
        (straight(8, 0), Push(stroke_mm=12.0), RUB),  # pushed past the balance of all
        (straight(3, 15), Push(stroke_mm=7.0), RUB),  # pushed past the balance of one
        (straight(3, 15), Push(height_frac=0.35), RUB),  # a table that holds
    ],
)
def test_the_same_row_without_what_stopped_it_falls(chain, push, friction):
    fall = simulate(chain, push, friction)
    assert (fall.outcome.all_fell, fall.stalled, fall.why) == (True, None, "")


def moved(chain, push, friction):
    """Return how far each tile went along the table, mm."""
    copies = copies_of(chain)
    view = side_view(copies, joints_of(copies), joints_of(copies, skip=2))
    run = Run(view, 0, push, friction, step_s=0.001, to_rest=True)
    run.go()
    return run.moved_mm


def test_a_first_tile_that_was_slid_along_stands_upright_where_the_tip_left_it():
    push, friction = Push(height_frac=0.35, stroke_mm=12.0), Friction(0.2, 0.15)
    assert simulate(straight(1, 0), push, friction).tilt_rad == pytest.approx((0.0,), abs=0.01)
    assert moved(straight(1, 0), push, friction)[0] == pytest.approx(12.0, abs=1.5)


def test_a_struck_tile_that_slid_away_stands_upright_millimetres_on():
    slid = straight(3, 40), Push(), Friction(0.2, 0.15)
    assert simulate(*slid).tilt_rad[2] == pytest.approx(0.0, abs=0.01)
    assert 4.0 < moved(*slid)[2] < 10.0


def test_a_tile_that_slid_back_lies_flat_and_the_next_never_moved():
    missing = straight(3, 44), Push(), Friction(0.2, 0.1)
    assert simulate(*missing).tilt_rad[0] == pytest.approx(math.pi / 2, abs=0.01)
    # A tile that tips about its front foot comes to lie 27.75 mm on: half its height and more.
    assert moved(*missing)[0] < 24.0
    assert moved(*missing)[1] == pytest.approx(0.0, abs=0.05)


def test_jammed_tiles_lean_past_their_balance_and_still_stand():
    leaning = simulate(straight(8, 0), Push(stroke_mm=8.0), RUB)
    assert math.radians(8.9) < leaning.tilt_rad[0] < math.radians(30.0)


def test_a_push_that_was_too_short_leaves_the_first_tile_as_it_stood():
    back = straight(3, 15), Push(stroke_mm=3.0), RUB
    fall = simulate(*back)
    assert fall.outcome.arrival_s[0] is not None
    assert fall.tilt_rad == pytest.approx((0.0, 0.0, 0.0), abs=0.01)
    assert abs(moved(*back)[0]) < 2.0
