"""Promise 5: the database itself refuses to change the log, whatever code is sent to it.

What a chosen position, a REPLACE or a temporary table could do in detail is in
tests/integration/test_append_only.py. Here every way in is tried as the application's role, and as anybody
who opens the SQLite file by another program.
"""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core import checks
from django.core.management import call_command
from django.db import IntegrityError, connection, migrations, models, transaction
from django.db.migrations.state import ProjectState

from ofc_hub.clubs.models import Club
from ofc_hub.core.append_only import AppendOnly, create_guards, missing_triggers
from ofc_hub.core.roles import excess_rights, privileges_of
from ofc_hub.hands.guards import EVENT_KEYS, FollowsHead
from ofc_hub.hands.log import StreamKey, append
from ofc_hub.hands.models import Event
from ofc_hub.hands.rulesets import record_of
from scoring.domain import events as kinds
from scoring.domain.rulesets import PRESETS
from tests.imports import file_of, sample_hands
from tests.roles import Installation, installation, superuser

SQLITE_ONLY = pytest.mark.skipif(connection.vendor != "sqlite", reason="a SQLite file")
POSTGRESQL_ONLY = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no roles")

INSERT = (
    "INSERT INTO hands_event (club_id, position, stream_id, recorded_at, version, schema, kind, cards, actor,"
    " digest) SELECT club_id, {position}, stream_id, recorded_at, 999, schema, kind, cards, actor, digest"
    " FROM hands_event ORDER BY club_id, position LIMIT 1"
)
LAST = "(SELECT max(position) FROM hands_event)"
#: What both databases refuse to everybody.
CHANGES = {
    "update of all": "UPDATE hands_event SET kind = 'forged'",
    "update of one": "UPDATE hands_event SET cards = 'As//' WHERE position = 2",
    "update of nothing but a time": "UPDATE hands_event SET recorded_at = recorded_at + 1 WHERE position = 1",
    "delete of all": "DELETE FROM hands_event",
    "delete of the last": f"DELETE FROM hands_event WHERE position = {LAST}",
    "update of a rule set": "UPDATE hands_rulesetrecord SET code = 'x'",
    "delete of a rule set": "DELETE FROM hands_rulesetrecord",
    "a position that is taken": INSERT.format(position=1),
    "a position below the first": INSERT.format(position=0),
    "a position beyond the head": INSERT.format(position=f"{LAST} + 1"),
    "a position far beyond the head": INSERT.format(position=f"{LAST} + 1000"),
    "a head that goes back": "UPDATE hands_loghead SET position = position - 1",
    "a head that goes away": "DELETE FROM hands_loghead",
}


@pytest.fixture
def club(transactional_db: None) -> Club:
    club = Club.objects.create(slug="home", name="Home")
    notes = [kinds.Event(0, kinds.NOTE_ADDED, data={"text": "0" * 64}) for _ in range(5)]
    with transaction.atomic():
        append(club.pk, StreamKey("here", "H1"), notes, 0, "tester")
    record_of(PRESETS["pineapple"])
    return club


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_refused_to_whoever_connects(club: Club, name: str) -> None:
    """On PostgreSQL the tests connect as a superuser, so it is the triggers that hold here."""
    before = list(Event.objects.order_by("position").values_list())
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(CHANGES[name])
    assert list(Event.objects.order_by("position").values_list()) == before


@SQLITE_ONLY
def test_another_program_that_opens_the_file_is_refused(club: Club) -> None:
    """The guards are in the file and not in our code."""
    connection.close()
    with sqlite3.connect(connection.settings_dict["NAME"], timeout=20) as other:
        before = other.execute("SELECT * FROM hands_event").fetchall()
        for name, statement in CHANGES.items():
            with pytest.raises(sqlite3.IntegrityError, match="refused"):
                print(name, other.execute(statement))
            other.rollback()
        assert other.execute("SELECT * FROM hands_event").fetchall() == before
    other.close()


# --- A migration that alters the table keeps the triggers -------------------------------------------------


def lost() -> list[str]:
    found = checks.run_checks(tags=["database"], databases=["default"])
    return [message.msg for message in found if message.id == "core.E001"]


@pytest.fixture
def altered(transactional_db: None) -> Iterator[None]:
    """A real AlterField on the table of events, which SQLite carries out by building it anew."""
    old = Event._meta.get_field("actor")
    new: models.Field[Any, Any] = models.CharField(max_length=120, blank=True, default="")
    new.set_attributes_from_name("actor")
    new.model = Event
    with connection.schema_editor() as editor:
        editor.alter_field(Event, old, new)
    yield
    with connection.schema_editor() as editor:
        editor.alter_field(Event, new, old)
    create_guards(connection)


def test_the_check_finds_what_a_migration_lost(altered: None) -> None:
    assert bool(lost()) == (connection.vendor == "sqlite"), lost()


def test_the_operations_at_a_migrations_end_bring_the_triggers_back(altered: None) -> None:
    operations: list[Any] = [AppendOnly("hands_event", EVENT_KEYS), FollowsHead()]
    migration = migrations.Migration("0999_altered", "hands")
    migration.operations = operations
    with connection.schema_editor() as editor:
        migration.apply(ProjectState(), editor)
    assert missing_triggers(connection) == []
    assert lost() == []


def test_migrate_restores_what_a_migration_forgot(altered: None, capfd: pytest.CaptureFixture[str]) -> None:
    call_command("migrate", verbosity=0)
    assert missing_triggers(connection) == []
    told = "hands_event_no_update" in capfd.readouterr().err
    assert told == (connection.vendor == "sqlite"), "PostgreSQL loses none"


# --- The application's role -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Installation]:
    """Migrated by the owner; the application then imported some hands."""
    folder = tmp_path_factory.mktemp("roles")
    if shutil.which("psql") is None and not os.environ.get("CI"):
        pytest.skip("no psql to make the roles by")
    with installation(folder) as made:
        made.manage("migrate", "--no-input", "-v0", owner=True)
        hands = file_of(folder, sample_hands(10))
        made.manage("import_hands", str(hands), "--club", "home", "--report", str(folder / "report"))
        yield made


#: What is refused to the application's role alone, beside all that is refused to everybody.
TO_THE_APPLICATION: dict[str, str] = {
    "truncate": "TRUNCATE hands_event",
    "truncate with all that refers": "TRUNCATE hands_event, hands_stream CASCADE",
    "truncate of rule sets": "TRUNCATE hands_rulesetrecord CASCADE",
    "a disabled trigger": "ALTER TABLE hands_event DISABLE TRIGGER hands_event_append_only",
    "all triggers disabled": "ALTER TABLE hands_event DISABLE TRIGGER ALL",
    "a trigger that is no longer ALWAYS": "ALTER TABLE hands_event ENABLE TRIGGER hands_event_append_only",
    "a dropped trigger": "DROP TRIGGER hands_event_append_only ON hands_event",
    "a trigger of its own": "CREATE TRIGGER mine BEFORE INSERT ON hands_event"
    " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "a rule": "CREATE RULE mine AS ON INSERT TO hands_event DO INSTEAD NOTHING",
    "replication role": "SET session_replication_role = replica",
    "replication role of one transaction": "SET LOCAL session_replication_role = replica",
    "replication role by function": "SELECT set_config('session_replication_role', 'replica', false)",
    "replication role for ever": "ALTER ROLE CURRENT_USER SET session_replication_role = replica",
    "a dropped table": "DROP TABLE hands_event CASCADE",
    "a renamed table": "ALTER TABLE hands_event RENAME TO events",
    "a dropped column": "ALTER TABLE hands_event DROP COLUMN digest",
    "another type": "ALTER TABLE hands_event ALTER COLUMN cards TYPE text",
    "a dropped constraint": "ALTER TABLE hands_event DROP CONSTRAINT hands_event_version",
    "a table of its own": "CREATE TABLE mine (id integer)",
    "a schema of its own": "CREATE SCHEMA mine",
    "another function": "CREATE OR REPLACE FUNCTION public.ofc_refuse_change() RETURNS trigger"
    " LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$",
    "a dropped function": "DROP FUNCTION public.ofc_refuse_change() CASCADE",
    "ownership": "ALTER TABLE hands_event OWNER TO {app}",
    "ownership of everything": "REASSIGN OWNED BY {owner} TO {app}",
    "the owner's role": "SET ROLE {owner}",
    "membership": "GRANT {owner} TO {app}",
    "rights of its own": "GRANT ALL ON hands_event TO {app}; UPDATE hands_event SET kind = 'forged'",
    "a superuser's rights": "ALTER ROLE {app} SUPERUSER",
    "the schema": "DROP SCHEMA public CASCADE",
    "an upsert": INSERT.format(position=1) + " ON CONFLICT (club_id, position) DO UPDATE SET kind = 'forged'",
    "a copied position": "COPY hands_event (club_id, position, stream_id, recorded_at, version, schema, kind,"
    " cards, actor, digest) FROM '/etc/hostname'",
    "a head that is never filled": "UPDATE hands_loghead SET position = position + 1",
    "a stream of events": "DELETE FROM hands_stream",
    "a forgotten migration": "DELETE FROM django_migrations",
}


#: Not just any error: a misspelt attempt proves nothing.
REFUSALS = (psycopg.errors.InsufficientPrivilege, psycopg.errors.IntegrityError)


def log_of(session: "psycopg.Connection[Any]") -> list[tuple[Any, ...]]:
    return session.execute("SELECT * FROM hands_event ORDER BY club_id, position").fetchall()


@POSTGRESQL_ONLY
@pytest.mark.parametrize("name", [*CHANGES, *TO_THE_APPLICATION])
def test_the_applications_role_is_refused(installed: Installation, name: str) -> None:
    statement = {**CHANGES, **TO_THE_APPLICATION}[name]
    statement = statement.replace("{app}", installed.app).replace("{owner}", installed.owner)
    with installed.connect(installed.app) as session:
        before = log_of(session)
        assert len(before) > 50
        session.rollback()
        with pytest.raises(REFUSALS), session.transaction():
            session.execute(statement.encode())
        assert log_of(session) == before
    with superuser(installed.database) as session:
        disabled = "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'A'"
        assert session.execute(disabled).fetchone() == (0,)


@POSTGRESQL_ONLY
def test_operators_of_a_session_do_not_fool_a_guard(installed: Installation) -> None:
    """Were the role ever allowed a schema, its operators would still not be what the guards compare by."""
    equal = (
        "CREATE FUNCTION mine.yes(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true';"
        "CREATE OPERATOR mine.= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = mine.yes);"
    )
    with superuser(installed.database) as session:
        session.execute(f"CREATE SCHEMA mine AUTHORIZATION {installed.app}")
        try:
            with installed.connect(installed.app) as app:
                app.execute(equal)
                app.execute("SET search_path = mine, pg_catalog, public")
                app.execute("UPDATE hands_loghead SET position = position + 2")
                with pytest.raises(psycopg.errors.IntegrityError):
                    app.execute(INSERT.format(position=f"{LAST} + 2").encode())
        finally:
            session.execute("DROP SCHEMA mine CASCADE")


@POSTGRESQL_ONLY
def test_the_application_does_all_its_work_under_its_role(installed: Installation, tmp_path: Path) -> None:
    """More is imported, hands are logged and corrected, players merged, statistics follow; all goes out."""
    hands = str(file_of(tmp_path, sample_hands(30)))
    more = installed.manage("import_hands", hands, "--club", "more", "--json", "--report", f"{hands}.refused")
    assert json.loads(more)["stored"] == 30
    logged = installed.python("-m", "tests.application")
    assert logged.returncode == 0, logged.stderr
    assert json.loads(logged.stdout.splitlines()[-1]) == {"position": 25, "hands": 2, "points": 6}
    for events in ([], ["--events"]):
        file = tmp_path / f"out{len(events)}"
        installed.manage("export_hands", "--club", "home", "-o", str(file), *events)
        assert len(file.read_bytes().splitlines()) == 10


@POSTGRESQL_ONLY
def test_the_check_of_a_deployment_knows_who_may_too_much(
    installed: Installation, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock(), superuser(installed.database) as session:
        assert rights_of(installed, installed.app) == []
        assert "owns hands_event" in rights_of(installed, installed.owner)
        session.execute(f"GRANT UPDATE ON hands_event TO {installed.app}")
        assert rights_of(installed, installed.app) == ["may UPDATE hands_event"]
        session.execute(f"REVOKE UPDATE ON hands_event FROM {installed.app}")
        told = checks.run_checks(tags=["database"], include_deployment_checks=True, databases=["default"])
        assert [message.id for message in told] == ["core.W001"], "the tests' own role is a superuser"


def rights_of(installed: Installation, role: str) -> list[str]:
    session = connection.copy(role)
    session.settings_dict |= {"NAME": installed.database, "USER": role, "PASSWORD": installed.password}
    try:
        return excess_rights(session)
    finally:
        session.close()


@POSTGRESQL_ONLY
def test_the_application_erases_a_person_and_the_owner_cleans_the_files(installed: Installation) -> None:
    """Rewriting tables takes their owner; without him the command says what is left to do."""
    with installed.connect(installed.app) as session:
        player = "SELECT p.id FROM clubs_player p JOIN clubs_club c ON c.id = club_id"
        [[anna]] = session.execute(f"{player} WHERE slug = 'home' AND p.name = 'Anna'").fetchall()
    alone = installed.python("manage.py", "erase_person", str(anna), "--club", "home")
    assert alone.returncode == 1
    assert "not done: clubs_player was not rewritten" in alone.stderr
    erase = ("manage.py", "erase_person", str(anna), "--club", "home", "--wait", "0")
    helped = installed.python(*erase, owner=True)
    # Other tests' transactions on the same server may still see former rows; that is no matter of rights.
    assert "OWNER_DATABASE_URL" not in helped.stderr
    assert helped.returncode == 0 or "run this again" in helped.stderr, helped.stderr


@POSTGRESQL_ONLY
def test_the_next_migrate_takes_back_what_was_granted_too_much(installed: Installation) -> None:
    with superuser(installed.database) as session:
        session.execute(f"GRANT UPDATE, TRUNCATE ON hands_event TO {installed.app}")
    installed.manage("migrate", "--no-input", "-v0", owner=True)
    with installed.connect(installed.app) as session, pytest.raises(psycopg.errors.InsufficientPrivilege):
        session.execute("UPDATE hands_event SET kind = kind WHERE false")


def test_the_log_grants_two_verbs_and_its_head_one_more() -> None:
    assert privileges_of("hands_event") == privileges_of("hands_rulesetrecord") == ("SELECT", "INSERT")
    assert privileges_of("hands_loghead") == ("SELECT", "INSERT", "UPDATE")
