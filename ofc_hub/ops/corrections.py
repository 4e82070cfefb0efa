"""What corrections leave at their tables (`scoring.aftermath`), as verification and rebuilding look at it."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from ofc_hub.clubs.models import Club
from ofc_hub.hands.models import Hand, Stream
from ofc_hub.ops.fresh import Fresh
from ofc_hub.ops.stored import Difference
from scoring import aftermath
from scoring.models import Correction, Flag, Transfer

Table = tuple[str, str]


class CorrectedTables:
    """The tables of a club at which there may be transfers or flags; nearly always few of all."""

    def __init__(self) -> None:
        self._tables: set[Table] = set()

    def note(self, hands: Iterable[Fresh]) -> None:
        """Remember where a hand was played that may have been corrected."""
        for fresh in hands:
            if fresh.may_be_corrected and fresh.state is not None:
                start = fresh.state.start
                self._tables.add((start.tournament or "", start.table or ""))

    def of(self, club: Club) -> set[Table]:
        """These, and those of which the store has any."""
        tables = set(self._tables)
        for model in (Correction, Transfer, Flag):
            ids: QuerySet[Any] = model._default_manager.filter(club=club).values("hand_id")
            hands = Hand.objects.filter(pk__in=ids)
            tables.update(hands.values_list("tournament", "table").distinct())
        return tables


def as_difference(one: aftermath.Difference) -> Difference:
    """Rows of a hand that are stored and do not follow from the log, and those that are missing."""
    found, expected = sorted(one.stored, key=str), sorted(one.follows, key=str)
    return Difference("correction", "differs", "", "", found, expected)


def place_of(one: aftermath.Difference) -> tuple[str, int | None]:
    """The stream's name and the position of its last event."""
    stream = Stream.objects.get(pk=one.hand_id)
    last = stream.events.order_by("version").last()
    return f"{stream.source}/{stream.key}", last.position if last else None
