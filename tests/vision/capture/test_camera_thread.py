"""The camera with its thread: nobody who reads ever waits for the driver."""

import threading
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.fake_device import Clock, Webcam
from vision.capture.camera import CameraGone, CameraHangs, NoFrame
from vision.capture.live_camera import CameraState, Feed, OpenCVCamera
from vision.capture.settings import CameraSettings, Setting, Source, open_device
from vision.tuning.capture import LIVE_CAMERA

HERE = Source("/dev/fake", cv2.CAP_V4L2)


def no_power_line(source, hz):
    return Setting("power line", hz, True, "power_line")


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def webcam():
    made = Webcam()
    yield made
    made.answers.set()


def start(webcam, clock, patience_s=30.0, close_s=30.0):
    feed = Feed(HERE, opener=webcam.open, power_line=no_power_line, now_s=clock, settle_frames=3)
    return OpenCVCamera(feed, patience_s=patience_s, close_s=close_s)


def wait_for(camera, state):
    feed = camera.feed
    with feed.changed:
        assert feed.changed.wait_for(lambda: feed.state is state, 30)


def test_the_first_reading_waits_for_the_first_picture(webcam, clock):
    camera = start(webcam, clock)
    assert camera.read().image.size
    camera.close()
    assert camera.state is CameraState.CLOSED


def test_pictures_that_nobody_reads_are_dropped(webcam, clock):
    camera = start(webcam, clock)
    first = camera.read()
    feed = camera.feed
    with feed.changed:
        assert feed.changed.wait_for(
            lambda: int(feed.newest().name.split()[-1]) > int(first.name.split()[-1]) + 50, 30
        )
    assert int(camera.read().name.split()[-1]) > 50
    camera.close()


def test_a_driver_that_hangs_does_not_hang_the_reader(webcam, clock):
    camera = start(webcam, clock)
    camera.read()
    webcam.answers.clear()
    assert webcam.waiting.wait(120)
    frame = camera.read()
    clock.s += 2.5
    with pytest.raises(CameraHangs, match="has not answered"):
        camera.read()
    webcam.answers.set()
    with camera.feed.changed:
        assert camera.feed.changed.wait_for(lambda: camera.state is CameraState.LIVE, 30)
    assert camera.read() is not frame
    camera.close()


def test_a_driver_that_hangs_while_it_opens_does_not_hang_the_reader(clock):
    gate, entered = threading.Event(), threading.Event()

    def opener(source):
        entered.set()
        gate.wait()
        raise CameraGone("too late")

    feed = Feed(HERE, opener=opener, power_line=no_power_line, now_s=clock)
    camera = OpenCVCamera(feed, patience_s=0.0)
    assert entered.wait(120)
    with pytest.raises(NoFrame, match="getting ready"):
        camera.read()
    clock.s += 21
    with pytest.raises(CameraHangs):
        camera.read()
    gate.set()
    wait_for(camera, CameraState.GONE)
    with pytest.raises(CameraGone, match="too late"):
        camera.read()
    camera.close()


def test_unplugged_and_plugged_in_again_it_goes_on(webcam, clock):
    camera = start(webcam, clock)
    before = camera.read()
    webcam.plugged = False
    wait_for(camera, CameraState.GONE)
    with pytest.raises(CameraGone):
        camera.read()
    webcam.plugged = True
    wait_for(camera, CameraState.LIVE)
    assert camera.read() is not before
    camera.close()


def test_closing_ends_the_thread_and_lets_the_device_go(webcam, clock):
    camera = start(webcam, clock)
    camera.read()
    camera.close()
    assert "camera" not in {thread.name for thread in threading.enumerate()}
    assert webcam.released == webcam.opened == 1


def test_closing_while_it_waits_for_a_lost_camera_ends_at_once(webcam, clock):
    webcam.plugged = False
    camera = start(webcam, clock)
    wait_for(camera, CameraState.GONE)
    camera.close()
    assert not camera._thread.is_alive()


def test_closing_does_not_wait_for_ever_for_a_driver_that_hangs(webcam, clock):
    camera = start(webcam, clock, close_s=0.0)
    camera.read()
    webcam.answers.clear()
    assert webcam.waiting.wait(120)
    camera.close()
    assert camera._thread.is_alive()
    assert camera._thread.daemon
    webcam.answers.set()
    camera._thread.join(30)
    assert webcam.released == 1


def test_an_unknown_fault_does_not_end_the_thread(webcam, clock, caplog):
    at_once = replace(LIVE_CAMERA, back_off_s=(0.0, 0.0))
    faults = [ZeroDivisionError("who would have thought")]

    def opener(source):
        if faults:
            raise faults.pop()
        return webcam.open(source)

    feed = Feed(
        HERE,
        opener=opener,
        power_line=no_power_line,
        now_s=clock,
        settle_frames=0,
        tuning=at_once,
    )
    camera = OpenCVCamera(feed, patience_s=30)
    assert camera.read()
    camera.close()
    assert "does not know" in caplog.text


def test_real_opencv_plays_a_film_and_says_when_it_is_over(tmp_path, clock):
    film = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 30, (320, 180))
    assert writer.isOpened()
    for n in range(4):
        writer.write(np.full((180, 320, 3), 50 * n, np.uint8))
    writer.release()
    feed = Feed(
        Source(str(film), cv2.CAP_OPENCV_MJPEG),
        CameraSettings(320, 180),
        opener=open_device,
        now_s=clock,
        settle_frames=0,
    )
    seen = []
    for _ in range(1 + 4):
        feed.step()
        if feed.state is CameraState.LIVE:
            seen.append(feed.newest())
    assert [round(float(frame.image.mean()) / 50) for frame in seen] == [0, 1, 2, 3]
    assert all(frame.image.shape == (180, 320, 3) for frame in seen)
    assert {s.name: s.took for s in feed.report}["size"]
    for _ in range(LIVE_CAMERA.failures):
        feed.step()
    assert feed.state is CameraState.GONE
    film.unlink()
    feed.step()
    with pytest.raises(CameraGone, match=r"film\.avi: is not plugged in"):
        feed.newest()


@pytest.mark.parametrize("backend", [cv2.CAP_OPENCV_MJPEG, cv2.CAP_V4L2])
def test_opencv_that_cannot_open_what_is_there_is_said_in_words_and_only_once(
    tmp_path, capfd, backend
):
    path = tmp_path / "video7"
    path.write_bytes(b"no camera")
    with pytest.raises(CameraGone, match="video7: cannot be opened"):
        open_device(Source(str(path), backend))
    assert capfd.readouterr().err == ""
