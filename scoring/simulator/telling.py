"""How a hand that was played comes to be written down: in full with its times, or less than that."""

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from scoring.domain.cards import EMPTY
from scoring.domain.hand import BOARDS, FULL, RESULT, HandStart, HandState, Move
from scoring.domain.notation import UNSEEN, Placement
from scoring.domain.scored import HandScore
from scoring.simulator.chance import gumbel, keyed, uniform
from scoring.simulator.kinds import ROW_SIZES
from scoring.simulator.people import Person
from scoring.simulator.playing import Deal, Moves

SECOND: Final = 1_000_000  # microseconds, as all times here

#: How many hands in a thousand ...
_DIE: Final = 5  # ... see a player leave in the middle
_AUTO: Final = 15  # ... have a move that the clock made
_SLIP: Final = 3  # ... carry a result that the writer got wrong
_ONE_LOGGER: Final = 150  # ... are told by one player, who sees his own discards alone
_NO_DISCARDS: Final = 60  # ... are told without any discards
_BOARDS: Final = 40  # ... have their final boards only
_RESULT: Final = 20  # ... have their result only

_LIFE, _CLOCK, _CLAIM, _SIGHT, _FORM, _WHO, _WHEN, _PAUSE = range(8)  # what each chance is for
_TELLING, _THINKING = 3, 4
#: How much longer than usual a player thinks: about the first street, about a Fantasyland hand.
_FIRST_STREET, _FANTASYLAND = 2.2, 9.0
#: Nobody is given more than this many times as long.
_LONGEST: Final = 5.0


class Told(NamedTuple):
    """A hand before it is scored: everything that happened, what of it will be told, when it was over."""

    state: HandState
    form: str  # the completeness with which it will be told
    slip: bool
    ends: int


def happened(start: HandStart, deal: Deal, moves: list[Moves]) -> Told:
    """The hand as it happened; `moves` by place, as the seats of `deal` and `start` stand."""
    chances = uniform(keyed(np.full(1, deal.key, dtype=np.uint64), _TELLING, np.arange(8)))
    seats = [seat.seat for seat in start.seats]
    dead = _dead(deal, moves, chances)
    kept = dict(zip(seats, moves, strict=True))
    for place, street in dead.items():
        kept[seats[place]] = moves[place][:street]
    state = HandState(
        start,
        boards={seat: _board(made) for seat, made in kept.items()},
        dead={seats[place] for place in dead},
        moves=_timed(start, deal, _in_order(start, _as_seen(start, deal, kept, chances)), chances),
        complete=True,
    )
    ends = (state.moves[-1].at or start.played_at) + round((25 + 40 * chances[_PAUSE]) * SECOND)
    form = FULL if dead else _form(chances[_FORM])
    return Told(state, form, form == FULL and chances[_CLAIM] * 1000 < _SLIP, ends)


def as_told(told: Told, score: HandScore) -> HandState:
    """The hand as it is told, its result known."""
    if told.form == RESULT:
        return replace(told.state, completeness=RESULT, claimed=_claims(score, slip=False))
    return replace(
        told.state, completeness=told.form, claimed=_claims(score, slip=True) if told.slip else None
    )


# --- What happened ------------------------------------------------------------------------------------------


def _dead(deal: Deal, moves: list[Moves], chances: np.ndarray) -> dict[int, int]:
    """The place of a player who left, if one did, with the street before which he left."""
    if chances[_LIFE] * 1000 >= _DIE:
        return {}
    place = int(chances[_WHO] * len(moves))
    streets = len(moves[place])
    return {place: 1 + int(chances[_WHEN] * (streets - 1))} if streets > 1 else {}


def _board(moves: Moves) -> list[int]:
    board: list[int] = []
    for row, size in enumerate(ROW_SIZES):
        cards = [card for move in moves for card in move[row]]
        board += cards + [EMPTY] * (size - len(cards))
    return board


def _in_order(start: HandStart, moves: dict[int, Moves]) -> list[tuple[int, int, Placement]]:
    """Seat, street and move, street by street, from the left of the button."""
    order = start.settlement_order()
    streets = max(map(len, moves.values()))
    return [
        (seat, street, moves[seat][street])
        for street in range(streets)
        for seat in order
        if street < len(moves[seat])
    ]


def _timed(
    start: HandStart, deal: Deal, moves: list[tuple[int, int, Placement]], chances: np.ndarray
) -> list[Move]:
    thought = _thinking(deal, start, moves)
    auto = int(chances[_WHEN] * len(moves)) if chances[_CLOCK] * 1000 < _AUTO else -1
    timed, now = [], start.played_at
    for place, (seat, _, placement) in enumerate(moves):
        milliseconds = thought[place]
        now += milliseconds * 1000 + SECOND
        at = now // SECOND * SECOND
        timed.append(Move(place + 2, seat, placement, place == auto, at, (), milliseconds))
    return timed


def _thinking(deal: Deal, start: HandStart, moves: list[tuple[int, int, Placement]]) -> list[int]:
    """Milliseconds for each move."""
    keys = keyed(np.full(1, deal.key, dtype=np.uint64), _THINKING, np.arange(len(moves)))
    longer = np.minimum(np.exp(0.4 * gumbel(keys)), _LONGEST)
    usual = {
        seat.seat: _usual(person, cards, len(deal.rules.deal.streets))
        for seat, (person, cards) in zip(start.seats, deal.seats, strict=True)
    }
    seconds = np.array([usual[seat][street > 0] for seat, street, _ in moves])
    milliseconds: list[int] = (1000 * seconds * longer).astype(np.int64).tolist()
    return milliseconds


def _usual(person: Person, fantasyland: int, streets: int) -> tuple[float, float]:
    """The seconds that he usually takes for his first street and for a later one."""
    later = person.seconds * 5 / streets  # a street of one card is soon placed
    return person.seconds * (_FANTASYLAND if fantasyland else _FIRST_STREET), later


# --- What is told -------------------------------------------------------------------------------------------


def _form(chance: float) -> str:
    if chance * 1000 < _RESULT:
        return RESULT
    return BOARDS if chance * 1000 < _RESULT + _BOARDS else FULL


def _as_seen(start: HandStart, deal: Deal, moves: dict[int, Moves], chances: np.ndarray) -> dict[int, Moves]:
    """The moves with what the logger saw of the discards."""
    chance = chances[_SIGHT] * 1000
    if chance >= _NO_DISCARDS + _ONE_LOGGER:
        return moves
    if chance < _NO_DISCARDS:
        return {seat: [move._replace(discards=()) for move in made] for seat, made in moves.items()}
    logger = start.seats[int(chances[_WHO] * len(deal.seats))].seat
    return {
        seat: made if seat == logger else [_unseen(move) for move in made] for seat, made in moves.items()
    }


def _unseen(move: Placement) -> Placement:
    return move._replace(discards=(UNSEEN,) * len(move.discards))


def _claims(score: HandScore, *, slip: bool) -> dict[str, dict[str, int | bool]]:
    """What the writer says it came to; with a slip he gives a point of the first seat to the last."""
    claims: dict[str, dict[str, int | bool]] = {}
    for seat in score.seats:
        claim: dict[str, int | bool] = {"points": seat.points}
        if seat.chips is not None and not slip:
            claim["chips"] = seat.chips
        claims[str(seat.seat)] = claim | {"foul": seat.foul, "next_fantasyland": seat.next_fantasyland}
    if slip:
        claims[str(score.seats[0].seat)]["points"] -= 1
        claims[str(score.seats[-1].seat)]["points"] += 1
    return claims
