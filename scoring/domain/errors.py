"""Errors as values: what was wrong, where, what was found and what was expected.

Functions of this package return `X | Problem`; nothing that a file or a user sends raises an exception.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class Problem:
    """One refusal. `code` is stable (see CODES); `path` is the JSON path, "" for the whole document.

    `found` and `expected` are JSON-able; None means that there is nothing to show.
    """

    code: str
    path: str
    message: str
    found: Any = None
    expected: Any = None

    def under(self, prefix: str) -> "Problem":
        """The same problem, seen from the value that holds this one at `prefix`."""
        return replace(self, path=joined(prefix, self.path))

    def as_dict(self) -> dict[str, Any]:
        """The problem as written in reports and responses."""
        return {
            "code": self.code,
            "path": self.path,
            "message": self.message,
            "found": self.found,
            "expected": self.expected,
        }


def joined(prefix: str, path: str) -> str:
    """Two JSON paths as one: `seats[1]` and `stack` give `seats[1].stack`."""
    if not prefix or not path:
        return prefix or path
    return prefix + path if path.startswith("[") else f"{prefix}.{path}"


_LINE = {
    "line-too-long": "The line is longer than a hand may be.",
    "not-utf8": "The text is not UTF-8.",
    "broken-json": "The line is not one JSON value.",
    "nested-too-deep": "Lists and objects lie deeper in each other than any hand needs.",
    "key-twice": "An object holds the same key twice.",
    "unknown-key": "A key that the format does not have; other things belong in `extra`.",
    "missing-key": "A required key is missing.",
    "wrong-type": "The value is of another JSON type than the format says.",
    "out-of-range": "The number or length lies outside its range.",
    "bad-text": "A text is empty, too long or holds control characters.",
    "file-broken": "The file cannot be read to its end.",
    "report-broken": "A line of a report of refused lines does not hold the line that was refused.",
    "unknown-format": "The document's format or version is not one that is read here.",
}
_VALUES = {
    "bad-amount": "An amount is not a decimal string or an integer.",
    "amount-negative": "An amount is negative where that has no meaning.",
    "amount-precision": "An amount has more than 4 decimals.",
    "amount-too-large": "An amount is larger than can be stored.",
    "bad-date": "A time is not RFC 3339 with an offset, or lies outside 1900 to 2199.",
    "bad-uuid": "An identity is not a UUID.",
}
_RULES = {
    "unknown-rules": "No rule set has this code.",
    "unknown-option": "Rule sets have no option of this name.",
    "bad-option": "The option does not have this value.",
    "options-conflict": "These options do not go together.",
}
_FACTS = {
    "seat-twice": "A seat is named twice.",
    "seat-unknown": "The seat is not a seat of this hand.",
    "seat-count": "The deal is not for this number of seats.",
    "player-twice": "One player sits at two seats.",
    "two-hands": "In the two-hands game the button plays two hands, and the other player acts before both.",
    "button-empty": "Nobody sits at the button.",
    "fantasyland-cards": "The deal has no Fantasyland of this number of cards.",
    "bad-pair": "Pair stakes name two different seats that play each other.",
    "pair-twice": "Two pair stakes are given for the same two seats.",
    "nothing-recorded": "The hand has neither moves nor boards nor a claimed result.",
    "actions-and-boards": "The hand has moves and final boards; one of them is the record.",
    "claim-incomplete": "A claimed result needs the points of every seat.",
    "claim-not-zero": "The points of a claimed result do not sum to zero.",
}
_MOVES = {
    "bad-placement": "The text is not three rows of cards with their discards.",
    "card-unknown": "The text holds something that is no card.",
    "card-twice": "A card is there more often than the decks hold it.",
    "card-outside-deck": "The card is not in the deck of this rule set.",
    "row-full": "A row gets more cards than it has room for.",
    "wrong-card-count": "The street places another number of cards.",
    "wrong-discard-count": "The street discards another number of cards.",
    "board-full": "The seat moves after its board is full.",
    "street-twice": "The seat moves twice in one street.",
    "board-incomplete": "A seat that is not dead lacks cards.",
}
_LOG = {
    "hand-not-started": "The first event of a hand must be hand-started.",
    "hand-started-twice": "The hand has started before.",
    "unknown-kind": "This kind of event is not known here.",
    "unknown-schema": "The event was written in a schema that is not known here.",
    "bad-event": "The event lacks what its kind needs, or holds something else.",
    "version-gap": "The events of a stream are numbered 1, 2, 3 and so on.",
    "version-stale": "The stream has moved on since the version that was expected.",
    "version-unknown": "The correction names an event that it cannot correct.",
    "already-retracted": "The event has been retracted before.",
    "rulings-not-zero": "Rulings sum to zero over the table unless they are a penalty to the house.",
    "would-break": "With this correction the rest of the hand would no longer be legal.",
    "score-not-zero": "The score of the hand does not sum to zero, which is an error of this program.",
    "hand-incomplete": "The hand is not complete and cannot be scored yet.",
    "rules-differ": "The rule set is not the one whose hash the hand names.",
    "field-differs": "The same hand is stored with another value.",
    "client-id-conflict": "The client's identity of the event was used for other content.",
    "digest-differs": "The digest does not follow from the content.",
}
_TABLE = {
    "set-not-over": "Buying in, joining, leaving and moving wait for the end of the set.",
    "nothing-to-void": "No hand has been played at this table.",
    "seats-differ": "The hand was played by other seats than those that play at the table.",
    "stack-below-zero": "The hand takes more from a seat than the table says it has.",
    "pairs-not-known": "A set settles pair by pair, and the hand does not say who won from whom.",
}
#: Every stable code and what it means in one sentence.
CODES: Mapping[str, str] = MappingProxyType(
    {**_LINE, **_VALUES, **_RULES, **_FACTS, **_MOVES, **_LOG, **_TABLE}
)
