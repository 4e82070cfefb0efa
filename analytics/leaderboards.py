"""The players of a club in order: by points, by points per hand, or by what is sure of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf, sqrt

from django.db import connection

from analytics.intervals import Interval, student_t_975
from analytics.metrics import Figure
from analytics.models import PlayerDay
from analytics.played import ENOUGH_DAYS
from analytics.selectors import Statistics, leaderboard
from ofc_hub.clubs.models import Club

# With fewer hands than this a player is not in the ranking.
MINIMUM = 50


class Order(StrEnum):
    """LOWER_BOUND: by the lower end of the interval of the points per hand, so that few hands do not win."""

    POINTS = "points"
    POINTS_PER_HAND = "points-per-hand"
    LOWER_BOUND = "lower-bound"


@dataclass(frozen=True, slots=True)
class RankedLine:
    """`per_hand` has the interval over club days where the player has enough of them, else that of hands."""

    rank: int
    statistics: Statistics
    per_hand: Figure

    @property
    def lower(self) -> float:
        """The lower end of the interval; minus infinity without one."""
        return self.per_hand.interval[0] if self.per_hand.interval else -inf


@dataclass(frozen=True, slots=True)
class Ranking:
    """`left_out` players have played fewer than `minimum` hands."""

    lines: tuple[RankedLine, ...]
    minimum: int
    left_out: int


def ranked(
    club: Club, minimum: int = MINIMUM, order: Order = Order.POINTS, limit: int | None = None
) -> Ranking:
    """The ranking from slices. Ranks count from 1; players who are equal follow each other by name."""
    every = leaderboard(club)
    over_days = _day_intervals(club)
    lines = [_line(one, over_days.get(one.player_id)) for one in every if one.hands >= minimum]
    lines.sort(key=lambda line: line.statistics.player)
    lines.sort(key=_KEYS[order], reverse=True)
    in_order = tuple(replace(line, rank=rank) for rank, line in enumerate(lines[:limit], start=1))
    return Ranking(in_order, minimum, len(every) - len(lines))


_KEYS: dict[Order, Callable[[RankedLine], float]] = {
    Order.POINTS: lambda line: line.statistics.points,
    Order.POINTS_PER_HAND: lambda line: line.per_hand.value or 0.0,
    Order.LOWER_BOUND: lambda line: line.lower,
}


def _line(statistics: Statistics, over_days: Interval | None) -> RankedLine:
    figure = statistics.points_per_hand
    return RankedLine(0, statistics, replace(figure, interval=over_days) if over_days else figure)


def _day_intervals(club: Club) -> dict[int, Interval]:
    """The interval over club days of each player who has ENOUGH_DAYS of them; one query."""
    with connection.cursor() as cursor:
        cursor.execute(_SQL, [club.pk, ENOUGH_DAYS])
        return {key: day_interval(*map(int, sums)) for key, *sums in cursor.fetchall()}


def day_interval(
    days: int, points: int, hands: int, points_squared: int, both: int, hands_squared: int
) -> Interval:
    """The interval of points per hand from sums over days: of points, hands, their squares and product.

    That of `intervals.ratio_interval` with a day as a cluster, written out so that a database can add up.
    """
    mean = points / hands
    # hands² x the sum of (day's points - mean x day's hands)², in whole numbers: floats would lose digits.
    residuals = points_squared * hands**2 - 2 * points * hands * both + points**2 * hands_squared
    half = student_t_975(days - 1) * sqrt(residuals * days / (days - 1)) / hands**2
    return mean - half, mean + half


# The name of a table, nothing that anybody typed. Sums of BIGINT are NUMERIC on PostgreSQL, which is slow.
_SQL = f"""
SELECT player_id, COUNT(*), SUM(won), SUM(played), SUM(won * won), SUM(won * played), SUM(played * played)
FROM (
    SELECT player_id, CAST(SUM(points) AS BIGINT) AS won, CAST(SUM(hands) AS BIGINT) AS played
    FROM {PlayerDay._meta.db_table} WHERE club_id = %s GROUP BY player_id, day
) AS days
GROUP BY player_id HAVING COUNT(*) >= %s
"""  # noqa: S608
