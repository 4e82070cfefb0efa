"""The first pass over a stream: which events still hold once the later ones have corrected them."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.domain.errors import Problem
from scoring.domain.events import (
    BOARDS_RECORDED,
    CARDS_PLACED,
    CARDS_REPLACED,
    CORRECTIONS,
    EVENT_RETRACTED,
    HAND_STARTED,
    Event,
)

_REPLACEABLE = frozenset({CARDS_PLACED, BOARDS_RECORDED})


class Effective(NamedTuple):
    """The events that hold, with replaced cards in place, and the versions whose cards were replaced.

    `problem` is the first correction that corrects nothing; what stands before it is the legal prefix.
    """

    events: Sequence[Event]
    replaced: frozenset[int] = frozenset()
    problem: Problem | None = None


def effective_events(events: Sequence[Event]) -> Effective:
    """Apply retractions and replacements; a retraction of a retraction brings its event back.

    `events` are numbered from 1 without a gap.
    """
    if not any(event.kind in CORRECTIONS for event in events):
        return Effective(events)
    log = _Log()
    for event in events:
        problem = log.add(event)
        if problem is not None:
            return log.effective()._replace(problem=problem)
    return log.effective()


class _Log:
    """The stream so far, and which of its events hold at this point."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.holds: list[bool] = []

    def add(self, event: Event) -> Problem | None:
        """Take one more event; a correction that corrects nothing is refused and leaves all as it was."""
        if event.kind in CORRECTIONS:
            problem = self._target_problem(event)
            if problem is None and event.kind == EVENT_RETRACTED:
                problem = self._switch(_target(event), on=False)
            if problem is not None:
                return problem
        self.events.append(event)
        self.holds.append(True)
        return None

    def _target_problem(self, event: Event) -> Problem | None:
        path = f"events[{event.version - 1}].data.version"
        version = event.facts.get("version")
        if type(version) is not int or not 1 <= version <= len(self.events):
            return Problem("version-unknown", path, "The correction names no earlier event.", version)
        kind = self.events[version - 1].kind
        allowed = kind in _REPLACEABLE if event.kind == CARDS_REPLACED else kind != HAND_STARTED
        if not allowed:
            message = f"Event {version} is {kind}, which {event.kind} cannot correct."
            return Problem("version-unknown", path, message, kind)
        if not self.holds[version - 1]:
            return self._retracted(version)
        return None

    def _retracted(self, version: int) -> Problem:
        message = f"Event {version} has been retracted already."
        return Problem("already-retracted", f"events[{len(self.events)}].data.version", message, version)

    def _switch(self, version: int, *, on: bool) -> Problem | None:
        """Turn an event on or off; if it is a retraction itself, its own event turns the other way."""
        turns = [(version, on)]
        while (event := self.events[version - 1]).kind == EVENT_RETRACTED:
            version = _target(event)
            if on and not self.holds[version - 1]:
                return self._retracted(version)
            on = not on
            turns.append((version, on))
        for turned, holds in turns:
            self.holds[turned - 1] = holds
        return None

    def effective(self) -> Effective:
        """What holds now."""
        holding = [event for event, holds in zip(self.events, self.holds, strict=True) if holds]
        news = [event for event in holding if event.kind == CARDS_REPLACED]
        changed: dict[int, Event] = {}
        for new in news:
            old = changed.get(_target(new), self.events[_target(new) - 1])
            changed[_target(new)] = _with_cards(old, new)
        kept = [changed.get(event.version, event) for event in holding if event.kind not in CORRECTIONS]
        return Effective(kept, frozenset(changed))


def _target(event: Event) -> int:
    return int(event.facts["version"])


def _with_cards(old: Event, new: Event) -> Event:
    """The corrected event: another seat's or other cards of a move, or one seat's board."""
    if old.kind == CARDS_PLACED:
        return old._replace(cards=new.cards, seat=old.seat if new.seat is None else new.seat)
    boards = old.facts.get("boards")
    known = boards if isinstance(boards, dict) else {}
    return old._replace(data={**old.facts, "boards": {**known, str(new.seat): new.cards}})
