"""What the pages of a club show: its leaderboard, its hands, and how far the figures are complete."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analytics.metrics import Figure
from analytics.selectors import AsOf, Statistics, leaderboard
from ofc_hub.clubs.models import Club, Player
from ofc_hub.clubs.selectors import Viewer, visible_clubs
from ofc_hub.hands.models import Hand
from ofc_hub.hands.quarantine import Excluded, excluded_hands
from ofc_hub.web.figure_lines import SCARCE, interval_text, value_text
from ofc_hub.web.figures_text import number_text
from ofc_hub.web.hand_lines import HandLine, before, lines_of, newest_first

LEADERS = 50
LATEST = 12
PAGE = 50


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval drawn on 120 units, the same scale for every line of a table."""

    zero: float
    low: float
    mean: float
    high: float


@dataclass(frozen=True, slots=True)
class Leader:
    player_id: int
    name: str
    hands: int
    points: int
    per_hand: str
    interval: str
    bar: Bar | None
    royalties: str
    fouls: str
    entries: str
    scarce: bool


@dataclass(frozen=True, slots=True)
class ClubPage:
    facts: tuple[str, ...]
    leaders: list[Leader]
    hands: list[HandLine]
    as_of: str
    excluded: list[Excluded]


@dataclass(frozen=True, slots=True)
class HandsPage:
    """`older` is the id of the last hand shown if there are hands before it."""

    hands: list[HandLine]
    before: int | None
    older: int | None


def home(viewer: Viewer) -> QuerySet[Club]:
    """The clubs that the viewer may see, each with its number of players and its last hand."""
    players = Player.objects.filter(club=OuterRef("pk")).order_by().values("club")
    hands = Hand.objects.filter(club=OuterRef("pk")).order_by("-played_at")
    return visible_clubs(viewer).annotate(
        player_count=Coalesce(Subquery(players.annotate(count=Count("pk")).values("count")), 0),
        last_played=Subquery(hands.values("played_at")[:1]),
    )


def club_page(club: Club, reach: AsOf) -> ClubPage:
    """`reach`, how far the statistics are complete, was found out before they are read here."""
    statistics = leaderboard(club, LEADERS)
    hands = list(newest_first(club)[:LATEST])
    return ClubPage(
        facts=_facts(club, statistics),
        leaders=_leaders(statistics),
        hands=lines_of(club, hands),
        as_of=as_of_text(reach),
        excluded=excluded_hands(club.pk),
    )


def hands_page(club: Club, before_id: int | None) -> HandsPage | None:
    """A page of hands, newest first; None where the hand to begin before is not the club's."""
    hands = newest_first(club)
    if before_id is not None:
        first = Hand.objects.filter(club=club, pk=before_id).first()
        if first is None:
            return None
        hands = hands.filter(before(first))
    shown = list(hands[: PAGE + 1])
    more = len(shown) > PAGE
    return HandsPage(lines_of(club, shown[:PAGE]), before_id, shown[PAGE - 1].pk if more else None)


def as_of_text(reach: AsOf) -> str:
    """How far the figures of a page are complete, in words."""
    position = number_text(reach.position)
    if reach.position == reach.head:
        return _("As of position %(position)s of the log, its last.") % {"position": position}
    text = _("As of position %(position)s of the log; %(waiting)s newer ones are being counted.")
    return text % {"position": position, "waiting": number_text(reach.head - reach.position)}


def _facts(club: Club, statistics: Sequence[Statistics]) -> tuple[str, ...]:
    count = len(statistics)
    people = ngettext("%(count)s player with results", "%(count)s players with results", count)
    return (
        people % {"count": count},
        _("days begin at %(hour)02d:00, %(zone)s") % {"hour": club.day_start, "zone": club.time_zone},
    )


def _leaders(statistics: Sequence[Statistics]) -> list[Leader]:
    means = [line.points_per_hand for line in statistics]
    low, high = _span(means)
    return [
        Leader(
            player_id=line.player_id,
            name=line.player,
            hands=line.hands,
            points=line.points,
            per_hand=value_text(mean),
            interval=interval_text(mean),
            bar=_bar(mean, low, high),
            royalties=value_text(line.figure("royalties-per-hand")),
            fouls=value_text(line.fouls),
            entries=value_text(line.fantasyland_entries),
            scarce=mean.n < SCARCE,
        )
        for line, mean in zip(statistics, means, strict=True)
    ]


def _span(means: Sequence[Figure]) -> tuple[float, float]:
    """The scale that holds zero and every interval that is not too wide to say anything."""
    ends = [end for mean in means if mean.interval and mean.n >= SCARCE for end in mean.interval]
    return min([0.0, *ends]), max([0.0, *ends])


def _bar(mean: Figure, low: float, high: float) -> Bar | None:
    if mean.interval is None or mean.value is None or mean.n < SCARCE or high == low:
        return None

    def place(value: float) -> float:
        return round(4 + 112 * (value - low) / (high - low), 1)

    return Bar(place(0), place(mean.interval[0]), place(mean.value), place(mean.interval[1]))
