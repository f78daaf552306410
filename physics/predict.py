"""The chance that a row falls: many runs over what is not known exactly."""

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from physics.chain import Chain
from physics.fall import Run, side_view
from physics.joint import Bools, Copies, Reals, copies_of, down_the_chain, joints_of
from physics.push import Friction, Push
from physics.scenario import Spread, require_row

__all__ = ["JointChance", "Prediction", "Spread", "predict"]

RUNS: Final = 12
_TRIES: Final = 20
_SIGMAS: Final = 1.96


@dataclass(frozen=True, slots=True)
class JointChance:
    """How likely a fall gets across one joint, once it is there.

    Attributes:
        start: value of the tile that falls first, None if unread.
        end: value of the tile after it.
        p: share of the falls that get across.
    """

    start: int | None
    end: int | None
    p: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the model expects of a row.

    Attributes:
        p_fall: probability that every tile falls.
        low: lower end of its 95 % interval.
        high: upper end of it.
        all_fall: whether all falling is the likelier.
        joints: the chance of every joint, in row order.
        weakest: the values on both sides of the joint least likely to be crossed; None for a
            single tile.
        runs: how many copies of the row were let fall.
    """

    p_fall: float
    low: float
    high: float
    all_fall: bool
    joints: tuple[JointChance, ...]
    weakest: tuple[int | None, int | None] | None
    runs: int


@dataclass(frozen=True, slots=True)
class Draw:
    """Disturbed copies of a row with the frictions and the push of each.

    Attributes:
        copies: poses, shape (copies, tiles).
        tile_tile: friction of each copy.
        tile_table: friction of each copy.
        speed_mm_s: push speed of each copy.
    """

    copies: Copies
    tile_tile: Reals
    tile_table: Reals
    speed_mm_s: Reals


def predict(
    chain: Chain,
    push: Push,
    friction: Friction,
    spread: Spread,
    *,
    rng: np.random.Generator,
    runs: int = RUNS,
) -> Prediction:
    """Predict what a push does to a row.

    Args:
        chain: the row; its first tile is pushed. A tile that carries a sigma of its own is
            disturbed by that instead of the spread's.
        push: how it is pushed.
        friction: between tiles and with the table.
        spread: how far the real row may be from this one.
        rng: the only source of chance; the same seed gives the same answer.
        runs: how many copies to let fall.

    Raises:
        ChainError: the tiles cannot stand like this.
    """
    require_row(chain)
    draw = disturb(chain, push, friction, spread, runs, rng)
    near, far = joints_of(draw.copies), joints_of(draw.copies, skip=2)
    view = side_view(draw.copies, near, far)
    n = len(chain.tiles)
    fell = np.zeros((runs, n))
    for k in range(runs):
        run = Run(
            view,
            k,
            replace(push, speed_mm_s=float(draw.speed_mm_s[k])),
            Friction(float(draw.tile_tile[k]), float(draw.tile_table[k])),
        )
        run.go()
        fell[k] = run.fallen
    reached = np.minimum.accumulate(fell, axis=1)
    share = float(reached[:, -1].mean())
    chances = tuple(
        JointChance(
            a.value, b.value, float((reached[:, i + 1].sum() + 0.5) / (reached[:, i].sum() + 1))
        )
        for i, (a, b) in enumerate(zip(chain.tiles, chain.tiles[1:], strict=False))
    )
    weak = min(chances, key=lambda c: c.p, default=None)
    low, high = _wilson(share, runs)
    p = (share * runs + 0.5) / (runs + 1)
    return Prediction(
        p,
        min(low, p),
        max(high, p),
        p > 0.5,
        chances,
        (weak.start, weak.end) if weak else None,
        runs,
    )


def disturb(
    chain: Chain,
    push: Push,
    friction: Friction,
    spread: Spread,
    runs: int,
    rng: np.random.Generator,
) -> Draw:
    """Draw copies of a row as it might really stand; draws whose tiles overlap are drawn again."""
    row = copies_of(chain)
    xy = np.array([t.sigma_mm or spread.xy_mm for t in chain.tiles])
    turn = np.array([t.sigma_rad or spread.heading_rad for t in chain.tiles])
    n = len(chain.tiles)
    kept = np.repeat(np.stack([row.x_mm[0], row.y_mm[0], row.heading_rad[0]])[None], runs, axis=0)
    nominal, wanting = kept[0], np.arange(runs)
    for _ in range(_TRIES):
        noise = rng.standard_normal((len(wanting), 3, n)) * np.stack([xy, xy, turn])
        kept[wanting] = nominal + noise
        wanting = wanting[_overlapping(_posed(row, kept[wanting]))]
        if not len(wanting):
            break
    kept[wanting] = nominal
    copies = _posed(row, kept)
    factors = 1.0 + rng.standard_normal((3, runs)) * np.array(
        [[spread.friction], [spread.friction], [spread.push_speed]]
    )
    factors = np.clip(factors, 0.1, None)
    return Draw(
        replace(copies, heading_rad=down_the_chain(copies.x_mm, copies.y_mm, copies.heading_rad)),
        friction.tile_tile * factors[0],
        friction.tile_table * factors[1],
        push.speed_mm_s * factors[2],
    )


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


def _wilson(share: float, runs: int) -> tuple[float, float]:
    z = _SIGMAS**2 / runs
    middle = (share + z / 2) / (1 + z)
    half = math.sqrt(share * (1 - share) / runs + z / (4 * runs)) * _SIGMAS / (1 + z)
    return max(0.0, middle - half), min(1.0, middle + half)
