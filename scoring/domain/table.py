"""The fold from hand to hand: button, set, Fantasyland, stacks, who plays (rulebook section 5).

    state = open_table(...)
    state, ... = after_hand(state, score)   # again and again; between sets also buy_in, join, leave, move
    facts_for_next_hand(state)              # what the next hand starts from

States are values: nothing here changes one. What is not allowed comes back as a `Problem`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from scoring.domain.errors import Problem
from scoring.domain.hand import settlement_order
from scoring.domain.rulesets import RuleSet
from scoring.domain.table_checks import (
    button_problem,
    fantasyland_problem,
    seats_problem,
    stacks_problem,
    stakes_problem,
)
from scoring.domain.table_seating import buy_in, change_stake, join, leave, move
from scoring.domain.table_settlement import PairResult, SetPayment, add_hand, settle_set
from scoring.domain.table_state import (
    PairStakes,
    TableSeat,
    TableState,
    button_stays,
    next_clockwise,
    players_of,
    plays,
)

__all__ = [
    "AfterHand",
    "NextHand",
    "SetPayment",
    "TableSeat",
    "TableState",
    "after_hand",
    "buy_in",
    "change_stake",
    "facts_for_next_hand",
    "join",
    "leave",
    "move",
    "open_table",
    "void",
]


class SeatResult(Protocol):
    """What the table needs to know of a seat in a scored hand."""

    @property
    def seat(self) -> int: ...
    @property
    def chips(self) -> int | None: ...
    @property
    def next_fantasyland(self) -> int: ...


class HandResult(Protocol):
    """A scored hand (`scored.HandScore`), as far as the table needs to know it."""

    @property
    def seats(self) -> Sequence[SeatResult]: ...
    @property
    def pairs(self) -> Sequence[PairResult]: ...


class AfterHand(NamedTuple):
    """The table after a hand, and what that hand moved. Amounts are in 1/10,000."""

    state: TableState
    set_over: bool
    chips: dict[int, int | None]  # of each seat in this hand; empty where the set settles
    settled: tuple[SetPayment, ...]  # at the end of a set that settles as a whole, in its pair order


@dataclass(frozen=True, slots=True)
class NextHand:
    """The facts that the next hand starts from; amounts are in 1/10,000."""

    rules: RuleSet
    set: int
    stake: int
    pair_stakes: PairStakes  # between seats that play each other
    button: int
    seats: tuple[TableSeat, ...]  # that play, ascending
    order: tuple[int, ...]  # the same seats from the left of the button round to the button


def open_table(
    rules: RuleSet,
    stake: int,
    button: int,
    seats: Iterable[tuple[int, str, int | None]],
    set: int = 1,
    pair_stakes: PairStakes = (),
    fantasyland: Mapping[int, int] | None = None,
) -> TableState | Problem:
    """A table before its first hand; `seats` are (seat, player, stack or None where it is not known).

    `fantasyland` (cards by seat) and `set` are for a table that goes on from hands played elsewhere.
    """
    cards = fantasyland or {}
    taken = tuple(
        sorted(
            (TableSeat(seat, player, stack, cards.get(seat, 0)) for seat, player, stack in seats),
            key=lambda seat: seat.seat,
        )
    )
    problem = (
        seats_problem(rules.deal, taken)
        or stacks_problem(taken)
        or stakes_problem(stake, pair_stakes, taken)
        or button_problem(rules, button, taken)
        or fantasyland_problem(rules, cards, taken)
    )
    return problem or TableState(rules, set, stake, pair_stakes, _lapsed(rules, taken), last_button=button)


def after_hand(state: TableState, score: HandResult) -> AfterHand | Problem:
    """The table after the hand that `facts_for_next_hand(state)` began and that came to `score`."""
    facts = facts_for_next_hand(state)
    if isinstance(facts, Problem):
        return facts
    problem = _score_problem(state, score)
    if problem is not None:
        return problem
    by_set = state.rules.settle == "set"
    chips = {} if by_set else {seat.seat: seat.chips for seat in score.seats}
    seats = _paid(state.seats, chips)
    if any(seat.stack is not None and seat.stack < 0 for seat in seats) and state.rules.cap != "none":
        return Problem("stack-below-zero", "seats", "The hand was settled with other stacks.", chips)
    holder = state.at(facts.button)
    assert holder is not None  # a seat that plays is occupied
    played = replace(
        state,
        seats=_with_fantasyland(state.rules, seats, score),
        last_button=facts.button,
        hands=state.hands + 1,
        had_button=state.had_button | {holder.player},
        between_sets=False,
        pair_sums=add_hand(state, score.pairs) if by_set else (),
        before=state,
    )
    if not _set_is_over(played):
        return AfterHand(_sides_changed(played), False, chips, ())
    settled = settle_set(state.rules.cap, played.pair_sums, played.seats) if by_set else ()
    return AfterHand(_sides_changed(_next_set(played, settled)), True, chips, settled)


def void(state: TableState) -> TableState | Problem:
    """The table as it was before its last hand: button, Fantasyland and stacks are given back.

    What was done between the sets since then is given back with them. Again, it voids the hand before.
    """
    if state.before is None:
        return Problem("nothing-to-void", "", "No hand has been played at this table.")
    return state.before


def facts_for_next_hand(state: TableState) -> NextHand | Problem:
    """What the next hand starts from: button, set, stakes, the seats that play with Fantasyland cards."""
    playing, button = state.playing, state.button
    if button is None or len(playing) < state.rules.deal.min_seats:
        message = "Too few seats have chips to play the next hand."
        return Problem("seat-count", "seats", message, list(playing), state.rules.deal.min_seats)
    seats = tuple(seat for seat in state.seats if seat.seat in playing)
    player_at = {seat.seat: seat.player for seat in seats}
    pairs = tuple(pair for pair in state.pair_stakes if _meet(player_at, pair[0], pair[1]))
    order = tuple(settlement_order([*playing], button))
    return NextHand(state.rules, state.set, state.stake, pairs, button, seats, order)


def _meet(player_at: Mapping[int, str], a: int, b: int) -> bool:
    # The two hands of one player never play each other; which seats those are changes with the button.
    return a in player_at and b in player_at and player_at[a] != player_at[b]


# --- The set ----------------------------------------------------------------------------------------------


def _set_is_over(state: TableState) -> bool:
    players = players_of(state.rules, state.seats)
    return len(players) < 2 or (players <= state.had_button and not state.fantasyland)


def _next_set(state: TableState, settled: Sequence[SetPayment]) -> TableState:
    """The table between two sets. A Fantasyland can only be left where fewer than two players are."""
    chips: dict[int, int] = {}
    for payment in settled:
        chips[payment.a] = chips.get(payment.a, 0) + payment.chips
        chips[payment.b] = chips.get(payment.b, 0) - payment.chips
    new = state.new_stake
    return replace(
        state,
        set=state.set + 1,
        seats=_paid(state.seats, chips),
        stake=new.stake if new else state.stake,
        pair_stakes=new.pair_stakes if new else state.pair_stakes,
        new_stake=None,
        had_button=frozenset(),
        between_sets=True,
        pair_sums=(),
    )


def _sides_changed(state: TableState) -> TableState:
    """In the two-hands game, the seat that held the button goes to the other player when it moves on.

    The next seat clockwise is his as well and holds the button, so that he plays two hands and acts last.
    A Fantasyland goes with the player who earned it, to the seat that he keeps.
    """
    if not state.rules.deal.two_hands or button_stays(state):
        return state
    given = state.at(state.last_button)
    taker = state.at(next_clockwise(state.last_button, state.playing) or 0)
    assert given is not None
    assert taker is not None  # without a cap all three seats play
    seats = {
        seat.seat: replace(seat, fantasyland=max(seat.fantasyland, given.fantasyland))
        if seat.player == given.player
        else seat
        for seat in state.seats
    }
    seats[given.seat] = TableSeat(given.seat, taker.player, taker.stack)
    return replace(state, seats=tuple(seats.values()))


# --- Seats ------------------------------------------------------------------------------------------------


def _paid(seats: Sequence[TableSeat], chips: Mapping[int, int | None]) -> tuple[TableSeat, ...]:
    """The stacks after these payments; chips that are not known leave a stack that is not known.

    A player's two seats in the two-hands game stand for one stack.
    """
    won: dict[str, int | None] = {}
    for seat in seats:
        own, so_far = chips.get(seat.seat, 0), won.get(seat.player, 0)
        won[seat.player] = None if own is None or so_far is None else own + so_far
    return tuple(_with_stack(seat, won[seat.player]) for seat in seats)


def _with_stack(seat: TableSeat, won: int | None) -> TableSeat:
    return replace(seat, stack=None if seat.stack is None or won is None else seat.stack + won)


def _with_fantasyland(rules: RuleSet, seats: Sequence[TableSeat], score: HandResult) -> tuple[TableSeat, ...]:
    cards = {seat.seat: seat.next_fantasyland for seat in score.seats}
    return _lapsed(rules, (replace(seat, fantasyland=cards.get(seat.seat, 0)) for seat in seats))


def _lapsed(rules: RuleSet, seats: Iterable[TableSeat]) -> tuple[TableSeat, ...]:
    """Under a cap the Fantasyland of a seat without chips lapses."""
    return tuple(seat if plays(rules, seat) else replace(seat, fantasyland=0) for seat in seats)


# --- What is not allowed ----------------------------------------------------------------------------------


def _score_problem(state: TableState, score: HandResult) -> Problem | None:
    seats = sorted(seat.seat for seat in score.seats)
    if seats != list(state.playing):
        message = "The hand was played by other seats than the table's."
        return Problem("seats-differ", "seats", message, seats, list(state.playing))
    if state.rules.settle != "set":
        return None
    players = {seat.seat: seat.player for seat in state.seats}
    met = {frozenset((pair.a, pair.b)) for pair in score.pairs}
    due = {frozenset((a, b)) for a in seats for b in seats if players[a] != players[b]}
    if met == due:
        return None
    message = "A set settles pair by pair, and the points between these seats are not known."
    missing = sorted(sorted(pair) for pair in due - met)
    return Problem("pairs-not-known", "pairs", message, missing)
