"""Scores of hands: many states into batches by rule set, and the batches back into a score for each hand."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.domain.batch import BatchScore, score_boards, seat_pairs
from scoring.domain.cards import SLOTS
from scoring.domain.claimed import claimed_score, find_differences
from scoring.domain.errors import Problem
from scoring.domain.hand import RESULT, HandState
from scoring.domain.rulesets import RuleSet
from scoring.domain.scores import Difference, HandScore, PairScore, SeatScore
from scoring.domain.settlement import WHY, settle

__all__ = ["Difference", "HandScore", "PairScore", "SeatScore", "score_hand", "score_hands"]


def score_hand(state: HandState) -> HandScore | Problem:
    """The score of one hand."""
    return score_hands([state])[0]


def score_hands(states: Sequence[HandState]) -> list[HandScore | Problem]:
    """The scores of many hands, in their order; a Problem where a hand is not complete."""
    scores: list[HandScore | Problem] = [_INCOMPLETE] * len(states)
    groups: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for index, state in enumerate(states):
        if not state.complete:
            continue
        if state.completeness == RESULT:
            scores[index] = claimed_score(state)
        else:
            groups[state.start.rules.digest, len(state.start.seats)].append(index)
    for indexes in groups.values():
        group = [states[index] for index in indexes]
        for index, score in zip(indexes, _scores(group), strict=True):
            scores[index] = score
    return scores


_INCOMPLETE = Problem("hand-incomplete", "", "The hand is not complete: a live seat lacks cards.")


# --- A batch ------------------------------------------------------------------------------------------------


class _Ledger(NamedTuple):
    """The figures of a batch that follow from those of its pairs."""

    points: npt.NDArray[np.int64]  # [N, P], 0 between the two hands of one player
    paid: npt.NDArray[np.int64]
    why: npt.NDArray[np.uint8]
    seat_points: npt.NDArray[np.int64]  # [N, S]
    seat_chips: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]  # [N, S, 3]: won, tied, lost


def _scores(states: list[HandState]) -> Iterator[HandScore]:
    """Score states of one rule set and number of seats."""
    rules, count = states[0].start.rules, len(states[0].start.seats)
    orders = [state.start.settlement_order() for state in states]
    boards, dead, fantasyland = _lay_out(states, orders, count)
    batch = score_boards(rules, boards, dead, fantasyland)
    ledger = _settle(rules, states, orders, batch)
    return _assemble(states, orders, dead, batch, ledger)


def _lay_out(
    states: list[HandState], orders: list[list[int]], count: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_], npt.NDArray[np.uint8]]:
    """Boards [N, S, 13], dead [N, S] and Fantasyland cards [N, S], seats in settlement order."""
    pieces, dead, fantasyland = bytearray(), bytearray(), bytearray()
    for state, order in zip(states, orders, strict=True):
        boards, gone = state.boards, state.dead
        cards = {seat.seat: seat.fantasyland for seat in state.start.seats}
        for seat in order:
            pieces += bytes(boards[seat])
            dead.append(seat in gone)
            fantasyland.append(cards[seat])
    shape = (len(states), count)
    return (
        np.frombuffer(pieces, np.uint8).reshape(*shape, SLOTS),
        np.frombuffer(dead, np.bool_).reshape(shape),
        np.frombuffer(fantasyland, np.uint8).reshape(shape),
    )


def _settle(rules: RuleSet, states: list[HandState], orders: list[list[int]], batch: BatchScore) -> _Ledger:
    pairs = seat_pairs(batch.foul.shape[1])
    paired = np.ones(batch.points.shape, dtype=np.bool_)
    if rules.deal.two_hands:
        paired[:, -1] = False  # the button's two hands stand last and never play each other
    points = batch.points.astype(np.int64) * paired
    amounts = points * _stakes(states, orders, pairs)
    paid, why = settle(rules.cap, amounts, *_stacks(states, orders), paired)
    signs = _signs(pairs, batch.foul.shape[1])
    return _Ledger(points, paid, why, points @ signs, paid @ signs, _rows(batch, paired, pairs, signs))


def _signs(pairs: list[tuple[int, int]], count: int) -> npt.NDArray[np.int64]:
    """[P, S]: 1 where the seat is first in the pair, -1 where it is second."""
    signs = np.zeros((len(pairs), count), dtype=np.int64)
    for pair, (first, second) in enumerate(pairs):
        signs[pair, first], signs[pair, second] = 1, -1
    return signs


def _stakes(
    states: list[HandState], orders: list[list[int]], pairs: list[tuple[int, int]]
) -> npt.NDArray[np.int64]:
    """[N, P] in units a point: the table's, or that of the pair."""
    stakes = np.array([[state.start.stake] * len(pairs) for state in states], dtype=np.int64)
    for row, (state, order) in enumerate(zip(states, orders, strict=True)):
        for a, b, stake in state.start.pair_stakes:
            place = sorted((order.index(a), order.index(b)))
            stakes[row, pairs.index((place[0], place[1]))] = stake
    return stakes


def _stacks(
    states: list[HandState], orders: list[list[int]]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Stacks [N, S] in units and whether they are known."""
    rows = []
    for state, order in zip(states, orders, strict=True):
        stack_of = {seat.seat: seat.stack for seat in state.start.seats}
        rows.append([stack_of[seat] for seat in order])
    known = np.array([[stack is not None for stack in row] for row in rows], dtype=np.bool_)
    return np.array([[stack or 0 for stack in row] for row in rows], dtype=np.int64), known


def _rows(
    batch: BatchScore,
    paired: npt.NDArray[np.bool_],
    pairs: list[tuple[int, int]],
    signs: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """[N, S, 3]: rows won, tied and lost by each seat."""
    first, second = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    compared = paired & ~(batch.foul[:, first] & batch.foul[:, second])
    ahead = (batch.rows > 0).sum(axis=2) * compared
    behind = (batch.rows < 0).sum(axis=2) * compared
    level = 3 * compared - ahead - behind
    is_first, is_second = (signs > 0).astype(np.int64), (signs < 0).astype(np.int64)
    won = ahead @ is_first + behind @ is_second
    lost = behind @ is_first + ahead @ is_second
    return np.stack([won, level @ (is_first + is_second), lost], axis=2)


# --- Back to hands ------------------------------------------------------------------------------------------


def _assemble(
    states: list[HandState],
    orders: list[list[int]],
    dead: npt.NDArray[np.bool_],
    batch: BatchScore,
    ledger: _Ledger,
) -> Iterator[HandScore]:
    """Python values of whole columns at once: a look-up for each figure would cost more than the scoring."""
    rules = states[0].start.rules
    by_set = rules.settle == "set"
    pairs = seat_pairs(batch.foul.shape[1])
    if rules.deal.two_hands:
        pairs = pairs[:-1]
    seat_columns = zip(
        *(batch.foul.tolist(), dead.tolist(), batch.royalties.tolist(), ledger.seat_points.tolist()),
        *(ledger.seat_chips.tolist(), batch.next_fantasyland.tolist(), batch.strengths.tolist()),
        *(batch.reads.tolist(), ledger.rows.tolist()),
        strict=True,
    )
    pair_columns = zip(
        *(batch.rows.tolist(), batch.bonus.tolist(), batch.royalty_difference.tolist()),
        *(batch.moon.tolist(), ledger.points.tolist(), ledger.paid.tolist(), ledger.why.tolist()),
        strict=True,
    )
    for state, order, of_seats, of_pairs in zip(states, orders, seat_columns, pair_columns, strict=True):
        seats = _seat_scores(state, order, zip(*of_seats, strict=True), by_set)
        scored = tuple(
            PairScore(
                order[first],
                order[second],
                tuple(rows),
                *(bonus, royalties, moon, points),
                *((None, "") if by_set else (paid, WHY[why])),
            )
            for (first, second), (rows, bonus, royalties, moon, points, paid, why) in zip(
                pairs, zip(*of_pairs, strict=True), strict=False
            )
        )
        yield HandScore(seats, scored, find_differences(state, seats))


def _seat_scores(
    state: HandState, order: list[int], figures: Iterator[Any], by_set: bool
) -> tuple[SeatScore, ...]:
    alias_of = {seat.seat: seat.alias for seat in state.start.seats}
    scores = []
    for seat, (foul, dead, royalties, points, chips, following, strengths, reads, rows) in zip(
        order, figures, strict=True
    ):
        scores.append(
            SeatScore(
                *(seat, alias_of[seat], foul, dead, tuple(royalties), points),
                *(None if by_set else chips, following, tuple(strengths), reads, *rows),
            )
        )
    scores.sort()
    return tuple(scores)
