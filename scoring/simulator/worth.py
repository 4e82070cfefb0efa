"""What rows are worth to a player, in points."""

from functools import lru_cache
from typing import Final

import numpy as np

from scoring.domain.cards import RANKS
from scoring.domain.ladder import LADDER, Category, threshold
from scoring.domain.royalties import ROYALTIES
from scoring.domain.rulesets import RuleSet
from scoring.simulator.chance import Floats

_RANKS: Final = range(len(RANKS))
_TEN, _QUEEN, _KING, _ACE = (RANKS.index(rank) for rank in "TQKA")

#: Where a level begins, as a strength; every row is at level 0. Each step of royalties and of Fantasyland
#: is the beginning of a level, but for those between trips on top.
LEVELS: Final = np.array(
    [
        0,
        *(threshold(Category.HIGH_CARD, rank) for rank in range(_TEN, _ACE + 1)),
        *(threshold(Category.HIGH_CARD, _ACE, rank) for rank in (_QUEEN, _KING)),
        *(threshold(Category.PAIR, rank) for rank in _RANKS),
        *(threshold(Category.TWO_PAIR, rank) for rank in (0, _TEN, _QUEEN)),
        *(threshold(Category.TRIPS, rank) for rank in (0, 4, _TEN)),
        *(threshold(Category(number)) for number in range(Category.STRAIGHT, Category.STRAIGHT_FLUSH + 1)),
    ],
    dtype=np.int16,
)
#: What a Fantasyland hand is held to gain over a normal one, by its cards.
FANTASYLAND: Final = {13: 6.0, 14: 8.0, 15: 11.0, 16: 14.0, 17: 17.0}
#: What a foul costs beside all that the hand would have earned. Three rows and the scoop are six points; who
#: plays by that fouls more seldom than people do.
FOUL: Final = 4.0
#: Points for a row won against one lost, with its share of the scoop.
ROW_WON: Final = 3.0
#: So much for each rung, that of two rows of a level the higher is preferred.
RUNG: Final = 1.0 / len(LADDER)
#: How often a row ends there or above: top, middle, bottom. Counted over hands of these players.
_ENDS: Final = (
    (threshold(Category.HIGH_CARD), (0.80, 0.84, 0.86)),
    (threshold(Category.HIGH_CARD, _ACE), (0.43, 0.80, 0.85)),
    (threshold(Category.PAIR), (0.17, 0.71, 0.84)),
    (threshold(Category.PAIR, _TEN), (0.12, 0.44, 0.79)),
    (threshold(Category.PAIR, _ACE), (0.03, 0.31, 0.73)),
    (threshold(Category.TWO_PAIR), (0.00, 0.28, 0.71)),
    (threshold(Category.TRIPS), (0.00, 0.11, 0.56)),
    (threshold(Category.STRAIGHT), (0.00, 0.06, 0.48)),
    (threshold(Category.FULL_HOUSE), (0.00, 0.00, 0.14)),
    (threshold(Category.QUADS), (0.00, 0.00, 0.02)),
)


@lru_cache(maxsize=256)
def worth_of_levels(rules: RuleSet, daring: float = 1.0) -> Floats:
    """float32[row, level]: what a row that reaches a level earns beyond one that reaches the level below.

    `daring` multiplies what the player sees in Fantasyland.
    """
    earned = np.stack([ROYALTIES[row][LEVELS] for row in range(3)]) + _rows_won(LEVELS)
    earned[0] += daring * _entry_gains(rules)
    return np.diff(earned, axis=1, prepend=0).astype(np.float32)


@lru_cache(maxsize=1)
def worth_of_strengths() -> Floats:
    """float32[row, strength]: the royalties of a row and what it wins, Fantasyland aside."""
    strengths = np.arange(len(LADDER) + 1)
    earned = np.stack(ROYALTIES) + _rows_won(strengths) + RUNG * strengths
    return earned.astype(np.float32)


def _rows_won(strengths: np.ndarray) -> np.ndarray:
    """[row, strength]: the points of winning a row, by the chance that the other player's lies below."""
    known = [strength for strength, _ in _ENDS]
    return np.stack(
        [ROW_WON * (1 - np.interp(strengths, known, [ends[row] for _, ends in _ENDS])) for row in range(3)]
    )


def _entry_gains(rules: RuleSet) -> Floats:
    """float32[level]: what the Fantasyland is worth to which a top of each level leads."""
    gains = np.zeros(len(LEVELS), dtype=np.float32)
    for step, cards in rules.entry:  # in rising order: the highest step that a top reaches counts
        least = threshold(Category.TRIPS)
        if step != "trips":
            least = threshold(Category.PAIR, RANKS.index(step[0]))
        gains[least <= LEVELS] = FANTASYLAND[cards]
    return gains
