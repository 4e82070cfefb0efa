"""The import of a sequence of lines into a club: the use case behind the command and the upload."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from itertools import chain, count, islice
from typing import NamedTuple

from django.db import DataError, IntegrityError, OperationalError, connection

from ofc_hub.clubs.models import Club
from scoring.domain.errors import Problem
from scoring.wake import send_wake_up

from .columns import EVENT
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
ATTEMPTS = 5
SECONDS_BETWEEN_MESSAGES = 1.0
DEADLOCK = "40P01"
# An overflow is how SQLite's module says that a number has no room.
_NOT_STORABLE = (DataError, IntegrityError, OverflowError)

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
        self._club = club
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
                    self._finish(batch, prepare(self._planner.job(batch)))
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
                if not workers.ready:
                    self._finish(batch, prepare(job))
                    continue
                ahead.append((batch, job, workers.prepare(job)))
                if len(ahead) >= BATCHES_AHEAD:
                    self._finish_next(ahead)
            while ahead:
                self._finish_next(ahead)

    def _finish_next(self, ahead: deque[tuple[list[Line], Job, Future[Prepared]]]) -> None:
        batch, job, future = ahead.popleft()
        try:
            prepared = future.result()
        except BrokenExecutor:  # something ended the preparing processes; it still can be done here
            prepared = prepare(job)
        self._finish(batch, prepared)

    # --- One batch -----------------------------------------------------------------------------------------

    def _finish(self, batch: list[Line], prepared: Prepared) -> None:
        verdicts = self._verdicts(batch, prepared)
        for line, verdict in zip(batch, verdicts, strict=True):
            self._count(line, verdict)
        self._advance(self.summary)

    def _verdicts(self, batch: list[Line], prepared: Prepared) -> list[Verdict]:
        """Store what is new; what became of each line of the batch."""
        try:
            prepared = self._stored(batch, prepared)
        except _NOT_STORABLE as error:
            return self._one_by_one(batch, error)
        verdicts: dict[int, Verdict] = dict.fromkeys(prepared.accepted, Verdict("stored"))
        verdicts |= dict.fromkeys(prepared.duplicates, Verdict("duplicate"))
        verdicts |= {place: Verdict("invalid", problem) for place, problem in prepared.refused}
        verdicts |= zip(prepared.doubtful, self._compared(batch, prepared.doubtful), strict=True)
        # The hands of these are stored by now, so that they can be compared.
        again = [batch[place] for place in prepared.again]
        if again:
            prepared_again = prepare(self._planner.job(again))
            verdicts |= zip(prepared.again, self._verdicts(again, prepared_again), strict=True)
        return [verdicts[place] for place in range(len(batch))]

    def _compared(self, batch: list[Line], places: list[int]) -> list[Verdict]:
        if not places:
            return []
        # Plans for people may have been overtaken by the import that stored these hands.
        job = Planner(self._club, People(self._club)).job([batch[place] for place in places])
        return [_verdict(stored_differences(job, index)) for index in range(len(places))]

    def _one_by_one(self, batch: list[Line], error: Exception) -> list[Verdict]:
        """What the database refuses for good concerns one line; the others of its batch are stored."""
        conflict = isinstance(error, IntegrityError)
        # Of an event's unique keys only the client id is not ours to choose.
        if conflict and EVENT not in str(error):
            raise error
        if len(batch) == 1:
            code = "client-id-conflict" if conflict else "out-of-range"
            return [Verdict("invalid", Problem(code, "", f"The database refuses the line: {error}"[:500]))]
        return [self._verdicts([line], prepare(self._planner.job([line])))[0] for line in batch]

    def _stored(self, batch: list[Line], prepared: Prepared) -> Prepared:
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
            prepared = prepare(self._planner.job(batch))
        if prepared.accepted:
            self._wake()
        for hand in prepared.different:
            self.summary.add_difference(*hand)
        return prepared

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
