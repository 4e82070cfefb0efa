"""The ladder of rows: its classes, how often they occur, and their order (rulebook section 2)."""

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, pairwise
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from pokerkit import StandardHighHand

from scoring.domain.cards import CODES
from scoring.domain.ladder import LADDER, Category, row_ranks, threshold
from scoring.domain.strength import RANK_WEIGHTS, category_of, low_strengths, row_name, row_strengths
from tests.boards import as_array, codes

# Category: (classes, hands of one class). Five cards: 13 ranks choose ..., suits free.
FIVE_CARD_CLASSES = {
    Category.HIGH_CARD: (1287 - 10, 4**5 - 4),
    Category.PAIR: (13 * 220, 6 * 4**3),
    Category.TWO_PAIR: (78 * 11, 6 * 6 * 4),
    Category.TRIPS: (13 * 66, 4 * 4 * 4),
    Category.STRAIGHT: (10, 4**5 - 4),
    Category.FLUSH: (1287 - 10, 4),
    Category.FULL_HOUSE: (13 * 12, 4 * 6),
    Category.QUADS: (13 * 12, 4),
    Category.STRAIGHT_FLUSH: (10, 4),
}
THREE_CARD_CLASSES = {
    Category.HIGH_CARD: (286, 4**3),
    Category.PAIR: (13 * 12, 6 * 4),
    Category.TRIPS: (13, 4),
}


@cache
def every_row(size: int) -> npt.NDArray[np.uint8]:
    """Every row of one deck, uint8[rows, size]."""
    flat = chain.from_iterable(combinations(range(52), size))
    return np.fromiter(flat, dtype=np.uint8).reshape(-1, size)


def strength(text: str) -> int:
    return int(row_strengths(as_array(codes(text.replace(" ", "")))))


@pytest.mark.parametrize(
    ("size", "rows", "classes", "expected"),
    [(3, 22_100, 455, THREE_CARD_CLASSES), (5, 2_598_960, 7_462, FIVE_CARD_CLASSES)],
)
def test_every_class_occurs_as_often_as_combinatorics_say(
    size: int, rows: int, classes: int, expected: dict[Category, tuple[int, int]]
) -> None:
    strengths, counts = np.unique(row_strengths(every_row(size)), return_counts=True)
    assert (counts.sum(), len(strengths)) == (rows, classes)
    assert strengths[0] > 0
    found: dict[Category, list[int]] = {category: [] for category in expected}
    for one, count in zip(strengths.tolist(), counts.tolist(), strict=True):
        found[category_of(one)].append(count)
    assert {category: (len(counts), *set(counts)) for category, counts in found.items()} == expected


@pytest.mark.parametrize(
    ("category", "hands"),
    [
        (Category.HIGH_CARD, 1_302_540),
        (Category.PAIR, 1_098_240),
        (Category.TWO_PAIR, 123_552),
        (Category.TRIPS, 54_912),
        (Category.STRAIGHT, 10_200),
        (Category.FLUSH, 5_108),
        (Category.FULL_HOUSE, 3_744),
        (Category.QUADS, 624),
        (Category.STRAIGHT_FLUSH, 40),
    ],
)
def test_the_counts_of_the_textbooks(category: Category, hands: int) -> None:
    classes, each = FIVE_CARD_CLASSES[category]
    assert classes * each == hands


def test_one_row_of_every_class_stands_in_pokerkits_order() -> None:
    rows = every_row(5)
    _, first = np.unique(row_strengths(rows), return_index=True)
    hands = [StandardHighHand("".join(CODES[card] for card in rows[place])) for place in first]
    assert len(hands) == 7_462
    assert all(weaker < stronger for weaker, stronger in pairwise(hands))


def test_random_pairs_of_rows_compare_as_in_pokerkit() -> None:
    random = Random(7)
    rows = every_row(5)
    for _ in range(4_000):
        one, other = rows[random.randrange(len(rows))], rows[random.randrange(len(rows))]
        ours = np.sign(int(row_strengths(one)) - int(row_strengths(other)))
        a, b = (StandardHighHand("".join(CODES[card] for card in row)) for row in (one, other))
        assert ours == (a > b) - (a < b)


@pytest.mark.parametrize(
    "rising",
    [
        # Three cards among five: category, then ranks in order; what runs out is the weaker.
        ["7h 5d 3c", "7h 5d 3c 2s 4h", "7h 6d 2c"],
        ["QsQh7d", "QdQc8h3c2s", "QsQh9d", "QdQc9h8c2s"],
        ["QsQhKd", "QdQcKs9c8d", "QsQhAd"],
        ["2c2d3h", "2c2d4h3s5c", "AcAdKh", "AcAdKhQsJc", "2c2d3h3s4c", "2c2d2h", "2c2d2h4s3c"],
        ["AcAdAh", "AcAdAh3s2c", "Ac2d3h4s5c"],
        # Suited or in a row means nothing on top.
        ["AsKsJs", "AsKsQs", "2c2d3h"],
        # The wheel is the lowest straight.
        ["AcAdAhKsQc", "Ac2d3h4s5c", "2c3d4h5s6c", "TcJdQhKsAc", "7c5c4c3c2c"],
        # Two decks: a flush with repeated ranks compares all five ranks in order.
        ["AsKsQsJs9s", "AsAs7s3s2s", "AsAs7s7s2s", "AsAsKs3s2s", "2c2d2h3s3c"],
        # Five of a kind stands above the straight flush.
        ["AcAdAhAsKc", "Ac2c3c4c5c", "TcJcQcKcAc", "2c2d2h2s2c", "AcAdAhAsAc"],
    ],
)
def test_rows_rise(rising: list[str]) -> None:
    strengths = [strength(text) for text in rising]
    assert strengths == sorted(set(strengths))


def test_suits_and_order_of_cards_do_not_matter() -> None:
    assert strength("AcKdQhJs9c") == strength("9hJcQdAsKh")
    assert strength("AcAdKh") == strength("KcAhAs")


@pytest.mark.parametrize("text", ["AsKs", "X1As"])
@pytest.mark.parametrize("size", [3, 5])
def test_a_row_that_lacks_a_card_has_no_strength(text: str, size: int) -> None:
    row = np.full(size, 54, dtype=np.uint8)
    row[:2] = as_array(codes(text))
    assert row_strengths(row) == 0
    assert row_strengths(np.full(size, 54, dtype=np.uint8)) == 0


def test_strengths_keep_the_shape_of_what_they_are_made_of() -> None:
    rows = every_row(5)[:24].reshape(2, 3, 4, 5)
    assert row_strengths(rows).shape == (2, 3, 4)
    assert row_strengths(rows).dtype == np.int16
    assert (row_strengths(rows).ravel() == row_strengths(every_row(5)[:24])).all()


def test_no_two_multisets_of_ranks_share_a_sum() -> None:
    sums = [sum(RANK_WEIGHTS[rank] for rank in ranks) for size in (3, 5) for ranks in row_ranks(size)]
    assert len({*sums[:455]}) == 455
    assert len({*sums[455:]}) == 6_188  # 13 ranks, 5 chosen with repetition: 17 over 5


def test_the_ladder_fits_the_strengths() -> None:
    assert len(set(LADDER)) == len(LADDER) < np.iinfo(np.int16).max


# --- 2-7 lows ---------------------------------------------------------------------------------------------


def low(text: str) -> int:
    return int(low_strengths(row_strengths(as_array(codes(text)))))


def test_lows_compare_from_the_highest_card_down() -> None:
    falling = [
        "7c5d4h3s2c",
        "7c6d4h3s2c",
        "7c6d5h3s2c",
        "8c5d4h3s2c",
        "8c7d6h5s3c",
        "9c5d4h3s2c",
        "Tc9d8h7s5c",
    ]
    strengths = [low(text) for text in falling]
    assert strengths == sorted(set(strengths), reverse=True)
    assert min(strengths) >= threshold(Category.LOW)


@pytest.mark.parametrize(
    "text",
    ["Jc5d4h3s2c", "Ac5d4h3s2c", "2c3d4h5s6c", "7c5c4c3c2c", "2c2d4h5s7c", "6c7d8h9sTc", "Ac2d3h4s6c"],
)
def test_rows_that_are_no_low(text: str) -> None:
    assert 0 < low(text) < threshold(Category.LOW)


def test_there_are_121_lows() -> None:
    # Nine ranks up to the ten choose five, less the five straights 6-high to ten-high.
    assert sum(rung.category == Category.LOW for rung in LADDER) == 126 - 5


# --- Names ------------------------------------------------------------------------------------------------


def _names() -> Iterator[tuple[str, str]]:
    yield from [("AsAhKd", "pair of aces"), ("6s6h6d", "trips, sixes"), ("AsKhQd", "ace-high")]
    yield from [("9c7d5h3s2c", "nine-high"), ("TcTd6h6s2c", "two pair, tens and sixes")]
    yield from [("Ac2d3h4s5c", "five-high straight"), ("Kc9c7c3c2c", "king-high flush")]
    yield from [("TcTdTh5s5d", "full house, tens over fives"), ("7c7d7h7s2c", "quads, sevens")]
    yield from [("5c6c7c8c9c", "nine-high straight flush"), ("TcJcQcKcAc", "royal flush")]
    yield from [("6c6d6h6s6c", "five sixes"), ("AsAsKsKs2s", "ace-high flush")]


@pytest.mark.parametrize(("text", "name"), list(_names()))
def test_rows_have_names(text: str, name: str) -> None:
    assert row_name(strength(text)) == name


def test_a_low_and_a_row_without_strength_have_names_too() -> None:
    assert row_name(low("9c7d5h3s2c")) == "nine-high low"
    assert row_name(0) == ""


def test_every_rung_has_a_name() -> None:
    assert all(row_name(rung) and "{" not in row_name(rung) for rung in range(1, len(LADDER) + 1))
