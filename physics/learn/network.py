"""Training of small networks that predict chances: plain gradient steps, numpy alone."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from physics.fall.joint import Reals
from physics.predict.features import ODD
from physics.predict.hazard import LEAK, Ensemble, expit

Singles = npt.NDArray[np.float32]

_LEAST_SCALE: Final = 0.05
_DECAY: Final = 1e-3
_FIRST_SHARE: Final = 0.1


@dataclass(frozen=True, slots=True)
class Lines:
    """What to learn from.

    Attributes:
        values: numbers, one line each, the odd ones last; shape (lines, numbers).
        goal: chance of each line, 0..1.
        weight: how much each line counts.
    """

    values: Reals
    goal: Reals
    weight: Reals


def train(
    lines: Lines,
    hidden: tuple[int, ...],
    *,
    epochs: int,
    batch: int,
    rate: float,
    rng: np.random.Generator,
    members: int = 1,
    start: Ensemble | None = None,
) -> Ensemble:
    """Fit networks by Adam with weight decay; each line is seen as it is or mirrored.

    Args:
        lines: what to learn from.
        hidden: sizes of the layers between.
        epochs: how often each line is seen.
        batch: how many lines a step looks at.
        rate: the largest step, reached after a tenth of the training; then it fades to zero.
        rng: the source of chance.
        members: how many networks; they differ only in their random start.
        start: networks to train further, in the place of new ones; their number, sizes, mean and
            scale count, not those given here.
    """
    values = np.asarray(lines.values, dtype=np.float32)
    if start is None:
        mean, scale = values.mean(axis=0), values.std(axis=0) + np.float32(_LEAST_SCALE)
        mean[-ODD:] = 0.0
    else:
        mean, scale = start.mean.astype(np.float32), start.scale.astype(np.float32)
    values = (values - mean) / scale
    goal = np.asarray(lines.goal, dtype=np.float32)
    weight = np.asarray(lines.weight / lines.weight.mean(), dtype=np.float32)
    given = (values, goal, weight)
    learners = []
    for k in range(members if start is None else len(start.bias[0])):
        learner = _Learner([values.shape[1], *hidden, 1], rng)
        if start is not None:
            learner.go_on(start, k)
        _teach(learner, given, epochs, batch, rate, rng)
        learners.append(learner)
    return Ensemble(
        mean.astype(float),
        scale.astype(float),
        tuple(np.array(w, dtype=float) for w in zip(*(m.weights for m in learners), strict=True)),
        tuple(np.array(b, dtype=float) for b in zip(*(m.bias for m in learners), strict=True)),
    )


def _teach(
    learner: "_Learner",
    lines: tuple[Singles, Singles, Singles],
    epochs: int,
    batch: int,
    rate: float,
    rng: np.random.Generator,
) -> None:
    """Train one network on normalised lines."""
    values, goal, weight = lines
    count = len(values)
    batch = min(batch, count)
    steps = epochs * (count // batch)
    step = 0
    for _ in range(epochs):
        order = rng.permutation(count)
        for start in range(0, count - batch + 1, batch):
            chosen = order[start : start + batch]
            seen = values[chosen]
            seen[rng.random(batch) < 0.5, -ODD:] *= -1.0
            step += 1
            rising = min(1.0, step / (_FIRST_SHARE * steps))
            fading = 0.5 * (1.0 + float(np.cos(np.pi * step / steps)))
            learner.step(seen, goal[chosen], weight[chosen], rate * rising * fading)


class _Learner:
    """The weights of a network in training, with Adam's two moments of each."""

    def __init__(self, sizes: list[int], rng: np.random.Generator) -> None:
        pairs = list(pairwise(sizes))
        self.weights = [
            (rng.standard_normal(pair) * np.sqrt(1.5 / pair[0])).astype(np.float32)
            for pair in pairs
        ]
        self.weights[-1] *= np.float32(0.3)
        self.bias = [np.zeros(out, dtype=np.float32) for _, out in pairs]
        self._slow = [np.zeros_like(p) for p in self._all]
        self._square = [np.zeros_like(p) for p in self._all]
        self._steps = 0

    def go_on(self, start: Ensemble, k: int) -> None:
        """Take the weights of one of these networks, in the place of its own; before any step."""
        self.weights = [w[k].astype(np.float32) for w in start.weights]
        self.bias = [b[k].astype(np.float32) for b in start.bias]

    @property
    def _all(self) -> list[Singles]:
        return [*self.weights, *self.bias]

    def step(self, values: Singles, goal: Singles, weight: Singles, rate: float) -> None:
        """Go one step down the weighted log-loss of these lines."""
        self._steps += 1
        slopes = self._slopes(values, goal, weight)
        for p, slope, slow, square in zip(self._all, slopes, self._slow, self._square, strict=True):
            slow += 0.1 * (slope - slow)
            square += 0.001 * (slope * slope - square)
            ahead = slow / (1.0 - 0.9**self._steps)
            size = np.sqrt(square / (1.0 - 0.999**self._steps)) + 1e-8
            if p.ndim == 2:
                p -= rate * _DECAY * p
            p -= rate * ahead / size

    def _slopes(self, values: Singles, goal: Singles, weight: Singles) -> list[Singles]:
        layers = [values]
        last = len(self.weights) - 1
        for i, (w, b) in enumerate(zip(self.weights, self.bias, strict=True)):
            values = layers[-1] @ w + b
            layers.append(np.where(values > 0, values, LEAK * values) if i < last else values)
        told = expit(layers[-1][:, 0].astype(float))
        back = ((told - goal) * weight / len(goal))[:, None].astype(np.float32)
        slopes: list[Singles] = []
        ends: list[Singles] = []
        for i in range(last, -1, -1):
            slopes.insert(0, layers[i].T @ back)
            ends.insert(0, back.sum(axis=0))
            if i:
                kept = np.where(layers[i] > 0, np.float32(1), np.float32(LEAK))
                back = (back @ self.weights[i].T) * kept
        return [*slopes, *ends]
