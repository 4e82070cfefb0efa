"""Every page in a browser: the chart, the policy, widths, names for every control."""

import re
from copy import deepcopy
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

import ofc_hub.web
from ofc_hub.clubs.models import Club
from tests.e2e.conftest import Open
from tests.pages import SCOOP, a_club, count, player_named, put

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

VENDOR = Path(ofc_hub.web.__file__).parent / "static" / "vendor" / "plotly"
LONG = "Bartholomäus-Maximilian_von_und_zu_" + "Featherstonehaugh" * 6
SLOW = 30_000
"""Milliseconds within which a busy machine has drawn a chart."""
SIZES = [(360, 740), (820, 1180), (1280, 800)]


@pytest.fixture
def club() -> tuple[Club, User]:
    return a_club(public=True)


def _paths(club: Club, director: User) -> dict[str, str]:
    """Every page of a club with a long name at a seat, beside a club without hands."""
    hand = deepcopy(SCOOP)
    hand["seats"][1]["player"] = LONG
    page = put(club, director, hand)
    count()
    a_club("empty", public=True)
    return {
        "home": "/",
        "login": "/login/",
        "club": reverse("web:club", args=[club.slug]),
        "empty": reverse("web:club", args=["empty"]),
        "hands": reverse("web:hands", args=[club.slug]),
        "hand": reverse("web:hand", args=[club.slug, page]),
        "player": reverse("web:player", args=[club.slug, player_named(club, LONG).pk]),
    }


def _is_drawn(page: Page) -> None:
    expect(page.locator("[data-drawn] .scatterlayer path.js-line")).to_have_count(1, timeout=SLOW)


def test_the_players_chart_is_drawn(open_page: Open, club: tuple[Club, User]) -> None:
    put(*club, SCOOP)
    count()
    page = open_page(reverse("web:player", args=[club[0].slug, player_named(club[0], "Anna").pk]))
    _is_drawn(page)
    expect(page.locator("[data-figure] .xtitle")).to_have_text("Hands played")
    expect(page.locator("[data-figure] .ytitle")).to_contain_text("points")
    expect(page.get_by_text("n = 1 hand")).to_be_visible()


def test_the_chart_follows_the_colour_scheme(open_page: Open, club: tuple[Club, User]) -> None:
    put(*club, SCOOP)
    count()
    page = open_page(
        reverse("web:player", args=[club[0].slug, player_named(club[0], "Anna").pk]), color_scheme="light"
    )
    _is_drawn(page)
    tick = page.locator("[data-figure] .xtick text").first
    light = tick.evaluate("text => getComputedStyle(text).fill")
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(300)
    assert tick.evaluate("text => getComputedStyle(text).fill") != light


_SPILLING = """() => [...document.querySelectorAll(".panel:not(.board)")]
  .filter((panel) => panel.scrollWidth > panel.clientWidth)
  .map((panel) => panel.innerText.slice(0, 40))"""


def test_no_page_is_wider_than_the_screen(open_page: Open, club: tuple[Club, User]) -> None:
    for name, path in _paths(*club).items():
        page = open_page(path)
        if name == "player":
            _is_drawn(page)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
            assert page.evaluate(_SPILLING) == [], (name, width)


_FOCUSED = """() => {
  const control = document.activeElement;
  control.dataset.reached = "yes";
  const labels = [...(control.labels ?? [])].map((label) => label.innerText);
  return {
    name: control.getAttribute("aria-label") || control.innerText || labels.join(),
    tag: control.tagName,
    outline: getComputedStyle(control).outlineStyle,
  };
}"""


def test_the_keyboard_reaches_every_control_and_sees_where_it_is(
    open_page: Open, club: tuple[Club, User]
) -> None:
    for name, path in _paths(*club).items():
        page = open_page(path)
        page.evaluate("document.activeElement.blur()")
        controls = page.locator("a:visible, button:visible:enabled, input:visible").count()
        reached = []
        for _ in range(controls + 1):  # once round, through the browser's own controls
            page.keyboard.press("Tab")
            reached.append(page.evaluate(_FOCUSED))
        reached = [control for control in reached if control["tag"] != "BODY"]
        assert page.locator("[data-reached]:not(body)").count() == controls, name
        assert all(control["name"].strip() for control in reached), (name, reached)
        assert "none" not in {control["outline"] for control in reached}, (name, reached)


def test_the_first_tab_leads_to_the_content(open_page: Open, club: tuple[Club, User]) -> None:
    page = open_page(reverse("web:club", args=[club[0].slug]))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("#content")


def test_one_can_walk_from_the_clubs_to_a_hand_and_a_player(open_page: Open, club: tuple[Club, User]) -> None:
    put(*club, SCOOP)
    count()
    page = open_page("/")
    page.get_by_role("link", name=club[0].name).click()
    page.get_by_role("region", name="Latest hands").get_by_role("link", name="Anna").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hand scoop")
    page.get_by_role("article", name="Anna").get_by_role("link", name="Anna").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Anna")
    _is_drawn(page)


def test_logging_in_opens_a_club_that_is_not_public(open_page: Open) -> None:
    club, director = a_club()
    page = open_page("/login/")
    page.get_by_label("Name").fill(director.username)
    page.get_by_label("Password").fill("a long pass phrase")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name=club.name).click()
    expect(page.get_by_role("heading", name="No hands yet")).to_be_visible()


def test_the_style_rules_are_those_that_the_bundle_would_insert(browser: Browser) -> None:
    """The policy keeps the bundle from inserting them; after an upgrade write down what this finds."""
    page = browser.new_page()
    page.set_content("<div id='chart'></div>")
    page.add_script_tag(path=VENDOR / "plotly-basic.min.js")
    inserted = page.evaluate(
        """async () => {
          await Plotly.newPlot("chart", [{ x: [1], y: [2] }], {});
          const sheet = document.getElementById("plotly.js-style-global").sheet;
          return [...sheet.cssRules].map((rule) => rule.selectorText);
        }"""
    )
    kept = re.findall(r"^([^/{]+) \{", (VENDOR / "plotly.css").read_text(), re.MULTILINE)
    page.close()
    assert inserted == kept
