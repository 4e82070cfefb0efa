"""The hand page in a browser: stepping by button, key, slider, list and address."""

from copy import deepcopy
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from ofc_hub.clubs.models import Club
from tests.e2e.conftest import Open
from tests.pages import SCOOP, a_club, put

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def club() -> tuple[Club, User]:
    return a_club(public=True)


@pytest.fixture
def address(club: tuple[Club, User]) -> str:
    return reverse("web:hand", args=[club[0].slug, put(*club, SCOOP)])


def _cards(page: Page, seat: int) -> list[str]:
    """The names of the cards that can be seen on a board."""
    cards = page.locator(f"[data-seat='{seat}'] .slot .card:visible")
    return [card.get_attribute("aria-label") or "" for card in cards.all()]


def _button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_it_opens_with_the_result_and_steps_by_buttons(open_page: Open, address: str) -> None:
    page = open_page(address)
    assert len(_cards(page, 1)) == len(_cards(page, 2)) == 13
    expect(page.get_by_text("pair of aces")).to_be_visible()
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_disabled()

    _button(page, "First")
    assert _cards(page, 1) == _cards(page, 2) == []
    expect(page.get_by_text("pair of aces")).to_be_hidden()
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_disabled()

    _button(page, "Next")
    first = {"ace of spades", "king of spades", "king of diamonds", "9 of hearts", "7 of hearts"}
    assert set(_cards(page, 1)) == first
    assert _cards(page, 2) == []
    expect(page.locator("[data-seat='1']")).to_have_class("panel board is-acting")

    _button(page, "Next")
    _button(page, "Back")
    assert set(_cards(page, 1)) == first
    _button(page, "Last")
    assert len(_cards(page, 2)) == 13


def test_keys_step_wherever_the_focus_is(open_page: Open, address: str) -> None:
    page = open_page(address)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert len(_cards(page, 1)) == 5
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    assert len(_cards(page, 2)) == 5
    page.keyboard.press("ArrowLeft")
    assert len(_cards(page, 2)) == 0
    page.keyboard.press("End")
    assert len(_cards(page, 2)) == 13


def test_row_names_appear_when_the_row_is_complete(open_page: Open, address: str) -> None:
    page = open_page(address + "#step-8")
    name = page.get_by_text("pair of aces")
    expect(name).to_be_hidden()
    page.keyboard.press("ArrowRight")  # move 9 lays the third card on top
    expect(name).to_be_visible()


def test_an_address_with_a_step_opens_there_and_follows(open_page: Open, address: str) -> None:
    page = open_page(address + "#step-3")
    assert (len(_cards(page, 1)), len(_cards(page, 2))) == (7, 5)
    expect(page.locator("[data-caption]")).to_contain_text(
        "3 of 11. Anna: middle 5 of clubs; bottom 4 of hearts"
    )
    expect(page.locator("[data-move][aria-current=step]")).to_contain_text("Anna")
    page.locator("[data-move='5'] a").click()
    assert page.url.endswith("#step-5")
    page.get_by_role("slider").fill("7")
    assert page.url.endswith("#step-7")
    page.evaluate("window.location.hash = '#step-2'")
    expect(page.get_by_role("slider")).to_have_value("2")


def test_playing_runs_to_the_end_and_stops(open_page: Open, address: str) -> None:
    page = open_page(address)
    page.clock.install(time="2026-11-29T19:00:00Z")
    # An installed clock still runs by itself: on a busy machine past the step that is looked for.
    page.clock.pause_at("2026-11-29T20:00:00Z")
    _button(page, "Play")
    expect(page.get_by_role("slider")).to_have_value("0")
    page.clock.run_for(950)
    expect(page.get_by_role("slider")).to_have_value("1")
    _button(page, "Pause")
    page.clock.run_for(5_000)
    expect(page.get_by_role("slider")).to_have_value("1")
    _button(page, "Play")
    page.clock.run_for(20_000)
    expect(page.get_by_role("slider")).to_have_value("11")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def _with_fantasyland() -> dict[str, Any]:
    hand = deepcopy(SCOOP)
    hand["seats"][0]["fantasyland"] = 14
    board = {"seat": 1, "cards": "AsAc3s/KsKd5c5dTc/9h7h4h2hJh|2d"}
    hand["actions"] = [board, *(move for move in hand["actions"] if move["seat"] == 2)]
    return hand


def test_a_fantasyland_board_lies_face_down_until_the_result(
    open_page: Open, club: tuple[Club, User]
) -> None:
    page = open_page(reverse("web:hand", args=[club[0].slug, put(*club, _with_fantasyland())]) + "#step-6")
    cards = page.locator("[data-seat='1'] .slot.is-down")
    expect(cards).to_have_count(13)
    expect(cards.first.locator("b")).to_be_hidden()
    expect(cards.first.locator(".card")).to_have_attribute("aria-hidden", "true")
    expect(page.get_by_text("jack-high flush")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(cards).to_have_count(0)
    expect(page.get_by_text("jack-high flush")).to_be_visible()


def test_a_foul_is_struck_through_from_the_move_that_made_it(
    open_page: Open, club: tuple[Club, User]
) -> None:
    hand = deepcopy(SCOOP)
    hand["actions"][1]["cards"] = "8c/3d4d/2sTd"
    hand["actions"][9]["cards"] = "8d//Kh|Qd"
    hand["actions"][7]["cards"] = "/Qc/7s|4c"
    page = open_page(reverse("web:hand", args=[club[0].slug, put(*club, hand)]) + "#step-9")
    word = page.locator("[data-seat='2'] .foul-word")
    expect(word).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(word).to_be_visible()
    expect(word).to_have_text("Foul")


def test_without_scripts_the_result_is_there(open_page: Open, address: str) -> None:
    page = open_page(address, java_script_enabled=False)
    assert len(_cards(page, 1)) == len(_cards(page, 2)) == 13
    expect(page.get_by_text("Bo pays Anna 19")).to_be_visible()
    expect(page.locator("[data-controls]")).to_be_hidden()


def test_nothing_moves_where_motion_is_unwanted(open_page: Open, address: str) -> None:
    page = open_page(address + "#step-0", reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    arriving = page.locator(".slot.is-arriving .card").first
    assert arriving.evaluate("card => getComputedStyle(card).animationName") == "none"


def test_on_a_phone_the_acting_seat_is_first(open_page: Open, address: str) -> None:
    page = open_page(address + "#step-2", width=360, height=740)
    tops = [page.locator(f"[data-seat='{seat}']").bounding_box() for seat in (1, 2)]
    assert tops[0] is not None
    assert tops[1] is not None
    assert tops[1]["y"] < tops[0]["y"]
