"""The promises of an append: versions, client ids, positions, digests, reading."""

import json
from hashlib import sha256

import pytest
from django.db import transaction

from ofc_hub.clubs.models import Club
from ofc_hub.hands.log import (
    Appended,
    Stale,
    StreamKey,
    append,
    events_after,
    head_position,
    load_events,
    load_streams,
    take_positions,
)
from ofc_hub.hands.models import Event as Row
from ofc_hub.hands.models import LogHead, Stream
from scoring.domain.events import CARDS_PLACED, Event
from tests.writers import client_id_of, is_conflict, log_of, note, notes, stored

pytestmark = [pytest.mark.django_db, pytest.mark.n_plus_one_allowed]


@pytest.fixture
def club() -> Club:
    return Club.objects.create(slug="home", name="Home")


def stream_of(key: str) -> Stream:
    return Stream.objects.get(key=key)


def test_versions_and_positions_count_from_one(club: Club) -> None:
    first = stored(club.pk, "H1", notes("ab"), 0)
    second = stored(club.pk, "H2", notes("c"), 0)
    third = stored(club.pk, "H1", notes("d"), 2)
    assert isinstance(first, Appended)
    assert isinstance(second, Appended)
    assert isinstance(third, Appended)
    assert [(one.first_position, one.position, one.version) for one in (first, second, third)] == [
        (1, 2, 2),
        (3, 3, 1),
        (4, 4, 3),
    ]
    one, two = stream_of("H1").pk, stream_of("H2").pk
    assert [row[:3] for row in log_of(club.pk)] == [(1, one, 1), (2, one, 2), (3, two, 1), (4, one, 3)]
    assert head_position(club.pk) == 4


def test_each_club_counts_for_itself(club: Club) -> None:
    other = Club.objects.create(slug="away", name="Away")
    stored(club.pk, "H1", notes("abc"), 0)
    outcome = stored(other.pk, "H1", notes("abc"), 0)
    assert isinstance(outcome, Appended)
    assert (outcome.first_position, outcome.position) == (1, 3)
    assert head_position(Club.objects.create(slug="new", name="New").pk) == 0


def test_the_digest_chains_the_stream_and_not_the_club(club: Club) -> None:
    """Computed here from the written rule: SHA-256 over the previous digest and a JSON list."""
    move = Event(0, CARDS_PLACED, 2, "As/2c/", None, "", client_id_of("m"), 1_800_000_000_000_000)
    other = Club.objects.create(slug="away", name="Away")
    for place in (club, other):
        stored(place.pk, "H1", [move, note(None, "n")], 0)
        stored(place.pk, "H1", [note(None, "later")], 2)
    digest = bytes(32)
    for values in (
        ["hand", "here", "H1", 1, "cards-placed", 2, "As/2c/", None, "tester", client_id_of("m"),
         1_800_000_000_000_000, 1],
        ["hand", "here", "H1", 2, "note-added", None, "", {"text": "n"}, "tester", None, None, 1],
        ["hand", "here", "H1", 3, "note-added", None, "", {"text": "later"}, "tester", None, None, 1],
    ):  # fmt: skip
        digest = sha256(digest + json.dumps(values, separators=(",", ":")).encode()).digest()
    heads = [bytes(stream.digest) for stream in Stream.objects.order_by("pk")]
    assert heads == [digest, digest]
    assert [bytes(row) for row in Row.objects.filter(version=3).values_list("digest", flat=True)] == heads


def test_a_stale_version_is_told_the_head_and_what_it_missed(club: Club) -> None:
    stored(club.pk, "H1", notes("abc"), 0)
    outcome = stored(club.pk, "H1", notes("d"), 1)
    assert isinstance(outcome, Stale)
    assert outcome.head_version == 3
    assert [event.client_id for event in outcome.missed] == [client_id_of("b"), client_id_of("c")]
    assert len(log_of(club.pk)) == 3


@pytest.mark.parametrize("expected", [1, 4, 1000])
def test_a_version_that_was_never_there_is_stale(club: Club, expected: int) -> None:
    assert stored(club.pk, "H0", notes("x"), expected) == Stale(0, ())
    assert not Stream.objects.filter(key="H0").exists()


def test_a_new_stream_that_is_there_is_stale(club: Club) -> None:
    stored(club.pk, "H1", notes("a"), 0)
    outcome = stored(club.pk, "H1", notes("b"), 0)
    assert isinstance(outcome, Stale)
    assert (outcome.head_version, len(outcome.missed)) == (1, 1)


# --- Client ids: the same batch again, parts of it, and others ------------------------------------------

# H1 holds a, b, c at versions and positions 1, 2, 3.
REPEATED = {
    "the batch": ("abc", 0, (1, 3)),
    "the batch without a version": ("abc", None, (1, 3)),
    "the batch with the version after it": ("abc", 3, (1, 3)),
    "the batch with a version beyond": ("abc", 99, (1, 3)),
    "one of it": ("b", 1, (2, 2)),
    "one of it, wrong version": ("b", 3, (2, 2)),
    "its beginning": ("ab", 0, (1, 2)),
    "its end": ("bc", 1, (2, 3)),
    "its end without a version": ("c", None, (3, 3)),
}


@pytest.mark.parametrize("case", REPEATED)
def test_what_is_stored_already_succeeds_with_its_first_positions(club: Club, case: str) -> None:
    names, expected, positions = REPEATED[case]
    stored(club.pk, "H1", notes("abc"), 0)
    before = log_of(club.pk)
    outcome = stored(club.pk, "H1", notes(names), expected)
    assert isinstance(outcome, Appended)
    assert outcome.repeated
    assert (outcome.first_position, outcome.position) == positions
    assert (outcome.version, outcome.digest) == (3, bytes(stream_of("H1").digest))
    assert log_of(club.pk) == before


@pytest.mark.parametrize("expected", [0, 3, None, 99])
@pytest.mark.parametrize(("names", "began"), [("abcd", 1), ("bcd", 2), ("cde", 3)])
def test_a_batch_whose_beginning_is_the_head_goes_on(
    club: Club, names: str, began: int, expected: int | None
) -> None:
    stored(club.pk, "H1", notes("abc"), 0)
    outcome = stored(club.pk, "H1", notes(names), expected)
    assert isinstance(outcome, Appended)
    assert not outcome.repeated
    new = names.replace("a", "").replace("b", "").replace("c", "")
    assert (outcome.first_position, outcome.position) == (began, 3 + len(new))
    assert [row[3] for row in log_of(club.pk)] == [client_id_of(name) for name in "abc" + new]


def test_a_batch_whose_beginning_was_followed_by_others_is_stale(club: Club) -> None:
    stored(club.pk, "H1", notes("abcx"), 0)
    outcome = stored(club.pk, "H1", notes("abcd"), 0)
    assert isinstance(outcome, Stale)
    assert outcome.head_version == 4
    assert [event.client_id for event in outcome.missed] == [client_id_of("x")]
    assert len(log_of(club.pk)) == 4


CONFLICTS = {
    "shifted: new before stored": ("zab", "a"),
    "shifted, from inside": ("zbc", "b"),
    "a hole": ("ac", "c"),
    "another order": ("ba", "a"),
    "the end before the beginning": ("ca", "a"),
    "twice the same": ("dd", "d"),
    "stored twice in the batch": ("abca", "a"),
}


@pytest.mark.parametrize("expected", [0, 3, None])
@pytest.mark.parametrize("case", CONFLICTS)
def test_other_batches_with_a_stored_client_id_conflict(club: Club, case: str, expected: int | None) -> None:
    names, culprit = CONFLICTS[case]
    stored(club.pk, "H1", notes("abc"), 0)
    before = log_of(club.pk)
    assert is_conflict(stored(club.pk, "H1", notes(names), expected), culprit)
    assert log_of(club.pk) == before


OTHER_CONTENT = {
    "data": note("a", "other words"),
    "kind": note("a")._replace(kind=CARDS_PLACED),
    "seat": note("a")._replace(seat=1),
    "cards": note("a")._replace(cards="As//"),
    "happened_at": note("a")._replace(happened_at=1),
    "schema": note("a")._replace(schema=2),
    "no data": note("a")._replace(data=None),
}


@pytest.mark.parametrize("what", OTHER_CONTENT)
@pytest.mark.parametrize("expected", [0, 3, None])
def test_other_content_under_a_client_id_conflicts(club: Club, what: str, expected: int | None) -> None:
    stored(club.pk, "H1", notes("abc"), 0)
    assert is_conflict(stored(club.pk, "H1", [OTHER_CONTENT[what]], expected), "a")
    assert is_conflict(stored(club.pk, "H1", [OTHER_CONTENT[what], *notes("bcd")], expected), "a")
    assert len(log_of(club.pk)) == 3


def test_another_actor_conflicts(club: Club) -> None:
    stored(club.pk, "H1", notes("a"), 0)
    outcome = append(club.pk, StreamKey("here", "H1"), notes("a"), 0, "somebody else")
    assert is_conflict(outcome, "a")


def test_another_stream_conflicts_and_another_club_does_not(club: Club) -> None:
    stored(club.pk, "H1", notes("a"), 0)
    assert is_conflict(stored(club.pk, "H2", notes("a"), 0), "a")
    assert is_conflict(stored(club.pk, "H2", notes("xa"), 0), "a")
    assert not Stream.objects.filter(key="H2").exists(), "nothing of a refusal is stored"
    other = Club.objects.create(slug="away", name="Away")
    assert isinstance(stored(other.pk, "H1", notes("a"), 0), Appended)


def test_one_spelling_of_a_client_id(club: Club) -> None:
    stored(club.pk, "H1", notes("a"), 0)
    loud = note("a")._replace(client_id=client_id_of("a").upper())
    outcome = stored(club.pk, "H1", [loud], 0)
    assert isinstance(outcome, Appended)
    assert outcome.repeated


def test_events_without_client_ids_are_told_apart_by_version_only(club: Club) -> None:
    assert isinstance(stored(club.pk, "H1", [note(None, "n")], 0), Appended)
    assert isinstance(stored(club.pk, "H1", [note(None, "n")], 0), Stale)
    assert isinstance(stored(club.pk, "H1", [note(None, "n")], None), Appended)
    assert len(log_of(club.pk)) == 2


def test_a_batch_with_and_without_client_ids_is_one_stretch(club: Club) -> None:
    batch = [note("a"), note(None, "between"), note("c")]
    stored(club.pk, "H1", batch, 0)
    again = stored(club.pk, "H1", batch, 0)
    assert isinstance(again, Appended)
    assert again.repeated
    assert is_conflict(stored(club.pk, "H1", [note("a"), note(None, "other"), note("c")], 0), "c")


# --- Positions -------------------------------------------------------------------------------------------


def test_a_rollback_leaves_no_hole(club: Club) -> None:
    stored(club.pk, "H1", notes("a"), 0)
    with transaction.atomic():
        append(club.pk, StreamKey("here", "H1"), notes("bcd"), 1, "tester")
        transaction.set_rollback(True)
    outcome = stored(club.pk, "H1", notes("e"), 1)
    assert isinstance(outcome, Appended)
    assert (outcome.first_position, outcome.position) == (2, 2)


def test_recorded_at_never_goes_back(club: Club) -> None:
    """The head's time lies ahead, as after a clock was set back."""
    stored(club.pk, "H1", notes("a"), 0)
    ahead = 4_102_444_800_000_000  # the year 2100
    LogHead.objects.filter(club=club).update(recorded_at=ahead)
    stored(club.pk, "H1", notes("b"), 1)
    times = list(Row.objects.order_by("position").values_list("recorded_at", flat=True))
    assert times[1] == ahead
    assert 1_700_000_000_000_000 < times[0] < ahead


@pytest.mark.django_db(transaction=True)
def test_positions_are_taken_in_a_transaction_only() -> None:
    club = Club.objects.create(slug="home", name="Home")
    with pytest.raises(AssertionError):
        take_positions(club.pk, 1)


def test_an_empty_batch_is_a_programming_error(club: Club) -> None:
    with pytest.raises(ValueError, match="needs events"):
        append(club.pk, StreamKey("here", "H1"), [], 0, "tester")


# --- Reading ---------------------------------------------------------------------------------------------


def test_events_come_back_as_they_were_sent(club: Club) -> None:
    sent = [
        note("a")._replace(data={"z": [1, {"y": None}], "a": "é\n\u2028"}),
        Event(0, CARDS_PLACED, 3, "X1Ah/2c2d/Ks|??", None, "", client_id_of("b"), -1),
        note(None, "n"),
    ]
    stored(club.pk, "H1", sent, 0)
    expected = [event._replace(version=i, actor="tester") for i, event in enumerate(sent, start=1)]
    stream = stream_of("H1").pk
    assert load_events(stream) == expected
    assert load_events(stream, after=2) == expected[2:]
    assert load_streams([stream, stream + 1]) == {stream: expected, stream + 1: []}


def test_the_feed_goes_on_from_a_position(club: Club) -> None:
    stored(club.pk, "H1", notes("ab"), 0)
    stored(club.pk, "H2", notes("cd"), 0)
    seen = [(one.position, one.event.client_id) for one in events_after(club.pk, 1, 2)]
    assert seen == [(2, client_id_of("b")), (3, client_id_of("c"))]
    assert [one.position for one in events_after(club.pk, 0, 100)] == [1, 2, 3, 4]
    assert events_after(club.pk, 4, 100) == []
    last = events_after(club.pk, 3, 1)[0]
    assert (last.stream, last.digest) == (stream_of("H2").pk, bytes(stream_of("H2").digest))
