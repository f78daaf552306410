"""`domino-rig learn` and `fit`: one table from its pushes, the whole prediction from many rows."""

import json
from pathlib import Path
from random import Random

import pytest

from physics.calibrate.posterior import Posterior
from physics.errors import PhysicsError
from physics.predict.learned_table import read_table
from physics.rows.generators import Shape, Wanted, generated
from rig.cli import fit_hazard
from rig.cli.main import main
from rig.cli.output import write_whole

DATA = Path(__file__).parents[2] / "data" / "rows-60.jsonl"
HAZARD = Path(__file__).parents[3] / "physics" / "predict" / "hazard.json"
WENT = {"rows_left_out": 7, "log_loss_before": 0.9, "log_loss_after": 0.8}


def pushes(folder, fell, count=12):
    """A file of pushes on rows of four tiles; `fell` says how many fell in the n-th."""
    chance, lines = Random(7), []
    for i in range(count):
        row = generated(Wanted(Shape.PLAYER, count=4, gap_mm=26.0), chance)
        tiles = [
            {
                "x_mm": tile.pose.x_mm,
                "y_mm": tile.pose.y_mm,
                "heading_deg": tile.pose.heading_rad * 57.29578,
                "orientation": tile.orientation.value,
            }
            for tile in row.chain.tiles
        ]
        down = [int(n < fell(i)) for n in range(4)]
        lines.append(json.dumps({"id": str(i), "tiles": tiles, "nominal_fall": down}))
    file = folder / "pushes.jsonl"
    file.write_text("\n".join(lines))
    return file


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("learned")
    file = pushes(folder, lambda i: 1 + i % 2)
    words = ["learn", str(file), "--out", str(folder / "table.json")]
    assert main([*words, "--plot", str(folder / "table.png")]) == 0
    return folder


def test_learn_writes_a_table_and_its_picture(learned):
    table = read_table(learned / "table.json")
    assert table.trust.pushes == 12
    assert table.trust.log_score_after > table.trust.log_score_before
    assert (learned / "table.png").read_bytes().startswith(b"\x89PNG")


def test_predict_goes_by_the_table(learned, capsys):
    row, said = learned / "pushes.jsonl", []
    for words in ([], ["--table", str(learned / "table.json")]):
        assert main(["predict", str(row), "--json", *words]) == 0
        lines = capsys.readouterr().out.splitlines()
        said.append(sum(json.loads(line)["p_fall"] for line in lines))
    assert said[1] < said[0]


def test_learn_writes_nothing_that_is_no_better(tmp_path, capsys, monkeypatch):
    file, out = pushes(tmp_path, lambda i: 4, count=8), tmp_path / "table.json"
    monkeypatch.setattr(Posterior, "better", property(lambda known: False))
    assert main(["learn", str(file), "--out", str(out)]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1 and "not written, because the pushes speak for" in err
    assert not out.exists()


def test_learn_refuses_a_few_pushes(tmp_path, capsys):
    file = pushes(tmp_path, lambda i: 4, count=5)
    assert main(["learn", str(file), "--out", str(tmp_path / "table.json")]) == 2
    assert "5 pushes cannot tell" in capsys.readouterr().err


def test_learn_without_outcomes_says_what_is_missing(tmp_path, capsys):
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps(json.loads(DATA.read_text().splitlines()[0])["scenario"]))
    assert main(["learn", str(rows), "--out", str(tmp_path / "t.json")]) == 2
    assert "nominal_fall" in capsys.readouterr().err


def test_a_fit_on_an_evening_of_pushes_is_refused(tmp_path, capsys):
    rows = pushes(tmp_path, lambda i: 4, count=30)
    assert main(["fit", str(rows), "--out", str(tmp_path / "h.json")]) == 2
    err = capsys.readouterr().err
    assert "30 rows are too few" in err and "at least 1000" in err and "domino-rig learn" in err
    assert not (tmp_path / "h.json").exists()


def test_fit_writes_coefficients_and_says_how_good_they_are(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(fit_hazard, "LEAST_ROWS", 24)
    rows, out = tmp_path / "rows.jsonl", tmp_path / "hazard.json"
    rows.write_text("\n".join(DATA.read_text().splitlines()[:24]))
    assert main(["fit", str(rows), "--out", str(out), "--epochs", "1"]) == 0
    assert "brier" in capsys.readouterr().out
    assert json.loads(out.read_text())["data"][0]["file"] == "rows.jsonl"


def test_fit_trains_an_earlier_fit_further(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(fit_hazard, "LEAST_ROWS", 24)
    rows, out = tmp_path / "rows.jsonl", tmp_path / "further.json"
    rows.write_text(DATA.read_text())
    monkeypatch.setattr(
        fit_hazard, "go_on", lambda rows, start, **_: {**start, "further": {**WENT}}
    )
    args = ["fit", str(rows), "--out", str(out), "--start"]
    assert main([*args, str(HAZARD)]) == 0
    assert "log_loss_after 0.8" in capsys.readouterr().out
    assert json.loads(out.read_text())["further"]["data"][0]["file"] == "rows.jsonl"
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    wrong = {rows: "no coefficients", deep: "no coefficients", tmp_path / "none": "cannot be read"}
    for start, words in wrong.items():
        assert main([*args, str(start)]) == 2
        assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("where", "why"), [("no/h.json", "No such file or directory"), ("", "Is a directory")]
)
def test_what_cannot_be_written_is_said_before_anything_is_fitted(
    tmp_path, capsys, monkeypatch, where, why
):
    def begun(*_, **__):
        pytest.fail("it was begun")

    monkeypatch.setattr(fit_hazard, "LEAST_ROWS", 1)
    monkeypatch.setattr(fit_hazard, "learn", begun)
    monkeypatch.setattr("rig.cli.learn.posterior", begun)
    out, good = str(tmp_path / where), str(tmp_path / "good")
    rows = str(pushes(tmp_path, lambda i: 4))
    for words in (
        ["fit", str(DATA), "--out", out],
        ["learn", rows, "--out", out],
        ["learn", rows, "--out", good, "--plot", out],
    ):
        assert main(words) == 2
        assert f"{tmp_path / where}: cannot be written ({why})" in capsys.readouterr().err


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    file = tmp_path / "table.json"
    file.write_text("old")

    def full(self, data):
        with open(self, "wb") as half:
            half.write(data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(PhysicsError, match=r"cannot be written \(No space"):
        write_whole(file, b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["table.json"]
    assert file.read_text() == "old"
