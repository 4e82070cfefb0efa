"""What jokers stand for (rulebook section 2), for many boards at once.

A board is read from the bottom up: the bottom as strong as it can be, then the middle as strong as it can be
without exceeding it, then the top. Of cards that make a row equally strong the first in card order is taken
(deuce before three, then clubs, diamonds, hearts, spades); of two jokers in a row, first for the one that
stands first.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final

import numpy as np
import numpy.typing as npt

from scoring.domain.cards import BOTTOM, DECK, JOKER_1, JOKER_2, MIDDLE, TOP
from scoring.domain.strength import Cards, Strengths, row_strengths

_CHUNK: Final = 256  # rows tried at once: 1,378 pairs of cards for each stay within a few megabytes
_NO_LIMIT: Final = np.iinfo(np.int16).max


def is_joker(cards: Cards) -> npt.NDArray[np.bool_]:
    """Where jokers stand that have not been read yet."""
    jokers: npt.NDArray[np.bool_] = (cards == JOKER_1) | (cards == JOKER_2)
    return jokers


def read_jokers(boards: Cards, strict: bool, repeats: bool) -> Cards:
    """Boards uint8[..., 13] with every joker replaced by what it stands for; without jokers, the same array.

    `strict` keeps a joker in the middle below the bottom; `repeats` lets a joker stand for a card that its
    own row holds. A row that has no legal reading, and so fouls, is read at its weakest; a row with an empty
    slot keeps its joker.
    """
    has_joker = np.any(is_joker(boards), axis=-1)
    if not has_joker.any():
        return boards
    reads = boards.copy()
    reads[has_joker] = _read_boards(boards[has_joker], strict, repeats)
    return reads


def _read_boards(boards: Cards, strict: bool, repeats: bool) -> Cards:
    reads = boards.copy()
    limits = np.full(len(boards), _NO_LIMIT, dtype=np.int16)
    for row in (BOTTOM, MIDDLE, TOP):
        reads[:, row] = _read_rows(boards[:, row], limits, repeats)
        strengths = row_strengths(reads[:, row])
        below = strengths - 1 if strict and row is BOTTOM else strengths
        # A row that lacks cards has no strength and limits nothing: its seat is dead anyway.
        limits = np.where(strengths > 0, below, _NO_LIMIT).astype(np.int16)
    return reads


def _read_rows(rows: Cards, limits: Strengths, repeats: bool) -> Cards:
    reads = rows.copy()
    jokers = is_joker(rows).sum(axis=1)
    for count in (1, 2):
        (places,) = np.nonzero(jokers == count)
        for start in range(0, len(places), _CHUNK):
            chosen = places[start : start + _CHUNK]
            reads[chosen] = _best_readings(
                rows[chosen], limits[chosen], _replacements(count, repeats), repeats
            )
    return reads


@cache
def _replacements(count: int, repeats: bool) -> npt.NDArray[np.intp]:
    """What `count` jokers of one row may stand for: intp[candidates, count], in the order of preference."""
    choose = combinations_with_replacement if repeats else combinations
    return np.array(list(choose(range(DECK), count)), dtype=np.intp)


def _best_readings(
    rows: Cards, limits: Strengths, replacements: npt.NDArray[np.intp], repeats: bool
) -> Cards:
    """Rows uint8[M, size], each with as many jokers as a replacement has cards, read within their limits."""
    slots = np.nonzero(is_joker(rows))[1].reshape(len(rows), -1)
    tried = np.repeat(rows[:, None], len(replacements), axis=1)
    for joker, cards in enumerate(replacements.T):
        tried[np.arange(len(rows)), :, slots[:, joker]] = cards
    strengths = row_strengths(tried)
    if not repeats:
        strengths[_held(rows)[:, replacements].any(axis=2)] = 0
    within = np.where(strengths <= limits[:, None], strengths, 0)
    weakest = np.where(strengths > 0, strengths, _NO_LIMIT)
    best = np.where(within.any(axis=1), within.argmax(axis=1), weakest.argmin(axis=1))
    readable = np.any(strengths, axis=1, keepdims=True)
    return np.where(readable, tried[np.arange(len(rows)), best], rows)


def _held(rows: Cards) -> npt.NDArray[np.bool_]:
    """bool[M, 52]: which cards each row holds."""
    held = np.zeros((len(rows), 256), dtype=np.bool_)
    np.put_along_axis(held, rows.astype(np.intp), True, axis=1)
    return held[:, :DECK]
