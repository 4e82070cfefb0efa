"""`manage.py migrate`: Django's, as the owner of the tables, followed by the guards and the grants."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from ofc_hub.core.append_only import create_guards, missing_triggers
from ofc_hub.core.checks import migrations_pending
from ofc_hub.core.roles import OWNER_ALIAS, application_role, grant, owner_alias, role_exists


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database=owner_alias())

    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **options)
        connection = connections[options["database"]]
        if options["plan"] or options["check_unapplied"] or migrations_pending(connection):
            return
        self._restore_guards(connection)
        role = application_role()
        if connection.alias == OWNER_ALIAS and role is not None:
            self._grant(connection, role)

    def _restore_guards(self, connection: BaseDatabaseWrapper) -> None:
        """A migration that rebuilt a table of SQLite and forgot its guard must not leave it open."""
        missing = missing_triggers(connection)
        if missing:
            create_guards(connection)
            names = ", ".join(trigger for _, trigger in missing)
            self.stderr.write(f"A migration lost these triggers, now restored: {names}")

    def _grant(self, connection: BaseDatabaseWrapper, role: str) -> None:
        if not role_exists(connection, role):
            raise CommandError(
                f"DATABASE_URL names the role {role!r}, which is not there. Make it (README, "
                '"Two database roles") and run migrate again.'
            )
        grant(connection, role)
