"""A prepared batch into the database: one short transaction, the club's log head taken as the last lock."""

from __future__ import annotations

from django.db import transaction

from ofc_hub.clubs.locks import keep_people
from ofc_hub.clubs.models import Club, Tournament
from ofc_hub.hands.log import take_positions
from ofc_hub.hands.models import RuleSetRecord
from scoring.aftermath import follow_up_import

from .columns import (
    BEFORE_THE_HEAD,
    EVENT,
    EVENT_COLUMNS,
    HAND_RESULT,
    HAND_RESULT_COLUMNS,
    PLACE_COLUMNS,
    SLICE,
    SLICE_COLUMNS,
)
from .jobs import Prepared
from .people import People
from .tables import encode, with_positions, write_rows


class Loader:
    """Stores batches into one club."""

    def __init__(self, club: Club, vendor: str, people: People) -> None:
        self._club = club
        self._vendor = vendor
        self._people = people
        self._rule_sets: set[str] = set()
        self._tournaments: dict[str, str] = {}

    def store(self, batch: Prepared) -> int:
        """Store all of the batch or nothing; the position of its last event.

        Raises StalePlanError, or IntegrityError where another writer has stored one of its hands meanwhile:
        rolled back, to be prepared again.
        """
        with transaction.atomic():
            keep_people(self._club.pk)
            self._people.store(batch.people)
            self._store_rule_sets(batch)
            self._store_tournaments(batch)
            for table, columns in BEFORE_THE_HEAD.items():
                write_rows(table, columns, batch.rows.get(table, b""))
            position = self._store_under_the_head(batch)
        self._people.stored(batch.people)
        self._rule_sets.update(batch.rule_sets)
        self._tournaments.update(batch.tournaments)
        return position

    def _store_under_the_head(self, batch: Prepared) -> int:
        first, recorded_at = take_positions(self._club.pk, batch.event_count)
        events = with_positions(batch.events, self._club.pk, first, recorded_at)
        write_rows(EVENT, PLACE_COLUMNS + EVENT_COLUMNS, events)
        results = [(*row[:-1], first - 1 + row[-1]) for row in batch.hand_results]
        write_rows(HAND_RESULT, HAND_RESULT_COLUMNS, encode(self._vendor, results))
        slices = [(self._club.pk, player, day, first) for player, day in sorted(batch.slices)]
        write_rows(SLICE, SLICE_COLUMNS, encode(self._vendor, slices))
        follow_up_import(self._club, batch.stream_ids, batch.corrected_ids)
        return first + batch.event_count - 1

    def _store_rule_sets(self, batch: Prepared) -> None:
        """Rule sets by their hash; one that another writer makes at the same time is the same."""
        new = {digest: batch.rule_sets[digest] for digest in batch.rule_sets.keys() - self._rule_sets}
        if not new:
            return
        there = set(RuleSetRecord.objects.filter(pk__in=new).values_list("pk", flat=True))
        RuleSetRecord.objects.bulk_create(
            RuleSetRecord(digest=digest, code=data["base"], data=data)
            for digest, data in sorted(new.items())
            if digest not in there
        )

    def _store_tournaments(self, batch: Prepared) -> None:
        """Names of tournaments; the first name that is given stays."""
        new = {code: name for code, name in batch.tournaments.items() if not self._tournaments.get(code)}
        if not new:
            return
        there = dict(Tournament.objects.filter(club=self._club, code__in=new).values_list("code", "name"))
        Tournament.objects.bulk_create(
            [
                Tournament(club=self._club, code=code, name=name)
                for code, name in sorted(new.items())
                if code not in there
            ]
        )
        for code, name in sorted(new.items()):
            if name and there.get(code) == "":
                Tournament.objects.filter(club=self._club, code=code, name="").update(name=name)
