"""The searchable facts of a hand, computed from its replayed state: one implementation for every writer."""

from typing import Any

from ofc_hub.clubs.days import moment_of
from ofc_hub.hands.models import Hand
from scoring.domain.errors import Problem
from scoring.domain.hand import HandState

#: The order of the values of `hand_values`.
HAND_COLUMNS = (
    "stream_id",
    "club_id",
    "played_at",
    "number",
    "stake",
    "rule_set_id",
    "key",
    "tournament",
    "table",
    "set",
    "button",
    "seats",
    "completeness",
    "complete",
    "voided",
    "locked",
    "content",
    "problem",
)


def hand_values(
    stream_id: int, club_id: int, state: HandState, content: bytes | None, problem: Problem | None = None
) -> tuple[Any, ...]:
    """The row of `Hand` in the order of HAND_COLUMNS."""
    start = state.start
    return (
        stream_id,
        club_id,
        moment_of(start.played_at),
        start.number or 0,
        start.stake,
        start.rules.digest,
        start.hand,
        start.tournament or "",
        start.table or "",
        start.set,
        start.button,
        len(start.seats),
        state.completeness,
        state.complete,
        state.voided,
        state.locked,
        content,
        problem.as_dict() if problem else None,
    )


def write_hand(
    stream_id: int, club_id: int, state: HandState, stored: Hand | None, problem: Problem | None = None
) -> None:
    """Make the hand's row, `stored` until now, equal to its stream, which has a `problem` or replays.

    `content`, which the stream does not tell, stays. Most moves change none of the facts, and write nothing.
    """
    content = bytes(stored.content) if stored and stored.content is not None else None
    values = hand_values(stream_id, club_id, state, content, problem)
    if stored is None or values != tuple(getattr(stored, column) for column in HAND_COLUMNS):
        Hand(**dict(zip(HAND_COLUMNS, values, strict=True))).save(force_insert=stored is None)
