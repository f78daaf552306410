"""What fell: the row from the push to rest, told from frames.

A tile of the known row counts as standing while its upper edge is seen where it was, by its mark
or by the unchanged picture of it. One that leans is down.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from physics.chain import Chain
from physics.outcome import Outcome
from physics.pose import half_turn
from physics.tile import Orientation, State, Tile
from vision.calibration import CameraPose, Intrinsics, project
from vision.camera import Frame
from vision.errors import VisionError
from vision.evidence import evidence
from vision.sight import Look

Floats = NDArray[np.float64]
Gray = NDArray[np.uint8]
See = Callable[[Frame], Look]

SAME_MM = 3.0
SAME_RAD = math.radians(4.0)
"""A mark no farther than this from where it was belongs to a tile that never left its place."""
NEAR_MM = 60.0
"""A mark farther away than this from its tile's place is a misreading."""
CHANGE_LEVELS = 22.0
"""A point of the picture has changed if a colour of it differs by so many grey levels."""
STIR_LEVELS = 12
STIR_POINTS = 10
"""Something moves if so many points of the half-size picture differ by so many levels."""
REST_LOOKS = 8
MOST_FRAMES = 120
"""More frames of one fall than this are thinned out, every second one."""
SURE = 0.8


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen of a push.

    Attributes:
        outcome: tile by tile from the pushed end; its confidence is that of the verdict.
        confidence: how sure each tile's state is, 0..1.
        picture: the row at rest with what was seen drawn over it, JPEG.
    """

    outcome: Outcome
    confidence: tuple[float, ...]
    picture: bytes

    @property
    def sure(self) -> bool:
        """Whether the verdict can stand without anybody looking at the table."""
        return self.outcome.confidence >= SURE


class Watch:
    """Watches a row from just before the push until it is at rest.

    Args:
        chain: the row as it stands, from the pushed end.
        intrinsics: the lens of the camera.
    """

    def __init__(self, chain: Chain, intrinsics: Intrinsics) -> None:
        self._chain = chain
        self._intrinsics = intrinsics
        self._first: Frame | None = None
        self._last: Frame | None = None
        self._film: list[tuple[float, Gray]] = []
        self._quiet = 0

    def add(self, frame: Frame) -> None:
        """Take in one more frame; the first must show the row before it was touched."""
        if frame is self._last:
            self._quiet += 1
            return
        small = _half(frame)
        if self._first is None:
            self._first = frame
            self._film.append((frame.time_s, small))
        elif _stirred(self._film[-1][1], small):
            self._quiet = 0
            self._film.append((frame.time_s, small))
            if len(self._film) > MOST_FRAMES:
                self._film = self._film[::2]
        else:
            self._quiet += 1
        self._last = frame

    @property
    def at_rest(self) -> bool:
        """Whether nothing has moved for a while."""
        return self._quiet >= REST_LOOKS

    def outcome(self, see: See) -> Observation:
        """Tell what fell.

        Args:
            see: finds what a frame shows; may raise VisionError where the mat is hidden.

        Raises:
            VisionError: there was no frame at all.
        """
        if self._first is None or self._last is None:
            raise VisionError("no frame of the push: add one before it and one after it")
        before, after = _try(see, self._first), _try(see, self._last)
        looks = [look for look in (before, after) if look is not None]
        if not looks:
            outcome = Outcome((False,) * len(self._chain.tiles), confidence=0.0)
            picture = evidence(self._last, self._chain, outcome, None, self._intrinsics)
            return Observation(outcome, (0.0,) * len(self._chain.tiles), picture)
        was, now = looks[0].camera, looks[-1].camera
        pictures = _Pictures(self._first, self._last, was, now, self._intrinsics)
        states = [_judge(tile, pictures, after) for tile in self._chain.tiles]
        fallen = tuple(down for down, _ in states)
        confidence = tuple(sure for _, sure in states)
        outcome = Outcome(fallen, self._arrivals(fallen, was), _verdict(states))
        picture = evidence(self._last, self._chain, outcome, now, self._intrinsics)
        return Observation(outcome, confidence, picture)

    def _arrivals(self, fallen: Sequence[bool], pose: CameraPose) -> tuple[float | None, ...]:
        """When each fallen tile began to move, from the first that did."""
        begun = [
            self._begin_s(tile, pose) if down else None
            for tile, down in zip(self._chain.tiles, fallen, strict=True)
        ]
        start_s = min((t for t in begun if t is not None), default=0.0)
        return tuple(None if t is None else t - start_s for t in begun)

    def _begin_s(self, tile: Tile, pose: CameraPose) -> float | None:
        """When the upper edge of a tile had left its place for good."""
        spots = (project(_top_mm(tile), pose, self._intrinsics) - 0.5) / 2
        still = _sample(self._film[0][1], spots)
        begun: float | None = None
        for time_s, small in self._film[1:]:
            changed = np.abs(_sample(small, spots) - still) > CHANGE_LEVELS
            if changed.mean() < 0.3:
                begun = None
            elif begun is None:
                begun = time_s
        return begun


def observe(chain: Chain, frames: Iterable[Frame], see: See, intrinsics: Intrinsics) -> Observation:
    """Tell from recorded frames what fell.

    Args:
        chain: the row as it stood, from the pushed end.
        frames: in time order, the first from before the push, the last at rest.
        see: finds what a frame shows.
        intrinsics: the lens of the camera.

    Raises:
        VisionError: there are no frames.
    """
    watch = Watch(chain, intrinsics)
    for frame in frames:
        watch.add(frame)
    return watch.outcome(see)


@dataclass(frozen=True, eq=False)
class _Pictures:
    """The row before and after, and from where each was seen."""

    first: Frame
    last: Frame
    was: CameraPose
    now: CameraPose
    intrinsics: Intrinsics

    def unchanged(self, points_mm: Floats) -> NDArray[np.bool_]:
        """Say of points on the table whether they look as before."""
        before = _sample(self.first.image, project(points_mm, self.was, self.intrinsics))
        after = _sample(self.last.image, project(points_mm, self.now, self.intrinsics))
        alike = np.abs(after - before * self.gain) <= CHANGE_LEVELS
        return np.asarray(alike.all(axis=-1))

    def likeness(self, points_mm: Floats) -> float:
        """Say how much points look as before, whatever the light: correlation, -1..1."""
        before = _sample(self.first.image, project(points_mm, self.was, self.intrinsics))
        after = _sample(self.last.image, project(points_mm, self.now, self.intrinsics))
        one, two = before.mean(axis=1), after.mean(axis=1)
        one, two = one - one.mean(), two - two.mean()
        scale = float(np.linalg.norm(one) * np.linalg.norm(two))
        return float(one @ two) / scale if scale > 0 else 0.0

    @cached_property
    def gain(self) -> Floats:
        """How much brighter the whole picture has become, blue, green and red."""
        first, last = (np.median(f.image[::8, ::8], axis=(0, 1)) for f in (self.first, self.last))
        return np.asarray(np.clip((last + 1.0) / (first + 1.0), 0.5, 2.0))


def _judge(tile: Tile, pictures: _Pictures, after: Look | None) -> tuple[bool, float]:
    """Say whether a tile is down, and how sure that is."""
    if tile.value is None:
        down, sure = _judge_outline(tile, pictures, after)
    else:
        same = _seen_again(tile, after)
        down, sure = _judge_mark(tile, same) if same else _judge_picture(tile, pictures)
    hidden = after is None or after.hand_in_view
    return down, min(sure, 0.4) if hidden else sure


def _judge_mark(tile: Tile, same: Tile) -> tuple[bool, float]:
    """Judge by where the mark of the tile is seen now."""
    along, across = tile.pose.to_local((same.pose.x_mm, same.pose.y_mm))
    turn = abs(half_turn(same.pose.heading_rad - tile.pose.heading_rad))
    shift = math.hypot(along, across)
    if shift <= SAME_MM and turn <= SAME_RAD and same.orientation is tile.orientation:
        return False, 0.99
    if abs(along) >= _least_lean_mm(tile) and abs(across) <= abs(along) / 2:
        return True, 0.85
    return False, 0.5


def _judge_picture(tile: Tile, pictures: _Pictures) -> tuple[bool, float]:
    """Judge by whether the mark's picture is still there, whole or in part."""
    top = _top_mm(tile)
    alike = pictures.likeness(top)
    if alike >= 0.8:
        return False, 0.95
    held = pictures.unchanged(top).reshape(_ROWS, -1)
    third = held.shape[1] // 3
    if max(float(held[:, :third].mean()), float(held[:, -third:].mean())) >= 0.93:
        return False, 0.6
    return True, 0.97 if alike < 0.6 else 0.7


def _judge_outline(tile: Tile, pictures: _Pictures, after: Look | None) -> tuple[bool, float]:
    """Judge a tile without a mark by the picture of its whole body."""
    body = float(pictures.unchanged(_body_mm(tile)).mean())
    stands = after is not None and any(_is_at(tile, other) for other in after.tiles)
    if stands or body > 0.85:
        top = float(pictures.unchanged(_top_mm(tile)).mean())
        return False, 0.85 if top > 0.7 else 0.6
    return True, 0.85 if body < 0.6 else 0.6


def _verdict(states: Sequence[tuple[bool, float]]) -> float:
    """How sure the verdict is: one tile that surely stands is enough, else all must be down."""
    standing = [sure for down, sure in states if not down]
    return max(standing) if standing else min((sure for _, sure in states), default=0.0)


def _seen_again(tile: Tile, look: Look | None) -> Tile | None:
    if look is None or tile.value is None:
        return None
    near = (
        t
        for t in look.tiles
        if t.value == tile.value and t.state is State.STANDING and _apart_mm(t, tile) <= NEAR_MM
    )
    return min(near, key=lambda t: _apart_mm(t, tile), default=None)


def _is_at(tile: Tile, other: Tile) -> bool:
    return (
        other.state is State.STANDING
        and other.orientation is tile.orientation
        and _apart_mm(tile, other) <= SAME_MM + 3 * other.sigma_mm
    )


def _least_lean_mm(tile: Tile) -> float:
    """How far the upper edge of a tile moves at least when it no longer stands by itself."""
    how = tile.orientation or Orientation.VERTICAL
    return 0.7 * tile.height_mm * math.sin(tile.spec.balance_rad(how))


def _apart_mm(one: Tile, other: Tile) -> float:
    return math.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm)


_ROWS = 5


def _top_mm(tile: Tile) -> Floats:
    """Points spread over the upper edge of a tile, `_ROWS` rows along it, shape (n, 3)."""
    prints = tile.footprint
    along = np.linspace(-0.5, 0.5, _ROWS) * (prints.depth_mm - 1.6)
    across = np.linspace(-0.5, 0.5, round(prints.width_mm)) * (prints.width_mm - 1.6)
    spots = [tile.pose.to_table(a, c) for a in along for c in across]
    return np.array([(x, y, tile.height_mm) for x, y in spots])


def _body_mm(tile: Tile) -> Floats:
    """Points spread through the body of a tile, shape (n, 3)."""
    layers = [_top_mm(tile) * (1, 1, share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    return np.concatenate(layers)


def _sample(image: NDArray[np.uint8], spots_px: Floats) -> Floats:
    """Read an image between its pixels: shape (n,), or (n, 3) in colour."""
    x, y = spots_px.astype(np.float32).T[:, None]
    read = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(read[0], dtype=np.float64)


def _half(frame: Frame) -> Gray:
    gray = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
    rows, columns = gray.shape
    return np.asarray(
        cv2.resize(gray, (columns // 2, rows // 2), interpolation=cv2.INTER_AREA), np.uint8
    )


def _stirred(one: Gray, other: Gray) -> bool:
    moved = cv2.threshold(cv2.absdiff(one, other), STIR_LEVELS, 255, cv2.THRESH_BINARY)[1]
    return int(cv2.countNonZero(moved)) >= STIR_POINTS


def _try(see: See, frame: Frame) -> Look | None:
    try:
        return see(frame)
    except VisionError:
        return None
