"""What commands that read or write the store have in common."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, OperationalError, connection

from ofc_hub.core.checks import migrations_pending


class StoreCommand(BaseCommand):
    """A command that says in words that the store is not there, instead of how it noticed."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except DatabaseError as error:
            if reason := _why_not_there():
                raise CommandError(reason) from error
            raise


def _why_not_there() -> str:
    """ "" where the store is there and the fault lies elsewhere."""
    try:
        pending = migrations_pending(connection)
    except OperationalError as error:
        return f"The database does not answer: {str(error).strip()}"
    return "The database lacks tables of this version. Run `manage.py migrate` first." if pending else ""
