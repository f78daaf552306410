import json
from dataclasses import replace

import numpy as np
import pytest

from physics.errors import PhysicsError
from physics.predict.batch import predict_many
from physics.predict.learned_table import (
    LearnedTable,
    Trust,
    Values,
    as_json,
    read_table,
    row_at,
)
from physics.predict.predict import predict
from physics.row.push import Friction
from physics.rows.notation import read

TRUST = Trust(40, -0.8, -0.6, 0.15, 0.1)
ROW = read("1v@0,0,0;2h@34,2,14;3v@50,6,30;id=a")


def of(*draws):
    return LearnedTable(Values(), Values(), Values(), TRUST, draws)


def told(row, table, **how):
    (answer,) = predict_many([row], table=table, **how)
    return answer


def test_a_row_at_a_table_as_expected_is_the_same_row():
    assert row_at(Values(), ROW) == ROW


def test_a_row_stands_and_is_pushed_as_at_that_table():
    tiles = tuple(replace(t, sigma_mm=0.4, sigma_rad=0.01) for t in ROW.chain.tiles)
    row = replace(ROW, chain=replace(ROW.chain, tiles=tiles))
    there = row_at(Values(0.4, 0.6, 0.5, 2.0), row)
    assert there.friction == Friction(0.4, 0.6)
    assert there.push.stroke_mm == pytest.approx(row.push.stroke_mm / 2)
    assert there.spread.xy_mm == pytest.approx(2 * row.spread.xy_mm)
    assert {(t.sigma_mm, t.sigma_rad) for t in there.chain.tiles} == {(0.8, 0.02)}
    assert [t.pose for t in there.chain.tiles] == [t.pose for t in row.chain.tiles]


def test_contact_moves_the_log_odds_of_every_joint_and_of_no_push():
    def odds(values):
        answer = predict(
            ROW.chain, ROW.push, ROW.friction, ROW.spread,
            rng=np.random.default_rng(1), runs=1, tables=[values],
        )  # fmt: skip
        return answer.push, [np.log(j.p / (1 - j.p)) for j in answer.joints]

    plain, shifted = odds(Values()), odds(Values(contact=-0.7))
    assert shifted[0] == plain[0]
    assert shifted[1] == pytest.approx([odd - 0.7 for odd in plain[1]])


def test_a_prediction_is_the_mean_over_what_the_table_may_be():
    bad, good = Values(contact=-4.0), Values(contact=4.0)
    low, high = (told(ROW, of(*[each] * 4)) for each in (bad, good))
    both = told(ROW, of(*[bad] * 6, *[good] * 6))
    assert low.p_fall < 0.4 < 0.9 < high.p_fall
    assert both.p_fall == pytest.approx((low.p_fall + high.p_fall) / 2, abs=0.06)
    assert both.low < both.p_fall < both.high
    assert both.high - both.low > max(each.high - each.low for each in (low, high))
    product = both.push * np.prod([joint.p for joint in both.joints])
    assert product == pytest.approx(both.p_fall)


def test_a_prediction_moves_from_the_defaults_by_the_share_of_the_table():
    table = of(*[Values(contact=-4.0)] * 4)
    none, some, all_ = (told(ROW, replace(table, share=s)).p_fall for s in (0.0, 0.25, 1.0))
    assert none == pytest.approx(told(ROW, None).p_fall)
    assert some == pytest.approx(0.75 * none + 0.25 * all_) and all_ < none - 0.3


def test_copies_at_a_table_are_those_that_fall_by_the_defaults():
    """A table as the defaults have it changes nothing, however few copies fall."""
    plain, there = told(ROW, None, runs=4), told(ROW, of(*[Values()] * 4), runs=4)
    assert there.p_fall == pytest.approx(plain.p_fall, abs=1e-12)
    assert there.runs == 2 * plain.runs
    assert (there.low, there.high) == pytest.approx((plain.low, plain.high))


def test_a_joint_that_no_fall_reaches_has_a_chance_of_its_own_at_a_table_too():
    row = read(";".join(f"{i}v@{20 * i},0,0" for i in range(14)) + ";id=a")
    joints = told(row, of(*[Values(contact=-40.0)] * 4)).joints
    assert joints[-1].p == pytest.approx(joints[5].p, rel=0.9)


def test_draws_that_agree_need_not_all_fall():
    sure = of(*[Values(contact=6.0)] * 12)
    unsure = of(*[Values(contact=-4.0), Values(contact=4.0)] * 6)
    assert told(ROW, sure).runs < told(ROW, unsure).runs


def test_a_row_is_strange_as_it_stands_at_that_table():
    table = replace(of(*[Values(1.5)] * 4), values=Values(1.5))
    assert any("friction" in said for said in told(ROW, table).extrapolated)
    assert told(ROW, of(*[Values()] * 4)).extrapolated == ()


def test_details_are_those_of_all_draws():
    answer = told(ROW, of(*[Values()] * 4), runs=4, detail=True)
    assert [s.name for s in answer.sensitivity] == [
        s.name for s in told(ROW, None, runs=4, detail=True).sensitivity
    ]


def test_a_file_reads_back_to_the_same_table(tmp_path):
    file = tmp_path / "table.json"
    draws = [Values(0.3125, contact=-0.25), *[Values()] * 5]
    table = replace(of(*draws), low=Values(0.2, 0.4, 0.9, 0.5, -1.0), share=0.75)
    file.write_text(json.dumps(as_json(table)))
    assert read_table(file) == table


def test_an_older_file_gives_its_table_all_of_the_prediction(tmp_path):
    file, said = tmp_path / "table.json", as_json(of(*[Values()] * 4))
    del said["share"]
    file.write_text(json.dumps(said))
    assert read_table(file).share == 1.0


@pytest.mark.parametrize(
    "change",
    [
        {"format": "domino-rig-row"},
        {"version": 2},
        {"values": {"tile_tile": 0.3, "more": 1}},
        {"values": {"tile_tile": "0.3"}},
        {"low": {"tile_tile": float("nan")}},
        {"trust": {"pushes": 3}},
        {"draws": []},
        {"draws": [{"tile_tile": -1.0}] * 4},
        {"draws": 7},
        {"values": 7},
        {"draws": ["a", "b", "c", "d"]},
        {"share": 1.5},
        {"share": None},
    ],
    ids=str,
)
def test_a_file_that_is_no_table_is_refused_in_a_sentence(tmp_path, change):
    file = tmp_path / "table.json"
    file.write_text(json.dumps({**as_json(of(*[Values()] * 4)), **change}))
    with pytest.raises(PhysicsError, match=r"table.json: is no table .*domino-rig learn"):
        read_table(file)
