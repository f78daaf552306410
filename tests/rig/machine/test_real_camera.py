"""A camera over a real table, or recorded pictures of one, as the settings name it."""

import json
from dataclasses import replace
from datetime import date

import cv2
import numpy as np
import pytest

from physics.row.pose import Pose
from physics.row.tile import STANDARD, Orientation, Tile, TileSpec
from rig.cli.main import main
from rig.clock import ManualClock
from rig.config import ConfigError, load_config
from rig.machine.build import open_rig, open_sights, tag_of
from vision.calibrate.calibration_files import Mode, save_lens
from vision.calibrate.lens_fit import LensFit
from vision.capture.live_camera import OpenCVCamera
from vision.geometry.lens import BadCamera
from vision.geometry.mat import BadMat, load_mat
from vision.marks.sticker import STANDARD_MARKS, marks_on
from vision.render.render import default_view, render
from vision.render.scene import Scene, Solid

LENS, POSE = default_view()


OTHER = TileSpec(56.0, 28.0, 9.0)
"""Larger tiles than the standard ones, with larger marks."""


def tile(value, x_mm, y_mm=210.0, spec=STANDARD):
    return Tile(value, Pose(x_mm, y_mm, 0.0), Orientation.VERTICAL, spec=spec)


def picture(path, *tiles, hand=None, marks=None):
    image = render(Scene(tuple(Solid(each) for each in tiles), hand), LENS, POSE, marks=marks)
    cv2.imwrite(str(path), image)


def camera_file(path):
    data = {"K": LENS.matrix.tolist(), "dist": LENS.dist.tolist()}
    path.write_text(json.dumps({**data, "width": LENS.width, "height": LENS.height}))
    return path


def camera(**changes):
    return replace(load_config().camera, **changes)


def keep_lens(folder, focus=None, width=1920, height=1080, device="desk cam"):
    lens = LENS.at_size(width, height)
    fit = LensFit(lens, np.full(9, 0.1), 0.2, 0.2, 12, 300, 0.4, 0.8)
    return save_lens(folder, Mode(device, width, height, focus), fit, "board", date(2026, 1, 2))


@pytest.fixture
def opened():
    """Open cameras that are closed at the end; none of them is really there."""
    sights = []

    def open_one(config, **how):
        sights.append(open_sights(config, ManualClock().monotonic_s, **how))
        return sights[-1]

    yield open_one
    for each in sights:
        each.camera.close()


def test_a_real_camera_gets_the_lens_that_was_kept_for_its_mode_and_its_focus(tmp_path, opened):
    keep_lens(tmp_path, focus=30.0)
    keep_lens(tmp_path, focus=50.0, width=1280, height=720)
    keep_lens(tmp_path, device="another cam")
    sights = opened(camera(kind="opencv", id="desk cam"), lenses=tmp_path)
    assert isinstance(sights.camera, OpenCVCamera)
    assert sights.lens.matrix == pytest.approx(LENS.matrix)
    settings = sights.camera.feed.settings
    assert (settings.width, settings.height, settings.held) == (1920, 1080, {"focus": 30.0})


def test_a_real_camera_without_a_lens_is_told_to_be_calibrated(tmp_path, opened):
    keep_lens(tmp_path, width=1280, height=720)
    with pytest.raises(BadCamera, match=r"there is one of .*1280 x 720.*calibrate this mode"):
        opened(camera(kind="opencv", id="desk cam"), lenses=tmp_path)


def test_two_lenses_of_one_mode_have_to_be_told_apart(tmp_path, opened):
    files = [keep_lens(tmp_path, focus=focus) for focus in (30.0, 50.0)]
    config = camera(kind="opencv", id="desk cam")
    with pytest.raises(ConfigError, match="more than one"):
        opened(config, lenses=tmp_path)
    named = opened(replace(config, lens=str(files[1])), lenses=tmp_path)
    assert named.lens.width == 1920


def test_a_real_camera_needs_a_name(opened):
    with pytest.raises(ConfigError, match=r"id is empty.*camera list"):
        opened(camera(kind="opencv"))


def test_a_surveyed_mat_is_read_and_a_bad_one_named(tmp_path, opened):
    bad = tmp_path / "mat.json"
    bad.write_text("{}")
    config = camera(kind="folder", folder=str(tmp_path), mat=str(bad))
    with pytest.raises(BadMat, match=r"mat\.json"):
        opened(config)


@pytest.mark.parametrize("folder", ["", "nowhere"])
def test_recorded_pictures_need_a_folder(folder, opened):
    with pytest.raises(ConfigError, match="expected a folder"):
        opened(camera(kind="folder", folder=folder))


def test_a_folder_without_pictures_is_named(tmp_path, opened):
    with pytest.raises(ConfigError, match="no picture in it"):
        opened(camera(kind="folder", folder=str(tmp_path), lens="x.json"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[camera]\nkind = 'webcam'\n", "expected one of virtual, opencv, folder, none"),
        ("[camera]\ndevice = '0'\n", r"\[camera\] device is no setting; \[camera\] has kind, id"),
        ("[camera]\npower_line_hz = 55.0\n", "expected one of 0.0, 50.0, 60.0"),
        ("[camera]\nwidth = 0\n", "expected 160 to 10000"),
        ("[pusher]\ntag_height_mm = -3\n", "expected 1.0 to 300.0"),
        ("[pusher]\nspeed_mm_s = -3\n", "expected a number from 0"),
    ],
)
def test_a_wrong_setting_is_named_with_what_was_expected(tmp_path, text, words):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=words):
        load_config(path)


def test_the_pushers_tag_is_where_the_settings_say(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("[pusher]\ntag_height_mm = 64.5\ntip_forward_mm = 38\ntip_left_mm = -1.5\n")
    tag = tag_of(load_config(path).pusher)
    assert (tag.height_mm, tag.tip_forward_mm, tag.tip_left_mm) == (64.5, 38, -1.5)


def test_calibrating_the_pusher_uses_the_tip_of_the_settings(tmp_path, capsys):
    pusher = Pose(200.0, 210.0, 0.0)
    scene = Scene((Solid(tile(3, 260.0)), Solid(tile(6, 290.0))), pusher=pusher)
    cv2.imwrite(str(tmp_path / "row.png"), render(scene, LENS, POSE))
    settings = tmp_path / "mine.toml"
    settings.write_text("[pusher]\ntip_forward_mm = 45.0\ntip_left_mm = -2.0\n")
    words = ["calibrate", "pusher", str(tmp_path / "row.png"), "--json"]
    words += ["--camera", str(camera_file(tmp_path / "lens.json"))]
    told = []
    for extra in ([], ["--config", str(settings)]):
        assert main([*words, *extra]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert told[1]["forward_mm"] == pytest.approx(told[0]["forward_mm"] - 5.0, abs=0.02)
    assert told[1]["left_mm"] == pytest.approx(told[0]["left_mm"] + 2.0, abs=0.02)


@pytest.fixture
def filmed(open_session, tmp_path, request):
    """A game of two whose table was filmed: bare, the 6, a hand, and the 3 beside it or nothing."""
    spec, marks, came = getattr(request, "param", (STANDARD, "", True))
    folder = tmp_path / "film"
    folder.mkdir()
    six, three = tile(6, 300.0, spec=spec), tile(3, 270.0, spec=spec)
    for n, tiles in enumerate([(), (six,), (six,), (six, three) if came else (six,)]):
        hand = (300.0, 120.0) if n == 2 else None
        picture(folder / f"{n}0.png", *tiles, hand=hand, marks=marks_on(spec, marks))
        for again in range(1, 3 if n < 3 else 7):
            (folder / f"{n}{again}.png").write_bytes((folder / f"{n}0.png").read_bytes())
    config = load_config(
        camera={
            "kind": "folder",
            "folder": str(folder),
            "lens": str(camera_file(tmp_path / "lens.json")),
            "marks": marks,
        },
        pusher={"kind": "hand"},
        tiles={"length_mm": spec.length_mm, "width_mm": spec.width_mm}
        | {"thickness_mm": spec.thickness_mm},
    )
    clock = ManualClock()
    seats = open_session(clock)
    seats.session.config = config
    seats.sit("ana", "bo")
    seats.do("ana", "start")
    machine = open_rig(seats.session, config, clock, np.random.SeedSequence(1))
    # Picture by picture.
    machine.rig.camera.camera.now_s = None
    yield seats, machine
    machine.close()


@pytest.mark.parametrize(
    "filmed",
    [(STANDARD, "", True), (OTHER, "", True), (OTHER, STANDARD_MARKS, True)],
    indirect=True,
    ids=["standard tiles", "other tiles", "other tiles with standard marks"],
)
def test_a_game_goes_on_over_recorded_pictures_of_a_real_table(filmed):
    seats, machine = filmed
    session = seats.session
    states = []
    for _ in range(13):
        machine._guarded_step()
        states.append(session.live.reading.state)
    assert session.live.fault == ""
    assert [tile.value for tile in session.table.row] == [6]
    assert "hand" in states
    assert states[-1] == "proposal"
    seats.do("ana", "confirm")
    assert session.game.row == (3, 6)
    assert not session.view("ana")["virtual"]


@pytest.mark.parametrize("filmed", [(STANDARD, "", False)], indirect=True, ids=["none came"])
def test_after_a_hand_that_left_no_tile_one_fresh_look_is_taken_and_that_is_told(
    filmed, monkeypatch
):
    seats, machine = filmed
    session, eye = seats.session, machine.observer.eye
    doubts, notices = [], []
    monkeypatch.setattr(eye, "doubt", lambda: doubts.append(session.live.reading.state))
    for _ in range(16):
        session.clock.advance(1.0)
        machine._guarded_step()
        notices.append([notice for notice, _ in session.live.reading.notices])
    assert doubts == ["waiting"]
    assert notices[-1] == ["nothing_new"]
    assert session.view("ana")["reading"]["notices"] == [{"kind": "nothing_new", "values": []}]


def test_the_mat_of_the_settings_is_the_one_that_is_used(tmp_path, opened):
    picture(tmp_path / "0.png")
    config = camera(
        kind="folder", folder=str(tmp_path), lens=str(camera_file(tmp_path / "lens.json"))
    )
    assert opened(config).mat.corners_mm.keys() == load_mat().corners_mm.keys()
