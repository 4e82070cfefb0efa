"""From a document to the events of a hand, in the order in which an import writes them."""

from collections.abc import Callable
from typing import Any

from scoring.domain import events as kinds
from scoring.domain.cards import EMPTY
from scoring.domain.document import HandDocument
from scoring.domain.errors import Problem
from scoring.domain.events import Event
from scoring.domain.hand import BOARDS, HandStart, HandState, SeatStart
from scoring.domain.replay import replay
from scoring.domain.starting import started

AliasOf = Callable[[int], str]


def start_of_document(document: HandDocument, alias_of: AliasOf | None = None) -> HandStart:
    """The facts of a document; `alias_of` gives the identity of the player at an index of its seats.

    Without a store the identity is the document's own, or the name as written.
    """
    seats = [
        SeatStart(
            seat.seat,
            alias_of(index) if alias_of else seat.player_id or seat.player,
            seat.player,
            seat.stack,
            seat.fantasyland,
        )
        for index, seat in enumerate(document.seats)
    ]
    return HandStart(
        document.source,
        document.hand,
        document.rules,
        document.played_at,
        document.number,
        document.tournament,
        document.tournament_name,
        document.table,
        document.set,
        document.stake,
        document.button,
        tuple(seats),
        document.pair_stakes,
    )


def events_of(
    document: HandDocument,
    alias_of: AliasOf | None = None,
    *,
    actor: str = "",
    extra_hash: str | None = None,
) -> list[Event]:
    """The events that say what the document says; `extra_hash` stands for an `extra` kept elsewhere."""
    start = start_of_document(document, alias_of)
    events = [started(start, actor=actor)]
    for seat, cards, auto, at, think_ms in document.actions or ():
        data = _rare(auto, think_ms) if auto or think_ms is not None else None
        events.append(Event(len(events) + 1, kinds.CARDS_PLACED, seat, cards, data, actor, None, at))
    if document.boards is not None:
        boards = {"boards": dict(document.boards)}
        events.append(Event(len(events) + 1, kinds.BOARDS_RECORDED, None, "", boards, actor))
    for seat in document.dead:
        events.append(Event(len(events) + 1, kinds.SEAT_DIED, seat, "", None, actor))
    if document.claimed is not None:
        claimed = {seat: dict(claim) for seat, claim in document.claimed.items()}
        events.append(Event(len(events) + 1, kinds.RESULT_RECORDED, None, "", claimed, actor))
    if extra_hash is not None:
        events.append(Event(len(events) + 1, kinds.NOTE_ADDED, None, "", {"extra": extra_hash}, actor))
    return events


def _rare(auto: bool, think_ms: int | None) -> dict[str, Any]:
    data: dict[str, Any] = {"auto": True} if auto else {}
    return data if think_ms is None else {**data, "think_ms": think_ms}


def play(
    document: HandDocument,
    alias_of: AliasOf | None = None,
    *,
    actor: str = "",
    extra_hash: str | None = None,
) -> tuple[list[Event], HandState] | Problem:
    """The events of a document and the state to which they lead, or the first move that is not legal.

    A file holds hands that are over: a live seat without a full board is refused too.
    """
    events = events_of(document, alias_of, actor=actor, extra_hash=extra_hash)
    aliases = (seat["alias"] for seat in (events[0].data or {})["seats"])
    names = {alias: seat.player for alias, seat in zip(aliases, document.seats, strict=True)}
    state, problem = replay(events, document.rules, document.source, document.hand, names)
    if problem is not None:
        return problem
    return (events, state) if state.complete else _incomplete(state)


def _incomplete(state: HandState) -> Problem:
    boards = state.completeness == BOARDS
    for seat, slots in state.boards.items():
        count = len(slots) - slots.count(EMPTY)
        if count < len(slots) and seat not in state.dead:
            message = f"Seat {seat} has {count} of 13 cards and is not dead."
            path = f"boards.{seat}" if boards else "actions"
            return Problem("board-incomplete", path, message, count, len(slots))
    return Problem("hand-incomplete", "", "The hand is not complete.")
