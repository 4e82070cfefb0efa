"""The import of a sequence of lines into a club: the use case behind the command and the upload."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import chain, count, islice
from typing import NamedTuple

from django.db import IntegrityError, OperationalError, connection

from ofc_hub.clubs.models import Club
from scoring.domain.errors import Problem
from scoring.wake import send_wake_up

from .duplicates import stored_differences
from .jobs import Job, Prepared
from .loader import Loader
from .people import People, StalePlanError
from .planning import Planner
from .prepare import prepare
from .refused import Line, RefusedReport
from .summary import Outcome, Summary
from .workers import Workers, can_have_workers, few_collections

BATCH_LINES = 100
"""Hands committed at once: a live append waits for them."""
BATCH_BYTES = 4 << 20
WORTH_WORKERS = 10
"""Batches from which on processes are worth their start."""
BATCHES_AHEAD = 6
ATTEMPTS = 8
SECONDS_BETWEEN_MESSAGES = 1.0
DEADLOCK = "40P01"

Advance = Callable[[Summary], None]


class Verdict(NamedTuple):
    """What became of a line, and why if it was refused."""

    outcome: Outcome
    problem: Problem | None = None


class Importer:
    """One import. Lines are committed in their order, a batch at a time."""

    def __init__(self, club: Club, report: RefusedReport, advance: Advance | None = None) -> None:
        self.summary = Summary()
        self._report = report
        self._advance = advance or (lambda _: None)
        self._people = People(club)
        self._planner = Planner(club, self._people)
        self._loader = Loader(club, connection.vendor, self._people)
        self._next_message = 0.0

    def run(self, lines: Iterable[Line]) -> Summary:
        """Import every line. What was committed stays, whatever happens later."""
        batches = batches_of(lines)
        first = list(islice(batches, WORTH_WORKERS))
        try:
            if len(first) == WORTH_WORKERS and can_have_workers():
                self._run_ahead(chain(first, batches))
            else:
                for batch in chain(first, batches):
                    job = self._planner.job(batch)
                    self._finish(batch, job, prepare(job))
        finally:
            if self.summary.stored:
                send_wake_up()
        return self.summary

    def _run_ahead(self, batches: Iterable[list[Line]]) -> None:
        """Prepare later batches in other processes while this one stores the earlier."""
        ahead: deque[tuple[list[Line], Job, Future[Prepared]]] = deque()
        with Workers() as workers, few_collections():
            for batch in batches:
                job = self._planner.job(batch)
                ahead.append((batch, job, workers.prepare(job)))
                if len(ahead) >= BATCHES_AHEAD:
                    self._finish_next(ahead)
            while ahead:
                self._finish_next(ahead)

    def _finish_next(self, ahead: deque[tuple[list[Line], Job, Future[Prepared]]]) -> None:
        batch, job, future = ahead.popleft()
        self._finish(batch, job, future.result())

    # --- One batch -----------------------------------------------------------------------------------------

    def _finish(self, batch: list[Line], job: Job, prepared: Prepared) -> None:
        verdicts = self._verdicts(batch, job, prepared)
        for line, verdict in zip(batch, verdicts, strict=True):
            self._count(line, verdict)
        self._advance(self.summary)

    def _verdicts(self, batch: list[Line], job: Job, prepared: Prepared) -> list[Verdict]:
        """Store what is new; what became of each line of the batch."""
        job, prepared = self._stored(batch, job, prepared)
        verdicts: dict[int, Verdict] = dict.fromkeys(prepared.accepted, Verdict("stored"))
        verdicts |= dict.fromkeys(prepared.duplicates, Verdict("duplicate"))
        verdicts |= {place: Verdict("invalid", problem) for place, problem in prepared.refused}
        for place in prepared.doubtful:
            verdicts[place] = _verdict(stored_differences(job, place))
        # The hands of these are stored by now, so that they can be compared.
        again = [batch[place] for place in prepared.again]
        if again:
            job = self._planner.job(again)
            verdicts |= zip(prepared.again, self._verdicts(again, job, prepare(job)), strict=True)
        return [verdicts[place] for place in range(len(batch))]

    def _stored(self, batch: list[Line], job: Job, prepared: Prepared) -> tuple[Job, Prepared]:
        """Store the batch; prepare it anew as long as others change what it was prepared for."""
        for attempt in count(1):
            try:
                if prepared.accepted:
                    self.summary.position = self._loader.store(prepared)
                break
            except (StalePlanError, IntegrityError, OperationalError) as error:
                if attempt == ATTEMPTS or not _is_race(error):
                    raise
            self._people.forget()
            job = self._planner.job(batch)
            prepared = prepare(job)
        if prepared.accepted:
            self._wake()
        for hand in prepared.different:
            self.summary.add_difference(*hand)
        return job, prepared

    def _wake(self) -> None:
        """A message to the workers, at most one a second: each makes them look through all there is to do."""
        if time.monotonic() >= self._next_message:
            send_wake_up()
            self._next_message = time.monotonic() + SECONDS_BETWEEN_MESSAGES

    def _count(self, line: Line, verdict: Verdict) -> None:
        self.summary.count(verdict.outcome)
        if verdict.problem is not None:
            self._report.add(line, verdict.problem)


def _verdict(differences: list[Problem]) -> Verdict:
    """A hand that is there: refused for a conflict that names every field, or for what is wrong with it."""
    if not differences:
        return Verdict("duplicate")
    first = differences[0]
    if any(one.code != "field-differs" for one in differences):
        return Verdict("invalid", first)
    if len(differences) == 1:
        return Verdict("conflict", first)
    paths = ", ".join(one.path for one in differences)
    found = {one.path: one.found for one in differences}
    expected = {one.path: one.expected for one in differences}
    message = f"The hand is stored with other values of {paths}."
    return Verdict("conflict", Problem(first.code, first.path, message, found, expected))


def _is_race(error: Exception) -> bool:
    """Whether trying again helps: not for errors of operation, but for the end of a deadlock."""
    return not isinstance(error, OperationalError) or getattr(error.__cause__, "sqlstate", "") == DEADLOCK


def batches_of(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines in batches, smaller where lines are long, so that memory stays bounded."""
    batch: list[Line] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line.text)
        if len(batch) == BATCH_LINES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
