"""Promise 4: a client id is one event; what is sent again is recognised or refused as a whole."""

import random
from collections.abc import Callable
from functools import partial
from itertools import groupby
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError

from ofc_hub.clubs.models import Club, Role
from ofc_hub.hands.log import Appended, StreamKey
from ofc_hub.hands.models import FreeText
from ofc_hub.live.record import Recorded, record
from scoring.domain.events import GENESIS, Event, chain_all
from tests.guarantees.idempotency import Cell, cells, client_id, is_wrong, text_of
from tests.imports import export, import_lines, read_lines
from tests.played import KEY, member, moves, started
from tests.prove import scale
from tests.writers import at_once, client_id_of, is_conflict, log_of, note, stored

pytestmark = [pytest.mark.django_db, pytest.mark.n_plus_one_allowed]

WRITERS = scale(4, 8)
QUEUE = scale(25, 600)
CONTESTED = scale(5, 200)

ROWS = {
    f"{state}: {batch}": list(row) for (state, batch), row in groupby(cells(), lambda c: (c.state, c.batch))
}


@pytest.fixture
def club() -> Club:
    return Club.objects.create(slug="home", name="Home")


@pytest.fixture
def scorer(club: Club) -> User:
    return member(club, Role.SCORER)


# --- The matrix -------------------------------------------------------------------------------------------


def append_letters(club: Club, key: str, batch: str, expected: int | None) -> object:
    events = [note(None, text_of(letter))._replace(client_id=client_id(key, letter)) for letter in batch]
    return stored(club.pk, key, events, expected)


def record_letters(club: Club, scorer: User, key: str, batch: str, expected: int | None) -> object:
    """Notes on a hand, whose first event is its start; their texts lie beside the log, salted."""
    events = [note(None)._replace(data=None, client_id=client_id(key, letter)) for letter in batch]
    texts = {place: text_of(letter) for place, letter in enumerate(batch)}
    version = None if expected is None else expected + 1
    outcome = record(scorer, club, StreamKey(KEY.source, key), version, events, texts)
    return outcome.appended if isinstance(outcome, Recorded) else outcome


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_every_cell_for_an_append(club: Club, row: list[Cell]) -> None:
    write = partial(append_letters, club)
    assert [wrong for i, cell in enumerate(row) if (wrong := is_wrong(cell, f"H{i}", write))] == []


@pytest.mark.parametrize("name", [name for name in ROWS if "elsewhere" not in name])
def test_every_cell_for_a_live_hand(club: Club, scorer: User, name: str) -> None:
    start = started(club)

    def begin(key: str) -> None:
        assert isinstance(record(scorer, club, StreamKey(KEY.source, key), 0, [start]), Recorded)

    write = partial(record_letters, club, scorer)
    wrong = [is_wrong(cell, f"H{i}", write, begin) for i, cell in enumerate(ROWS[name])]
    assert [one for one in wrong if one] == []


# --- At the same time ---------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_queues_sent_again_and_again_are_one_stream(club: Club) -> None:
    """Several tabs of one phone send overlapping stretches of the same queue; each event is stored once."""
    queue = [note(f"{i}") for i in range(QUEUE)]

    def work(writer: int) -> None:
        _send_all(queue, writer, lambda batch, _: stored(club.pk, "H1", batch, None))

    at_once(work, WRITERS)
    assert [row[3] for row in log_of(club.pk)] == [event.client_id for event in queue]


@pytest.mark.django_db(transaction=True)
def test_texts_sent_again_and_again_are_stored_once(club: Club, scorer: User) -> None:
    """The same through the use case: a text that is sent twice at the same moment is one text."""
    first = record(scorer, club, KEY, 0, [started(club)])
    assert isinstance(first, Recorded)
    queue = [note(f"{i}")._replace(data=None) for i in range(QUEUE)]

    def send(batch: list[Event], began: int) -> object:
        texts = {place: f"text {began + place}" for place in range(len(batch))}
        outcome = record(scorer, club, KEY, None, batch, texts)
        return outcome.appended if isinstance(outcome, Recorded) else outcome

    at_once(lambda writer: _send_all(queue, writer, send), WRITERS)
    assert [row[3] for row in log_of(club.pk)][1:] == [event.client_id for event in queue]
    texts = FreeText.objects.order_by("version").values_list("text", flat=True)
    assert list(texts) == [f"text {i}" for i in range(QUEUE)]


def _send_all(queue: list[Event], writer: int, send: Callable[[list[Event], int], object]) -> None:
    """From a little before what was answered to a little after it, until everything was answered."""
    dice, answered = random.Random(writer), 0
    while answered < len(queue):
        began = max(0, answered - dice.randrange(4))
        batch = queue[began : answered + dice.randint(1, 5)]
        outcome = send(batch, began)
        assert isinstance(outcome, Appended), outcome
        answered = began + len(batch)


@pytest.mark.django_db(transaction=True)
def test_an_id_that_two_hands_claim_is_one_event(club: Club) -> None:
    """Of writers to different hands one gets the id, the others learn of the conflict."""

    def claim(writer: int, turn: int) -> object:
        for attempt in (1, 2):
            try:
                return stored(club.pk, f"H{writer}", [note(f"{writer}-{turn}"), note(f"id-{turn}")], None)
            except IntegrityError:
                # Both at the same moment: as in the use case, the second look tells.
                assert attempt == 1
        raise AssertionError

    outcomes = at_once(lambda writer: [claim(writer, turn) for turn in range(CONTESTED)], WRITERS)
    for turn, answers in enumerate(zip(*outcomes, strict=True)):
        assert sum(isinstance(answer, Appended) for answer in answers) == 1
        assert sum(is_conflict(answer, f"id-{turn}") for answer in answers) == WRITERS - 1
    ids = [row[3] for row in log_of(club.pk)]
    assert sorted(ids) == sorted(set(ids))
    assert {client_id_of(f"id-{turn}") for turn in range(CONTESTED)} < set(ids)
    assert len(ids) == 2 * CONTESTED


# --- By a file --------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_stream_that_claims_ids_of_another_is_refused_as_a_whole(
    club: Club, scorer: User, tmp_path: Path
) -> None:
    """The archived stream of a hand under another key, with digests that fit; and the honest one twice."""
    named = [one._replace(client_id=client_id_of(f"{i}")) for i, one in enumerate([started(club), *moves()])]
    assert isinstance(record(scorer, club, KEY, 0, named), Recorded)
    [honest] = read_lines(export(events=True, folder=tmp_path))
    claim = honest | {"key": "claimed", "events": [dict(event) for event in honest["events"]]}
    stored_events = [event._replace(version=i, actor=f"user:{scorer.pk}") for i, event in enumerate(named, 1)]
    digests = chain_all(GENESIS, KEY.kind, KEY.source, "claimed", stored_events)
    for event, digest in zip(claim["events"], digests, strict=True):
        event["digest"] = digest.hex()
    before = log_of(club.pk)
    imported = import_lines(tmp_path, [honest, claim, honest])
    assert imported.counts == (0, 2, 0, 1)
    assert [line["code"] for line in imported.refused] == ["client-id-conflict"]
    assert log_of(club.pk) == before
