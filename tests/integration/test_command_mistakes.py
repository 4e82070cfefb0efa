"""Mistakes that a newcomer makes at a terminal: each is answered by a sentence, none by a traceback."""

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ofc_hub.clubs.models import Club
from tests.imports import SAMPLES, import_file
from tests.workers import ROOT

COMMANDS = [
    ["import_hands", str(SAMPLES), "--club", "home"],
    ["export_hands", "--club", "home"],
    ["player_stats", "Anna", "--club", "home"],
]


def said(arguments: list[str], folder: Path, **environment: str) -> str:
    """What a command that fails writes to its standard error."""
    settings = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    run = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        cwd=folder,
        env={**settings, "OFC_VAR_DIR": str(folder / "var"), **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 1
    assert "Traceback" not in run.stderr
    return run.stderr


@pytest.mark.parametrize("arguments", COMMANDS, ids=[command[0] for command in COMMANDS])
def test_without_tables_a_command_says_that_migrate_comes_first(arguments: list[str], tmp_path: Path) -> None:
    assert "migrate` first" in said(arguments, tmp_path)


def test_a_database_that_does_not_answer_is_named_as_the_fault(tmp_path: Path) -> None:
    nowhere = "postgres://nobody@127.0.0.1:1/nothing"
    assert "does not answer" in said(COMMANDS[1], tmp_path, DATABASE_URL=nowhere)


def test_a_directory_is_no_file_of_hands(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is not a file"):
        call_command("score", str(tmp_path))


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["", "../up", "a b", "a" * 61, "c/d"])
def test_a_slug_that_cannot_name_a_club_makes_none(slug: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot name a club"):
        import_file(SAMPLES, slug, report=tmp_path / "report")
    assert not Club.objects.exists()


@pytest.mark.django_db
def test_a_report_that_cannot_be_written_is_refused_before_the_first_line() -> None:
    with pytest.raises(CommandError, match="report"):
        import_file(SAMPLES, report=Path("/proc/unwritable.report"))
    assert not Club.objects.exists()


@pytest.mark.django_db
def test_a_directory_is_no_target_of_an_export(tmp_path: Path) -> None:
    Club.objects.create(slug="home", name="home")
    with pytest.raises(CommandError, match="is a directory"):
        call_command("export_hands", club="home", output=str(tmp_path), stderr=StringIO())
    assert not list(tmp_path.parent.glob("*.part"))
