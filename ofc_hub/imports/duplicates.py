"""A hand that is stored already, compared with it as it now stands, corrections applied."""

from __future__ import annotations

from dataclasses import replace

from ofc_hub.hands.log import load_events
from ofc_hub.hands.models import Event
from ofc_hub.hands.rulesets import rules_of
from scoring.domain.document import HandDocument, compare
from scoring.domain.errors import Problem
from scoring.domain.interchange import document_of, play, read_hand, write_line
from scoring.domain.replay import replay

from . import archive, documents
from .jobs import Job, Known
from .outline import EVENTS_FORMAT, format_of


def stored_differences(job: Job, place: int) -> list[Problem]:
    """In what a line differs from the hand of its key in the store; empty: it is the same again."""
    text = job.lines[place]
    if format_of(text) == EVENTS_FORMAT:
        return _stream_differences(job, place, text)
    document = read_hand(text)
    assert isinstance(document, HandDocument)
    people = documents.people_of(job, document)
    if isinstance(people, Problem):
        return [people]
    played = play(document, lambda index: people[index].identity)
    if isinstance(played, Problem):
        return [played]
    pairs = zip(document.seats, people, strict=True)
    seats = [seat._replace(player_id=person.identity) for seat, person in pairs]
    again = replace(document, seats=tuple(seats))
    known = job.stored[document.source, document.hand]
    stored = _stored_document(document, known)
    return [stored] if isinstance(stored, Problem) else compare(stored, again)


def _stored_document(document: HandDocument, known: Known) -> HandDocument | Problem:
    """The stored hand as its export would tell it, read again."""
    events = load_events(known.stream_id)
    rules = rules_of(str(events[0].facts.get("rules")))
    state, problem = replay(events, rules, document.source, document.hand)
    return problem or read_hand(write_line(document_of(state)))


def _stream_differences(job: Job, place: int, text: bytes) -> list[Problem]:
    """The first event in which an archived stream differs; one that only ends earlier does not."""
    replayed = archive.read(job, place, text)
    assert not isinstance(replayed, Problem)
    start, digests = replayed.state.start, [digest.hex() for digest in replayed.digests]
    known = job.stored[start.source, start.hand]
    rows = Event.objects.filter(stream_id=known.stream_id).order_by("version")
    stored = [bytes(digest).hex() for digest in rows.values_list("digest", flat=True)]
    for index, (old, new) in enumerate(zip(stored, digests, strict=False)):
        if old != new:
            message = f"Event {index + 1} of the stream is stored with another content."
            return [Problem("field-differs", f"events[{index}]", message, new, old)]
    if len(digests) > len(stored):
        message = "The stream goes on where the stored one ends."
        return [Problem("field-differs", "events", message, len(digests), len(stored))]
    return []
