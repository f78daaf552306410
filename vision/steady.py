"""The camera's pose over many frames: averaged while it hangs still, and an alarm when it does not.

One frame tells the pose with some jitter, and a hand over the mat leaves fewer markers to tell it
from. While nothing moves, ten frames together tell it better. A nudge shows at once; a clamp that
gives way shows against where the camera was at first.
"""

from collections import deque
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from vision.calibration import CameraPose, Intrinsics, Mat, project

Floats = NDArray[np.float64]

WINDOW = 10
"""How many frames are averaged."""
JUMP_PX = 1.5
"""A frame whose pose shifts the work area by more is not averaged."""
JUMP_SIGMAS = 3.0
"""So many of the frame's own sigmas are added to that."""
SETTLE = 3
"""How many frames in a row must agree on a new pose."""
CREEP_PX = 1.0
CREEP_END_PX = 0.5
"""The average has crept if it is farther from where it was, and is back if it is nearer."""
CREEP_FRAMES = 5
LEAST_SIGMA_MM = 0.02


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
    """It has moved slowly; told until `accept`, or until it is back."""


WORDS = {
    Stillness.STARTING: "",
    Stillness.STILL: "",
    Stillness.UNSURE: "",
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
        shift_px: how far this frame shifts the work area against the average, or while it creeps,
            how far the average has come.
    """

    pose: CameraPose
    stillness: Stillness
    shift_px: float

    @property
    def words(self) -> str:
        """What to tell people; empty if there is nothing to tell."""
        return WORDS[self.stillness]


class SteadyCamera:
    """Follows one camera; give it the pose of every frame."""

    def __init__(self, intrinsics: Intrinsics, mat: Mat) -> None:
        self._intrinsics = intrinsics
        self._points = np.array([(x, y, 0.0) for x in mat.area_x_mm for y in mat.area_y_mm])
        self._recent: deque[CameraPose] = deque(maxlen=WINDOW)
        self._strays: list[CameraPose] = []
        self._first: CameraPose | None = None
        self._crept = False
        self._beyond = 0

    def see(self, pose: CameraPose) -> Held:
        """Take in what one frame shows.

        Args:
            pose: from `find_pose`.
        """
        if not self._recent:
            self._recent.append(pose)
            return Held(pose, Stillness.STARTING, 0.0)
        average = average_pose(tuple(self._recent))
        shift = self._shift_px(pose, average)
        if shift > self._gate_px(pose):
            return self._stray(pose, average, shift)
        self._strays.clear()
        self._recent.append(pose)
        average = average_pose(tuple(self._recent))
        if len(self._recent) < SETTLE:
            return Held(average, Stillness.STARTING, shift)
        return self._against_first(average, shift)

    def accept(self) -> None:
        """Take the place where the camera is now as the one where it should be."""
        self._first, self._crept, self._beyond = None, False, 0

    def _stray(self, pose: CameraPose, average: CameraPose, shift: float) -> Held:
        self._strays = [*self._strays[-(SETTLE - 1) :], pose]
        if len(self._strays) < SETTLE:
            return Held(average, Stillness.UNSURE, shift)
        middle = average_pose(self._strays)
        if any(self._shift_px(stray, middle) > self._gate_px(stray) for stray in self._strays):
            return Held(pose, Stillness.MOVING, shift)
        self._recent.clear()
        self._recent.extend(self._strays)
        self._strays.clear()
        self.accept()
        return Held(middle, Stillness.MOVED, shift)

    def _against_first(self, average: CameraPose, shift: float) -> Held:
        if self._first is None:
            if len(self._recent) == WINDOW:
                self._first = average
            return Held(average, Stillness.STILL, shift)
        come = self._shift_px(average, self._first)
        self._beyond = self._beyond + 1 if come > CREEP_PX else 0
        if self._beyond >= CREEP_FRAMES:
            self._crept = True
        elif come < CREEP_END_PX:
            self._crept = False
        if self._crept:
            return Held(average, Stillness.CREPT, come)
        return Held(average, Stillness.STILL, shift)

    def _gate_px(self, pose: CameraPose) -> float:
        """By how much a frame may shift the work area and still be averaged."""
        px_per_mm = float(self._intrinsics.matrix[0, 0]) / abs(float(pose.centre_mm[2]))
        return JUMP_PX + JUMP_SIGMAS * pose.sigma_mm * px_per_mm

    def _shift_px(self, one: CameraPose, other: CameraPose) -> float:
        """By how much two poses place the corners of the work area differently, at most."""
        here = project(self._points, one, self._intrinsics)
        there = project(self._points, other, self._intrinsics)
        return float(np.linalg.norm(here - there, axis=1).max())


def average_pose(poses: "tuple[CameraPose, ...] | list[CameraPose]") -> CameraPose:
    """Average poses that differ little; those that are better known count more.

    The mean rotation is the one nearest to the mean of the matrices (Moakher 2002).
    """
    weights = np.array([1.0 / max(pose.sigma_mm, LEAST_SIGMA_MM) ** 2 for pose in poses])
    weights /= weights.sum()
    mean = np.einsum("i,ijk->jk", weights, np.array([pose.rotation for pose in poses]))
    left, _, right = np.linalg.svd(mean)
    shift = weights @ np.array([pose.translation_mm for pose in poses])
    best = max(poses, key=lambda pose: pose.markers)
    sigma = float(np.sqrt((weights**2) @ np.array([pose.sigma_mm**2 for pose in poses])))
    return replace(best, rotation=left @ right, translation_mm=shift, sigma_mm=sigma)
