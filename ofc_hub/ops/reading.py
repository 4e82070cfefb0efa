"""The log read in bulk: raw rows in batches of whole streams, one snapshot, constant memory."""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, NamedTuple, cast

import msgspec
from django.db import connection, transaction
from psycopg import Cursor

from ofc_hub.hands.models import Stream
from scoring.domain.events import Event

STREAMS_AT_ONCE = 500


class StreamHead(NamedTuple):
    """The row of a stream."""

    id: int
    club_id: int
    kind: str
    source: str
    key: str
    version: int
    digest: bytes

    @property
    def name(self) -> str:
        return f"{self.source}/{self.key}"


class Logged(NamedTuple):
    """An event exactly as it lies in the log; `event` is not upgraded, since the digest covers it so."""

    club_id: int
    position: int
    digest: bytes
    event: Event


class Batch(NamedTuple):
    """Some streams of one club and all their events by the stream's id, in the order of their versions."""

    club_id: int
    streams: list[StreamHead]
    events: dict[int, list[Logged]]


@contextmanager
def snapshot() -> Iterator[None]:
    """One state of the database for everything that is read inside; writers go on meanwhile.

    Inside a transaction it is that transaction's view.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        # Django's own transactions begin IMMEDIATE here and would keep every writer waiting.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")


@contextmanager
def in_bulk() -> Iterator[None]:
    """Millions of objects come and go here, none of them in a cycle: looking for some took half the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def batches(club_id: int, size: int = STREAMS_AT_ONCE) -> Iterator[Batch]:
    """All streams of a club, some at a time, in the order in which they were made."""
    last = 0
    while heads := stream_heads(Stream.objects.filter(club_id=club_id, pk__gt=last).order_by("pk")[:size]):
        last = heads[-1].id
        yield Batch(club_id, heads, logged_events([head.id for head in heads]))


def stream_heads(streams: Iterable[Stream]) -> list[StreamHead]:
    return [
        StreamHead(one.pk, one.club_id, one.kind, one.source, one.key, one.version, bytes(one.digest))
        for one in streams
    ]


_COLUMNS = {
    "postgresql": "data::text, actor, client_id::text",
    "sqlite": "data, actor, client_id",
}
_decode = msgspec.json.Decoder().decode


def logged_events(stream_ids: Sequence[int]) -> dict[int, list[Logged]]:
    """The events of the streams; past the ORM, which would cost more than all that is done with them."""
    logged: dict[int, list[Logged]] = {pk: [] for pk in stream_ids}
    among = "= ANY(%s)" if connection.vendor == "postgresql" else f"IN ({', '.join('?' * len(stream_ids))})"
    rows = raw_rows(
        f"SELECT stream_id, club_id, position, digest, version, kind, seat, cards,"  # noqa: S608
        f" {_COLUMNS[connection.vendor]}, happened_at, schema FROM hands_event"
        f" WHERE stream_id {among} ORDER BY stream_id, version",
        [list(stream_ids)] if connection.vendor == "postgresql" else stream_ids,
    )
    spell = _same if connection.vendor == "postgresql" else _spelt
    for stream, club, position, digest, version, kind, seat, cards, data, actor, client, at, schema in rows:
        event = Event(
            *(version, kind, seat, cards, data and _data(data), actor, client and spell(client), at, schema)
        )
        logged[stream].append(Logged(club, position, digest, event))
    return logged


def raw_rows(statement: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of a query by the driver itself; placeholders are the driver's own."""
    connection.ensure_connection()
    driver: Any = connection.connection
    with connection.wrap_database_errors:
        if connection.vendor != "postgresql":
            with closing(driver.cursor()) as cursor:
                return cast(list[tuple[Any, ...]], cursor.execute(statement, parameters).fetchall())
        # Not Django's kind of cursor, which binds on its own side and takes text only.
        with Cursor(driver) as cursor:
            return cursor.execute(statement, parameters, binary=True).fetchall()


def _data(text: str) -> Any:
    try:
        return _decode(text)
    except msgspec.DecodeError:
        return text  # only an edited SQLite file holds such; the digest will not match


def _same(text: str) -> str:
    return text


def _spelt(text: str) -> str:
    """A UUID as it is written everywhere inside; SQLite holds 32 digits."""
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
