"""Placement notation: `top/middle/bottom|discards`, the cards that one seat adds in one move."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from scoring.domain.cards import CARD_OF, CODES, JOKER_1, JOKER_2, RANKS, SUITS
from scoring.domain.errors import Problem

#: A discard that the logger did not see.
UNSEEN: Final = -1
_UNSEEN_CODE: Final = "??"
#: The longest text that is looked at; 17 cards in their widest spelling need less.
_LONGEST: Final = 400

Cards = tuple[int, ...]


class Placement(NamedTuple):
    """The cards of one move by row, and the discards (UNSEEN = -1 for one that was not seen)."""

    top: Cards
    middle: Cards
    bottom: Cards
    discards: Cards

    @property
    def placed(self) -> Cards:
        """All cards that went into rows, from the top."""
        return self.top + self.middle + self.bottom


class JokerNamer:
    """Names the bare jokers of one hand X1, then X2, in order of appearance."""

    def __init__(self) -> None:
        self._named: set[int] = set()

    def saw(self, card: int) -> None:
        """A joker appeared under its own name, which a bare one therefore cannot have."""
        self._named.add(card)

    def name(self) -> int | None:
        """The joker that the next bare one stands for; None when both have been named."""
        free = [joker for joker in (JOKER_1, JOKER_2) if joker not in self._named]
        self._named.update(free[:1])
        return free[0] if free else None


def write_placement(placement: Placement) -> str:
    """The plain form that every writer uses."""
    rows = "/".join(_written(row) for row in placement[:3])
    return f"{rows}|{_written(placement.discards)}" if placement.discards else rows


def _written(cards: Cards) -> str:
    return "".join(_UNSEEN_CODE if card == UNSEEN else CODES[card] for card in cards)


def parse_placement(text: str, jokers: JokerNamer | None = None) -> Placement | Problem:
    """Read a placement in the plain form or any accepted spelling (`10s`, `T♠`, `ts`, spaces, bare jokers).

    `jokers` is shared by the moves of one hand; without it the text stands for itself.
    """
    plain = plain_placement(text)
    if plain is None:
        return _read_any(text, jokers or JokerNamer())
    if jokers is not None and "X" in text:
        for card in plain.placed + plain.discards:
            if card >= JOKER_1:
                jokers.saw(card)
    return plain


# --- The plain form -----------------------------------------------------------------------------------------


def plain_placement(text: str) -> Placement | None:
    """The placement of a text in the plain form, or None: the quick way for what writers wrote."""
    body, bar, discards = text.partition("|")
    rows = body.split("/")
    if len(rows) != 3 or (bar and not discards) or len(text) > _LONGEST:
        return None
    try:
        top, middle, bottom = rows
        return Placement(
            plain_row(top), plain_row(middle), plain_row(bottom), _plain_discards(discards) if bar else ()
        )
    except KeyError:
        return None


_NATURAL: Final = f"(?:[{RANKS}][{SUITS}])"
_PLAIN: Final = re.compile(rf"{_NATURAL}*/{_NATURAL}*/{_NATURAL}*(?:\|(?:{_NATURAL}|\?\?)+)?")


def is_plain(text: str) -> bool:
    """Whether a text is in the plain form and holds no joker, which the rest of the hand could rename."""
    return _PLAIN.fullmatch(text) is not None


@lru_cache(maxsize=1 << 15)
def plain_row(text: str) -> Cards:
    """The cards of a row in the plain form; KeyError for anything else."""
    return tuple([CARD_OF[text[place : place + 2]] for place in range(0, len(text), 2)])


_WITH_UNSEEN: Final[Mapping[str, int]] = {**CARD_OF, _UNSEEN_CODE: UNSEEN}


@lru_cache(maxsize=1 << 12)
def _plain_discards(text: str) -> Cards:
    return tuple([_WITH_UNSEEN[text[place : place + 2]] for place in range(0, len(text), 2)])


# --- Every accepted spelling --------------------------------------------------------------------------------

_SUIT_OF: Final[Mapping[str, str]] = {
    **{suit: suit for suit in "cdhs"},
    **dict(zip("♣♦♥♠♧♢♡♤", "cdhscdhs", strict=True)),
}
_TOKEN: Final = re.compile(
    rf"""\s*(?: (?P<rank>10|[{RANKS}]) (?P<suit>[{"".join(_SUIT_OF)}])\ufe0f?
      | (?P<joker>X[12])
      | (?P<bare>JOKER|JK|X(?=\s|$))
      | (?P<unseen>\?\?)
    )\s*""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)


def _read_any(text: str, jokers: JokerNamer) -> Placement | Problem:
    body, _, discards = text[:_LONGEST].partition("|")
    rows = body.split("/")
    if len(rows) != 3 or "|" in discards or len(text) > _LONGEST:
        message = "A placement is three rows divided by two slashes, then | and discards if there are any."
        return Problem("bad-placement", "", message, text[:60], "top/middle/bottom|discards")
    read: list[Cards] = []
    for part in (*rows, discards):
        cards = _cards(part, jokers, unseen_allowed=len(read) == 3)
        if isinstance(cards, Problem):
            return cards
        read.append(cards)
    return Placement(*read)


def _cards(text: str, jokers: JokerNamer, *, unseen_allowed: bool) -> Cards | Problem:
    cards: list[int] = []
    place = len(text) - len(text.lstrip())
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None or (token["unseen"] and not unseen_allowed):
            found = text[place : place + 12]
            return Problem("card-unknown", "", f"{found!r} does not begin with a card.", found, "a card code")
        card = _card(token, jokers)
        if isinstance(card, Problem):
            return card
        cards.append(card)
        place = token.end()
    return tuple(cards)


def _card(token: re.Match[str], jokers: JokerNamer) -> int | Problem:
    if token["unseen"]:
        return UNSEEN
    if token["bare"]:
        named = jokers.name()
        if named is None:
            return Problem("card-twice", "", "A third joker appears in the hand.", token["bare"], "X1 or X2")
        return named
    if token["joker"]:
        card = CARD_OF[token["joker"].upper()]
        jokers.saw(card)
        return card
    rank = "T" if token["rank"] == "10" else token["rank"].upper()
    return CARD_OF[rank + _SUIT_OF[token["suit"].lower()]]
