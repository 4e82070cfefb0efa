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
    """Each event is held against the digest before it, the stored one unless that was changed itself."""
    previous, broken = GENESIS, []
    for place, one in enumerate(events):
        computed = _next(previous, stream, one.event)
        if computed == one.digest:
            previous = computed
            continue
        changed = _changed(previous, stream, one)
        if changed is None and _goes_on(computed, stream, events, place):
            changed = "digest", one.digest, computed
        column, found, expected = changed or ("content", one.digest, computed)
        broken.append(Finding("digest-differs", club, one.position, stream.name, "", column, found, expected))
        previous = computed if column == "digest" else one.digest
    if len(broken) == len(events) > 1 and all(one.column == "content" for one in broken):
        # The key is part of every event's digest: it is the stream that was renamed.
        yield Finding("stream-differs", club, events[0].position, stream.name, "", "kind, source or key")
    else:
        yield from broken


def _next(previous: bytes, stream: StreamHead, event: Event) -> bytes:
    return chain(previous, stream.kind, stream.source, stream.key, event)


def _goes_on(computed: bytes, stream: StreamHead, events: Sequence[Logged], place: int) -> bool:
    """Whether what comes after the event at `place` follows from the digest that it should have."""
    if place + 1 == len(events):
        return stream.digest == computed
    return _next(computed, stream, events[place + 1].event) == events[place + 1].digest


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
