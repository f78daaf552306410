"""The rows of a survey and what the model says of them, a chunk at a time."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any
from zlib import crc32

from physics.errors import ChainError, PhysicsError
from physics.fall.joint import Reals
from physics.predict.batch import predict_many
from physics.predict.learned_table import LearnedTable
from physics.predict.predict import RUNS, Prediction
from physics.row.push import Friction, Push
from physics.row.spread import Spread
from physics.row.tile import Orientation, TileSpec
from physics.rows.generators import Shape, Wanted, generated
from physics.rows.scenario import Scenario
from physics.survey.parameters import PARAMETERS, SurveyError

Columns = dict[str, list[Any]]
"""A table: the values of every column, one a row."""
_DIGITS = 6
"""Decimals that are kept of a chance: far below its interval."""


@cache
def model() -> int:
    """A check number of the model's coefficients, to tell one model's results from another's."""
    return crc32(files("physics.predict").joinpath("hazard.json").read_bytes())


@dataclass(frozen=True, slots=True)
class Study:
    """What all rows of a survey share.

    Attributes:
        names: the parameters that a point gives, in its order; others are as usual.
        shape: what rows look like from above.
        orientation: how tiles stand.
        seed: random seed; each row's draws come from it and the row's number.
        runs: how many copies of a row to let fall at most.
        model: the check number of the model that is to answer.
        table: the table they stand on; None for one as anybody would expect it.
    """

    names: tuple[str, ...]
    shape: Shape = Shape.LINE
    orientation: Orientation = Orientation.VERTICAL
    seed: int = 0
    runs: int = RUNS
    model: int = field(default_factory=model)
    table: LearnedTable | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """Rows that are predicted together.

    Attributes:
        number: its own, from 0 on.
        first: the number of its first row.
        points: of its rows, shape (rows, parameters).
    """

    number: int
    first: int
    points: Reals


def row_of(study: Study, number: int, given: Mapping[str, float]) -> Scenario:
    """Make one row of a survey.

    Args:
        study: what all rows share.
        number: of this row.
        given: every parameter by its name.

    Raises:
        ChainError: it cannot stand.
    """
    spec = TileSpec(given["length"], given["width"], given["thickness"])
    wanted = Wanted(
        study.shape,
        round(given["count"]),
        given["gap"],
        math.radians(given["turn"]),
        study.orientation,
        spec,
        given["offset"],
    )
    name = f"{study.seed}-{number}"
    push = Push(given["push-height"], given["speed"], given["stroke"])
    return replace(
        generated(wanted, Random(name), name),
        push=push,
        friction=Friction(given["friction"], given["table-friction"]),
        spread=Spread(xy_mm=given["noise"]),
    )


def answered(study: Study, chunk: Chunk) -> tuple[int, Columns]:
    """Predict the rows of a chunk; a row that cannot stand says why in `refused`.

    Returns:
        The chunk's number and its rows.

    Raises:
        SurveyError: this computer has another model than the one that is to answer.
    """
    if study.model != model():
        raise SurveyError(
            "a worker has another model than this computer; install the same domino-rig on both"
        )
    usual = {name: parameter.usual for name, parameter in PARAMETERS.items()}
    rows = []
    for number, point in enumerate(chunk.points.tolist(), chunk.first):
        given = {**usual, **dict(zip(study.names, point, strict=True))}
        measured = {
            parameter.column: round(given[name]) if parameter.whole else given[name]
            for name, parameter in PARAMETERS.items()
        }
        rows.append({"row": number, **measured, **_answer(study, number, given)})
    return chunk.number, {name: [row[name] for row in rows] for name in rows[0]}


def _answer(study: Study, number: int, given: Mapping[str, float]) -> dict[str, Any]:
    try:
        row = row_of(study, number, given)
        (answer,) = predict_many([row], seed=study.seed, runs=study.runs, table=study.table)
    except ChainError as refused:
        answer = refused
    if isinstance(answer, PhysicsError):
        return _result(None, str(answer))
    return _result(answer, None)


def _result(answer: Prediction | None, refused: str | None) -> dict[str, Any]:
    def share(name: str) -> float | None:
        return None if answer is None else round(getattr(answer, name), _DIGITS)

    weakest = answer.weakest[0] if answer else None
    return {
        **{name: share(name) for name in ("p_fall", "low", "high", "error", "push")},
        "weakest_joint": weakest,
        "runs": answer.runs if answer else 0,
        "extrapolated": ", ".join(answer.extrapolated) if answer else "",
        "refused": refused,
    }


def about(study: Study) -> dict[str, Any]:
    """What says which study it is, apart from its points."""
    told = asdict(study)
    del told["names"]
    return told
