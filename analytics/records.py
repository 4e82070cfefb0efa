"""The records of a club: the best hand, the best evening and the like."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import F, Q, QuerySet, Sum
from django.utils.translation import gettext_noop

from analytics.filters import HandFilter
from analytics.models import PlayerDay
from ofc_hub.clubs.models import Club, Player
from ofc_hub.hands.models import Completeness
from scoring.models import SeatResult


@dataclass(frozen=True, slots=True)
class Record:
    """Who holds it, how much it is, when; `hand_id` of a record of one hand, else `filter` finds its hands.

    `name` and `unit` are marked for translation. Of equals the earliest holds the record.
    """

    code: str
    name: str
    unit: str
    player_id: int
    player: str
    value: int
    day: date
    hand_id: int | None
    filter: HandFilter


_ROYALTIES = F("royalties_top") + F("royalties_middle") + F("royalties_bottom")
_LEGAL = ~Q(completeness=Completeness.RESULT) & Q(foul=False)
# Code, name, unit, what is greatest, among which.
_OF_HANDS: tuple[tuple[str, str, str, Any, Q], ...] = (
    ("best-hand", gettext_noop("Most points in a hand"), gettext_noop("points"), F("points"), Q()),
    ("royalties", gettext_noop("Most royalties in a hand"), gettext_noop("points"), _ROYALTIES, _LEGAL),
)
_OF_DAYS: tuple[tuple[str, str, str, Any], ...] = (
    ("best-day", gettext_noop("Most points on a day"), gettext_noop("points"), Sum("points")),
    ("longest-day", gettext_noop("Most hands on a day"), gettext_noop("hands"), Sum("hands")),
)


def records(club: Club) -> tuple[Record, ...]:
    """Every record that somebody holds, in the order declared."""
    found = [_of_hand(club, *declared) for declared in _OF_HANDS] + [
        _of_day(club, *declared) for declared in _OF_DAYS
    ]
    held = [(start, row) for start, row in found if row]
    players = Player.objects.filter(club=club).in_bulk([row["player_id"] for _, row in held])
    return tuple(_record(start, row, players) for start, row in held)


Found = tuple[tuple[str, str, str], dict[str, Any] | None]


def _of_hand(club: Club, code: str, name: str, unit: str, greatest: Any, among: Q) -> Found:
    results = SeatResult.objects.filter(among, club=club).annotate(value=greatest)
    return (code, name, unit), _first(results, "played_at", "number", "key", "seat", more=("hand_id",))


def _of_day(club: Club, code: str, name: str, unit: str, greatest: Any) -> Found:
    days = PlayerDay.objects.filter(club=club).values("player_id", "day").annotate(value=greatest)
    return (code, name, unit), _first(days, "player_id")


def _first(rows: QuerySet[Any, Any], *order: str, more: tuple[str, ...] = ()) -> dict[str, Any] | None:
    found: dict[str, Any] | None = (
        rows.order_by("-value", "day", *order).values("player_id", "day", "value", *more).first()
    )
    return found


def _record(start: tuple[str, str, str], row: Mapping[str, Any], players: Mapping[int, Player]) -> Record:
    key, day = row["player_id"], row["day"]
    asked = HandFilter(players=(key,), since=day, until=day)
    return Record(*start, key, str(players[key]), int(row["value"]), day, row.get("hand_id"), asked)
