"""What is in the way on the table: a hand, things that were put down, light that it mirrors.

A hand comes in over the edge of the picture, with its arm. What is as large and does not reach the
edge lies there by itself: a phone, a book, a mug. Nothing is looked for under it.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Floats, Gray
from vision.background.background import SHRINK, Foreground
from vision.background.glare import SAME, soft_parts
from vision.background.grain import grain
from vision.geometry.camera_pose import View, to_plane
from vision.geometry.mat import Mat
from vision.tuning.tuning import TUNING, Tuning
from vision.tuning.unmarked import BackgroundTuning, GlareTuning


@dataclass(frozen=True, slots=True)
class Thing:
    """Something larger than any tile that lies on the work area, or reaches into it.

    Attributes:
        x_mm: its middle, from left to right.
        y_mm: its middle, from near to far.
        length_mm: its longer side, as far as it is seen from above.
        width_mm: its shorter side.
        side: over which edge of the work area it sticks out: "left", "right", "near" or "far"; the
            one it sticks out over most; "" for none.
    """

    x_mm: float
    y_mm: float
    length_mm: float
    width_mm: float
    side: str

    @property
    def words(self) -> str:
        """How large it is and where it lies."""
        size = f"{self.length_mm:.0f} × {self.width_mm:.0f} mm"
        return f"something {size} lies {f'at the {self.side} edge' if self.side else 'on the mat'}"


@dataclass(frozen=True, slots=True, eq=False)
class Obstructions:
    """What is in the way.

    Attributes:
        hand: whether a hand reaches in.
        things: what lies there.
        parts: where the hand is, or each of the things: 255 there, at the size of the foreground.
    """

    hand: bool = False
    things: tuple[Thing, ...] = ()
    parts: tuple[Gray, ...] = ()

    @property
    def mask(self) -> Gray | None:
        """255 where the hand or the things are, at the size of the foreground; None for nowhere."""
        return np.maximum.reduce(self.parts) if self.parts else None

    @property
    def found(self) -> bool:
        """Whether anything is in the way."""
        return self.hand or bool(self.things)

    def meets(self, other: "Obstructions") -> bool:
        """Whether both are in the same place, in part at least."""
        if self.mask is None or other.mask is None:
            return False
        return bool(np.any(cv2.min(self.mask, other.mask)))

    def beside(self, places_px: Floats) -> "Obstructions":
        """Return the same without things that cover one of such places.

        Args:
            places_px: of the foreground, shape (n, 2); they may be out of it.
        """
        if self.hand or not self.things:
            return self
        high, wide = self.parts[0].shape
        columns, rows = np.round(places_px).astype(int).T
        inside = (columns >= 0) & (columns < wide) & (rows >= 0) & (rows < high)
        return self.only([not part[rows[inside], columns[inside]].any() for part in self.parts])

    def only(self, kept: Sequence[bool]) -> "Obstructions":
        """Return the same with only the things to keep; itself if all are kept."""
        if all(kept):
            return self
        things, parts = itertools.compress(self.things, kept), itertools.compress(self.parts, kept)
        return Obstructions(False, tuple(things), tuple(parts))


def obstructions(
    foreground: Foreground, view: View, mat: Mat, tuning: Tuning = TUNING
) -> Obstructions:
    """Find what is larger than any tile: hands and things."""
    scale = view.scale_px_mm() / SHRINK
    found = _bright(foreground, view, mat, tuning)
    dark = None if found.hand else _dark_hand(foreground, scale, tuning)
    return found if dark is None else Obstructions(True, (), (dark, *found.parts))


def _dark_hand(foreground: Foreground, scale: float, tuning: Tuning) -> Gray | None:
    """Find a hand nearly all of which is as dark as a shadow, like a dark one over brown wood.

    A shadow lets the grain of the table be seen, a hand does not. A plain table has no grain, but
    there part of a hand may be of a colour that no shadow has.

    Returns:
        255 where it is; None if there is none.
    """
    numbers = tuning.background
    # An arm reaches the edge. That is checked first, because finding the grain takes 6 ms.
    arm_px = numbers.arm_mm * scale
    if not touches_edge(foreground.loose > 0, arm_px):
        return None
    seen = grain(foreground, scale, tuning=tuning.grain)
    veiled = np.asarray(cv2.subtract(foreground.loose, seen.kept), dtype=np.uint8)
    whole, depth = _depths(veiled, _closing_px(scale, tuning=numbers))
    core = np.asarray(depth > numbers.reaching_radius_mm * scale)
    depth = _depths(foreground.strict, _closing_px(scale, tuning=numbers))[1]
    solid = depth > numbers.solid_radius_mm * scale
    for part in _parts(whole, core):
        hides = np.mean(seen.hidden[core & part] > 0) >= numbers.hidden_share
        hides |= np.any(solid[part])
        if not hides or is_book(part, part, scale, tuning=numbers):
            continue
        if _leads_to_edge(veiled, core & part, arm_px):
            return _mask(part)
    return None


def _closing_px(scale: float, tuning: BackgroundTuning) -> int:
    """The side of the square with which a mask is closed, px."""
    return max(tuning.least_closed_px, 2 * round((tuning.closed_mm * scale - 1) / 2) + 1)


def _may_hold(mask: Gray, scale: float, tuning: BackgroundTuning) -> bool:
    """Say, by a coarse look, whether a mask may anywhere be as wide as what reaches in."""
    thin = np.ascontiguousarray(mask[:: tuning.coarse, :: tuning.coarse])
    side = max(tuning.least_closed_px, _closing_px(scale, tuning) // tuning.coarse | 1)
    deepest_px = tuning.coarse * (float(_depths(thin, side)[1].max()) + 1)
    return deepest_px >= tuning.reaching_radius_mm * scale


def _bright(foreground: Foreground, view: View, mat: Mat, tuning: Tuning) -> Obstructions:
    """Find hands and things, much of which is clearly no shadow."""
    scale = view.scale_px_mm() / SHRINK
    hand_tuning = tuning.background
    if not _may_hold(foreground.strict, scale, hand_tuning):
        return Obstructions()
    whole, depth = _depths(foreground.strict, _closing_px(scale, hand_tuning))
    depth /= scale
    core = depth > hand_tuning.reaching_radius_mm
    if not core.any():
        return Obstructions()
    outside = np.ones(whole.shape, dtype=np.uint8)
    cv2.fillConvexPoly(outside, _mat_hull(view, mat, hand_tuning), (0,))
    wide = []
    for part in _parts(whole, core):
        deepest_mm = float(depth[part].max())
        flat = deepest_mm >= hand_tuning.card_radius_mm and _is_rectangle(part, hand_tuning)
        if flat or deepest_mm > hand_tuning.hand_radius_mm or np.any(outside[part]):
            wide.append(part)
    if not wide:
        return Obstructions()
    maybe = [part for part in wide if not is_book(part, part, scale, tuning=hand_tuning)]
    if maybe and _reaches_in(foreground, core & np.logical_or.reduce(maybe), scale, tuning):
        if len(maybe) > 1:  # whatever else lies there is no part of the hand
            maybe = [p for p in maybe if _reaches_in(foreground, core & p, scale, tuning)]
        return Obstructions(True, (), tuple(_mask(part) for part in maybe))
    away = cv2.distanceTransform((~core).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_3)
    close = np.asarray(away) < hand_tuning.corner_share * hand_tuning.reaching_radius_mm * scale
    seen = [(part & close, _thing(part & close, view, mat)) for part in wide]
    lying = [(part, thing) for part, thing in seen if thing is not None]
    if not lying:
        return Obstructions()
    return Obstructions(False, tuple(t for _, t in lying), tuple(_mask(part) for part, _ in lying))


def _is_rectangle(part: Bools, tuning: BackgroundTuning) -> bool:
    """Say whether something fills the rectangle round it, as a playing card does."""
    whole = max(_outlines(part), key=cv2.contourArea)
    long, short = cv2.minAreaRect(whole)[1]
    return cv2.contourArea(whole) > tuning.card_share * long * short


def is_book(part: Bools, whole: Bools, scale: float, tuning: BackgroundTuning) -> bool:
    """Say whether something across the edge of the picture is a rectangle wider than an arm.

    Two of its corners must be in sight.

    Args:
        part: where it is, without what is narrow.
        whole: where it is, with its corners.
        scale: px for each mm.
        tuning: see `BackgroundTuning`.
    """
    if not touches_edge(part, tuning.arm_mm * scale):
        return False
    box = cv2.minAreaRect(max(_outlines(part), key=cv2.contourArea))
    if min(box[1]) < tuning.book_mm * scale:
        return False
    corners = cv2.boxPoints(box)
    if _filled(part, corners) < tuning.book_share:
        return False
    limits = np.array(part.shape[::-1]) - 1
    in_sight = 0
    for corner, one, other in zip(
        corners, np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0), strict=True
    ):
        sides = [
            tuning.book_corner_mm * scale * (end - corner) / np.linalg.norm(end - corner)
            for end in (one, other)
        ]
        square = corner + np.array([(0, 0), sides[0], sides[0] + sides[1], sides[1]])
        if (square < 1).any() or (square >= limits).any():  # the edge of the picture is no corner
            continue
        in_sight += _filled(whole, square) > tuning.book_corner_share
    return in_sight >= 2


def _filled(part: Bools, corners: NDArray[Any]) -> float:
    """Say what share of a convex shape is filled, as far as it is in the picture."""
    inside = np.zeros(part.shape, dtype=np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), (255,))
    return float(np.mean(part[inside > 0]))


def _outlines(part: Bools) -> list[NDArray[np.int32]]:
    outlines, _ = cv2.findContours(
        part.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    return [np.asarray(one, dtype=np.int32) for one in outlines]


def _reaches_in(foreground: Foreground, core: Bools, scale: float, tuning: Tuning) -> bool:
    """Say whether something comes in over the edge of the picture with an arm.

    If what cannot be a shadow leads to the edge, it is an arm. Otherwise an arm may be anything
    that differs, as a grey sleeve looks like a shadow, or that hides the grain of the table, even
    if it has its colour. Parts in which the grain can still be seen are then left out: what remains
    must still lead to the edge, if only as a narrower strip; or there must be a way as wide as an
    arm through places where no grain is seen, as on a plain table.

    Args:
        foreground: where the frame differs from the empty table.
        core: the middle of what is wide and no shadow.
        scale: px for each mm.
        tuning: see `Tuning`.
    """
    arm_px = tuning.background.arm_mm * scale
    if _leads_to_edge(foreground.strict, core, arm_px):
        return True  # whatever the grain says: most sleeves are no shadow, and this is quick
    seen = grain(foreground, scale, tuning=tuning.grain)
    hidden = seen.hidden
    # The pusher hides the grain, too, and so does a lamp's reflection.
    if foreground.known is not None:
        hidden = np.asarray(cv2.subtract(hidden, foreground.known), dtype=np.uint8)
    arm = np.maximum(foreground.loose, hidden)
    if not _leads_to_edge(arm, core, arm_px):
        return False
    seen_through = cv2.subtract(seen.kept, foreground.strict)
    sure = np.asarray(cv2.subtract(arm, seen_through), dtype=np.uint8)
    unseen = np.asarray(cv2.bitwise_not(seen_through), dtype=np.uint8)
    return _leads_to_edge(sure, core, tuning.background.sure_arm_mm * scale) or _leads_to_edge(
        unseen, core, arm_px
    )


def _leads_to_edge(mask: Gray, core: Bools, wide_px: float) -> bool:
    """Say whether a mask leads from a core to the edge of the picture, so wide all the way."""
    square = np.ones((max(1, round(wide_px)),) * 2, dtype=np.uint8)
    thick = cv2.morphologyEx(mask, cv2.MORPH_OPEN, square, borderType=cv2.BORDER_REPLICATE)
    return any(touches_edge(part, wide_px) for part in _parts(np.asarray(thick, np.uint8), core))


def _parts(mask: Gray, core: Bools) -> Iterator[Bools]:
    """Give the connected parts of a mask that reach into a core."""
    labels = np.asarray(cv2.connectedComponents(mask)[1])
    for n in np.flatnonzero(np.bincount(labels[core])).tolist():
        if n:
            yield labels == n


def touches_edge(part: Bools, least_px: float) -> bool:
    """Say whether something reaches the edge of the picture over so many pixels.

    Args:
        part: where it is seen, shape (rows, columns).
        least_px: length of the edge that it covers at least.
    """
    edges = (part[:, 0], part[:, -1], part[0], part[-1])
    return max(int(np.count_nonzero(edge)) for edge in edges) >= least_px


def light_in(foreground: Foreground, view: View, tuning: GlareTuning = TUNING.glare) -> Gray | None:
    """Say where only the light on a glossy table differs: 255 there; None if it does nowhere."""
    rows, columns = foreground.strict.shape
    scale = view.scale_px_mm() / SHRINK
    cell_px = max(1, round(tuning.cell_mm * scale))
    thin = np.s_[::cell_px, ::cell_px]
    now, empty = (
        cv2.merge([np.ascontiguousarray(one[thin]) for one in planes])
        for planes in (foreground.soft, foreground.empty)
    )
    change = np.asarray(cv2.addWeighted(now, 0.5, empty, -0.5, SAME), dtype=np.uint8)
    where = np.ascontiguousarray(foreground.strict[thin])
    within = np.zeros_like(where)
    within[1:-1, 1:-1] = 255
    light = soft_parts(change, where, within, cell_px / scale, tuning=tuning)
    if light is None:
        return None
    whole = cv2.resize(light, (columns, rows), interpolation=cv2.INTER_NEAREST)
    return np.asarray(whole, dtype=np.uint8)


def on_arm(light: Gray, foreground: Foreground, view: View, tuning: Tuning = TUNING) -> bool:
    """Say whether what seems to be light lies on an arm, as the soft shading of a hand does.

    Args:
        light: 255 where light seems to be, at the size of the foreground.
        foreground: where the frame differs from the empty table, the light left out.
        view: the camera.
        tuning: see `Tuning`.
    """
    scale = view.scale_px_mm() / SHRINK
    square = np.ones((round(tuning.background.arm_mm * scale),) * 2, dtype=np.uint8)
    beside = np.asarray(cv2.dilate(light, square)) > 0
    return _reaches_in(foreground, beside, scale, tuning)


def _mask(part: Bools) -> Gray:
    return np.asarray(part * 255, dtype=np.uint8)


def _thing(part: Bools, view: View, mat: Mat) -> Thing | None:
    """Measure what lies on the work area by where it is seen; None for what lies beside it."""
    pixels = np.concatenate(_outlines(part)).reshape(-1, 2).astype(np.float64) * SHRINK
    points = to_plane(pixels, 0.0, view.pose, view.intrinsics)[:, :2]
    left, right, near, far = *mat.area_x_mm, *mat.area_y_mm
    x, y = points.T
    if not np.any((left < x) & (x < right) & (near < y) & (y < far)):
        return None
    out = {
        "left": left - x.min(),
        "right": x.max() - right,
        "near": near - y.min(),
        "far": y.max() - far,
    }
    side = max(out, key=lambda name: float(out[name]))
    middle, sides, _ = cv2.minAreaRect(points.astype(np.float32))
    size = float(max(sides)), float(min(sides))
    return Thing(float(middle[0]), float(middle[1]), *size, side if out[side] > 0 else "")


def _depths(mask: Gray, side: int) -> tuple[Gray, NDArray[np.floating[Any]]]:
    """Close the narrow gaps of a mask, and say how deep in it each pixel is."""
    whole = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((side, side), dtype=np.uint8))
    depth = np.asarray(cv2.distanceTransform(whole, cv2.DIST_L2, cv2.DIST_MASK_3), dtype=np.float32)
    return np.asarray(whole, dtype=np.uint8), depth


def _mat_hull(view: View, mat: Mat, tuning: BackgroundTuning) -> NDArray[np.int32]:
    corners = np.concatenate(list(mat.corners_mm.values()))
    low, high = corners.min(axis=0) - tuning.mat_rim_mm, corners.max(axis=0) + tuning.mat_rim_mm
    ring = np.array([(x, y, 0.0) for x in (low[0], high[0]) for y in (low[1], high[1])])
    points = view.project(ring).astype(np.float32) / SHRINK
    return np.asarray(cv2.convexHull(points), dtype=np.int32)
