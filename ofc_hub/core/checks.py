"""System checks of the database (`manage.py check --database default`, and before every migrate)."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from ofc_hub.core.append_only import missing_triggers


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
        if not _migrations_pending(connections[alias])
    ]


def _migrations_pending(connection: BaseDatabaseWrapper) -> bool:
    """`migrate` checks before it works: what a pending migration will repair must not stop it."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
