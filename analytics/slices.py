"""Recompute the slices that the to-do rows name: read whole, written whole, as often as one likes.

A slice is one player's club day. Its row lock (`DayCurve`) is taken before its results are read: without it
a worker that read first and wrote last would put an older day over a newer one.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, cast

import numpy as np
from django.db import transaction
from django.db.models import BigIntegerField, Case, Count, F, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Cast, Coalesce

from analytics.models import DayCurve, PlayerDay
from analytics.sums import SUM_NAMES, Kind
from ofc_hub.hands.models import Completeness
from scoring.models import SeatResult, SliceToDo

# One transaction's worth: on SQLite it keeps other writers waiting, on PostgreSQL it holds row locks.
TO_DO_ROWS = 1000
SLICES = 25
SAMPLES_A_DAY = 50


class Slice(NamedTuple):
    """Sorted as they are locked, so that two workers never wait for each other."""

    club_id: int
    player_id: int
    day: date


def recompute_some(club_id: int | None = None) -> int:
    """Recompute the slices of the oldest to-do rows (of one club); how many, 0 when none is left to take.

    The rows taken, and no others, are deleted in the same transaction: a row written meanwhile stays, and a
    worker that dies leaves them all.
    """
    if not _to_do(club_id).exists():
        return 0
    with transaction.atomic():
        rows = _take(club_id)
        slices = sorted(set(rows.values()))
        for (club, player), days in _by_player(slices):
            _lock(club, player, days)
        for (club, player), days in _by_player(slices):
            _rewrite(club, player, days)
        SliceToDo.objects.filter(pk__in=list(rows)).delete()
    return len(slices)


def _to_do(club_id: int | None) -> QuerySet[SliceToDo]:
    return SliceToDo.objects.all() if club_id is None else SliceToDo.objects.filter(club_id=club_id)


def _take(club_id: int | None) -> dict[int, Slice]:
    """The oldest to-do rows that no other worker holds, by their key; at most SLICES different slices."""
    held = _to_do(club_id).select_for_update(skip_locked=True).order_by("pk")
    rows = held.values_list("pk", "club_id", "player_id", "day")[:TO_DO_ROWS]
    taken: dict[int, Slice] = {}
    slices: set[Slice] = set()
    for key, club, player, day in rows:
        slice_ = Slice(club, player, day)
        if slice_ in slices or len(slices) < SLICES:
            slices.add(slice_)
            taken[key] = slice_
    return taken


def _by_player(slices: Iterable[Slice]) -> Iterator[tuple[tuple[int, int], list[date]]]:
    for player, group in groupby(slices, key=lambda slice_: (slice_.club_id, slice_.player_id)):
        yield player, [slice_.day for slice_ in group]


def _lock(club_id: int, player_id: int, days: list[date]) -> None:
    new = [DayCurve(club_id=club_id, player_id=player_id, day=day) for day in days]
    DayCurve.objects.bulk_create(new, ignore_conflicts=True)
    rows = DayCurve.objects.filter(club_id=club_id, player_id=player_id, day__in=days)
    list(rows.select_for_update().order_by("day").values_list("day"))


def _rewrite(club_id: int, player_id: int, days: list[date]) -> None:
    place = {"club_id": club_id, "player_id": player_id}
    results = SeatResult.objects.filter(**place, day__in=days)
    PlayerDay.objects.filter(**place, day__in=days).delete()
    PlayerDay.objects.bulk_create(PlayerDay(**place, **sums) for sums in day_sums(results))
    curves = day_curves(results)
    DayCurve.objects.bulk_create(
        [DayCurve(**place, day=day, samples=curves.get(day, [])) for day in days],
        update_conflicts=True,
        unique_fields=["club", "player", "day"],
        update_fields=["samples"],
    )


# --- What is summed -------------------------------------------------------------------------------------

_BOARDS = ~Q(completeness=Completeness.RESULT)
_TOTAL = F("royalties_top") + F("royalties_middle") + F("royalties_bottom")


def _sum(expression: Any, among: Q | None = None) -> Coalesce:
    return Coalesce(Sum(expression, filter=among, output_field=BigIntegerField()), Value(0))


def _number(among: Q) -> Count:
    return Count("hand_id", filter=among)


_SUMS: dict[str, Any] = {
    "hands": Count("hand_id"),
    "result_hands": _number(~_BOARDS),
    "fantasyland_hands": _number(Q(fantasyland__gt=0)),
    "points": _sum("points"),
    # Points fit four bytes, their square may not.
    "points_squared": _sum(Cast("points", BigIntegerField()) * F("points")),
    "ruled_points": _sum("ruled_points"),
    "royalties_squared": _sum(_TOTAL * _TOTAL, _BOARDS),
    "fouls": _number(_BOARDS & Q(foul=True)),
    "dead": _number(_BOARDS & Q(dead=True)),
    "next_fantasyland": _number(_BOARDS & Q(next_fantasyland__gt=0)),
}
for _row in ("royalties_top", "royalties_middle", "royalties_bottom"):
    _SUMS |= {_row: _sum(_row, _BOARDS), f"{_row}_squared": _sum(F(_row) * F(_row), _BOARDS)}
_SUMS |= {name: _sum(name, _BOARDS) for name in SUM_NAMES if name not in _SUMS}

_KIND = Case(When(fantasyland__gt=0, then=Value(Kind.FANTASYLAND.value)), default=Value(Kind.NORMAL.value))


def day_sums(results: QuerySet[SeatResult]) -> Iterator[dict[str, Any]]:
    """The sums of one player's results by day and kind; the database adds up, not one row comes out."""
    sums_of: dict[str, Any] = {f"{name}_": _SUMS[name] for name in SUM_NAMES}
    rows = results.values("day", kind_=_KIND).annotate(**sums_of).order_by("day")
    for row in cast("Iterator[dict[str, Any]]", rows.iterator()):
        sums = {name: row[f"{name}_"] for name in SUM_NAMES}
        yield {"day": row["day"], "kind": row["kind_"], **sums}


def day_curves(results: QuerySet[SeatResult]) -> dict[date, list[list[int]]]:
    """For each day at most SAMPLES_A_DAY pairs (hands, points) since its beginning, in the order of play."""
    rows = results.order_by("day", "played_at", "number", "key", "seat").values_list("day", "points")
    curves: dict[date, list[list[int]]] = defaultdict(list)
    for day, group in groupby(rows.iterator(chunk_size=5000), key=itemgetter(0)):
        curves[day] = thinned([points for _, points in group])
    return curves


def thinned(points: list[int]) -> list[list[int]]:
    """Running sums of `points` at evenly spread hands, the last one always among them."""
    running = np.cumsum(np.asarray(points, dtype=np.int64))
    count = min(len(points), SAMPLES_A_DAY)
    hands = np.linspace(len(points) / count, len(points), count).round().astype(np.int64)
    return np.column_stack([hands, running[hands - 1]]).tolist()
