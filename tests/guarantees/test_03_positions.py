"""Promise 3: positions are gapless and in commit order, and who follows them misses nothing.

Eight writers with a tenth of all transactions rolled back after their events were inserted, batches of mixed
sizes, another writer who holds transactions open, and two readers, for each way into the log. On SQLite
writers take turns: there the test holds the counting and the rollbacks, on PostgreSQL commits too.
"""

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError

from ofc_hub.clubs.models import Club, Role
from ofc_hub.hands.log import StreamKey
from ofc_hub.hands.models import Event as Row
from ofc_hub.imports import loader
from ofc_hub.imports.importer import Importer
from ofc_hub.imports.reader import Reader
from ofc_hub.imports.refused import RefusedReport
from ofc_hub.live.record import Recorded, record
from scoring.domain import events as kinds
from scoring.domain.events import Event
from tests.guarantees.tailing import Interrupter, Work, follow
from tests.imports import file_of, many_hands
from tests.played import KEY, member, moves, started
from tests.prove import scale
from tests.writers import note, stored

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]

WRITERS = scale(8, 8)
BATCHES = scale(8, 400)
HANDS = scale(1, 30)
CORRECTIONS = scale(6, 120)
IMPORTS = scale(3, 40)
SIZES = (1, 1, 2, 5, 30)


@pytest.fixture
def club() -> Club:
    return Club.objects.create(slug="home", name="Home")


@pytest.fixture
def director(club: Club) -> User:
    return member(club, Role.DIRECTOR)


def appending(interrupter: Interrupter, club: Club, writer: int, dice: random.Random) -> None:
    """Batches to three hands of one's own and three that all write to."""
    for turn in range(BATCHES):
        batch = [note(f"{writer}-{turn}-{i}") for i in range(dice.choice(SIZES))]
        key = dice.choice([f"own-{writer}-{turn % 3}", f"shared-{turn % 3}"])
        with interrupter.at_times(dice):
            stored(club.pk, key, batch, None)


def logging(
    interrupter: Interrupter, club: Club, scorer: User, start: Event, writer: int, dice: random.Random
) -> None:
    """Hands move by move, or several moves at once as a phone sends them that was away."""
    for hand in range(HANDS):
        key, rest = StreamKey(KEY.source, f"{writer}-{hand}"), [start, *moves()]
        version = 0
        while rest:
            count = dice.choice((1, 1, 3))
            with interrupter.at_times(dice):
                outcome = record(scorer, club, key, version, rest[:count])
                assert isinstance(outcome, Recorded), outcome
                version, rest = version + len(rest[:count]), rest[count:]


def correcting(
    interrupter: Interrupter, club: Club, director: User, start: Event, writer: int, dice: random.Random
) -> None:
    """A hand that is voided and brought back, with rulings and notes in between."""
    key = StreamKey(KEY.source, f"corrected-{writer}")
    first = record(director, club, key, 0, [start, *moves()])
    assert isinstance(first, Recorded), first
    version, voided = 11, 0
    for turn in range(CORRECTIONS):
        undo = Event(0, kinds.EVENT_RETRACTED, data={"version": voided})
        batch = [undo if voided else Event(0, kinds.HAND_VOIDED, data={})]
        batch += [note(f"{writer}-{turn}-{i}") for i in range(dice.choice((0, 0, 2)))]
        with interrupter.at_times(dice):
            outcome = record(director, club, key, version, batch)
            assert isinstance(outcome, Recorded), outcome
            voided = 0 if voided else version + 1
            version += len(batch)


def importing(club: Club, folder: Path, writer: int, dice: random.Random) -> None:
    for turn in range(IMPORTS):
        source = f"file-{writer}-{turn}"
        hands = [hand | {"source": source} for hand in many_hands(dice.choice(SIZES))]
        file = file_of(folder, hands, source)
        with RefusedReport(folder / f"{source}.refused") as refused:
            assert Importer(club, refused).run(Reader([str(file)])).stored == len(hands)


@pytest.fixture
def interrupter(monkeypatch: pytest.MonkeyPatch) -> Interrupter:
    """An import that is interrupted prepares its batch anew, as after a lost race."""
    interrupter, dice, write_rows = Interrupter(), random.Random(3), loader.write_rows

    def interrupted(table: str, *rest: Any) -> None:
        write_rows(table, *rest)
        if table == loader.EVENT and interrupter.strikes(dice):
            raise IntegrityError("interrupted")

    monkeypatch.setattr(loader, "write_rows", interrupted)
    return interrupter


@pytest.fixture
def ways(club: Club, director: User, tmp_path: Path, interrupter: Interrupter) -> dict[str, Work]:
    """The ways into the log."""
    start = started(club)
    return {
        "append": partial(appending, interrupter, club),
        "live": partial(logging, interrupter, club, director, start),
        "correction": partial(correcting, interrupter, club, director, start),
        "import": partial(importing, club, tmp_path),
    }


@pytest.mark.parametrize("way", ["append", "live", "correction", "import"])
def test_readers_miss_nothing(club: Club, ways: dict[str, Work], interrupter: Interrupter, way: str) -> None:
    assert follow(club.pk, ways[way], WRITERS) == []
    assert interrupter.count > 0
    assert Row.objects.filter(club=club).count() > WRITERS


def test_readers_miss_nothing_when_all_write_at_once(
    club: Club, ways: dict[str, Work], interrupter: Interrupter
) -> None:
    works: list[Callable[..., None]] = list(ways.values())
    assert follow(club.pk, lambda writer, dice: works[writer % len(works)](writer, dice), WRITERS) == []
    assert interrupter.count > 0
