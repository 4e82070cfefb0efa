"""Rows of many tables written at once: COPY on PostgreSQL, executemany on SQLite.

Rows are tuples in the order of the table's columns. What the worker process sends over is already in the form
in which the database takes it: text of COPY, or values that the SQLite module binds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection

from scoring.domain.events import Event

Row = tuple[Any, ...]
POSTGRESQL = "postgresql"
NULL = "\\N"

_json = msgspec.json.Encoder(order="deterministic")
_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


# --- Values in the form that a database takes --------------------------------------------------------------


def _copied_text(text: str) -> str:
    return text.translate(_ESCAPES) if not text.isprintable() or "\\" in text else text


def _copied_json(value: Any) -> str:
    return _copied_text(_json.encode(value).decode())


_COPIED: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: NULL,
    bool: lambda value: "t" if value else "f",
    int: str,
    str: _copied_text,
    bytes: lambda value: "\\\\x" + value.hex(),
    datetime: lambda value: value.isoformat(),
    date: lambda value: value.isoformat(),
    UUID: str,
    dict: _copied_json,
    list: _copied_json,
}


def copy_line(row: Iterable[Any]) -> str:
    """One row in the text format of COPY, without its end of line."""
    return "\t".join([_COPIED[type(value)](value) for value in row])


_BOUND: dict[type, Callable[[Any], Any]] = {
    datetime: lambda value: value.astimezone(UTC).replace(tzinfo=None).isoformat(" "),
    date: lambda value: value.isoformat(),
    UUID: lambda value: value.hex,
    dict: lambda value: _json.encode(value).decode(),
    list: lambda value: _json.encode(value).decode(),
}


def bound_row(row: Iterable[Any]) -> Row:
    """One row as Django's SQLite backend stores it."""
    return tuple([_BOUND[type(value)](value) if type(value) in _BOUND else value for value in row])


# --- Events: nine in ten rows of an import, so past the general way ----------------------------------------


def event_line(stream_id: int, event: Event, digest: bytes) -> str:
    """An event in the text format of COPY, values in the order of EVENT_COLUMNS."""
    version, kind, seat, cards, data, actor, client_id, happened_at, schema = event
    moment = NULL if happened_at is None else happened_at
    place = NULL if seat is None else seat
    return (
        f"{stream_id}\t{moment}\t{version}\t{place}\t{schema}\t{kind}\t{_copied_text(cards)}\t"
        f"{_copied_text(actor)}\t\\\\x{digest.hex()}\t{client_id or NULL}\t"
        f"{NULL if data is None else _copied_json(data)}\n"
    )


def event_row(stream_id: int, event: Event, digest: bytes) -> Row:
    """An event as bound values in the order of EVENT_COLUMNS."""
    version, kind, seat, cards, data, actor, client_id, happened_at, schema = event
    identity = UUID(client_id) if client_id else None
    return bound_row(
        (stream_id, happened_at, version, seat, schema, kind, cards, actor, digest, identity, data)
    )


EVENT_ENCODERS: dict[str, Callable[[int, Event, bytes], Any]] = {
    POSTGRESQL: event_line,
    "sqlite": event_row,
}


# --- Batches of rows ---------------------------------------------------------------------------------------

Encoded = bytes | list[Row]
"""Rows as one text of COPY for PostgreSQL, as bound rows for SQLite."""


def encode(vendor: str, rows: Iterable[Iterable[Any]]) -> Encoded:
    if vendor == POSTGRESQL:
        return "".join([copy_line(row) + "\n" for row in rows]).encode()
    return [bound_row(row) for row in rows]


def with_positions(encoded: Encoded, club_id: int, first: int, recorded_at: int) -> Encoded:
    """Events with their club, consecutive positions from `first` and the time of recording in front."""
    if isinstance(encoded, bytes):
        club, moment = b"%d\t" % club_id, b"\t%d\t" % recorded_at
        lines = encoded.splitlines(keepends=True)
        return b"".join([b"%b%d%b%b" % (club, first + i, moment, line) for i, line in enumerate(lines)])
    return [(club_id, first + i, recorded_at, *row) for i, row in enumerate(encoded)]


def write_rows(table: str, columns: Sequence[str], encoded: Encoded) -> None:
    """Insert the rows in one statement (SQLite: one for each row)."""
    if not encoded:
        return
    if isinstance(encoded, bytes):
        _copy(table, columns, encoded)
    else:
        _insert(table, columns, encoded)


def _copy(table: str, columns: Sequence[str], text: bytes) -> None:
    names = ", ".join(f'"{column}"' for column in columns)
    statement = f'COPY "{table}" ({names}) FROM STDIN'
    # Django translates the errors of a cursor's own methods only, not those of the block of a COPY.
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copy:
        copy.write(text)


def _insert(table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Past Django's cursor, which would look at every parameter; its errors are translated all the same."""
    names = ", ".join(f'"{column}"' for column in columns)
    places = ", ".join("?" * len(columns))
    connection.ensure_connection()
    with connection.wrap_database_errors, closing(connection.connection.cursor()) as cursor:
        cursor.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({places})', rows)  # noqa: S608
