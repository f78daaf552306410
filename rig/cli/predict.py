"""domino-rig predict: the chance that the rows of a file fall."""

import sys
from argparse import Namespace
from typing import Any

from physics.errors import PhysicsError
from physics.fall.limits import require_push
from physics.predict.batch import predict_many
from physics.predict.predict import Prediction
from physics.rows.row_file import read_each
from physics.rows.scenario import Scenario
from rig.cli.output import print_json, progress

_SURE = 0.995
_NAMES = {
    "friction.tile_tile": "friction between tiles",
    "friction.tile_table": "friction with the table",
    "push.speed": "push speed",
}


def run(args: Namespace) -> int:
    """Predict every row; print nothing unless all can be predicted, or bad ones may be left out."""
    rows: list[Scenario] = []
    bad: list[PhysicsError] = []
    for row in (row for path in args.rows for row in read_each(path)):
        refused = row if isinstance(row, PhysicsError) else _refused(row)
        if isinstance(row, Scenario) and refused is None:
            rows.append(row)
        elif refused is not None and args.keep_going:
            bad.append(refused)
        elif refused is not None:
            raise refused
    answers = predict_many(rows, seed=args.seed, runs=args.runs, detail=args.detail, jobs=args.jobs)
    tell = progress(args.progress)
    for done, (row, answer) in enumerate(zip(rows, answers, strict=True), start=1):
        if isinstance(answer, PhysicsError):
            bad.append(answer)
        elif args.json:
            print_json("prediction", as_json(row, answer))
        else:
            print(as_text(row, answer), flush=True)
        tell(done, len(rows))
    for error in bad:
        print(f"domino-rig predict: {error}", file=sys.stderr)
    return 2 if bad else 0


def as_json(row: Scenario, answer: Prediction) -> dict[str, Any]:
    """Give a prediction in the form that other programs read; longer if it is detailed."""
    told = {
        "id": row.id,
        "p_fall": round(answer.p_fall, 4),
        "low": round(answer.low, 4),
        "high": round(answer.high, 4),
        "all_fall": answer.all_fall,
        "joints": [{"from": j.start, "to": j.end, "p": round(j.p, 4)} for j in answer.joints],
        "weakest": list(answer.weakest),
        "runs": answer.runs,
        **({"extrapolated": list(answer.extrapolated)} if answer.extrapolated else {}),
    }
    if answer.sensitivity:
        told["push"] = round(answer.push, 4)
        told["error"] = round(answer.error, 4)
        told["sensitivity"] = {
            s.name: {
                "per_10_percent": round(s.per_tenth, 4),
                "factor": list(s.factors),
                "p_fall": [round(p, 4) for p in s.p_fall],
            }
            for s in answer.sensitivity
        }
    return told


def as_text(row: Scenario, answer: Prediction) -> str:
    """Describe a prediction for people in one line, or in a few if it is detailed."""
    name = "".join(c if c.isprintable() else "?" for c in row.id) or "row"
    weak = min(answer.joints, key=lambda joint: joint.p)
    text = (
        f"{name}: falls with {_percent(answer.p_fall)} "
        f"({_percent(answer.low)} to {_percent(answer.high)}); "
        f"weakest joint {_tile(weak.start)} → {_tile(weak.end)}: {_percent(weak.p)}"
    )
    if answer.extrapolated:
        text += f"; a guess, unlike all that was fitted: {', '.join(answer.extrapolated)}"
    return "\n".join([text, *_details(row, answer)]) if answer.sensitivity else text


def _refused(row: Scenario) -> PhysicsError | None:
    try:
        require_push(row.chain, row.push, row.friction, row.spread)
    except PhysicsError as error:
        return type(error)(f"{row.where}: {error}")
    return None


def _details(row: Scenario, answer: Prediction) -> list[str]:
    """Describe the push, every joint that may fail, and what p depends on, a line each."""
    doubtful = [j for j in answer.joints if j.p <= _SURE]
    crossed = [f"{_tile(j.start)} → {_tile(j.end)} {_percent(j.p)}" for j in doubtful]
    if len(doubtful) < len(answer.joints):
        crossed.append(f"{'the others' if doubtful else 'all'} {_percent(1.0)}")
    first = _tile(row.chain.tiles[0].value)
    lines = [
        f"  {len(answer.joints) + 1} tiles, {answer.runs} falls",
        f"  the push topples tile {first}: {_percent(answer.push)}",
        f"  joints: {', '.join(crossed)}",
    ]
    for s in answer.sensitivity:
        less, more = round(100 * (1.0 - s.factors[0])), round(100 * (s.factors[-1] - 1.0))
        lines.append(
            f"  {_NAMES[s.name]}: {_percent(s.p_fall[0])} if it were {less} % less, "
            f"{_percent(s.p_fall[-1])} if {more} % more ({_points(s.per_tenth)})"
        )
    return lines


def _percent(share: float) -> str:
    if share < 0.005:
        return "under 1 %"
    return "over 99 %" if share > _SURE else f"{round(100 * share)} %"


def _points(change: float) -> str:
    points = round(100 * change)
    if points == 0:
        return "hardly any change"
    count = f"{abs(points)} point{'s' if abs(points) > 1 else ''}"
    return f"{count} {'more' if points > 0 else 'less'} for each 10 %"


def _tile(value: int | None) -> str:
    return "?" if value is None else str(value)
