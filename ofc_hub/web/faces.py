"""Cards as a page shows them: rank, suit and a name that a screen reader can say."""

from dataclasses import dataclass
from functools import cache

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.domain.cards import JOKER_1

RANK_FACES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
RANK_NAMES = (
    *("2", "3", "4", "5", "6", "7", "8", "9", "10"),
    *(gettext_noop("jack"), gettext_noop("queen"), gettext_noop("king"), gettext_noop("ace")),
)
SUITS = "cdhs"
SUIT_NAMES = (gettext_noop("clubs"), gettext_noop("diamonds"), gettext_noop("hearts"), gettext_noop("spades"))
UNSEEN_CODE = -1


@dataclass(frozen=True, slots=True)
class Face:
    """`suit` is one of c, d, h, s, `x` for a joker and `back` for a card that is not shown."""

    rank: str
    suit: str
    reads: "Face | None" = None

    @property
    def name(self) -> str:
        """Such as "ace of spades", in the reader's language."""
        if self.suit == "back":
            return _("a card not shown")
        if self.suit == "x":
            return self._joker_name()
        rank = RANK_NAMES[RANK_FACES.index(self.rank)]
        # Translators: a playing card, such as "ace of spades"
        return _("%(rank)s of %(suit)s") % {"rank": _(rank), "suit": _(SUIT_NAMES[SUITS.index(self.suit)])}

    def _joker_name(self) -> str:
        if self.reads is None:
            return _("joker")
        return _("joker, stands for %(card)s") % {"card": self.reads.name}


BACK = Face("", "back")


@cache
def face_of(card: int, reads: int | None = None) -> Face:
    """The face of a card of the domain; of a joker with the card that it stands for, if that is known."""
    if card < 0:
        return BACK
    if card >= JOKER_1:
        return Face("", "x", None if reads is None or reads >= JOKER_1 else face_of(reads))
    return Face(RANK_FACES[card >> 2], SUITS[card & 3])
