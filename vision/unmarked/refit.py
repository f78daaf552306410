"""Fit tiles again, from other starts, that were found but do not quite suit the picture.

Some edges of a box may lie on those of its tile, and others on a shadow, on a neighbour, or a lower
edge on an upper one. Then it is turned by ten degrees or shifted by the thickness of a tile. By
itself that looks good enough to be taken. Once all tiles are known it shows: the box covers table
where nothing differs, or leaves a part of the tile bare. Then it is begun anew from all round, and
the best box is kept.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from vision.arrays import NEIGHBOURS, Floats, Gray, Image
from vision.background.background import SHRINK, Foreground
from vision.geometry.boxes import Bodies, Lean, near
from vision.geometry.camera_pose import project
from vision.geometry.camera_view import View
from vision.tuning.tuning import TUNING, Tuning
from vision.tuning.unmarked import RefitTuning
from vision.unmarked.edge_fit import BodyFit, Roi, around, find_edges, fit_bodies


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """The surroundings of one body, at the size of the foreground.

    Attributes:
        left: its first column.
        top: its first row.
        differs: 255 where the frame may differ from the empty table.
        bare: 255 where it does and no other body explains it.
        others: 255 where other bodies are seen.
        tuning: see `RefitTuning`.
    """

    left: int
    top: int
    differs: Gray
    bare: Gray
    others: Gray
    tuning: RefitTuning

    def suits(self, fit: BodyFit, view: View) -> float:
        """Say how well a body suits the picture, at most 1."""
        shape = np.zeros_like(self.bare)
        _fill(shape, fit.corners, view, self.left, self.top)
        whole = max(1, cv2.countNonZero(shape))
        seen = cv2.subtract(shape, self.others)
        over = cv2.countNonZero(cv2.subtract(seen, self.differs)) / whole
        bare = cv2.countNonZero(cv2.subtract(self.bare, shape)) / whole
        return (
            float(fit.edge.mean()) - self.tuning.over_weight * over - self.tuning.bare_weight * bare
        )


def fit_again(
    image: Image,
    foreground: Foreground,
    view: View,
    fits: Sequence[BodyFit],
    obstacles: Sequence[Floats],
    tuning: Tuning = TUNING,
) -> list[BodyFit]:
    """Return bodies that were found, those of them elsewhere that suit better there.

    Args:
        image: the frame, BGR.
        foreground: where it differs from the empty table.
        view: the camera.
        fits: of the bodies.
        obstacles: corners of known tiles, each shape (8, 3).
        tuning: see `Tuning`.
    """
    now = list(fits)
    for n, fit in enumerate(fits):
        others = [*obstacles, *(one.corners for k, one in enumerate(now) if k != n)]
        now[n] = _best(image, foreground, view, fit, others, tuning)
    return now


def doubt_mm(fit: BodyFit, tuning: RefitTuning = TUNING.refit) -> float:
    """Say how much more uncertain the place of a body is, for what does not show and for rivals.

    Args:
        fit: of the body.
        tuning: see `RefitTuning`.
    """
    shown = float(fit.edge.mean()) if len(fit.edge) else 0.0
    unseen_mm = tuning.doubt_mm * max(0.0, tuning.well_shown_share - shown)
    return math.hypot(unseen_mm, tuning.rival_weight * fit.rival_mm)


def _best(
    image: Image,
    foreground: Foreground,
    view: View,
    fit: BodyFit,
    others: Sequence[Floats],
    tuning: Tuning,
) -> BodyFit:
    if fit.stance.lean is not Lean.NOT or (
        len(fit.edge) and fit.edge.mean() > tuning.refit.doubtful_share
    ):
        return fit
    roi = around(fit.corners, view, image, tuning.refit.around_mm * view.scale_px_mm())
    window = _window(foreground, roi, view, others, tuning.refit)
    edges = find_edges(
        image, foreground, np.zeros_like(foreground.strict), [roi], view, tuning=tuning.edge_fit
    )
    start = Bodies([fit.stance], np.zeros(1, dtype=np.intp), fit.place[None])
    near_by = near(fit.corners[None], others, tuning.edge_fit.near_mm)
    most_mm2 = _overlap_mm2(fit.corners, near_by) + tuning.refit.overlap_mm2
    now = window.suits(fit, view)
    hopeless = [
        max(tuning.edge_fit.hopeless_share, now + tuning.refit.gain - less)
        for less in tuning.refit.less_shares
    ]
    tries = fit_bodies(
        edges,
        start.joined(start.shifted(_starts(tuning.refit))),
        view,
        others,
        hopeless,
        tuning=tuning.edge_fit,
    )
    most, best = now + tuning.refit.gain, fit
    for one in tries:
        # No body suits better than its edges show: most need no closer look.
        if not len(one.edge) or one.edge.mean() <= most:
            continue
        if _overlap_mm2(one.corners, near_by) < most_mm2:
            suits = window.suits(one, view)
            if suits > most:
                most, best = suits, replace(one, rival_mm=fit.rival_mm)
    return best


@lru_cache(maxsize=4)
def _starts(tuning: RefitTuning) -> Floats:
    """From where a body is begun anew: see `Bodies.shifted`."""
    return np.array(
        [(along, across, 0.0, 0.0) for along in tuning.shifts_mm for across in tuning.shifts_mm]
        + [
            (along, 0.0, turn, 0.0)
            for turn in tuning.turns_rad
            for along in tuning.turned_shifts_mm
        ]
    )


def _overlap_mm2(corners: Floats, others: Sequence[Floats]) -> float:
    """Say how much of the table under a body others stand on too."""
    own = corners[:4, :2].astype(np.float32)
    return sum(
        float(cv2.intersectConvexConvex(own, other[:4, :2].astype(np.float32))[0])
        for other in others
    )


def _window(
    foreground: Foreground, roi: Roi, view: View, others: Sequence[Floats], tuning: RefitTuning
) -> _Window:
    left, top, right, bottom = (side // SHRINK for side in roi)
    here = np.s_[top:bottom, left:right]
    known = np.zeros(foreground.strict[here].shape, dtype=np.uint8)
    for corners in others:
        _fill(known, corners, view, left, top)
    rim = cv2.dilate(known, NEIGHBOURS)
    bare = np.asarray(cv2.subtract(foreground.strict[here], rim), dtype=np.uint8)
    return _Window(left, top, foreground.loose[here], bare, known, tuning=tuning)


def _fill(mask: Gray, corners: Floats, view: View, left: int, top: int) -> None:
    """Mark where a body is seen."""
    pixels = project(corners, view.pose, view.intrinsics) / SHRINK - (left, top)
    cv2.fillConvexPoly(mask, cv2.convexHull(np.round(pixels).astype(np.int32)), (255,))
