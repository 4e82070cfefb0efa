"""The same promises with writers at the same time, each on a connection of its own."""

import random
import threading
import time
from collections import Counter

import pytest
from django.db import connection, transaction

from ofc_hub.clubs.models import Alias, Club, Player
from ofc_hub.clubs.people import Named, resolve_aliases
from ofc_hub.hands.log import Appended, Stale, StreamKey, append, events_after, load_events
from ofc_hub.hands.models import RuleSetRecord, Stream
from ofc_hub.hands.rulesets import record_of
from scoring.domain.rulesets import PRESETS
from tests.writers import at_once, client_id_of, is_conflict, log_of, note, stored

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]

WRITERS = 8
ROUNDS = 12


@pytest.fixture
def club() -> Club:
    return Club.objects.create(slug="home", name="Home")


def test_writers_of_one_stream_lose_truthfully_and_win_once(club: Club) -> None:
    """Successes make the head; each loser learns the head and exactly the events that it missed."""

    def work(writer: int) -> tuple[list[str], list[tuple[int, Stale]]]:
        won, lost, known = [], [], 0
        for turn in range(ROUNDS):
            name = f"{writer}-{turn}"
            outcome = stored(club.pk, "H1", [note(name)], known)
            if isinstance(outcome, Appended):
                won.append(client_id_of(name))
                known = outcome.version
            else:
                assert isinstance(outcome, Stale)
                lost.append((known, outcome))
                known = outcome.head_version
        return won, lost

    results = at_once(work, WRITERS)
    stream = Stream.objects.get()
    events = load_events(stream.pk)
    assert [event.version for event in events] == list(range(1, stream.version + 1))
    won = [client_id for won, _ in results for client_id in won]
    assert Counter(event.client_id for event in events) == Counter(won), "acknowledged = stored, once"
    for known, stale in (loss for _, losses in results for loss in losses):
        assert stale.head_version > known
        assert list(stale.missed) == events[known : stale.head_version]
    assert [row[0] for row in log_of(club.pk)] == list(range(1, stream.version + 1))


def test_positions_are_gapless_and_a_reader_misses_nothing(club: Club) -> None:
    """Writers of many streams, mixed batch sizes, every tenth rolled back; a reader follows the feed."""
    done = threading.Event()
    seen: list[int] = []

    def read() -> None:
        try:
            position = 0
            while True:
                last_look = done.is_set()
                events = events_after(club.pk, position, 7)
                seen.extend(one.position for one in events)
                position = seen[-1] if seen else 0
                if last_look and not events:
                    return
                if not events:
                    time.sleep(0.002)
        finally:
            connection.close()

    def work(writer: int) -> int:
        count, dice = 0, random.Random(writer)
        for turn in range(ROUNDS):
            batch = [note(f"{writer}-{turn}-{i}") for i in range(dice.choice([1, 1, 2, 5, 30]))]
            with transaction.atomic():
                outcome = append(club.pk, StreamKey("here", f"H{writer}-{turn % 3}"), batch, None, "w")
                assert isinstance(outcome, Appended)
                time.sleep(dice.random() * 0.004)
                if dice.random() < 0.1:
                    transaction.set_rollback(True)
                else:
                    count += len(batch)
        return count

    reader = threading.Thread(target=read)
    reader.start()
    try:
        total = sum(at_once(work, WRITERS))
    finally:
        done.set()
        reader.join()
    assert [row[0] for row in log_of(club.pk)] == list(range(1, total + 1))
    assert seen == list(range(1, total + 1))


def test_one_client_id_from_many_writers_is_one_event(club: Club) -> None:
    outcomes = at_once(lambda _: stored(club.pk, "H1", [note("same"), note("next")], 0), WRITERS)
    assert all(isinstance(outcome, Appended) for outcome in outcomes)
    assert {(one.first_position, one.position) for one in outcomes} == {(1, 2)}
    assert sum(not one.repeated for one in outcomes) == 1
    assert len(log_of(club.pk)) == 2


def test_one_client_id_on_many_streams_is_stored_once(club: Club) -> None:
    """The later ones hit the unique index while the first is under way; asked again, they learn why."""

    def work(writer: int) -> object:
        for attempt in (1, 2):
            try:
                return stored(club.pk, f"H{writer}", [note("same")], 0)
            except Exception:
                if attempt == 2:
                    raise
        raise AssertionError

    outcomes = at_once(work, WRITERS)
    assert sum(isinstance(outcome, Appended) for outcome in outcomes) == 1
    assert sum(is_conflict(outcome, "same") for outcome in outcomes) == WRITERS - 1
    assert len(log_of(club.pk)) == 1
    assert Stream.objects.count() == 1


def test_people_and_rule_sets_are_made_once(club: Club) -> None:
    names = [Named("here", name) for name in ("anna", "bo", "cy")]

    def work(writer: int) -> dict[Named, object]:
        with transaction.atomic():
            record_of(PRESETS["progressive"])
            return dict(resolve_aliases(club, random.Random(writer).sample(names, 3)))

    results = at_once(work, WRITERS)
    assert all(result == results[0] for result in results)
    assert (Alias.objects.count(), Player.objects.count(), RuleSetRecord.objects.count()) == (3, 3, 1)
