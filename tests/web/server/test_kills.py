"""A few power cuts of a whole server under load; the benchmark does two hundred."""

import pytest

from tests.bench.web_kills import Evening


@pytest.fixture
def evening(tmp_path):
    return Evening(tmp_path / "table.sqlite3", 3)


def test_what_was_answered_is_kept_and_the_replay_is_what_was_live(evening):
    counts = evening.counts
    for _ in range(3):
        evening.cut(answers=4)
    assert counts["answered"] == counts["kept"] > 8
    assert counts["states"] == counts["equal"] >= counts["answered"]
    assert counts["ballots"] == counts["sealed"]
