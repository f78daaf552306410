import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.fall.joint import copies_of, down_the_chain, joints_of
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.tile import Orientation, Tile


def joint(x, y=0.0, turn_deg=0.0, second=Orientation.VERTICAL):
    first = Tile(1, Pose(0.0, 0.0, 0.0), Orientation.VERTICAL)
    other = Tile(2, Pose(x, y, math.radians(turn_deg)), second)
    return joints_of(copies_of(Chain((first, other))))


def test_the_gap_of_a_straight_joint_is_the_clear_distance():
    assert joint(20.0).gap_mm[0, 0] == pytest.approx(12.5)


def test_a_straight_joint_is_hit_in_the_middle_over_the_whole_width():
    found = joint(20.0)
    assert found.overlap_mm[0, 0] == pytest.approx(24.0)
    assert found.middle_mm[0, 0] == found.struck_middle_mm[0, 0] == pytest.approx(0.0)


def test_a_tile_beside_the_strip_is_missed():
    found = joint(20.0, y=25.0)
    assert found.missed[0, 0]
    assert found.overlap_mm[0, 0] == 0.0
    assert np.isinf(found.gap_mm[0, 0])


def test_an_offset_tile_is_struck_off_its_centre():
    found = joint(20.0, y=10.0)
    assert found.overlap_mm[0, 0] == pytest.approx(14.0)
    assert found.middle_mm[0, 0] == pytest.approx(5.0)
    assert found.struck_middle_mm[0, 0] == pytest.approx(-5.0)


def test_a_turned_tile_is_nearer_at_its_corner():
    found = joint(20.0, turn_deg=20.0)
    assert found.gap_mm[0, 0] < 12.5
    assert found.by_corner[0, 0]
    assert found.touch_mm[0, 0] == pytest.approx(
        12.0 * math.cos(math.radians(20)) - 3.75 * math.sin(math.radians(20)), abs=1e-6
    )


def test_the_edge_of_a_narrow_tile_meets_the_face_of_a_wide_one():
    found = joint(30.0, turn_deg=20.0, second=Orientation.HORIZONTAL)
    assert not found.by_corner[0, 0]
    assert abs(found.touch_mm[0, 0]) == pytest.approx(12.0)


def test_pairs_two_places_apart_are_joints_too():
    tiles = tuple(Tile(i, Pose(20.0 * i, 0, 0), Orientation.VERTICAL) for i in range(4))
    assert joints_of(copies_of(Chain(tiles)), skip=2).gap_mm == pytest.approx(
        np.array([[32.5, 32.5]])
    )


def test_a_single_tile_has_no_joints():
    alone = Chain((Tile(1, Pose(0, 0, 1.0), Orientation.VERTICAL),))
    for skip in (1, 2):
        assert joints_of(copies_of(alone), skip=skip).gap_mm.shape == (1, 0)


@given(
    st.floats(10.0, 40.0),
    st.floats(-20.0, 20.0),
    st.floats(-80.0, 80.0),
    st.sampled_from(list(Orientation)),
)
def test_a_mirrored_joint_has_mirrored_geometry(x, y, turn, second):
    one, other = joint(x, y, turn, second), joint(x, -y, -turn, second)
    assert one.missed == other.missed
    for even in ("gap_mm", "overlap_mm"):
        assert getattr(one, even) == pytest.approx(getattr(other, even), abs=1e-6)
    for odd in ("middle_mm", "struck_middle_mm", "offset_mm", "turn_rad"):
        assert getattr(one, odd) == pytest.approx(-getattr(other, odd), abs=1e-6)


@given(st.lists(st.booleans(), min_size=2, max_size=6))
def test_half_turns_of_headings_change_nothing(turned):
    n = len(turned)
    x, y = 20.0 * np.arange(n)[None], 3.0 * np.arange(n)[None] ** 1.5
    heading = 0.2 * np.arange(n)[None]
    other = heading + np.pi * np.array(turned)
    assert down_the_chain(x, y, other) == pytest.approx(down_the_chain(x, y, heading))
