"""A club with real hands for the tests of pages: recorded by the use case, counted by the statistics."""

import json
from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from zeal import zeal_ignore

from analytics.slices import recompute_some
from ofc_hub.clubs.models import Club, Membership, Player, Role
from ofc_hub.clubs.people import Named, resolve_aliases
from ofc_hub.hands.log import StreamKey
from ofc_hub.hands.rulesets import record_of
from ofc_hub.live.record import Recorded, record
from scoring.domain.document import HandDocument
from scoring.domain.events import Event
from scoring.domain.interchange import read_hand
from scoring.domain.recording import events_of

#: Three hands of two players, scored by hand from the rulebook.
#: Anna scoops Bo: +6, and her flush on the bottom is worth 4, her pair of aces on top 9.
SCOOP = {
    "format": "ofc-hand/1", "source": "paper", "hand": "scoop", "rules": "pineapple", "table": "T1",
    "played_at": "2026-11-05T20:00:00Z", "number": 1, "button": 2,
    "seats": [{"seat": 1, "player": "Anna"}, {"seat": 2, "player": "Bo"}],
    "actions": [
        {"seat": 1, "cards": "As/KsKd/9h7h"}, {"seat": 2, "cards": "2s/3d4d/8cTd"},
        {"seat": 1, "cards": "/5c/4h|2d"}, {"seat": 2, "cards": "/6s/Jc|3c"},
        {"seat": 1, "cards": "Ac/5d/|6d"}, {"seat": 2, "cards": "5s/9c/|??"},
        {"seat": 1, "cards": "//2hJh|7c"}, {"seat": 2, "cards": "7s/Qc/|4c"},
        {"seat": 1, "cards": "3s/Tc/|6c"}, {"seat": 2, "cards": "//Kh8d|Qd"},
    ],
}  # fmt: skip


def a_club(slug: str = "thursday", **options: Any) -> tuple[Club, User]:
    """A club and its director."""
    club = Club.objects.create(slug=slug, name="Thursday night", **options)
    director = User.objects.create_user(f"director-of-{slug}", password="a long pass phrase")
    Membership.objects.create(club=club, user=director, role=Role.DIRECTOR)
    return club, director


def put(club: Club, director: User, document: dict[str, Any] | HandDocument) -> int:
    """Record a hand written as `ofc-hand/1`; the id of its page."""
    if isinstance(document, dict):
        read = read_hand(json.dumps(document).encode())
        assert isinstance(read, HandDocument), read
        document = read
    wanted = [Named(document.source, seat.player, None) for seat in document.seats]
    with transaction.atomic():
        record_of(document.rules)
        aliases = resolve_aliases(club, wanted)
    events = events_of(document, lambda index: str(aliases[wanted[index]].uuid))
    key = StreamKey(document.source, document.hand)
    with zeal_ignore():  # many hands one after another are many transactions
        recorded = record(director, club, key, 0, events)
    assert isinstance(recorded, Recorded), recorded
    return recorded.appended.stream


def correct(club: Club, director: User, document: dict[str, Any], *events: Event) -> None:
    """Add later events to a hand that was put."""
    recorded = record(director, club, StreamKey(document["source"], document["hand"]), None, events)
    assert isinstance(recorded, Recorded), recorded


def count() -> None:
    """Bring the statistics up to date, as a worker would."""
    while recompute_some():
        pass


def put_all(club: Club, director: User, lines: Iterable[bytes]) -> list[int]:
    ids = []
    for line in lines:
        document = read_hand(line)
        assert isinstance(document, HandDocument), document
        ids.append(put(club, director, document))
    count()
    return ids


def player_named(club: Club, name: str) -> Player:
    return Player.objects.get(club=club, name=name)
