import json
import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from rig.cli.main import main

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"


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
            "format", "version", "id",
            "p_fall", "low", "high", "all_fall", "joints", "weakest", "runs",
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


def test_detail_adds_to_the_usual_answer_and_changes_nothing_of_it(three, capsys):
    said = []
    for words in (["--json"], ["--json", "--detail"]):
        assert main(["predict", str(three), "--runs", "4", *words]) == 0
        said.append([json.loads(line) for line in capsys.readouterr().out.splitlines()])
    for plain, detailed in zip(*said, strict=True):
        more = {name: detailed.pop(name) for name in ("push", "error", "sensitivity")}
        assert detailed == plain
        assert more["push"] >= plain["p_fall"]
        assert list(more["sensitivity"]) == [
            "friction.tile_tile", "friction.tile_table", "push.speed"
        ]  # fmt: skip
        for curve in more["sensitivity"].values():
            assert dict(zip(curve["factor"], curve["p_fall"], strict=True))[1.0] == plain["p_fall"]


def test_detail_tells_people_the_push_the_joints_and_what_it_depends_on(three, capsys):
    assert main(["predict", str(three), "--runs", "4", "--detail"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 * 7
    for line, word in zip(
        lines, 3 * ["weakest", "falls", "push", "joints", "tiles:", "table:", "speed:"], strict=True
    ):
        assert word in line
        assert len(line) < 200


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
        ('{"id": "a"}', "line 1: tiles: expected a list"),
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


def tiles(*xs):
    return [
        {"value": i, "x_mm": x, "y_mm": 0.0, "heading_deg": 0.0, "orientation": "vertical"}
        for i, x in enumerate(xs)
    ]


def with_tiles(found):
    row = json.loads(DATA.read_text().splitlines()[5])["scenario"]
    return {**row, "tiles": found}


BAD = [
    (with_tiles(tiles(0)), "tile 0 (place 1) stands alone"),
    (with_tiles(tiles(0, 5)), "tiles 0 (place 1) and 1 (place 2) overlap by 2.5 mm"),
    (with_tiles(tiles(0, 20, 400)), "tile 2 (place 3) is out of the row: 372.5 mm"),
    (with_tiles(tiles(0, 40, 20)), "tile 2 (place 3) stands between tiles 0 (place 1)"),
    (
        with_tiles([{**tiles(0)[0], "heading_deg": 90.0}, *tiles(0, 20, 40)[1:]]),
        "tile 0 (place 1) would be pushed from the wrong side",
    ),
    (with_tiles(tiles(0, float("nan"))), "tiles[1].x_mm: expected a number, got nan"),
]


@pytest.mark.parametrize(("row", "words"), BAD)
def test_what_is_no_row_is_named_with_its_line_and_nothing_is_printed(three, capsys, row, words):
    with three.open("a") as file:
        file.write("\n" + json.dumps(row))
    assert main(["predict", str(three), "--json"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert f"three.jsonl, line 4: {words}" in said.err.replace("tiles: tiles", "tiles")


def test_bad_rows_do_not_lose_the_good_ones_if_asked_so(tmp_path, capsys):
    good = DATA.read_text().splitlines()[:2]
    file = tmp_path / "mixed.jsonl"
    file.write_text("\n".join([good[0], "{", json.dumps(BAD[0][0]), "[]", good[1]]))
    assert main(["predict", str(file), "--json", "--runs", "1", "--keep-going"]) == 2
    said = capsys.readouterr()
    ids = [json.loads(line)["scenario"]["id"] for line in good]
    assert [json.loads(line)["id"] for line in said.out.splitlines()] == ids
    assert all(
        f"line {n}" in line for n, line in zip((2, 3, 4), said.err.splitlines(), strict=True)
    )


def test_a_row_like_none_that_was_fitted_is_told_as_a_guess(tmp_path, capsys):
    file = tmp_path / "long.json"
    file.write_text(json.dumps(with_tiles(tiles(*range(0, 800, 20)))))
    assert main(["predict", str(file), "--json", "--runs", "1"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["extrapolated"]
    assert told.startswith("number of tiles: 40 (fitted on ")
    assert main(["predict", str(file), "--runs", "1"]) == 0
    assert "a guess, outside the fitted range: number of tiles: 40" in capsys.readouterr().out


def test_an_id_of_many_lines_stays_on_one(tmp_path, capsys):
    file = tmp_path / "row.json"
    file.write_text(json.dumps({**with_tiles(tiles(0, 20)), "id": "a\nb\ud800"}))
    assert main(["predict", str(file), "--runs", "1"]) == 0
    assert capsys.readouterr().out.startswith("a?b?: falls with")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_a_long_answer_with_one_word(tmp_path, jobs):
    file = tmp_path / "many.jsonl"
    # More than a pipe takes, so that it cannot be at its end before it is stopped.
    row = json.dumps({**with_tiles(tiles(0, 20)), "id": 100 * "long "})
    file.write_text("\n".join([row] * 400))
    words = [sys.executable, "-m", "rig.cli.main", "predict", str(file), "--runs", "1"]
    words += ["--jobs", jobs]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as answers:
        assert "falls with" in answers.stdout.readline()
        os.killpg(answers.pid, signal.SIGINT)
        _, err = answers.communicate()
    assert (answers.returncode, err) == (130, "Stopped.\n")


def test_an_interrupted_run_goes_on_where_it_stopped(three, tmp_path, capsys):
    out, words = tmp_path / "out.jsonl", ["predict", str(three), "--runs", "4"]
    assert main([*words, "--json"]) == 0
    whole = capsys.readouterr().out
    assert main([*words, "--out", str(out)]) == 0
    assert out.read_text() == whole
    for left in (0, 5, len(whole.splitlines()[0]) + 1, len(whole) - 3, len(whole)):
        out.write_text(whole[:left])
        assert main([*words, "--out", str(out), "--resume"]) == 0
        assert out.read_text() == whole
    assert capsys.readouterr() == ("", "")


def test_answers_to_other_rows_are_left_alone(three, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    answer = '{"format": "domino-rig-prediction", "version": 1, "id": "another"}\n'
    out.write_text(answer)
    for words, said in (
        ([], "is there already; --resume goes on with it"),
        (["--resume"], "line 1: answers row 'another', expected '"),
    ):
        assert main(["predict", str(three), "--out", str(out), *words]) == 2
        assert said in capsys.readouterr().err
    assert out.read_text() == answer
    assert main(["predict", str(three), "--resume"]) == 2
    assert "name it with --out" in capsys.readouterr().err


def test_an_answer_nested_without_end_answers_no_row(three, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    out.write_text('{"format": "domino-rig-prediction", "version": 1, "id": ' + "[" * 30_000 + "\n")
    assert main(["predict", str(three), "--out", str(out), "--resume"]) == 2
    assert "line 1: answers row None" in capsys.readouterr().err


def test_a_file_that_is_no_answer_is_never_cut_nor_added_to(three, capsys):
    """One line without an end was taken for an answer cut short, and the rows for answers."""
    for text in ("what I wrote", three.read_text()):
        file = three.with_name("mine.txt")
        file.write_text(text)
        assert main(["predict", str(three), "--out", str(file), "--resume"]) == 2
        assert "line 1 of " in capsys.readouterr().err
        assert file.read_text() == text


def test_rows_in_row_notation_come_by_the_standard_input():
    words = [sys.executable, "-m", "rig.cli.main", "predict", "-", "--json"]
    rows = "3v@0,0,0;5v@20,0,0;id=a\n{bad\n"
    said = subprocess.run([*words, "--keep-going"], input=rows, capture_output=True, text=True)
    assert said.returncode == 2
    assert json.loads(said.stdout)["id"] == "a"
    assert said.stderr.startswith("domino-rig predict: standard input, line 2: is not JSON")


def test_rows_come_through_a_pipe_with_a_name(capsys):
    read, write = os.pipe()
    os.write(write, b"3v@0,0,0;5v@20,0,0;id=a\n")
    os.close(write)
    assert main(["predict", f"/dev/fd/{read}", "--runs", "4", "--json"]) == 0
    os.close(read)
    assert json.loads(capsys.readouterr().out)["id"] == "a"


def test_a_standard_input_that_is_closed_is_told(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", None)
    assert main(["predict", "-"]) == 2
    assert "standard input is closed; give a file" in capsys.readouterr().err
