"""How a player sets a Fantasyland hand: a search from strong bottoms upwards.

Of each class of row the best few bottoms are tried, to each of them the best few middles of the cards left,
and to each of those every top. The setting that is worth most is taken: royalties, rows and staying; a
player's error is as in `placing`.
"""

from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from scoring.domain.cards import RANKS
from scoring.domain.fantasyland import next_fantasyland
from scoring.domain.ladder import Category, threshold
from scoring.domain.rulesets import RuleSet
from scoring.domain.strength import row_strengths
from scoring.simulator.chance import Floats, gumbel, keyed
from scoring.simulator.worth import FANTASYLAND, worth_of_strengths

Cards = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
Strengths = npt.NDArray[np.int16]

#: Where each class of row begins, up to straight flushes.
_CLASSES: Final = np.array([threshold(category) for category in Category if category < Category.LOW])
_OF_A_CLASS: Final = 4
_BOTTOMS: Final = 16  # in all
_MIDDLES: Final = 12  # to each bottom
_RANKS_END: Final = 64  # above the sum of the ranks of five cards
_PLACES_END: Final = 8192  # above the number of fives among 17 cards


def set_hand(rules: RuleSet, cards: Cards, error: float, key: np.uint64) -> Cards:
    """The cards, uint8[13 to 17], in the order of the slots of the board that they make; discards follow."""
    cards = np.sort(cards)  # so are all cards that are left
    fives, others = _choices(len(cards), 5)
    strengths = row_strengths(cards[fives])
    bottoms = _strong_bottoms(strengths, _ranks(cards[fives]))
    rest = cards[others[bottoms]]
    fives_of_rest, others_of_rest = _choices(rest.shape[1], 5)
    middles = _strong_middles(rest[:, fives_of_rest], rest[:, others_of_rest], strengths[bottoms])
    left = np.take_along_axis(rest[:, None], others_of_rest[middles], axis=2)
    threes, thrown = _choices(left.shape[2], 3)
    tops = left[:, :, threes]
    rows = np.take_along_axis(rest[:, None], fives_of_rest[middles], axis=2)
    worth = _worth(rules, row_strengths(tops), row_strengths(rows), strengths[bottoms], len(cards))
    errors = gumbel(keyed(np.full(1, key), np.arange(worth.size))).reshape(worth.shape)
    bottom, middle, top = np.unravel_index((worth + error * errors).argmax(), worth.shape)
    return np.concatenate(
        [
            tops[bottom, middle, top],
            rows[bottom, middle],
            cards[fives[bottoms[bottom]]],
            left[bottom, middle][thrown[top]],
        ]
    )


@lru_cache(maxsize=32)
def _choices(count: int, chosen: int) -> tuple[Ints, Ints]:
    """Every choice of so many places, and the places that it leaves."""
    places = list(combinations(range(count), chosen))
    others = [[place for place in range(count) if place not in one] for one in places]
    return np.array(places), np.array(others, dtype=np.int64).reshape(len(places), -1)


def _ranks(rows: Cards) -> Ints:
    return (rows >> 2).sum(axis=-1, dtype=np.uint8).astype(np.int64)


def _strong_bottoms(strengths: Strengths, ranks: Ints) -> Ints:
    """The strongest of each class; of equals the one that leaves the higher cards to the other rows."""
    # Sorting numbers that hold the place at their end is much faster than sorting places.
    order = np.sort((strengths * np.int64(_RANKS_END) - ranks) * _PLACES_END + np.arange(len(ranks)))
    order, rising = order % _PLACES_END, strengths[order % _PLACES_END]
    last = np.append(rising[1:] != rising[:-1], True)
    order, rising = order[last], rising[last]
    ends = rising.searchsorted([*_CLASSES[1:], np.iinfo(np.int16).max])
    begins = rising.searchsorted(_CLASSES)
    best = [order[max(begin, end - _OF_A_CLASS) : end] for begin, end in zip(begins, ends, strict=True)]
    return np.concatenate(best)[-_BOTTOMS:]


def _strong_middles(rows: Cards, left: Cards, bottoms: Strengths) -> Ints:
    """For each bottom the middles [bottom, few] that, with what they leave to the top, earn most under it.

    `rows` are all middles [bottom, middle, 5], `left` the cards that each leaves.
    """
    middles = row_strengths(rows)
    tops = _about_the_top(left)
    worth = worth_of_strengths()[1, middles] - _ranks(rows) / 1024
    worth += np.where(tops <= middles, worth_of_strengths()[0, tops], 0)
    worth[middles > bottoms[:, None]] = -np.inf
    few = min(_MIDDLES, worth.shape[1] - 1)
    return np.argpartition(-worth, few, axis=1)[:, :few]


_PAIRS: Final = np.array([0, *(threshold(Category.PAIR, rank) for rank in range(len(RANKS)))], dtype=np.int16)


def _about_the_top(left: Cards) -> Strengths:
    """The highest pair among the sorted cards left along the last axis, as a strength; 0 if there is none."""
    ranks = left >> 2
    pairs = (ranks[..., 1:] + np.uint8(1)) * (ranks[..., 1:] == ranks[..., :-1])
    return _PAIRS[pairs.max(axis=-1)]


def _worth(rules: RuleSet, tops: Strengths, middles: Strengths, bottoms: Strengths, cards: int) -> Floats:
    """[bottom, middle, top]; no setting that fouls is worth anything."""
    rows = np.stack(np.broadcast_arrays(tops, middles[..., None], bottoms[:, None, None]))
    top, middle, bottom = rows
    worth = worth_of_strengths()[np.arange(3)[:, None, None, None], rows].sum(axis=0)
    foul = (bottom < middle) | (middle < top)
    now = np.full((1, foul.size), cards, dtype=np.uint8)
    stays = next_fantasyland(rules, rows.reshape(1, 3, -1), foul.reshape(1, -1), now).reshape(foul.shape) > 0
    return np.where(foul, -np.inf, worth + FANTASYLAND[14] * stays)
