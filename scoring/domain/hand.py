"""A hand: the facts with which it starts, and the state to which its events lead."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from scoring.domain.notation import Placement
from scoring.domain.rulesets import RuleSet

#: All moves are known; only the final boards are known; only the result is known.
FULL: Final = "full"
BOARDS: Final = "boards"
RESULT: Final = "result"

#: The seat moved before a seat whose turn came first.
OUT_OF_TURN: Final = "out-of-turn"
#: The cards are those of a later correction.
REPLACED: Final = "replaced"


@dataclass(frozen=True, slots=True)
class SeatStart:
    """One seat at the start: `stack` in units or None (not known), `fantasyland` cards or 0.

    `alias` is the identity under which the store knows the player (a UUID), or the name where there is none.
    """

    seat: int
    alias: str
    name: str
    stack: int | None
    fantasyland: int


@dataclass(frozen=True, slots=True)
class HandStart:
    """The facts of a hand. `played_at` is in microseconds since 1970 UTC, `stake` in units a point."""

    source: str
    hand: str
    rules: RuleSet
    played_at: int
    number: int | None
    tournament: str | None
    tournament_name: str | None
    table: str | None
    set: int | None
    stake: int
    button: int
    seats: tuple[SeatStart, ...]  # ascending
    pair_stakes: tuple[tuple[int, int, int], ...]  # (seat, seat, stake)

    def settlement_order(self) -> list[int]:
        """The seats from the left of the button round to the button (rulebook section 6)."""
        return settlement_order([start.seat for start in self.seats], self.button)


def settlement_order(seats: list[int], button: int) -> list[int]:
    """Ascending seats, turned so that the one left of the button is first."""
    return [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]


class Move(NamedTuple):
    """One placement: the event's version, when it happened (microseconds) and what was odd about it."""

    version: int
    seat: int
    placement: Placement
    auto: bool
    at: int | None
    flags: tuple[str, ...]
    think_ms: int | None = None


class Ruling(NamedTuple):
    """What a director adds to or takes from one seat; it stands beside the score, never inside it."""

    version: int
    seat: int
    points: int
    chips: int  # units
    house: bool  # a penalty to the house, which need not sum to zero


@dataclass(slots=True)
class HandState:
    """What the events of a hand come to, corrections applied.

    A board has 13 slots: 0-2 top, 3-7 middle, 8-12 bottom, each row filled from the left; EMPTY (54) where
    no card lies. `claimed` is the source's claim by seat ("1"), chips in units.
    """

    start: HandStart
    completeness: str = FULL
    boards: dict[int, list[int]] = field(default_factory=dict)
    discards: dict[int, list[int]] = field(default_factory=dict)
    dead: set[int] = field(default_factory=set)
    moves: list[Move] = field(default_factory=list)
    claimed: Mapping[str, Mapping[str, Any]] | None = None
    complete: bool = False
    voided: bool = False
    locked: bool = False
    confirmed: bool = False
    rulings: list[Ruling] = field(default_factory=list)
    version: int = 0
