"""Scoring of complete hands, many at once (rulebook sections 2 to 5).

Hands of one rule set and one number of seats are scored together by table look-ups; one hand is a batch of
one. Inside, arrays run hand by hand along the last axis, which keeps every step a walk through neighbouring
memory; the fields of the result are views of them with the hand on axis 0.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.domain.cards import BOTTOM, MIDDLE, TOP
from scoring.domain.fantasyland import Counts, next_fantasyland
from scoring.domain.jokers import read_jokers
from scoring.domain.ladder import Category, threshold
from scoring.domain.royalties import ROYALTIES
from scoring.domain.rulesets import RuleSet
from scoring.domain.strength import (
    Cards,
    Strengths,
    low_strengths,
    strengths_of_five,
    strengths_of_three,
    weights_of,
)

Flags = npt.NDArray[np.bool_]

_CHUNK: Final = 8192  # hands scored at once: enough to forget the cost of a call, few enough for the cache
_LOWEST_LOW: Final = threshold(Category.LOW)
_QUEEN: Final = 10
_ABOVE_MOON: Final = threshold(Category.HIGH_CARD, _QUEEN)  # a bottom below queen-high takes the moon bonus


@dataclass(frozen=True, slots=True)
class BatchScore:
    """N hands of S seats and P = S(S-1)/2 pairs. Rows are top, middle, bottom; figures of a pair are from
    the side of its first seat."""

    strengths: npt.NDArray[np.int16]  # [N, S, 3]; 0 where a row lacks cards
    reads: npt.NDArray[np.uint8]  # [N, S, 13]: the boards with jokers replaced by what they stand for
    foul: npt.NDArray[np.bool_]  # [N, S], dead seats included
    royalties: npt.NDArray[np.int16]  # [N, S, 3]; 0 where fouled
    next_fantasyland: npt.NDArray[np.uint8]  # [N, S]: cards, 0 = none
    rows: npt.NDArray[np.int8]  # [N, P, 3]: 1 won, 0 tied, -1 lost
    bonus: npt.NDArray[np.int8]  # [N, P]: the scoop bonus or the overall point
    royalty_difference: npt.NDArray[np.int16]  # [N, P]
    moon: npt.NDArray[np.int8]  # [N, P]
    points: npt.NDArray[np.int32]  # [N, P]: rows, bonus, royalties and moon together


def _bonuses(scoop: int, overall: int) -> npt.NDArray[np.int8]:
    """What is added to the rows of a pair, by the outcome of top, middle and bottom in base three."""

    def bonus(rows: tuple[int, ...]) -> int:
        won, lost = rows.count(1), rows.count(-1)
        return scoop * ((won == 3) - (lost == 3)) + overall * ((won >= 2) - (lost >= 2))

    return np.array([bonus(rows) for rows in product((-1, 0, 1), repeat=3)], dtype=np.int8)


_BONUSES: Final = {"1-6": _bonuses(3, 0), "1-4": _bonuses(1, 0), "2-4": _bonuses(0, 1)}


class _Seats(NamedTuple):
    strengths: Strengths  # [S, 3, n]
    foul: Flags  # [S, n]
    royalties: npt.NDArray[np.int16]  # [S, 3, n]
    next_fantasyland: Counts  # [S, n]


class _Pairs(NamedTuple):
    rows: npt.NDArray[np.int8]  # [P, 3, n]
    bonus: npt.NDArray[np.int8]  # [P, n]
    royalty_difference: npt.NDArray[np.int16]
    moon: npt.NDArray[np.int8]
    points: npt.NDArray[np.int32]


_Chunk = tuple[_Seats, _Pairs]


def seat_pairs(seats: int) -> list[tuple[int, int]]:
    """Pairs of places on the seat axis, in settlement order: (0, 1), (0, 2), ... (1, 2), ..."""
    return list(combinations(range(seats), 2))


def score_boards(rules: RuleSet, boards: Cards, dead: Flags, fantasyland: Counts) -> BatchScore:
    """Score N hands of S seats, which stand in settlement order: left of the button first, the button last.

    `boards` uint8[N, S, 13]: slots 0-2 top, 3-7 middle, 8-12 bottom; an empty slot only in dead seats.
    `dead` bool[N, S]; `fantasyland` uint8[N, S], the cards of the Fantasyland played in this hand, 0 = none.
    In the two-hands game the pair of one player's two hands is scored like any other; the caller drops it.
    """
    reads = read_jokers(boards, rules.order == "strict", rules.five_of_a_kind) if rules.jokers else boards
    chunks = [
        _score_chunk(rules, reads[part], dead[part].T, fantasyland[part].T) for part in _parts(len(boards))
    ]
    seats = _Seats(*_joined([chunk[0] for chunk in chunks]))
    pairs = _Pairs(*_joined([chunk[1] for chunk in chunks]))
    return BatchScore(reads=reads, **seats._asdict(), **pairs._asdict())


def _parts(hands: int) -> list[slice]:
    return [slice(start, start + _CHUNK) for start in range(0, max(hands, 1), _CHUNK)]


def _joined(chunks: Sequence[tuple[npt.NDArray[Any], ...]]) -> Iterator[npt.NDArray[Any]]:
    for columns in zip(*chunks, strict=True):
        whole = columns[0] if len(columns) == 1 else np.concatenate(columns, axis=-1)
        yield np.moveaxis(whole, -1, 0)


def _score_chunk(rules: RuleSet, boards: Cards, dead: Flags, fantasyland: Counts) -> _Chunk:
    strengths = _strengths(rules, boards)
    foul = _misordered(rules, strengths) | dead
    royalties = np.stack([ROYALTIES[row].take(strengths[:, row]) for row in range(3)], axis=1)
    royalties *= ~foul[:, None]
    following = next_fantasyland(rules, strengths, foul, fantasyland)
    seats = _Seats(strengths, foul, royalties, following)
    return seats, _compare(rules, seats)


def _strengths(rules: RuleSet, boards: Cards) -> Strengths:
    """int16[S, 3, n] of boards uint8[n, S, 13]."""
    by_slot = np.ascontiguousarray(boards.transpose(2, 1, 0))
    weights = weights_of(by_slot)
    strengths = np.empty((boards.shape[1], 3, len(boards)), dtype=np.int16)
    strengths[:, 0] = strengths_of_three(weights[TOP])
    middle = strengths_of_five(by_slot[MIDDLE], weights[MIDDLE])
    strengths[:, 1] = low_strengths(middle) if rules.low_middle else middle
    strengths[:, 2] = strengths_of_five(by_slot[BOTTOM], weights[BOTTOM])
    return strengths


def _misordered(rules: RuleSet, strengths: Strengths) -> Flags:
    top, middle, bottom = strengths[:, 0], strengths[:, 1], strengths[:, 2]
    if rules.low_middle:
        return (middle < _LOWEST_LOW) | (bottom < top)
    exceeds = bottom <= middle if rules.order == "strict" else bottom < middle
    return exceeds | (middle < top)


def _compare(rules: RuleSet, seats: _Seats) -> _Pairs:
    first, second = np.array(seat_pairs(len(seats.foul)), dtype=np.intp).reshape(-1, 2).T
    standing = seats.strengths * ~seats.foul[:, None]  # a foul loses to every legal row and ties another foul
    ours, theirs = standing[first], standing[second]
    rows = np.subtract(ours > theirs, ours < theirs, dtype=np.int8)
    bonus = _BONUSES[rules.scoring].take(9 * rows[:, 0] + 3 * rows[:, 1] + rows[:, 2] + 13)
    royalties = seats.royalties.sum(axis=1, dtype=np.int16)
    difference = royalties[first] - royalties[second]
    shoots = ~seats.foul & (seats.strengths[:, 2] < _ABOVE_MOON)
    moon = np.subtract(shoots[first], shoots[second], dtype=np.int8) * np.int8(rules.moon)
    points = rows.sum(axis=1, dtype=np.int32) + bonus + difference + moon
    return _Pairs(rows, bonus, difference, moon, points)
