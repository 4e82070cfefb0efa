"""Use case: record events of one hand, live moves and corrections alike.

One transaction: append, replay, the hand's facts, its results, the to-do rows. A refusal is a value, and
nothing of what is refused is stored.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from ofc_hub.clubs.days import calendar_of, moment_of
from ofc_hub.clubs.locks import keep_people
from ofc_hub.clubs.models import Club
from ofc_hub.clubs.people import AliasRef, aliases_by_identity
from ofc_hub.clubs.selectors import Action, Standing, Viewer, standing
from ofc_hub.hands.log import (
    Appended,
    ClientIdConflict,
    Prepared,
    Stale,
    StreamKey,
    load_events,
    lock_stream,
    prepare,
    write,
)
from ofc_hub.hands.models import Hand, StreamKind
from ofc_hub.hands.projection import write_hand
from ofc_hub.hands.rulesets import rules_of
from ofc_hub.hands.texts import store_texts, with_texts
from ofc_hub.live.quarantine import exclude_if_broken
from scoring.aftermath import follow_up
from scoring.domain import events as kinds
from scoring.domain.errors import Problem
from scoring.domain.events import Event
from scoring.domain.facts import find_fact_problem
from scoring.domain.hand import HandState
from scoring.domain.outcomes import settled
from scoring.domain.replay import replay
from scoring.domain.scored import HandScore, score_hand
from scoring.projector import Place, project
from scoring.wake import wake_statistics


@dataclass(frozen=True, slots=True)
class Recorded:
    """The events are stored; `state` and `score` (None: not scorable) are the hand's from now on.

    Both are None for a batch that was stored before.
    """

    appended: Appended
    state: HandState | None = None
    score: HandScore | None = None


@dataclass(frozen=True, slots=True)
class NotAllowed:
    """The viewer may not do this in the club."""

    action: Action


Refusal = Stale | ClientIdConflict | Problem | NotAllowed


def record(
    viewer: Viewer,
    club: Club,
    key: StreamKey,
    expected_version: int | None,
    events: Sequence[Event],
    texts: Mapping[int, str] | None = None,
) -> Recorded | Refusal:
    """Append `events` to the hand `key` and bring everything that follows from it up to date.

    `texts` are notes and reasons by the place of their event in `events`. The rule set of a new hand is in
    the store already (`record_of`), and so are its aliases (`resolve_aliases`).
    """
    kinds_of_events = [event.kind for event in events]
    return record_made(viewer, club, key, expected_version, kinds_of_events, lambda: events, texts)


def record_made(
    viewer: Viewer,
    club: Club,
    key: StreamKey,
    expected_version: int | None,
    kinds_of_events: Iterable[str],
    make: Callable[[], Sequence[Event]],
    texts: Mapping[int, str] | None = None,
) -> Recorded | Refusal:
    """The same with events of these kinds that `make` makes in the transaction, maybe more than once."""
    assert key.kind == StreamKind.HAND
    held = standing(viewer, club)
    forbidden = _forbidden(held, kinds_of_events)
    if forbidden is not None:
        return NotAllowed(forbidden)
    sent = Sent(club, held, key, expected_version, make, f"user:{viewer.pk}", texts or {})
    try:
        answer = _attempt(sent)
    except IntegrityError:
        # Somebody stored one of the client ids meanwhile; the second look finds it and says so.
        answer = _attempt(sent)
    if isinstance(answer, Problem):
        # It may be what is stored that does not replay, and not what was sent.
        exclude_if_broken(club, key)
    return answer


@dataclass(frozen=True, slots=True)
class Sent:
    """What somebody wants to record."""

    club: Club
    held: Standing
    key: StreamKey
    expected_version: int | None
    make: Callable[[], Sequence[Event]]
    actor: str
    texts: Mapping[int, str]


def _attempt(sent: Sent) -> Recorded | Refusal:
    with transaction.atomic(durable=True):
        keep_people(sent.club.pk)
        if sent.texts:
            # Of one text sent twice at the same moment the later must find the salt of the first.
            lock_stream(sent.club.pk, sent.key, create=not sent.expected_version)
        hashed, salts = with_texts(sent.club.pk, sent.make(), sent.texts)
        prepared = prepare(sent.club.pk, sent.key, hashed, sent.expected_version, sent.actor)
        if isinstance(prepared, Appended):
            return Recorded(prepared)
        outcome = _record(sent, prepared) if isinstance(prepared, Prepared) else prepared
        if not isinstance(outcome, Recorded):
            transaction.set_rollback(True)
        elif isinstance(prepared, Prepared):
            _store_texts(prepared, len(hashed), sent.texts, salts)
        return outcome


def _record(sent: Sent, prepared: Prepared) -> Recorded | Refusal:
    club = sent.club
    stored = Hand.objects.filter(pk=prepared.stream.pk).first()
    events = [*load_events(prepared.stream.pk), *prepared.events]
    directors_only = (stored is not None and stored.locked) or _retracts_a_ruling(events, prepared.events)
    if directors_only and not sent.held.may("correct"):
        return NotAllowed("correct")
    state = _replayed(prepared, events)
    if isinstance(state, Problem):
        return state
    people = _people(club, prepared, state)
    if isinstance(people, Problem):
        return people
    score = score_hand(state) if state.complete and not state.voided else None
    if isinstance(score, Problem):
        return score
    came_to = settled(events, state, score)
    # From here on every writer of the club waits until this transaction ends.
    appended = write(prepared)
    write_hand(appended.stream, club.pk, state, stored)
    positions = appended.position - len(prepared.events) + 1, appended.position
    has_changed = project(_place(club, appended.stream, state), state, score, people, positions)
    if has_changed:
        wake_statistics()
    if has_changed or stored is None or stored.voided != state.voided:
        follow_up(appended.stream, club.pk, came_to, people)
    return Recorded(appended, state, score)


def _place(club: Club, stream_id: int, state: HandState) -> Place:
    played_at = state.start.played_at
    return Place(stream_id, club.pk, moment_of(played_at), calendar_of(club).day_of(played_at))


def _store_texts(prepared: Prepared, count: int, texts: Mapping[int, str], salts: Mapping[int, str]) -> None:
    """Keep the texts of what was new; a beginning that was stored before has its texts."""
    first = prepared.events[-1].version - count + 1
    new = {event.version for event in prepared.events}
    kept = {first + place: text for place, text in texts.items() if first + place in new}
    store_texts(prepared.stream.pk, kept, {first + place: salt for place, salt in salts.items()})


# --- Who may ------------------------------------------------------------------------------------------

_ACTIONS: Mapping[str, Action] = {
    kinds.POINTS_RULED: "correct",
    kinds.HAND_VOIDED: "correct",
    kinds.HAND_LOCKED: "lock",
}


def _forbidden(held: Standing, kinds_of_events: Iterable[str]) -> Action | None:
    """An action that the events need and their sender may not do; a locked hand is the directors' anyway."""
    needed = (_ACTIONS.get(kind, "log") for kind in kinds_of_events)
    return next((action for action in needed if not held.may(action)), None)


def _retracts_a_ruling(events: Sequence[Event], new: Sequence[Event]) -> bool:
    """Whether `new`, the end of `events`, takes back (or brings back) what only directors decide."""
    return any(
        _undone(events, event).kind in _ACTIONS for event in new if event.kind == kinds.EVENT_RETRACTED
    )


def _undone(events: Sequence[Event], event: Event) -> Event:
    """The event at the end of a chain of retractions; a retraction of nothing is its own end."""
    while event.kind == kinds.EVENT_RETRACTED:
        target = event.facts.get("version")
        if type(target) is not int or not 0 < target < event.version:
            break
        event = events[target - 1]
    return event


# --- What it comes to ------------------------------------------------------------------------------------


def _replayed(prepared: Prepared, events: Sequence[Event]) -> HandState | Problem:
    stream = prepared.stream
    digest = events[0].facts.get("rules", "")
    try:
        rules = rules_of(str(digest))
    except LookupError:
        return Problem("unknown-rules", "rules", "The store has no rule set of this hash.", digest)
    state, problem = replay(events, rules, stream.source, stream.key)
    if problem is None:
        return state
    return _would_break(problem) if _corrects(prepared.events) else problem


def _corrects(events: Sequence[Event]) -> bool:
    return any(event.kind in kinds.CORRECTIONS for event in events)


def _would_break(problem: Problem) -> Problem:
    """A correction is accepted only if the rest still replays; this names the first obstacle."""
    if problem.code in {"version-unknown", "already-retracted"}:
        return problem
    message = f"With this correction the hand would be {problem.message}"
    return Problem("would-break", problem.path, message, problem.as_dict())


def _people(club: Club, prepared: Prepared, state: HandState) -> dict[int, AliasRef] | Problem:
    """Who sits where. In a new hand one player may not sit at two seats under two names."""
    seats = state.start.seats
    aliases = aliases_by_identity(club, [seat.alias for seat in seats])
    for place, seat in enumerate(seats):
        if seat.alias not in aliases:
            message = f"The club has no alias {seat.alias}."
            return Problem("bad-event", f"seats[{place}].alias", message, seat.alias)
    people = {seat.seat: aliases[seat.alias] for seat in seats}
    if prepared.events[0].version == 1:
        start, players = state.start, [people[seat.seat].player_id for seat in seats]
        problem = find_fact_problem(start.rules, start.button, seats, players, start.pair_stakes)
        if problem is not None:
            return problem
    return people
