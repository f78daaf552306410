import copy
import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.errors import ChainError, PhysicsError, ScenarioError
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Friction, Path, Push
from physics.row.spread import Spread
from physics.row.tile import STANDARD, Orientation, Tile
from physics.rows.row_fields import read_scenario
from physics.rows.row_file import read_scenarios
from physics.rows.scenario import along

ROW = {
    "id": "r1",
    "tile_set": {"length_mm": 48.0, "width_mm": 24.0, "thickness_mm": 7.5, "mass_g": 8.0},
    "tiles": [
        {"value": i, "x_mm": 20.0 * i, "y_mm": 0.0, "heading_deg": 0.0, "orientation": "vertical"}
        for i in range(3)
    ],
    "friction": {"tile_tile": 0.25, "tile_table": 0.5},
    "push": {
        "height_frac": 0.85,
        "speed_mm_s": 45.0,
        "stroke_mm": 12.0,
        "standoff_mm": 2.0,
        "tip_radius_mm": 5.0,
    },
}


def changed(path, value):
    row = copy.deepcopy(ROW)
    *way, last = path
    part = row
    for step in way:
        part = part[step]
    part[last] = value
    return row


def without(*path):
    row = copy.deepcopy(ROW)
    *way, last = path
    part = row
    for step in way:
        part = part[step]
    del part[last]
    return row


def test_a_row_is_read_bare_or_under_scenario():
    assert read_scenario(ROW, "f") == read_scenario({"scenario": ROW, "p_fall": 1.0}, "f")


def test_the_spread_is_the_usual_one_unless_the_row_gives_another():
    assert read_scenario(ROW, "f").spread == Spread()
    given_one = read_scenario({**ROW, "spread": {"xy_mm": 0.1, "heading_deg": 2.0}}, "f").spread
    assert given_one == Spread(xy_mm=0.1, heading_rad=math.radians(2.0))


def test_the_spread_may_stand_beside_the_scenario():
    row = {"scenario": ROW, "spread": {"friction": 0.0}}
    assert read_scenario(row, "f").spread.friction == 0.0


def test_one_object_over_many_lines_is_one_row(tmp_path):
    file = tmp_path / "row.json"
    file.write_text(json.dumps(ROW, indent=2))
    assert [s.id for s in read_scenarios(file)] == ["r1"]


def test_empty_lines_between_rows_do_not_count(tmp_path):
    file = tmp_path / "rows.jsonl"
    file.write_text(f"{json.dumps(ROW)}\n\n{json.dumps({**ROW, 'id': 'r2'})}\n")
    assert [s.id for s in read_scenarios(file)] == ["r1", "r2"]


def test_headings_are_turned_to_point_down_the_chain():
    row = changed(("tiles", 1, "heading_deg"), 175.0)
    headings = [t.pose.heading_rad for t in read_scenario(row, "f").chain.tiles]
    assert headings == pytest.approx([0.0, math.radians(-5.0), 0.0])


def test_a_single_tile_keeps_its_heading():
    tile = Tile(1, Pose(0, 0, 3.0), Orientation.VERTICAL)
    assert along(Chain((tile,))) == Chain((tile,))


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (without("tiles"), "tiles: expected a list of at least one tile"),
        (without("tiles", 1, "x_mm"), "tiles[1].x_mm: is missing; expected a number"),
        (changed(("push", "speed"), 1), "push.speed: is not known; expected one of height_frac"),
        (changed(("tiles", 1, "z_mm"), 1), "tiles[1].z_mm: is not known; expected one of value"),
        ({**ROW, "p_fall": 1}, "p_fall: is not known; expected one of id, tiles, tile_set"),
        (changed(("tiles", 1), "5 lying at 3,4"), 'a tile as in "3 vertical at 120,40 heading 15"'),
        (changed(("tiles", 1), "5 at 3,x"), 'tiles[1]: expected a tile as in "3 vertical'),
        (changed(("tile_set", "width_mm"), 60), "expected length_mm >= width_mm > thickness_mm"),
        (changed(("tiles",), []), "tiles: expected a list of at least one tile"),
        (changed(("tiles", 1), 5), "tiles[1]: expected an object, got 5"),
        (changed(("tiles", 2, "x_mm"), "far"), 'tiles[2].x_mm: expected a number, got "far"'),
        (changed(("tiles", 0, "y_mm"), True), "tiles[0].y_mm: expected a number, got true"),
        (changed(("tiles", 0, "value"), 1.5), "tiles[0].value: expected a whole number or null"),
        (
            changed(("tiles", 0, "orientation"), "flat"),
            'tiles[0].orientation: expected "vertical" or "horizontal", got "flat"',
        ),
        (changed(("id",), [1]), "id: expected text"),
        ({**ROW, "spread": {"xy": 1}}, "spread.xy: is not known; expected one of xy_mm"),
        ({"scenario": 3}, "scenario: expected an object, got 3"),
        (changed(("push", "path"), "jerky"), 'push.path: expected "steady" or "smooth"'),
        (changed(("push", "path"), ["smooth"]), 'push.path: expected "steady" or "smooth"'),
        (changed(("push", "hold_s"), "long"), "push.hold_s: expected a number of at least 0"),
    ],
)
def test_a_bad_row_is_told_by_file_field_and_what_was_expected(row, words):
    with pytest.raises(ScenarioError) as caught:
        read_scenario(row, "rows.jsonl, line 7")
    assert str(caught.value).startswith("rows.jsonl, line 7: ")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (changed(("tile_set", "mass_g"), 0), "tile_set.mass_g: expected a number above 0, got 0"),
        (changed(("tiles", 2, "x_mm"), math.nan), "tiles[2].x_mm: expected a number, got nan"),
        (changed(("friction", "tile_tile"), -0.1), "friction.tile_tile: expected a number above 0"),
        (changed(("push", "height_frac"), 1.5), "above 0 and at most 1, got 1.5"),
        ({**ROW, "spread": {"xy_mm": -1}}, "spread.xy_mm: expected a number of at least 0, got -1"),
        (
            changed(("push", "hold_s"), 10.5),
            "push.hold_s: expected a number of at least 0 and at mo",
        ),
        (changed(("push", "hold_s"), -0.1), "push.hold_s: expected a number of at least 0, got"),
        (changed(("push", "speed_mm_s"), 10**400), "push.speed_mm_s: expected a number above 0"),
        (changed(("tiles", 1, "y_mm"), -(10**400)), "tiles[1].y_mm: expected a number and at most"),
    ],
)
def test_a_number_that_no_row_can_have_is_told_by_file_field_and_number(row, words):
    with pytest.raises(ChainError) as caught:
        read_scenario(row, "rows.jsonl, line 7")
    assert str(caught.value).startswith("rows.jsonl, line 7: ")
    assert words in str(caught.value)


def test_a_push_is_steady_unless_the_row_says_how_it_goes():
    assert read_scenario(ROW, "f").push.path is Path.STEADY
    smooth = {**ROW, "push": {**ROW["push"], "path": "smooth", "hold_s": 0.4}}
    push = read_scenario(smooth, "f").push
    assert (push.path, push.hold_s) == (Path.SMOOTH, 0.4)
    assert replace(push, path=Path.STEADY, hold_s=0.15) == read_scenario(ROW, "f").push


def test_what_is_left_out_is_as_usual():
    short = read_scenario({"tiles": ["1 at 0,0", "tile 2 at 20,0", "? horizontal at 45,0"]}, "f")
    assert (short.push, short.friction, short.spread) == (Push(), Friction(), Spread())
    assert [tile.value for tile in short.chain.tiles] == [1, 2, None]
    assert {tile.spec for tile in short.chain.tiles} == {STANDARD}
    partly = {"push": {"speed_mm_s": 30.0}, "friction": {"tile_table": 0.4}}
    given_some = read_scenario({"tiles": ["1 at 0,0", "2 at 20,0 heading 5"], **partly}, "f")
    assert given_some.push == replace(Push(), speed_mm_s=30.0)
    assert given_some.friction == replace(Friction(), tile_table=0.4)
    assert given_some.chain.tiles[1].pose.heading_rad == pytest.approx(math.radians(5))


def test_a_row_knows_where_it_was_read():
    assert read_scenario(ROW, "rows.jsonl, line 7").where == "rows.jsonl, line 7"


def test_tiles_that_overlap_are_named_with_their_distance():
    with pytest.raises(ChainError, match=r"line 3: tiles: tiles 0 \(place 1\) and 1 \(place 2\)"):
        read_scenario(changed(("tiles", 1, "x_mm"), 4.0), "f, line 3")


def test_tiles_that_touch_are_a_row():
    assert len(read_scenario(changed(("tiles", 1, "x_mm"), 7.5), "f").chain.tiles) == 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"[1, 2]", "line 1: row: expected an object"),
        (b'{"id": 1\n', "line 1: is not JSON"),
    ],
)
def test_a_file_that_holds_no_rows_says_so(tmp_path, content, words):
    file = tmp_path / "rows.jsonl"
    file.write_bytes(content)
    with pytest.raises(ScenarioError, match=words):
        read_scenarios(file)


def test_a_file_that_is_not_there_says_so(tmp_path):
    with pytest.raises(ScenarioError, match="cannot be read"):
        read_scenarios(tmp_path / "none.jsonl")


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
WAYS = [
    ("tiles",),
    ("tiles", 1),
    ("tiles", 1, "x_mm"),
    ("tiles", 1, "heading_deg"),
    ("tiles", 1, "orientation"),
    ("tiles", 0, "value"),
    ("push",),
    ("push", "stroke_mm"),
    ("friction", "tile_table"),
    ("tile_set", "length_mm"),
    ("id",),
    ("spread",),
]


@given(st.sampled_from(WAYS), ANY_JSON)
def test_whatever_stands_in_a_field_the_row_is_read_or_refused_in_words(way, value):
    try:
        scenario = read_scenario(changed(way, value), "f, line 1")
    except PhysicsError as error:
        assert str(error).startswith("f, line 1: ")
        assert "\n" not in str(error)
    else:
        assert all(math.isfinite(t.pose.x_mm) for t in scenario.chain.tiles)
