"""The chance that a row falls: disturbed copies fall, and the fitted hazard judges each of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from physics.fall.joint import Reals
from physics.fall.limits import require_push
from physics.fall.trials import disturb, let_fall
from physics.predict.extrapolation import strange
from physics.predict.hazard import Hazard, usual
from physics.predict.sensitivity import Sensitivity, sensitivities
from physics.row.chain import Chain
from physics.row.push import Friction, Push
from physics.row.spread import Spread
from physics.row.table_values import Values

__all__ = [
    "EDGE",
    "RUNS",
    "SIGMAS",
    "SURE",
    "JointChance",
    "Prediction",
    "Sensitivity",
    "Spread",
    "crossed",
    "predict",
]

RUNS: Final = 12
_BATCH: Final = 4
_BLOCK: Final = 1200
"""Copies that are drawn at once: a few MB. Where more may be needed, more are drawn then."""
SURE: Final = 0.01
SIGMAS: Final = 1.96
"""Half a 95 % interval."""
_STRANGE: Final = 1.5
EDGE: Final = 0.001
"""Chances count as at least this far from 0 and from 1 in an interval."""
_HARDLY: Final = 1e-100


@dataclass(frozen=True, slots=True)
class JointChance:
    """How likely a fall gets across one joint, once it is there.

    Attributes:
        start: value of the tile that falls first, None if unread.
        end: value of the tile after it.
        p: of the falls that reach the joint, the share that get across.
    """

    start: int | None
    end: int | None
    p: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the model expects of a row.

    Attributes:
        p_fall: probability that every tile falls.
        low: lower end of its 95 % interval, from the draws and from the model's own error.
        high: upper end of it.
        all_fall: whether all falling is the likelier.
        joints: the chance of every joint, in row order.
        weakest: the values on both sides of the joint least likely to be crossed.
        runs: how many copies of the row were let fall.
        extrapolated: the traits in which the row lies outside the fitted range, in words and
            numbers.
        push: share of the falls in which the push topples the first tile.
        error: standard error of p_fall from the draws alone.
        sensitivity: how p_fall depends on frictions and push; empty unless asked for.
    """

    p_fall: float
    low: float
    high: float
    all_fall: bool
    joints: tuple[JointChance, ...]
    weakest: tuple[int | None, int | None]
    runs: int
    extrapolated: tuple[str, ...]
    push: float
    error: float
    sensitivity: tuple[Sensitivity, ...] = ()


def predict(
    chain: Chain,
    push: Push,
    friction: Friction,
    spread: Spread,
    *,
    rng: np.random.Generator,
    runs: int = RUNS,
    error: float = SURE,
    detail: bool = False,
    hazard: Hazard | None = None,
    tables: Sequence[Values] = (),
) -> Prediction:
    """Predict what a push does to a row.

    Copies fall a few at a time, until their mean is sure enough or `runs` have fallen; the rest of
    the interval is the model's own error. Stopping early does not bias the mean, because rows that
    stop early have copies that agree; `tests/bench/RESULTS.md` has the figures.

    Args:
        chain: the row; its first tile is pushed. A tile that carries a sigma of its own is
            disturbed by that instead of the spread's.
        push: how it is pushed.
        friction: between tiles and with the table.
        spread: how far the real row may be from this one.
        rng: the only source of chance; the same seed gives the same answer.
        runs: how many copies to let fall at most; at least 1.
        error: standard error of p_fall from the draws that is small enough to stop.
        detail: also find out how p_fall depends on frictions and push.
        hazard: the fitted correction; the one that comes with the package unless given.
        tables: on which the copies stand, in turn; one as the frictions say unless given.

    Raises:
        ChainError: the tiles cannot stand like this, are no row, or are not pushed along it.
    """
    require_push(chain, push, friction, spread)
    if runs < 1:
        raise ValueError(f"a prediction needs at least 1 run, got {runs}")
    hazard = hazard or usual()
    trials = disturb(chain, push, friction, spread, min(runs, _BLOCK), rng, tables)
    chances = reached = np.zeros((0, len(chain.tiles)))
    first = trials
    while len(reached) < runs and not (len(reached) and _error(reached[:, -1]) < error):
        at, left = len(reached) % _BLOCK, runs - len(reached)
        if len(reached) and not at:
            trials = disturb(chain, push, friction, spread, min(left, _BLOCK), rng, tables)
        chosen = range(at, min(at + _BATCH, at + left, _BLOCK))
        judged = hazard.chances(trials.only(chosen), let_fall(trials, chosen))
        chances = np.concatenate([chances, judged])
        reached = np.concatenate([reached, np.cumprod(judged, axis=1)])
    p = float(reached[:, -1].mean())
    unlike = strange(hazard.seen, chain, push, friction, spread)
    low, high = _interval(reached[:, -1], hazard.sigma * (_STRANGE if unlike else 1.0))
    shares = crossed(chances.mean(axis=0), reached.mean(axis=0))
    joints = tuple(
        JointChance(a.value, b.value, p)
        for (a, b), p in zip(pairwise(chain.tiles), shares, strict=True)
    )
    weak = min(joints, key=lambda joint: joint.p)
    used = first.only(range(min(len(reached), _BLOCK)))
    return Prediction(
        p_fall=p,
        low=low,
        high=high,
        all_fall=p > 0.5,
        joints=joints,
        weakest=(weak.start, weak.end),
        runs=len(reached),
        extrapolated=unlike,
        push=float(reached[:, 0].mean()),
        error=_error(reached[:, -1]),
        sensitivity=sensitivities(used, hazard, p) if detail else (),
    )


def crossed(alone: Reals, came: Reals) -> list[float]:
    """Return for every joint the share of the falls that came to it and got across.

    Args:
        alone: mean chance of the push and of every joint over all copies, shape (tiles,), for a
            joint that hardly any fall reaches.
        came: share of the falls that got across the push and every joint, shape (tiles,).
    """
    return [
        float(there / here) if here > _HARDLY else float(p)
        for here, there, p in zip(came[:-1], came[1:], alone[1:], strict=True)
    ]


def _error(chances: Reals) -> float:
    """Return the standard error of the mean, never quite 0 for a few copies.

    The true error is smaller, because copies come in pairs with opposite noise.
    """
    scatter = float(chances.std(ddof=1)) if len(chances) > 1 else 0.0
    return (scatter + EDGE) / math.sqrt(len(chances))


def _interval(chances: Reals, own: float) -> tuple[float, float]:
    """Return the 95 % interval of a mean of chances, in log-odds, so that it stays inside 0..1.

    Args:
        chances: of all falling, one for each copy.
        own: standard deviation of the model's own error, in log-odds.
    """
    p = min(max(float(chances.mean()), EDGE), 1.0 - EDGE)
    drawn = _error(chances) / (p * (1.0 - p))
    half = SIGMAS * math.hypot(own, min(drawn, 2.0))
    odds = math.log(p / (1.0 - p))
    low, high = (1.0 / (1.0 + math.exp(-(odds + side))) for side in (-half, half))
    mean = float(chances.mean())
    return min(low, mean), max(high, mean)
