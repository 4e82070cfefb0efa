"""What every use case at a table is given: who writes to which hand, and what he knows of it."""

from dataclasses import dataclass

from ofc_hub.clubs.models import Club
from ofc_hub.clubs.selectors import Viewer
from ofc_hub.hands.log import StreamKey
from ofc_hub.live.record import Recorded, Refusal, record
from scoring.domain.events import Event

#: What a use case answers; a refusal has stored nothing.
Answer = Recorded | Refusal


@dataclass(frozen=True, slots=True)
class Entry:
    """`expected_version` is the version that the writer knows, 0 for a new hand, None for any.

    `client_id` (a UUID) makes sending it again harmless; `happened_at` is in microseconds since 1970 UTC.
    """

    viewer: Viewer
    club: Club
    key: StreamKey
    expected_version: int | None
    client_id: str | None = None
    happened_at: int | None = None


def recorded(entry: Entry, event: Event, text: str = "") -> Answer:
    """Record one event; `text` is its note or reason, which can be erased."""
    event = event._replace(client_id=entry.client_id, happened_at=entry.happened_at)
    texts = {0: text} if text else {}
    return record(entry.viewer, entry.club, entry.key, entry.expected_version, [event], texts)
