"""What the log comes to, computed anew: the facts and the results that each hand must have."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ofc_hub.clubs.days import calendar_of, moment_of
from ofc_hub.clubs.models import Club
from ofc_hub.clubs.people import AliasRef, aliases_by_identity
from ofc_hub.hands.models import RuleSetRecord
from ofc_hub.hands.projection import HAND_COLUMNS, hand_values
from ofc_hub.hands.upgrades import upgraded
from ofc_hub.imports.archive import content_of
from ofc_hub.imports.documents import ACTOR
from ofc_hub.ops.reading import Logged, StreamHead
from scoring.domain.errors import Problem
from scoring.domain.events import Event
from scoring.domain.hand import HandState
from scoring.domain.outcomes import may_have_changed
from scoring.domain.replay import replay
from scoring.domain.rulesets import RuleSet, from_data
from scoring.domain.scored import HandScore, score_hands
from scoring.projector import NotZeroError, Place, ResultRows, result_rows

PROBLEM = HAND_COLUMNS.index("problem")


@dataclass(frozen=True, slots=True)
class Fresh:
    """One hand anew. `state` is the legal prefix where there is a `problem`.

    `facts` is the row of `Hand` in the order of HAND_COLUMNS, its `content` aside, None where not even the
    start of the hand can be read. `results` lacks the position, and is None where the hand has no result.
    `may_be_corrected`: something in the stream can have changed what the hand had come to.
    `content` is what an import leaves as the hand's content, None for a hand that was logged live.
    """

    stream: StreamHead
    position: int
    state: HandState | None
    problem: Problem | None
    facts: tuple[Any, ...] | None
    results: ResultRows | None
    digests: frozenset[bytes]
    content: bytes | None
    may_be_corrected: bool

    @property
    def problem_data(self) -> dict[str, Any] | None:
        """The problem as the store gives it back."""
        return None if self.problem is None else dict(json.loads(json.dumps(self.problem.as_dict())))


class RuleBook:
    """The rule sets of the store by their hash, read again and not from a cache of the process."""

    def __init__(self) -> None:
        self._sets: dict[str, RuleSet] = {}

    def of(self, events: Sequence[Event]) -> RuleSet | Problem:
        """The rule set that the hand's first event names."""
        digest = _get(events[0].data, "rules") if events else None
        rules = self._find(digest) if isinstance(digest, str) else None
        return rules or Problem("unknown-rules", "rules", "The store has no rule set of this hash.", digest)

    def _find(self, digest: str) -> RuleSet | None:
        if digest not in self._sets:
            record = RuleSetRecord.objects.filter(pk=digest).first()
            rules = _rules_of(record) if record else None
            if rules is None or rules.digest != digest:
                return None
            self._sets[digest] = rules
        return self._sets[digest]


def bad_rule_sets() -> Iterator[tuple[RuleSetRecord, str | None]]:
    """The records whose data is not what their hash or code says, with the hash of their data."""
    for record in RuleSetRecord.objects.order_by("pk").iterator():
        rules = _rules_of(record)
        if rules is None or rules.digest != record.pk or rules.base != record.code:
            yield record, rules.digest if rules else None


def _rules_of(record: RuleSetRecord) -> RuleSet | None:
    try:
        rules = from_data(record.data)
    except (TypeError, ValueError, KeyError, AttributeError):
        return None
    return None if isinstance(rules, Problem) else rules


def fresh_hands(
    club: Club, rule_book: RuleBook, streams: Iterable[tuple[StreamHead, Sequence[Logged]]]
) -> list[Fresh]:
    """Replay and score some hands of a club anew, in their order."""
    replayed = [(stream, logged, *_replayed(rule_book, stream, logged)) for stream, logged in streams]
    people = _people(club, [state for _, _, state, _ in replayed])
    ready = [i for i, (_, _, state, problem) in enumerate(replayed) if _has_result(state, problem)]
    scores = dict(zip(ready, score_hands([_state(replayed[i][2]) for i in ready]), strict=True))
    return [
        _fresh(club, stream, logged, state, problem, scores.get(i), people)
        for i, (stream, logged, state, problem) in enumerate(replayed)
    ]


def _replayed(
    rule_book: RuleBook, stream: StreamHead, logged: Sequence[Logged]
) -> tuple[HandState | None, Problem | None]:
    """The state and what is wrong with it. Bad data may hold anything, and stops nobody."""
    events = [upgraded(one.event) for one in logged]
    try:
        rules = rule_book.of(events)
        if isinstance(rules, Problem):
            return None, rules
        state, problem = replay(events, rules, stream.source, stream.key)
    except Exception as error:
        message = f"The events of the hand cannot be read ({type(error).__name__}: {error})."
        return None, Problem("bad-event", "events", message)
    return (state if state.start.seats else None), problem


def _has_result(state: HandState | None, problem: Problem | None) -> bool:
    return state is not None and problem is None and state.complete and not state.voided


def _state(state: HandState | None) -> HandState:
    assert state is not None
    return state


def _people(club: Club, states: Iterable[HandState | None]) -> dict[str, AliasRef]:
    named = {seat.alias for state in states if state is not None for seat in state.start.seats}
    return aliases_by_identity(club, named)


def _fresh(
    club: Club,
    stream: StreamHead,
    logged: Sequence[Logged],
    state: HandState | None,
    problem: Problem | None,
    score: HandScore | Problem | None,
    people: Mapping[str, AliasRef],
) -> Fresh:
    results = None
    if isinstance(score, Problem):
        problem = score
    elif score is not None and state is not None:
        scored = _results(club, stream, state, score, people)
        results, problem = (None, scored) if isinstance(scored, Problem) else (scored, None)
    facts = None if state is None else hand_values(stream.id, stream.club_id, state, None, problem)
    digests, events = [one.digest for one in logged], [one.event for one in logged]
    return Fresh(
        stream=stream,
        position=logged[-1].position if logged else 0,
        state=state,
        problem=problem,
        facts=facts,
        results=results,
        digests=frozenset(digests),
        content=_content(events, digests),
        may_be_corrected=may_have_changed(events),
    )


def _content(events: Sequence[Event], digests: Sequence[bytes]) -> bytes | None:
    imported = bool(events) and events[0].actor == ACTOR
    return content_of(events, digests) if imported else None


def _results(
    club: Club, stream: StreamHead, state: HandState, score: HandScore, people: Mapping[str, AliasRef]
) -> ResultRows | Problem:
    for place, seat in enumerate(state.start.seats):
        if seat.alias not in people:
            message = f"The club has no alias {seat.alias}."
            return Problem("bad-event", f"seats[{place}].alias", message, seat.alias)
    by_seat = {seat.seat: people[seat.alias] for seat in state.start.seats}
    played_at = state.start.played_at
    place_of_hand = Place(stream.id, club.pk, moment_of(played_at), calendar_of(club).day_of(played_at))
    try:
        return result_rows(place_of_hand, state, score, by_seat)
    except NotZeroError as error:
        return Problem("score-not-zero", "", f"{error}.")


def _get(data: Any, key: str) -> Any:
    return data.get(key) if isinstance(data, Mapping) else None
