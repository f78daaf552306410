"""The frames of one fall, small and grey: when each tile began to move, and what went wrong.

Only frames in which something moved are kept, with the time of the frame before each.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.row.chain import Chain
from physics.row.tile import Tile
from vision.arrays import Floats, Gray
from vision.background.background import shrink
from vision.capture.camera import Frame
from vision.geometry.camera_pose import CameraPose, project
from vision.geometry.image_sampling import sample
from vision.geometry.lens import Intrinsics
from vision.geometry.markers import as_gray
from vision.tuning.look import FilmTuning
from vision.tuning.tuning import TUNING

LOST_S = 0.5
"""Frames are lost if the next one comes later than this."""


@dataclass(frozen=True, eq=False)
class Shot:
    """One frame in which something had moved.

    Attributes:
        time_s: when it was taken.
        since_s: when the frame before it was taken, in which nothing new had moved.
        small: the frame at half size, grey.
    """

    time_s: float
    since_s: float
    small: Gray


class Film:
    """What is kept of the frames from just before the push until rest.

    Args:
        lost_s: a longer time between two frames is a gap.
        tuning: see `FilmTuning`.
    """

    def __init__(self, lost_s: float = LOST_S, tuning: FilmTuning = TUNING.film) -> None:
        self._tuning = tuning
        self._lost_s = lost_s
        self.first: Frame | None = None
        self.last: Frame | None = None
        self._shots: list[Shot] = []
        self._quiet = 0
        self._repeated = False
        self._longest_s = 0.0

    def add(self, frame: Frame) -> None:
        """Take in one more frame; the very same one again says that nothing has changed."""
        self._repeated = frame is self.last
        if self._repeated or self.last is None:
            self._quiet += 1
            if self.last is None:
                self.first = self.last = frame
                small = shrink(as_gray(frame.image))
                self._shots.append(Shot(frame.time_s, frame.time_s, small))
            return
        small = shrink(as_gray(frame.image))
        if _stirred(self._shots[-1].small, small, self._tuning):
            # A gap matters only while the row moves, or just before it was seen to.
            if self.last is not self.first:  # that one may be from long before the push
                self._longest_s = max(self._longest_s, frame.time_s - self.last.time_s)
            self._quiet = 0
            self._shots.append(Shot(frame.time_s, self.last.time_s, small))
            if len(self._shots) > self._tuning.most_frames:
                self._shots = _thinned(self._shots)
        else:
            self._quiet += 1
        self.last = frame

    @property
    def at_rest(self) -> bool:
        """Whether nothing has moved for a while."""
        if self.last is None or self._quiet < self._tuning.rest_looks:
            return False
        return self._repeated or self.last.time_s - self._shots[-1].time_s >= self._tuning.rest_s

    @property
    def lost_s(self) -> float:
        """The longest gap between two frames while something moved; 0 if none is too long."""
        return self._longest_s if self._longest_s > self._lost_s else 0.0

    def begin_s(self, tile: Tile, pose: CameraPose, lens: Intrinsics) -> tuple[float, float] | None:
        """When the upper edge of a tile left its place for good, and how far that may be off.

        Between the two frames that show it in place and moved, the moment is taken where the share
        of its edge that has changed would have passed the bound.
        """
        begun: tuple[float, float] | None = None
        before = 0.0
        for shot, share in zip(self._shots[1:], self._changed(tile, pose, lens), strict=True):
            if share < self._tuning.begun_share:
                begun = None
            elif begun is None:
                wide_s = shot.time_s - shot.since_s
                passed = (self._tuning.begun_share - before) / (share - before)
                begun = (shot.since_s + passed * wide_s, wide_s / 2)
            before = share
        if begun is not None and 2 * begun[1] > self._lost_s:
            return None  # nobody saw when
        return begun

    def stirred(self, tile: Tile, pose: CameraPose, lens: Intrinsics) -> bool:
        """Whether the upper edge of a tile ever left its place, be it only for a moment."""
        shares = self._changed(tile, pose, lens)
        return any(share >= self._tuning.stirred_share for share in shares)

    def _changed(self, tile: Tile, pose: CameraPose, lens: Intrinsics) -> Iterator[float]:
        """Say how much of the upper edge of a tile has changed in each shot since the first."""
        spots = (project(top_mm(tile, tuning=self._tuning), pose, lens) - 0.5) / 2
        still = sample(self._shots[0].small, spots)
        for shot in self._shots[1:]:
            away = np.abs(sample(shot.small, spots) - still)
            yield float((away > self._tuning.change_levels).mean())

    @property
    def stirred_s(self) -> float | None:
        """When something was last seen to move, None if nothing ever was."""
        return self._shots[-1].time_s if len(self._shots) > 1 else None

    def disturbed(self, chain: Chain, pose: CameraPose, lens: Intrinsics) -> bool:
        """Whether something as large as a hand was beside the row while it fell."""
        shots = self._shots[1 :: max(1, len(self._shots) // self._tuning.hand_frames)]
        if not shots or not chain.tiles:
            return False
        first = self._shots[0].small
        free = np.full(first.shape, 255, np.uint8)
        for x_mm, y_mm, reach_mm in _reaches(chain, self._tuning):
            cv2.fillConvexPoly(free, _disc_px(x_mm, y_mm, reach_mm, pose, lens, self._tuning), 0)
        least = self._tuning.hand_mm2 * _points_per_mm2(chain, pose, lens, self._tuning)
        level = max(1.0, float(np.median(first)))
        for shot in shots:
            gain = level / max(1.0, float(np.median(shot.small)))
            even = cv2.convertScaleAbs(shot.small, alpha=gain)
            other = cv2.threshold(
                cv2.absdiff(first, even), self._tuning.hand_levels, 255, cv2.THRESH_BINARY
            )[1]
            beside = cv2.bitwise_and(np.asarray(other, np.uint8), free)
            stats = cv2.connectedComponentsWithStats(beside)[2]
            if len(stats) > 1 and stats[1:, cv2.CC_STAT_AREA].max() >= least:
                return True
        return False


def _thinned(shots: Sequence[Shot]) -> list[Shot]:
    kept = list(shots[::2])
    later = (replace(two, since_s=one.time_s) for one, two in pairwise(kept))
    return [kept[0], *later]


def _reaches(chain: Chain, tuning: FilmTuning) -> list[tuple[float, float, float]]:
    """Where tiles and pusher may be while the row falls: middles and radii of discs, in mm."""
    discs = [
        (tile.pose.x_mm, tile.pose.y_mm, tuning.reach_lengths * tile.spec.length_mm)
        for tile in chain.tiles
    ]
    x, y = chain.tiles[0].pose.to_table(-tuning.pusher_mm / 2, 0.0)
    return [*discs, (x, y, tuning.pusher_mm / 2 + tuning.pusher_room_mm)]


def _disc_px(
    x_mm: float,
    y_mm: float,
    radius_mm: float,
    pose: CameraPose,
    lens: Intrinsics,
    tuning: FilmTuning,
) -> NDArray[np.int32]:
    turns = np.linspace(0, math.tau, tuning.disc_points, endpoint=False)
    ring = np.column_stack(
        [x_mm + radius_mm * np.cos(turns), y_mm + radius_mm * np.sin(turns), np.zeros_like(turns)]
    )
    return np.round(project(ring, pose, lens) / 2).astype(np.int32)


def _points_per_mm2(chain: Chain, pose: CameraPose, lens: Intrinsics, tuning: FilmTuning) -> float:
    """Points of the half-size picture for each square millimetre of the table at the row."""
    tile = chain.tiles[len(chain.tiles) // 2]
    disc = _disc_px(tile.pose.x_mm, tile.pose.y_mm, tuning.scale_mm, pose, lens, tuning)
    return float(cv2.contourArea(disc)) / (math.pi * tuning.scale_mm**2)


def top_mm(tile: Tile, tuning: FilmTuning = TUNING.film) -> Floats:
    """Points spread over the upper edge of a tile, row by row along it, shape (n, 3)."""
    prints = tile.footprint
    along = np.linspace(-0.5, 0.5, tuning.top_rows) * (prints.depth_mm - tuning.rim_mm)
    across = np.linspace(-0.5, 0.5, round(prints.width_mm)) * (prints.width_mm - tuning.rim_mm)
    spots = [tile.pose.to_table(a, c) for a in along for c in across]
    return np.array([(x, y, tile.height_mm) for x, y in spots])


def from_first(begun: Sequence[tuple[float, float] | None]) -> tuple[float | None, ...]:
    """Times counted from the first; no tile begins before the one that struck it."""
    start_s = min((one[0] for one in begun if one is not None), default=0.0)
    latest_s = 0.0
    times: list[float | None] = []
    for one in begun:
        if one is not None:
            latest_s = max(latest_s, one[0] - start_s)
        times.append(None if one is None else latest_s)
    return tuple(times)


def _stirred(one: Gray, other: Gray, tuning: FilmTuning) -> bool:
    moved = cv2.threshold(cv2.absdiff(one, other), tuning.stir_levels, 255, cv2.THRESH_BINARY)[1]
    return int(cv2.countNonZero(moved)) >= tuning.stir_points
