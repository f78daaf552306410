"""domino-rig reference: rows that fall in three dimensions, to fit the prediction on."""

import json
import os
from argparse import Namespace
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np

from physics.errors import PhysicsError
from physics.learn.draw_rows import as_row, draw, draw_unsure, steps_of
from physics.learn.reference import engine, reference_row
from physics.rows.row_file import read_objects, read_scenarios
from physics.rows.scenario import Scenario
from rig.cli.output import progress, unwritten


def run(args: Namespace) -> int:
    """Make the rows that are not in the file yet."""
    known = [row for path in args.rows for row in read_scenarios(path)]
    total = len(known) if args.draw is None else args.draw
    row_at = _known(known) if args.draw is None else _drawing(known, args)
    out = Path(args.out)
    try:
        tell = progress(args.progress)
        done = _done(out, row_at, total)
        if done < total:
            engine()  # said before a file is made, not after
        with out.open("a", encoding="utf-8") as file:
            rows = map(row_at, range(done, total))
            for made, row in enumerate(_fallen(rows, args), start=done + 1):
                file.write(json.dumps(row) + "\n")
                file.flush()
                tell(made, total)
    except OSError as error:
        raise unwritten(out, error) from None
    print(f"{out}: {total} rows")
    return 0


def _done(out: Path, row_at: Callable[[int], Scenario], total: int) -> int:
    """Count the complete rows of an interrupted run.

    Raises:
        PhysicsError: these are not the rows that are asked for.
    """
    if not out.exists():
        return 0
    data = out.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        with out.open("r+b") as file:
            file.truncate(whole)
    if not whole:
        return 0
    ids = [str(row.get("scenario", {}).get("id")) for _, row in read_objects(out)]
    expected = row_at(len(ids) - 1).id if len(ids) <= total else ""
    if ids[-1] != expected:
        raise PhysicsError(
            f"{out}: row {len(ids)} is {ids[-1]!r}, expected {expected!r}; "
            "use the rows, number and seed that it was started with, or name another file"
        )
    return len(ids)


def _known(known: list[Scenario]) -> Callable[[int], Scenario]:
    return lambda i: known[i]


def _drawing(known: list[Scenario], args: Namespace) -> Callable[[int], Scenario]:
    for name in ("tiles", "widths"):
        least, most = getattr(args, name)
        if least > most:
            raise PhysicsError(f"--{name}: expected LEAST before MOST, got {least} {most}")
    pieces = [steps for row in known if (steps := steps_of(row.chain))]
    if not pieces:
        raise PhysicsError("new rows are drawn from known joints; give rows of at least two tiles")

    def row_at(i: int) -> Scenario:
        rng, name = np.random.default_rng([args.seed, i]), f"d{args.seed}-{i}"
        one = draw_unsure if args.unsure else draw
        return one(pieces, rng, name, args.standard, tuple(args.tiles), tuple(args.widths))

    return row_at


def _fallen(rows: Iterator[Scenario], args: Namespace) -> Iterator[dict[str, Any]]:
    one = partial(_fall, runs=args.runs, quick=args.quick)
    if args.jobs < 2:
        yield from map(one, rows)
        return
    with ProcessPoolExecutor(args.jobs, initializer=_end_with_parent) as pool:
        while batch := list(islice(rows, 8 * args.jobs)):
            yield from pool.map(one, batch)


def _end_with_parent() -> None:
    """End this process when the one that started it ends, however that ends."""

    def watch(parent: int) -> None:
        wait([parent])
        os._exit(1)

    parent = parent_process()
    if parent is not None:
        Thread(target=watch, args=(parent.sentinel,), daemon=True).start()


def _fall(row: Scenario, runs: int, quick: bool) -> dict[str, Any]:
    return {"scenario": as_row(row), **reference_row(row, runs, quick=quick)}
