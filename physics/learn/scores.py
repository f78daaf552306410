"""How good predictions are, scored against the shares seen in noisy runs."""

from math import comb
from typing import Final

import numpy as np

from physics.fall.joint import Reals
from physics.predict.hazard import expit

_EXPLAINED: Final = 0.95


def score(told: Reals, seen: Reals) -> dict[str, float]:
    """Score chances against the shares of noisy runs in which all fell.

    Returns:
        How many `rows`; the `brier` score and its standard error; the share that is
        `right_on_clear` rows (seen below 0.05 or above 0.95) and `right` on all; the
        `calibration_error` over ten bins.
    """
    square = (told - seen) ** 2
    clear = (seen < 0.05) | (seen > 0.95)
    right = (told > 0.5) == (seen > 0.5)
    figures = {
        "brier": float(square.mean()),
        "brier_error": float(square.std() / np.sqrt(len(square))),
        "right_on_clear": float(right[clear].mean()) if clear.any() else 1.0,
        "right": float(right.mean()),
        "calibration_error": calibration_error(told, seen),
    }
    return {"rows": len(seen), **{name: round(value, 4) for name, value in figures.items()}}


def calibration_error(told: Reals, seen: Reals) -> float:
    """Return the mean distance of predicted and seen shares over ten bins of the prediction.

    >>> round(calibration_error(np.array([0.1, 0.9]), np.array([0.0, 1.0])), 3)
    0.1
    """
    bins = np.minimum((told * 10).astype(int), 9)
    return float(
        sum(
            abs(float(told[bins == i].mean() - seen[bins == i].mean())) * float((bins == i).mean())
            for i in range(10)
            if (bins == i).any()
        )
    )


def own_error(told: Reals, seen: Reals, k: Reals) -> float:
    """Find the smallest normal error in log-odds that explains 19 of 20 rows.

    A row is explained if the falls seen lie within the middle 95 % of what the predicted chance,
    its error and the scatter of k runs lead to expect.

    Args:
        told: predicted chances.
        seen: shares of the noisy runs in which all fell.
        k: how many runs each share is of.
    """
    tried = np.arange(0.1, 4.0, 0.05)
    for sigma in tried:
        places = np.concatenate(
            [_places(told[k == n], seen[k == n], int(n), float(sigma)) for n in np.unique(k)]
        )
        if np.mean((places >= 0.025) & (places <= 0.975)) >= _EXPLAINED:
            return round(float(sigma), 2)
    return float(tried[-1])


def _places(told: Reals, seen: Reals, k: int, sigma: float) -> Reals:
    """Return the quantile of what was seen in its expected distribution, 0..1."""
    nodes, shares = np.polynomial.hermite_e.hermegauss(15)
    sure = np.clip(told, 1e-3, 1 - 1e-3)
    odds = np.log(sure / (1 - sure))[:, None] + sigma * nodes
    p = np.clip(expit(odds), 1e-9, 1 - 1e-9)[..., None]
    falls = np.arange(k + 1)
    ways = np.array([comb(k, int(n)) for n in falls], dtype=float)
    chances = (ways * p**falls * (1 - p) ** (k - falls)) * (shares / shares.sum())[:, None]
    share = chances.sum(axis=1)
    below = np.cumsum(share, axis=1) - share / 2
    places: Reals = below[np.arange(len(told)), np.round(seen * k).astype(int)]
    return places
