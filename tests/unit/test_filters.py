"""Filters: from a query string and back, and what no query may ask."""

from datetime import date
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.details import EVERY
from analytics.filters import HandFilter
from analytics.sums import Kind
from tests.tables import code_of, good

QUERY = (
    "player=7&game=progressive&against=8&against=9&table=T+1&stake=0.5&stake=2&seats=3&place=1"
    "&kind=normal&since=2026-03-01&until=2026-03-31&weekday=3&hour=21&known=full&only=fouls"
)
FILTER = HandFilter(
    players=(7,),
    opponents=(8, 9),
    games=("progressive",),
    tables=("T 1",),
    stakes=(5_000, 20_000),
    seats=(3,),
    places=(1,),
    kind=Kind.NORMAL,
    since=date(2026, 3, 1),
    until=date(2026, 3, 31),
    weekdays=(3,),
    hours=(21,),
    known="full",
    only=("fouls",),
)


def test_a_query_is_a_filter_and_a_filter_a_query() -> None:
    assert good(HandFilter.parse(parse_qs(QUERY))) == FILTER
    assert FILTER.query() == QUERY


def test_an_empty_query_asks_nothing() -> None:
    empty = good(HandFilter.parse({"since": [""], "player": [], "sort": ["name"], "game": ""}))
    assert empty == HandFilter()
    assert empty.query() == ""


@pytest.mark.parametrize(
    "query",
    [
        "player=0",
        "player=x",
        "player=-1",
        "player=%D9%A3",
        "since=yesterday",
        "until=2026-02-30",
        "stake=1e3",
        "stake=0.00001",
        "stake=-1",
        "seats=1",
        "place=9",
        "weekday=7",
        "hour=24",
        "kind=odd",
        "known=all",
        "only=nothing",
        "table=%00",
        "without=seat",
        f"table={'x' * 201}",
        f"player={'9' * 30}",
        "&".join(f"seats={2 + number % 3}" for number in range(51)),
    ],
)
def test_what_cannot_be_asked(query: str) -> None:
    assert code_of(HandFilter.parse(parse_qs(query))) == "out-of-range"


def test_the_refusal_names_the_key_and_what_stood_there() -> None:
    problem = HandFilter.parse({"hour": ["3", "25"]})
    assert (problem.path, problem.found) == ("hour", "25")


NAMES = st.lists(st.text("abc Zé&=%+", min_size=1, max_size=5), max_size=3, unique=True).map(tuple)


@given(
    st.builds(
        HandFilter,
        players=st.lists(st.integers(1, 2**63 - 1), max_size=3, unique=True).map(tuple),
        tables=NAMES,
        tournaments=NAMES,
        since=st.none() | st.dates(),
        stakes=st.lists(st.integers(0, 10**12), max_size=3, unique=True).map(tuple),
        hours=st.lists(st.integers(0, 23), max_size=3, unique=True).map(tuple),
        kind=st.sampled_from(Kind),
        known=st.sampled_from(("", "boards", "full")),
        without=st.sampled_from(((), ("table",))),
        only=st.sampled_from(((), *((code,) for code in EVERY))),
    )
)
def test_every_filter_survives_its_query(asked: HandFilter) -> None:
    assert good(HandFilter.parse(parse_qs(asked.query()))) == asked
