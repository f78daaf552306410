"""Many rows at once: in order, whatever the number of processes, and none lost to another."""

import itertools
import signal
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from physics.errors import ChainError
from physics.predict import batch
from physics.predict import predict as predicting
from physics.predict.batch import predict_many
from physics.predict.predict import Prediction
from physics.rows.row_file import read_scenarios

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"


def rows(*which):
    known = read_scenarios(DATA)
    return [known[i] for i in which]


def lone():
    row = rows(1)[0]
    return replace(row, chain=replace(row.chain, tiles=row.chain.tiles[:1]))


def test_any_number_of_processes_gives_the_same_answers_in_order():
    wanted = rows(4, 2, 17, 9, 31, 2)
    alone = list(predict_many(wanted, runs=4))
    assert list(predict_many(wanted, runs=4, jobs=2)) == alone
    assert [[j.start for j in a.joints] for a in alone] == [
        list(row.chain.values[:-1]) for row in wanted
    ]


def test_the_answer_to_a_row_does_not_depend_on_the_rows_around_it():
    apart = [next(predict_many(rows(i), runs=4)) for i in (5, 6)]
    assert list(predict_many(rows(5, 6), runs=4)) == apart
    assert list(predict_many(rows(6, 5), runs=4)) == apart[::-1]


def test_chance_goes_by_seed_and_by_the_name_of_the_row():
    row = rows(2)[0]
    first, again, other, renamed = (
        next(predict_many([r], seed=seed, runs=4))
        for r, seed in ((row, 0), (row, 0), (row, 1), (replace(row, id="another"), 0))
    )
    assert first == again
    assert len({first.p_fall, other.p_fall, renamed.p_fall}) == 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bad_row_stands_as_its_error_among_the_others(jobs):
    one, two, three = predict_many([*rows(3), lone(), *rows(5)], runs=1, jobs=jobs)
    assert isinstance(one, Prediction)
    assert isinstance(three, Prediction)
    assert isinstance(two, ChainError)
    assert str(two).startswith(f"{DATA}, line 2: tile ")
    assert "stands alone" in str(two)


@pytest.mark.parametrize("jobs", [1, 2])
def test_who_asks_for_it_hears_of_a_bad_row_at_once(jobs):
    answers = predict_many([*rows(3), lone(), *rows(5)], runs=1, jobs=jobs, strict=True)
    assert isinstance(next(answers), Prediction)
    with pytest.raises(ChainError, match="line 2"):
        next(answers)


def test_a_row_made_in_code_is_refused_without_a_place():
    (refused,) = predict_many([replace(lone(), where="")])
    assert str(refused).startswith("tile ")


def test_rows_are_predicted_as_they_are_asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(batch, "predict_row", lambda *_, **__: asked.append(1))
    answers = predict_many(rows(1, 2, 3))
    next(answers)
    assert len(asked) == 1


def test_an_id_that_is_no_proper_text_is_an_id():
    (found,) = predict_many([replace(rows(3)[0], id="\ud800")], runs=1)
    assert isinstance(found, Prediction)


def test_processes_that_share_the_rows_never_hear_ctrl_c():
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        with batch.uninterrupted():
            deaf_to = pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, [])
        assert signal.SIGINT in deaf_to.result()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_however_many_rows_there_are_only_a_few_are_held(monkeypatch):
    asked = []

    def endless():
        for row in itertools.cycle(rows(1, 2, 3)):
            asked.append(row)
            yield row

    answers = predict_many(endless(), runs=1, jobs=2)
    for _ in range(3):
        next(answers)
    assert len(asked) <= 2 * batch._CHUNK * batch._AHEAD
    answers.close()


def test_copies_beyond_a_block_are_drawn_when_they_are_needed(monkeypatch):
    drawn = []
    monkeypatch.setattr(predicting, "_BLOCK", 8)
    disturb = predicting.disturb
    monkeypatch.setattr(
        predicting, "disturb", lambda *given: drawn.append(given[4]) or disturb(*given)
    )
    (answer,) = predict_many(rows(4), runs=10**8, error=0.0003)
    assert answer.error < 0.0003 and answer.runs > 8
    assert set(drawn) == {8} and sum(drawn) - answer.runs < 8
    drawn.clear()
    assert next(predict_many(rows(4), runs=11, error=0.0)).runs == 11
    assert drawn == [8, 3]
