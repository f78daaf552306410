"""What a survey says: the mean chance along one or two parameters, and how far apart tiles may be.

Two intervals stand beside every mean. One is of the draws: how far another sample of rows would
give another mean. The other has the model's own error, too: the mean of the rows' own 95 %
intervals, as wide as if that error were the same for all of them.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from physics.fall.joint import Bools, Reals
from physics.survey.parameters import SurveyError

Indices = npt.NDArray[np.intp]

_LEVEL: Final = 0.95
_APIECE: Final = 40
"""Rows a bin has at least if there are enough: the mean of so many chances is sure to some .05."""
_BINS: Final = (4, 24)
_CELLS: Final = (3, 16)
"""Bins of a curve, and of each side of a heat map: the fewest and the most."""
_CELL: Final = 8
"""Rows in a cell of a heat map."""
_AGAIN: Final = 200
"""Bootstrap samples: ends of a 95 % interval from five of them on either side."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Rows of a survey, those that cannot stand left out; arrays of shape (rows,).

    Attributes:
        p: chance that the row falls.
        low: lower end of its own 95 % interval.
        high: upper end of it.
    """

    p: Reals
    low: Reals
    high: Reals

    def only(self, which: Indices | Bools) -> "Answers":
        """Some of the rows, by their numbers or by a mask."""
        return Answers(self.p[which], self.low[which], self.high[which])


@dataclass(frozen=True, slots=True)
class Curve:
    """Mean chance along a parameter; arrays of shape (bins,).

    Attributes:
        x: middle of each bin, in the parameter's unit.
        mean: mean chance of its rows.
        drawn: 95 % interval of the mean from the draws, shape (2, bins).
        model: the interval with the model's own error, shape (2, bins).
    """

    x: Reals
    mean: Reals
    drawn: Reals
    model: Reals


@dataclass(frozen=True, slots=True)
class Surface:
    """Mean chance over two parameters.

    Attributes:
        x_edges: of the cells, shape (columns + 1,).
        y_edges: of the cells, shape (rows + 1,).
        mean: mean chance of each cell, shape (rows, columns); nan where no row lies.
        half: half the width of its interval with the model's own error, same shape.
    """

    x_edges: Reals
    y_edges: Reals
    mean: Reals
    half: Reals


@dataclass(frozen=True, slots=True)
class Crossings:
    """How far a parameter may go until the chance falls under a level; arrays of shape (groups,).

    Attributes:
        level: of the chance.
        at: middle of each group's other parameter.
        most: the value at which its chance falls under the level; inf where it never does, -inf
            where it is under it from the start.
        drawn: its 95 % interval from the draws, shape (2, groups), with infinities alike.
        model: the interval with the model's own error, shape (2, groups).
    """

    level: float
    at: Reals
    most: Reals
    drawn: Reals
    model: Reals


def curve(x: Reals, answers: Answers) -> Curve:
    """Average the chance along a parameter, in bins of equally many rows or at each of its values.

    Args:
        x: the parameter of each row, shape (rows,).
        answers: of the rows.
    """
    groups = _groups(x, len(x) // _APIECE, *_BINS)
    means = [float(answers.p[g].mean()) for g in groups]
    halves = [_half(answers.p[g]) for g in groups]
    drawn = [(max(m - h, 0.0), min(m + h, 1.0)) for m, h in zip(means, halves, strict=True)]
    model = [
        (
            m - math.hypot(h, m - float(answers.low[g].mean())),
            m + math.hypot(h, float(answers.high[g].mean()) - m),
        )
        for g, m, h in zip(groups, means, halves, strict=True)
    ]
    return Curve(
        np.array([x[g].mean() for g in groups]),
        np.array(means),
        np.array(drawn).T,
        np.clip(np.array(model).T, 0.0, 1.0),
    )


def surface(x: Reals, y: Reals, answers: Answers) -> Surface:
    """Average the chance over two parameters, in cells.

    Args:
        x: the first parameter of each row, shape (rows,).
        y: the second one.
        answers: of the rows.
    """
    side = int(np.clip(math.sqrt(len(x) / _CELL), *_CELLS))
    x_edges, y_edges = _edges(x, side), _edges(y, side)
    columns = np.clip(np.searchsorted(x_edges, x, "right") - 1, 0, len(x_edges) - 2)
    rows = np.clip(np.searchsorted(y_edges, y, "right") - 1, 0, len(y_edges) - 2)
    shape = (len(y_edges) - 1, len(x_edges) - 1)
    mean, half = np.full(shape, np.nan), np.full(shape, np.nan)
    for r, c in sorted(set(zip(rows.tolist(), columns.tolist(), strict=True))):
        here = answers.only((rows == r) & (columns == c))
        mean[r, c] = here.p.mean()
        half[r, c] = math.hypot((here.high.mean() - here.low.mean()) / 2, _half(here.p))
    return Surface(x_edges, y_edges, mean, np.minimum(half, 1.0))


def reach(
    x: Reals, by: Reals, answers: Answers, level: float, rng: np.random.Generator
) -> Crossings:
    """Find how far a parameter may go until the chance falls under a level.

    Within each group of rows the chance is fitted by the nearest curve that only falls with x
    (isotonic regression, Barlow et al. 1972); intervals are quantiles of bootstrap samples.

    Args:
        x: the parameter, say the gap, of each row, shape (rows,).
        by: another parameter, by which rows are grouped.
        answers: of the rows.
        level: of the chance, 0..1.
        rng: draws the bootstrap samples.

    Raises:
        SurveyError: there are too few rows.
    """
    if len(x) < 2 * _APIECE:
        raise SurveyError(
            f"{len(x)} rows are too few to say how far apart tiles may stand; "
            f"expected at least {2 * _APIECE}"
        )
    groups = _groups(by, len(by) // (2 * _APIECE), *_BINS)
    found = [_reached(x[g], answers.only(g), level, rng) for g in groups]
    return Crossings(
        level,
        np.array([by[g].mean() for g in groups]),
        np.array([each[0] for each in found]),
        np.array([each[1] for each in found]).T,
        np.array([each[2] for each in found]).T,
    )


def _reached(
    x: Reals, answers: Answers, level: float, rng: np.random.Generator
) -> tuple[float, Reals, Reals]:
    samples = (rng.integers(len(x), size=len(x)) for _ in range(_AGAIN))
    again = np.array([_crossing(x[s], answers.p[s], level) for s in samples])
    tail = (1.0 - _LEVEL) / 2
    low, high = np.quantile(again, (tail, 1.0 - tail), method="nearest")
    outer = (_crossing(x, answers.low, level), _crossing(x, answers.high, level))
    model = np.array([min(outer[0], low), max(outer[1], high)])
    return _crossing(x, answers.p, level), np.array([low, high]), model


def _crossing(x: Reals, p: Reals, level: float) -> float:
    """Where the nearest falling curve through points goes under a level."""
    from scipy.optimize import isotonic_regression

    places, at, count = np.unique(x, return_inverse=True, return_counts=True)
    means = np.bincount(at, weights=p) / count
    fitted = isotonic_regression(means, weights=count, increasing=False).x
    if fitted[0] < level:
        return -math.inf
    if fitted[-1] >= level:
        return math.inf
    k = int(np.argmax(fitted < level))
    share = (fitted[k - 1] - level) / (fitted[k - 1] - fitted[k])
    return float(places[k - 1] + share * (places[k] - places[k - 1]))


def _half(p: Reals) -> float:
    """Half the width of the 95 % interval of a mean; 0 for a single row, which nothing is near."""
    if len(p) < 2:
        return 0.0
    from scipy.special import stdtrit

    quantile = float(stdtrit(len(p) - 1, (1.0 + _LEVEL) / 2))
    return quantile * float(p.std(ddof=1)) / math.sqrt(len(p))


def _groups(x: Reals, wanted: int, least: int, most: int) -> list[Indices]:
    """The rows at each value of a parameter, or in bins of equally many rows."""
    values = np.unique(x)
    if len(values) <= most:
        return [np.flatnonzero(x == value) for value in values]
    bins = min(max(wanted, least), most)
    return [each for each in np.array_split(np.argsort(x, kind="stable"), bins) if len(each)]


def _edges(x: Reals, side: int) -> Reals:
    """Cells around each value of a parameter, or so many of equal width."""
    values = np.unique(x)
    if len(values) > max(side, _BINS[1]):
        return np.linspace(values[0], values[-1], side + 1)
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middles = (values[1:] + values[:-1]) / 2
    ends = (1.5 * values[0] - 0.5 * values[1], 1.5 * values[-1] - 0.5 * values[-2])
    return np.array([ends[0], *middles, ends[1]])
