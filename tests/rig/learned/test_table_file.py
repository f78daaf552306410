import json
from pathlib import Path

import pytest

from rig.learned.table_file import table_file, trust

JOURNAL = Path("/evenings/table.sqlite3")


def test_a_table_that_learns_keeps_its_file_beside_its_journal():
    assert table_file("auto", JOURNAL) == Path("/evenings/table.table.json")
    assert table_file("mine.json", JOURNAL) == Path("mine.json")
    assert table_file("", JOURNAL) is None


def test_what_a_file_is_worth_is_told(tmp_path):
    file = tmp_path / "table.json"
    scores = {"brier_before": 0.151234, "brier_after": 0.1, "log_score_after": -1.0}
    file.write_text(json.dumps({"trust": {"pushes": 40, **scores}}))
    assert trust(file) == {"pushes": 40, "before": 0.1512, "after": 0.1}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"trust": {"pushes": "x"}}', '{"trust": 1}'])
def test_a_file_that_cannot_be_read_is_worth_nothing(tmp_path, text):
    file = tmp_path / "table.json"
    assert trust(None) is trust(file) is None
    file.write_text(text)
    assert trust(file) is None
