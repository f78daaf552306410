"""Fit the hazard on reference rows: numpy alone, and the same numbers for the same seed.

There are two kinds of labels. The run of a row as written says tile by tile what fell. The shares
`tile_p` of noisy runs describe the mean over disturbed copies, so each copy gets its own share: the
first fit's, shifted in log-odds so that the mean over the copies is the share that was seen.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np

from physics.errors import PhysicsError, ScenarioError
from physics.fall.joint import Bools, Copies, Reals, copies_of
from physics.fall.trials import Trials, disturb, let_fall, trials_of
from physics.learn.network import Lines, train
from physics.learn.scores import own_error, score
from physics.predict.extrapolation import traits
from physics.predict.features import tables
from physics.predict.hazard import Ensemble, expit, hazard_from
from physics.row.tile import STANDARD, TileSpec
from physics.rows.row_fields import read_scenario
from physics.rows.row_file import read_objects
from physics.rows.scenario import Scenario

FOLDS: Final = 3
COPIES: Final = 4
MEMBERS: Final = 3
EPOCHS: Final = 20
ALIKE: Final = 0.1
_LEAST_ROWS: Final = 20
_LEFT_OUT: Final = 8
_NEWTON_STEPS: Final = 20
_HIDDEN_JOINT: Final = (48, 24)
_HIDDEN_PUSH: Final = (24,)
# Of push and joints. Those for going on were chosen on 2576 drawn rows left out: with 14 rounds the
# log-loss of a row goes from .782 to .756, with half and a sixth of the steps to .763 and .775.
_RATES: Final = (3e-3, 2e-3)
_FURTHER_RATES: Final = (4.5e-3, 3e-3)

Networks = tuple[Ensemble, Ensemble]


@dataclass(frozen=True, slots=True)
class Reference:
    """A row and its known outcome.

    Attributes:
        scenario: the row.
        fell: 1 for each tile that fell, with all before it, in the run as written.
        tile_p: share of noisy runs in which each tile fell; empty if there were no noisy runs.
        p_fall: share of noisy runs in which all fell.
        k: how many noisy runs there were.
    """

    scenario: Scenario
    fell: tuple[float, ...]
    tile_p: tuple[float, ...] = ()
    p_fall: float = 0.0
    k: int = 0


@dataclass(frozen=True, slots=True)
class Sample:
    """What the fit knows of one fall: features of its push and joints, and the outcome.

    Attributes:
        row: index of the reference row.
        push: numbers of the push.
        joints: numbers of the joints, one line each.
        goal: target chance of the push and of each joint that the fall reached.
        weight: how much each goal counts.
    """

    row: int
    push: Reals
    joints: Reals
    goal: Reals
    weight: Reals


def read_references(paths: Sequence[Path | str]) -> list[Reference]:
    """Read reference rows, in the order of the files.

    Raises:
        ScenarioError: names the file, the line, the field and what was expected there.
    """
    return [_reference(row, where) for path in paths for where, row in read_objects(path)]


def learn(
    references: Sequence[Reference],
    *,
    seed: int = 0,
    epochs: int = EPOCHS,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Fit the hazard; returns the contents of `hazard.json` except the names of the data.

    Args:
        references: the rows; those with tile_p are also used to score.
        seed: random seed.
        epochs: how often training sees every label.
        tell: called after every fit with how many are done, of how many.

    Raises:
        PhysicsError: there are too few rows.
    """
    if len(references) < _LEAST_ROWS:
        raise PhysicsError(
            f"a fit needs at least {_LEAST_ROWS} reference rows, got {len(references)}"
        )
    plain = _samples_as_written(references)
    copies = _samples_of_copies(references, seed)

    fits = count(1)

    def fit(kept: Bools, members: int) -> Networks:
        fitted = _fit(
            [s for s in plain if kept[s.row]],
            [s for s in copies if kept[s.row]],
            seed,
            epochs,
            members,
        )
        tell(next(fits), total)
        return fitted

    def left_out(out: Bools, scored: Bools, members: int) -> Reals:
        fitted = fit(~out, members)
        told = np.zeros(len(references))
        for row, p in _row_chances(fitted, [s for s in copies if scored[s.row]]).items():
            told[row] = p
        return told

    fold = np.random.default_rng(seed).permutation(len(references)) % FOLDS
    runs = np.array([r.k for r in references])
    seen = np.array([r.p_fall for r in references])
    known = runs > 0
    folds = FOLDS if known.any() else 0
    total = folds + 1 + len(_larger_sets(references, known))
    told = np.zeros(len(references))
    for i in range(folds):
        told += left_out(fold == i, fold == i, MEMBERS)
    push, joint = fit(np.ones(len(references), dtype=bool), MEMBERS)
    rows = [r.scenario for r in references]
    found = [traits(s.chain, s.push, s.friction, s.spread) for s in rows]
    return {
        "seed": seed,
        "epochs": epochs,
        "scores": {"folds": FOLDS, **score(told[known], seen[known])} if known.any() else {},
        "unseen_sizes": _of_unseen_sizes(references, seen, known, left_out),
        "interval": {
            "sigma": own_error(told[known], seen[known], runs[known]) if known.any() else 1.0
        },
        "seen": _seen(found),
        "push": _stored(push),
        "joint": _stored(joint),
    }


def go_on(
    references: Sequence[Reference],
    stored: Mapping[str, Any],
    *,
    seed: int = 0,
    epochs: int = EPOCHS,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Train the networks of an earlier fit further; returns the new contents of its file.

    The rows of the earlier fit need not be at hand. One in eight of the rows as written is left
    out at first: a line is fitted on those, which makes the log-odds of push and joints likeliest.
    The networks are then trained on all rows, and their log-odds corrected by that line. Scores,
    interval, ranges and widths stay those of the earlier fit.

    Args:
        references: the rows.
        stored: the file of the earlier fit.
        seed: random seed.
        epochs: how often training sees every label.
        tell: called after every training with how many are done, of how many.

    Raises:
        PhysicsError: there are too few rows, or the file is no coefficients file.
    """
    plain = _samples_as_written(references)
    left_out = [s for s in plain if not references[s.row].k and s.row % _LEFT_OUT == 0]
    if len(left_out) < _LEAST_ROWS:
        raise PhysicsError(
            f"to train a fit further takes at least {_LEAST_ROWS * _LEFT_OUT} rows with one run "
            f"each, got {sum(not r.k for r in references)}"
        )
    hazard = hazard_from(stored)
    start = hazard.push, hazard.joint
    copies = _samples_of_copies(references, seed)
    shared = _shared_out(start, copies) if copies else []
    away = {s.row for s in left_out}
    part = _train([s for s in [*plain, *shared] if s.row not in away], seed, epochs, 1, start)
    tell(1, 2)
    before, after = (_log_loss(n, left_out) for n in (start, part))
    offset, slope = _line(part, left_out)
    push, joint = _train([*plain, *shared], seed, epochs, 1, start)
    tell(2, 2)
    return {
        **stored,
        "further": {
            "seed": seed,
            "epochs": epochs,
            "rows_left_out": len(left_out),
            "log_loss_before": round(before, 4),
            "log_loss_after": round(after, 4),
            "slope": round(slope, 4),
            "offset": round(offset, 4),
        },
        "push": _stored(_on_line(push, offset, slope)),
        "joint": _stored(_on_line(joint, offset, slope)),
    }


def _log_loss(networks: Networks, samples: Sequence[Sample]) -> float:
    """Return the mean log-loss of a row: the sum over its push and the joints it reached."""
    return _loss_on((0.0, 1.0), samples, _log_odds(networks, samples))


def _loss_on(
    line: tuple[float, float], samples: Sequence[Sample], judged: Sequence[Reals]
) -> float:
    odds = line[0] + line[1] * np.concatenate(judged)
    goal, weight = (np.concatenate([getattr(s, n) for s in samples]) for n in ("goal", "weight"))
    loss = goal * np.logaddexp(0.0, -odds) + (1.0 - goal) * np.logaddexp(0.0, odds)
    return float((weight * loss).sum()) / len(samples)


def _line(networks: Networks, samples: Sequence[Sample]) -> tuple[float, float]:
    """Return offset and slope that make the log-odds likeliest: Newton's steps."""
    odds = np.concatenate(_log_odds(networks, samples))
    goal, weight = (np.concatenate([getattr(s, n) for s in samples]) for n in ("goal", "weight"))
    lines, line = np.stack([np.ones_like(odds), odds], 1), np.array([0.0, 1.0])
    for _ in range(_NEWTON_STEPS):
        told = expit(lines @ line)
        bend = (lines * (weight * told * (1.0 - told))[:, None]).T @ lines
        line = line + np.linalg.solve(bend, lines.T @ (weight * (goal - told)))
    return float(line[0]), float(line[1])


def _on_line(network: Ensemble, offset: float, slope: float) -> Ensemble:
    """Put all log-odds of networks on a line: in their last layer."""
    return replace(
        network,
        weights=(*network.weights[:-1], network.weights[-1] * slope),
        bias=(*network.bias[:-1], network.bias[-1] * slope + offset),
    )


def _seen(found: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    """Give the least and the most of each trait.

    Rows as written have no spread at all, and nothing is plainer than a straight row.
    """
    names = dict.fromkeys(name for traits in found for name in traits)
    values = {name: [f[name] for f in found if name in f] for name in names}
    return {
        name: [0.0 if name.startswith(("spread.", "row.")) else _short(min(own)), _short(max(own))]
        for name, own in values.items()
    }


def _of_unseen_sizes(
    references: Sequence[Reference],
    seen: Reals,
    known: Bools,
    left_out: Callable[[Bools, Bools, int], Reals],
) -> dict[str, Any]:
    """Score every larger tile set, the standard one excepted, by a fit without it.

    Rows with similar tiles are left out of that fit too: those whose length, width and thickness
    all differ by less than a tenth. These fits have one network each.
    """
    specs = [r.scenario.chain.tiles[0].spec for r in references]
    sizes = np.log([[s.length_mm, s.width_mm, s.thickness_mm] for s in specs])
    told, scores = np.zeros(len(references)), {}
    others = _larger_sets(references, known)
    scored = np.zeros(len(references), dtype=bool)
    for spec in sorted(others, key=lambda s: (s.length_mm, s.thickness_mm)):
        own = known & np.array([s == spec for s in specs])
        alike = np.abs(sizes - sizes[own][0]).max(axis=1) < math.log(1.0 + ALIKE)
        told += left_out(alike, own, 1)
        scored |= own
        name = f"{spec.length_mm:g} x {spec.width_mm:g} x {spec.thickness_mm:g}"
        scores[name] = score(told[own], seen[own])["brier"]
    return {**score(told[scored], seen[scored]), "brier_by_size": scores} if scores else {}


def _larger_sets(references: Sequence[Reference], known: Bools) -> list[TileSpec]:
    """Give the tile sizes with enough rows to score, except the standard one."""
    specs = [r.scenario.chain.tiles[0].spec for r in references]
    rows = Counter(s for s, k in zip(specs, known, strict=True) if k and s != STANDARD)
    return [s for s in rows if rows[s] >= _LEAST_ROWS]


def describe_data(paths: Sequence[Path | str]) -> list[dict[str, Any]]:
    """Name the files of a fit by what is in them."""
    told = []
    for path in paths:
        data = Path(path).read_bytes()
        told.append(
            {
                "file": Path(path).name,
                "rows": sum(1 for line in data.splitlines() if line.strip()),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
        )
    return told


def as_text(stored: Mapping[str, Any]) -> str:
    """Write a coefficients file: one line for each vector of numbers."""
    return _lines(stored, "") + "\n"


def _lines(value: Any, indent: str) -> str:
    if isinstance(value, dict) and value:
        inner = ",\n".join(
            f"{indent} {json.dumps(k)}: {_lines(v, indent + ' ')}" for k, v in value.items()
        )
        return "{\n" + inner + "\n" + indent + "}"
    if isinstance(value, list) and value and isinstance(value[0], list | dict):
        inner = ",\n".join(f"{indent} {_lines(v, indent + ' ')}" for v in value)
        return "[\n" + inner + "\n" + indent + "]"
    return json.dumps(value)


def _reference(row: Mapping[str, Any], where: str) -> Reference:
    scenario = read_scenario(row, where)
    n = len(scenario.chain.tiles)
    fell = _shares(row, "nominal_fall", n, where)
    if "tile_p" not in row:
        return Reference(scenario, fell)
    k, p = row.get("k"), row.get("p_fall")
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise ScenarioError(f"{where}: k: expected the number of noisy runs, got {k!r}")
    if isinstance(p, bool) or not isinstance(p, int | float) or not 0 <= p <= 1:
        raise ScenarioError(f"{where}: p_fall: expected a share from 0 to 1, got {p!r}")
    return Reference(scenario, fell, _shares(row, "tile_p", n, where), float(p), k)


def _shares(row: Mapping[str, Any], name: str, n: int, where: str) -> tuple[float, ...]:
    values = row.get(name)
    if (
        not isinstance(values, list)
        or len(values) != n
        or not all(isinstance(v, int | float) and 0 <= v <= 1 for v in values)
    ):
        raise ScenarioError(f"{where}: {name}: expected a list of {n} numbers from 0 to 1")
    return tuple(np.minimum.accumulate(np.array(values, dtype=float)).tolist())


def _samples_as_written(references: Sequence[Reference]) -> list[Sample]:
    """Let every row fall as written; rows with equally many tiles go together."""
    samples = []
    for n in sorted({len(r.fell) for r in references}):
        rows = [i for i, r in enumerate(references) if len(r.fell) == n]
        scenarios = [references[i].scenario for i in rows]
        alone = [copies_of(s.chain) for s in scenarios]
        together = Copies(
            *(
                np.concatenate([np.atleast_2d(getattr(c, name)) for c in alone])
                for name in Copies.__slots__
            )
        )
        trials = trials_of(together, [s.push for s in scenarios], [s.friction for s in scenarios])
        goals = [np.array(references[i].fell) for i in rows]
        samples += _samples(rows, trials, goals, [_before(g) for g in goals])
    return samples


def _samples_of_copies(references: Sequence[Reference], seed: int) -> list[Sample]:
    """Let disturbed copies of rows with noisy runs fall; every copy has its row's goals."""
    samples = []
    for i, reference in enumerate(references):
        if not reference.k:
            continue
        s, rng = reference.scenario, np.random.default_rng([seed, i])
        trials = disturb(s.chain, s.push, s.friction, s.spread, COPIES, rng)
        p = np.array(reference.tile_p)
        goal = p / np.maximum(_before(p), 1e-9)
        weight = _before(p) * reference.k / COPIES
        samples += _samples([i] * COPIES, trials, [goal] * COPIES, [weight] * COPIES)
    return samples


def _samples(
    rows: Sequence[int], trials: Trials, goals: Sequence[Reals], weights: Sequence[Reals]
) -> list[Sample]:
    marks = let_fall(trials)
    push, joints = tables(trials, marks)
    return [
        Sample(
            row,
            push[k].astype(np.float32),
            joints[k].astype(np.float32),
            goals[k],
            weights[k],
        )
        for k, row in enumerate(rows)
    ]


def _before(shares: Reals) -> Reals:
    """Return how often each tile was reached at all."""
    return np.concatenate([[1.0], shares[:-1]])


def _fit(
    plain: Sequence[Sample],
    copies: Sequence[Sample],
    seed: int,
    epochs: int,
    members: int,
) -> Networks:
    """Fit on the rows as written, then on these and on the noisy runs together."""
    if not copies:
        return _train(plain, seed, epochs, members)
    first = _train(plain, seed, epochs, 1)
    return _train([*plain, *_shared_out(first, copies)], seed, epochs, members)


def _train(
    samples: Sequence[Sample],
    seed: int,
    epochs: int,
    members: int,
    start: Networks | tuple[None, None] = (None, None),
) -> Networks:
    """Train new networks, or earlier ones further."""
    counted = [s.weight[1:] > 0 for s in samples]
    pushes = Lines(
        np.array([s.push for s in samples]),
        np.array([s.goal[0] for s in samples]),
        np.array([s.weight[0] for s in samples]),
    )
    joints = Lines(
        np.concatenate([s.joints[c] for s, c in zip(samples, counted, strict=True)]),
        np.concatenate([s.goal[1:][c] for s, c in zip(samples, counted, strict=True)]),
        np.concatenate([s.weight[1:][c] for s, c in zip(samples, counted, strict=True)]),
    )
    rng = np.random.default_rng(seed)
    rate_push, rate_joint = _RATES if start[0] is None else _FURTHER_RATES
    push = train(
        pushes,
        _HIDDEN_PUSH,
        epochs=epochs,
        batch=128,
        rate=rate_push,
        rng=rng,
        members=members,
        start=start[0],
    )
    joint = train(
        joints,
        _HIDDEN_JOINT,
        epochs=epochs,
        batch=256,
        rate=rate_joint,
        rng=rng,
        members=members,
        start=start[1],
    )
    return push, joint


def _log_odds(networks: Networks, samples: Sequence[Sample]) -> list[Reals]:
    """Judge the push and every joint of every sample."""
    push, joint = networks
    first = push.log_odds(np.array([s.push for s in samples]))
    rest = joint.log_odds(np.concatenate([s.joints for s in samples]))
    parts = np.split(rest, np.cumsum([len(s.joints) for s in samples])[:-1])
    return [np.concatenate([[a], b]) for a, b in zip(first, parts, strict=True)]


def _shared_out(networks: Networks, samples: Sequence[Sample]) -> list[Sample]:
    """Give each copy of a row its own goals, whose mean is the share seen in noisy runs."""
    shared: list[Sample] = []
    judged = _log_odds(networks, samples)
    for start in range(0, len(samples), COPIES):
        group, odds = samples[start : start + COPIES], np.array(judged[start : start + COPIES])
        goals = expit(odds + _shift(odds, group[0].goal))
        shared += [replace(s, goal=g) for s, g in zip(group, goals, strict=True)]
    return shared


def _shift(odds: Reals, goal: Reals) -> Reals:
    """Return what must be added to all log-odds of each column to make their mean the goal."""
    low, high = np.full(goal.shape, -30.0), np.full(goal.shape, 30.0)
    for _ in range(40):
        middle = (low + high) / 2
        above = expit(odds + middle).mean(axis=0) > goal
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    shift: Reals = (low + high) / 2
    return shift


def _row_chances(networks: Networks, samples: Sequence[Sample]) -> dict[int, float]:
    """Return the chance that all of a row falls, by row."""
    chances: dict[int, list[float]] = {}
    for sample, odds in zip(samples, _log_odds(networks, samples), strict=True):
        chances.setdefault(sample.row, []).append(float(np.prod(expit(odds))))
    return {row: float(np.mean(found)) for row, found in chances.items()}


def _stored(network: Ensemble) -> dict[str, Any]:
    return {
        "mean": [_short(v) for v in network.mean],
        "scale": [_short(v) for v in network.scale],
        "networks": [
            [
                {"bias": [_short(v) for v in b], "weights": [[_short(v) for v in w] for w in m]}
                for m, b in zip(weights, bias, strict=True)
            ]
            for weights, bias in zip(
                zip(*network.weights, strict=True), zip(*network.bias, strict=True), strict=True
            )
        ],
    }


def _short(value: float) -> float:
    return float(f"{float(value):.4g}")
