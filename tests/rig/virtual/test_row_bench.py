"""What the row bench tells: the model's chance, and falls that are drawn as often as it says."""

import json

import numpy as np
import pytest

from physics.errors import PhysicsError
from physics.predict.drawn_falls import drawn_falls
from physics.predict.learned_table import FIRST, LearnedTable, Trust, as_json, predict_row
from physics.predict.predict import predict
from physics.row.table_values import Values
from physics.rows import notation
from rig.virtual import row_bench

EASY = "0v@0,0,0;1v@20,0,0;2v@40,0,0"
GAP = "0v@0,0,0;1v@20,0,0;2v@95,0,0;3v@115,0,0"
DOUBTFUL = "0v@0,0,0;1v@48,6,8;2v@96,-4,-6;3v@144,5,9"


def test_the_chance_is_that_of_predict():
    row = notation.read(DOUBTFUL)
    told = row_bench.judged(DOUBTFUL)
    whole = predict(
        row.chain, row.push, row.friction, row.spread, rng=np.random.default_rng(0), runs=12
    )
    assert told["p_fall"] == pytest.approx(whole.p_fall, abs=1e-4)
    assert told["low"] <= told["p_fall"] <= told["high"]
    assert told["joints"][told["weakest"]] == min(told["joints"])


def test_a_tile_out_of_reach_is_the_weakest_place_and_stops_every_fall():
    assert row_bench.judged(GAP)["weakest"] == 1
    for fall in row_bench.pushed(GAP, 3)["falls"]:
        assert [value for value, *_ in fall["tips"]] == list(range(fall["fallen"]))
        assert fall["fallen"] <= 2


def test_a_row_falls_through_as_often_as_it_is_likely():
    row = notation.read(DOUBTFUL)
    for table in (None, hard(contact=0.3)):
        falls = drawn_falls(row, table, rng=np.random.default_rng(5), count=300)
        share = np.mean([fall.all_fell for fall in falls])
        told = predict_row(row, table, rng=np.random.default_rng(6), runs=300, error=0.0)
        p = told.p_fall
        assert 0.1 < p < 0.9
        assert abs(share - p) < 4 * (p * (1 - p) / 300) ** 0.5


def hard(contact):
    """A table on which waves get across joints more or less often than elsewhere."""
    values = Values(contact=contact)
    return LearnedTable(values, values, values, Trust(40, 0.4, 0.3, 0.2, 0.1), (values,) * FIRST)


def test_a_table_that_has_learned_answers_by_what_it_knows(tmp_path):
    file = tmp_path / "evening.table.json"
    before = row_bench.judged(DOUBTFUL, table=str(file))  # nothing is known yet
    assert before == row_bench.judged(DOUBTFUL)
    file.write_text(json.dumps(as_json(hard(contact=-9.0))))
    assert row_bench.judged(DOUBTFUL, table=str(file))["p_fall"] < 0.01 < before["p_fall"]
    falls = row_bench.pushed(DOUBTFUL, 1, table=str(file))["falls"]
    assert all(fall["fallen"] < 4 for fall in falls)
    file.write_text("half a ta")
    assert row_bench.judged(DOUBTFUL, table=str(file)) == before


def test_another_seed_draws_other_falls_and_the_same_seed_the_same():
    one, two = (row_bench.pushed(DOUBTFUL, seed) for seed in (1, 2))
    assert one == row_bench.pushed(DOUBTFUL, 1)
    assert one != two
    assert len(one["falls"]) == row_bench.GHOSTS


@pytest.mark.parametrize(
    "line",
    [
        "",
        "no row",
        "0v@0,0,0",
        "0v@0,0,0;1v@2,0,0",
        ";".join(f"{i}v@{i * 20},0,0" for i in range(row_bench.MOST_TILES + 1)),
        EASY + ";id=" + "x" * row_bench.MOST_BYTES,
        EASY + ";push=0.85,45,12,190,5",
    ],
)
def test_what_is_no_row_is_refused_with_a_reason(line):
    with pytest.raises(PhysicsError, match=r"\w+"):
        row_bench.judged(line)
    with pytest.raises(PhysicsError, match=r"\w+"):
        row_bench.pushed(line, 1)


def test_a_line_that_goes_into_an_address_is_the_row_as_we_write_it():
    assert row_bench.tidied("  0v@0.0,0,0  1v@20.00,0,0 ") == "0v@0,0,0;1v@20,0,0"
    with pytest.raises(PhysicsError):
        row_bench.tidied("#/play")
