"""A camera whose cable and folder are at hand."""

import cv2
import numpy as np
import pytest

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
