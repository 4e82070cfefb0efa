"""Filters in words, as they stand at the top of a page."""

from datetime import date

import pytest
from django.utils import translation

from analytics.filter_words import words
from analytics.filters import HandFilter
from analytics.played import Found
from analytics.sums import Kind
from ofc_hub.clubs.models import Club, Tournament
from ofc_hub.hands.models import RuleSetRecord
from tests.results import a_club

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(players=("Player A", "Player B", "Cy"))


@pytest.fixture(autouse=True)
def _english() -> None:
    translation.activate("en")


def keys(club: Club) -> list[int]:
    return list(club.players.order_by("pk").values_list("pk", flat=True))


def test_the_sentence(club: Club) -> None:
    first, second, _ = keys(club)
    asked = HandFilter(players=(first,), games=("progressive",), opponents=(second,), since=date(2026, 3, 1))
    assert words(club, asked.but(known="full"), Found(430, 412, "full")) == (
        "Player A, progressive, against Player B, since March 1, 2026: 412 of 430 hands, 18 lack their moves"
    )
    assert words(club, asked, Found(1, 1)) == (
        "Player A, progressive, against Player B, since March 1, 2026: 1 hand"
    )
    assert words(club, asked, Found(5, 4, "boards")).endswith("4 of 5 hands, 1 lacks its boards")


def test_nothing_asked(club: Club) -> None:
    assert words(club, HandFilter(), Found(12, 12)) == "All hands: 12 hands"


def test_every_part(club: Club) -> None:
    _, second, third = keys(club)
    Tournament.objects.create(club=club, code="thu-48", name="Thursday")
    RuleSetRecord.objects.create(digest="ab" * 32, code="classic", data={})
    asked = HandFilter(
        rules=("ab" * 32,), opponents=(second, third), tables=("T1",), tournaments=("thu-48", "x"),
        stakes=(5_000, 20_000), seats=(3,), places=(1, 2), kind=Kind.FANTASYLAND, until=date(2026, 3, 31),
        weekdays=(3,), hours=(21, 22), without=("table",), only=("fouls",),
    )  # fmt: skip
    assert words(club, asked, Found(0, 0)) == (
        "classic abababab, against Player B or Cy, table T1, tournament Thursday or x, stake 0.5 or 2, "
        "3 seats, acting in place 1 or 2, no table named, Fantasyland hands, until March 31, 2026, Thursday, "
        "begun at 21:00-21:59 or 22:00-22:59, only hands with: Fouls: 0 hands"
    )


def test_a_player_of_another_club_has_no_name_here(club: Club) -> None:
    (stranger,) = keys(a_club("other", ("Secret",)))
    assert words(club, HandFilter(players=(stranger,)), Found(0, 0)) == "nobody of this club: 0 hands"
