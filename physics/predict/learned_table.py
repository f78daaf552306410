"""One table as its own pushes have shown it: frictions, stroke, placement and contact.

`domino-rig learn` writes it into a file; a prediction with it is of rows at that table.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from physics.errors import PhysicsError
from physics.predict.hazard import Hazard, usual
from physics.predict.predict import EDGE, RUNS, SIGMAS, SURE, Prediction, crossed, predict
from physics.row.push import Friction
from physics.rows.scenario import Scenario

FORMAT: Final = "domino-rig-table"
VERSION: Final = 1
FIRST: Final = 4
"""Draws after which a prediction may stop, if they agree."""
_MOST: Final = 100.0
"""No value of a table, and no figure of its trust, is larger than this."""


@dataclass(frozen=True, slots=True)
class Values:
    """What makes a table fall otherwise than the defaults say.

    Attributes:
        tile_tile: Coulomb friction between two tiles.
        tile_table: between tile and table.
        stroke: how far the tip really goes past first touch, as a multiple of what is set.
        placement: sigmas of where tiles really stand, as a multiple of those told.
        contact: added to the log-odds of every joint: how much more readily one tile tips the next.
    """

    tile_tile: float = Friction().tile_tile
    tile_table: float = Friction().tile_table
    stroke: float = 1.0
    placement: float = 1.0
    contact: float = 0.0


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
        draws: values that are equally likely; a prediction is the mean over them. The first few
            stand for all of them.
    """

    values: Values
    low: Values
    high: Values
    trust: Trust
    draws: tuple[Values, ...]


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


def hazard_at(values: Values, hazard: Hazard) -> Hazard:
    """The same hazard with the contact of a table."""
    last = hazard.joint.bias[-1] + values.contact
    joint = replace(hazard.joint, bias=(*hazard.joint.bias[:-1], last))
    return replace(hazard, joint=joint)


def predict_row(
    row: Scenario,
    table: LearnedTable | None = None,
    *,
    rng: np.random.Generator,
    runs: int = RUNS,
    error: float = SURE,
    detail: bool = False,
) -> Prediction:
    """Predict a row, at a table if one is given: two copies or more fall at each of its draws.

    Args:
        row: what stands there.
        table: the one it stands on; None for one as anybody would expect it.
        rng: the only source of chance.
        runs: how many copies to let fall at most; at a table at least two for each draw.
        error: standard error of p_fall from the draws that is small enough to stop.
        detail: also find out how p_fall depends on frictions and push.

    Raises:
        ChainError: the row cannot be predicted.
    """
    draws = (None,) if table is None else table.draws
    told: list[Prediction] = []
    for number, values in enumerate(draws, 1):
        there = row if values is None else row_at(values, row)
        told.append(
            predict(
                there.chain,
                there.push,
                there.friction,
                there.spread,
                rng=rng,
                runs=max(runs // len(draws), min(runs, 2)),
                error=error,
                detail=detail,
                hazard=None if values is None else hazard_at(values, usual()),
            )
        )
        if number == FIRST and _scatter([each.p_fall for each in told]) < error:
            break
    return told[0] if table is None else _mean(told)


def _scatter(chances: Sequence[float]) -> float:
    """Standard error of a mean."""
    return float(np.std(chances, ddof=1)) / math.sqrt(len(chances))


def _mean(told: Sequence[Prediction]) -> Prediction:
    """The mean of predictions of one row, with an interval that holds theirs in log-odds."""
    first = told[0]
    chances = np.array([[each.push, *(joint.p for joint in each.joints)] for each in told])
    shares = crossed(chances, np.cumprod(chances, axis=1))
    joints = tuple(replace(joint, p=p) for joint, p in zip(first.joints, shares, strict=True))
    weak = min(joints, key=lambda joint: joint.p)
    p = float(np.mean([each.p_fall for each in told]))
    odds = np.array([[_log_odds(q) for q in (e.low, e.p_fall, e.high)] for e in told])
    between = SIGMAS * float(odds[:, 1].std())
    below, above = (float(np.abs(odds[:, 1] - odds[:, end]).mean()) for end in (0, 2))
    low, high = (
        1.0 / (1.0 + math.exp(-(_log_odds(p) + side)))
        for side in (-math.hypot(below, between), math.hypot(above, between))
    )
    return replace(
        first,
        p_fall=p,
        low=min(low, p),
        high=max(high, p),
        all_fall=p > 0.5,
        joints=joints,
        weakest=(weak.start, weak.end),
        runs=sum(each.runs for each in told),
        extrapolated=first.extrapolated if all(each.extrapolated for each in told) else (),
        push=float(chances[:, 0].mean()),
        error=_scatter([each.p_fall for each in told]),
        sensitivity=tuple(
            replace(
                parts[0],
                p_fall=tuple(np.mean([part.p_fall for part in parts], axis=0).tolist()),
            )
            for parts in zip(*(each.sensitivity for each in told), strict=True)
        ),
    )


def _log_odds(p: float) -> float:
    sure = min(max(p, EDGE), 1.0 - EDGE)
    return math.log(sure / (1.0 - sure))


def as_json(table: LearnedTable) -> dict[str, Any]:
    """Give a table in the form of its file."""
    parts = asdict(table)
    draws = [_rounded(each) for each in parts.pop("draws")]
    rounded = {name: _rounded(part) for name, part in parts.items()}
    return {"format": FORMAT, "version": VERSION, **rounded, "draws": draws}


def read_table(path: Path | str) -> LearnedTable:
    """Read a table's file.

    Raises:
        PhysicsError: it cannot be read, or is no such file.
    """
    try:
        said = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise PhysicsError(f"{path}: cannot be read ({error.strerror}); give a file") from None
    except (ValueError, RecursionError):
        raise PhysicsError(f"{path}: is no table; make one with domino-rig learn") from None
    try:
        return _table(said)
    except (KeyError, TypeError, ValueError) as error:
        raise PhysicsError(
            f"{path}: is no table that this version can read ({error}); make one with "
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
    return LearnedTable(values, low, high, Trust(**_numbers(said["trust"])), draws)


def _numbers(said: Mapping[str, Any]) -> dict[str, Any]:
    for name, value in said.items():
        right = isinstance(value, int | float) and not isinstance(value, bool)
        if not right or not (name == "pushes" or -_MOST <= value <= _MOST):
            raise ValueError(f"{name} is {str(value)[:40]}")
    return dict(said)


def _rounded(part: Mapping[str, float]) -> dict[str, float]:
    return {name: float(f"{v:.4g}") if isinstance(v, float) else v for name, v in part.items()}
