"""Make what was deleted or overwritten leave the database's files, too.

A changed row's former version stays in its file until something else needs the room: on SQLite in free
pages and in the write-ahead log, on PostgreSQL in dead rows, and in the statistics of columns. Beyond this
module's reach: backups, PostgreSQL's write-ahead log, and what a file system keeps of freed blocks.
"""

import re
import time
from collections.abc import Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from ofc_hub.core.roles import owner_alias

# Most common values and bounds of histograms are values of rows that were there.
STATISTICS = "pg_catalog.pg_statistic"
# How long to wait for older transactions of others, all tables together.
WAIT_SECONDS = 30.0
PAUSE_SECONDS = 0.2


def scrub(tables: Sequence[str], wait: float = WAIT_SECONDS) -> list[str]:
    """Rewrite `tables` (on SQLite the whole file) without what they held before; what could not be done.

    Outside of a transaction; it waits `wait` seconds at most for older ones of others. On PostgreSQL it
    needs the owner of the tables and keeps others out of each table for as long as its copy takes.
    """
    if connections[DEFAULT_DB_ALIAS].vendor == "sqlite":
        return _scrub_file(connections[DEFAULT_DB_ALIAS])
    return _scrub_tables(connections[owner_alias()], tables, wait)


def overwrite_deleted(connection: BaseDatabaseWrapper) -> None:
    """From here on this connection to a SQLite file overwrites with zeros what it deletes."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def _scrub_file(connection: BaseDatabaseWrapper) -> list[str]:
    try:
        with connection.cursor() as cursor:
            if "sqlite_stat1" in _all_tables(cursor):
                cursor.execute("ANALYZE")
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy = bool(cursor.fetchone()[0])
    except OperationalError as error:
        return [f"the file was not rewritten ({error}); run this again"]
    return ["others are reading, so the write-ahead log is still there; run this again"] if busy else []


def _all_tables(cursor: Any) -> set[str]:
    cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name for (name,) in cursor.fetchall()}


def _scrub_tables(connection: BaseDatabaseWrapper, tables: Sequence[str], wait: float) -> list[str]:
    undone, end = [], time.monotonic() + wait
    for table in (*tables, STATISTICS):
        # VACUUM only warns of tables that are another's.
        if not _may_vacuum(connection, table):
            undone.append(f"{table} was not rewritten: that takes its owner (OWNER_DATABASE_URL)")
        elif not _rewritten(connection, table, end):
            undone.append(f"{table}: older transactions are still running on the server; run this again")
    return undone


def _may_vacuum(connection: BaseDatabaseWrapper, table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_MAY_VACUUM, [table])
        return bool(cursor.fetchone()[0])


def _rewritten(connection: BaseDatabaseWrapper, table: str, end: float) -> bool:
    """Rewrite the table until nothing dead is left in it: rows that an older transaction may see are kept."""
    options = "FULL, VERBOSE" if table == STATISTICS else "FULL, VERBOSE, ANALYZE"
    while _kept_dead_rows(connection, f"VACUUM ({options}) {table}"):
        _wait_for_older(connection, end)
        if time.monotonic() > end:
            return False
    return True


def _wait_for_older(connection: BaseDatabaseWrapper, end: float) -> None:
    """Until all transactions have ended that are running now, in whatever database of the server."""
    _, now = _running(connection)
    while time.monotonic() <= end:
        time.sleep(PAUSE_SECONDS)
        oldest, _ = _running(connection)
        if oldest >= now:
            break


def _running(connection: BaseDatabaseWrapper) -> tuple[int, int]:
    """The number of the oldest transaction that is running, and the one that the next will get."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_snapshot_xmin(now)::text, pg_snapshot_xmax(now)::text FROM pg_current_snapshot() now"
        )
        oldest, following = cursor.fetchone()
    return int(oldest), int(following)


def _kept_dead_rows(connection: BaseDatabaseWrapper, statement: str) -> int:
    """How many dead rows the statement had to keep: the first number in what it tells, in any language."""
    told: list[str] = []

    def listen(notice: Any) -> None:
        told.append(notice.message_detail or "")

    with connection.cursor() as cursor:
        connection.connection.add_notice_handler(listen)
        try:
            cursor.execute(statement)
        finally:
            connection.connection.remove_notice_handler(listen)
    return sum(int(number[0]) for text in told if (number := re.search(r"\d+", text)))


_MAY_VACUUM = """
SELECT pg_has_role(c.relowner, 'USAGE') OR pg_has_role(d.datdba, 'USAGE')
FROM pg_class c, pg_database d WHERE c.oid = %s::regclass AND d.datname = current_database()"""
