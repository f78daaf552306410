"""Predictions of many rows at once, over several processes."""

import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import islice
from zlib import crc32

import numpy as np

from physics.errors import ChainError, PhysicsError
from physics.predict.learned_table import LearnedTable, predict_row
from physics.predict.predict import RUNS, SURE, Prediction
from physics.rows.scenario import Scenario

_CHUNK = 8
"""Rows that a process is given at once: some tenths of a second of work."""
_AHEAD = 3
"""Chunks a process that are given out and not answered yet, so that none has to wait."""


def predict_many(
    rows: Iterable[Scenario],
    *,
    seed: int = 0,
    runs: int = RUNS,
    error: float = SURE,
    detail: bool = False,
    jobs: int = 1,
    strict: bool = False,
    table: LearnedTable | None = None,
) -> Iterator[Prediction | ChainError]:
    """Predict rows, in the order given, as they are asked for: no more than a few are held.

    Each row's random numbers come from its id and the seed, so its prediction does not depend on
    the rows around it or on the number of processes.

    Args:
        rows: what to predict.
        seed: random seed.
        runs: how many copies of a row to let fall at most.
        error: stop when the standard error of p_fall from the draws is this small.
        detail: also find out how p_fall depends on frictions and push.
        jobs: how many processes share the rows.
        strict: stop at the first row that is refused, instead of giving its error in its place.
        table: the one they stand on, as its pushes have shown it; one as expected unless given.

    Raises:
        ChainError: a row was refused and `strict` is set; names where the row came from.
        PhysicsError: a process was ended from outside.
    """
    one = partial(_answer, seed=seed, runs=runs, error=error, detail=detail, table=table)
    for answer in map(one, rows) if jobs == 1 else _shared(one, iter(rows), jobs):
        if strict and isinstance(answer, ChainError):
            raise answer
        yield answer


def _shared(
    one: "partial[Prediction | ChainError]", rows: Iterator[Scenario], jobs: int
) -> Iterator[Prediction | ChainError]:
    # A fork of a process with threads may hang; a fresh interpreter cannot.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))
    given: deque[Future[list[Prediction | ChainError]]] = deque()
    try:
        while True:
            while len(given) < _AHEAD * jobs and (chunk := list(islice(rows, _CHUNK))):
                with uninterrupted():
                    given.append(pool.submit(_answers, one, chunk))
            if not given:
                return
            yield from given.popleft().result()
    except BrokenProcessPool:
        raise PhysicsError(
            "a process that predicted rows was ended from outside; try again with fewer jobs"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, so that only this one ends them, without noise."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _answers(
    one: "partial[Prediction | ChainError]", rows: Iterable[Scenario]
) -> list[Prediction | ChainError]:
    return [one(row) for row in rows]


def _answer(
    row: Scenario, *, seed: int, runs: int, error: float, detail: bool, table: LearnedTable | None
) -> Prediction | ChainError:
    rng = np.random.default_rng([seed, crc32(row.id.encode("utf-8", "surrogatepass"))])
    try:
        return predict_row(row, table, rng=rng, runs=runs, error=error, detail=detail)
    except ChainError as refused:
        return ChainError(f"{row.where}: {refused}" if row.where else str(refused))
