"""Tiles that were found but do not quite suit the picture, fitted again from other starts.

A box can lie with some of its edges on those of the tile and the others on a shadow, on a
neighbour, or with a lower edge on an upper one: turned by ten degrees, or shifted by the thickness
of a tile. Alone that looks well enough when it is taken. Once all tiles are known it shows: it
covers table where nothing differs, or leaves a part of the tile bare. Then it is begun anew all
round, and the best box is kept.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Gray, Image
from vision.geometry.boxes import Bodies, Lean, near
from vision.geometry.pose import project
from vision.geometry.view import View
from vision.unmarked.background import SHRINK, Foreground
from vision.unmarked.edge_fit import HOPELESS, NEAR_MM, BodyFit, Roi, around, find_edges, fit_bodies

SHIFTS_MM = (-8.0, -4.0, 0.0, 4.0, 8.0)
TURNS_RAD = tuple(math.radians(turn) for turn in (-16.0, -8.0, 8.0, 16.0))
TURNED_MM = (-5.0, 0.0, 5.0)
"""From where a body is begun anew: shifted along and across its heading; turned, shifted along."""
AROUND_MM = 25.0
"""So far round a body it is looked at what no tile explains."""
OVER, BARE = 0.3, 0.1
"""How much it counts against a body that it covers table, and that something beside it is bare, as
shares of what is seen of it; the latter little, for there a tile may be that was not found."""
STARTS = np.array(
    [(along, across, 0.0, 0.0) for along in SHIFTS_MM for across in SHIFTS_MM]
    + [(along, 0.0, turn, 0.0) for turn in TURNS_RAD for along in TURNED_MM]
)
DOUBTFUL = 0.9
"""Bodies whose edges show better than this are left alone."""
GAIN = 0.07
"""So much better a box must suit to be taken instead."""
LESS = (0.4, 0.25, 0.15, 0.15)
"""Its edges show by no more than this less well round by round, before it has come quite there."""
WELL_SHOWN, DOUBT_MM = 0.85, 10.0
"""Bodies whose edges show less are more uncertain, by so many mm if none did."""
OVERLAP_MM2 = 20.0
"""By so much more it may stand in others: all are uncertain."""


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """The surroundings of one body, at the size of the foreground.

    Attributes:
        left: its first column.
        top: its first row.
        differs: 255 where the frame may differ from the empty table.
        bare: 255 where it does and no other body explains it.
        others: 255 where other bodies are seen.
    """

    left: int
    top: int
    differs: Gray
    bare: Gray
    others: Gray

    def suits(self, fit: BodyFit, view: View) -> float:
        """Say how well a body suits the picture, at most 1."""
        shape = np.zeros_like(self.bare)
        _fill(shape, fit.corners, view, self.left, self.top)
        whole = max(1, cv2.countNonZero(shape))
        seen = cv2.subtract(shape, self.others)
        over = cv2.countNonZero(cv2.subtract(seen, self.differs)) / whole
        bare = cv2.countNonZero(cv2.subtract(self.bare, shape)) / whole
        return float(fit.edge.mean()) - OVER * over - BARE * bare


def fit_again(
    image: Image,
    foreground: Foreground,
    view: View,
    fits: Sequence[BodyFit],
    obstacles: Sequence[Floats],
) -> list[BodyFit]:
    """Return bodies that were found, those of them elsewhere that suit better there.

    Args:
        image: the frame, BGR.
        foreground: where it differs from the empty table.
        view: the camera.
        fits: of the bodies.
        obstacles: corners of known tiles, each shape (8, 3).
    """
    now = list(fits)
    for n, fit in enumerate(fits):
        others = [*obstacles, *(one.corners for k, one in enumerate(now) if k != n)]
        now[n] = _best(image, foreground, view, fit, others)
    return now


def doubt_mm(fit: BodyFit) -> float:
    """Say how much more uncertain the place of a body is because its edges do not all show."""
    shown = float(fit.edge.mean()) if len(fit.edge) else 0.0
    return DOUBT_MM * max(0.0, WELL_SHOWN - shown)


def _best(
    image: Image, foreground: Foreground, view: View, fit: BodyFit, others: Sequence[Floats]
) -> BodyFit:
    if fit.stance.lean is not Lean.NOT or (len(fit.edge) and fit.edge.mean() > DOUBTFUL):
        return fit
    roi = around(fit.corners, view, image, AROUND_MM * view.scale_px_mm())
    window = _window(foreground, roi, view, others)
    edges = find_edges(image, foreground, np.zeros_like(foreground.strict), [roi], view)
    start = Bodies([fit.stance], np.zeros(1, dtype=np.intp), fit.place[None])
    near_by = near(fit.corners[None], others, NEAR_MM)
    most_mm2 = _overlap_mm2(fit.corners, near_by) + OVERLAP_MM2
    now = window.suits(fit, view)
    hopeless = [max(HOPELESS, now + GAIN - less) for less in LESS]
    tries = fit_bodies(edges, start.joined(start.shifted(STARTS)), view, others, hopeless)
    most, best = now + GAIN, fit
    for one in tries:
        # No body suits better than its edges show: most need no closer look.
        if not len(one.edge) or one.edge.mean() <= most:
            continue
        if _overlap_mm2(one.corners, near_by) < most_mm2:
            suits = window.suits(one, view)
            if suits > most:
                most, best = suits, one
    return best


def _overlap_mm2(corners: Floats, others: Sequence[Floats]) -> float:
    """Say how much of the table under a body others stand on too."""
    own = corners[:4, :2].astype(np.float32)
    return sum(
        float(cv2.intersectConvexConvex(own, other[:4, :2].astype(np.float32))[0])
        for other in others
    )


def _window(foreground: Foreground, roi: Roi, view: View, others: Sequence[Floats]) -> _Window:
    left, top, right, bottom = (side // SHRINK for side in roi)
    here = np.s_[top:bottom, left:right]
    known = np.zeros(foreground.strict[here].shape, dtype=np.uint8)
    for corners in others:
        _fill(known, corners, view, left, top)
    rim = cv2.dilate(known, np.ones((3, 3), dtype=np.uint8))
    bare = np.asarray(cv2.subtract(foreground.strict[here], rim), dtype=np.uint8)
    return _Window(left, top, foreground.loose[here], bare, known)


def _fill(mask: Gray, corners: Floats, view: View, left: int, top: int) -> None:
    """Mark where a body is seen."""
    pixels = project(corners, view.pose, view.intrinsics) / SHRINK - (left, top)
    cv2.fillConvexPoly(mask, cv2.convexHull(np.round(pixels).astype(np.int32)), (255,))
