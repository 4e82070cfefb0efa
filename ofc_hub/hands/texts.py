"""Free texts: the event holds a salted SHA-256, the text itself lies beside the log and can be erased.

An event's data names its text's hash under the key `text` (a note), `extra` (what a source added to a hand)
or `reason` (of a correction).
"""

import secrets
from collections.abc import Mapping, Sequence
from hashlib import sha256

from ofc_hub.hands.models import Event as Row
from ofc_hub.hands.models import FreeText
from scoring.domain.events import NOTE_ADDED, Event


def new_salt() -> str:
    """128 random bits: without them a short text could be found from its hash after it was erased."""
    return secrets.token_hex(16)


def salted(salt: str, text: str) -> str:
    return sha256((salt + text).encode()).hexdigest()


def with_texts(
    club_id: int, events: Sequence[Event], texts: Mapping[int, str]
) -> tuple[list[Event], dict[int, str]]:
    """The events with the hashes of their texts in their data, and the salts; keys are places in `events`.

    An event that a client sends again gets the salt of its first time, or it would seem to be another.
    """
    stored = _stored_salts(club_id, [events[place].client_id for place in texts])
    salts = {place: stored.get(events[place].client_id or "") or new_salt() for place in texts}
    hashed = list(events)
    for place, text in texts.items():
        event = events[place]
        key = "text" if event.kind == NOTE_ADDED else "reason"
        hashed[place] = event._replace(data={**(event.data or {}), key: salted(salts[place], text)})
    return hashed, salts


def _stored_salts(club_id: int, client_ids: Sequence[str | None]) -> dict[str, str]:
    ids = [client_id for client_id in client_ids if client_id]
    if not ids:
        return {}
    events = Row.objects.filter(club_id=club_id, client_id__in=ids).values_list(
        "stream_id", "version", "client_id"
    )
    places = {(stream, version): str(client_id) for stream, version, client_id in events}
    salts = FreeText.objects.filter(stream_id__in={stream for stream, _ in places})
    return {
        places[stream, version]: salt
        for stream, version, salt in salts.values_list("stream_id", "version", "salt")
        if (stream, version) in places
    }


def store_texts(stream_id: int, texts: Mapping[int, str], salts: Mapping[int, str]) -> None:
    """Keep the texts of events that were appended; keys are versions."""
    FreeText.objects.bulk_create(
        FreeText(stream_id=stream_id, version=version, salt=salts[version], text=text)
        for version, text in texts.items()
    )
