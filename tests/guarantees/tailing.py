"""Readers who follow the log while it is written, and what they missed (promise 3)."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from threading import Event as Signal
from typing import Any, NamedTuple

from django.db import connection, transaction

from ofc_hub.hands.log import Appended, StreamKey, append, events_after, lock_stream
from ofc_hub.hands.models import Event as Row
from ofc_hub.hands.models import LogHead
from tests.guarantees.contention import gaps, meanwhile
from tests.writers import at_once, note

ROLLED_BACK = 0.1
#: Some readers take a few events at a time and are always behind, some all there are.
LIMITS = (3, 1000)
NOTHING_NEW_SECONDS = 0.001
HELD_SECONDS = 0.05


class RolledBackError(Exception):
    """Ends a transaction that has stored events already."""


class Seen(NamedTuple):
    position: int
    stream: int
    version: int
    digest: bytes


class Tail:
    """A reader who goes on from the last position he saw, as any consumer of the feed does."""

    def __init__(self, club_id: int, limit: int) -> None:
        self.seen: list[Seen] = []
        self._club_id = club_id
        self._limit = limit

    def work(self, over: Signal) -> None:
        """Reads until, when all is over, nothing is left."""
        while True:
            last_look = over.is_set()
            if not self._read() and last_look:
                return

    def _read(self) -> int:
        after = self.seen[-1].position if self.seen else 0
        events = events_after(self._club_id, after, self._limit)
        self.seen += [Seen(one.position, one.stream, one.event.version, one.digest) for one in events]
        if not events:
            time.sleep(NOTHING_NEW_SECONDS)
        return len(events)


def misses(club_id: int, tails: Sequence[Tail]) -> list[str]:
    """Everything in which the log or what its readers saw breaks promise 3; empty where it was kept."""
    rows = Row.objects.filter(club_id=club_id).order_by("position")
    log = [
        Seen(*row[:3], bytes(row[3])) for row in rows.values_list("position", "stream", "version", "digest")
    ]
    found = gaps([one.position for one in log])
    head = LogHead.objects.filter(club_id=club_id).values_list("position", flat=True).first()
    if head != len(log):
        found.append(f"the head is {head}, the log has {len(log)} events")
    times = list(rows.values_list("recorded_at", flat=True))
    if times != sorted(times):
        found.append("recorded_at goes back")
    for tail in tails:
        missed = len(set(log) - set(tail.seen))
        if missed:
            found.append(f"a reader missed {missed} of {len(log)} events")
        elif tail.seen != log:
            found.append("a reader saw other events than there are, or in another order")
    return found


# --- What they follow --------------------------------------------------------------------------------------

Work = Callable[[int, random.Random], None]


def follow(club_id: int, work: Work, writers: int) -> list[str]:
    """What readers miss while each of `writers` does `work`, and one more holds transactions open."""
    tails = [Tail(club_id, limit) for limit in LIMITS]
    with meanwhile(tails[0].work), meanwhile(tails[1].work), meanwhile(partial(hold, club_id)):
        at_once(lambda writer: work(writer, random.Random(writer)), writers)
    return misses(club_id, tails)


def hold(club_id: int, over: Signal) -> None:
    """One transaction after another, and at least one, that begins early and ends late."""
    for number in count(1):
        hold_open(club_id, f"held-{number}")
        time.sleep(0.02)
        if over.is_set():
            return


def hold_open(club_id: int, name: str) -> Appended:
    with transaction.atomic():
        key = StreamKey("here", name)
        lock_stream(club_id, key, create=True)
        time.sleep(HELD_SECONDS)
        outcome = append(club_id, key, [note(f"{name}-{i}") for i in range(3)], 0, "holder")
        assert isinstance(outcome, Appended), outcome
        time.sleep(HELD_SECONDS)
        return outcome


class Interrupter:
    """Ends one transaction in ten, on whatever thread, once its events are inserted; `count`: how many."""

    def __init__(self) -> None:
        self.count = 0

    @contextmanager
    def at_times(self, dice: random.Random) -> Iterator[None]:
        """For the statements of this thread's connection; the block ends early where it strikes."""

        def wrapper(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
            result = execute(sql, *rest)
            if sql.startswith('INSERT INTO "hands_event"') and self.strikes(dice):
                raise RolledBackError
            return result

        with suppress(RolledBackError), connection.execute_wrapper(wrapper):
            yield

    def strikes(self, dice: random.Random) -> bool:
        struck = dice.random() < ROLLED_BACK
        self.count += struck
        return struck
