"""A hand as a file tells it, checked and in one form, however it was written."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from scoring.domain.errors import Problem
from scoring.domain.rulesets import RuleSet, shorthand

Claims = Mapping[str, Mapping[str, Any]]
_canonical = msgspec.json.Encoder(order="deterministic").encode


class DocumentSeat(NamedTuple):
    """One seat: `stack` in units or None (not known), `fantasyland` cards or 0."""

    seat: int
    player: str
    player_id: str | None  # the UUID by which a store knows this name
    stack: int | None
    fantasyland: int


class DocumentAction(NamedTuple):
    """One move in the plain notation; `at` in microseconds since 1970 UTC."""

    seat: int
    cards: str
    auto: bool
    at: int | None
    think_ms: int | None


@dataclass(frozen=True, slots=True)
class HandDocument:
    """One hand of `ofc-hand/1`. Amounts are units, times microseconds since 1970 UTC.

    `seats` ascend; either `actions` or `boards` may be there, in the plain notation; `claimed` holds by seat
    ("1") what of points, chips, foul and next_fantasyland the source gave.
    """

    source: str
    hand: str
    rules: RuleSet
    played_at: int
    number: int | None
    tournament: str | None
    tournament_name: str | None
    table: str | None
    set: int | None
    stake: int
    button: int
    seats: tuple[DocumentSeat, ...]
    pair_stakes: tuple[tuple[int, int, int], ...]
    actions: tuple[DocumentAction, ...] | None
    boards: Mapping[str, str] | None
    dead: tuple[int, ...]
    claimed: Claims | None
    extra: Mapping[str, Any] | None


_FIELDS = ("played_at", "number", "tournament", "tournament_name", "table", "set", "stake", "button")


def content_digest(document: HandDocument) -> bytes:
    """SHA-256 (32 bytes) over everything but `claimed` and `extra`: equal means the same hand again."""
    content = (
        document.source,
        document.hand,
        document.rules.digest,
        *[getattr(document, name) for name in _FIELDS],
        document.seats,
        document.pair_stakes,
        document.actions,
        document.boards,
        document.dead,
    )
    return sha256(_canonical(content)).digest()


def extra_json(extra: Mapping[str, Any]) -> str:
    """`extra` as text, always in the same form, so that its hash can be compared."""
    return _canonical(extra).decode()


def compare(stored: HandDocument, again: HandDocument) -> list[Problem]:
    """Every field in which the same hand differs; `claimed` and `extra` may differ.

    Players are compared by their identity where both documents know it, else by the name as written.
    """
    pairs: list[tuple[str, Any, Any]] = [
        ("rules", shorthand(stored.rules), shorthand(again.rules)),
        *[(name, getattr(stored, name), getattr(again, name)) for name in _FIELDS],
        *_seat_pairs(stored, again),
        ("pair_stakes", _pair_set(stored), _pair_set(again)),
        *_card_pairs(stored, again),
        ("dead", [*stored.dead], [*again.dead]),
    ]
    return [_differs(path, old, new) for path, old, new in pairs if old != new]


def _differs(path: str, old: Any, new: Any) -> Problem:
    return Problem("field-differs", path, f"The hand is stored with another value of {path}.", new, old)


def _seat_pairs(stored: HandDocument, again: HandDocument) -> list[tuple[str, Any, Any]]:
    old_seats, new_seats = ({seat.seat: seat for seat in one.seats} for one in (stored, again))
    if old_seats.keys() != new_seats.keys():
        return [("seats", [*old_seats], [*new_seats])]
    pairs: list[tuple[str, Any, Any]] = []
    for number, old in old_seats.items():
        new, path = new_seats[number], f"seats.{number}"
        key = "player_id" if old.player_id and new.player_id else "player"
        for name in (key, "stack", "fantasyland"):
            pairs.append((f"{path}.{name}", getattr(old, name), getattr(new, name)))
    return pairs


def _pair_set(document: HandDocument) -> list[list[int]]:
    return sorted([min(a, b), max(a, b), stake] for a, b, stake in document.pair_stakes)


def _card_pairs(stored: HandDocument, again: HandDocument) -> list[tuple[str, Any, Any]]:
    pairs = [(f"boards.{seat}", old, new) for seat, old, new in _by_key(stored.boards, again.boards)]
    olds, news = stored.actions or (), again.actions or ()
    for place in range(max(len(olds), len(news))):
        old = olds[place]._asdict() if place < len(olds) else {}
        new = news[place]._asdict() if place < len(news) else {}
        path = f"actions[{place}]"
        if not old or not new:
            return [*pairs, (path, old or None, new or None)]
        pairs += [(f"{path}.{name}", was, now) for name, was, now in _by_key(old, new)]
    return pairs


def _by_key(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> list[tuple[str, Any, Any]]:
    old, new = old or {}, new or {}
    return [(key, old.get(key), new.get(key)) for key in sorted({*old, *new})]
