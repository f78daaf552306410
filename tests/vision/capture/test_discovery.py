"""The list of cameras, their pictures, and the commands that show them."""

import base64
import json
import threading

import cv2
import numpy as np
import pytest

from rig.cli.camera import in_words
from rig.cli.main import main
from rig.cli.speech import speech
from tests.support.fake_device import Webcam
from vision.capture import discovery
from vision.capture.camera import CameraGone, CameraHangs, NoFrame
from vision.capture.discovery import list_cameras, preview
from vision.capture.settings import (
    CONTROLS,
    CameraSettings,
    Source,
    backends,
    camera_source,
    hold,
    open_first,
    set_format,
    set_power_line,
)

ENGLISH = speech("en")
NAMED = Source("/dev/v4l/by-id/usb-Cam-index0", cv2.CAP_V4L2)


def test_a_camera_is_listed_with_its_name_sizes_and_picture():
    webcam = Webcam(sizes=((1280, 720), (1920, 1080)))
    (found,) = list_cameras([(NAMED, "HD Webcam")], webcam.open)
    assert (found.id, found.name) == ("usb-Cam-index0", "HD Webcam")
    assert found.sizes == ((1280, 720), (1920, 1080))
    picture = cv2.imdecode(np.frombuffer(found.preview, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (270, 480, 3)
    assert webcam.opened == webcam.released == 1


def test_a_camera_that_cannot_be_opened_is_listed_with_the_reason():
    webcam = Webcam()
    webcam.busy = True
    (found,) = list_cameras([(NAMED, "HD Webcam")], webcam.open)
    assert found.preview == b""
    assert "usb-Cam-index0" in found.trouble


def test_a_camera_without_a_picture_is_listed_with_the_reason_and_let_go():
    webcam = Webcam()
    webcam.spoiled = 10**9
    (found,) = list_cameras([(NAMED, "HD Webcam")], webcam.open)
    assert "sends no picture" in found.trouble
    assert webcam.released == 1


def test_a_camera_that_hangs_does_not_keep_the_others_from_the_list():
    gate = threading.Event()
    good = Webcam()

    def opener(source):
        if source.name == "hangs":
            gate.wait()
        return good.open(source)

    hanging = Source("hangs", cv2.CAP_V4L2)
    first, second = list_cameras([(hanging, "One"), (NAMED, "Two")], opener, patience_s=2.0)
    gate.set()
    assert "has not answered" in first.trouble
    assert second.preview


def test_numbers_are_tried_until_one_is_no_camera():
    webcam = Webcam()
    tried = []

    def opener(source):
        tried.append(source.address)
        if source.address >= 2:
            raise CameraGone("none")
        return webcam.open(source)

    numbers = [(Source(n, cv2.CAP_DSHOW), f"camera {n}") for n in range(8)]
    assert [found.id for found in list_cameras(numbers, opener)] == ["0", "1"]
    assert tried == [0, 1, 2]


def test_one_picture_comes_in_full_and_nothing_is_held():
    webcam = Webcam()
    assert preview(NAMED, CameraSettings(1280, 720), webcam.open).shape == (9, 16, 3)
    assert webcam.last.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 3.0
    assert webcam.released == 1


def test_a_picture_of_a_camera_that_hangs_is_not_waited_for():
    gate = threading.Event()

    def opener(source):
        gate.wait()
        raise CameraGone("too late")

    with pytest.raises(CameraHangs, match="index0: has not answered"):
        preview(NAMED, opener=opener, patience_s=0.0)
    gate.set()


@pytest.mark.parametrize(
    ("name", "system", "address", "backend"),
    [
        ("0", "linux", "/dev/video0", cv2.CAP_V4L2),
        ("video2", "linux", "/dev/video2", cv2.CAP_V4L2),
        ("/dev/video4", "linux", "/dev/video4", cv2.CAP_V4L2),
        ("usb-A-index0", "linux", "/dev/v4l/by-id/usb-A-index0", cv2.CAP_V4L2),
        ("pci-0-index0", "linux", "/dev/v4l/by-path/pci-0-index0", cv2.CAP_V4L2),
        ("0", "darwin", 0, cv2.CAP_AVFOUNDATION),
    ],
)
def test_every_system_has_its_backend_and_its_names(name, system, address, backend):
    assert camera_source(name, system) == Source(address, backend)


def test_windows_has_a_second_backend_and_an_unknown_system_any():
    assert camera_source("1", "win32") == Source(1, cv2.CAP_DSHOW, (cv2.CAP_MSMF,))
    assert backends("plan9") == (cv2.CAP_ANY,)


@pytest.mark.parametrize("works", [cv2.CAP_DSHOW, cv2.CAP_MSMF])
def test_the_second_backend_is_tried_when_the_first_cannot_open_the_camera(works):
    webcam, tried = Webcam(), []

    def opener(source):
        tried.append(source.backend)
        if source.backend != works:
            raise CameraGone(f"not through {source.backend}")
        return webcam.open(source)

    device, way = open_first(camera_source("0", "win32"), opener)
    assert (device, way.backend, tried[-1]) == (webcam.last, works, works)
    webcam.plugged = False
    with pytest.raises(CameraGone, match="is not plugged in" if works == 700 else "through 700"):
        open_first(camera_source("0", "win32"), opener)


def test_a_value_without_an_automatic_is_held_and_one_that_is_missing_is_told():
    webcam = Webcam()
    webcam.missing = {cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_GAIN}
    capture = webcam.open(NAMED)
    capture.props[cv2.CAP_PROP_AUTOFOCUS] = 0.0
    held = {s.name: s for s in hold(capture, cv2.CAP_V4L2, {"gain": 9.0})}
    assert in_words(held["focus"], ENGLISH) == "focus held at 30"
    assert in_words(held["gain"], ENGLISH) == "gain: this camera has none"
    assert (held["focus"].took, held["gain"].took) == (True, False)


def test_media_foundation_is_not_told_a_coding():
    webcam = Webcam()
    set_format(webcam.open(NAMED), cv2.CAP_MSMF, CameraSettings())
    assert cv2.CAP_PROP_FOURCC not in dict(webcam.asked)


def test_a_backend_that_can_hold_nothing_says_so():
    webcam = Webcam()
    held = hold(webcam.open(NAMED), cv2.CAP_AVFOUNDATION, {})
    assert {in_words(s, ENGLISH) for s in held} == {
        f"{name}: not settable here" for name in ("exposure", "white balance", "focus", "gain")
    }
    assert not any(s.took for s in held)
    assert webcam.asked == []


def test_every_backend_that_holds_can_hold_the_same():
    names = {"exposure", "white balance", "focus", "gain"}
    assert all(set(controls) == names for controls in CONTROLS.values())


@pytest.mark.parametrize(
    ("backend", "got", "took", "words"),
    [
        (cv2.CAP_V4L2, 50.0, True, "power line frequency 50 Hz"),
        (cv2.CAP_V4L2, 60.0, False, "power line frequency stays at 60 Hz instead of 50 Hz"),
        (cv2.CAP_V4L2, None, False, "power line frequency: this camera has none"),
        (cv2.CAP_DSHOW, 50.0, False, "not settable here"),
    ],
)
def test_the_mains_frequency_is_told_in_words(backend, got, took, words):
    setting = set_power_line(Source("/dev/video0", backend), 50.0, lambda path, hz: got)
    assert setting.took is took
    assert words in in_words(setting, ENGLISH)


@pytest.fixture
def attached(monkeypatch, tmp_path):
    """A webcam that the commands find, behind a node that is a plain file."""
    webcam = Webcam()
    node = tmp_path / "dev" / "usb-Cam-index0"
    node.parent.mkdir()
    node.write_bytes(b"")
    source = Source(str(node), cv2.CAP_V4L2)
    monkeypatch.setattr(discovery, "candidates", lambda: [(source, "HD Webcam")])
    monkeypatch.setattr(cv2, "VideoCapture", lambda address, backend: webcam.open(source))
    webcam.node = str(node)
    return webcam


def test_the_list_is_one_line_a_camera(attached, capsys):
    assert main(["camera", "list"]) == 0
    assert capsys.readouterr().out == "usb-Cam-index0 (HD Webcam): 1280 x 720, 1920 x 1080\n"


def test_the_list_for_programs_has_the_picture(attached, capsys):
    assert main(["camera", "list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["id"], told["trouble"]) == ("usb-Cam-index0", "")
    assert told["sizes"] == [[1280, 720], [1920, 1080]]
    assert base64.b64decode(told["preview"])[:2] == b"\xff\xd8"


def test_the_list_writes_pictures_into_a_folder(attached, tmp_path, capsys):
    assert main(["camera", "list", "--previews", str(tmp_path)]) == 0
    assert cv2.imread(str(tmp_path / "usb-Cam-index0.jpg")).shape == (270, 480, 3)


def test_no_camera_at_all_is_said_with_what_to_try(monkeypatch, capsys):
    monkeypatch.setattr(discovery, "candidates", tuple)
    assert main(["camera", "list"]) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert all(word in told for word in ("no camera found", "cable", "other programs", "video"))
    assert main(["camera", "list", "--json"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_one_picture_is_written(attached, tmp_path, capsys, ending):
    path = tmp_path / f"table{ending}"
    assert main(["camera", "preview", attached.node, str(path)]) == 0
    assert cv2.imread(str(path)).shape == (9, 16, 3)
    assert "16 x 9 px" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "about"),
    [("table.gif", ".jpg or .png"), ("none/table.jpg", "cannot be written"), ("", "name a file")],
)
def test_a_picture_that_cannot_be_written_is_named(attached, tmp_path, capsys, name, about):
    assert main(["camera", "preview", attached.node, str(tmp_path / name)]) == 2
    told = capsys.readouterr().err
    assert about in told
    assert len(told.splitlines()) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["dev"]


@pytest.mark.parametrize("command", [["preview", "nothing", "x.jpg"], ["check", "nothing"]])
def test_a_camera_that_is_not_there_is_named(capsys, command):
    assert main(["camera", *command]) == 2
    told = capsys.readouterr().err
    assert "camera nothing: is not plugged in" in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize("name", ["notes.txt", ""])
def test_what_is_no_camera_is_not_said_to_be_busy(tmp_path, capsys, name):
    (tmp_path / "notes.txt").write_text("none")
    assert main(["camera", "check", str(tmp_path / name)]) == 2
    told = capsys.readouterr().err
    assert (
        "cannot be opened, it is a file or a folder; choose one of `domino-rig camera list`" in told
    )
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize("deaf", [False, True])
def test_the_check_says_which_settings_took(attached, capsys, deaf):
    attached.deaf = {cv2.CAP_PROP_AUTOFOCUS} if deaf else set()
    assert main(["camera", "check", attached.node]) == 1
    told = capsys.readouterr().out
    assert "ok  exposure held at 156" in told
    assert ("NO  focus: stays automatic" in told) is deaf
    assert "NO  power line frequency: this camera has none" in told
    assert attached.released == attached.opened


def test_pictures_are_taken_with_settings_held_and_none_is_overwritten(attached, tmp_path, capsys):
    folder = tmp_path / "new" / "pictures"
    words = ["camera", "shoot", attached.node, str(folder), "--every", "0", "--count", "2"]
    assert main(words) == 0
    assert attached.last.get(cv2.CAP_PROP_AUTOFOCUS) == 0.0
    told = capsys.readouterr().out
    assert "Note: power line frequency: this camera has none" in told
    assert f"Next: domino-rig calibrate lens --device {attached.node} --focus 30 {folder}" in told
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert sorted(first) == ["001.png", "002.png"]
    assert main(words) == 0
    assert sorted(path.name for path in folder.iterdir()) == [f"00{n}.png" for n in (1, 2, 3, 4)]
    assert all((folder / name).read_bytes() == data for name, data in first.items())
    assert attached.released == attached.opened


def test_a_folder_that_cannot_be_made_is_named(attached, tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    words = ["camera", "shoot", attached.node, str(tmp_path / "file"), "--every", "0"]
    assert main(words) == 2
    assert f"{tmp_path / 'file'}: cannot be made" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["shoot", "0", "here", "--count", "0"],
        ["shoot", "0", "here", "--every", "-1"],
        ["check", "0", "--width", "0"],
        ["check", "0", "--power-line", "55"],
        ["fly"],
        [],
    ],
)
def test_wrong_words_are_said_in_one_line(capsys, words):
    with pytest.raises(SystemExit) as stop:
        main(["camera", *words])
    told = capsys.readouterr().err
    assert (stop.value.code, len(told.splitlines())) == (2, 1)


def test_nothing_is_left_of_a_camera_that_gave_nothing():
    webcam = Webcam()
    webcam.spoiled = 10**9
    with pytest.raises(NoFrame, match="sends no picture"):
        preview(NAMED, opener=webcam.open)
    assert webcam.released == webcam.opened
