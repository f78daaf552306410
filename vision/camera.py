"""Frames and where they come from: the camera port, recorded files, the pretend table."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import CameraPose, Intrinsics
from vision.errors import VisionError
from vision.render import render
from vision.scene import Scene

Image = NDArray[np.uint8]


class NoFrame(VisionError):
    """The camera gave no picture."""


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
        """Return the newest frame; the very same object as before if nothing has changed.

        Raises:
            NoFrame: there is none.
        """

    def close(self) -> None:
        """Let go of the camera; reading again is not allowed."""


def load_frame(path: Path, time_s: float = 0.0) -> Frame:
    """Read one frame from an image file.

    Args:
        path: any image format that OpenCV reads.
        time_s: when it was taken.

    Raises:
        NoFrame: there is no such file, or it holds no image.
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise NoFrame(f"{path}: cannot be read ({error.strerror})") from error
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if image is None:
        raise NoFrame(f"{path}: is not an image that can be read; expected a JPEG or PNG frame")
    return Frame(np.asarray(image, np.uint8), time_s, path.name)


@dataclass
class FolderCamera:
    """Plays recorded frames, one each time it is read, and stays at the last.

    Attributes:
        paths: image files in time order.
        interval_s: time between two of them.
    """

    paths: Iterable[Path]
    interval_s: float = 0.1
    _left: Iterator[tuple[int, Path]] = field(init=False, repr=False)
    _last: Frame | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self._left = enumerate(self.paths)

    def read(self) -> Frame:
        found = next(self._left, None)
        if found is not None:
            number, path = found
            self._last = load_frame(path, number * self.interval_s)
        if self._last is None:
            raise NoFrame("no frame to show: the list of recorded frames is empty")
        return self._last

    def close(self) -> None:
        self._left = iter(())
        self._last = None


@dataclass
class VirtualCamera:
    """A camera over the pretend table.

    Attributes:
        scene: tells what stands there now.
        intrinsics: its lens.
        pose: where it hangs.
        now_s: the clock that stamps its frames.
    """

    scene: Callable[[], Scene]
    intrinsics: Intrinsics
    pose: CameraPose
    now_s: Callable[[], float]
    _seen: tuple[Scene, Frame] | None = field(default=None, init=False, repr=False)
    _count: int = field(default=0, init=False, repr=False)

    def read(self) -> Frame:
        scene = self.scene()
        if self._seen is None or self._seen[0] != scene:
            image = render(scene, self.intrinsics, self.pose)
            self._count += 1
            self._seen = (scene, Frame(image, self.now_s(), f"virtual {self._count}"))
        return self._seen[1]

    def close(self) -> None:
        self._seen = None
