"""domino-rig predict: the chance that the rows of a file fall."""

import argparse
import json
import math
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from physics.predict import RUNS, Prediction, predict
from physics.scenario import Scenario, read_scenarios


def add(subparsers: Any) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "predict",
        help="say how likely rows are to fall",
        description="Predict for every row of the files how likely all of it falls.",
    )
    parser.add_argument("rows", nargs="+", metavar="ROWS", help="one JSON row, or one row a line")
    parser.add_argument("--json", action="store_true", help="print one JSON object a row")
    parser.add_argument("--seed", type=_at_least(0), default=0, help="seed of all chance (0)")
    parser.add_argument(
        "--runs", type=_at_least(1), default=RUNS, help=f"runs a row at most ({RUNS})"
    )
    parser.add_argument("--jobs", type=_at_least(1), default=1, help="processes to share rows (1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Predict every row; nothing is printed unless all files can be read."""
    rows = [row for path in args.rows for row in read_scenarios(path)]
    for row, answer in zip(rows, answers(rows, args.seed, args.runs, args.jobs), strict=True):
        print(json.dumps(as_json(row, answer)) if args.json else as_text(row, answer), flush=True)
    return 0


def answers(rows: list[Scenario], seed: int, runs: int, jobs: int) -> Iterator[Prediction]:
    """Predict rows in order; the answer to a row does not depend on the rows around it."""
    one = partial(_answer, seed=seed, runs=runs)
    if jobs == 1 or len(rows) < 2:
        yield from map(one, rows)
        return
    with ProcessPoolExecutor(min(jobs, len(rows))) as pool:
        yield from pool.map(one, rows, chunksize=max(1, min(16, len(rows) // (4 * jobs))))


def as_json(row: Scenario, answer: Prediction) -> dict[str, Any]:
    """Give a prediction the form that other programs read."""
    return {
        "id": row.id,
        "p_fall": round(answer.p_fall, 4),
        "low": round(answer.low, 4),
        "high": round(answer.high, 4),
        "all_fall": answer.all_fall,
        "joints": [{"from": j.start, "to": j.end, "p": round(j.p, 4)} for j in answer.joints],
        "weakest": list(answer.weakest) if answer.weakest else None,
        "runs": answer.runs,
        **({"extrapolated": list(answer.extrapolated)} if answer.extrapolated else {}),
    }


def as_text(row: Scenario, answer: Prediction) -> str:
    """Tell a prediction in one line."""
    name = row.id or "row"
    text = (
        f"{name}: falls with {_percent(answer.p_fall)} "
        f"({_percent(answer.low)} to {_percent(answer.high)})"
    )
    if answer.weakest:
        weak = min(answer.joints, key=lambda joint: joint.p)
        text += f"; weakest joint {_tile(weak.start)} → {_tile(weak.end)}: {_percent(weak.p)}"
    if answer.extrapolated:
        text += f"; a guess: never seen such {', '.join(answer.extrapolated)}"
    return text


def _answer(row: Scenario, seed: int, runs: int) -> Prediction:
    rng = np.random.default_rng(seed)
    return predict(row.chain, row.push, row.friction, row.spread, rng=rng, runs=runs)


def _percent(share: float) -> str:
    return f"{math.floor(100 * share + 0.5)} %"


def _tile(value: int | None) -> str:
    return "?" if value is None else str(value)


def _at_least(least: int) -> Any:
    def whole(text: str) -> int:
        number = int(text)
        if number < least:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} on, got {text}")
        return number

    return whole
