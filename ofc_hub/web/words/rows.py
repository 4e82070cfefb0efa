"""What a row makes, in the reader's language: "pair of aces" as the domain's `row_name` has it in English.

A rank stands in four places that many languages word differently: alone ("as"), as the high card of a
straight or flush ("al as"), after "of" ("d'as") and in the plural ("ases").
"""

from typing import Final

from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from scoring.domain.cards import RANKS
from scoring.domain.ladder import LADDER, Category

_ALONE: Final = (
    gettext_lazy("deuce"),
    gettext_lazy("three"),
    gettext_lazy("four"),
    gettext_lazy("five"),
    gettext_lazy("six"),
    gettext_lazy("seven"),
    gettext_lazy("eight"),
    gettext_lazy("nine"),
    gettext_lazy("ten"),
    gettext_lazy("jack"),
    gettext_lazy("queen"),
    gettext_lazy("king"),
    gettext_lazy("ace"),
)
_HIGH: Final = (
    pgettext_lazy("high card of a straight or flush", "deuce"),
    pgettext_lazy("high card of a straight or flush", "three"),
    pgettext_lazy("high card of a straight or flush", "four"),
    pgettext_lazy("high card of a straight or flush", "five"),
    pgettext_lazy("high card of a straight or flush", "six"),
    pgettext_lazy("high card of a straight or flush", "seven"),
    pgettext_lazy("high card of a straight or flush", "eight"),
    pgettext_lazy("high card of a straight or flush", "nine"),
    pgettext_lazy("high card of a straight or flush", "ten"),
    pgettext_lazy("high card of a straight or flush", "jack"),
    pgettext_lazy("high card of a straight or flush", "queen"),
    pgettext_lazy("high card of a straight or flush", "king"),
    pgettext_lazy("high card of a straight or flush", "ace"),
)
_OF: Final = (
    pgettext_lazy("pair, trips or quads of", "deuces"),
    pgettext_lazy("pair, trips or quads of", "threes"),
    pgettext_lazy("pair, trips or quads of", "fours"),
    pgettext_lazy("pair, trips or quads of", "fives"),
    pgettext_lazy("pair, trips or quads of", "sixes"),
    pgettext_lazy("pair, trips or quads of", "sevens"),
    pgettext_lazy("pair, trips or quads of", "eights"),
    pgettext_lazy("pair, trips or quads of", "nines"),
    pgettext_lazy("pair, trips or quads of", "tens"),
    pgettext_lazy("pair, trips or quads of", "jacks"),
    pgettext_lazy("pair, trips or quads of", "queens"),
    pgettext_lazy("pair, trips or quads of", "kings"),
    pgettext_lazy("pair, trips or quads of", "aces"),
)
_MANY: Final = (
    gettext_lazy("deuces"),
    gettext_lazy("threes"),
    gettext_lazy("fours"),
    gettext_lazy("fives"),
    gettext_lazy("sixes"),
    gettext_lazy("sevens"),
    gettext_lazy("eights"),
    gettext_lazy("nines"),
    gettext_lazy("tens"),
    gettext_lazy("jacks"),
    gettext_lazy("queens"),
    gettext_lazy("kings"),
    gettext_lazy("aces"),
)
_NAMES: Final = {
    Category.HIGH_CARD: (gettext_lazy("%(first)s-high"), _ALONE),
    Category.PAIR: (gettext_lazy("pair of %(first)s"), _OF),
    Category.TWO_PAIR: (gettext_lazy("two pair, %(first)s and %(second)s"), _MANY),
    Category.TRIPS: (gettext_lazy("trips, %(first)s"), _OF),
    Category.STRAIGHT: (gettext_lazy("%(first)s-high straight"), _HIGH),
    Category.FLUSH: (gettext_lazy("%(first)s-high flush"), _HIGH),
    Category.FULL_HOUSE: (gettext_lazy("full house, %(first)s over %(second)s"), _MANY),
    Category.QUADS: (gettext_lazy("quads, %(first)s"), _OF),
    Category.STRAIGHT_FLUSH: (gettext_lazy("%(first)s-high straight flush"), _HIGH),
    Category.FIVE_OF_A_KIND: (gettext_lazy("five %(first)s"), _MANY),
    Category.LOW: (gettext_lazy("%(first)s-high low"), _ALONE),
}


def row_words(strength: int) -> str:
    """The row of this strength in words, "" for strength 0."""
    if strength == 0:
        return ""
    category, ranks = LADDER[strength - 1]
    if category == Category.STRAIGHT_FLUSH and ranks == (len(RANKS) - 1,):
        return gettext("royal flush")
    text, words = _NAMES[category]
    return str(text) % dict(zip(("first", "second"), (words[rank] for rank in ranks), strict=False))
