"""Hands as lines of a list: when, where, under which rules, and what each seat made of it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ofc_hub.clubs.models import Club
from ofc_hub.hands.models import Hand
from scoring.models import SeatResult


@dataclass(frozen=True, slots=True)
class SeatLine:
    """`own` marks the seat of the player whose page it is."""

    name: str
    own: bool
    points: int
    foul: bool
    next_fantasyland: int


@dataclass(frozen=True, slots=True)
class HandLine:
    """`word` says why there are no seats with points."""

    id: int
    key: str
    played_at: str
    table: str
    rules: str
    seats: tuple[SeatLine, ...]
    word: str


def local_time(moment: datetime, club: Club) -> str:
    """The moment in the club's own time zone."""
    # Translators: the letters of Django's `date` filter
    written = pgettext("format of a date and time", "j M Y, H:i")
    return date_format(moment.astimezone(ZoneInfo(club.time_zone)), written)


def day_text(day: date) -> str:
    """A day, or the day of a moment, as the language writes it."""
    return date_format(day, pgettext("format of a date", "j M Y"))


def newest_first(club: Club) -> QuerySet[Hand]:
    hands = Hand.objects.filter(club=club).select_related("rule_set")
    return hands.defer("rule_set__data", "content").order_by("-played_at", "-number", "-key")


def before(hand: Hand) -> Q:
    """The hands that stand before this one in the order (played_at, number, key)."""
    earlier = Q(played_at=hand.played_at, number__lt=hand.number)
    tied = Q(played_at=hand.played_at, number=hand.number, key__lt=hand.key)
    # The first condition is implied by the others; it is what an index can be searched by.
    return Q(played_at__lte=hand.played_at) & (Q(played_at__lt=hand.played_at) | earlier | tied)


def after(hand: Hand) -> Q:
    """The hands that stand after this one."""
    later = Q(played_at=hand.played_at, number__gt=hand.number)
    tied = Q(played_at=hand.played_at, number=hand.number, key__gt=hand.key)
    return Q(played_at__gte=hand.played_at) & (Q(played_at__gt=hand.played_at) | later | tied)


def lines_of(club: Club, hands: Sequence[Hand], own: int | None = None) -> list[HandLine]:
    """One query for the seats of all hands; `own` is the id of a player whose seats are marked."""
    seats = _seats([hand.pk for hand in hands])
    return [_line(club, hand, seats.get(hand.pk, ()), own) for hand in hands]


def _line(club: Club, hand: Hand, seats: Iterable[SeatResult], own: int | None) -> HandLine:
    shown = () if hand.voided else tuple(_seat_line(seat, own) for seat in seats)
    return HandLine(
        id=hand.pk,
        key=hand.key,
        played_at=local_time(hand.played_at, club),
        table=hand.table,
        rules=hand.rule_set.code,
        seats=shown,
        word="" if shown else state_word(hand),
    )


def _seat_line(seat: SeatResult, own: int | None) -> SeatLine:
    return SeatLine(str(seat.player), seat.player_id == own, seat.points, seat.foul, seat.next_fantasyland)


def state_word(hand: Hand) -> str:
    """Why a hand has no result."""
    if hand.voided:
        return _("voided")
    if hand.problem:
        return _("cannot be replayed")
    return _("not complete yet")


def _seats(hands: list[int]) -> dict[int, list[SeatResult]]:
    seats: dict[int, list[SeatResult]] = defaultdict(list)
    results = (
        SeatResult.objects.filter(hand_id__in=hands).select_related("player").order_by("hand_id", "place")
    )
    for result in results:
        seats[result.hand_id].append(result)
    return seats
