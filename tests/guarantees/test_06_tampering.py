"""Promise 6: tampering is found, and named.

The owner of the database lifts the guards and edits rows; `verify_events` must say where. Each edit is of one
row, chosen by a seeded die, and is undone afterwards.
"""

import json
import uuid
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ofc_hub.clubs.models import Club
from ofc_hub.hands.models import Event, LogHead, Stream
from scoring.domain import events as kinds
from scoring.domain.events import Event as DomainEvent
from scoring.domain.events import chain_all
from tests.guarantees.tampered import IMPORTED, assert_named, die, events, played_club
from tests.operating import execute, undone, verified
from tests.prove import scale

pytestmark = [pytest.mark.django_db, pytest.mark.n_plus_one_allowed]

ROWS = scale(2, 40)


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return played_club(tmp_path)


def test_a_whole_log_is_clean(club: Club) -> None:
    for arguments in ((), ("--club", "home"), ("--log-only",)):
        found = verified(*arguments)
        assert (found.status, found.lines, found.summary["findings"]) == (0, [], 0)
    assert found.summary["streams"] == Stream.objects.count() == IMPORTED + 3
    assert found.summary["events"] == Event.objects.count()


# --- One column of one event --------------------------------------------------------------------------------

CONTENT: dict[str, Callable[[Event], Any]] = {
    "kind": lambda event: kinds.SEAT_DIED if event.kind != kinds.SEAT_DIED else kinds.HAND_LOCKED,
    "seat": lambda event: 7 if event.seat != 7 else 8,
    "schema": lambda event: 2,
    "cards": lambda event: "As/Ks/Qs" if event.cards != "As/Ks/Qs" else "",
    "data": lambda event: json.dumps({**(event.data or {}), "auto": True}),
    "actor": lambda event: "user:4711",
    "client_id": lambda event: uuid.uuid4().hex,
    "happened_at": lambda event: (event.happened_at or 0) + 1,
    "digest": lambda event: bytes(31) + b"x",
}
#: Of these the verification tries out what was there before.
SAID_EXACTLY = {"kind", "seat", "schema", "digest"}


@pytest.mark.parametrize("column", CONTENT)
def test_a_column_that_the_digest_covers(club: Club, column: str) -> None:
    for event in die().sample(list(events()), ROWS):
        with undone():
            set_column(event, column, CONTENT[column](event))
            found = verified()
        assert_named(found, event.stream, event.position)
        [line] = found.of("digest-differs")
        assert (line["position"], line["club"]) == (event.position, "home")
        said = {column} if column in SAID_EXACTLY else {column, "content"}
        assert line["column"] in said, line


def set_column(event: Event, column: str, value: Any) -> None:
    edit = f"UPDATE hands_event SET {column} = %s WHERE club_id = %s AND position = %s"
    assert execute(edit, [value, event.club_id, event.position]) == 1


def test_a_version(club: Club) -> None:
    for event in die().sample(list(events()), ROWS):
        with undone():
            set_column(event, "version", event.version + 100)
            found = verified()
        assert_named(found, event.stream, event.position)
        gaps = {(line["position"], line["column"], line["found"]) for line in found.of("version-gap")}
        assert (event.position, "version", event.version + 100) in gaps


def test_a_stream(club: Club) -> None:
    """An event is put into another stream, which is shorter."""
    shortest = Stream.objects.order_by("version", "pk")[0]
    moved = events().filter(version__gt=shortest.version)
    for event in die().sample(list(moved), ROWS):
        with undone():
            set_column(event, "stream_id", shortest.pk)
            found = verified()
        assert_named(found, event.stream)
        assert_named(found, shortest, event.position)
        assert {"version-gap", "stream-differs", "digest-differs"} & found.codes


def test_a_club(club: Club) -> None:
    away = Club.objects.get(slug="away")
    for event in die().sample(list(events()), ROWS):
        with undone():
            set_column(event, "club_id", away.pk)
            found, alone = verified(), verified("--club", "home")
        for one in (found, alone):
            assert_named(one, event.stream, event.position)
            assert "club-differs" in one.codes


def test_a_position(club: Club) -> None:
    head = LogHead.objects.get(club=club).position
    for event in die().sample(list(events()), ROWS):
        for position in (head + 100, 0, -5):
            with undone():
                set_column(event, "position", position)
                found = verified()
            assert found.status == 1
            gaps = [line["expected"] for line in found.of("position-gap")]
            assert event.position in gaps or found.of("head-differs"), found.lines


def test_a_time(club: Club) -> None:
    """Times never go back. That one was changed between its neighbours is for signed heads to find."""
    log, hour = list(events()), 3_600_000_000
    for place in die().sample(range(len(log)), ROWS):
        for change in (-hour, hour):
            times = [event.recorded_at for event in log]
            times[place] += change
            with undone():
                set_column(log[place], "recorded_at", times[place])
                found = verified()
            if times == sorted(times) and place + 1 < len(log):
                continue
            near = {event.position for event in log[max(place - 1, 0) : place + 2]}
            named = [*found.of("time-goes-back"), *found.of("head-differs")]
            assert found.status == 1
            assert near & {line["position"] for line in named}, found.lines


# --- Rows that go, come and change places -------------------------------------------------------------------


def test_an_event_is_dropped(club: Club) -> None:
    chosen = [*die().sample(list(events()), ROWS), events().last()]
    for event in chosen:
        with undone():
            drop(event)
            found = verified()
        assert_named(found, event.stream)
        gaps = [line["expected"] for line in found.of("position-gap")]
        assert event.position in gaps or found.of("head-differs")
        assert {"version-gap", "stream-differs"} & found.codes


def drop(event: Event) -> None:
    execute("DELETE FROM hands_event WHERE club_id = %s AND position = %s", [event.club_id, event.position])


def test_two_events_change_places(club: Club) -> None:
    """Neighbours in a stream, by position; then two moves of one kind, by what they say."""
    moved = list(events().filter(kind=kinds.CARDS_PLACED))
    neighbours = [(a, b) for a, b in pairwise(moved) if a.stream_id == b.stream_id]
    for one, other in die().sample(neighbours, ROWS):
        with undone():
            set_column(one, "position", -1)
            set_column(other, "position", one.position)
            execute("UPDATE hands_event SET position = %s WHERE position = -1", [other.position])
            found = verified()
        assert_named(found, one.stream, one.position)
        assert "position-order" in found.codes
        with undone():
            set_column(one, "cards", other.cards)
            set_column(other, "cards", one.cards)
            found = verified()
        assert [line["position"] for line in found.of("digest-differs")] == [one.position, other.position]


def test_events_of_two_hands_change_places(club: Club) -> None:
    """The last of one and the first of the next, recorded at the same instant."""
    hands = list(Stream.objects.filter(club=club, source=events()[0].stream.source).order_by("pk")[:2])
    last = events().filter(stream=hands[0]).last()
    first = events().filter(stream=hands[1]).first()
    assert last.recorded_at == first.recorded_at
    with undone():
        set_column(last, "position", -1)
        set_column(first, "position", last.position)
        execute("UPDATE hands_event SET position = %s WHERE position = -1", [first.position])
        found = verified()
    assert_named(found, hands[0])
    assert ("hand-result-differs", "position") in {(line["code"], line["column"]) for line in found.lines}


def test_an_event_is_inserted(club: Club) -> None:
    """Even with the right digest: neither the stream nor the log says that it has grown."""
    head = LogHead.objects.get(club=club)
    stream = die().choice(list(Stream.objects.filter(club=club)))
    event = DomainEvent(stream.version + 1, kinds.HAND_VOIDED, actor="user:1")
    [digest] = chain_all(bytes(stream.digest), stream.kind, stream.source, stream.key, [event])
    with undone():
        Event.objects.create(
            club=club,
            position=head.position + 1,
            stream=stream,
            recorded_at=head.recorded_at,
            digest=digest,
            **event._asdict(),
        )
        found = verified()
    assert_named(found, stream, head.position + 1)
    assert {"head-differs", "stream-differs", "hand-differs", "hand-result-unexpected"} <= found.codes
