"""Promise 8: rebuilt equals live.

Facts and results are damaged on purpose; `rebuild` makes them again what a computation from scratch says, and
touches nothing else, also while hands come in.
"""

import random
import time
from datetime import timedelta
from pathlib import Path
from threading import Event as Signal
from threading import Thread
from typing import Any

import pytest
from django.db import connection, transaction

from analytics.models import PlayerDay
from analytics.slices import recompute_some
from analytics.sums import SUM_NAMES
from ofc_hub.clubs.models import Club
from ofc_hub.hands.log import StreamKey, lock_stream
from ofc_hub.hands.models import Hand, Stream
from ofc_hub.imports.export import hand_lines
from ofc_hub.ops.fresh import RuleBook
from ofc_hub.ops.rebuild import rebuild_hand
from scoring.models import HandResult, PairResult, SeatResult, SliceToDo
from scoring.projector import mark_slices
from tests.guarantees.tampered import played_club
from tests.imports import file_of, import_file, many_hands, nameless, pair_results, results, start_import
from tests.operating import execute, rebuilt, verified
from tests.prove import scale

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]

HANDS = scale(500, 10_000)

DAMAGE = (
    "UPDATE scoring_seatresult SET points = points + 1 WHERE hand_id = %s",
    "UPDATE scoring_seatresult SET chips = 5, foul = NOT foul WHERE hand_id = %s",
    "UPDATE scoring_handresult SET engine = 0 WHERE hand_id = %s",
    "UPDATE scoring_pairresult SET points = points - 1 WHERE hand_id = %s",
    "DELETE FROM scoring_seatresult WHERE hand_id = %s",
    "DELETE FROM scoring_pairresult WHERE hand_id = %s",
    "DELETE FROM scoring_handresult WHERE hand_id = %s",
    "UPDATE hands_hand SET complete = NOT complete, stake = stake + 1 WHERE stream_id = %s",
)


def scratch(slug: str) -> dict[str, Any]:
    """All that follows from a club's log, without the ids of the store."""
    club = Club.objects.get(slug=slug)
    left_out = ("stream_id", "club_id", "rule_set_id")
    facts = Hand.objects.filter(club=club).order_by("key", "pk").values()
    return {
        "hands": nameless(hand_lines(club)),
        "facts": [{k: v for k, v in one.items() if k not in left_out and k != "content"} for one in facts],
        "seats": results(slug),
        "pairs": pair_results(slug),
    }


def statistics(slug: str) -> list[tuple[Any, ...]]:
    while recompute_some():
        pass
    days = PlayerDay.objects.filter(club__slug=slug).order_by("player__name", "day", "kind")
    return list(days.values_list("player__name", "day", "kind", *SUM_NAMES))


def stored_at() -> dict[int, set[tuple[Any, ...]]]:
    """Where each row of a hand's results lies in its table: a row that is written anew lies elsewhere."""
    place = "ctid::text" if connection.vendor == "postgresql" else "rowid"
    found: dict[int, set[tuple[Any, ...]]] = {}
    for table in ("scoring_handresult", "scoring_seatresult", "scoring_pairresult"):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT hand_id, {place} FROM {table}")
            for hand, where in cursor.fetchall():
                found.setdefault(hand, set()).add((table, where))
    return found


@pytest.fixture
def club(tmp_path: Path) -> Club:
    club = played_club(tmp_path)
    statistics("home")
    return club


def test_only_what_differs_is_rewritten(club: Club) -> None:
    whole, figures = scratch("home"), statistics("home")
    scored = list(HandResult.objects.order_by("pk").values_list("pk", flat=True))
    damaged = dict(zip(random.Random(8).sample(scored, len(DAMAGE)), DAMAGE, strict=True))
    players = set(SeatResult.objects.filter(hand_id__in=damaged).values_list("player_id", "day"))
    for hand, edit in damaged.items():
        assert execute(edit, [hand])
    before = stored_at()

    checked = rebuilt("--check")
    assert (checked.status, checked.summary["different"]) == (1, len(DAMAGE))
    named = {line["stream"] for line in checked.lines}
    assert named == {str(s.source) + "/" + s.key for s in Stream.objects.filter(pk__in=damaged)}
    assert stored_at() == before, "--check writes nothing"

    done = rebuilt()
    assert (done.status, done.summary["different"], done.summary["beyond_repair"]) == (0, len(DAMAGE), 0)
    assert scratch("home") == whole
    assert (rebuilt("--check").status, rebuilt().summary["different"], verified().status) == (0, 0, 0)
    after = stored_at()
    facts_only = next(hand for hand, edit in damaged.items() if "hands_hand" in edit)
    assert after[facts_only] == before[facts_only], "facts are put right without writing results"
    assert {hand for hand in after if hand not in damaged and after[hand] != before[hand]} == set()
    marked = set(SliceToDo.objects.values_list("player_id", "day"))
    assert marked <= players, "no other days are recomputed"
    assert marked
    assert statistics("home") == figures


def test_every_row_is_made_again(club: Club) -> None:
    """Nothing is left but the log."""
    whole, figures = scratch("home"), statistics("home")
    contents = dict(Hand.objects.values_list("key", "content"))
    for table in ("handresult", "seatresult", "pairresult", "transfer", "correction"):
        execute(f"DELETE FROM scoring_{table}")
    execute("DELETE FROM hands_hand")
    assert rebuilt().status == 0
    assert scratch("home") == whole
    assert verified().status == 0
    assert {key: bytes(c or b"") for key, c in Hand.objects.values_list("key", "content")} == {
        key: bytes(c or b"") for key, c in contents.items()
    }
    PlayerDay.objects.all().delete()
    assert statistics("home") == figures


def test_days_that_a_wrong_result_had_reached_are_computed_anew(club: Club) -> None:
    """A result stood under another player and day, and was counted there."""
    figures = statistics("home")
    hand = HandResult.objects.order_by("pk").first()
    seat = SeatResult.objects.filter(hand_id=hand.pk).order_by("seat").first()
    stranger = SeatResult.objects.exclude(player_id=seat.player_id).order_by("pk").last()
    day = seat.day - timedelta(days=9)
    SeatResult.objects.filter(pk=seat.pk).update(player_id=stranger.player_id, day=day)
    mark_slices(club.pk, {(stranger.player_id, day), (seat.player_id, seat.day)}, 1)
    assert statistics("home") != figures
    assert rebuilt().summary["different"] == 1
    assert statistics("home") == figures


def test_a_hand_of_another_engine_is_scored_anew(club: Club) -> None:
    HandResult.objects.update(engine=0)
    assert rebuilt().summary["different"] == HandResult.objects.count()
    assert set(HandResult.objects.values_list("engine", flat=True)) == {1}


def test_one_club_alone(club: Club, tmp_path: Path) -> None:
    import_file(file_of(tmp_path, many_hands(3), "away.ndjson"), "away")
    SeatResult.objects.update(points=99)
    rebuilt("--club", "away")
    assert {line["club"] for line in rebuilt("--check").lines} == {"home"}


def test_each_hand_is_rebuilt_under_its_lock(club: Club) -> None:
    """A writer holds the hand and puts it right himself: the rebuild waits for him and has nothing to do."""
    stream = Stream.objects.filter(club=club, pk__in=HandResult.objects.values("pk")).first()
    SeatResult.objects.filter(hand_id=stream.pk).update(points=99)
    locked, outcome = Signal(), []

    def rebuilding() -> None:
        try:
            locked.wait(10)
            outcome.append(rebuilt().summary["different"])
        finally:
            connection.close()

    thread = Thread(target=rebuilding)
    thread.start()
    with transaction.atomic():
        lock_stream(club.pk, StreamKey(stream.source, stream.key))
        locked.set()
        time.sleep(0.7)
        assert outcome == [], "it waits"
        rebuild_hand(club, RuleBook(), stream.pk)
        written = set(SeatResult.objects.filter(hand_id=stream.pk).values_list("points", flat=True))
    thread.join(20)
    assert outcome == [0]
    assert set(SeatResult.objects.filter(hand_id=stream.pk).values_list("points", flat=True)) == written


def test_rebuilding_during_an_import_ends_as_from_scratch(tmp_path: Path) -> None:
    """Committed hands are damaged while others come in; rebuilding goes on until the import has ended."""
    Club.objects.create(slug="home", name="Home")
    file = file_of(tmp_path, many_hands(HANDS))
    process, dice, repaired = start_import(file, tmp_path), random.Random(11), 0
    try:
        while process.poll() is None:
            for hand in list(HandResult.objects.order_by("-pk").values_list("pk", flat=True)[:100:40]):
                execute(dice.choice(DAMAGE[:-1]), [hand])
            repaired += rebuilt().summary["different"]
            assert verified().status == 0, "in one state of the database, whatever comes in meanwhile"
            time.sleep(0.05)
    finally:
        output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, (output, errors)
    assert repaired, "there was something to do while hands came in"
    assert (rebuilt("--check").status, verified().status) == (0, 0)
    assert import_file(file, "scratch").counts == (HANDS, 0, 0, 0)
    assert HandResult.objects.filter(club__slug="home").count() == HANDS
    assert PairResult.objects.filter(club__slug="home").exists()
    assert scratch("home") == scratch("scratch")
    assert statistics("home") == statistics("scratch")
