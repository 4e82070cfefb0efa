"""Two roles on PostgreSQL: one owns the tables and migrates, the other is the application's (promise 5).

`OWNER_DATABASE_URL` names the owner's login and is there for `migrate` and for what rewrites tables; the role
of `DATABASE_URL` gets exactly what it needs. The operator makes both (docker/postgres/roles.sh).
"""

from collections.abc import Iterator
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from ofc_hub.core.append_only import DECLARED, schema_of

OWNER_ALIAS = "owner"
EVERYTHING = ("SELECT", "INSERT", "UPDATE", "DELETE")
READ_ONLY = frozenset({"django_migrations"})
# What a role could change a log by, were it granted; SELECT and INSERT are all that it needs there.
_ABUSABLE = ("UPDATE", "DELETE", "TRUNCATE", "TRIGGER")


def owner_alias() -> str:
    """The alias of the database as its owner sees it; there is one login for all where none is set."""
    return OWNER_ALIAS if OWNER_ALIAS in connections.settings else DEFAULT_DB_ALIAS


def application_role() -> str | None:
    """The role to be granted what the application needs; None where the owner is the application itself."""
    if owner_alias() == DEFAULT_DB_ALIAS or connections[OWNER_ALIAS].vendor != "postgresql":
        return None
    role = str(connections[DEFAULT_DB_ALIAS].settings_dict["USER"])
    return None if role == connections[OWNER_ALIAS].settings_dict["USER"] else role


def role_exists(connection: BaseDatabaseWrapper, role: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        return cursor.fetchone() is not None


def grant(connection: BaseDatabaseWrapper, role: str) -> None:
    """Give `role` what the application needs on every table of the schema, and take everything else.

    `connection` is the owner's. Safe to repeat; at its commit the rights change all at once.
    """
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        for statement in _grants(connection, connection.ops.quote_name(role)):
            cursor.execute(statement)


def privileges_of(table: str) -> tuple[str, ...]:
    """The verbs that the application may use on `table`."""
    if table in READ_ONLY:
        return ("SELECT",)
    refused = {verb for guard in DECLARED.values() if guard.table == table for verb in guard.refused}
    return tuple(verb for verb in EVERYTHING if verb not in refused)


def _grants(connection: BaseDatabaseWrapper, role: str) -> Iterator[str]:
    schema, quote = schema_of(connection), connection.ops.quote_name
    # Who may make functions and operators in the schema could put them in the way of everybody's statements.
    yield f"REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {role}"
    yield f"GRANT USAGE ON SCHEMA {schema} TO {role}"
    for table in sorted(connection.introspection.table_names()):
        yield f"REVOKE ALL ON {quote(table)} FROM {role}"
        yield f"GRANT {', '.join(privileges_of(table))} ON {quote(table)} TO {role}"
    yield f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {role}"


# --- What a role may beyond that -----------------------------------------------------------------------


def excess_rights(connection: BaseDatabaseWrapper) -> list[str]:
    """By what the connection's role could get round the guards; nothing for an application's own role."""
    guarded = {guard.table for guard in DECLARED.values()}
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone()[0]:
            return ["is a superuser"]
        excess = [words for words, question in _MAKES.items() if _holds(cursor, question)]
        for table in sorted(guarded & set(connection.introspection.table_names(cursor))):
            if _holds(cursor, _OWNS, table):
                excess.append(f"owns {table}")
            else:
                verbs = [verb for verb in _ABUSABLE if verb not in privileges_of(table)]
                excess += [f"may {verb} {table}" for verb in verbs if _holds(cursor, _MAY, table, verb)]
    return excess


_MAKES = {
    "may make objects in the schema": "SELECT has_schema_privilege(current_schema(), 'CREATE')",
    "may make schemas in the database": "SELECT has_database_privilege(current_database(), 'CREATE')",
}
_OWNS = "SELECT pg_has_role(relowner, 'MEMBER') FROM pg_class WHERE oid = %s::regclass"
_MAY = "SELECT has_table_privilege(%s, %s)"


def _holds(cursor: Any, question: str, *parameters: str) -> bool:
    cursor.execute(question, parameters)
    return bool(cursor.fetchone()[0])
