"""What jokers stand for (rulebook section 2 and worked example 8); all readings worked out by hand."""

import numpy as np
import pytest

from scoring.domain.cards import CODES
from scoring.domain.jokers import read_jokers
from tests.boards import board, score, slots

OTHER = "9c8d2h / KdQh9s4c3d / AcKcJs7d5h"
FIVES = {"base": "pokerbros-joker", "five_of_a_kind": True}
STRICT = {"base": "pokerbros-joker", "order": "strict"}


def reads(spec: object, text: str) -> str:
    """The first board as it is read, in the notation of the rulebook's examples."""
    cards = [CODES[card] for card in score(spec, text, OTHER).reads[0, 0]]
    return "/".join("".join(cards[row]) for row in (slice(0, 3), slice(3, 8), slice(8, 13)))


@pytest.mark.parametrize(
    ("text", "expected", "read"),
    [
        ("X2Ah9s / TsTd6d4d8c / JdQsJsQdQh", [4, 0, 6], "9cAh9s/TsTd6d4d8c/JdQsJsQdQh"),
        ("KcX1Ac / 3hX24d5s4s / Td9c7s9hTh", [9, 0, 0], "KcAdAc/3h5c4d5s4s/Td9c7s9hTh"),
        ("QdKsKd / 8h6hX19c5d / 7s7c7h7dTc", [8, 4, 10], "QdKsKd/8h6h7c9c5d/7s7c7h7dTc"),
    ],
)
def test_example_8(text: str, expected: list[int], read: str) -> None:
    hand = score("pokerbros-joker", text, OTHER)
    assert not hand.foul[0, 0]
    assert hand.royalties[0, 0].tolist() == expected
    assert reads("pokerbros-joker", text) == read


def test_the_bottom_is_as_strong_as_it_can_be() -> None:
    assert reads("pokerbros-joker", "9d8h2c / KsQc9h4d3s / TsJsQsX1As") == "9d8h2c/KsQc9h4d3s/TsJsQsKsAs"
    # 5-6-7-8 open at both ends: the nine makes the better straight flush.
    assert reads("pokerbros-joker", "9d8h2c / KsQc9h4d3s / 5s6s7s8sX1").endswith("5s6s7s8s9s")


def test_a_joker_may_stand_for_a_card_that_another_row_or_player_holds() -> None:
    # The ace of spades lies on top here, and the ace of clubs with the other player.
    assert reads("pokerbros-joker", "As8h2c / KsQc9h4d3s / AcAdAhX1Kc").endswith("AcAdAhAsKc")


def test_but_not_for_one_that_its_own_row_holds() -> None:
    # The best flush card left is the king.
    assert reads("pokerbros-joker", "9d8h2c / KhQc9h4d3s / AsQs9s5sX1").endswith("AsQs9s5sKs")
    assert reads(FIVES, "9d8h2c / KhQc9h4d3s / AsQs9s5sX1").endswith("AsQs9s5sAs")


def test_two_jokers_in_one_row_stand_for_different_cards() -> None:
    # Quads, since there is no fifth ace.
    assert reads("pokerbros-joker", "9d8h2c / KsQc9h4d3s / AcAdX1X2Kc").endswith("AcAdAhAsKc")
    assert reads("pokerbros-joker", "X19d X2 / KsKcKh4d3s / 2c2d2h4s4c") == "9c9d9h/KsKcKh4d3s/2c2d2h4s4c"


def test_five_of_a_kind_where_the_rules_allow_it() -> None:
    quads, five = "9d8h2c / KsQc9h4d3s / 7c7d7h7sX1", "9d8h2c / KsQc9h4d3s / 7c7d7hX1X2"
    assert score("pokerbros-joker", quads, OTHER).royalties[0, 0, 2] == 10
    assert reads("pokerbros-joker", quads).endswith("7c7d7h7sAc")
    assert score(FIVES, quads, OTHER).royalties[0, 0, 2] == 15
    assert score(FIVES, five, OTHER).royalties[0, 0, 2] == 15
    assert reads(FIVES, five).endswith("7c7d7h7c7c")


def test_the_middle_does_not_exceed_the_bottom() -> None:
    # Any nine would make quads over a full house; the joker steps down to a smaller full house.
    assert reads("pokerbros-joker", "Kd8h2c / 9d9h9sX14c / TcTdTh3s3c") == "Kd8h2c/9d9h9s4d4c/TcTdTh3s3c"
    # Equal rows are legal, and a joker makes use of that.
    assert reads("pokerbros-joker", "9d8h2c / KcQcX14d3s / KsQs9h4c3d") == "9d8h2c/KcQc9c4d3s/KsQs9h4c3d"


def test_in_the_strict_order_the_middle_stays_below_the_bottom() -> None:
    assert reads(STRICT, "9d7h2c / KcQcX14d3s / KsQs9h4c3d") == "9d7h2c/KcQc8c4d3s/KsQs9h4c3d"
    assert reads("pokerbros-joker", "9d7h2c / KcQcX14d3s / KsQs9h4c3d") == "9d7h2c/KcQc9c4d3s/KsQs9h4c3d"


def test_the_top_does_not_exceed_the_middle() -> None:
    # A pair of aces with a nine runs out under A A K: legal.
    assert reads("pokerbros-joker", "9dAhX1 / AcAdKs4d3s / 2c2d2h4s4c") == "9dAhAc/AcAdKs4d3s/2c2d2h4s4c"
    # With a king beside them they would not: K K A is the best that is left.
    assert reads("pokerbros-joker", "KdAhX1 / AcAdQs4d3s / 2c2d2h4s4c") == "KdAhKc/AcAdQs4d3s/2c2d2h4s4c"


@pytest.mark.parametrize(
    "text",
    [
        "9d8h2c / AcAdX14d3s / KcKdQh4s2h",  # the middle is a pair of aces whatever the joker
        "AdAhX1 / KcKd9h4d3s / 2c2d2h4s4c",  # aces on top of kings
    ],
)
def test_without_a_legal_reading_the_hand_is_a_foul(text: str) -> None:
    hand = score("pokerbros-joker", text, OTHER)
    assert hand.foul[0].tolist() == [True, False]
    assert hand.royalties[0, 0].tolist() == [0, 0, 0]


def test_a_row_without_legal_reading_is_shown_at_its_weakest() -> None:
    # Every reading holds the aces. A deuce or a four would make two pair, so a three is the weakest.
    assert reads("pokerbros-joker", "9d8h5c / AcAdX14d2s / KcKdQh4s2h").split("/")[1] == "AcAd3c4d2s"


def test_of_equal_readings_the_first_in_card_order_is_taken() -> None:
    # A nine would exceed the king-high middle. Of the kings, clubs come first.
    assert reads("pokerbros-joker", "9dX12c / KsQcTh4d3s / AcKcJs7d5h").startswith("9dKc2c/")
    # The nine of clubs is held by the row itself, so diamonds come first.
    assert reads("pokerbros-joker", "9cX12c / KsKcTh4d3s / AcAdJs7d5h").startswith("9c9d2c/")


def test_a_dead_seat_with_missing_cards_keeps_its_jokers() -> None:
    hand = score("pokerbros-joker", "X1Ah / 9c9dX2 / AcAd", OTHER, dead=[0])
    assert hand.reads[0, 0].tolist() == slots(board("X1Ah/9c9dX2/AcAd"))
    assert hand.strengths[0, 0].tolist() == [0, 0, 0]


def test_boards_without_jokers_are_passed_through() -> None:
    boards = np.array([[slots(board(OTHER))]], dtype=np.uint8)
    assert read_jokers(boards, strict=False, repeats=False) is boards


def test_the_boards_that_are_read_are_not_changed() -> None:
    boards = np.array([slots(board("X2Ah9s/TsTd6d4d8c/JdQsJsQdQh"))], dtype=np.uint8)
    before = boards.copy()
    read_jokers(boards, strict=False, repeats=False)
    assert (boards == before).all()


def test_jokers_count_for_entry_and_stay() -> None:
    kings = "KdX12c / KsKcTsTh4d / 2h2d2s4h4s"
    aces = "AdX12c / KsKcTsTh4d / 2h2d2s4h4s"
    quads = "9d8h2c / KsQcTh4d3s / 7c7d7hX15h"
    hand = score("pokerbros-progressive-joker", kings, quads, aces, fantasyland={1: 16})
    assert hand.next_fantasyland[0].tolist() == [15, 14, 16]
