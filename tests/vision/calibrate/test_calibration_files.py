import json
import os
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from vision.calibrate.calibration_files import Mode, kept_modes, load_lens, save_lens
from vision.calibrate.lens_fit import LensFit
from vision.geometry.lens import BadCamera
from vision.render.render import view_from

LENS = view_from(0.2, 0.3)[0]
FIT = LensFit(LENS, np.arange(9) / 1000, 0.12, 0.14, 8, 380, 0.7, 0.6)
MODE = Mode("usb-HD_Cam/3", 1920, 1080, 30)
DAY = date(2030, 5, 17)


def test_a_lens_comes_back_as_it_was_kept(tmp_path):
    save_lens(tmp_path / "lenses", MODE, FIT, "board", DAY)
    again = load_lens(tmp_path / "lenses", MODE)
    assert again.matrix == pytest.approx(LENS.matrix)
    assert again.dist == pytest.approx(LENS.dist)
    assert (again.width, again.height) == (1920, 1080)


def test_the_file_says_when_from_what_and_how_well(tmp_path):
    path = save_lens(tmp_path, MODE, FIT, "board", DAY)
    data = json.loads(path.read_text())
    assert data["date"] == "2030-05-17"
    assert (data["device"], data["focus"], data["source"]) == ("usb-HD_Cam/3", 30, "board")
    assert (data["error_px"], data["held_out_px"]) == (0.12, 0.14)
    assert data["sigma"]["fx"] == 0.0 and data["sigma"]["k3"] == 0.008


def test_every_device_size_and_focus_has_its_own_file(tmp_path):
    names = {
        mode.file_name
        for mode in (
            MODE,
            Mode("usb-HD_Cam/4", 1920, 1080, 30),
            Mode("usb HD_Cam 3", 1920, 1080, 30),
            Mode("usb-HD_Cam/3", 1280, 720, 30),
            Mode("usb-HD_Cam/3", 1920, 1080, 31),
            Mode("usb-HD_Cam/3", 1920, 1080),
            Mode("../../etc/passwd", 1920, 1080),
            Mode("", 1920, 1080),
        )
    }
    assert len(names) == 8
    assert all("/" not in name and not name.startswith(".") for name in names)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (Mode("usb-HD_Cam/3", 1920, 1080, 45), "at focus 45; there is one of .* at focus 30"),
        (Mode("usb-HD_Cam/3", 1280, 720, 30), "1280 x 720 px .* there is one of .* 1920 x 1080"),
        (Mode("other", 1920, 1080, 30), "no calibration of camera other .* focus 30: calibrate"),
    ],
)
def test_a_lens_of_another_mode_is_never_used(tmp_path, wanted, words):
    save_lens(tmp_path, MODE, FIT, "board", DAY)
    with pytest.raises(BadCamera, match=words):
        load_lens(tmp_path, wanted)


def test_a_file_put_in_anothers_place_is_noticed(tmp_path):
    path = save_lens(tmp_path, MODE, FIT, "board", DAY)
    other = Mode("usb-HD_Cam/3", 1920, 1080, 45)
    path.rename(tmp_path / other.file_name)
    with pytest.raises(BadCamera, match=r"is of .* at focus 30, not of .* at focus 45"):
        load_lens(tmp_path, other)


def test_a_lens_is_not_kept_for_a_size_it_is_not_of(tmp_path):
    with pytest.raises(BadCamera, match="is for 1920 x 1080 px and cannot be kept for"):
        save_lens(tmp_path, Mode("a", 1280, 720), FIT, "board", DAY)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"device": 3}', '{"device": "a", "width": "b"}'])
def test_damaged_files_are_named_and_do_not_hide_the_others(tmp_path, text):
    save_lens(tmp_path, MODE, FIT, "mat", DAY)
    broken = Mode("broken", 640, 480)
    (tmp_path / broken.file_name).write_text(text)
    assert kept_modes(tmp_path) == (MODE,)
    with pytest.raises(BadCamera, match="broken"):
        load_lens(tmp_path, broken)


def test_the_old_lens_stays_whole_when_the_new_one_cannot_be_written(tmp_path):
    path = save_lens(tmp_path, MODE, FIT, "board", DAY)
    before = path.read_bytes()
    (tmp_path / "plain").write_text("a file")
    with pytest.raises(BadCamera, match="cannot be made"):
        save_lens(tmp_path / "plain", MODE, FIT, "board", DAY)
    assert path.read_bytes() == before


def test_the_disk_has_all_of_a_lens_before_it_gets_its_name(tmp_path, monkeypatch):
    told, fsync, replace = [], os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda file: told.append("disk") or fsync(file))
    monkeypatch.setattr(Path, "replace", lambda *both: told.append("name") or replace(*both))
    save_lens(tmp_path, MODE, FIT, "board", DAY)
    assert told == ["disk", "name"]


def test_a_folder_that_is_not_there_keeps_no_lenses(tmp_path):
    assert kept_modes(tmp_path / "nowhere") == ()
    with pytest.raises(BadCamera, match="no calibration of camera"):
        load_lens(tmp_path / "nowhere", MODE)
