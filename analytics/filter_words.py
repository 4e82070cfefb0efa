"""A filter in words, as it stands at the top of a page."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Any

from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format, get_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analytics.details import EVERY
from analytics.filters import HandFilter
from analytics.played import Found
from analytics.sums import Kind
from ofc_hub.clubs.models import Club, Player, Tournament
from ofc_hub.hands.models import RuleSetRecord
from scoring.domain.amounts import format_amount


def words(club: Club, asked: HandFilter, found: Found) -> str:
    """ "Anna, progressive, against Bo, since 1 March 2026: 412 of 430 hands, 18 lack their moves"."""
    parts = ", ".join(described(club, asked)) or _("All hands")
    return f"{parts}: {_counted(found)}"


def described(club: Club, asked: HandFilter) -> Iterator[str]:
    """What is asked, part by part: players, game, opponents, place, time."""
    if asked.players:
        yield _either(_names(club, asked.players))
    yield from asked.games
    if asked.rules:
        yield _either(_rule_sets(asked.rules))
    if asked.opponents:
        yield _("against %(names)s") % {"names": _either(_names(club, asked.opponents))}
    yield from _places(club, asked)
    yield from _kinds(asked)
    yield from _times(asked)
    for code in asked.only:
        yield _("only hands with: %(statistic)s") % {"statistic": _(EVERY[code].name)}


def _places(club: Club, asked: HandFilter) -> Iterator[str]:
    listed: tuple[tuple[str, Sequence[Any], Callable[[Any], str]], ...] = (
        (_("table %(values)s"), asked.tables, str),
        (_("tournament %(values)s"), _tournaments(club, asked.tournaments), str),
        (_("stake %(values)s"), asked.stakes, _amount),
        (_("%(values)s seats"), asked.seats, str),
        (_("acting in place %(values)s"), asked.places, str),
    )
    for text, values, write in listed:
        if values:
            yield text % {"values": _either(write(value) for value in values)}
    firsts = [_(name.replace("-", " ")) for name in asked.firsts] + list(asked.shapes)
    if firsts:
        yield _("first street: %(patterns)s") % {"patterns": ", ".join(firsts)}
    without = {"table": _("no table named"), "tournament": _("outside of tournaments")}
    yield from (without[name] for name in asked.without)


def _kinds(asked: HandFilter) -> Iterator[str]:
    if asked.kind is Kind.NORMAL:
        yield _("normal hands")
    if asked.kind is Kind.FANTASYLAND:
        yield _("Fantasyland hands")


def _times(asked: HandFilter) -> Iterator[str]:
    if asked.since:
        yield _("since %(day)s") % {"day": _day(asked.since)}
    if asked.until:
        yield _("until %(day)s") % {"day": _day(asked.until)}
    if asked.weekdays:
        yield _either(str(WEEKDAYS[weekday]) for weekday in asked.weekdays)
    if asked.hours:
        yield _("begun at %(hours)s") % {"hours": _either(f"{hour}:00-{hour}:59" for hour in asked.hours)}


def _counted(found: Found) -> str:
    if not found.lacking:
        return ngettext("%(count)s hand", "%(count)s hands", found.shown) % {"count": found.shown}
    hands = _("%(shown)s of %(matching)s hands") % {"shown": found.shown, "matching": found.matching}
    moves = ngettext("%(count)s lacks its moves", "%(count)s lack their moves", found.lacking)
    boards = ngettext("%(count)s lacks its boards", "%(count)s lack their boards", found.lacking)
    lack = moves if found.known == "full" else boards
    return f"{hands}, {lack % {'count': found.lacking}}"


def _amount(units: int) -> str:
    return format_amount(units).replace(".", str(get_format("DECIMAL_SEPARATOR")))


def _either(words: Iterable[str]) -> str:
    return _(" or ").join(words)


def _day(day: date) -> str:
    return date_format(day, "DATE_FORMAT")


def _names(club: Club, keys: Sequence[int]) -> list[str]:
    players = Player.objects.filter(club=club).in_bulk(keys)
    return [str(players[key]) if key in players else _("nobody of this club") for key in keys]


def _tournaments(club: Club, codes: Sequence[str]) -> list[str]:
    if not codes:
        return []
    names = dict(Tournament.objects.filter(club=club, code__in=codes).values_list("code", "name"))
    return [names.get(code) or code for code in codes]


def _rule_sets(digests: Sequence[str]) -> list[str]:
    codes = dict(RuleSetRecord.objects.filter(pk__in=digests).values_list("pk", "code"))
    return [f"{codes.get(digest, '?')} {digest[:8]}" for digest in digests]
