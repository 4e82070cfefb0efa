"""What verification finds: each finding is named, so that nobody has to look for it again."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

#: Every code of a finding and what it means.
CODES: Mapping[str, str] = MappingProxyType(
    {
        "position-gap": "Positions of a club count 1, 2, 3; here one or more are missing.",
        "time-goes-back": "An event was recorded before the one at the position in front of it.",
        "head-differs": "The club's log head is not at its last event.",
        "head-missing": "The club has events and no log head.",
        "stream-unknown": "The row names a stream that is not there.",
        "club-unknown": "The row names a club that is not there.",
        "club-differs": "The event lies in the log of another club than its stream.",
        "version-gap": "Versions of a stream count 1, 2, 3; here one or more are missing.",
        "position-order": "An event lies before the version in front of it.",
        "digest-differs": "The digest does not follow from the digest before it and the event's content.",
        "stream-differs": "The stream's row is not what its events say.",
        "stream-empty": "The stream has no event.",
        "rule-set-differs": "The rule set's data is not what its hash says.",
        "hand-broken": "The hand does not replay.",
        "card-twice": "A card lies on the table more often than the decks hold it.",
        "sum-not-zero": "Points or chips of the hand do not sum to zero.",
        "text-differs": "A free text is not the one whose salted hash its event holds.",
        "text-unknown": "A free text belongs to no event that names one.",
        "unreadable": "The stream, or a row that belongs to it, cannot be read.",
        "hand-missing": "A stream of a hand has no row of facts.",
        "hand-differs": "A fact of the hand is not what its stream says.",
        "hand-unexpected": "There are facts of a hand without its stream.",
        "hand-result-missing": "A complete hand has no result.",
        "hand-result-differs": "The result of the hand is not that of a fresh scoring.",
        "hand-result-unexpected": "There is a result where the hand has none.",
        "seat-result-missing": "A seat of a scored hand has no result.",
        "seat-result-differs": "The result of the seat is not that of a fresh scoring.",
        "seat-result-unexpected": "There is a seat's result where the hand has none.",
        "pair-result-missing": "A pair of a scored hand has no result.",
        "pair-result-differs": "The result of the pair is not that of a fresh scoring.",
        "pair-result-unexpected": "There is a pair's result where the hand has none.",
        "correction-unexpected": "There is a correction, a transfer or a flag of a hand that is not there.",
        "correction-differs": "A transfer, or a flag on a later hand, does not follow from the log.",
        "signed-file-differs": "The file of signed heads was changed after it was written.",
        "signature-differs": "The signature is not that of our key over the signed heads.",
        "signature-missing": "The signed heads carry no signature although there is a key.",
        "signed-club-missing": "A club of the signed heads is not there.",
        "signed-log-shorter": "The log ends before the position that was signed.",
        "signed-block-differs": "Events, positions or times of this block are not those that were signed.",
    }
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it must be.

    `club` is its slug, `stream` "source/key"; `row` says which of several rows ("seat 2"), `column` what in
    it. Fields that do not apply are empty.
    """

    code: str
    club: str = ""
    position: int | None = None
    stream: str = ""
    row: str = ""
    column: str = ""
    found: Any = None
    expected: Any = None

    def as_dict(self) -> dict[str, Any]:
        """The finding as JSON holds it."""
        return {
            "code": self.code,
            "club": self.club,
            "position": self.position,
            "stream": self.stream,
            "row": self.row,
            "column": self.column,
            "found": _plain(self.found),
            "expected": _plain(self.expected),
        }

    def __str__(self) -> str:
        place = [f"club {self.club}"] if self.club else []
        place += [f"position {self.position}"] if self.position is not None else []
        place += [part for part in (self.stream, self.row, self.column) if part]
        what = f"{self.code}: {', '.join(place)}"
        if self.found is None and self.expected is None:
            return what
        return f"{what}: found {_plain(self.found)}, expected {_plain(self.expected)}"


def _plain(value: Any) -> Any:
    if isinstance(value, (bytes, memoryview)):
        return bytes(value).hex()
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    return value
