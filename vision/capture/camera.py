"""Frames and where they come from: the camera port, and recorded files.

The camera that hangs over a real table is in `live_camera.py`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.arrays import Image
from vision.errors import VisionError


class NoFrame(VisionError):
    """The camera gave no picture."""

    kind = "silent"


class CameraGone(NoFrame):
    """The camera is not there: unplugged, not allowed, or held by another program."""

    kind = "gone"


class CameraHangs(NoFrame):
    """The camera is there, but its driver does not answer or sends no pictures."""

    kind = "hangs"


class RanDry(NoFrame):
    """The folder that is played instead of a camera has no picture to show."""


class CameraClosed(NoFrame):
    """The camera has been closed and is read nevertheless."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture.

    Attributes:
        image: BGR, shape (height, width, 3), uint8.
        time_s: when it was taken, on the clock of its camera.
        name: file name, or what the camera calls it.
    """

    image: Image
    time_s: float
    name: str = ""


class Camera(Protocol):
    """Looks at the table from above."""

    def read(self) -> Frame:
        """Return the newest frame; the very same object as before while there is no newer one.

        Raises:
            NoFrame: there is none; its kinds say why.
        """

    def is_opening(self) -> bool:
        """Whether it is still being opened, so that a reading waits for its first picture."""

    def close(self) -> None:
        """Let go of the camera; closing twice is allowed, reading again is not."""


def load_frame(path: Path, time_s: float = 0.0) -> Frame:
    """Read one frame from an image file.

    Args:
        path: any image format that OpenCV reads.
        time_s: when it was taken.

    Raises:
        NoFrame: there is no such file, or it holds no image.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NoFrame(
            f"{path}: cannot be read ({error.strerror}); name a JPEG or PNG file"
        ) from error
    image = decoded(data)
    if image is None:
        raise NoFrame(f"{path}: is not an image that can be read; expected a JPEG or PNG frame")
    return Frame(image, time_s, path.name)


def decoded(data: bytes) -> Image | None:
    """The picture in a file's bytes, in any format that OpenCV reads; None if it is not whole.

    Of 16 bits the upper 8 of those in use are taken: cameras that measure 10 or 12 bits often write
    them as the lower ones of 16, and the picture would be black.
    """
    if not data or is_torn_jpeg(data):
        return None
    how = cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    except cv2.error:  # its head says that it has more pixels than OpenCV reads
        image = None
    if image is None:
        return None
    if image.dtype == np.uint16:
        unused = max(int(image.max()).bit_length() - np.iinfo(np.uint8).bits, 0)
        image = np.right_shift(np.asarray(image, np.uint16), unused)
    return np.asarray(image, np.uint8)


def of_width(image: Image, width: int) -> Image:
    """The same picture, shrunk to so many px across."""
    rows, columns = image.shape[:2]
    size = (width, round(rows * width / columns))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def jpeg(image: Image, quality: int) -> bytes:
    """A picture as JPEG of this quality, percent; it says nothing of where or when."""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def is_torn_jpeg(data: bytes) -> bool:
    """Whether a JPEG ends before its picture does: OpenCV before 5 would fill it up with grey.

    Args:
        data: a picture's file; of any other format it is never torn.
    """
    start_of_scan, end_of_image = b"\xff\xda", b"\xff\xd9"
    is_jpeg = data.startswith(b"\xff\xd8")
    return is_jpeg and data.rfind(end_of_image) <= data.rfind(start_of_scan)


@dataclass
class FolderCamera:
    """Plays recorded frames and stays at the last.

    Without a clock every reading gives the next frame, as fast as it is asked. With one, a reading
    gives the frame whose time has come and leaves out those before it, as a camera would.

    Attributes:
        paths: image files in time order.
        interval_s: time between two of them.
        now_s: the clock to play by, which starts at the first reading; None = as fast as asked.
    """

    paths: Iterable[Path]
    interval_s: float = 0.1
    now_s: Callable[[], float] | None = None
    _files: tuple[Path, ...] = field(init=False, repr=False)
    _number: int = field(default=-1, init=False, repr=False)
    _start_s: float | None = field(default=None, init=False, repr=False)
    _last: Frame | None = field(default=None, init=False, repr=False)
    _closed: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        self._files = tuple(self.paths)

    def read(self) -> Frame:
        if self._closed:
            raise CameraClosed("the recorded frames have been closed; open them again to read on")
        if not self._files:
            raise RanDry("no frame to show: the list of recorded frames is empty")
        number = self._due()
        if self._last is None or number != self._number:
            self._number = number
            self._last = load_frame(self._files[number], number * self.interval_s)
        return self._last

    def is_opening(self) -> bool:
        return False

    def has_ended(self) -> bool:
        """Whether the last frame has had its time: whatever is read from now on is that one."""
        if self.now_s is None or self._start_s is None:
            return False
        return self.now_s() - self._start_s >= len(self._files) * self.interval_s

    def _due(self) -> int:
        """Which frame a reading gives now."""
        end = len(self._files) - 1
        if self.now_s is None:
            return min(self._number + 1, end)
        now_s = self.now_s()
        if self._start_s is None:
            self._start_s = now_s
        return min(max(self._number, int((now_s - self._start_s) / self.interval_s)), end)

    def close(self) -> None:
        self._closed = True
        self._last = None
