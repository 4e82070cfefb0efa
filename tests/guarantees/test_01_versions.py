"""Promise 1: versions are contiguous, and who comes too late learns the true head and what he missed."""

import pytest

from ofc_hub.clubs.models import Club, Role
from ofc_hub.hands.log import Appended
from ofc_hub.hands.models import Stream
from ofc_hub.live.record import Recorded, record
from tests.guarantees.contention import gaps, lies, race
from tests.played import KEY, member, started
from tests.prove import scale
from tests.writers import log_of, note, stored

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]

WRITERS = scale(8, 16)
ROUNDS = scale(12, 200)


@pytest.fixture
def club() -> Club:
    return Club.objects.create(slug="home", name="Home")


def test_writers_of_one_stream(club: Club) -> None:
    attempts = race(lambda name, known: stored(club.pk, "H1", [note(name)], known), 0, WRITERS, ROUNDS)
    assert lies(attempts, Stream.objects.get().pk, 0) == []
    assert gaps([row[0] for row in log_of(club.pk)]) == []
    assert len(attempts) == WRITERS * ROUNDS
    assert any(not attempt.won for attempt in attempts), "nobody was in anybody's way"


def test_scorers_of_one_hand(club: Club) -> None:
    """The same through the use case, on a hand that is replayed and projected at each write."""
    scorer = member(club, Role.SCORER)
    first = record(scorer, club, KEY, 0, [started(club)])
    assert isinstance(first, Recorded)

    def write(name: str, known: int | None) -> Appended | object:
        outcome = record(scorer, club, KEY, known, [note(name)._replace(data=None)], {0: f"text of {name}"})
        return outcome.appended if isinstance(outcome, Recorded) else outcome

    attempts = race(write, 1, WRITERS, ROUNDS)
    assert lies(attempts, first.appended.stream, 1) == []
    assert gaps([row[0] for row in log_of(club.pk)]) == []


def test_beginners_of_one_hand(club: Club) -> None:
    """Everybody starts the hand of the round; one does, and the others learn who was first."""

    def write(name: str, known: int | None) -> object:
        return stored(club.pk, f"H{_round(name)}", [note(name)], known)

    attempts = race(write, 0, WRITERS, ROUNDS, learn=False)
    streams = dict(Stream.objects.values_list("key", "pk"))
    assert len(streams) == ROUNDS
    for key, stream in streams.items():
        assert lies([one for one in attempts if f"H{_round(one.name)}" == key], stream, 0) == []
    assert gaps([row[0] for row in log_of(club.pk)]) == []


def _round(name: str) -> str:
    return name.partition("-")[2]
