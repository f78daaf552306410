import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from physics.errors import PhysicsError, ScenarioError
from physics.learn import fit as learning
from physics.learn.fit import as_text, describe_data, go_on, learn, read_references
from physics.learn.network import Lines, train
from physics.learn.scores import own_error, score
from physics.predict.features import ODD
from physics.predict.hazard import expit, hazard_from, usual
from physics.row.chain import Chain
from physics.row.tile import STANDARD, TileSpec

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"


@cache
def fitted():
    return learn(read_references([DATA])[:24], seed=3, epochs=1)


def test_a_fit_on_a_subset_comes_out_as_it_was_recorded():
    hazard = hazard_from(learn(read_references([DATA])[:24], seed=3, epochs=6))
    recorded = {"push": [-0.0678, 0.0126, 0.2132], "joint": [0.5631, 0.0456, 0.3162]}
    for name, odds in recorded.items():
        network = getattr(hazard, name)
        lines = network.mean + np.array([[-1.0], [0.0], [1.0]]) * network.scale
        assert network.log_odds(lines) == pytest.approx(odds, abs=3e-3)


def test_the_same_rows_and_seed_give_the_same_file():
    again = learn(read_references([DATA])[:24], seed=3, epochs=1)
    assert as_text(again) == as_text(fitted())
    assert as_text(learn(read_references([DATA])[:24], seed=4, epochs=1)) != as_text(fitted())


def test_a_tile_set_is_scored_by_a_fit_that_saw_none_like_it(monkeypatch):
    known = read_references([DATA])[:44]
    other = TileSpec(60.0, 30.0, 9.0)
    near = TileSpec(57.0, 30.0, 9.5)
    specs = [STANDARD] * 22 + [other] * 20 + [near] * 2

    def of_size(reference, spec):
        tiles = tuple(replace(t, spec=spec) for t in reference.scenario.chain.tiles)
        return replace(reference, scenario=replace(reference.scenario, chain=Chain(tiles)))

    seen = []

    def fit(plain, copies, seed, epochs, members):
        seen.append({s.row for s in plain} | {s.row for s in copies})
        return real(plain, copies, seed, epochs, 1)

    real = learning._fit
    monkeypatch.setattr(learning, "_fit", fit)
    stored = learn([of_size(*pair) for pair in zip(known, specs, strict=True)], epochs=1)
    assert seen[-1] == set(range(22))
    assert stored["unseen_sizes"]["rows"] == 20
    assert stored["unseen_sizes"]["brier_by_size"] == {
        "60 x 30 x 9": stored["unseen_sizes"]["brier"]
    }
    folds = seen[: learning.FOLDS]
    assert all(set(range(44)) - part for part in folds)
    assert set.intersection(*folds) == set()
    assert seen[learning.FOLDS] == set(range(44))


def test_several_networks_are_one_mean_of_their_log_odds():
    hazard = hazard_from(fitted())
    network = hazard.joint
    members = len(network.weights[0])
    assert members == learning.MEMBERS > 1
    lines = np.random.default_rng(0).standard_normal((2, 5, len(network.mean)))
    alone = [
        replace(
            network,
            weights=tuple(w[k : k + 1] for w in network.weights),
            bias=tuple(b[k : k + 1] for b in network.bias),
        ).log_odds(lines)
        for k in range(members)
    ]
    assert np.ptp(alone, axis=0).max() > 1e-3
    assert network.log_odds(lines) == pytest.approx(np.mean(alone, axis=0))


@cache
def one_run_each():
    return [replace(r, k=0, tile_p=()) for r in read_references([DATA])] * 3


def test_a_fit_is_trained_further_without_its_rows():
    further = go_on(one_run_each(), fitted(), epochs=2)
    told = further["further"]
    assert (told["rows_left_out"], told["epochs"]) == (23, 2)
    assert told["log_loss_after"] < 0.9 * told["log_loss_before"]
    kept = {"scores", "unseen_sizes", "interval", "seen", "seed", "epochs"}
    assert all(further[name] == fitted()[name] for name in kept)
    before, after = hazard_from(fitted()).joint, hazard_from(further).joint
    assert (before.mean == after.mean).all() and len(before.bias[0]) == len(after.bias[0])
    line = before.mean[None]
    assert abs(after.log_odds(line)[0] - before.log_odds(line)[0]) > 0.01


def test_the_log_odds_of_a_further_fit_lie_on_the_line_of_the_rows_left_out(monkeypatch):
    found = {}
    for name, line in (("plain", (0.0, 1.0)), ("bent", (-0.25, 0.5))):
        monkeypatch.setattr(learning, "_line", lambda *_, line=line: line)
        found[name] = hazard_from(go_on(one_run_each(), fitted(), epochs=1))
    for part in ("push", "joint"):
        plain, bent = (getattr(found[name], part) for name in ("plain", "bent"))
        lines = np.random.default_rng(0).standard_normal((1, 5, len(plain.mean)))
        assert bent.log_odds(lines) == pytest.approx(0.5 * plain.log_odds(lines) - 0.25, abs=1e-3)


def test_too_few_rows_to_train_a_fit_further_are_refused():
    with pytest.raises(PhysicsError, match="at least 160 rows with one run each, got 60"):
        go_on(one_run_each()[:60], fitted())


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
    stored = json.loads(
        (Path(__file__).parents[3] / "physics" / "predict" / "hazard.json").read_text()
    )
    assert {"data", "seed", "scores", "unseen_sizes", "seen"} <= stored.keys()
    assert all(part["rows"] and len(part["sha256"]) == 64 for part in stored["data"])
    assert "reference-3d.jsonl" not in [part["file"] for part in stored["data"]]
    assert usual().sigma > 0


def test_a_fit_on_too_few_rows_is_refused():
    with pytest.raises(PhysicsError, match="at least 20 reference rows, got 5"):
        learn(read_references([DATA])[:5])


def test_a_file_of_other_things_is_no_hazard():
    with pytest.raises(PhysicsError, match="domino-rig fit"):
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
    values = rng.standard_normal((4000, ODD + 4))
    goal = expit(2.0 * values[:, 0] + np.abs(values[:, 3]) - 1.0)
    lines = Lines(values, goal, np.ones(4000))
    network = train(lines, (16,), epochs=20, batch=128, rate=5e-3, rng=rng)
    mirrored = values.copy()
    mirrored[:, -ODD:] *= -1.0
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
