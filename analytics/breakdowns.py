"""A player's hands told apart by one thing: place, stake, table, month and so on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext

from analytics.details import EVERY
from analytics.estimates import figure_over
from analytics.filters import FIRST_STREETS, HandFilter
from analytics.hours import hours_of
from analytics.metrics import Figure
from analytics.played import PlayedHands
from analytics.sums import Kind
from ofc_hub.clubs.models import Club, Tournament
from ofc_hub.hands.models import RuleSetRecord
from scoring.domain.amounts import format_amount
from scoring.domain.openings import shape_of

# What stands on each line, over hands of every kind but the last, which only normal hands can have.
FIGURES: tuple[tuple[str, Kind], ...] = (
    ("hands", Kind.ALL),
    ("points", Kind.ALL),
    ("points-per-hand", Kind.ALL),
    ("royalties-per-hand", Kind.ALL),
    ("fouls", Kind.NORMAL),
    ("fantasyland-entries", Kind.NORMAL),
)


@dataclass(frozen=True, slots=True)
class Line:
    """The hands with one value: its text, the filter that finds them, and figures by their code."""

    key: str
    label: str
    filter: HandFilter
    figures: Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A way to tell hands apart. `values`: one sortable value a board; `narrow`: the filter of one value.

    `among`: the column that is 1 where a board has such a value at all; the others stand on no line.
    """

    code: str
    values: Callable[[Club, PlayedHands], npt.NDArray[Any]]
    narrow: Callable[[HandFilter, Any], HandFilter]
    label: Callable[[Any], str] = str
    among: str | None = None


def breakdown(club: Club, hands: PlayedHands, asked: HandFilter, code: str) -> tuple[Line, ...]:
    """The lines of one breakdown in the order of its values; KeyError for a code that is not declared.

    `asked` is the filter that found `hands`. The hands of all lines together are those hands; by "first"
    and "shape", those whose first street is known.
    """
    by = BREAKDOWNS[code]
    if by.among:
        hands = hands.where(hands[by.among] == 1)
    values = by.values(club, hands)
    names = _names(club, code)
    return tuple(
        Line(str(value), names.get(value) or by.label(value), by.narrow(asked, value), _figures(some))
        for value, some in groups(hands, values)
    )


def groups(hands: PlayedHands, values: npt.NDArray[Any]) -> list[tuple[Any, PlayedHands]]:
    """(value, its boards) for each value, ascending; `values` has one a board."""
    different, of = np.unique(values, return_inverse=True)
    return [(value, hands.where(of == number)) for number, value in enumerate(different.tolist())]


def _figures(hands: PlayedHands) -> dict[str, Figure]:
    return {code: figure_over(EVERY[code], kind, hands) for code, kind in FIGURES}


def _names(club: Club, code: str) -> dict[str, str]:
    if code == "tournament":
        return dict(Tournament.objects.filter(club=club).values_list("code", "name"))
    if code == "rules":
        return {key: f"{base} {key[:8]}" for key, base in RuleSetRecord.objects.values_list("pk", "code")}
    return {}


# --- The breakdowns -----------------------------------------------------------------------------------------


def _column(name: str) -> Callable[[Club, PlayedHands], npt.NDArray[Any]]:
    return lambda club, hands: hands[name]


def _text(name: str) -> Callable[[Club, PlayedHands], npt.NDArray[Any]]:
    return lambda club, hands: hands.text(name).astype(str)


def _games(club: Club, hands: PlayedHands) -> npt.NDArray[Any]:
    codes = dict(RuleSetRecord.objects.values_list("pk", "code"))
    return np.array([codes.get(digest, digest) for digest in hands.texts["rules_id"]], dtype=str)


def _months(club: Club, hands: PlayedHands) -> npt.NDArray[Any]:
    return np.array([day.strftime("%Y-%m") for day in hands.texts["day"]], dtype=str)


def _weekdays(club: Club, hands: PlayedHands) -> npt.NDArray[Any]:
    return (hands["day"] - 1) % 7


def _named(name: str) -> Callable[[HandFilter, Any], HandFilter]:
    def narrow(asked: HandFilter, value: str) -> HandFilter:
        return asked.but(**{f"{name}s": (value,)}) if value else asked.but(without=(*asked.without, name))

    return narrow


def _in(name: str) -> Callable[[HandFilter, Any], HandFilter]:
    return lambda asked, value: asked.but(**{name: (value,)})


FIRST_KNOWN = "with_opening"


def _first(asked: HandFilter, value: int) -> HandFilter:
    return asked.but(firsts=(FIRST_STREETS[value],))


def _first_name(value: int) -> str:
    return gettext(FIRST_STREETS[value].replace("-", " "))


def _shape(asked: HandFilter, value: int) -> HandFilter:
    return asked.but(shapes=(shape_of(value),))


def in_month(asked: HandFilter, month: str) -> HandFilter:
    """`asked` within one month ("2026-03"); never wider than `asked` was."""
    first = date.fromisoformat(f"{month}-01")
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    since = max(first, asked.since) if asked.since else first
    until = min(last, asked.until) if asked.until else last
    return asked.but(since=since, until=until)


BREAKDOWNS: Mapping[str, Breakdown] = {
    by.code: by
    for by in (
        Breakdown("place", _column("place"), _in("places")),
        Breakdown("seats", _column("seats"), _in("seats")),
        Breakdown("stake", _column("stake"), _in("stakes"), format_amount),
        Breakdown("game", _games, _in("games")),
        Breakdown("rules", _text("rules_id"), _in("rules")),
        Breakdown("table", _text("table"), _named("table")),
        Breakdown("tournament", _text("tournament"), _named("tournament")),
        Breakdown("month", _months, in_month),
        Breakdown("weekday", _weekdays, _in("weekdays")),
        Breakdown("first", lambda club, hands: hands["opening"] // 1000, _first, _first_name, FIRST_KNOWN),
        Breakdown("shape", lambda club, hands: hands["opening"] % 1000, _shape, shape_of, FIRST_KNOWN),
        Breakdown("hour", lambda club, hands: hours_of(club, hands), _in("hours")),
    )
}
