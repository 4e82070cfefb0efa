"""Make a backup, restore one: the same steps on both databases."""

import os
from datetime import UTC, datetime
from pathlib import Path

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from . import postgresql, sqlite
from .contents import contents_of, tables_of
from .files import (
    FORMAT,
    BackupError,
    Manifest,
    manifest_of,
    new_name,
    read_checked,
    settle,
    sha256_of,
    write_manifest,
)

ENGINES = {"sqlite": sqlite, "postgresql": postgresql}


def make_backup(connection: BaseDatabaseWrapper, folder: Path) -> tuple[Path, Manifest]:
    """Write a backup into `folder`; its data file. Raises BackupError, and then leaves nothing there."""
    folder.mkdir(parents=True, exist_ok=True)
    final = folder / new_name(connection.vendor)
    draft = folder / f".{final.name}.{os.getpid()}"
    try:
        # It holds password hashes and everybody's discards: readable by its maker only.
        draft.touch(mode=0o600)
        contents = ENGINES[connection.vendor].dump(connection, draft)
        if not contents.rows:
            raise BackupError(f"The database {connection.settings_dict['NAME']} has no tables to save.")
        manifest = Manifest(
            format=FORMAT,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            database=connection.vendor,
            file=final.name,
            size=draft.stat().st_size,
            sha256=sha256_of(draft),
            migrations=contents.migrations,
            rows=contents.rows,
        )
        write_manifest(draft, manifest)
        settle(manifest_of(draft), manifest_of(final))
        settle(draft, final)
    finally:
        draft.unlink(missing_ok=True)
        manifest_of(draft).unlink(missing_ok=True)
    return final, manifest


def restore_backup(connection: BaseDatabaseWrapper, data: Path, *, force: bool) -> Manifest:
    """Put a backup in the place of the database, which must be empty unless `force`. Raises BackupError.

    All is checked before the first change, and the change is one transaction.
    """
    manifest = read_checked(data)
    _check_fits(connection, manifest, data)
    if not force:
        _check_empty(connection)
    ENGINES[connection.vendor].restore(connection, data)
    _check_restored(connection, manifest)
    return manifest


def _check_fits(connection: BaseDatabaseWrapper, manifest: Manifest, data: Path) -> None:
    if manifest.database != connection.vendor:
        raise BackupError(
            f"{data} is of {manifest.database} and cannot go into {connection.vendor}; "
            "logs go from one to the other with export_hands --events and import_hands."
        )
    known = {
        f"{app}.{name}" for app, name in MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    }
    unknown = sorted(set(manifest.migrations) - known)
    if unknown:
        raise BackupError(
            f"{data} is of a later version of ofc-hub, which has migrated {', '.join(unknown)}."
        )


def _check_empty(connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        tables = tables_of(cursor, connection.vendor)
    if tables:
        raise BackupError(
            f"The database {connection.settings_dict['NAME']} is not empty ({len(tables)} tables). "
            "Restore into an empty one, or replace all that it holds with FORCE=1 (--force)."
        )


def _check_restored(connection: BaseDatabaseWrapper, manifest: Manifest) -> None:
    with connection.cursor() as cursor:
        found = contents_of(cursor, connection.vendor)
    if found.rows != manifest.rows:
        tables = sorted(found.rows.keys() | manifest.rows.keys())
        wrong = [name for name in tables if found.rows.get(name) != manifest.rows.get(name)]
        raise BackupError(f"Restored, but with other numbers of rows than were saved: {', '.join(wrong)}")
