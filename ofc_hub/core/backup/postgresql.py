"""PostgreSQL: pg_dump at a snapshot, pg_restore through psql in one transaction."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.client import DatabaseClient

from .contents import Contents, contents_of
from .files import BackupError

# Owners and rights are those of the place where it is restored: `migrate` grants the application its own.
_PORTABLE = ("--no-owner", "--no-privileges")

# Whoever still works on the database is told of, not waited for.
_BEGIN = "\\set ON_ERROR_STOP on\nBEGIN;\nSET LOCAL lock_timeout = '10s';\n"
_EMPTY = """
DO $$ DECLARE one text; BEGIN
  FOR one IN SELECT format('DROP %s IF EXISTS %I.%I CASCADE',
      CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
                     WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, n.nspname, c.relname)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
      AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relkind = 'S'  -- most sequences go with the tables whose columns they are of
  LOOP EXECUTE one; END LOOP;
  FOR one IN SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  LOOP EXECUTE one; END LOOP;
END $$;
"""
# A later pg_restore begins with settings that an older server refuses.
_UNKNOWN_SETTINGS = b"SET transaction_timeout"
_LINES_OF_SETTINGS = 30
_COMMIT = "COMMIT;\nANALYZE;\n"


def dump(connection: BaseDatabaseWrapper, file: Path) -> Contents:
    """Write the database, as it is at one instant, into `file`; writers are not kept waiting."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = str(cursor.fetchone()[0])
        options = ["--format=custom", f"--snapshot={snapshot}", f"--file={file}", *_PORTABLE]
        with TemporaryFile() as errors:
            _told(_start(connection, "pg_dump", options, errors), "pg_dump", errors)
        return contents_of(cursor, "postgresql")


def restore(connection: BaseDatabaseWrapper, file: Path) -> None:
    """Replace the content of the database by that of `file`, in one transaction."""
    _required("pg_restore")
    # Statements of ours would keep the tables locked.
    connection.close()
    with TemporaryFile() as errors:
        psql = _start(connection, "psql", ["--no-psqlrc", "--quiet", "--output=/dev/null"], errors)
        # A psql that stops at an error tells below what it was; one without its COMMIT leaves all as it was.
        with suppress(BrokenPipeError), psql:
            assert psql.stdin is not None
            psql.stdin.write((_BEGIN + _EMPTY).encode())
            _write_statements(file, psql.stdin)
            psql.stdin.write(_COMMIT.encode())
        _told(psql, "psql", errors)


def _write_statements(file: Path, script: IO[bytes]) -> None:
    """The archive as SQL. Raises BackupError where it ends early, so that nothing is committed."""
    command = [_required("pg_restore"), *_PORTABLE, "--file=-", str(file)]
    with TemporaryFile() as errors:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as archive:
            assert archive.stdout is not None
            for line in islice(archive.stdout, _LINES_OF_SETTINGS):
                if not line.startswith(_UNKNOWN_SETTINGS):
                    script.write(line)
            shutil.copyfileobj(archive.stdout, script, 1 << 20)
        _told(archive, "pg_restore", errors)


def _start(
    connection: BaseDatabaseWrapper, program: str, options: Sequence[str], errors: IO[bytes]
) -> "subprocess.Popen[bytes]":
    """A program of PostgreSQL's on the database of `connection`, the password in its environment."""
    arguments, environment = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, list(options))
    command = [_required(program), *arguments[1:]]
    environment = {**os.environ, **(environment or {})}
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stderr=errors)


def _required(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise BackupError(
            f"{program} is needed, of the server's version or later (Debian: postgresql-client)."
        )
    return path


def _told(process: "subprocess.Popen[bytes]", program: str, errors: IO[bytes]) -> None:
    """Wait for the program, and raise what it said on its way out if it failed."""
    if process.wait() != 0:
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip()[-2000:]
        raise BackupError(f"{program} failed: {said}")
