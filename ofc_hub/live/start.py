"""Use case: a hand begins."""

from collections.abc import Sequence
from dataclasses import replace

from ofc_hub.clubs.models import Club, Tournament
from ofc_hub.clubs.people import Named, resolve_aliases
from ofc_hub.hands.rulesets import record_of
from ofc_hub.live.entry import Answer, Entry
from ofc_hub.live.record import record_made
from scoring.domain.errors import Problem
from scoring.domain.events import HAND_STARTED, Event
from scoring.domain.hand import HandStart, SeatStart
from scoring.domain.starting import started
from scoring.domain.wire import LONGEST_TEXT


def start_hand(entry: Entry, start: HandStart) -> Answer:
    """Begin the hand with these facts.

    A seat without `alias` is the player whom the hand's source calls `name`; he is made where he is new.
    """
    start = replace(start, source=entry.key.source, hand=entry.key.key)
    problem = _text_problem(start)
    if problem is not None:
        return problem
    return record_made(
        entry.viewer,
        entry.club,
        entry.key,
        entry.expected_version,
        [HAND_STARTED],
        lambda: [_event(entry, start)],
    )


def _event(entry: Entry, start: HandStart) -> Event:
    """The first event; the rule set, the tournament and the players are in the store then."""
    record_of(start.rules)
    if start.tournament:
        name = start.tournament_name or ""
        Tournament.objects.get_or_create(club=entry.club, code=start.tournament, defaults={"name": name})
    seats = tuple(_known(entry.club, start.source, start.seats))
    return started(replace(start, seats=seats), client_id=entry.client_id)


def _known(club: Club, source: str, seats: Sequence[SeatStart]) -> list[SeatStart]:
    """The seats with the identities of their players."""
    named = {seat.seat: Named(source, seat.name) for seat in seats if not seat.alias}
    people = resolve_aliases(club, named.values())
    return [
        replace(seat, alias=str(people[named[seat.seat]].uuid)) if seat.seat in named else seat
        for seat in seats
    ]


def _text_problem(start: HandStart) -> Problem | None:
    """Whatever the facts do not check: names and keys that nobody could read, or that have no room."""
    texts = [("source", start.source), ("hand", start.hand)]
    texts += [("table", start.table or "-"), ("tournament", start.tournament or "-")]
    texts += [("tournament_name", start.tournament_name or "-")]
    texts += [(f"seats[{i}].player", seat.name) for i, seat in enumerate(start.seats) if not seat.alias]
    for path, text in texts:
        if not text.strip() or len(text) > LONGEST_TEXT or not text.isprintable():
            message = f"The text is blank, longer than {LONGEST_TEXT} characters or holds control characters."
            return Problem("bad-text", path, message, text[:LONGEST_TEXT])
    return None
