"""What is left to explain in a frame when some tiles are known, and where it is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import NEIGHBOURS, Bools, Floats, Gray
from vision.background.background import SHRINK, Foreground
from vision.background.lamps import LightSource, like_shadow, shaded
from vision.geometry.boxes import EDGES, FACES, SIGNS, behind, faces_seen
from vision.geometry.camera_pose import View
from vision.geometry.markers import as_gray
from vision.geometry.mat import Mat
from vision.tuning.tuning import TUNING, Tuning
from vision.tuning.unmarked import ResidualTuning
from vision.unmarked.edge_fit import Roi

CORNERS = range(len(SIGNS))
SURFACE = np.array(
    [
        [(n in part) / len(part) for n in CORNERS]
        for part in (*((n,) for n in CORNERS), *EDGES, *FACES)
    ]
)
"""Points all over a body, of its corners: the corners, and the middles of edges and faces."""


@dataclass(frozen=True, slots=True, eq=False)
class Unexplained:
    """What the known tiles leave unexplained, at the size of the foreground.

    Attributes:
        worth: 0..255, how much there is to explain.
        hidden: 255 where a known tile is seen.
        faces: 255 where the upper face of one is seen.
        obstacles: corners of the known tiles.
        shade: 255 where their shadows explain what differs.
        lit: how the frame differs, and the lamps that cast them.
        tuning: see `Tuning`.
    """

    worth: Gray
    hidden: Gray
    faces: Gray
    obstacles: tuple[Floats, ...]
    shade: Gray
    lit: tuple[Foreground, tuple[LightSource, ...]]
    tuning: Tuning

    def spots(self, mask: Gray, points_mm: Floats, view: View) -> tuple[Bools, Bools]:
        """Say which places are in sight, hidden by no known tile, and at which of them a mask is.

        Args:
            mask: at the size of the foreground.
            points_mm: the places, shape (n, 3).
            view: the camera.
        """
        pixels = view.project(points_mm) / SHRINK
        columns, rows = np.round(pixels).astype(int).T
        high, wide = mask.shape
        free = (columns >= 0) & (rows >= 0) & (columns < wide) & (rows < high)
        columns, rows = np.clip(columns, 0, wide - 1), np.clip(rows, 0, high - 1)
        free &= self.hidden[rows, columns] == 0
        return free, free & (mask[rows, columns] > 0)

    def without(self, bodies: Sequence[Floats], view: View) -> "Unexplained":
        """Return what is left when more tiles are known."""
        if not len(bodies):
            return self
        hidden, faces = self.hidden.copy(), self.faces.copy()
        for points in np.round(view.project(np.stack(bodies)) / SHRINK).astype(np.int32):
            for mask, part in ((hidden, points), (faces, points[4:])):
                hull = cv2.convexHull(part)
                cv2.fillPoly(mask, [hull], (255,))
                cv2.polylines(mask, [hull], True, (255,), 2)
        shade = np.maximum(self.shade, shaded(*self.lit, bodies, view, tuning=self.tuning.lamps))
        share = self.tuning.residual.shade_worth_share
        dim = cv2.bitwise_not(cv2.convertScaleAbs(shade, alpha=1 - share))
        worth = np.asarray(cv2.min(cv2.subtract(self.worth, hidden), dim), dtype=np.uint8)
        return replace(
            self,
            worth=worth,
            hidden=hidden,
            faces=faces,
            obstacles=(*self.obstacles, *bodies),
            shade=shade,
        )


@dataclass(frozen=True, slots=True)
class Blob:
    """Where something is to explain.

    Attributes:
        roi: its bounds in full-size pixels.
        tiles: about how many tiles it may be.
        broad: whether it is so broad that a tile may lie or lean there.
    """

    roi: Roi
    tiles: int
    broad: bool


def crisp(
    foreground: Foreground, rest: Unexplained, tuning: ResidualTuning = TUNING.residual
) -> Gray:
    """The dark places whose outline is crisp: tiles may be there, and not only shadows."""
    known = cv2.max(rest.hidden, rest.shade)
    dark = np.asarray(cv2.subtract(foreground.deep, known), dtype=np.uint8)
    kept = np.zeros_like(dark)
    if not dark.any():
        return kept
    gray = as_gray(foreground.now)
    steep = np.asarray(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, NEIGHBOURS))
    away = cv2.dilate(rest.hidden, np.ones((tuning.away_px,) * 2, dtype=np.uint8)) == 0
    contours, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        if len(contour) < tuning.least_outline_px:
            continue
        columns, rows = np.asarray(contour).reshape(-1, 2).T
        free = away[rows, columns]
        if np.count_nonzero(free) < tuning.least_outline_px:
            continue
        level = max(float(np.median(gray[rows, columns])), tuning.least_level)
        crisp_there = steep[rows, columns][free] > tuning.crisp_share * level
        if np.mean(crisp_there) > tuning.least_crisp_share:
            cv2.drawContours(kept, [contour], 0, (255,), cv2.FILLED)
    return np.asarray(cv2.bitwise_and(kept, dark), dtype=np.uint8)


def unexplained(
    foreground: Foreground, lamps: Sequence[LightSource] = (), tuning: Tuning = TUNING
) -> Unexplained:
    """Return what is to explain while nothing is known.

    Where the table looks as it would in the shadow from a lamp, there may be nothing, however dark
    that shadow is.
    """
    share = tuning.residual.shadow_worth_share
    sure = foreground.strict
    for lamp in lamps:
        amounts = tuning.lamps.full_amounts
        full = like_shadow(foreground, lamp, foreground.strict, amounts, tuning=tuning.lamps)
        sure = np.asarray(cv2.subtract(sure, full), dtype=np.uint8)
    worth = cv2.max(sure, cv2.convertScaleAbs(foreground.loose, alpha=share))
    nothing = np.zeros_like(foreground.strict)
    lit = foreground, tuple(lamps)
    return Unexplained(
        np.asarray(worth, dtype=np.uint8), nothing, nothing, (), nothing, lit, tuning
    )


def places_in(
    seeds: Gray, rest: Unexplained, view: View, mat: Mat, tuning: ResidualTuning = TUNING.residual
) -> list[Blob]:
    """Find where to look."""
    seeds = np.asarray(cv2.subtract(seeds, cv2.max(rest.hidden, rest.shade)), dtype=np.uint8)
    if not seeds.any():
        return []
    corners = np.array([(x, y, 0.0) for x in mat.area_x_mm for y in mat.area_y_mm])
    hull = cv2.convexHull(view.project(corners).astype(np.float32) / SHRINK)
    inside = np.zeros_like(rest.worth)
    cv2.fillConvexPoly(inside, hull.astype(np.int32), (255,))
    seeds = np.asarray(cv2.bitwise_and(seeds, inside), dtype=np.uint8)
    if not seeds.any():
        return []
    grown = cv2.dilate(seeds, np.ones((tuning.grown_px,) * 2, dtype=np.uint8))
    mm2 = (view.scale_px_mm() / SHRINK) ** 2
    contours, _ = cv2.findContours(grown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    places = []
    for contour in contours:
        x, y, width, height = cv2.boundingRect(contour)
        shape = np.zeros((height, width), dtype=np.uint8)
        cv2.drawContours(shape, [contour], 0, (255,), cv2.FILLED, offset=(-x, -y))
        here = seeds[y : y + height, x : x + width]
        shape = np.asarray(cv2.bitwise_and(shape, here), dtype=np.uint8)
        own = cv2.countNonZero(shape)
        padded = cv2.copyMakeBorder(shape, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
        depth = float(np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, cv2.DIST_MASK_3)).max())
        depth_mm = depth / math.sqrt(mm2)
        if own > tuning.least_blob_mm2 * mm2 and depth_mm > tuning.least_depth_mm:
            roi = (x * SHRINK, y * SHRINK, (x + width) * SHRINK, (y + height) * SHRINK)
            tiles = math.ceil(own / mm2 / tuning.tile_mm2)
            places.append(Blob(roi, tiles, depth_mm > tuning.broad_mm))
    return places


def draw_edges(
    mask: Gray, bodies: Sequence[Floats], view: View, tuning: ResidualTuning = TUNING.residual
) -> None:
    """Mark where the edges of bodies show."""
    if not bodies:
        return
    corners = np.stack(bodies)
    places = np.round(view.project(corners) / SHRINK).astype(np.int32)
    for points, facing in zip(places, faces_seen(corners, view), strict=True):
        faces = [points[list(face)] for face, shown in zip(FACES, facing, strict=True) if shown]
        cv2.polylines(mask, faces, True, (255,), tuning.drawn_px)


def shares_of(
    rest: Unexplained, corners: Floats, view: View, tuning: ResidualTuning = TUNING.residual
) -> tuple[Floats, Floats]:
    """Say what is under the silhouettes of bodies.

    Returns:
        The mean worth there, parts where known tiles show aside, shape (n,); and how much of each
        no known tile hides, shape (n,), 0 where there is nothing to explain. One that stands behind
        a body hides nothing of it, but should not show there itself.
    """
    places = np.round(view.project(corners) / SHRINK).astype(np.int32)
    rows, columns = rest.worth.shape
    lows = np.maximum(places.min(axis=1), 0)
    highs = np.minimum(places.max(axis=1) + 1, (columns, rows))
    seen, shares = np.zeros(len(corners)), np.zeros(len(corners))
    shapes: dict[int, tuple[Gray, Gray]] = {}
    for n in np.flatnonzero((lows < highs).all(axis=1)).tolist():
        (left, top), (right, bottom) = lows[n].tolist(), highs[n].tolist()
        if not cv2.hasNonZero(rest.worth[top:bottom, left:right]):
            continue
        shape = np.zeros((bottom - top, right - left), dtype=np.uint8)
        cv2.fillConvexPoly(shape, cv2.convexHull(places[n] - lows[n]), (255,))
        free = cv2.subtract(shape, rest.hidden[top:bottom, left:right])
        seen[n] = cv2.countNonZero(free) / max(1, cv2.countNonZero(shape))
        shapes[n] = shape, np.asarray(free, dtype=np.uint8)
    ahead = _ahead(rest, corners, places, (seen >= tuning.least_alone_share) & (seen < 1), view)
    for n, (shape, free) in shapes.items():
        alone = shown = float(seen[n])
        if n in ahead:
            whole = max(1, cv2.countNonZero(shape))
            for hull in ahead[n]:
                cv2.fillConvexPoly(shape, hull - lows[n], (0,))
            shown = cv2.countNonZero(shape) / whole
        if shown >= tuning.least_shown_share:
            (left, top), (right, bottom) = lows[n].tolist(), highs[n].tolist()
            shares[n] = cv2.mean(rest.worth[top:bottom, left:right], free)[0] / 255
            seen[n] = shown - (shown - alone) * min(1.0, (1 - shares[n]) / tuning.shadowy_share)
    return shares, seen


def shares_in(where: Gray, rest: Unexplained, corners: Floats, view: View) -> Floats:
    """Say what share of each body lies in a mask, judged by points all over it.

    Args:
        where: the mask, at the size of the foreground.
        rest: tells which points known tiles hide; these do not count.
        corners: of the bodies, shape (n, 8, 3).
        view: the camera.

    Returns:
        0..1 for each; 0 for one that known tiles hide or that is out of the picture.
    """
    told = rest.spots(where, (SURFACE @ corners).reshape(-1, 3), view)
    free, there = (each.reshape(len(corners), len(SURFACE)).sum(axis=1) for each in told)
    return np.asarray(there / np.maximum(free, 1))


def _ahead(
    rest: Unexplained, corners: Floats, places: NDArray[np.int32], partly: Bools, view: View
) -> dict[int, list[NDArray[np.int32]]]:
    """Outlines of the known tiles that hide a body, of each that stands in front of another.

    Only those are looked at that show partly where known tiles show too.
    """
    if not rest.obstacles or not partly.any():
        return {}
    known = np.stack(rest.obstacles)
    theirs = np.round(view.project(known) / SHRINK).astype(np.int32)
    low, high = places.min(axis=1)[:, None], places.max(axis=1)[:, None]
    meet = ((theirs.max(axis=1) >= low) & (theirs.min(axis=1) <= high)).all(axis=2)
    meet &= partly[:, None]
    body, other = np.nonzero(meet)
    if not len(body):
        return {}
    hides = behind(SURFACE @ corners[body], known[other], view).any(axis=1)
    hulls = {k: cv2.convexHull(theirs[k])[:, 0] for k in np.unique(other[hides]).tolist()}
    ahead: dict[int, list[NDArray[np.int32]]] = {n: [] for n in body[~hides].tolist()}
    for n, k in zip(body[hides].tolist(), other[hides].tolist(), strict=True):
        if n in ahead:
            ahead[n].append(hulls[k])
    return ahead
