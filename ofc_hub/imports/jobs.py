"""What goes to the process that prepares hands, and what comes back: plain data, no database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from scoring.domain.errors import Problem
from scoring.domain.events import Event
from scoring.domain.hand import HandState

from .people import Mention, Person

Key = tuple[str, str]
"""(source, key) of a hand's stream."""


class ClubFacts(NamedTuple):
    id: int
    time_zone: str
    day_start: int


class Known(NamedTuple):
    """The head of a stream that is stored, and its hand's content as imported (None: logged live)."""

    stream_id: int
    version: int
    digest: bytes
    content: bytes | None


@dataclass(slots=True)
class Job:
    """Lines to prepare, with everything about the store that preparing them needs.

    `stored` has the keys that are in the store; `stream_ids` are unused, one a line.
    """

    club: ClubFacts
    vendor: str
    lines: Sequence[bytes]
    people: Mapping[Mention, Person]
    stored: Mapping[Key, Known]
    stream_ids: Sequence[int]
    unreadable: Mapping[int, Problem] = field(default_factory=dict)


@dataclass(slots=True)
class Replayed:
    """A legal hand of one line, before it is scored.

    `texts` are (version, salt, text); `people` is everybody to be known, `by_seat` who sits where. `head` is
    the archive's last digest, None for a document. `problem`: an archived stream that did not replay either.
    """

    place: int
    state: HandState
    events: Sequence[Event]
    digests: Sequence[bytes]
    content: bytes
    people: Sequence[Person]
    by_seat: Mapping[int, Person]
    texts: Sequence[tuple[int, str, str]] = ()
    head: bytes | None = None
    problem: Problem | None = None

    @property
    def has_result(self) -> bool:
        return self.state.complete and not self.state.voided and self.problem is None


class Different(NamedTuple):
    """A hand whose claim disagrees with our score."""

    source: str
    hand: str
    differences: list[dict[str, Any]]


@dataclass(slots=True)
class Prepared:
    """A batch ready to be stored. Numbers are places in the job's lines.

    `again` names a hand that an earlier line of the batch has too; `doubtful` one that is stored with other
    content, or was corrected since. `stream_ids` are those of the accepted hands, `corrected_ids` of those
    that an archive brings with corrections. `rows` are encoded for the database by table; events lack club,
    position and recording time, `hand_results` their position, which only counts from 1 here.
    """

    accepted: list[int] = field(default_factory=list)
    refused: list[tuple[int, Problem]] = field(default_factory=list)
    duplicates: list[int] = field(default_factory=list)
    again: list[int] = field(default_factory=list)
    doubtful: list[int] = field(default_factory=list)
    stream_ids: list[int] = field(default_factory=list)
    corrected_ids: list[int] = field(default_factory=list)
    different: list[Different] = field(default_factory=list)
    people: set[Person] = field(default_factory=set)
    rule_sets: dict[str, dict[str, Any]] = field(default_factory=dict)
    tournaments: dict[str, str] = field(default_factory=dict)
    slices: set[tuple[int, date]] = field(default_factory=set)
    event_count: int = 0
    events: Any = None
    rows: dict[str, Any] = field(default_factory=dict)
    hand_results: list[tuple[Any, ...]] = field(default_factory=list)
