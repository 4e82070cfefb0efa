"""What a player's page shows: his figures, the curve of his points, and his latest hands."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analytics.figures import CurveWords
from analytics.figures import cumulative_points as points_figure
from analytics.metrics import Figure
from analytics.selectors import AsOf, Statistics, cumulative_points, player_statistics
from analytics.sums import Kind
from ofc_hub.clubs.models import Club, Player
from ofc_hub.hands.models import Hand
from ofc_hub.hands.quarantine import Excluded, excluded_hands
from ofc_hub.web.club_page import as_of_text
from ofc_hub.web.figure_lines import (
    FEW,
    SCARCE,
    FigureLine,
    counts_text,
    interval_text,
    value_text,
)
from ofc_hub.web.figure_lines import lines_of as figure_lines_of
from ofc_hub.web.figures_text import THIN_SPACE, decimal_sign, number_text, signed_text, tone_of
from ofc_hub.web.hand_lines import HandLine, local_time, newest_first
from ofc_hub.web.hand_lines import lines_of as hand_lines_of
from scoring.models import SeatResult

LATEST = 20


@dataclass(frozen=True, slots=True)
class Key:
    """One of the figures that stand large above the rest."""

    name: str
    value: str
    note: str
    tone: str = ""
    scarce: bool = False


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """`ready` is False while the statistics of his first hands are being computed."""

    player_id: int
    name: str
    facts: tuple[str, ...]
    keys: tuple[Key, ...]
    lines: list[FigureLine]
    hands: list[HandLine]
    hands_text: str
    chart_text: str
    as_of: str
    ready: bool
    excluded: list[Excluded]
    few: int = FEW
    scarce: int = SCARCE


def find_player(club: Club, player_id: int) -> Player | None:
    return Player.objects.filter(club=club, pk=player_id).first()


def player_page(club: Club, player: Player, reach: AsOf) -> PlayerPage:
    """`reach`, how far the statistics are complete, was found out before they are read here."""
    statistics = player_statistics(club, player)
    hands = _latest(club, player)
    hands_text = ngettext("n = %(count)s hand", "n = %(count)s hands", statistics.hands)
    return PlayerPage(
        player_id=player.pk,
        name=str(player),
        facts=_facts(club, hands),
        keys=_keys(statistics),
        lines=figure_lines_of(statistics.figures),
        hands=hand_lines_of(club, hands, player.pk),
        hands_text=hands_text % {"count": number_text(statistics.hands)},
        chart_text=_chart_text(statistics),
        as_of=as_of_text(reach),
        ready=statistics.hands > 0,
        excluded=excluded_hands(club.pk, player.pk),
    )


def points_data(club: Club, player: Player) -> dict[str, Any]:
    """The figure of a player's cumulative points, as Plotly takes it."""
    columns = ["player_id", "player", "day", "hands", "points"]
    rows = [
        (player.pk, str(player), point.day, point.hands, point.points)
        for point in cumulative_points(club, player)
    ]
    figure = points_figure(pd.DataFrame.from_records(rows, columns=columns), _curve_words())
    figure["layout"]["separators"] = decimal_sign() + THIN_SPACE
    for line in figure["data"]:
        line["line"]["dash"] = "solid"  # dashes tell players apart, and here is only one
    return figure


def _curve_words() -> CurveWords:
    return CurveWords(
        title=_("Cumulative points"),
        hands=_("Hands played"),
        result=_("Result since the first hand (points)"),
        reached=_("%(points)s points after %(hands)s hands"),
        size=ngettext("n = %(count)s hand", "n = %(count)s hands", 2),
    )


def _latest(club: Club, player: Player) -> list[Hand]:
    """His latest hands; one of two boards in the two-hands game is enough to find a hand."""
    results = SeatResult.objects.filter(club=club, player=player)
    newest = results.order_by("-day", "-played_at", "-number", "-key").values_list("hand_id", flat=True)
    return list(newest_first(club).filter(pk__in=list(newest[: 2 * LATEST]))[:LATEST])


def _facts(club: Club, hands: list[Hand]) -> tuple[str, ...]:
    if not hands:
        return ()
    return (_("last hand on %(day)s") % {"day": local_time(hands[0].played_at, club)},)


def _keys(statistics: Statistics) -> tuple[Key, ...]:
    mean = statistics.points_per_hand
    return (
        Key(_("Hands"), number_text(statistics.hands), _fantasyland_text(statistics)),
        Key(_("Points"), signed_text(statistics.points), _("before any cap"), tone_of(statistics.points)),
        _key(mean, _("Points per hand"), tone_of(mean.value)),
        _key(statistics.figure("royalties-per-hand"), _("Royalties per hand")),
        _key(statistics.fouls, _("Fouls")),
        _key(statistics.fantasyland_entries, _("Fantasyland entries")),
    )


def _key(figure: Figure, name: str, tone: str = "") -> Key:
    """A figure with its interval, or with what was counted where it has none."""
    return Key(
        name=name,
        value=value_text(figure),
        note=interval_text(figure) or counts_text(figure),
        tone=tone if figure.n >= SCARCE else "",
        scarce=figure.n < SCARCE,
    )


def _fantasyland_text(statistics: Statistics) -> str:
    hands = statistics.sums(Kind.FANTASYLAND).hands
    return _("%(count)s in Fantasyland") % {"count": number_text(hands)}


def _chart_text(statistics: Statistics) -> str:
    """What the chart shows, for those who cannot see it."""
    return _("%(points)s points after %(hands)s hands") % {
        "points": signed_text(statistics.points),
        "hands": number_text(statistics.hands),
    }
