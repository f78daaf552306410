"""Rows of a survey: what a point says, and what the model says of it."""

from dataclasses import replace

import numpy as np
import pytest

from physics.predict.batch import predict_many
from physics.rows.generators import Shape
from physics.survey.parameters import PARAMETERS, SurveyError
from physics.survey.study import Chunk, Study, answered, row_of

USUAL = {name: parameter.usual for name, parameter in PARAMETERS.items()}
STUDY = Study(("gap", "count"), seed=3, runs=4)


def chunk(*points, number=0, first=0):
    return Chunk(number, first, np.array(points, dtype=float))


def test_every_parameter_reaches_the_row():
    given = {
        **{"gap": 10.0, "turn": 8.0, "offset": 2.0, "count": 4.0, "noise": 0.3},
        **{"friction": 0.2, "table-friction": 0.4, "stroke": 9.0, "speed": 60.0},
        **{"push-height": 0.7, "length": 50.0, "width": 25.0, "thickness": 8.0},
    }
    assert set(given) == set(PARAMETERS)
    plain = row_of(Study((), Shape.ARC), 7, USUAL)
    for name, value in given.items():
        row = row_of(Study((), Shape.ARC), 7, {**USUAL, name: value})
        assert row != plain, name
    row = row_of(Study((), Shape.ARC), 7, given)
    assert (row.id, len(row.chain.tiles)) == ("0-7", 4)
    assert (row.push.speed_mm_s, row.push.stroke_mm, row.push.height_frac) == (60.0, 9.0, 0.7)
    assert (row.friction.tile_tile, row.friction.tile_table, row.spread.xy_mm) == (0.2, 0.4, 0.3)
    spec = row.chain.tiles[0].spec
    assert (spec.length_mm, spec.width_mm, spec.thickness_mm) == (50.0, 25.0, 8.0)


def test_every_other_tile_stands_aside():
    row = row_of(Study((), Shape.LINE), 0, {**USUAL, "offset": 3.0, "count": 4})
    assert [tile.pose.y_mm for tile in row.chain.tiles] == [0.0, 3.0, 0.0, 3.0]


def test_the_answer_is_that_of_predict():
    number, found = answered(STUDY, chunk((14, 3), (20, 4), number=5, first=40))
    rows = [
        row_of(STUDY, 40, {**USUAL, "gap": 14, "count": 3}),
        row_of(STUDY, 41, {**USUAL, "gap": 20, "count": 4}),
    ]
    told = list(predict_many(rows, seed=3, runs=4))
    assert number == 5
    assert found["row"] == [40, 41]
    assert found["gap_mm"] == [14.0, 20.0] and found["count"] == [3, 4]
    assert found["p_fall"] == [pytest.approx(one.p_fall, abs=1e-6) for one in told]
    assert found["weakest_joint"] == [one.weakest[0] for one in told]
    assert found["refused"] == [None, None]


def test_a_row_does_not_depend_on_its_chunk():
    _, both = answered(STUDY, chunk((14, 3), (30, 4)))
    _, second = answered(STUDY, chunk((30, 4), first=1))
    assert {name: values[1:] for name, values in both.items()} == second


def test_a_row_that_cannot_stand_says_why_and_the_others_are_told():
    study = Study(("turn",), Shape.ARC, runs=4)
    _, found = answered(study, chunk((5,), (120,)))
    assert found["p_fall"][0] > 0.0 and found["refused"][0] is None
    assert found["p_fall"][1] is None and "overlap" in found["refused"][1]


def test_a_worker_with_another_model_does_not_answer():
    with pytest.raises(SurveyError, match="install the same domino-rig"):
        answered(replace(STUDY, model=1), chunk((14, 3)))
