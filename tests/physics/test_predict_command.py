import json
from itertools import pairwise
from pathlib import Path

import pytest

from rig.cli.main import main

DATA = Path(__file__).parents[1] / "data" / "rows-60.jsonl"


@pytest.fixture
def three(tmp_path):
    file = tmp_path / "three.jsonl"
    file.write_text("\n".join(DATA.read_text().splitlines()[:3]))
    return file


def test_every_row_becomes_one_json_object_in_the_order_given(three, capsys):
    assert main(["predict", str(three), "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    rows = [json.loads(line)["scenario"] for line in three.read_text().splitlines()]
    assert [f["id"] for f in found] == [r["id"] for r in rows]
    for answer, row in zip(found, rows, strict=True):
        assert list(answer) == [
            "id", "p_fall", "low", "high", "all_fall", "joints", "weakest", "runs"
        ]  # fmt: skip
        assert answer["low"] <= answer["p_fall"] <= answer["high"]
        values = [t["value"] for t in row["tiles"]]
        assert [[j["from"], j["to"]] for j in answer["joints"]] == [
            list(pair) for pair in pairwise(values)
        ]
        assert answer["weakest"] in [[j["from"], j["to"]] for j in answer["joints"]]


def test_the_answer_does_not_depend_on_seedless_chance_or_processes(three, capsys):
    said = []
    for words in ([], [], ["--jobs", "2"]):
        assert main(["predict", str(three), "--json", *words]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] == said[2]


def test_without_json_each_row_is_a_line_to_read(three, capsys):
    assert main(["predict", str(three)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert all("falls with" in line and "weakest joint" in line for line in lines)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("{", "line 1: is not JSON"),
        ('{"id": "a"}', "line 1: tile_set: is missing"),
        ("[]", "line 1: row: expected an object"),
    ],
)
def test_a_bad_file_is_one_sentence_and_exit_code_two(tmp_path, capsys, content, words):
    file = tmp_path / "rows.jsonl"
    file.write_text(content)
    assert main(["predict", str(file), "--json"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert words in said.err
    assert "rows.jsonl" in said.err


def test_a_bad_row_after_good_ones_is_named_and_nothing_is_printed(three, capsys):
    with three.open("a") as file:
        row = json.loads(DATA.read_text().splitlines()[5])
        row["scenario"]["push"]["speed_mm_s"] = -3
        file.write("\n" + json.dumps(row))
    assert main(["predict", str(three)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "line 4: push.speed_mm_s: expected a number above 0, got -3" in said.err


def test_learn_writes_coefficients_and_says_how_good_they_are(tmp_path, capsys):
    rows, out = tmp_path / "rows.jsonl", tmp_path / "hazard.json"
    rows.write_text("\n".join(DATA.read_text().splitlines()[:24]))
    assert main(["learn", str(rows), "--out", str(out), "--epochs", "1"]) == 0
    assert "brier" in capsys.readouterr().out
    assert json.loads(out.read_text())["data"][0]["file"] == "rows.jsonl"


def test_learn_without_references_says_what_is_missing(tmp_path, capsys):
    rows = tmp_path / "rows.jsonl"
    row = json.loads(DATA.read_text().splitlines()[0])
    rows.write_text(json.dumps(row["scenario"]))
    assert main(["learn", str(rows), "--out", str(tmp_path / "h.json")]) == 2
    assert "nominal_fall" in capsys.readouterr().err
