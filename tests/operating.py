"""The commands that look after the log, as tests call them, and an owner who edits his database."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from typing import Any, NamedTuple

from django.core.management import call_command
from django.db import connection, transaction

from ofc_hub.core.append_only import create_guards, drop_guards


class Ran(NamedTuple):
    """`status` of the exit, the JSON lines before the last one, and the last one."""

    status: int
    lines: list[dict[str, Any]]
    summary: dict[str, Any]

    def of(self, code: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["code"] == code]

    @property
    def codes(self) -> set[str]:
        return {line["code"] for line in self.lines}


def ran(command: str, *arguments: str) -> Ran:
    """A command that writes JSON lines, in this process."""
    output, status = StringIO(), 0
    try:
        call_command(command, *arguments, "--json", stdout=output, stderr=StringIO())
    except SystemExit as end:
        status = int(end.code or 0)
    lines = [json.loads(line) for line in output.getvalue().splitlines()]
    return Ran(status, lines[:-1], lines[-1])


def verified(*arguments: str) -> Ran:
    return ran("verify_events", *arguments)


def rebuilt(*arguments: str) -> Ran:
    return ran("rebuild", *arguments)


@contextmanager
def undone() -> Iterator[None]:
    """What the block does to the database is rolled back at its end, guards and all."""
    with transaction.atomic():
        connection.check_constraints()  # a trigger cannot be lifted while checks are due
        drop_guards(connection)
        yield
        transaction.set_rollback(True)


@contextmanager
def unguarded() -> Iterator[None]:
    """What the block does to the log stays, and the guards are in force again after it."""
    connection.check_constraints()
    drop_guards(connection)
    yield
    connection.check_constraints()
    create_guards(connection)


def execute(statement: str, parameters: Sequence[Any] = ()) -> int:
    """SQL as the owner of the database types it; how many rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)
