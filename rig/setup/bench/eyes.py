"""The cameras during set-up: real ones, and pretend ones under the same tests."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from physics.row.pose import Pose
from rig.clock import Clock
from rig.config import CameraConfig
from rig.setup.errors import NotThere
from vision.arrays import Image
from vision.calibrate.mat_survey import moved
from vision.capture.camera import Frame, NoFrame, jpeg
from vision.capture.discovery import Found, candidates, list_cameras
from vision.capture.live_camera import Feed, OpenCVCamera
from vision.capture.settings import CameraSettings, Source, VideoDevice, camera_source, open_device
from vision.geometry.mat import Mat, load_mat
from vision.render.render import render, view_from
from vision.render.scene import Scene
from vision.tuning.capture import DISCOVERY
from vision.tuning.tuning import TUNING

SIZES = ((1920, 1080), (1280, 720))
"""Picture sizes in px, the preferred one first."""


class Eyes(Protocol):
    """The camera side of the bench."""

    @property
    def virtual(self) -> bool:
        """Whether it is a pretend camera, which nobody can hold in their hands."""

    @property
    def usual(self) -> str:
        """The camera that is opened without being chosen, "" for none."""

    def found(self) -> Sequence[Found]:
        """List the cameras, each with a small picture of what it sees; takes seconds."""

    def open(self, id: str, focus: float | None = None) -> tuple[int, int]:
        """Open a camera after closing the one before; give the size of its pictures in px.

        Args:
            id: from the list.
            focus: where to lock it; None for where the camera focuses by itself.

        Raises:
            NotThere: there is none with that id.
        """

    def frame(self) -> Frame:
        """Give the newest picture of the open camera.

        Raises:
            NoFrame: there is none; the text says why.
        """

    def focus(self) -> float | None:
        """The locked focus, in the camera's own units; None if it has no such setting."""

    def tilt(self) -> None:
        """Tilt the pretend camera another way; a real one is tilted by hand."""

    def hang(self) -> None:
        """Hang the pretend camera back to its place."""

    def close(self) -> None:
        """Let go of the camera."""


@dataclass
class RealEyes(Eyes):
    """Cameras that OpenCV can open.

    Attributes:
        config: the size to ask for, and the mains frequency.
        listed: gives what may be a camera.
        opener: opens one.
        settle_frames: pictures before its settings are held; None for the usual number.
    """

    config: CameraConfig
    listed: Callable[[], Sequence[tuple[Source, str]]] = candidates
    opener: Callable[[Source], VideoDevice] = open_device
    settle_frames: int | None = None
    _camera: OpenCVCamera | None = field(default=None, init=False, repr=False)
    _sizes: dict[str, Sequence[tuple[int, int]]] = field(default_factory=dict, init=False)

    @property
    def virtual(self) -> bool:
        return False

    @property
    def usual(self) -> str:
        return ""

    def found(self) -> Sequence[Found]:
        self.close()  # one program has a camera, and that includes this one
        cameras = list_cameras(self.listed(), self.opener)
        self._sizes = {camera.id: camera.sizes for camera in cameras}
        return cameras

    def open(self, id: str, focus: float | None = None) -> tuple[int, int]:
        self.close()
        has = self._sizes.get(id) or [(self.config.width, self.config.height)]
        size = next((wished for wished in SIZES if wished in has), has[0])
        held = {} if focus is None else {"focus": focus}
        settings = CameraSettings(*size, power_line_hz=self.config.power_line_hz, held=held)
        known = {source.name: source for source, _ in self.listed()}
        feed = Feed(known.get(id) or camera_source(id), settings, self.opener)
        if self.settle_frames is not None:
            feed.settle_frames = self.settle_frames
        self._camera = OpenCVCamera(feed, patience_s=0.0)
        return size

    def frame(self) -> Frame:
        if self._camera is None:
            raise NoFrame("no camera is open: choose one", "choose")
        return self._camera.read()

    def focus(self) -> float | None:
        if self._camera is None:
            return None
        return next((s.value for s in self._camera.report if s.name == "focus" and s.took), None)

    def tilt(self) -> None:
        """Hands do that."""

    def hang(self) -> None:
        """Hands do that."""

    def close(self) -> None:
        if self._camera is not None:
            self._camera.close()
        self._camera = None


GOOD, LOW = "virtual", "virtual-low"
"""Two pretend cameras: one hangs well, the other so low that the mat nearly leaves its picture."""
WAYS = ((24.0, -90.0), (24.0, 0.0), (26.0, 90.0), (26.0, 180.0), (18.0, 45.0), (18.0, -135.0))
"""Tilts of a pretend camera for the lens and the survey: angle and side, in degrees."""
STANDS = Pose(470.0, 90.0, math.radians(90.0))
"""Where the pretend pusher stands."""


def askew(mat: Mat, seed: int = 7) -> Mat:
    """A mat as laid by hand: every strip a millimetre or two off, and turned a little."""
    sizes = (1.2, 1.2, math.radians(0.25))
    moves = np.random.default_rng(seed).normal(0.0, sizes, (len(mat.strips), 3))
    return moved(mat, moves)


@dataclass
class VirtualEyes(Eyes):
    """Pretend cameras over a pretend table on which the mat lies askew.

    Attributes:
        clock: stamps the pictures.
        mat: as it lies.
        table: what the table is made of.
    """

    clock: Clock
    mat: Mat = field(default_factory=lambda: askew(load_mat()))
    table: str = "wood"
    _id: str = field(default="", init=False)
    _way: int | None = field(default=None, init=False)
    _drawn: tuple[tuple[str, int | None], Frame] | None = field(default=None, init=False)

    @property
    def virtual(self) -> bool:
        return True

    @property
    def usual(self) -> str:
        return GOOD

    def found(self) -> Sequence[Found]:
        shrunk, quality = 1920 // DISCOVERY.preview_width_px, TUNING.aim_check.jpeg_quality
        seen = {id: self._draw(id, None)[::shrunk, ::shrunk] for id in (LOW, GOOD)}
        return tuple(
            Found(id, f"virtual {n}", ((1920, 1080),), jpeg(image, quality))
            for n, (id, image) in enumerate(seen.items(), start=1)
        )

    def open(self, id: str, focus: float | None = None) -> tuple[int, int]:
        if id not in (GOOD, LOW):
            words = f"no virtual camera is called {id!r}: choose one of the list"
            raise NotThere("refused.unknown", words)
        self._id, self._way = id, None
        return (1920, 1080)

    def frame(self) -> Frame:
        if not self._id:
            raise NoFrame("no camera is open: choose one", "choose")
        how = (self._id, self._way)
        if self._drawn is None or self._drawn[0] != how:
            self._drawn = (how, Frame(self._draw(*how), self.clock.monotonic_s(), self._id))
        return self._drawn[1]

    def focus(self) -> float | None:
        return None

    def tilt(self) -> None:
        self._way = 0 if self._way is None else (self._way + 1) % len(WAYS)

    def hang(self) -> None:
        self._way = None

    def close(self) -> None:
        self._id, self._way, self._drawn = "", None, None

    def _draw(self, id: str, way: int | None) -> Image:
        lean, side = WAYS[way] if way is not None else (9.0, -80.0)
        lens, pose = view_from(math.radians(lean), math.radians(side), scale_px_mm=1.9)
        if way is None and id == LOW:
            # Turned up: the near edge of the mat almost leaves the picture.
            c, s = math.cos(math.radians(4.4)), math.sin(math.radians(4.4))
            up = np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])
            pose = type(pose)(up @ pose.rotation, up @ pose.translation_mm)
        return render(Scene(table=self.table, pusher=STANDS), lens, pose, mat=self.mat)
