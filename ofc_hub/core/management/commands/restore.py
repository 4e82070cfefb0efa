"""`manage.py restore FILE [--force]`: a backup into an empty database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from ofc_hub.core.backup.files import BackupError
from ofc_hub.core.backup.run import restore_backup
from ofc_hub.core.roles import owner_alias


class Command(BaseCommand):
    help = (
        "Check a backup and put it into the database, which must be empty. Follow it with migrate and "
        "verify_events, as `make restore` does. With --force it replaces all that the database holds: stop "
        "the web processes, workers and imports before."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="as backup wrote it, with its manifest (.json) beside it")
        parser.add_argument("--force", action="store_true", help="replace what the database holds")

    def handle(self, *, file: Path, force: bool, **options: Any) -> None:
        try:
            manifest = restore_backup(connections[owner_alias()], file, force=force)
        except (BackupError, OSError, DatabaseError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{file} of {manifest.made_at}: {len(manifest.rows)} tables, {manifest.row_count} rows"
        )
