"""What the settings make of the environment, each time in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NEUTRAL = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
ASK = "import json; from django.conf import settings; print(json.dumps(settings.{}, default=str))"


def _python(code: str, folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    own = {"DJANGO_SETTINGS_MODULE": "ofc_hub.settings", "OFC_VAR_DIR": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**NEUTRAL, **own, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def _setting(name: str, folder: Path, **environment: str) -> Any:
    return json.loads(_python(ASK.format(name), folder, **environment).stdout)


def test_a_web_process_without_a_key_refuses_to_start(tmp_path: Path) -> None:
    result = _python("import ofc_hub.wsgi", tmp_path)
    assert result.returncode == 1
    assert "SECRET_KEY is not set" in result.stderr
    assert not (tmp_path / "secret_key").exists()


@pytest.mark.parametrize("environment", [{"SECRET_KEY": "k" * 60}, {"OFC_EMBEDDED": "1"}])
def test_a_web_process_with_a_key_starts(tmp_path: Path, environment: dict[str, str]) -> None:
    result = _python("import ofc_hub.wsgi", tmp_path, **environment)
    assert result.returncode == 0, result.stderr


def test_the_generated_key_is_kept_and_private(tmp_path: Path) -> None:
    first = _setting("SECRET_KEY", tmp_path, OFC_EMBEDDED="1")
    assert _setting("SECRET_KEY", tmp_path, OFC_EMBEDDED="1") == first
    assert len(first) > 60
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_sqlite_waits_for_its_turn_and_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    database = _setting("DATABASES", tmp_path)["default"]
    assert database["NAME"] == str(tmp_path / "ofc.sqlite3")
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "synchronous=FULL" in database["OPTIONS"]["init_command"]
    assert database["ATOMIC_REQUESTS"] is False


def test_a_relative_sqlite_path_starts_at_the_project(tmp_path: Path) -> None:
    database = _setting("DATABASES", tmp_path, DATABASE_URL="sqlite:///var/own.sqlite3")["default"]
    assert database["NAME"] == str(ROOT / "var" / "own.sqlite3")


def test_postgresql_keeps_connections_and_checks_them(tmp_path: Path) -> None:
    database = _setting("DATABASES", tmp_path, DATABASE_URL="postgres://a:b@host:5432/name")["default"]
    assert (database["CONN_MAX_AGE"], database["CONN_HEALTH_CHECKS"]) == (60, True)
    assert "transaction_mode" not in database.get("OPTIONS", {})


def test_redis_delivers_again_only_after_the_time_limit(tmp_path: Path) -> None:
    environment = {"CELERY_BROKER_URL": "redis://host:6379/0"}
    options = _setting("CELERY_BROKER_TRANSPORT_OPTIONS", tmp_path, **environment)
    assert options["visibility_timeout"] > _setting("CELERY_TASK_TIME_LIMIT", tmp_path, **environment)
