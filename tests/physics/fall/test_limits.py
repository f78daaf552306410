"""What no prediction is made of: each refused by tiles and numbers, by the dataclasses alone."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.errors import ChainError
from physics.fall.limits import require_push, require_row
from physics.predict.predict import predict
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Push
from physics.row.spread import Spread
from physics.row.tile import STANDARD, Orientation, State, Tile
from physics.rows.row_file import read_scenarios

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"


def upright(value, x, y=0.0, deg=0.0, **parts):
    return Tile(value, Pose(x, y, math.radians(deg)), Orientation.VERTICAL, **parts)


def line(*xs):
    return Chain(tuple(upright(i, x) for i, x in enumerate(xs)))


def refusal(chain, push=None, friction=None, spread=None):
    """Have the prediction refuse a row; give its words."""
    with pytest.raises(ChainError) as caught:
        predict(
            chain,
            push or Push(),
            friction or Friction(),
            spread or Spread(),
            rng=np.random.default_rng(0),
        )
    assert "\n" not in str(caught.value)
    return str(caught.value)


def allowed(chain):
    require_push(chain, Push(), Friction(), Spread())


def test_a_row_of_no_tiles_is_refused():
    assert "this one has none" in refusal(Chain(()))


def test_a_lone_tile_can_stand_but_is_no_row_to_predict():
    require_row(line(0))
    assert refusal(line(0)) == (
        "tile 0 (place 1) stands alone: 1 tile is no row; "
        "expected at least 2, from the pushed one on"
    )


def test_a_tile_that_lies_is_refused():
    flat = Tile(4, Pose(20, 0, 0), Orientation.VERTICAL, State.FALLEN)
    assert "tile 4 (place 2) does not stand" in refusal(Chain((upright(1, 0), flat)))


def test_overlapping_tiles_are_named_with_depth_and_distance():
    assert refusal(line(0, 20, 25)) == (
        "tiles 1 (place 2) and 2 (place 3) overlap by 2.5 mm: "
        "their centres are 5.0 mm apart; move one of them"
    )


def test_tiles_far_apart_in_the_row_may_not_overlap_either():
    chain = Chain((*line(0, 20, 40, 60, 80).tiles, upright(7, 1.0)))
    assert "tiles 0 (place 1) and 7 (place 6) overlap" in refusal(chain)


def test_an_unread_tile_is_named_by_its_place():
    assert "tiles 0 (place 1) and 2 of the row overlap" in refusal(
        Chain((upright(0, 0), upright(None, 5)))
    )


def test_what_a_camera_cannot_tell_apart_from_touching_is_no_overlap():
    tiles = [replace(t, sigma_mm=0.3) for t in line(0, 7.0, 27).tiles]
    allowed(Chain(tuple(tiles)))
    assert "overlap by 0.5 mm" in refusal(line(0, 7.0, 27))


@pytest.mark.parametrize("far", [upright(9, 360), upright(9, 60, 320), upright(9, -250, 150)])
def test_a_tile_nowhere_near_the_row_is_named_with_its_distance(far):
    words = refusal(Chain((*line(0, 20, 40).tiles, far)))
    assert words.startswith("tile 9 (place 4) is out of the row: ")
    assert "mm of clear table from tile 2 (place 3); expected at most 96 mm" in words


@pytest.mark.parametrize(
    "xs", [(0, 40, 20, 60), (20, 0, 40, 60), (0, 20, 60, 40), (60, 20, 40, 0), (0, 60, 40, 20, 80)]
)
def test_an_order_that_jumps_over_a_tile_is_named(xs):
    assert "expected the tiles in the order in which they stand" in refusal(line(*xs))


def test_the_tile_that_was_jumped_over_is_named_with_its_neighbours():
    assert refusal(line(0, 40, 20, 60)).startswith(
        "tile 2 (place 3) stands between tiles 0 (place 1) and 1 (place 2), which are 40.0 mm apart"
    )


@pytest.mark.parametrize("deg", [90.0, -90.0, 80.0, 100.0, 270.0])
def test_a_push_along_the_edge_of_the_row_is_named(deg):
    words = refusal(Chain((upright(5, 0, deg=deg), *line(0, 20, 40).tiles[1:])))
    assert words.startswith("tile 5 (place 1) would be pushed from the wrong side")
    assert "tile 1 (place 2)" in words
    assert "degrees off the push" in words


def test_a_fence_of_tiles_side_by_side_is_no_row_to_push():
    fence = Chain(tuple(upright(i, 30.0 * i, deg=90.0) for i in range(4)))
    assert "0.0 mm ahead and 30.0 mm beside, 90 degrees off the push" in refusal(fence)


def test_the_other_sense_of_a_heading_is_the_same_push():
    allowed(Chain((upright(5, 0, deg=180.0), *line(0, 20, 40).tiles[1:])))


def test_wide_gaps_and_offsets_that_stop_a_fall_are_still_rows():
    allowed(line(0, 20, 110))
    allowed(Chain((*line(0, 20).tiles, upright(9, 40, 60))))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"mass_g": 0.0}, "tile 1 (place 2): mass_g is 0; expected a number from 0.1 to 10000"),
        ({"mass_g": math.nan}, "tile 1 (place 2): mass_g is nan"),
        ({"length_mm": math.inf}, "tile 1 (place 2): length_mm is inf"),
        ({"thickness_mm": -7.5}, "tile 1 (place 2): thickness_mm is -7.5"),
        ({"thickness_mm": 30.0}, "expected length_mm >= width_mm > thickness_mm, got 48, 24"),
        ({"thickness_mm": 0.4}, "thickness_mm is 0.4; expected at least 0.48, a hundredth of its"),
    ],
)
def test_a_size_that_no_tile_has_is_named_with_its_tile(changes, words):
    tiles = list(line(0, 60, 120).tiles)
    tiles[1] = replace(tiles[1], spec=replace(STANDARD, **changes))
    assert words in refusal(Chain(tuple(tiles)))


@pytest.mark.parametrize(
    ("tile", "words"),
    [
        (upright(7, math.nan), "tile 7 (place 2): x_mm is nan"),
        (upright(7, 20, math.inf), "tile 7 (place 2): y_mm is inf"),
        (upright(7, 20, 0, math.nan), "tile 7 (place 2): heading_rad is nan"),
        (upright(7, 20, sigma_mm=-1.0), "tile 7 (place 2): sigma_mm is -1"),
        (upright(7, 20, sigma_rad=math.nan), "tile 7 (place 2): sigma_rad is nan"),
    ],
)
def test_a_place_that_is_none_is_named_with_its_tile(tile, words):
    assert words in refusal(Chain((upright(0, 0), tile)))


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"push": Push(speed_mm_s=0.0)}, "push: speed_mm_s is 0; expected a number from 0.01 to"),
        ({"push": Push(stroke_mm=math.nan)}, "push: stroke_mm is nan"),
        ({"push": Push(height_frac=1.2)}, "push: height_frac is 1.2; expected a number from 0.01"),
        ({"push": Push(standoff_mm=-1.0)}, "push: standoff_mm is -1; expected a number from 0 to"),
        ({"push": Push(tip_radius_mm=math.inf)}, "push: tip_radius_mm is inf"),
        ({"push": Push(hold_s=-0.1)}, "push: hold_s is -0.1"),
        (
            {"friction": Friction(0.0, 0.5)},
            "friction: tile_tile is 0; expected a number from 0.001 to",
        ),
        ({"friction": Friction(0.3, math.nan)}, "friction: tile_table is nan"),
        ({"spread": Spread(xy_mm=-0.1)}, "spread: xy_mm is -0.1"),
        (
            {"spread": Spread(heading_rad=2.0)},
            "spread: heading_rad is 2; expected a number from 0 to 1.57",
        ),
        ({"spread": Spread(friction=math.nan)}, "spread: friction is nan"),
        ({"spread": Spread(push_speed=1.5)}, "spread: push_speed is 1.5"),
    ],
)
def test_a_push_friction_or_spread_that_is_none_is_named(part, words):
    assert words in refusal(line(0, 20), **part)


def test_no_known_row_is_refused():
    for row in read_scenarios(DATA):
        require_push(row.chain, row.push, row.friction, row.spread)


@settings(max_examples=40)
@given(st.integers(0, 59), st.floats(-3.0, 3.0), st.booleans())
def test_a_turned_or_mirrored_row_is_as_good_a_row(which, turn, mirrored):
    row = read_scenarios(DATA)[which]
    c, s, side = math.cos(turn), math.sin(turn), -1.0 if mirrored else 1.0
    moved = Chain(
        tuple(
            replace(
                t,
                pose=Pose(
                    c * t.pose.x_mm - s * side * t.pose.y_mm,
                    s * t.pose.x_mm + c * side * t.pose.y_mm,
                    turn + side * t.pose.heading_rad,
                ),
            )
            for t in row.chain.tiles
        )
    )
    require_push(moved, row.push, row.friction, row.spread)
