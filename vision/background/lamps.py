"""Lamps, from the shadows of tiles that are known; and what their shadows explain.

A marked tile is a box whose place is known. Where the table about it is darker than it was, the
darkness tells from where light comes. With the lamp known, so is the shadow of every other tile: a
place in it that is darker by as much as that shadow is no evidence for a tile.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import NEIGHBOURS, Bools, Floats, Floats32, Gray
from vision.background.background import SHRINK, Foreground
from vision.geometry.camera_pose import View
from vision.geometry.image_sampling import sample
from vision.geometry.mat import Mat
from vision.tuning.tuning import TUNING
from vision.tuning.unmarked import LampTuning


@dataclass(frozen=True, slots=True, eq=False)
class LightSource:
    """A light over the table.

    Attributes:
        x_mm: where it is, in table coordinates.
        y_mm: the same.
        height_mm: how high; the sun is very far.
        kept: what its shadow leaves of the light, blue, green and red, each 0..1.
    """

    x_mm: float
    y_mm: float
    height_mm: float
    kept: Floats

    def fallen_mm(self, bodies: Floats) -> Floats32:
        """Return where the shadows of the corners of bodies are, mm, shape (n, 8, 2)."""
        return _fallen_mm(bodies, np.array([self.x_mm, self.y_mm, self.height_mm]))


def _fallen_mm(bodies: Floats, lamps_mm: Floats) -> Floats32:
    """Return where the shadows of corners are, mm; bodies and lamps are broadcast together."""
    height = bodies[..., 2:]
    away = bodies[..., :2] - lamps_mm[..., :2]
    fallen = bodies[..., :2] + height / (lamps_mm[..., 2:] - height) * away
    return np.asarray(fallen, dtype=np.float32)


def _at_height(fallen_mm: Floats32, heights_mm: Floats | float = 0.0) -> Floats:
    """Add to places of shadows, shape (..., 2), the height they fall at: shape (..., 3)."""
    z = np.broadcast_to(heights_mm, fallen_mm.shape[:-1])[..., None]
    return np.concatenate([fallen_mm, z], axis=-1, dtype=np.float64)


def _close(bodies: Floats, others: Floats, tuning: LampTuning) -> Bools:
    """Say which of other bodies are so near that shadows may meet, shape (bodies, others)."""
    middles, theirs = (each[..., :2].mean(axis=1) for each in (bodies, others))
    apart_mm = np.hypot(*(middles[:, None] - theirs).transpose(2, 0, 1))
    return np.asarray(apart_mm < tuning.reach_mm)


def _fill(mask: Gray, corners: NDArray[np.int32], level: int) -> None:
    """Draw the outlines of bodies or shadows, whose corners have the shape (n, 8, 2)."""
    for points in corners:
        cv2.fillConvexPoly(mask, cv2.convexHull(points), (level,))


class LampWatch:
    """Knows the lamps over a table from look to look.

    They are looked for anew only when those that are known explain less than before: a lamp is
    switched on or moved far less often than a tile.
    """

    def __init__(self, mat: Mat, tuning: LampTuning = TUNING.lamps) -> None:
        self._mat = mat
        self._tuning = tuning
        self._from_above: tuple[Floats, Floats] | None = None
        self._bodies = 0
        self.lamps: tuple[LightSource, ...] = ()

    def see(self, foreground: Foreground, bodies: Sequence[Floats], view: View) -> None:
        """Learn the lamps from what is dark about bodies.

        Args:
            foreground: where the frame differs from the empty table, and how.
            bodies: corners of tiles that are known to stand, mm, each of shape (8, 3); with few
                of them the lamps stay as they are.
            view: the camera.
        """
        if len(bodies) < self._tuning.least_bodies:
            return
        more = len(bodies) > self._bodies
        self._bodies = len(bodies)
        if not self.lamps and not more:
            return
        table = _Table(foreground, np.stack(bodies), view, self._map(view), self._mat, self._tuning)
        if self.lamps and table.agree(self.lamps):
            return
        lamps: list[LightSource] = []
        while len(lamps) < self._tuning.most_lamps:
            lamp = table.next_lamp()
            if lamp is None:
                break
            lamps.append(lamp)
        self.lamps = tuple(lamps)

    def _map(self, view: View) -> Floats:
        """Return where in the foreground each square of the table is seen, shape (m, n, 2).

        From one look to the next the camera hardly moves: the last answer does.
        """
        mat, cell = self._mat, self._tuning.cell_mm
        corners = np.array([(x, y, 0.0) for x in mat.area_x_mm for y in mat.area_y_mm])
        here = view.project(corners) / SHRINK
        if self._from_above is not None:
            there, squares_px = self._from_above
            if float(np.abs(here - there).max()) < self._tuning.same_px:
                return squares_px
        x, y = np.meshgrid(np.arange(*mat.area_x_mm, cell), np.arange(*mat.area_y_mm, cell))
        points = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)]).T
        squares_px = (view.project(points) / SHRINK).reshape(*x.shape, 2)
        self._from_above = here, squares_px
        return squares_px


class _Table:
    """How dark the table about bodies is, seen from straight above, and what explains it."""

    def __init__(
        self,
        foreground: Foreground,
        bodies: Floats,
        view: View,
        squares_px: Floats,
        mat: Mat,
        tuning: LampTuning,
    ) -> None:
        self._tuning = tuning
        self._bodies = bodies
        self._middle_mm: tuple[float, float] = tuple(bodies[..., :2].mean(axis=(0, 1)).tolist())
        self._origin_mm = np.array([mat.area_x_mm[0], mat.area_y_mm[0]])
        near = np.zeros(squares_px.shape[:2], np.uint8)
        for body in bodies:
            x, y = self._squares(body[:, :2].mean(axis=0)).tolist()
            cv2.circle(near, (x, y), round(tuning.reach_mm / tuning.cell_mm), (1,), -1)
        # No other squares are judged, so no others need be looked at.
        left, top, wide, high = cv2.boundingRect(near)
        self._box = np.s_[top : top + max(1, high), left : left + max(1, wide)]
        self._shape = near.shape
        squares_px = squares_px[self._box]
        now, empty = (
            sample(cv2.merge(planes), squares_px) + tuning.floor_levels
            for planes in (foreground.soft, foreground.empty)
        )
        self._share = now / empty
        colours = cv2.split(self._share)
        self._dark = np.asarray(sum(colours) / len(colours) < tuning.dark_share)
        hidden = sample(_silhouettes(bodies, foreground.loose.shape, view), squares_px)
        self._see_only((hidden == 0) & (near[self._box] > 0))

    def _see_only(self, free: Bools) -> None:
        """Judge only these squares; what is the same for every lamp is counted here."""
        self._free = free
        self._known: dict[bytes, float] = {}
        self._seen = free.astype(np.uint8)
        self._dark_seen = (free & self._dark).astype(np.uint8)
        self._count = cv2.countNonZero(self._seen)
        self._dark_count = cv2.countNonZero(self._dark_seen)

    def _squares(self, points_mm: Floats | Floats32) -> NDArray[np.int32]:
        cells = (points_mm - self._origin_mm) / self._tuning.cell_mm
        return np.asarray(np.round(cells), dtype=np.int32)

    def _cast(self, lamp: LightSource) -> Gray:
        """Draw the shadows of all bodies: 1 there."""
        return self._drawn(self._squares(lamp.fallen_mm(self._bodies)))

    def _drawn(self, squares: NDArray[np.int32]) -> Gray:
        """Draw the shadows whose corners lie in these squares, shape (n, 8, 2): 1 there."""
        mask = np.zeros(self._shape, np.uint8)
        _fill(mask, squares, 1)
        return mask[self._box]

    def _worth(self, cast: Gray) -> float:
        """Say how well shadows and what is dark agree, -1..1: their correlation."""
        if not self._count:
            return -1.0
        # The norm of what is 0 or 1 within a mask counts the ones there, in one step.
        both = cv2.norm(self._dark_seen, cv2.NORM_L1, cast) / self._count
        one = cv2.norm(self._seen, cv2.NORM_L1, cast) / self._count
        other = self._dark_count / self._count
        spread = math.sqrt(one * (1 - one) * other * (1 - other))
        return float((both - one * other) / spread) if spread > 0 else -1.0

    def _worths(self, places: Floats) -> list[float]:
        """Say how well what is dark agrees with the shadows from lamps, see `_lamps_at`."""
        fallen = _fallen_mm(self._bodies, self._lamps_at(places)[:, None, None])
        return [self._known_worth(one) for one in self._squares(fallen)]

    def _known_worth(self, squares: NDArray[np.int32]) -> float:
        """Say how well shadows in these squares agree; kept, as lamps near by give the same."""
        key = squares.tobytes()
        worth = self._known.get(key)
        if worth is None:
            worth = self._known[key] = self._worth(self._drawn(squares))
        return worth

    def _lamps_at(self, places: Floats) -> Floats:
        """Return where lamps are, mm, in directions from the bodies, shape (n, 3).

        Args:
            places: azimuth in rad, slope, and nearness, one over the height in mm, shape (n, 3).
                The slope says how long shadows are, as a share of the height of what casts them.
        """
        azimuths_rad, slopes, nearness_per_mm = places.T
        heights = 1 / np.maximum(nearness_per_mm, self._tuning.far_per_mm)
        x, y = self._middle_mm
        reach = heights * slopes
        return np.stack(
            [x - reach * np.cos(azimuths_rad), y - reach * np.sin(azimuths_rad), heights], axis=1
        )

    def _covered(self, cast: Gray) -> float:
        """Say what share of the shadows in sight is dark."""
        shadow = (cast > 0) & self._free
        return float(self._dark[shadow].mean()) if shadow.any() else 0.0

    def _good(self, cast: Gray) -> bool:
        tuning = self._tuning
        return self._worth(cast) >= tuning.least_worth and self._covered(cast) >= tuning.least_dark

    def _casting(self, lamp: LightSource, kept: float) -> int:
        """Count the bodies that are seen to cast a shadow where no other casts one.

        Tiles that nobody knows yet may continue a row of known ones, as dark as a shadow would be
        there. Then only the last known tile seems to cast a shadow.

        Args:
            lamp: what the shadows are cast by.
            kept: what the shadows leave of the light, 0..1.
        """
        tuning = self._tuning
        shadows = [
            self._drawn(each) for each in self._squares(lamp.fallen_mm(self._bodies))[:, None]
        ]
        alone = self._free & (np.sum(shadows, axis=0) == 1)
        own = (self._share[alone & (shadow > 0)].mean(axis=1) for shadow in shadows)
        levels = [float(np.median(one)) for one in own if len(one) >= tuning.least_own_squares]
        return sum(abs(math.log(level / kept)) < tuning.most_own_off for level in levels)

    def agree(self, lamps: Sequence[LightSource]) -> bool:
        """Say whether lamps still explain what is dark."""
        return self._good(np.max([self._cast(lamp) for lamp in lamps], axis=0))

    def next_lamp(self) -> LightSource | None:
        """Find the lamp that explains most of what is dark; that is then explained."""
        tuning = self._tuning
        if self._dark[self._free].mean() < tuning.least_dark_share:
            return None
        steps = tuning.azimuths
        azimuths = np.arange(steps) * 2 * math.pi / steps
        starts = np.array(list(itertools.product(azimuths, tuning.slopes, (0.0,))))
        likely = starts[np.argsort(self._worths(starts))[-tuning.likely :]]
        near_or_far = np.repeat(likely, len(tuning.nearness_per_mm), axis=0)
        near_or_far[:, 2] = np.tile(tuning.nearness_per_mm, len(likely))
        worths = self._worths(near_or_far)
        best, most = near_or_far[int(np.argmax(worths))], max(worths)
        step = np.array(
            [math.pi / steps, best[1] * tuning.slope_step, tuning.nearness_per_mm[1] / 2]
        )
        sides = np.array(list(itertools.product((-1, 0, 1), repeat=len(step))))
        for _ in range(tuning.rounds):
            tries = best + sides * step
            near = tries[:, 2]
            tries = tries[(tries[:, 1] > 0) & (near >= 0) & (near <= tuning.nearness_per_mm[-1])]
            worths = self._worths(tries)
            found = int(np.argmax(worths))
            if worths[found] > most:
                best, most = tries[found], worths[found]
            else:
                step /= 2
        x_mm, y_mm, height_mm = self._lamps_at(best[None])[0].tolist()
        lamp = LightSource(x_mm, y_mm, height_mm, np.ones(3))
        cast = self._cast(lamp)
        if not self._good(cast):
            return None
        shadow = (cast > 0) & self._free
        kept = np.median(self._share[shadow & self._dark], axis=0)
        if self._casting(lamp, float(kept.mean())) < tuning.least_casting:
            return None
        self._see_only(self._free & ~shadow)
        return replace(lamp, kept=kept)


def _silhouettes(bodies: Floats, shape: tuple[int, ...], view: View) -> Gray:
    mask = np.zeros(shape, np.uint8)
    _fill(mask, np.round(view.project(bodies) / SHRINK).astype(np.int32), 255)
    return np.asarray(cv2.dilate(mask, NEIGHBOURS), dtype=np.uint8)


def shaded(
    foreground: Foreground,
    lamps: Sequence[LightSource],
    bodies: Sequence[Floats],
    view: View,
    tuning: LampTuning = TUNING.lamps,
) -> Gray:
    """Say what the shadows of bodies explain: 255 there, at the size of the foreground.

    Args:
        foreground: where the frame differs from the empty table.
        lamps: see `LampWatch`.
        bodies: corners of tiles, mm, each of shape (8, 3).
        view: the camera.
        tuning: see `LampTuning`.
    """
    explained = np.zeros_like(foreground.strict)
    if not len(bodies):
        return explained
    corners = np.stack(bodies)
    for lamp in lamps:
        mask = np.zeros_like(explained)
        points = _at_height(lamp.fallen_mm(corners))
        for points_px in np.round(view.project(points) / SHRINK).astype(np.int32):
            hull = cv2.convexHull(points_px)
            cv2.fillConvexPoly(mask, hull, (255,))
            cv2.polylines(mask, [hull], True, (255,), tuning.rim_px)
        mask = np.minimum(mask, foreground.loose)
        explained |= like_shadow(foreground, lamp, mask, (0.0, tuning.most_amount), tuning=tuning)
    return explained


def like_shadow(
    foreground: Foreground,
    lamp: LightSource,
    where: Gray,
    amounts: tuple[float, float],
    tuning: LampTuning = TUNING.lamps,
) -> Gray:
    """Say where a table would look as it does in the shadow from a lamp: 255 there.

    Args:
        foreground: where the frame differs from the empty table.
        lamp: see `LampWatch`.
        where: not 0 where that is asked, at the size of the foreground.
        amounts: how much of what the lamp gives is missing, at least and at most, as shares of it.
        tuning: see `LampTuning`.
    """
    spots = np.flatnonzero(where)
    # Colours as first axis and single precision, for speed: shadows may cover many pixels.
    now, empty = (
        np.stack([plane.ravel()[spots] for plane in planes]).astype(np.float32)
        + np.float32(tuning.floor_levels)
        for planes in (foreground.soft, foreground.empty)
    )
    lost = empty * (1 - lamp.kept[:, None]).astype(np.float32)
    missing = empty - now
    amount = (missing * lost).sum(axis=0) / np.maximum((lost * lost).sum(axis=0), 1.0)
    off = np.abs(missing - np.clip(amount, *amounts) * lost).max(axis=0)
    like = np.zeros_like(where, order="C")
    near = np.maximum(tuning.off_levels, tuning.off_share * empty.max(axis=0))
    like.ravel()[spots] = 255 * (off < near)
    return like


def cast_shares(
    foreground: Foreground,
    lamps: Sequence[LightSource],
    bodies: Floats,
    known: Sequence[Floats],
    view: View,
    tuning: LampTuning = TUNING.lamps,
) -> list[float | None]:
    """Say of what share of the shadows of bodies the table differs there, each by itself.

    Patterns, things that were put down and shadows of others have outlines like a tile's, but not
    the shadow that a tile would cast there.

    Args:
        foreground: where the frame differs from the empty table.
        lamps: see `LampWatch`.
        bodies: corners of what may stand there, mm, shape (n, 8, 3).
        known: corners of all that is known to stand or lie on the table, each shape (8, 3).
        view: the camera.
        tuning: see `LampTuning`.

    Returns:
        0..1 for each, and None where too little of its shadows is in sight, or nobody knows a lamp.
    """
    if not lamps:
        return [None] * len(bodies)
    on_table = _at_height(np.stack([lamp.fallen_mm(bodies) for lamp in lamps], axis=1))
    own = np.concatenate([bodies[:, None], on_table], axis=1)
    others = np.reshape(known, (-1, *bodies.shape[1:]))
    own_px, others_px = (view.project(each) / SHRINK for each in (own, others))
    close = _close(bodies, others, tuning)
    return [
        _cast_share(foreground, seen, others_px[beside], tuning)
        for seen, beside in zip(own_px, close, strict=True)
    ]


def _cast_share(
    foreground: Foreground, seen_px: Floats, others_px: Floats, tuning: LampTuning
) -> float | None:
    """Say the same of one body: `seen_px` is its own outline and then those of its shadows."""
    limits = foreground.loose.shape[::-1]
    left, top = np.clip(np.floor(seen_px.min(axis=(0, 1))), 0, limits).astype(int).tolist()
    right, bottom = np.clip(np.ceil(seen_px.max(axis=(0, 1))), 0, limits).astype(int).tolist()
    mask = np.zeros((bottom - top, right - left), np.uint8)
    if not mask.size:
        return None
    for outlines, level in ((seen_px[1:], 1), (others_px, 0), (seen_px[:1], 0)):
        _fill(mask, np.round(outlines - (left, top)).astype(np.int32), level)
    count = cv2.countNonZero(mask)
    if count < tuning.least_cast_px:
        return None
    differs = foreground.loose[top:bottom, left:right][mask > 0]
    return np.count_nonzero(differs) / count


def shadows_on_tops(
    lamps: Sequence[LightSource],
    bodies: Floats,
    known: Sequence[Floats],
    view: View,
    tuning: LampTuning = TUNING.lamps,
) -> list[Floats]:
    """Say where the shadows of known tiles fall on the upper faces of lower bodies beside them.

    Args:
        lamps: see `LampWatch`.
        bodies: corners of what may stand there, mm, shape (n, 8, 3).
        known: corners of all that is known to stand or lie on the table, each shape (8, 3).
        view: the camera.
        tuning: see `LampTuning`.

    Returns:
        For each body the corners of the shadows in the plane of its upper face, px, shape
        (shadows, 8, 2).
    """
    none = np.empty((0, *bodies.shape[1:2], 2))
    if not lamps or not len(known):
        return [none for _ in bodies]
    others = np.stack(known)
    heights_mm = bodies[:, 4:, 2].mean(axis=1)
    higher = others[..., 2].max(axis=1) > heights_mm[:, None]
    which, whose = np.nonzero(_close(bodies, others, tuning) & higher)
    if not len(which):
        return [none for _ in bodies]
    level = heights_mm[which, None]
    above = others[whose]
    above[..., 2] = np.maximum(above[..., 2] - level, 0.0)
    cast = []
    for lamp in lamps:
        sources = np.array([lamp.x_mm, lamp.y_mm, lamp.height_mm]) - (0, 0, 1) * level[..., None]
        cast.append(view.project(_at_height(_fallen_mm(above, sources), level)))
    shadows = np.stack(cast, axis=1)
    return [shadows[which == n].reshape(-1, *none.shape[1:]) for n in range(len(bodies))]
