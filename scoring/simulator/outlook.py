"""What a row that is not yet full may become.

For every kind of row the tables say how likely it is to end at each level or above if it is filled, street
by street, with the cards that are worth most to it alone. They are worked out backwards from the last
street, over the same sample of streets for every row. The other rows want cards too, so each card is to be
had only with a certain chance. What lies at other seats is not looked at.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.domain.cards import DECK
from scoring.domain.rulesets import RuleSet
from scoring.simulator.chance import Floats, key_of, keyed, shuffled, uniform
from scoring.simulator.kinds import ROW_SIZES, Cards, Ints, Kinds, kinds_of_rows, suit_bits, weights_of_ranks
from scoring.simulator.worth import LEVELS, RUNG, worth_of_levels

Streets = tuple[tuple[int, int], ...]  # (dealt, placed)

#: The chance that the other rows leave a card to the top, the middle, the bottom.
_LEFT_TO: Final = (0.5, 0.7, 0.9)
_SAMPLE: Final = 64  # streets looked at
_TAKEN_FROM_OTHERS: Final = 50.0  # points that forbid it, unless there is no other way to fill the row
_NEVER: Final = np.float32(-1e6)


@dataclass(frozen=True, slots=True)
class Outlook:
    """The tables of one row in one deal."""

    kinds: Kinds
    levels: npt.NDArray[np.int64]  # [kind]: the level that the row has reached whatever comes
    reach: tuple[Floats, ...]  # [streets to come][kind, level]: the chance to end there or above


@lru_cache(maxsize=64)
def outlook(rules: RuleSet, row: int) -> Outlook:
    """The tables of the top (0), middle (1) or bottom (2). They take about half a second, once a process."""
    worth = worth_of_levels(rules)[row]
    return _outlook(rules.deal.streets[1:], row, tuple(worth.tolist()))


@lru_cache(maxsize=64)
def _outlook(streets: Streets, row: int, worth: tuple[float, ...]) -> Outlook:
    """Rule sets of one deal differ in what a top is worth, and share the other two."""
    kinds = kinds_of_rows(ROW_SIZES[row])
    levels = (LEVELS.searchsorted(kinds.strength, side="right") - 1).astype(np.int64)
    future = _Future.of_full_rows(kinds, np.array(worth, dtype=np.float32))
    reach = [future.reach]
    for to_come in range(1, len(streets) + 1):
        dealt, placed = streets[-to_come]
        room = sum(places for _, places in streets[len(streets) - to_come + 1 :])
        future = _one_street_earlier(future, _Street(dealt, placed, room, _LEFT_TO[row]))
        reach.append(future.reach)
    return Outlook(kinds, levels, tuple(reach))


class _Street(NamedTuple):
    dealt: int
    placed: int
    room: int  # cards that are placed on later streets
    left: float  # the chance that a card is to be had


class _Future(NamedTuple):
    """What rows come to from a street on: chances [kind, level], and their worth [kind]."""

    kinds: Kinds
    worth_of_levels: Floats
    reach: Floats
    worth: Floats

    @classmethod
    def of_full_rows(cls, kinds: Kinds, worth_of_levels: Floats) -> "_Future":
        """After the last street; a row that is not full then cannot be."""
        reach = (kinds.strength[:, None] >= LEVELS).astype(np.float32)
        reach[: kinds.first[kinds.size]] = 0
        worth = reach @ worth_of_levels + np.float32(RUNG) * kinds.strength
        worth[: kinds.first[kinds.size]] = _NEVER
        return cls(kinds, worth_of_levels, reach, worth)


def _one_street_earlier(later: _Future, street: _Street) -> _Future:
    kinds = later.kinds
    reach, worth = later.reach.copy(), later.worth.copy()
    for held in range(kinds.size):
        part = slice(kinds.first[held], kinds.first[held + 1])
        if kinds.size - held > street.placed + street.room:
            reach[part], worth[part] = 0, _NEVER  # it could not be filled
            continue
        becomes = _best_of_street(later, kinds.rows[held], street)
        reach[part] = later.reach[becomes].mean(axis=1)
        worth[part] = later.worth[becomes].mean(axis=1)
    return _Future(kinds, later.worth_of_levels, reach, worth)


def _best_of_street(later: _Future, rows: Cards, street: _Street) -> Ints:
    """The kinds [row, sample] that rows of as many cards become if the best of a street is added to them."""
    cards, to_be_had = _sample_of_street(rows, street)
    weights, bits = weights_of_ranks(cards), suit_bits(cards)
    sums = weights_of_ranks(rows).sum(axis=1)[:, None]
    suits = np.bitwise_or.reduce(suit_bits(rows), axis=1)[:, None]
    best = np.full(cards.shape[:2], -np.inf, dtype=np.float32)
    becomes = np.zeros(cards.shape[:2], dtype=np.int64)
    for added in _additions(rows.shape[1], later.kinds.size, street):
        kinds = later.kinds.of(
            np.full(best.shape, rows.shape[1] + len(added)),
            sums + weights[..., added].sum(axis=-1),
            suits | np.bitwise_or.reduce(bits[..., added], axis=-1),
        )
        worth = later.worth[kinds] - _TAKEN_FROM_OTHERS * ~to_be_had[:, added].all(axis=-1)
        better = worth > best
        best[better], becomes[better] = worth[better], kinds[better]
    return becomes


def _additions(held: int, size: int, street: _Street) -> Iterator[list[int]]:
    """The places in the street of the cards that a row can take, so that it will be full in the end."""
    fewest = max(0, size - held - street.room)
    for count in range(fewest, min(street.placed, size - held) + 1):
        yield from map(list, combinations(range(street.dealt), count))


def _sample_of_street(rows: Cards, street: _Street) -> tuple[Cards, npt.NDArray[np.bool_]]:
    """Cards uint8[row, sample, dealt] that do not lie in the row, and which of them are to be had."""
    held = rows.shape[1]
    keys = keyed(np.array([key_of("streets", *street)], dtype=np.uint64), np.arange(_SAMPLE))
    deck = shuffled(keys, DECK)[:, : street.dealt + held]
    lies_there = (deck[None, :, :, None] == rows[:, None, None, :]).any(axis=-1)
    others = lies_there.argsort(axis=-1, kind="stable")[..., : street.dealt]
    cards = np.take_along_axis(np.broadcast_to(deck, lies_there.shape), others, axis=-1)
    return cards, uniform(keyed(keys[:, None], 1, np.arange(street.dealt))) < street.left
