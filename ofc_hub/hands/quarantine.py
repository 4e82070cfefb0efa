"""Hands that no longer replay: kept out of every total, and never out of sight.

`Hand.problem` says why. Whoever finds it out sets it (a rebuild, a recording, an import of an archive);
such a hand has no result until its stream replays again.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from ofc_hub.clubs.models import Alias
from ofc_hub.hands.models import Event, Hand


class Excluded(NamedTuple):
    """One such hand, with the code and the message of its problem."""

    hand_id: int
    source: str
    key: str
    code: str
    message: str

    @property
    def name(self) -> str:
        return f"{self.source}/{self.key}"


def excluded_hands(club_id: int, player_id: int | None = None) -> list[Excluded]:
    """The excluded hands of a club, or those among them at which a player sat."""
    hands = _excluded_of(club_id).order_by("pk").values_list("pk", "stream__source", "key", "problem")
    excluded = [_excluded(pk, source, key, problem or {}) for pk, source, key, problem in hands]
    if player_id is None or not excluded:
        return excluded
    own = {
        str(identity) for identity in Alias.objects.filter(player=player_id).values_list("uuid", flat=True)
    }
    seated = _seated(club_id)
    return [hand for hand in excluded if own & seated.get(hand.hand_id, set())]


def _excluded_of(club_id: int) -> QuerySet[Hand]:
    return Hand.objects.filter(club_id=club_id, problem__isnull=False)


def _excluded(hand_id: int, source: str, key: str, problem: Mapping[str, Any]) -> Excluded:
    return Excluded(hand_id, source, key, str(problem.get("code", "")), str(problem.get("message", "")))


def _seated(club_id: int) -> dict[int, set[str]]:
    """The identities at their seats, as far as the first event of a hand still tells them."""
    starts = Event.objects.filter(stream__in=_excluded_of(club_id).values("pk"), version=1)
    return {hand: set(identities_in(data)) for hand, data in starts.values_list("stream_id", "data")}


def identities_in(data: Any) -> list[str]:
    """The aliases (texts of UUIDs) that the data of `hand-started` names, whatever else is in it."""
    seats = data.get("seats") if isinstance(data, Mapping) else None
    listed = seats if isinstance(seats, list) else []
    named = [seat.get("alias") for seat in listed if isinstance(seat, Mapping)]
    return [alias for alias in named if isinstance(alias, str) and _is_uuid(alias)]


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
