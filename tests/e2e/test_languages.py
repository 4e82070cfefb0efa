"""The languages in a browser: chosen at the foot of a page, and none too wide for a telephone."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import expect

from ofc_hub.clubs.models import Club
from tests.e2e.conftest import Open
from tests.pages import SCOOP, a_club, count, player_named, put

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

SLOW = 30_000
_TOO_WIDE = """() => [...document.querySelectorAll("html, .button, .panel:not(.board), .tag")]
  .filter((element) => element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.innerText.slice(0, 40))"""


@pytest.fixture
def club() -> tuple[Club, User]:
    return a_club(public=True)


def test_a_reader_chooses_a_language(open_page: Open, club: tuple[Club, User]) -> None:
    put(*club, SCOOP)
    count()
    path = reverse("web:player", args=[club[0].slug, player_named(club[0], "Anna").pk])
    page = open_page(path, locale="da-DK")
    expect(page.locator("html")).to_have_attribute("lang", "da")
    page.get_by_role("button", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert page.url.endswith(path)
    expect(page.locator("[data-figure] .xtitle")).to_have_text("Mains jouées", timeout=SLOW)
    expect(page.get_by_role("button", name="Français")).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize("language", ["es", "fr", "da", "id"])
def test_every_language_fits_a_telephone(open_page: Open, club: tuple[Club, User], language: str) -> None:
    hand = put(*club, SCOOP)
    count()
    slug, player = club[0].slug, player_named(club[0], "Anna").pk
    for path in (
        "/login/",
        reverse("web:club", args=[slug]),
        reverse("web:hand", args=[slug, hand]),
        reverse("web:player", args=[slug, player]),
    ):
        page = open_page(path, width=360, height=740, locale=language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert page.evaluate(_TOO_WIDE) == [], path
