"""Hands as a table sees them, for tests that say by hand what was won."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from scoring.domain.amounts import UNIT
from scoring.domain.errors import Problem
from scoring.domain.rulesets import RuleSet, resolve
from scoring.domain.table import AfterHand, TableState, after_hand, open_table

Value = TypeVar("Value")


@dataclass(frozen=True)
class Seat:
    """What one seat came to; `chips` in 1/10,000."""

    seat: int
    chips: int | None
    next_fantasyland: int = 0


@dataclass(frozen=True)
class Pair:
    """What two seats came to, seen from `a`."""

    a: int
    b: int
    points: int


@dataclass(frozen=True)
class Hand:
    """A scored hand, cut down to what the table reads."""

    seats: tuple[Seat, ...]
    pairs: tuple[Pair, ...] = ()


def good(value: Value | Problem) -> Value:
    """The value, which must not be a problem."""
    assert not isinstance(value, Problem), value
    return value


def code_of(value: Any) -> str:
    """The code of the problem that the value must be."""
    assert isinstance(value, Problem), value
    return value.code


def rules_of(base: str, **options: Any) -> RuleSet:
    return good(resolve({"base": base, **options} if options else base))


def table(rules: RuleSet, button: int, stacks: Mapping[int, int | None], **more: Any) -> TableState:
    """A table at stake 1 with a player `P<seat>` at each seat; stacks in whole chips."""
    seats = [(seat, f"P{seat}", None if chips is None else chips * UNIT) for seat, chips in stacks.items()]
    return good(open_table(rules, UNIT, button, seats, **more))


def step(
    state: TableState,
    chips: Mapping[int, int | None] | None = None,
    fantasyland: Mapping[int, int] | None = None,
    points: Mapping[tuple[int, int], int] | None = None,
) -> AfterHand:
    """The next hand, in which the seats that play won these whole chips (0 where not named)."""
    won, cards = chips or {}, fantasyland or {}
    seats = tuple(Seat(seat, _units(won.get(seat, 0)), cards.get(seat, 0)) for seat in state.playing)
    pairs = tuple(Pair(a, b, won_by_a) for (a, b), won_by_a in (points or {}).items())
    return good(after_hand(state, Hand(seats, pairs)))


def then(state: TableState, *hands: Mapping[str, Any]) -> TableState:
    """The table after several hands; each is the keyword arguments of `step`."""
    for hand in hands:
        state = step(state, **hand).state
    return state


def stacks_of(state: TableState) -> dict[int, float | None]:
    """The stacks in chips."""
    return {seat.seat: None if seat.stack is None else seat.stack / UNIT for seat in state.seats}


def _units(chips: int | None) -> int | None:
    return None if chips is None else chips * UNIT
