from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.capture.camera import FolderCamera, NoFrame, load_frame
from vision.render.render import default_view
from vision.render.scene import Scene
from vision.render.virtual_camera import VirtualCamera


@pytest.fixture
def pictures(tmp_path):
    paths = []
    for n in range(3):
        path = tmp_path / f"table_{n}.png"
        cv2.imwrite(str(path), np.full((9, 16, 3), 40 * n, np.uint8))
        paths.append(path)
    return paths


def test_recorded_frames_come_in_order_and_the_last_one_stays(pictures):
    camera = FolderCamera(pictures, interval_s=0.5)
    frames = [camera.read() for _ in range(4)]
    assert [f.name for f in frames] == ["table_0.png", "table_1.png", "table_2.png", "table_2.png"]
    assert [f.time_s for f in frames] == [0.0, 0.5, 1.0, 1.0]
    assert [int(f.image[0, 0, 0]) for f in frames] == [0, 40, 80, 80]
    assert frames[2] is frames[3]


def test_a_closed_camera_gives_no_frame(pictures):
    camera = FolderCamera(pictures)
    camera.read()
    camera.close()
    with pytest.raises(NoFrame):
        camera.read()


def test_no_frames_at_all_is_said_in_words():
    with pytest.raises(NoFrame, match="empty"):
        FolderCamera([]).read()


def test_recorded_frames_play_by_the_clock_and_leave_out_what_is_past(pictures):
    time_s = [7.0]
    camera = FolderCamera(pictures, interval_s=0.5, now_s=lambda: time_s[0])
    names = []
    for time_s[0] in (7.0, 7.4, 7.5, 7.9, 9.0):
        names.append(camera.read().name)
    assert names == ["table_0.png", "table_0.png", "table_1.png", "table_1.png", "table_2.png"]


def test_a_broken_frame_among_recorded_ones_is_named_and_passed(pictures):
    pictures[1].write_bytes(b"")
    camera = FolderCamera(pictures)
    camera.read()
    with pytest.raises(NoFrame, match="table_1"):
        camera.read()
    assert camera.read().name == "table_2.png"


@pytest.mark.parametrize("content", [b"", b"this is no picture"])
def test_a_file_that_is_no_image_is_named(tmp_path, content):
    path = tmp_path / "broken.jpg"
    path.write_bytes(content)
    with pytest.raises(NoFrame, match=r"broken\.jpg"):
        load_frame(path)


def test_a_picture_of_more_pixels_than_opencv_reads_is_named(tmp_path):
    small = cv2.imencode(".jpg", np.zeros((8, 8), np.uint8))[1].tobytes()
    head = small.index(b"\xff\xc0") + len(b"\xff\xc0\0\x0b\x08")
    path = tmp_path / "huge.jpg"
    path.write_bytes(small[:head] + (60_000).to_bytes(2, "big") * 2 + small[head + 4 :])
    with pytest.raises(NoFrame, match=r"huge\.jpg"):
        load_frame(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(NoFrame, match=r"gone\.jpg"):
        load_frame(tmp_path / "gone.jpg")


def test_a_frame_that_is_given_is_read_unchanged(pictures):
    frame = load_frame(pictures[1], time_s=3.0)
    assert (frame.image.shape, frame.time_s) == ((9, 16, 3), 3.0)
    assert (frame.image == 40).all()


class Pretend:
    def __init__(self):
        self.scene = Scene(table="grey")
        self.time_s = 10.0
        intrinsics, pose = default_view()
        self.camera = VirtualCamera(lambda: self.scene, intrinsics, pose, lambda: self.time_s)


def test_an_idle_table_gives_the_very_same_frame():
    pretend = Pretend()
    first = pretend.camera.read()
    pretend.time_s += 1.0
    assert pretend.camera.read() is first
    pretend.scene = Scene(table="grey")
    assert pretend.camera.read() is first


def test_a_changed_table_gives_a_new_frame_with_its_time():
    pretend = Pretend()
    first = pretend.camera.read()
    pretend.time_s = 11.5
    pretend.scene = replace(pretend.scene, hand=(300.0, 200.0))
    second = pretend.camera.read()
    assert second is not first
    assert (second.time_s, second.name != first.name) == (11.5, True)
    assert (second.image != first.image).any()
