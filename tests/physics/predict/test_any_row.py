"""Whatever stands in a row, it is predicted or refused in words."""

import copy
import json
import math
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from physics.errors import PhysicsError
from physics.predict.predict import predict
from physics.rows.row_fields import read_scenario

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"
ROWS = [json.loads(line)["scenario"] for line in DATA.read_text().splitlines()]
FIELDS = [
    *(("tile_set", name) for name in ("length_mm", "width_mm", "thickness_mm", "mass_g")),
    *(("friction", name) for name in ("tile_tile", "tile_table")),
    *(
        ("push", name)
        for name in (
            "height_frac", "speed_mm_s", "stroke_mm", "standoff_mm", "tip_radius_mm", "path",
            "hold_s",
        )
    ),
    *(("spread", name) for name in ("xy_mm", "heading_deg", "friction", "push_speed")),
    *((0, name) for name in ("x_mm", "y_mm", "heading_deg", "orientation")),
    *((1, name) for name in ("x_mm", "y_mm", "heading_deg", "orientation")),
]  # fmt: skip
PARTS = ("id", "scenario", "tile_set", "tiles", "friction", "push", "spread")
NUMBERS = st.one_of(
    st.sampled_from([0, 1e-300, 1e-3, 0.1, 1.0, 3.0, 7.5, 20.0, 100, 1e4, 1e5, 1e308, math.nan]),
    st.floats(allow_nan=True, allow_infinity=True),
    st.floats(0.0, 60.0),
    st.integers(),
)
VALUES = st.one_of(
    NUMBERS,
    NUMBERS,
    st.sampled_from(["vertical", "horizontal", "smooth", "steady", None, True, [], {}]),
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)


def told(row):
    """Predict or refuse a row; None if it was refused."""
    try:
        read = read_scenario(row, "f, line 1")
        rng = np.random.default_rng(0)
        found = predict(read.chain, read.push, read.friction, read.spread, rng=rng, runs=2)
    except PhysicsError as error:
        assert str(error)
        assert "\n" not in str(error)
        return None
    assert 0.0 <= found.low <= found.p_fall <= found.high <= 1.0
    assert all(0.0 <= joint.p <= 1.0 for joint in found.joints)
    assert 1 <= found.runs <= 2
    return found


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 59), st.integers(2, 5), st.dictionaries(st.sampled_from(FIELDS), VALUES))
@example(0, 3, {("push", "height_frac"): 1e-300})
@example(0, 3, {("tile_set", "thickness_mm"): 1e-300})
@example(0, 2, {("spread", "xy_mm"): 1000})
def test_a_known_row_with_anything_in_any_field_is_told_or_refused(which, count, changes):
    row = copy.deepcopy(ROWS[which])
    row["tiles"], row["spread"] = row["tiles"][:count], {}
    for (owner, name), value in changes.items():
        (row["tiles"][owner] if isinstance(owner, int) else row[owner])[name] = value
    told(row)


@given(
    st.dictionaries(st.text(max_size=9), ANY_JSON)
    | st.fixed_dictionaries({}, optional=dict.fromkeys(PARTS, ANY_JSON))
)
def test_any_json_object_is_told_or_refused(row):
    told(row)


def test_the_rows_that_are_changed_here_can_be_told_as_they_are():
    assert told({**ROWS[0], "tiles": ROWS[0]["tiles"][:2]}) is not None
