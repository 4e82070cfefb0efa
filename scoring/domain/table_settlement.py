"""Settlement by the set: pair points are summed hand by hand and paid once (rulebook section 6)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from scoring.domain.batch import seat_pairs
from scoring.domain.settlement import WHY, settle
from scoring.domain.table_state import PairStakes, PairSum, TableSeat, TableState


class PairResult(Protocol):
    """What the table needs to know of a pair of seats in a scored hand, seen from `a`."""

    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def points(self) -> int: ...


@dataclass(frozen=True, slots=True)
class SetPayment:
    """What the seats `a` and `b` settle at the end of a set, seen from `a`."""

    a: int
    b: int
    points: int  # summed over the set, uncapped
    chips: int  # paid, in 1/10,000
    why: str  # why the payment was cut; "" = it was not


def stake_between(a: int, b: int, stake: int, pair_stakes: PairStakes) -> int:
    """The stake that two seats play for: their own, or the table's."""
    own = (pair[2] for pair in pair_stakes if {a, b} == {pair[0], pair[1]})
    return next(own, stake)


def add_hand(state: TableState, pairs: Sequence[PairResult]) -> tuple[PairSum, ...]:
    """The sums of the set with one more hand, at that hand's stakes.

    The first hand of the set makes the pair order; later hands see their pairs from other sides.
    """
    player_at = {seat.seat: seat.player for seat in state.seats}
    sums = {(pair.a, pair.b): pair for pair in state.pair_sums}
    for pair in pairs:
        key, sign = (player_at[pair.a], player_at[pair.b]), 1
        if key[::-1] in sums:
            key, sign = (key[1], key[0]), -1
        so_far = sums.get(key, PairSum(*key, 0, 0))
        points = sign * pair.points
        amount = points * stake_between(pair.a, pair.b, state.stake, state.pair_stakes)
        sums[key] = replace(so_far, points=so_far.points + points, amount=so_far.amount + amount)
    return tuple(sums.values())


def settle_set(cap: str, sums: Sequence[PairSum], seats: Sequence[TableSeat]) -> tuple[SetPayment, ...]:
    """What each pair pays at the end of the set, under the cap with the stacks at the set's start.

    Stacks do not change during such a set, so `seats` still hold what they began it with.
    """
    order = list(dict.fromkeys(player for pair in sums for player in (pair.a, pair.b)))
    place_of = {
        (order[first], order[second]): place for place, (first, second) in enumerate(seat_pairs(len(order)))
    }
    places = [place_of[pair.a, pair.b] for pair in sums]
    amounts = np.zeros((1, len(place_of)), np.int64)
    amounts[0, places] = [pair.amount for pair in sums]
    paired = np.zeros((1, len(place_of)), bool)
    paired[0, places] = True
    seat_of = {seat.player: seat for seat in reversed(seats)}
    stacks = [seat_of[player].stack for player in order]
    known = np.array([[stack is not None for stack in stacks]])
    paid = settle(cap, amounts, np.array([[stack or 0 for stack in stacks]], np.int64), known, paired)
    return tuple(
        SetPayment(
            seat_of[pair.a].seat,
            seat_of[pair.b].seat,
            pair.points,
            int(paid.paid[0, place]),
            WHY[paid.why[0, place]],
        )
        for pair, place in zip(sums, places, strict=True)
    )
