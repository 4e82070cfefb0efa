"""SQLite: its online backup in both directions."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

from .contents import Contents, contents_of
from .files import BackupError

# Writers hold a SQLite file for tens of milliseconds; whoever holds it for longer is at work on it.
LOCK_SECONDS = 20.0


def dump(connection: BaseDatabaseWrapper, file: Path) -> Contents:
    """Write the database, as it is at one instant, into `file`; writers are not kept waiting."""
    with closing(sqlite3.connect(file)) as copy:
        # In one step: between steps another process's commit would start the copy over, for ever.
        _connected(connection).backup(copy, pages=-1)
        # One file without a log beside it, whatever the original keeps.
        copy.execute("PRAGMA journal_mode = DELETE")
        _check(copy)
        return contents_of(copy.cursor(), "sqlite")


def restore(connection: BaseDatabaseWrapper, file: Path) -> None:
    """Replace the content of the database by that of `file`, in one transaction."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as copy:
        _check(copy)
        target = _connected(connection)
        end = time.monotonic() + LOCK_SECONDS

        def not_for_ever(status: int, remaining: int, total: int) -> None:
            if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > end:
                raise BackupError("The database is in use: stop the web processes, workers and imports.")

        copy.backup(target, pages=-1, progress=not_for_ever)


def _connected(connection: BaseDatabaseWrapper) -> sqlite3.Connection:
    connection.ensure_connection()
    raw: Any = connection.connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


def _check(database: sqlite3.Connection) -> None:
    try:
        found = [row[0] for row in database.execute("PRAGMA integrity_check(10)")]
    except sqlite3.DatabaseError as error:
        found = [str(error)]
    if found != ["ok"]:
        raise BackupError(f"SQLite finds the copy damaged: {'; '.join(map(str, found))}")
