"""Cards as small integers, so that boards are arrays and sets of cards are bit masks.

A card is `rank * 4 + suit`: rank 0 is the deuce and 12 the ace; suits stand in the order clubs, diamonds,
hearts, spades and never break a tie. In a two-deck game the same integer may stand twice on a table.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
DECK: Final = 52  # cards of one deck, jokers aside
JOKER_1: Final = 52
JOKER_2: Final = 53
EMPTY: Final = 54  # no card in the slot
KINDS: Final = 55  # how many different integers a slot can hold

CODES: Final[tuple[str, ...]] = (*(rank + suit for rank in RANKS for suit in SUITS), "X1", "X2")
CARD_OF: Final[Mapping[str, int]] = MappingProxyType({code: card for card, code in enumerate(CODES)})

TOP: Final = slice(0, 3)
MIDDLE: Final = slice(3, 8)
BOTTOM: Final = slice(8, 13)
ROWS: Final = (TOP, MIDDLE, BOTTOM)  # the slots of each row on a board of 13
SLOTS: Final = 13
