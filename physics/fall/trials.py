"""Disturbed copies of a row, as it might really stand, and how each of them falls."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from physics.fall.joint import Bools, Copies, Joints, Reals, copies_of, down_the_chain, joints_of
from physics.fall.side_view import GRAVITY_MM_S2, side_view
from physics.fall.simulate import Run
from physics.row.chain import Chain
from physics.row.push import Friction, Path, Push
from physics.row.spread import Spread
from physics.row.table_values import Values

_TRIES: Final = 20
_LEAST_FACTOR: Final = 0.1
_PUSH: Final = (
    "height_frac",
    "speed_mm_s",
    "stroke_mm",
    "tip_radius_mm",
    "standoff_mm",
    "hold_s",
)


@dataclass(frozen=True, slots=True)
class Trials:
    """Falls of rows with equally many tiles; each attribute has one number a fall, shape (copies,).

    Attributes:
        copies: the poses.
        near: joints between neighbours.
        far: joints between tiles two places apart.
        smooth: whether the push goes along the smooth path.
        contact: added to the log-odds of every joint.
        tile_tile: friction.
        tile_table: friction.
        height_frac: of the push.
        speed_mm_s: of the push.
        stroke_mm: of the push.
        tip_radius_mm: of the push.
        standoff_mm: of the push.
        hold_s: of the push.
    """

    copies: Copies
    near: Joints
    far: Joints
    smooth: Bools
    contact: Reals
    tile_tile: Reals
    tile_table: Reals
    height_frac: Reals
    speed_mm_s: Reals
    stroke_mm: Reals
    tip_radius_mm: Reals
    standoff_mm: Reals
    hold_s: Reals

    def only(self, which: Sequence[int]) -> "Trials":
        """Return some of the falls; their tiles must be of the same sizes."""
        chosen = np.array(which, dtype=int)

        def some(arrays: Joints) -> Joints:
            return Joints(*(getattr(arrays, name)[chosen] for name in Joints.__slots__))

        copies = self.copies
        return Trials(
            replace(
                copies,
                x_mm=copies.x_mm[chosen],
                y_mm=copies.y_mm[chosen],
                heading_rad=copies.heading_rad[chosen],
            ),
            some(self.near),
            some(self.far),
            self.smooth[chosen],
            self.contact[chosen],
            self.tile_tile[chosen],
            self.tile_table[chosen],
            self.height_frac[chosen],
            self.speed_mm_s[chosen],
            self.stroke_mm[chosen],
            self.tip_radius_mm[chosen],
            self.standoff_mm[chosen],
            self.hold_s[chosen],
        )


@dataclass(frozen=True, slots=True)
class Marks:
    """What happened in the side view of trials; arrays of shape (copies, tiles).

    Attributes:
        fallen: 1 for tiles that fell with all before them, else 0.
        peak: largest tilt in balance angles, from -1 to 2.
        crossing: angular speed past the balance angle, times sqrt(height / g); 0 if it never was.
        arrival_s: when each tile began to topple, from the start of the push; NaN if it never did.
    """

    fallen: Reals
    peak: Reals
    crossing: Reals
    arrival_s: Reals


def disturb(
    chain: Chain,
    push: Push,
    friction: Friction,
    spread: Spread,
    runs: int,
    rng: np.random.Generator,
    tables: Sequence[Values] = (),
) -> Trials:
    """Draw copies of a row as it might really stand.

    Copies come in pairs with opposite noise, which makes their mean steadier. A draw whose tiles
    overlap is drawn again; after many vain tries a copy stands as the row was measured.

    Args:
        chain: the row; a tile with sigmas of its own is disturbed by those, not by the spread's.
        push: how it is pushed.
        friction: between tiles and with the table.
        spread: how far the real row may be from this one.
        runs: how many copies.
        rng: the source of chance; what a copy draws of it does not depend on its table.
        tables: on which the copies stand, in turn; its frictions are in place of those given.
    """
    row = copies_of(chain)
    at = [tables[k % len(tables)] for k in range(runs)] if tables else []
    xy = np.array([t.sigma_mm or spread.xy_mm for t in chain.tiles])
    turn = np.array([t.sigma_rad or spread.heading_rad for t in chain.tiles])
    sigma = np.repeat(np.stack([xy, xy, turn])[None], runs, axis=0)
    if at:
        sigma *= np.array([values.placement for values in at])[:, None, None]
    nominal = np.stack([row.x_mm[0], row.y_mm[0], row.heading_rad[0]])
    noise = np.repeat(rng.standard_normal(((runs + 1) // 2, *nominal.shape)), 2, axis=0)[:runs]
    noise[1::2] *= -1.0
    kept = nominal + noise * sigma
    wanting = np.flatnonzero(_overlapping(_posed(row, kept)))
    for _ in range(_TRIES):
        if not len(wanting):
            break
        again = rng.standard_normal((len(wanting), *nominal.shape))
        kept[wanting] = nominal + again * sigma[wanting]
        wanting = wanting[_overlapping(_posed(row, kept[wanting]))]
    kept[wanting] = nominal
    shares = np.array([[spread.friction], [spread.friction], [spread.push_speed]])
    swing = np.repeat(rng.standard_normal((3, (runs + 1) // 2)), 2, axis=1)[:, :runs]
    swing[:, 1::2] *= -1.0
    factors = np.maximum(1.0 + shares * swing, _LEAST_FACTOR)
    copies = _posed(row, kept)
    rubs = [Friction(v.tile_tile, v.tile_table) for v in at] or [friction] * runs
    found = trials_of(
        replace(copies, heading_rad=down_the_chain(copies.x_mm, copies.y_mm, copies.heading_rad)),
        [replace(push, speed_mm_s=push.speed_mm_s * f) for f in factors[2].tolist()],
        [
            Friction(rub.tile_tile * a, rub.tile_table * b)
            for rub, (a, b) in zip(rubs, factors[:2].T.tolist(), strict=True)
        ],
    )
    if not at:
        return found
    strokes, contacts = np.array([[v.stroke, v.contact] for v in at]).T
    return replace(found, stroke_mm=found.stroke_mm * strokes, contact=contacts)


def trials_of(copies: Copies, pushes: Iterable[Push], frictions: Iterable[Friction]) -> Trials:
    """Combine copies with the push and the frictions of each."""
    told = list(pushes)
    push = np.array([[getattr(p, name) for name in _PUSH] for p in told]).reshape(-1, len(_PUSH))
    smooth = np.array([p.path is Path.SMOOTH for p in told], dtype=bool)
    rub = np.array([[f.tile_tile, f.tile_table] for f in frictions]).reshape(-1, 2)
    near, far = joints_of(copies), joints_of(copies, skip=2)
    return Trials(copies, near, far, smooth, np.zeros(len(told)), *rub.T, *push.T)


def let_fall(trials: Trials, which: Iterable[int] | None = None) -> Marks:
    """Let some of the copies fall, all of them unless told which; marks are in that order."""
    chosen = range(len(trials.tile_tile)) if which is None else list(which)
    view = side_view(trials.copies, trials.near, trials.far)
    marks = np.zeros((4, len(chosen), trials.copies.x_mm.shape[1]))
    for row, k in enumerate(chosen):
        path = Path.SMOOTH if trials.smooth[k] else Path.STEADY
        push = Push(**{name: float(getattr(trials, name)[k]) for name in _PUSH}, path=path)
        run = Run(view, k, push, Friction(float(trials.tile_tile[k]), float(trials.tile_table[k])))
        run.go()
        marks[0, row] = run.fallen
        marks[1, row] = run.peak
        marks[1, row] /= run.balance
        marks[2, row] = run.crossing
        marks[2, row] *= np.sqrt(np.array(run.height) / GRAVITY_MM_S2)
        marks[3, row] = [math.nan if time_s is None else time_s for time_s in run.arrival_s]
    fallen = np.minimum.accumulate(marks[0], axis=1)
    return Marks(fallen, np.clip(marks[1], -1, 2), marks[2], marks[3])


def _posed(row: Copies, poses: Reals) -> Copies:
    return replace(row, x_mm=poses[:, 0], y_mm=poses[:, 1], heading_rad=poses[:, 2])


def _overlapping(copies: Copies) -> Bools:
    """Say for every copy whether any two tiles, at most three places apart, share area."""
    n = copies.x_mm.shape[1]
    found = np.zeros(copies.x_mm.shape[0], dtype=bool)
    for skip in range(1, min(4, n)):
        a, b = slice(0, n - skip), slice(skip, n)
        apart = np.zeros((copies.x_mm.shape[0], n - skip), dtype=bool)
        dx, dy = copies.x_mm[:, b] - copies.x_mm[:, a], copies.y_mm[:, b] - copies.y_mm[:, a]
        for one in (a, b):
            for quarter in (0.0, math.pi / 2):
                axis = copies.heading_rad[:, one] + quarter
                between = np.abs(dx * np.cos(axis) + dy * np.sin(axis))
                reach = sum(
                    copies.thickness_mm[s] / 2 * np.abs(np.cos(copies.heading_rad[:, s] - axis))
                    + copies.face_mm[s] / 2 * np.abs(np.sin(copies.heading_rad[:, s] - axis))
                    for s in (a, b)
                )
                apart |= between >= reach
        found |= ~apart.all(axis=1)
    return found
