"""What a hand comes to for its table: as it was first settled, and as it stands after corrections.

A correction re-scores its own hand only. What was paid before it differs from what is due now, and that
difference is owed at the table (design section 2, "Corrections").
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.domain import events as kinds
from scoring.domain.errors import Problem
from scoring.domain.events import Event
from scoring.domain.hand import HandState, Ruling
from scoring.domain.replay import replay
from scoring.domain.rulesets import RuleSet
from scoring.domain.scored import score_hand
from scoring.domain.scores import HandScore

#: The "seat" to which penalties to the house go.
HOUSE = 0
_CHANGING = frozenset(
    {kinds.EVENT_RETRACTED, kinds.CARDS_REPLACED, kinds.POINTS_RULED, kinds.HAND_VOIDED, kinds.SEAT_DIED}
)
_AFTER_A_RESULT = frozenset({kinds.CARDS_PLACED, kinds.BOARDS_RECORDED, kinds.RESULT_RECORDED})


class SeatOutcome(NamedTuple):
    """One seat; rulings are in its points and chips (units, None where the hand pays none by itself)."""

    seat: int
    points: int
    chips: int | None
    due: int  # the chips that the seat has to get because of this hand, as far as they are known
    next_fantasyland: int


class PairOutcome(NamedTuple):
    """The points between two seats, from the side of `a`."""

    a: int
    b: int
    points: int


class Outcome(NamedTuple):
    """What a hand comes to; a voided hand comes to nothing. `table.after_hand` takes it as a score."""

    voided: bool
    seats: tuple[SeatOutcome, ...] = ()
    pairs: tuple[PairOutcome, ...] = ()


VOIDED = Outcome(True)


class Settled(NamedTuple):
    """What a hand first came to, in `version` of its stream, and what it comes to now (None: that is open).

    They are the same where it never changed, or where the hand was void before it came to anything.
    """

    first: Outcome | None
    now: Outcome | None
    version: int = 0

    @property
    def is_corrected(self) -> bool:
        return self.now is not None and self.first != self.now

    def transfers(self) -> dict[int, int]:
        """Chips (units) that each seat gets or gives because of the correction; they sum to zero.

        Nothing is due while the hand has no result. HOUSE balances penalties.
        """
        if self.first is None or self.now is None:
            return {}
        due = Counter({seat.seat: seat.due for seat in self.now.seats})
        due.subtract({seat.seat: seat.due for seat in self.first.seats})
        due[HOUSE] -= sum(due.values())
        return {seat: chips for seat, chips in sorted(due.items()) if chips}


def outcome_of(state: HandState, score: HandScore | Problem | None) -> Outcome | None:
    """What the hand comes to, None as long as that is open. `score` is not looked at in a voided hand."""
    if state.voided:
        return VOIDED
    if score is None or isinstance(score, Problem):
        return None
    points, chips = _ruled(state.rulings)
    seats = (
        SeatOutcome(
            one.seat,
            one.points + points[one.seat],
            None if one.chips is None else one.chips + chips[one.seat],
            (one.chips or 0) + chips[one.seat],
            one.next_fantasyland,
        )
        for one in score.seats
    )
    return Outcome(False, tuple(seats), tuple(PairOutcome(one.a, one.b, one.points) for one in score.pairs))


def _ruled(rulings: Iterable[Ruling]) -> tuple[Counter[int], Counter[int]]:
    """Points and chips that rulings add to each seat."""
    points: Counter[int] = Counter()
    chips: Counter[int] = Counter()
    for ruling in rulings:
        points[ruling.seat] += ruling.points
        chips[ruling.seat] += ruling.chips
    return points, chips


# --- As it was first settled --------------------------------------------------------------------------------


def first_settled(events: Sequence[Event], rules: RuleSet) -> HandState | None:
    """The hand when it first came to a result; None: it never did. `events` in the order of their versions.

    Seats that a file declares dead were dead when it was settled, although the moves stand before that.
    """
    for length in range(2, len(events) + 1):
        state = _settled_at(events[:length], rules)
        if state is not None:
            written = length
            while written < len(events) and _is_written_dead(events[written]):
                written += 1
            return _settled_at(events[:written], rules) or state
    return None


def _is_written_dead(event: Event) -> bool:
    return event.kind == kinds.SEAT_DIED and event.actor == kinds.IMPORT_ACTOR


def _settled_at(events: Sequence[Event], rules: RuleSet) -> HandState | None:
    state, problem = replay(events, rules)
    # Within a batch that was recorded as one a beginning need not be legal.
    return state if problem is None and state.complete and not state.voided else None


def settled(events: Sequence[Event], state: HandState, score: HandScore | Problem | None) -> Settled:
    """What the hand first came to and comes to now; `state` and `score` are what its events come to."""
    now = outcome_of(state, score)
    if now is None or not may_have_changed(events):
        return Settled(now, now)
    first = first_settled(events, state.start.rules)
    if first is None:
        return Settled(now, now)
    return Settled(outcome_of(first, score_hand(first)), now, first.version)


def may_have_changed(events: Iterable[Event]) -> bool:
    """Whether anything in the stream can change what the hand had come to; most streams have nothing."""
    has_result = False
    for event in events:
        if event.kind in _CHANGING or (has_result and event.kind in _AFTER_A_RESULT):
            return True
        has_result |= event.kind == kinds.RESULT_RECORDED
    return False
