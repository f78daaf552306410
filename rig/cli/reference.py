"""domino-rig reference: rows that fall in three dimensions, to fit the prediction on."""

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from physics.drawing import as_row, draw, steps_of
from physics.errors import PhysicsError
from physics.reference import RUNS, reference_row
from physics.scenario import Scenario, read_objects, read_scenarios


def add(subparsers: Any) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "reference",
        help="let rows fall in three dimensions",
        description="Let rows fall in MuJoCo; a run that was cut off goes on where it stopped.",
    )
    parser.add_argument("rows", nargs="+", metavar="ROWS", help="rows, one a line")
    parser.add_argument("--out", required=True, metavar="FILE", help="reference rows to write")
    parser.add_argument("--draw", type=int, metavar="N", help="draw N new rows like these instead")
    parser.add_argument("--seed", type=int, default=0, help="seed of the new rows (0)")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"noisy runs a row ({RUNS})")
    parser.add_argument("--jobs", type=int, default=1, help="processes to share rows (1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make the rows that are not in the file yet."""
    known = [row for path in args.rows for row in read_scenarios(path)]
    rows: Iterator[Scenario] = iter(known)
    total = len(known) if args.draw is None else args.draw
    if args.draw is not None:
        rows = _drawn(known, args.draw, args.seed)
    out = Path(args.out)
    done = sum(1 for _ in read_objects(out)) if out.exists() else 0
    rows = islice(rows, done, None)
    try:
        with out.open("a", encoding="utf-8") as file:
            for made, row in enumerate(_fallen(rows, args.runs, args.jobs), start=done + 1):
                file.write(json.dumps(row) + "\n")
                file.flush()
                if sys.stderr.isatty():
                    print(f"\r{made} of {total}", end="", file=sys.stderr)
    except OSError as error:
        raise PhysicsError(f"{out}: cannot be written ({error.strerror})") from None
    print(f"{out}: {total} rows")
    return 0


def _drawn(known: list[Scenario], count: int, seed: int) -> Iterator[Scenario]:
    pieces = [steps for row in known if (steps := steps_of(row.chain))]
    if not pieces:
        raise PhysicsError("new rows are drawn from known joints; give rows of at least two tiles")
    for i in range(count):
        yield draw(pieces, np.random.default_rng([seed, i]), f"d{seed}-{i}")


def _fallen(rows: Iterator[Scenario], runs: int, jobs: int) -> Iterator[dict[str, Any]]:
    one = partial(_fall, runs=runs)
    if jobs < 2:
        yield from map(one, rows)
        return
    with ProcessPoolExecutor(jobs) as pool:
        while batch := list(islice(rows, 8 * jobs)):
            yield from pool.map(one, batch)


def _fall(row: Scenario, runs: int) -> dict[str, Any]:
    return {"scenario": as_row(row), **reference_row(row, runs)}
