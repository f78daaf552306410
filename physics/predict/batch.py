"""Predictions of many rows at once, over several processes."""

import multiprocessing
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from zlib import crc32

import numpy as np

from physics.errors import ChainError, PhysicsError
from physics.predict.predict import RUNS, SURE, Prediction, predict
from physics.rows.scenario import Scenario

_LARGEST_CHUNK = 16


def predict_many(
    rows: Sequence[Scenario],
    *,
    seed: int = 0,
    runs: int = RUNS,
    error: float = SURE,
    detail: bool = False,
    jobs: int = 1,
    strict: bool = False,
) -> Iterator[Prediction | ChainError]:
    """Predict rows, in the order given.

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

    Raises:
        ChainError: a row was refused and `strict` is set; names where the row came from.
        PhysicsError: a process was ended from outside.
    """
    one = partial(_answer, seed=seed, runs=runs, error=error, detail=detail)
    for answer in map(one, rows) if jobs == 1 or len(rows) < 2 else _shared(one, rows, jobs):
        if strict and isinstance(answer, ChainError):
            raise answer
        yield answer


def _shared(
    one: "partial[Prediction | ChainError]", rows: Sequence[Scenario], jobs: int
) -> Iterator[Prediction | ChainError]:
    chunk = max(1, min(_LARGEST_CHUNK, len(rows) // (4 * jobs)))
    # A fork of a process with threads may hang; a fresh interpreter cannot.
    pool = ProcessPoolExecutor(min(jobs, len(rows)), multiprocessing.get_context("spawn"))
    try:
        with _uninterrupted():
            answers = pool.map(one, rows, chunksize=chunk)
        yield from answers
    except BrokenProcessPool:
        raise PhysicsError(
            "a process that predicted rows was ended from outside; try again with fewer jobs"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, so that only this one ends them, without noise."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _answer(
    row: Scenario, *, seed: int, runs: int, error: float, detail: bool
) -> Prediction | ChainError:
    rng = np.random.default_rng([seed, crc32(row.id.encode("utf-8", "surrogatepass"))])
    try:
        return predict(
            row.chain,
            row.push,
            row.friction,
            row.spread,
            rng=rng,
            runs=runs,
            error=error,
            detail=detail,
        )
    except ChainError as refused:
        return ChainError(f"{row.where}: {refused}" if row.where else str(refused))
