"""The proofs are put to the proof: each promise is broken on purpose, and its harness must say so.

A broken variant lives here only. Where the database itself would refuse it, its guards are lifted first, to
see that the harness does not merely rely on them.
"""

import random
import threading
import time
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, connection, transaction

from ofc_hub.clubs.models import Club
from ofc_hub.core.append_only import create_guards, drop_guards
from ofc_hub.hands import log, repeats
from ofc_hub.hands.log import Appended, Positions, Stale, StreamKey
from ofc_hub.hands.models import Event as Row
from ofc_hub.hands.models import Stream
from ofc_hub.hands.repeats import Repeat
from tests import writers
from tests.guarantees.contention import Told, event_auditor, lies, not_stored, race
from tests.guarantees.idempotency import cells, client_id, is_wrong, text_of
from tests.guarantees.tailing import follow
from tests.writers import at_once, client_id_of, note, stored

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]
postgresql_only = pytest.mark.skipif(
    connection.vendor == "sqlite", reason="SQLite lets one writer in at a time, which hides this bug"
)

WRITERS = ROUNDS = 8


@pytest.fixture
def club() -> Club:
    return Club.objects.create(slug="home", name="Home")


@pytest.fixture
def _no_guards() -> Iterator[None]:
    drop_guards(connection)
    yield
    create_guards(connection)


def says(found: list[str], *words: str) -> bool:
    return any(all(word in one for word in words) for one in found)


# --- 1: versions -----------------------------------------------------------------------------------------


def lies_of(club: Club, write: Any) -> list[str]:
    return lies(race(write, 0, WRITERS, ROUNDS), Stream.objects.get().pk, 0)


def test_an_ignored_expected_version_is_noticed(club: Club) -> None:
    found = lies_of(club, lambda name, known: stored(club.pk, "H1", [note(name)], None))
    assert says(found, "although it expected")


def test_a_loser_who_is_not_told_what_he_missed_is_noticed(club: Club) -> None:
    def write(name: str, known: int | None) -> object:
        outcome = stored(club.pk, "H1", [note(name)], known)
        return Stale(outcome.head_version) if isinstance(outcome, Stale) else outcome

    assert says(lies_of(club, write), "other events than those it missed")


def test_a_loser_who_is_told_an_old_head_is_noticed(club: Club) -> None:
    """The head as it was when the request began, not as it was when it was refused."""

    def write(name: str, known: int | None) -> object:
        stream = Stream.objects.filter(key="H1").first()
        time.sleep(0.002)
        outcome = stored(club.pk, "H1", [note(name)], known)
        old = stream.version if stream else 0
        return Stale(old, outcome.missed[: old - (known or 0)]) if isinstance(outcome, Stale) else outcome

    assert says(lies_of(club, write), "head")


def test_a_success_that_wrote_nothing_is_noticed(club: Club) -> None:
    def write(name: str, known: int | None) -> object:
        with transaction.atomic():
            outcome = log.append(club.pk, StreamKey("here", "H1"), [note(name)], known, "tester")
            transaction.set_rollback(not isinstance(outcome, Appended) or name.endswith("-0"))
        return outcome

    assert says(lies_of(club, write), "successes, but the head went")


@postgresql_only
def test_a_stream_that_is_not_locked_is_noticed(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database refuses the second of two equal versions; its writer gets an error for an answer."""

    def unlocked(club_id: int, key: StreamKey, create: bool = False) -> Stream:
        time.sleep(0.002)
        return Stream.objects.get_or_create(
            club_id=club_id, kind=key.kind, source=key.source, key=key.key, defaults={"digest": bytes(32)}
        )[0]

    monkeypatch.setattr(log, "lock_stream", unlocked)
    found = lies_of(club, lambda name, known: stored(club.pk, "H1", [note(name)], known))
    assert says(found, "IntegrityError")


# --- 2: acknowledged means stored ------------------------------------------------------------------------


def audited(club: Club, write: Any) -> list[str]:
    """What is not stored of the events that `write(name)` acknowledged, each on the same stream."""
    with event_auditor(club.pk).listening() as auditor:

        def work(writer: int) -> None:
            for turn in range(ROUNDS):
                name = f"{writer}-{turn}"
                write(name)
                auditor.tell(Told(client_id_of(name), "H1"))

        at_once(work, WRITERS)
    return not_stored(club.pk, auditor)


@pytest.mark.usefixtures("_no_guards")
def test_events_dropped_by_on_conflict_do_nothing_are_noticed(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The append that the design forbids: version from a read without a lock, conflicts ignored."""
    stream = Stream.objects.create(club=club, source="here", key="H1", digest=bytes(32))

    def write(name: str) -> None:
        version = Row.objects.filter(stream=stream).count() + 1
        time.sleep(0.002)
        with transaction.atomic():
            first, recorded_at = log.take_positions(club.pk, 1)
            event = note(name)._replace(version=version)
            row = log.event_row(stream, event, bytes(32), first, recorded_at)
            Row.objects.bulk_create([row], ignore_conflicts=True)

    assert says(audited(club, write), "was acknowledged and is not stored")


def test_an_answer_before_the_commit_is_noticed(club: Club) -> None:
    """Commits that fail after the answer: here, every transaction of one writer."""

    def write(name: str) -> None:
        with transaction.atomic():
            log.append(club.pk, StreamKey("here", "H1"), [note(name)], None, "tester")
            transaction.set_rollback(name.startswith("0-"))

    assert len(audited(club, write)) == 2 * ROUNDS  # not found at once, and not in the end


def test_an_answer_just_before_the_commit_is_noticed(club: Club) -> None:
    """The event comes in the end; whoever looks as soon as he has the answer does not find it."""
    with event_auditor(club.pk).listening() as auditor, transaction.atomic():
        log.append(club.pk, StreamKey("here", "H1"), [note("a")], None, "tester")
        auditor.tell(Told(client_id_of("a"), "H1"))
        while not auditor.acknowledged:
            time.sleep(0.001)
        time.sleep(0.05)
    assert says(not_stored(club.pk, auditor), "not to be found")


# --- 3: positions ----------------------------------------------------------------------------------------


def batches(club: Club, writer: int, dice: random.Random) -> None:
    for turn in range(ROUNDS):
        batch = [note(f"{writer}-{turn}-{i}") for i in range(dice.choice((1, 2, 5)))]
        with transaction.atomic():
            log.append(club.pk, StreamKey("here", f"H{writer}"), batch, None, "tester")
            time.sleep(dice.random() * 0.004)
            transaction.set_rollback(dice.random() < 0.1)


@postgresql_only
@pytest.mark.usefixtures("_no_guards")
def test_positions_from_a_sequence_are_noticed(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of an identity column: rollbacks leave holes, and readers pass what commits late."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE SEQUENCE IF NOT EXISTS seeded_bug")
        cursor.execute("ALTER SEQUENCE seeded_bug RESTART")
    monkeypatch.setattr(log, "take_positions", _from_a_sequence)
    try:
        found = follow(club.pk, lambda writer, dice: batches(club, writer, dice), WRITERS)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP SEQUENCE seeded_bug")
    assert says(found, "gaps")
    assert says(found, "a reader missed")


def _from_a_sequence(club_id: int, count: int) -> Positions:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(1)")
        cursor.execute("SELECT setval('seeded_bug', nextval('seeded_bug') + %s)", [count - 1])
        last = cursor.fetchone()[0]
        cursor.execute("SELECT pg_advisory_unlock(1)")
    return Positions(last - count + 1, 0)


@pytest.mark.usefixtures("_no_guards")
def test_positions_taken_in_a_transaction_of_their_own_are_noticed(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A counter that commits before the events do: shorter waits, and the same holes and misses."""
    take, mine = log.take_positions, threading.local()

    def reserved(club_id: int, count: int) -> Positions:
        return mine.block if hasattr(mine, "block") else take(club_id, count)

    def work(writer: int, dice: random.Random) -> None:
        for turn in range(ROUNDS):
            batch = [note(f"{writer}-{turn}-{i}") for i in range(dice.choice((1, 2, 5)))]
            with transaction.atomic():
                mine.block = take(club.pk, len(batch))
            time.sleep(dice.random() * 0.01)
            with transaction.atomic():
                log.append(club.pk, StreamKey("here", f"H{writer}"), batch, None, "tester")
                transaction.set_rollback(dice.random() < 0.1)

    monkeypatch.setattr(log, "take_positions", reserved)
    found = follow(club.pk, work, WRITERS)
    assert says(found, "gaps")
    assert says(found, "a reader missed")


@postgresql_only
@pytest.mark.usefixtures("_no_guards")
def test_positions_one_above_the_highest_are_noticed(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """`max + 1` without a lock: two take the same one, and the key of the table refuses the later."""

    def highest(club_id: int, count: int) -> Positions:
        last = Row.objects.filter(club_id=club_id).order_by("-position").values_list("position", flat=True)
        return Positions((last.first() or 0) + 1, 0)

    monkeypatch.setattr(log, "take_positions", highest)
    with pytest.raises(IntegrityError):
        at_once(lambda writer: batches(club, writer, random.Random(writer)), WRITERS)


# --- 4: client ids ---------------------------------------------------------------------------------------


def wrong_cells(club: Club, *rows: str, state: str = "at the head") -> list[str]:
    """The cells of these rows of the matrix that `append` answers otherwise."""

    def write(key: str, batch: str, expected: int | None) -> object:
        events = [note(None, text_of(letter))._replace(client_id=client_id(key, letter)) for letter in batch]
        try:
            return stored(club.pk, key, events, expected)
        except IntegrityError as error:
            return error

    chosen = [cell for cell in cells() if cell.state == state and cell.batch in rows]
    found = [is_wrong(cell, f"{cell.batch}{place}", write) for place, cell in enumerate(chosen)]
    return [one for one in found if one]


def test_a_look_at_client_ids_without_their_content_is_noticed(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeats, "_same", lambda sent, stored: sent.client_id == stored.client_id)
    assert wrong_cells(club, "abc", "abcd") == []
    assert says(wrong_cells(club, "A", "aB", "abCd"), "was answered =1-1")


def test_no_look_at_client_ids_is_noticed(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "find_repeat", lambda *batch: None)
    assert says(wrong_cells(club, "abc", "abcd", "ac"), "IntegrityError")


def test_a_batch_that_is_stored_in_part_is_noticed(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known is left out and the rest appended, whatever lies between: a batch in another order."""
    append = log.append

    def skip_known(club_id: int, key: StreamKey, events: list[Any], *rest: Any) -> Any:
        there = set(Row.objects.filter(club_id=club_id).values_list("client_id", flat=True))
        return append(club_id, key, [one for one in events if UUID(one.client_id) not in there], *rest)

    monkeypatch.setattr(writers, "append", skip_known)
    assert says(wrong_cells(club, "zabc", "abd", "ad"), "expected=None", "was answered +4-4")


def test_a_batch_that_is_recognised_by_its_first_event_is_noticed(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first_only(club_id: int, stream: Stream, batch: list[Any]) -> Repeat | None:
        row = Row.objects.filter(club_id=club_id, client_id=batch[0].client_id).first()
        return row and Repeat(len(batch), row.version, row.position, row.position + len(batch) - 1)

    monkeypatch.setattr(log, "find_repeat", first_only)
    assert wrong_cells(club, "abc", "bc") == []
    assert says(wrong_cells(club, "abcd", "ad"), "was answered =1-4")
