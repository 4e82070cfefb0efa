"""Replay: the events of a hand folded to its state, with the legal prefix beside the error."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scoring.domain import events as kinds
from scoring.domain.corrections import effective_events
from scoring.domain.errors import Problem
from scoring.domain.event_data import Claim, RarePlacement, RecordedBoards, Rulings, read_data
from scoring.domain.events import Event
from scoring.domain.hand import BOARDS, FULL, REPLACED, RESULT, HandStart, HandState, Move, Ruling
from scoring.domain.notation import parse_placement, plain_placement
from scoring.domain.placing import Boards
from scoring.domain.rulesets import RuleSet
from scoring.domain.starting import start_of
from scoring.domain.times import is_time

_SEAT_KEY = re.compile(r"[1-9][0-9]?")


def replay(
    events: Iterable[Event],
    rules: RuleSet,
    source: str = "",
    hand: str = "",
    names: Mapping[str, str] | None = None,
) -> tuple[HandState, Problem | None]:
    """The state to which a hand's events lead, and the first event that is not legal, if any.

    The state holds the legal prefix. Events stand in the order of their versions; `source` and `hand` are
    the stream's key, `names` the names of its aliases. Paths count effective moves: `actions[3].cards`.
    """
    stream, gap = _numbered(events)
    held, replaced, misfit = effective_events(stream)
    if not held:
        missing = Problem("hand-not-started", "events", "The hand has no event.")
        return _nothing(rules, source, hand), gap or misfit or missing
    start = start_of(held[0], rules, source, hand, names or {})
    if isinstance(start, Problem):
        return _nothing(rules, source, hand), start
    fold = _Fold(start, _dead(held), replaced)
    problem = fold.run(held[1:])
    if problem is None and stream:
        # Notes and corrections are no longer among the events that hold, but they were taken.
        fold.state.version = len(stream) if misfit is None else _before(misfit, stream)
    return fold.finished(), problem or misfit or gap


def _numbered(events: Iterable[Event]) -> tuple[list[Event], Problem | None]:
    stream = list(events)
    for place, event in enumerate(stream):
        if event[0] != place + 1:
            message = f"Event {place + 1} of the stream has the version {event.version}."
            return stream[:place], Problem(
                "version-gap", f"events[{place}].version", message, event.version, place + 1
            )
        if event[8] != kinds.SCHEMAS.get(event[1], event[8]):
            return stream[:place], _schema_problem(place, event)
    return stream, None


def _schema_problem(place: int, event: Event) -> Problem:
    present = kinds.SCHEMAS[event.kind]
    message = f"Event {place + 1} is {event.kind} of schema {event.schema}; known here is {present}."
    return Problem("unknown-schema", f"events[{place}].schema", message, event.schema, present)


def _before(misfit: Problem, stream: list[Event]) -> int:
    """The version before a correction that was refused; its path names its place."""
    place = misfit.path.partition("[")[2].partition("]")[0]
    return int(place) if place.isdigit() else len(stream)


def _dead(events: Iterable[Event]) -> set[int]:
    """The seats that die at any time: nobody waits for them, wherever the declaration stands."""
    return {event.seat for event in events if event.kind == kinds.SEAT_DIED and event.seat is not None}


def _nothing(rules: RuleSet, source: str, hand: str) -> HandState:
    start = HandStart(source, hand, rules, 0, None, None, None, None, None, 0, 0, (), ())
    return HandState(start)


class _Fold:
    """One hand as its events are applied, one after the other."""

    def __init__(self, start: HandStart, dead: set[int], replaced: frozenset[int]) -> None:
        self.boards = Boards(start, dead)
        self.state = HandState(start, boards=self.boards.slots, discards=self.boards.discards, version=1)
        self.replaced = replaced
        self.has_boards = False

    def run(self, events: Iterable[Event]) -> Problem | None:
        """Apply events up to the first that is not legal."""
        state = self.state
        for event in events:
            if event.kind == kinds.CARDS_PLACED:
                problem = self._move(event)
            elif handler := _HANDLERS.get(event.kind):
                problem = handler(self, event)
            else:
                message = f"{event.kind!r} is no kind of event."
                path = f"events[{event.version - 1}].kind"
                problem = Problem("unknown-kind", path, message, event.kind, list(kinds.KINDS))
            if problem is not None:
                return problem
            state.version = event.version
        return None

    def finished(self) -> HandState:
        """The state with what follows from everything in it."""
        state = self.state
        if self.has_boards:
            state.completeness = BOARDS
        elif state.claimed is not None and not state.moves:
            state.completeness = RESULT
        else:
            state.completeness = FULL
        state.complete = self._is_complete()
        return state

    def _is_complete(self) -> bool:
        seats = self.state.start.seats
        if self.state.completeness == RESULT:
            return claim_problem(self.state.boards, self.state.claimed or {}) is None
        dead = self.state.dead
        return bool(seats) and all(seat.seat in dead or self.boards.is_full(seat.seat) for seat in seats)

    # --- Cards ----------------------------------------------------------------------------------------------

    def _move(self, event: Event) -> Problem | None:
        if self.has_boards:
            return _at(event, "actions-and-boards", "The hand's final boards are recorded already.")
        # An edited SQLite file can hold anything here; what is no text is no placement.
        cards = event.cards if type(event.cards) is str else repr(event.cards)
        placement = plain_placement(cards) or parse_placement(cards)
        if isinstance(placement, Problem):
            return self._refused(placement)
        flags = self.boards.move(event.seat, placement)
        if isinstance(flags, Problem):
            return self._refused(flags)
        assert event.seat is not None
        if event.happened_at is not None and not is_time(event.happened_at):
            return _at(event, "bad-date", "The time of the move is no time.", event.happened_at)
        auto, think_ms = False, None
        if event.data is not None:
            rare = read_data(event, RarePlacement)
            if isinstance(rare, Problem):
                return rare
            auto, think_ms = rare.auto, rare.think_ms
        if event.version in self.replaced:
            flags = (*flags, REPLACED)
        move = Move(event.version, event.seat, placement, auto, event.happened_at, flags, think_ms)
        self.state.moves.append(move)
        return None

    def _refused(self, problem: Problem) -> Problem:
        """The refusal of a move, with what was legal before it."""
        count = len(self.state.moves)
        path = f"actions[{count}].{problem.path or 'cards'}"
        message = f"legal up to move {count}; then {problem.message}"
        return Problem(problem.code, path, message, problem.found, problem.expected)

    def _record_boards(self, event: Event) -> Problem | None:
        if self.state.moves or self.has_boards:
            return _at(event, "actions-and-boards", "The hand's cards are recorded already.")
        recorded = read_data(event, RecordedBoards)
        if isinstance(recorded, Problem):
            return recorded
        for key in sorted(recorded.boards, key=_seat_key):
            problem = self._board(_seat_key(key), recorded.boards[key])
            if problem is not None:
                return problem.under(f"boards.{key}")
        self.has_boards = True
        return None

    def _board(self, seat: int, text: str) -> Problem | None:
        placement = parse_placement(text)
        if isinstance(placement, Problem):
            return placement
        return self.boards.record(seat, placement)

    # --- The rest -------------------------------------------------------------------------------------------

    def _claim(self, event: Event) -> Problem | None:
        claims = read_data(event, dict[str, Claim])
        if isinstance(claims, Problem):
            return claims
        for seat in claims:
            if _seat_key(seat) not in self.state.boards:
                seats = sorted(self.state.boards)
                return _at(event, "seat-unknown", f"Seat {seat} is not in this hand.", seat, seats)
        self.state.claimed = event.data
        return None

    def _die(self, event: Event) -> Problem | None:
        if event.seat not in self.state.boards:
            seats = sorted(self.state.boards)
            return _at(event, "seat-unknown", f"Seat {event.seat} is not in this hand.", event.seat, seats)
        assert event.seat is not None
        self.state.dead.add(event.seat)
        return None

    def _rule(self, event: Event) -> Problem | None:
        rulings = _rulings(event, self.state.boards)
        if isinstance(rulings, Problem):
            return rulings
        self.state.rulings.extend(rulings)
        return None

    def _void(self, event: Event) -> Problem | None:
        self.state.voided = True
        return None

    def _confirm(self, event: Event) -> Problem | None:
        self.state.confirmed = True
        return None

    def _lock(self, event: Event) -> Problem | None:
        self.state.locked = True
        return None

    def _note(self, event: Event) -> Problem | None:
        return None

    def _start_again(self, event: Event) -> Problem | None:
        return _at(event, "hand-started-twice", "The hand has started already.")


_HANDLERS: Mapping[str, Callable[[_Fold, Event], Problem | None]] = {
    kinds.HAND_STARTED: _Fold._start_again,
    kinds.BOARDS_RECORDED: _Fold._record_boards,
    kinds.RESULT_RECORDED: _Fold._claim,
    kinds.SEAT_DIED: _Fold._die,
    kinds.POINTS_RULED: _Fold._rule,
    kinds.HAND_VOIDED: _Fold._void,
    kinds.HAND_CONFIRMED: _Fold._confirm,
    kinds.HAND_LOCKED: _Fold._lock,
    kinds.NOTE_ADDED: _Fold._note,
}


def _at(event: Event, code: str, message: str, found: Any = None, expected: Any = None) -> Problem:
    return Problem(code, f"events[{event.version - 1}]", message, found, expected)


def _seat_key(key: Any) -> int:
    return int(key) if _SEAT_KEY.fullmatch(str(key)) else -1


def claim_problem(seats: Iterable[int], claimed: Mapping[str, Mapping[str, Any]]) -> Problem | None:
    """Why a claim cannot be a hand's result: it needs the points of every seat, and they sum to zero."""
    total = 0
    for seat in seats:
        points = claimed.get(str(seat), {}).get("points")
        if type(points) is not int:
            path = f"claimed.{seat}.points"
            return Problem("claim-incomplete", path, f"The claim lacks the points of seat {seat}.")
        total += points
    if total:
        return Problem("claim-not-zero", "claimed", f"The claimed points sum to {total}.", total, 0)
    return None


def _rulings(event: Event, seats: Mapping[int, object]) -> list[Ruling] | Problem:
    data = read_data(event, Rulings)
    if isinstance(data, Problem):
        return data
    rulings = [Ruling(event.version, one.seat, one.points, one.chips, data.house) for one in data.rulings]
    for one in rulings:
        if one.seat not in seats:
            message = f"Seat {one.seat} is not in this hand."
            return _at(event, "seat-unknown", message, one.seat, sorted(seats))
    sums = [sum(one.points for one in rulings), sum(one.chips for one in rulings)]
    if any(sums) and not data.house:
        return _at(event, "rulings-not-zero", f"The rulings sum to {sums[0]} points.", sums, [0, 0])
    return rulings
