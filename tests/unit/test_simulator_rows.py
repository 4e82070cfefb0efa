"""What the simulator's players think of rows that are not full."""

from itertools import product

import numpy as np
import pytest

from scoring.domain.cards import CARD_OF
from scoring.domain.ladder import Category, threshold
from scoring.domain.rulesets import PRESETS
from scoring.domain.strength import row_strengths
from scoring.simulator.chance import key_of, keyed, shuffled
from scoring.simulator.kinds import ROW_SIZES, kinds_of_rows, suit_bits, weights_of_ranks
from scoring.simulator.outlook import Outlook, outlook
from scoring.simulator.worth import LEVELS, worth_of_levels

PROGRESSIVE, CLASSIC = PRESETS["progressive"], PRESETS["classic"]
TOP, MIDDLE, BOTTOM = range(3)


def _cards(text: str) -> np.ndarray:
    return np.array([CARD_OF[text[at : at + 2]] for at in range(0, len(text), 2)], dtype=np.uint8)


def _kind(size: int, cards: np.ndarray) -> int:
    suits = np.bitwise_or.reduce(suit_bits(cards)) if len(cards) else 0
    sums = weights_of_ranks(cards).sum()
    return int(kinds_of_rows(size).of(np.array([len(cards)]), np.array([sums]), np.array([suits]))[0])


def _chance(table: Outlook, row: str, streets: int, category: Category, *ranks: int) -> float:
    level = int(np.flatnonzero(threshold(category, *ranks) == LEVELS)[0])
    return float(table.reach[streets][_kind(table.kinds.size, _cards(row)), level])


@pytest.mark.parametrize("size", [3, 5])
def test_no_row_ends_below_what_its_kind_says(size: int) -> None:
    decks = shuffled(keyed(np.array([key_of("rows", size)], dtype=np.uint64), np.arange(300)), 52)
    ends = row_strengths(decks[:, :size])
    kinds = kinds_of_rows(size)
    for held, (deck, end) in product(range(size + 1), zip(decks, ends, strict=True)):
        least = kinds.strength[_kind(size, deck[:held])]
        assert least <= end
        assert held < size or least == end


def test_pairs_and_kickers_count_before_the_row_is_full() -> None:
    strength = kinds_of_rows(5).strength
    rising = ["", "9c", "Ac", "AcKd", "2c2d", "2c2dAh", "QcQd", "QcQdKs", "3c3d2h2s", "4c4d4h", "5c5d5h5s"]
    assert [int(strength[_kind(5, _cards(row))]) for row in rising] == sorted(
        {int(strength[_kind(5, _cards(row))]) for row in rising}
    )


def test_chances_fall_from_level_to_level_and_are_certain_for_full_rows() -> None:
    for row, size in enumerate(ROW_SIZES):
        table = outlook(PROGRESSIVE, row)
        for reach in table.reach:
            assert (np.diff(reach, axis=1) <= 1e-6).all()
        full = table.reach[0][table.kinds.first[size] :]
        assert set(np.unique(full).tolist()) == {0.0, 1.0}


def test_a_flush_draw_comes_in_as_often_as_cards_allow() -> None:
    """Four hearts, three cards to come among the 48 others, 9 of them hearts: 1 - C(39,3)/C(48,3) = 0.4716.

    The bottom is left 9 cards in 10, so that three draws of 0.9 x 9/48 give about 0.43.
    """
    table = outlook(PROGRESSIVE, BOTTOM)
    chance = _chance(table, "2h5h9hKh", 1, Category.FLUSH)
    assert 0.30 < chance < 0.56  # over 64 streets: standard deviation 0.06
    two_streets = _chance(table, "2h5h9hKh", 2, Category.FLUSH)
    assert two_streets > chance


def test_a_last_card_must_be_taken_whatever_it_is() -> None:
    """Classic deals one card on the last street: queens on top become trips with 2 cards of 50."""
    table = outlook(CLASSIC, TOP)
    assert _chance(table, "QcQd", 1, Category.PAIR, 10) == 1
    assert _chance(table, "QcQd", 1, Category.TRIPS) < 0.15
    assert _chance(table, "QcQd", 5, Category.PAIR, 10) == 1


def test_rows_that_cannot_be_filled_any_more_come_to_nothing() -> None:
    table = outlook(PROGRESSIVE, BOTTOM)
    assert not table.reach[1][_kind(5, _cards("AcAdAh"[:4]))].any()  # three free places, two cards to place
    assert table.reach[1][_kind(5, _cards("AcAdAh")), 0] == 1


def test_fantasyland_is_worth_what_its_cards_are() -> None:
    plain = worth_of_levels(PROGRESSIVE, 0.0).cumsum(axis=1)
    greedy = worth_of_levels(PROGRESSIVE, 1.0).cumsum(axis=1)
    gains = {
        name: float((greedy - plain)[TOP][threshold(*rung) == LEVELS][0])
        for name, rung in {
            "JJ": (Category.PAIR, 9),
            "QQ": (Category.PAIR, 10),
            "KK": (Category.PAIR, 11),
            "AA": (Category.PAIR, 12),
            "222": (Category.TRIPS, 0),
        }.items()
    }
    assert gains == pytest.approx({"JJ": 0, "QQ": 8, "KK": 11, "AA": 14, "222": 17}, abs=1e-4)
    assert not (greedy - plain)[1:].any()
