"""The writers of `benchmarks.append`: what one process does on the scratch database, Django being set up."""

import time
import uuid
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from unittest import mock

from django.contrib.auth.models import User
from django.db import connection, transaction

from benchmarks.import_hands import CLUB
from ofc_hub.clubs.models import Club, Membership, Role
from ofc_hub.hands import log
from ofc_hub.hands.models import LogHead, Stream
from ofc_hub.live.record import Recorded, record
from scoring.domain.events import GENESIS, NOTE_ADDED, Event, canonical_bytes, chain_all
from tests.played import moves, started

BATCH = 17
"""Events of a hand with three seats, as an import writes them."""
_INSERT = (
    "INSERT INTO hands_event (club_id, position, stream_id, recorded_at, version, schema, kind, cards, actor,"
    " digest, client_id, data) VALUES "
)
_ROW = "(%s, %s, %s, %s, %s, 1, 'note-added', '', 'bench', %s, %s, %s)"
_TAKE = (
    "UPDATE hands_loghead SET position = position + %s, recorded_at = %s"
    " WHERE club_id = %s RETURNING position"
)
_MOVE = "UPDATE hands_stream SET version = %s, digest = %s WHERE id = %s"
_DATA = '{"text": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}'

Step = Callable[[], object]


def prepare() -> None:
    """The club, its director, and one hand, so that people and rule set are there."""
    club = Club.objects.create(slug=CLUB, name=CLUB)
    LogHead.objects.create(club=club)
    director = User.objects.create_user("director")
    Membership.objects.create(club=club, user=director, role=Role.DIRECTOR)
    started(club)


def seconds_of(
    kind: str, begin: Step, repeats: int, until: Path | None = None, pause: float = 0.0
) -> list[float]:
    """How long each of `repeats` steps took; with `until`, of as many as there is time for."""
    step = STEPS[kind]()
    step()
    begin()
    found: list[float] = []
    while not until.exists() if until else len(found) < repeats:
        began = time.perf_counter()
        step()
        found.append(time.perf_counter() - began)
        time.sleep(pause)
    return found


def digest_share() -> str:
    """Digests of a hand's events beside SHA-256 over the same bytes."""
    events = [note_of(version) for version in range(1, BATCH + 1)]
    texts = [canonical_bytes("hand", "bench", "hand", event) for event in events]
    ours = _best(lambda: chain_all(GENESIS, "hand", "bench", "hand", events))
    plain = _best(lambda: [sha256(GENESIS + text).digest() for text in texts])
    rates = f"{BATCH / ours:,.0f} events/s, SHA-256 over the same bytes {BATCH / plain:,.0f}"
    return f"{rates}, ratio {plain / ours:.2f}"


def _best(work: Step) -> float:
    """Seconds of processor time for one call, the best of 20 rounds."""
    rounds = []
    for _ in range(20):
        began = time.process_time()
        for _ in range(200):
            work()
        rounds.append((time.process_time() - began) / 200)
    return min(rounds)


def note_of(version: int) -> Event:
    return Event(version, NOTE_ADDED, data={"text": "0" * 64}, actor="bench", client_id=str(uuid.uuid4()))


# --- Steps --------------------------------------------------------------------------------------------------


def bare(size: int = 1) -> Step:
    """The same rows as an append of `size` events, by statements and nothing else."""
    club = Club.objects.get(slug=CLUB)
    stream = Stream.objects.create(club=club, source="bare", key=str(uuid.uuid4()), digest=GENESIS)
    cursor = connection.cursor()
    begin = "BEGIN IMMEDIATE" if connection.vendor == "sqlite" else "BEGIN"
    versions = count(1)

    def step() -> None:
        new = [next(versions) for _ in range(size)]
        now = time.time_ns() // 1000
        cursor.execute(begin)
        cursor.execute(_MOVE, [new[-1], GENESIS, stream.pk])
        cursor.execute(_TAKE, [size, now, club.pk])
        first = cursor.fetchone()[0] - size + 1
        rows = [
            (club.pk, first + i, stream.pk, now, one, GENESIS, uuid.uuid4().hex, _DATA)
            for i, one in enumerate(new)
        ]
        cursor.execute(_INSERT + ", ".join([_ROW] * size), [value for row in rows for value in row])
        cursor.execute("COMMIT")

    return step


def append(size: int = 1) -> Step:
    """`hands.log.append` at the version known, each event with a client id."""
    club = Club.objects.get(slug=CLUB)
    key, known = log.StreamKey("append", str(uuid.uuid4())), count(0, size)

    def step() -> None:
        events = [note_of(0) for _ in range(size)]
        with transaction.atomic():
            outcome = log.append(club.pk, key, events, next(known), "bench")
            assert isinstance(outcome, log.Appended), outcome

    return step


def undigested(size: int = 1) -> Step:
    """The same without a digest."""
    append_step = append(size)

    def step() -> None:
        with mock.patch.object(log, "chain_all", return_value=[GENESIS] * size):
            append_step()

    return step


def live() -> Step:
    """Moves of one hand after another through the use case: checked, replayed, scored, projected."""
    club, director = Club.objects.get(slug=CLUB), User.objects.get(username="director")
    start = started(club)

    def calls() -> Iterator[tuple[log.StreamKey, int, Event]]:
        while True:
            key = log.StreamKey("live", str(uuid.uuid4()))
            for version, event in enumerate([start, *moves()]):
                yield key, version, event._replace(client_id=str(uuid.uuid4()))

    waiting = calls()

    def step() -> None:
        key, version, event = next(waiting)
        outcome = record(director, club, key, version, [event])
        assert isinstance(outcome, Recorded), outcome

    return step


STEPS: dict[str, Callable[[], Step]] = {
    "bare": bare,
    "append": append,
    "live": live,
    "bare batch": lambda: bare(BATCH),
    "append batch": lambda: append(BATCH),
    "undigested batch": lambda: undigested(BATCH),
}
