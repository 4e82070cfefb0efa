"""From lines to a job: what preparing them needs to know of the store is looked up here, in few queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def known_streams(club_id: int, outlines: Iterable[Outline]) -> dict[Key, Known]:
    """The streams of hands that the club has already."""
    keys: dict[str, set[str]] = {}
    for outline in outlines:
        keys.setdefault(outline.source, set()).add(outline.key)
    known: dict[Key, Known] = {}
    for source, some in keys.items():
        streams = Stream.objects.filter(club_id=club_id, kind=StreamKind.HAND, source=source, key__in=some)
        for pk, key, version, digest, content in streams.values_list(
            "pk", "key", "version", "digest", "hand__content"
        ):
            known[source, key] = Known(
                pk, version, bytes(digest), None if content is None else bytes(content)
            )
    return known
