import math
from dataclasses import fields

import numpy as np
import pytest

from physics.fall.impact import blow_numbers, blows_of
from physics.fall.joint import copies_of
from physics.fall.trials import Marks, trials_of
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Push
from physics.row.tile import Orientation, Tile, TileSpec


def hit(x=20.0, y=0.0, turn=0.0, crossing=1.0, table=0.5, stands=Orientation.VERTICAL):
    poses = (Pose(0.0, 0.0, 0.0), Pose(x, y, turn))
    chain = Chain(tuple(Tile(i, pose, stands) for i, pose in enumerate(poses)))
    trials = trials_of(copies_of(chain), [Push()], [Friction(0.27, table)])
    marks = Marks(np.ones((1, 2)), np.ones((1, 2)), np.full((1, 2), crossing), np.zeros((1, 2)))
    return trials, marks


def blow(**given):
    blows = blows_of(*hit(**given))
    return {f.name: float(getattr(blows, f.name)[0, 0]) for f in fields(blows)}


def test_a_hit_in_the_middle_tips_and_does_not_turn():
    found = blow()
    assert (found["arm"], found["turning"], found["turned_rad"]) == (0.0, 0.0, 0.0)
    assert found["tipping"] == pytest.approx(0.5)
    assert found["margin"] == found["slide"]
    assert found["energy"] == pytest.approx(found["energy_centred"])


def test_the_force_that_slides_is_to_the_one_that_tips_as_lever_times_friction_to_half_thickness():
    gap = 20.0 - 7.5
    lever = math.sqrt(48.0**2 - gap**2)
    assert blow(table=0.4)["slide"] == pytest.approx(7.5 / (2 * lever * 0.4))


def test_the_farther_off_centre_the_more_it_turns_and_the_less_it_tips():
    near, far = blow(y=4.0), blow(y=10.0)
    for name in ("turning", "margin", "stop_rad"):
        assert far[name] > near[name] > 0.0
    assert far["tipping"] < near["tipping"] < 0.5
    assert far["energy"] < near["energy"] < near["energy_centred"]
    assert far["energy_centred"] == pytest.approx(near["energy_centred"])


def test_a_rougher_table_holds_better():
    slippery, rough = blow(y=8.0, table=0.3), blow(y=8.0, table=0.6)
    assert slippery["margin"] == pytest.approx(2 * rough["margin"])
    assert abs(slippery["turned_rad"]) > abs(rough["turned_rad"])


def test_a_faster_front_leaves_more_in_the_struck_tile():
    assert blow(crossing=2.0)["energy"] > blow(crossing=1.0)["energy"] > 0.0


def test_a_hit_on_the_other_side_turns_the_other_way():
    left, right = blow(y=8.0, turn=0.3), blow(y=-8.0, turn=-0.3)
    for name in ("arm", "turned_rad", "geared_rad"):
        assert right[name] == pytest.approx(-left[name])
        assert abs(left[name]) > 0.01
    for name in ("margin", "tipping", "energy"):
        assert right[name] == pytest.approx(left[name])


def test_numbers_stay_finite_and_are_nothing_where_a_tile_misses():
    trials, marks = hit(y=40.0)
    even, odd = blow_numbers(trials, marks)
    assert all((numbers == 0.0).all() for numbers in (*even, *odd))
    for given in ({"crossing": 0.0}, {"x": 7.6}, {"x": 55.0}, {"turn": 1.5}, {"table": 0.001}):
        even, odd = blow_numbers(*hit(**given))
        assert np.isfinite([*even, *odd]).all()


def test_lengths_scale_away():
    trials, marks = hit(y=6.0, turn=0.2)
    spec = TileSpec(144.0, 72.0, 22.5)
    poses = (Pose(0.0, 0.0, 0.0), Pose(60.0, 18.0, 0.2))
    big = Chain(tuple(Tile(i, p, Orientation.VERTICAL, spec=spec) for i, p in enumerate(poses)))
    scaled = trials_of(copies_of(big), [Push()], [Friction(0.27, 0.5)])
    for one, other in zip(blow_numbers(trials, marks), blow_numbers(scaled, marks), strict=True):
        assert np.array(other) == pytest.approx(np.array(one))
