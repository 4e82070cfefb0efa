"""Who the names in a batch are: aliases planned before a batch is prepared, made in its transaction.

A hand that is refused must not leave a player behind, so nothing is written until a batch is stored. Until
then a new name has a planned alias, with its identity and ids, that all batches under way share. Should
somebody else make an alias or a player of the same name first, or point one elsewhere, the plan is stale:
the batch is rolled back and prepared again.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.db.models import Q

from ofc_hub.clubs.models import Alias, Club, Player

from .ids import IdBlocks

REMEMBERED = 100_000
"""Aliases kept in memory; beyond that the stored ones are looked up again."""
IDS_AT_ONCE = 8


class Mention(NamedTuple):
    """A name in a document, with the identity that it carries if any.

    An archive also says which player it is: by the identity of his first alias (`group`), and his name.
    """

    source: str
    name: str
    identity: str | None = None
    group: str | None = None
    player: str | None = None


class Person(NamedTuple):
    """An alias and its player, stored or planned; `identity` is the alias's UUID as text."""

    alias_id: int
    identity: str
    player_id: int
    source: str
    name: str


class NewPlayer(NamedTuple):
    """A planned player; `grouped` ones come from an archive and may share their name with another."""

    name: str
    grouped: bool


class StalePlanError(Exception):
    """Somebody else changed what the batch was prepared for; prepare it again."""


class People:
    """The aliases of one club as far as an import has met them."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._alias_ids = IdBlocks(Alias, IDS_AT_ONCE)
        self._player_ids = IdBlocks(Player, IDS_AT_ONCE)
        self.forget()

    def forget(self) -> None:
        """Drop everything that is known and every plan; the next batch looks it up."""
        self._by_id: dict[int, Person] = {}
        self._by_identity: dict[str, Person] = {}
        self._by_name: dict[tuple[str, str], Person] = {}
        self._planned: set[int] = set()
        self._new_players: dict[int, NewPlayer] = {}

    def _forget_stored(self) -> None:
        kept = [self._by_id[alias_id] for alias_id in self._planned]
        self._by_id, self._by_identity, self._by_name = {}, {}, {}
        for person in kept:
            self._remember(person)

    # --- Before a batch is prepared ------------------------------------------------------------------------

    def resolve(self, mentions: Collection[Mention]) -> dict[Mention, Person]:
        """Everybody mentioned; the first mentioned of two that are new under one name decides."""
        if len(self._by_id) > REMEMBERED + len(self._planned):
            self._forget_stored()
        unknown = [mention for mention in mentions if self._known(mention) is None]
        if unknown:
            self._look_up(unknown)
            self._plan([mention for mention in unknown if self._known(mention) is None])
        return {mention: self._of(mention) for mention in mentions}

    def _known(self, mention: Mention) -> Person | None:
        known = self._by_identity.get(mention.identity) if mention.identity else None
        if known or mention.group:
            # The events of an archive name their aliases for ever, so nothing but the identity will do.
            return known
        # An unknown identity under a known name is that name's alias: this club has met it before.
        return self._by_name.get((mention.source, mention.name))

    def _of(self, mention: Mention) -> Person:
        person = self._known(mention)
        assert person is not None, mention
        return person

    def _look_up(self, mentions: Collection[Mention]) -> None:
        identities = {identity for m in mentions for identity in (m.identity, m.group) if identity}
        wanted = _named((m.source, m.name) for m in mentions) | Q(uuid__in=identities)
        for person in _stored(self._club.pk, wanted):
            self._remember(person)

    def _remember(self, person: Person) -> None:
        self._by_id[person.alias_id] = person
        self._by_identity[person.identity] = person
        if person.name:
            self._by_name[person.source, person.name] = person

    def _plan(self, mentions: Collection[Mention]) -> None:
        """Plan aliases for new names, with the player of exactly that name or a new one."""
        if not mentions:
            return
        wanted = {_player_name(mention) for mention in mentions} - {""}
        found = Player.objects.filter(club=self._club, name__in=wanted).order_by("-pk")
        players = {name: pk for pk, name in found.values_list("pk", "name")}
        for pk, new in self._new_players.items():
            if new.name and not new.grouped:
                players.setdefault(new.name, pk)
        for mention in mentions:
            if self._known(mention) is None:
                self._plan_one(mention, players)

    def _plan_one(self, mention: Mention, players: dict[str, int]) -> None:
        name = _player_name(mention)
        namesake = self._by_name.get((mention.source, mention.name))
        if mention.group:
            # In an archive the group decides: two players of one name stay two.
            relative = self._by_identity.get(mention.group) or namesake
            player_id = relative.player_id if relative else None
        else:
            player_id = players.get(name)
        if player_id is None:
            [player_id] = self._player_ids.take(1)
            self._new_players[player_id] = NewPlayer(name, grouped=mention.group is not None)
            if name:
                players.setdefault(name, player_id)
        [alias_id] = self._alias_ids.take(1)
        identity = mention.identity or str(uuid.uuid4())
        alias_name = "" if namesake or mention.name == identity else mention.name
        self._remember(Person(alias_id, identity, player_id, mention.source, alias_name))
        self._planned.add(alias_id)

    # --- In the transaction of a batch ---------------------------------------------------------------------

    def store(self, used: Collection[Person]) -> None:
        """Make the planned aliases among `used`, and make sure that the others are as they were.

        The club's row is locked first where something is made, so that of two importers one waits. Raises
        StalePlanError.
        """
        planned = [person for person in used if person.alias_id in self._planned]
        if planned:
            list(Club.objects.select_for_update(no_key=True).filter(pk=self._club.pk).values_list("pk"))
        stored = {person.alias_id: person for person in _stored(self._club.pk, Q(pk__in=_ids(used)))}
        new = [person for person in used if person.alias_id not in stored]
        changed = any(stored.get(person.alias_id, person) != person for person in used)
        forgotten = any(person.alias_id not in self._planned for person in new)
        if changed or forgotten:
            raise StalePlanError
        if new:
            self._refuse_if_there(new)
            self._make_players({person.player_id for person in new})
            Alias.objects.bulk_create([_alias(self._club.pk, person) for person in new])

    def stored(self, used: Iterable[Person]) -> None:
        """After the commit: the plans have become rows."""
        for person in used:
            self._planned.discard(person.alias_id)
            self._new_players.pop(person.player_id, None)

    def _refuse_if_there(self, new: Collection[Person]) -> None:
        names = {(person.source, person.name) for person in new if person.name}
        identities = {person.identity for person in new}
        there = _stored(self._club.pk, _named(names) | Q(uuid__in=identities))
        if any(one.identity in identities or (one.source, one.name) in names for one in there):
            raise StalePlanError

    def _make_players(self, ids: Collection[int]) -> None:
        planned = {pk: self._new_players[pk] for pk in ids if pk in self._new_players}
        there = set(Player.objects.filter(pk__in=planned).values_list("pk", flat=True))
        missing = {pk: new for pk, new in sorted(planned.items()) if pk not in there}
        names = {new.name for new in missing.values() if new.name and not new.grouped}
        if names and Player.objects.filter(club=self._club, name__in=names).exists():
            raise StalePlanError
        Player.objects.bulk_create(
            [Player(pk=pk, club=self._club, name=new.name) for pk, new in missing.items()]
        )


def _player_name(mention: Mention) -> str:
    name = mention.name if mention.player is None else mention.player
    return "" if name == mention.identity else name


def _named(names: Iterable[tuple[str, str]]) -> Q:
    """The condition for aliases of these (source, name), and it may be for others of the same sources.

    Not one part a source: SQLite refuses a condition of more than 1,000 parts.
    """
    named = [(source, name) for source, name in names if name]
    return Q(source__in={source for source, _ in named}, name__in={name for _, name in named})


def _ids(people: Iterable[Person]) -> list[int]:
    return [person.alias_id for person in people]


def _alias(club_id: int, person: Person) -> Alias:
    return Alias(
        pk=person.alias_id,
        club_id=club_id,
        uuid=uuid.UUID(person.identity),
        source=person.source,
        name=person.name,
        player_id=person.player_id,
    )


def _stored(club_id: int, wanted: Q) -> Iterable[Person]:
    rows = Alias.objects.filter(wanted, club_id=club_id).order_by()
    columns = ("pk", "uuid", "player_id", "source", "name")
    for pk, identity, player_id, source, name in rows.values_list(*columns):
        yield Person(pk, str(identity), player_id, source, name)
