"""What an import came to."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Literal

Outcome = Literal["stored", "duplicate", "conflict", "invalid"]
LISTED_DIFFERENCES = 1000
"""Hands named in the summary; every difference stays with its hand's result in the database."""


@dataclass(slots=True)
class Summary:
    """`received = stored + duplicate + conflict + invalid`, in lines; `differences` in hands.

    `position` is the last position of the club's log that this import filled; None where it stored nothing.
    """

    stored: int = 0
    duplicate: int = 0
    conflict: int = 0
    invalid: int = 0
    differences: int = 0
    different_hands: list[dict[str, Any]] = field(default_factory=list)
    report: str | None = None
    position: int | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def received(self) -> int:
        return self.stored + self.duplicate + self.conflict + self.invalid

    @property
    def clean(self) -> bool:
        return not (self.conflict or self.invalid)

    def count(self, outcome: Outcome) -> None:
        setattr(self, outcome, getattr(self, outcome) + 1)

    def add_difference(self, source: str, hand: str, differences: list[dict[str, Any]]) -> None:
        self.differences += 1
        if len(self.different_hands) < LISTED_DIFFERENCES:
            self.different_hands.append({"source": source, "hand": hand, "differences": differences})

    def as_dict(self) -> dict[str, Any]:
        seconds = time.monotonic() - self.started
        return {
            "received": self.received,
            "stored": self.stored,
            "duplicate": self.duplicate,
            "conflict": self.conflict,
            "invalid": self.invalid,
            "differences": self.differences,
            "different_hands": self.different_hands,
            "report": self.report,
            "position": self.position,
            "seconds": round(seconds, 3),
            "hands_per_second": round(self.received / seconds) if seconds else 0,
        }

    def __str__(self) -> str:
        figures = self.as_dict()
        return (
            "received {received} = stored {stored} + duplicate {duplicate} + conflict {conflict}"
            " + invalid {invalid}; differences {differences}; {seconds} s, {hands_per_second} hands/s"
        ).format(**figures)
