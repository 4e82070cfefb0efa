"""The ladder: every class of row that can be told from another, weakest first (rulebook section 2).

Rows of three and of five cards, of one deck or two, and 2-7 lows stand on one ladder. The number of a rung,
counted from 1, is a row's *strength*; 0 is a row that has no strength because a card is missing.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from scoring.domain.cards import RANKS

ACE: Final = RANKS.index("A")
TEN: Final = RANKS.index("T")


class Category(IntEnum):
    """What a row is. LOW is a 2-7 low that qualifies; only the middle of a 2-7 game holds one."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    QUADS = 7
    STRAIGHT_FLUSH = 8
    FIVE_OF_A_KIND = 9
    LOW = 10


class Rung(NamedTuple):
    """A class of rows. Rungs compare as rows do: category first, then rank by rank.

    A rung whose ranks run out while all is equal is the lower one, which is just how three cards compare
    with five.
    """

    category: Category
    ranks: tuple[int, ...]  # what decides within the category, most important first


# How often the ranks of a row occur, most frequent first. Pairs, trips and the like need no fifth card.
_PATTERNS: Final = {
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
    (1, 1, 1): Category.HIGH_CARD,
    (2, 1, 1, 1): Category.PAIR,
    (2, 1): Category.PAIR,
    (2, 2, 1): Category.TWO_PAIR,
    (3, 1, 1): Category.TRIPS,
    (3,): Category.TRIPS,
    (3, 2): Category.FULL_HOUSE,
    (4, 1): Category.QUADS,
    (5,): Category.FIVE_OF_A_KIND,
}
_WHEEL: Final = (ACE, 3, 2, 1, 0)


def rung_of(ranks: Iterable[int], flush: bool = False) -> Rung:
    """The rung of a row of three or five ranks; `flush` says that its five cards share a suit."""
    counts = Counter(ranks)
    deciding = tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
    category = _PATTERNS[tuple(sorted(counts.values(), reverse=True))]
    if len(deciding) == 5 and (deciding[0] - deciding[4] == 4 or deciding == _WHEEL):
        high = deciding[1] if deciding == _WHEEL else deciding[0]
        return Rung(Category.STRAIGHT_FLUSH if flush else Category.STRAIGHT, (high,))
    if flush and category < Category.FLUSH:
        return Rung(Category.FLUSH, tuple(sorted(counts.elements(), reverse=True)))
    return Rung(category, deciding)


def row_ranks(size: int) -> Iterable[tuple[int, ...]]:
    """Every multiset of ranks that a row of `size` cards can hold, two decks and jokers included."""
    return combinations_with_replacement(range(len(RANKS)), size)


def _rungs() -> tuple[Rung, ...]:
    of_three = {rung_of(ranks) for ranks in row_ranks(3)}
    of_five = {rung_of(ranks, flush) for ranks in row_ranks(5) for flush in (False, True)}
    by_strength = sorted(of_three | of_five)
    # A low is better the lower it is, so lows stand upside down. Ten-high is the worst that qualifies.
    lows = (rung.ranks for rung in reversed(by_strength) if _qualifies(rung))
    return (*by_strength, *(Rung(Category.LOW, ranks) for ranks in lows))


def _qualifies(rung: Rung) -> bool:
    return rung.category == Category.HIGH_CARD and len(rung.ranks) == 5 and rung.ranks[0] <= TEN


LADDER: Final[tuple[Rung, ...]] = _rungs()
STRENGTH_OF: Final[dict[Rung, int]] = {rung: number for number, rung in enumerate(LADDER, start=1)}
_ASCENDING: Final = LADDER[: LADDER.index(next(rung for rung in LADDER if rung.category == Category.LOW))]


def threshold(category: Category, *ranks: int) -> int:
    """The least strength of a row that is at least this: the lowest rung not below (category, ranks).

    `threshold(Category.PAIR, 10)` is where queens begin, whatever the kicker and the size of the row.
    """
    if category == Category.LOW:
        return len(_ASCENDING) + 1
    return bisect_left(_ASCENDING, Rung(category, ranks)) + 1
