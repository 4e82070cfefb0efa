"""Kinds of rows, full or not: by their ranks and by whether they are of one suit.

More than that no row can tell of what it may become. Kinds are numbered, so that tables can be kept by kind.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
import numpy.typing as npt

from scoring.domain.cards import RANKS
from scoring.domain.ladder import Category, threshold
from scoring.domain.strength import RANK_WEIGHTS, row_strengths

Ints = npt.NDArray[np.int64]
Cards = npt.NDArray[np.uint8]
Strengths = npt.NDArray[np.int16]

ROW_SIZES: Final = (3, 5, 5)  # top, middle, bottom
#: The greatest sum of rank weights of a row.
MOST_WEIGHT: Final = 5 * RANK_WEIGHTS[-1]
_WEIGHTS: Final = np.array(RANK_WEIGHTS, dtype=np.int64)
_ONE_SUIT: Final = np.array([suits.bit_count() <= 1 for suits in range(16)])
_CATEGORIES: Final = {
    (): Category.HIGH_CARD,
    (2,): Category.PAIR,
    (2, 2): Category.TWO_PAIR,
    (3,): Category.TRIPS,
    (4,): Category.QUADS,
}


@dataclass(frozen=True, slots=True)
class Kinds:
    """All kinds of rows of one size. First come the empty row, then rows of one card, and so on."""

    size: int
    first: tuple[int, ...]  # [cards in the row]: the first of their kinds; at the end the number of kinds
    rows: tuple[Cards, ...]  # [cards in the row]: an example of each kind, uint8[kinds, cards]
    strength: Strengths  # [kind]: of a full row; of another, what it cannot end below
    _number: npt.NDArray[np.int16]  # [cards in the row, sum of weights]: counted in pairs from the first

    def of(self, cards: Ints, sums: Ints, suits: Ints) -> Ints:
        """Kinds by number of cards, sum of rank weights, and suits (a bit for each), all of one shape."""
        first = np.array(self.first)[cards]
        return first + 2 * self._number[cards, sums].astype(np.int64) + _ONE_SUIT[suits]


@lru_cache(maxsize=2)
def kinds_of_rows(size: int) -> Kinds:
    """The kinds of rows of three or of five cards."""
    number = np.zeros((size + 1, MOST_WEIGHT + 1), dtype=np.int16)
    first, rows, strengths = [0], [], []
    for held in range(size + 1):
        ranks = list(combinations_with_replacement(range(len(RANKS)), held))
        number[held, [sum(RANK_WEIGHTS[rank] for rank in row) for row in ranks]] = np.arange(len(ranks))
        rows.append(_examples(ranks, held))
        first.append(first[-1] + 2 * len(ranks))
        strengths.append(row_strengths(rows[-1]) if held == size else _least_strengths(ranks))
    return Kinds(size, tuple(first), tuple(rows), np.concatenate(strengths), number)


def _examples(ranks: list[tuple[int, ...]], held: int) -> Cards:
    """For each combination of ranks a row of several suits, then one of one suit.

    Where a rank lies there twice, or no card at all, there is but one kind; the other is never asked for.
    """
    rows = []
    for row in ranks:
        several = [4 * rank + place % 4 for place, rank in enumerate(row)]
        rows += [several, [4 * rank for rank in row] if len(set(row)) == held else several]
    return np.array(rows, dtype=np.uint8).reshape(len(rows), held)


def _least_strengths(ranks: list[tuple[int, ...]]) -> Strengths:
    """Of rows that are not full: further cards can only lift them, and ranks that run out are the lower."""
    return np.repeat([_least_strength(row) for row in ranks], 2).astype(np.int16)


def _least_strength(row: tuple[int, ...]) -> int:
    counts = Counter(row)
    deciding = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    groups = tuple(counts[rank] for rank in deciding if counts[rank] > 1)
    return threshold(_CATEGORIES[groups], *deciding) if row else 0


def weights_of_ranks(cards: Cards) -> Ints:
    """The rank weight of each card, in the same shape."""
    weights: Ints = _WEIGHTS[cards // 4]
    return weights


def suit_bits(cards: Cards) -> Ints:
    """The suit of each card as a bit, in the same shape."""
    bits: Ints = 1 << (cards % 4).astype(np.int64)
    return bits
