"""Events without rules for tests of the log itself, and writers that work at the same time."""

import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection, transaction

from ofc_hub.hands.log import Appended, ClientIdConflict, Refused, StreamKey, append
from ofc_hub.hands.models import Event as Row
from scoring.domain.events import NOTE_ADDED, Event


def note(name: str | None = None, text: str = "") -> Event:
    """A note; `name` gives it the same client id each time."""
    client_id = None if name is None else client_id_of(name)
    return Event(0, NOTE_ADDED, data={"text": text or f"text of {name}"}, client_id=client_id)


def client_id_of(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def notes(names: str) -> list[Event]:
    """One note for each letter."""
    return [note(name) for name in names]


def stored(club_id: int, key: str, events: Sequence[Event], expected: int | None) -> Appended | Refused:
    """A use case of the log alone: what is refused is rolled back."""
    with transaction.atomic():
        outcome = append(club_id, StreamKey("here", key), events, expected, "tester")
        if not isinstance(outcome, Appended):
            transaction.set_rollback(True)
        return outcome


def at_once(work: Callable[[int], Any], writers: int) -> list[Any]:
    """The results of `work(0)`, `work(1)`, ... done at the same time, each on a connection of its own."""

    def run(number: int) -> Any:
        try:
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(writers) as pool:
        return list(pool.map(run, range(writers)))


def log_of(club_id: int) -> list[tuple[int, int, int, str]]:
    """(position, stream, version, client id) of a club's whole log."""
    rows = Row.objects.filter(club_id=club_id).order_by("position")
    return [
        (position, stream, version, str(client_id))
        for position, stream, version, client_id in rows.values_list(
            "position", "stream_id", "version", "client_id"
        )
    ]


def is_conflict(outcome: object, name: str) -> bool:
    return isinstance(outcome, ClientIdConflict) and outcome.client_id == client_id_of(name)
