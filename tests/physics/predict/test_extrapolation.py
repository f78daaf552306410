"""A row outside the fitted range is answered, named in words and numbers, and less surely."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from physics.fall.trials import disturb, let_fall
from physics.predict.extrapolation import outside, traits
from physics.predict.hazard import usual
from physics.predict.predict import predict
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Push
from physics.row.push import Path as Course
from physics.row.spread import Spread
from physics.row.tile import STANDARD, Orientation, Tile
from physics.rows.row_file import read_scenarios

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"
DOUBTFUL = 2


def straight(n, gap_mm=15.0, spec=STANDARD):
    pitch = spec.thickness_mm + gap_mm
    return Chain(
        tuple(Tile(i, Pose(i * pitch, 0, 0), Orientation.VERTICAL, spec=spec) for i in range(n))
    )


ALL = dict.fromkeys(traits(straight(2), Push(), Friction(), Spread()), (-1e9, 1e9))


def told(chain, push=None, friction=None, spread=None, seen=None):
    hazard = usual() if seen is None else replace(usual(), seen=seen)
    rng = np.random.default_rng(0)
    asked = (push or Push(), friction or Friction())
    return predict(chain, *asked, spread or Spread(), rng=rng, hazard=hazard, runs=4)


def bent(n, turn_deg, aside_mm=0.0):
    tiles = [Tile(0, Pose(0, 0, 0), Orientation.VERTICAL)]
    for i in range(1, n):
        x, y = tiles[-1].pose.to_table(30.0, aside_mm)
        heading = tiles[-1].pose.heading_rad + math.radians(turn_deg)
        tiles.append(Tile(i, Pose(x, y, heading), Orientation.VERTICAL))
    return Chain(tuple(tiles))


def test_the_usual_row_is_inside():
    assert told(straight(5)).extrapolated == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"chain": straight(40)}, "number of tiles: 40"),
        (
            {"chain": straight(3, spec=replace(STANDARD, width_mm=44.0))},
            "tile width / tile length: 0.917",
        ),
        (
            {"chain": straight(3, spec=replace(STANDARD, thickness_mm=3.0))},
            "tile thickness / tile length: 0.0625",
        ),
        ({"friction": Friction(0.9, 0.5)}, "friction between tiles: 0.9"),
        ({"friction": Friction(0.27, 1.2)}, "friction between tile and table: 1.2"),
        ({"push": Push(height_frac=0.2)}, "push height / tile height: 0.2"),
        ({"push": Push(speed_mm_s=400.0)}, "push speed / sqrt(g * tile height): 0.583"),
        ({"push": Push(stroke_mm=3.0)}, "push stroke / tile thickness: 0.4"),
        ({"push": Push(stroke_mm=45.0)}, "push stroke / tile thickness: 6"),
        ({"push": Push(tip_radius_mm=15.0)}, "tip radius / tile thickness: 2"),
        ({"spread": Spread(xy_mm=2.0)}, "sigma of a tile's position / tile length: 0.0417"),
        ({"spread": Spread(heading_rad=math.radians(5))}, "sigma of a tile's heading, degrees: 5"),
        ({"spread": Spread(friction=0.5)}, "relative sigma of friction: 0.5"),
        ({"spread": Spread(push_speed=0.6)}, "relative sigma of push speed: 0.6"),
        ({"chain": straight(3, 60.0)}, "mean gap / height of the tile before it: 1.25 "),
        ({"chain": bent(3, 75.0)}, "mean turn between neighbours, degrees: 75"),
        (
            {"chain": bent(2, 0.0, aside_mm=62.0)},
            "largest sideways offset / width of the tile before it: 2.58",
        ),
    ],
)
def test_what_no_fit_has_seen_is_named_with_its_number(changes, words):
    found = told(**{"chain": straight(3), **changes}).extrapolated
    (match,) = [line for line in found if line.startswith(words)]
    assert " (fitted on " in match
    assert " to " in match


def test_a_tile_seen_badly_is_named_by_its_own_sigma():
    sharp, blurred = straight(3).tiles[:2], replace(straight(3).tiles[2], sigma_mm=2.0)
    (line,) = told(Chain((*sharp, blurred))).extrapolated
    assert line == "sigma of a tile's position / tile length: 0.0417 (fitted on 0 to 0.0175)"


def test_a_straight_row_known_exactly_is_inside():
    assert told(straight(5), spread=Spread(0.0, 0.0, 0.0, 0.0)).extrapolated == ()


def test_gaps_wider_than_a_tile_is_high_are_told_as_they_are_and_count_as_one_height():
    wide = straight(3, 60.0)
    assert traits(wide, Push(), Friction(), Spread())["row.gap/height"] == 1.0
    (line,) = told(wide).extrapolated
    assert line.endswith(": 1.25 (fitted on 0 to 0.947)")
    (line,) = told(bent(2, 0.0, aside_mm=24.5)).extrapolated
    assert line.endswith(": 1 (fitted on 0 to 0.947)")


def test_a_single_tile_of_a_fit_says_nothing_of_joints():
    names = set(traits(straight(2), Push(), Friction(), Spread()))
    assert names - set(traits(straight(1), Push(), Friction(), Spread())) == {
        "row.gap/height",
        "row.turn_deg",
        "row.offset/width",
    }


@pytest.mark.parametrize("name", sorted(ALL))
def test_outside_of_any_one_quantity_the_interval_is_wider(name):
    row = read_scenarios(DATA)[DOUBTFUL]
    inside = told(row.chain, row.push, row.friction, seen=ALL)
    beyond = told(row.chain, row.push, row.friction, seen={**ALL, name: (1e8, 1e9)})
    assert inside.extrapolated == ()
    assert len(beyond.extrapolated) == 1
    assert beyond.p_fall == inside.p_fall
    assert beyond.low < inside.low < inside.p_fall < inside.high < beyond.high


def test_a_smooth_path_is_told_by_itself_its_speed_at_the_touch_and_its_stop():
    seen = {
        **ALL,
        "push.smooth": (0.0, 0.0),
        "push.touch_speed/speed": (0.9, 1.0),
        "push.hold*sqrt(g/h)": (0.0, 1.0),
    }
    push = Push(path=Course.SMOOTH, hold_s=0.15)
    assert told(straight(3), seen=seen).extrapolated == ()
    found = told(straight(3), push, seen=seen).extrapolated
    assert found[0] == "path of the push: smooth (fitted on steady pushes)"
    assert [line.split(":")[0] for line in found[1:]] == [
        "push speed at the touch / top push speed",
        "pause before the arm goes back * sqrt(g / tile height)",
    ]


def test_coefficients_that_say_nothing_of_paths_have_seen_steady_pushes():
    seen = {"tiles": (1.0, 11.0)}
    assert told(straight(3), seen=seen).extrapolated == ()
    assert told(straight(3), Push(path=Course.SMOOTH), seen=seen).extrapolated == (
        "path of the push: smooth (fitted on steady pushes)",
    )


def test_stand_off_and_stop_of_a_steady_push_do_not_count():
    one, other = Push(), Push(standoff_mm=30.0, hold_s=9.0)
    assert traits(straight(2), one, Friction(), Spread()) == traits(
        straight(2), other, Friction(), Spread()
    )


@pytest.mark.parametrize(("standoff_mm", "share"), [(0.0, 0.0), (12.0, 1.0)])
def test_a_smooth_push_is_slow_at_its_start_and_fastest_in_the_middle(standoff_mm, share):
    push = Push(path=Course.SMOOTH, stroke_mm=12.0, standoff_mm=standoff_mm)
    found = traits(straight(2), push, Friction(), Spread())["push.touch_speed/speed"]
    assert found == pytest.approx(share, abs=1e-6)


def test_the_speed_at_the_touch_is_the_slope_of_the_path():
    push = Push(path=Course.SMOOTH)
    step_s = 1e-5
    slope = (push.tip_mm(push.touch_s + step_s) - push.tip_mm(push.touch_s - step_s)) / (2 * step_s)
    found = traits(straight(2), push, Friction(), Spread())["push.touch_speed/speed"]
    assert found == pytest.approx(slope / push.speed_mm_s, abs=1e-4)


def test_traits_are_the_same_at_any_scale():
    s = 1.7
    spec = replace(STANDARD, length_mm=48 * s, width_mm=24 * s, thickness_mm=7.5 * s)
    push = Push(path=Course.SMOOTH)
    larger = replace(
        push,
        speed_mm_s=push.speed_mm_s * math.sqrt(s),
        stroke_mm=push.stroke_mm * s,
        standoff_mm=push.standoff_mm * s,
        tip_radius_mm=push.tip_radius_mm * s,
        hold_s=push.hold_s * math.sqrt(s),
    )
    one = traits(straight(4), push, Friction(), Spread())
    wider = Spread(xy_mm=Spread().xy_mm * s)
    assert one == pytest.approx(traits(straight(4, 15 * s, spec), larger, Friction(), wider))


@pytest.mark.parametrize("how", [Orientation.VERTICAL, Orientation.HORIZONTAL])
def test_the_width_of_a_tile_counts_by_itself_beyond_the_widths_of_the_fit(how):
    def chances(width_mm, hazard):
        spec = replace(STANDARD, width_mm=width_mm)
        gap_mm = 0.6 * spec.height_mm(how)
        pitch = spec.thickness_mm + gap_mm
        chain = Chain(tuple(Tile(i, Pose(i * pitch, 0, 0), how, spec=spec) for i in range(4)))
        still = Spread(0.0, 0.0, 0.0, 0.0)
        trials = disturb(chain, Push(), Friction(), still, 1, np.random.default_rng(0))
        return hazard.chances(trials, let_fall(trials))[0]

    without = replace(usual(), widths=((0.5,), (0.0,)))
    narrow, middle, wide = (
        chances(width_mm, usual()) - chances(width_mm, without) for width_mm in (17.0, 24.0, 33.0)
    )
    assert (narrow < 0).all()
    assert middle.tolist() == [0.0] * 4
    assert (wide > 0).all()


def test_widths_beyond_all_that_were_tried_count_as_the_last_of_them():
    (narrowest, *_, widest), (least, *_, most) = usual().widths
    assert np.interp([0.0, 9.0], *usual().widths).tolist() == [least, most]
    assert (narrowest, widest) == (0.34, 0.7)


def test_a_hair_beyond_what_was_seen_is_still_inside():
    assert outside({"tiles": 11.2}, {"tiles": (1.0, 11.0)}) == ()
    assert outside({"tiles": 11.3}, {"tiles": (1.0, 11.0)}) != ()
