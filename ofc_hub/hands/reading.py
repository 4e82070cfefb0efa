"""Reading the event log: streams, and the feed of a club."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ofc_hub.hands.models import Event as Row
from ofc_hub.hands.models import LogHead
from ofc_hub.hands.upgrades import upgraded
from scoring.domain.events import Event

#: The columns that make a domain event, in its order.
COLUMNS = ("version", "kind", "seat", "cards", "data", "actor", "client_id", "happened_at", "schema")


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event at its place in the club's log."""

    position: int
    stream: int
    recorded_at: int
    digest: bytes
    event: Event


def event_of(row: Iterable[Any]) -> Event:
    """The event in a row of `COLUMNS`, exactly as it was written: so its digest covers it."""
    event = Event(*row)
    return event if event.client_id is None else event._replace(client_id=str(event.client_id))


def load_events(stream_id: int, after: int = 0) -> list[Event]:
    """The events of a stream with versions above `after`, in order, in the present schemas."""
    rows = Row.objects.filter(stream_id=stream_id, version__gt=after).order_by("version")
    return [upgraded(event_of(row)) for row in rows.values_list(*COLUMNS)]


def load_streams(stream_ids: Iterable[int]) -> dict[int, list[Event]]:
    """The same of several streams in one query; a stream without events is an empty list."""
    streams: dict[int, list[Event]] = {pk: [] for pk in stream_ids}
    rows = Row.objects.filter(stream_id__in=streams).order_by("stream_id", "version")
    for stream_id, *row in rows.values_list("stream_id", *COLUMNS):
        streams[stream_id].append(upgraded(event_of(row)))
    return streams


def events_after(club_id: int, position: int, limit: int) -> list[Recorded]:
    """The feed: the club's events above `position`, in order, at most `limit`; it never skips one."""
    rows = Row.objects.filter(club_id=club_id, position__gt=position).order_by("position")
    columns = ("position", "stream_id", "recorded_at", "digest", *COLUMNS)
    return [
        Recorded(row[0], row[1], row[2], bytes(row[3]), event_of(row[4:]))
        for row in rows.values_list(*columns)[:limit]
    ]


def head_position(club_id: int) -> int:
    """The position of the club's last event, 0 for an empty log."""
    return LogHead.objects.filter(pk=club_id).values_list("position", flat=True).first() or 0
