"""Where in the space of its parameters a survey looks: a grid, Latin hypercube or Sobol points."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import numpy as np

from physics.fall.joint import Reals
from physics.survey.parameters import CUT, Axis, SurveyError

MOST_ROWS: Final = 1_000_000
"""Rows of a survey: some eight hours of one core, and 100 MB of points."""


class Design(StrEnum):
    """How points are chosen."""

    GRID = "grid"
    """Every combination of the values."""
    LATIN = "latin"
    """Latin hypercube: of every parameter, each of so many equal shares comes once."""
    SOBOL = "sobol"
    """Owen-scrambled Sobol points: evenly spread in all parameters together."""


def size(axes: Sequence[Axis], sample: Design, rows: int | None) -> int:
    """Count the points of a survey.

    Args:
        axes: what varies, and how.
        sample: in which way points are chosen.
        rows: how many; None for a grid, which has as many as it has combinations.

    Raises:
        SurveyError: a grid over a range without steps, or too many rows.
    """
    if sample is Design.GRID:
        if rows is not None:
            raise SurveyError("a grid has as many rows as combinations; leave --rows out")
        rows = math.prod(map(len, _sides(axes)))
        if rows > MOST_ROWS:
            raise SurveyError(f"this grid has {rows} rows; expected at most {MOST_ROWS}")
    if rows is None or not 1 <= rows <= MOST_ROWS:
        raise SurveyError(f"a survey has 1 to {MOST_ROWS} rows, got {rows}")
    return rows


def points(axes: Sequence[Axis], sample: Design, rows: int, seed: int) -> Reals:
    """Choose the points of a survey.

    Args:
        axes: what varies, and how.
        sample: in which way.
        rows: how many, by `size`.
        seed: random seed of the draws; a grid needs none.

    Returns:
        A point a row, shape (rows, axes), in the parameters' units.
    """
    if sample is Design.GRID:
        return np.stack(
            [each.ravel() for each in np.meshgrid(*_sides(axes), indexing="ij")], axis=1
        )
    free = [k for k, axis in enumerate(axes) if axis.varies]
    shares = np.zeros((rows, len(axes)))
    if free:
        shares[:, free] = _shares(sample, len(free), rows, np.random.default_rng(seed))
    return np.column_stack([_at(axis, shares[:, k]) for k, axis in enumerate(axes)])


def _sides(axes: Sequence[Axis]) -> list[tuple[float, ...]]:
    """The values of each parameter of a grid."""
    for axis in axes:
        if not axis.values and not axis.parameter.whole:
            name = axis.parameter.name
            raise SurveyError(
                f"{name}={axis.text}: a grid needs steps or values; "
                f"write {name}={axis.low:g}..{axis.high:g}/8"
            )
    return [axis.values or tuple(np.arange(axis.low, axis.high + 1.0)) for axis in axes]


def _shares(sample: Design, sides: int, rows: int, rng: np.random.Generator) -> Reals:
    """Points in the unit cube, shape (rows, sides)."""
    # SciPy's statistics take half a second to load; workers start meanwhile.
    from scipy.stats import qmc

    if sample is Design.LATIN:
        return np.asarray(qmc.LatinHypercube(sides, rng=rng).random(rows), dtype=float)
    # Sobol points are balanced in powers of two; of the last power, the first ones are taken.
    return np.asarray(
        qmc.Sobol(sides, rng=rng).random_base2((rows - 1).bit_length())[:rows], dtype=float
    )


def _at(axis: Axis, shares: Reals) -> Reals:
    """The values of a parameter below which these shares of its draws lie."""
    if axis.values:
        which = np.minimum((shares * len(axis.values)).astype(int), len(axis.values) - 1)
        return np.asarray(np.array(axis.values)[which], dtype=float)
    if axis.parameter.whole:
        whole = np.floor(axis.low + shares * (axis.high - axis.low + 1.0))
        return np.asarray(np.minimum(whole, axis.high), dtype=float)
    if axis.normal:
        from scipy.special import ndtr, ndtri

        below = ndtr(-CUT)
        drawn = ndtri(below + shares * (1.0 - 2.0 * below))
        middle, sigma = (axis.low + axis.high) / 2, (axis.high - axis.low) / (2 * CUT)
        return np.asarray(middle + sigma * drawn, dtype=float)
    return axis.low + shares * (axis.high - axis.low)
