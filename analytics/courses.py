"""How a player's figures ran: month by month, and his points hand by hand with a band around them."""

from dataclasses import dataclass
from datetime import date

import numpy as np

from analytics.breakdowns import BREAKDOWNS, groups, in_month
from analytics.details import EVERY
from analytics.estimates import figure_over
from analytics.filters import HandFilter
from analytics.intervals import ratio_interval
from analytics.metrics import Figure
from analytics.played import PlayedHands
from analytics.sums import Kind
from ofc_hub.clubs.models import Club

RUNNING_POINTS = 200


@dataclass(frozen=True, slots=True)
class TimePoint:
    """A statistic over one month ("2026-03") of the hands."""

    month: str
    figure: Figure
    filter: HandFilter


@dataclass(frozen=True, slots=True)
class RunningPoint:
    """After `hands` boards the player has `points`; `low` to `high` is what chance leaves open.

    The band is the 95 % interval of the points per hand so far, times the hands so far: were it to start
    again, a total within it would be no surprise about the same player. Both None below two clusters.
    """

    hands: int
    day: date
    hand_id: int
    points: int
    low: float | None
    high: float | None


def over_time(
    club: Club, hands: PlayedHands, asked: HandFilter, code: str, kind: Kind = Kind.ALL
) -> tuple[TimePoint, ...]:
    """One declared statistic for each month in which there were hands."""
    months = groups(hands, BREAKDOWNS["month"].values(club, hands))
    return tuple(
        TimePoint(month, figure_over(EVERY[code], kind, some), in_month(asked, month))
        for month, some in months
    )


def running(hands: PlayedHands, limit: int = RUNNING_POINTS) -> tuple[RunningPoint, ...]:
    """The points after at most about `limit` evenly spread boards, the last one always among them."""
    if not len(hands):
        return ()
    count = min(limit, len(hands))
    stops = np.linspace(len(hands) / count, len(hands), count).round().astype(np.int64).tolist()
    return tuple(_at(hands, stop) for stop in stops)


def _at(hands: PlayedHands, stop: int) -> RunningPoint:
    clusters = hands.clusters
    first = np.arange(len(hands)) < stop
    sums = clusters.sums(hands["points"] * first), clusters.sums(first.astype(np.int64))
    interval = ratio_interval(*sums)
    low, high = (interval[0] * stop, interval[1] * stop) if interval else (None, None)
    last = stop - 1
    points = int(sums[0].sum())
    return RunningPoint(stop, hands.texts["day"][last], int(hands["hand_id"][last]), points, low, high)
