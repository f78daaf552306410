"""The posterior of a table's values, given its pushes; exact Bayes on the surrogate.

Values drawn from the prior are weighted by the chance that they give to what the pushes did. The
same draws without one push's weight predict that push from all others, so leaving each out in turn
costs nothing more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

import numpy as np

from physics.calibrate.recorded import Recorded
from physics.calibrate.surrogate import (
    NAMES,
    OWN_ERROR,
    POINTS,
    fitted,
    spread_evenly,
    stops,
    values_at,
)
from physics.errors import PhysicsError
from physics.fall.joint import Reals
from physics.predict.hazard import Hazard, usual
from physics.predict.learned_table import LearnedTable, Trust
from physics.row.table_values import Values

LEAST_PUSHES: Final = 8
"""With fewer, leaving one out says nothing."""
_DRAWS: Final = 8000
_KEPT: Final = 12
_CANDIDATES: Final = 600
"""Draws among which those that are kept are chosen, each equally likely."""
_COUNTED: Final = 0.15
"""How much of a push counts for the values: the model errs alike in rows that are alike, so pushes
tell less than if they were independent (a power posterior, Grünwald and van Ommen 2017). Of 84
synthetic tables 80 would then predict better than the defaults, as with 0.3; 77 with 0.5."""
_AGAINST: Final = 0.1
"""A share of the table below this speaks strongly for the defaults, ten to one (Jeffreys 1961)."""
_SURE: Final = 300.0
"""Log-odds that a float can hold."""
_INTERVAL: Final = (0.05, 0.5, 0.95)


class NotBetter(PhysicsError):
    """The pushes speak for the defaults."""


@dataclass(frozen=True, slots=True)
class Posterior:
    """What is known of a table after its pushes.

    Attributes:
        draws: values drawn from the prior, shape (draws, 5), in the order of `NAMES`.
        weights: of the draws; their sum is 1.
        table: the same in short.
    """

    draws: Reals
    weights: Reals
    table: LearnedTable

    @property
    def better(self) -> bool:
        """Whether the table is worth more than the defaults.

        It is unless the pushes speak against it. Scores of pushes left out would decide worse: a
        gain that counts is often smaller than what chance makes of 40 pushes, and a prediction
        moves from the defaults no further than the share says.
        """
        return self.table.share >= _AGAINST


def posterior(
    pushes: Sequence[Recorded],
    *,
    seed: int = 0,
    points: int = POINTS,
    hazard: Hazard | None = None,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Posterior:
    """Learn a table from its pushes.

    Args:
        pushes: at this table, with frictions as they are expected there.
        seed: random seed.
        points: sets of values at which each push falls.
        hazard: the one that predictions use; the usual one unless given.
        tell: called after every push with how many are done, of how many.

    Raises:
        PhysicsError: there are too few pushes.
    """
    require_enough(len(pushes))
    fits = []
    for i, push in enumerate(pushes, 1):
        fits.append(fit_of(push, seed=seed, points=points, hazard=hazard))
        tell(i, len(pushes))
    return weighed(pushes, fits, seed)


def fit_of(
    push: Recorded, *, seed: int = 0, points: int = POINTS, hazard: Hazard | None = None
) -> Reals:
    """Fit the surrogate of one push; its name and the seed make its chance."""
    rng = np.random.default_rng([seed, crc32(push.scenario.id.encode("utf-8", "replace"))])
    return fitted(push, hazard or usual(), rng, points)


def require_enough(pushes: int) -> None:
    """Refuse to learn from a few pushes.

    Raises:
        PhysicsError: there are too few.
    """
    if pushes < LEAST_PUSHES:
        raise PhysicsError(
            f"{pushes} pushes cannot tell one table from another; expected at least "
            f"{LEAST_PUSHES}: play on, and export them again"
        )


def weighed(pushes: Sequence[Recorded], fits: Sequence[Reals], seed: int = 0) -> Posterior:
    """Weight values by what the pushes did.

    Args:
        pushes: at this table.
        fits: of the surrogate, one a push.
        seed: random seed.
    """
    places = spread_evenly(_DRAWS, len(NAMES), np.random.default_rng(seed))
    places[0] = 0.0  # the defaults themselves
    likely, said, falls = np.zeros((3, len(pushes), _DRAWS))
    for i, (push, fit) in enumerate(zip(pushes, fits, strict=True)):
        likely[i] = np.log(stops(fit, places, OWN_ERROR)[:, push.fell])
        chances = stops(fit, places)
        said[i], falls[i] = chances[:, push.fell], chances[:, -1]
    whole = likely.sum(axis=0)
    weights = _weights(_COUNTED * whole)
    friction = pushes[0].scenario.friction
    draws = np.array(
        [[getattr(each, name) for name in NAMES] for each in values_at(places, friction)]
    )
    others = [whole - own for own in likely]
    all_fell = np.array([push.all_fell for push in pushes], dtype=float)
    after = np.array([_said_after(rest, p) for rest, p in zip(others, said, strict=True)])
    p_after = np.array([_said_after(rest, p) for rest, p in zip(others, falls, strict=True)])
    trust = Trust(
        len(pushes),
        float(np.log(said[:, 0]).mean()),
        float(np.log(after).mean()),
        float(np.mean((falls[:, 0] - all_fell) ** 2)),
        float(np.mean((p_after - all_fell) ** 2)),
    )
    low, middle, high = (Values(*_quantile(draws, weights, q)) for q in _INTERVAL)
    kept = tuple(Values(*draws[i].tolist()) for i in _typical(weights, falls))
    table = LearnedTable(middle, low, high, trust, kept, _share(whole))
    return Posterior(draws, weights, table)


def _share(log_chances: Reals) -> float:
    """Give the chance that a table is not as the defaults say, even before any push.

    Args:
        log_chances: of what the pushes did, by the defaults themselves and by draws of the prior.
            The mean over the draws against the defaults is a Bayes factor.
    """
    factors = np.exp(np.clip(log_chances - log_chances[0], -_SURE, _SURE))
    return float(1.0 - 1.0 / (1.0 + factors.mean()))


def _said_after(log_chances: Reals, chances: Reals) -> float:
    """Give what a prediction says after some pushes.

    Args:
        log_chances: of what they did.
        chances: of what is predicted, by the defaults themselves and by draws of the prior.
    """
    known = float(_weights(_COUNTED * log_chances) @ chances)
    return float(chances[0]) + _share(log_chances) * (known - float(chances[0]))


def _typical(weights: Reals, falls: Reals) -> list[int]:
    """Choose draws that stand for all of them, with the first few standing for the rest.

    Each makes the mean chance of every pushed row over those chosen so far as near to that over all
    draws as it can be (herding, Chen, Welling and Smola 2010): a dozen say what many say, while a
    dozen by chance may all err to one side.

    Args:
        weights: of the draws.
        falls: the chance that a row falls, shape (rows, draws).
    """
    shares = (np.arange(_CANDIDATES) + 0.5) / _CANDIDATES
    candidates = np.minimum(np.searchsorted(np.cumsum(weights), shares), len(weights) - 1)
    theirs, goal = falls[:, candidates].T, falls @ weights
    chosen: list[int] = []
    total = np.zeros(len(falls))
    for count in range(1, _KEPT + 1):
        off = ((total + theirs - count * goal) ** 2).sum(axis=1)
        best = int(off.argmin())
        total += theirs[best]
        chosen.append(int(candidates[best]))
    return chosen


def _weights(log_chances: Reals) -> Reals:
    weights = np.exp(log_chances - log_chances.max())
    shares: Reals = weights / weights.sum()
    return shares


def _quantile(draws: Reals, weights: Reals, share: float) -> list[float]:
    """Give a quantile of each value."""
    found = []
    for column in draws.T:
        order = np.argsort(column)
        below = np.cumsum(weights[order]) - weights[order] / 2
        found.append(float(np.interp(share, below, column[order])))
    return found
