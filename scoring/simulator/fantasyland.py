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
_BOTTOMS: Final = 3  # of each class
_MIDDLES: Final = 10  # to each bottom


def set_hand(rules: RuleSet, cards: Cards, error: float, key: np.uint64) -> Cards:
    """The cards, uint8[13 to 17], in the order of the slots of the board that they make; discards follow."""
    fives, others = _choices(len(cards), 5)
    strengths = row_strengths(cards[fives])
    bottoms = _strong_bottoms(strengths, _ranks(cards[fives]))
    rest = cards[others[bottoms]]
    fives_of_rest, others_of_rest = _choices(rest.shape[1], 5)
    middles = _strong_middles(rest[:, fives_of_rest], strengths[bottoms])
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
    return (rows // 4).sum(axis=-1, dtype=np.int64)


def _strong_bottoms(strengths: Strengths, ranks: Ints) -> Ints:
    """The strongest of each class; of equals, those that leave the higher cards to the other rows."""
    order = np.lexsort((-ranks, strengths))
    ends = strengths[order].searchsorted([*_CLASSES[1:], np.iinfo(np.int16).max])
    begins = strengths[order].searchsorted(_CLASSES)
    return np.concatenate(
        [order[max(begin, end - _BOTTOMS) : end] for begin, end in zip(begins, ends, strict=True)]
    )


def _strong_middles(rows: Cards, bottoms: Strengths) -> Ints:
    """For each bottom the middles [bottom, few] that earn most under it."""
    strengths = row_strengths(rows)
    worth = worth_of_strengths()[1, strengths] - _ranks(rows) / 1024
    worth[strengths > bottoms[:, None]] = -np.inf
    few = min(_MIDDLES, worth.shape[1] - 1)
    return np.argpartition(-worth, few, axis=1)[:, :few]


def _worth(rules: RuleSet, tops: Strengths, middles: Strengths, bottoms: Strengths, cards: int) -> Floats:
    """[bottom, middle, top]; no setting that fouls is worth anything."""
    rows = np.stack(np.broadcast_arrays(tops, middles[..., None], bottoms[:, None, None]))
    top, middle, bottom = rows
    worth = worth_of_strengths()[np.arange(3)[:, None, None, None], rows].sum(axis=0)
    foul = (bottom < middle) | (middle < top)
    now = np.full((1, foul.size), cards, dtype=np.uint8)
    stays = next_fantasyland(rules, rows.reshape(1, 3, -1), foul.reshape(1, -1), now).reshape(foul.shape) > 0
    return np.where(foul, -np.inf, worth + FANTASYLAND[14] * stays)
