"""Writing `ofc-hand/1`: what a hand comes to, corrections applied, in one form that never varies."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from scoring.domain.amounts import format_amount
from scoring.domain.cards import EMPTY, ROWS
from scoring.domain.hand import BOARDS, FULL, HandState, Move, SeatStart
from scoring.domain.notation import Placement, write_placement
from scoring.domain.rulesets import shorthand
from scoring.domain.times import format_time
from scoring.domain.wire import FORMAT

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_encode = msgspec.json.Encoder().encode
_canonical = msgspec.json.Encoder(order="deterministic").encode


def document_of(state: HandState, extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The hand as an `ofc-hand/1` object, its keys in the order of the format's description.

    A seat's alias is written as `player_id` if it is a UUID; a store's always is.
    """
    start = state.start
    document: dict[str, Any] = {
        "format": FORMAT,
        "source": start.source,
        "hand": start.hand,
        "rules": shorthand(start.rules),
        "played_at": format_time(start.played_at),
    }
    for key in ("number", "tournament", "tournament_name", "table", "set"):
        if getattr(start, key) is not None:
            document[key] = getattr(start, key)
    document |= {"stake": format_amount(start.stake), "button": start.button}
    document["seats"] = [_seat(seat) for seat in start.seats]
    if start.pair_stakes:
        document["pair_stakes"] = [
            {"seats": [a, b], "stake": format_amount(stake)} for a, b, stake in start.pair_stakes
        ]
    return document | _record(state) | ({"extra": _sorted(extra)} if extra else {})


def write_line(document: Mapping[str, Any]) -> bytes:
    """One line of a file, with its end; the same document gives the same bytes."""
    return _encode(document) + b"\n"


def _seat(seat: SeatStart) -> dict[str, Any]:
    written: dict[str, Any] = {"seat": seat.seat, "player": seat.name}
    if _UUID.fullmatch(seat.alias):
        written["player_id"] = seat.alias
    if seat.stack is not None:
        written["stack"] = format_amount(seat.stack)
    if seat.fantasyland:
        written["fantasyland"] = seat.fantasyland
    return written


def _record(state: HandState) -> dict[str, Any]:
    record: dict[str, Any] = {}
    if state.completeness == FULL:
        record["actions"] = [_action(move) for move in state.moves]
    elif state.completeness == BOARDS:
        boards = {str(seat): _board(state, seat) for seat in sorted(state.boards)}
        record["boards"] = {seat: cards for seat, cards in boards.items() if cards != "//"}
    if state.dead:
        record["dead"] = sorted(state.dead)
    if state.claimed:
        record["claimed"] = {seat: _claim(state.claimed[seat]) for seat in sorted(state.claimed, key=int)}
    return record


def _action(move: Move) -> dict[str, Any]:
    action: dict[str, Any] = {"seat": move.seat, "cards": write_placement(move.placement)}
    if move.auto:
        action["auto"] = True
    if move.at is not None:
        action["at"] = format_time(move.at)
    if move.think_ms is not None:
        action["think_ms"] = move.think_ms
    return action


def _board(state: HandState, seat: int) -> str:
    slots = state.boards[seat]
    top, middle, bottom = (tuple(card for card in slots[row] if card != EMPTY) for row in ROWS)
    return write_placement(Placement(top, middle, bottom, tuple(state.discards.get(seat, ()))))


def _claim(claim: Mapping[str, Any]) -> dict[str, Any]:
    written = {key: claim[key] for key in ("points", "chips", "foul", "next_fantasyland") if key in claim}
    if "chips" in written:
        written["chips"] = format_amount(written["chips"])
    return written


def _sorted(extra: Mapping[str, Any]) -> Any:
    """`extra` with its keys sorted, since a store need not keep their order."""
    return msgspec.json.decode(_canonical(extra))
