"""Strengths of rows by table look-up: one scale for three and five cards (rulebook section 2).

The ranks of a row are told by the sum of one weight a card, a flush by its suits; both together are the
index into a table of rungs.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from scoring.domain.cards import KINDS, RANKS
from scoring.domain.ladder import LADDER, STRENGTH_OF, Category, Rung, row_ranks, rung_of

Cards = npt.NDArray[np.uint8]
Strengths = npt.NDArray[np.int16]

# No two multisets of at most five ranks have the same sum (the greedy sequence with that property).
RANK_WEIGHTS: Final = (0, 1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676, 94545)
_SUMS: Final = 5 * RANK_WEIGHTS[-1] + 1  # a flush stands this much further on in the table
_NO_STRENGTH: Final = 2 * _SUMS  # the last place of every table, where all higher sums are clipped to

# An empty slot or an unread joker spoils the sum of its row.
_WEIGHTS: Final = np.full(KINDS, _NO_STRENGTH, dtype=np.int32)
_WEIGHTS[:52] = np.repeat(RANK_WEIGHTS, 4)


def _table(size: int) -> Strengths:
    table = np.zeros(_NO_STRENGTH + 1, dtype=np.int16)
    for ranks in row_ranks(size):
        total = sum(RANK_WEIGHTS[rank] for rank in ranks)
        table[total] = STRENGTH_OF[rung_of(ranks)]
        if size == 5:
            table[_SUMS + total] = STRENGTH_OF[rung_of(ranks, flush=True)]
    return table


_THREE: Final = _table(3)
_FIVE: Final = _table(5)

_LOWS: Final = np.arange(len(LADDER) + 1, dtype=np.int16)
for _rung in LADDER:
    if _rung.category == Category.LOW:
        _LOWS[STRENGTH_OF[Rung(Category.HIGH_CARD, _rung.ranks)]] = STRENGTH_OF[_rung]


def weights_of(cards: Cards) -> npt.NDArray[np.int32]:
    """The weight of each card, in the same shape."""
    return _WEIGHTS.take(cards, mode="clip")


def strengths_of_three(weights: npt.NDArray[np.int32]) -> Strengths:
    """Strengths of rows of three; axis 0 of the weights runs over the cards of a row."""
    index = weights.sum(axis=0, dtype=np.int32)
    strengths: Strengths = _THREE.take(index, mode="clip")
    return strengths


def strengths_of_five(cards: Cards, weights: npt.NDArray[np.int32]) -> Strengths:
    """Strengths of rows of five; axis 0 of both arrays runs over the cards of a row."""
    others = np.bitwise_or.reduce(cards[1:] ^ cards[0], axis=0) & 3
    index = weights.sum(axis=0, dtype=np.int32)
    index += np.multiply(others == 0, _SUMS, dtype=np.int32)
    strengths: Strengths = _FIVE.take(index, mode="clip")
    return strengths


def low_strengths(strengths: Strengths) -> Strengths:
    """Strengths of five-card rows read as 2-7 lows: rows that qualify move above the threshold of LOW."""
    return _LOWS.take(strengths)


def row_strengths(cards: Cards) -> Strengths:
    """Strengths of rows of three or five cards along the last axis; 0 where a card is missing."""
    by_slot = np.ascontiguousarray(np.moveaxis(cards, -1, 0))
    weights = weights_of(by_slot)
    return strengths_of_three(weights) if len(by_slot) == 3 else strengths_of_five(by_slot, weights)


def category_of(strength: int) -> Category:
    """What a row of this strength (1 or more) is."""
    return LADDER[strength - 1].category


# --- Names ------------------------------------------------------------------------------------------------

_RANK_NAMES: Final = (
    *("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
_NAMES: Final = {
    Category.HIGH_CARD: "{0}-high",
    Category.PAIR: "pair of {0s}",
    Category.TWO_PAIR: "two pair, {0s} and {1s}",
    Category.TRIPS: "trips, {0s}",
    Category.STRAIGHT: "{0}-high straight",
    Category.FLUSH: "{0}-high flush",
    Category.FULL_HOUSE: "full house, {0s} over {1s}",
    Category.QUADS: "quads, {0s}",
    Category.STRAIGHT_FLUSH: "{0}-high straight flush",
    Category.FIVE_OF_A_KIND: "five {0s}",
    Category.LOW: "{0}-high low",
}


def row_name(strength: int) -> str:
    """The row in words: "pair of aces", "full house, tens over fives", "nine-high low"; "" for strength 0."""
    if strength == 0:
        return ""
    category, ranks = LADDER[strength - 1]
    if category == Category.STRAIGHT_FLUSH and ranks == (len(RANKS) - 1,):
        return "royal flush"
    name = _NAMES[category]
    for place, rank in enumerate(ranks):
        word = _RANK_NAMES[rank]
        plural = word + ("es" if word.endswith("x") else "s")
        name = name.replace(f"{{{place}s}}", plural).replace(f"{{{place}}}", word)
    return name
