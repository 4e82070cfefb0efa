"""The facts of a hand to and from the data of its first event."""

from collections.abc import Mapping
from typing import Any

from scoring.domain.errors import Problem
from scoring.domain.events import HAND_STARTED, Event
from scoring.domain.facts import find_fact_problem
from scoring.domain.hand import HandStart, SeatStart
from scoring.domain.rulesets import RuleSet

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
    data = event.data or {}
    if event.kind != HAND_STARTED:
        message = "The first event of a hand must be hand-started."
        return Problem("hand-not-started", "events[0].kind", message, event.kind, HAND_STARTED)
    if data.get("rules") != rules.digest:
        message = "The hand names another rule set."
        return Problem("rules-differ", "rules", message, data.get("rules"), rules.digest)
    try:
        start = _read(event, data, rules, source, hand, names)
    except (KeyError, TypeError, ValueError) as error:
        message = f"The facts of the hand cannot be read ({type(error).__name__}: {error})."
        return Problem("bad-event", "events[0].data", message)
    aliases = [seat.alias for seat in start.seats]
    return find_fact_problem(rules, start.button, start.seats, aliases, start.pair_stakes) or start


def _read(
    event: Event, data: Mapping[str, Any], rules: RuleSet, source: str, hand: str, names: Mapping[str, str]
) -> HandStart:
    seats = sorted(data["seats"], key=lambda seat: int(seat["seat"]))
    return HandStart(
        source=source,
        hand=hand,
        rules=rules,
        played_at=event.happened_at or 0,
        **{key: data.get(key) for key in _OPTIONAL},
        stake=data["stake"],
        button=data["button"],
        seats=tuple([_seat(seat, names) for seat in seats]),
        pair_stakes=tuple([(*pair["seats"], pair["stake"]) for pair in data.get("pair_stakes", ())]),
    )


def _seat(data: Mapping[str, Any], names: Mapping[str, str]) -> SeatStart:
    alias = data["alias"]
    return SeatStart(
        data["seat"], alias, names.get(alias, alias), data.get("stack"), data.get("fantasyland", 0)
    )
