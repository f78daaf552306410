import json
import runpy
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.bench import chart, draw_tables
from tests.bench.draw_tables import draw
from tests.bench.traced_tables import OVERSCAN, distorted, strip_print
from vision.geometry.camera_pose import CameraPose, project
from vision.geometry.markers import as_gray, detect_markers
from vision.geometry.mat import load_mat
from vision.look.score import examine
from vision.render.render import view_from

ROOT = Path(__file__).parents[2]


def run(program, *words):
    return subprocess.run(
        [sys.executable, "-m", f"tests.bench.{program}", *words],
        capture_output=True,
        text=True,
        timeout=1200,
        cwd=ROOT,
    )


@pytest.fixture
def refused(monkeypatch, capsys):
    """Run a program in this process, as far as its refusal; give the code and what it said."""

    def ran(program, *words):
        monkeypatch.setattr(sys, "argv", [program, *words])
        with pytest.raises(SystemExit) as stop:
            runpy.run_module(f"tests.bench.{program}", run_name="__main__")
        return stop.value.code, capsys.readouterr().err

    return ran


def test_the_engines_that_are_there_are_compared_and_the_others_named():
    done = run("bench_engines", "--rows", "1", "--rounds", "1")
    assert done.returncode == 0, done.stderr
    assert "| this model, trials |" in done.stdout
    for engine in ("Box2D", "MuJoCo"):
        assert (f"{engine} is not installed" in done.stdout) != (f"| {engine}," in done.stdout)


@pytest.mark.parametrize(
    "words", [["bench_engines"], ["bench_physics"], ["bench_bare"], ["bench_outside", "long"]]
)
def test_rows_that_cannot_be_read_are_refused_in_one_sentence(refused, words):
    code, told = refused(*words, "/nowhere/rows.jsonl")
    assert code == 2
    assert "/nowhere/rows.jsonl: cannot be read" in told
    assert "Traceback" not in told


def test_bare_pymunk_is_scored_on_rows_that_its_two_numbers_were_not_fitted_on():
    rows = str(ROOT / "tests/data/rows-60.jsonl")
    done = run("bench_bare", rows, "--rows", "60", "--runs", "3", "--report", rows)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("as it is: log-odds = ")
    assert "60 rows, Brier 0." in done.stdout


def test_a_plot_has_every_mark_where_it_belongs():
    plot = chart.Chart("Title", (0, 10), (0, 1), "x", "y", width=100, height=50, left=0, top=0)
    assert plot.place((0, 1)) == (0, 0)
    assert plot.place((10, 0)) == (100, 50)
    plot.rings([(5, 0.5)], "blue")
    plot.measured([(2, 0.2)], [(1, 0.1)], "green")
    plot.explain("ring", "blue", "a ring")
    drawn = ElementTree.fromstring(plot.svg())
    rings = [c for c in drawn.iter() if c.get("class") == "mark blue" and c.get("r")]
    assert (rings[0].get("cx"), rings[0].get("cy")) == ("50.0", "25.0")
    bars = next(c for c in drawn.iter() if c.get("class") == "mark green")
    assert bars.get("d") == "M10.0 40.0H30.0M20.0 45.0V35.0"


def test_a_plot_reads_on_light_and_on_dark_pages():
    drawn = chart.Chart("Title", (0, 1), (0, 1), "x", "y").svg()
    light, dark = drawn.split("@media (prefers-color-scheme: dark)")
    for name in ("page", "grid", "axis", "blue", "orange", "green", "ink", "faint"):
        assert f".{name} " in light
        assert f".{name} " in dark.partition("</style>")[0]


def test_the_referees_benchmark_finds_nothing_lost():
    done = run("bench_web", "shouts", "--quick")
    assert done.returncode == 0, done.stderr
    assert "one caller each in 6, all others told by how much in 6" in done.stdout


@pytest.mark.parametrize("program", ["bench_web", "bench_rig"])
def test_a_part_that_is_not_there_is_named(refused, program):
    code, told = refused(program, "shouting")
    assert code == 2
    assert "no such part: shouting" in told and "Traceback" not in told


def test_a_game_of_the_soak_comes_to_its_end_and_loses_nothing():
    done = run("soak", "--games", "1", "--seed", "5")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Nothing was lost." in done.stdout


def test_whoever_draws_tables_is_told_of_each_and_where_they_are(tmp_path):
    folder = tmp_path / "drawn"
    done = run("draw_tables", str(folder), "--tables", "2")
    one, two, end = done.stdout.splitlines()
    assert (one, two) == ("table 1 of 2 drawn", "table 2 of 2 drawn")
    assert str(folder) in end
    assert len(list(folder.glob("*.jpg"))) == len(list(folder.glob("*.json"))) == 8


def test_a_folder_for_tables_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").touch()
    done = run("draw_tables", str(tmp_path / "file"))
    assert done.returncode == 2
    assert "name another folder" in done.stderr and "Traceback" not in done.stderr


def test_tables_that_blender_draws_need_blender(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "bpy", None)  # as if it were not installed
    monkeypatch.setattr(sys, "argv", ["draw_tables", str(tmp_path), "--hard", "--traced"])
    with pytest.raises(SystemExit, match="pip install --no-deps bpy"):
        draw_tables.main()
    monkeypatch.setattr(sys, "argv", ["draw_tables", str(tmp_path), "--traced"])
    with pytest.raises(SystemExit):
        draw_tables.main()
    assert "--traced needs --hard" in capsys.readouterr().err


def test_blender_prints_the_mat_and_the_marks_where_they_belong():
    mat = load_mat()
    for strip in mat.strips:
        printed, corners = strip_print(mat, strip)
        (ids, found) = detect_markers(as_gray(printed), mat.dictionary)
        assert set(ids) == set(strip)
        rows, columns = printed.shape[:2]
        px = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - 0.5
        to_mm = cv2.getPerspectiveTransform(px, corners.astype(np.float32))
        for marker, seen in zip(ids, found, strict=True):
            there = cv2.perspectiveTransform(seen[None].astype(np.float64), to_mm)[0]
            assert np.abs(there - mat.corners_mm[marker]).max() < 0.1


def test_a_picture_is_distorted_as_the_lens_does():
    lens, _ = view_from(0.2, 0.5)
    wide = np.zeros((round(lens.height * OVERSCAN), round(lens.width * OVERSCAN), 3), np.uint8)
    straight = replace(lens, dist=np.zeros(5))
    ray = np.array([[0.4, -0.25, 1.0]])
    still = CameraPose(np.eye(3), np.zeros(3))
    at = project(ray, still, straight)[0] + np.array([lens.width, lens.height]) * (OVERSCAN - 1) / 2
    cv2.circle(wide, tuple(int(v) for v in np.round(at * 16)), 64, (255,) * 3, -1, cv2.LINE_AA, 4)
    seen = distorted(wide, lens)
    spot = cv2.moments(seen[..., 0])
    middle = np.array([spot["m10"], spot["m01"]]) / spot["m00"]
    assert middle == pytest.approx(project(ray, still, lens)[0], abs=0.2)


def test_a_hard_table_is_drawn_where_its_truth_says(tmp_path):
    draw(tmp_path, seed=3, table=5, hard=True)
    frames = sorted(tmp_path.glob("*.jpg"))
    truths = [json.loads(frame.with_suffix(".json").read_text()) for frame in frames]
    assert [truth["table"] for truth in truths] == ["parquet"] * 4
    assert truths[0]["tiles"] == [] and truths[2]["new_tile"] == len(truths[2]["tiles"]) - 1
    score, _ = examine(tmp_path, "*_f2")
    assert sum(score.marked) >= 4 and np.median(score.marked_mm) < 0.4
    assert score.wrong == 0
