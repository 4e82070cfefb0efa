"""How a player places the cards of a street: the stated policy.

Of all ways to place them (and to discard) he prefers the one after which his hand is worth most to him:
royalties, rows won and Fantasyland in the next hand (`worth`), each as likely as his rows are to get there
(`outlook`), less what a foul costs. A row must end no lower than the row above it already is. His *error* is
in points: a placement that is worth one error less than another is chosen e times more seldom.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.domain.rulesets import RuleSet
from scoring.simulator.chance import Floats, Keys, gumbel, keyed
from scoring.simulator.kinds import (
    MOST_WEIGHT,
    ROW_SIZES,
    Cards,
    Ints,
    Strengths,
    suit_bits,
    weights_of_ranks,
)
from scoring.simulator.outlook import Outlook, outlook
from scoring.simulator.worth import FOUL, RUNG

DISCARDED: Final = 3
_TOGETHER: Final = 64  # hands looked at in one go: few enough for the cache


class Rows(NamedTuple):
    """The rows of N hands as the policy sees them, int64[N, 3] each: how many cards, which ranks (the sum
    of their weights), which suits (a bit for each)."""

    cards: Ints
    sums: Ints
    suits: Ints

    @classmethod
    def empty(cls, hands: int) -> "Rows":
        return cls(*(np.zeros((hands, 3), dtype=np.int64) for _ in cls._fields))


@dataclass(frozen=True, slots=True)
class Ways:
    """All ways to place a street, whether or not the rows have room."""

    rows: npt.NDArray[np.int8]  # [way, card]: 0 top, 1 middle, 2 bottom, 3 discarded
    subsets: Ints  # [way, row]: which cards the row gets, a bit for each
    members: Ints  # [subset, card]: 1 where the card is one of them


@lru_cache(maxsize=16)
def ways_to_place(dealt: int, placed: int) -> Ways:
    """All ways to place so many of the cards dealt."""
    every = product(range(4), repeat=dealt)
    rows = np.array(
        [way for way in every if way.count(DISCARDED) == dealt - placed and way.count(0) <= ROW_SIZES[0]]
    )
    subsets = np.stack([((rows == row) << np.arange(dealt)).sum(axis=1) for row in range(3)], axis=1)
    members = (np.arange(1 << dealt)[:, None] >> np.arange(dealt)) & 1
    return Ways(rows.astype(np.int8), subsets, members)


class Minds(NamedTuple):
    """Whose hands they are: what rows are worth to them, float32[N, 3, level], and their errors [N]."""

    worth: Floats
    error: Floats


def choose(
    rules: RuleSet, street: int, rows: Rows, cards: Cards, minds: Minds, keys: Keys
) -> tuple[npt.NDArray[np.int8], Rows]:
    """Where the cards of a street (counted from 0), uint8[N, dealt], are placed, and the rows after that.

    The places are those of `Ways.rows`, int8[N, dealt].
    """
    dealt, placed = rules.deal.streets[street]
    ways = ways_to_place(dealt, placed)
    to_come = len(rules.deal.streets) - 1 - street
    chosen = np.concatenate(
        [
            _best(rules, to_come, ways, *_part(slice(at, at + _TOGETHER), rows, cards, minds, keys))
            for at in range(0, len(cards), _TOGETHER)
        ]
    )
    taken = _with_subsets(rows, cards, ways)
    hands, subsets = np.arange(len(cards))[:, None], ways.subsets[chosen]
    return ways.rows[chosen], Rows(*(part[hands, np.arange(3), subsets] for part in taken))


def _part(
    hands: slice, rows: Rows, cards: Cards, minds: Minds, keys: Keys
) -> tuple[Rows, Cards, Minds, Keys]:
    some_rows, some_minds = (part[hands] for part in rows), (part[hands] for part in minds)
    return Rows(*some_rows), cards[hands], Minds(*some_minds), keys[hands]


def _with_subsets(rows: Rows, cards: Cards, ways: Ways) -> Rows:
    """Each row with each subset of the cards, [N, 3, subset]."""
    weights = weights_of_ranks(cards) @ ways.members.T
    suits = np.bitwise_or.reduce(suit_bits(cards)[:, None, :] * ways.members, axis=2)
    return Rows(
        rows.cards[:, :, None] + ways.members.sum(axis=1),
        rows.sums[:, :, None] + weights[:, None],
        rows.suits[:, :, None] | suits[:, None],
    )


def _best(
    rules: RuleSet, to_come: int, ways: Ways, rows: Rows, cards: Cards, minds: Minds, keys: Keys
) -> Ints:
    """The way that each hand's player chooses."""
    taken = _with_subsets(rows, cards, ways)
    top, middle, bottom = (_row(outlook(rules, row), to_come, taken, row, ways) for row in range(3))
    worth = _worth(top, middle, bottom, minds.worth)
    for row, size in enumerate(ROW_SIZES):
        worth[taken.cards[:, row][:, ways.subsets[:, row]] > size] = -np.inf
    errors = gumbel(keyed(keys[:, None], np.arange(worth.shape[1])))
    return (worth + minds.error[:, None] * errors).argmax(axis=1)


class _Row(NamedTuple):
    """One row of each hand after each way [N, way]: its chances [N, way, level], and what it is by now."""

    reach: Floats
    level: Ints
    strength: Strengths
    full: npt.NDArray[np.bool_]


def _row(table: Outlook, to_come: int, taken: Rows, row: int, ways: Ways) -> _Row:
    size = ROW_SIZES[row]
    cards = np.minimum(taken.cards[:, row], size)  # what goes beyond the row is ruled out elsewhere
    kinds = table.kinds.of(cards, np.minimum(taken.sums[:, row], MOST_WEIGHT), taken.suits[:, row])
    subsets = ways.subsets[:, row]
    return _Row(
        table.reach[to_come][kinds][:, subsets],
        table.levels[kinds][:, subsets],
        table.kinds.strength[kinds][:, subsets],
        (cards == size)[:, subsets],
    )


def _worth(top: _Row, middle: _Row, bottom: _Row, worth: Floats) -> Floats:
    """What each hand is worth after each way, [N, way].

    The rows are taken to get there independently of each other, a row only where the rows below it do too.
    """
    middle_holds = _chance_to_hold(middle, top)
    bottom_holds = np.minimum(_chance_to_hold(bottom, middle), _chance_to_hold(bottom, top))
    legal = middle_holds * bottom_holds
    two = np.minimum(bottom.reach, bottom_holds[..., None])
    value = middle_holds * _earned(two, worth[:, 2])
    two *= np.minimum(middle.reach, middle_holds[..., None])
    value += _earned(two, worth[:, 1])
    two *= top.reach
    value += _earned(two, worth[:, 0])
    strengths = top.strength + middle.strength + bottom.strength
    value += legal * (np.float32(FOUL) + np.float32(RUNG) * strengths)
    return value


def _earned(chances: Floats, worth: Floats) -> Floats:
    earned: Floats = np.matmul(chances, worth[:, :, None])[..., 0]
    return earned


def _chance_to_hold(lower: _Row, upper: _Row) -> Floats:
    """The chance that the lower row ends at least where the upper row is by now."""
    chance = np.take_along_axis(lower.reach, upper.level[..., None], axis=-1)[..., 0]
    return np.where(lower.full, (lower.strength >= upper.strength).astype(np.float32), chance)
