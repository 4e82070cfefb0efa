"""Many writers of one hand, and what each was told, held against the log they left (promises 1 and 2)."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from queue import SimpleQueue
from threading import Event as Signal
from typing import Any, NamedTuple

from django.db import connection

from ofc_hub.hands.log import Appended, Stale, load_events
from ofc_hub.hands.models import Event as Row
from scoring.domain.events import Event
from tests.writers import at_once, client_id_of

#: Writes one event named so to the hand, expecting a version.
Write = Callable[[str, int | None], Appended | Stale | object]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One write: what the writer knew, what he was told, and between which instants."""

    name: str
    known: int
    began: float
    ended: float
    told: object

    @property
    def won(self) -> bool:
        return isinstance(self.told, Appended)

    @property
    def head(self) -> int:
        """The version of the stream that the writer knows from now on."""
        if isinstance(self.told, Appended):
            return self.told.version
        return self.told.head_version if isinstance(self.told, Stale) else self.known


def race(write: Write, known: int, writers: int, rounds: int, *, learn: bool = True) -> list[Attempt]:
    """Each writer writes `rounds` times as if he were alone, and goes on from the head he is told.

    Without `learn` he expects `known` each time. The names of events are writer-round.
    """

    def work(writer: int) -> list[Attempt]:
        attempts, at = [], known
        for turn in range(rounds):
            name = f"{writer}-{turn}"
            attempt = _attempt(write, name, at)
            attempts.append(attempt)
            at = attempt.head if learn else known
        return attempts

    return [attempt for attempts in at_once(work, writers) for attempt in attempts]


def _attempt(write: Write, name: str, known: int) -> Attempt:
    began = time.monotonic()
    try:
        told: object = write(name, known)
    except Exception as error:
        told = error
    return Attempt(name, known, began, time.monotonic(), told)


# --- What was told against what is there ------------------------------------------------------------------


def lies(attempts: Sequence[Attempt], stream_id: int, known: int) -> list[str]:
    """Everything in which the log or an answer breaks promise 1; empty where it was kept."""
    events = load_events(stream_id)
    versions = [event.version for event in events]
    found = [f"versions are not contiguous: {a}, {b}" for a, b in pairwise([0, *versions]) if b != a + 1]
    successes = sum(attempt.won for attempt in attempts)
    if successes != len(events) - known:
        found.append(f"{successes} successes, but the head went from {known} to {len(events)}")
    winners = {attempt.head: attempt for attempt in attempts if attempt.won}
    for attempt in attempts:
        found += _lies_to(attempt, events, winners)
    return found


def _lies_to(attempt: Attempt, events: Sequence[Event], winners: Mapping[int, Attempt]) -> list[str]:
    told, name = attempt.told, attempt.name
    if isinstance(told, Appended):
        if told.version != attempt.known + 1:
            return [f"{name} wrote version {told.version} although it expected {attempt.known}"]
        stored = events[told.version - 1].client_id if told.version <= len(events) else None
        return [] if stored == client_id_of(name) else [f"{name} was told version {told.version}: not there"]
    if not isinstance(told, Stale):
        return [f"{name} was told {told!r}"]
    found = []
    if told.head_version <= attempt.known:
        found.append(f"{name} was refused at {attempt.known} with the head {told.head_version}")
    if list(told.missed) != list(events[attempt.known : told.head_version]):
        found.append(f"{name} was told other events than those it missed")
    if not _was_the_head(told.head_version, attempt, winners):
        found.append(f"{name} was told the head {told.head_version}, which it was at no time while it asked")
    return found


def _was_the_head(head: int, attempt: Attempt, winners: Mapping[int, Attempt]) -> bool:
    """Whether the stream can have been at `head` at some instant while the attempt was under way."""
    mine, following = winners.get(head), winners.get(head + 1)
    began_in_time = mine is None or mine.began <= attempt.ended
    not_over = following is None or following.ended >= attempt.began
    return began_in_time and not_over


# --- Acknowledged means stored ----------------------------------------------------------------------------


@contextmanager
def meanwhile(work: Callable[[Signal], None]) -> Iterator[None]:
    """`work` on a thread and connection of its own until the block is over, as its signal says.

    What it raises is raised at the end of the block.
    """
    over = Signal()

    def run() -> None:
        try:
            work(over)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(run)
        try:
            yield
        finally:
            over.set()
            done.result()


class Auditor:
    """Looks for what a writer was told to be stored at once, on a connection of its own."""

    def __init__(self, is_there: Callable[[Any], bool]) -> None:
        self.acknowledged: list[Any] = []
        self.missing: list[Any] = []
        self._is_there = is_there
        self._told: SimpleQueue[Any] = SimpleQueue()

    def tell(self, what: Any) -> None:
        """`what`, not None, was acknowledged just now."""
        self._told.put(what)

    @contextmanager
    def listening(self) -> Iterator["Auditor"]:
        with meanwhile(self._work):
            try:
                yield self
            finally:
                self._told.put(None)

    def _work(self, over: Signal) -> None:
        while (what := self._told.get()) is not None:
            self.acknowledged.append(what)
            if not self._is_there(what):
                self.missing.append(what)


class Told(NamedTuple):
    """An event that was acknowledged: its client id and the key of its stream."""

    client_id: str
    key: str


def event_auditor(club_id: int) -> Auditor:
    """An auditor of `Told`."""

    def is_there(told: Told) -> bool:
        rows = Row.objects.filter(club_id=club_id, client_id=told.client_id, stream__key=told.key)
        return rows.exists()

    return Auditor(is_there)


def not_stored(club_id: int, auditor: Auditor) -> list[str]:
    """Acknowledged events that were not to be found at once or in the end, and client ids stored twice."""
    rows = Row.objects.filter(club_id=club_id, client_id__isnull=False)
    stored = [Told(str(one), key) for one, key in rows.values_list("client_id", "stream__key")]
    there, ids = set(stored), Counter(one.client_id for one in stored)
    found = [f"{one} was acknowledged and not to be found" for one in auditor.missing]
    found += [f"{one} was acknowledged and is not stored" for one in auditor.acknowledged if one not in there]
    return found + [f"{one} is stored {count} times" for one, count in ids.items() if count > 1]


def gaps(positions: Sequence[int]) -> list[str]:
    """Where positions do not count from 1 without a hole."""
    if list(positions) == list(range(1, len(positions) + 1)):
        return []
    holes = [f"{a} is followed by {b}" for a, b in pairwise([0, *positions]) if b != a + 1]
    return [f"positions have gaps: {', '.join(holes[:5])}"]
