"""The camera during set-up: what it sees now, its lens, and where the mat lies."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from rig import private
from rig.config import Config
from rig.setup.bench.eyes import Eyes
from rig.setup.bench.mat_pictures import MatPictures
from rig.setup.plan.facts import CameraFacts, Picture
from rig.setup.store import Shelf
from vision.calibrate.aim_check import Aimed, aim, shown
from vision.calibrate.calibration_files import Mode, kept_modes, load_lens, save_lens, save_mat
from vision.calibrate.lens_fit import LensFit
from vision.calibrate.mat_survey import Survey
from vision.capture.camera import CameraGone, CameraHangs, Frame, NoFrame
from vision.capture.discovery import Found
from vision.errors import VisionError
from vision.geometry.lens import Intrinsics
from vision.geometry.markers import as_gray
from vision.geometry.mat import Mat, load_mat
from vision.pusher_tag.tag import NoTag, Tag, find_tag


@dataclass
class Watcher:
    """Looks through the camera that is being set up.

    Attributes:
        shelf: where lenses and the mat are kept.
        eyes: opens the kind of camera that the settings name; None if they name none.
        cameras: the last list; None before anybody asked.
        size: of the open camera's pictures in px; None while none is open.
        jpeg: the picture for the page.
        shot: the number of that picture.
        picture: what the picture shows.
        trouble: the kind of trouble that the camera has, "" for none.
        tag: whether the pusher's tag is in the picture.
        survey: the last survey of the mat.
        lying: the mat according to an earlier survey.
    """

    shelf: Shelf
    eyes: Eyes | None = None
    cameras: Sequence[Found] | None = None
    id: str = ""
    size: tuple[int, int] | None = None
    jpeg: bytes | None = None
    shot: int = 0
    picture: Picture | None = None
    trouble: str = ""
    tag: bool = False
    lens: Intrinsics | None = None
    survey: Survey | None = None
    lying: Mat | None = None
    printed: Mat = field(default_factory=load_mat)
    views: MatPictures = field(init=False)
    _last: Frame | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.views = MatPictures(self.printed)

    def use(self, eyes: Eyes | None) -> None:
        """Switch to another kind of camera; the one before is closed."""
        self.close()
        self.eyes, self.cameras = eyes, None
        self.forget()

    def forget(self) -> None:
        """Forget what the camera before has shown."""
        self.views.clear()
        self.id, self.lens, self.survey, self.tag = "", None, None, False
        self._blank()

    def _blank(self) -> None:
        self.jpeg = self.picture = self._last = None
        self.trouble = ""

    def list(self) -> None:
        """List the cameras there are; the open one is closed meanwhile."""
        if self.eyes is not None:
            self.close()
            self.cameras = self.eyes.found()

    def open(self, id: str) -> None:
        """Open a camera.

        Raises:
            NotThere: there is none of that name.
        """
        if self.eyes is None:
            return
        if id != self.id:
            self.forget()
        self._blank()
        kept = [mode for mode in kept_modes(self.shelf.lenses) if mode.device == id]
        self.size = self.eyes.open(id, kept[0].focus if len(kept) == 1 else None)
        self.id = id
        self.lens = self._kept_lens()

    def close(self) -> None:
        """Close the camera; what it has shown is remembered."""
        if self.eyes is not None and self.size is not None:
            self.eyes.close()
        self.size = None

    @property
    def is_open(self) -> bool:
        """Whether a camera is open."""
        return self.size is not None

    def frame(self) -> Frame:
        """The newest frame of the open camera.

        Raises:
            NoFrame: there is none.
        """
        if self.eyes is None or self.size is None:
            raise NoFrame("no camera is open: choose one", "choose")
        return self.eyes.frame()

    def look(self, frame: Frame | None = None, tag: Tag | None = None) -> bool:
        """Make a picture for the page from the newest frame, or from one that is given.

        Returns:
            Whether there is a new one.
        """
        try:
            frame = frame or self.frame()
        except NoFrame as error:
            self._blank()
            self.trouble = error.kind if isinstance(error, CameraGone | CameraHangs) else ""
            return False
        if self._last is frame:
            return False
        self._last, self.trouble = frame, ""
        aimed, view = aim(frame.image, self._mat(), self.lens)
        self.jpeg = shown(frame.image, aimed, view, self._mat())
        self.shot += 1
        self.picture = _picture_of(aimed, len(self.printed.corners_mm))
        self.tag = tag is not None and _sees(frame, aimed, tag)
        return True

    def hang(self) -> None:
        """The camera hangs in its place from now on; analyse its picture again."""
        if self.eyes is not None:
            self.eyes.hang()
        self._last = None

    def take(self) -> None:
        """Add the newest picture to those for the lens and the survey.

        Raises:
            NotTaken: it adds nothing.
            NoFrame: there is none.
        """
        self.views.take(self.frame().image)

    def fit(self) -> LensFit:
        """Find the lens from the pictures taken, and store it.

        Raises:
            NoLens, BadCamera: it cannot be found, or cannot be stored.
        """
        fit = self.views.lens()
        focus = self.eyes.focus() if self.eyes is not None else None
        mode = Mode(self.id, fit.intrinsics.width, fit.intrinsics.height, focus)
        save_lens(self.shelf.lenses, mode, fit, "mat", date.today())
        for old in kept_modes(self.shelf.lenses):
            # Of two at other focuses nobody could say which is meant.
            if old != mode and replace(old, focus=mode.focus) == mode:
                (self.shelf.lenses / old.file_name).unlink(missing_ok=True)
        self.lens = fit.intrinsics
        self._last = None
        return fit

    def measure(self, ruler_mm: float) -> Survey:
        """Find where the strips of the mat lie, and store that if a real camera has seen them.

        Raises:
            NoSurvey, BadMat: it cannot be found, or cannot be stored.
        """
        assert self.lens is not None
        survey = self.views.survey(self.lens, ruler_mm)
        if self.eyes is not None and not self.eyes.virtual:
            private.make_folder(self.shelf.folder)
            save_mat(self.shelf.mat, survey, date.today())
        self.survey = survey
        self._last = None
        return survey

    def sight(self) -> CameraFacts:
        """What is known of the camera now."""
        return CameraFacts(self.picture, self.trouble, self.lens is not None, len(self.views))

    def _mat(self) -> Mat:
        return self.survey.mat if self.survey is not None else self.lying or self.printed

    def _kept_lens(self) -> Intrinsics | None:
        modes = [
            mode
            for mode in kept_modes(self.shelf.lenses)
            if mode.device == self.id and (mode.width, mode.height) == self.size
        ]
        try:
            return load_lens(self.shelf.lenses, modes[0]) if modes else None
        except VisionError:
            return None


def lens_is_kept(config: Config, shelf: Shelf) -> bool:
    """Whether a lens is stored for the camera of the settings, or they name a lens file."""
    camera = config.camera
    kept = kept_modes(shelf.lenses)
    size = (camera.width, camera.height)
    mine = [m for m in kept if m.device == camera.id and (m.width, m.height) == size]
    return bool(camera.lens) or bool(mine)


def _picture_of(aimed: Aimed, expected: int) -> Picture:
    return Picture(
        markers=aimed.markers,
        expected=expected,
        error_px=aimed.error_px,
        trouble=aimed.trouble,
        paper=aimed.paper,
        glare=aimed.glare,
        room=dict(aimed.room),
        lean_deg=math.degrees(aimed.lean_rad),
        mm_per_px=aimed.mm_per_px,
        blur_px=aimed.blur_px,
    )


def _sees(frame: Frame, aimed: Aimed, tag: Tag) -> bool:
    if aimed.pose is None or aimed.lens is None:
        return False
    try:
        find_tag(as_gray(frame.image), aimed.pose, aimed.lens, tag)
    except NoTag:
        return False
    return True
