"""Numbers and cards as pages write them; expected texts written by hand."""

import pytest

from ofc_hub.web.faces import BACK, face_of
from ofc_hub.web.figures_text import amount_text, number_text, signed_text, tone_of
from scoring.domain.cards import CARD_OF


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12, "+12"),
        (-12, "−12"),
        (0, "0"),
        (1234, "+1\u202f234"),
        (-1234567, "−1\u202f234\u202f567"),
        (None, "–"),
    ],
)
def test_gains_and_losses_carry_a_sign_and_thin_spaces(value: int | None, text: str) -> None:
    assert signed_text(value) == text


def test_what_rounds_to_nothing_has_no_sign() -> None:
    assert signed_text(0.001, 2) == signed_text(-0.001, 2) == "0.00"
    assert number_text(-0.004, 1) == "0.0"


@pytest.mark.parametrize(
    ("units", "signed", "text"),
    [
        (10_000, False, "1"),
        (25_000, True, "+2.5"),
        (-5, True, "−0.0005"),
        (50_000_000, False, "5\u202f000"),
        (0, True, "0"),
        (None, True, "–"),
    ],
)
def test_amounts_are_units_of_a_ten_thousandth(units: int | None, signed: bool, text: str) -> None:
    assert amount_text(units, signed) == text


def test_the_tone_goes_with_the_sign() -> None:
    assert [tone_of(value) for value in (3, -3, 0, None)] == ["gain", "loss", "", ""]


def test_every_card_has_a_name_to_say() -> None:
    names = {code: face_of(CARD_OF[code]).name for code in ("As", "Td", "2c", "Jh", "X1")}
    assert names == {
        "As": "ace of spades",
        "Td": "10 of diamonds",
        "2c": "2 of clubs",
        "Jh": "jack of hearts",
        "X1": "joker",
    }
    assert len({face_of(card).name for card in range(52)}) == 52


def test_a_joker_says_what_it_stands_for() -> None:
    assert face_of(CARD_OF["X2"], CARD_OF["9h"]).name == "joker, stands for 9 of hearts"
    assert face_of(CARD_OF["X2"], CARD_OF["X2"]).name == "joker"


def test_a_card_that_is_not_shown_gives_nothing_away() -> None:
    assert face_of(-1) == BACK
    assert BACK.rank == ""
