"""Rows of every shape stand, and are as they were asked for."""

import math
from itertools import pairwise
from random import Random

import pytest

from physics.errors import ChainError
from physics.row.tile import STANDARD, Orientation
from physics.rows.generators import Shape, Wanted, generated
from physics.rows.notation import read, written


def poses(shape, **how):
    wanted = Wanted(Shape(shape), **{"turn_rad": math.radians(10), **how})
    row = generated(wanted, Random(1), "a")
    assert len(row.chain.tiles) == wanted.count
    assert written(read(written(row))) == written(row)
    return [tile.pose for tile in row.chain.tiles]


def turns(row):
    return [math.degrees(b.heading_rad - a.heading_rad) for a, b in pairwise(row)]


@pytest.mark.parametrize("shape", ["line", "arc", "spiral", "zigzag", "wave"])
def test_tiles_of_a_shape_are_one_gap_apart(shape):
    for a, b in pairwise(poses(shape, gap_mm=12.0)):
        apart_mm = math.hypot(b.x_mm - a.x_mm, b.y_mm - a.y_mm)
        assert apart_mm == pytest.approx(STANDARD.thickness_mm + 12.0)


def test_each_shape_turns_as_it_says():
    assert turns(poses("line")) == pytest.approx([0.0] * 10)
    assert turns(poses("arc")) == pytest.approx([10.0] * 10)
    wound = turns(poses("spiral"))
    assert wound[0] == pytest.approx(10.0) and wound[-1] < 1.5
    assert all(a > b for a, b in pairwise(wound))
    assert turns(poses("zigzag")) == pytest.approx([0, 0, 0, 10, 0, 0, 0, -10, 0, 0])
    swing = [math.degrees(pose.heading_rad) for pose in poses("wave")]
    assert max(swing) == pytest.approx(-min(swing)) and 9 < max(swing) <= 10
    assert swing[0] == pytest.approx(swing[10]) == pytest.approx(0.0)


def test_people_stand_every_row_otherwise_and_a_seed_again():
    wanted = Wanted(Shape.PLAYER)
    one, same, other = (generated(wanted, Random(seed)) for seed in (1, 1, 2))
    assert one == same != other
    chance = Random(5)
    tiles = [t for _ in range(60) for t in generated(wanted, chance).chain.tiles]
    lying = sum(tile.orientation is Orientation.HORIZONTAL for tile in tiles) / len(tiles)
    assert 0.2 < lying < 0.4


def test_a_row_that_cannot_stand_is_told():
    with pytest.raises(ChainError, match="overlap"):
        poses("arc", count=40, turn_rad=math.radians(60), gap_mm=1.0)
