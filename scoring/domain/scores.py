"""The score of one hand, as values."""

from collections.abc import Sequence
from typing import Any, NamedTuple


class SeatScore(NamedTuple):
    """What one seat came to. `chips` in units, None where the hand pays none by itself.

    `strengths`, `reads` (jokers as what they stand for) and rows are those of a scored board; of a claimed
    result they are 0 and EMPTY. Rows are counted over all pairs of the seat; between two fouled hands no
    row is won, tied or lost.
    """

    seat: int
    alias: str
    foul: bool
    dead: bool
    royalties: tuple[int, int, int]  # top, middle, bottom
    points: int
    chips: int | None
    next_fantasyland: int
    strengths: tuple[int, int, int]
    reads: Sequence[int]  # 13 slots
    rows_won: int
    rows_tied: int
    rows_lost: int


class PairScore(NamedTuple):
    """What two seats came to, from the side of `a`. `rows` is None where only the result is known."""

    a: int
    b: int
    rows: tuple[int, int, int] | None
    bonus: int
    royalties: int
    moon: int
    points: int
    chips: int | None
    why: str  # why a payment was cut (settlement.WHY)


class Difference(NamedTuple):
    """Where a claim says otherwise. Chips are units."""

    seat: int
    what: str
    claimed: Any
    scored: Any


class HandScore(NamedTuple):
    """The score of one hand: seats ascending, pairs in settlement order."""

    seats: tuple[SeatScore, ...]
    pairs: tuple[PairScore, ...]
    differences: tuple[Difference, ...]
