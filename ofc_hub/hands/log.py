"""Appending to the event log (design section 2).

The order of locks, always: the stream's row, then the club's `LogHead`. The head is taken last, with all that
follows prepared, since every writer of a club waits for it.
"""

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db import IntegrityError, connection, transaction

from ofc_hub.hands.models import Event as Row
from ofc_hub.hands.models import LogHead, Stream, StreamKind
from ofc_hub.hands.reading import events_after, head_position, load_events, load_streams
from ofc_hub.hands.repeats import ClientIdConflict, Repeat, find_repeat
from scoring.domain.events import GENESIS, Event, chain_all

__all__ = [
    "Appended",
    "ClientIdConflict",
    "Positions",
    "Prepared",
    "Refused",
    "Stale",
    "StreamKey",
    "append",
    "event_row",
    "events_after",
    "head_position",
    "load_events",
    "load_streams",
    "lock_stream",
    "prepare",
    "take_positions",
    "write",
]


class StreamKey(NamedTuple):
    """What names a stream for ever within its club."""

    source: str
    key: str
    kind: str = StreamKind.HAND.value


@dataclass(frozen=True, slots=True)
class Appended:
    """The batch is stored, from `first_position` to `position`; `version` and `digest` are the stream's head.

    `repeated`: nothing was new, and the positions are those that the events got when they came first.
    """

    stream: int
    first_position: int
    position: int
    version: int
    digest: bytes
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Stale:
    """The stream has moved on since the expected version: where it is, and the events that were missed."""

    head_version: int
    missed: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A batch that may be appended to its locked stream; `write` stores it in the same transaction."""

    stream: Stream
    events: tuple[Event, ...]
    digests: tuple[bytes, ...]
    repeat: Repeat | None = field(default=None)


Refused = Stale | ClientIdConflict


def append(
    club_id: int, key: StreamKey, events: Sequence[Event], expected_version: int | None, actor: str
) -> Appended | Refused:
    """Append `events` (their versions and actor are set here) in the transaction of a use case.

    `expected_version` is the stream's version that the writer knows, 0 for a new stream, None for any.
    A refusal is a value; the use case then rolls back. Two writers who race with one client id on two streams
    raise IntegrityError for the later one: rolled back and called again, this answers.
    """
    prepared = prepare(club_id, key, events, expected_version, actor)
    return write(prepared) if isinstance(prepared, Prepared) else prepared


def prepare(
    club_id: int, key: StreamKey, events: Sequence[Event], expected_version: int | None, actor: str
) -> Prepared | Appended | Refused:
    """Lock the stream and see whether the batch may be appended; `Appended` when it was there before."""
    if not events:
        raise ValueError("an append needs events")
    stream = lock_stream(club_id, key, create=not expected_version)
    batch = [event._replace(actor=actor, client_id=_plain(event.client_id)) for event in events]
    repeat = find_repeat(club_id, stream, batch)
    if isinstance(repeat, ClientIdConflict):
        return repeat
    if repeat is not None:
        return _continue(stream, batch, repeat)
    head = stream.version if stream else 0
    if stream is None or expected_version not in (None, head):
        return Stale(head, _missed(stream, expected_version or 0))
    return _chained(stream, batch, None)


def _plain(client_id: str | None) -> str | None:
    """One spelling of a UUID: the digest covers it. Raises ValueError where it is none."""
    return None if client_id is None else str(uuid.UUID(client_id))


def _continue(stream: Stream | None, batch: list[Event], repeat: Repeat) -> Prepared | Appended | Refused:
    """Part of the batch is stored: all of it, or a beginning that the rest may follow only at the head."""
    assert stream is not None
    if repeat.stored == len(batch):
        return Appended(
            stream.pk, repeat.first_position, repeat.position, stream.version, bytes(stream.digest), True
        )
    if repeat.version != stream.version:
        return Stale(stream.version, _missed(stream, repeat.version))
    return _chained(stream, batch[repeat.stored :], repeat)


def _chained(stream: Stream, batch: Sequence[Event], repeat: Repeat | None) -> Prepared:
    events = tuple(event._replace(version=stream.version + i) for i, event in enumerate(batch, start=1))
    digests = chain_all(bytes(stream.digest), stream.kind, stream.source, stream.key, events)
    return Prepared(stream, events, tuple(digests), repeat)


def write(prepared: Prepared) -> Appended:
    """Store what was prepared: take positions, insert in one statement, move the stream's head."""
    stream, events = prepared.stream, prepared.events
    stream.version, stream.digest = events[-1].version, prepared.digests[-1]
    Stream.objects.filter(pk=stream.pk).update(version=stream.version, digest=stream.digest)
    first, recorded_at = take_positions(stream.club_id, len(events))
    Row.objects.bulk_create(
        event_row(stream, event, digest, position, recorded_at)
        for position, (event, digest) in enumerate(zip(events, prepared.digests, strict=True), start=first)
    )
    began = prepared.repeat.first_position if prepared.repeat else first
    return Appended(stream.pk, began, first + len(events) - 1, stream.version, prepared.digests[-1])


def event_row(stream: Stream, event: Event, digest: bytes, position: int, recorded_at: int) -> Row:
    return Row(
        club_id=stream.club_id,
        position=position,
        stream_id=stream.pk,
        recorded_at=recorded_at,
        digest=digest,
        **event._asdict(),
    )


# --- Locks ---------------------------------------------------------------------------------------------


def lock_stream(club_id: int, key: StreamKey, create: bool = False) -> Stream | None:
    """The stream, locked until the transaction ends; with `create`, an empty one is made where none is."""
    names = {"club_id": club_id, "kind": key.kind, "source": key.source, "key": key.key}
    # A plain FOR UPDATE would make every insert that refers to the stream wait.
    locked = Stream.objects.select_for_update(no_key=True)
    stream = locked.filter(**names).first()
    if stream is None and create:
        Stream.objects.bulk_create([Stream(**names, version=0, digest=GENESIS)], ignore_conflicts=True)
        stream = locked.get(**names)
    return stream


class Positions(NamedTuple):
    first: int
    recorded_at: int


_TAKE = (
    "UPDATE hands_loghead SET position = position + %s,"
    " recorded_at = CASE WHEN recorded_at > %s THEN recorded_at ELSE %s END"
    " WHERE club_id = %s RETURNING position, recorded_at"
)


def take_positions(club_id: int, count: int) -> Positions:
    """The next `count` positions of the club's log; whoever takes must fill them in this transaction.

    The head stays locked until the transaction ends, which makes positions gapless and in commit order.
    The time (microseconds since the epoch) of a block never lies before that of an earlier one.
    """
    assert connection.in_atomic_block, "positions are taken in a transaction"
    now = time.time_ns() // 1000
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [count, now, now, club_id])
        row = cursor.fetchone()
        if row is None:
            _open_log(club_id)
            cursor.execute(_TAKE, [count, now, now, club_id])
            row = cursor.fetchone()
    return Positions(row[0] - count + 1, row[1])


def _open_log(club_id: int) -> None:
    try:
        with transaction.atomic():
            LogHead.objects.create(club_id=club_id)
    except IntegrityError:
        # Another first writer of the club was faster, or there is no such club, which is an error further on.
        if not LogHead.objects.filter(pk=club_id).exists():
            raise


def _missed(stream: Stream | None, version: int) -> tuple[Event, ...]:
    return tuple(load_events(stream.pk, after=version)) if stream else ()
