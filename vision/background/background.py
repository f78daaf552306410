"""What the empty table looks like, and where a frame differs from it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import SIGMA_OF_MEDIAN, Gray, Image
from vision.geometry.markers import as_gray
from vision.tuning.tuning import TUNING
from vision.tuning.unmarked import BackgroundTuning

Planes = tuple[Gray, ...]
"""Blue, green and red, each by itself."""

SHRINK = 2
"""Differences are looked for at half size: less noise, a quarter of the work."""
CROSS = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
WHOLE = 128
"""What stands for an unchanged brightness where shares are kept as whole numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Foreground:
    """Where a frame differs from the empty table, at half size.

    Attributes:
        loose: 255 where anything is different, shadows included.
        strict: 255 where the difference cannot be a shadow.
        deep: 255 where a shadow would be so dark that it may well be a black tile.
        slope: how steep the empty table is there itself, in grey levels per full-size pixel.
        now: the frame itself, BGR.
        soft: the same without its noise, colour by colour.
        empty: the empty table in the light of the frame, soft too.
        gain: how bright each colour is beside the empty table, shape (3,).
        known: 255 where it is known why the frame differs, and the masks are 0 therefore; None for
            nowhere.
    """

    loose: Gray
    strict: Gray
    deep: Gray
    slope: Gray
    now: Image
    soft: Planes
    empty: Planes
    gain: NDArray[np.float64]
    known: Gray | None = None

    def part(self, left: int, top: int, right: int, bottom: int) -> "Foreground":
        """Return a part of it."""
        here = np.s_[top:bottom, left:right]
        masks = (self.loose, self.strict, self.deep, self.slope, self.now)
        loose, strict, deep, slope, now = (one[here] for one in masks)
        soft, empty = (tuple(one[here] for one in planes) for planes in (self.soft, self.empty))
        known = None if self.known is None else self.known[here]
        return Foreground(loose, strict, deep, slope, now, soft, empty, self.gain, known)

    def without(self, mask: Gray | None) -> "Foreground":
        """Return the same as if nothing differed where a mask is not 0; None is for nowhere."""
        if mask is None:
            return self
        loose, strict, deep = (
            np.asarray(cv2.subtract(one, mask), dtype=np.uint8)
            for one in (self.loose, self.strict, self.deep)
        )
        known = mask if self.known is None else np.maximum(self.known, mask)
        return replace(self, loose=loose, strict=strict, deep=deep, known=known)


class Background:
    """The empty table as one camera sees it from one place."""

    def __init__(
        self,
        empty: Image,
        guessed: Gray | None = None,
        tuning: BackgroundTuning = TUNING.background,
    ) -> None:
        """Take an image of the empty table.

        Args:
            empty: the image, already at half size.
            guessed: 255 where nobody has seen the table and the image is only a guess: its picture
                is taken to be no flatter there than the flattest third near by; None for nowhere.
            tuning: see `BackgroundTuning`.
        """
        self._tuning = tuning
        self._guessed = guessed
        self._mean = empty.astype(np.float32)
        self._calls = -1
        self._settle()

    @classmethod
    def of(
        cls, pictures: Sequence[Image], tuning: BackgroundTuning = TUNING.background
    ) -> "Background":
        """Take pictures of a table that is known to be empty, at half size."""
        return cls(np.mean(np.stack(pictures), axis=0), tuning=tuning)

    def compare(self, now: Image) -> Foreground:
        """Find where an image differs, at half size too."""
        colours = split(now)
        soft = _soft(colours, self._tuning)
        gain = np.array(
            [_gain(a, b, self._tuning) for a, b in zip(colours, self._sparse, strict=True)]
        )
        empty = lit(self._empty, gain)
        apart = _apart(soft, empty)
        if _median(apart) >= self._tuning.uneven_levels:
            empty = self._lit_by(colours)
            apart = _apart(soft, empty)
        if self._clipped is not None:
            empty = _up_to_white(empty, soft, self._clipped)
            apart = _apart(soft, empty)
        loose, strict, deep = _without_shadows(
            _beyond(apart, self._tuning), soft, empty, self._clipped, self._tuning
        )
        return Foreground(loose, strict, deep, self._slope, now, soft, empty, gain)

    def _lit_by(self, now: Planes) -> Planes:
        """Return the empty table in the light that falls on it now, wherever that comes from."""
        planes = []
        for colour, sparse, empty in zip(now, self._sparse, self._empty, strict=True):
            share = np.log(_thinned(colour, self._tuning) / sparse)
            field = np.exp(_smooth(share, self._tuning)).astype(np.float32)
            size = (empty.shape[1], empty.shape[0])
            whole = np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_LINEAR))
            planes.append(np.asarray(cv2.multiply(empty, whole, dtype=cv2.CV_8U), dtype=np.uint8))
        return tuple(planes)

    def update(self, foreground: Foreground) -> None:
        """Follow slow changes of light where nothing stands, at every few calls."""
        self._calls += 1
        if self._calls % self._tuning.update_every_looks:
            return
        busy = cv2.dilate(foreground.loose, np.ones((self._tuning.busy_px,) * 2, dtype=np.uint8))
        cv2.accumulateWeighted(
            foreground.now, self._mean, self._tuning.update_share, cv2.bitwise_not(busy)
        )
        self._settle()

    def take_in(self, now: Image, where: Gray, gain: NDArray[np.float64]) -> None:
        """Make what is seen in a place part of the empty table, in the light of the image.

        Args:
            now: an image at half size.
            where: 255 there, at the same size.
            gain: how bright each colour of the rest of the image is compared with the empty table,
                shape (3,).
        """
        self._mean *= gain.astype(np.float32)
        self._mean[where > 0] = now[where > 0]
        self._settle()

    def _settle(self) -> None:
        """Work out what every comparison needs of the empty table."""
        empty = np.asarray(cv2.convertScaleAbs(self._mean), dtype=np.uint8)
        self._sparse = [_thinned(colour, self._tuning) for colour in split(empty)]
        self._empty = _soft(split(empty), self._tuning)
        self._slope = _slope(np.asarray(cv2.merge(self._empty), dtype=np.uint8))
        if self._guessed is not None:
            self._slope = _as_round_it(self._slope, self._guessed, self._tuning)
        clipped = tuple(
            np.asarray(cv2.inRange(one, self._tuning.white_levels, 255), dtype=np.uint8)
            for one in self._empty
        )
        self._clipped = clipped if np.any(clipped) else None


def split(image: Image) -> Planes:
    """Return the three colours of an image, each by itself."""
    return tuple(np.asarray(one, dtype=np.uint8) for one in cv2.split(image))


def lit(planes: Planes, gain: NDArray[np.float64]) -> Planes:
    """Return an image as it would be in another light, stronger by `gain` in each colour."""
    return tuple(
        np.asarray(cv2.convertScaleAbs(one, alpha=float(share)), dtype=np.uint8)
        for one, share in zip(planes, gain, strict=True)
    )


def _up_to_white(empty: Planes, now: Planes, clipped: Planes) -> Planes:
    """Return the empty table, as bright as the frame where the camera could not measure it.

    There the table was at least as bright as its picture, so a brighter frame is no difference.
    """
    return tuple(
        np.where(white > 0, np.maximum(one, other), one)
        for one, other, white in zip(empty, now, clipped, strict=True)
    )


def differences(one: Planes, two: Planes, tuning: BackgroundTuning = TUNING.background) -> Gray:
    """Say where two images differ by more than noise: 255 there."""
    return _beyond(_apart(one, two), tuning)


def _apart(one: Planes, two: Planes) -> Gray:
    """By how many grey levels two images differ, in the colour where they do most."""
    apart = [np.asarray(cv2.absdiff(*both), dtype=np.uint8) for both in zip(one, two, strict=True)]
    return np.maximum(np.maximum(apart[0], apart[1]), apart[2])


def _beyond(apart: Gray, tuning: BackgroundTuning) -> Gray:
    """Where a difference is more than noise: 255 there."""
    step = max(tuning.least_step_levels, tuning.noise_steps * SIGMA_OF_MEDIAN * _median(apart))
    return np.asarray(cv2.inRange(apart, step, 255), dtype=np.uint8)


def _median(levels: Gray) -> int:
    """The middle one of the levels of an image, of every fourth row and column."""
    counts = np.bincount(levels[::4, ::4].ravel()).cumsum()
    return int(np.searchsorted(counts, counts[-1] / 2))


def _thinned(colour: Gray, tuning: BackgroundTuning) -> NDArray[np.floating[Any]]:
    """Every so many rows and columns of a colour, made lighter so that noise counts less."""
    return np.asarray(colour[:: tuning.sparse, :: tuning.sparse] + tuning.light_floor_levels)


def _gain(colour: Gray, empty: NDArray[np.floating[Any]], tuning: BackgroundTuning) -> float:
    """How bright one colour is beside that of the empty table, thinned out and made lighter."""
    return float(np.median(_thinned(colour, tuning) / empty))


def _smooth(field: NDArray[np.floating[Any]], tuning: BackgroundTuning) -> NDArray[np.float64]:
    """Fit a field by a smooth surface, leaving out what stands out from it."""
    rows, columns = field.shape
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    powers = range(tuning.light_degree + 1)
    terms = np.stack(
        [x**i * y**j for i in powers for j in powers if i + j <= tuning.light_degree], axis=-1
    )
    flat, values = terms.reshape(-1, terms.shape[-1]), field.ravel()
    fit = np.full(values.shape, float(np.median(values)))
    for _ in range(tuning.fit_rounds):
        off = np.abs(values - fit)
        usual = max(float(np.median(off)), 1e-3)
        good = off <= tuning.outlier_deviations * SIGMA_OF_MEDIAN * usual
        weights, *_ = np.linalg.lstsq(flat[good], values[good], rcond=None)
        fit = flat @ weights
    return np.asarray(fit.reshape(field.shape), dtype=np.float64)


def _soft(planes: Planes, tuning: BackgroundTuning) -> Planes:
    side = (tuning.blur_side_px,) * 2
    return tuple(
        np.asarray(cv2.GaussianBlur(one, side, tuning.blur_px), dtype=np.uint8) for one in planes
    )


def _without_shadows(
    loose: Gray, now: Planes, empty: Planes, clipped: Planes | None, tuning: BackgroundTuning
) -> tuple[Gray, Gray, Gray]:
    """Tell what shadows cannot be; the masks of `Foreground`."""
    lifted = (tuple(_lifted(one, tuning) for one in planes) for planes in (now, empty))
    shares = [
        np.asarray(cv2.divide(one, two, scale=WHOLE), dtype=np.uint8)
        for one, two in zip(*lifted, strict=True)
    ]
    if clipped is not None:
        shares = _as_dim_as_may_be(shares, clipped, tuning)
    blue, green, red = shares
    low, high = np.minimum(blue, green), np.maximum(blue, green)
    middle = np.maximum(low, np.minimum(high, red))
    tint = np.maximum(high, red) - np.minimum(low, red)
    shadow = cv2.inRange(middle, WHOLE * tuning.shadow_depth_share, WHOLE - 1)
    shadow = cv2.bitwise_and(shadow, cv2.inRange(tint, 0, WHOLE * tuning.shadow_tint_share))
    tinted = _tinted(shares, tuning)
    masks = [np.maximum(loose, tinted)]
    pale = cv2.min(shadow, cv2.inRange(middle, WHOLE * tuning.deep_shadow_share, 255))
    for sure, side in ((shadow, tuning.strict_px), (pale, tuning.deep_px)):
        window = np.ones((side, side), dtype=np.uint8)
        mask = cv2.morphologyEx(cv2.subtract(loose, sure), cv2.MORPH_OPEN, window)
        masks.append(np.maximum(np.asarray(mask, dtype=np.uint8), tinted))
    return masks[0], masks[1], masks[2]


def _as_dim_as_may_be(
    shares: Sequence[Gray], clipped: Planes, tuning: BackgroundTuning
) -> list[Gray]:
    """Lower the shares of colours in which the empty table was too bright to be measured.

    The table was brighter there than its picture, so less of its light is left than was measured.
    How much less is unknown, so they are lowered to the share of the dimmest colour, but at most by
    `white_headroom`.
    """
    dimmest = np.minimum(np.minimum(shares[0], shares[1]), shares[2])
    least = [cv2.convertScaleAbs(one, alpha=1 / tuning.white_headroom) for one in shares]
    return [
        np.where(white > 0, np.maximum(dimmest, low), one)
        for one, low, white in zip(shares, least, clipped, strict=True)
    ]


def _lifted(colour: Gray, tuning: BackgroundTuning) -> Gray:
    floor = np.full_like(colour, tuning.shade_floor_levels)
    return np.asarray(cv2.add(colour, floor), dtype=np.uint8)


def _tinted(shares: Sequence[Gray], tuning: BackgroundTuning) -> Gray:
    """Where the colour is not the table's, however bright it is.

    A black tile on a dark table may be as bright as the table, yet hardly ever of its colour. Much
    of one pixel counts no more than a little, so that outlines stay where they are.

    Args:
        shares: what the frame has of each colour of the empty table, `WHOLE` for all of it.
        tuning: see `BackgroundTuning`.
    """
    most = int(2 * WHOLE * tuning.shadow_tint_share)
    tint = np.zeros(shares[0].shape, dtype=np.uint8)
    none = np.full_like(tint, WHOLE)
    for n, share in enumerate(shares):
        apart = np.asarray(cv2.addWeighted(share, 1.0, shares[n - 1], -1.0, WHOLE))
        np.clip(apart, WHOLE - most, WHOLE + most, out=apart)
        calm = cv2.blur(apart, (tuning.tint_px, tuning.tint_px))
        tint = np.maximum(tint, np.asarray(cv2.absdiff(calm, none), dtype=np.uint8))
    least = max(
        WHOLE * tuning.shadow_tint_share, tuning.tint_steps * SIGMA_OF_MEDIAN * _median(tint)
    )
    return np.asarray(cv2.inRange(tint, least, 255), dtype=np.uint8)


def _slope(empty: Image) -> Gray:
    """How steep the empty table is itself, in grey levels per full-size pixel."""
    steep = cv2.morphologyEx(as_gray(empty), cv2.MORPH_GRADIENT, CROSS)
    return np.asarray(cv2.convertScaleAbs(steep, alpha=1 / (2 * SHRINK)), np.uint8)


def _as_round_it(slope: Gray, guessed: Gray, tuning: BackgroundTuning) -> Gray:
    """Make the guessed part of the table no flatter than the flattest third of it near by."""
    near = cv2.dilate(guessed, np.ones((tuning.round_px,) * 2, dtype=np.uint8))
    known = slope[(near > 0) & (guessed == 0)]
    if not known.size:
        return slope
    steep = np.uint8(np.percentile(known, tuning.round_percent))
    return np.where(guessed > 0, np.maximum(slope, steep), slope)


def shrink(image: Image) -> Image:
    """Return the image at half size."""
    size = (max(1, image.shape[1] // SHRINK), max(1, image.shape[0] // SHRINK))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
