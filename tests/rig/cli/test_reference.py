import json
import sys
from pathlib import Path

import pytest

from physics.learn.reference import engine
from rig.cli import reference
from rig.cli.main import main

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"


@pytest.fixture(autouse=True)
def quick_falls(monkeypatch):
    def fall(row, runs, *, quick):
        n = len(row.chain.tiles)
        return {"nominal_fall": [1] * n, "nominal_all_fall": True, "asked": [runs, quick]}

    monkeypatch.setattr(reference, "reference_row", fall)
    monkeypatch.setattr(reference, "engine", lambda: None)


def make(out, *words):
    return main(["reference", str(DATA), "--out", str(out), *words])


def test_new_rows_are_drawn_by_seed_and_number(tmp_path):
    one, other, more = (tmp_path / name for name in ("one", "other", "more"))
    for out, words in ((one, ("3", "--seed", "4")), (other, ("3", "--seed", "5"))):
        assert make(out, "--draw", *words, "--runs", "2", "--quick") == 0
    make(more, "--draw", "4", "--seed", "4", "--runs", "2", "--quick", "--jobs", "2")
    rows = [json.loads(line) for line in one.read_text().splitlines()]
    assert [row["scenario"]["id"] for row in rows] == ["d4-0", "d4-1", "d4-2"]
    assert all(row["asked"] == [2, True] for row in rows)
    assert one.read_text() != other.read_text()
    assert more.read_text().splitlines()[:3] == one.read_text().splitlines()


def test_rows_can_be_drawn_of_no_tile_that_others_have(tmp_path):
    out = tmp_path / "rows"
    make(out, "--draw", "12", "--standard", "0")
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    lengths = {row["scenario"]["tile_set"]["length_mm"] for row in rows}
    assert len(lengths) == 12 and 48.0 not in lengths


@pytest.mark.parametrize("kept", [0, 1, 700, 2500])
def test_a_run_that_was_cut_off_anywhere_goes_on_to_the_same_file(tmp_path, kept):
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    words = ("--draw", "4", "--seed", "1")
    make(whole, *words)
    assert len(whole.read_bytes()) > 2500
    cut.write_bytes(whole.read_bytes()[:kept])
    assert make(cut, *words) == 0
    assert cut.read_bytes() == whole.read_bytes()


def test_rows_that_are_there_do_not_fall_again(tmp_path, monkeypatch):
    out = tmp_path / "rows.jsonl"
    make(out, "--draw", "2")
    fallen = []
    monkeypatch.setattr(
        reference, "reference_row", lambda row, runs, *, quick: fallen.append(row.id) or {}
    )
    make(out, "--draw", "3")
    assert fallen == ["d0-2"]


@pytest.mark.parametrize("words", [("--draw", "3", "--seed", "9"), ("--draw", "1"), ()])
def test_a_file_of_other_rows_is_not_gone_on_with(tmp_path, capsys, words):
    out = tmp_path / "rows.jsonl"
    make(out, "--draw", "2", "--seed", "0")
    before = out.read_bytes()
    assert make(out, *words) == 2
    assert "row 2 is 'd0-1', expected" in capsys.readouterr().err
    assert out.read_bytes() == before


def test_without_mujoco_no_file_is_made(tmp_path, capsys, monkeypatch):
    made, more = tmp_path / "made.jsonl", tmp_path / "more.jsonl"
    make(made, "--draw", "2")
    monkeypatch.setattr(reference, "engine", engine)
    monkeypatch.setitem(sys.modules, "mujoco", None)
    assert make(more, "--draw", "2") == 2
    assert "need MuJoCo from the extra reference" in capsys.readouterr().err
    assert not more.exists()
    assert make(made, "--draw", "2") == 0  # nothing has to fall any more


def test_known_rows_fall_again_in_their_order(tmp_path):
    out = tmp_path / "again.jsonl"
    make(out, "--runs", "0")
    known, made = (
        [json.loads(line)["scenario"]["id"] for line in file.read_text().splitlines()]
        for file in (DATA, out)
    )
    assert made == known


def test_a_bar_shows_how_far_it_is_where_somebody_watches(tmp_path, monkeypatch, capsys):
    make(tmp_path / "unseen.jsonl", "--draw", "2")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    make(tmp_path / "seen.jsonl", "--draw", "2")
    half, full = f"[{'#' * 20}{' ' * 20}] 1 of 2", f"[{'#' * 40}] 2 of 2"
    assert capsys.readouterr().err == f"\r{half}\r{full}\n"


def test_a_file_that_cannot_be_written_is_told_in_one_sentence(tmp_path, capsys):
    assert make(tmp_path / "no" / "rows.jsonl", "--draw", "1") == 2
    assert "rows.jsonl: cannot be written (No such file" in capsys.readouterr().err


def test_long_rows_of_wide_tiles_can_be_drawn(tmp_path, capsys):
    out = tmp_path / "rows"
    wide = ("--standard", "0", "--widths", "0.6", "0.7")
    make(out, "--draw", "3", "--tiles", "14", "16", *wide, "--quick")
    rows = [json.loads(line)["scenario"] for line in out.read_text().splitlines()]
    assert {len(row["tiles"]) for row in rows} <= {14, 15, 16}
    widths = [row["tile_set"]["width_mm"] / row["tile_set"]["length_mm"] for row in rows]
    assert all(0.599 < width < 0.701 or abs(width - 0.5) < 0.001 for width in widths)
    assert make(tmp_path / "none", "--draw", "1", "--tiles", "9", "4") == 2
    assert "--tiles: expected LEAST before MOST, got 9 4" in capsys.readouterr().err
