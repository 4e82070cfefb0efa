"""Points to chips: what each pair pays under a cap, and why it pays less than it owes.

The order of the pairs and the caps are those of rulebook section 6.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.domain.batch import seat_pairs

Amounts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

#: Why a payment is what it is; "" where it is paid in full. The stack is what lies in front of a seat now,
#: the room is what a seat can still win or lose against its stack at the start.
WHY: Final = ("", "stack-unknown", "winner-stack", "loser-stack", "winner-room", "loser-room")
_UNKNOWN: Final = WHY.index("stack-unknown")
_CUT_BY: Final = {
    "running": (WHY.index("winner-stack"), WHY.index("loser-stack")),
    "starting": (WHY.index("winner-room"), WHY.index("loser-room")),
}
_NO_LIMIT: Final = 2**61  # above any amount, and far enough from the end of int64 for the sums of a hand


class Paid(NamedTuple):
    """What was paid in N hands by P pairs, from the side of the first seat, and an index into WHY."""

    paid: Amounts  # [N, P]
    why: npt.NDArray[np.uint8]  # [N, P]


def settle(cap: str, amounts: Amounts, stacks: Amounts, known: Flags, paired: Flags | None = None) -> Paid:
    """Pay the pairs of N hands one after another, in settlement order.

    `amounts` int64[N, P]: points times stake, positive where the first seat of the pair wins. `stacks`
    int64[N, S] at the start of the hand (of the set, where it is settled by the set); those that are not
    `known` bool[N, S] set no limit. Pairs that are not `paired` bool[N, P] pay nothing.
    """
    owed = amounts if paired is None else np.where(paired, amounts, 0)
    if cap == "none":
        return Paid(owed.copy(), np.zeros(owed.shape, dtype=np.uint8))
    start = np.where(known, stacks, _NO_LIMIT)
    paid = np.zeros_like(owed)
    why = np.zeros(owed.shape, dtype=np.uint8)
    net = np.zeros_like(start)
    for pair, (first, second) in enumerate(seat_pairs(stacks.shape[1])):
        wins = owed[:, pair] > 0
        room_first = _room(cap, start[:, first], net[:, first], wins)
        room_second = _room(cap, start[:, second], net[:, second], ~wins)
        due = np.abs(owed[:, pair])
        payment = np.minimum(due, np.minimum(room_first, room_second))
        paid[:, pair] = np.where(wins, payment, -payment)
        net[:, first] += paid[:, pair]
        net[:, second] -= paid[:, pair]
        winner_is_tighter = np.where(wins, room_first < room_second, room_second < room_first)
        cut = np.where(winner_is_tighter, *_CUT_BY[cap]) * (payment < due)
        unlimited = ~(known[:, first] & known[:, second]) & (due > 0)
        why[:, pair] = np.where(unlimited, _UNKNOWN, cut)
    return Paid(paid, why)


def _room(cap: str, start: Amounts, net: Amounts, wins: Flags) -> Amounts:
    """What a seat can win or lose in its next pair, by what it has won so far."""
    if cap == "running":
        return start + net
    return np.where(wins, start - net, start + net)
