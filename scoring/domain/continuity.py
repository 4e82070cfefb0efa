"""Which recorded facts of a table's hands no longer follow, now that an earlier hand was corrected.

Button, set, Fantasyland and stacks of a hand are facts: they were so, and no correction changes them. Each
hand is therefore judged from the hand before it *as that was held*, folded twice: with what it first came to
and with what it comes to now. A fact is flagged where it is what followed at first and something else follows
now; so nothing is flagged that never followed, such as the stacks of an import without continuity.

Only chips carry on: until they are made good, a difference is missing in the stacks of all hands that follow.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from scoring.domain.errors import Problem
from scoring.domain.hand import HandStart
from scoring.domain.outcomes import Outcome, Settled
from scoring.domain.table import after_hand, open_table
from scoring.domain.table_state import PairSum, TableState, plays

BUTTON: Final = "button"
SET: Final = "set"
FANTASYLAND: Final = "fantasyland"
STACK: Final = "stack"
#: The "seat" of what concerns the table as a whole.
TABLE: Final = 0


class Flag(NamedTuple):
    """A fact of a hand that no longer follows: a seat number, a set, cards or units."""

    seat: int
    what: str
    recorded: int
    follows: int


class TableFold:
    """A table's hands so far, as they were first settled and as they stand now.

    Hands are added in their order: (played_at, number, key).
    """

    def __init__(self) -> None:
        self._first, self._now = _View(), _View()

    def lose_track(self) -> None:
        """A hand comes here that cannot be read; nothing is said of the one after it."""
        self._first, self._now = _View(), _View()

    def add(
        self, start: HandStart, came_to: Settled, known: tuple[Flag, ...] | None = None
    ) -> tuple[Flag, ...]:
        """The flags of the table's next hand; `known` where the hands before it are not here to tell them."""
        flags = tuple(sorted(self._flags(start))) if known is None else known
        self._first.play(start, came_to.first, {})
        self._now.play(start, came_to.now, _carried(start, flags))
        return flags

    def _flags(self, start: HandStart) -> Iterator[Flag]:
        first, now = self._first.table, self._now.table
        if first is None or now is None:
            return
        if _plays_on(first, start):
            if first.button == start.button != now.button:
                yield Flag(TABLE, BUTTON, start.button, now.button or 0)
            if self._first.set is not None and first.set == start.set != now.set:
                yield Flag(TABLE, SET, start.set, now.set)
        yield from _fantasyland_flags(first, now, start)
        yield from _stack_flags(first, now, start)


class _View:
    """The table before its next hand, None where it cannot be told, and the set that is being played."""

    def __init__(self) -> None:
        self.table: TableState | None = None
        self.set: int | None = None
        self._had_button: frozenset[str] = frozenset()
        self._sums: tuple[PairSum, ...] = ()
        self._is_over = False

    def play(self, start: HandStart, outcome: Outcome | None, carried: Mapping[str, int]) -> None:
        """One more hand, from its recorded facts; `carried` are the chips that its stacks lack by player."""
        if start.set is None or start.set != self.set:
            self._had_button, self._sums, self._is_over = frozenset(), (), False
        self.set = start.set
        table = self._after(start, outcome)
        self.table = None if table is None else _with_chips(table, carried)

    def _after(self, start: HandStart, outcome: Outcome | None) -> TableState | None:
        before = self._before(start)
        if outcome is None or before is None or (self._is_over and start.rules.settle == "set"):
            return None  # a set that went on after it was settled has no sums to go on from
        if outcome.voided:
            return before
        after = after_hand(before, outcome)
        if isinstance(after, Problem):
            return None
        self._had_button |= {seat.alias for seat in start.seats if seat.seat == start.button}
        self._sums, self._is_over = after.state.pair_sums, after.set_over
        return after.state

    def _before(self, start: HandStart) -> TableState | None:
        seats = [(seat.seat, seat.alias, seat.stack) for seat in start.seats]
        fantasyland = {seat.seat: seat.fantasyland for seat in start.seats}
        number = 1 if start.set is None else start.set
        table = open_table(
            start.rules, start.stake, start.button, seats, number, start.pair_stakes, fantasyland
        )
        if isinstance(table, Problem):
            return None
        return replace(table, had_button=self._had_button, pair_sums=self._sums)


# --- Facts ------------------------------------------------------------------------------------------


def _plays_on(table: TableState, start: HandStart) -> bool:
    """Whether the same players went on in the same seats; others bring a button and a set of their own."""
    there = {seat.seat: seat.alias for seat in start.seats}
    return there == {seat.seat: seat.player for seat in table.seats if plays(table.rules, seat)}


def _fantasyland_flags(first: TableState, now: TableState, start: HandStart) -> Iterator[Flag]:
    cards = now.fantasyland
    for seat in start.seats:
        before = first.at(seat.seat)
        if before is None or before.player != seat.alias or before.fantasyland != seat.fantasyland:
            continue
        follows = cards.get(seat.seat, 0)
        if follows != seat.fantasyland:
            yield Flag(seat.seat, FANTASYLAND, seat.fantasyland, follows)


def _stack_flags(first: TableState, now: TableState, start: HandStart) -> Iterator[Flag]:
    stacks = {seat.player: seat.stack for seat in now.seats}
    there = {seat.seat: seat for seat in start.seats}
    for before in first.seats:
        seat, follows = there.get(before.seat), stacks[before.player]
        if seat is None:
            recorded = None if plays(first.rules, before) else 0  # out of chips, so not dealt in
        else:
            recorded = seat.stack if seat.alias == before.player else None
        if follows is not None and recorded is not None and recorded == before.stack != follows:
            yield Flag(before.seat, STACK, recorded, follows)


def _carried(start: HandStart, flags: Iterable[Flag]) -> dict[str, int]:
    """The chips that a hand's stacks lack, by player."""
    player_at = {seat.seat: seat.alias for seat in start.seats}
    return {
        player_at[flag.seat]: flag.follows - flag.recorded
        for flag in flags
        if flag.what == STACK and flag.seat in player_at
    }


def _with_chips(table: TableState, chips: Mapping[str, int]) -> TableState:
    """The stacks with what they lack; whoever has no chips then does not play, under a cap."""
    seats = [
        seat if seat.stack is None else replace(seat, stack=seat.stack + chips.get(seat.player, 0))
        for seat in table.seats
    ]
    lapsed = (seat if plays(table.rules, seat) else replace(seat, fantasyland=0) for seat in seats)
    return replace(table, seats=tuple(lapsed))
