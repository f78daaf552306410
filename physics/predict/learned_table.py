"""One table as its own pushes have shown it: frictions, stroke, placement and contact.

`domino-rig learn` writes it into a file; a prediction with it is of rows at that table.
"""

import json
import math
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from physics.errors import PhysicsError
from physics.fall.joint import Reals
from physics.fall.limits import require_push
from physics.predict.extrapolation import strange
from physics.predict.hazard import usual
from physics.predict.predict import EDGE, RUNS, SIGMAS, SURE, Prediction, crossed, predict
from physics.row.push import Friction
from physics.row.table_values import Values
from physics.rows.scenario import Scenario

FORMAT: Final = "domino-rig-table"
VERSION: Final = 1
FIRST: Final = 4
"""A table has at least as many draws: those that fall first."""
_SURER: Final = 0.3
"""At a table the error that is small enough to stop is this much smaller: that the copies at its
first draws agree says less of the others. Of 27 synthetic tables 25 then predict better than the
defaults, 22 otherwise."""
_MOST: Final = 100.0
"""No value of a table, and no figure of its trust, is larger than this."""


@dataclass(frozen=True, slots=True)
class Trust:
    """How much a table's values may be trusted; scores are means over pushes left out in turn.

    Attributes:
        pushes: how many they were learned from.
        log_score_before: log of the chance given to where each push stopped, by the defaults.
        log_score_after: the same by what the other pushes have told; larger is better.
        brier_before: squared error of the chance that all fall, by the defaults.
        brier_after: the same by what the other pushes have told; smaller is better.
    """

    pushes: int
    log_score_before: float
    log_score_after: float
    brier_before: float
    brier_after: float


@dataclass(frozen=True, slots=True)
class LearnedTable:
    """A table as its pushes have shown it.

    Attributes:
        values: the medians.
        low: lower ends of the 90 % intervals.
        high: upper ends of them.
        trust: what they are worth.
        draws: values that are equally likely if it is not as the defaults say. The first few stand
            for all of them.
        share: the chance that it is not as the defaults say; what a prediction gives the draws.
    """

    values: Values
    low: Values
    high: Values
    trust: Trust
    draws: tuple[Values, ...]
    share: float = 1.0


def row_at(values: Values, row: Scenario) -> Scenario:
    """The same row as it stands and is pushed at a table; the table's frictions are the row's."""
    spread, times = row.spread, values.placement
    tiles = tuple(
        replace(tile, sigma_mm=times * tile.sigma_mm, sigma_rad=times * tile.sigma_rad)
        for tile in row.chain.tiles
    )
    return replace(
        row,
        chain=replace(row.chain, tiles=tiles),
        push=replace(row.push, stroke_mm=values.stroke * row.push.stroke_mm),
        friction=Friction(values.tile_tile, values.tile_table),
        spread=replace(spread, xy_mm=times * spread.xy_mm, heading_rad=times * spread.heading_rad),
    )


def predict_row(
    row: Scenario,
    table: LearnedTable | None = None,
    *,
    rng: np.random.Generator,
    runs: int = RUNS,
    error: float = SURE,
    detail: bool = False,
) -> Prediction:
    """Predict a row, at a table if one is given.

    What is said of the row by the defaults moves, by the share of the table, towards what the same
    copies do at the draws (a Bayesian model average, Hoeting et al. 1999). That the copies are the
    same leaves little noise in how far it moves (common random numbers).

    Args:
        row: what stands there.
        table: the one it stands on; None for one as anybody would expect it.
        rng: the only source of chance.
        runs: how many copies to let fall at most; at a table as many more at its draws.
        error: standard error of p_fall from the draws that is small enough to stop.
        detail: also find out how p_fall depends on frictions and push.

    Raises:
        ChainError: the row cannot be predicted.
    """

    def predicted(
        rng: np.random.Generator, error: float, tables: Sequence[Values] = ()
    ) -> Prediction:
        return predict(
            row.chain, row.push, row.friction, row.spread,
            rng=rng, runs=runs, error=error, detail=detail, tables=tables,
        )  # fmt: skip

    if table is None:
        return predicted(rng, error)
    there = row_at(table.values, row)
    require_push(there.chain, there.push, there.friction, there.spread)
    same = deepcopy(rng)
    plain, known = predicted(rng, error), predicted(same, _SURER * error, table.draws)
    unlike = strange(usual().seen, there.chain, there.push, there.friction, there.spread)
    return replace(_mean((plain, known), table.share), extrapolated=unlike)


def _mean(told: tuple[Prediction, Prediction], share: float) -> Prediction:
    """Mix two predictions of one row: by the defaults and, by this share, at the table."""
    plain, _ = told
    weights = np.array([1.0 - share, share])
    chances = np.array([[each.push, *(joint.p for joint in each.joints)] for each in told])
    shares = crossed(weights @ chances, weights @ np.cumprod(chances, axis=1))
    joints = tuple(replace(joint, p=p) for joint, p in zip(plain.joints, shares, strict=True))
    weak = min(joints, key=lambda joint: joint.p)
    p = float(weights @ [each.p_fall for each in told])
    errors = np.array([each.error for each in told])
    low, high = _interval(p, told, weights)
    return replace(
        plain,
        p_fall=p,
        low=low,
        high=high,
        all_fall=p > 0.5,
        joints=joints,
        weakest=(weak.start, weak.end),
        runs=sum(each.runs for each in told),
        push=float(weights @ chances[:, 0]),
        error=float(np.hypot.reduce(weights * errors)),
        sensitivity=tuple(
            replace(parts[0], p_fall=tuple((weights @ [part.p_fall for part in parts]).tolist()))
            for parts in zip(*(each.sensitivity for each in told), strict=True)
        ),
    )


def _interval(p: float, told: Sequence[Prediction], weights: Reals) -> tuple[float, float]:
    """Give the 95 % interval of a mix: what each says of its own, and that the table is not known.

    Copies that fall at draws scatter more than the same copies do by the defaults: by how much p
    differs from draw to draw.
    """
    scatter = np.array([each.error**2 * each.runs for each in told])
    between = weights @ np.maximum(scatter - scatter[0], 0.0)
    between += weights @ (np.array([each.p_fall for each in told]) - p) ** 2
    sure = min(max(p, EDGE), 1.0 - EDGE)
    table = SIGMAS * min(math.sqrt(between) / (sure * (1.0 - sure)), 2.0)
    odds = np.array([[_log_odds(q) for q in (e.low, e.p_fall, e.high)] for e in told])
    below, above = (float(weights @ np.abs(odds[:, 1] - odds[:, end])) for end in (0, 2))
    low, high = (
        1.0 / (1.0 + math.exp(-(_log_odds(p) + side)))
        for side in (-math.hypot(below, table), math.hypot(above, table))
    )
    return min(low, p), max(high, p)


def _log_odds(p: float) -> float:
    sure = min(max(p, EDGE), 1.0 - EDGE)
    return math.log(sure / (1.0 - sure))


def as_json(table: LearnedTable) -> dict[str, Any]:
    """Give a table in the form of its file."""
    parts = asdict(table)
    draws = [_rounded(each) for each in parts.pop("draws")]
    share = _rounded({"share": parts.pop("share")})
    rounded = {name: _rounded(part) for name, part in parts.items()}
    return {"format": FORMAT, "version": VERSION, **share, **rounded, "draws": draws}


def read_table(path: Path | str) -> LearnedTable:
    """Read a table's file.

    Raises:
        PhysicsError: it cannot be read, or is no such file.
    """
    try:
        said = json.loads(Path(path).read_text(encoding="utf-8"))
        if not isinstance(said, dict):
            raise ValueError
    except OSError as error:
        raise PhysicsError(f"{path}: cannot be read ({error.strerror}); give a file") from None
    except (ValueError, RecursionError):
        raise PhysicsError(f"{path}: is no table; make one with domino-rig learn") from None
    try:
        return _table(said)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else error
        raise PhysicsError(
            f"{path}: is no table that this version can read ({why}); make one with "
            "domino-rig learn"
        ) from None


def _table(said: Mapping[str, Any]) -> LearnedTable:
    if (said["format"], said["version"]) != (FORMAT, VERSION):
        raise ValueError(f"format {said['format']!r}, version {said['version']!r}")
    values, low, high = (Values(**_numbers(said[name])) for name in ("values", "low", "high"))
    draws = tuple(Values(**_numbers(each)) for each in said["draws"])
    if not FIRST <= len(draws) <= _MOST:
        raise ValueError(f"{len(draws)} draws")
    for each in draws:
        if min(each.tile_tile, each.tile_table, each.stroke, each.placement) <= 0.0:
            raise ValueError("a value of the table is not above 0")
    share = _numbers({"share": said.get("share", 1.0)})["share"]  # older files have none
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share is {share}")
    return LearnedTable(values, low, high, Trust(**_numbers(said["trust"])), draws, share)


def _numbers(said: Mapping[str, Any]) -> dict[str, Any]:
    for name, value in said.items():
        right = isinstance(value, int | float) and not isinstance(value, bool)
        if not right or not (name == "pushes" or -_MOST <= value <= _MOST):
            raise ValueError(f"{name} is {str(value)[:40]}")
    return dict(said)


def _rounded(part: Mapping[str, float]) -> dict[str, float]:
    return {name: float(f"{v:.4g}") if isinstance(v, float) else v for name, v in part.items()}
