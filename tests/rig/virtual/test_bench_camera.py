"""A camera whose cable and folder are at hand."""

import os

import cv2
import numpy as np
import pytest

from rig.machine.build import FOLDER_S, folder_bench
from rig.machine.camera_health import trouble_of
from rig.virtual.bench_camera import BenchCamera
from vision.capture.camera import CameraGone, FolderCamera, RanDry


@pytest.fixture
def time_s():
    return [10.0]


@pytest.fixture
def camera(tmp_path, time_s):

    paths = [tmp_path / f"{n}.png" for n in range(3)]
    for path in paths:
        cv2.imwrite(str(path), np.zeros((4, 4, 3), np.uint8))
    folder = FolderCamera(paths, 0.5, now_s=lambda: time_s[0])
    return BenchCamera(folder, folder.has_ended)


def test_a_folder_runs_dry_once_its_last_picture_has_had_its_time(camera, time_s):
    assert not camera.dry
    camera.read()
    time_s[0] += 1.4
    assert not camera.dry
    time_s[0] += 0.2
    assert camera.dry
    assert camera.read().name == "2.png"


def test_pulled_or_emptied_it_shows_nothing_until_it_is_put_back(camera):
    camera.plugged = False
    with pytest.raises(CameraGone) as gone:
        camera.read()
    assert trouble_of(gone.value).kind == "gone"
    camera.plugged, camera.filled = True, False
    with pytest.raises(RanDry) as dry:
        camera.read()
    assert (trouble_of(dry.value).kind, trouble_of(dry.value).blind) == ("dry", True)
    camera.filled = True
    assert camera.read().name == "0.png"


def test_a_folder_that_is_filled_again_plays_on(tmp_path, time_s):
    def fill(*names, grey):
        for name in names:
            cv2.imwrite(str(tmp_path / name), np.full((4, 4, 3), grey, np.uint8))

    def shown(seconds):
        time_s[0] += seconds
        frame = camera.read()
        return frame.name, int(frame.image.max())

    fill("a.png", "b.png", grey=10)
    paths = sorted(tmp_path.iterdir())
    camera = folder_bench(
        FolderCamera(paths, FOLDER_S, now_s=lambda: time_s[0]), tmp_path, lambda: time_s[0]
    )
    assert shown(0.0) == ("a.png", 10)
    assert shown(5.0) == ("b.png", 10)
    assert camera.dry
    fill("c.png", "d.png", grey=20)
    assert shown(5.0) == ("c.png", 20)
    assert not camera.dry
    assert shown(5.0) == ("d.png", 20)
    fill("a.png", grey=30)
    os.utime(tmp_path / "a.png", ns=(1, 1))
    assert shown(5.0) == ("a.png", 30)
