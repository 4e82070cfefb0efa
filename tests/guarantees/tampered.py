"""A club whose log is worth editing, and how the tests of tampering read what is found."""

import random
import uuid
from pathlib import Path

from django.db import models

from ofc_hub.clubs.models import Club, Role
from ofc_hub.hands.log import StreamKey
from ofc_hub.hands.models import Event, Stream
from ofc_hub.live.record import Recorded, record
from ofc_hub.ops.verify.findings import CODES
from scoring.domain import events as kinds
from scoring.domain.events import Event as DomainEvent
from tests.imports import import_lines, sample_hands
from tests.operating import Ran, verified
from tests.played import KEY, member, moves, placed, started

IMPORTED = 12
ABROAD = 10**9  # an id that no row has


def played_club(folder: Path) -> Club:
    """Imported hands, one of them with an extra, and hands logged live: corrected, noted, unfinished.

    The correction of T1-3 costs Anna eleven points more than was settled: her full house was kings only.
    """
    Club.objects.create(slug="away", name="Away")
    hands = sample_hands(IMPORTED)
    hands[0] |= {"extra": {"dealer": "Zoë"}}
    assert import_lines(folder, hands).counts == (IMPORTED, 0, 0, 0)
    club = Club.objects.get(slug="home")
    director = member(club, Role.DIRECTOR)
    note = DomainEvent(0, kinds.NOTE_ADDED, client_id=str(uuid.uuid4()))
    undo = DomainEvent(0, kinds.EVENT_RETRACTED, data={"version": 11})
    unfinished, corrected = StreamKey(KEY.source, "T1-2"), StreamKey(KEY.source, "T1-3")
    replaced = DomainEvent(0, kinds.CARDS_REPLACED, 1, "//4c8c|Ts", {"version": 10})
    for key, events, texts in (
        (KEY, [started(club), *moves()], {}),
        (KEY, [undo, placed(2, "//7h4h|Jc"), note], {2: "Bo called the floor."}),
        (corrected, [started(club), *moves()], {}),
        (corrected, [replaced], {}),
        (unfinished, [started(club), *moves()[:3]], {}),
    ):
        outcome = record(director, club, key, None, events, texts)
        assert isinstance(outcome, Recorded), outcome
    assert verified().status == 0
    return club


def events() -> models.QuerySet[Event]:
    """The club's log in its order."""
    return Event.objects.filter(club__slug="home").order_by("position").select_related("stream")


def die() -> random.Random:
    return random.Random(20261129)


def assert_named(found: Ran, stream: Stream, position: int | None = None) -> None:
    """The edit is found, and what is told leads to its place."""
    assert found.status == 1
    assert found.summary["clean"] is False
    assert found.codes <= CODES.keys()
    name = f"{stream.source}/{stream.key}"
    places = {(line["stream"], line["position"]) for line in found.lines}
    if position is None:
        assert name in {place[0] for place in places}, found.lines
    else:
        assert (name, position) in places, found.lines
