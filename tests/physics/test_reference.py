import json
import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from physics import reference
from physics.drawing import as_row, draw, steps_of
from physics.errors import PhysicsError
from physics.scenario import read_scenario, read_scenarios, require_row

DATA = Path(__file__).parents[1] / "data" / "rows-60.jsonl"


def pieces():
    return [steps_of(row.chain) for row in read_scenarios(DATA)]


def test_drawn_rows_can_stand_and_be_read_back():
    known = pieces()
    for i in range(20):
        row = draw(known, np.random.default_rng(i), f"r{i}")
        require_row(row.chain)
        again = read_scenario(json.loads(json.dumps(as_row(row))), "drawn")
        assert again.id == row.id
        assert len(again.chain.tiles) == len(row.chain.tiles)
        for one, two in zip(row.chain.tiles, again.chain.tiles, strict=True):
            assert two.pose.x_mm == pytest.approx(one.pose.x_mm, abs=1e-4)


def test_the_same_seed_draws_the_same_row():
    one, two = (draw(pieces(), np.random.default_rng(4), "r") for _ in range(2))
    assert one == two


def test_a_row_taken_apart_keeps_its_distances():
    row = read_scenarios(DATA)[0]
    steps = steps_of(row.chain)
    assert len(steps) == len(row.chain.tiles) - 1
    assert all(abs(step.turn_rad) <= math.pi for step in steps)
    assert steps[0].start is row.chain.tiles[0].orientation


def test_the_model_has_every_tile_and_the_tip_behind_the_first():
    row = read_scenarios(DATA)[0]
    model = ElementTree.fromstring(
        reference.model_of(row.chain, row.push, row.friction, reference.STEP_S)
    )
    bodies = model.findall("worldbody/body")
    assert len(bodies) == len(row.chain.tiles) + 1
    tip = [float(v) for v in bodies[-1].get("pos").split()]
    first = row.chain.tiles[0]
    along, across = first.pose.to_local((1000 * tip[0], 1000 * tip[1]))
    expected = -(first.spec.thickness_mm / 2 + row.push.tip_radius_mm + row.push.standoff_mm)
    assert (along, across) == pytest.approx((expected, 0.0), abs=1e-4)


def test_without_mujoco_one_sentence_says_what_to_install(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(reference, "import_module", missing)
    row = read_scenarios(DATA)[0]
    with pytest.raises(PhysicsError, match=r"pip install -e \.\[reference\]"):
        reference.simulate_3d(row.chain, row.push, row.friction)
