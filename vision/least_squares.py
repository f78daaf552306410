"""Least squares by the method of Levenberg and Marquardt, for a few hundred unknowns."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Model = Callable[[Floats], tuple[Floats, Floats]]
"""Takes the unknowns, shape (n,); gives residuals, shape (m,), and their Jacobian, (m, n)."""

STEPS = 60
SMALL = 1e-8
"""A step that gains a smaller share is the last."""
RIDGE = 1e-12
"""Keeps unknowns that nothing depends on from spoiling the others."""
FIRM = 1e12
"""A damping at which steps no longer get anywhere."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Where a fit ended.

    Attributes:
        values: the unknowns, shape (n,).
        residuals: what is left, shape (m,).
        jacobian: of the residuals there, shape (m, n).
    """

    values: Floats
    residuals: Floats
    jacobian: Floats

    def covariance(self, sigma: float) -> Floats:
        """Return the covariance of the unknowns, shape (n, n).

        Args:
            sigma: standard deviation of one residual.
        """
        normal = self.jacobian.T @ self.jacobian
        # Unknowns differ by many powers of ten; as shares of their own curvature they do not.
        curved = np.diag(normal)
        size = np.sqrt(np.where(curved > 0, curved, 1.0))
        inverse = np.linalg.inv(normal / np.outer(size, size) + RIDGE * np.eye(len(size)))
        return np.asarray(inverse / np.outer(size, size) * sigma**2)


def least_squares(model: Model, start: Floats) -> Fit:
    """Find the unknowns whose squared residuals add up to least, near a start.

    Each unknown is damped by its own curvature (Marquardt 1963), so units do not matter.

    Args:
        model: residuals and Jacobian of given unknowns.
        start: shape (n,).

    >>> line = lambda p: (p[0] * np.arange(3.0) - [1.0, 3.0, 5.0] + p[1], np.array(
    ...     [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]))
    >>> least_squares(line, np.zeros(2)).values.round(6)
    array([2., 1.])
    """
    values = np.asarray(start, dtype=np.float64)
    residuals, jacobian = model(values)
    damping = 1e-3
    for _ in range(STEPS):
        normal = jacobian.T @ jacobian
        slope = jacobian.T @ residuals
        scale = np.diag(np.maximum(np.diag(normal), 1e-12))
        cost = float(residuals @ residuals)
        while damping < FIRM:
            step = -np.linalg.solve(normal + damping * scale, slope)
            left, bent = model(values + step)
            new_cost = float(left @ left)
            if np.isfinite(new_cost) and new_cost <= cost:
                break
            damping *= 8.0
        else:
            break
        values, residuals, jacobian = values + step, left, bent
        damping = max(damping / 10.0, 1e-12)
        if cost - new_cost <= SMALL * cost:
            break
    return Fit(values, residuals, jacobian)
