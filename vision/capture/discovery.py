"""The list of cameras for setting up: their names, the sizes they have, and what each one sees."""

import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from vision.arrays import Image
from vision.capture import v4l2
from vision.capture.camera import CameraGone, CameraHangs, NoFrame, jpeg, of_width
from vision.capture.settings import (
    CameraSettings,
    Source,
    VideoDevice,
    backends,
    open_device,
    open_first,
    quiet,
    set_format,
)
from vision.errors import VisionError
from vision.files import write_whole
from vision.tuning.capture import DISCOVERY

T = TypeVar("T")

SIZES = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
"""Sizes that are tried, in px."""


class UnwritablePicture(VisionError):
    """A picture of a camera could not be written to its file."""


@dataclass(frozen=True, slots=True)
class Found:
    """A camera that is attached.

    Attributes:
        id: by which settings and commands name it.
        name: what it calls itself.
        sizes: of its pictures, those of `SIZES` that it has, px.
        preview: a small JPEG of what it sees; empty if it gives none.
        trouble: why it gives none, in words.
        kind: the same as the `kind` of the error.
    """

    id: str
    name: str
    sizes: tuple[tuple[int, int], ...] = ()
    preview: bytes = field(default=b"", repr=False)
    trouble: str = ""
    kind: str = ""


def candidates(system: str = sys.platform) -> Sequence[tuple[Source, str]]:
    """Give what may be a camera, each with what it calls itself."""
    backend, *others = backends(system)
    if system.startswith("linux"):
        return [(Source(str(node.path), backend), node.card) for node in v4l2.find_nodes()]
    return [(Source(n, backend, tuple(others)), f"camera {n}") for n in range(DISCOVERY.most)]


def list_cameras(
    found: Sequence[tuple[Source, str]] | None = None,
    opener: Callable[[Source], VideoDevice] = open_device,
    patience_s: float = DISCOVERY.patience_s,
) -> tuple[Found, ...]:
    """List the cameras, each with a picture of what it sees.

    Args:
        found: what to try; None for everything that this system tells of.
        opener: opens a camera.
        patience_s: how long one camera may take; one that hangs is listed as such.
    """
    cameras = []
    with quiet():
        for source, name in candidates() if found is None else found:
            camera = _probe(source, name, opener, patience_s)
            if camera.trouble and isinstance(source.address, int) and not camera.sizes:
                # Numbers have no gaps: the first that is none is the end of them.
                break
            cameras.append(camera)
    return tuple(cameras)


def preview(
    source: Source,
    settings: CameraSettings | None = None,
    opener: Callable[[Source], VideoDevice] = open_device,
    patience_s: float = DISCOVERY.patience_s,
) -> Image:
    """Take one picture, full size, without holding any setting.

    Raises:
        NoFrame: the camera is not there, hangs, or gives no picture.
    """

    def take() -> Image:
        device, way = open_first(source, opener)
        try:
            set_format(device, way.backend, settings or CameraSettings())
            return _picture(device, way)
        finally:
            device.release()

    with quiet():
        return _patient(take, source, patience_s)


def write_picture(path: Path, picture: Image | bytes) -> None:
    """Write a picture to a file.

    Args:
        path: its ending chooses the format, .jpg or .png.
        picture: an image, or the bytes of a JPEG as they are.

    Raises:
        UnwritablePicture: the ending is unknown or the file cannot be written.
    """
    if isinstance(picture, bytes):
        write_whole(path, picture, UnwritablePicture)
        return
    if path.suffix.lower() not in (".jpg", ".jpeg", ".png"):
        raise UnwritablePicture(f"{path}: name a file that ends in .jpg or .png")
    write_whole(path, cv2.imencode(path.suffix, picture)[1].tobytes(), UnwritablePicture)


def _probe(
    source: Source, name: str, opener: Callable[[Source], VideoDevice], patience_s: float
) -> Found:
    def look() -> Found:
        device, way = open_first(source, opener)
        try:
            sizes = tuple(size for size in SIZES if _has(device, way, size))
            image = _picture(device, way)
        finally:
            device.release()
        small = of_width(image, DISCOVERY.preview_width_px)
        seen = jpeg(small, DISCOVERY.preview_jpeg_quality)
        return Found(source.name, name, sizes or (image.shape[1::-1],), seen)

    try:
        return _patient(look, source, patience_s)
    except NoFrame as error:
        return Found(source.name, name, trouble=str(error), kind=error.kind)


def _has(device: VideoDevice, source: Source, size: tuple[int, int]) -> bool:
    width, height = size
    return set_format(device, source.backend, CameraSettings(width, height))[0].took


def _picture(device: VideoDevice, source: Source) -> Image:
    image = None
    for _ in range(DISCOVERY.preview_frames):
        if device.grab():
            taken, seen = device.retrieve()
            image = seen if taken and seen is not None and seen.size else image
    if image is None:
        raise NoFrame(
            f"camera {source.name}: opens but sends no picture; close other programs that show it, "
            "or try another USB socket, without a hub",
            "mute",
        )
    return np.asarray(image, np.uint8)


def _patient(work: Callable[[], T], source: Source, patience_s: float) -> T:
    """Do it on a thread of its own, so that a driver that hangs holds up nobody else."""
    done: list[T] = []
    failed: list[NoFrame] = []

    def run() -> None:
        try:
            done.append(work())
        except NoFrame as error:
            failed.append(error)
        except cv2.error as error:
            failed.append(CameraGone(f"camera {source.name}: its driver failed ({error.err})"))

    thread = threading.Thread(target=run, name="camera probe", daemon=True)
    thread.start()
    thread.join(patience_s)
    if failed:
        raise failed[0]
    if not done:
        raise CameraHangs(
            f"camera {source.name}: has not answered for {patience_s:g} s; unplug it and plug it "
            "in again"
        )
    return done[0]
