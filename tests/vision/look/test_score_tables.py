import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from rig.cli.main import main
from vision.capture.camera import NoFrame
from vision.look.score import read_frame, tables

FRAMES = Path(__file__).parents[2] / "data" / "frames"


def folder_with(tmp_path, *names):
    for name in names:
        for kind in ("jpg", "json"):
            shutil.copy(FRAMES / f"{name}.{kind}", tmp_path)
    return tmp_path


def told(capsys, *words):
    assert main(["see", "--score", *map(str, words)]) == 0
    return capsys.readouterr().out


def refused(capsys, *words):
    assert main(["see", *map(str, words)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    return err


def test_frames_of_one_table_follow_each_other():
    groups = [[path.stem for path in group] for group in tables(FRAMES)]
    assert ["practice_s01_f0", "practice_s01_f2", "practice_s01_f3"] in groups
    assert len(groups) == 3
    assert [[p.stem for p in g] for g in tables(FRAMES, "public_s00*")] == [["public_s00_f3"]]
    assert len(list(tables(FRAMES, "public_s00*,practice*"))) == 2


def test_a_frame_is_shrunk_to_the_width_asked_for():
    path = FRAMES / "public_s02_f2.jpg"
    assert read_frame(path).image.shape == (1080, 1920, 3)
    assert read_frame(path, 1280).image.shape == (720, 1280, 3)


def test_a_folder_without_such_frames_is_named(tmp_path):
    with pytest.raises(NoFrame, match="practice"):
        list(tables(tmp_path, "practice_*"))


def test_the_figures_of_a_folder_come_as_a_table_and_as_json(capsys, tmp_path):
    folder = folder_with(tmp_path, "public_s02_f0", "public_s02_f2")
    lines = told(capsys, folder).splitlines()
    (found,) = [line for line in lines if line.startswith("marked standing tiles found")]
    assert found.split()[-1] == "met" and "= 1.000" in found
    data = json.loads(told(capsys, folder, "--json"))
    figures = {figure["name"]: figure for figure in data["figures"]}
    found = figures["marked standing tiles found"]
    truth = json.loads((FRAMES / "public_s02_f2.json").read_text())
    marked = [t for t in truth["tiles"] if t["value"] and t["state"] == "standing"]
    assert found["part"] == found["cases"] == len(marked)
    assert found["least"] == [0.995] and found["met"] is True
    assert figures["heading of marked, median / p95 deg"]["most"] == [None, 0.7]
    assert data["rows_px"] == 1080


def test_what_is_not_as_the_truth_says_is_named(capsys, tmp_path):
    folder = folder_with(tmp_path, "public_s02_f0", "public_s02_f2")
    side = folder / "public_s02_f2.json"
    truth = json.loads(side.read_text())
    (one, other) = [t for t in truth["tiles"] if t["value"]][:2]
    one["value"], other["value"] = other["value"], one["value"]
    side.write_text(json.dumps(truth))
    lines = told(capsys, folder, "--width", 1280).splitlines()
    assert sum(" read as " in line for line in lines) == 2
    (wrong,) = [line for line in lines if line.startswith("wrong value")]
    assert wrong.split()[-1] == "MISSED"


def test_each_frame_can_be_looked_at_by_itself(capsys, tmp_path):
    folder = folder_with(tmp_path, "public_s02_f0", "public_s02_f2")
    figures = {
        figure["name"]: figure
        for figure in json.loads(told(capsys, folder, "--alone", "--json"))["figures"]
    }
    assert figures["the one new tile right"]["cases"] == 0
    assert figures["marked standing tiles found"]["met"] is True


def test_what_cannot_be_scored_is_said_in_one_sentence(capsys, tmp_path):
    assert "nowhere is no folder" in refused(capsys, "--score", "nowhere")
    assert "name no others" in refused(capsys, "a.jpg", "--score", tmp_path)
    assert "nothing to see" in refused(capsys)
    assert "no image" in refused(capsys, "--score", tmp_path)
    folder = folder_with(tmp_path, "public_s02_f0")
    assert "no image named 'x*'" in refused(capsys, "--score", folder, "--only", "x*")
    (folder / "public_s02_f0.json").unlink()
    assert "public_s02_f0.json" in refused(capsys, "--score", folder)


def test_a_scored_frame_without_a_mat_is_named(capsys, tmp_path):
    folder = folder_with(tmp_path, "public_s02_f0")
    cv2.imwrite(str(folder / "public_s02_f0.jpg"), np.zeros((1080, 1920, 3), np.uint8))
    assert "public_s02_f0.jpg" in refused(capsys, "--score", folder)
