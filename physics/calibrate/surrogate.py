"""Where a push stops, as a smooth function of a table's values.

A prediction lets a dozen copies fall at one set of values; a posterior asks at thousands. So each
push falls at some dozens of values drawn from the prior, with noise of its own, and the log-odds of
the push and of every joint are fitted there by a quadratic: of the falls that get to a joint, which
share gets across (a logistic regression on soft labels, McCullagh and Nelder 1989).
"""

from statistics import NormalDist
from typing import Final

import numpy as np

from physics.calibrate.recorded import Recorded
from physics.fall.joint import Reals
from physics.fall.trials import disturb, let_fall
from physics.predict.hazard import Hazard, expit
from physics.row.push import Friction
from physics.row.table_values import Values

NAMES: Final = ("tile_tile", "tile_table", "stroke", "placement", "contact")
SIGMA: Final = (0.4, 0.25, 0.2, 0.6, 0.5)
"""Standard deviations of the prior, of the logarithm but for contact. Nine tables of ten then have
frictions of .14 to .52 and .33 to .75, as tile sets that were measured have, a stroke within a
third of what is set, and tiles .4 to 2.7 times as far off as their sigmas say. A contact of .5 is a
little less than the model's own error on a row."""
POINTS: Final = 32
"""Sets of values at which a push falls: 64 falls a push, some 150 ms."""
_CONTACTS: Final = (-1.5, 0.0, 1.5)
"""Contact only shifts log-odds, so every fall is judged at three of them, in sigmas."""
_WIDE: Final = 1.3
"""Sigmas of the values at which pushes fall, by those of the prior: a fit is weak at its edges."""
_RIDGE: Final = (1e-3, 0.3, 1.0)
"""Penalties of the constant, the slopes and the curvatures, in falls."""
_STEPS: Final = 8
_LEAST: Final = 1e-3
_EDGE: Final = 1e-5
OWN_ERROR: Final = 0.6
"""Standard deviation of the model's own error of a joint, in log-odds."""
_MISTOLD: Final = 0.01
"""The share of pushes that end otherwise than physics has it: a shaken table, a wrong verdict."""


def values_at(places: Reals, friction: Friction) -> list[Values]:
    """Turn places in the prior into values.

    Args:
        places: standard normal under the prior, shape (n, 5), in the order of `NAMES`.
        friction: median of the prior.
    """
    middle = (friction.tile_tile, friction.tile_table, 1.0, 1.0)
    scaled = places * np.array(SIGMA)
    factors = np.array(middle) * np.exp(scaled[:, :-1])
    lines = np.concatenate([factors, scaled[:, -1:]], axis=1).tolist()
    return [Values(*line) for line in lines]


def spread_evenly(count: int, wide: int, rng: np.random.Generator) -> Reals:
    """Draw standard normal places that fill every axis evenly (a Latin hypercube)."""
    ranks = np.stack([rng.permutation(count) for _ in range(wide)], -1)
    shares = (ranks + rng.random((count, wide))) / count
    normal = NormalDist()
    return np.array(
        [[normal.inv_cdf(min(max(s, 1e-9), 1 - 1e-9)) for s in line] for line in shares]
    )


def quadratic(places: Reals) -> Reals:
    """Give the constant, the places, their squares and products, shape (n, 21) for five values."""
    one, two = np.triu_indices(places.shape[1])
    return np.concatenate(
        [np.ones((len(places), 1)), places, places[:, one] * places[:, two]], axis=1
    )


def fitted(push: Recorded, hazard: Hazard, rng: np.random.Generator, points: int = POINTS) -> Reals:
    """Fit the log-odds of the push and of every joint; coefficients of shape (tiles, 21).

    Args:
        push: whose row it is; what it did is not looked at.
        hazard: judges the falls.
        rng: the only source of chance.
        points: sets of values at which two copies fall, with opposite noise.
    """
    return regression(*falls(push, hazard, rng, points))


def falls(
    push: Recorded, hazard: Hazard, rng: np.random.Generator, points: int
) -> tuple[Reals, Reals]:
    """Let a row fall at many values; contact is left out.

    Returns:
        Places in the prior, shape (2 points, 5), and the chances of the push and of every joint,
        shape (2 points, tiles).
    """
    row, own = push.scenario, len(NAMES) - 1
    places = np.zeros((points, len(NAMES)))
    places[:, :own] = _WIDE * spread_evenly(points, own, rng)
    judged = []
    for values in values_at(places, row.friction):
        trials = disturb(row.chain, row.push, row.friction, row.spread, 2, rng, [values])
        judged.append(hazard.chances(trials, let_fall(trials)))
    return np.repeat(places, 2, axis=0), np.concatenate(judged)


def regression(places: Reals, chances: Reals) -> Reals:
    """Fit every column of chances by Newton's method.

    A fall counts as far as it gets to the joint, and is judged at several contacts. Penalties pull
    towards chances that depend on contact alone, as log-odds do by its definition.
    """
    sure = np.clip(chances, _EDGE, 1.0 - _EDGE)
    odds = np.log(sure / (1.0 - sure))
    lines, goals = [], []
    for contact in _CONTACTS:
        moved, there = odds.copy(), places.copy()
        moved[:, 1:] += contact * SIGMA[-1]
        there[:, -1] = contact
        lines.append(quadratic(there))
        goals.append(expit(moved))
    line, goal = np.concatenate(lines), np.concatenate(goals)
    came = np.cumprod(np.concatenate([np.ones((len(goal), 1)), goal[:, :-1]], 1), axis=1)
    weight = (came + _LEAST) / len(_CONTACTS)
    wide = len(NAMES)
    penalty = np.repeat(_RIDGE, (1, wide, line.shape[1] - 1 - wide))
    usual = np.zeros((goal.shape[1], line.shape[1]))
    usual[1:, wide] = SIGMA[-1]
    found: Reals = usual.copy()
    for _ in range(_STEPS):
        told = expit(line @ found.T)
        slope = line.T @ (weight * (goal - told)) - penalty[:, None] * (found - usual).T
        curve = np.einsum("ni,nj,nk->kij", line, line, weight * told * (1 - told), optimize=True)
        curve += np.diag(penalty)
        step = np.linalg.solve(curve, slope.T[..., None])[..., 0]
        found = found + np.clip(step, -2.0, 2.0)
    return found


def stops(coefficients: Reals, places: Reals, own_error: float = 0.0) -> Reals:
    """Give the chance of every number of fallen tiles, shape (places, tiles + 1).

    Args:
        coefficients: of the push.
        places: in the prior, shape (places, 5).
        own_error: of the model on a joint, one sigma in log-odds; it flattens them (MacKay 1992).
    """
    flat = 1.0 / np.sqrt(1.0 + np.pi * own_error**2 / 8.0)
    chances = expit(flat * (quadratic(places) @ coefficients.T))
    one = np.ones((len(places), 1))
    came = np.cumprod(np.concatenate([one, chances], 1), axis=1)
    ended = came * np.concatenate([1.0 - chances, one], 1)
    told: Reals = (1.0 - _MISTOLD) * ended + _MISTOLD / ended.shape[1]
    return told
