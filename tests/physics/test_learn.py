import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from physics.errors import PhysicsError, ScenarioError
from physics.hazard import hazard_from, usual
from physics.learn import as_text, describe_data, learn, read_references
from physics.scores import own_error, score
from physics.training import Lines, expit, train

DATA = Path(__file__).parents[1] / "data" / "rows-60.jsonl"


@cache
def fitted():
    return learn(read_references([DATA])[:24], seed=3, epochs=1)


def test_the_same_rows_and_seed_give_the_same_numbers():
    again = learn(read_references([DATA])[:24], seed=3, epochs=1)
    one, other = hazard_from(fitted()), hazard_from(again)
    for a, b in ((one.push, other.push), (one.joint, other.joint)):
        for first, second in zip(a.weights, b.weights, strict=True):
            assert first == pytest.approx(second, rel=1e-3, abs=1e-3)
    assert fitted()["scores"] == again["scores"]


def test_the_file_holds_scores_ranges_and_the_hash_of_its_data():
    (about,) = describe_data([DATA])
    assert (about["file"], about["rows"], len(about["sha256"])) == ("rows-60.jsonl", 60, 64)
    assert fitted()["scores"]["rows"] == 24
    low, high = fitted()["seen"]["tiles"]
    assert 2 <= low < high == 11


def test_what_is_written_can_be_read_back():
    text = as_text(fitted())
    assert json.loads(text) == json.loads(json.dumps(fitted()))
    assert max(map(len, text.splitlines())) < 2000


def test_the_coefficients_of_the_package_tell_what_they_were_fitted_on():
    stored = json.loads((Path(__file__).parents[2] / "physics" / "hazard.json").read_text())
    assert {"data", "seed", "scores", "seen"} <= stored.keys()
    assert "reference-3d.jsonl" not in [part["file"] for part in stored["data"]]
    assert usual().sigma > 0


def test_a_fit_on_too_few_rows_is_refused():
    with pytest.raises(PhysicsError, match="at least 20 reference rows, got 5"):
        learn(read_references([DATA])[:5])


def test_a_file_of_other_things_is_no_hazard():
    with pytest.raises(PhysicsError, match="domino-rig learn"):
        hazard_from({"push": {}})


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("nominal_fall", [1], "nominal_fall: expected a list of"),
        ("tile_p", [2.0] * 4, "tile_p: expected a list of"),
        ("k", 0, "k: expected the number of noisy runs, got 0"),
        ("p_fall", "all", "p_fall: expected a share from 0 to 1, got 'all'"),
    ],
)
def test_a_bad_reference_row_is_told_by_field(tmp_path, field, value, words):
    row = json.loads(DATA.read_text().splitlines()[0])
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({**row, field: value}))
    with pytest.raises(ScenarioError, match=words):
        read_references([file])


def test_a_network_learns_chances_that_do_not_mind_mirrors():
    rng = np.random.default_rng(0)
    values = rng.standard_normal((4000, 20))
    goal = expit(2.0 * values[:, 0] + np.abs(values[:, 3]) - 1.0)
    lines = Lines(values, goal, np.ones(4000))
    network = train(lines, (16,), epochs=20, batch=128, rate=5e-3, rng=rng)
    mirrored = values.copy()
    mirrored[:, 2:] *= -1.0
    assert network.log_odds(mirrored) == pytest.approx(network.log_odds(values), abs=1e-5)
    assert np.abs(expit(network.log_odds(values)) - goal).mean() < 0.05


def test_scores_of_a_perfect_and_of_a_useless_prediction():
    seen = np.array([0.0, 0.0, 1.0, 1.0])
    assert score(seen, seen)["brier"] == 0.0
    assert score(np.full(4, 0.5), seen)["brier"] == 0.25


def test_the_own_error_of_a_model_is_found_again():
    rng = np.random.default_rng(1)
    odds = rng.standard_normal(4000)
    hits = rng.binomial(12, expit(odds + 0.8 * rng.standard_normal(4000)))
    assert own_error(expit(odds), hits / 12, np.full(4000, 12)) == pytest.approx(0.8, abs=0.1)
