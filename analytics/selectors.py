"""What pages, commands and files read of the statistics: slices only, never single hands.

The caller has found the club through `clubs.selectors` and so may see it.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from operator import attrgetter
from typing import Any, cast

import numpy as np
import pandas as pd
from django.db.models import Min, QuerySet, Sum

from analytics.metrics import BY_CODE, Figure, figure_of, figures_of
from analytics.models import DayCurve, PlayerDay
from analytics.played import ENOUGH_DAYS
from analytics.sums import SUM_NAMES, Kind, Sums
from ofc_hub.clubs.models import Club, Player
from ofc_hub.hands.reading import head_position
from scoring.models import SliceToDo

CURVE_POINTS = 500
WAIT_SECONDS = 2.0
# A worker needs some tens of milliseconds from a commit to its slices; each look is one query.
FIRST_LOOK_SECONDS = 0.01
LATER_LOOKS_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class AsOf:
    """Statistics are complete up to `position` of the club's log, whose last position is `head`."""

    position: int
    head: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """One player's figures; `by_kind` are the sums that they come from.

    `days`: for each kind the same sums as arrays by club day, where he has ENOUGH_DAYS of them and they were
    asked for; else means take hands as independent of each other.
    """

    player_id: int
    player: str
    by_kind: dict[Kind, Sums] = field(repr=False)
    days: dict[Kind, Sums] = field(default_factory=dict, repr=False, compare=False)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Every declared statistic for every kind of hands it is declared for, in the order declared."""
        return figures_of(self.by_kind, self.days)

    def figure(self, code: str, kind: Kind = Kind.ALL) -> Figure:
        """The statistic `code` over hands of `kind`; KeyError for a code that is not declared."""
        return figure_of(BY_CODE[code], kind, self.sums(kind), self.days.get(kind))

    def sums(self, kind: Kind = Kind.ALL) -> Sums:
        if kind is not Kind.ALL:
            return self.by_kind.get(kind, Sums())
        first, *more = self.by_kind.values() or (Sums(),)
        return sum(more, first)

    @property
    def hands(self) -> int:
        return self.sums().hands

    @property
    def points(self) -> int:
        return self.sums().points

    @property
    def points_per_hand(self) -> Figure:
        return self.figure("points-per-hand")

    @property
    def fouls(self) -> Figure:
        return self.figure("fouls")

    @property
    def fantasyland_entries(self) -> Figure:
        return self.figure("fantasyland-entries", Kind.NORMAL)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """After `hands` hands, the last of them on `day`, the player stands at `points`."""

    day: date
    hands: int
    points: int


def as_of(club: Club) -> AsOf:
    """How far the statistics are complete. Ask before reading figures: they may be newer, never older.

    The head is read first: whatever it covers was committed with its to-do rows, and the second query
    finds those that have not been worked off.
    """
    head = head_position(club.pk)
    oldest = SliceToDo.objects.filter(club=club).aggregate(oldest=Min("position"))["oldest"]
    return AsOf(head if oldest is None else min(oldest - 1, head), head)


def complete_up_to(club: Club) -> int:
    """The position of the club's log up to which its statistics are complete."""
    return as_of(club).position


def wait_for(club: Club, position: int, seconds: float = WAIT_SECONDS) -> AsOf:
    """How far the statistics are complete, when that is up to `position`, or after `seconds`.

    For whoever wrote and now reads: each write tells its position. Waits WAIT_SECONDS at most, and not at all
    for a position beyond the log's head, which no write can have told.
    """
    reach = as_of(club)
    if not reach.position < position <= reach.head:
        return reach
    end, pause = time.monotonic() + min(seconds, WAIT_SECONDS), FIRST_LOOK_SECONDS
    missing = SliceToDo.objects.filter(club=club, position__lte=position)
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(pause, left))
        if not missing.exists():
            break
        pause = min(2 * pause, LATER_LOOKS_SECONDS)
    return as_of(club)


def player_statistics(club: Club, player: Player) -> Statistics:
    """All figures of one player; all zero where no hand of his has been scored."""
    slices = PlayerDay.objects.filter(club=club, player=player).values_list("kind", "day", *SUM_NAMES)
    by_kind: dict[Kind, dict[date, Sums]] = {}
    for kind, day, *sums in slices:
        by_kind.setdefault(Kind(kind), {})[day] = Sums(*sums)
    totals = {kind: sum(of_day.values(), Sums()) for kind, of_day in by_kind.items()}
    return Statistics(player.pk, str(player), totals, _by_day(by_kind))


def _by_day(by_kind: Mapping[Kind, Mapping[date, Sums]]) -> dict[Kind, Sums]:
    """For each kind the sums of every club day as arrays; nothing below ENOUGH_DAYS."""
    days = sorted(set().union(*by_kind.values()))
    if len(days) < ENOUGH_DAYS:
        return {}
    arrays = {kind: _arrays([of_day.get(day, Sums()) for day in days]) for kind, of_day in by_kind.items()}
    return arrays | {Kind.ALL: sum(arrays.values(), Sums())}


def _arrays(slices: Iterable[Sums]) -> Sums:
    """The fields of many sums as arrays in the fields of one: the arithmetic of statistics is the same."""
    rows = [[getattr(sums, name) for name in SUM_NAMES] for sums in slices]
    return Sums(*cast(list[int], list(np.array(rows, dtype=np.int64).T)))


def leaderboard(club: Club, limit: int | None = None) -> list[Statistics]:
    """The club's players who have played, by points won; equal points by name."""
    by_player: dict[int, dict[Kind, Sums]] = {}
    for row in _summed(PlayerDay.objects.filter(club=club), "player_id", "kind"):
        by_player.setdefault(row["player_id"], {})[Kind(row["kind"])] = _sums(row)
    players = Player.objects.in_bulk(by_player)
    lines = [Statistics(key, str(players[key]), by_kind) for key, by_kind in by_player.items()]
    return sorted(sorted(lines, key=attrgetter("player")), key=attrgetter("points"), reverse=True)[:limit]


def cumulative_points(club: Club, player: Player, limit: int = CURVE_POINTS) -> list[CurvePoint]:
    """How the player's points ran: at most about `limit` points, the last one always among them."""
    days = DayCurve.objects.filter(club=club, player=player).order_by("day").values_list("day", "samples")
    curve = list(_joined(days))
    step = -(-len(curve) // limit) or 1
    return curve[::-1][::step][::-1]


def curve_frame(curves: Mapping[Player, Iterable[CurvePoint]]) -> pd.DataFrame:
    """The curves of some players as the frame that `figures.cumulative_points` draws."""
    rows = [
        (player.pk, str(player), point.day, point.hands, point.points)
        for player, curve in curves.items()
        for point in curve
    ]
    return pd.DataFrame.from_records(rows, columns=["player_id", "player", "day", "hands", "points"])


def _joined(days: Iterable[tuple[date, list[list[int]]]]) -> Iterable[CurvePoint]:
    hands = points = 0
    for day, samples in days:
        yield from (CurvePoint(day, hands + more, points + won) for more, won in samples)
        if samples:
            hands, points = hands + samples[-1][0], points + samples[-1][1]


def _summed(slices: QuerySet[PlayerDay], *by: str) -> Iterable[dict[str, Any]]:
    # A trailing underscore: an annotation may not have the name of a column.
    return slices.values(*by).annotate(**{f"{name}_": Sum(name) for name in SUM_NAMES})


def _sums(row: dict[str, Any]) -> Sums:
    # PostgreSQL adds BIGINT up to NUMERIC.
    return Sums(*(int(row[f"{name}_"]) for name in SUM_NAMES))
