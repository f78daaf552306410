"""Every camera is the same camera to whoever reads it."""

import threading
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.fake_device import Clock, Webcam
from vision.capture.camera import CameraClosed, FolderCamera
from vision.capture.live_camera import Feed, OpenCVCamera
from vision.capture.settings import Setting, Source
from vision.render.render import default_view
from vision.render.scene import Scene
from vision.render.virtual_camera import VirtualCamera


class Folder:
    """Recorded frames; `go_on` lets the next one come."""

    def __init__(self, tmp_path):
        self.clock = Clock()
        for n in range(9):
            cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((9, 16, 3), 20 * n, np.uint8))
        paths = sorted(tmp_path.glob("*.png"))
        self.camera = FolderCamera(paths, interval_s=0.1, now_s=self.clock)

    def go_on(self):
        self.clock.s += 0.1001


class Virtual:
    """The pretend table; `go_on` moves a hand over it."""

    def __init__(self, tmp_path):
        self.clock = Clock()
        self.scene = Scene(table="grey")
        intrinsics, pose = default_view()
        self.camera = VirtualCamera(lambda: self.scene, intrinsics, pose, self.clock)

    def go_on(self):
        self.clock.s += 0.1
        self.scene = replace(self.scene, hand=(100.0 + self.clock.s, 200.0))


class Real:
    """A webcam that sends one picture each time it is asked to."""

    def __init__(self, tmp_path):
        self.clock = Clock()
        self.webcam = Webcam()
        self.webcam.answers = Turnstile()
        self.webcam.answers.let_in()
        self.camera = OpenCVCamera(
            Feed(
                Source("/dev/fake", cv2.CAP_V4L2),
                opener=self.webcam.open,
                power_line=lambda source, hz: Setting("power line", hz, True, "power_line"),
                now_s=self.clock,
                settle_frames=0,
            )
        )

    def go_on(self):
        before = self.camera.read()
        self.clock.s += 0.1
        self.webcam.answers.let_in()
        with self.camera.feed.changed:
            assert self.camera.feed.changed.wait_for(
                lambda: self.camera.feed.newest() is not before, 30
            )


class Turnstile:
    """Lets one picture through each time."""

    def __init__(self):
        self.gate = threading.Semaphore(0)

    def let_in(self):
        self.gate.release()

    def is_set(self):
        """Every picture waits to be let in."""
        return False

    def wait(self):
        self.gate.acquire()


@pytest.fixture(params=[Folder, Virtual, Real])
def table(request, tmp_path):
    made = request.param(tmp_path)
    yield made
    if isinstance(made, Real):
        made.webcam.answers.let_in()
    made.camera.close()


def test_a_frame_is_a_colour_picture_with_its_time(table):
    frame = table.camera.read()
    assert frame.image.dtype == np.uint8
    assert frame.image.ndim == 3
    assert frame.image.shape[2] == 3
    assert isinstance(frame.time_s, float)
    assert frame.name


def test_while_nothing_is_newer_the_very_same_frame_comes(table):
    assert table.camera.read() is table.camera.read()


def test_a_camera_that_gives_pictures_is_not_being_opened(table):
    table.camera.read()
    assert not table.camera.is_opening()


def test_a_webcam_is_being_opened_until_its_first_picture(tmp_path):
    webcam = Webcam()
    webcam.answers = Turnstile()
    camera = OpenCVCamera(Feed(Source("/dev/fake", cv2.CAP_V4L2), opener=webcam.open))
    assert camera.is_opening()
    webcam.answers.let_in()
    camera.close()
    assert not camera.is_opening()


def test_a_newer_frame_replaces_the_one_before_and_is_later(table):
    first = table.camera.read()
    table.go_on()
    second = table.camera.read()
    assert second is not first
    assert second.time_s > first.time_s
    assert (second.image != first.image).any()
    assert table.camera.read() is second


def test_a_frame_that_was_given_never_changes(table):
    first = table.camera.read()
    before = first.image.copy()
    for _ in range(3):
        table.go_on()
        table.camera.read()
    assert (first.image == before).all()


def test_only_the_newest_is_given_however_many_came(table):
    first = table.camera.read()
    for _ in range(3):
        table.go_on()
    assert table.camera.read().time_s > first.time_s + 0.25


def test_a_closed_camera_says_so_and_may_be_closed_again(table):
    table.camera.read()
    if isinstance(table, Real):
        table.webcam.answers.let_in()
    table.camera.close()
    table.camera.close()
    with pytest.raises(CameraClosed, match="closed"):
        table.camera.read()
