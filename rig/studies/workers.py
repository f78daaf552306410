"""Work shared out, a piece at a time: on processes of this computer, or on a Dask cluster.

A worker gets its next piece when the last one's result has been taken, so that a program that is
ended loses at most one piece a worker.
"""

import logging
import multiprocessing
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from itertools import chain, islice
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any, Final, TypeVar

from physics.predict.batch import uninterrupted
from physics.survey.parameters import SurveyError

_DEATHS: Final = 3
"""Times that a process may be ended from outside before the cause is taken to be the work."""
_ANSWER_S: Final = 10.0
"""Seconds for a cluster to answer at first."""
_EMPTY_S: Final = 60.0
"""Seconds for a cluster to be without any worker; a killed one is back in some."""

T = TypeVar("T")
R = TypeVar("R")


def on_processes(
    work: Callable[[T], R], pieces: Iterable[T], jobs: int
) -> Generator[R, None, None]:
    """Do pieces of work on processes of this computer; results come as they are ready.

    A piece whose process is ended from outside is done again by another one.

    Raises:
        SurveyError: processes were ended again and again.
    """
    if jobs == 1:
        yield from map(work, pieces)
        return
    left = iter(pieces)
    for _ in range(_DEATHS):
        running: dict[Future[R], T] = {}
        try:
            yield from _pooled(work, left, jobs, running)
            return
        except BrokenProcessPool:
            left = chain(list(running.values()), left)
    raise SurveyError(
        f"{_DEATHS} times a process was ended from outside, perhaps for want of memory; "
        "go on with --resume and fewer --jobs"
    )


def _pooled(
    work: Callable[[T], R], pieces: Iterator[T], jobs: int, running: dict[Future[R], T]
) -> Iterator[R]:
    """Do pieces in one pool; `running` has those whose results have not been taken."""
    alive, here = multiprocessing.get_context("spawn").Pipe(duplex=False)
    # A fork of a process with threads may hang; a fresh interpreter cannot.
    pool = ProcessPoolExecutor(
        jobs,
        multiprocessing.get_context("spawn"),
        initializer=_end_with,
        initargs=(alive, work),  # which loads what the work needs
    )
    try:
        with uninterrupted():
            for _ in range(jobs):  # they start now, before the first piece is there
                pool.submit(os.getpid)
        while True:
            for piece in islice(pieces, jobs - len(running)):
                with uninterrupted():
                    future = pool.submit(work, piece)
                running[future] = piece
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                result = future.result()
                yield result
                del running[future]
    except BaseException:
        here.close()  # they end at once, in the middle of their work
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        here.close()
        alive.close()


def _end_with(alive: Connection, work: object) -> None:
    """End this process when the one that started it ends or lets go, however that happens."""

    def watch() -> None:
        try:
            alive.recv()
        finally:
            os._exit(1)

    Thread(target=watch, daemon=True).start()


def on_cluster(
    work: Callable[[T], R], pieces: Iterable[T], address: str
) -> Generator[R, None, None]:
    """Do pieces of work on a Dask cluster; results come as they are ready.

    Dask gives what a dying worker had to another one; workers may also join.

    Raises:
        SurveyError: nobody answers there, or the cluster was lost under way.
    """
    distributed = _loaded()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, timeout=_ANSWER_S)
    except (OSError, ValueError, TypeError, ImportError) as error:
        raise SurveyError(
            f"--scheduler {address}: no Dask scheduler answers there ({_first_line(error)}); start "
            "one with `dask scheduler`, or leave --scheduler out to use this computer"
        ) from None
    try:
        yield from _clustered(client, work, iter(pieces))
    except distributed.scheduler.KilledWorker:
        raise SurveyError(
            "workers of the cluster died again and again over the same rows, perhaps for want of "
            "memory; look at their logs, then go on with --resume"
        ) from None
    except (OSError, distributed.client.FutureCancelledError) as error:
        raise SurveyError(
            f"--scheduler {address}: was lost under way ({_first_line(error)}); "
            "what is done is kept, go on with --resume"
        ) from None
    finally:
        client.close(timeout=1)


def _clustered(client: Any, work: Callable[[T], R], pieces: Iterator[T]) -> Iterator[R]:
    wait_for = _loaded().wait
    running: set[Any] = set()
    while True:
        threads = sum(client.nthreads().values())
        for piece in islice(pieces, max(threads - len(running), 0 if running else 1)):
            running.add(client.submit(work, piece, pure=False))
        if not running:
            return
        try:
            done = wait_for(running, timeout=_EMPTY_S, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            if not client.nthreads():
                raise SurveyError(
                    f"the cluster has had no worker for {_EMPTY_S:g} s; start some with "
                    "`dask worker`, then go on with --resume"
                ) from None
            continue
        for future in done:
            yield future.result()
        running -= done


def _loaded() -> Any:
    """Dask's module, which takes a second to load: only who has a cluster waits for it."""
    return import_module("distributed")


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0].rstrip(".") or type(error).__name__
