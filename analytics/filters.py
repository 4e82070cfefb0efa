"""Which hands: a filter as a value, read from a query string and written as one. Pure.

One key of the query may stand several times: any of its values will do. Keys that are not a filter's are left
alone, so that a page may have others beside them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any
from urllib.parse import urlencode

from analytics.details import EVERY
from analytics.sums import Kind
from scoring.domain.amounts import format_amount, parse_amount
from scoring.domain.errors import Problem
from scoring.domain.openings import CARDS, First

KNOWN = ("", "boards", "full")
FIRST_STREETS = tuple(first.name.lower().replace("_", "-") for first in First)
SHAPES = tuple(
    f"{top}-{middle}-{CARDS - top - middle}" for top in range(4) for middle in range(CARDS + 1 - top)
)
MOST_VALUES = 50
LONGEST_VALUE = 200


@dataclass(frozen=True, slots=True)
class HandFilter:
    """What is asked of a player's hands; an empty tuple, None or "" asks nothing.

    `players`, `opponents`: keys of players; a hand is against an opponent who sat in it. `rules`: digests of
    rule sets, `games`: codes of presets they are based on. `since`, `until`: club days, both included.
    `stakes`: units of 1/10,000. `weekdays`: of the club day, 0 is Monday. `hours`: of the club's clock at the
    start. `known`: what must be known of a hand. `openings`: codes of first streets. `without`: "table" or
    "tournament", of which a hand must name none. `only`: codes of
    statistics of which a hand must count something.
    """

    players: tuple[int, ...] = ()
    opponents: tuple[int, ...] = ()
    games: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    tournaments: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    stakes: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    weekdays: tuple[int, ...] = ()
    hours: tuple[int, ...] = ()
    firsts: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ()
    kind: Kind = Kind.ALL
    known: str = ""
    without: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    @classmethod
    def parse(cls, query: Mapping[str, Any]) -> "HandFilter | Problem":
        """The filter in a query: a Django QueryDict, or a mapping from keys to lists of texts."""
        found: dict[str, Any] = {}
        for key, name, read, _ in _PARAMETERS:
            values = _values(query, key)
            if len(values) > MOST_VALUES:
                return Problem("out-of-range", key, f"More than {MOST_VALUES} values.", len(values))
            read_values = [read(value) for value in values]
            if _UNREADABLE in read_values:
                wrong = values[read_values.index(_UNREADABLE)][:LONGEST_VALUE]
                return Problem("out-of-range", key, "This value is not one of this filter.", wrong)
            if read_values:
                found[name] = read_values[-1] if name in _SINGLE else tuple(dict.fromkeys(read_values))
        return cls(**found)

    def query(self) -> str:
        """The query string of this filter: the same filter, the same text; "" where nothing is asked."""
        return urlencode(list(self.parameters()))

    def parameters(self) -> Iterable[tuple[str, str]]:
        """(key, text) in a fixed order, for links and hidden fields of forms."""
        for key, name, _, write in _PARAMETERS:
            value = getattr(self, name)
            for one in value if isinstance(value, tuple) else (value,):
                if value != _ASKS_NOTHING[name]:
                    yield key, write(one)

    def but(self, **changes: Any) -> "HandFilter":
        """This filter with other values in some fields."""
        return replace(self, **changes)


_SINGLE = ("since", "until", "kind", "known")
_ASKS_NOTHING = {field.name: field.default for field in fields(HandFilter)}
_UNREADABLE = object()


def _values(query: Mapping[str, Any], key: str) -> Sequence[str]:
    several: Callable[[str], Sequence[str]] | None = getattr(query, "getlist", None)
    values = several(key) if several else query.get(key, ())
    return [value for value in ([values] if isinstance(values, str) else values) if value != ""]


def _number(low: int, high: int) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        if not (text.isascii() and text.isdigit() and len(text) < 20):
            return _UNREADABLE
        return int(text) if low <= int(text) <= high else _UNREADABLE

    return read


def _text(text: str) -> Any:
    return text if len(text) <= LONGEST_VALUE and text.isprintable() else _UNREADABLE


def _day(text: str) -> Any:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return _UNREADABLE


def _amount(text: str) -> Any:
    units = parse_amount(text, "stake")
    return _UNREADABLE if isinstance(units, Problem) else units


def _one_of(values: Iterable[str]) -> Callable[[str], Any]:
    allowed = {str(value): value for value in values}
    return lambda text: allowed.get(text, _UNREADABLE)


_Parameter = tuple[str, str, Callable[[str], Any], Callable[[Any], str]]
_KEY = _number(1, 2**63 - 1)
# In the order in which a filter is said in words.
_PARAMETERS: tuple[_Parameter, ...] = (
    ("player", "players", _KEY, str),
    ("game", "games", _text, str),
    ("rules", "rules", _text, str),
    ("against", "opponents", _KEY, str),
    ("table", "tables", _text, str),
    ("tournament", "tournaments", _text, str),
    ("stake", "stakes", _amount, format_amount),
    ("seats", "seats", _number(2, 8), str),
    ("place", "places", _number(1, 8), str),
    ("kind", "kind", _one_of(Kind), str),
    ("since", "since", _day, date.isoformat),
    ("until", "until", _day, date.isoformat),
    ("weekday", "weekdays", _number(0, 6), str),
    ("hour", "hours", _number(0, 23), str),
    ("first", "firsts", _one_of(FIRST_STREETS), str),
    ("shape", "shapes", _one_of(SHAPES), str),
    ("known", "known", _one_of(KNOWN), str),
    ("without", "without", _one_of(("table", "tournament")), str),
    ("only", "only", _one_of(EVERY), str),
)
