"""The results of a survey: kept as they come, the same in the end whatever happened."""

import errno
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from physics.survey.parameters import SurveyError
from physics.survey.study import Chunk, Study, answered
from rig.studies.chunks import folder_of, opened, read

ABOUT = {"seed": 1, "rows": 10}
SIZES = [4, 4, 2]
STUDY = Study(("gap", "count"), runs=1)


@pytest.fixture(scope="module")
def results():
    """What stands in each chunk."""
    points = np.array([(10.0 + i, 2) for i in range(10)])
    firsts = (0, 4, 8)
    return [answered(STUDY, Chunk(n, f, points[f : f + 4]))[1] for n, f in enumerate(firsts)]


@pytest.fixture
def out(tmp_path):
    return tmp_path / "study.parquet"


def made(out, results, order=(0, 1, 2), resume=False):
    """Keep the chunks that are wanting, in an order; finish if all are there."""
    with opened(out, ABOUT, SIZES, resume) as chunks:
        for number in order:
            if number not in chunks.done:
                chunks.keep(number, results[number])
        if len(chunks.done) == len(SIZES):
            chunks.finish()
    return out


def test_a_finished_survey_is_one_file_in_the_order_of_its_rows(out, results):
    made(out, results)
    assert [path.name for path in out.parent.iterdir()] == [out.name]
    table = pq.read_table(out)
    assert table["row"].to_pylist() == list(range(10))
    assert table["gap_mm"].to_pylist() == [10.0 + i for i in range(10)]
    assert table["p_fall"].to_pylist() == [p for each in results for p in each["p_fall"]]


def test_the_file_is_the_same_whatever_order_its_chunks_came_in(tmp_path, results):
    one = made(tmp_path / "one.parquet", results)
    other = made(tmp_path / "other.parquet", results, order=(2, 0, 1))
    made(tmp_path / "late.parquet", results, order=(1,))
    late = made(tmp_path / "late.parquet", results, resume=True)
    assert one.read_bytes() == other.read_bytes() == late.read_bytes()


def test_what_is_done_can_be_read_before_the_rest(out, results):
    made(out, results, order=(2, 0))
    table, about = read(out)
    assert table["row"].to_pylist() == [0, 1, 2, 3, 8, 9]
    assert about == ABOUT
    assert len(pq.read_table(folder_of(out) / "000000.parquet")) == 4


def test_a_chunk_that_was_cut_short_is_done_again(out, results):
    made(out, results, order=(0, 1))
    path = folder_of(out) / "000001.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    (folder_of(out) / "000002.new").write_bytes(b"PAR1")
    with opened(out, ABOUT, SIZES, resume=True) as chunks:
        assert chunks.done == {0}
        assert chunks.rows_done == 4


def test_a_finished_survey_is_not_begun_again(out, results):
    before = made(out, results).read_bytes()
    folder_of(out).mkdir()  # as if it was ended before it could clear up
    with opened(out, ABOUT, SIZES, resume=True) as chunks:
        assert chunks is None
    assert out.read_bytes() == before
    assert not folder_of(out).exists()


def test_two_programs_do_not_work_on_one_survey(out, results):
    with (
        opened(out, ABOUT, SIZES, resume=False),
        pytest.raises(SurveyError, match="another domino-rig works on it"),
        opened(out, ABOUT, SIZES, resume=True),
    ):
        pass
    made(out, results, resume=True)


@pytest.mark.parametrize("order", [(0,), (0, 1, 2)], ids=["begun", "finished"])
def test_what_is_there_is_never_overwritten(out, results, order):
    made(out, results, order)
    with (
        pytest.raises(SurveyError, match="is there already; --resume goes on with it"),
        opened(out, ABOUT, SIZES, resume=False),
    ):
        pass
    with (
        pytest.raises(SurveyError, match="was begun with seed 1, not 2"),
        opened(out, {**ABOUT, "seed": 2}, SIZES, resume=True),
    ):
        pass


@pytest.mark.parametrize("text", [b"", b"PAR1", b"id,x_mm\n1,2\n"])
def test_another_file_is_left_alone(out, text):
    out.write_bytes(text)
    with (
        pytest.raises(SurveyError, match="is no survey; name another file"),
        opened(out, ABOUT, SIZES, resume=True),
    ):
        pass
    with pytest.raises(SurveyError, match="is no survey; give a file"):
        read(out)
    assert out.read_bytes() == text


def test_a_full_disk_names_the_file_and_leaves_what_is_done(out, results, monkeypatch):
    made(out, results, order=(0,))

    def full(path, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    with opened(out, ABOUT, SIZES, resume=True) as chunks:
        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_bytes", full)
            with pytest.raises(OSError, match=r"000001\.new"):
                chunks.keep(1, results[1])
        assert chunks.done == {0}
    assert len(read(out)[0]) == 4


def test_a_survey_says_what_it_is_in_itself(out, results):
    made(out, results)
    assert json.loads(pq.read_schema(out).metadata[b"domino-rig-survey"]) == ABOUT
