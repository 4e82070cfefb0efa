"""From names as sources write them to aliases and players (design section 2, "People")."""

import uuid
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from ofc_hub.clubs.models import Alias, Club, Player


class Named(NamedTuple):
    """A player as a source writes him: with the identity that a service gave to the name, or without."""

    source: str
    name: str
    identity: uuid.UUID | None = None


_NOBODY = uuid.UUID(int=0)


class AliasRef(NamedTuple):
    alias_id: int
    uuid: uuid.UUID
    player_id: int


def resolve_aliases(club: Club, wanted: Iterable[Named]) -> dict[Named, AliasRef]:
    """The alias of each name, made where missing; call it in the transaction that uses them.

    A known identity is that alias, whatever the name is now; else the alias is found by (source, name), under
    an identity of its own. A new alias belongs to the club's player of exactly that name, or to a new player.
    """
    names = list(dict.fromkeys(wanted))
    found = find_aliases(club, names)
    missing = [named for named in names if named not in found]
    if missing:
        # One writer at a time makes people of a club; who waited finds what the other made.
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        found |= find_aliases(club, missing)
        missing = [named for named in missing if named not in found]
        _make_aliases(club, missing)
        found |= find_aliases(club, missing)
    return found


def find_aliases(club: Club, names: Sequence[Named]) -> dict[Named, AliasRef]:
    """The aliases that are there already, in two queries at most."""
    by_uuid = _aliases(club, uuid__in={named.identity for named in names if named.identity})
    by_name = _aliases(club, name__in={named.name for named in names} - {""})
    identities = {alias.uuid: _reference(alias) for alias in by_uuid}
    written = {(alias.source, alias.name): _reference(alias) for alias in by_name}
    return {
        named: reference
        for named in names
        if (reference := identities.get(named.identity or _NOBODY) or written.get((named.source, named.name)))
    }


def aliases_by_identity(club: Club, identities: Iterable[str]) -> dict[str, AliasRef]:
    """The aliases that events name, by the text of their UUID; unknown ones, and no UUIDs, are left out."""
    wanted = set()
    for text in identities:
        with suppress(ValueError):
            wanted.add(uuid.UUID(text))
    return {str(alias.uuid): _reference(alias) for alias in _aliases(club, uuid__in=wanted)}


def _aliases(club: Club, **filters: object) -> list[Alias]:
    return list(Alias.objects.filter(club=club, **filters))


def _reference(alias: Alias) -> AliasRef:
    return AliasRef(alias.pk, alias.uuid, alias.player_id)


def _make_aliases(club: Club, missing: Sequence[Named]) -> None:
    players = _players(club, {named.name for named in missing})
    made: dict[uuid.UUID, Alias] = {}
    written: set[tuple[str, str]] = set()
    for source, name, identity in missing:
        if (source, name) not in written and identity not in made:
            alias = Alias(club=club, uuid=identity or uuid.uuid4(), source=source, name=name)
            alias.player = players[name]
            made[alias.uuid] = alias
            written.add((source, name))
    Alias.objects.bulk_create(made.values())


def _players(club: Club, names: Iterable[str]) -> dict[str, Player]:
    """The club's player of each name (the oldest, if several), made where missing."""
    names = set(names)
    players: dict[str, Player] = {}
    for player in Player.objects.filter(club=club, name__in=names).order_by("pk"):
        players.setdefault(player.name, player)
    made = [Player(club=club, name=name) for name in sorted(names - players.keys())]
    players |= {player.name: player for player in Player.objects.bulk_create(made)}
    return players
