"""The camera over a real table: its newest frame, on a thread of its own.

The thread waits for the driver so that nobody else has to: a driver that hangs, or a cable that is
pulled, is a state that `read` tells in words, and the thread goes on trying until the camera is
back. `Feed` is what the thread does, one small step at a time; `OpenCVCamera` is the thread.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum

import cv2
import numpy as np

from vision.arrays import Image
from vision.capture.camera import CameraClosed, CameraGone, CameraHangs, Frame, NoFrame
from vision.capture.settings import (
    CameraSettings,
    Setting,
    Source,
    VideoDevice,
    camera_source,
    hold,
    let_find,
    open_device,
    open_first,
    set_format,
    set_power_line,
)
from vision.tuning.capture import LIVE_CAMERA, LiveCameraTuning

log = logging.getLogger(__name__)


class CameraState(StrEnum):
    """How the camera is."""

    OPENING = "opening"
    """It is being opened, or finds its exposure."""
    LIVE = "live"
    """It sends pictures."""
    HANGS = "hangs"
    """It is there and does not answer."""
    GONE = "gone"
    """It is not there; it is tried again and again."""
    CLOSED = "closed"


@dataclass
class Feed:
    """Opens a camera, takes its pictures, and opens it again when it is lost.

    `step` belongs to one thread; everything else may be called from any.

    Attributes:
        source: which camera.
        settings: what to ask it for.
        opener: opens it.
        power_line: sets its mains frequency.
        now_s: monotonic clock, the one of the frames.
        settle_frames: in how many frames exposure, white balance and focus find their own values
            before they are held; 0 holds none.
        tuning: see `LiveCameraTuning`.
    """

    source: Source
    settings: CameraSettings = field(default_factory=CameraSettings)
    opener: Callable[[Source], VideoDevice] = open_device
    power_line: Callable[[Source, float], Setting] = set_power_line
    now_s: Callable[[], float] = time.monotonic
    settle_frames: int = 45
    tuning: LiveCameraTuning = LIVE_CAMERA
    changed: threading.Condition = field(default_factory=threading.Condition, repr=False)
    _device: VideoDevice | None = field(default=None, init=False, repr=False)
    _newest: Frame | None = field(default=None, init=False, repr=False)
    _lost: tuple[str, ...] = field(default=(), init=False, repr=False)
    """Message and kind of how it was lost; empty while it is not."""
    _report: tuple[Setting, ...] = field(default=(), init=False)
    _format: tuple[Setting, ...] = field(default=(), init=False, repr=False)
    _heard_s: float = field(init=False, repr=False)
    _taken_s: float = field(default=-math.inf, init=False, repr=False)
    _opening: bool = field(default=True, init=False, repr=False)
    _closed: bool = field(default=False, init=False, repr=False)
    _back_off_s: float = field(init=False, repr=False)
    _failed: int = field(default=0, init=False, repr=False)
    _seen: int = field(default=0, init=False, repr=False)
    _count: int = field(default=0, init=False, repr=False)
    _held: bool = field(default=False, init=False, repr=False)
    _kept: dict[str, float] | None = field(default=None, init=False, repr=False)
    _bright: float = field(default=0.0, init=False, repr=False)

    def __post_init__(self) -> None:
        self._heard_s = self.now_s()
        self._back_off_s = self.tuning.back_off_s[0]

    # What the thread does.

    def step(self) -> float:
        """Do the next small thing; give the seconds to wait before the one after it."""
        try:
            return self._open() if self._device is None else self._take(self._device)
        except CameraGone as error:
            return self._lose(error)
        except cv2.error as error:
            driver = f"camera {self.source.name}: its driver failed ({error.err})"
            return self._lose(CameraGone(driver))

    def _open(self) -> float:
        with self._telling(opening=True):
            self._heard_s = self.now_s()
        device, self.source = open_first(self.source, self.opener)
        self._device = device
        self._format = (
            *set_format(device, self.source.backend, self.settings),
            self.power_line(self.source, self.settings.power_line_hz),
        )
        if self.settle_frames and self._kept is None:
            let_find(device, self.source.backend, self.settings)
        self._failed = self._seen = 0
        self._held = False
        with self._telling(opening=False):
            self._heard_s = self.now_s()
            self._report = self._format
        return 0.0

    def _take(self, device: VideoDevice) -> float:
        image = self._picture(device)
        if image is None:
            self._failed += 1
            if self._failed < self.tuning.failures:
                return self.tuning.again_s
            name = self.source.name
            if not self._seen:
                raise CameraGone(
                    f"camera {name}: opens but sends no pictures; close other programs that show "
                    "it, or try another USB socket, without a hub",
                    "mute",
                )
            raise CameraGone(
                f"camera {name}: sends no pictures any more; check its cable, it is opened again "
                "as soon as it is back"
            )
        self._failed = 0
        self._seen += 1
        arrived_s = self.now_s()
        if not self._settled(device, image):
            with self.changed:
                self._heard_s = arrived_s
            return 0.0
        self._back_off_s = self.tuning.back_off_s[0]
        self._count += 1
        # Stamps that are believed now and then must not run backwards.
        self._taken_s = max(self._stamp_s(device, arrived_s), self._taken_s)
        with self._telling():
            self._heard_s = arrived_s
            self._newest = Frame(image, self._taken_s, f"{self.source.name} {self._count}")
        return 0.0

    def _picture(self, device: VideoDevice) -> Image | None:
        if not device.grab():
            return None
        taken, image = device.retrieve()
        if not taken or image is None or image.size == 0:
            return None
        return np.asarray(image, np.uint8)

    def _settled(self, device: VideoDevice, image: Image) -> bool:
        """Hold the settings once the camera has found them; say whether frames are good now."""
        if not self.settle_frames:
            return True
        if self._held:
            if self._seen == self.tuning.stale_frames + 1:
                self._compare(image)
            return self._seen > self.tuning.stale_frames
        # A camera that comes back is held at once, at the very values it had: the empty table has
        # been learned with them.
        if self._kept is None:
            if self._seen < self.settle_frames:
                return False
            self._bright = float(image.mean())
        values = self.settings.held if self._kept is None else self._kept
        held = hold(device, self.source.backend, values)
        self._kept = {s.name: s.value for s in held if s.took and s.value is not None}
        self._held, self._seen = True, 0
        with self.changed:
            self._report = (*self._format, *held)
        return False

    def _compare(self, image: Image) -> None:
        """Say so if holding the exposure has changed it: many a camera tells an old value."""
        now, before = float(image.mean()), max(self._bright, 1.0)
        if "exposure" in self.settings.held or abs(now / before - 1) < self.tuning.brighter_share:
            return
        kind = "darker" if now < before else "brighter"
        facts = {"percent": f"{100 * abs(now / before - 1):.0f}"}
        with self.changed:
            self._report = (*self._report, Setting("brightness", None, False, kind, facts))

    def _stamp_s(self, device: VideoDevice, arrived_s: float) -> float:
        """When a picture was taken: by the kernel's stamp where that is on the same clock."""
        if self.source.backend == cv2.CAP_V4L2:
            stamp_s = device.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if 0 <= arrived_s - stamp_s < self.tuning.oldest_stamp_s:
                return stamp_s
        return arrived_s

    def _lose(self, lost: CameraGone) -> float:
        self.release()
        pause_s = self._back_off_s
        self._back_off_s = min(2 * pause_s, self.tuning.back_off_s[1])
        with self._telling(lost, opening=False):
            self._newest = None
        return pause_s

    def release(self) -> None:
        """Let go of the device, if it is open."""
        device, self._device = self._device, None
        if device is not None:
            device.release()

    @contextmanager
    def _telling(self, lost: CameraGone | None = None, opening: bool = False) -> Iterator[None]:
        """Change what readers see, and wake those who wait for it."""
        with self.changed:
            # A lost camera stays lost while it is tried again.
            if not opening:
                self._lost = (str(lost), lost.kind) if lost else ()
            self._opening = opening
            yield
            self.changed.notify_all()

    # What everybody else sees.

    @property
    def state(self) -> CameraState:
        """How the camera is now."""
        with self.changed:
            return self._state()

    def _state(self) -> CameraState:
        if self._closed:
            return CameraState.CLOSED
        patience_s = self.tuning.opening_s if self._opening else self.tuning.silent_s
        if not (self._lost and not self._opening) and self.now_s() - self._heard_s > patience_s:
            return CameraState.HANGS
        if self._lost:
            return CameraState.GONE
        return CameraState.OPENING if self._newest is None else CameraState.LIVE

    @property
    def report(self) -> tuple[Setting, ...]:
        """What became of every setting asked for."""
        with self.changed:
            return self._report

    def close(self) -> None:
        """Have readers know that it is over."""
        with self.changed:
            self._closed = True
            self._newest = None
            self.changed.notify_all()

    def newest(self) -> Frame:
        """Return the newest frame.

        Raises:
            NoFrame: of the kind that the state asks for.
        """
        name = self.source.name
        with self.changed:
            state, frame, lost = self._state(), self._newest, self._lost
            silent_s = self.now_s() - self._heard_s
        match state:
            case CameraState.CLOSED:
                raise CameraClosed(f"camera {name}: has been closed; open it again to read on")
            case CameraState.GONE:
                raise CameraGone(*lost)
            case CameraState.HANGS:
                raise CameraHangs(
                    f"camera {name}: has not answered for {silent_s:.0f} s; unplug it and plug it "
                    "in again, at another socket if that does not help"
                )
        if frame is None:
            raise NoFrame(f"camera {name}: is getting ready, its first picture is a moment away")
        return frame


@dataclass
class OpenCVCamera:
    """A camera that OpenCV can open; see the file's own words.

    Attributes:
        feed: what its thread does.
        patience_s: how long a reading waits for the first picture.
        close_s: how long closing waits for the driver.
    """

    feed: Feed
    patience_s: float = LIVE_CAMERA.patience_s
    close_s: float = LIVE_CAMERA.close_s
    _over: threading.Event = field(default_factory=threading.Event, init=False, repr=False)
    _thread: threading.Thread = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # A driver that never returns must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            pause_s = 0.0
            while not self._over.wait(pause_s):
                try:
                    pause_s = self.feed.step()
                except Exception:
                    # Without its thread the camera would be gone for good.
                    log.exception("the camera's thread met something it does not know")
                    pause_s = self.feed.tuning.back_off_s[1]
        finally:
            self.feed.release()

    def read(self) -> Frame:
        """Return the newest frame without waiting for the next; see `Camera`.

        Only the first picture is waited for, and no longer than `patience_s`.
        """
        feed = self.feed
        with feed.changed:
            feed.changed.wait_for(lambda: feed.state is not CameraState.OPENING, self.patience_s)
        return feed.newest()

    def is_opening(self) -> bool:
        return self.state is CameraState.OPENING

    @property
    def state(self) -> CameraState:
        """How the camera is now."""
        return self.feed.state

    @property
    def report(self) -> tuple[Setting, ...]:
        """What became of every setting asked for."""
        return self.feed.report

    def close(self) -> None:
        """End the thread and let go of the camera.

        A driver that hangs is waited for `close_s` seconds; its thread ends when it returns.
        """
        self.feed.close()
        self._over.set()
        self._thread.join(self.close_s)
        if self._thread.is_alive():
            log.warning("camera %s hangs; it is let go when it answers", self.feed.source.name)


def open_camera(
    name: str,
    settings: CameraSettings | None = None,
    patience_s: float = LIVE_CAMERA.patience_s,
    tuning: LiveCameraTuning = LIVE_CAMERA,
) -> OpenCVCamera:
    """Open the camera of a name and begin to take its pictures.

    It need not be there: then it is opened as soon as it is, and reading says so until then.

    Args:
        name: of `domino-rig camera list`, a number, or a path.
        settings: what to ask it for; None for 1080p under 50 Hz lamps.
        patience_s: how long a reading waits for the first picture.
        tuning: see `LiveCameraTuning`.
    """
    feed = Feed(camera_source(name), settings or CameraSettings(), tuning=tuning)
    return OpenCVCamera(feed, patience_s)
