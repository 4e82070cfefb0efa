"""How cards are dealt (rulebook section 7), as a table."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

_TWO_DECK_PREFIX = "two-deck-"


@dataclass(frozen=True, slots=True)
class Deal:
    """One way of dealing: the streets of a seat, the decks, who fits at the table."""

    code: str
    streets: tuple[tuple[int, int], ...]  # (dealt, placed) for each street
    decks: int
    min_seats: int
    max_seats: int
    two_hands: bool  # one of two players plays two hands; the seats are then the three hands
    fantasyland_cards: tuple[int, int]  # fewest and most cards that a seat in Fantasyland may get

    def deals_fantasyland(self, cards: int) -> bool:
        """Whether a seat in Fantasyland may get this many cards."""
        fewest, most = self.fantasyland_cards
        return fewest <= cards <= most


_CLASSIC = ((5, 5), *((1, 1),) * 8)
_PINEAPPLE = ((5, 5), *((3, 2),) * 4)
_TURBO = ((5, 5), (4, 4), (4, 4))

_ONE_DECK = (
    Deal("classic", _CLASSIC, 1, 2, 4, False, (13, 13)),
    Deal("pineapple", _PINEAPPLE, 1, 2, 3, False, (14, 17)),
    Deal("turbo", _TURBO, 1, 2, 4, False, (13, 13)),
    Deal("heads-up-two-hands", _PINEAPPLE, 1, 3, 3, True, (14, 14)),
)
# The rulebook prints the first two; the others are what the option `decks` makes of the remaining deals.
_TWO_DECK = (
    Deal(_TWO_DECK_PREFIX + "classic", _CLASSIC, 2, 2, 8, False, (13, 13)),
    Deal(_TWO_DECK_PREFIX + "pineapple", _PINEAPPLE, 2, 2, 6, False, (14, 14)),
    Deal(_TWO_DECK_PREFIX + "turbo", _TURBO, 2, 2, 8, False, (13, 13)),
    replace(_ONE_DECK[3], code=_TWO_DECK_PREFIX + "heads-up-two-hands", decks=2),
)

DEALS: Final[Mapping[str, Deal]] = MappingProxyType({deal.code: deal for deal in _ONE_DECK + _TWO_DECK})


def with_decks(deal: Deal, decks: int) -> Deal:
    """The same way of dealing from one deck or from two."""
    code = deal.code.removeprefix(_TWO_DECK_PREFIX)
    return DEALS[code if decks == 1 else _TWO_DECK_PREFIX + code]
