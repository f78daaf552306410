"""How good predictions are, scored against the shares seen in noisy runs."""

import numpy as np

from physics.joint import Reals
from physics.training import expit


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
    """Return the mean distance of told and seen over ten bins of what was told.

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
    """Find the normal error in log-odds that makes what was seen likeliest."""
    nodes, shares = np.polynomial.hermite_e.hermegauss(15)
    odds = np.log(np.clip(told, 1e-3, 1 - 1e-3) / np.clip(1 - told, 1e-3, 1 - 1e-3))
    hits = seen * k

    def likelihood(sigma: float) -> float:
        p = np.clip(expit(odds[:, None] + sigma * nodes), 1e-9, 1 - 1e-9)
        logs = hits[:, None] * np.log(p) + (k - hits)[:, None] * np.log1p(-p)
        return float(np.log((np.exp(logs) * shares).sum(axis=1)).sum())

    tried = np.arange(0.1, 4.0, 0.05)
    return round(float(tried[np.argmax([likelihood(float(sigma)) for sigma in tried])]), 2)
