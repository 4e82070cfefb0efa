"""What is in a database: its tables with their number of rows, and the migrations that it has."""

from typing import Any, NamedTuple

_TABLES = {
    "sqlite": """
        SELECT name FROM sqlite_master
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~'""",
    "postgresql": """
        SELECT format('%I.%I', n.nspname, c.relname)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
          AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')""",
}
MIGRATIONS = "django_migrations"


class Contents(NamedTuple):
    rows: dict[str, int]
    migrations: tuple[str, ...]


def tables_of(cursor: Any, vendor: str) -> list[str]:
    """Every table and view, on PostgreSQL with its schema, quoted as needed."""
    cursor.execute(_TABLES[vendor])
    return sorted(row[0] for row in cursor.fetchall())


def contents_of(cursor: Any, vendor: str) -> Contents:
    rows = {}
    for table in tables_of(cursor, vendor):
        name = table if vendor == "postgresql" else f'"{table}"'
        cursor.execute(f"SELECT count(*) FROM {name}")  # noqa: S608 - a name that the database gave
        rows[table] = int(cursor.fetchone()[0])
    return Contents(rows, _migrations(cursor, rows))


def _migrations(cursor: Any, tables: dict[str, int]) -> tuple[str, ...]:
    there = [table for table in tables if table.rpartition(".")[2] == MIGRATIONS]
    if not there:
        return ()
    cursor.execute(f"SELECT app, name FROM {there[0]} ORDER BY app, name")  # noqa: S608 - as above
    return tuple(f"{app}.{name}" for app, name in cursor.fetchall())
