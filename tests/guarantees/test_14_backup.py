"""Promise 14: a backup restores to the same log."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from analytics.slices import recompute_some
from ofc_hub.clubs.models import Club, Player, Role
from ofc_hub.core.append_only import missing_triggers
from ofc_hub.core.backup import run
from ofc_hub.core.backup.files import BackupError, manifest_of
from ofc_hub.core.backup.run import make_backup, restore_backup
from ofc_hub.hands.log import StreamKey
from ofc_hub.hands.models import Event as Row
from ofc_hub.hands.models import FreeText, LogHead
from ofc_hub.live.record import Recorded, record
from scoring.domain import events as kinds
from scoring.domain.events import Event
from scoring.models import SliceToDo
from tests.guarantees.stores import all_rows, assert_sound, empty_database, exported, said, working_on
from tests.imports import file_of, import_file, many_hands, start_import
from tests.played import KEY, member, moves, started
from tests.prove import scale
from tests.roles import installation
from tests.workers import ROOT, test_database_url

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]

HANDS_OF_THE_IMPORT = scale(600, 10_000)
BACKUPS_DURING_THE_IMPORT = scale(2, 20)
on_postgresql = pytest.mark.skipif(
    connection.vendor == "sqlite", reason="SQLite has no roles and no programs"
)
VECTORS = ROOT / "tests" / "fixtures" / "vectors.ndjson"


@pytest.fixture
def other(tmp_path: Path) -> Iterator[str]:
    with empty_database(tmp_path) as name:
        yield name


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    return tmp_path / "backups"


def make(target: str, **variables: object) -> "subprocess.CompletedProcess[str]":
    """`make TARGET` on the database at hand, as an operator runs it."""
    values = [f"{name}={value}" for name, value in variables.items()]
    return subprocess.run(
        ["make", "--no-print-directory", target, f"DATABASE_URL={test_database_url()}", *values],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


# --- A store with something in every table that matters -------------------------------------------------


def a_club_that_has_lived(folder: Path) -> User:
    """Hands of every rule set, hands logged live, texts, corrections, figures half computed; its director."""
    hands = [json.loads(line)["hand"] for line in VECTORS.read_text().splitlines()]
    for place in range(0, len(hands), 5):
        hands[place] |= {"extra": {"place": place}, "tournament": "t", "tournament_name": "Großer Preis"}
    assert import_file(file_of(folder, hands)).counts[0] == len(hands)
    club = Club.objects.get(slug="home")
    director = member(club, Role.DIRECTOR)
    log_live(director, club)
    while recompute_some():
        pass
    correct(director, club)
    assert SliceToDo.objects.exists()
    return director


def log_live(viewer: User, club: Club) -> None:
    note = Event(0, kinds.NOTE_ADDED, data={"text": ""})
    events = [started(club), *moves(), note]
    write(viewer, club, 0, events, {len(events) - 1: "Bo wanted to see the river"})


def correct(viewer: User, club: Club) -> None:
    write(viewer, club, 12, [Event(0, kinds.HAND_VOIDED)])
    write(viewer, club, 13, [Event(0, kinds.EVENT_RETRACTED, data={"version": 13})])


def write(
    viewer: User,
    club: Club,
    version: int,
    events: list[Event],
    texts: dict[int, str] | None = None,
    key: StreamKey = KEY,
) -> Recorded:
    outcome = record(viewer, club, key, version, events, texts)
    assert isinstance(outcome, Recorded), outcome
    return outcome


# --- The same log ---------------------------------------------------------------------------------------


def test_make_backup_and_make_restore_give_the_same_store(tmp_path: Path, backups: Path, other: str) -> None:
    director = a_club_that_has_lived(tmp_path)
    rows, files = all_rows(), exported(tmp_path)
    assert FreeText.objects.count() > 1
    made = make("backup", TO=backups)
    assert made.returncode == 0, made.stderr
    statistics = completed_statistics("A")
    with working_on(other):
        restored = make("restore", FILE=made.stdout.strip())
        assert restored.returncode == 0, restored.stderr
        assert restored.stdout.splitlines()[-1].startswith("clean; ")
        assert all_rows() == rows
        assert missing_triggers(connection) == []
        assert_sound()
        assert exported(tmp_path) == files
        assert completed_statistics("A") == statistics
        assert_goes_on(director)


def completed_statistics(player: str) -> str:
    """His figures once the workers are through; their to-do rows are in a backup as well."""
    while recompute_some():
        pass
    return said("player_stats", player, club="home", json=True, no_wait=True)


def assert_goes_on(viewer: User) -> None:
    """Whoever writes next comes after what was restored."""
    club = Club.objects.get(slug="home")
    head = LogHead.objects.get(club=club).position
    players = set(Player.objects.values_list("pk", flat=True))
    assert Player.objects.create(club=club, name="new").pk > max(players)
    written = write(viewer, club, 0, [started(club)], key=StreamKey("home-club", "after"))
    assert written.appended.position == head + 1
    assert_sound()


def test_backups_made_during_an_import_are_each_a_beginning_of_the_log(tmp_path: Path, backups: Path) -> None:
    process = start_import(file_of(tmp_path, many_hands(HANDS_OF_THE_IMPORT)), tmp_path)
    files = []
    for number in range(BACKUPS_DURING_THE_IMPORT):
        wanted = number * HANDS_OF_THE_IMPORT // BACKUPS_DURING_THE_IMPORT + 1
        while process.poll() is None and LogHead.objects.filter(position__gt=wanted).count() == 0:
            time.sleep(0.01)
        assert process.poll() is None, "the import was over too early"
        files.append(make_backup(connection, backups / str(number))[0])
    assert process.wait(120) == 0
    log = digests()
    lengths = []
    for file in files:
        with empty_database(tmp_path) as name, working_on(name):
            restore_backup(connection, file, force=False)
            assert_sound()
            lengths.append(len(digests()))
            assert digests() == log[: lengths[-1]]
            assert f'"complete_up_to": {lengths[-1]}' in completed_statistics("Anna")
    assert 0 < lengths[0] < len(log)


def digests() -> list[tuple[int, bytes]]:
    rows = Row.objects.order_by("position").values_list("position", "digest")
    return [(position, bytes(digest)) for position, digest in rows]


@on_postgresql
def test_the_owner_restores_and_the_application_goes_on(tmp_path: Path) -> None:
    """With two roles: neither owners nor rights are in a backup, and `migrate` grants them anew."""
    with installation(tmp_path) as installed:
        installed.manage("migrate", "--verbosity=0", owner=True)
        file = installed.manage("backup", owner=True).strip()
        assert "must be owner" in installed.python("manage.py", "restore", file, "--force").stderr
        installed.manage("restore", file, "--force", owner=True)
        installed.manage("migrate", "--verbosity=0", owner=True)
        hands = file_of(tmp_path, many_hands(3))
        assert " stored 3 " in installed.manage("import_hands", str(hands), "--club=home")


@on_postgresql
def test_the_programs_may_be_newer_than_the_server(
    tmp_path: Path, backups: Path, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pg_restore 17 sets what a server of version 16 does not know."""
    newer = tmp_path / "pg_restore"
    newer.write_text(
        f'#!/bin/sh\necho "SET transaction_timeout = 0;"\nexec {shutil.which("pg_restore")} "$@"\n'
    )
    newer.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    file, rows = make_backup(connection, backups)[0], all_rows()
    with working_on(other):
        restore_backup(connection, file, force=False)
        assert all_rows() == rows


# --- What is refused ------------------------------------------------------------------------------------


@pytest.fixture
def backup(tmp_path: Path, backups: Path) -> Path:
    import_file(file_of(tmp_path, many_hands(20)))
    return make_backup(connection, backups)[0]


def refused(file: Path, because: str, **options: Any) -> None:
    before = all_rows()
    with pytest.raises(CommandError, match=because):
        call_command("restore", str(file), **options)
    assert all_rows() == before


def test_a_database_that_is_not_empty_is_replaced_only_by_force(backup: Path, other: str) -> None:
    rows = all_rows()
    with working_on(other):
        said("migrate", verbosity=0)
        Club.objects.create(slug="other", name="Other")
        refused(backup, "is not empty")
        again = make("restore", FILE=backup)
        assert again.returncode != 0
        assert "FORCE=1" in again.stderr
        said("restore", str(backup), force=True)
        assert all_rows() == rows
        assert_sound()


@pytest.mark.parametrize("damage", ["flipped", "cut", "without manifest", "other database", "later version"])
def test_what_is_damaged_or_does_not_fit_changes_nothing(backup: Path, damage: str) -> None:
    because = {
        "flipped": _flip,
        "cut": _cut,
        "without manifest": lambda file: manifest_of(file).unlink() or "manifest",
        "other database": lambda file: _say(file, "database", "oracle") or "cannot go into",
        "later version": lambda file: _say(file, "migrations", ["hands.9999_later"]) or "later version",
    }[damage](backup)
    refused(backup, because, force=True)


def _flip(file: Path) -> str:
    """In a name, where the database itself would not see it."""
    content = bytearray(file.read_bytes())
    name = content.find(b"Anna")
    content[name if name > 0 else len(content) // 2] ^= 1
    file.write_bytes(content)
    return "its SHA-256 is not the manifest's"


def _cut(file: Path) -> str:
    file.write_bytes(file.read_bytes()[:-1000])
    return "damaged"


def _say(file: Path, key: str, value: object) -> None:
    manifest = manifest_of(file)
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {key: value}))


def test_damage_that_the_manifest_does_not_know_of_changes_nothing(
    backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database's own checks and transaction stand behind the digest."""
    content = backup.read_bytes()
    backup.write_bytes(content[: len(content) * 2 // 3])
    monkeypatch.setattr(run, "read_checked", _unchecked)
    refused(backup, "failed|damaged|malformed", force=True)


def _unchecked(file: Path) -> run.Manifest:
    return run.Manifest(**json.loads(manifest_of(file).read_text()))


def test_a_backup_that_fails_leaves_no_file(backups: Path, other: str) -> None:
    with working_on(other), pytest.raises(BackupError, match="no tables"):
        make_backup(connection, backups)
    assert list(backups.iterdir()) == []


def test_a_backup_replaces_no_file(backups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "new_name", lambda vendor: "same")
    file = make_backup(connection, backups)[0]
    content = file.read_bytes(), manifest_of(file).read_bytes()
    with pytest.raises(BackupError, match="is there already"):
        make_backup(connection, backups)
    assert (file.read_bytes(), manifest_of(file).read_bytes()) == content
    assert sorted(backups.iterdir()) == [file, manifest_of(file)]


def test_only_its_maker_can_read_a_backup(backups: Path) -> None:
    assert make_backup(connection, backups)[0].stat().st_mode & 0o077 == 0
