"""Average the camera's pose while it hangs still, and raise an alarm when it does not.

The pose from one frame jitters, and a hand over the mat leaves fewer markers to find it by. While
nothing moves, the average of several frames is better. A nudge shows in the next frames; a clamp
that gives way slowly shows by comparison with where the camera was at first.
"""

from collections import deque
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from vision.geometry.camera_pose import CameraPose, project
from vision.geometry.lens import Intrinsics
from vision.geometry.mat import Mat
from vision.tuning.calibration import PoseAverageTuning
from vision.tuning.tuning import TUNING


class Stillness(StrEnum):
    """What the camera does."""

    STARTING = "starting"
    """Too few frames yet for an average."""
    STILL = "still"
    UNSURE = "unsure"
    """This frame shows another pose; the next ones will tell."""
    MOVING = "moving"
    """Frame after frame shows another pose."""
    MOVED = "moved"
    """It hangs still at another place than before; told once."""
    CREPT = "crept"
    """It moves slowly; told until it is back, or hangs still again, or `accept`."""


CALM = (Stillness.STARTING, Stillness.STILL)
"""Nothing is to be told of the camera."""
LOOSE = (Stillness.UNSURE, Stillness.MOVING)
"""Nobody knows well enough where the camera is: places on the table cannot be told."""


WORDS = {
    Stillness.MOVING: "the camera moves: let go of it and fix its stand",
    Stillness.MOVED: "the camera was moved: the table is measured anew from its new place",
    Stillness.CREPT: "the camera sinks slowly: tighten its stand, then go on",
}


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Where the camera is, by all that was seen.

    Attributes:
        pose: the pose to use.
        stillness: what the camera does.
    """

    pose: CameraPose
    stillness: Stillness

    @property
    def words(self) -> str:
        """What to tell people; empty if there is nothing to tell."""
        return WORDS.get(self.stillness, "")


class SteadyCamera:
    """Follows one camera; give it the pose of every frame."""

    def __init__(
        self, intrinsics: Intrinsics, mat: Mat, tuning: PoseAverageTuning = TUNING.pose_average
    ) -> None:
        self._tuning = tuning
        self._intrinsics = intrinsics
        self._points = np.array([(x, y, 0.0) for x in mat.area_x_mm for y in mat.area_y_mm])
        self._recent: deque[CameraPose] = deque(maxlen=self._tuning.window_frames)
        self._markers: deque[int] = deque(maxlen=self._tuning.usual_frames)
        self._strays: list[CameraPose] = []
        self._first: CameraPose | None = None
        self._crept = False
        self._beyond = 0
        self._resting: tuple[CameraPose, int] | None = None

    def is_of(self, intrinsics: Intrinsics) -> bool:
        """Whether it follows a camera that takes pictures of this size."""
        mine = self._intrinsics
        return (mine.width, mine.height) == (intrinsics.width, intrinsics.height)

    def see(self, pose: CameraPose) -> Held:
        """Take in what one frame shows.

        Args:
            pose: from `find_pose`.
        """
        self._markers.append(pose.markers)
        if not self._recent:
            self._recent.append(pose)
            return Held(pose, Stillness.STARTING)
        average = average_pose(tuple(self._recent), tuning=self._tuning)
        if self._shift_px(pose, average) > self._gate_px(pose):
            return self._stray(pose, average)
        self._strays.clear()
        if self._share(pose) >= self._tuning.least_share:
            self._recent.append(pose)
            average = average_pose(tuple(self._recent), tuning=self._tuning)
        if len(self._recent) < self._tuning.settle_frames:
            return Held(average, Stillness.STARTING)
        return self._against_first(average)

    def accept(self) -> None:
        """Take the place where the camera is now as the one where it should be."""
        self._first, self._crept, self._beyond, self._resting = None, False, 0, None

    def _stray(self, pose: CameraPose, average: CameraPose) -> Held:
        self._strays = [*self._strays[-(self._tuning.settle_frames - 1) :], pose]
        if len(self._strays) < self._tuning.settle_frames:
            return Held(average, Stillness.UNSURE)
        middle = average_pose(self._strays, tuning=self._tuning)
        if any(self._shift_px(stray, middle) > self._gate_px(stray) for stray in self._strays):
            return Held(pose, Stillness.MOVING)
        self._recent.clear()
        self._recent.extend(self._strays)
        self._strays.clear()
        self.accept()
        return Held(middle, Stillness.MOVED)

    def _against_first(self, average: CameraPose) -> Held:
        if self._first is None:
            if len(self._recent) == self._tuning.window_frames:
                self._first = average
            return Held(average, Stillness.STILL)
        come = self._shift_px(average, self._first)
        self._beyond = self._beyond + 1 if come > self._tuning.creep_px else 0
        if self._beyond >= self._tuning.creep_frames:
            self._crept = True
        elif come < self._tuning.creep_end_px:
            self._crept, self._resting = False, None
        if not self._crept:
            return Held(average, Stillness.STILL)
        if self._rests(average):
            self.accept()
            self._first = average
            return Held(average, Stillness.MOVED)
        return Held(average, Stillness.CREPT)

    def _rests(self, average: CameraPose) -> bool:
        """Whether a camera that has crept has not gone on for a while."""
        there, frames = self._resting or (average, 0)
        if self._shift_px(average, there) > self._tuning.creep_end_px:
            there, frames = average, 0
        self._resting = (there, frames + 1)
        return frames >= self._tuning.rest_frames

    def _gate_px(self, pose: CameraPose) -> float:
        """By how much a frame may shift the work area and still be averaged."""
        tuning = self._tuning
        px_per_mm = float(self._intrinsics.matrix[0, 0]) / abs(float(pose.centre_mm[2]))
        hidden_px = tuning.partly_px * (1.0 - self._share(pose))
        return tuning.jump_px + tuning.jump_sigmas * pose.sigma_mm * px_per_mm + hidden_px

    def _share(self, pose: CameraPose) -> float:
        """How many of the markers that are usually seen a frame shows, 0..1."""
        if not self._markers:
            return 1.0
        usual = float(np.percentile(self._markers, self._tuning.usual_percent))
        return min(1.0, pose.markers / usual) if usual else 1.0

    def _shift_px(self, one: CameraPose, other: CameraPose) -> float:
        """By how much two poses place the corners of the work area differently, at most."""
        here = project(self._points, one, self._intrinsics)
        there = project(self._points, other, self._intrinsics)
        return float(np.linalg.norm(here - there, axis=1).max())


def average_pose(
    poses: "tuple[CameraPose, ...] | list[CameraPose]",
    tuning: PoseAverageTuning = TUNING.pose_average,
) -> CameraPose:
    """Average poses that differ little; those that are better known count more.

    The mean rotation is the one nearest to the mean of the matrices (Moakher 2002).
    """
    weights = np.array([1.0 / max(pose.sigma_mm, tuning.least_sigma_mm) ** 2 for pose in poses])
    weights /= weights.sum()
    mean = np.einsum("i,ijk->jk", weights, np.array([pose.rotation for pose in poses]))
    left, _, right = np.linalg.svd(mean)
    shift = weights @ np.array([pose.translation_mm for pose in poses])
    best = max(poses, key=lambda pose: pose.markers)
    sigma = float(np.sqrt((weights**2) @ np.array([pose.sigma_mm**2 for pose in poses])))
    return replace(best, rotation=left @ right, translation_mm=shift, sigma_mm=sigma)
