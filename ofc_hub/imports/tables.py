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

Row = tuple[Any, ...]

_json = msgspec.json.Encoder(order="deterministic")
_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


# --- Values in the form that a database takes --------------------------------------------------------------


def _copied_text(text: str) -> str:
    return text.translate(_ESCAPES) if not text.isprintable() or "\\" in text else text


_COPIED: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "\\N",
    bool: lambda value: "t" if value else "f",
    int: str,
    str: _copied_text,
    bytes: lambda value: "\\\\x" + value.hex(),
    datetime: lambda value: value.isoformat(),
    date: lambda value: value.isoformat(),
    UUID: str,
    dict: lambda value: _copied_text(_json.encode(value).decode()),
    list: lambda value: _copied_text(_json.encode(value).decode()),
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


# --- Batches of rows ---------------------------------------------------------------------------------------

Encoded = bytes | list[Row]
"""Rows as one text of COPY for PostgreSQL, as bound rows for SQLite."""


def encode(vendor: str, rows: Iterable[Iterable[Any]]) -> Encoded:
    if vendor == "postgresql":
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
    with connection.cursor() as cursor, cursor.copy(f'COPY "{table}" ({names}) FROM STDIN') as copy:
        copy.write(text)


def _insert(table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Past Django's cursor, which would look at every parameter; its errors are translated all the same."""
    names = ", ".join(f'"{column}"' for column in columns)
    places = ", ".join("?" * len(columns))
    connection.ensure_connection()
    with connection.wrap_database_errors, closing(connection.connection.cursor()) as cursor:
        cursor.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({places})', rows)  # noqa: S608
