"""What changes at a table between its sets: chips, players, seats, stakes (rulebook section 5)."""

from collections.abc import Mapping
from dataclasses import replace

from scoring.domain.errors import Problem
from scoring.domain.table_checks import amount_problem, seats_problem, stacks_problem, stakes_problem
from scoring.domain.table_state import NewStake, PairStakes, TableSeat, TableState


def buy_in(state: TableState, amounts: Mapping[int, int]) -> TableState | Problem:
    """Chips (in 1/10,000) added to the stacks of these seats; a stack that is not known stays so."""
    for seat, amount in amounts.items():
        path = f"amounts.{seat}"
        problem = (
            _not_between_sets(state)
            or _not_occupied(state, seat, path)
            or amount_problem(amount, path, least=1)
        )
        if problem is not None:
            return problem
    seats = tuple(_with_chips(seat, amounts.get(seat.seat, 0)) for seat in state.seats)
    return replace(state, seats=seats)


def join(state: TableState, seat: int, player: str, stack: int | None) -> TableState | Problem:
    """A player takes a free seat."""
    taken = TableSeat(seat, player, stack)
    problem = _not_between_sets(state) or _fixed_players(state) or stacks_problem([taken])
    return problem or _reseated(state, (*state.seats, taken))


def leave(state: TableState, seat: int) -> TableState | Problem:
    """A player gives up his seat; a Fantasyland that he was to have lapses."""
    problem = _not_between_sets(state) or _fixed_players(state) or _not_occupied(state, seat, "seat")
    if problem is not None:
        return problem
    kept = tuple(pair for pair in state.pair_stakes if seat not in pair[:2])
    seats = tuple(other for other in state.seats if other.seat != seat)
    return _reseated(replace(state, pair_stakes=kept), seats)


def move(state: TableState, seat: int, to: int) -> TableState | Problem:
    """A player moves to a free seat with his chips, his pair stakes and a Fantasyland that was kept."""
    problem = _not_between_sets(state) or _fixed_players(state) or _not_occupied(state, seat, "seat")
    if problem is not None:
        return problem
    if to == seat:
        return Problem("seat-twice", "to", "A player moves to another seat than his own.", to)
    pairs = tuple((_renamed(a, seat, to), _renamed(b, seat, to), stake) for a, b, stake in state.pair_stakes)
    seats = tuple(replace(other, seat=_renamed(other.seat, seat, to)) for other in state.seats)
    if sum(other.seat == to for other in seats) > 1:
        return Problem("seat-twice", "to", "That seat is occupied.", to)
    return _reseated(replace(state, pair_stakes=pairs), seats)


def change_stake(
    state: TableState, stake: int, pair_stakes: PairStakes = (), *, from_next_hand: bool = False
) -> TableState | Problem:
    """A new stake level, from the next set; with `from_next_hand` in the middle of a set, too."""
    problem = stakes_problem(stake, pair_stakes, state.seats)
    if problem is not None:
        return problem
    if state.between_sets or from_next_hand:
        return replace(state, stake=stake, pair_stakes=pair_stakes, new_stake=None)
    return replace(state, new_stake=NewStake(stake, pair_stakes))


# --- What is not allowed ----------------------------------------------------------------------------------


def _not_between_sets(state: TableState) -> Problem | None:
    if state.between_sets:
        return None
    message = "Buying in, joining, leaving and moving wait for the end of the set."
    return Problem("set-not-over", "", message, state.set)


def _fixed_players(state: TableState) -> Problem | None:
    if not state.rules.deal.two_hands:
        return None
    message = "The two-hands game is for two players; other players open a table of their own."
    return Problem("two-hands", "seats", message)


def _not_occupied(state: TableState, seat: int, path: str) -> Problem | None:
    if state.at(seat) is not None:
        return None
    occupied = [other.seat for other in state.seats]
    return Problem("seat-unknown", path, "Nobody holds that seat.", seat, occupied)


# --- Small steps ------------------------------------------------------------------------------------------


def _reseated(state: TableState, seats: tuple[TableSeat, ...]) -> TableState | Problem:
    problem = seats_problem(state.rules.deal, seats)
    return problem or replace(state, seats=tuple(sorted(seats, key=lambda seat: seat.seat)))


def _with_chips(seat: TableSeat, chips: int) -> TableSeat:
    return seat if seat.stack is None else replace(seat, stack=seat.stack + chips)


def _renamed(seat: int, old: int, new: int) -> int:
    return new if seat == old else seat
