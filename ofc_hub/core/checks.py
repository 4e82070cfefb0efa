"""System checks of the database (`manage.py check --database default`, and before every migrate)."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from ofc_hub.core.append_only import missing_triggers
from ofc_hub.core.roles import OWNER_ALIAS, excess_rights


@register(Tags.database)
def guards_in_force(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Every declared trigger is there and enabled: a rebuilt SQLite table loses its triggers silently."""
    return [
        Error(
            f'The trigger {trigger} on {table} is missing or disabled in the database "{alias}".',
            hint="Repeat the guard's operation in a migration after the one that altered the table.",
            id="core.E001",
        )
        for alias in databases or ()
        for table, trigger in missing_triggers(connections[alias])
        if not migrations_pending(connections[alias])
    ]


@register(Tags.database, deploy=True)
def application_cannot_lift_guards(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """On PostgreSQL the role that serves pages and tasks is not the one that could lift the guards."""
    served = (connections[alias] for alias in databases or () if alias != OWNER_ALIAS)
    return [
        Warning(
            f'The role of the database "{connection.alias}" {right}.',
            hint="Set OWNER_DATABASE_URL for migrate and give DATABASE_URL a role of its own (README).",
            id="core.W001",
        )
        for connection in served
        if connection.vendor == "postgresql"
        for right in excess_rights(connection)
    ]


def migrations_pending(connection: BaseDatabaseWrapper) -> bool:
    """`migrate` checks before it works: what a pending migration will repair must not stop it."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
