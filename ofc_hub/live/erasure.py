"""Use case: erase a person. His hands stay, under a player without a name, and the log stays as it is.

Erased are the names of his player and aliases, the free texts of all hands he sat in and any other text of
the club that names him, names of tournaments that hold his, and his login unless another club knows it. What
the digests of the log cover can not be erased: should his name stand in a hand's key or the name of a table,
`Erased.remains` says so.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.models import Session
from django.db import connection, transaction

from ofc_hub.clubs.locks import change_people
from ofc_hub.clubs.models import Alias, Club, Membership, Player, Role, Tournament
from ofc_hub.clubs.selectors import Doer
from ofc_hub.core.scrub import WAIT_SECONDS, overwrite_deleted, scrub
from ofc_hub.hands.models import Event, FreeText, Stream
from ofc_hub.live.names import Names
from ofc_hub.live.people import Refused, audited, unscored_hands
from ofc_hub.live.record import NotAllowed
from scoring.models import SeatResult

ROWS_AT_ONCE = 500
T = TypeVar("T")
#: Where names and texts lie; nothing else of the database holds them.
_NAMING = (Player, Alias, Tournament, FreeText, Membership, get_user_model(), Session)


@dataclass(frozen=True, slots=True)
class Erased:
    """Done and committed; `finish` then cleans the database's files.

    `texts` were erased. `remains`: where the name stands in the log, or in other clubs, in words without it.
    """

    player: int
    texts: int
    remains: tuple[str, ...]
    names: Names = field(repr=False)


def erase_person(by: Doer, club: Club, player: int) -> Erased | Refused | NotAllowed:
    """Erase everything that tells who `player` is. Repeated, it finds what was written since."""
    if not by.held.may("manage"):
        return NotAllowed("manage")
    overwrite_deleted(connection)
    with transaction.atomic(durable=True):
        change_people(club.pk)
        found = Player.objects.filter(club=club, pk=player).first()
        if found is None:
            return Refused("unknown-player", player)
        if _is_last_owner(found):
            return Refused("last-owner", player)
        names, aliases = _names_of(found), list(Alias.objects.filter(player=found))
        Player.objects.filter(pk=player).update(name="")
        Alias.objects.filter(player=found).update(name="")
        texts = _erase_texts(club, found, {str(alias.uuid) for alias in aliases}, names)
        _erase_tournaments(club, names)
        _erase_logins(found)
        audited(by, club, "erase", player=player, texts=texts)
    return Erased(player, texts, tuple(_remains(club, names)), names)


def finish(wait: float = WAIT_SECONDS) -> list[str]:
    """Rewrite the database's files without what was erased, outside of transactions; what could not be."""
    return scrub([model._meta.db_table for model in _NAMING], wait)


# --- What is erased -------------------------------------------------------------------------------------


def _names_of(player: Player) -> Names:
    written = [player.name, *Alias.objects.filter(player=player).values_list("name", flat=True)]
    for membership in player.memberships.select_related("user"):
        user: Any = membership.user
        written += [user.get_username(), user.email, user.get_full_name(), user.last_name]
    return Names(written)


def _erase_texts(club: Club, player: Player, identities: set[str], names: Names) -> int:
    """Blank texts and salts: without its salt a hash no longer tells whether a text is the one."""
    erased = 0
    for hands in _in_groups(_hands_of(club, player, identities)):
        texts = FreeText.objects.filter(stream__in=hands).exclude(text="", salt="")
        erased += texts.update(text="", salt="")
    for keys in _in_groups(_texts_that_name(club, names)):
        erased += FreeText.objects.filter(pk__in=keys).update(text="", salt="")
    return erased


def _hands_of(club: Club, player: Player, identities: set[str]) -> Iterator[int]:
    yield from list(
        SeatResult.objects.filter(club=club, player=player).values_list("hand_id", flat=True).distinct()
    )
    yield from [hand for hand, seated in unscored_hands(club) if seated & identities]


def _texts_that_name(club: Club, names: Names) -> list[tuple[int, int]]:
    rows = FreeText.objects.filter(stream__club=club).exclude(text="")
    texts = rows.values_list("stream_id", "version", "text").iterator()
    return [(stream, version) for stream, version, text in texts if names.in_text(text)]


def _erase_tournaments(club: Club, names: Names) -> None:
    named = Tournament.objects.filter(club=club).exclude(name="").values_list("pk", "name")
    Tournament.objects.filter(pk__in=[pk for pk, name in named if names.in_text(name)]).update(name="")


def _is_last_owner(player: Player) -> bool:
    owners = Membership.objects.filter(club=player.club_id, role=Role.OWNER)
    return owners.filter(player=player).exists() and not owners.exclude(player=player).exists()


def _erase_logins(player: Player) -> None:
    """The logins leave the club; one that belongs to no other club, nor to the site, can no longer log in."""
    for membership in list(player.memberships.select_related("user")):
        user = membership.user
        membership.delete()
        assert isinstance(user, AbstractUser)
        if not (user.is_staff or user.is_superuser or Membership.objects.filter(user=user).exists()):
            user.username, user.email = f"erased-{secrets.token_hex(8)}", ""
            user.first_name = user.last_name = ""
            user.is_active = False
            user.set_unusable_password()
            user.save()
            _end_sessions(user.pk)


def _end_sessions(user: int) -> None:
    ended = [
        one.pk for one in Session.objects.iterator() if one.get_decoded().get("_auth_user_id") == str(user)
    ]
    Session.objects.filter(pk__in=ended).delete()


def _in_groups(rows: Iterable[T]) -> Iterator[Sequence[T]]:
    iterator = iter(rows)
    while group := list(islice(iterator, ROWS_AT_ONCE)):
        yield group


# --- What stays ------------------------------------------------------------------------------------------


def _remains(club: Club, names: Names) -> Iterator[str]:
    """Where a name stands that the log can not lose, and who else is called so."""
    counted: Counter[str] = Counter()
    for source, key in Stream.objects.filter(club=club).values_list("source", "key").iterator():
        counted["the source of a hand"] += names.in_text(source)
        counted["the key of a hand"] += names.in_text(key)
    starts = Event.objects.filter(club=club, version=1).values_list("data", flat=True)
    for data in starts.iterator():
        for key in ("tournament", "tournament_name", "table"):
            counted[f"the {key} of a hand"] += names.in_text(str((data or {}).get(key, "")))
    for actor in Event.objects.filter(club=club).values_list("actor", flat=True).distinct():
        counted["an actor of events"] += names.in_text(actor)
    yield from (f"{place}: {count} times" for place, count in sorted(counted.items()) if count)
    for model, what in ((Player, "players"), (Alias, "aliases")):
        namesakes = model._default_manager.filter(name__in=names.written)
        for slug in namesakes.values_list("club__slug", flat=True).distinct().order_by("club__slug"):
            yield f"{what} of the club {slug} have that name"
