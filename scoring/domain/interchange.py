"""Reading `ofc-hand/1`: every refusal that concerns the document itself. Moves are checked by replay."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, TypeVar

from msgspec import UNSET, UnsetType

from scoring.domain.amounts import UNIT, parse_amount
from scoring.domain.document import (
    Claims,
    DocumentAction,
    DocumentSeat,
    HandDocument,
    compare,
    content_digest,
)
from scoring.domain.errors import Problem
from scoring.domain.facts import find_fact_problem
from scoring.domain.notation import JokerNamer, is_plain, parse_placement, write_placement
from scoring.domain.recording import events_of, play
from scoring.domain.replay import claim_problem
from scoring.domain.rulesets import RuleSet, resolve
from scoring.domain.strict_json import shown, strict_decode
from scoring.domain.texts import find_unseen
from scoring.domain.times import is_time, microseconds_of
from scoring.domain.wire import ActionLine, Amount, ClaimLine, HandLine, PairLine, SeatLine, decode_line
from scoring.domain.writing import document_of, write_line

__all__ = [
    "HandDocument",
    "compare",
    "content_digest",
    "document_of",
    "events_of",
    "play",
    "read_hand",
    "write_line",
]

_SEAT_KEY: Final = re.compile(r"[1-9][0-9]?")
_T = TypeVar("_T")


class _RefusedError(Exception):
    """Ends the reading of one document. It never leaves this module: the caller gets the problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def read_hand(line: bytes) -> HandDocument | Problem:
    """One line of a file as a hand, or the first thing that is wrong with it."""
    hand = decode_line(line)
    if isinstance(hand, Problem):
        return hand
    try:
        # Plain ASCII holds control characters only as escapes.
        if b"\\" in line or not line.isascii():
            _check_texts(hand)
        return _document(hand)
    except _RefusedError as refused:
        return refused.problem


def _ok(value: _T | Problem) -> _T:
    if isinstance(value, Problem):
        raise _RefusedError(value)
    return value


def _given(value: _T | UnsetType) -> _T | None:
    return None if value is UNSET else value


# --- The document -------------------------------------------------------------------------------------------


def _document(hand: HandLine) -> HandDocument:
    rules = _ok(_rules(bytes(hand.rules)))
    seats = [_seat(seat, place) for place, seat in enumerate(hand.seats)]
    pairs = () if hand.pair_stakes is UNSET else _pairs(hand.pair_stakes)
    players = [seat.player for seat in seats]
    if any(seat.player_id for seat in seats):
        players = _who(seats)
    fact = find_fact_problem(rules, hand.button, seats, players, pairs)
    if fact is not None:
        raise _RefusedError(fact)
    numbers = sorted([seat.seat for seat in seats])
    document = HandDocument(
        source=_not_blank(hand.source, "source"),
        hand=_not_blank(hand.hand, "hand"),
        rules=rules,
        played_at=_time(hand.played_at, "played_at"),
        number=_given(hand.number),
        tournament=_name(hand.tournament, "tournament"),
        tournament_name=_name(hand.tournament_name, "tournament_name"),
        table=_name(hand.table, "table"),
        set=_given(hand.set),
        stake=UNIT if hand.stake is UNSET else _ok(parse_amount(hand.stake, "stake")),
        button=hand.button,
        seats=tuple(sorted(seats)),
        pair_stakes=pairs,
        actions=_actions(hand.actions, numbers),
        boards=None if hand.boards is UNSET else _boards(hand.boards, numbers),
        dead=() if hand.dead is UNSET else _dead(hand.dead, numbers),
        claimed=None if hand.claimed is UNSET else _claims(hand.claimed, numbers),
        extra=None if hand.extra is UNSET else _extra(bytes(hand.extra)),
    )
    _check_record(document)
    return document


def _check_record(document: HandDocument) -> None:
    """One of moves, boards and a claim that can be a result."""
    if document.actions is not None and document.boards is not None:
        message = "The hand has moves and boards; the boards follow from the moves and are left out then."
        raise _RefusedError(Problem("actions-and-boards", "boards", message, None, "actions or boards"))
    if document.actions is not None or document.boards is not None:
        return
    if document.claimed is None:
        message = "The hand has neither moves nor boards nor claimed points."
        raise _RefusedError(Problem("nothing-recorded", "", message, None, "actions, boards or claimed"))
    problem = claim_problem([seat.seat for seat in document.seats], document.claimed)
    if problem is not None:
        raise _RefusedError(problem)


@lru_cache(maxsize=4096)
def _rules(written: bytes) -> RuleSet | Problem:
    """The rule set of a text as it stands in the line: files repeat few of them."""
    spec = strict_decode(written)
    if isinstance(spec, Problem):
        return spec.under("rules")
    return resolve(spec, "rules")


# --- Seats --------------------------------------------------------------------------------------------------


def _seat(seat: SeatLine, place: int) -> DocumentSeat:
    stack = None
    if seat.stack is not UNSET:
        stack = _amount(seat.stack, f"seats[{place}].stack")
    player_id = None if seat.player_id is UNSET else str(seat.player_id)
    if seat.player.isspace():
        _not_blank(seat.player, f"seats[{place}].player")
    return DocumentSeat(seat.seat, seat.player, player_id, stack, _given(seat.fantasyland) or 0)


def _who(seats: list[DocumentSeat]) -> list[str]:
    """The person at each seat: by identity, so that namesakes differ; by name where there is none."""
    id_of = {seat.player: seat.player_id for seat in seats if seat.player_id}
    return [seat.player_id or id_of.get(seat.player) or seat.player for seat in seats]


def _pairs(pairs: list[PairLine]) -> tuple[tuple[int, int, int], ...]:
    return tuple(
        (*pair.seats, _amount(pair.stake, f"pair_stakes[{place}].stake")) for place, pair in enumerate(pairs)
    )


def _dead(dead: list[int], seats: list[int]) -> tuple[int, ...]:
    for place, seat in enumerate(dead):
        if seat not in seats:
            raise _RefusedError(_unknown_seat(seat, f"dead[{place}]", seats))
        if seat in dead[:place]:
            raise _RefusedError(
                Problem("seat-twice", f"dead[{place}]", f"Seat {seat} is dead already.", seat)
            )
    return tuple(sorted(dead))


def _unknown_seat(seat: Any, path: str, seats: list[int]) -> Problem:
    return Problem("seat-unknown", path, f"Seat {seat} is not in this hand.", shown(seat), seats)


# --- Cards --------------------------------------------------------------------------------------------------


def _actions(actions: list[ActionLine] | UnsetType, seats: list[int]) -> tuple[DocumentAction, ...] | None:
    if actions is UNSET or not actions:
        return None  # an empty list tells no more than none
    jokers = JokerNamer()
    read = []
    for place, action in enumerate(actions):
        seat, cards = action.seat, action.cards
        if seat not in seats:
            raise _RefusedError(_unknown_seat(seat, f"actions[{place}].seat", seats))
        if not is_plain(cards):
            cards = _plain(cards, jokers, f"actions[{place}].cards")
        at = None if action.at is UNSET else _time(action.at, f"actions[{place}].at")
        read.append(DocumentAction(seat, cards, action.auto is True, at, _given(action.think_ms)))
    return tuple(read)


def _boards(boards: dict[str, str], seats: list[int]) -> Mapping[str, str]:
    jokers = JokerNamer()
    read = {}
    for key, written in boards.items():
        _check_seat_key(key, "boards", seats)
        cards = _plain(written, jokers, f"boards.{key}")
        if cards != "//":  # a dead seat that never got a card
            read[key] = cards
    return {key: read[key] for key in sorted(read, key=_number)}


def _plain(cards: str, jokers: JokerNamer, path: str) -> str:
    placement = parse_placement(cards, jokers)
    if isinstance(placement, Problem):
        raise _RefusedError(placement.under(path))
    return write_placement(placement)


def _number(key: str) -> int:
    return int(key) if _SEAT_KEY.fullmatch(key) else 0


def _check_seat_key(key: str, path: str, seats: list[int]) -> None:
    if _number(key) not in seats:
        raise _RefusedError(_unknown_seat(key[:20], f"{path}.{key[:20]}", seats))


# --- Claims, amounts, times, texts --------------------------------------------------------------------------


def _claims(claimed: dict[str, ClaimLine], seats: list[int]) -> Claims | None:
    for key in claimed:
        _check_seat_key(key, "claimed", seats)
    read = {}
    for key in sorted(claimed, key=_number):
        claim = dict(_claim(claimed[key], key))
        if claim:
            read[key] = claim
    return read or None


def _claim(claim: ClaimLine, key: str) -> Iterator[tuple[str, Any]]:
    if claim.points is not UNSET:
        yield "points", claim.points
    if claim.chips is not UNSET and claim.chips is not None:
        yield "chips", _ok(parse_amount(claim.chips, f"claimed.{key}.chips", signed=True))
    if claim.foul is not UNSET:
        yield "foul", claim.foul
    if claim.next_fantasyland is not UNSET:
        yield "next_fantasyland", claim.next_fantasyland


def _amount(value: Amount, path: str) -> int:
    return _ok(parse_amount(value, path))


def _time(time: datetime, path: str) -> int:
    microseconds = microseconds_of(time)
    if not is_time(microseconds):
        message = "The time lies outside the years 1900 to 2199."
        raise _RefusedError(Problem("bad-date", path, message, time.isoformat(), "1900 to 2199"))
    return microseconds


def _name(text: str | UnsetType, path: str) -> str | None:
    return None if text is UNSET else _not_blank(text, path)


def _not_blank(text: str, path: str) -> str:
    if text.isspace():
        raise _RefusedError(Problem("bad-text", path, "The text is blank.", text, "a text that can be seen"))
    return text


def _check_texts(hand: HandLine) -> None:
    texts = [("source", hand.source), ("hand", hand.hand), ("table", hand.table)]
    texts += [("tournament", hand.tournament), ("tournament_name", hand.tournament_name)]
    texts += [(f"seats[{place}].player", seat.player) for place, seat in enumerate(hand.seats)]
    for path, text in texts:
        problem = find_unseen(text, path) if isinstance(text, str) else None
        if problem is not None:
            raise _RefusedError(problem)


def _extra(written: bytes) -> Mapping[str, Any] | None:
    extra = strict_decode(written)
    if isinstance(extra, Problem):
        raise _RefusedError(extra.under("extra"))
    if not isinstance(extra, dict):
        raise _RefusedError(Problem("wrong-type", "extra", "extra is an object.", shown(extra), "an object"))
    if b"\\u0000" in written:
        raise _RefusedError(Problem("bad-text", "extra", "extra holds the character U+0000.", "U+0000"))
    return extra or None
