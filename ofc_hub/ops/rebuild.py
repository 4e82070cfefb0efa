"""Rebuilding: everything that follows from the log scored anew, and put right where it differs."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import transaction

from ofc_hub.clubs.locks import keep_people
from ofc_hub.clubs.models import Club
from ofc_hub.hands.models import Hand, LogHead, Stream, StreamKind
from ofc_hub.hands.projection import HAND_COLUMNS
from ofc_hub.ops.corrections import CorrectedTables, as_difference, place_of
from ofc_hub.ops.fresh import Fresh, RuleBook, fresh_hands
from ofc_hub.ops.reading import batches, logged_events, stream_heads
from ofc_hub.ops.stored import Difference, Stored, differences, fresh_facts, stored_hands
from scoring import aftermath
from scoring.aftermath import find_differences
from scoring.domain.errors import Problem
from scoring.projector import replace_results


@dataclass(slots=True)
class Tally:
    """Hands looked at; `excluded` ones do not replay, and `beyond_repair` ones still differ at the end."""

    hands: int = 0
    different: int = 0
    excluded: int = 0
    beyond_repair: int = 0
    started: float = field(default_factory=time.monotonic)

    def as_dict(self) -> dict[str, Any]:
        seconds = time.monotonic() - self.started
        return {
            "hands": self.hands,
            "different": self.different,
            "excluded": self.excluded,
            "beyond_repair": self.beyond_repair,
            "seconds": round(seconds, 3),
            "hands_per_second": round(self.hands / seconds) if seconds else 0,
        }


class Checked(NamedTuple):
    """A hand that differs, or that is excluded for its `problem`."""

    club: Club
    stream_id: int
    name: str
    position: int | None
    differences: Sequence[Difference]
    problem: Problem | None


def check(clubs: Iterable[Club], tally: Tally) -> Iterator[Checked]:
    """Rescore every hand; those that differ from what is stored, and those that do not replay."""
    for club in clubs:
        tables = CorrectedTables()
        yield from _checked_hands(club, RuleBook(), tables, tally)
        for one in find_differences(club, tables=tables.of(club)):
            tally.different += 1
            yield _checked_correction(club, one)


def rebuild(clubs: Iterable[Club], tally: Tally) -> Iterator[Checked]:
    """The same, and whatever differs is written anew, each hand in a transaction of its own.

    What was read without a lock is looked at again under it: a writer may have been at work, and then there
    may be nothing left to do.
    """
    for club in clubs:
        rule_book, tables = RuleBook(), CorrectedTables()
        for seen in _checked_hands(club, rule_book, tables, tally):
            now = rebuild_hand(club, rule_book, seen.stream_id) if seen.differences else seen
            if now.differences:
                left = rebuild_hand(club, rule_book, seen.stream_id).differences
                tally.beyond_repair += bool(left)
            elif seen.differences:
                tally.different -= 1
            if now.differences or now.problem:
                yield now
        yield from _rebuilt_corrections(club, tables, tally)


def _checked_hands(
    club: Club, rule_book: RuleBook, tables: CorrectedTables, tally: Tally
) -> Iterator[Checked]:
    for batch in batches(club.pk):
        hands = [stream for stream in batch.streams if stream.kind == StreamKind.HAND]
        tally.hands += len(hands)
        stored = stored_hands([stream.id for stream in hands])
        fresh_ones = fresh_hands(club, rule_book, [(stream, batch.events[stream.id]) for stream in hands])
        tables.note(fresh_ones)
        for fresh in fresh_ones:
            checked = _checked(club, fresh, stored[fresh.stream.id])
            tally.different += bool(checked.differences)
            tally.excluded += checked.problem is not None
            if checked.differences or checked.problem:
                yield checked


def _checked(club: Club, fresh: Fresh, stored: Stored) -> Checked:
    found = tuple(differences(stored, fresh))
    return Checked(club, fresh.stream.id, fresh.stream.name, fresh.position, found, fresh.problem)


def rebuild_hand(club: Club, rule_book: RuleBook, stream_id: int) -> Checked:
    """Make one hand's facts and results what its events come to; in what they differed."""
    with transaction.atomic():
        keep_people(club.pk)
        stream = Stream.objects.select_for_update(no_key=True).get(pk=stream_id)
        logged = logged_events([stream_id])[stream_id]
        [head] = stream_heads([stream])
        [fresh] = fresh_hands(club, rule_book, [(head, logged)])
        stored = stored_hands([stream_id])[stream_id]
        checked = _checked(club, fresh, stored)
        tables = {one.table for one in checked.differences}
        if "hand" in tables:
            _write_facts(stored, fresh)
        if tables - {"hand"}:
            replace_results(stream_id, club.pk, fresh.results, (fresh.position, fresh.position))
    return checked


def _write_facts(stored: Stored, fresh: Fresh) -> None:
    facts = fresh_facts(stored.facts, fresh)
    if facts is not None:
        Hand(**dict(zip(HAND_COLUMNS, facts, strict=True))).save(force_insert=stored.facts is None)
    elif stored.facts is not None:
        # Its start cannot be read any more: what was known of the hand stays, with what is wrong with it.
        Hand.objects.filter(pk=fresh.stream.id).update(problem=fresh.problem_data)


# --- What corrections leave at a table --------------------------------------------------------------------


def _rebuilt_corrections(club: Club, tables: CorrectedTables, tally: Tally) -> Iterator[Checked]:
    """Flags hang on the hands before them, so all of a club's are made in one transaction, if any differ."""
    if next(find_differences(club, tables=tables.of(club)), None) is None:
        return
    with transaction.atomic():
        # As everybody who writes them: under the log's head, so that one comes after the other.
        list(LogHead.objects.select_for_update().filter(pk=club.pk))
        found = list(find_differences(club, tables=tables.of(club), repair=True))
    tally.different += len(found)
    for one in found:
        yield _checked_correction(club, one)


def _checked_correction(club: Club, one: aftermath.Difference) -> Checked:
    name, position = place_of(one)
    return Checked(club, one.hand_id, name, position, [as_difference(one)], None)
