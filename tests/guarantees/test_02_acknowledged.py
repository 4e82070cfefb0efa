"""Promise 2: what a writer was told to be stored is stored, whatever others do at the same time."""

import random
from functools import partial
from pathlib import Path

import pytest
from django.db import IntegrityError

from ofc_hub.clubs.models import Club, Role
from ofc_hub.hands.log import Appended, StreamKey
from ofc_hub.hands.models import Hand, Stream
from ofc_hub.imports.importer import Importer
from ofc_hub.imports.reader import Reader
from ofc_hub.imports.refused import RefusedReport
from ofc_hub.imports.summary import Summary
from ofc_hub.live.record import Recorded, record
from tests.guarantees.contention import Auditor, Told, event_auditor, gaps, not_stored
from tests.imports import file_of, many_hands
from tests.played import KEY, member, moves, started
from tests.prove import scale
from tests.writers import at_once, client_id_of, log_of, note, stored

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]

WRITERS = scale(8, 16)
ROUNDS = scale(10, 200)
TABLES = scale(4, 8)
HANDS_A_TABLE = scale(1, 10)
IMPORTED_HANDS = scale(240, 4000)


@pytest.fixture
def club() -> Club:
    return Club.objects.create(slug="home", name="Home")


def test_every_acknowledged_event_is_there(club: Club) -> None:
    """Own hands and a shared one, single events and batches, some sent twice, some ids contested."""
    with event_auditor(club.pk).listening() as auditor:

        def work(writer: int) -> int:
            dice = random.Random(writer)
            return sum(_write(club, auditor, dice, writer, turn) for turn in range(ROUNDS))

        acknowledged = sum(at_once(work, WRITERS))
    assert len(auditor.acknowledged) == acknowledged > WRITERS * ROUNDS
    assert not_stored(club.pk, auditor) == []
    assert gaps([row[0] for row in log_of(club.pk)]) == []


def _write(club: Club, auditor: Auditor, dice: random.Random, writer: int, turn: int) -> int:
    """One batch, now and then sent again as if no answer had come; how many events were acknowledged."""
    names = [f"{writer}-{turn}-{i}" for i in range(dice.choice([1, 1, 2, 5]))]
    key = dice.choice(["shared", f"own-{writer}"])
    if dice.random() < 0.1:
        names = [f"contested-{turn}"]
    count = 0
    for _ in range(dice.choice([1, 1, 2])):
        try:
            outcome = stored(club.pk, key, [note(name) for name in names], None)
        except IntegrityError:
            continue  # another stream got the contested id at the same time: no acknowledgement
        if isinstance(outcome, Appended):
            count += len(names)
            for name in names:
                auditor.tell(Told(client_id_of(name), key))
    return count


def test_every_acknowledged_move_is_there(club: Club) -> None:
    """Scorers at several tables and two at each, racing with the same moves: one event, two answers."""
    scorer = member(club, Role.SCORER)
    hands = [[(f"{table}-{hand}", started(club)) for hand in range(HANDS_A_TABLE)] for table in range(TABLES)]
    with event_auditor(club.pk).listening() as auditor:

        def work(number: int) -> None:
            for key, start in hands[number // 2]:
                events = [start, *moves()]
                named = [one._replace(client_id=client_id_of(f"{key}/{i}")) for i, one in enumerate(events)]
                for version, event in enumerate(named):
                    outcome = record(scorer, club, StreamKey(KEY.source, key), version, [event])
                    assert isinstance(outcome, Recorded), outcome
                    auditor.tell(Told(event.client_id or "", key))

        at_once(work, 2 * TABLES)
    assert not_stored(club.pk, auditor) == []
    assert len(auditor.acknowledged) == 2 * len(set(auditor.acknowledged)) == 2 * len(log_of(club.pk))
    assert set(Stream.objects.values_list("version", flat=True)) == {11}


def test_every_hand_that_an_import_counts_is_there(club: Club, tmp_path: Path) -> None:
    """Two imports at once; after each commit another connection finds as many hands as were counted."""

    def is_there(told: tuple[str, int]) -> bool:
        return Hand.objects.filter(stream__source=told[0]).count() >= told[1]

    with Auditor(is_there).listening() as auditor:
        summaries = at_once(partial(_import, club, tmp_path, auditor), 2)
    assert auditor.missing == []
    assert len(auditor.acknowledged) >= IMPORTED_HANDS // 100
    assert [summary.stored for summary in summaries] == [IMPORTED_HANDS // 2] * 2
    assert Hand.objects.count() == sum(summary.stored for summary in summaries)
    assert gaps([row[0] for row in log_of(club.pk)]) == []


def _import(club: Club, folder: Path, auditor: Auditor, number: int) -> Summary:
    source = f"source-{number}"
    hands = (hand | {"source": source} for hand in many_hands(IMPORTED_HANDS // 2))
    reader = Reader([str(file_of(folder, hands, f"{source}.ndjson"))])

    def advance(summary: Summary) -> None:
        auditor.tell((source, summary.stored))

    with RefusedReport(folder / f"{source}.refused") as refused:
        return Importer(club, refused, advance).run(reader)
