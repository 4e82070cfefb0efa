"""Use cases: a hand is played, and what was recorded of it is put right.

A correction is an event of its own: it says what an earlier one now means. Scorers correct what they logged;
rulings, voids and whatever concerns a locked hand are for directors.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ofc_hub.hands.models import Event as Row
from ofc_hub.live.entry import Answer, Entry, recorded
from scoring.domain import events as kinds
from scoring.domain.errors import Problem
from scoring.domain.events import Event
from scoring.domain.notation import parse_placement, write_placement


class SeatRuling(NamedTuple):
    """What a director gives to (or takes from) a seat; chips in units of 1/10,000."""

    seat: int
    points: int = 0
    chips: int = 0


# --- Playing --------------------------------------------------------------------------------------------


def place(entry: Entry, seat: int, cards: str, *, auto: bool = False, think_ms: int | None = None) -> Answer:
    """One move: `cards` in placement notation; `auto`: laid by a clock or a default, not by the player."""
    written = _written(cards)
    if isinstance(written, Problem):
        return written
    rare: dict[str, Any] = {"auto": True} if auto else {}
    if think_ms is not None:
        rare["think_ms"] = think_ms
    return recorded(entry, Event(0, kinds.CARDS_PLACED, seat, written, rare or None))


def record_boards(entry: Entry, boards: Mapping[int, str]) -> Answer:
    """The final boards by seat, where nobody logged the moves."""
    written: dict[str, str] = {}
    for seat, cards in sorted(boards.items()):
        board = _written(cards)
        if isinstance(board, Problem):
            return board.under(f"boards.{seat}")
        written[str(seat)] = board
    return recorded(entry, Event(0, kinds.BOARDS_RECORDED, data={"boards": written}))


def record_result(entry: Entry, claims: Mapping[int, Mapping[str, Any]]) -> Answer:
    """What others say that it came to, by seat: points, chips (units), foul, next_fantasyland."""
    data = {str(seat): dict(claim) for seat, claim in sorted(claims.items())}
    return recorded(entry, Event(0, kinds.RESULT_RECORDED, data=data))


def declare_dead(entry: Entry, seat: int) -> Answer:
    """The seat is scored as fouled, whatever it holds."""
    return recorded(entry, Event(0, kinds.SEAT_DIED, seat))


def add_note(entry: Entry, text: str) -> Answer:
    """A remark, which can be erased."""
    if not text.strip():
        return Problem("bad-text", "text", "The note is blank.")
    return recorded(entry, Event(0, kinds.NOTE_ADDED), text)


# --- Putting right --------------------------------------------------------------------------------------


def undo(entry: Entry, version: int, reason: str = "") -> Answer:
    """The event of this version is taken back: a move, a declaration, a ruling, a void, an undo."""
    return recorded(entry, Event(0, kinds.EVENT_RETRACTED, data={"version": version}), reason)


def redo(entry: Entry, version: int, reason: str = "") -> Answer:
    """An undo, the event of this version, is taken back, so that what it took back holds again."""
    kind = Row.objects.filter(
        club_id=entry.club.pk,
        stream__club_id=entry.club.pk,
        stream__source=entry.key.source,
        stream__key=entry.key.key,
        stream__kind=entry.key.kind,
        version=version,
    ).values_list("kind", flat=True)
    found = kind.first()
    if found not in (None, kinds.EVENT_RETRACTED):  # one that is not there is refused with the rest
        message = f"Event {version} is {found}, and only an undo can be redone."
        return Problem("version-unknown", "version", message, found, kinds.EVENT_RETRACTED)
    return undo(entry, version, reason)


def replace(entry: Entry, version: int, cards: str, seat: int | None = None, reason: str = "") -> Answer:
    """The move of this version was other cards, or `seat`'s; of recorded boards, the board of `seat`."""
    written = _written(cards)
    if isinstance(written, Problem):
        return written
    return recorded(entry, Event(0, kinds.CARDS_REPLACED, seat, written, {"version": version}), reason)


def rule(entry: Entry, rulings: Sequence[SeatRuling], reason: str, *, house: bool = False) -> Answer:
    """A director gives and takes points or chips; they sum to zero unless it is a penalty to the house."""
    if not reason.strip():
        return Problem("bad-text", "reason", "A ruling needs its reason.")
    given = [
        {"seat": one.seat}
        | {name: value for name, value in one._asdict().items() if name != "seat" and value}
        for one in rulings
    ]
    data: dict[str, Any] = {"rulings": given, "house": True} if house else {"rulings": given}
    return recorded(entry, Event(0, kinds.POINTS_RULED, data=data), reason)


def void(entry: Entry, reason: str = "") -> Answer:
    """The hand counts for nothing; `undo` of this event makes it count again."""
    return recorded(entry, Event(0, kinds.HAND_VOIDED), reason)


def confirm(entry: Entry) -> Answer:
    """The table agrees with the hand as it stands."""
    return recorded(entry, Event(0, kinds.HAND_CONFIRMED))


def lock(entry: Entry) -> Answer:
    """From now on only directors correct the hand."""
    return recorded(entry, Event(0, kinds.HAND_LOCKED))


def _written(cards: str) -> str | Problem:
    """The placement as writers write it."""
    placement = parse_placement(cards)
    return placement if isinstance(placement, Problem) else write_placement(placement)
