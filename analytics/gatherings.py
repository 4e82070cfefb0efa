"""What many players came to together: one evening of the club, one tournament, two players compared."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum

from analytics.filtered import FilteredStatistics, statistics_of
from analytics.filters import HandFilter
from analytics.hand_rows import hands_of
from analytics.head_to_head import Cell
from analytics.models import PlayerDay
from analytics.pair_rows import pairs_of
from analytics.sessions import minutes_played, sessions
from ofc_hub.clubs.models import Club, Player, Tournament
from ofc_hub.hands.models import Completeness
from scoring.models import SeatResult


@dataclass(frozen=True, slots=True)
class Standing:
    """One player of a gathering. `chips` in 1/10,000, None where those of no hand are known.

    `minutes` are known for an evening only. `filter` finds the hands.
    """

    player_id: int
    player: str
    filter: HandFilter
    hands: int
    points: int
    chips: int | None
    fouls: int
    royalties: int
    minutes: float | None = None

    @property
    def points_per_hour(self) -> float | None:
        return self.points * 60 / self.minutes if self.minutes else None


@dataclass(frozen=True, slots=True)
class Gathering:
    """`hands` are hands, not boards; `standings` by points; None for times where nothing was played."""

    code: str
    name: str
    hands: int
    tables: tuple[str, ...]
    began: datetime | None
    last_began: datetime | None
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two players under one filter, and what the first won from the second in the first's hands."""

    first: FilteredStatistics
    second: FilteredStatistics
    between: Cell


def club_day(club: Club, day: date) -> Gathering:
    """An evening: everything that began on one club day."""
    # Whoever played has a slice; with his key the day is found through the index of results.
    players = PlayerDay.objects.filter(club=club, day=day).values_list("player_id", flat=True).distinct()
    results = SeatResult.objects.filter(club=club, player_id__in=list(players), day=day)
    asked = HandFilter(since=day, until=day)
    minutes = {key: _minutes(club, asked.but(players=(key,))) for key in players}
    return _gathering(club, day.isoformat(), day.isoformat(), results, asked, minutes)


def tournament(club: Club, code: str) -> Gathering:
    """Everything that was played in the tournament of this code."""
    name = Tournament.objects.filter(club=club, code=code).values_list("name", flat=True).first()
    results = SeatResult.objects.filter(club=club, tournament=code)
    return _gathering(club, code, name or code, results, HandFilter(tournaments=(code,)), {})


def compare(club: Club, first: int, second: int, asked: HandFilter) -> Comparison:
    """Two players (by key) over the hands that `asked` asks for, whoever it names."""
    one, other = (asked.but(players=(key,)) for key in (first, second))
    hands = hands_of(club, one)
    pairs = pairs_of(club, one, hands)
    with_second = pairs["opponent"] == second
    met = Cell(int(with_second.sum()), int(pairs["points"][with_second].sum()))
    return Comparison(statistics_of(hands), statistics_of(hands_of(club, other)), met)


def _minutes(club: Club, asked: HandFilter) -> float | None:
    return minutes_played(sessions(hands_of(club, asked))) or None


def _gathering(
    club: Club,
    code: str,
    name: str,
    results: QuerySet[SeatResult],
    asked: HandFilter,
    minutes: dict[int, float | None],
) -> Gathering:
    whole = results.aggregate(
        hands=Count("hand_id", distinct=True), began=Min("played_at"), last_began=Max("played_at")
    )
    tables = sorted(set(results.values_list("table", flat=True).distinct()) - {""})
    standings = sorted(_standings(club, results, asked, minutes), key=lambda one: (-one.points, one.player))
    return Gathering(
        code, name, whole["hands"], tuple(tables), whole["began"], whole["last_began"], tuple(standings)
    )


def _standings(
    club: Club, results: QuerySet[SeatResult], asked: HandFilter, minutes: dict[int, float | None]
) -> Iterable[Standing]:
    known = ~Q(completeness=Completeness.RESULT)
    sums = results.values("player_id").annotate(
        hands=Count("hand_id"),
        won=Sum("points"),
        paid=Sum("chips"),
        fouled=Count("hand_id", filter=known & Q(foul=True)),
        # Null where only the result is known, and so not added.
        royalties=Sum(F("royalties_top") + F("royalties_middle") + F("royalties_bottom"), default=0),
    )
    rows = list(sums)
    players = Player.objects.filter(club=club).in_bulk([row["player_id"] for row in rows])
    for row in rows:
        key = row["player_id"]
        yield Standing(
            key,
            str(players[key]),
            asked.but(players=(key,)),
            row["hands"],
            int(row["won"]),
            None if row["paid"] is None else int(row["paid"]),
            row["fouled"],
            int(row["royalties"]),
            minutes.get(key),
        )
