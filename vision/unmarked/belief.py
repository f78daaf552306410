"""How likely a box is to be a tile, judged by everything that is seen of it.

Patterns and shadows have edges as tiles have, and a phone is of one colour, too: no sign by itself
tells a tile from everything else. So a logistic model weighs all of them against each other. Its
weights were fitted to boxes of which it is known whether a tile is there; see `BeliefTuning`.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Floats, Gray
from vision.background.background import SHRINK
from vision.background.lamps import cast_shares, shadows_on_tops
from vision.geometry.boxes import Lean
from vision.geometry.camera_pose import View
from vision.tuning.tuning import TUNING, Tuning
from vision.tuning.unmarked import BeliefTuning, Signs
from vision.unmarked.edge_fit import BodyFit
from vision.unmarked.residual import Unexplained

SIDES = np.array([[(0, 1), (1, 2), (2, 3), (3, 0)], [(4, 5), (5, 6), (6, 7), (7, 4)]])
"""The corners of a box at the ends of each side's foot, and of its upper edge: ahead, to the left,
behind, to the right. See `Box.corners`."""


def chance(signs: Signs, tuning: BeliefTuning = TUNING.belief) -> float:
    """Say how likely it is that a tile is there, 0..1.

    Args:
        signs: what is seen of a box there.
        tuning: see `BeliefTuning`.
    """
    amid = (
        signs.round_it > tuning.amid_share
        and signs.far >= tuning.amid_far
        and signs.faint > tuning.amid_faint
    )
    if amid or (signs.lies and signs.faint > tuning.most_faint_lying):
        return 0.0
    offset, weights = tuning.offset, tuning.weights
    if tuning.standing is not None and not signs.lies:
        offset, weights = tuning.standing
    if not signs.lies and signs.no_shadow <= tuning.only_shadow_share:
        offset -= tuning.only_shadow_doubt
    return 1 / (1 + math.exp(-offset - float(np.dot(signs, weights))))


def goes_on(
    fit: BodyFit, rest: Unexplained, view: View, tuning: BeliefTuning = TUNING.belief
) -> bool:
    """Say whether a box that lies or leans is only part of something longer, such as a key.

    Beyond one of its sides the picture then differs from the empty table as well, that side shows
    no edge, and a little farther nothing differs any more: tiles of one colour that fell onto each
    other may show no edge either, but they reach farther.
    """
    if fit.stance.orientation is not None:
        return False
    ends = fit.corners[SIDES]
    beyond = _differs_beyond(fit, ends, tuning.beyond_mm, rest, view, tuning)
    longer = beyond.min(axis=0) >= tuning.least_beyond_share
    if not longer.any():
        return False
    over = _differs_beyond(fit, ends, tuning.over_mm, rest, view, tuning).max(axis=0)
    return any(
        _shown(fit, ends[:, side], view, tuning) < tuning.least_side_edge
        for side in np.flatnonzero(longer & (over < tuning.least_over_share)).tolist()
    )


def _differs_beyond(
    fit: BodyFit,
    ends: Floats,
    steps_mm: Sequence[float],
    rest: Unexplained,
    view: View,
    tuning: BeliefTuning,
) -> Floats:
    """Say how much of what is seen beyond the sides of a box differs from the empty table, 0..1.

    Args:
        fit: of the box.
        ends: of each side's foot and of its upper edge, mm, shape (2, sides, 2, 3): the foot may
            be behind the box.
        steps_mm: how far beyond the sides.
        rest: what the known tiles leave to explain.
        view: the camera.
        tuning: see `BeliefTuning`.

    Returns:
        Shape (2, sides).
    """
    middle, half = ends.mean(axis=2), (ends[:, :, 1] - ends[:, :, 0]) / 2
    way = fit.place[2] + np.arange(ends.shape[1]) * math.pi / 2
    out = np.stack([np.cos(way), np.sin(way), np.zeros(len(way))], axis=1)
    shares = np.linspace(-1, 1, tuning.beyond_points)[:, None] * tuning.beyond_share
    # Of shape (foot and upper edge, sides, steps, points, 3).
    points = middle[:, :, None, None] + half[:, :, None, None] * shares
    points = points + out[:, None, None] * np.array(steps_mm)[:, None, None]
    told = rest.spots(rest.lit[0].strict, points.reshape(-1, 3), view)
    free, differs = (each.reshape(*ends.shape[:2], -1).sum(axis=2) for each in told)
    return np.asarray(differs / np.maximum(free, tuning.least_beyond_points))


def _shown(fit: BodyFit, ends: Floats, view: View, tuning: BeliefTuning) -> float:
    """Say how well edges of a box show, 0..1: the clearest counts, and 1 where none is in sight.

    Args:
        fit: of the box.
        ends: of the edges, mm, shape (edges, 2, 3).
        view: the camera.
        tuning: see `BeliefTuning`.
    """
    seen = view.project(ends)
    first, along = seen[:, 0], seen[:, 1] - seen[:, 0]
    length = np.maximum(np.hypot(*along.T), 1e-9)
    unit = along / length[:, None]
    off = fit.pixels[:, None] - first
    share = (off * unit).sum(axis=2) / length
    aside = np.abs(off[..., 0] * unit[:, 1] - off[..., 1] * unit[:, 0])
    room = tuning.side_end_share
    own = (share > room) & (share < 1 - room) & (aside < tuning.side_px)
    edges = [fit.edge[one].mean() for one in own.T if np.count_nonzero(one) >= tuning.side_points]
    return float(max(edges, default=1.0))


def _faint(fit: BodyFit, tuning: BeliefTuning) -> float:
    """Say what share of the edges of a box is faint."""
    if not len(fit.edge):
        return 1.0
    return np.count_nonzero(fit.edge < tuning.faint_share) / len(fit.edge)


def signs_of(
    fits: Sequence[BodyFit],
    edges: Sequence[float],
    seen: Sequence[float],
    rest: Unexplained,
    view: View,
    tuning: Tuning = TUNING,
) -> list[Signs]:
    """Return what speaks for a tile in each of some places, and against it.

    Args:
        fits: of boxes to the edges of the image.
        edges: of each, how well those of its edges show that are not another tile's too, 0..1.
        seen: how much of each no known tile hides, 0..1.
        rest: what the known tiles leave to explain.
        view: the camera.
        tuning: see `Tuning`.
    """
    if not fits:
        return []
    foreground, lamps = rest.lit
    corners = np.stack([fit.corners for fit in fits])
    pixels = view.project(corners) / SHRINK
    shadows = shadows_on_tops(lamps, corners, rest.obstacles, view, tuning=tuning.lamps)
    windows = [
        _Window(outline, on_top / SHRINK, rest, tuning.belief)
        for outline, on_top in zip(pixels, shadows, strict=True)
    ]
    casts = cast_shares(foreground, lamps, corners, rest.obstacles, view, tuning=tuning.lamps)
    misfits, far = _beside(fits, rest.obstacles, tuning.belief)
    found = []
    for n, (fit, window, cast) in enumerate(zip(fits, windows, casts, strict=True)):
        alike, bright, stands_out, uneven, table_uneven = window.colours()
        found.append(
            Signs(
                edge=edges[n],
                faint=_faint(fit, tuning.belief),
                off_mm=fit.miss_mm,
                in_sight=seen[n],
                lies=float(fit.stance.orientation is None),
                leans=float(fit.stance.lean is not Lean.NOT),
                differs=window.share(window.differs, window.body),
                no_shadow=window.share(window.no_shadow, window.body),
                round_it=window.share(window.no_shadow, window.ring),
                shadows=tuning.belief.usual_cast_share if cast is None else cast,
                shadows_unknown=float(cast is None),
                alike=alike,
                bright=bright,
                stands_out=stands_out,
                uneven=uneven,
                table_uneven=table_uneven,
                misfit=float(misfits[n]),
                far=float(far[n]),
            )
        )
    return found


def _beside(
    fits: Sequence[BodyFit], others: Sequence[Floats], tuning: BeliefTuning
) -> tuple[Floats, Floats]:
    """Say how far boxes stand out of the row of known tiles, and how far they are from all of them.

    Args:
        fits: of the boxes.
        others: corners of known tiles, each shape (8, 3).
        tuning: see `BeliefTuning`.

    Returns:
        How badly each suits the best neighbour that stands, 0 for not at all and at most
        `most_misfit`; and its distance from the nearest tile, as a share of `far_mm`, at most 1.
    """
    if not others:
        return np.full(len(fits), tuning.most_misfit), np.ones(len(fits))
    places = np.stack([fit.place for fit in fits])
    corners = np.stack(others)
    away = corners.mean(axis=1)[:, :2] - places[:, None, :2]
    apart = np.hypot(away[..., 0], away[..., 1])
    ahead = corners[:, :2, :2].mean(axis=1) - corners[:, 2:4, :2].mean(axis=1)
    heading = np.arctan2(ahead[:, 1], ahead[:, 0])
    turned = np.remainder(heading - places[:, 2:3] + math.pi / 2, math.pi) - math.pi / 2
    middle = places[:, 2:3] + turned / 2
    along = np.abs(away[..., 0] * np.cos(middle) + away[..., 1] * np.sin(middle))
    aside = away[..., 1] * np.cos(middle) - away[..., 0] * np.sin(middle)
    misfit = np.sqrt(
        ((along - tuning.pitch_mm) / tuning.pitch_sigma_mm) ** 2
        + (aside / tuning.aside_sigma_mm) ** 2
        + (turned / tuning.turned_sigma_rad) ** 2
    )
    # What stands is higher than deep.
    stands = corners[:, 4:, 2].min(axis=1) > np.hypot(*ahead.T)
    upright = np.array([fit.stance.orientation is not None for fit in fits])
    suits = upright[:, None] & stands & (apart > tuning.itself_mm)
    misfit = np.where(suits, misfit, tuning.most_misfit).min(axis=1)
    return (
        np.minimum(misfit, tuning.most_misfit),
        np.minimum(apart.min(axis=1) / tuning.far_mm, 1.0),
    )


class _Window:
    """The part of the foreground where a box is seen.

    Attributes:
        body: where it is seen and no known tile is.
        ring: close round it, where no known tile is.
        differs: what differs from the empty table.
        no_shadow: what cannot be a shadow, and is in no known tile's shadow.
    """

    def __init__(
        self, outline: Floats, shadows: Floats, rest: Unexplained, tuning: BeliefTuning
    ) -> None:
        """Look at a box.

        Args:
            outline: its corners in the foreground, px, shape (8, 2).
            shadows: corners of the shadows of known tiles on its upper face, px, shape (n, 8, 2).
            rest: what the known tiles leave to explain.
            tuning: see `BeliefTuning`.
        """
        self._tuning = tuning
        self._foreground = rest.lit[0]
        limits = np.array(rest.hidden.shape[::-1])
        far = tuning.ring_px
        low = np.clip(np.floor(outline.min(axis=0)) - far, 0, limits - 1).astype(int)
        high = np.clip(np.ceil(outline.max(axis=0)) + far + 1, low + 1, limits).astype(int)
        self._here = np.s_[low[1] : high[1], low[0] : high[0]]
        points = np.round(outline - low).astype(np.int32)
        size = (int(high[1] - low[1]), int(high[0] - low[0]))
        whole, top = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
        cv2.fillConvexPoly(whole, cv2.convexHull(points), (1,))
        cv2.fillConvexPoly(top, cv2.convexHull(points[4:]), (1,))
        free = rest.hidden[self._here] == 0
        self.body = (whole > 0) & free
        near, rim = (cv2.dilate(whole, _square(px)) > 0 for px in (tuning.rim_px, far))
        self.ring = np.asarray(rim & ~near & free)
        self.differs = self._foreground.loose[self._here] > 0
        self.no_shadow = (self._foreground.strict[self._here] > 0) & (rest.shade[self._here] == 0)
        core = (cv2.erode(top, _square(1)) > 0) & free
        self._parts = self._lit_alike(core, np.round(shadows - low).astype(np.int32))

    def _lit_alike(self, core: Bools, shadows: NDArray[np.int32]) -> list[Bools]:
        """Part the upper face into what is in the light and what is in shadows, without edges."""
        parts = [core]
        if len(shadows):
            shade = np.zeros(core.shape, np.uint8)
            for corners in shadows:
                cv2.fillConvexPoly(shade, cv2.convexHull(corners), (1,))
            edge = _square(self._tuning.shadow_edge_px)
            parts = [core & (cv2.dilate(shade, edge) == 0), core & (cv2.erode(shade, edge) > 0)]
        least = self._tuning.least_px
        return [part for part in parts if np.count_nonzero(part) >= least]

    def share(self, mask: Bools, where: Bools) -> float:
        """Say of what share of the pixels there a mask holds; nothing is known of none."""
        inside = mask[where]
        return np.count_nonzero(inside) / len(inside) if len(inside) else 0.0

    def _seen(self, planes: Sequence[Gray], where: Bools) -> Floats:
        return np.array([plane[self._here][where] for plane in planes], dtype=np.float64)

    def colours(self) -> tuple[float, float, float, float, float]:
        """Say what the upper face looks like, beside the empty table and what is round it.

        Returns:
            How alike its pattern is to the table's, as far as that has one; how bright it is, as
            the logarithm of its share of the table's brightness; by how much it stands out from
            what is round it; and how uneven it is, and the table there.
        """
        tuning = self._tuning
        if not self._parts:
            return tuning.usual_colours
        now, empty = self._foreground.soft, self._foreground.empty
        faces = [(self._seen(now, part), self._seen(empty, part)) for part in self._parts]
        plain, bare = (
            np.concatenate([(one - one.mean(axis=1, keepdims=True)).ravel() for one in each])
            for each in zip(*faces, strict=True)
        )
        uneven, grain = (math.sqrt(float(one @ one) / one.size) for one in (plain, bare))
        alike = float(plain @ bare) / plain.size / max(uneven * grain, 1e-6)
        face, under = faces[0]
        bright = float(np.mean((face + tuning.floor_levels) / (under + tuning.floor_levels)))
        about = self._seen(now, self.ring)
        apart = 0.0
        if about.size:
            apart = float(np.abs(face.mean(axis=1) - about.mean(axis=1)).max())
        return (
            alike * min(grain / tuning.full_grain_levels, 1.0),
            max(math.log(bright), tuning.least_bright),
            math.log1p(apart),
            math.log1p(uneven),
            math.log1p(grain),
        )


def _square(reach_px: int) -> Gray:
    return np.ones((2 * reach_px + 1,) * 2, np.uint8)
