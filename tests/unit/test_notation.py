"""Placement notation: every accepted spelling, one written form."""

import pytest

from scoring.domain.errors import Problem
from scoring.domain.notation import JokerNamer, Placement, is_plain, parse_placement, write_placement


def read(text: str, jokers: JokerNamer | None = None) -> Placement:
    placement = parse_placement(text, jokers)
    assert isinstance(placement, Placement), placement
    return placement


def test_a_placement_is_rows_from_the_top_and_discards() -> None:
    # As = 12*4+3, 2c = 0, 3c = 4, Kd = 11*4+1, Kh = 11*4+2, 5h = 3*4+2
    assert read("As/2c3c/KdKh|5h") == ((51,), (0, 4), (45, 46), (14,))
    assert read("//Ac2d|??") == ((), (), (48, 1), (-1,))
    assert read("//") == ((), (), (), ())


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("As/2c3c/KdKh|5h", "As/2c3c/KdKh|5h"),
        ("10s/10H10d/", "Ts/ThTd/"),
        ("T♠/9♥8♦/7♣", "Ts/9h8d/7c"),
        ("T♤/9♡8♢/7♧", "Ts/9h8d/7c"),
        ("A♥️//", "Ah//"),
        ("ts/aH/kD", "Ts/Ah/Kd"),
        (" As / 2c 3c / Kd Kh | 5h ", "As/2c3c/KdKh|5h"),
        ("As/2c/|", "As/2c/"),
        ("//As|?? 5h", "//As|??5h"),
        ("JK/2c/", "X1/2c/"),
        ("joker/2c/JOKER", "X1/2c/X2"),
        ("X/X As/", "X1/X2As/"),
        ("2cX/3c/|X", "2cX1/3c/|X2"),
        ("JKAs//", "X1As//"),
        ("x2/X/", "X2/X1/"),
        ("X1/X2/", "X1/X2/"),
    ],
)
def test_every_spelling_has_one_plain_form(written: str, plain: str) -> None:
    placement = read(written)
    assert write_placement(placement) == plain
    assert read(plain) == placement


def test_bare_jokers_are_named_in_order_of_appearance_in_the_hand() -> None:
    jokers = JokerNamer()
    assert write_placement(read("JK/2c/", jokers)) == "X1/2c/"
    assert write_placement(read("3c//", jokers)) == "3c//"
    assert write_placement(read("//X", jokers)) == "//X2"
    third = parse_placement("X//", jokers)
    assert isinstance(third, Problem)
    assert third.code == "card-twice"


def test_a_bare_joker_does_not_take_the_name_of_one_that_is_there() -> None:
    jokers = JokerNamer()
    assert write_placement(read("X1//", jokers)) == "X1//"
    assert write_placement(read("X//", jokers)) == "X2//"


@pytest.mark.parametrize("text", ["", "As", "As/2c", "a/b/c/d", "As//|5h|6h", "/" * 500])
def test_a_text_without_three_rows_is_no_placement(text: str) -> None:
    problem = parse_placement(text)
    assert isinstance(problem, Problem)
    assert problem.code == "bad-placement"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1s//", "1s"),
        ("A//", "A"),
        ("As2//", "2"),
        ("♠A//", "♠A"),
        ("??//", "??"),  # only a discard can be unseen
        ("XAs//", "XAs"),
        ("A\u017f//", "A\u017f"),  # a long s folds to an s
        ("//As|?", "?"),
        ("0s//", "0s"),
    ],
)
def test_what_is_no_card_is_shown(text: str, found: str) -> None:
    problem = parse_placement(text)
    assert isinstance(problem, Problem)
    assert (problem.code, problem.found) == ("card-unknown", found)


def test_the_plain_form_is_recognised() -> None:
    assert is_plain("As/2c3c/KdKh|5h??")
    assert not any(is_plain(text) for text in ("As/2c", "as//", "X1//", "As//|", "As// ", "10s//"))
