"""One line of `ofc-hand/1` as a replayed hand with its events."""

from __future__ import annotations

from ofc_hub.hands.texts import new_salt, salted
from scoring.domain.document import HandDocument, extra_json
from scoring.domain.errors import Problem
from scoring.domain.events import GENESIS, IMPORT_ACTOR, chain_all
from scoring.domain.facts import find_fact_problem
from scoring.domain.interchange import play, read_hand

from .jobs import Job, Replayed
from .outline import mention_of
from .people import Person

ACTOR = IMPORT_ACTOR
STREAM_KIND = "hand"


def read(job: Job, place: int, text: bytes) -> Replayed | Problem:
    """The hand of a line, or why it is refused."""
    document = read_hand(text)
    if isinstance(document, Problem):
        return document
    people = people_of(job, document)
    if isinstance(people, Problem):
        return people
    extra = extra_json(document.extra) if document.extra else None
    salt = new_salt() if extra is not None else ""
    extra_hash = salted(salt, extra) if extra is not None else None
    played = play(document, lambda index: people[index].identity, actor=ACTOR, extra_hash=extra_hash)
    if isinstance(played, Problem):
        return played
    events, state = played
    digests = chain_all(GENESIS, STREAM_KIND, document.source, document.hand, events)
    return Replayed(
        place=place,
        state=state,
        events=events,
        digests=digests,
        content=_content(document, digests),
        people=people,
        by_seat={seat.seat: person for seat, person in zip(document.seats, people, strict=True)},
        texts=[(len(events), salt, extra)] if extra is not None else (),
    )


def _content(document: HandDocument, digests: list[bytes]) -> bytes:
    """What the hand is without `claimed` and `extra`, the last events: the digest before them."""
    added = (document.claimed is not None) + bool(document.extra)
    return digests[-1 - added]


def people_of(job: Job, document: HandDocument) -> list[Person] | Problem:
    """Who sits at the document's seats. Two names may turn out to be one player, who cannot sit twice."""
    people = []
    for index, seat in enumerate(document.seats):
        person = job.people.get(mention_of(document.source, seat.player, seat.player_id))
        if person is None:
            path = f"seats[{index}].player"
            return Problem("bad-text", path, "The name cannot be stored.", seat.player)
        people.append(person)
    players = [person.player_id for person in people]
    if len(set(players)) == len(players) and not document.rules.deal.two_hands:
        return people
    facts = document.rules, document.button, document.seats, players, document.pair_stakes
    return find_fact_problem(*facts) or people
