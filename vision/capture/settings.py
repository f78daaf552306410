"""What of OpenCV's capture is used: which backend, the picture's format, and settings held still.

A camera that corrects itself makes the empty table look full, so exposure, white balance, focus
and gain are found by the camera once and then held. Backends differ in what they can hold and some
say yes and do nothing; every value is therefore read back and the report tells which took.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

import cv2

from vision.capture import v4l2
from vision.capture.camera import CameraGone

NONE = -1.0
"""What backends answer when a camera does not have a property."""
SILENT = 0
"""OpenCV's level at which it writes nothing."""

MJPG = cv2.VideoWriter.fourcc(*"MJPG")


class VideoDevice(Protocol):
    """The part of `cv2.VideoCapture` that is used, so that tests can put another in its place."""

    def grab(self) -> bool:
        """Wait for the next picture; False when none comes."""

    def retrieve(self) -> tuple[bool, Any]:
        """Decode the picture that was grabbed."""

    def get(self, prop: int, /) -> float:
        """Read a property."""

    def set(self, prop: int, value: float, /) -> bool:
        """Set a property; True does not mean that it took."""

    def release(self) -> None:
        """Let go of the camera."""


@dataclass(frozen=True, slots=True)
class Source:
    """Which camera, through which of OpenCV's backends.

    Attributes:
        address: a path under Linux, elsewhere the camera's number.
        backend: one of OpenCV's CAP_ constants.
        others: backends to try when that one cannot open it.
    """

    address: str | int
    backend: int
    others: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """What people and settings call it: the last part of a path, or the number."""
        return str(self.address).rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What a camera is asked for.

    Attributes:
        width: of the picture, px.
        height: of the picture, px.
        fps: pictures a second.
        power_line_hz: mains frequency, 50 or 60; 0 for lamps that do not flicker.
        held: values to hold, by the names of `CONTROLS`, each in its backend's own unit. What is
            not named is held at what the camera has found by itself.
    """

    width: int = 1920
    height: int = 1080
    fps: float = 30.0
    power_line_hz: float = 50.0
    held: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting and what became of it.

    Attributes:
        name: of the setting.
        value: what the camera says it is now, None if it does not say.
        took: whether it is what it should be.
        kind: the word by which whoever tells it to people finds the sentence for it.
        facts: the figures of that sentence, beside the name.
    """

    name: str
    value: float | None
    took: bool
    kind: str
    facts: Mapping[str, str | Decimal] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Control:
    """How a backend lets one setting be held.

    Attributes:
        prop: the value.
        auto: the property that turns its automatic on and off; None where writing the value does.
        on: value of `auto` for the automatic.
        off: value of `auto` for holding still.
    """

    prop: int
    auto: int | None = None
    on: float = 1.0
    off: float = 0.0


CONTROLS: Mapping[int, Mapping[str, Control]] = {
    # The kernel's menu of exposure is 1 = by hand, 3 = automatic with the aperture as it is. The
    # 0.25 and 0.75 found in old advice were for values scaled to 0..1, which OpenCV has given up.
    cv2.CAP_V4L2: {
        "exposure": Control(cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTO_EXPOSURE, 3.0, 1.0),
        "white balance": Control(cv2.CAP_PROP_WB_TEMPERATURE, cv2.CAP_PROP_AUTO_WB),
        "focus": Control(cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS),
        "gain": Control(cv2.CAP_PROP_GAIN),
    },
    # Under Windows writing a value turns its automatic off; exposure counts in powers of two.
    cv2.CAP_DSHOW: {
        "exposure": Control(cv2.CAP_PROP_EXPOSURE),
        "white balance": Control(cv2.CAP_PROP_WHITE_BALANCE_BLUE_U),
        "focus": Control(cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS),
        "gain": Control(cv2.CAP_PROP_GAIN),
    },
    cv2.CAP_MSMF: {
        "exposure": Control(cv2.CAP_PROP_EXPOSURE),
        "white balance": Control(cv2.CAP_PROP_TEMPERATURE),
        "focus": Control(cv2.CAP_PROP_FOCUS),
        "gain": Control(cv2.CAP_PROP_GAIN),
    },
}
"""By backend; one that is missing here, such as AVFoundation, can hold nothing."""

BACKENDS: Mapping[str, tuple[int, ...]] = {
    "linux": (cv2.CAP_V4L2,),
    # Media Foundation may take a minute to open a camera, DirectShow does not.
    "win32": (cv2.CAP_DSHOW, cv2.CAP_MSMF),
    "darwin": (cv2.CAP_AVFOUNDATION,),
}

HELD = ("exposure", "white balance", "focus", "gain")


def backends(system: str = sys.platform) -> tuple[int, ...]:
    """Give OpenCV's backends for a system, the better one first; any on an unknown system.

    >>> [cv2.videoio_registry.getBackendName(each) for each in backends("linux")]
    ['V4L2']
    """
    return BACKENDS.get(system, (cv2.CAP_ANY,))


def camera_source(name: str, system: str = sys.platform) -> Source:
    """Give the camera of a name: a number, a path, or a name that `camera list` has told.

    >>> camera_source("1", "win32").address, camera_source("usb-cam-index0", "linux").address
    (1, '/dev/v4l/by-id/usb-cam-index0')
    """
    backend, *others = backends(system)
    if not system.startswith("linux"):
        return Source(int(name) if name.isdecimal() else name, backend, tuple(others))
    if name.isdecimal():
        return Source(f"/dev/video{name}", backend)
    if "/" in name:
        return Source(name, backend)
    if name.startswith("video"):
        return Source(f"/dev/{name}", backend)
    folder = "by-path" if name.startswith(("pci-", "platform-")) else "by-id"
    return Source(f"/dev/v4l/{folder}/{name}", backend)


def open_device(source: Source) -> VideoDevice:
    """Open a camera.

    Raises:
        CameraGone: it cannot be opened; says why as far as the system tells.
    """
    # With hardware transforms on, Media Foundation needs up to a minute to open a camera; and a
    # camera of Linux that sends nothing is waited for three seconds instead of ten.
    os.environ.setdefault("OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS", "0")
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "3")
    missing = _why_not(source)
    if missing is not None:
        raise missing
    with quiet():
        device = cv2.VideoCapture(source.address, source.backend)
    if not device.isOpened():
        device.release()
        if isinstance(source.address, str) and (
            os.path.isfile(source.address) or os.path.isdir(source.address)
        ):
            raise CameraGone(
                f"camera {source.name}: cannot be opened, it is a file or a folder; choose one of "
                "`domino-rig camera list`"
            )
        raise CameraGone(
            f"camera {source.name}: cannot be opened, most likely another program has it: close "
            "other programs that show the camera, or unplug it and plug it in again"
        )
    return device


@contextmanager
def quiet() -> Iterator[None]:
    """Keep OpenCV from writing about every camera that it cannot open; this file says it itself."""
    log = getattr(cv2.utils, "logging", cv2)  # until 4.12 these words stood in cv2 itself
    before = log.getLogLevel()
    log.setLogLevel(SILENT)
    try:
        yield
    finally:
        log.setLogLevel(before)


def open_first(
    source: Source, opener: Callable[[Source], VideoDevice]
) -> tuple[VideoDevice, Source]:
    """Open a camera through the first of its backends that can; give that one too.

    Raises:
        CameraGone: none can; the words are those of the first.
    """
    try:
        return opener(source), source
    except CameraGone:
        for backend in source.others:
            other = Source(source.address, backend)
            try:
                return opener(other), other
            except CameraGone:
                continue
        raise


def _why_not(source: Source) -> CameraGone | None:
    if isinstance(source.address, int):
        return None
    path = Path(source.address)
    if not path.exists():
        return CameraGone(
            f"camera {source.name}: is not plugged in; check its cable, or choose another one of "
            "`domino-rig camera list`"
        )
    if not os.access(path, os.R_OK | os.W_OK):
        return CameraGone(
            f"camera {source.name}: may not be opened by this user; run "
            "`sudo usermod -aG video $USER`, then log in again",
            "denied",
        )
    return None


def set_format(device: VideoDevice, backend: int, wanted: CameraSettings) -> tuple[Setting, ...]:
    """Ask for size and rate, in the order in which backends keep them; say what it has become."""
    # Compressed before large: raw pictures of 1080p come over USB 2 at five a second, and some
    # drivers forget the rate when it is set after the size. Media Foundation takes the coding for
    # that of its output and chooses the camera's own by size.
    if backend != cv2.CAP_MSMF:
        device.set(cv2.CAP_PROP_FOURCC, MJPG)
    device.set(cv2.CAP_PROP_FPS, wanted.fps)
    device.set(cv2.CAP_PROP_FRAME_WIDTH, wanted.width)
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, wanted.height)
    # One being filled while the other is decoded; more would only be older pictures.
    device.set(cv2.CAP_PROP_BUFFERSIZE, 2)
    width = round(device.get(cv2.CAP_PROP_FRAME_WIDTH))
    height = round(device.get(cv2.CAP_PROP_FRAME_HEIGHT))
    fits = (width, height) == (wanted.width, wanted.height)
    facts = {"value": f"{width} x {height}", "wanted": f"{wanted.width} x {wanted.height}"}
    settings = [Setting("size", None, fits, "size" if fits else "size.instead", facts)]
    coding = _letters(device.get(cv2.CAP_PROP_FOURCC))
    if coding:
        quick = coding == "MJPG"
        kind = "coding" if quick else "coding.slow"
        settings.append(Setting("coding", None, quick, kind, {"value": coding}))
    fps = device.get(cv2.CAP_PROP_FPS)
    if fps > 0:
        enough = fps > wanted.fps - 1
        rates = {"value": Decimal(f"{fps:g}"), "wanted": Decimal(f"{wanted.fps:g}")}
        settings.append(Setting("rate", fps, enough, "rate" if enough else "rate.instead", rates))
    return tuple(settings)


def _letters(code: float) -> str:
    if not 0 < code < 2**32:
        return ""
    text = int(code).to_bytes(4, "little").decode("latin-1")
    return text if text.isascii() and text.isprintable() else ""


def set_power_line(
    source: Source,
    hz: float,
    setter: Callable[[Path, float], float | None] = v4l2.set_power_line,
) -> Setting:
    """Set the mains frequency, so that exposure does not beat with the lamps."""
    if source.backend != cv2.CAP_V4L2:
        return Setting("power line", None, False, "power_line.fixed")
    got = setter(Path(str(source.address)), hz)
    if got is None:
        return Setting("power line", None, False, "power_line.none")
    facts = {"value": Decimal(f"{got:g}"), "wanted": Decimal(f"{hz:g}")}
    if got != hz:
        return Setting("power line", got, False, "power_line.stays", facts)
    return Setting("power line", got, True, "power_line", facts)


def let_find(device: VideoDevice, backend: int, wanted: CameraSettings) -> None:
    """Turn every automatic on whose value is not given, so that the camera finds its own."""
    for name, control in CONTROLS.get(backend, {}).items():
        if control.auto is not None and name not in wanted.held:
            device.set(control.auto, control.on)


def hold(device: VideoDevice, backend: int, values: Mapping[str, float]) -> tuple[Setting, ...]:
    """Hold exposure, white balance, focus and gain still, and read back whether that took.

    Args:
        device: an open camera that has had time to find its own values.
        backend: how it was opened.
        values: what to hold by name; what is not named is held at what it is now.
    """
    controls = CONTROLS.get(backend, {})
    return tuple(_hold(device, name, controls.get(name), values.get(name)) for name in HELD)


def _hold(device: VideoDevice, name: str, control: Control | None, given: float | None) -> Setting:
    if control is None:
        return Setting(name, None, False, "fixed")
    wanted = device.get(control.prop) if given is None else given
    if given is None and wanted == NONE:
        # What is not there cannot change by itself; exposure and white balance always are.
        steady = name in ("focus", "gain")
        return Setting(name, None, steady, "none")
    stopped = True
    if control.auto is not None:
        # The value can only be written once its automatic is off; not every camera has one.
        device.set(control.auto, control.off)
        stopped = device.get(control.auto) in (control.off, NONE)
    accepted = device.set(control.prop, wanted)
    got = device.get(control.prop)
    if got == NONE != wanted:
        return Setting(name, None, False, "none")
    facts = {"value": Decimal(f"{got:g}"), "wanted": Decimal(f"{wanted:g}")}
    if not stopped:
        return Setting(name, got, False, "automatic", facts)
    if not accepted and got != wanted:
        return Setting(name, got, False, "refuses", facts)
    if abs(got - wanted) > 0.01 * max(abs(wanted), 1.0):
        return Setting(name, got, False, "instead", facts)
    return Setting(name, got, True, "held", facts)
