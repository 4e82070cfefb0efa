"""First streets in a few patterns: how five cards went to the rows, and what they were there."""

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from scoring.domain.cards import JOKER_1
from scoring.domain.notation import Placement

CARDS: Final = 5
DRAW_CARDS: Final = 3
_HELD: Final = 1000


class First(IntEnum):
    """What a first street was, the first of these that fits counting from the highest."""

    NOTHING = 0
    FLUSH_DRAW = 1  # three or more of one suit and no others on the bottom
    PAIR_ON_TOP = 2
    PAIR_IN_THE_MIDDLE = 3
    PAIR_ON_THE_BOTTOM = 4
    TWO_PAIR = 5  # in one row or in two
    TRIPS = 6  # three or four of a rank in one row
    JOKER = 7


def opening_of(placement: Placement) -> int | None:
    """The code of a first street: its pattern (`First`) and its shape; None if it is not of five cards.

    The shape is the number of cards on top, in the middle and on the bottom: 0-2-3 is 23.
    """
    rows = (placement.top, placement.middle, placement.bottom)
    top, middle, bottom = map(len, rows)
    if top + middle + bottom != CARDS:
        return None
    return _first(rows) * _HELD + 100 * top + 10 * middle + bottom


def first_of(opening: int) -> First:
    """The pattern in the code of a first street."""
    return First(opening // _HELD)


def shape_of(opening: int) -> str:
    """The shape in the code of a first street, as "0-2-3"."""
    return "-".join(f"{opening % _HELD:03}")


def _first(rows: Sequence[Sequence[int]]) -> First:
    cards = [card for row in rows for card in row]
    if any(card >= JOKER_1 for card in cards):
        return First.JOKER
    ranks = [Counter(card // 4 for card in row) for row in rows]
    most = [max(row.values(), default=0) for row in ranks]
    pairs = [row for row, counted in enumerate(ranks) for count in counted.values() if count == 2]
    if max(most) >= 3:
        return First.TRIPS
    if len(pairs) >= 2:
        return First.TWO_PAIR
    if pairs:
        return (First.PAIR_ON_TOP, First.PAIR_IN_THE_MIDDLE, First.PAIR_ON_THE_BOTTOM)[pairs[0]]
    bottom = rows[2]
    draws = len(bottom) >= DRAW_CARDS and len({card % 4 for card in bottom}) == 1
    return First.FLUSH_DRAW if draws else First.NOTHING
