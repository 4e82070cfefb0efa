"""Triggers that guard tables, the same promise on PostgreSQL and on SQLite (design section 2, "Immutable").

A `Guard` is a set of triggers on one table. It is put in force by a migration operation and declared with
`declare`, so that a system check can look for it and a test's flush can lift it. All refusals reach Django as
IntegrityError. SQLite drops triggers silently when Django rebuilds a table: repeat the operation after every
migration that alters a guarded table.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.operations.base import Operation

DECLARED: dict[str, "Guard"] = {}
# A search path of their own: guards must not compare by operators that a session put in front.
PLPGSQL = "RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$"


@dataclass(frozen=True)
class Guard:
    """`triggers`: vendor -> name -> the statement that makes it; `functions` are PostgreSQL's, made before.

    `{schema}` stands for the schema of the tables: a temporary table could shadow an unqualified name;
    `{plpgsql}` for what all functions of guards have in common.
    `refused` are the SQL verbs that nobody may use on the table; the application's role lacks them too.
    """

    name: str
    table: str
    triggers: Mapping[str, Mapping[str, str]]
    functions: tuple[str, ...] = ()
    refused: frozenset[str] = frozenset()

    def create_statements(self, vendor: str, schema: str) -> Iterator[str]:
        yield from self.drop_statements(vendor)
        if vendor == "postgresql":
            for function in self.functions:
                yield function.replace("{schema}", schema).replace("{plpgsql}", PLPGSQL)
        for name, statement in self.triggers[vendor].items():
            yield statement.replace("{schema}", schema)
            if vendor == "postgresql":
                # ALWAYS: session_replication_role = replica would skip a trigger that is merely enabled.
                yield f'ALTER TABLE "{self.table}" ENABLE ALWAYS TRIGGER {name}'

    def drop_statements(self, vendor: str) -> Iterator[str]:
        suffix = f' ON "{self.table}"' if vendor == "postgresql" else ""
        yield from (f"DROP TRIGGER IF EXISTS {name}{suffix}" for name in self.triggers[vendor])


def declare(guard: Guard) -> Guard:
    """Make the guard known to `drop_guards`, `create_guards` and the system check."""
    DECLARED[guard.name] = guard
    return guard


REFUSE_CHANGE = """
CREATE OR REPLACE FUNCTION {schema}.ofc_refuse_change() {plpgsql}
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'integrity_constraint_violation';
END $$"""


def refuse_truncate(table: str) -> dict[str, str]:
    """PostgreSQL's TRUNCATE passes row triggers by."""
    name = f"{table}_no_truncate"
    return {
        name: f'CREATE TRIGGER {name} BEFORE TRUNCATE ON "{table}" '
        "FOR EACH STATEMENT EXECUTE FUNCTION {schema}.ofc_refuse_change()"
    }


def append_only(table: str, unique: tuple[tuple[str, ...], ...] = ()) -> Guard:
    """The guard that refuses UPDATE, DELETE and TRUNCATE of `table`.

    `unique` lists its unique column sets: SQLite's INSERT OR REPLACE deletes a row that is in the way without
    asking a DELETE trigger, so the way must be clear before.
    """
    changed = f"{table}_append_only"
    postgresql = {
        changed: f'CREATE TRIGGER {changed} BEFORE UPDATE OR DELETE ON "{table}" '
        "FOR EACH ROW EXECUTE FUNCTION {schema}.ofc_refuse_change()",
        **refuse_truncate(table),
    }
    sqlite = {
        f"{table}_no_{verb.lower()}": sqlite_trigger(f"{table}_no_{verb.lower()}", verb, table, "1")
        for verb in ("UPDATE", "DELETE")
    }
    name = f"{table}_no_replace"
    sqlite[name] = sqlite_trigger(name, "INSERT", table, _taken(table, (("rowid",), *unique)))
    refused = frozenset({"UPDATE", "DELETE", "TRUNCATE"})
    return Guard(changed, table, {"postgresql": postgresql, "sqlite": sqlite}, (REFUSE_CHANGE,), refused)


def sqlite_trigger(name: str, verb: str, table: str, when: str) -> str:
    """A SQLite trigger that refuses `verb` on `table` when the expression `when` holds for a row."""
    message = f"{table}: {verb} refused by {name}"
    return (
        f'CREATE TRIGGER {name} BEFORE {verb} ON "{table}" FOR EACH ROW WHEN {when} '
        f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
    )


def _taken(table: str, unique: tuple[tuple[str, ...], ...]) -> str:
    """An expression that is true when a row with one of NEW's unique keys is there (nulls never are)."""

    def exists(columns: tuple[str, ...]) -> str:
        same = " AND ".join(f"{column} = NEW.{column}" for column in columns)
        return f'EXISTS (SELECT 1 FROM "{table}" WHERE {same})'  # noqa: S608 (names from our own code)

    return " OR ".join(map(exists, unique))


# --- In force, or not ---------------------------------------------------------------------


def create_guards(connection: BaseDatabaseWrapper) -> None:
    """Put every declared guard in force whose table is there."""
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        for guard in DECLARED.values():
            if guard.table in tables:
                for statement in guard.create_statements(connection.vendor, schema_of(connection)):
                    cursor.execute(statement)


def drop_guards(connection: BaseDatabaseWrapper) -> None:
    """Lift every declared guard: for tests that empty tables, and around a rebuild of one. Nothing else."""
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        for guard in DECLARED.values():
            if guard.table in tables:
                for statement in guard.drop_statements(connection.vendor):
                    cursor.execute(statement)


def missing_triggers(connection: BaseDatabaseWrapper) -> list[tuple[str, str]]:
    """(table, trigger) of each declared trigger that is not in force on a table that is there."""
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        cursor.execute(_IN_FORCE[connection.vendor])
        in_force = {tuple(row) for row in cursor.fetchall()}
    expected = [(g.table, name) for g in DECLARED.values() for name in g.triggers[connection.vendor]]
    return [(table, name) for table, name in expected if table in tables and (table, name) not in in_force]


_IN_FORCE = {
    "sqlite": "SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
    "WHERE t.tgenabled = 'A' AND c.relnamespace = current_schema()::regnamespace",
}


def schema_of(connection: BaseDatabaseWrapper) -> str:
    """The schema that holds the tables, quoted; SQLite has none."""
    if connection.vendor != "postgresql":
        return ""
    with connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        return str(cursor.fetchone()[0])


# --- Migration operations -----------------------------------------------------------------


class GuardOperation(Operation):
    """Puts a guard in force; safe to repeat. Models do not change."""

    reduces_to_sql = True
    reversible = True

    def guard(self) -> Guard:
        raise NotImplementedError

    def state_forwards(self, app_label: str, state: Any) -> None:
        pass

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        connection = schema_editor.connection
        for statement in self.guard().create_statements(connection.vendor, schema_of(connection)):
            schema_editor.execute(statement, params=None)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for statement in self.guard().drop_statements(schema_editor.connection.vendor):
            schema_editor.execute(statement, params=None)

    def describe(self) -> str:
        return f"Guard {self.guard().table} by {self.guard().name}"


class AppendOnly(GuardOperation):
    """Refuse UPDATE, DELETE and TRUNCATE of `table` from here on."""

    def __init__(self, table: str, unique: tuple[tuple[str, ...], ...] = ()) -> None:
        self.table = table
        self.unique = unique

    def guard(self) -> Guard:
        return append_only(self.table, self.unique)
