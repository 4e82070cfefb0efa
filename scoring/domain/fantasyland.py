"""Who plays Fantasyland in the next hand, and with how many cards (rulebook section 5)."""

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from scoring.domain.cards import RANKS
from scoring.domain.ladder import LADDER, Category, threshold
from scoring.domain.rule_options import LOW_STEPS
from scoring.domain.rulesets import RuleSet
from scoring.domain.strength import Strengths

Counts = npt.NDArray[np.uint8]

_BEST_LOW: Final = len(LADDER)  # the strength of 7-5-4-3-2, the top of the ladder
_NEVER: Final = len(LADDER) + 1
_STAY_FROM: Final = {
    "none": _NEVER,
    "trips": threshold(Category.TRIPS),
    "full-house": threshold(Category.FULL_HOUSE),
    "quads": threshold(Category.QUADS),
}


def next_fantasyland(
    rules: RuleSet, strengths: Strengths, foul: npt.NDArray[np.bool_], now: Counts
) -> Counts:
    """Cards of each seat's next Fantasyland hand, 0 = none.

    `strengths` int16[S, 3, N] by seat, row and hand; `foul` and `now`, the cards of the Fantasyland that the
    seat plays in this hand, [S, N].
    """
    entered = _entered(rules, strengths[:, 0], strengths[:, 1])
    stayed = _stayed(rules, strengths) * (now if rules.stay.cards == 0 else np.uint8(rules.stay.cards))
    return np.where(now > 0, stayed, entered) * ~foul


def _entered(rules: RuleSet, top: Strengths, middle: Strengths) -> Counts:
    by_top: Counts = _cards_by_top(rules.entry).take(top)
    steps = dict(rules.entry)
    low, both = steps.get("low", 0), steps.get("both", 0)
    if not (low or both):
        return by_top
    with_low = np.where(by_top > 0, np.uint8(both) or np.maximum(by_top, np.uint8(low)), np.uint8(low))
    return np.where(middle == _BEST_LOW, with_low, by_top)


@lru_cache(maxsize=256)
def _cards_by_top(entry: tuple[tuple[str, int], ...]) -> Counts:
    """Cards by the strength of the top: a step counts for all above it, and steps stand in rising order."""
    table = np.zeros(len(LADDER) + 1, dtype=np.uint8)
    for step, cards in entry:
        if step not in LOW_STEPS:
            table[_entry_from(step) :] = cards
    return table


def _entry_from(step: str) -> int:
    if step == "trips":
        return threshold(Category.TRIPS)
    return threshold(Category.PAIR, RANKS.index(step[0]))


def _stayed(rules: RuleSet, strengths: Strengths) -> npt.NDArray[np.bool_]:
    top, middle, bottom = (
        _STAY_FROM[name] for name in (rules.stay.top, rules.stay.middle, rules.stay.bottom)
    )
    if rules.low_middle:
        middle = _NEVER  # lows stand above full houses on the ladder, but are none
    stays: npt.NDArray[np.bool_] = (
        (strengths[:, 0] >= top) | (strengths[:, 1] >= middle) | (strengths[:, 2] >= bottom)
    )
    return stays
