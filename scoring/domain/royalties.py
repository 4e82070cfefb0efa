"""Royalties of legal rows (rulebook section 4), as one table a row."""

from typing import Final

import numpy as np
import numpy.typing as npt

from scoring.domain.ladder import ACE, LADDER, Category, Rung

_SIX: Final = 4  # the lowest pair on top that earns
_MIDDLE: Final = {
    Category.TRIPS: 2,
    Category.STRAIGHT: 4,
    Category.FLUSH: 8,
    Category.FULL_HOUSE: 12,
    Category.QUADS: 20,
    Category.STRAIGHT_FLUSH: 30,
    Category.FIVE_OF_A_KIND: 30,
}
_BOTTOM: Final = {
    Category.STRAIGHT: 2,
    Category.FLUSH: 4,
    Category.FULL_HOUSE: 6,
    Category.QUADS: 10,
    Category.STRAIGHT_FLUSH: 15,
    Category.FIVE_OF_A_KIND: 15,
}
_LOWS: Final = {7: 1, 6: 2, 5: 4}  # nine-, eight- and seven-high; ten-high earns nothing
_BEST_LOW: Final = (5, 3, 2, 1, 0)


def _top(rung: Rung) -> int:
    if rung.category == Category.PAIR:
        return max(0, rung.ranks[0] - _SIX + 1)
    return 10 + rung.ranks[0] if rung.category == Category.TRIPS else 0


def _middle(rung: Rung) -> int:
    if rung.category == Category.LOW:
        return 8 if rung.ranks == _BEST_LOW else _LOWS.get(rung.ranks[0], 0)
    return 50 if _is_royal(rung) else _MIDDLE.get(rung.category, 0)


def _bottom(rung: Rung) -> int:
    return 25 if _is_royal(rung) else _BOTTOM.get(rung.category, 0)


def _is_royal(rung: Rung) -> bool:
    return rung == (Category.STRAIGHT_FLUSH, (ACE,))


#: Royalties of the top, the middle and the bottom by strength. Strength 0 earns nothing.
ROYALTIES: Final[tuple[npt.NDArray[np.int16], ...]] = tuple(
    np.array([0, *(earn(rung) for rung in LADDER)], dtype=np.int16) for earn in (_top, _middle, _bottom)
)
