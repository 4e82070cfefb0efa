"""The events of a hand, their canonical bytes and the chain of digests over a stream."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

#: The digest before the first event of a stream.
GENESIS = bytes(32)

#: Who wrote the events of a hand that came from a file.
IMPORT_ACTOR = "import"

HAND_STARTED = "hand-started"
CARDS_PLACED = "cards-placed"
BOARDS_RECORDED = "boards-recorded"
RESULT_RECORDED = "result-recorded"
SEAT_DIED = "seat-died"
EVENT_RETRACTED = "event-retracted"
CARDS_REPLACED = "cards-replaced"
POINTS_RULED = "points-ruled"
HAND_VOIDED = "hand-voided"
HAND_CONFIRMED = "hand-confirmed"
HAND_LOCKED = "hand-locked"
NOTE_ADDED = "note-added"

#: The kinds of event in the stream of a hand.
KINDS = (
    HAND_STARTED,
    CARDS_PLACED,
    BOARDS_RECORDED,
    RESULT_RECORDED,
    SEAT_DIED,
    EVENT_RETRACTED,
    CARDS_REPLACED,
    POINTS_RULED,
    HAND_VOIDED,
    HAND_CONFIRMED,
    HAND_LOCKED,
    NOTE_ADDED,
)
#: The present schema of each kind. Events of older ones are brought up to it before they are replayed.
SCHEMAS: Mapping[str, int] = MappingProxyType(dict.fromkeys(KINDS, 1))
#: The kinds that say what an earlier event now means.
CORRECTIONS = frozenset({EVENT_RETRACTED, CARDS_REPLACED})


class Event(NamedTuple):
    """One fact of a stream. It never changes once it is stored.

    `version` counts 1, 2, 3 in the stream; `cards` is placement notation; `data` holds what only rare
    kinds need (JSON without floats); `client_id` is a UUID text; `happened_at` microseconds since 1970 UTC.
    """

    version: int
    kind: str
    seat: int | None = None
    cards: str = ""
    data: dict[str, Any] | None = None
    actor: str = ""
    client_id: str | None = None
    happened_at: int | None = None
    schema: int = 1

    @property
    def facts(self) -> dict[str, Any]:
        """The data; empty where there is none, or where an edited store holds something else."""
        return self.data if isinstance(self.data, dict) else {}


# Keys are sorted, so that a store that keeps JSON in an order of its own gives the same bytes back.
_canonical = msgspec.json.Encoder(order="deterministic")


def canonical_bytes(stream_kind: str, source: str, key: str, event: Event) -> bytes:
    """What the digest of an event covers: a JSON list without spaces, object keys sorted, in UTF-8.

    The club is not part of it, so that a log restored under another club keeps its digests; position and
    recording time are local to a store and not part of it either.
    """
    return _canonical.encode((stream_kind, source, key, *event))


def chain(previous: bytes, stream_kind: str, source: str, key: str, event: Event) -> bytes:
    """The digest (32 bytes) of an event that follows the event with the digest `previous`."""
    return sha256(previous + _canonical.encode((stream_kind, source, key, *event))).digest()


def chain_all(
    previous: bytes, stream_kind: str, source: str, key: str, events: Iterable[Event]
) -> list[bytes]:
    """The digests of consecutive events, one each."""
    digests = []
    for event in events:
        previous = chain(previous, stream_kind, source, key, event)
        digests.append(previous)
    return digests
