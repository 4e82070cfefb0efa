"""Use cases: two players who are one, one player who is two, another name.

Events name aliases and stay as they are; an alias is pointed at another player. Results that name players
follow in the same transaction, and the days of everybody concerned are marked for recomputation.
"""

import re
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery

from ofc_hub.clubs.locks import change_people
from ofc_hub.clubs.models import Alias, AuditLine, Club, Membership, Player
from ofc_hub.clubs.selectors import Doer
from ofc_hub.hands.models import Event, Hand
from ofc_hub.hands.quarantine import identities_in
from ofc_hub.hands.reading import head_position
from ofc_hub.live.record import NotAllowed
from scoring.models import PairResult, SeatResult
from scoring.projector import mark_slices
from scoring.wake import wake_statistics

#: Every code of a refusal and what it means.
CODES: Mapping[str, str] = {
    "unknown-player": "The club has no player of this number.",
    "unknown-alias": "The player has no alias of this identity.",
    "same-player": "Both are the same player already.",
    "players-met": "The two sat at one table in the same hand, so they are not one person.",
    "nothing-to-split": "A split takes one alias at least and leaves one at least.",
    "bad-name": "A name has 1 to 200 characters, none of them a control character.",
    "last-owner": "The club would be left without an owner.",
}
_NAME = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]{1,200}")


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was changed; `code` as in CODES, `found` what stood in the way."""

    code: str
    found: Any = None

    def __str__(self) -> str:
        return CODES[self.code] + ("" if self.found is None else f" ({self.found})")


@dataclass(frozen=True, slots=True)
class Changed:
    """It is done; `player` is the number of the player it came to, `days` are to be recomputed."""

    player: int
    days: int = 0


Outcome = Changed | Refused | NotAllowed


def merge_players(by: Doer, club: Club, kept: int, merged: int) -> Outcome:
    """All aliases, hands and logins of the player `merged` are those of `kept` from now on."""
    if not by.held.may("correct"):
        return NotAllowed("correct")

    def merge() -> Changed | Refused:
        for number in (kept, merged):
            if not _players(club, number).exists():
                return Refused("unknown-player", number)
        if kept == merged:
            return Refused("same-player", kept)
        if (hand := next(_shared_hands(club, kept, merged), None)) is not None:
            return Refused("players-met", str(Hand.objects.get(pk=hand)))
        aliases = list(Alias.objects.filter(player=merged).values_list("pk", flat=True))
        Alias.objects.filter(pk__in=aliases).update(player=kept)
        Membership.objects.filter(club=club, player=merged).update(player=kept)
        # Without its name nobody new is taken for the player that is no more.
        _players(club, merged).update(name="")
        return Changed(kept, _repoint(club, aliases, merged, kept))

    return _carried_out(by, club, merge, "merge", kept=kept, merged=merged)


def split_player(
    by: Doer, club: Club, player: int, identities: Collection[uuid.UUID], name: str = ""
) -> Outcome:
    """The aliases of these identities, and their hands, are those of a new player from now on.

    His name is `name`, or that of the first of the aliases.
    """
    if not by.held.may("correct"):
        return NotAllowed("correct")

    def split() -> Changed | Refused:
        if not _players(club, player).exists():
            return Refused("unknown-player", player)
        own = {alias.uuid: alias for alias in Alias.objects.filter(club=club, player=player)}
        for identity in identities:
            if identity not in own:
                return Refused("unknown-alias", str(identity))
        aliases = [own[identity] for identity in dict.fromkeys(identities)]
        if not 0 < len(aliases) < len(own):
            return Refused("nothing-to-split")
        if name and not _NAME.fullmatch(name):
            return Refused("bad-name")
        new = Player.objects.create(club=club, name=name or aliases[0].name)
        numbers = [alias.pk for alias in aliases]
        Alias.objects.filter(pk__in=numbers).update(player=new)
        return Changed(new.pk, _repoint(club, numbers, player, new.pk))

    texts = [str(identity) for identity in identities]
    return _carried_out(by, club, split, "split", player=player, aliases=texts)


def rename_player(by: Doer, club: Club, player: int, name: str) -> Outcome:
    """Another name for the player; his aliases stay as their sources write them."""
    if not by.held.may("correct"):
        return NotAllowed("correct")

    def rename() -> Changed | Refused:
        if not _NAME.fullmatch(name) or not name.strip():
            return Refused("bad-name")
        found = _players(club, player).update(name=name)
        return Changed(player) if found else Refused("unknown-player", player)

    return _carried_out(by, club, rename, "rename", player=player)


# --- What they share ------------------------------------------------------------------------------------


def _carried_out(
    by: Doer, club: Club, change: Callable[[], Changed | Refused], action: str, **details: Any
) -> Changed | Refused:
    """`change` in a transaction in which nobody else writes for the club, with its line in the audit."""
    with transaction.atomic(durable=True):
        change_people(club.pk)
        outcome = change()
        if isinstance(outcome, Refused):
            transaction.set_rollback(True)
        else:
            audited(by, club, action, outcome=outcome.player, **details)
            if outcome.days:
                wake_statistics()
    return outcome


def audited(by: Doer, club: Club, action: str, **details: Any) -> None:
    """Write down who did what; `details` name people by numbers and identities, never by name."""
    AuditLine.objects.create(club=club, actor=by.actor, action=action, details=details)


def _players(club: Club, player: int) -> QuerySet[Player]:
    return Player.objects.filter(club=club, pk=player)


def _repoint(club: Club, aliases: Collection[int], former: int, player: int) -> int:
    """Results under these aliases name `player` instead of `former`; how many days are to be recomputed."""
    seats = SeatResult.objects.filter(club=club, player=former, alias__in=aliases)
    days = set(seats.values_list("day", flat=True).distinct())
    seats.update(player=player)
    # In the hand of a pair it is the seats that say whose the pair is now.
    hands = SeatResult.objects.filter(club=club, player=player, alias__in=aliases).values("hand")
    for side in ("a", "b"):
        now = SeatResult.objects.filter(hand=OuterRef("hand"), seat=OuterRef(side)).values("player")
        pairs = PairResult.objects.filter(hand__in=hands, **{f"player_{side}": former})
        pairs.update(**{f"player_{side}": Subquery(now[:1])})
    # The log has not moved: its last event is what the figures of these days do not yet follow from.
    mark_slices(club.pk, {(one, day) for one in (former, player) for day in days}, head_position(club.pk))
    return len(days)


def _shared_hands(club: Club, one: int, other: int) -> Iterator[int]:
    """Hands in which both have a seat, whether they were scored or not."""
    of = {
        number: {str(u) for u in Alias.objects.filter(player=number).values_list("uuid", flat=True)}
        for number in (one, other)
    }
    met = SeatResult.objects.filter(
        club=club,
        player=one,
        hand__in=SeatResult.objects.filter(club=club, player=other).values("hand"),
    )
    yield from met.values_list("hand_id", flat=True)[:1]
    for stream_id, identities in unscored_hands(club):
        if of[one] & identities and of[other] & identities:
            yield stream_id


def unscored_hands(club: Club) -> Iterator[tuple[int, set[str]]]:
    """(stream, identities at its seats) of each hand without results: not complete, voided, excluded."""
    hands = Hand.objects.filter(club=club, result__isnull=True).values("pk")
    starts = Event.objects.filter(stream__in=hands, version=1).values_list("stream_id", "data")
    for stream_id, data in starts.iterator():
        yield stream_id, set(identities_in(data))
