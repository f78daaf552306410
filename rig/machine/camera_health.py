"""What keeps the camera from seeing the table: a state that lasts, for pages to put into words.

A trouble is named as soon as it cannot be a hand that reaches in, and goes away by itself with the
first frame that is all right. While the table cannot be seen nothing that was read is acted on.
"""

from collections.abc import Callable

from rig.row.row_live import CLEAR, Seeing
from vision.calibrate.pose_average import WORDS, Stillness
from vision.calibrate.strip_slip import words_for
from vision.capture.camera import CameraClosed, CameraGone, CameraHangs, Frame, NoFrame, RanDry
from vision.errors import VisionError
from vision.geometry.camera_pose import NoMat
from vision.geometry.diagnosis import exposure_fault
from vision.geometry.lens import BadCamera
from vision.geometry.markers import as_gray
from vision.look.eye import Look
from vision.tuning.tuning import TUNING

PATIENCE_S = 1.5
"""A hand that reaches in hides the mat for a moment: that is no trouble yet."""
SPOILED_SHARE = 0.5
"""A picture with more white in it than this shows too little, even if some of it can be read."""
NOTE_S = 10.0
"""So long it is said that the camera was moved, once it hangs still again."""

DRY = Seeing("dry", False, "the recorded pictures are all shown")

KINDS: tuple[tuple[type[VisionError], str], ...] = (
    (CameraGone, "gone"),
    (CameraClosed, "gone"),
    (CameraHangs, "hangs"),
    (RanDry, DRY.kind),
    (NoFrame, "no_picture"),
    (BadCamera, "size"),
)
"""Troubles that are no trouble of the mat, by the error that tells of them."""

OF_CAMERA = {
    Stillness.MOVING: Seeing("moving", True, WORDS[Stillness.MOVING]),
    Stillness.CREPT: Seeing("crept", False, WORDS[Stillness.CREPT]),
}
MOVED = Seeing("moved", False, WORDS[Stillness.MOVED])
SLID = Seeing("slid", False, "the mat has slid under the row")
CROWDED = Seeing("crowded", False, "more lies on the table than can be told apart")
THING = "thing"
"""Something larger than a tile lies on the work area; how large and where, the words say."""
SLIPPED = "slipped"
"""A strip of the mat lies elsewhere than it did; where, the others tell."""


def trouble_of(error: VisionError) -> Seeing:
    """Name what an error says of the camera or its picture."""
    if isinstance(error, NoMat):
        return Seeing(error.trouble.value.replace(" ", "_"), True, str(error))
    kind = next((kind for of, kind in KINDS if isinstance(error, of)), "other")
    return Seeing(kind, True, str(error))


class Lookout:
    """Keeps in mind what the last frames had in the way.

    Args:
        now_s: the clock.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._hidden_s: float | None = None
        self._moved_s: float | None = None
        self._told = CLEAR

    def failed(self, error: VisionError) -> Seeing:
        """Hear that a frame could not be looked at."""
        now_s = self._now_s()
        self._hidden_s = now_s if self._hidden_s is None else self._hidden_s
        patient = isinstance(error, NoMat) and now_s - self._hidden_s < PATIENCE_S
        if not patient or self._told.blind:
            self._told = trouble_of(error)
        return self._told

    def looked(self, frame: Frame, look: Look, slid: bool) -> Seeing:
        """Hear what a look says of the camera.

        Args:
            frame: what was looked at.
            look: what it shows.
            slid: the whole row seems to stand elsewhere.
        """
        now_s, stillness = self._now_s(), look.stillness
        self._hidden_s = None
        # A picture that is spoiled all over may look like a hand, or like a lamp put elsewhere.
        gray = as_gray(frame.image[::4, ::4])
        odd = (
            look.hand_in_view
            or float((gray >= TUNING.diagnosis.bright_level).mean()) > SPOILED_SHARE
        )
        cause = exposure_fault(gray) if odd else None
        if cause is not None:
            self._told = Seeing(cause.trouble.value, True, cause.words)
            return self._told
        if stillness is Stillness.UNSURE:
            return self._told
        if stillness is Stillness.MOVED:
            self._moved_s = now_s
        elif stillness in OF_CAMERA:
            self._moved_s = None
        recent = self._moved_s is not None and now_s - self._moved_s < NOTE_S
        note = SLID if slid else MOVED if recent else CLEAR
        if look.slips:
            note = Seeing(SLIPPED, False, words_for(look.slips))
        if look.things:
            note = Seeing(THING, False, "; ".join(thing.words for thing in look.things))
        if look.crowded:
            note = CROWDED
        self._told = OF_CAMERA.get(stillness, note)
        return self._told

    def rest(self) -> Seeing:
        """Hear that nobody looks for now: what was in the way may be gone by then."""
        self._hidden_s, self._moved_s, self._told = None, None, CLEAR
        return CLEAR
