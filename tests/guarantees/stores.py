"""Databases beside the test's own, all that one holds, and whether it is sound."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection

from ofc_hub.clubs.models import Club
from tests.imports import export


def said(command: str, *arguments: str, **options: Any) -> str:
    """What a command printed; fails with it where the command ends with another status than 0."""
    output, status = StringIO(), 0
    try:
        call_command(command, *arguments, stdout=output, stderr=output, **options)
    except SystemExit as end:
        status = int(end.code or 0)
    assert status == 0, f"{command} ended with {status}:\n{output.getvalue()[-3000:]}"
    return output.getvalue()


def assert_sound() -> None:
    """The guards are in force, verify is clean, and a fresh scoring of everything finds no difference."""
    said("check", databases=["default"])
    said("verify_events")
    said("rebuild", check=True)


@contextmanager
def empty_database(folder: Path) -> Iterator[str]:
    """The name of a database without a table on the server of the test's, or of a file that is not there."""
    if connection.vendor == "sqlite":
        yield str(folder / f"{uuid.uuid4()}.sqlite3")
        return
    name = f"test_{uuid.uuid4().hex}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    try:
        yield name
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def working_on(name: str, **server: str) -> Iterator[None]:
    """All that this process does in the block, it does to the database `name` (of the server HOST, PORT)."""
    elsewhere = {"NAME": name, **server}
    own = {key: connection.settings_dict[key] for key in elsewhere}
    connection.close()
    connection.settings_dict.update(elsewhere)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(own)


def all_rows() -> dict[str, list[str]]:
    """Every row of every table, as text."""
    with connection.cursor() as cursor:
        rows = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            rows[table] = sorted(map(_text, cursor.fetchall()))
        return rows


def _text(row: tuple[Any, ...]) -> str:
    return repr([bytes(value) if isinstance(value, memoryview) else value for value in row])


def exported(folder: Path) -> dict[str, bytes]:
    """The hands and the log of each club, as the command writes them."""
    return {
        f"{slug} {what}": export(slug, events=what == "events", folder=folder).read_bytes()
        for slug in Club.objects.values_list("slug", flat=True)
        for what in ("hands", "events")
    }
