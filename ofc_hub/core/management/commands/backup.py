"""`manage.py backup [--to FOLDER]`: a dated copy of the whole database, made while it is in use."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from ofc_hub.core.backup.files import BackupError
from ofc_hub.core.backup.run import make_backup
from ofc_hub.core.roles import owner_alias


class Command(BaseCommand):
    help = (
        "Write the whole database, as it is at one instant, into a dated file with a manifest beside it. "
        "Everything may go on meanwhile. The name of the file is printed."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        default = settings.VAR_DIR / "backups"
        parser.add_argument("--to", type=Path, default=default, metavar="FOLDER", help=f"default: {default}")

    def handle(self, *, to: Path, **options: Any) -> None:
        try:
            file, manifest = make_backup(connections[owner_alias()], to)
        except (BackupError, OSError, DatabaseError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(str(file))
        self.stderr.write(f"{len(manifest.rows)} tables, {manifest.row_count} rows, {manifest.size} bytes")
