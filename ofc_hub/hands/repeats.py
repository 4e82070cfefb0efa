"""Finding out whether a client sends again what is stored already.

A batch is one stretch of a stream. As soon as one of its client ids is stored, that fixes where the stretch
begins, and every event of it that the stream reaches must be the same there:

| the batch is                                   | answer                                                  |
|------------------------------------------------|---------------------------------------------------------|
| stored in full, wherever the stream is now     | stored, with its first positions                        |
| stored in its beginning, which is the head     | the rest is appended                                    |
| stored in its beginning, others came after     | stale: the events after that beginning were missed      |
| anything else (other content, other order, an  | conflict: nothing of it is stored                       |
| earlier event that is new, another stream)     |                                                         |

The expected version plays no part in it: who got no answer cannot know it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ofc_hub.hands.models import Event as Row
from ofc_hub.hands.models import Stream
from ofc_hub.hands.reading import COLUMNS, event_of
from scoring.domain.events import Event, canonical_bytes


class Repeat(NamedTuple):
    """The first `stored` events of the batch are stored, up to `version`, at these positions."""

    stored: int
    version: int
    first_position: int
    position: int


@dataclass(frozen=True, slots=True)
class ClientIdConflict:
    """The client id is taken by another event: at `position` of the log, or twice in the batch (None)."""

    client_id: str
    position: int | None


def find_repeat(
    club_id: int, stream: Stream | None, batch: Sequence[Event]
) -> Repeat | ClientIdConflict | None:
    """What of the batch is stored already: None, nothing of it."""
    ids = [event.client_id for event in batch if event.client_id is not None]
    twice = next((client_id for i, client_id in enumerate(ids) if client_id in ids[:i]), None)
    if twice is not None:
        return ClientIdConflict(twice, None)
    if not ids:
        return None
    taken = {
        str(client_id): (position, stream_id, version)
        for client_id, position, stream_id, version in Row.objects.filter(
            club_id=club_id, client_id__in=ids
        ).values_list("client_id", "position", "stream_id", "version")
    }
    if not taken:
        return None
    return _compare(stream, batch, taken)


def _compare(
    stream: Stream | None, batch: Sequence[Event], taken: dict[str, tuple[int, int, int]]
) -> Repeat | ClientIdConflict:
    index, known = next((i, e.client_id) for i, e in enumerate(batch) if e.client_id in taken)
    position, stream_id, version = taken[known or ""]
    conflict = ClientIdConflict(known or "", position)
    began = version - index
    if stream is None or stream_id != stream.pk or began < 1:
        return conflict
    stored = _stored(stream.pk, began, len(batch))
    count = 0
    for event, (_, there) in zip(batch, stored, strict=False):
        if not _same(event, there):
            break
        count += 1
    later = [event.client_id for event in batch[count:] if event.client_id in taken]
    if later:
        return ClientIdConflict(later[0], taken[later[0]][0])
    if count == 0:
        return conflict
    return Repeat(count, began + count - 1, stored[0][0], stored[count - 1][0])


def _same(sent: Event, stored: Event) -> bool:
    """As the digest sees them, so that JSON read back from a store is the JSON that was sent."""
    sent = sent._replace(version=stored.version)
    return canonical_bytes("", "", "", sent) == canonical_bytes("", "", "", stored)


def _stored(stream_id: int, began: int, count: int) -> list[tuple[int, Event]]:
    """(position, event) of the versions from `began` on."""
    rows = Row.objects.filter(stream_id=stream_id, version__gte=began, version__lt=began + count)
    columns = rows.order_by("version").values_list("position", *COLUMNS)
    return [(position, event_of(row)) for position, *row in columns]
