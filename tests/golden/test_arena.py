"""Hands with an outside engine's own results, and the vectors' hands, through the store and back."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ofc_hub.hands.models import Hand
from scoring.domain.amounts import format_amount
from scoring.models import PairResult, SeatResult
from tests.imports import (
    SAMPLES,
    assert_whole,
    export,
    file_of,
    import_file,
    pair_results,
    read_lines,
    results,
)
from tests.shared import shared_file
from tests.workers import ROOT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.n_plus_one_allowed]

Document = dict[str, Any]
PLAYED = {"samples": lambda: SAMPLES, "arena": lambda: shared_file("arena.ndjson")}
VECTORS = {
    "fixture": lambda: ROOT / "tests" / "fixtures" / "vectors.ndjson",
    "handed": lambda: shared_file("vectors.ndjson"),
}


@pytest.mark.parametrize("find", PLAYED.values(), ids=PLAYED)
def test_played_hands_agree_with_their_claims_and_come_back_the_same(
    find: Callable[[], Path], tmp_path: Path
) -> None:
    hands = read_lines(find())
    imported = import_file(find(), "one", report=tmp_path / "report")
    assert (imported.status, imported.counts) == (0, (len(hands), 0, 0, 0))
    assert imported.summary["differences"] == 0
    assert stored_points() == {
        (hand["source"], hand["hand"], int(seat)): (claim["points"], claim["foul"], claim["next_fantasyland"])
        for hand in hands
        for seat, claim in hand["claimed"].items()
    }
    file = export("one", folder=tmp_path)
    again = import_file(file, "two")
    assert (again.status, again.counts, again.summary["differences"]) == (0, (len(hands), 0, 0, 0), 0)
    assert_whole("two")
    assert export("two", folder=tmp_path).read_bytes() == file.read_bytes()
    assert results("one") == results("two")
    assert pair_results("one") == pair_results("two")


def stored_points() -> dict[tuple[str, str, int], tuple[int, bool, int]]:
    keys = {pk: (source, key) for pk, source, key in Hand.objects.values_list("pk", "stream__source", "key")}
    rows = SeatResult.objects.values_list("hand_id", "seat", "points", "foul", "next_fantasyland")
    return {(*keys[hand], seat): tuple(rest) for hand, seat, *rest in rows}


@pytest.mark.parametrize("find", VECTORS.values(), ids=VECTORS)
def test_the_store_holds_what_the_vectors_expect(find: Callable[[], Path], tmp_path: Path) -> None:
    vectors = read_lines(find())
    imported = import_file(file_of(tmp_path, [vector["hand"] for vector in vectors]))
    assert imported.counts == (len(vectors), 0, 0, 0)
    seats, pairs = stored_seats(), stored_pairs()
    for vector in vectors:
        key = vector["hand"]["hand"]
        assert seats[key] == vector["expected"]["seats"], key
        assert sorted(pairs[key], key=str) == sorted(vector["expected"]["pairs"], key=str), key


def stored_seats() -> dict[str, list[Document]]:
    seats: dict[str, list[Document]] = {}
    for row in SeatResult.objects.order_by("key", "seat"):
        royalties = {name: getattr(row, f"royalties_{name}") for name in ("top", "middle", "bottom")}
        written = {
            "seat": row.seat,
            "foul": row.foul,
            "royalties": royalties,
            "points": row.points,
            "chips": _amount(row.chips),
            "next_fantasyland": row.next_fantasyland,
        }
        seats.setdefault(row.key, []).append(written)
    return seats


def stored_pairs() -> dict[str, list[Document]]:
    keys = dict(Hand.objects.values_list("pk", "key"))
    pairs: dict[str, list[Document]] = {}
    for row in PairResult.objects.all():
        written = {
            "a": row.a,
            "b": row.b,
            "rows": [row.row_top, row.row_middle, row.row_bottom],
            "bonus": row.bonus,
            "royalties": row.royalties,
            "moon": row.moon,
            "points": row.points,
            "chips": _amount(row.chips),
        }
        pairs.setdefault(keys[row.hand_id], []).append(written)
    return pairs


def _amount(units: int | None) -> str | None:
    return None if units is None else format_amount(units)
