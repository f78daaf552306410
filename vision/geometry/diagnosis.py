"""What is wrong with a picture in which the mat is not found, and what to do about it."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from vision.arrays import Gray
from vision.geometry.charuco import BOARD
from vision.geometry.markers import detect_markers
from vision.tuning.geometry import DiagnosisTuning
from vision.tuning.tuning import TUNING, Tuning


class Trouble(StrEnum):
    """Why the mat is not found."""

    COVERED = "covered"
    DARK = "dark"
    BRIGHT = "bright"
    BLURRED = "blurred"
    MIRRORED = "mirrored"
    BOARD = "board"
    UNKNOWN_MARKERS = "unknown markers"
    GLARE = "glare"
    HIDDEN = "hidden"
    """Too little of the mat is in view, for no other reason that the picture shows."""
    CONTRADICTION = "contradiction"
    """Lens and mat do not fit the picture."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with a picture.

    Attributes:
        trouble: which of the known troubles.
        words: what was noticed and what to do, to go on after a colon.
    """

    trouble: Trouble
    words: str


HIDDEN = Diagnosis(Trouble.HIDDEN, "move the camera or the lamp so that the whole mat is in view")


def exposure_fault(gray: Gray, tuning: DiagnosisTuning = TUNING.diagnosis) -> Diagnosis | None:
    """Say whether a picture is so bright or so dark that nothing in it can be trusted.

    Args:
        gray: shape (rows, columns); every fourth pixel is enough.
        tuning: see `DiagnosisTuning`.
    """
    if float((gray >= tuning.bright_level).mean()) > tuning.bright_share:
        words = "the picture is over-exposed; shorten the exposure or dim the lamp"
        return Diagnosis(Trouble.BRIGHT, words)
    if float(np.percentile(gray, tuning.lightest_percent)) < tuning.dark_level:
        words = "the picture is almost black; turn on the lamp or lengthen the exposure"
        return Diagnosis(Trouble.DARK, words)
    return None


def cause_of(
    gray: Gray, dictionary: str, expected: Collection[int], tuning: Tuning = TUNING
) -> Diagnosis:
    """Say why the markers of a mat are not found in a grey image.

    Args:
        gray: shape (rows, columns).
        dictionary: of the mat's markers.
        expected: their ids.
        tuning: see `Tuning`.
    """
    numbers = tuning.diagnosis
    exposed = exposure_fault(gray, tuning=numbers)
    if exposed is not None:
        return exposed
    darkest, lightest = np.percentile(gray, (0.5, numbers.lightest_percent))
    if lightest - darkest < numbers.flat_levels:
        return Diagnosis(
            Trouble.COVERED, "the picture shows nothing; is something before the lens?"
        )
    seen = set(detect_markers(gray, dictionary, tuning=tuning)[0])
    flipped = set(detect_markers(np.ascontiguousarray(gray[:, ::-1]), dictionary, tuning=tuning)[0])
    # Some markers are the mirror image of others, so a few are always found.
    if len(flipped & set(expected)) >= max(numbers.telling_markers, 2 * len(seen & set(expected))):
        words = "the picture is mirrored; switch mirroring off in the camera's settings"
        return Diagnosis(Trouble.MIRRORED, words)
    others = sorted(seen - set(expected))
    if len(others) >= numbers.telling_markers:
        some = ", ".join(map(str, others[:4]))
        words = f"other markers are in view ({some} ...); use the mat file that belongs to them"
        return Diagnosis(Trouble.UNKNOWN_MARKERS, words)
    if (
        dictionary != BOARD.dictionary
        and len(detect_markers(gray, BOARD.dictionary, tuning=tuning)[0]) >= numbers.telling_markers
    ):
        words = "the calibration board is in view instead; take it off the mat"
        return Diagnosis(Trouble.BOARD, words)
    blur = softness_px(gray, tuning=numbers)
    if blur > numbers.blur_px * gray.shape[1] / numbers.blur_at_px:
        words = f"the picture is blurred by {blur:.0f} px; hold the camera still and set its focus"
        return Diagnosis(Trouble.BLURRED, words)
    if float((gray >= numbers.bright_level).mean()) > numbers.glare_share:
        words = "a lamp is mirrored in the table; move the lamp or the camera"
        return Diagnosis(Trouble.GLARE, words)
    return HIDDEN


def softness_px(gray: Gray, tuning: DiagnosisTuning = TUNING.diagnosis) -> float:
    """Measure the blur of the sharpest edges, one sigma in px, in the direction that is worse.

    An edge blurred by s and then by t is as steep as 1 / sqrt(s^2 + t^2); how much less steep the
    steepest edges become by blurring on purpose tells s.
    """
    small, large = tuning.test_blurs_px
    levels = gray.astype(np.float32)
    worst = 0.0
    for axis in ((1, 0), (0, 1)):
        steep = []
        for sigma in (small, large):
            smooth = cv2.GaussianBlur(levels, (0, 0), sigma)
            slope = cv2.Scharr(smooth, cv2.CV_32F, *axis)
            steep.append(float(np.percentile(np.abs(slope), tuning.steepest_percent)))
        ratio2 = (steep[0] / max(steep[1], 1e-6)) ** 2
        worst = max(worst, (large**2 - ratio2 * small**2) / max(ratio2 - 1.0, 1e-6))
    return float(min(np.sqrt(worst), tuning.most_blur_px))
