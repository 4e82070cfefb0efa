"""Processes that prepare batches, so that Python and the database work at the same time."""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import count
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # A new process imports this module before it has called `_start`: no models yet.
    from .jobs import Job, Prepared

JOBS_BETWEEN_COLLECTIONS = 50
MOST_WORKERS = 2
"""One core is the database's; more than two preparing processes would wait for it."""


_jobs = count(1)


def can_have_workers() -> bool:
    """A daemonic process, as a task's may be, has no children; on one core they would only take turns."""
    return (os.cpu_count() or 1) > 1 and not multiprocessing.current_process().daemon


class Workers:
    """A pool of preparing processes; they end with it, or when its process dies."""

    def __init__(self) -> None:
        # Spawned, not forked: a fork would share the open database connection.
        context = multiprocessing.get_context("spawn")
        processes = min(MOST_WORKERS, os.cpu_count() or 1)
        self._pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_start)
        self._started = [self._pool.submit(os.getpid) for _ in range(processes)]

    @property
    def ready(self) -> bool:
        """A process has started, which takes about a second."""
        return any(future.done() for future in self._started)

    def prepare(self, job: Job) -> Future[Prepared]:
        try:
            return self._pool.submit(_prepare, job)
        except BrokenExecutor as error:
            broken: Future[Prepared] = Future()
            broken.set_exception(error)
            return broken

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: BaseException | TracebackType | None) -> None:
        self._pool.shutdown(wait=kind is None, cancel_futures=True)


def _start() -> None:
    """Runs once in each process."""
    import django

    threading.Thread(target=_end_with_parent, daemon=True).start()
    django.setup()
    gc.collect()
    gc.freeze()
    gc.disable()


def _end_with_parent() -> None:
    """A killed import must not leave processes that wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _prepare(job: Job) -> Prepared:
    from .prepare import prepare

    prepared = prepare(job)
    # Jobs make many objects and hardly a cycle; looking for some all the time cost a fifth of it.
    if next(_jobs) % JOBS_BETWEEN_COLLECTIONS == 0:
        gc.collect()
    return prepared


@contextmanager
def few_collections() -> Iterator[None]:
    """Keep the collector from looking through all that was there before, again and again."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
