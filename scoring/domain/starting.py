"""The facts of a hand to and from the data of its first event."""

from collections.abc import Mapping
from typing import Any

from scoring.domain.errors import Problem
from scoring.domain.event_data import HandFacts, read_data
from scoring.domain.events import HAND_STARTED, Event
from scoring.domain.facts import find_fact_problem
from scoring.domain.hand import HandStart, SeatStart
from scoring.domain.rulesets import RuleSet
from scoring.domain.times import is_time

_OPTIONAL = ("number", "tournament", "tournament_name", "table", "set")


def started(start: HandStart, version: int = 1, actor: str = "", client_id: str | None = None) -> Event:
    """The event `hand-started`: everything that scoring needs, the rule set by its hash."""
    data: dict[str, Any] = {"rules": start.rules.digest, "stake": start.stake, "button": start.button}
    for key in _OPTIONAL:
        value = getattr(start, key)
        if value is not None:
            data[key] = value
    data["seats"] = [_seat_data(seat) for seat in start.seats]
    if start.pair_stakes:
        data["pair_stakes"] = [{"seats": [a, b], "stake": stake} for a, b, stake in start.pair_stakes]
    return Event(version, HAND_STARTED, None, "", data, actor, client_id, start.played_at)


def _seat_data(seat: SeatStart) -> dict[str, Any]:
    data: dict[str, Any] = {"seat": seat.seat, "alias": seat.alias}
    if seat.stack is not None:
        data["stack"] = seat.stack
    if seat.fantasyland:
        data["fantasyland"] = seat.fantasyland
    return data


def start_of(
    event: Event, rules: RuleSet, source: str, hand: str, names: Mapping[str, str]
) -> HandStart | Problem:
    """Read the first event of a hand. `names` gives the name of an alias; without one the alias stands."""
    data = event.facts
    if event.kind != HAND_STARTED:
        message = "The first event of a hand must be hand-started."
        return Problem("hand-not-started", "events[0].kind", message, event.kind, HAND_STARTED)
    if data.get("rules") != rules.digest:
        message = "The hand names another rule set."
        return Problem("rules-differ", "rules", message, data.get("rules"), rules.digest)
    facts = read_data(event, HandFacts)
    if isinstance(facts, Problem):
        return facts
    if event.happened_at is None or not is_time(event.happened_at):
        path = "events[0].happened_at"
        return Problem("bad-date", path, "The hand has no time at which it was played.", event.happened_at)
    start = _start(facts, event.happened_at, rules, source, hand, names)
    aliases = [seat.alias for seat in start.seats]
    return find_fact_problem(rules, start.button, start.seats, aliases, start.pair_stakes) or start


def _start(
    facts: HandFacts, played_at: int, rules: RuleSet, source: str, hand: str, names: Mapping[str, str]
) -> HandStart:
    seats = [
        SeatStart(seat.seat, seat.alias, names.get(seat.alias, seat.alias), seat.stack, seat.fantasyland)
        for seat in facts.seats
    ]
    return HandStart(
        source,
        hand,
        rules,
        played_at,
        facts.number,
        facts.tournament,
        facts.tournament_name,
        facts.table,
        facts.set,
        facts.stake,
        facts.button,
        tuple(sorted(seats, key=_number)),
        tuple([(*pair.seats, pair.stake) for pair in facts.pair_stakes]),
    )


def _number(seat: SeatStart) -> int:
    return seat.seat
