"""A webcam made of Python: has automatics, formats and a cable, and does what it is told."""

import threading

import cv2
import numpy as np

from vision.capture.camera import CameraGone
from vision.capture.settings import MJPG

AUTOMATIC = {cv2.CAP_PROP_EXPOSURE: (cv2.CAP_PROP_AUTO_EXPOSURE, 1.0)} | {
    value: (auto, 0.0)
    for value, auto in (
        (cv2.CAP_PROP_WB_TEMPERATURE, cv2.CAP_PROP_AUTO_WB),
        (cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS),
    )
}
"""Each value with the property, and its setting, that lets the value be written."""


class Webcam:
    """The thing on the cable; each time it is opened it has forgotten what it was told.

    Attributes:
        plugged: whether the cable is in.
        busy: whether another program has it.
        answers: cleared, every picture is waited for until it is set again.
        waiting: set while somebody waits for such a picture.
        deaf: properties that say yes and do nothing.
        missing: properties it does not have.
        sizes: of its pictures.
        left: properties as another program has left them.
        brightness: of its pictures, 0..255.
        opened: how many times it was opened.
        released: how many times it was let go.
        asked: every (property, value) it was told, in order.
    """

    def __init__(self, sizes=((1280, 720), (1920, 1080))):
        self.plugged = True
        self.busy = False
        self.answers = threading.Event()
        self.answers.set()
        self.waiting = threading.Event()
        self.deaf = set()
        self.missing = set()
        self.sizes = sizes
        self.left = {}
        self.brightness = 90
        self.stamp_s = 0.0
        self.spoiled = 0
        self.opened = self.released = self.pictures = 0
        self.asked = []
        self.last = None

    def open(self, source):
        if not self.plugged or self.busy:
            raise CameraGone(f"camera {source.name}: is not plugged in; check its cable")
        self.opened += 1
        self.last = Capture(self)
        return self.last


class Capture:
    """What OpenCV makes of it."""

    def __init__(self, webcam):
        self.webcam = webcam
        self.props = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_EXPOSURE: 156.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
            cv2.CAP_PROP_FOCUS: 30.0,
            cv2.CAP_PROP_GAIN: 20.0,
            cv2.CAP_PROP_FOURCC: float(cv2.VideoWriter.fourcc(*"YUYV")),
            cv2.CAP_PROP_FRAME_WIDTH: 640.0,
            cv2.CAP_PROP_FRAME_HEIGHT: 480.0,
            cv2.CAP_PROP_FPS: 15.0,
            cv2.CAP_PROP_BUFFERSIZE: 4.0,
        } | webcam.left
        self.width = 0

    def get(self, prop):
        if prop == cv2.CAP_PROP_POS_MSEC:
            return self.webcam.stamp_s * 1000
        return -1.0 if prop in self.webcam.missing else self.props.get(prop, -1.0)

    def set(self, prop, value):
        self.webcam.asked.append((prop, value))
        if prop in self.webcam.missing or prop not in self.props:
            return False
        if prop in self.webcam.deaf:
            return True
        if prop == cv2.CAP_PROP_FRAME_WIDTH:
            self.width = round(value)
        elif prop == cv2.CAP_PROP_FRAME_HEIGHT:
            self._resize((self.width, round(value)))
        elif prop in AUTOMATIC and self.props[AUTOMATIC[prop][0]] != AUTOMATIC[prop][1]:
            return False
        else:
            self.props[prop] = value
        return True

    def _resize(self, size):
        width, height = min(
            self.webcam.sizes, key=lambda have: abs(have[0] - size[0]) + abs(have[1] - size[1])
        )
        self.props[cv2.CAP_PROP_FRAME_WIDTH] = float(width)
        self.props[cv2.CAP_PROP_FRAME_HEIGHT] = float(height)
        if self.props[cv2.CAP_PROP_FOURCC] != MJPG and width > 640:
            self.props[cv2.CAP_PROP_FPS] = 5.0

    def isOpened(self):  # noqa: N802
        return True

    def grab(self):
        if not self.webcam.answers.is_set():  # `waiting` says that this call really blocks
            self.webcam.waiting.set()
            self.webcam.answers.wait()
            self.webcam.waiting.clear()
        return self.webcam.plugged

    def retrieve(self):
        if self.webcam.spoiled:
            self.webcam.spoiled -= 1
            return False, None
        self.webcam.pictures += 1
        # As small as it can be and still tell pictures apart: tests look at thousands.
        image = np.full((9, 16, 3), self.webcam.brightness, np.uint8)
        image[0, 0] = self.webcam.pictures % 256
        return True, image

    def release(self):
        self.webcam.released += 1


class Clock:
    """Time that only goes on when it is told to."""

    def __init__(self):
        self.s = 100.0

    def __call__(self):
        return self.s
