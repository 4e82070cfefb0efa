"""What the database itself refuses, on whichever database the tests run."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.core import checks
from django.db import IntegrityError, connection, models, transaction

from ofc_hub.clubs.models import Club
from ofc_hub.core.append_only import create_guards, drop_guards, missing_triggers
from ofc_hub.hands.log import StreamKey, append, take_positions
from ofc_hub.hands.models import Event, LogHead, RuleSetRecord, Stream
from ofc_hub.hands.rulesets import record_of
from scoring.domain import events as kinds
from scoring.domain.rulesets import PRESETS

SQLITE_ONLY = pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite has this way in")
POSTGRESQL_ONLY = pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL has it")


@pytest.fixture
def club(db: None) -> Club:
    """A club with a log of three events and one rule set."""
    club = Club.objects.create(slug="home", name="Home")
    notes = [kinds.Event(0, kinds.NOTE_ADDED, data={"text": "0" * 64}) for _ in range(3)]
    append(club.pk, StreamKey("here", "H1"), notes, 0, "tester")
    record_of(PRESETS["pineapple"])
    connection.check_constraints()  # PostgreSQL truncates nothing that has deferred checks pending
    return club


def raw(sql: str, *parameters: Any) -> Callable[[], None]:
    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters)

    return run


def refused(attempt: Callable[[], Any]) -> None:
    """The attempt raises, and the log is as it was."""
    before = list(Event.objects.order_by("position").values_list())
    with pytest.raises(IntegrityError), transaction.atomic():
        attempt()
    assert list(Event.objects.order_by("position").values_list()) == before


ATTEMPTS = {
    "update": lambda: Event.objects.update(kind="forged"),
    "update of one row": raw("UPDATE hands_event SET cards = 'As//' WHERE position = 2"),
    "update of its position": raw("UPDATE hands_event SET position = 9 WHERE position = 3"),
    "delete": lambda: Event.objects.filter(position=3).delete(),
    "raw delete": raw("DELETE FROM hands_event"),
    "update of a rule set": lambda: RuleSetRecord.objects.update(data={}),
    "delete of a rule set": lambda: RuleSetRecord.objects.all().delete(),
    "head moved back": lambda: LogHead.objects.update(position=2),
    "head deleted": raw("DELETE FROM hands_loghead"),
}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_a_change_is_refused(club: Club, name: str) -> None:
    refused(ATTEMPTS[name])


def forged(club: Club, *positions: int, version: int = 4) -> Callable[[], None]:
    """An insert that passes the log's own code by."""
    stream = Stream.objects.get()

    def run() -> None:
        Event.objects.bulk_create(
            Event(
                club=club,
                position=position,
                stream=stream,
                recorded_at=1,
                version=version + i,
                kind="note-added",
                digest=bytes(32),
            )
            for i, position in enumerate(positions)
        )

    return run


@pytest.mark.parametrize("position", [-1, 0, 4, 5, 1000])
def test_a_chosen_position_is_refused(club: Club, position: int) -> None:
    refused(forged(club, position))


@pytest.mark.parametrize("positions", [(4,), (5,), (4, 6), (5, 6), (3, 4, 5)])
def test_only_the_whole_block_up_to_the_head_is_taken(club: Club, positions: tuple[int, ...]) -> None:
    """The head was moved to 5: (4, 5) continues the log, these do not."""

    def attempt() -> None:
        take_positions(club.pk, 2)
        forged(club, *positions)()

    if connection.vendor == "sqlite" and positions == (4,):
        pytest.skip("SQLite checks row by row: a block that is cut short is not seen")
    refused(attempt)


def test_the_block_that_continues_the_log_is_accepted(club: Club) -> None:
    with transaction.atomic():
        take_positions(club.pk, 2)
        forged(club, 4, 5)()
    assert Event.objects.count() == 5


def test_another_clubs_log_is_its_own(club: Club) -> None:
    other = Club.objects.create(slug="away", name="Away")
    refused(forged(other, 1))


def test_a_head_must_begin_at_zero(club: Club) -> None:
    other = Club.objects.create(slug="away", name="Away")
    refused(lambda: LogHead.objects.create(club=other, position=7))


@SQLITE_ONLY
@pytest.mark.parametrize("verb", ["INSERT OR REPLACE", "REPLACE"])
@pytest.mark.parametrize("way", ["position", "version", "rowid"])
def test_replacing_a_row_is_refused(club: Club, verb: str, way: str) -> None:
    """SQLite's REPLACE deletes the row in the way and fires no delete trigger."""
    take_positions(club.pk, 1)
    position, version, rowid = {"position": (3, 4, 9), "version": (4, 3, 9), "rowid": (4, 4, 1)}[way]
    stream = Stream.objects.get(club=club)
    refused(
        raw(
            f"{verb} INTO hands_event (rowid, club_id, position, stream_id, recorded_at, version, schema,"
            " kind, cards, actor, digest) VALUES (%s, %s, %s, %s, 1, %s, 1, 'x', '', '', x'00')",
            rowid,
            club.pk,
            position,
            stream.pk,
            version,
        )
    )


@SQLITE_ONLY
def test_replacing_a_rule_set_or_a_head_is_refused(club: Club) -> None:
    digest = PRESETS["pineapple"].digest
    refused(raw("REPLACE INTO hands_rulesetrecord (digest, code, data) VALUES (%s, 'x', '{}')", digest))
    refused(raw("REPLACE INTO hands_loghead (club_id, position, recorded_at) VALUES (%s, 0, 0)", club.pk))


@POSTGRESQL_ONLY
@pytest.mark.parametrize("table", ["hands_event", "hands_rulesetrecord", "hands_loghead"])
def test_truncate_is_refused(club: Club, table: str) -> None:
    refused(raw(f"TRUNCATE {table} CASCADE"))


@POSTGRESQL_ONLY
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE hands_event SET kind = 'forged'",
        "DELETE FROM hands_event",
        "TRUNCATE hands_event",
    ],
)
def test_replication_role_does_not_switch_the_guards_off(club: Club, sql: str) -> None:
    """A superuser may set it; the triggers are enabled ALWAYS and fire nevertheless."""

    def attempt() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(sql)

    refused(attempt)


@POSTGRESQL_ONLY
def test_positions_that_were_taken_must_be_filled(club: Club) -> None:
    """A head beyond the last event would be a hole; the commit is refused."""

    def attempt() -> None:
        take_positions(club.pk, 1)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

    refused(attempt)


@POSTGRESQL_ONLY
def test_a_temporary_table_does_not_shadow_the_head(club: Club) -> None:
    def attempt() -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE TEMPORARY TABLE hands_loghead AS SELECT club_id, 4::bigint AS position"
                " FROM public.hands_loghead"
            )
        forged(club, 4)()

    refused(attempt)


# --- Guards that got lost ------------------------------------------------------------------------------


def findings() -> list[str]:
    return [
        error.msg
        for error in checks.run_checks(tags=["database"], databases=["default"])
        if error.id == "core.E001"
    ]


def test_the_check_finds_nothing_in_a_sound_database(db: None) -> None:
    assert missing_triggers(connection) == []
    assert findings() == []


@pytest.mark.django_db(transaction=True)
def test_the_check_finds_lifted_guards() -> None:
    drop_guards(connection)
    try:
        lost = findings()
    finally:
        create_guards(connection)
    assert any("hands_event_follows_head on hands_event" in message for message in lost)
    guarded = {"hands_event", "hands_rulesetrecord", "hands_loghead", "clubs_auditline"}
    assert {message.split()[4] for message in lost} == guarded
    assert findings() == []


@POSTGRESQL_ONLY
def test_the_check_finds_a_disabled_trigger(db: None) -> None:
    raw("ALTER TABLE hands_event DISABLE TRIGGER hands_event_append_only")()
    assert missing_triggers(connection) == [("hands_event", "hands_event_append_only")]
    raw("ALTER TABLE hands_event ENABLE TRIGGER hands_event_append_only")()
    assert missing_triggers(connection) == [("hands_event", "hands_event_append_only")], "not ALWAYS"


@pytest.mark.django_db(transaction=True)
def test_altering_the_table_loses_no_guard_unnoticed() -> None:
    """SQLite rebuilds the table and drops its triggers; PostgreSQL keeps them."""
    old = Event._meta.get_field("actor")
    new = models.CharField(max_length=120, blank=True, default="")
    new.set_attributes_from_name("actor")
    new.model = Event
    try:
        with connection.schema_editor() as editor:
            editor.alter_field(Event, old, new)
        assert bool(findings()) == (connection.vendor == "sqlite")
    finally:
        with connection.schema_editor() as editor:
            editor.alter_field(Event, new, old)
        create_guards(connection)
    assert findings() == []


@pytest.mark.django_db(transaction=True)
def test_guards_hold_for_another_connection() -> None:
    club = Club.objects.create(slug="home", name="Home")
    with transaction.atomic():
        append(club.pk, StreamKey("here", "H1"), [kinds.Event(0, kinds.NOTE_ADDED)], 0, "tester")
    outcome: list[Exception] = []

    def attempt() -> None:
        try:
            Event.objects.all().delete()
        except IntegrityError as error:
            outcome.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    assert len(outcome) == 1
    assert Event.objects.count() == 1
