"""An installation of its own on PostgreSQL with the two roles that an operator makes."""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from django.db import connection

from tests.workers import ROOT

ROLES_SCRIPT = ROOT / "docker" / "postgres" / "roles.sh"


@dataclass(frozen=True, slots=True)
class Installation:
    """A database, its owner's and its application's roles; `folder` is where its processes write."""

    database: str
    owner: str
    app: str
    folder: Path
    password: str = field(default_factory=lambda: uuid.uuid4().hex, repr=False)

    def url(self, role: str) -> str:
        place = connection.settings_dict
        host, port = place["HOST"] or "127.0.0.1", place["PORT"] or 5432
        return f"postgres://{role}:{self.password}@{host}:{port}/{self.database}"

    def environment(self, *, owner: bool = False) -> dict[str, str]:
        own = {
            "DATABASE_URL": self.url(self.app),
            "CELERY_BROKER_URL": "filesystem://localhost",
            "OFC_VAR_DIR": str(self.folder),
            "OFC_BROKER_DIR": str(self.folder / "broker"),
            "DJANGO_SETTINGS_MODULE": "ofc_hub.settings",
        }
        return {**os.environ, **own, "OWNER_DATABASE_URL": self.url(self.owner) if owner else ""}

    def python(self, *arguments: str, owner: bool = False) -> "subprocess.CompletedProcess[str]":
        """A process of the application, which knows the owner's login only when `owner` is set."""
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment(owner=owner),
            capture_output=True,
            text=True,
            check=False,
        )

    def manage(self, *arguments: str, owner: bool = False) -> str:
        """The output of a command that must succeed."""
        result = self.python("manage.py", *arguments, owner=owner)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def connect(self, role: str) -> "psycopg.Connection[tuple[object, ...]]":
        return psycopg.connect(self.url(role))


@contextmanager
def installation(folder: Path) -> Iterator[Installation]:
    """Roles and database as roles.sh makes them, dropped at the end."""
    suffix = uuid.uuid4().hex[:12]
    made = Installation(f"ofc_{suffix}", f"owner_{suffix}", f"app_{suffix}", folder)
    with superuser() as session:
        session.execute(f"CREATE DATABASE {made.database}")
        try:
            _make_roles(made)
            yield made
        finally:
            session.execute(f"DROP DATABASE {made.database} WITH (FORCE)")
            session.execute(f"DROP ROLE IF EXISTS {made.app}, {made.owner}")


def superuser(database: str = "postgres") -> "psycopg.Connection[tuple[object, ...]]":
    place = connection.settings_dict
    return psycopg.connect(
        host=place["HOST"] or None,
        port=place["PORT"] or None,
        user=place["USER"],
        password=place["PASSWORD"] or None,
        dbname=database,
        autocommit=True,
    )


def _make_roles(made: Installation) -> None:
    place = connection.settings_dict
    environment = {
        "PGHOST": place["HOST"] or "127.0.0.1",
        "PGPORT": str(place["PORT"] or 5432),
        "PGPASSWORD": place["PASSWORD"] or "",
        "POSTGRES_USER": place["USER"],
        "POSTGRES_DB": made.database,
        "OFC_OWNER_ROLE": made.owner,
        "OFC_APP_ROLE": made.app,
        "OFC_OWNER_PASSWORD": made.password,
        "OFC_APP_PASSWORD": made.password,
    }
    subprocess.run(
        [ROLES_SCRIPT], env={**os.environ, **environment}, check=True, capture_output=True, text=True
    )
