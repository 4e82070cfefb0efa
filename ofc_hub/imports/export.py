"""Hands out of the store: `ofc-hand/1` as they now stand, `ofc-events/1` as they were recorded."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import msgspec
from django.db import connection
from django.db.models import F, QuerySet
from django.db.models.functions import Collate

from ofc_hub.clubs.models import Alias, Club
from ofc_hub.hands.log import load_streams
from ofc_hub.hands.models import FreeText, Hand
from ofc_hub.hands.quarantine import identities_in
from ofc_hub.hands.rulesets import rules_of
from scoring.domain import events as kinds
from scoring.domain.events import Event
from scoring.domain.hand import HandState
from scoring.domain.interchange import document_of, write_line
from scoring.domain.replay import replay

from .archive import FORMAT as EVENTS_FORMAT
from .archive import AliasLine, PlayerLine, StreamLine, TextLine, event_lines

STREAMS_AT_ONCE = 200
T = TypeVar("T")


def exportable(club: Club) -> QuerySet[Hand]:
    """The hands that `ofc-hand/1` can tell: complete, not voided, and their streams replay."""
    return Hand.objects.filter(club=club, complete=True, voided=False, problem__isnull=True)


def hand_lines(club: Club, broken: list[str] | None = None) -> Generator[bytes, None, None]:
    """Every hand, corrections applied, in the order of (played_at, number, hand) by code points.

    A hand that turns out not to replay has no line and stops nobody: its name is added to `broken`.
    """
    # Databases sort texts by rules of their own; files must not depend on where they come from.
    key = Collate("key", "C") if connection.vendor == "postgresql" else F("key")
    source = Collate("stream__source", "C") if connection.vendor == "postgresql" else F("stream__source")
    hands = exportable(club).order_by("played_at", "number", key, source)
    rows = hands.values_list("pk", "stream__source", "key").iterator(STREAMS_AT_ONCE)
    for batch in _batched(rows, STREAMS_AT_ONCE):
        yield from _hand_batch(club, batch, [] if broken is None else broken)


def _hand_batch(club: Club, batch: Sequence[tuple[int, str, str]], broken: list[str]) -> Iterator[bytes]:
    streams = load_streams([pk for pk, _, _ in batch])
    names = _names(club, streams.values())
    texts = _texts(streams)
    for pk, source, key in batch:
        events = streams[pk]
        state = _replayed(events, source, key, names)
        if state is None:
            broken.append(f"{source}/{key}")
        else:
            yield write_line(document_of(state, _extra(events, texts.get(pk, []))))


def _replayed(events: Sequence[Event], source: str, key: str, names: Mapping[str, str]) -> HandState | None:
    """The hand, or None where its stream does not replay."""
    try:
        rules = rules_of(_rules_digest(events))
    except LookupError:
        return None
    state, problem = replay(events, rules, source, key, names)
    return state if problem is None else None


def _names(club: Club, streams: Iterable[Sequence[Event]]) -> dict[str, str]:
    """Names by identity. One that was erased has none, and its identity stands in its place."""
    aliases = Alias.objects.filter(club=club, uuid__in=_identities(streams)).exclude(name="")
    return {str(identity): name for identity, name in aliases.values_list("uuid", "name")}


def _extra(events: Sequence[Event], texts: Iterable[TextLine]) -> Mapping[str, Any] | None:
    written = {one.version: one.text for one in texts if one.text}
    for event in reversed(events):
        if event.kind == kinds.NOTE_ADDED and "extra" in event.facts and event.version in written:
            extra: dict[str, Any] = json.loads(written[event.version])
            return extra
    return None


# --- Archive ---------------------------------------------------------------------------------------------


def stream_lines(club: Club) -> Generator[bytes, None, None]:
    """Every stream of a hand with all that belongs to it, in the order in which they came."""
    hands = Hand.objects.filter(club=club).order_by("pk")
    rows = hands.values_list("pk", "stream__source", "key", "rule_set__data", "problem")
    for batch in _batched(rows.iterator(STREAMS_AT_ONCE), STREAMS_AT_ONCE):
        streams = load_streams([row[0] for row in batch])
        events = event_lines(streams)
        aliases, texts = _alias_lines(club, streams.values()), _texts(streams)
        for pk, source, key, rules, problem in batch:
            line = StreamLine(
                format=EVENTS_FORMAT,
                kind="hand",
                source=source,
                key=key,
                rules=rules,
                aliases=_of_stream(streams[pk], aliases),
                events=events[pk],
                texts=texts.get(pk, []),
                problem=problem,
            )
            yield msgspec.json.encode(line) + b"\n"


def _of_stream(events: Sequence[Event], aliases: Mapping[str, AliasLine]) -> list[AliasLine]:
    """The aliases that the events name, before them the first ones of their players."""
    identities = dict.fromkeys(_identities([events]))
    named = [aliases[identity] for identity in identities if identity in aliases]
    first = [aliases[str(alias.player.id)] for alias in named]
    return list({alias.id: alias for alias in (*first, *named)}.values())


def _alias_lines(club: Club, streams: Iterable[Sequence[Event]]) -> dict[str, AliasLine]:
    """By identity: the aliases of these streams and the others of their players."""
    named = Alias.objects.filter(club=club, uuid__in=_identities(streams))
    aliases = list(Alias.objects.filter(player__in=named.values("player")).select_related("player"))
    first: dict[int, Any] = {}
    for alias in aliases:
        first[alias.player_id] = min(first.get(alias.player_id, alias.uuid), alias.uuid)
    return {
        str(alias.uuid): AliasLine(
            alias.uuid, alias.source, alias.name, PlayerLine(first[alias.player_id], alias.player.name)
        )
        for alias in aliases
    }


# --- What both need --------------------------------------------------------------------------------------


def _identities(streams: Iterable[Sequence[Event]]) -> list[str]:
    """The aliases in the first events of the streams, in the order of the seats."""
    return [identity for events in streams if events for identity in identities_in(events[0].data)]


def _rules_digest(events: Sequence[Event]) -> str:
    return str(events[0].facts["rules"])


def _texts(streams: Iterable[int]) -> dict[int, list[TextLine]]:
    texts: dict[int, list[TextLine]] = {}
    rows = FreeText.objects.filter(stream_id__in=list(streams)).order_by("stream_id", "version")
    for stream_id, version, salt, text in rows.values_list("stream_id", "version", "salt", "text"):
        texts.setdefault(stream_id, []).append(TextLine(version, salt, text))
    return texts


def _batched(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(rows)
    while batch := list(islice(iterator, size)):
        yield batch
