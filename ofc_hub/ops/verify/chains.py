"""Versions and digests of one stream (design section 2), and which column was changed where they break."""

from collections.abc import Iterator, Sequence
from typing import Any

from ofc_hub.ops.reading import Logged, StreamHead
from ofc_hub.ops.verify.findings import Finding
from scoring.domain.events import GENESIS, KINDS, Event, chain

_SEATS = (None, *range(11))
_SCHEMAS = range(1, 10)


def is_whole(stream: StreamHead, events: Sequence[Logged]) -> bool:
    """Whether versions, positions and digests of the stream are as they must be; the fast way to know."""
    kind, source, key, club = stream.kind, stream.source, stream.key, stream.club_id
    previous, place, before = GENESIS, 0, 0
    for club_id, position, digest, event in events:
        place += 1
        previous = chain(previous, kind, source, key, event)
        if digest != previous or event[0] != place or position <= before or club_id != club:
            return False
        before = position
    return place > 0 and stream.version == place and stream.digest == previous


def chain_findings(club: str, stream: StreamHead, events: Sequence[Logged]) -> Iterator[Finding]:
    """Everything that is wrong with the stream by itself."""
    if is_whole(stream, events):
        return
    if not events:
        yield Finding("stream-empty", club, None, stream.name, found=stream.version, expected=0)
        return
    yield from _order_findings(club, stream, events)
    yield from _digest_findings(club, stream, events)
    last = events[-1]
    for column, found, expected in (
        ("version", stream.version, last.event.version),
        ("digest", stream.digest, last.digest),
    ):
        if found != expected:
            yield Finding("stream-differs", club, last.position, stream.name, "", column, found, expected)


def _order_findings(club: str, stream: StreamHead, events: Sequence[Logged]) -> Iterator[Finding]:
    version, before = 0, 0
    for club_id, position, _, event in events:
        place = (club, position, stream.name, "")
        if event.version != version + 1:
            yield Finding("version-gap", *place, "version", event.version, version + 1)
        if position <= before:
            yield Finding("position-order", *place, "position", position, f"above {before}")
        if club_id != stream.club_id:
            yield Finding("club-differs", *place, "club_id", club_id, stream.club_id)
        version, before = event.version, position


def _digest_findings(club: str, stream: StreamHead, events: Sequence[Logged]) -> Iterator[Finding]:
    """Each event is held against the stored digest before it, so that one change is named once."""
    previous = [GENESIS, *(one.digest for one in events)]
    broken = [i for i, one in enumerate(events) if _next(previous[i], stream, one.event) != one.digest]
    if len(broken) == len(events) > 1 and not any(_changed(previous[i], stream, events[i]) for i in broken):
        # The key is part of every event's digest: it is the stream that was renamed.
        yield Finding("stream-differs", club, events[0].position, stream.name, "", "kind, source or key")
        return
    for i in broken:
        column, found, expected = _explained(stream, events, i, previous[i])
        place = (club, events[i].position, stream.name, "")
        yield Finding("digest-differs", *place, column, found, expected)


def _next(previous: bytes, stream: StreamHead, event: Event) -> bytes:
    return chain(previous, stream.kind, stream.source, stream.key, event)


def _explained(
    stream: StreamHead, events: Sequence[Logged], place: int, previous: bytes
) -> tuple[str, Any, Any]:
    """(column, found, expected) of the change that broke the digest of the event at `place`."""
    one = events[place]
    computed = _next(previous, stream, one.event)
    changed = _changed(previous, stream, one)
    if changed is not None:
        return changed
    if place + 1 < len(events):
        after = events[place + 1]
        digest_was_changed = _next(computed, stream, after.event) == after.digest
    else:
        digest_was_changed = stream.digest == computed
    return ("digest" if digest_was_changed else "content"), one.digest, computed


def _changed(previous: bytes, stream: StreamHead, one: Logged) -> tuple[str, Any, Any] | None:
    """The one column whose former value gives the stored digest, where there are few values to try."""
    event = one.event
    candidates: dict[str, Sequence[Any]] = {
        "kind": KINDS,
        "seat": _SEATS,
        "schema": _SCHEMAS,
        "version": range(max(1, stream.version - 100), stream.version + 100),
        "cards": ("",),
        "data": (None,),
        "actor": ("", "import"),
        "client_id": (None,),
        "happened_at": (None,),
    }
    for column, values in candidates.items():
        for value in values:
            if _next(previous, stream, event._replace(**{column: value})) == one.digest:
                return column, getattr(event, column), value
    return None
