import json
import math
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

from physics.errors import PhysicsError
from physics.fall.limits import require_push
from physics.learn import draw_rows, reference
from physics.learn.draw_rows import as_row, draw, steps_of
from physics.learn.fit import read_references
from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Path as Way
from physics.row.push import Push
from physics.row.tile import Tile
from physics.rows.row_fields import read_scenario
from physics.rows.row_file import read_scenarios

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"


def pieces():
    return [steps_of(row.chain) for row in read_scenarios(DATA)]


def test_drawn_rows_can_be_asked_about_and_read_back():
    known = pieces()
    for i in range(40):
        row = draw(known, np.random.default_rng(i), f"r{i}")
        require_push(row.chain, row.push, row.friction, row.spread)
        again = read_scenario(json.loads(json.dumps(as_row(row))), "drawn")
        assert again.id == row.id
        assert len(again.chain.tiles) == len(row.chain.tiles)
        for one, two in zip(row.chain.tiles, again.chain.tiles, strict=True):
            assert two.pose.x_mm == pytest.approx(one.pose.x_mm, abs=1e-4)


def test_the_same_seed_draws_the_same_row():
    one, two = (draw(pieces(), np.random.default_rng(4), "r") for _ in range(2))
    assert one == two


def test_rows_that_the_fit_is_unsure_of_are_drawn_sooner(monkeypatch):
    monkeypatch.setattr(draw_rows, "_doubt", lambda row: float(len(row.chain.tiles) == 11) + 1e-9)
    known = pieces()
    rows = [draw_rows.draw_unsure(known, np.random.default_rng(i), "r") for i in range(30)]
    plain = [draw(known, np.random.default_rng(i), "r") for i in range(30)]
    full, usual = (sum(len(r.chain.tiles) == 11 for r in some) for some in (rows, plain))
    assert full > usual + 5


def test_doubt_is_least_where_the_row_can_only_stop_or_only_fall():
    row = read_scenarios(DATA)[0]
    weak = replace(row, push=replace(row.push, stroke_mm=0.5))
    easy = Chain(
        tuple(Tile(i, Pose(22.0 * i, 0.0, 0.0), row.chain.tiles[0].orientation) for i in range(3))
    )
    assert draw_rows._doubt(weak) < 0.1
    assert draw_rows._doubt(replace(row, chain=easy)) < 0.1
    doubts = [draw_rows._doubt(r) for r in read_scenarios(DATA)]
    assert max(doubts) > 0.3


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
    with pytest.raises(PhysicsError, match="the extra reference"):
        reference.simulate_3d(row.chain, row.push, row.friction)


class Rail:
    """An engine in which only the tip moves: it notes how far that has come, and when."""

    def __init__(self, tiles):
        self.tiles, self.way_mm = tiles, [0.0]
        self.MjModel = SimpleNamespace(from_xml_string=lambda text: text)

    def MjData(self, model):  # noqa: N802
        self.data = SimpleNamespace(
            time=0.0,
            qvel=np.zeros(6 * self.tiles + 1),
            xmat=np.tile(np.eye(3).reshape(9), (self.tiles + 2, 1)),
        )
        return self.data

    def mj_step(self, model, data):
        data.time += reference.STEP_S
        self.way_mm.append(self.way_mm[-1] + 1000 * reference.STEP_S * data.qvel[-1])


@pytest.mark.parametrize("path", Way)
@pytest.mark.parametrize("height", [0.35, 0.95])
def test_the_tip_goes_out_holds_and_comes_back_as_the_push_says(monkeypatch, path, height):
    row = read_scenarios(DATA)[0]
    push = Push(height, 70.0, 14.0, 9.0, path=path, hold_s=0.2)
    rail = Rail(len(row.chain.tiles))
    monkeypatch.setattr(reference, "engine", lambda: rail)
    reference.simulate_3d(row.chain, push, row.friction)
    times = np.arange(len(rail.way_mm)) * reference.STEP_S
    assert times[-1] > push.back_s + push.out_s
    expected = [push.tip_mm(t) + push.standoff_mm for t in times]
    assert rail.way_mm == pytest.approx(expected, abs=1e-6)
    model = ElementTree.fromstring(
        reference.model_of(row.chain, push, row.friction, reference.STEP_S)
    )
    tip = float(model.findall("worldbody/body")[-1].get("pos").split()[2])
    assert 1000 * tip == pytest.approx(height * row.chain.tiles[0].height_mm, abs=1e-4)


def test_tiles_sleep_only_where_speed_is_asked_for():
    row = read_scenarios(DATA)[0]
    asked = row.chain, row.push, row.friction, reference.STEP_S
    assert "sleep" not in reference.model_of(*asked).replace("sleep_tolerance", "")
    assert reference.model_of(*asked, True).count('sleep="init"') == len(row.chain.tiles)


def test_noisy_runs_are_the_same_for_the_same_id_and_share_out_what_fell(monkeypatch):
    row = read_scenarios(DATA)[0]
    seen = []

    def fall(chain, push, friction, *, to_rest, quick):
        seen.append((chain, push, friction))
        n = len(chain.tiles)
        fell = (True,) * (n if len(seen) % 2 else n - 1) + (False,) * (0 if len(seen) % 2 else 1)
        outcome = SimpleNamespace(fallen=fell, all_fell=all(fell), arrival_s=(None,) * n)
        return SimpleNamespace(outcome=outcome, tilt_rad=(0.0,) * n)

    monkeypatch.setattr(reference, "simulate_3d", fall)
    told = reference.reference_row(row, 4)
    first, seen = seen, []
    assert reference.reference_row(row, 4) == told
    assert seen == first
    assert seen[0] == (row.chain, row.push, row.friction)
    assert len({push.speed_mm_s for _, push, _ in seen}) == 5
    assert (told["k"], told["p_fall"], told["tile_p"][-2:]) == (4, 0.5, [1.0, 0.5])
    seen = []
    reference.reference_row(replace(row, id="another"), 4)
    assert seen[1] != first[1]


def test_a_row_says_its_path_only_where_it_is_smooth():
    row = read_scenarios(DATA)[0]
    smooth = replace(row, push=replace(row.push, path=Way.SMOOTH, hold_s=0.25))
    written = json.loads(DATA.read_text().splitlines()[0])["scenario"]["push"]
    assert as_row(row)["push"].keys() == written.keys()
    assert as_row(smooth)["push"] == {**as_row(row)["push"], "path": "smooth", "hold_s": 0.25}


def test_drawn_pushes_are_of_both_paths_and_within_their_bounds():
    known = pieces()
    rows = [draw(known, np.random.default_rng(i), f"r{i}") for i in range(200)]
    smooth = [row for row in rows if row.push.path is Way.SMOOTH]
    assert 70 < len(smooth) < 130
    for row in rows:
        assert 0.35 <= row.push.height_frac <= 0.95
        assert 2.0 <= row.push.standoff_mm <= 12.0
        spec = row.chain.tiles[0].spec
        assert 6.0 <= spec.thickness_mm <= 12.0 and 38.0 <= spec.length_mm <= 62.0
    arm = [row.push.height_frac * row.chain.tiles[0].height_mm for row in smooth]
    assert sum(abs(height - 20.0) < 1e-9 for height in arm) > len(smooth) / 3


if find_spec("mujoco"):

    def test_rows_that_are_sure_fall_again_as_they_did():
        known = [r for r in read_references([DATA]) if r.k and r.p_fall in (0.0, 1.0)][:4]
        for r in known:
            s = r.scenario
            fall = reference.simulate_3d(s.chain, s.push, s.friction, to_rest=False)
            assert fall.outcome.all_fell is (r.p_fall == 1.0)
