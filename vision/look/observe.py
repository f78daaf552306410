"""What fell: the row from the push to rest, told from frames.

A tile of the known row counts as standing while its upper edge is seen where it was, by its mark
or by the unchanged picture of it. One that leans is down.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from physics.row.chain import Chain
from physics.row.outcome import SURE, Outcome
from physics.row.tile import Orientation, State, Tile, apart_mm, turned_rad
from vision.arrays import Floats
from vision.capture.camera import Frame
from vision.errors import VisionError
from vision.geometry.camera_pose import CameraPose, project
from vision.geometry.image_sampling import sample
from vision.geometry.lens import Intrinsics
from vision.look.evidence import evidence
from vision.look.eye import Look
from vision.look.film import LOST_S, Film, from_first, top_mm
from vision.look.matching import name_fallen
from vision.tuning.look import FilmTuning, MatchingTuning, ObserveTuning
from vision.tuning.tuning import TUNING, Tuning

See = Callable[[Frame], Look]


class Doubt(StrEnum):
    """Why people should judge a fall, however clear its end looks."""

    HAND = "hand"
    """Something as large as a hand was in the picture while the row fell."""
    LOST = "lost"
    """The camera gave no frames for a while, in the middle of the fall."""
    RESTLESS = "restless"
    """The row never came to rest."""
    HIDDEN = "hidden"
    """At the end the mat is hidden, a hand is over the table, or the camera has been knocked."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen of a push.

    Attributes:
        outcome: tile by tile from the pushed end; its confidence is that of the verdict.
        confidence: how sure each tile's state is, 0..1.
        picture: the row at rest with what was seen drawn over it, JPEG.
        doubts: why people should judge.
        timing_s: how far the times of the outcome may be off, each; None where it has none.
        lying: where fallen tiles lie now, heading along the long edge, with the value that each
            must have; None where one was not made out.
        begun_s: when each fallen tile began to move, on the clock of the frames, whichever way the
            wave ran; None where nobody saw it.
        touched: whether any tile of the row was seen to move, be it only for a moment.
    """

    outcome: Outcome
    confidence: tuple[float, ...]
    picture: bytes
    doubts: tuple[Doubt, ...] = ()
    timing_s: tuple[float | None, ...] = ()
    lying: tuple[Tile | None, ...] = ()
    begun_s: tuple[float | None, ...] = ()
    touched: bool = True

    @property
    def sure(self) -> bool:
        """Whether the verdict can stand without anybody looking at the table."""
        return self.outcome.confidence >= SURE


class Watch:
    """Watches a row from just before the push until it is at rest.

    Args:
        chain: the row as it stands, from the pushed end.
        intrinsics: the lens of the camera.
        lost_s: a longer time between two frames, while something moves, is a gap in the film.
        tuning: see `Tuning`.
    """

    def __init__(
        self, chain: Chain, intrinsics: Intrinsics, lost_s: float = LOST_S, tuning: Tuning = TUNING
    ) -> None:
        self._tuning = tuning
        self._chain = chain
        self._intrinsics = intrinsics
        self._film = Film(lost_s, tuning=self._tuning.film)

    def add(self, frame: Frame) -> None:
        """Take in one more frame; the first must show the row before it was touched."""
        self._film.add(frame)

    @property
    def at_rest(self) -> bool:
        """Whether nothing has moved for a while."""
        return self._film.at_rest

    @property
    def stirred_s(self) -> float | None:
        """When something was last seen to move, on the clock of the frames; None if it never was.

        A hand that comes and goes counts too.
        """
        return self._film.stirred_s

    def outcome(self, see: See, rested: bool | None = None) -> Observation:
        """Tell what fell.

        Args:
            see: finds what a frame shows; may raise VisionError where the mat is hidden.
            rested: whether the last frame shows the row at rest; None to tell by the frames.

        Raises:
            VisionError: there was no frame at all.
        """
        film, chain, lens = self._film, self._chain, self._intrinsics
        if film.first is None or film.last is None:
            raise VisionError("no frame of the push: add one before it and one after it")
        before, after = _try(see, film.first), _try(see, film.last)
        looks = [look for look in (before, after) if look is not None]
        if not looks:
            outcome = Outcome((False,) * len(chain.tiles), confidence=0.0)
            picture = evidence(film.last, chain, outcome, None, lens)
            return Observation(outcome, (0.0,) * len(chain.tiles), picture, (Doubt.HIDDEN,))
        was, now = looks[0].camera, looks[-1].camera
        pictures = _Pictures(film.first, film.last, was, now, lens, tuning=self._tuning)
        states = [_judge(tile, pictures, after, self._tuning) for tile in chain.tiles]
        fallen = tuple(down for down, _ in states)
        doubts = self._doubts(after, was, film.at_rest if rested is None else rested)
        begun = [
            film.begin_s(tile, was, lens) if down else None
            for tile, down in zip(chain.tiles, fallen, strict=True)
        ]
        verdict = min(_verdict(states), self._tuning.observe.doubted_sure if doubts else 1.0)
        outcome = Outcome(fallen, from_first(begun), verdict)
        return Observation(
            outcome,
            tuple(sure for _, sure in states),
            evidence(film.last, chain, outcome, now, lens, film.first),
            doubts,
            tuple(None if one is None else one[1] for one in begun),
            _lying(chain, fallen, after, self._tuning.matching),
            tuple(None if one is None else one[0] for one in begun),
            any(fallen) or any(film.stirred(tile, was, lens) for tile in chain.tiles),
        )

    def _doubts(self, after: Look | None, pose: CameraPose, rested: bool) -> tuple[Doubt, ...]:
        film = self._film
        found = {
            Doubt.HAND: film.disturbed(self._chain, pose, self._intrinsics),
            Doubt.LOST: film.lost_s > 0,
            Doubt.RESTLESS: not rested,
            Doubt.HIDDEN: after is None or after.hidden,
        }
        return tuple(doubt for doubt, is_so in found.items() if is_so)


def observe(
    chain: Chain, frames: Iterable[Frame], see: See, intrinsics: Intrinsics, tuning: Tuning = TUNING
) -> Observation:
    """Tell from recorded frames what fell.

    Args:
        chain: the row as it stood, from the pushed end.
        frames: in time order, the first from before the push, the last at rest.
        see: finds what a frame shows.
        intrinsics: the lens of the camera.
        tuning: see `Tuning`.

    Raises:
        VisionError: there are no frames.
    """
    watch = Watch(chain, intrinsics, tuning=tuning)
    for frame in frames:
        watch.add(frame)
    return watch.outcome(see, rested=True)


@dataclass(frozen=True, eq=False)
class _Pictures:
    """The row before and after, and from where each was seen."""

    first: Frame
    last: Frame
    was: CameraPose
    now: CameraPose
    intrinsics: Intrinsics
    tuning: Tuning

    def unchanged(self, points_mm: Floats) -> NDArray[np.bool_]:
        """Say of points on the table whether they look as before."""
        before = sample(self.first.image, project(points_mm, self.was, self.intrinsics))
        after = sample(self.last.image, project(points_mm, self.now, self.intrinsics))
        alike = np.abs(after - before * self.gain) <= self.tuning.film.change_levels
        return np.asarray(alike.all(axis=-1))

    def likeness(self, points_mm: Floats) -> float:
        """Say how much points look as before, whatever the light: correlation, -1..1."""
        before = sample(self.first.image, project(points_mm, self.was, self.intrinsics))
        after = sample(self.last.image, project(points_mm, self.now, self.intrinsics))
        one, two = before.mean(axis=1), after.mean(axis=1)
        one, two = one - one.mean(), two - two.mean()
        scale = float(np.linalg.norm(one) * np.linalg.norm(two))
        return float(one @ two) / scale if scale > 0 else 0.0

    @cached_property
    def gain(self) -> Floats:
        """How much brighter the whole picture has become, blue, green and red."""
        first, last = (np.median(f.image[::8, ::8], axis=(0, 1)) for f in (self.first, self.last))
        most = self.tuning.observe.most_gain
        return np.asarray(np.clip((last + 1.0) / (first + 1.0), 1 / most, most))


def _judge(
    tile: Tile, pictures: _Pictures, after: Look | None, tuning: Tuning
) -> tuple[bool, float]:
    """Say whether a tile is down, and how sure that is."""
    same = _seen_again(tile, after, tuning.observe)
    if tile.value is None:
        down, sure = _judge_outline(tile, pictures, after, tuning)
    elif same is not None:
        down, sure = _judge_mark(tile, same, tuning.observe)
    else:
        down, sure = _judge_picture(tile, pictures, tuning)
    hidden = after is None or after.hidden
    return down, min(sure, tuning.observe.hidden_sure) if hidden else sure


def _judge_mark(tile: Tile, same: Tile, tuning: ObserveTuning) -> tuple[bool, float]:
    """Judge by where the mark of the tile is seen now."""
    along, across = tile.pose.to_local((same.pose.x_mm, same.pose.y_mm))
    turn = turned_rad(same, tile)
    shift = math.hypot(along, across)
    if shift <= tuning.same_mm and turn <= tuning.same_rad and same.orientation is tile.orientation:
        return False, tuning.in_place_sure
    if abs(along) >= _least_lean_mm(tile, tuning) and abs(across) <= abs(along) / 2:
        return True, tuning.tipped_sure
    return False, tuning.unclear_sure


def _judge_picture(tile: Tile, pictures: _Pictures, tuning: Tuning) -> tuple[bool, float]:
    """Judge by whether the mark's picture is still there, whole or in part."""
    numbers = tuning.observe
    top = top_mm(tile, tuning=tuning.film)
    alike = pictures.likeness(top)
    if alike >= numbers.like:
        return False, numbers.picture_stands_sure
    held = pictures.unchanged(top).reshape(tuning.film.top_rows, -1)
    end = held.shape[1] // numbers.end_parts
    if max(float(held[:, :end].mean()), float(held[:, -end:].mean())) >= numbers.end_held_share:
        return False, numbers.end_stands_sure
    gone = alike < numbers.unlike
    return True, numbers.picture_gone_sure if gone else numbers.picture_changed_sure


def _judge_outline(
    tile: Tile, pictures: _Pictures, after: Look | None, tuning: Tuning
) -> tuple[bool, float]:
    """Judge a tile without a mark by the picture of its whole body."""
    numbers = tuning.observe
    body = float(pictures.unchanged(_body_mm(tile, tuning.film)).mean())
    stands = after is not None and any(is_at(tile, other, tuning=numbers) for other in after.tiles)
    if stands or body > numbers.body_held_share:
        top = float(pictures.unchanged(top_mm(tile, tuning=tuning.film)).mean())
        return False, numbers.body_sure if top > numbers.top_held_share else numbers.body_unsure
    return True, numbers.body_sure if body < numbers.body_gone_share else numbers.body_unsure


def _lying(
    chain: Chain, fallen: Sequence[bool], look: Look | None, tuning: MatchingTuning
) -> tuple[Tile | None, ...]:
    """Find fallen tiles where they lie, as far as they can be told from each other."""
    down = [tile for tile, is_down in zip(chain.tiles, fallen, strict=True) if is_down]
    seen = look.tiles if look is not None and not look.hidden else ()
    lying = tuple(tile for tile in seen if tile.state is State.FALLEN)
    named = [tile for tile in name_fallen(lying, down, tuning=tuning)[0] if tile.value is not None]
    return tuple(
        next((t for t in named if is_down and t.value == tile.value), None)
        for tile, is_down in zip(chain.tiles, fallen, strict=True)
    )


def _verdict(states: Sequence[tuple[bool, float]]) -> float:
    """How sure the verdict is: one tile that surely stands is enough, else all must be down."""
    standing = [sure for down, sure in states if not down]
    return max(standing) if standing else min((sure for _, sure in states), default=0.0)


def _seen_again(tile: Tile, look: Look | None, tuning: ObserveTuning) -> Tile | None:
    if look is None or tile.value is None:
        return None
    same = (t for t in look.tiles if t.value == tile.value and t.state is State.STANDING)
    near = (t for t in same if apart_mm(t, tile) <= tuning.near_mm)
    return min(near, key=lambda t: apart_mm(t, tile), default=None)


def is_at(tile: Tile, other: Tile, tuning: ObserveTuning) -> bool:
    """Say whether another tile stands in the place of one, and as that did."""
    return (
        other.state is State.STANDING
        and other.orientation is tile.orientation
        and apart_mm(tile, other) <= tuning.same_mm + tuning.sigmas * other.sigma_mm
    )


def _least_lean_mm(tile: Tile, tuning: ObserveTuning) -> float:
    """How far the upper edge of a tile moves at least when it no longer stands by itself."""
    how = tile.orientation or Orientation.VERTICAL
    return tuning.lean_share * tile.height_mm * math.sin(tile.spec.balance_rad(how))


def _body_mm(tile: Tile, tuning: FilmTuning) -> Floats:
    """Points spread through the body of a tile, shape (n, 3)."""
    top, shares = top_mm(tile, tuning=tuning), np.linspace(0.0, 1.0, tuning.body_layers)
    return np.concatenate([top * (1, 1, share) for share in shares])


def _try(see: See, frame: Frame) -> Look | None:
    """What a frame shows; None if nobody can say where in it anything is."""
    try:
        look = see(frame)
    except VisionError:
        return None
    return look if look.steady else None
