"""From lines to a job: what preparing them needs to know of the store is looked up here, in few queries."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db import connection

from ofc_hub.clubs.models import Club
from ofc_hub.hands.models import Stream, StreamKind

from .ids import IdBlocks
from .jobs import ClubFacts, Job, Key, Known
from .outline import Outline, outline_of
from .people import People
from .refused import Line

STREAM_IDS_AT_ONCE = 1000


class Planner:
    """Makes jobs for one club."""

    def __init__(self, club: Club, people: People) -> None:
        self._club = club
        self._facts = ClubFacts(club.pk, club.time_zone, club.day_start)
        self._people = people
        self._stream_ids = IdBlocks(Stream, STREAM_IDS_AT_ONCE)

    def job(self, lines: Sequence[Line]) -> Job:
        readable = (line.text for line in lines if line.problem is None)
        outlines = [outline for text in readable if (outline := outline_of(text))]
        mentions = dict.fromkeys(mention for outline in outlines for mention in outline.mentions)
        return Job(
            club=self._facts,
            vendor=connection.vendor,
            lines=[line.text for line in lines],
            people=self._people.resolve(list(mentions)),
            stored=known_streams(self._club.pk, outlines),
            stream_ids=self._stream_ids.take(len(lines)),
            unreadable={place: line.problem for place, line in enumerate(lines) if line.problem},
        )


# One parameter for all keys: a placeholder for each costs more than finding the streams.
_KEYS: dict[str, tuple[str, Callable[[set[str]], Any]]] = {
    "postgresql": ("s.key = ANY(%s)", list),
    "sqlite": ("s.key IN (SELECT value FROM json_each(%s))", lambda keys: json.dumps(list(keys))),
}
_KNOWN = """
SELECT s.key, s.id, s.version, s.digest, h.content FROM hands_stream s
LEFT JOIN hands_hand h ON h.stream_id = s.id
WHERE s.club_id = %s AND s.kind = %s AND s.source = %s AND """


def known_streams(club_id: int, outlines: Iterable[Outline]) -> dict[Key, Known]:
    """The streams of hands that the club has already."""
    keys: dict[str, set[str]] = {}
    for outline in outlines:
        keys.setdefault(outline.source, set()).add(outline.key)
    condition, parameter = _KEYS[connection.vendor]
    known: dict[Key, Known] = {}
    with connection.cursor() as cursor:
        for source, some in keys.items():
            cursor.execute(_KNOWN + condition, [club_id, StreamKind.HAND.value, source, parameter(some)])
            for key, stream_id, version, digest, content in cursor.fetchall():
                content = None if content is None else bytes(content)
                known[source, key] = Known(stream_id, version, bytes(digest), content)
    return known
