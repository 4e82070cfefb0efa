"""Primary keys taken in blocks before the rows exist, so that a batch is prepared without a transaction."""

from __future__ import annotations

from collections import deque

from django.db import connection, models, transaction


class IdBlocks:
    """Hands out unused ids of one table; what is left over at the end leaves a gap and harms nothing."""

    def __init__(self, model: type[models.Model], size: int) -> None:
        self._table = model._meta.db_table
        self._size = size
        self._free: deque[int] = deque()

    def take(self, count: int) -> list[int]:
        while len(self._free) < count:
            self._free.extend(reserve_ids(self._table, max(self._size, count)))
        return [self._free.popleft() for _ in range(count)]


def reserve_ids(table: str, count: int) -> list[int]:
    """`count` ids of the table that no other writer will get, ascending."""
    if connection.vendor == "postgresql":
        return _from_sequence(table, count)
    return _from_counter(table, count)


def _from_sequence(table: str, count: int) -> list[int]:
    with connection.cursor() as cursor:
        sql = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
        cursor.execute(sql, [table, count])
        return [row[0] for row in cursor.fetchall()]


def _from_counter(table: str, count: int) -> list[int]:
    """SQLite's AUTOINCREMENT goes on from `sqlite_sequence`, whoever raised it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s", [count, table])
        if cursor.rowcount == 0:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, count])
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        last: int = cursor.fetchone()[0]
        return list(range(last - count + 1, last + 1))
